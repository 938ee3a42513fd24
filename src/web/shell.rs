//! The class that crosses to JavaScript: one kernel with its runs, terminals and files.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::{Rc, Weak};
use std::time::Duration;

use js_sys::{Function, Promise};
use serde::Serialize;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};
use wasm_bindgen_futures::future_to_promise;

use super::driver::{Content, Mounts};
use super::records::{
    self, Changes, CommandDetail, ExitKind, KernelOptions, RunRecord, RunRequest,
};
use super::sink::{Outlet, OutletSink};
use super::{WebHost, files};
use crate::host::Host;
use crate::io::{PipeWriter, Stream, pipe};
use crate::jobs::{Cancel, Signal};
use crate::kernel::{ExecuteOptions, Finished, Kernel, KernelConfig, KernelError, Terminal};
use crate::tool::OutputContext;
use crate::vfs::{DriverFs, Filesystem, MemoryFs, Path, Watch};

/// Bytes of output that the page may be behind before a program waits.
const PROGRAM_WINDOW: usize = 512 * 1024;

/// The same for a terminal: so little that Ctrl-C is felt at once.
const TERMINAL_WINDOW: usize = 32 * 1024;

/// A kernel and what runs in it. Every run has a number that the page chose.
#[wasm_bindgen]
pub struct Shell(Rc<Inner>);

struct Inner {
    kernel: Rc<Kernel>,
    host: Rc<dyn Host>,
    runs: RefCell<BTreeMap<u32, Run>>,
    /// `(name, detail) => void`, see `KernelEvents` in `protocol.ts`.
    tell: Function,
    /// Whether the page is told of changed files.
    watching: Cell<bool>,
}

/// What the page can still tell a run.
#[derive(Clone)]
enum Run {
    Program { cancel: Cancel, outlet: Rc<Outlet>, stdin: Rc<RefCell<Option<PipeWriter>>> },
    Terminal { terminal: Rc<Terminal>, outlet: Rc<Outlet> },
}

#[wasm_bindgen]
impl Shell {
    /// Creates a kernel; rejects where its files cannot be written. `tell` gets its events.
    pub fn create(options: JsValue, mounts: Mounts, tell: Function) -> Promise {
        future_to_promise(async move {
            let inner = Inner::create(records::read(options)?, mounts, tell).await?;
            Ok(Self(Rc::new(inner)).into())
        })
    }

    /// Runs a program; resolves with its record once it has ended and its output is sent.
    pub fn exec(&self, run: u32, source: String, request: JsValue, send: Function) -> Promise {
        let inner = Rc::clone(&self.0);
        future_to_promise(async move {
            let request = records::read(request)?;
            inner.exec(run, &source, request, send).await
        })
    }

    /// Opens a terminal; resolves with its record once the session has ended.
    pub fn open(&self, run: u32, columns: u16, rows: u16, send: Function) -> Promise {
        let inner = Rc::clone(&self.0);
        let outlet = Outlet::new(Rc::clone(&inner.host), send, TERMINAL_WINDOW);
        let sink = OutletSink::terminal(&outlet);
        let terminal = Terminal::new(Rc::clone(&inner.kernel), sink, columns, rows);
        let handle = Run::Terminal { terminal: Rc::clone(&terminal), outlet: Rc::clone(&outlet) };
        inner.runs.borrow_mut().insert(run, handle);
        future_to_promise(async move {
            let code = terminal
                .run(|Finished { source, code, cwd }| {
                    inner.report("command", &CommandDetail { source, code, cwd });
                })
                .await;
            inner.runs.borrow_mut().remove(&run);
            outlet.flush();
            records::write(&RunRecord::ended(ExitKind::Exit, code))
        })
    }

    /// Gives a run input, or ends it with `undefined`; resolves once more can be taken.
    pub fn input(&self, run: u32, bytes: Option<Vec<u8>>) -> Promise {
        let target = self.0.run(run);
        future_to_promise(async move {
            match target {
                Some(Run::Terminal { terminal, .. }) => match bytes {
                    Some(bytes) => terminal.input(&bytes),
                    None => terminal.hang_up(),
                },
                Some(Run::Program { stdin, .. }) => feed(&stdin, bytes).await,
                None => {}
            }
            Ok(JsValue::UNDEFINED)
        })
    }

    /// Stops a run as Ctrl-C does.
    pub fn abort(&self, run: u32) {
        match self.0.run(run) {
            Some(Run::Program { cancel, .. }) => cancel.cancel(Signal::Interrupt),
            Some(Run::Terminal { terminal, .. }) => terminal.interrupt(),
            None => {}
        }
    }

    /// The page has used `count` bytes of a run's output.
    pub fn taken(&self, run: u32, count: usize) {
        if let Some(Run::Program { outlet, .. } | Run::Terminal { outlet, .. }) = self.0.run(run) {
            outlet.taken(count);
        }
    }

    /// A terminal has another size.
    pub fn resize(&self, run: u32, columns: u16, rows: u16) {
        if let Some(Run::Terminal { terminal, .. }) = self.0.run(run) {
            terminal.resize(columns, rows);
        }
    }

    /// A request to the files; see `FsRequest` in `protocol.ts`.
    pub fn fs(&self, request: JsValue) -> Promise {
        let kernel = Rc::clone(&self.0.kernel);
        future_to_promise(async move {
            let request = records::read(request)?;
            let cwd = kernel.session().cwd.borrow().clone();
            files::answer(&*kernel.services().backend, &cwd, request).await
        })
    }

    /// Begins to tell the page of changed files, by the event `change`.
    pub fn watch(&self) -> Promise {
        let inner = Rc::clone(&self.0);
        future_to_promise(async move {
            if !inner.watching.replace(true) {
                let backend = &inner.kernel.services().backend;
                let watch = backend.watch(Path::new("/")).await;
                let watch = watch.map_err(records::backend_failure)?;
                let telling = tell_changes(Rc::downgrade(&inner), watch);
                inner.host.spawn(Box::pin(telling));
            }
            Ok(JsValue::UNDEFINED)
        })
    }
}

impl Drop for Shell {
    fn drop(&mut self) {
        for run in self.0.runs.take().into_values() {
            match run {
                Run::Program { cancel, outlet, .. } => {
                    outlet.close();
                    cancel.cancel(Signal::Kill);
                }
                Run::Terminal { terminal, outlet } => {
                    outlet.close();
                    terminal.hang_up();
                }
            }
        }
    }
}

/// Tells the page of changed files for as long as the shell is there.
async fn tell_changes(shell: Weak<Inner>, watch: Watch) {
    loop {
        let paths = watch.next().await;
        let paths = paths.iter().map(|path| path.as_str()).collect();
        let Some(inner) = shell.upgrade() else { return };
        inner.report("change", &Changes { paths });
    }
}

/// Writes to a program's input, or ends it.
async fn feed(stdin: &RefCell<Option<PipeWriter>>, bytes: Option<Vec<u8>>) {
    let writer = stdin.borrow().clone();
    match (writer, bytes) {
        (Some(writer), Some(bytes)) => {
            // A program that reads no further leaves the rest unread.
            let _ = Stream::PipeWriter(writer).write_all(&bytes).await;
        }
        _ => {
            stdin.take();
        }
    }
}

impl Inner {
    async fn create(
        options: KernelOptions,
        mounts: Mounts,
        tell: Function,
    ) -> Result<Self, JsValue> {
        let host: Rc<dyn Host> = Rc::new(WebHost::new()?);
        let mut config = KernelConfig::new(Rc::clone(&host));
        config.env =
            options.env.into_iter().map(|(name, value)| (name.into(), value.into())).collect();
        for (path, content) in mounts.take() {
            let (host, memory) = (Rc::clone(&host), &config.memory);
            let fs: Rc<dyn Filesystem> = match content {
                Content::Files(fs) => fs,
                Content::Driver(driver) => Rc::new(DriverFs::new(driver, host, memory)),
                Content::Memory => Rc::new(MemoryFs::new(host, memory)),
            };
            config.mounts.push((path, fs));
        }
        config.columns = options.columns.unwrap_or(config.columns);
        let kernel = Rc::new(Kernel::new(config));
        let backend = &*kernel.services().backend;
        if let Some(cwd) = options.cwd {
            let path = files::absolute("/home/user", &cwd);
            files::make_all(backend, &path).await.map_err(records::backend_failure)?;
            kernel.set_cwd(path.as_str());
        }
        let cwd = kernel.session().cwd.borrow().clone();
        for (path, content) in options.files {
            files::put(backend, &cwd, &path, &content).await.map_err(records::backend_failure)?;
        }
        let watching = Cell::new(false);
        Ok(Self { kernel, host, runs: RefCell::default(), tell, watching })
    }

    fn run(&self, number: u32) -> Option<Run> {
        self.runs.borrow().get(&number).cloned()
    }

    async fn exec(
        &self,
        number: u32,
        source: &str,
        request: RunRequest,
        send: Function,
    ) -> Result<JsValue, JsValue> {
        let outlet = Outlet::new(Rc::clone(&self.host), send, PROGRAM_WINDOW);
        let cancel = Cancel::default();
        let (stdin, writer) = standard_input(&request);
        let handle = Run::Program {
            cancel: cancel.clone(),
            outlet: Rc::clone(&outlet),
            stdin: Rc::new(RefCell::new(writer)),
        };
        self.runs.borrow_mut().insert(number, handle);
        if let Some(columns) = request.columns {
            self.kernel.services().columns.set(columns);
        }
        let options = ExecuteOptions {
            stdin: Some(stdin),
            stdout: Some(Stream::Sink(OutletSink::new(&outlet, 1))),
            stderr: Some(Stream::Sink(OutletSink::new(&outlet, 2))),
            timeout: request.timeout_ms.and_then(|ms| Duration::try_from_secs_f64(ms / 1e3).ok()),
            cancel: Some(cancel.clone()),
            context: OutputContext::Script,
            ..ExecuteOptions::default()
        };
        let result = self.kernel.execute(source, options).await;
        self.runs.borrow_mut().remove(&number);
        let record = match &result {
            Ok(result) => {
                let kind = match cancel.signal() {
                    Some(Signal::Timeout) => ExitKind::Limit,
                    Some(_) => ExitKind::Aborted,
                    None => ExitKind::Exit,
                };
                let data = records::plain(result.value.as_ref());
                RunRecord { data, ..RunRecord::ended(kind, result.code) }
            }
            Err(KernelError::Rejected { issues, rendered }) => {
                outlet.write(2, rendered.as_bytes());
                RunRecord::rejected(issues)
            }
        };
        self.save(&outlet).await;
        outlet.flush();
        records::write(&record)
    }

    /// Hands what a run wrote to the store before it counts as done.
    async fn save(&self, outlet: &Rc<Outlet>) {
        if let Err(error) = self.kernel.services().backend.flush(false).await {
            outlet.write(2, format!("tabsh: not saved: {error}\n").as_bytes());
        }
    }

    /// Tells the page of an event.
    fn report<T: Serialize>(&self, name: &str, detail: &T) {
        // A page that throws while it listens has no better place to hear of it.
        let _ = records::write(detail)
            .and_then(|detail| self.tell.call2(&JsValue::NULL, &name.into(), &detail));
    }
}

/// The standard input of a run, and the end that the page writes to where more follows.
fn standard_input(request: &RunRequest) -> (Stream, Option<PipeWriter>) {
    if !request.stdin_open {
        let bytes = request.stdin.as_ref().map(records::Content::to_bytes).unwrap_or_default();
        return (Stream::from_bytes(bytes), None);
    }
    let (reader, writer) = pipe();
    (Stream::PipeReader(reader), Some(writer))
}
