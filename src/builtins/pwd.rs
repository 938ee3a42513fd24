//! `pwd`: prints the working directory.

use std::rc::Rc;

use futures::future::{FutureExt, LocalBoxFuture};

use crate::tool::{
    Args, Builtin, Completes, Example, ExecContext, OK, Opt, Outcome, Run, Spec, Topic,
};

/// `pwd`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "pwd",
    about: "print the working directory",
    topic: Topic::Shell,
    completes: Completes::Nothing,
    options: &[
        Opt::flag('L', "logical", "the name it was entered by (the default)"),
        Opt::flag('P', "physical", "its own name, with links followed"),
    ],
    examples: &[Example { script: "cd /tmp; pwd", output: "/tmp\n" }],
    ..Spec::DEFAULT
};

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        if args.last_of(&["logical", "physical"]) == Some("physical") {
            let backend = Rc::clone(cx.backend());
            let found = backend.canonicalize(&cx.resolve("."), false).await;
            let path = found.map_err(|error| cx.fail(1, error.errno()))?;
            cx.push_line(path.as_str());
        } else {
            let directory = cx.session.cwd.borrow().clone();
            cx.push_line(directory.as_str());
        }
        OK
    }
    .boxed_local()
}
