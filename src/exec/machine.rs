//! The machine: frames, the step loop, waiting, cancellation, leaving frames.

use std::future::poll_fn;
use std::rc::Rc;
use std::task::{Context, Poll};

use futures::future::LocalBoxFuture;

use super::flow::{Flow, Unwind};
use super::frame::{Frame, Next, Purpose, ShellFrame};
use crate::env::{Session, ShellOption};
use crate::expand::{Answer, Ends, ExpandError, Expander, Port};
use crate::io::{Descriptors, Errno};
use crate::jobs::Signal;
use crate::syntax::{Diagnostic, Script, Source, Span, render};
use crate::tool::ExecContext;

/// One shell at work.
#[expect(clippy::struct_excessive_bools, reason = "independent facts of one shell")]
pub struct Machine {
    pub(super) cx: ExecContext,
    pub(super) source: Rc<Source>,
    pub(super) port: Rc<Port>,
    /// Expands for the present shell and source; kept so that an ordinary statement builds none.
    pub(super) fast_expander: Expander,
    pub(super) frames: Vec<Frame>,
    /// How many frames make failures tested.
    pub(super) tested: u32,
    /// Whether the last failure is one that `set -e` and the ERR trap look at.
    pub(super) checked: bool,
    /// Nested functions, sources and shells.
    pub(super) depth: usize,
    /// Whether the exit trap of the outermost shell has run.
    finished: bool,
    /// Whether `exec` changed the descriptors of the shell itself.
    pub(super) redirected: bool,
    /// Whether `exit` ended the shell itself.
    pub(super) exited: bool,
    /// Whether the output of its statements may be cut.
    pub(super) limits_output: bool,
    /// The status of a command whose output was cut.
    pub(super) original_code: Option<u8>,
}

impl Machine {
    /// A machine about to run a program in the shell of `cx`.
    pub fn new(cx: ExecContext, source: Rc<Source>, script: Rc<Script>) -> Self {
        let depth = cx.control.depth;
        let port = Rc::<Port>::default();
        let fast_expander = Expander {
            session: Rc::clone(&cx.session),
            services: Rc::clone(&cx.services),
            port: Rc::clone(&port),
            cancel: cx.control.cancel.clone(),
            source: Rc::clone(&source),
        };
        Self {
            cx,
            source,
            port,
            fast_expander,
            frames: vec![Frame::Script(script, 0)],
            tested: 0,
            checked: false,
            depth,
            finished: false,
            redirected: false,
            exited: false,
            limits_output: false,
            original_code: None,
        }
    }

    /// Runs to the end and answers the exit status.
    pub async fn run(&mut self) -> u8 {
        poll_fn(|task| self.poll(task)).await
    }

    /// The descriptors of the shell, as `exec` may have left them.
    pub fn descriptors(&self) -> &Descriptors {
        &self.cx.streams.fds
    }

    /// Whether `exec` changed the descriptors of the shell itself.
    pub fn redirected(&self) -> bool {
        self.redirected
    }

    /// Whether `exit` ended the shell itself, and not the end of the program or an error.
    pub fn exited(&self) -> bool {
        self.exited
    }

    /// `$?`
    pub(super) fn status(&self) -> u8 {
        self.session().last.status.get()
    }

    /// Sets `$?` after a command that `set -e` looks at.
    pub(super) fn finish(&mut self, status: u8) {
        self.checked = true;
        let last = &self.cx.session.last;
        last.status.set(status);
        let mut statuses = last.pipe_status.borrow_mut();
        if !statuses.is_empty() {
            statuses.clear();
        }
    }

    /// Sets `$?` without making it a failure to look at.
    pub(super) fn set_status(&mut self, status: u8) {
        self.checked = false;
        self.session().last.status.set(status);
    }

    pub(super) fn session(&self) -> &Rc<Session> {
        &self.cx.session
    }

    pub(super) fn option(&self, option: ShellOption) -> bool {
        self.cx.session.options.get().has(option)
    }

    pub(super) fn expander(&self) -> Expander {
        Expander {
            cancel: self.cx.control.cancel.clone(),
            source: Rc::clone(&self.source),
            ..self.fast_expander.clone()
        }
    }

    /// Makes another session the present shell.
    pub(super) fn set_session(&mut self, session: Rc<Session>) -> Rc<Session> {
        self.fast_expander.session = Rc::clone(&session);
        std::mem::replace(&mut self.cx.session, session)
    }

    fn poll(&mut self, task: &mut Context<'_>) -> Poll<u8> {
        loop {
            if let Some(signal) = self.cx.control.cancel.signal() {
                self.cancelled(signal);
            }
            let waiting = matches!(self.frames.last(), Some(Frame::Work(_)));
            if !waiting && self.cx.services.budget.charge(8) {
                let budget = Rc::clone(&self.cx.services.budget);
                self.wait(async move {
                    budget.rest().await;
                    Box::new(|_: &mut Self| Ok(())) as Next
                });
            }
            let flow = match self.frames.pop() {
                None => match self.end() {
                    Some(status) => return Poll::Ready(status),
                    None => Ok(()),
                },
                Some(Frame::Work(future)) => match self.poll_work(future, task) {
                    Poll::Ready(flow) => flow,
                    Poll::Pending => {
                        // Registers for the wake-up; a signal that came meanwhile is seen above.
                        if self.cx.control.cancel.poll_cancelled(task).is_pending() {
                            return Poll::Pending;
                        }
                        Ok(())
                    }
                },
                Some(Frame::Script(script, next)) => self.next_statement(&script, next),
                Some(frame) => self.step(frame),
            };
            if let Err(unwind) = flow {
                self.unwind(unwind);
            }
        }
    }

    fn poll_work(
        &mut self,
        mut future: LocalBoxFuture<'static, Next>,
        task: &mut Context<'_>,
    ) -> Poll<Flow> {
        match future.as_mut().poll(task) {
            Poll::Ready(next) => Poll::Ready(next(self)),
            Poll::Pending => {
                self.frames.push(Frame::Work(future));
                match self.port.take_request() {
                    Some(program) => Poll::Ready(self.start_substitution(&program)),
                    None => Poll::Pending,
                }
            }
        }
    }

    /// Makes the machine wait for a future before anything else.
    pub(super) fn wait(&mut self, future: impl Future<Output = Next> + 'static) {
        self.frames.push(Frame::Work(Box::pin(future)));
    }

    fn next_statement(&mut self, script: &Rc<Script>, next: usize) -> Flow {
        let outermost = self.limits_output && self.frames.is_empty();
        if next > 0 {
            if outermost && self.settle_output() {
                self.frames.insert(0, Frame::Script(Rc::clone(script), next));
                return Ok(());
            }
            self.check_failure(script, next)?;
        }
        let Some(statement) = script.statements.get(next) else { return Ok(()) };
        if self.option(ShellOption::NoExec) && !self.cx.services.interactive {
            return Ok(());
        }
        if outermost {
            self.begin_output();
        }
        if next + 1 < script.statements.len() || self.looks_at_failures() || self.cuts_output() {
            self.frames.push(Frame::Script(Rc::clone(script), next + 1));
        }
        self.session().last.output.advance();
        self.statement(script, statement, next)
    }

    fn looks_at_failures(&self) -> bool {
        self.option(ShellOption::ErrExit) || !self.session().traps.borrow().is_empty()
    }

    /// After a statement: the ERR trap and `set -e`.
    fn check_failure(&mut self, script: &Rc<Script>, next: usize) -> Flow {
        let status = self.status();
        if status == 0 || !self.checked || self.tested > 0 {
            return Ok(());
        }
        self.checked = false;
        let exits = self.option(ShellOption::ErrExit);
        if self.session().traps.borrow().contains_key("ERR") && !self.in_trap() {
            if !exits {
                self.frames.push(Frame::Script(Rc::clone(script), next));
            } else {
                self.wait(async move {
                    Box::new(move |_: &mut Self| Err(Unwind::Exit(status))) as Next
                });
            }
            self.run_trap("ERR");
            // The statement itself is dispatched when its frame comes up again.
            return Err(Unwind::Continue(0));
        }
        if exits { Err(Unwind::Exit(status)) } else { Ok(()) }
    }

    fn in_trap(&self) -> bool {
        self.frames.iter().any(|frame| matches!(frame, Frame::Trap(_)))
    }

    /// Goes on with what a frame is about, now that what stood above it is done.
    fn step(&mut self, frame: Frame) -> Flow {
        match frame {
            Frame::AndOr(script, index, next) => self.next_pipeline(&script, index, next),
            Frame::While { node, testing, status } => self.next_while(node, testing, status),
            Frame::For { node, items } => self.next_item(node, items),
            Frame::ForArith(node, started) => self.next_for_arith(node, started),
            Frame::If(node, arm) => self.next_if(&node, arm),
            Frame::Case(node, subject, arm) => self.after_arm(node, subject, arm),
            Frame::Compound => {
                self.checked = false;
                Ok(())
            }
            Frame::Negate => {
                self.tested -= 1;
                let status = u8::from(self.status() == 0);
                self.set_status(status);
                Ok(())
            }
            Frame::Timed(start) => {
                self.report_time(start);
                Ok(())
            }
            Frame::Redirect(saved) => {
                let (fds, files) = *saved;
                self.cx.streams.fds = fds;
                self.close(files);
                Ok(())
            }
            Frame::Pipeline(pipeline) => {
                self.join(*pipeline);
                Ok(())
            }
            Frame::Shell(shell) => self.leave_shell(shell),
            other => {
                self.leave(other);
                Ok(())
            }
        }
    }

    /// Puts back what a frame replaced.
    pub(super) fn leave(&mut self, frame: Frame) {
        match frame {
            Frame::Tested | Frame::Negate => self.tested -= 1,
            Frame::Redirect(saved) => {
                let (fds, files) = *saved;
                self.cx.streams.fds = fds;
                self.close(files);
            }
            Frame::Prefix(saved) => {
                let mut scope = self.cx.session.scope.borrow_mut();
                for (name, variable) in saved.into_iter().rev() {
                    scope.restore(&name, variable);
                }
            }
            Frame::Function(source) => {
                self.cx.session.scope.borrow_mut().leave();
                self.source = source;
                self.depth -= 1;
            }
            Frame::Sourced(source, positional) => {
                self.source = source;
                self.session().last.sourced.borrow_mut().pop();
                self.depth -= 1;
                if let Some(positional) = positional {
                    self.cx.session.scope.borrow_mut().set_positional(positional);
                }
            }
            Frame::Timeout(timeout) => {
                timeout.timer.abort();
                self.cx.control.cancel = timeout.outer;
            }
            Frame::Pipeline(pipeline) => self.cx.streams.fds = pipeline.fds,
            Frame::Trap(status) => self.set_status(status),
            Frame::Work(future) => {
                drop(future);
                self.port.clear();
            }
            _ => {}
        }
    }

    /// The end of a shell within the shell: its EXIT trap first, then back to the outer one.
    fn leave_shell(&mut self, shell: Box<ShellFrame>) -> Flow {
        if self.session().traps.borrow().contains_key("EXIT") {
            self.frames.push(Frame::Shell(shell));
            self.run_trap("EXIT");
            return Ok(());
        }
        let status = self.status();
        let ShellFrame { session, fds, source, purpose } = *shell;
        self.set_session(session);
        self.cx.streams.fds = fds;
        self.source = source;
        self.depth -= 1;
        self.finish(status);
        if let Purpose::Substitution(capture, typed) = purpose {
            self.port.answer(super::substitution::output(&capture, typed));
        }
        Ok(())
    }

    /// Leaves frames until the unwinding has what it wants.
    fn unwind(&mut self, unwind: Unwind) {
        match unwind {
            Unwind::Break(n) => self.leave_loops(n, false),
            Unwind::Continue(0) => {}
            Unwind::Continue(n) => self.leave_loops(n, true),
            Unwind::Return(status) => {
                self.set_status(status);
                while let Some(frame) = self.frames.pop() {
                    if matches!(frame, Frame::Shell(_)) {
                        self.frames.push(frame);
                        return;
                    }
                    let done = matches!(frame, Frame::Function(_) | Frame::Sourced(..));
                    self.leave(frame);
                    if done {
                        self.finish(status);
                        return;
                    }
                }
            }
            Unwind::Exit(status) => {
                self.set_status(status);
                while let Some(frame) = self.frames.pop() {
                    if matches!(frame, Frame::Shell(_)) {
                        self.frames.push(frame);
                        return;
                    }
                    self.leave(frame);
                }
                self.set_status(status);
            }
        }
    }

    /// More loops than there are around the place means all of them; without any, nothing is left.
    fn leave_loops(&mut self, n: u32, go_on: bool) {
        let inside = self.frames.iter().rev();
        let inside =
            inside.take_while(|frame| !matches!(frame, Frame::Shell(_) | Frame::Function(_)));
        let around = u32::try_from(inside.filter(|frame| is_loop(frame)).count());
        let mut n = n.min(around.unwrap_or(u32::MAX));
        if n == 0 {
            self.set_status(0);
            return;
        }
        while let Some(frame) = self.frames.pop() {
            let is_loop = is_loop(&frame);
            if matches!(frame, Frame::Shell(_) | Frame::Function(_)) {
                self.frames.push(frame);
                return;
            }
            if is_loop {
                n -= 1;
                if n == 0 {
                    self.set_status(0);
                    if go_on {
                        self.frames.push(restart(frame));
                    } else {
                        self.leave(frame);
                    }
                    return;
                }
            }
            self.leave(frame);
        }
    }

    /// A signal came: leaves everything the token covers, or runs the INT trap.
    fn cancelled(&mut self, signal: Signal) {
        let trapped = signal == Signal::Interrupt
            && self.session().traps.borrow().get("INT").is_some_and(|trap| !trap.text.is_empty());
        if trapped {
            self.cx.control.cancel.reset();
            while let Some(Frame::Work(_)) = self.frames.last() {
                if let Some(frame) = self.frames.pop() {
                    self.leave(frame);
                }
            }
            self.set_status(130);
            self.run_trap("INT");
            return;
        }
        while let Some(frame) = self.frames.pop() {
            if let Frame::Timeout(timeout) = &frame
                && timeout.outer.signal().is_none()
            {
                self.leave(frame);
                self.finish(signal.status());
                return;
            }
            match frame {
                Frame::Shell(shell) => {
                    let ShellFrame { session, fds, source, .. } = *shell;
                    self.set_session(session);
                    self.cx.streams.fds = fds;
                    self.source = source;
                    self.depth -= 1;
                }
                other => self.leave(other),
            }
        }
        // The EXIT trap still runs; what it does is not cancelled by the same signal.
        self.cx.control.cancel = crate::jobs::Cancel::default();
        self.set_status(signal.status());
    }

    /// The outermost script is done: its EXIT trap, then the status.
    fn end(&mut self) -> Option<u8> {
        if self.limits_output && self.settle_output() {
            return None;
        }
        let status = self.status();
        let has_trap = self.session().traps.borrow().contains_key("EXIT");
        if self.finished || !has_trap || self.cx.services.interactive {
            return Some(status);
        }
        self.finished = true;
        self.run_trap("EXIT");
        None
    }

    /// Reports an expansion error and says what it ends.
    pub(super) fn expansion_failed(&mut self, error: &ExpandError, pure: bool) -> Flow {
        self.complain(error.span, &error.message);
        if error.ends == Ends::Script || pure {
            return Err(Unwind::Exit(1));
        }
        self.finish(1);
        Ok(())
    }

    /// Writes a rendered error to standard error.
    pub(super) fn complain(&mut self, span: Span, message: &str) {
        let text = if span == Span::default() {
            format!("tabsh: {message}\n")
        } else {
            render(&self.source, &Diagnostic::error("", span, message))
        };
        self.write_error(&text);
    }

    /// Writes text to standard error, waiting behind everything else where it is full.
    pub(super) fn write_error(&mut self, text: &str) {
        let stderr = self.cx.streams.fds.stderr().clone();
        let mut bytes = text.as_bytes();
        while !bytes.is_empty() {
            match stderr.try_write(bytes) {
                Some(Ok(count)) => bytes = bytes.get(count..).unwrap_or_default(),
                Some(Err(_)) => return,
                None => {
                    let rest = bytes.to_vec();
                    self.wait(async move {
                        let _ = stderr.write_all(&rest).await;
                        Box::new(|_: &mut Self| Ok(())) as Next
                    });
                    return;
                }
            }
        }
    }

    /// Writes the output a command gathered; `None` where the machine must wait for it.
    pub(super) fn write_output(&mut self) -> Option<Result<(), Errno>> {
        if self.cx.streams.out.is_empty() {
            return Some(Ok(()));
        }
        let mut done = 0;
        let stdout = self.cx.streams.fds.stdout();
        while let Some(rest) = self.cx.streams.out.get(done..).filter(|rest| !rest.is_empty()) {
            match stdout.try_write(rest) {
                Some(Ok(count)) => done += count,
                Some(Err(errno)) => {
                    self.cx.streams.out.clear();
                    return Some(Err(errno));
                }
                None => {
                    self.cx.streams.out.drain(..done);
                    return None;
                }
            }
        }
        self.cx.streams.out.clear();
        Some(Ok(()))
    }

    /// Enters a nested call; the error is the limit.
    pub(super) fn deepen(&mut self) -> Flow {
        let limit = self.cx.services.limits.recursion;
        if self.depth >= limit {
            let message = format!("maximum recursion depth ({limit} nested calls) exceeded");
            self.complain(Span::default(), &message);
            return Err(Unwind::Exit(1));
        }
        self.depth += 1;
        Ok(())
    }

    /// Gives the expansion that asked for a program a failure instead.
    pub(super) fn refuse_substitution(&mut self, why: &str) {
        self.port.answer(Answer::Failed(why.into()));
    }
}

fn is_loop(frame: &Frame) -> bool {
    matches!(frame, Frame::While { .. } | Frame::For { .. } | Frame::ForArith(..))
}

/// The frame of a loop at the start of its next turn.
fn restart(frame: Frame) -> Frame {
    match frame {
        Frame::While { node, .. } => Frame::While { node, testing: false, status: 0 },
        other => other,
    }
}
