//! `od` and `hexdump`: bytes as numbers and characters.

mod formats;
mod hexdump;
mod types;

use futures::future::{FutureExt, LocalBoxFuture};

use self::formats::{Dump, Radix};
use self::types::{Kind, parse_types};
use super::common::quoted;
use super::input::operands_or_stdin;
use super::size::parse_size;
use crate::tool::{
    Args, Builtin, Example, ExecContext, Opt, Outcome, Reply, Run, Spec, Stop, Topic,
};

pub(super) use self::hexdump::HEXDUMP;

/// `od`
pub(super) const OD: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "od",
    about: "print bytes as octal numbers and in other forms",
    topic: Topic::Text,
    operands: "[FILE]...",
    options: &[
        Opt::value('A', "address-radix", "RADIX", "places in d decimal, o octal, x hex, n none"),
        Opt::value(
            't',
            "format",
            "TYPE",
            "a, c, d[1248], f[48], o[1248], u[1248], x[1248]; z text",
        ),
        Opt::value('j', "skip-bytes", "N", "leave out the first N bytes"),
        Opt::value('N', "read-bytes", "N", "at most N bytes"),
        Opt::optional('w', "width", "N", "bytes of a line: 16, or 32 where N is left out"),
        Opt::flag('v', "output-duplicates", "repeated lines too, not *"),
        Opt::flag('a', "", "names of characters, the same as -t a"),
        Opt::flag('b', "", "octal bytes, the same as -t o1"),
        Opt::flag('c', "", "characters, the same as -t c"),
        Opt::flag('d', "", "decimal, the same as -t u2"),
        Opt::flag('D', "", "the same as -t u4"),
        Opt::flag('e', "", "the same as -t f8"),
        Opt::flag('f', "", "the same as -t f4"),
        Opt::flag('F', "", "the same as -t f8"),
        Opt::flag('h', "", "the same as -t x2"),
        Opt::flag('i', "", "the same as -t d4"),
        Opt::flag('l', "", "the same as -t d8"),
        Opt::flag('o', "", "octal, the same as -t o2, which is the default"),
        Opt::flag('s', "", "the same as -t d2"),
        Opt::flag('x', "", "hexadecimal, the same as -t x2"),
        Opt::flag('X', "", "the same as -t x4"),
    ],
    examples: &[
        Example { script: "printf 'a\\n' | od -c", output: "0000000   a  \\n\n0000002\n" },
        Example { script: "printf AB | od -An -tx1", output: " 41 42\n" },
    ],
    ..Spec::DEFAULT
};

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let mut dump = dump(cx, args)?;
        let mut ok = true;
        for name in operands_or_stdin(args) {
            match cx.open_input(&name).await? {
                Some(stream) => dump.feed(cx, &stream).await?,
                None => ok = false,
            }
        }
        if dump.skip > 0 {
            return Err(cx.fail(1, "cannot skip past end of combined input"));
        }
        dump.finish(cx).await?;
        Reply::success(ok)
    }
    .boxed_local()
}

fn dump(cx: &mut ExecContext, args: &Args) -> Result<Dump, Stop> {
    let mut kinds: Vec<Kind> = Vec::new();
    for (key, value) in args.given() {
        let text = match key {
            "a" => "a",
            "b" => "o1",
            "c" => "c",
            "d" => "u2",
            "D" => "u4",
            "f" => "f4",
            "e" | "F" => "f8",
            "h" | "x" => "x2",
            "i" => "d4",
            "l" => "d8",
            "o" => "o2",
            "s" => "d2",
            "X" => "x4",
            "format" => &value.map(|value| value.to_text_lossy()).unwrap_or_default(),
            _ => continue,
        };
        let parsed = parse_types(text).map_err(|message| cx.fail(1, message))?;
        kinds.extend(parsed);
    }
    if kinds.is_empty() {
        kinds.extend(parse_types("o2").unwrap_or_default());
    }
    let radix = match args.text("address-radix").as_deref() {
        None | Some("o") => Radix::Octal,
        Some("d") => Radix::Decimal,
        Some("x") => Radix::Hex,
        Some("n") => Radix::None,
        Some(other) => {
            let message = format!(
                "invalid output address radix '{}'; it must be one character from [doxn]",
                other.chars().next().unwrap_or(' ')
            );
            return Err(cx.fail(1, message));
        }
    };
    let mut size = |key: &str, letter: char| match args.text(key) {
        None => Ok(None),
        Some(text) => match offset(&text) {
            Some(size) => Ok(Some(size)),
            None => Err(cx.fail(1, format_args!("invalid -{letter} argument {}", quoted(&text)))),
        },
    };
    let skip = size("skip-bytes", 'j')?.unwrap_or(0);
    let limit = size("read-bytes", 'N')?.unwrap_or(u64::MAX);
    let unit = kinds.iter().map(|kind| kind.size).fold(1, lcm);
    let wanted = match (args.has("width"), args.text("width")) {
        (false, _) => 16,
        (true, None) => 32,
        (true, Some(text)) => match parse_size(&text).and_then(|n| usize::try_from(n).ok()) {
            Some(width) if width > 0 && width <= 65_536 => width,
            _ => return Err(cx.fail(1, format_args!("invalid -w argument {}", quoted(&text)))),
        },
    };
    let width = if wanted % unit == 0 {
        wanted
    } else {
        cx.warn(format_args!("warning: invalid width {wanted}; using {unit} instead"));
        unit
    };
    Ok(Dump::new(kinds, radix, width, (skip, limit), args.has("output-duplicates")))
}

/// A count, in hexadecimal with `0x`, in octal with `0`.
fn offset(text: &str) -> Option<u64> {
    if let Some(hex) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        return u64::from_str_radix(hex, 16).ok();
    }
    if text.len() > 1 && text.starts_with('0') && text.bytes().all(|b| b.is_ascii_digit()) {
        return u64::from_str_radix(text, 8).ok();
    }
    text.as_bytes().first().filter(|byte| byte.is_ascii_digit())?;
    parse_size(text)
}

fn lcm(a: usize, b: usize) -> usize {
    let (mut x, mut y) = (a, b);
    while y > 0 {
        (x, y) = (y, x % y);
    }
    a / x.max(1) * b
}
