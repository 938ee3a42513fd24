//! `strings`: the runs of printable characters in any file.

use futures::future::{FutureExt, LocalBoxFuture};

use super::input::operands_or_stdin;
use crate::io::Stream;
use crate::tool::{
    Args, Builtin, Example, ExecContext, Opt, Outcome, Reply, Run, Spec, Stop, Topic,
};
use crate::value::EcoString;

/// `strings`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "strings",
    about: "print the printable text in files",
    topic: Topic::Text,
    operands: "[FILE]...",
    options: &[
        Opt::value('n', "bytes", "N", "runs of at least N characters (4)"),
        Opt::value('t', "radix", "RADIX", "before each where it begins: o, d or x"),
        Opt::flag('o', "", "the same as -t o"),
        Opt::flag('f', "print-file-name", "before each the name of the file"),
        Opt::flag('w', "include-all-whitespace", "line ends and the like are printable too"),
        Opt::value('s', "output-separator", "TEXT", "what ends each (a newline)"),
        Opt::flag('a', "all", "ignored: all of a file is always read"),
    ],
    digits: "bytes",
    examples: &[Example { script: "printf 'ab\\0hello\\1' | strings", output: "hello\n" }],
    ..Spec::DEFAULT
};

struct Options {
    least: usize,
    radix: Option<char>,
    shows_name: bool,
    takes_blanks: bool,
    separator: EcoString,
}

impl Options {
    fn new(cx: &mut ExecContext, args: &Args) -> Result<Self, Stop> {
        let least = args.text("bytes").unwrap_or_else(|| "4".into());
        let Ok(least) = least.parse::<usize>() else {
            return Err(cx.fail(1, format_args!("invalid integer argument {least}")));
        };
        if least == 0 {
            return Err(cx.fail(1, "invalid minimum string length 0"));
        }
        let radix = match args.text("radix").as_deref() {
            None => args.has("o").then_some('o'),
            Some("o") => Some('o'),
            Some("d") => Some('d'),
            Some("x") => Some('x'),
            Some(other) => return Err(cx.misuse(1, format_args!("invalid radix '{other}'"))),
        };
        Ok(Self {
            least,
            radix,
            shows_name: args.has("print-file-name"),
            takes_blanks: args.has("include-all-whitespace"),
            separator: args.text("output-separator").unwrap_or_else(|| "\n".into()),
        })
    }

    fn is_text(&self, byte: u8) -> bool {
        matches!(byte, b' '..=b'~' | b'\t') || (self.takes_blanks && matches!(byte, 9..=13))
    }

    fn head(&self, name: &str, at: usize) -> String {
        let place = match self.radix {
            None => String::new(),
            Some('o') => format!("{at:7o} "),
            Some('d') => format!("{at:7} "),
            Some(_) => format!("{at:7x} "),
        };
        let name = if name == "-" { "{standard input}" } else { name };
        if self.shows_name { format!("{name}: {place}") } else { place }
    }
}

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let options = Options::new(cx, args)?;
        let mut status = 0;
        for operand in operands_or_stdin(args) {
            match super::input::open(cx, &operand).await {
                Ok(stream) => scan(cx, &options, &operand, stream).await?,
                Err(crate::io::Errno::NotFound) => {
                    cx.complain(format_args!("'{operand}': No such file")).await?;
                    status = 1;
                }
                Err(errno) => {
                    cx.complain(format_args!("{operand}: {errno}")).await?;
                    status = 1;
                }
            }
        }
        Reply::status(status)
    }
    .boxed_local()
}

async fn scan(
    cx: &mut ExecContext,
    options: &Options,
    name: &str,
    stream: Stream,
) -> Result<(), Stop> {
    // The run being read, which is printed as it grows once it is long enough.
    let mut pending = Vec::new();
    let (mut is_open, mut at) = (false, 0);
    loop {
        let chunk = cx.read_chunk(&stream).await?;
        for byte in &chunk {
            if options.is_text(*byte) {
                pending.push(*byte);
                if !is_open && pending.len() == options.least {
                    is_open = true;
                    cx.push(options.head(name, at + 1 - options.least));
                }
                if is_open {
                    cx.streams.out.append(&mut pending);
                }
            } else {
                if is_open {
                    cx.push(options.separator.as_str());
                }
                is_open = false;
                pending.clear();
            }
            at += 1;
        }
        cx.write(b"").await?;
        if chunk.is_empty() {
            break;
        }
    }
    if is_open {
        cx.push(options.separator.as_str());
    }
    Ok(())
}
