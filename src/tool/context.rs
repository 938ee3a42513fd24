//! The execution context of a command: streams, session, services, control, each a group.

use std::fmt::Display;
use std::rc::Rc;
use std::time::Duration;

use async_trait::async_trait;
use futures::future::{Either, select};

use super::{KernelBackend, Services, Stop, ToolCtx};
use crate::env::Session;
use crate::io::{Descriptors, Errno, IoResult, Stream};
use crate::jobs::{Cancel, Signal};
use crate::value::{EcoString, Value};
use crate::vfs::{Path, PathBuf};

/// Bytes of output held back before they are written.
const FLUSH_AT: usize = 32 * 1024;

/// How results are rendered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OutputContext {
    /// Columns and colour for a person at a terminal.
    Interactive,
    /// One per line for another command.
    Piped,
    /// Compact, for a model.
    Model,
    /// One per line for a script.
    #[default]
    Script,
}

/// The streams of a command and what it has not written yet.
#[derive(Clone, Default)]
pub struct Streams {
    /// Descriptors.
    pub fds: Descriptors,
    /// Standard output that waits to be written; the frame writes it at the end.
    pub out: Vec<u8>,
    /// Standard error that waits to be written.
    pub err: Vec<u8>,
    /// The typed result.
    pub value: Option<Value>,
    /// How results are rendered.
    pub context: OutputContext,
}

/// What ends or slows a command.
#[derive(Clone, Default)]
pub struct Control {
    /// Cancellation.
    pub cancel: Cancel,
    /// The name the command was called by, for messages.
    pub name: EcoString,
    /// Nested calls around it.
    pub depth: usize,
}

/// Everything a builtin may use.
#[derive(Clone)]
pub struct ExecContext {
    /// Its streams.
    pub streams: Streams,
    /// The shell it runs in.
    pub session: Rc<Session>,
    /// What all shells share.
    pub services: Rc<Services>,
    /// Cancellation and name.
    pub control: Control,
}

impl ExecContext {
    /// A context on other streams, in the same shell.
    #[must_use]
    pub fn with_streams(&self, fds: Descriptors) -> Self {
        let streams = Streams { fds, context: self.streams.context, ..Streams::default() };
        Self {
            streams,
            session: Rc::clone(&self.session),
            services: Rc::clone(&self.services),
            control: self.control.clone(),
        }
    }

    /// The files.
    pub fn backend(&self) -> &Rc<dyn KernelBackend> {
        &self.services.backend
    }

    /// An operand as an absolute path; `.` and `..` stay for the filesystem to resolve. The empty
    /// one stays empty, which no file is called.
    pub fn resolve(&self, path: &str) -> PathBuf {
        if path.is_empty() {
            return PathBuf::new();
        }
        let mut full = PathBuf::from(self.session.cwd.borrow().as_str());
        full.push(path);
        full
    }

    /// Standard input.
    pub fn stdin(&self) -> Stream {
        self.streams.fds.stdin().clone()
    }

    /// Whether a person will read standard output: then come columns, colour and quotes.
    pub fn is_for_person(&self) -> bool {
        let stdout = self.streams.fds.stdout();
        match stdout {
            Stream::Sink(_) => {
                self.streams.context == OutputContext::Interactive || stdout.is_terminal()
            }
            _ => stdout.is_terminal(),
        }
    }

    /// Adds to standard output without waiting; for commands that answer at once.
    pub fn push(&mut self, bytes: impl AsRef<[u8]>) {
        self.streams.out.extend_from_slice(bytes.as_ref());
    }

    /// Adds text and a newline to standard output without waiting.
    pub fn push_line(&mut self, line: impl AsRef<[u8]>) {
        self.push(line);
        self.streams.out.push(b'\n');
    }

    /// Writes to standard output, waiting where it is full. Small writes are gathered; they leave
    /// when enough has come together, when the command waits for input or time, and at its end.
    pub async fn write(&mut self, bytes: &[u8]) -> Result<(), Stop> {
        self.streams.out.extend_from_slice(bytes);
        if self.streams.out.len() >= FLUSH_AT {
            self.flush().await?;
        }
        Ok(())
    }

    /// Writes text and a newline to standard output.
    pub async fn write_line(&mut self, line: &[u8]) -> Result<(), Stop> {
        self.streams.out.extend_from_slice(line);
        self.write(b"\n").await
    }

    /// Writes out what was gathered.
    pub async fn flush(&mut self) -> Result<(), Stop> {
        if !self.streams.out.is_empty() {
            let bytes = std::mem::take(&mut self.streams.out);
            let stdout = self.streams.fds.stdout().clone();
            let count = u32::try_from(bytes.len() / 16).unwrap_or(u32::MAX);
            self.unless_cancelled(stdout.write_all(&bytes)).await?;
            self.streams.out = bytes;
            self.streams.out.clear();
            self.checkpoint(count).await?;
        }
        if !self.streams.err.is_empty() {
            let bytes = std::mem::take(&mut self.streams.err);
            let stderr = self.streams.fds.stderr().clone();
            // A closed or broken standard error must not hide the command's own status.
            let _ = self.unless_cancelled(stderr.write_all(&bytes)).await;
        }
        Ok(())
    }

    /// Reports `name: message` on standard error, after the output so far.
    pub async fn complain(&mut self, message: impl Display) -> Result<(), Stop> {
        self.warn(message);
        self.flush().await
    }

    /// Reports `name: message` on standard error without waiting.
    pub fn warn(&mut self, message: impl Display) {
        let line = format!("{}: {message}\n", self.control.name);
        self.streams.err.extend_from_slice(line.as_bytes());
    }

    /// Reports `name: message` and answers the failure with `status`.
    pub fn fail(&mut self, status: u8, message: impl Display) -> Stop {
        self.warn(message);
        Stop::Failed(status)
    }

    /// Reports `name: message` and where to read on, and answers the failure with `status`.
    pub fn misuse(&mut self, status: u8, message: impl Display) -> Stop {
        self.warn(message);
        let hint = format!("Try '{} --help' for more information.\n", self.control.name);
        self.streams.err.extend_from_slice(hint.as_bytes());
        Stop::Failed(status)
    }

    /// Charges work and yields where the slice is used up; the error is a cancellation.
    ///
    /// One unit is about one simple step or 16 bytes. Call it in every loop.
    pub async fn checkpoint(&mut self, units: u32) -> Result<(), Stop> {
        if self.control.cancel.signal().is_some() {
            return Err(Stop::Cancelled);
        }
        if self.services.budget.charge(units) {
            self.services.budget.rest().await;
            if self.control.cancel.signal().is_some() {
                return Err(Stop::Cancelled);
            }
        }
        Ok(())
    }

    /// Waits for `future`, or stops with [`Stop::Cancelled`] as soon as the command is cancelled.
    pub async fn unless_cancelled<T>(
        &self,
        future: impl Future<Output = IoResult<T>>,
    ) -> Result<T, Stop> {
        let future = std::pin::pin!(future);
        let cancel = self.control.cancel.clone();
        let cancelled = std::pin::pin!(cancel.cancelled());
        match select(future, cancelled).await {
            Either::Left((result, _)) => Ok(result?),
            Either::Right(_) => Err(Stop::Cancelled),
        }
    }

    /// Reads at most 64 KiB from a stream; empty at its end. What was gathered for standard output
    /// leaves before it waits.
    pub async fn read_chunk(&mut self, stream: &Stream) -> Result<Vec<u8>, Stop> {
        self.read_some(stream, 64 * 1024).await
    }

    /// Reads at most `most` bytes, consuming nothing after them; else like [`Self::read_chunk`].
    pub async fn read_some(&mut self, stream: &Stream, most: usize) -> Result<Vec<u8>, Stop> {
        let chunk = match stream.try_read(most) {
            Some(result) => result?,
            None => {
                self.flush().await?;
                self.unless_cancelled(stream.read(most)).await?
            }
        };
        self.checkpoint(u32::try_from(chunk.len() / 16).unwrap_or(0)).await?;
        Ok(chunk)
    }

    /// Reads a stream to its end.
    pub async fn read_all(&mut self, stream: &Stream) -> Result<Vec<u8>, Stop> {
        let mut all = Vec::new();
        loop {
            let chunk = self.read_chunk(stream).await?;
            if chunk.is_empty() {
                return Ok(all);
            }
            if all.len() + chunk.len() > self.services.limits.value_bytes {
                let limit = self.services.limits.value_bytes;
                return Err(
                    self.fail(1, format!("input is larger than the limit of {limit} bytes"))
                );
            }
            all.extend_from_slice(&chunk);
        }
    }

    /// Appends the next line with its newline to `line`; `false` at the end with nothing read.
    pub async fn read_line(&mut self, stream: &Stream, line: &mut Vec<u8>) -> Result<bool, Stop> {
        let before = line.len();
        let found = match stream.try_read_until(b'\n', line) {
            Some(result) => result?,
            None => {
                self.flush().await?;
                self.unless_cancelled(stream.read_until(b'\n', line)).await?
            }
        };
        self.checkpoint(1).await?;
        Ok(found || line.len() > before)
    }

    /// Waits.
    pub async fn sleep(&mut self, duration: Duration) -> Result<(), Stop> {
        self.flush().await?;
        let sleep = self.services.host.sleep(duration);
        self.unless_cancelled(async {
            sleep.await;
            Ok(())
        })
        .await
    }

    /// Opens an operand for reading: `-` is standard input. A failure is reported as
    /// `name: operand: reason`, and `None` returned.
    pub async fn open_input(&mut self, operand: &str) -> Result<Option<Stream>, Stop> {
        if operand == "-" {
            return Ok(Some(self.stdin()));
        }
        let path = self.resolve(operand);
        let opened = Rc::clone(self.backend()).open_read(&path).await;
        match opened {
            Ok(stream) => Ok(Some(stream)),
            Err(error) => {
                self.complain(format_args!("{operand}: {}", error.errno())).await?;
                Ok(None)
            }
        }
    }

    /// Leaves a typed result; the frame renders it as text or JSON.
    pub fn answer(&mut self, value: Value) {
        self.streams.value = Some(value);
    }

    /// Standard input as a typed value, where its writer left one, else its bytes.
    pub async fn read_value_or_bytes(&mut self) -> Result<Result<Value, Vec<u8>>, Stop> {
        let stdin = self.stdin();
        let bytes = self.read_all(&stdin).await?;
        Ok(stdin.take_value().ok_or(bytes))
    }

    /// The exit status of the signal that cancelled the command.
    pub fn cancel_status(&self) -> u8 {
        self.control.cancel.signal().map_or(130, Signal::status)
    }

    /// Runs another command in a copy of this shell, on other streams, and answers its status.
    pub async fn call_on(&mut self, words: Vec<Value>, fds: Descriptors) -> Result<u8, Stop> {
        let session = Rc::clone(&self.session);
        self.call_in(session, words, fds).await
    }

    /// Runs another command in a copy of a shell that need not be this one: with other variables,
    /// in another directory.
    pub async fn call_in(
        &mut self,
        session: Rc<Session>,
        words: Vec<Value>,
        fds: Descriptors,
    ) -> Result<u8, Stop> {
        self.flush().await?;
        let inner = Self { session, ..self.with_streams(fds) };
        let call = self.services.dispatcher.call(&inner, words);
        self.unless_cancelled(async { Ok(call.await) }).await
    }
}

#[async_trait(?Send)]
impl ToolCtx for ExecContext {
    fn backend(&self) -> &Rc<dyn KernelBackend> {
        &self.services.backend
    }

    fn cwd(&self) -> PathBuf {
        PathBuf::from(self.session.cwd.borrow().as_str())
    }

    fn resolve_path(&self, path: &str) -> PathBuf {
        self.resolve(path)
    }

    fn var(&self, name: &str) -> Option<Value> {
        self.session.scope.borrow().get(name).cloned()
    }

    fn set_var(&mut self, name: &str, value: Value) -> bool {
        self.session.scope.borrow_mut().set(name, value).is_ok()
    }

    async fn read_stdin(&mut self) -> IoResult<Vec<u8>> {
        let stdin = self.stdin();
        self.read_chunk(&stdin).await.map_err(errno_of)
    }

    async fn write_stdout(&mut self, bytes: &[u8]) -> IoResult<()> {
        self.streams.out.extend_from_slice(bytes);
        self.flush().await.map_err(errno_of)
    }

    async fn write_stderr(&mut self, bytes: &[u8]) -> IoResult<()> {
        self.streams.err.extend_from_slice(bytes);
        self.flush().await.map_err(errno_of)
    }

    async fn cancelled(&self) {
        self.control.cancel.cancelled().await;
    }

    fn answer(&mut self, value: Value) {
        self.streams.value = Some(value);
    }

    async fn call(&mut self, words: Vec<Value>) -> u8 {
        let fds = self.streams.fds.clone();
        let status = self.call_on(words, fds).await;
        status.unwrap_or_else(|_| self.cancel_status())
    }
}

fn errno_of(stop: Stop) -> Errno {
    match stop {
        Stop::BrokenPipe => Errno::BrokenPipe,
        Stop::Cancelled => Errno::Cancelled,
        Stop::Io(errno) => errno,
        Stop::Failed(_) => Errno::Io,
    }
}

/// The path an operand names when it is joined to `base`.
pub fn join(base: &str, path: &str) -> PathBuf {
    Path::new(base).join(path)
}
