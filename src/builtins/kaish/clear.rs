//! `kaish-clear`: variables, functions, aliases and options back to the start.

use std::rc::Rc;

use crate::tool::{Args, Builtin, Completes, Example, ExecContext, OK, Outcome, Run, Spec, Topic};
use crate::value::Value;

/// `kaish-clear`
pub(in crate::builtins) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Now(run) };

const SPEC: Spec = Spec {
    name: "kaish-clear",
    about: "variables, functions, aliases, options and traps back to the start",
    topic: Topic::Shell,
    arity: (0, 0),
    completes: Completes::Nothing,
    notes: "Files, jobs, the working directory and the positional parameters stay.",
    examples: &[Example { script: "x=5; kaish-clear; echo ${x:-cleared}", output: "cleared\n" }],
    ..Spec::DEFAULT
};

fn run(cx: &mut ExecContext, _: &Args) -> Outcome {
    let session = &cx.session;
    let start = session.config.start.borrow().clone();
    let mut scope = session.scope.borrow_mut();
    scope.reset(&start);
    // The directory stays, and so does its name.
    let _ = scope.set("PWD", Value::Text(session.cwd.borrow().clone()));
    drop(scope);
    *session.functions.borrow_mut() = Rc::default();
    *session.aliases.borrow_mut() = Rc::default();
    *session.traps.borrow_mut() = Rc::default();
    session.options.take();
    session.config.output_limit.take();
    OK
}
