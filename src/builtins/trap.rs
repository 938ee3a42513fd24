//! `trap`: commands that run at the exit, after a failure, on an interrupt.

use std::rc::Rc;

use super::signal;
use super::variables::single_quoted;
use crate::env::Trap;
use crate::syntax::{Level, Source, parse, render};
use crate::tool::{
    Args, Binding, Builtin, Completes, Example, ExecContext, OK, Opt, Outcome, Reply, Run, Spec,
    Stop, Topic,
};
use crate::value::{EcoString, InOrder};

/// `trap`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Now(run) };

const SPEC: Spec = Spec {
    name: "trap",
    about: "run a command at the exit, after a failure, on an interrupt",
    topic: Topic::Shell,
    operands: "[COMMAND | -] [EXIT | ERR | INT]...",
    completes: Completes::Nothing,
    binding: Binding::Leading,
    options: &[
        Opt::flag('l', "", "list signals"),
        Opt::flag('p', "", "list traps, or those of the conditions"),
    ],
    notes: "- in place of COMMAND takes a trap back, '' ignores the condition. COMMAND is parsed at\n\
            once, and runs in the shell that meets the condition.",
    examples: &[Example { script: "trap 'echo bye' EXIT; echo hi", output: "hi\nbye\n" }],
    ..Spec::DEFAULT
};

fn run(cx: &mut ExecContext, args: &Args) -> Outcome {
    let words = args.operand_texts();
    if args.has("l") {
        cx.push(signal::table());
        return OK;
    }
    if args.has("p") || words.is_empty() {
        return list(cx, &words);
    }
    let (action, conditions) = match words.split_first() {
        // A condition alone, or a number first, takes traps back.
        Some((first, [])) if condition(first).is_ok() => ("-", words.as_slice()),
        Some((first, rest)) if first.parse::<u32>().is_err() => (first.as_str(), rest),
        _ => ("-", words.as_slice()),
    };
    if conditions.is_empty() {
        return Err(cx.fail(2, "which condition? trap COMMAND EXIT|ERR|INT"));
    }
    let trap = if action == "-" { None } else { Some(parsed(cx, action)?) };
    let mut status = 0;
    for word in conditions {
        match condition(word) {
            Ok(name) => set(cx, name, trap.clone()),
            Err(message) => {
                cx.warn(message);
                status = 1;
            }
        }
    }
    Reply::status(status)
}

fn set(cx: &ExecContext, condition: &'static str, trap: Option<Trap>) {
    let mut traps = cx.session.traps.borrow_mut();
    let traps = Rc::make_mut(&mut traps);
    match trap {
        Some(trap) => traps.insert(condition.into(), trap),
        None => traps.remove(condition),
    };
}

/// The command of a trap; one with errors is rejected, status 2.
fn parsed(cx: &mut ExecContext, text: &str) -> Result<Trap, Stop> {
    let source = Source::new("trap", text);
    let parsed = parse(text);
    for error in parsed.diagnostics.iter().filter(|found| found.level == Level::Error) {
        cx.streams.err.extend_from_slice(render(&source, error).as_bytes());
    }
    if parsed.has_errors() {
        return Err(Stop::Failed(2));
    }
    Ok(Trap { text: text.into(), script: parsed.script, source: Rc::new(source) })
}

/// The name under which a condition is kept.
fn condition(word: &str) -> Result<&'static str, String> {
    match word {
        "0" | "EXIT" | "exit" => Ok("EXIT"),
        "ERR" | "err" => Ok("ERR"),
        "DEBUG" | "RETURN" => {
            Err(format!("{word}: there is no such trap; there are EXIT, ERR and INT"))
        }
        _ => {
            let name = signal::number(word).and_then(signal::name);
            name.ok_or_else(|| format!("{word}: invalid signal specification"))
        }
    }
}

fn list(cx: &mut ExecContext, words: &[EcoString]) -> Outcome {
    let mut wanted = Vec::new();
    for word in words {
        match condition(word) {
            Ok(name) => wanted.push(name),
            Err(message) => return Err(cx.fail(1, message)),
        }
    }
    let traps = Rc::clone(&cx.session.traps.borrow());
    let order = |name: &str| match name {
        "EXIT" => 0,
        "ERR" => u8::MAX,
        name => signal::number(name).unwrap_or(u8::MAX),
    };
    let mut names: Vec<&EcoString> = traps.keys().collect();
    names.order_by_key(|name| order(name));
    for name in names {
        let Some(trap) = traps.get(name) else { continue };
        if words.is_empty() || wanted.contains(&name.as_str()) {
            let prefix = if matches!(name.as_str(), "EXIT" | "ERR") { "" } else { "SIG" };
            cx.push_line(format!("trap -- {} {prefix}{name}", single_quoted(&trap.text)));
        }
    }
    OK
}
