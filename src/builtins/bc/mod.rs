//! `bc`: a calculator of decimal numbers with as many digits as asked for, and its small language.
//!
//! The text becomes tokens (`lex`), these become operations, a line at a time (`compile`, `code`), and
//! a machine runs them (`vm`) on exact numbers (`number`, `big`); `-l` brings functions (`math`).

mod big;
mod code;
mod compile;
mod lex;
mod math;
mod number;
mod vm;

use futures::future::{FutureExt, LocalBoxFuture};

use self::compile::{Compiler, Names, Unit};
use self::vm::Vm;
use crate::tool::{
    Args, Builtin, Example, ExecContext, OK, Opt, Outcome, Reply, Run, Spec, Stop, Topic,
};

/// `bc`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "bc",
    about: "calculate with exact decimal numbers",
    topic: Topic::System,
    operands: "[FILE]...",
    options: &[
        Opt::flag('l', "mathlib", "scale 20 and the functions s c a l e j"),
        Opt::flag('q', "quiet", "ignored"),
        Opt::flag('i', "interactive", "ignored"),
        Opt::flag('s', "standard", "ignored"),
        Opt::flag('w', "warn", "ignored"),
    ],
    notes: "Reads the FILEs, then standard input. scale is how many digits a quotient has; ibase and\n\
            obase are the bases of numbers read and printed. Statements: if while for break continue\n\
            return print halt quit, and define f(x) { … }. sqrt(x), length(x), scale(x).",
    examples: &[
        Example { script: "echo '2^100' | bc", output: "1267650600228229401496703205376\n" },
        Example { script: "echo 'scale=3; 10/3' | bc", output: "3.333\n" },
    ],
    ..Spec::DEFAULT
};

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let mut vm = Vm::new();
        if args.has("mathlib") {
            vm.scale = 20;
            vm.has_math = true;
        }
        let width = cx.session.scope.borrow().get("BC_LINE_LENGTH").map(|v| v.to_text_lossy());
        if let Some(width) = width.and_then(|width| width.parse().ok()) {
            vm.width = width;
        }
        let mut names = Names::default();
        for operand in args.operand_texts() {
            match super::input::open(cx, &operand).await {
                Ok(stream) => {
                    let text = cx.read_all(&stream).await?;
                    if !program(cx, &mut vm, &mut names, (&operand, &text)).await? {
                        return OK;
                    }
                }
                Err(_) => {
                    let line = format!("File {operand} is unavailable.\n");
                    cx.streams.err.extend_from_slice(line.as_bytes());
                    return Reply::status(1);
                }
            }
        }
        let stdin = cx.stdin();
        let text = cx.read_all(&stdin).await?;
        program(cx, &mut vm, &mut names, ("(standard_in)", &text)).await?;
        OK
    }
    .boxed_local()
}

/// Runs a text; `false` where it ends the whole.
async fn program(
    cx: &mut ExecContext,
    vm: &mut Vm,
    names: &mut Names,
    (name, text): (&str, &[u8]),
) -> Result<bool, Stop> {
    let text = String::from_utf8_lossy(text);
    let mut compiler = Compiler::new(&text);
    loop {
        match compiler.unit(names) {
            Unit::End => return Ok(true),
            Unit::Define(number, function) => vm.define(number, function),
            Unit::Code(code) => {
                if !vm.run(cx, names, code).await? {
                    return Ok(false);
                }
            }
            Unit::Quit => return Ok(false),
            Unit::Error(line) => {
                let line = format!("{name} {line}: syntax error\n");
                cx.streams.err.extend_from_slice(line.as_bytes());
                cx.flush().await?;
            }
        }
    }
}
