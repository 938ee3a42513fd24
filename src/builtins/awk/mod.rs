//! `awk`: a program run over the records of files.
//!
//! The text becomes tokens ([`lex`]), the tokens operations for a stack machine, in one pass
//! ([`parse`], [`expr`], [`compile`], [`code`]). The machine ([`vm`], [`files`], [`builtin`]) never
//! waits: it says what it needs, and its driver ([`drive`]) reads, writes, runs commands and yields.
//! Fields are found when one is asked for ([`record`]).

mod builtin;
mod code;
mod compile;
mod drive;
mod expr;
mod files;
mod format;
mod lex;
mod parse;
mod record;
mod value;
mod vm;

use futures::future::{FutureExt, LocalBoxFuture};

use super::input;
use crate::tool::{
    Args, Binding, Builtin, Example, ExecContext, Opt, Outcome, Run, Spec, Stop, Topic,
};
use crate::value::Value;

/// `awk`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "awk",
    about: "run a program over lines and their fields",
    topic: Topic::Text,
    operands: "[PROGRAM] [FILE | NAME=VALUE]...",
    options: &[
        Opt::value('F', "field-separator", "FS", "what separates fields"),
        Opt::value('v', "assign", "NAME=VALUE", "assign a variable before the program starts"),
        Opt::value('f', "file", "FILE", "read the program from FILE"),
        Opt::value('e', "source", "PROGRAM", "a part of the program"),
        Opt::flag('b', "characters-as-bytes", "ignored"),
        Opt::flag('c', "traditional", "ignored"),
        Opt::flag('n', "non-decimal-data", "ignored"),
        Opt::flag('O', "optimize", "ignored"),
        Opt::flag('P', "posix", "ignored"),
        Opt::flag('r', "re-interval", "ignored"),
        Opt::flag('S', "sandbox", "ignored"),
    ],
    binding: Binding::Leading,
    notes: "The language is that of POSIX with the common functions of gawk: gensub, strftime, asort,\n\
            length of an array, switch, and others. Text is compared by bytes.",
    examples: &[
        Example { script: "printf 'a 1\\nb 2\\n' | awk '{s += $2} END {print s}'", output: "3\n" },
        Example { script: "awk -F: -v n=2 '{print $n}' <<< a:b:c", output: "b\n" },
    ],
    ..Spec::DEFAULT
};

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let (program, operands) = source(cx, args).await?;
        let program = match parse::parse(&program, &vm::GLOBALS) {
            Ok(program) => program,
            Err((message, 0)) => return Err(cx.fail(2, message)),
            Err((message, line)) => return Err(cx.fail(1, format_args!("line {line}: {message}"))),
        };
        drive::run(cx, args, program, operands).await
    }
    .boxed_local()
}

/// The text of the program, and the operands after it.
async fn source<'a>(cx: &mut ExecContext, args: &'a Args) -> Result<(Vec<u8>, &'a [Value]), Stop> {
    let mut text = Vec::new();
    let mut given = false;
    for (key, value) in args.given() {
        let Some(value) = value else { continue };
        if key == "source" {
            text.extend_from_slice(&value.to_bytes());
        } else if key == "file" {
            let name = value.to_text_lossy();
            match input::open(cx, &name).await {
                Ok(stream) => text.extend_from_slice(&cx.read_all(&stream).await?),
                Err(errno) => {
                    let what =
                        format_args!("cannot open source file '{name}' for reading: {errno}");
                    return Err(cx.fail(2, what));
                }
            }
        } else {
            continue;
        }
        text.push(b'\n');
        given = true;
    }
    if given {
        return Ok((text, &args.operands));
    }
    match args.operands.split_first() {
        Some((program, operands)) => Ok((program.to_bytes(), operands)),
        None => Err(cx.fail(1, "no program text: awk 'PROGRAM' [FILE]...")),
    }
}
