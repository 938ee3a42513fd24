//! Pipelines: every stage but the last is a machine of its own; the last runs here.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::rc::Rc;
use std::task::{Poll, Waker};

use super::Machine;
use super::flow::Flow;
use super::frame::{Frame, Next, PipelineFrame};
use crate::env::ShellOption;
use crate::io::{Descriptors, Stream, pipe};
use crate::jobs::Cancel;
use crate::syntax::{Command, Pipeline, Script, Source, Stage};
use crate::tool::ExecContext;

/// A machine running on its own, and its exit status once it is done.
#[derive(Default)]
pub(super) struct Child {
    status: Cell<Option<u8>>,
    waker: RefCell<Option<Waker>>,
}

impl Child {
    /// Starts a machine on the shell of `cx`; `start` puts its first frames in place.
    pub(super) fn spawn(
        mut cx: ExecContext,
        cancel: Cancel,
        start: impl FnOnce(&mut Machine) -> Flow + 'static,
    ) -> Rc<Self> {
        let child = Rc::new(Self::default());
        let done = Rc::clone(&child);
        let host = Rc::clone(&cx.services.host);
        cx.control.cancel = cancel;
        host.spawn(Box::pin(async move {
            let mut machine =
                Machine::new(cx, Rc::new(Source::default()), Rc::new(Script::default()));
            machine.wait(async move { Box::new(start) as Next });
            let status = machine.run().await;
            // Its ends of pipes close before anyone learns that it is done.
            drop(machine);
            done.finish(status);
        }));
        child
    }

    fn finish(&self, status: u8) {
        self.status.set(Some(status));
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }

    /// Waits for the end.
    pub(super) async fn wait(&self) -> u8 {
        poll_fn(|task| match self.status.get() {
            Some(status) => Poll::Ready(status),
            None => {
                *self.waker.borrow_mut() = Some(task.waker().clone());
                Poll::Pending
            }
        })
        .await
    }
}

impl Machine {
    pub(super) fn pipeline(&mut self, pipeline: &Pipeline) -> Flow {
        if pipeline.timed {
            self.frames.push(Frame::Timed(self.cx.services.host.monotonic()));
        }
        if pipeline.negated {
            self.tested += 1;
            self.frames.push(Frame::Negate);
        }
        match pipeline.stages.as_slice() {
            [only] => self.command(&only.command),
            stages => self.start_pipeline(stages),
        }
    }

    fn start_pipeline(&mut self, stages: &[Stage]) -> Flow {
        if let Some(flow) = self.start_scatter(stages) {
            return flow;
        }
        let before = self.cx.streams.fds.clone();
        self.finish_pipeline(stages, Vec::with_capacity(stages.len()), before)
    }

    /// Starts stages behind others that run already; the first reads the present standard input,
    /// and `before` comes back when the last is done.
    pub(super) fn finish_pipeline(
        &mut self,
        stages: &[Stage],
        mut children: Vec<Rc<Child>>,
        before: Descriptors,
    ) -> Flow {
        let Some((last, stages)) = stages.split_last() else { return Ok(()) };
        let mut stdin = self.cx.streams.fds.stdin().clone();
        for stage in stages {
            let (reader, writer) = pipe();
            let mut fds = before.clone();
            fds.set(0, std::mem::replace(&mut stdin, Stream::PipeReader(reader)));
            if stage.pipe_stderr {
                fds.set(2, Stream::PipeWriter(writer.clone()));
            }
            fds.set(1, Stream::PipeWriter(writer));
            children.push(self.spawn_stage(&stage.command, fds));
        }
        self.frames.push(Frame::Pipeline(Box::new(PipelineFrame { children, fds: before })));
        self.cx.streams.fds.set(0, stdin);
        self.command(&last.command)
    }

    /// Starts a command on its own machine with a copy of the shell.
    fn spawn_stage(&self, command: &Command, fds: Descriptors) -> Rc<Child> {
        let command = command.clone();
        self.spawn_machine(fds, move |machine| machine.command(&command))
    }

    /// Starts a machine with a copy of the shell, within this one's cancellation.
    pub(super) fn spawn_machine(
        &self,
        fds: Descriptors,
        start: impl FnOnce(&mut Self) -> Flow + 'static,
    ) -> Rc<Child> {
        let mut cx = self.cx.with_streams(fds);
        cx.session = Rc::new(self.cx.session.snapshot());
        cx.control.depth = self.depth;
        let cancel = self.cx.control.cancel.child();
        let source = Rc::clone(&self.source);
        let tested = self.tested;
        Child::spawn(cx, cancel, move |machine| {
            machine.source = source;
            machine.tested = tested;
            start(machine)
        })
    }

    /// The last stage is done: closes its input, waits for the others, settles the status.
    pub(super) fn join(&mut self, pipeline: PipelineFrame) {
        self.cx.streams.fds = pipeline.fds;
        let last = self.status();
        self.wait(async move {
            let mut statuses = Vec::with_capacity(pipeline.children.len() + 1);
            for child in &pipeline.children {
                statuses.push(child.wait().await);
            }
            statuses.push(last);
            Box::new(move |machine: &mut Self| {
                machine.settle(statuses);
                Ok(())
            }) as Next
        });
    }

    fn settle(&mut self, statuses: Vec<u8>) {
        let mut status = statuses.last().copied().unwrap_or(0);
        if self.option(ShellOption::PipeFail) {
            // A writer whose reader left early has not failed.
            let failed = |status: &&u8| **status != 0 && **status != 141;
            status = statuses.iter().rev().find(failed).copied().unwrap_or(0);
        }
        self.finish(status);
        *self.session().last.pipe_status.borrow_mut() = statuses;
    }
}
