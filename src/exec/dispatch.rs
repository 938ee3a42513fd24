//! Calls: functions, builtins, scripts, tools; replies and requests.

use std::rc::Rc;
use std::time::Duration;

use futures::future::{AbortHandle, Abortable, FutureExt, LocalBoxFuture};

use super::Machine;
use super::flow::{Flow, Unwind};
use super::frame::{Frame, Next, Purpose, TimeoutFrame};
use super::resolve::{Found, not_found};
use crate::env::{Function, Positional, ShellOption};
use crate::io::Errno;
use crate::jobs::Signal;
use crate::syntax::{Script, Source, Span};
use crate::tool::{
    Args, Binding, Builtin, Dispatcher, ExecContext, Outcome, Prepared, Reply, Request, Run, Stop,
    Tool, finish, invoke, prepare, render,
};
use crate::value::{EcoString, Value};

impl Machine {
    /// Calls a command by its expanded words.
    pub(super) fn call(&mut self, words: Vec<Value>) -> Flow {
        if self.option(ShellOption::XTrace) {
            self.trace(&words);
        }
        let Some(name) = words.first().and_then(Value::to_text) else {
            self.complain(Span::default(), "a command's name cannot be bytes");
            self.finish(127);
            return Ok(());
        };
        let function = self.session().functions.borrow().get(&name).cloned();
        if let Some(function) = function {
            return self.call_function(&function, words);
        }
        self.call_command(name, words)
    }

    /// Calls a command, passing over functions.
    pub(super) fn call_command(&mut self, name: EcoString, words: Vec<Value>) -> Flow {
        let registry = Rc::clone(&self.cx.services.registry);
        let name = match name.strip_prefix("/v/bin/") {
            Some(plain) if registry.builtin(plain).is_some() => EcoString::from(plain),
            _ => name,
        };
        if let Some(builtin) = registry.builtin(&name) {
            return self.call_builtin(builtin, name, words);
        }
        self.call_elsewhere(name, words)
    }

    fn trace(&mut self, words: &[Value]) {
        let mut line = String::from("+");
        for word in words {
            let text = word.to_text_lossy();
            let plain = !text.is_empty()
                && text.chars().all(|c| c.is_alphanumeric() || "_-./:=,@%+".contains(c));
            line.push(' ');
            if plain {
                line.push_str(&text);
            } else {
                line.push_str(&format!("'{}'", text.replace("'", "'\\''")));
            }
        }
        line.push('\n');
        self.write_error(&line);
    }

    fn call_function(&mut self, function: &Rc<Function>, mut words: Vec<Value>) -> Flow {
        self.deepen()?;
        words.remove(0);
        self.cx.session.scope.borrow_mut().enter(words);
        let source = std::mem::replace(&mut self.source, Rc::clone(&function.source));
        self.frames.push(Frame::Function(source));
        self.compound(&function.definition.body)
    }

    fn call_builtin(
        &mut self,
        builtin: &'static Builtin,
        name: EcoString,
        mut words: Vec<Value>,
    ) -> Flow {
        words.remove(0);
        self.cx.control.name = name;
        if !builtin.spec.typed
            && let Some(at) = words.iter().position(|word| matches!(word, Value::Bytes(_)))
        {
            let message = format!(
                "argument {} is bytes that are not UTF-8 text; `write FILE $x` stores them, base64 or xxd make text",
                at + 1
            );
            self.cx.warn(message);
            return self.conclude(Reply::Status(1));
        }
        let args = if builtin.spec.binding == Binding::Raw {
            Args::raw(words)
        } else {
            match prepare(&mut self.cx, &builtin.spec, &words) {
                Prepared::Run(args) => args,
                Prepared::Done(status) => return self.conclude(Reply::Status(status)),
            }
        };
        let outcome = match builtin.run {
            Run::Now(run) => Some(run(&mut self.cx, &args)),
            Run::Mixed(run, _) if !args.json => run(&mut self.cx, &args),
            Run::Mixed(..) | Run::Wait(_) => None,
        };
        let Some(outcome) = outcome else {
            self.start_builtin(builtin, args);
            return Ok(());
        };
        if outcome.is_ok() {
            render(&mut self.cx, args.json);
        }
        let reply = finish(&mut self.cx, outcome);
        self.conclude(reply)
    }

    fn start_builtin(&mut self, builtin: &'static Builtin, args: Args) {
        let mut cx = self.command_context();
        self.wait(async move {
            let outcome = invoke(builtin, &args, &mut cx).await;
            done(cx, outcome).await
        });
    }

    fn command_context(&self) -> ExecContext {
        let mut cx = self.cx.with_streams(self.cx.streams.fds.clone());
        cx.control.depth = self.depth;
        cx
    }

    fn start_tool(&mut self, tool: Rc<dyn Tool>, words: &[Value]) -> Flow {
        let spec = tool.spec();
        self.cx.control.name = spec.name.into();
        let args = match prepare(&mut self.cx, &spec, words.get(1..).unwrap_or_default()) {
            Prepared::Run(args) => args,
            Prepared::Done(status) => return self.conclude(Reply::Status(status)),
        };
        let mut cx = self.command_context();
        self.wait(async move {
            let mut outcome = tool.execute(&args, &mut cx).await;
            if outcome.is_ok() {
                render(&mut cx, args.json);
                if let Err(stop) = cx.flush().await {
                    outcome = Err(stop);
                }
            }
            done(cx, outcome).await
        });
        Ok(())
    }

    /// Writes what a command gathered, then acts on its reply.
    pub(super) fn conclude(&mut self, reply: Reply) -> Flow {
        let error = std::mem::take(&mut self.cx.streams.err);
        match self.write_output() {
            Some(Ok(())) => {}
            Some(Err(Errno::BrokenPipe)) => return self.broken_pipe(),
            Some(Err(errno)) => {
                let message = format!("{}: write error: {errno}\n", self.cx.control.name);
                self.write_error(&message);
                self.finish(1);
                return Ok(());
            }
            None => {
                self.wait_for_output(error, reply);
                return Ok(());
            }
        }
        if !error.is_empty() {
            self.write_error(&String::from_utf8_lossy(&error));
        }
        self.act(reply)
    }

    fn wait_for_output(&mut self, error: Vec<u8>, reply: Reply) {
        let bytes = std::mem::take(&mut self.cx.streams.out);
        let fds = self.cx.streams.fds.clone();
        self.wait(async move {
            let written = fds.stdout().write_all(&bytes).await;
            if !error.is_empty() {
                // A broken standard error does not change what the command answers.
                let _ = fds.stderr().write_all(&error).await;
            }
            drop(fds);
            Box::new(move |machine: &mut Self| match written {
                Ok(()) => machine.act(reply),
                Err(Errno::BrokenPipe) => machine.broken_pipe(),
                Err(_) => {
                    machine.finish(1);
                    Ok(())
                }
            }) as Next
        });
    }

    pub(super) fn act(&mut self, reply: Reply) -> Flow {
        let request = match reply {
            Reply::Status(status) => {
                self.finish(status);
                return Ok(());
            }
            Reply::Request(request) => request,
        };
        match request {
            Request::Break(n) => Err(Unwind::Break(n.max(1))),
            Request::Continue(n) => Err(Unwind::Continue(n.max(1))),
            Request::Signal(name, status) => self.signal_self(name, status),
            Request::Return(status) => Err(Unwind::Return(status)),
            Request::Exit(status) => {
                self.exited = !self.frames.iter().any(|frame| matches!(frame, Frame::Shell(_)));
                Err(Unwind::Exit(status))
            }
            Request::KeepRedirects => {
                self.keep_redirects();
                self.finish(0);
                Ok(())
            }
            Request::Call { words, builtins_only, timeout } => {
                if let Some((duration, signal)) = timeout {
                    self.limit_time(duration, signal);
                }
                if !builtins_only {
                    return self.call(words);
                }
                let name = words.first().map(Value::to_text_lossy).unwrap_or_default();
                self.call_command(name, words)
            }
            Request::Source { script, source, arguments } => {
                self.run_source(script, source, arguments)
            }
            Request::Script { script, source, name, arguments, options } => {
                self.enter_script(&name, arguments)?;
                self.session().options.set(options);
                self.source = source;
                self.frames.push(Frame::Script(script, 0));
                Ok(())
            }
        }
    }

    fn run_source(
        &mut self,
        script: Rc<Script>,
        source: Rc<Source>,
        arguments: Option<Vec<Value>>,
    ) -> Flow {
        self.deepen()?;
        self.session().last.sourced.borrow_mut().push(source.name.clone());
        let outer = std::mem::replace(&mut self.source, source);
        let positional = arguments.map(|arguments| {
            let mut scope = self.cx.session.scope.borrow_mut();
            let before = scope.positional().clone();
            scope.set_positional(Positional::new(arguments));
            before
        });
        self.frames.push(Frame::Sourced(outer, positional));
        self.set_status(0);
        self.frames.push(Frame::Script(script, 0));
        Ok(())
    }

    /// Enters a shell of its own for a script: exported variables, no functions, default options.
    pub(super) fn enter_script(&mut self, name: &str, arguments: Vec<Value>) -> Flow {
        self.enter_shell(Purpose::Subshell)?;
        let session = &self.cx.session;
        let mut scope = session.scope.borrow().exported();
        scope.set_script_name(name);
        scope.set_positional(Positional::new(arguments));
        session.scope.replace(scope);
        session.functions.take();
        session.aliases.take();
        session.options.take();
        session.traps.take();
        session.last.sourced.take();
        session.last.status.set(0);
        Ok(())
    }

    /// `exec >log`: the redirects of this call stay in force.
    fn keep_redirects(&mut self) {
        self.redirected = true;
        if let Some(Frame::Redirect(redirect)) =
            self.frames.pop_if(|frame| matches!(frame, Frame::Redirect(_)))
        {
            let (_, files) = *redirect;
            // No command's end closes them: what later commands write must not wait for it.
            files.iter().for_each(|file| file.file().store_as_written());
        }
        if let Some(Frame::Prefix(_)) = self.frames.last() {
            self.frames.pop();
        }
    }

    fn limit_time(&mut self, duration: Duration, signal: Signal) {
        let token = self.cx.control.cancel.child();
        let (timer, registration) = AbortHandle::new_pair();
        let sleep = self.cx.services.host.sleep(duration);
        let expiring = token.clone();
        let task = Abortable::new(
            async move {
                sleep.await;
                expiring.cancel(signal);
            },
            registration,
        );
        self.cx.services.host.spawn(task.map(|_| ()).boxed_local());
        let outer = std::mem::replace(&mut self.cx.control.cancel, token);
        self.frames.push(Frame::Timeout(Box::new(TimeoutFrame { outer, timer })));
    }

    /// Looks for what is no function and no builtin: a script, then a registered tool.
    fn call_elsewhere(&mut self, name: EcoString, words: Vec<Value>) -> Flow {
        let expander = self.expander();
        self.wait(async move {
            let found = super::resolve::look_up(&expander, &name).await;
            Box::new(move |machine: &mut Self| machine.call_found(found, &name, words)) as Next
        });
        Ok(())
    }

    fn call_found(&mut self, found: Found, name: &str, words: Vec<Value>) -> Flow {
        match found {
            Found::Script { script, source } => {
                let arguments = words.into_iter().skip(1).collect();
                self.enter_script(name, arguments)?;
                self.source = source;
                self.frames.push(Frame::Script(script, 0));
                Ok(())
            }
            Found::Rejected(text) => {
                self.write_error(&text);
                self.finish(2);
                Ok(())
            }
            Found::Refused(status, message) => {
                self.write_error(&format!("tabsh: {name}: {message}\n"));
                self.finish(status);
                Ok(())
            }
            Found::Nothing => {
                if let Some(tool) = self.cx.services.registry.tool(name) {
                    return self.start_tool(tool, &words);
                }
                let text = not_found(self, name, &words);
                self.write_error(&text);
                self.finish(127);
                Ok(())
            }
        }
    }
}

/// Ends a command that could wait: writes what is left and turns the outcome into the next step.
async fn done(mut cx: ExecContext, outcome: Outcome) -> Next {
    let broken = matches!(outcome, Err(Stop::BrokenPipe));
    let cancelled = matches!(outcome, Err(Stop::Cancelled));
    let reply = finish(&mut cx, outcome);
    if broken {
        return Box::new(Machine::broken_pipe);
    }
    if !cancelled && cx.flush().await == Err(Stop::BrokenPipe) {
        return Box::new(Machine::broken_pipe);
    }
    drop(cx);
    Box::new(move |machine: &mut Machine| machine.act(reply))
}

/// Runs commands for commands, each on a machine of its own.
#[derive(Default)]
pub struct ChildDispatcher;

impl Dispatcher for ChildDispatcher {
    fn call(&self, cx: &ExecContext, words: Vec<Value>) -> LocalBoxFuture<'static, u8> {
        let session = Rc::new(cx.session.snapshot());
        let cx = ExecContext { session, ..cx.clone() };
        let cancel = cx.control.cancel.child();
        let guard = CancelOnDrop(cancel.clone());
        let child = super::pipeline::Child::spawn(cx, cancel, |machine| machine.call(words));
        async move {
            let status = child.wait().await;
            std::mem::forget(guard);
            status
        }
        .boxed_local()
    }
}

/// Ends a command whose caller stopped waiting for it.
struct CancelOnDrop(crate::jobs::Cancel);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel(Signal::Terminate);
    }
}
