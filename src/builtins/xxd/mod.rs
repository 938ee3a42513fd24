//! `xxd`: bytes as hexadecimal, and back.

mod dump;
mod revert;

use futures::future::{FutureExt, LocalBoxFuture};

use self::dump::{Dumper, Style};
use super::input::operands_or_stdin;
use crate::tool::{
    Args, Binding, Builtin, Example, ExecContext, Opt, Outcome, Reply, Run, Spec, Stop, Topic,
    parse_args,
};
use crate::value::Value;

/// `xxd`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "xxd",
    about: "print bytes as hexadecimal, or turn that back into bytes",
    topic: Topic::Text,
    operands: "[FILE [OUTPUT]]",
    // Long names may stand behind one dash: the words are bound here.
    binding: Binding::Verbatim,
    options: &[
        Opt::flag('p', "postscript", "only digits, in long lines"),
        Opt::flag('\0', "plain", "the same; every long name may have one dash too"),
        Opt::flag('\0', "ps", "the same"),
        Opt::flag('r', "revert", "from hexadecimal to bytes"),
        Opt::flag('i', "include", "as an array of C"),
        Opt::flag('b', "bits", "as bits"),
        Opt::flag('e', "", "groups with the last byte first"),
        Opt::flag('u', "", "capital letters"),
        Opt::flag('a', "autoskip", "lines of zeros as *"),
        Opt::flag('d', "", "places in decimal"),
        Opt::value('c', "cols", "N", "bytes of a line: 16, with -i 12, with -p 30, with -b 6"),
        Opt::value('g', "groupsize", "N", "bytes of a group: 2, with -b 1, with -e 4; 0 for none"),
        Opt::value('l', "len", "N", "at most N bytes"),
        Opt::value('s', "seek", "N", "from byte N; -N from the end"),
        Opt::value('o', "", "N", "add N to the places shown"),
        Opt::value('n', "name", "NAME", "the name of the array of -i"),
        Opt::flag('C', "capitalize", "with -i: the name in capitals"),
        Opt::flag('E', "EBCDIC", "accepted"),
    ],
    examples: &[
        Example {
            script: "printf 'Hi!\\n' | xxd",
            output: "00000000: 4869 210a                                Hi!.\n",
        },
        Example { script: "echo 4869 | xxd -r -p", output: "Hi" },
    ],
    ..Spec::DEFAULT
};

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let args = &bind(cx, args)?;
        let name = operands_or_stdin(args).into_iter().next().unwrap_or_else(|| "-".into());
        let plain = args.has("postscript") || args.has("plain") || args.has("ps");
        let dumper = dumper(cx, args, plain, &name)?;
        let Some(stream) = cx.open_input(&name).await? else { return Reply::status(2) };
        let output = args.operand(1).filter(|name| name != "-");
        let result = match &output {
            None => convert(cx, args, plain, dumper, &stream).await,
            Some(output) => {
                // The output goes to a file through a context of its own.
                let path = cx.resolve(output);
                let opened = cx.backend().clone().open(&path, crate::vfs::OpenOptions::WRITE).await;
                let file = match opened {
                    Ok(file) => file,
                    Err(error) => {
                        return Err(cx.fail(3, format_args!("{output}: {}", error.errno())));
                    }
                };
                let mut fds = cx.streams.fds.clone();
                let open = crate::io::OpenFile::new(file.clone(), false);
                fds.set(1, crate::io::Stream::File(std::rc::Rc::new(open)));
                let mut inner = cx.with_streams(fds);
                let result = convert(&mut inner, args, plain, dumper, &stream).await;
                inner.flush().await?;
                file.close().await?;
                result
            }
        };
        result?;
        Reply::status(0)
    }
    .boxed_local()
}

/// Binds words among which `-plain` means `--plain`.
fn bind(cx: &mut ExecContext, args: &Args) -> Result<Args, Stop> {
    let words: Vec<Value> = args
        .operands
        .iter()
        .map(|word| match word.as_str().and_then(|text| text.strip_prefix('-')) {
            Some(name)
                if name.len() > 1 && SPEC.options.iter().any(|option| option.long == name) =>
            {
                Value::from(format!("--{name}"))
            }
            _ => word.clone(),
        })
        .collect();
    let spec = Spec { binding: Binding::Anywhere, negatives: false, ..SPEC };
    let bound = parse_args(&spec, &words).map_err(|error| cx.misuse(2, error))?;
    match bound.operands.get(2) {
        Some(extra) => {
            let extra = extra.to_text_lossy();
            Err(cx.misuse(1, format_args!("extra operand '{extra}'")))
        }
        None => Ok(bound),
    }
}

async fn convert(
    cx: &mut ExecContext,
    args: &Args,
    plain: bool,
    mut dumper: Dumper,
    stream: &crate::io::Stream,
) -> Result<(), Stop> {
    if args.has("revert") {
        let offset = args.text("seek").and_then(|text| number(&text)).unwrap_or(0);
        return revert::run(cx, stream, plain, offset).await;
    }
    dumper.run(cx, stream).await
}

fn dumper(cx: &mut ExecContext, args: &Args, plain: bool, name: &str) -> Result<Dumper, Stop> {
    let style = match args.last_of(&["postscript", "plain", "ps", "include", "bits", "e"]) {
        Some("include") => Style::Include,
        Some("bits") => Style::Bits,
        Some("e") => Style::Little,
        Some(_) if plain => Style::Plain,
        _ => Style::Hex,
    };
    let mut value = |key: &str, default: i64| match args.text(key) {
        None => Ok(default),
        Some(text) => match number(&text) {
            Some(value) => Ok(value),
            None => Err(cx.misuse(1, format_args!("invalid number '{text}'"))),
        },
    };
    let (columns, group) = match style {
        Style::Hex => (16, 2),
        Style::Little => (16, 4),
        Style::Bits => (6, 1),
        Style::Plain => (30, 0),
        Style::Include => (12, 1),
    };
    let columns = value("cols", columns)?;
    let group = value("groupsize", group)?;
    let seek = value("seek", 0)?;
    let length = value("len", i64::MAX)?;
    let shift = value("o", 0)?;
    // 256 bytes a line is the most the tool allows; only plain lines may be endless.
    let most = if style == Style::Plain { 0..=65_536 } else { 1..=256 };
    if !most.contains(&columns) {
        let message = "invalid number of columns (max. 256).";
        return Err(cx.fail(1, message));
    }
    let group = if group <= 0 { columns.max(1) } else { group.min(columns.max(1)) };
    if style == Style::Little && !matches!(group, 1 | 2 | 4 | 8 | 16) {
        return Err(cx.fail(1, "number of octets per group must be a power of 2 with -e."));
    }
    let size = |number: i64| usize::try_from(number).unwrap_or(0);
    Ok(Dumper {
        style,
        columns: size(columns),
        group: size(group),
        upper: args.has("u"),
        skips_zeros: args.has("autoskip"),
        decimal: args.has("d"),
        seek,
        length: u64::try_from(length).unwrap_or(0),
        shift,
        array: match (args.text("name"), name) {
            (Some(name), _) => Some(name.to_string()),
            (None, "-") => None,
            (None, name) => Some(name.to_owned()),
        }
        .map(|name| if args.has("capitalize") { name.to_uppercase() } else { name }),
        capitals: args.has("capitalize"),
    })
}

/// Decimal, `0x` hexadecimal or `0` octal, with a sign.
fn number(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let value = if let Some(hex) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        i64::from_str_radix(hex, 16).ok()?
    } else if digits.len() > 1 && digits.starts_with('0') {
        i64::from_str_radix(digits, 8).ok()?
    } else {
        digits.parse().ok()?
    };
    Some(if negative { -value } else { value })
}
