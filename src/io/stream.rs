//! What a descriptor refers to: one enum over pipes, files, captures and the host's sinks.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::rc::Rc;
use std::task::{Context, Poll};

use super::{Errno, IoResult, OpenFile, PipeReader, PipeWriter};
use crate::value::Value;

/// Where output leaves the kernel: the page's terminal, an API call's stream, a job's record.
pub trait Sink {
    /// Takes bytes; never waits. A sink that is full says so through [`Sink::poll_ready`].
    fn write(&self, bytes: &[u8]) -> IoResult<()>;

    /// Ready while more should be written: this is the back-pressure.
    fn poll_ready(&self, cx: &mut Context<'_>) -> Poll<IoResult<()>> {
        let _ = cx;
        Poll::Ready(Ok(()))
    }

    /// Whether a person's terminal is behind it.
    fn is_terminal(&self) -> bool {
        false
    }
}

/// Sees what is written through a stream: a job's record.
pub trait Observer {
    /// Is told of bytes that went out.
    fn observe(&self, bytes: &[u8]);

    /// Is told of a typed value that was left beside them.
    fn observe_value(&self, value: &Value) {
        let _ = value;
    }
}

/// Output kept in memory, with the typed value the last command left beside it.
#[derive(Default)]
pub struct Capture {
    bytes: RefCell<Vec<u8>>,
    value: RefCell<Option<Value>>,
    limit: Cell<Option<usize>>,
}

impl Capture {
    /// A capture that refuses more than `limit` bytes with [`Errno::NoSpace`].
    pub fn with_limit(limit: usize) -> Self {
        let capture = Self::default();
        capture.limit.set(Some(limit));
        capture
    }

    /// Appends bytes.
    pub fn write(&self, bytes: &[u8]) -> IoResult<()> {
        let mut held = self.bytes.borrow_mut();
        if self.limit.get().is_some_and(|limit| held.len() + bytes.len() > limit) {
            return Err(Errno::NoSpace);
        }
        held.extend_from_slice(bytes);
        Ok(())
    }

    /// Leaves a typed value beside the bytes.
    pub fn set_value(&self, value: Value) {
        *self.value.borrow_mut() = Some(value);
    }

    /// Takes the bytes out.
    pub fn take_bytes(&self) -> Vec<u8> {
        self.bytes.take()
    }

    /// Takes the value out.
    pub fn take_value(&self) -> Option<Value> {
        self.value.take()
    }
}

/// What a file descriptor refers to; clones share position and buffers.
#[derive(Clone, Default)]
pub enum Stream {
    /// Nothing: reading and writing fail.
    #[default]
    Closed,
    /// Reads as empty, swallows writes.
    Null,
    /// Bytes given in advance: a here-document, the input of an API call.
    Bytes(Rc<Cursor>),
    /// The reading end of a pipe.
    PipeReader(PipeReader),
    /// The writing end of a pipe.
    PipeWriter(PipeWriter),
    /// An open file.
    File(Rc<OpenFile>),
    /// Output kept in memory.
    Capture(Rc<Capture>),
    /// Output that leaves the kernel.
    Sink(Rc<dyn Sink>),
    /// Another stream, observed; never nested.
    Observed(Rc<(Stream, Rc<dyn Observer>)>),
}

/// Bytes with a shared position.
pub struct Cursor {
    bytes: Vec<u8>,
    used: Cell<usize>,
}

impl Cursor {
    fn rest(&self) -> &[u8] {
        self.bytes.get(self.used.get()..).unwrap_or_default()
    }

    fn take(&self, count: usize) -> &[u8] {
        let rest = self.rest();
        let taken = rest.get(..count).unwrap_or(rest);
        self.used.set(self.used.get() + taken.len());
        taken
    }
}

impl Stream {
    /// A stream that reads `bytes`.
    pub fn from_bytes(bytes: impl Into<Vec<u8>>) -> Self {
        Self::Bytes(Rc::new(Cursor { bytes: bytes.into(), used: Cell::new(0) }))
    }

    /// Reads at most `max` bytes without waiting; empty at the end; `None` where it must wait.
    pub fn try_read(&self, max: usize) -> Option<IoResult<Vec<u8>>> {
        match self {
            Self::Null => Some(Ok(Vec::new())),
            Self::Bytes(cursor) => Some(Ok(cursor.take(max).to_vec())),
            Self::PipeReader(reader) => reader.try_read(max).map(Ok),
            Self::File(file) => file.try_read(max),
            _ => Some(Err(Errno::BadDescriptor)),
        }
    }

    /// Reads at most `max` bytes; empty at the end.
    pub async fn read(&self, max: usize) -> IoResult<Vec<u8>> {
        loop {
            if let Some(result) = self.try_read(max) {
                return result;
            }
            match self {
                Self::PipeReader(reader) => poll_fn(|cx| reader.poll_ready(cx)).await,
                Self::File(file) => return file.read(max).await,
                _ => return Err(Errno::BadDescriptor),
            }
        }
    }

    /// Appends to `out` up to and including `delimiter`, consuming nothing after it.
    ///
    /// `Some(Ok(true))` where it was found, `Some(Ok(false))` at the end, `None` where it must wait
    /// (what was there has moved to `out`; call again with the same `out`).
    pub fn try_read_until(&self, delimiter: u8, out: &mut Vec<u8>) -> Option<IoResult<bool>> {
        match self {
            Self::Null => Some(Ok(false)),
            Self::Bytes(cursor) => {
                let found = memchr::memchr(delimiter, cursor.rest());
                out.extend_from_slice(cursor.take(found.map_or(usize::MAX, |at| at + 1)));
                Some(Ok(found.is_some()))
            }
            Self::PipeReader(reader) => reader.try_read_until(delimiter, out).map(Ok),
            Self::File(file) => file.try_read_until(delimiter, out),
            _ => Some(Err(Errno::BadDescriptor)),
        }
    }

    /// The waiting form of [`Stream::try_read_until`].
    pub async fn read_until(&self, delimiter: u8, out: &mut Vec<u8>) -> IoResult<bool> {
        loop {
            if let Some(result) = self.try_read_until(delimiter, out) {
                return result;
            }
            match self {
                Self::PipeReader(reader) => poll_fn(|cx| reader.poll_ready(cx)).await,
                Self::File(file) => return file.read_until(delimiter, out).await,
                _ => return Err(Errno::BadDescriptor),
            }
        }
    }

    /// Writes without waiting and returns how many bytes went; `None` where it must wait.
    pub fn try_write(&self, bytes: &[u8]) -> Option<IoResult<usize>> {
        let all = bytes.len();
        match self {
            Self::Null => Some(Ok(all)),
            Self::PipeWriter(writer) => writer.try_write(bytes),
            Self::File(file) => file.try_write(bytes).map(|result| result.map(|()| all)),
            Self::Capture(capture) => Some(capture.write(bytes).map(|()| all)),
            Self::Observed(pair) => {
                let written = pair.0.try_write(bytes)?;
                if let Ok(count) = written {
                    pair.1.observe(bytes.get(..count).unwrap_or(bytes));
                }
                Some(written)
            }
            Self::Sink(sink) => {
                let mut cx = Context::from_waker(std::task::Waker::noop());
                match sink.poll_ready(&mut cx) {
                    Poll::Ready(Ok(())) => Some(sink.write(bytes).map(|()| all)),
                    Poll::Ready(Err(errno)) => Some(Err(errno)),
                    Poll::Pending => None,
                }
            }
            _ => Some(Err(Errno::BadDescriptor)),
        }
    }

    /// Writes all of `bytes`.
    pub async fn write_all(&self, mut bytes: &[u8]) -> IoResult<()> {
        while !bytes.is_empty() {
            match self.try_write(bytes) {
                Some(Ok(count)) => bytes = bytes.get(count..).unwrap_or_default(),
                Some(Err(errno)) => return Err(errno),
                None => match self.observed_inner() {
                    Self::PipeWriter(writer) => poll_fn(|cx| writer.poll_ready(cx)).await,
                    Self::File(file) => {
                        file.write_all(bytes).await?;
                        if let Self::Observed(pair) = self {
                            pair.1.observe(bytes);
                        }
                        return Ok(());
                    }
                    Self::Sink(sink) => poll_fn(|cx| sink.poll_ready(cx)).await?,
                    _ => return Err(Errno::BadDescriptor),
                },
            }
        }
        Ok(())
    }

    /// This stream, with everything written to it shown to `observer` too.
    #[must_use]
    pub fn observed(&self, observer: Rc<dyn Observer>) -> Self {
        Self::Observed(Rc::new((self.observed_inner().clone(), observer)))
    }

    fn observed_inner(&self) -> &Self {
        match self {
            Self::Observed(pair) => &pair.0,
            plain => plain,
        }
    }

    /// Leaves a typed value beside the bytes, where the stream can carry one.
    pub fn set_value(&self, value: &Value) {
        match self {
            Self::PipeWriter(writer) => writer.set_value(value.clone()),
            Self::Capture(capture) => capture.set_value(value.clone()),
            Self::Observed(pair) => {
                pair.1.observe_value(value);
                pair.0.set_value(value);
            }
            _ => {}
        }
    }

    /// The typed value beside the bytes; ask after the bytes have ended.
    pub fn take_value(&self) -> Option<Value> {
        match self {
            Self::PipeReader(reader) => reader.take_value(),
            _ => None,
        }
    }

    /// Whether a typed value would be received.
    pub fn carries_values(&self) -> bool {
        matches!(self.observed_inner(), Self::PipeWriter(_) | Self::Capture(_))
    }

    /// Whether a person's terminal is behind it.
    pub fn is_terminal(&self) -> bool {
        match self {
            Self::PipeReader(reader) => reader.is_terminal(),
            Self::Sink(sink) => sink.is_terminal(),
            Self::Observed(pair) => pair.0.is_terminal(),
            Self::File(file) => file.file().is_terminal(),
            _ => false,
        }
    }

    /// Whether it is closed.
    pub fn is_closed(&self) -> bool {
        matches!(self, Self::Closed)
    }
}
