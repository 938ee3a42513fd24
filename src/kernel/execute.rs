//! The kernel: one shell, its files, and the calls that run programs in it.

use std::cell::RefCell;
use std::rc::Rc;

use crate::backend::{JsBackend, LocalBackend, OverlayBackend};
use crate::env::{Recording, Scope, Session};
use crate::exec::{ChildDispatcher, Machine};
use crate::io::{Capture, Descriptors, Stream};
use crate::jobs::{Cancel, JobTable, Signal, WorkBudget};
use crate::syntax::{Diagnostic, Script, Source, render};
use crate::tool::{
    Control, ExecContext, KernelBackend, Nonces, OutputContext, Registry, Services, Streams,
};
use crate::validate::{self, Checked, Facts};
use crate::value::{EcoString, Value};
use crate::vfs::VfsRouter;

use super::KernelConfig;
use super::mounts::mount_standard;

/// A shell with its files.
pub struct Kernel {
    services: Rc<Services>,
    session: Rc<Session>,
    router: Rc<VfsRouter>,
    /// The descriptors that `exec` redirected, kept for the next call.
    kept: RefCell<Option<Descriptors>>,
}

/// How one program is run.
#[derive(Default)]
pub struct ExecuteOptions {
    /// What to call the program in messages; empty at a prompt.
    pub name: EcoString,
    /// Standard input; empty where not given.
    pub stdin: Option<Stream>,
    /// Standard output; captured where not given.
    pub stdout: Option<Stream>,
    /// Standard error; captured where not given.
    pub stderr: Option<Stream>,
    /// Variables set before it runs.
    pub vars: Vec<(EcoString, Value)>,
    /// The directory to be in.
    pub cwd: Option<EcoString>,
    /// A time limit; zero only validates.
    pub timeout: Option<std::time::Duration>,
    /// Ends it from outside.
    pub cancel: Option<Cancel>,
    /// How results are rendered.
    pub context: OutputContext,
}

/// What a program came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExecResult {
    /// The exit status.
    pub code: u8,
    /// Standard output, where it was captured.
    pub stdout: Vec<u8>,
    /// Standard error, where it was captured.
    pub stderr: Vec<u8>,
    /// The typed value of the last command, where it answered one.
    pub value: Option<Value>,
    /// The status of the last command whose output was cut, which then has status 3.
    pub original_code: Option<u8>,
    /// Whether `exit` ended it: a prompt then ends its session.
    pub exited: bool,
}

/// Why a program did not run.
#[derive(Debug, thiserror::Error)]
pub enum KernelError {
    /// It was rejected before anything ran; the rendered issues.
    #[error("{rendered}")]
    Rejected {
        /// The issues, in order of place.
        issues: Vec<Diagnostic>,
        /// The issues as text for a person.
        rendered: String,
    },
}

impl Kernel {
    /// A kernel of the given parts.
    pub fn new(config: KernelConfig) -> Self {
        let KernelConfig { host, mounts, builtins, limits, .. } = config;
        let registry = Rc::new(Registry::new(builtins));
        let jobs = Rc::new(JobTable::default());
        let router = Rc::new(VfsRouter::new());
        let budget = config.memory;
        mount_standard(&router, &host, &budget, (&registry, &jobs));
        // A root of the page's own makes the backend the page's.
        let host_root = mounts.iter().any(|(path, _)| path.as_str() == "/");
        for (path, fs) in mounts {
            router.mount(&path, fs);
        }
        let (backend, overlay): (Rc<dyn KernelBackend>, _) = if config.overlay {
            let (below, tools) = (Rc::clone(&router), Rc::clone(&registry));
            let over = OverlayBackend::new(below, tools, Rc::clone(&host), &budget);
            (Rc::<LocalBackend>::clone(over.backend()), Some(Rc::clone(over.overlay())))
        } else {
            let make = if host_root { JsBackend::over } else { LocalBackend::new };
            (Rc::new(make(Rc::clone(&router), Rc::clone(&registry))), None)
        };
        let services = Rc::new(Services {
            backend,
            registry,
            nonces: Nonces::new(Rc::clone(&host)),
            overlay,
            budget: Rc::new(WorkBudget::new(Rc::clone(&host))),
            host,
            jobs,
            dispatcher: Rc::new(ChildDispatcher),
            limits,
            session_id: config.session_id,
            interactive: config.interactive,
            columns: config.columns.into(),
        });
        let session = new_session(&config.env);
        Self { services, session: Rc::new(session), router, kept: RefCell::default() }
    }

    /// What all shells of the kernel share.
    pub fn services(&self) -> &Rc<Services> {
        &self.services
    }

    /// The state of the shell.
    pub fn session(&self) -> &Rc<Session> {
        &self.session
    }

    /// The mounts.
    pub fn router(&self) -> &Rc<VfsRouter> {
        &self.router
    }

    /// Goes to a directory without looking whether it is there.
    pub fn set_cwd(&self, path: &str) {
        self.session.cwd.replace(path.into());
        // Nothing makes `PWD` readonly before a program has run.
        let _ = self.session.scope.borrow_mut().set("PWD", Value::text(path));
    }

    /// Parses and validates a program without running it.
    pub fn check(&self, source: &str) -> (Rc<Script>, Vec<Diagnostic>) {
        let checked = self.checked(source);
        (checked.script, checked.issues)
    }

    fn checked(&self, source: &str) -> Checked {
        let registry = &self.services.registry;
        validate::check(source, &Facts { session: &self.session, registry, sourced: false })
    }

    /// Runs a program and resolves when it has ended.
    pub async fn execute(
        &self,
        source: &str,
        options: ExecuteOptions,
    ) -> Result<ExecResult, KernelError> {
        let checked = self.checked(source);
        let source = Rc::new(Source::new(options.name.clone(), source));
        let rendered: String = checked.shown().map(|issue| render(&source, issue)).collect();
        if checked.is_rejected() {
            return Err(KernelError::Rejected { issues: checked.issues, rendered });
        }
        if options.timeout.is_some_and(|timeout| timeout.is_zero()) {
            return Ok(ExecResult::default());
        }
        Ok(self.run(checked.script, source, &rendered, options).await)
    }

    async fn run(
        &self,
        script: Rc<Script>,
        source: Rc<Source>,
        warnings: &str,
        options: ExecuteOptions,
    ) -> ExecResult {
        self.prepare(&options);
        let limit = self.services.limits.value_bytes;
        let (out, err) = (Capture::with_limit(limit), Capture::with_limit(limit));
        let (out, err) = (Rc::new(out), Rc::new(err));
        let fds = Descriptors::new(
            options.stdin.unwrap_or(Stream::Null),
            options.stdout.unwrap_or_else(|| Stream::Capture(Rc::clone(&out))),
            options.stderr.unwrap_or_else(|| Stream::Capture(Rc::clone(&err))),
        );
        let fds = self.kept.take().unwrap_or_else(|| self.watched(fds));
        if !warnings.is_empty() {
            // Nobody waits for a warning where standard error is broken.
            let _ = fds.stderr().write_all(warnings.as_bytes()).await;
        }
        let cancel = options.cancel.unwrap_or_default();
        let timer = options.timeout.map(|timeout| self.limit_time(timeout, cancel.clone()));
        let cx = ExecContext {
            streams: Streams { fds, context: options.context, ..Streams::default() },
            session: Rc::clone(&self.session),
            services: Rc::clone(&self.services),
            control: Control { cancel, ..Control::default() },
        };
        self.services.budget.renew();
        let mut machine = Machine::new(cx, source, script);
        machine.limit_output();
        let code = machine.run().await;
        if let Some(timer) = timer {
            timer.abort();
        }
        if machine.redirected() {
            self.kept.replace(Some(machine.descriptors().clone()));
        }
        ExecResult {
            code,
            stdout: out.take_bytes(),
            stderr: err.take_bytes(),
            value: self.session.last.output.value(),
            original_code: machine.original_code(),
            exited: machine.exited(),
        }
    }

    /// Descriptors whose standard output is recorded for `kaish-last`, and may be cut.
    fn watched(&self, mut fds: Descriptors) -> Descriptors {
        let mut stdout = fds.stdout().clone();
        if matches!(stdout, Stream::Capture(_) | Stream::Sink(_)) {
            let limiter = Rc::clone(&self.session.last.limiter);
            limiter.attach(stdout);
            stdout = Stream::Sink(limiter);
        }
        fds.set(1, stdout.observed(Rc::<Recording>::clone(&self.session.last.output)));
        fds
    }

    fn prepare(&self, options: &ExecuteOptions) {
        let mut scope = self.session.scope.borrow_mut();
        for (name, value) in &options.vars {
            // A readonly name keeps its value: the caller asked for it itself earlier.
            let _ = scope.set(name, value.clone());
        }
        drop(scope);
        if let Some(cwd) = &options.cwd {
            self.session.cwd.replace(cwd.clone());
        }
    }

    fn limit_time(
        &self,
        timeout: std::time::Duration,
        cancel: Cancel,
    ) -> futures::future::AbortHandle {
        let sleep = self.services.host.sleep(timeout);
        let (task, handle) = futures::future::abortable(async move {
            sleep.await;
            cancel.cancel(Signal::Timeout);
        });
        self.services.host.spawn(Box::pin(async move {
            // An aborted timer has nothing to say.
            let _ = task.await;
        }));
        handle
    }
}

fn new_session(env: &[(EcoString, EcoString)]) -> Session {
    let session = Session::default();
    let mut scope = Scope::default();
    let standard = [
        ("HOME", "/home/user"),
        ("USER", "user"),
        ("PATH", "/v/bin"),
        ("PWD", "/home/user"),
        ("LANG", "C.UTF-8"),
    ];
    let given = env.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    for (name, value) in standard.into_iter().chain(given) {
        scope.declare(name, |variable| {
            variable.value = Some(Value::text(value));
            variable.exported = true;
        });
    }
    session.config.start.replace(scope.clone());
    session.scope.replace(scope);
    session.cwd.replace("/home/user".into());
    session
}
