//! A filesystem in memory: inodes, modes, times, links, shared content, O(changed) snapshots.

use std::rc::Rc;

use async_trait::async_trait;

use super::content::{Fault, NoSource};
use super::tree::{Follow, Tree};
use super::volume::Volume;
use super::{
    ByteBudget, DirEntry, Filesystem, FsError, FsOp, FsResult, Metadata, OpenOptions, Path,
    PathBuf, WriteMode,
};
use crate::host::{Host, Timestamp};
use crate::io::{Errno, File, IoResult};

/// A filesystem in memory; its content is drawn from a [`ByteBudget`].
pub struct MemoryFs {
    volume: Rc<Volume>,
}

/// The state of a [`MemoryFs`] at one moment; it shares everything that has not changed since.
#[derive(Clone)]
pub struct Snapshot(Tree);

impl MemoryFs {
    /// An empty filesystem.
    pub fn new(host: Rc<dyn Host>, budget: &ByteBudget) -> Self {
        let tree = Tree::new(host.now());
        Self { volume: Rc::new(Volume::new(tree, host, budget.clone())) }
    }

    /// The present state.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot(self.volume.tree.borrow().clone())
    }

    /// Goes back to a state; handles open on files that are not in it fail from then on.
    pub fn restore(&self, snapshot: &Snapshot) {
        self.volume.tree.borrow_mut().adopt(&snapshot.0);
    }

    /// A second filesystem that starts in the present state and goes its own way.
    #[must_use]
    pub fn fork(&self) -> Self {
        let Volume { host, budget, .. } = &*self.volume;
        let tree = self.volume.tree.borrow().clone();
        Self { volume: Rc::new(Volume::new(tree, Rc::clone(host), budget.clone())) }
    }

    /// Makes directories in the root, for a filesystem that keeps its parts in one.
    pub(super) fn prepare(&self, dirs: &[&str]) {
        for dir in dirs {
            // Only a name that is there already can fail, and is what is wanted.
            let _ = self.volume.mkdir(Path::new(dir));
        }
    }

    /// Drops everything and makes directories in the root.
    pub(super) fn wipe(&self, dirs: &[&str]) {
        self.volume.tree.borrow_mut().adopt(&Tree::new(self.volume.now()));
        self.prepare(dirs);
    }

    /// The content of a file, whatever its mode allows.
    pub(super) fn read_all(&self, path: &Path) -> IoResult<Vec<u8>> {
        let inode = self.volume.tree.borrow().walk(path, Follow::Not)?.found()?;
        present(self.volume.read(inode, 0, usize::MAX, &NoSource))
    }

    /// How many files, directories and links there are.
    pub fn inodes(&self) -> usize {
        self.volume.tree.borrow().len()
    }
}

/// Nothing of a memory filesystem ever has to be fetched.
fn present<T>(result: Result<T, Fault>) -> IoResult<T> {
    result.map_err(|fault| match fault {
        Fault::Errno(errno) => errno,
        Fault::Load { .. } => Errno::Io,
    })
}

#[async_trait(?Send)]
impl Filesystem for MemoryFs {
    async fn read(&self, path: &Path) -> FsResult<Vec<u8>> {
        self.read_range(path, 0, usize::MAX).await
    }

    async fn read_range(&self, path: &Path, offset: u64, len: usize) -> FsResult<Vec<u8>> {
        let inode = self.volume.readable(path);
        inode
            .and_then(|inode| present(self.volume.read(inode, offset, len, &NoSource)))
            .map_err(FsError::at(FsOp::Read, path))
    }

    async fn write(&self, path: &Path, content: &[u8], mode: WriteMode) -> FsResult<()> {
        self.volume.write(path, content, mode).map(|_| ()).map_err(FsError::at(FsOp::Write, path))
    }

    async fn append(&self, path: &Path, content: &[u8]) -> FsResult<()> {
        let appended = self.volume.append(path, content, &NoSource);
        present(appended).map(|_| ()).map_err(FsError::at(FsOp::Write, path))
    }

    async fn copy(&self, from: &Path, to: &Path) -> FsResult<()> {
        self.volume.copy(from, to).map(|_| ()).map_err(FsError::at(FsOp::Write, to))
    }

    async fn open(&self, path: &Path, options: OpenOptions) -> FsResult<Rc<dyn File>> {
        let opened = self.volume.open(path, options).map_err(FsError::at(FsOp::Open, path))?;
        Ok(Rc::new(Handle { volume: Rc::clone(&self.volume), inode: opened.inode, options }))
    }

    async fn list(&self, path: &Path) -> FsResult<Vec<DirEntry>> {
        self.volume.list(path).map_err(FsError::at(FsOp::List, path))
    }

    async fn stat(&self, path: &Path) -> FsResult<Metadata> {
        self.volume.stat(path, Follow::Final).map_err(FsError::at(FsOp::Stat, path))
    }

    async fn lstat(&self, path: &Path) -> FsResult<Metadata> {
        self.volume.stat(path, Follow::Not).map_err(FsError::at(FsOp::Stat, path))
    }

    async fn mkdir(&self, path: &Path) -> FsResult<()> {
        self.volume.mkdir(path).map_err(FsError::at(FsOp::Mkdir, path))
    }

    async fn remove(&self, path: &Path, recursive: bool) -> FsResult<()> {
        self.volume.remove(path, recursive).map_err(FsError::at(FsOp::Remove, path))
    }

    async fn rename(&self, from: &Path, to: &Path) -> FsResult<()> {
        self.volume.rename(from, to).map_err(FsError::at(FsOp::Rename, from))
    }

    async fn set_mtime(&self, path: &Path, mtime: Timestamp) -> FsResult<()> {
        self.volume.set_mtime(path, mtime).map_err(FsError::at(FsOp::SetTimes, path))
    }

    async fn set_mode(&self, path: &Path, mode: u32) -> FsResult<()> {
        self.volume.set_mode(path, mode).map_err(FsError::at(FsOp::SetMode, path))
    }

    async fn read_link(&self, path: &Path) -> FsResult<PathBuf> {
        self.volume.read_link(path).map_err(FsError::at(FsOp::ReadLink, path))
    }

    async fn symlink(&self, target: &Path, link: &Path) -> FsResult<()> {
        self.volume.symlink(target, link).map_err(FsError::at(FsOp::Symlink, link))
    }

    async fn hard_link(&self, from: &Path, to: &Path) -> FsResult<()> {
        self.volume.hard_link(from, to).map_err(FsError::at(FsOp::HardLink, to))
    }

    fn is_plain(&self, path: &Path) -> bool {
        self.volume.tree.borrow().is_plain(path)
    }

    fn resident_bytes(&self) -> u64 {
        self.volume.resident_bytes()
    }

    fn usage(&self) -> Option<(u64, u64)> {
        Some((self.volume.budget.used(), self.volume.budget.available()))
    }

    fn kind(&self) -> &'static str {
        "memory"
    }
}

/// An open file: it keeps its inode, whatever happens to its name.
struct Handle {
    volume: Rc<Volume>,
    inode: u64,
    options: OpenOptions,
}

impl Handle {
    fn read(&self, offset: u64, len: usize) -> IoResult<Vec<u8>> {
        if !self.options.read {
            return Err(Errno::BadDescriptor);
        }
        present(self.volume.read(self.inode, offset, len, &NoSource))
    }

    fn write(&self, offset: Option<u64>, bytes: &[u8]) -> IoResult<()> {
        if !self.options.write {
            return Err(Errno::BadDescriptor);
        }
        let offset = offset.filter(|_| !self.options.append);
        present(self.volume.write_at(self.inode, offset, bytes, &NoSource))
    }
}

#[async_trait(?Send)]
impl File for Handle {
    async fn read_at(&self, offset: u64, len: usize) -> IoResult<Vec<u8>> {
        self.read(offset, len)
    }

    async fn write_at(&self, offset: u64, bytes: &[u8]) -> IoResult<()> {
        self.write(Some(offset), bytes)
    }

    async fn append(&self, bytes: &[u8]) -> IoResult<()> {
        self.write(None, bytes)
    }

    async fn set_len(&self, len: u64) -> IoResult<()> {
        if !self.options.write {
            return Err(Errno::Invalid);
        }
        present(self.volume.set_len(self.inode, len, &NoSource))
    }

    async fn len(&self) -> IoResult<u64> {
        self.volume.len(self.inode)
    }

    fn read_now(&self, offset: u64, len: usize) -> Option<IoResult<Vec<u8>>> {
        Some(self.read(offset, len))
    }

    fn write_now(&self, offset: Option<u64>, bytes: &[u8]) -> Option<IoResult<()>> {
        Some(self.write(offset, bytes))
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.volume.release(self.inode);
    }
}
