//! `alias` and `unalias`: other names for the first words of commands.

use std::rc::Rc;

use super::variables::single_quoted;
use crate::syntax::{Command, Level, Parsed, parse};
use crate::tool::{
    Args, Binding, Builtin, Completes, Example, ExecContext, OK, Opt, Outcome, Reply, Run, Spec,
    Topic,
};
use crate::value::{EcoString, Record, Value};

/// `alias`
pub(super) const ALIAS: Builtin = Builtin {
    spec: Spec {
        name: "alias",
        about: "give words another name",
        topic: Topic::Shell,
        operands: "[NAME[=TEXT]]...",
        completes: Completes::Nothing,
        binding: Binding::Leading,
        options: &[Opt::flag('p', "", "list all")],
        notes: "TEXT is words, assignments and redirects; an operator or a reserved word needs a\n\
                function. With --json: a record of texts.",
        examples: &[Example { script: "alias hi='echo hello'; hi there", output: "hello there\n" }],
        ..Spec::DEFAULT
    },
    run: Run::Now(alias),
};

/// `unalias`
pub(super) const UNALIAS: Builtin = Builtin {
    spec: Spec {
        name: "unalias",
        about: "take aliases back",
        topic: Topic::Shell,
        operands: "NAME...",
        completes: Completes::Nothing,
        binding: Binding::Leading,
        options: &[Opt::flag('a', "", "all of them")],
        examples: &[Example { script: "alias ll='ls -l'; unalias ll; alias", output: "" }],
        ..Spec::DEFAULT
    },
    run: Run::Now(unalias),
};

fn alias(cx: &mut ExecContext, args: &Args) -> Outcome {
    let words = args.operand_texts();
    if words.is_empty() || args.has("p") {
        list(cx, args.json);
        return OK;
    }
    let mut status = 0;
    for word in words {
        let done = match word.split_once('=').filter(|(name, _)| !name.is_empty()) {
            Some((name, text)) => define(cx, name, text),
            None => show(cx, &word),
        };
        if let Err((code, message)) = done {
            cx.warn(message);
            status = status.max(code);
        }
    }
    Reply::status(status)
}

fn list(cx: &mut ExecContext, json: bool) {
    let aliases = Rc::clone(&cx.session.aliases.borrow());
    if json {
        let texts = aliases.iter().map(|(name, text)| (name.clone(), Value::Text(text.clone())));
        cx.answer(Value::Record(Rc::new(texts.collect::<Record>())));
        return;
    }
    for (name, text) in aliases.iter() {
        cx.push_line(line(name, text));
    }
}

fn line(name: &str, text: &str) -> String {
    format!("alias {name}={}", single_quoted(text))
}

fn show(cx: &mut ExecContext, name: &EcoString) -> Result<(), (u8, String)> {
    let text = cx.session.aliases.borrow().get(name).cloned();
    let text = text.ok_or_else(|| (1, format!("{name}: not found")))?;
    cx.push_line(line(name, &text));
    Ok(())
}

fn define(cx: &ExecContext, name: &str, text: &str) -> Result<(), (u8, String)> {
    if let Some(c) = name.chars().find(|c| "/$`\"'\\|&;()<>".contains(*c) || c.is_whitespace()) {
        return Err((1, format!("'{name}': invalid alias name: '{c}' cannot stand in one")));
    }
    let parsed = parse(text);
    if let Some(error) = parsed.diagnostics.iter().find(|found| found.level == Level::Error) {
        return Err((2, format!("{name}: {}", error.message)));
    }
    if !is_simple(&parsed) {
        let way = format!("write a function: {name}() {{ {text}; }}");
        return Err((2, format!("{name}: an alias holds words, not operators; {way}")));
    }
    let mut aliases = cx.session.aliases.borrow_mut();
    Rc::make_mut(&mut aliases).insert(name.into(), text.into());
    Ok(())
}

/// Whether a text is one simple command, or nothing at all.
fn is_simple(parsed: &Parsed) -> bool {
    match parsed.script.statements.as_slice() {
        [] => true,
        [statement] => {
            let only = statement.rest.is_empty() && !statement.background;
            let first = &statement.first;
            only && !first.negated
                && !first.timed
                && matches!(first.stages.as_slice(), [stage] if matches!(stage.command, Command::Simple(_)))
        }
        _ => false,
    }
}

fn unalias(cx: &mut ExecContext, args: &Args) -> Outcome {
    let mut aliases = Rc::clone(&cx.session.aliases.borrow());
    let mut status = 0;
    if args.has("a") {
        aliases = Rc::default();
    } else if args.operands.is_empty() {
        return Err(cx.fail(2, "which alias? unalias NAME..., or unalias -a"));
    }
    for name in args.operand_texts() {
        if Rc::make_mut(&mut aliases).remove(&name).is_none() && !args.has("a") {
            cx.warn(format_args!("{name}: not found"));
            status = 1;
        }
    }
    *cx.session.aliases.borrow_mut() = aliases;
    Reply::status(status)
}
