//! Output that may be cut: the start goes through, the end is kept until it is known to be the end.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::task::{Context, Poll};

use super::{IoResult, Sink, Stream};

/// Bytes of a cut output that are kept to be stored whole.
const WHOLE_LIMIT: usize = 64 << 20;

/// How much of the output of one command is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Bytes from which it is cut.
    pub bytes: u64,
    /// Bytes of its start that are shown.
    pub head: u64,
    /// Bytes of its end that are shown.
    pub tail: u64,
}

impl Cut {
    /// A limit of so many bytes, three quarters of them for the start.
    pub fn of(bytes: u64) -> Self {
        Self { bytes, head: bytes - bytes / 4, tail: bytes / 4 }
    }
}

impl Default for Cut {
    /// 8 KiB.
    fn default() -> Self {
        Self::of(8 * 1024)
    }
}

/// An output that was over the limit.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Excess {
    /// All of it, up to 64 MiB.
    pub whole: Vec<u8>,
    /// How many bytes there were.
    pub total: u64,
    /// The end of it, not yet shown.
    pub tail: Vec<u8>,
}

/// A sink before another one; a shell tells it where the output of a command begins and ends.
#[derive(Default)]
pub struct Limiter {
    inner: RefCell<Stream>,
    state: RefCell<State>,
}

#[derive(Default)]
struct State {
    cut: Option<Cut>,
    total: u64,
    /// What came after the head.
    held: VecDeque<u8>,
    whole: Vec<u8>,
}

impl Limiter {
    /// Sets where output goes; it must be a sink or a capture, which never make a writer wait.
    pub fn attach(&self, inner: Stream) {
        *self.inner.borrow_mut() = inner;
    }

    /// The output of a command begins.
    pub fn begin(&self, cut: Option<Cut>) {
        *self.state.borrow_mut() = State { cut, ..State::default() };
    }

    /// The output of a command has ended: what is within the limit is shown to its end, else what
    /// is left to show and to store is returned.
    pub fn end(&self) -> Option<Excess> {
        let State { cut, total, mut held, whole } = self.state.take();
        let cut = cut?;
        if total <= cut.bytes {
            // The reader being gone is what the next write tells.
            let _ = self.pass(held.make_contiguous());
            return None;
        }
        let surplus = held.len().saturating_sub(usize::try_from(cut.tail).unwrap_or(usize::MAX));
        held.drain(..surplus);
        Some(Excess { whole, total, tail: held.into() })
    }

    /// Shows bytes whatever the limit.
    pub fn pass(&self, bytes: &[u8]) -> IoResult<()> {
        let inner = self.inner.borrow().clone();
        let mut rest = bytes;
        while !rest.is_empty() {
            match inner.try_write(rest) {
                Some(count) => rest = rest.get(count?..).unwrap_or_default(),
                None => return Ok(()),
            }
        }
        Ok(())
    }
}

impl Sink for Limiter {
    fn write(&self, bytes: &[u8]) -> IoResult<()> {
        let mut state = self.state.borrow_mut();
        let Some(cut) = state.cut else {
            drop(state);
            return self.pass(bytes);
        };
        let room = usize::try_from(cut.head.saturating_sub(state.total)).unwrap_or(usize::MAX);
        let (head, rest) = bytes.split_at_checked(room).unwrap_or((bytes, &[]));
        state.total += bytes.len() as u64;
        let kept = WHOLE_LIMIT.saturating_sub(state.whole.len());
        state.whole.extend_from_slice(bytes.get(..kept).unwrap_or(bytes));
        state.held.extend(rest);
        let over = state.total > cut.bytes;
        let tail = usize::try_from(cut.tail).unwrap_or(usize::MAX);
        let surplus = if over { state.held.len().saturating_sub(tail) } else { 0 };
        state.held.drain(..surplus);
        drop(state);
        self.pass(head)
    }

    fn poll_ready(&self, cx: &mut Context<'_>) -> Poll<IoResult<()>> {
        match &*self.inner.borrow() {
            Stream::Sink(sink) => sink.poll_ready(cx),
            _ => Poll::Ready(Ok(())),
        }
    }

    fn is_terminal(&self) -> bool {
        self.inner.borrow().is_terminal()
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::*;
    use crate::io::Capture;

    fn check(writes: &[&str], shown: &str, tail: Option<&str>) {
        let limiter = Limiter::default();
        let capture = Rc::<Capture>::default();
        limiter.attach(Stream::Capture(Rc::clone(&capture)));
        limiter.begin(Some(Cut { bytes: 8, head: 4, tail: 3 }));
        for text in writes {
            limiter.write(text.as_bytes()).unwrap();
        }
        let excess = limiter.end();
        assert_eq!(excess.as_ref().map(|excess| excess.tail.as_slice()), tail.map(str::as_bytes));
        assert_eq!(String::from_utf8(capture.take_bytes()).unwrap(), shown);
        if let Some(excess) = excess {
            assert_eq!(excess.whole, writes.concat().as_bytes());
        }
    }

    #[test]
    fn head_and_tail() {
        check(&["ab", "cdef"], "abcdef", None);
        check(&["abcdefgh"], "abcdefgh", None);
        check(&["abcdefghi"], "abcd", Some("ghi"));
        check(&["a", "bcdefg", "hijklm"], "abcd", Some("klm"));
        check(&[], "", None);
    }
}
