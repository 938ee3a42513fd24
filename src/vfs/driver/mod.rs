//! A filesystem whose files somebody else holds: a page, an archive, a server, a folder of the disk.
//!
//! A [`Driver`] answers for plain paths: absolute, without `.`, `..` and a final slash, no component
//! before the last a link. What paths mean, links, creation modes, kinds and open files are worked
//! out here, so that a driver carries bytes and nothing else. It is not trusted: an answer that is
//! late, longer than asked or names what no directory can hold is an error of that operation. A file
//! open for writing is held in memory and handed over whole at its close.
//!
//! Deliberately not here: any particular driver (`web`, and the package's scripts).

mod buffer;
mod filesystem;
mod resolve;

use std::cell::RefCell;
use std::rc::{Rc, Weak};
use std::time::Duration;

use async_trait::async_trait;
use futures::future::{Either, LocalBoxFuture, select};
use rustc_hash::FxHashMap;

use super::{ByteBudget, Capabilities, DirEntry, Metadata};
use crate::host::{Host, Timestamp};
use crate::io::{Errno, IoResult};
use buffer::Buffer;

/// How long an answer may take where the driver does not say.
const PATIENCE: Duration = Duration::from_secs(30);

/// One change of what a driver holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DriverChange<'a> {
    /// Creates a file or replaces its content in one step.
    Write(&'a str, &'a [u8]),
    /// Creates a directory.
    Mkdir(&'a str),
    /// Removes an entry, a directory with everything below it; links are not followed.
    Remove(&'a str),
    /// Moves the first path to the second; what is there goes.
    Rename(&'a str, &'a str),
    /// Creates a link with the first as its target at the second.
    Symlink(&'a str, &'a str),
    /// Sets the permission bits.
    SetMode(&'a str, u32),
    /// Sets the time of last modification.
    SetTime(&'a str, Timestamp),
    /// Makes what was done so far durable.
    Flush,
}

/// Who holds the files; paths are plain, the root is `/`.
#[async_trait(?Send)]
pub trait Driver {
    /// What `mount` calls it.
    fn kind(&self) -> &'static str;

    /// What it can do.
    fn capabilities(&self) -> Capabilities;

    /// How long an answer may take.
    fn patience(&self) -> Duration {
        PATIENCE
    }

    /// What an entry is, links not followed; inode 0 where the driver has no numbers of its own.
    async fn stat(&self, path: &str) -> IoResult<Metadata>;

    /// The entries of a directory, in any order.
    async fn list(&self, path: &str) -> IoResult<Vec<DirEntry>>;

    /// At most `len` bytes of a file from `offset`; fewer, but not none, before its end.
    async fn read(&self, path: &str, offset: u64, len: usize) -> IoResult<Vec<u8>>;

    /// The target of a link.
    async fn read_link(&self, path: &str) -> IoResult<String>;

    /// Makes one change.
    async fn change(&self, change: DriverChange<'_>) -> IoResult<()>;
}

/// A filesystem over a [`Driver`].
pub struct DriverFs(Rc<Inner>);

struct Inner {
    driver: Rc<dyn Driver>,
    host: Rc<dyn Host>,
    budget: ByteBudget,
    /// Files open for writing, by their path.
    open: RefCell<FxHashMap<String, Weak<Buffer>>>,
}

impl DriverFs {
    /// Files that `driver` holds; files open for writing draw from `budget`.
    pub fn new(driver: Rc<dyn Driver>, host: Rc<dyn Host>, budget: &ByteBudget) -> Self {
        let budget = budget.clone();
        Self(Rc::new(Inner { driver, host, budget, open: RefCell::default() }))
    }
}

impl Inner {
    /// Waits for an answer, but not for ever.
    async fn ask<T>(&self, answer: LocalBoxFuture<'_, IoResult<T>>) -> IoResult<T> {
        match select(answer, self.host.sleep(self.driver.patience())).await {
            Either::Left((answer, _)) => answer,
            Either::Right(_) => Err(Errno::TimedOut),
        }
    }

    async fn change(&self, change: DriverChange<'_>) -> IoResult<()> {
        if self.driver.capabilities().writing {
            self.ask(self.driver.change(change)).await
        } else {
            Err(Errno::ReadOnly)
        }
    }

    /// Part of a file that is not open for writing.
    async fn read(&self, path: &str, offset: u64, len: usize) -> IoResult<Vec<u8>> {
        if len == 0 {
            return Ok(Vec::new());
        }
        let bytes = self.ask(self.driver.read(path, offset, len)).await?;
        if bytes.len() > len { Err(Errno::Io) } else { Ok(bytes) }
    }

    /// The buffer of a file open for writing.
    fn buffer(&self, path: &str) -> Option<Rc<Buffer>> {
        self.open.borrow().get(path)?.upgrade()
    }
}
