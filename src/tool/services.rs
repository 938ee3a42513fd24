//! What all shells of a kernel share: files, commands, jobs, the host, limits.

use std::cell::Cell;
use std::rc::Rc;

use futures::future::LocalBoxFuture;

use super::{ExecContext, KernelBackend, Nonces, Registry};
use crate::host::Host;
use crate::jobs::{JobTable, WorkBudget};
use crate::value::Value;
use crate::vfs::OverlayFs;

/// What all shells of a kernel share.
pub struct Services {
    /// Files.
    pub backend: Rc<dyn KernelBackend>,
    /// Commands.
    pub registry: Rc<Registry>,
    /// Clock, timers, randomness.
    pub host: Rc<dyn Host>,
    /// Background jobs.
    pub jobs: Rc<JobTable>,
    /// Confirmations that were asked for.
    pub nonces: Nonces,
    /// What holds changes to files back, where the kernel was made so.
    pub overlay: Option<Rc<OverlayFs>>,
    /// The work budget.
    pub budget: Rc<WorkBudget>,
    /// Runs commands for commands.
    pub dispatcher: Rc<dyn Dispatcher>,
    /// The limits in force.
    pub limits: Limits,
    /// `$$`
    pub session_id: u32,
    /// Whether a person is at the prompt.
    pub interactive: bool,
    /// Columns of the terminal.
    pub columns: Cell<u16>,
}

/// The limits of a kernel; each message that reports one names it.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Nested calls of functions, sources and subshells.
    pub recursion: usize,
    /// Bytes of one value: a captured output, a text.
    pub value_bytes: usize,
    /// Entries a glob may match.
    pub glob_matches: usize,
    /// Jobs that may run at once.
    pub jobs: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { recursion: 1000, value_bytes: 256 << 20, glob_matches: 1_000_000, jobs: 256 }
    }
}

/// Runs commands for commands: `xargs`, `find -exec`.
pub trait Dispatcher {
    /// Runs a command in a copy of the caller's shell, on the streams of `cx`, and resolves to its
    /// exit status. Dropping the future ends the command.
    fn call(&self, cx: &ExecContext, words: Vec<Value>) -> LocalBoxFuture<'static, u8>;
}
