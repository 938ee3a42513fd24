//! Cancellation: a signal that ends work, wakes its waiters, and reaches what it started.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::rc::{Rc, Weak};
use std::task::{Context, Poll, Waker};

/// Why work is ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// Ctrl-C: status 130.
    Interrupt,
    /// `kill`: status 143.
    Terminate,
    /// `kill -9`: status 137.
    Kill,
    /// Any other signal by number: status 128 + n.
    Number(u8),
    /// A time limit: status 124.
    Timeout,
}

impl Signal {
    /// The exit status of work that it ended.
    pub fn status(self) -> u8 {
        match self {
            Self::Interrupt => 130,
            Self::Terminate => 143,
            Self::Kill => 137,
            Self::Number(n) => 128u8.saturating_add(n),
            Self::Timeout => 124,
        }
    }
}

/// A cancellation token; clones are the same token.
#[derive(Clone, Default)]
pub struct Cancel(Rc<Inner>);

#[derive(Default)]
struct Inner {
    signal: Cell<Option<Signal>>,
    wakers: RefCell<Vec<Waker>>,
    children: RefCell<Vec<Weak<Inner>>>,
}

impl Cancel {
    /// A token that this one cancels too, but not the other way round.
    #[must_use]
    pub fn child(&self) -> Self {
        let child = Self::default();
        child.0.signal.set(self.0.signal.get());
        let mut children = self.0.children.borrow_mut();
        if children.len() == children.capacity() {
            children.retain(|child| child.strong_count() > 0);
        }
        children.push(Rc::downgrade(&child.0));
        drop(children);
        child
    }

    /// Ends the work; the first signal counts.
    pub fn cancel(&self, signal: Signal) {
        let mut pending = vec![Rc::clone(&self.0)];
        while let Some(inner) = pending.pop() {
            if inner.signal.get().is_some() {
                continue;
            }
            inner.signal.set(Some(signal));
            for waker in inner.wakers.take() {
                waker.wake();
            }
            pending.extend(inner.children.take().iter().filter_map(Weak::upgrade));
        }
    }

    /// The signal, once there is one.
    #[inline]
    pub fn signal(&self) -> Option<Signal> {
        self.0.signal.get()
    }

    /// Forgets the signal: the session goes on after an interrupt.
    pub fn reset(&self) {
        self.0.signal.set(None);
    }

    /// Ready once cancelled.
    pub fn poll_cancelled(&self, cx: &mut Context<'_>) -> Poll<Signal> {
        if let Some(signal) = self.signal() {
            return Poll::Ready(signal);
        }
        let mut wakers = self.0.wakers.borrow_mut();
        if !wakers.iter().any(|waker| waker.will_wake(cx.waker())) {
            wakers.push(cx.waker().clone());
        }
        Poll::Pending
    }

    /// Waits for the signal.
    pub async fn cancelled(&self) -> Signal {
        poll_fn(|cx| self.poll_cancelled(cx)).await
    }
}
