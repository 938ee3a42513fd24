//! What the packed filesystem needs of a store: four areas of numbered values, changed atomically.
//!
//! The browser keeps each area in an object store of one IndexedDB database; tests keep them in
//! maps that fail, tear and forget on demand. A store knows nothing of files.

use std::ops::Range;

use async_trait::async_trait;

use crate::io::Errno;

/// Which values are meant; within an area each has a number as its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Area {
    /// The format and the reserve: a few values.
    Meta,
    /// Whole metadata, two generations: each up to some megabytes.
    Checkpoint,
    /// Records since the checkpoints, some hundreds, mostly small.
    Log,
    /// Packed content, up to 1 MiB each, many.
    Segment,
}

impl Area {
    /// All areas.
    pub const ALL: [Self; 4] = [Self::Meta, Self::Checkpoint, Self::Log, Self::Segment];
}

/// How long a commit waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// Until the change survives the death of the tab and the browser.
    Relaxed,
    /// Until it survives a loss of power too.
    Strict,
}

/// Changes that are made together or not at all.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// The epoch of the writer, as [`Store::claim`] gave it.
    pub epoch: u64,
    /// New values, replacing old ones of the same number. Buffers are exact: nothing else is in
    /// their allocation that a clone would carry along.
    pub puts: Vec<(Area, u64, Vec<u8>)>,
    /// Numbers that go, after the puts; those not there are no error.
    pub drops: Vec<(Area, Range<u64>)>,
}

/// Why a store could not answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The quota is used up; nothing of the batch is there.
    #[error("the browser's storage quota is used up")]
    NoSpace,
    /// Another writer has claimed the volume since; nothing of the batch is there.
    #[error("another tab has taken over the volume")]
    Fenced,
    /// Storage is denied or missing (a private window, a policy).
    #[error("the browser does not allow storage here")]
    Denied,
    /// The connection is gone for good: the database was deleted, or a newer page wants it.
    #[error("the volume was closed by the browser")]
    Closed,
    /// Another tab holds the database so that it cannot be opened.
    #[error("another tab keeps the volume from being opened: close it and reload")]
    Blocked,
    /// The database has a layout of a later version.
    #[error("the volume was written by a newer version: reload the page")]
    Newer,
    /// Something else, in the store's words.
    #[error("{0}")]
    Failed(String),
}

impl StoreError {
    /// The error number that file operations answer with.
    pub fn errno(&self) -> Errno {
        match self {
            Self::NoSpace => Errno::NoSpace,
            Self::Fenced | Self::Closed => Errno::ReadOnly,
            Self::Denied => Errno::PermissionDenied,
            Self::Blocked => Errno::Busy,
            Self::Newer => Errno::NotSupported,
            Self::Failed(_) => Errno::Io,
        }
    }
}

/// The result of asking a store.
pub type StoreResult<T> = Result<T, StoreError>;

/// A persistent map of numbered values with atomic batches.
///
/// Calls may overlap, but the filesystem has at most one `commit` under way. A store that loses its
/// connection tries once to reopen it before it answers [`StoreError::Closed`].
#[async_trait(?Send)]
pub trait Store {
    /// All values of an area by number, ascending (not asked of segments but by a check).
    async fn load(&self, area: Area) -> StoreResult<Vec<(u64, Vec<u8>)>>;

    /// All numbers of an area, ascending.
    async fn list(&self, area: Area) -> StoreResult<Vec<u64>>;

    /// Segments in the order asked, in as few requests as can be; `None` for one that is not there.
    async fn read(&self, segments: &[u64]) -> StoreResult<Vec<Option<Vec<u8>>>>;

    /// Raises the stored epoch by one and returns it: the caller is the writer from here on, and
    /// every batch of an earlier epoch fails with [`StoreError::Fenced`].
    async fn claim(&self) -> StoreResult<u64>;

    /// Makes the changes of a batch in one transaction that also compares the epoch; returns once
    /// they are as durable as asked. After an error nothing has changed, as far as the store knows.
    async fn commit(&self, batch: Batch, durability: Durability) -> StoreResult<()>;

    /// Bytes used and bytes still available, where the store can tell.
    async fn usage(&self) -> Option<(u64, u64)>;
}
