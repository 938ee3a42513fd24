//! `which`: where commands are.

use futures::future::{FutureExt, LocalBoxFuture};

use super::meaning::{Meaning, meanings};
use crate::tool::{
    Args, Builtin, Completes, Example, ExecContext, Opt, Outcome, Reply, Run, Spec, Topic,
};
use crate::value::EcoString;

/// `which`
pub(super) const BUILTIN: Builtin = Builtin {
    spec: Spec {
        name: "which",
        about: "print the paths of commands",
        topic: Topic::Shell,
        operands: "NAME...",
        completes: Completes::Commands,
        options: &[
            Opt::flag('a', "all", "every path, not only the first"),
            Opt::flag('s', "", "print nothing"),
        ],
        notes: "A builtin is in /v/bin, a script along $PATH. For functions and aliases: type.",
        examples: &[Example { script: "which ls", output: "/v/bin/ls\n" }],
        ..Spec::DEFAULT
    },
    run: Run::Wait(run),
};

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let mut ok = !args.operands.is_empty();
        for name in args.operand_texts() {
            let mut paths = Vec::new();
            for meaning in meanings(cx, &name).await {
                match meaning {
                    Meaning::Builtin => paths.push(EcoString::from(format!("/v/bin/{name}"))),
                    Meaning::Script(path) => paths.push(path.as_str().into()),
                    _ => {}
                }
            }
            ok &= !paths.is_empty();
            if !args.has("all") {
                paths.truncate(1);
            }
            if !args.has("s") {
                for path in paths {
                    cx.push_line(path.as_bytes());
                }
            }
        }
        Reply::success(ok)
    }
    .boxed_local()
}
