//! `wait`: waits for jobs to end.

use std::future::poll_fn;
use std::rc::Rc;
use std::task::Poll;

use futures::future::{FutureExt, LocalBoxFuture};

use super::job::{find, missing};
use crate::jobs::Job;
use crate::tool::{
    Args, Binding, Builtin, Completes, Example, ExecContext, Opt, Outcome, Reply, Run, Spec, Stop,
    Topic,
};

/// `wait`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "wait",
    about: "wait for jobs to end",
    topic: Topic::Shell,
    operands: "[JOB]...",
    completes: Completes::Jobs,
    binding: Binding::Leading,
    options: &[Opt::flag('n', "", "wait for the next one of them to end")],
    notes: "Without JOB, waits for all jobs of this shell. The status is that of the last one named.",
    examples: &[Example { script: "(exit 3) & wait %1; echo $?", output: "3\n" }],
    ..Spec::DEFAULT
};

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let mut jobs = Vec::new();
        let mut status = 0;
        for word in args.operand_texts() {
            match find(cx, &word) {
                Some(job) => {
                    status = 0;
                    jobs.push(job);
                }
                None => {
                    cx.complain(missing(&word)).await?;
                    status = 127;
                }
            }
        }
        if args.operands.is_empty() {
            jobs = own_jobs(cx);
        }
        if args.has("n") {
            return wait_next(cx, jobs, args.operands.is_empty()).await;
        }
        let last = jobs.last().map(Rc::clone);
        for job in jobs {
            wait_for(cx, &job).await?;
        }
        if status == 0 && !args.operands.is_empty() {
            status = last.and_then(|job| job.state().status()).unwrap_or(127);
        }
        Reply::status(status)
    }
    .boxed_local()
}

/// The jobs that this shell, not one around it, started.
fn own_jobs(cx: &ExecContext) -> Vec<Rc<Job>> {
    let started = cx.session.last.jobs.borrow();
    started.iter().filter_map(|id| cx.services.jobs.get(*id)).collect()
}

async fn wait_for(cx: &mut ExecContext, job: &Rc<Job>) -> Result<u8, Stop> {
    cx.flush().await?;
    let status = cx.unless_cancelled(job.wait().map(Ok)).await?;
    job.report();
    Ok(status)
}

/// Waits for whichever ends next; 127 where there is none.
async fn wait_next(cx: &mut ExecContext, jobs: Vec<Rc<Job>>, any: bool) -> Outcome {
    let jobs: Vec<_> = jobs.into_iter().filter(|job| !any || !job.is_reported()).collect();
    if jobs.is_empty() {
        return Reply::status(127);
    }
    cx.flush().await?;
    let mut waits: Vec<_> = jobs.iter().map(|job| Box::pin(job.wait())).collect();
    let next = poll_fn(|task| {
        for (wait, job) in waits.iter_mut().zip(&jobs) {
            if let Poll::Ready(status) = wait.as_mut().poll(task) {
                job.report();
                return Poll::Ready(Ok(status));
            }
        }
        Poll::Pending
    });
    let status = cx.unless_cancelled(next).await?;
    Reply::status(status)
}
