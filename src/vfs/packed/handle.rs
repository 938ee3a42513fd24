//! Open files of the packed filesystem: content fetched as it is read, a record at the close.

use std::cell::Cell;
use std::rc::Rc;

use async_trait::async_trait;

use super::commit::Scope;
use super::state::{Inner, Pending};
use super::store::{Durability, StoreError};
use crate::io::{Errno, File, IoResult};
use crate::vfs::OpenOptions;
use crate::vfs::content::{Content, Fault};
use crate::vfs::tree::{Body, Node};
use crate::vfs::volume::Opened;

/// Bytes in memory at which a writer waits for a commit.
pub(super) const SPILL: u64 = 4 * 1024 * 1024;

/// Bytes that one fetch brings in, and that one read gathers at once.
const PIECE: usize = 1024 * 1024;

/// Segments that one fetch asks for.
const AHEAD: usize = 8;

impl Inner {
    /// The bytes of a file as it is now, fetched in pieces.
    pub(super) async fn read(&self, inode: u64, offset: u64, len: usize) -> IoResult<Vec<u8>> {
        let content = self.volume.tree.borrow().content(inode)?.clone();
        let all = usize::try_from(content.len().saturating_sub(offset)).unwrap_or(usize::MAX);
        let all = all.min(len);
        let mut out = Vec::new();
        out.try_reserve_exact(all).map_err(|_| Errno::TooLarge)?;
        while out.len() < all {
            let at = offset.saturating_add(out.len() as u64);
            let piece = PIECE.min(all - out.len());
            match content.read_into(&mut out, at, piece, &self.cache) {
                Ok(()) => {}
                Err(Fault::Errno(errno)) => return Err(errno),
                Err(Fault::Load { index }) => self.fetch(&content, index).await?,
            }
        }
        Ok(out)
    }

    /// Brings in the segment of a chunk and some of those that follow in the file.
    pub(super) async fn fetch(&self, content: &Content, index: u64) -> IoResult<()> {
        let mut wanted = Vec::new();
        for segment in content.segments_from(index) {
            if !wanted.contains(&segment) && !self.cache.has(segment) {
                wanted.push(segment);
            }
            if wanted.len() >= AHEAD {
                break;
            }
        }
        let found = self.store.read(&wanted).await.map_err(|error| {
            self.note(&error);
            Errno::Io
        })?;
        // The segment that is needed last in, so that the cache keeps it.
        for (segment, bytes) in wanted.into_iter().zip(found).rev() {
            self.cache.put(segment, bytes.map(Rc::new));
        }
        Ok(())
    }

    /// Writes and, where much waits in memory, waits for a commit; on an error nothing was written.
    pub(super) async fn write(
        self: &Rc<Self>,
        inode: u64,
        offset: Option<u64>,
        bytes: &[u8],
    ) -> IoResult<()> {
        let before = self.kept(inode, bytes.len());
        loop {
            match self.volume.write_at(inode, offset, bytes, &self.cache) {
                Ok(()) => break,
                Err(Fault::Errno(errno)) => return Err(errno),
                Err(Fault::Load { index }) => {
                    let content = self.volume.tree.borrow().content(inode)?.clone();
                    self.fetch(&content, index).await?;
                }
            }
        }
        self.touched(bytes.len());
        self.relieve(inode, before).await
    }

    /// The content to go back to should a write of so many bytes fail; `None` where it cannot.
    pub(super) fn kept(&self, inode: u64, bytes: usize) -> Option<Content> {
        let tree = self.volume.tree.borrow();
        self.is_pressed(bytes).then(|| tree.content(inode).ok().cloned().unwrap_or_default())
    }

    /// Waits for a commit where much waits in memory; on an error a file that is still being
    /// written gets its content `before` back.
    pub(super) async fn relieve(
        self: &Rc<Self>,
        inode: u64,
        before: Option<Content>,
    ) -> IoResult<()> {
        let Some(before) = before else { return Ok(()) };
        let committed = self.commit(Scope::Spill, Durability::Relaxed).await;
        let waits = self.state.borrow().pending.contains_key(&inode);
        if let Err(StoreError::NoSpace) = committed {
            let tree = &mut *self.volume.tree.borrow_mut();
            if let Ok(Node { body: Body::File(content), .. }) = tree.edit(inode)
                && waits
            {
                *content = before;
            }
            return Err(Errno::NoSpace);
        }
        committed.map_err(|error| error.errno())
    }

    /// Whether a writer of `more` bytes must wait for a commit.
    pub(super) fn is_pressed(&self, more: usize) -> bool {
        let state = self.state.borrow();
        let waiting = state.schedule.dirty_bytes.saturating_add(more as u64);
        state.space.full || waiting >= SPILL
    }

    pub(super) async fn set_len(self: &Rc<Self>, inode: u64, len: u64) -> IoResult<()> {
        loop {
            match self.volume.set_len(inode, len, &self.cache) {
                Ok(()) => break,
                Err(Fault::Errno(errno)) => return Err(errno),
                Err(Fault::Load { index }) => {
                    let content = self.volume.tree.borrow().content(inode)?.clone();
                    self.fetch(&content, index).await?;
                }
            }
        }
        self.touched(0);
        Ok(())
    }

    /// From here on the file's record waits for its last writer.
    fn begin(&self, opened: Opened) {
        let pending = &mut self.state.borrow_mut().pending;
        let base = opened.before;
        pending.entry(opened.inode).or_insert(Pending { base, writers: 0 }).writers += 1;
    }

    fn end(self: &Rc<Self>, inode: u64) {
        let pending = &mut self.state.borrow_mut().pending;
        let Some(file) = pending.get_mut(&inode) else { return };
        file.writers -= 1;
        if file.writers == 0 {
            pending.remove(&inode);
        }
    }
}

/// An open file.
pub(super) struct Handle {
    inner: Rc<Inner>,
    inode: u64,
    options: OpenOptions,
    /// Whether the file's record waits for this handle.
    awaited: Cell<bool>,
}

impl Handle {
    pub(super) fn new(inner: Rc<Inner>, opened: Opened, options: OpenOptions) -> Self {
        // What is appended may be stored bit by bit; anything else is one operation.
        let awaited = Cell::new(options.write && (options.truncate || !options.append));
        let inode = opened.inode;
        if awaited.get() {
            inner.begin(opened);
        }
        if options.write {
            inner.touched(0);
        }
        Self { inner, inode, options, awaited }
    }

    fn offset(&self, offset: Option<u64>) -> Option<u64> {
        offset.filter(|_| !self.options.append)
    }

    fn end(&self) {
        if self.awaited.replace(false) {
            self.inner.end(self.inode);
            self.inner.touched(0);
        }
    }
}

#[async_trait(?Send)]
impl File for Handle {
    async fn read_at(&self, offset: u64, len: usize) -> IoResult<Vec<u8>> {
        if !self.options.read {
            return Err(Errno::BadDescriptor);
        }
        self.inner.read(self.inode, offset, len).await
    }

    async fn write_at(&self, offset: u64, bytes: &[u8]) -> IoResult<()> {
        if !self.options.write {
            return Err(Errno::BadDescriptor);
        }
        self.inner.write(self.inode, self.offset(Some(offset)), bytes).await
    }

    async fn append(&self, bytes: &[u8]) -> IoResult<()> {
        if !self.options.write {
            return Err(Errno::BadDescriptor);
        }
        self.inner.write(self.inode, None, bytes).await
    }

    async fn set_len(&self, len: u64) -> IoResult<()> {
        if !self.options.write {
            return Err(Errno::Invalid);
        }
        self.inner.set_len(self.inode, len).await
    }

    async fn len(&self) -> IoResult<u64> {
        self.inner.volume.len(self.inode)
    }

    async fn close(&self) -> IoResult<()> {
        self.end();
        if !self.inner.state.borrow().space.full {
            return Ok(());
        }
        let committed = self.inner.commit(Scope::Ended, Durability::Relaxed).await;
        committed.map_err(|error| error.errno())
    }

    fn store_as_written(&self) {
        self.end();
    }

    fn read_now(&self, offset: u64, len: usize) -> Option<IoResult<Vec<u8>>> {
        if !self.options.read {
            return Some(Err(Errno::BadDescriptor));
        }
        match self.inner.volume.read(self.inode, offset, len, &self.inner.cache) {
            Ok(bytes) => Some(Ok(bytes)),
            Err(Fault::Errno(errno)) => Some(Err(errno)),
            Err(Fault::Load { .. }) => None,
        }
    }

    fn write_now(&self, offset: Option<u64>, bytes: &[u8]) -> Option<IoResult<()>> {
        if !self.options.write {
            return Some(Err(Errno::BadDescriptor));
        }
        if self.inner.is_pressed(bytes.len()) {
            return None;
        }
        let Inner { volume, cache, .. } = &*self.inner;
        match volume.write_at(self.inode, self.offset(offset), bytes, cache) {
            Ok(()) => {
                self.inner.touched(bytes.len());
                Some(Ok(()))
            }
            Err(Fault::Errno(errno)) => Some(Err(errno)),
            Err(Fault::Load { .. }) => None,
        }
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.end();
        self.inner.volume.release(self.inode);
    }
}
