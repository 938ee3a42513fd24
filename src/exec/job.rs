//! Background jobs: a copy of the shell on its own machine, its output recorded as it goes.

use std::rc::Rc;

use super::Machine;
use super::flow::Flow;
use super::frame::Frame;
use super::pipeline::Child;
use crate::io::{Observer, Stream};
use crate::jobs::{Cancel, JobState, Record};
use crate::syntax::{Script, Span, Statement};

impl Machine {
    pub(super) fn start_job(&mut self, script: &Rc<Script>, index: usize) -> Flow {
        let Some(statement) = script.statements.get(index) else { return Ok(()) };
        let limit = self.cx.services.limits.jobs;
        let jobs = &self.cx.services.jobs;
        if jobs.running() >= limit {
            let message =
                format!("too many jobs: {limit} are running (jobs limit); `wait` for some");
            self.complain(statement.span, &message);
            self.finish(1);
            return Ok(());
        }
        let command = statement.span.text(&self.source.text).trim_end();
        let cancel = Cancel::default();
        let job = jobs.add(command, cancel.clone());
        self.session().last.job.set(Some(job.id));
        let mut started = self.session().last.jobs.borrow_mut();
        if started.len() >= 4096 {
            started.retain(|id| jobs.get(*id).is_some());
        }
        started.push(job.id);
        drop(started);
        let mut fds = self.cx.streams.fds.clone();
        fds.set(0, Stream::Null);
        fds.set(1, recorded(fds.stdout(), &job.stdout));
        fds.set(2, recorded(fds.stderr(), &job.stderr));
        let mut cx = self.cx.with_streams(fds);
        cx.session = Rc::new(self.cx.session.snapshot());
        cx.control.depth = self.depth;
        let source = Rc::clone(&self.source);
        let script = foreground(statement, script.span);
        let child = Child::spawn(cx, cancel.clone(), move |machine| {
            machine.source = source;
            machine.frames.push(Frame::Script(script, 0));
            Ok(())
        });
        if self.cx.services.interactive {
            self.write_error(&format!("[{}]\n", job.id));
        }
        self.cx.services.host.spawn(Box::pin(async move {
            let status = child.wait().await;
            job.finish(match cancel.signal() {
                Some(signal) if signal.status() == status => JobState::Killed(status),
                _ => JobState::Done(status),
            });
        }));
        self.finish(0);
        Ok(())
    }
}

fn recorded(stream: &Stream, record: &Rc<Record>) -> Stream {
    let observer: Rc<dyn Observer> = Rc::<Record>::clone(record);
    stream.observed(observer)
}

/// The statement as a script of its own, without its `&`.
fn foreground(statement: &Statement, span: Span) -> Rc<Script> {
    let statement = Statement { background: false, ..statement.clone() };
    Rc::new(Script { statements: vec![statement], span })
}
