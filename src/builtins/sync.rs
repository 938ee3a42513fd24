//! `sync`: makes everything written durable.

use std::rc::Rc;

use futures::future::{FutureExt, LocalBoxFuture};

use super::common::quoted;
use crate::tool::{Args, Builtin, Example, ExecContext, Opt, Outcome, Reply, Run, Spec, Topic};

/// `sync`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "sync",
    about: "make everything written durable, against power loss too",
    topic: Topic::Files,
    operands: "[FILE]...",
    options: &[
        Opt::flag('d', "data", "accepted: everything is written"),
        Opt::flag('f', "file-system", "accepted: everything is written"),
    ],
    examples: &[Example { script: "echo x > f; sync && cat f", output: "x\n" }],
    ..Spec::DEFAULT
};

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let fs = Rc::clone(cx.backend());
        let mut ok = true;
        for name in args.operand_texts() {
            if let Err(error) = fs.stat(&cx.resolve(&name)).await {
                let (name, errno) = (quoted(&name), error.errno());
                cx.complain(format_args!("error opening {name}: {errno}")).await?;
                ok = false;
            }
        }
        if let Err(error) = fs.flush(true).await {
            cx.complain(error.errno()).await?;
            ok = false;
        }
        Reply::success(ok)
    }
    .boxed_local()
}
