//! `comm`: lines only in one sorted file, only in the other, in both, as three columns.

use std::cmp::Ordering;

use futures::future::{FutureExt, LocalBoxFuture};

use super::input::{self, Lines, chomp};
use crate::io::Stream;
use crate::tool::{
    Args, Builtin, Example, ExecContext, OK, Opt, Outcome, Reply, Run, Spec, Stop, Topic,
};

/// `comm`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "comm",
    about: "compare two sorted files line by line",
    topic: Topic::Text,
    operands: "FILE1 FILE2",
    arity: (2, 2),
    options: &[
        Opt::flag('1', "", "no lines that only FILE1 has"),
        Opt::flag('2', "", "no lines that only FILE2 has"),
        Opt::flag('3', "", "no lines that both have"),
        Opt::flag('\0', "check-order", "fail at the first line out of order"),
        Opt::flag('\0', "nocheck-order", "do not look at the order"),
        Opt::value('\0', "output-delimiter", "TEXT", "what separates columns (a tab)"),
        Opt::flag('\0', "total", "print a line of totals"),
        Opt::flag('z', "zero-terminated", "lines end with NUL"),
    ],
    examples: &[Example {
        script: "printf 'a\\nb\\n' > x; printf 'b\\nc\\n' > y; comm x y",
        output: "a\n\t\tb\n\tc\n",
    }],
    ..Spec::DEFAULT
};

/// One of the two files.
struct Side {
    lines: Lines,
    /// The line compared next, without its end; `None` at the end of the file.
    current: Option<Vec<u8>>,
    out_of_order: bool,
    end: u8,
}

impl Side {
    fn new(stream: Stream, end: u8) -> Self {
        Self { lines: Lines::new(stream, end), current: None, out_of_order: false, end }
    }

    /// Moves to the next line; `true` where it is the first that is out of order.
    async fn advance(&mut self, cx: &mut ExecContext) -> Result<bool, Stop> {
        if !self.lines.is_ready() && !self.lines.fill(cx).await? {
            self.current = None;
            return Ok(false);
        }
        let line = self.lines.next().map(|line| chomp(line, self.end).to_vec());
        let before = std::mem::replace(&mut self.current, line);
        let fell = !self.out_of_order && self.current < before;
        self.out_of_order |= fell;
        Ok(fell)
    }
}

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let end = input::delimiter(args);
        let mut sides = Vec::new();
        for operand in args.operand_texts() {
            let Some(stream) = cx.open_input(&operand).await? else { return Reply::status(1) };
            sides.push(Side::new(stream, end));
        }
        let (Some(mut right), Some(mut left)) = (sides.pop(), sides.pop()) else { return OK };
        compare(cx, args, &mut left, &mut right).await
    }
    .boxed_local()
}

async fn compare(cx: &mut ExecContext, args: &Args, left: &mut Side, right: &mut Side) -> Outcome {
    let hidden = [args.has("1"), args.has("2"), args.has("3")];
    let delimiter = args.text("output-delimiter").unwrap_or_else(|| "\t".into());
    let delimiter = if delimiter.is_empty() { "\0".into() } else { delimiter };
    let mut totals = [0u64; 3];
    let mut unpaired = false;
    left.advance(cx).await?;
    right.advance(cx).await?;
    loop {
        let order = match (&left.current, &right.current) {
            (None, None) => break,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(a), Some(b)) => a.cmp(b),
        };
        unpaired |= order.is_ne();
        let column = match order {
            Ordering::Less => 0,
            Ordering::Greater => 1,
            Ordering::Equal => 2,
        };
        let line = if column == 1 { &right.current } else { &left.current };
        totals[column] += 1;
        if !hidden[column] {
            for hidden in hidden.iter().take(column) {
                if !hidden {
                    cx.push(delimiter.as_str());
                }
            }
            cx.push(line.as_deref().unwrap_or_default());
            cx.push([left.end]);
        }
        for (side, number, moves) in [(&mut *left, 1, column != 1), (&mut *right, 2, column != 0)] {
            if moves && side.advance(cx).await? {
                report_order(cx, args, number, unpaired)?;
            }
        }
    }
    if args.has("total") {
        let [first, second, both] = totals;
        cx.push(format!("{first}{delimiter}{second}{delimiter}{both}{delimiter}total"));
        cx.push([left.end]);
    }
    let checks = !args.has("nocheck-order") && (unpaired || args.has("check-order"));
    if checks && (left.out_of_order || right.out_of_order) {
        return Err(cx.fail(1, "input is not in sorted order"));
    }
    OK
}

fn report_order(cx: &mut ExecContext, args: &Args, number: u8, unpaired: bool) -> Result<(), Stop> {
    if args.has("check-order") {
        return Err(cx.fail(1, format_args!("file {number} is not in sorted order")));
    }
    if unpaired && !args.has("nocheck-order") {
        cx.warn(format_args!("file {number} is not in sorted order"));
    }
    Ok(())
}
