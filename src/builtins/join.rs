//! `join`: lines of two sorted files that have a field in common.

use std::cmp::Ordering;
use std::ops::Range;

use futures::future::{FutureExt, LocalBoxFuture};

use super::input::{self, Lines, chomp};
use crate::io::Stream;
use crate::tool::{
    Args, Builtin, Example, ExecContext, OK, Opt, Outcome, Reply, Run, Spec, Stop, Topic,
};
use crate::value::{EcoString, Value};

/// `join`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "join",
    about: "join lines of two sorted files on a common field",
    topic: Topic::Text,
    operands: "FILE1 FILE2",
    arity: (2, 2),
    options: &[
        Opt::value('1', "", "FIELD", "the field of FILE1 to join on (1)"),
        Opt::value('2', "", "FIELD", "the field of FILE2 to join on (1)"),
        Opt::value('j', "", "FIELD", "the field of both"),
        Opt::value('t', "", "CHAR", "what separates fields (runs of blanks)"),
        Opt::value('o', "", "FORMAT", "fields to print: 0, 1.N, 2.N, or auto"),
        Opt::value('a', "", "FILENUM", "also lines of file 1 or 2 without a partner"),
        Opt::value('v', "", "FILENUM", "only those"),
        Opt::value('e', "", "TEXT", "what stands for missing fields"),
        Opt::flag('i', "ignore-case", "ignore case"),
        Opt::flag('\0', "header", "the first line of each file is a heading"),
        Opt::flag('\0', "check-order", "fail at the first line out of order"),
        Opt::flag('\0', "nocheck-order", "do not look at the order"),
        Opt::flag('z', "zero-terminated", "lines end with NUL"),
    ],
    examples: &[Example {
        script: "printf '1 a\\n2 b\\n' > x; printf '1 c\\n3 d\\n' > y; join x y",
        output: "1 a c\n",
    }],
    ..Spec::DEFAULT
};

/// A field to print: of a file (0 or 1) by its index, or what was joined on.
#[derive(Clone, Copy)]
enum Field {
    Key,
    Of(usize, usize),
}

/// Whether the order of lines is looked at.
#[derive(Clone, Copy, PartialEq)]
enum Order {
    /// Only where some line has no partner.
    Unpaired,
    Always,
    Never,
}

struct Options {
    /// The index of the field to join on, for each file.
    keys: [usize; 2],
    separator: Option<Vec<u8>>,
    format: Option<Vec<Field>>,
    auto: bool,
    /// Whether lines without a partner are printed, for each file.
    unpaired: [bool; 2],
    paired: bool,
    empty: EcoString,
    ignore_case: bool,
    order: Order,
    end: u8,
}

/// A line and where its fields are.
#[derive(Clone, Default)]
struct Row {
    line: Vec<u8>,
    fields: Vec<Range<usize>>,
}

impl Row {
    fn new(line: &[u8], separator: Option<&[u8]>) -> Self {
        let mut fields = Vec::new();
        match separator {
            // The whole line is one field.
            Some([]) => fields.push(0..line.len()),
            Some(separator) => {
                let mut start = 0;
                for at in memchr::memmem::find_iter(line, separator) {
                    fields.push(start..at);
                    start = at + separator.len();
                }
                fields.push(start..line.len());
            }
            None => {
                let blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n');
                let mut at = 0;
                while let Some(rest) = line.get(at..) {
                    let start = at + rest.iter().take_while(|byte| blank(byte)).count();
                    let length =
                        rest.iter().skip(start - at).take_while(|byte| !blank(byte)).count();
                    if length == 0 {
                        break;
                    }
                    fields.push(start..start + length);
                    at = start + length;
                }
            }
        }
        Self { line: line.to_vec(), fields }
    }

    fn field(&self, index: usize) -> &[u8] {
        let range = self.fields.get(index).cloned().unwrap_or(0..0);
        self.line.get(range).unwrap_or_default()
    }
}

/// One of the two files.
struct Side {
    lines: Lines,
    name: EcoString,
    key: usize,
    /// The line that comes next.
    next: Option<Row>,
    number: u64,
    disordered: bool,
}

impl Side {
    fn new(stream: Stream, name: EcoString, key: usize, end: u8) -> Self {
        let lines = Lines::new(stream, end);
        Self { lines, name, key, next: None, number: 0, disordered: false }
    }

    /// Moves on; answers the line that was next.
    async fn advance(
        &mut self,
        cx: &mut ExecContext,
        options: &Options,
        seen_unpaired: bool,
    ) -> Result<Option<Row>, Stop> {
        let mut row = None;
        if self.lines.is_ready() || self.lines.fill(cx).await? {
            let line = self.lines.next().unwrap_or_default();
            row = Some(Row::new(chomp(line, options.end), options.separator.as_deref()));
        }
        self.number += 1;
        let before = std::mem::replace(&mut self.next, row);
        if let (Some(before), Some(next)) = (&before, &self.next) {
            let falls = options.compare(before.field(self.key), next.field(self.key)).is_gt();
            let is_told = options.order == Order::Always
                || (options.order == Order::Unpaired && seen_unpaired && !self.disordered);
            if falls && is_told {
                self.disordered = true;
                let line = String::from_utf8_lossy(&next.line);
                let place = format!("{}:{}: is not sorted: {line}", self.name, self.number);
                if options.order == Order::Always {
                    return Err(cx.fail(1, place));
                }
                cx.complain(place).await?;
            }
        }
        Ok(before)
    }
}

impl Options {
    fn new(cx: &mut ExecContext, args: &Args) -> Result<Self, Stop> {
        let mut keys = [None; 2];
        for (name, which) in [("j", &[0, 1][..]), ("1", &[0]), ("2", &[1])] {
            let Some(text) = args.text(name) else { continue };
            let Some(field) = text.parse::<usize>().ok().filter(|field| *field > 0) else {
                return Err(cx.fail(1, format_args!("invalid field number: '{text}'")));
            };
            for index in which {
                if let Some(slot) = keys.get_mut(*index) {
                    *slot = Some(field - 1);
                }
            }
        }
        let mut unpaired = [false; 2];
        for value in args.values("a").chain(args.values("v")) {
            match value.to_text_lossy().as_str() {
                "1" => unpaired[0] = true,
                "2" => unpaired[1] = true,
                other => return Err(cx.fail(1, format_args!("invalid file number: '{other}'"))),
            }
        }
        let separator = match args.text("t").as_deref() {
            None => None,
            Some("\\0") => Some(vec![0]),
            Some(text) if text.chars().count() > 1 => {
                return Err(cx.fail(1, format_args!("multi-character tab '{text}'")));
            }
            Some(text) => Some(text.as_bytes().to_vec()),
        };
        let auto = args.text("o").as_deref() == Some("auto");
        Ok(Self {
            keys: keys.map(|key| key.unwrap_or(0)),
            separator,
            format: if auto { None } else { format(cx, args)? },
            auto,
            unpaired,
            paired: !args.has("v"),
            empty: args.text("e").unwrap_or_default(),
            ignore_case: args.has("ignore-case"),
            order: match args.last_of(&["check-order", "nocheck-order"]) {
                Some("check-order") => Order::Always,
                Some(_) => Order::Never,
                None => Order::Unpaired,
            },
            end: input::delimiter(args),
        })
    }

    fn compare(&self, a: &[u8], b: &[u8]) -> Ordering {
        if self.ignore_case {
            return a.to_ascii_lowercase().cmp(&b.to_ascii_lowercase());
        }
        a.cmp(b)
    }

    /// Prints what was made of a pair, or of one line without a partner.
    fn put(&self, out: &mut Vec<u8>, rows: [Option<&Row>; 2]) {
        let separator = self.separator.as_deref().unwrap_or(b" ");
        let key = || {
            let mut sides = rows.iter().zip(self.keys);
            let found = sides.find_map(|(row, key)| row.map(|row| row.field(key)));
            found.unwrap_or_default()
        };
        let field = |text: &[u8], out: &mut Vec<u8>| {
            let is_empty = text.is_empty();
            out.extend_from_slice(if is_empty { self.empty.as_bytes() } else { text });
        };
        if let Some(format) = &self.format {
            for (index, wanted) in format.iter().enumerate() {
                if index > 0 {
                    out.extend_from_slice(separator);
                }
                match wanted {
                    Field::Key => field(key(), out),
                    Field::Of(side, index) => {
                        let row = rows.get(*side).copied().flatten();
                        field(row.map(|row| row.field(*index)).unwrap_or_default(), out);
                    }
                }
            }
        } else {
            field(key(), out);
            for (row, key) in rows.iter().zip(self.keys) {
                let Some(row) = row else { continue };
                for index in (0..row.fields.len()).filter(|index| *index != key) {
                    out.extend_from_slice(separator);
                    field(row.field(index), out);
                }
            }
        }
        out.push(self.end);
    }

    /// Makes the format of `-o auto` of the first line of each file.
    fn settle_auto(&mut self, sides: [&Side; 2]) {
        if !self.auto {
            return;
        }
        let mut format = vec![Field::Key];
        for (number, side) in sides.iter().enumerate() {
            let count = side.next.as_ref().map_or(0, |row| row.fields.len());
            let others = (0..count).filter(|index| *index != side.key);
            format.extend(others.map(|index| Field::Of(number, index)));
        }
        self.format = Some(format);
    }
}

fn format(cx: &mut ExecContext, args: &Args) -> Result<Option<Vec<Field>>, Stop> {
    let mut fields = Vec::new();
    for text in args.values("o").map(Value::to_text_lossy) {
        for word in text.split([',', ' ', '\t']).filter(|word| !word.is_empty()) {
            if word == "0" {
                fields.push(Field::Key);
                continue;
            }
            let parsed = word.split_once('.').and_then(|(file, field)| {
                let file: usize = file.parse().ok().filter(|file| (1..=2).contains(file))?;
                Some(Field::Of(file - 1, field.parse::<usize>().ok()?.checked_sub(1)?))
            });
            match parsed {
                Some(field) => fields.push(field),
                None => return Err(cx.fail(1, format_args!("invalid field specifier: '{word}'"))),
            }
        }
    }
    Ok((!fields.is_empty()).then_some(fields))
}

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let mut options = Options::new(cx, args)?;
        let mut sides = Vec::new();
        if args.operand_texts().iter().all(|operand| operand == "-") {
            return Err(cx.fail(1, "both files cannot be standard input"));
        }
        for (operand, key) in args.operand_texts().into_iter().zip(options.keys) {
            let Some(stream) = cx.open_input(&operand).await? else { return Reply::status(1) };
            sides.push(Side::new(stream, operand, key, options.end));
        }
        let (Some(mut right), Some(mut left)) = (sides.pop(), sides.pop()) else { return OK };
        left.advance(cx, &options, false).await?;
        right.advance(cx, &options, false).await?;
        options.settle_auto([&left, &right]);
        if args.has("header") && (left.next.is_some() || right.next.is_some()) {
            options.put(&mut cx.streams.out, [left.next.as_ref(), right.next.as_ref()]);
            // A heading need not be in order with what follows.
            let order = std::mem::replace(&mut options.order, Order::Never);
            left.advance(cx, &options, false).await?;
            right.advance(cx, &options, false).await?;
            options.order = order;
        }
        merge(cx, &options, &mut left, &mut right).await?;
        if left.disordered || right.disordered {
            return Err(cx.fail(1, "input is not in sorted order"));
        }
        OK
    }
    .boxed_local()
}

async fn merge(
    cx: &mut ExecContext,
    options: &Options,
    left: &mut Side,
    right: &mut Side,
) -> Result<(), Stop> {
    let mut seen = false;
    loop {
        cx.write(b"").await?;
        let order = match (&left.next, &right.next) {
            (None, None) => return Ok(()),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(a), Some(b)) => options.compare(a.field(left.key), b.field(right.key)),
        };
        seen |= order.is_ne();
        match order {
            Ordering::Less => {
                let row = left.advance(cx, options, seen).await?;
                if options.unpaired[0] {
                    options.put(&mut cx.streams.out, [row.as_ref(), None]);
                }
            }
            Ordering::Greater => {
                let row = right.advance(cx, options, seen).await?;
                if options.unpaired[1] {
                    options.put(&mut cx.streams.out, [None, row.as_ref()]);
                }
            }
            Ordering::Equal => {
                let lefts = group(cx, options, left, seen).await?;
                let rights = group(cx, options, right, seen).await?;
                for a in lefts.iter().filter(|_| options.paired) {
                    for b in &rights {
                        options.put(&mut cx.streams.out, [Some(a), Some(b)]);
                    }
                    cx.write(b"").await?;
                }
            }
        }
    }
}

/// All the lines from here that have the same key.
async fn group(
    cx: &mut ExecContext,
    options: &Options,
    side: &mut Side,
    seen: bool,
) -> Result<Vec<Row>, Stop> {
    let mut rows: Vec<Row> = Vec::new();
    while let Some(next) = &side.next {
        if let Some(first) = rows.first()
            && options.compare(first.field(side.key), next.field(side.key)).is_ne()
        {
            break;
        }
        rows.extend(side.advance(cx, options, seen).await?);
    }
    Ok(rows)
}
