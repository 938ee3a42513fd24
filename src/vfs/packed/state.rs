//! What the packed filesystem knows beside its tree: what is stored, what waits, what is going on.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use futures::lock::Mutex;

use super::cache::Cache;
use super::record::Counters;
use super::store::{Store, StoreError};
use crate::vfs::tree::{Node, Tree};
use crate::vfs::volume::Volume;

/// Whether changes are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// Changes are stored.
    Writable,
    /// Nothing can be changed, for a reason in words.
    ReadOnly(String),
    /// Changes are kept until the page is closed, for a reason in words.
    Volatile(String),
}

/// A file that is open for writing from scratch: its record waits for its close.
pub(super) struct Pending {
    /// The file as it was when it was opened; `None` for a new one, which nothing names yet.
    pub(super) base: Option<Node>,
    pub(super) writers: u32,
}

/// How far the log has grown.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LogState {
    /// The number of the newest checkpoint, and of the one before it.
    pub(super) checkpoints: (u64, u64),
    /// Bytes of the newest checkpoint.
    pub(super) checkpoint_bytes: u64,
    /// Bytes of records after it.
    pub(super) bytes: u64,
}

/// What is going on.
#[derive(Default)]
pub(super) struct Schedule {
    /// Bytes written that are in memory only.
    pub(super) dirty_bytes: u64,
    /// A commit is due within 200 ms.
    pub(super) commit_due: bool,
    /// Tidying up is due.
    pub(super) tidy_due: bool,
    /// Something was committed relaxed since the last strict commit.
    pub(super) relaxed: bool,
    /// What went wrong in the background, for the next flush to tell.
    pub(super) failure: Option<StoreError>,
}

/// What is known of the room in the store.
#[derive(Default)]
pub(super) struct Space {
    /// The last commit of content was refused: every write is committed at once.
    pub(super) full: bool,
    /// The reserve is there to be given up.
    pub(super) reserve: bool,
    /// Stored bytes that lost their last use since the last look, about.
    pub(super) garbage: u64,
    /// How many segments there were at the last look.
    pub(super) looked_at: u64,
    /// All segments in the store.
    pub(super) segments: BTreeSet<u64>,
    /// Bytes used and available, as last asked.
    pub(super) usage: Option<(u64, u64)>,
}

/// See the file's first line.
pub(super) struct State {
    /// What the store holds: all its chunks are stored.
    pub(super) committed: Tree,
    pub(super) counters: Counters,
    pub(super) epoch: u64,
    pub(super) status: Status,
    pub(super) pending: BTreeMap<u64, Pending>,
    pub(super) log: LogState,
    pub(super) schedule: Schedule,
    pub(super) space: Space,
}

/// The parts of a packed filesystem, shared by its handles and timers.
pub(super) struct Inner {
    pub(super) volume: Rc<Volume>,
    pub(super) store: Rc<dyn Store>,
    pub(super) cache: Cache,
    pub(super) state: RefCell<State>,
    /// One commit at a time.
    pub(super) gate: Mutex<()>,
}

impl Inner {
    pub(super) fn is_writable(&self) -> bool {
        self.state.borrow().status == Status::Writable
    }

    /// Changes whether and why nothing is stored; reading goes on.
    pub(super) fn set_status(&self, status: Status) {
        self.volume.set_read_only(matches!(status, Status::ReadOnly(_)));
        self.state.borrow_mut().status = status;
    }
}
