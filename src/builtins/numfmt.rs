//! `numfmt`: numbers to and from what people read, such as 1.5K and 3Gi.

use futures::future::{FutureExt, LocalBoxFuture};

use super::input::{self, Lines, chomp};
use crate::tool::{
    Args, Builtin, Example, ExecContext, Opt, Outcome, Reply, Run, Spec, Stop, Topic,
};
use crate::value::{Conversion, EcoString, FLAG_LEFT, FLAG_ZERO, flag};

/// `numfmt`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "numfmt",
    about: "convert numbers to and from forms such as 1.5K",
    topic: Topic::Text,
    operands: "[NUMBER]...",
    negatives: true,
    options: &[
        Opt::value('\0', "from", "UNIT", "what numbers are in: none, auto, si, iec, iec-i"),
        Opt::value('\0', "to", "UNIT", "what to make of them: none, si, iec, iec-i"),
        Opt::value('\0', "from-unit", "N", "multiply the input by N"),
        Opt::value('\0', "to-unit", "N", "divide the output by N"),
        Opt::value('\0', "round", "HOW", "up, down, from-zero, towards-zero, nearest"),
        Opt::value('\0', "format", "FORMAT", "a printf format with %f: %8.1f"),
        Opt::value('\0', "suffix", "TEXT", "put after numbers, and expected there"),
        Opt::value('\0', "padding", "N", "pad to N columns; left-aligned below 0"),
        Opt::value('\0', "field", "LIST", "convert these fields (1)"),
        Opt::value('d', "delimiter", "CHAR", "what separates fields (blanks)"),
        Opt::optional('\0', "header", "N", "pass over the first N lines (1)"),
        Opt::value('\0', "invalid", "MODE", "at bad numbers: abort, fail, warn, ignore"),
        Opt::flag('\0', "grouping", "ignored: this locale has no groups"),
        Opt::flag('z', "zero-terminated", "lines end with NUL"),
    ],
    examples: &[
        Example { script: "numfmt --to=iec 2048", output: "2.0K\n" },
        Example { script: "numfmt --from=si 3M", output: "3000000\n" },
    ],
    ..Spec::DEFAULT
};

/// The letters of powers.
const LETTERS: &[u8] = b"KMGTPEZY";

#[derive(Clone, Copy, PartialEq)]
enum Unit {
    None,
    Auto,
    Si,
    Iec,
    IecI,
}

impl Unit {
    fn base(self) -> f64 {
        if matches!(self, Self::Iec | Self::IecI) { 1024.0 } else { 1000.0 }
    }
}

#[derive(Clone, Copy)]
enum Round {
    Up,
    Down,
    FromZero,
    TowardsZero,
    Nearest,
}

impl Round {
    fn apply(self, number: f64) -> f64 {
        match self {
            Self::Up => number.ceil(),
            Self::Down => number.floor(),
            Self::FromZero if number < 0.0 => number.floor(),
            Self::FromZero => number.ceil(),
            Self::TowardsZero => number.trunc(),
            Self::Nearest => number.round(),
        }
    }
}

/// What happens at a number that is none.
#[derive(Clone, Copy, PartialEq)]
enum Invalid {
    Abort,
    Fail,
    Warn,
    Ignore,
}

/// `--format` taken apart.
struct Format {
    before: String,
    conversion: Conversion,
    after: String,
}

struct Options {
    from: Unit,
    to: Unit,
    from_unit: f64,
    to_unit: f64,
    round: Round,
    invalid: Invalid,
    format: Option<Format>,
    suffix: EcoString,
    padding: i64,
    fields: Vec<(usize, usize)>,
    delimiter: Option<EcoString>,
    end: u8,
}

fn unit(cx: &mut ExecContext, args: &Args, key: &str) -> Result<Unit, Stop> {
    Ok(match args.text(key).as_deref() {
        None | Some("none") => Unit::None,
        Some("auto") if key == "from" => Unit::Auto,
        Some("si") => Unit::Si,
        Some("iec") => Unit::Iec,
        Some("iec-i") => Unit::IecI,
        Some(other) => {
            return Err(cx.misuse(1, format_args!("invalid argument '{other}' for '--{key}'")));
        }
    })
}

fn scale(cx: &mut ExecContext, args: &Args, key: &str) -> Result<f64, Stop> {
    let Some(text) = args.text(key) else { return Ok(1.0) };
    // A letter alone is one of it.
    let counted = if text.starts_with(|c: char| c.is_ascii_digit()) {
        text.to_string()
    } else {
        format!("1{text}")
    };
    let number = match parse_number(&counted, Unit::Auto) {
        Ok((number, _, "")) if number > 0.0 => Some(number),
        _ => None,
    };
    number.ok_or_else(|| cx.fail(1, format_args!("invalid unit size: '{text}'")))
}

impl Options {
    fn new(cx: &mut ExecContext, args: &Args) -> Result<Self, Stop> {
        let round = match args.text("round").as_deref() {
            None | Some("from-zero") => Round::FromZero,
            Some("up") => Round::Up,
            Some("down") => Round::Down,
            Some("towards-zero") => Round::TowardsZero,
            Some("nearest") => Round::Nearest,
            Some(other) => {
                return Err(cx.misuse(1, format_args!("invalid argument '{other}' for '--round'")));
            }
        };
        let invalid = match args.text("invalid").as_deref() {
            None | Some("abort") => Invalid::Abort,
            Some("fail") => Invalid::Fail,
            Some("warn") => Invalid::Warn,
            Some("ignore") => Invalid::Ignore,
            Some(other) => {
                let message = format!("invalid argument '{other}' for '--invalid'");
                return Err(cx.misuse(1, message));
            }
        };
        let padding = match args.text("padding") {
            None => 0,
            Some(text) => match text.parse::<i64>() {
                Ok(padding) if padding != 0 && padding.abs() < 100_000 => padding,
                _ => return Err(cx.fail(1, format_args!("invalid padding value '{text}'"))),
            },
        };
        Ok(Self {
            from: unit(cx, args, "from")?,
            to: unit(cx, args, "to")?,
            from_unit: scale(cx, args, "from-unit")?,
            to_unit: scale(cx, args, "to-unit")?,
            round,
            invalid,
            format: format(cx, args)?,
            suffix: args.text("suffix").unwrap_or_default(),
            padding,
            fields: fields(cx, args)?,
            delimiter: args.text("delimiter"),
            end: input::delimiter(args),
        })
    }

    fn takes(&self, field: usize) -> bool {
        self.fields.iter().any(|(first, last)| (*first..=*last).contains(&field))
    }
}

fn format(cx: &mut ExecContext, args: &Args) -> Result<Option<Format>, Stop> {
    let Some(text) = args.text("format") else { return Ok(None) };
    let parsed = || {
        let (before, mut rest) = text.split_once('%')?;
        let mut conversion = Conversion::plain(b'f');
        while let Some(flag) = rest.bytes().next().and_then(flag) {
            conversion.flags |= flag;
            rest = rest.get(1..)?;
        }
        let number = |text: &str| {
            let digits = text.bytes().take_while(u8::is_ascii_digit).count();
            text.split_at_checked(digits).map(|(digits, rest)| (digits.parse().ok(), rest.len()))
        };
        let (width, left) = number(rest)?;
        conversion.set_width(width.unwrap_or(0));
        rest = rest.get(rest.len() - left..)?;
        if let Some(precision) = rest.strip_prefix('.') {
            let (precision, left) = number(precision)?;
            conversion.precision = Some(usize::try_from(precision.unwrap_or(0)).ok()?);
            rest = rest.get(rest.len() - left..)?;
        }
        let after = rest.strip_prefix('f')?;
        let is_fine = !conversion.is_too_wide() && !after.replace("%%", "").contains('%');
        is_fine.then(|| Format { before: before.to_owned(), conversion, after: after.to_owned() })
    };
    match parsed() {
        Some(format) => Ok(Some(format)),
        None if text.contains('%') => {
            let message =
                format!("invalid format '{text}', directive must be %[0]['][-][N][.][N]f");
            Err(cx.fail(1, message))
        }
        None => Err(cx.fail(1, format_args!("format '{text}' has no % directive"))),
    }
}

fn fields(cx: &mut ExecContext, args: &Args) -> Result<Vec<(usize, usize)>, Stop> {
    let Some(list) = args.text("field") else { return Ok(vec![(1, 1)]) };
    let mut ranges = Vec::new();
    for part in list.split([',', ' ']) {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let bound = |text: &str, open: usize| {
            if text.is_empty() { Some(open) } else { text.parse().ok().filter(|n| *n > 0) }
        };
        match (bound(first, 1), bound(last, usize::MAX)) {
            (Some(first), Some(last)) if !part.is_empty() => ranges.push((first, last)),
            _ => return Err(cx.misuse(1, format_args!("invalid field value '{part}'"))),
        }
    }
    Ok(ranges)
}

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let options = Options::new(cx, args)?;
        let mut failed = false;
        for operand in args.operand_texts() {
            failed |= !line(cx, &options, operand.as_bytes())?;
        }
        if !args.operands.is_empty() {
            return Reply::status(if failed { 2 } else { 0 });
        }
        let mut headings = match (args.has("header"), args.text("header")) {
            (false, _) => 0,
            (true, None) => 1,
            (true, Some(text)) => match text.parse::<u64>() {
                Ok(count) if count > 0 => count,
                _ => return Err(cx.fail(1, format_args!("invalid header value '{text}'"))),
            },
        };
        let mut lines = Lines::new(cx.stdin(), options.end);
        while lines.fill(cx).await? {
            while let Some(text) = lines.next() {
                let text = chomp(text, options.end);
                if headings > 0 {
                    headings -= 1;
                    cx.push(text);
                    cx.push([options.end]);
                } else {
                    failed |= !line(cx, &options, text)?;
                }
            }
        }
        Reply::status(if failed { 2 } else { 0 })
    }
    .boxed_local()
}

/// Converts the fields of a line; `false` where one was no number and that counts.
fn line(cx: &mut ExecContext, options: &Options, line: &[u8]) -> Result<bool, Stop> {
    let text = String::from_utf8_lossy(line).into_owned();
    let mut ok = true;
    let mut out = String::new();
    let mut number = 0;
    let mut rest = text.as_str();
    loop {
        number += 1;
        let (lead, field, tail) = split_field(options, rest);
        if options.takes(number) {
            let keeps_width = number > 1 || !lead.is_empty();
            match convert(options, field, (lead, keeps_width)) {
                Ok(converted) => out.push_str(&converted),
                Err(message) => {
                    if options.invalid == Invalid::Abort {
                        return Err(cx.fail(2, message));
                    }
                    if options.invalid != Invalid::Ignore {
                        cx.warn(message);
                    }
                    ok &= options.invalid != Invalid::Fail;
                    out.push_str(lead);
                    out.push_str(field);
                }
            }
        } else {
            out.push_str(lead);
            out.push_str(field);
        }
        let Some(tail) = tail else { break };
        let skip = match &options.delimiter {
            Some(delimiter) => {
                out.push_str(delimiter);
                delimiter.len()
            }
            None => {
                out.push(' ');
                1
            }
        };
        rest = tail.get(skip..).unwrap_or_default();
    }
    cx.push(out);
    cx.push([options.end]);
    Ok(ok)
}

/// Blanks before a field, the field, and the rest from its delimiter on.
fn split_field<'t>(options: &Options, text: &'t str) -> (&'t str, &'t str, Option<&'t str>) {
    if let Some(delimiter) = &options.delimiter {
        return match text.find(delimiter.as_str()).and_then(|at| text.split_at_checked(at)) {
            Some((field, tail)) => ("", field, Some(tail)),
            None => ("", text, None),
        };
    }
    let body = text.trim_start_matches([' ', '\t']);
    let lead = text.strip_suffix(body).unwrap_or("");
    match body.find([' ', '\t']).and_then(|at| body.split_at_checked(at)) {
        Some((field, tail)) => (lead, field, Some(tail)),
        None => (lead, body, None),
    }
}

fn convert(
    options: &Options,
    field: &str,
    (lead, keeps_width): (&str, bool),
) -> Result<String, String> {
    let bare = match options.suffix.as_str() {
        "" => field,
        suffix => field.strip_suffix(suffix).unwrap_or(field),
    };
    let bare = if options.delimiter.is_some() { bare.trim_start() } else { bare };
    let (number, digits, rest) = parse_number(bare, options.from)?;
    if !rest.is_empty() {
        let what =
            if options.from == Unit::None && LETTERS.contains(&rest.bytes().next().unwrap_or(0)) {
                format!("rejecting suffix in input: '{bare}' (consider using --from)")
            } else {
                format!("invalid suffix in input: '{bare}'")
            };
        return Err(what);
    }
    let number = number * options.from_unit / options.to_unit;
    let mut text = shown(options, number, digits);
    text.push_str(&options.suffix);
    Ok(padded(options, &text, lead.chars().count() + field.chars().count(), keeps_width))
}

fn padded(options: &Options, text: &str, before: usize, keeps_width: bool) -> String {
    let (width, is_left) = match &options.format {
        Some(format) if format.conversion.width > 0 => {
            (format.conversion.width, format.conversion.flags & FLAG_LEFT != 0)
        }
        _ if options.padding != 0 => {
            (usize::try_from(options.padding.unsigned_abs()).unwrap_or(0), options.padding < 0)
        }
        // Blanks before a number are kept as its width.
        _ if keeps_width && options.delimiter.is_none() => (before, false),
        _ => (0, false),
    };
    let fill = width.saturating_sub(text.chars().count());
    let zeros = options.format.as_ref().is_some_and(|f| f.conversion.flags & FLAG_ZERO != 0);
    let mut padded = String::new();
    if is_left {
        padded.push_str(text);
        padded.extend(std::iter::repeat_n(' ', fill));
    } else if let Some(digits) = text.strip_prefix('-').filter(|_| zeros) {
        padded.push('-');
        padded.extend(std::iter::repeat_n('0', fill));
        padded.push_str(digits);
    } else {
        padded.extend(std::iter::repeat_n(if zeros { '0' } else { ' ' }, fill));
        padded.push_str(text);
    }
    match &options.format {
        Some(format) => format!("{}{padded}{}", format.before, format.after),
        None => padded,
    }
}

/// Prints with a precision.
fn fixed(number: f64, precision: usize) -> String {
    format!("{number:.precision$}")
}

fn shown(options: &Options, number: f64, digits: usize) -> String {
    let asked = options.format.as_ref().and_then(|format| format.conversion.precision);
    if options.to == Unit::None {
        let precision = asked.unwrap_or(digits);
        let factor = 10f64.powi(i32::try_from(precision).unwrap_or(0));
        return fixed(options.round.apply(number * factor) / factor, precision);
    }
    let base = options.to.base();
    let (mut rest, mut power) = (number, 0);
    while rest.abs() >= base && power < LETTERS.len() {
        rest /= base;
        power += 1;
    }
    let decimals = match asked {
        Some(asked) => asked.min(power * 3),
        None => usize::from(rest.abs() < 10.0 && power > 0),
    };
    let factor = 10f64.powi(i32::try_from(decimals).unwrap_or(0));
    rest = options.round.apply(rest * factor) / factor;
    if rest.abs() >= base && power < LETTERS.len() {
        rest /= base;
        power += 1;
    }
    let precision = match asked {
        Some(asked) => asked,
        None => usize::from(rest != 0.0 && rest.abs() < 10.0 && power > 0),
    };
    let mut text = fixed(rest, precision);
    if let Some(letter) = power.checked_sub(1).and_then(|power| LETTERS.get(power)) {
        text.push(char::from(*letter));
        if options.to == Unit::IecI {
            text.push('i');
        }
    }
    text
}

/// A number, its digits after the point, and what follows.
fn parse_number(text: &str, from: Unit) -> Result<(f64, usize, &str), String> {
    let invalid = || format!("invalid number: '{text}'");
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let end = unsigned.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(unsigned.len());
    let (number, rest) = unsigned.split_at_checked(end).ok_or_else(invalid)?;
    if !number.starts_with(|c: char| c.is_ascii_digit()) && !number.starts_with('.') {
        return Err(invalid());
    }
    let digits = number.split_once('.').map_or(0, |(_, digits)| digits.len());
    if number.ends_with('.') {
        return Err(invalid());
    }
    let value: f64 = number.parse().map_err(|_| invalid())?;
    let value = if unsigned.len() < text.len() { -value } else { value };
    let letter = rest.bytes().next().map(|letter| letter.to_ascii_uppercase());
    let power = letter.and_then(|letter| LETTERS.iter().position(|known| *known == letter));
    let Some(power) =
        power.filter(|power| *power < 1 || rest.as_bytes().first() == letter.as_ref())
    else {
        return Ok((value, digits, rest));
    };
    if from == Unit::None {
        return Ok((value, digits, rest));
    }
    let rest = rest.get(1..).unwrap_or_default();
    let with_i = rest.strip_prefix('i');
    let (base, rest) = match (from, with_i) {
        (Unit::Auto, Some(rest)) => (1024.0, rest),
        (Unit::IecI, Some(rest)) => (1024.0, rest),
        (Unit::IecI, None) => {
            return Err(format!("missing 'i' suffix in input: '{text}' (e.g Ki/Mi/Gi)"));
        }
        (Unit::Iec, _) => (1024.0, rest),
        _ => (1000.0, rest),
    };
    let power = i32::try_from(power + 1).unwrap_or(0);
    Ok((value * f64::powi(base, power), 0, rest))
}
