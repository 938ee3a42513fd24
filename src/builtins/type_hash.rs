//! `type`: what names mean; `hash`: whether they mean anything.

use futures::future::{FutureExt, LocalBoxFuture};

use super::command::describe;
use super::meaning::{Meaning, meanings};
use crate::tool::{
    Args, Binding, Builtin, Completes, Example, ExecContext, Opt, Outcome, Reply, Run, Spec, Topic,
};
use crate::value::EcoString;

/// `type`
pub(super) const TYPE: Builtin = Builtin {
    spec: Spec {
        name: "type",
        about: "tell what names mean",
        topic: Topic::Shell,
        operands: "NAME...",
        completes: Completes::Commands,
        binding: Binding::Leading,
        options: &[
            Opt::flag('t', "", "one word: alias, keyword, function, builtin or file"),
            Opt::flag('a', "", "all that a name means"),
            Opt::flag('p', "", "the path of a script"),
            Opt::flag('P', "", "the path of a script, whatever else the name means"),
            Opt::flag('f', "", "pass over functions"),
        ],
        examples: &[Example {
            script: "type cd; type -t if",
            output: "cd is a shell builtin\nkeyword\n",
        }],
        ..Spec::DEFAULT
    },
    run: Run::Wait(run_type),
};

/// `hash`
pub(super) const HASH: Builtin = Builtin {
    spec: Spec {
        name: "hash",
        about: "look names up; nothing is remembered, for nothing need be",
        topic: Topic::Shell,
        operands: "[NAME]...",
        completes: Completes::Commands,
        binding: Binding::Leading,
        options: &[Opt::flag('r', "", "forget: there is nothing to forget")],
        examples: &[Example { script: "hash echo && echo found", output: "found\n" }],
        ..Spec::DEFAULT
    },
    run: Run::Wait(run_hash),
};

fn run_type<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let mut status = 0;
        for name in args.operand_texts() {
            let mut found = meanings(cx, &name).await;
            if args.has("f") {
                found.retain(|meaning| !matches!(meaning, Meaning::Function(_)));
            }
            if args.has("P") {
                found.retain(|meaning| matches!(meaning, Meaning::Script(_)));
            }
            if !args.has("a") {
                found.truncate(1);
            }
            if found.is_empty() {
                if args.last_of(&["t", "p", "P"]).is_none() {
                    cx.warn(format_args!("{name}: not found"));
                }
                status = 1;
            }
            for meaning in &found {
                show(cx, args, &name, meaning);
            }
        }
        Reply::status(status)
    }
    .boxed_local()
}

fn show(cx: &mut ExecContext, args: &Args, name: &EcoString, meaning: &Meaning) {
    match args.last_of(&["t", "p", "P"]) {
        None => cx.push_line(describe(name, meaning)),
        Some("t") => cx.push_line(match meaning {
            Meaning::Alias(_) => "alias",
            Meaning::Reserved => "keyword",
            Meaning::Function(_) => "function",
            Meaning::Builtin => "builtin",
            Meaning::Script(_) | Meaning::Tool => "file",
        }),
        Some(_) => {
            if let Meaning::Script(path) = meaning {
                cx.push_line(path.as_str());
            }
        }
    }
}

fn run_hash<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let mut status = 0;
        for name in args.operand_texts() {
            if meanings(cx, &name).await.is_empty() {
                cx.warn(format_args!("{name}: not found"));
                status = 1;
            }
        }
        Reply::status(status)
    }
    .boxed_local()
}
