//! `fg`: waits for a job as if it were in the foreground.

use futures::future::{FutureExt, LocalBoxFuture};

use super::job::{current, find, missing};
use crate::tool::{
    Args, Builtin, Completes, Example, ExecContext, Outcome, Reply, Run, Spec, Topic,
};

/// `fg`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "fg",
    about: "wait for a job in the foreground",
    topic: Topic::Shell,
    operands: "[JOB]",
    arity: (0, 1),
    completes: Completes::Jobs,
    notes: "Without JOB, the youngest one that runs.",
    examples: &[Example { script: "(exit 4) & fg %1; echo $?", output: "(exit 4)\n4\n" }],
    ..Spec::DEFAULT
};

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let word = args.operand(0).unwrap_or_else(|| "%%".into());
        if args.operands.is_empty() && current(cx).0.is_none() {
            return Err(cx.fail(1, "there is no job"));
        }
        let Some(job) = find(cx, &word) else { return Err(cx.fail(1, missing(&word))) };
        cx.push_line(job.command.as_str());
        cx.flush().await?;
        let outcome = cx.unless_cancelled(job.wait().map(Ok)).await;
        if outcome.is_err()
            && let Some(signal) = cx.control.cancel.signal()
        {
            // Ctrl-C reaches what is in the foreground.
            job.cancel.cancel(signal);
        }
        job.report();
        Reply::status(outcome?)
    }
    .boxed_local()
}
