//! `xargs`: runs a command with words from standard input as its arguments.

mod input;
mod run;

use futures::future::{FutureExt, LocalBoxFuture};

use self::input::{Items, Split};
use self::run::{Plan, Runner};
use super::common::quoted;
use crate::tool::{
    Args, Binding, Builtin, Completes, Example, ExecContext, Opt, Outcome, Reply, Run, Spec, Stop,
    Topic,
};
use crate::value::{EcoString, Value};

/// `xargs`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "xargs",
    about: "run a command with words from standard input as arguments",
    topic: Topic::Shell,
    operands: "[COMMAND [ARG]...]",
    completes: Completes::Commands,
    options: &[
        Opt::flag('0', "null", "words end with NUL; quotes and backslashes are ordinary"),
        Opt::value('a', "arg-file", "FILE", "words from FILE, not standard input"),
        Opt::value('d', "delimiter", "CHAR", "words end with CHAR; quotes are ordinary"),
        Opt::value('E', "", "WORD", "stop at this word"),
        Opt::optional('e', "eof", "WORD", "the same"),
        Opt::value('I', "", "TEXT", "one run a line, which replaces TEXT in the ARGs"),
        Opt::optional('i', "replace", "TEXT", "the same; TEXT is {} where left out"),
        Opt::value('L', "max-lines", "N", "the words of at most N lines a run"),
        Opt::optional('l', "", "N", "the same; N is 1 where left out"),
        Opt::value('n', "max-args", "N", "at most N words a run"),
        Opt::value('P', "max-procs", "N", "up to N runs at a time; 0 for as many as there are"),
        Opt::flag('p', "interactive", "ask before each run"),
        Opt::flag('r', "no-run-if-empty", "no run at all without words"),
        Opt::value('s', "max-chars", "N", "at most N bytes of command line a run"),
        Opt::flag('t', "verbose", "print each command on standard error"),
        Opt::flag('x', "exit", "end where -s can't be kept"),
        Opt::flag('o', "open-tty", "accepted"),
        Opt::value('\0', "process-slot-var", "NAME", "accepted"),
    ],
    binding: Binding::Leading,
    notes: "COMMAND is echo where left out. Words are separated by blanks and newlines; quotes and \
        backslashes protect them.\nStatus: 123 where a run failed, 124 where one ended with 255, \
        126 and 127 where COMMAND can't be run.",
    examples: &[
        Example { script: "printf 'a b\\nc\\n' | xargs -n 2 echo run", output: "run a b\nrun c\n" },
        Example { script: "printf 'a b\\nc\\n' | xargs -I{} echo '<{}>'", output: "<a b>\n<c>\n" },
    ],
    ..Spec::DEFAULT
};

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let split = split(cx, args)?;
        let plan = plan(cx, args, split)?;
        let from_file = args.text("arg-file").filter(|name| name != "-");
        let stream = match &from_file {
            None => cx.stdin(),
            Some(name) => {
                let path = cx.resolve(name);
                match cx.backend().clone().open_read(&path).await {
                    Ok(stream) => stream,
                    Err(error) => {
                        let (name, errno) = (quoted(name), error.errno());
                        let message = format!("Cannot open input file {name}: {errno}");
                        return Err(cx.fail(1, message));
                    }
                }
            }
        };
        let eof = if args.has("e") { args.text("eof") } else { args.text("E") };
        let mut items = Items::new(stream, split, eof.filter(|word| !word.is_empty()));
        let mut runner = Runner::new(plan, from_file.is_some());
        runner.run(cx, &mut items).await?;
        Reply::status(runner.finish(cx).await?)
    }
    .boxed_local()
}

fn split(cx: &mut ExecContext, args: &Args) -> Result<Split, Stop> {
    match args.last_of(&["null", "delimiter"]) {
        Some("null") => return Ok(Split::Delimiter(0)),
        Some(_) => {
            let text = args.text("delimiter").unwrap_or_default();
            return match delimiter(&text) {
                Some(byte) => Ok(Split::Delimiter(byte)),
                None => {
                    let message = format!(
                        "Invalid input delimiter specification {text}: the delimiter must be \
                         either a single character or an escape sequence starting with \\."
                    );
                    Err(cx.misuse(1, message))
                }
            };
        }
        None => {}
    }
    let replaces = matches!(mode(args), Some("I" | "replace"));
    Ok(if replaces { Split::Lines } else { Split::Blanks })
}

/// The last one of -I, -L and -n, which exclude each other; `-n 1` goes with -I.
fn mode(args: &Args) -> Option<&'static str> {
    let last = args.last_of(&["I", "replace", "max-lines", "l", "max-args"])?;
    if last == "max-args" && args.text("max-args").is_some_and(|count| count == "1") {
        return args.last_of(&["I", "replace", "max-lines", "l", "max-args"].map(|key| {
            if key == "max-args" && (args.has("I") || args.has("replace")) { "" } else { key }
        }));
    }
    Some(last)
}

/// A single byte, or an escape for one.
fn delimiter(text: &str) -> Option<u8> {
    let Some(escape) = text.strip_prefix('\\').filter(|escape| !escape.is_empty()) else {
        return <[u8; 1]>::try_from(text.as_bytes()).ok().map(|[byte]| byte);
    };
    match escape {
        "a" => Some(7),
        "b" => Some(8),
        "f" => Some(12),
        "n" => Some(b'\n'),
        "r" => Some(b'\r'),
        "t" => Some(b'\t'),
        "v" => Some(11),
        "\\" => Some(b'\\'),
        _ => match escape.strip_prefix('x') {
            Some(hex) => u8::from_str_radix(hex, 16).ok(),
            None => u8::from_str_radix(escape, 8).ok(),
        },
    }
}

fn plan(cx: &mut ExecContext, args: &Args, split: Split) -> Result<Plan, Stop> {
    let last = mode(args);
    let replace = match last {
        Some("I") => args.text("I"),
        Some("replace") => Some(args.text("replace").unwrap_or_else(|| "{}".into())),
        _ => None,
    };
    let max_lines = match last {
        Some("max-lines") => count(cx, args, "max-lines", 'L', 1)?,
        Some("l") => Some(count(cx, args, "l", 'l', 1)?.unwrap_or(1)),
        _ => None,
    };
    let max_args = match last {
        Some("max-args") => count(cx, args, "max-args", 'n', 1)?,
        _ => None,
    };
    let mut words = args.operands.clone();
    if words.is_empty() {
        words.push(Value::from("echo"));
    }
    Ok(Plan {
        words,
        max_args: if split == Split::Lines || replace.is_some() { Some(1) } else { max_args },
        max_lines,
        max_bytes: count(cx, args, "max-chars", 's', 1)?.unwrap_or(128 * 1024),
        at_once: count(cx, args, "max-procs", 'P', 0)?.unwrap_or(1),
        replace,
        skip_empty: args.has("no-run-if-empty"),
        verbose: args.has("verbose") || args.has("interactive"),
        asks: args.has("interactive"),
        strict: args.has("exit"),
    })
}

fn count(
    cx: &mut ExecContext,
    args: &Args,
    key: &str,
    letter: char,
    least: usize,
) -> Result<Option<usize>, Stop> {
    let Some(text): Option<EcoString> = args.text(key) else { return Ok(None) };
    match text.parse::<usize>() {
        Ok(number) if number >= least => Ok(Some(number)),
        Ok(number) => {
            let message = format!("value {number} for -{letter} option should be >= {least}");
            Err(cx.misuse(1, message))
        }
        Err(_) => Err(cx.misuse(1, format_args!("invalid number \"{text}\" for -{letter} option"))),
    }
}
