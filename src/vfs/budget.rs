//! A pool of bytes that the filesystems of one kernel share for content held in memory.

use std::cell::Cell;
use std::rc::Rc;

use crate::io::{Errno, IoResult};

/// A shared pool of bytes; clones draw from the same pool.
#[derive(Clone)]
pub struct ByteBudget(Rc<Pool>);

struct Pool {
    limit: Cell<u64>,
    used: Cell<u64>,
}

impl ByteBudget {
    /// The pool of a kernel that was configured with nothing else.
    pub const DEFAULT_LIMIT: u64 = 256 * 1024 * 1024;

    /// A pool of `limit` bytes.
    pub fn new(limit: u64) -> Self {
        Self(Rc::new(Pool { limit: Cell::new(limit), used: Cell::new(0) }))
    }

    /// A pool that never refuses.
    pub fn unlimited() -> Self {
        Self::new(u64::MAX)
    }

    /// The size of the pool.
    pub fn limit(&self) -> u64 {
        self.0.limit.get()
    }

    /// Bytes drawn and not yet given back.
    pub fn used(&self) -> u64 {
        self.0.used.get()
    }

    /// Bytes left.
    pub fn available(&self) -> u64 {
        self.limit().saturating_sub(self.used())
    }

    /// Fails with [`Errno::NoSpace`] where fewer than `bytes` are left; draws nothing.
    pub(super) fn check(&self, bytes: u64) -> IoResult<()> {
        if bytes > self.available() { Err(Errno::NoSpace) } else { Ok(()) }
    }

    /// Draws without asking; whoever calls has checked, or must not fail.
    pub(super) fn draw(&self, bytes: u64) {
        self.0.used.set(self.used().saturating_add(bytes));
    }

    /// Gives back.
    pub(super) fn give(&self, bytes: u64) {
        self.0.used.set(self.used().saturating_sub(bytes));
    }
}

impl Default for ByteBudget {
    fn default() -> Self {
        Self::new(Self::DEFAULT_LIMIT)
    }
}
