//! `env` and `printenv`: the exported variables, or a command with others.

use std::rc::Rc;

use futures::future::{FutureExt, LocalBoxFuture};

use super::common::quoted;
use crate::env::Scope;
use crate::tool::{
    Args, Binding, Builtin, Completes, Example, ExecContext, OK, Opt, Outcome, Reply, Run, Spec,
    Topic,
};
use crate::value::{EcoString, InOrder, Value};

/// `env`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

/// `printenv`
pub(super) const PRINTENV: Builtin = Builtin {
    spec: Spec {
        name: "printenv",
        about: "print exported variables",
        topic: Topic::Shell,
        operands: "[NAME]...",
        completes: Completes::Variables,
        options: &[Opt::flag('0', "null", "end each line with NUL, not newline")],
        notes: "--json: a record of names and values, or a list of the values of NAMEs.",
        examples: &[Example { script: "export A=1; printenv A", output: "1\n" }],
        ..Spec::DEFAULT
    },
    run: Run::Now(print_some),
};

const SPEC: Spec = Spec {
    name: "env",
    about: "print the exported variables, or run a command with others",
    topic: Topic::Shell,
    operands: "[-] [NAME=VALUE]... [COMMAND [ARG]...]",
    completes: Completes::Commands,
    options: &[
        Opt::flag('i', "ignore-environment", "start with no variable exported; a lone - too"),
        Opt::value('u', "unset", "NAME", "without this variable"),
        Opt::flag('0', "null", "end each line with NUL, not newline"),
        Opt::value('C', "chdir", "DIR", "run the command in DIR"),
        Opt::value(
            'S',
            "split-string",
            "TEXT",
            "split TEXT at blanks into words before the others",
        ),
        Opt::flag('v', "debug", "say on standard error what is run"),
    ],
    binding: Binding::Leading,
    notes: "The command runs in a copy of the shell. --json without a command: a record.",
    examples: &[Example { script: "env -i A=1 B=2 env", output: "A=1\nB=2\n" }],
    ..Spec::DEFAULT
};

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let mut words: Vec<Value> = match args.text("split-string") {
            Some(text) => text.split_whitespace().map(Value::from).collect(),
            None => Vec::new(),
        };
        words.extend(args.operands.iter().cloned());
        let mut words = words.into_iter().peekable();
        let dash = words.next_if(|word| word.as_str() == Some("-")).is_some();
        let mut scope = if dash || args.has("ignore-environment") {
            Scope::default()
        } else {
            cx.session.scope.borrow().exported()
        };
        for name in args.values("unset") {
            let name = name.to_text_lossy();
            if name.is_empty() || name.contains('=') {
                let message = format!("cannot unset {}: Invalid argument", quoted(&name));
                return Err(cx.fail(125, message));
            }
            scope.restore(&name, None);
        }
        while let Some((name, value)) = words.peek().and_then(assignment) {
            words.next();
            scope.declare(&name, |variable| {
                variable.value = Some(value);
                variable.exported = true;
            });
        }
        if words.peek().is_some() {
            return call(cx, args, scope, words.collect()).await;
        }
        if args.has("chdir") {
            return Err(cx.misuse(125, "must specify command with --chdir (-C)"));
        }
        print_all(cx, args, &scope);
        OK
    }
    .boxed_local()
}

fn assignment(word: &Value) -> Option<(EcoString, Value)> {
    let text = word.to_text_lossy();
    let (name, value) = text.split_once('=').filter(|(name, _)| !name.is_empty())?;
    Some((name.into(), Value::from(value)))
}

/// Runs the command in a copy of the shell that has these variables.
async fn call(cx: &mut ExecContext, args: &Args, scope: Scope, words: Vec<Value>) -> Outcome {
    if args.has("debug") {
        for word in &words {
            let line = format!("arg: {}\n", quoted(&word.to_text_lossy()));
            cx.streams.err.extend_from_slice(line.as_bytes());
        }
    }
    let session = cx.session.snapshot();
    session.scope.replace(scope);
    if let Some(directory) = args.text("chdir") {
        let path = match directory_path(cx, &directory).await {
            Ok(path) => path,
            Err(message) => return Err(cx.fail(125, message)),
        };
        session.cwd.replace(path);
    }
    let fds = cx.streams.fds.clone();
    Reply::status(cx.call_in(Rc::new(session), words, fds).await?)
}

async fn directory_path(cx: &ExecContext, name: &str) -> Result<EcoString, String> {
    let fail = |errno| format!("cannot change directory to {}: {errno}", quoted(name));
    let path = cx.backend().canonicalize(&cx.resolve(name), false).await;
    let path = path.map_err(|error| fail(error.errno()))?;
    let metadata = cx.backend().stat(&path).await.map_err(|error| fail(error.errno()))?;
    if !metadata.is_dir() {
        return Err(fail(crate::io::Errno::NotDirectory));
    }
    Ok(path.as_str().into())
}

fn print_some(cx: &mut ExecContext, args: &Args) -> Outcome {
    let scope = cx.session.scope.borrow().exported();
    if args.operands.is_empty() {
        print_all(cx, args, &scope);
        return OK;
    }
    let end = if args.has("null") { "\0" } else { "\n" };
    let mut ok = true;
    for name in args.operand_texts() {
        match scope.get(&name) {
            Some(value) => {
                cx.push(value.to_bytes());
                cx.push(end);
            }
            None => ok = false,
        }
    }
    Reply::success(ok)
}

fn print_all(cx: &mut ExecContext, args: &Args, scope: &Scope) {
    let mut variables: Vec<(&EcoString, &Value)> = scope
        .variables()
        .filter(|(_, variable)| variable.exported)
        .filter_map(|(name, variable)| Some((name, variable.value.as_ref()?)))
        .collect();
    variables.order_by_key(|(name, _)| *name);
    if args.json {
        let fields = variables.into_iter().map(|(name, value)| (name.clone(), value.clone()));
        cx.answer(Value::Record(Rc::new(fields.collect())));
        return;
    }
    let end = if args.has("null") { "\0" } else { "\n" };
    for (name, value) in variables {
        cx.push(name.as_bytes());
        cx.push("=");
        cx.push(value.to_bytes());
        cx.push(end);
    }
}
