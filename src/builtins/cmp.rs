//! `cmp`: compares two files byte by byte.

use std::rc::Rc;

use futures::future::{FutureExt, LocalBoxFuture};

use super::size::parse_size;
use crate::io::Stream;
use crate::tool::{
    Args, Builtin, Example, ExecContext, Opt, Outcome, Reply, Run, Spec, Stop, Topic,
};
use crate::value::EcoString;

/// `cmp`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "cmp",
    about: "compare two files byte by byte",
    topic: Topic::Files,
    operands: "FILE1 [FILE2 [SKIP1 [SKIP2]]]",
    options: &[
        Opt::flag('b', "print-bytes", "print the bytes that differ"),
        Opt::flag('l', "verbose", "print every difference: place, bytes in octal"),
        Opt::flag('s', "quiet", "print nothing"),
        Opt::flag('\0', "silent", "the same"),
        Opt::value('n', "bytes", "N", "compare at most N bytes"),
        Opt::value('i', "ignore-initial", "SKIP[:SKIP2]", "leave out the first bytes"),
    ],
    notes: "FILE2 is standard input where left out. Status: 0 the same, 1 different, 2 trouble.",
    examples: &[Example {
        script: "printf abc > a; printf abd > b; cmp a b || echo $?",
        output: "a b differ: byte 3, line 1\n1\n",
    }],
    ..Spec::DEFAULT
};

/// One of the two files.
struct Side {
    name: EcoString,
    stream: Stream,
    /// The length of a file; unknown of standard input.
    len: Option<u64>,
    chunk: Vec<u8>,
    at: usize,
}

/// What the options ask for.
#[derive(Clone, Copy)]
struct Plan {
    list: bool,
    bytes: bool,
    quiet: bool,
    limit: u64,
}

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let names = args.operand_texts();
        let Some(first) = names.first().cloned() else {
            return Err(cx.misuse(2, "missing operand after 'cmp'"));
        };
        if let Some(extra) = names.get(4) {
            return Err(cx.misuse(2, format_args!("extra operand '{extra}'")));
        }
        let second = names.get(1).cloned().unwrap_or_else(|| "-".into());
        let skips = skips(cx, args, &names)?;
        let limit = match args.text("bytes") {
            None => u64::MAX,
            Some(text) => number(cx, &text, "--bytes value")?,
        };
        let quiet = args.has("quiet") || args.has("silent");
        let plan = Plan { list: args.has("verbose"), bytes: args.has("print-bytes"), quiet, limit };
        if plan.list && plan.quiet {
            return Err(cx.misuse(2, "options -l and -s are incompatible"));
        }
        let Some(mut a) = Side::open(cx, first, skips.0, quiet).await? else {
            return Reply::status(2);
        };
        let Some(mut b) = Side::open(cx, second, skips.1, quiet).await? else {
            return Reply::status(2);
        };
        compare(cx, plan, &mut a, &mut b).await
    }
    .boxed_local()
}

fn number(cx: &mut ExecContext, text: &str, what: &str) -> Result<u64, Stop> {
    let digits = text.as_bytes().first().is_some_and(u8::is_ascii_digit);
    let size = parse_size(text).filter(|_| digits);
    size.ok_or_else(|| cx.misuse(2, format_args!("invalid {what} '{text}'")))
}

fn skips(cx: &mut ExecContext, args: &Args, names: &[EcoString]) -> Result<(u64, u64), Stop> {
    let what = "--ignore-initial value";
    if let Some(text) = args.text("ignore-initial") {
        let (a, b) = text.split_once(':').unwrap_or((&text, &text));
        return Ok((number(cx, a, what)?, number(cx, b, what)?));
    }
    let mut skip = |index: usize| match names.get(index) {
        Some(text) => number(cx, text, what),
        None => Ok(0),
    };
    Ok((skip(2)?, skip(3)?))
}

impl Side {
    /// Opens a file and leaves its beginning out; `None` where that fails, which is reported.
    async fn open(
        cx: &mut ExecContext,
        name: EcoString,
        skip: u64,
        quiet: bool,
    ) -> Result<Option<Self>, Stop> {
        let opened = if name == "-" {
            Ok(cx.stdin())
        } else {
            Rc::clone(cx.backend()).open_read(&cx.resolve(&name)).await
        };
        let stream = match opened {
            Ok(stream) => stream,
            Err(error) => {
                if !quiet {
                    cx.complain(format_args!("{name}: {}", error.errno())).await?;
                }
                return Ok(None);
            }
        };
        let len = match name.as_str() {
            "-" => None,
            _ => Rc::clone(cx.backend()).stat(&cx.resolve(&name)).await.ok().map(|m| m.len),
        };
        let mut side = Self { name, stream, len, chunk: Vec::new(), at: 0 };
        let mut left = skip;
        while left > 0 && side.fill(cx).await? {
            let step = usize::try_from(left).unwrap_or(usize::MAX).min(side.rest().len());
            side.at += step;
            left -= step as u64;
        }
        Ok(Some(side))
    }

    fn rest(&self) -> &[u8] {
        self.chunk.get(self.at..).unwrap_or_default()
    }

    /// Sees to it that there are bytes; `false` at the end.
    async fn fill(&mut self, cx: &mut ExecContext) -> Result<bool, Stop> {
        if self.rest().is_empty() {
            self.chunk = cx.read_chunk(&self.stream).await?;
            self.at = 0;
        }
        Ok(!self.rest().is_empty())
    }
}

async fn compare(cx: &mut ExecContext, plan: Plan, a: &mut Side, b: &mut Side) -> Outcome {
    let (mut place, mut line) = (0u64, 1u64);
    let mut differs = false;
    // Places are as wide as the last one can be, where that is known.
    let last = a.len.zip(b.len).map_or(0, |(a, b)| a.min(b)).min(plan.limit);
    let width = last.to_string().len();
    while place < plan.limit {
        let (more_a, more_b) = (a.fill(cx).await?, b.fill(cx).await?);
        if !more_a || !more_b {
            if more_a == more_b {
                break;
            }
            if !plan.quiet {
                let name = if more_a { &b.name } else { &a.name };
                let message = match (place, plan.list) {
                    (0, _) => format!("EOF on {name} which is empty"),
                    (_, true) => format!("EOF on {name} after byte {place}"),
                    (_, false) => {
                        let whole = if a.ends_line(b) { "" } else { "in " };
                        // A line that has ended is counted, one under way is named.
                        let line = if whole.is_empty() { line - 1 } else { line };
                        format!("EOF on {name} after byte {place}, {whole}line {line}")
                    }
                };
                cx.complain(message).await?;
            }
            return Reply::status(1);
        }
        let left = usize::try_from(plan.limit - place).unwrap_or(usize::MAX);
        let count = a.rest().len().min(b.rest().len()).min(left);
        let (now_a, now_b) = (
            a.rest().get(..count).unwrap_or_default().to_vec(),
            b.rest().get(..count).unwrap_or_default(),
        );
        if now_a == now_b {
            line += memchr::memchr_iter(b'\n', &now_a).count() as u64;
        } else {
            let now_b = now_b.to_vec();
            for (x, y) in now_a.iter().zip(&now_b) {
                place += 1;
                if x != y {
                    differs = true;
                    if plan.quiet {
                        return Reply::status(1);
                    }
                    if !plan.list {
                        let text = difference(plan, a, b, (place, line), (*x, *y));
                        cx.write(text.as_bytes()).await?;
                        return Reply::status(1);
                    }
                    let text = list_line(plan, (place, width), *x, *y);
                    cx.write(text.as_bytes()).await?;
                }
                line += u64::from(*x == b'\n');
            }
            place -= count as u64;
        }
        place += count as u64;
        a.at += count;
        b.at += count;
        cx.checkpoint(u32::try_from(count / 16).unwrap_or(u32::MAX)).await?;
    }
    Reply::success(!differs)
}

impl Side {
    /// Whether the last byte that both had ended a line.
    fn ends_line(&self, other: &Self) -> bool {
        let side = if self.at > 0 { self } else { other };
        side.at.checked_sub(1).and_then(|at| side.chunk.get(at)) == Some(&b'\n')
    }
}

fn difference(
    plan: Plan,
    a: &Side,
    b: &Side,
    (place, line): (u64, u64),
    (x, y): (u8, u8),
) -> String {
    let mut text = format!("{} {} differ: byte {place}, line {line}", a.name, b.name);
    if plan.bytes {
        text.push_str(&format!(" is {x:3o} {} {y:3o} {}", show(x), show(y)));
    }
    text.push('\n');
    text
}

fn list_line(plan: Plan, (place, width): (u64, usize), x: u8, y: u8) -> String {
    if plan.bytes {
        format!("{place:>width$} {x:3o} {:<4} {y:3o} {}\n", show(x), show(y))
    } else {
        format!("{place:>width$} {x:3o} {y:3o}\n")
    }
}

/// A byte as `cat -v` shows it, newlines and tabs too.
fn show(byte: u8) -> String {
    let (lead, low) = if byte >= 128 { ("M-", byte - 128) } else { ("", byte) };
    match low {
        0..32 => format!("{lead}^{}", char::from(low + 64)),
        127 => format!("{lead}^?"),
        low => format!("{lead}{}", char::from(low)),
    }
}
