//! `command` and `builtin`: run a command past functions and aliases, or tell what a name means.

use futures::future::{FutureExt, LocalBoxFuture};

use super::meaning::{Meaning, meanings};
use super::variables::single_quoted;
use crate::tool::{
    Args, Binding, Builtin, Completes, Example, ExecContext, Opt, Outcome, Reply, Request, Run,
    Spec, Topic,
};
use crate::value::EcoString;

/// `command`
pub(super) const COMMAND: Builtin = Builtin {
    spec: Spec {
        name: "command",
        about: "run a command past functions and aliases, or tell what a name means",
        topic: Topic::Shell,
        operands: "[-v | -V] NAME [ARGUMENT]...",
        completes: Completes::Commands,
        binding: Binding::Leading,
        options: &[
            Opt::flag('v', "", "print what would run"),
            Opt::flag('V', "", "say what would run"),
            Opt::flag('p', "", "ignored: builtins need no path"),
        ],
        examples: &[Example { script: "echo() { :; }; command echo hi", output: "hi\n" }],
        ..Spec::DEFAULT
    },
    run: Run::Wait(command),
};

/// `builtin`
pub(super) const BUILTIN: Builtin = Builtin {
    spec: Spec {
        name: "builtin",
        about: "run a builtin past functions and aliases",
        topic: Topic::Shell,
        operands: "NAME [ARGUMENT]...",
        completes: Completes::Commands,
        binding: Binding::Leading,
        examples: &[Example { script: "cd() { :; }; builtin cd /; pwd", output: "/\n" }],
        ..Spec::DEFAULT
    },
    run: Run::Now(builtin),
};

fn command<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let Some(how) = args.last_of(&["v", "V"]) else { return call(args) };
        let mut found = false;
        for name in args.operand_texts() {
            match meanings(cx, &name).await.first() {
                Some(meaning) if how == "v" => cx.push_line(brief(&name, meaning)),
                Some(meaning) => cx.push_line(describe(&name, meaning)),
                None => {
                    if how == "V" {
                        cx.warn(format_args!("{name}: not found"));
                    }
                    continue;
                }
            }
            found = true;
        }
        Reply::success(found)
    }
    .boxed_local()
}

fn builtin(cx: &mut ExecContext, args: &Args) -> Outcome {
    let Some(name) = args.operand(0) else { return Reply::status(0) };
    if cx.services.registry.builtin(&name).is_none() {
        return Err(cx.fail(1, format_args!("{name}: not a shell builtin")));
    }
    call(args)
}

fn call(args: &Args) -> Outcome {
    if args.operands.is_empty() {
        return Reply::status(0);
    }
    let words = args.operands.clone();
    Ok(Reply::Request(Request::Call { words, builtins_only: true, timeout: None }))
}

/// `command -v`: the name, the path of a script, the definition of an alias.
fn brief(name: &EcoString, meaning: &Meaning) -> String {
    match meaning {
        Meaning::Alias(text) => format!("alias {name}={}", single_quoted(text)),
        Meaning::Script(path) => path.as_str().into(),
        _ => name.to_string(),
    }
}

/// `command -V` and `type`: a sentence, and what a function was defined as.
pub(super) fn describe(name: &EcoString, meaning: &Meaning) -> String {
    match meaning {
        Meaning::Alias(text) => format!("{name} is aliased to `{text}'"),
        Meaning::Reserved => format!("{name} is a shell keyword"),
        Meaning::Function(function) => {
            let text = function.definition.span.text(&function.source.text);
            format!("{name} is a function\n{text}")
        }
        Meaning::Builtin => format!("{name} is a shell builtin"),
        Meaning::Script(path) => format!("{name} is {path}"),
        Meaning::Tool => format!("{name} is a command of the page"),
    }
}
