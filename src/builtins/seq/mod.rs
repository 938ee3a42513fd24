//! `seq`: numbers from one to another, exact in decimal.

mod decimal;

use futures::future::{FutureExt, LocalBoxFuture};

use self::decimal::Decimal;
use super::common::quoted;
use crate::tool::{
    Args, Builtin, Completes, Example, ExecContext, Issue, OK, Opt, Outcome, Run, Spec, Stop, Topic,
};
use crate::value::{Conversion, Value, flag};

/// `seq`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "seq",
    about: "print numbers",
    topic: Topic::Text,
    operands: "[FIRST [STEP]] LAST",
    arity: (1, 3),
    completes: Completes::Nothing,
    options: &[
        Opt::value('f', "format", "FORMAT", "one of printf's: %g, %f, %e with flags and width"),
        Opt::value('s', "separator", "TEXT", "between numbers, instead of a newline"),
        Opt::flag('w', "equal-width", "fill up with zeros to the same width"),
    ],
    negatives: true,
    check: Some(check),
    notes: "FIRST and STEP are 1 where left out. --json: a list of the numbers as text.",
    examples: &[
        Example { script: "seq 8 10", output: "8\n9\n10\n" },
        Example { script: "seq -s, -w 0 0.5 1", output: "0.0,0.5,1.0\n" },
    ],
    ..Spec::DEFAULT
};

/// E004: a step that gets nowhere.
fn check(args: &Args) -> Option<Issue> {
    let [_, Value::Text(step), _] = args.operands.as_slice() else { return None };
    let zero = step.parse::<f64>().is_ok_and(|step| step == 0.0);
    zero.then(|| {
        Issue::new("E004", "the step is 0, so the end is never reached")
            .with_fix("a step of 1 or -1, or another that gets to the end")
            .at(step)
    })
}

/// Bytes written at once.
const CHUNK: usize = 8 * 1024;

/// How numbers are written.
enum Style {
    /// With so many digits after the point, filled up with zeros to a width.
    Plain { precision: usize, width: usize },
    /// By a format: what stands before and after, and the conversion.
    Format { before: String, after: String, conversion: Conversion },
}

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let mut numbers = Vec::new();
        for word in args.operand_texts() {
            match Decimal::parse(&word) {
                Some(number) => numbers.push(number),
                None => {
                    let word = quoted(&word);
                    let message = format!("invalid floating point argument: {word}");
                    return Err(cx.misuse(1, message));
                }
            }
        }
        let one = Decimal { digits: 1, scale: 0 };
        let (first, step, last) = match *numbers.as_slice() {
            [last] => (one, one, last),
            [first, last] => (first, one, last),
            [first, step, last, ..] => (first, step, last),
            [] => (one, one, one),
        };
        if step.digits == 0 {
            return Err(cx.misuse(1, "invalid Zero increment value: '0'"));
        }
        let style = style(cx, args, [first, step, last])?;
        let separator = args.text("separator").unwrap_or_else(|| "\n".into());
        // All three with the same number of decimals are whole numbers.
        let scale = first.scale.max(step.scale).max(last.scale);
        let scaled = [first, step, last].map(|number| number.scaled(scale));
        let [Some(first), Some(step), Some(last)] = scaled else {
            return Err(cx.fail(1, "numbers are too large"));
        };
        let range = Range { first, step, last, scale };
        print(cx, &range, &style, &separator).await
    }
    .boxed_local()
}

/// Whole numbers that stand for decimals with `scale` digits after the point.
struct Range {
    first: i128,
    step: i128,
    last: i128,
    scale: u32,
}

impl Range {
    fn contains(&self, number: i128) -> bool {
        if self.step > 0 { number <= self.last } else { number >= self.last }
    }
}

async fn print(cx: &mut ExecContext, range: &Range, style: &Style, separator: &str) -> Outcome {
    let mut number = range.first;
    let mut text = Vec::with_capacity(CHUNK + 64);
    while range.contains(number) {
        if number != range.first {
            text.extend_from_slice(separator.as_bytes());
        }
        style.push(&mut text, Decimal { digits: number, scale: range.scale });
        if text.len() >= CHUNK {
            cx.write(&text).await?;
            text.clear();
        }
        match number.checked_add(range.step) {
            Some(next) => number = next,
            None => break,
        }
    }
    if range.contains(range.first) {
        text.push(b'\n');
    }
    cx.write(&text).await?;
    OK
}

fn style(cx: &mut ExecContext, args: &Args, numbers: [Decimal; 3]) -> Result<Style, Stop> {
    let [first, step, last] = numbers;
    if let Some(format) = args.text("format") {
        if args.has("equal-width") {
            let message = "format string may not be specified when printing equal width strings";
            return Err(cx.misuse(1, message));
        }
        return parse_format(&format)
            .map_err(|reason| cx.fail(1, format_args!("format {} {reason}", quoted(&format))));
    }
    let precision = first.scale.max(step.scale) as usize;
    let width = if args.has("equal-width") {
        [first, last].into_iter().map(|number| number.width(precision)).max().unwrap_or(0)
    } else {
        0
    };
    Ok(Style::Plain { precision, width })
}

fn parse_format(format: &str) -> Result<Style, String> {
    let (before, spec) = split_literal(format);
    let Some(spec) = spec else { return Err("has no % directive".into()) };
    let count = spec.bytes().take_while(|byte| flag(*byte).is_some()).count();
    let (flags, letters) = spec.split_at_checked(count).unwrap_or(("", spec));
    let flags = flags.bytes().filter_map(flag).fold(0, |all, one| all | one);
    let (width, letters) = split_digits(letters);
    let (precision, letters) = match letters.strip_prefix('.') {
        Some(rest) => {
            let (digits, rest) = split_digits(rest);
            (Some(digits.parse().unwrap_or(0).min(1000)), rest)
        }
        None => (None, letters),
    };
    let mut chars = letters.chars();
    let letter = match chars.next() {
        Some(letter @ ('e' | 'E' | 'f' | 'F' | 'g' | 'G')) => letter as u8,
        Some(other) => return Err(format!("has unknown %{other} directive")),
        None => return Err("ends in %".into()),
    };
    let (after, more) = split_literal(chars.as_str());
    if more.is_some() {
        return Err("has too many % directives".into());
    }
    let width = width.parse().unwrap_or(0).min(4096);
    let conversion = Conversion { flags, width, precision, letter };
    Ok(Style::Format { before, after, conversion })
}

/// Text up to a conversion, `%%` taken as `%`; and what follows its `%`.
fn split_literal(format: &str) -> (String, Option<&str>) {
    let mut text = String::new();
    let mut rest = format;
    while let Some((before, after)) = rest.split_once('%') {
        text.push_str(before);
        let Some(tail) = after.strip_prefix('%') else { return (text, Some(after)) };
        text.push('%');
        rest = tail;
    }
    text.push_str(rest);
    (text, None)
}

fn split_digits(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or((text, ""))
}

impl Style {
    fn push(&self, out: &mut Vec<u8>, number: Decimal) {
        match self {
            Self::Plain { precision, width } => number.push(out, *precision, *width),
            Self::Format { before, after, conversion } => {
                out.extend_from_slice(before.as_bytes());
                conversion.float(out, number.to_f64());
                out.extend_from_slice(after.as_bytes());
            }
        }
    }
}
