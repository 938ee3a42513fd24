//! A bounded pipe: bytes with back-pressure, early close both ways, and a typed value beside them.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use super::{Errno, IoResult};
use crate::value::Value;

/// How many bytes a pipe holds before its writer waits.
pub const PIPE_CAPACITY: usize = 64 * 1024;

struct Shared {
    buffer: RefCell<VecDeque<u8>>,
    value: RefCell<Option<Value>>,
    readers: Cell<usize>,
    writers: Cell<usize>,
    read_wakers: RefCell<Vec<Waker>>,
    write_wakers: RefCell<Vec<Waker>>,
    terminal: Cell<bool>,
}

/// The reading end; clones share it, and the last one dropped closes it.
pub struct PipeReader(Rc<Shared>);

/// The writing end; clones share it, and the last one dropped is the end of input.
pub struct PipeWriter(Rc<Shared>);

/// A new pipe.
pub fn pipe() -> (PipeReader, PipeWriter) {
    let shared = Rc::new(Shared {
        buffer: RefCell::default(),
        value: RefCell::default(),
        readers: Cell::new(1),
        writers: Cell::new(1),
        read_wakers: RefCell::default(),
        write_wakers: RefCell::default(),
        terminal: Cell::new(false),
    });
    (PipeReader(Rc::clone(&shared)), PipeWriter(shared))
}

fn wake_all(wakers: &RefCell<Vec<Waker>>) {
    for waker in std::mem::take(&mut *wakers.borrow_mut()) {
        waker.wake();
    }
}

fn register(wakers: &RefCell<Vec<Waker>>, cx: &Context<'_>) {
    let mut wakers = wakers.borrow_mut();
    if !wakers.iter().any(|waker| waker.will_wake(cx.waker())) {
        wakers.push(cx.waker().clone());
    }
}

impl PipeReader {
    /// Reads at most `max` bytes without waiting; empty at the end of input.
    pub fn try_read(&self, max: usize) -> Option<Vec<u8>> {
        let mut buffer = self.0.buffer.borrow_mut();
        if buffer.is_empty() {
            return (self.0.writers.get() == 0).then(Vec::new);
        }
        let bytes = if buffer.len() <= max {
            Vec::from(std::mem::take(&mut *buffer))
        } else {
            buffer.drain(..max).collect()
        };
        drop(buffer);
        wake_all(&self.0.write_wakers);
        Some(bytes)
    }

    /// Moves bytes up to and including `delimiter` to `out`; `Some(true)` once it was found,
    /// `Some(false)` at the end of input, `None` where more must come first.
    pub fn try_read_until(&self, delimiter: u8, out: &mut Vec<u8>) -> Option<bool> {
        let mut buffer = self.0.buffer.borrow_mut();
        let (front, back) = buffer.as_slices();
        let found = memchr::memchr(delimiter, front)
            .or_else(|| memchr::memchr(delimiter, back).map(|at| front.len() + at));
        let count = found.map_or(buffer.len(), |at| at + 1);
        let head = front.get(..count.min(front.len())).unwrap_or(front);
        out.extend_from_slice(head);
        out.extend_from_slice(back.get(..count - head.len()).unwrap_or(back));
        if count > 0 {
            buffer.drain(..count);
            drop(buffer);
            wake_all(&self.0.write_wakers);
        }
        match found {
            Some(_) => Some(true),
            None => (self.0.writers.get() == 0).then_some(false),
        }
    }

    /// Waits until there is something to read or the input has ended.
    pub fn poll_ready(&self, cx: &mut Context<'_>) -> Poll<()> {
        if !self.0.buffer.borrow().is_empty() || self.0.writers.get() == 0 {
            return Poll::Ready(());
        }
        register(&self.0.read_wakers, cx);
        Poll::Pending
    }

    /// The typed value the writer left beside its bytes; complete once the input has ended.
    pub fn take_value(&self) -> Option<Value> {
        self.0.value.borrow_mut().take()
    }

    /// Marks the pipe as the terminal's input.
    pub fn set_terminal(&self) {
        self.0.terminal.set(true);
    }

    /// Whether this is the terminal's input.
    pub fn is_terminal(&self) -> bool {
        self.0.terminal.get()
    }
}

impl PipeWriter {
    /// Writes what fits without waiting and returns how much that was; `None` where nothing fits.
    pub fn try_write(&self, bytes: &[u8]) -> Option<IoResult<usize>> {
        if self.0.readers.get() == 0 {
            return Some(Err(Errno::BrokenPipe));
        }
        let mut buffer = self.0.buffer.borrow_mut();
        let room = PIPE_CAPACITY.saturating_sub(buffer.len());
        if room == 0 {
            return None;
        }
        let taken = bytes.get(..room).unwrap_or(bytes);
        buffer.extend(taken);
        drop(buffer);
        wake_all(&self.0.read_wakers);
        Some(Ok(taken.len()))
    }

    /// Waits until something can be written or nobody reads any more.
    pub fn poll_ready(&self, cx: &mut Context<'_>) -> Poll<()> {
        if self.0.buffer.borrow().len() < PIPE_CAPACITY || self.0.readers.get() == 0 {
            return Poll::Ready(());
        }
        register(&self.0.write_wakers, cx);
        Poll::Pending
    }

    /// Leaves a typed value beside the bytes; the reader gets the last one.
    pub fn set_value(&self, value: Value) {
        *self.0.value.borrow_mut() = Some(value);
    }

    /// Whether nobody reads any more.
    pub fn is_broken(&self) -> bool {
        self.0.readers.get() == 0
    }
}

impl Clone for PipeReader {
    fn clone(&self) -> Self {
        self.0.readers.set(self.0.readers.get() + 1);
        Self(Rc::clone(&self.0))
    }
}

impl Drop for PipeReader {
    fn drop(&mut self) {
        let left = self.0.readers.get() - 1;
        self.0.readers.set(left);
        if left == 0 {
            self.0.buffer.take();
            wake_all(&self.0.write_wakers);
        }
    }
}

impl Clone for PipeWriter {
    fn clone(&self) -> Self {
        self.0.writers.set(self.0.writers.get() + 1);
        Self(Rc::clone(&self.0))
    }
}

impl Drop for PipeWriter {
    fn drop(&mut self) {
        let left = self.0.writers.get() - 1;
        self.0.writers.set(left);
        if left == 0 {
            wake_all(&self.0.read_wakers);
        }
    }
}
