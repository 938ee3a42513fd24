//! `printf`: a format applied to arguments, again and again until they are used up.

mod escapes;
mod numbers;
mod quote;

use super::common::strftime;
use crate::host::Timestamp;
use crate::tool::{
    Args, Binding, Builtin, Completes, Example, ExecContext, Outcome, Reply, Run, Spec, Stop, Topic,
};
use crate::value::{Conversion, Value, flag};

/// `printf`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Now(run) };

const SPEC: Spec = Spec {
    name: "printf",
    about: "print arguments by a format",
    topic: Topic::Text,
    operands: "[-v NAME] FORMAT [ARGUMENT]...",
    binding: Binding::Raw,
    completes: Completes::Nothing,
    notes: "Conversions: %s %b (escapes in the argument) %q (quoted for the shell) %c %d %i %u %o %x %X\n\
            %e %f %g %a and their capitals, %%,\n\
            %(FORMAT)T (a time as date prints it, of seconds). Widths and precisions may be * and count characters.\n\
            The format is used again while arguments are left; missing ones are empty or 0.\n\
            -v NAME assigns the result to a variable instead of printing it.",
    examples: &[
        Example { script: "printf '%s is %03d\\n' a 7 b 12", output: "a is 007\nb is 012\n" },
        Example { script: "printf '%q\\n' 'a b'", output: "a\\ b\n" },
    ],
    ..Spec::DEFAULT
};

const USAGE: &[u8] = b"printf: usage: printf [-v var] format [arguments]\n";

fn run(cx: &mut ExecContext, args: &Args) -> Outcome {
    let mut words = args.operands.as_slice();
    let mut variable = None;
    while let Some((first, rest)) = words.split_first() {
        let text = first.to_text_lossy();
        let Some(option) = text.strip_prefix('-').filter(|option| !option.is_empty()) else {
            break;
        };
        if option == "-" {
            words = rest;
            break;
        }
        let Some(attached) = option.strip_prefix('v') else {
            return Err(misuse(cx, &format!("-{}: invalid option", first_letter(option))));
        };
        words = rest;
        if !attached.is_empty() {
            variable = Some(attached.into());
        } else if let Some((name, rest)) = rest.split_first() {
            variable = Some(name.to_text_lossy());
            words = rest;
        } else {
            return Err(misuse(cx, "-v: option requires an argument"));
        }
    }
    if let Some(name) = variable.as_ref().filter(|name| !is_name(name)) {
        return Err(cx.fail(2, format_args!("`{name}': not a valid identifier")));
    }
    let Some((format, arguments)) = words.split_first() else {
        return Err(misuse(cx, ""));
    };
    let mut printer = Printer { cx, arguments: arguments.iter(), out: Vec::new(), status: 0 };
    if variable.is_none() {
        printer.out = std::mem::take(&mut printer.cx.streams.out);
    }
    let result = printer.print_all(&format.to_bytes());
    let Printer { out, status, .. } = printer;
    match variable {
        None => cx.streams.out = out,
        Some(name) => {
            let assigned = cx.session.scope.borrow_mut().set(&name, Value::from_bytes(out));
            assigned.map_err(|error| cx.fail(1, error))?;
        }
    }
    result?;
    Reply::status(status)
}

fn first_letter(option: &str) -> char {
    option.chars().next().unwrap_or('-')
}

fn misuse(cx: &mut ExecContext, message: &str) -> Stop {
    if !message.is_empty() {
        cx.warn(message);
    }
    cx.streams.err.extend_from_slice(USAGE);
    Stop::Failed(2)
}

fn is_name(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && name.chars().all(|c| c == '_' || !(c.is_ascii_punctuation() || c.is_whitespace()))
}

/// One run of `printf`: the arguments left, the output so far, the status so far.
struct Printer<'a> {
    cx: &'a mut ExecContext,
    arguments: std::slice::Iter<'a, Value>,
    out: Vec<u8>,
    status: u8,
}

/// Whether printing goes on.
#[derive(PartialEq)]
enum Flow {
    Go,
    /// `\c` ended all output.
    End,
}

impl Printer<'_> {
    fn print_all(&mut self, format: &[u8]) -> Result<(), Stop> {
        let limit = self.cx.services.limits.value_bytes;
        loop {
            let before = self.arguments.len();
            if self.print_once(format)? == Flow::End {
                return Ok(());
            }
            let left = self.arguments.len();
            if left == 0 || left == before {
                return Ok(());
            }
            if self.out.len() > limit {
                return Err(self.cx.fail(1, format_args!("more output than {limit} bytes")));
            }
        }
    }

    fn print_once(&mut self, format: &[u8]) -> Result<Flow, Stop> {
        let mut rest = format;
        while let Some((&byte, after)) = rest.split_first() {
            match byte {
                b'%' if after.first() == Some(&b'%') => {
                    self.out.push(b'%');
                    rest = after.get(1..).unwrap_or_default();
                }
                b'%' => {
                    let (conversion, tail) = self.read_conversion(after)?;
                    if conversion.letter == b'(' {
                        rest = self.time(conversion, tail)?;
                        continue;
                    }
                    if self.convert(conversion)? == Flow::End {
                        return Ok(Flow::End);
                    }
                    rest = tail;
                }
                b'\\' => {
                    let used = escapes::push(&mut self.out, after, escapes::Place::Format);
                    rest = after.get(used..).unwrap_or_default();
                }
                _ => {
                    let plain = memchr::memchr2(b'%', b'\\', rest).unwrap_or(rest.len());
                    let (text, tail) = rest.split_at_checked(plain).unwrap_or((rest, &[]));
                    self.out.extend_from_slice(text);
                    rest = tail;
                }
            }
        }
        Ok(Flow::Go)
    }

    /// Reads a specification after its `%`; `*` takes its value from the arguments.
    fn read_conversion<'f>(&mut self, format: &'f [u8]) -> Result<(Conversion, &'f [u8]), Stop> {
        let mut conversion = Conversion::default();
        let mut rest = format;
        while let Some(bit) = rest.first().and_then(|byte| flag(*byte)) {
            conversion.flags |= bit;
            rest = rest.get(1..).unwrap_or_default();
        }
        if let Some(tail) = rest.strip_prefix(b"*") {
            let width = self.next_integer();
            conversion.set_width(width);
            rest = tail;
        } else {
            (conversion.width, rest) = read_count(rest);
        }
        if let Some(tail) = rest.strip_prefix(b".") {
            if let Some(tail) = tail.strip_prefix(b"*") {
                conversion.precision = usize::try_from(self.next_integer()).ok();
                rest = tail;
            } else {
                let (precision, tail) = read_count(tail);
                conversion.precision = Some(precision);
                rest = tail;
            }
        }
        while let Some((b'h' | b'l' | b'L' | b'j' | b'z' | b't', tail)) = rest.split_first() {
            rest = tail;
        }
        let Some((&letter, tail)) = rest.split_first() else {
            let spec = String::from_utf8_lossy(format).into_owned();
            return Err(self.stop(format_args!("`%{spec}': missing format character")));
        };
        if !b"diouxXeEfFgGaAsbqQc(".contains(&letter) {
            let character = char::from(letter);
            return Err(self.stop(format_args!("`{character}': invalid format character")));
        }
        if conversion.is_too_wide() {
            return Err(self.stop("field width or precision is over the limit of 1048576"));
        }
        conversion.letter = letter;
        Ok((conversion, tail))
    }

    fn stop(&mut self, message: impl std::fmt::Display) -> Stop {
        self.cx.fail(1, message)
    }

    fn convert(&mut self, conversion: Conversion) -> Result<Flow, Stop> {
        match conversion.letter {
            b'd' | b'i' => {
                let value = self.next_integer();
                conversion.signed(&mut self.out, value);
            }
            b'o' | b'u' | b'x' | b'X' => {
                let value = self.next_unsigned();
                conversion.unsigned(&mut self.out, value);
            }
            b'c' => {
                let text = self.next_bytes();
                let first = crate::value::first_chars(&text, 1);
                conversion.text(&mut self.out, if first.is_empty() { b"\0" } else { first });
            }
            b's' => match self.arguments.next() {
                Some(Value::Text(text)) => conversion.text(&mut self.out, text.as_bytes()),
                other => {
                    let text = other.map(Value::to_bytes).unwrap_or_default();
                    conversion.text(&mut self.out, &text);
                }
            },
            b'b' => {
                let (text, ended) = escapes::expand(&self.next_bytes());
                conversion.text(&mut self.out, &text);
                if ended {
                    return Ok(Flow::End);
                }
            }
            b'q' | b'Q' => self.quote(conversion),
            _ => {
                let value = self.next_float();
                conversion.float(&mut self.out, value);
            }
        }
        Ok(Flow::Go)
    }

    /// `%(…)T`: a point in time by a format of `date`, behind its opening parenthesis.
    fn time<'f>(&mut self, conversion: Conversion, rest: &'f [u8]) -> Result<&'f [u8], Stop> {
        let end = memchr::memmem::find(rest, b")T");
        let Some((format, tail)) = end.and_then(|end| rest.split_at_checked(end)) else {
            return Err(self.stop("`(': invalid format character"));
        };
        // Without a number, or with -1 or -2: the present time.
        let seconds = if self.arguments.len() == 0 { -1 } else { self.next_integer() };
        let time = match seconds {
            -2 | -1 => self.cx.services.host.now(),
            seconds => Timestamp { seconds, nanos: 0 },
        };
        let format = String::from_utf8_lossy(format);
        let format = if format.is_empty() { "%H:%M:%S" } else { &*format };
        conversion.text(&mut self.out, strftime(format, time).as_bytes());
        Ok(tail.get(2..).unwrap_or_default())
    }

    fn quote(&mut self, mut conversion: Conversion) {
        let mut text = self.next_bytes();
        if conversion.letter == b'Q'
            && let Some(most) = conversion.precision.take()
        {
            text = crate::value::first_chars(&text, most).to_vec();
        }
        conversion.text(&mut self.out, &quote::shell_quoted(&text));
    }

    fn next_bytes(&mut self) -> Vec<u8> {
        self.arguments.next().map(Value::to_bytes).unwrap_or_default()
    }

    fn next_integer(&mut self) -> i64 {
        let text = self.next_bytes();
        let number = numbers::read_integer(&text);
        let clamped = number.value.clamp(i128::from(i64::MIN), i128::from(i64::MAX));
        self.report(&text, number.is_whole, number.value == clamped);
        i64::try_from(clamped).unwrap_or(0)
    }

    fn next_unsigned(&mut self) -> u64 {
        let text = self.next_bytes();
        let number = numbers::read_integer(&text);
        let clamped = number.value.clamp(i128::from(i64::MIN), i128::from(u64::MAX));
        self.report(&text, number.is_whole, number.value == clamped);
        #[expect(clippy::cast_sign_loss, reason = "negative numbers wrap, as in C")]
        u64::try_from(clamped).unwrap_or_else(|_| i64::try_from(clamped).unwrap_or(0) as u64)
    }

    fn next_float(&mut self) -> f64 {
        let text = self.next_bytes();
        let (value, is_whole) = numbers::read_float(&text);
        self.report(&text, is_whole, true);
        value
    }

    fn report(&mut self, text: &[u8], is_whole: bool, in_range: bool) {
        let reason = match (is_whole, in_range) {
            (true, true) => return,
            (false, _) => "invalid number",
            (true, false) => "Numerical result out of range",
        };
        self.cx.warn(format_args!("{}: {reason}", String::from_utf8_lossy(text)));
        self.status = 1;
    }
}

fn read_count(bytes: &[u8]) -> (usize, &[u8]) {
    let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (text, rest) = bytes.split_at_checked(digits).unwrap_or((bytes, &[]));
    let count = text.iter().fold(0usize, |count, digit| {
        count.saturating_mul(10).saturating_add(usize::from(digit - b'0'))
    });
    (count, rest)
}
