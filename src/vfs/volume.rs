//! A tree with its clock, pool and open handles: the path operations that need not wait.
//!
//! `MemoryFs` and the packed filesystem are both a volume; they differ in where chunks that are not
//! in memory come from, and in what happens after a change.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::content::{Backing, Content, Fault, NoSource, Source};
use super::tree::{Body, Follow, Node, Place, Tree};
use super::{ByteBudget, DirEntry, Metadata, OpenOptions, Path, WriteMode};
use crate::host::{Host, Timestamp};
use crate::io::{Errno, IoResult};

/// What opening a file did.
pub(super) struct Opened {
    pub(super) inode: u64,
    /// The file before it was cut; `None` for a new one.
    pub(super) before: Option<Node>,
}

/// See the file's first line.
pub(super) struct Volume {
    pub(super) tree: RefCell<Tree>,
    pub(super) host: Rc<dyn Host>,
    pub(super) budget: ByteBudget,
    handles: RefCell<FxHashMap<u64, u32>>,
    read_only: Cell<bool>,
}

impl Volume {
    pub(super) fn new(tree: Tree, host: Rc<dyn Host>, budget: ByteBudget) -> Self {
        let handles = RefCell::default();
        Self { tree: RefCell::new(tree), host, budget, handles, read_only: Cell::new(false) }
    }

    pub(super) fn now(&self) -> Timestamp {
        self.host.now()
    }

    pub(super) fn is_read_only(&self) -> bool {
        self.read_only.get()
    }

    pub(super) fn set_read_only(&self, read_only: bool) {
        self.read_only.set(read_only);
    }

    fn writing(&self) -> IoResult<()> {
        if self.is_read_only() { Err(Errno::ReadOnly) } else { Ok(()) }
    }

    fn backing<'a>(&'a self, source: &'a dyn Source) -> Backing<'a> {
        Backing { budget: &self.budget, source }
    }

    /// The inode of a file to be read.
    pub(super) fn readable(&self, path: &Path) -> IoResult<u64> {
        let tree = self.tree.borrow();
        let inode = tree.walk(path, Follow::Final)?.found()?;
        allowed(&tree, inode, 0o400)?;
        Ok(inode)
    }

    pub(super) fn read(
        &self,
        inode: u64,
        offset: u64,
        len: usize,
        source: &dyn Source,
    ) -> Result<Vec<u8>, Fault> {
        self.tree.borrow().content(inode)?.read(offset, len, source)
    }

    /// Writes at an offset, or at the end.
    pub(super) fn write_at(
        &self,
        inode: u64,
        offset: Option<u64>,
        bytes: &[u8],
        source: &dyn Source,
    ) -> Result<(), Fault> {
        self.writing()?;
        let now = self.now();
        let mut tree = self.tree.borrow_mut();
        let node = tree.edit(inode)?;
        let Body::File(content) = &mut node.body else { return Err(Errno::Invalid.into()) };
        let offset = offset.unwrap_or_else(|| content.len());
        content.write(offset, bytes, self.backing(source))?;
        node.modified = now;
        Ok(())
    }

    /// Adds to the end of a file that is created where missing; returns its inode.
    pub(super) fn append(
        &self,
        path: &Path,
        bytes: &[u8],
        source: &dyn Source,
    ) -> Result<u64, Fault> {
        let at = self.target(path, WriteMode::Overwrite)?;
        if at.inode.is_none() {
            self.budget.check(bytes.len() as u64)?;
        }
        let inode = self.obtain(&at)?;
        self.write_at(inode, None, bytes, source)?;
        Ok(inode)
    }

    pub(super) fn set_len(&self, inode: u64, len: u64, source: &dyn Source) -> Result<(), Fault> {
        self.writing()?;
        let now = self.now();
        let mut tree = self.tree.borrow_mut();
        let node = tree.edit(inode)?;
        let Body::File(content) = &mut node.body else { return Err(Errno::Invalid.into()) };
        content.set_len(len, self.backing(source))?;
        node.modified = now;
        Ok(())
    }

    /// The place of a file to be written, after the checks that `mode` asks for.
    fn target(&self, path: &Path, mode: WriteMode) -> IoResult<Place> {
        self.writing()?;
        let tree = self.tree.borrow();
        let follow = if mode == WriteMode::CreateNew { Follow::Not } else { Follow::Final };
        let at = tree.walk(path, follow)?;
        match (at.inode, mode) {
            (Some(_), WriteMode::CreateNew) => return Err(Errno::AlreadyExists),
            (None, WriteMode::UpdateOnly) => return Err(Errno::NotFound),
            (Some(inode), _) => allowed(&tree, inode, 0o200)?,
            (None, _) => {}
        }
        Ok(at)
    }

    /// The inode at a place, created where there is none.
    fn obtain(&self, at: &Place) -> IoResult<u64> {
        match at.inode {
            Some(inode) => Ok(inode),
            None => self.tree.borrow_mut().create(at, self.now()),
        }
    }

    /// Replaces the content of a file; returns its inode.
    pub(super) fn write(&self, path: &Path, bytes: &[u8], mode: WriteMode) -> IoResult<u64> {
        let at = self.target(path, mode)?;
        let freed = match at.inode {
            Some(inode) => self.tree.borrow().content(inode)?.owned_bytes(),
            None => 0,
        };
        self.budget.check((bytes.len() as u64).saturating_sub(freed))?;
        let inode = self.obtain(&at)?;
        self.replace(inode, Content::default())?;
        let mut content = Content::default();
        match content.write(0, bytes, self.backing(&NoSource)) {
            Ok(()) => self.replace(inode, content)?,
            Err(Fault::Errno(errno)) => return Err(errno),
            Err(Fault::Load { .. }) => return Err(Errno::Io),
        }
        Ok(inode)
    }

    fn replace(&self, inode: u64, content: Content) -> IoResult<()> {
        let now = self.now();
        let mut tree = self.tree.borrow_mut();
        let node = tree.edit(inode)?;
        node.modified = now;
        node.body = Body::File(content);
        Ok(())
    }

    /// Gives `to` the content of `from`, sharing every chunk; returns the inode of `to`.
    pub(super) fn copy(&self, from: &Path, to: &Path) -> IoResult<u64> {
        let source = self.readable(from)?;
        let content = self.tree.borrow().content(source)?.clone();
        let at = self.target(to, WriteMode::Overwrite)?;
        let inode = self.obtain(&at)?;
        if inode != source {
            self.replace(inode, content)?;
        }
        Ok(inode)
    }

    /// Opens a file, counting a handle on it.
    pub(super) fn open(&self, path: &Path, options: OpenOptions) -> IoResult<Opened> {
        let OpenOptions { read, write, create, create_new, truncate, .. } = options;
        let at = if write {
            let mode = match (create, create_new) {
                (_, true) => WriteMode::CreateNew,
                (true, false) => WriteMode::Overwrite,
                (false, false) => WriteMode::UpdateOnly,
            };
            self.target(path, mode)?
        } else {
            self.tree.borrow().walk(path, Follow::Final)?
        };
        if let Some(inode) = at.inode {
            allowed(&self.tree.borrow(), inode, if read { 0o400 } else { 0 })?;
        } else if !(write && (create || create_new)) {
            return Err(Errno::NotFound);
        }
        let inode = self.obtain(&at)?;
        let before = at.inode.and_then(|inode| self.tree.borrow().get(inode).cloned());
        if truncate && write && self.tree.borrow().content(inode)?.len() > 0 {
            self.replace(inode, Content::default())?;
        }
        *self.handles.borrow_mut().entry(inode).or_default() += 1;
        Ok(Opened { inode, before })
    }

    /// The inodes that have lost their last name and are kept by handles only.
    pub(super) fn orphans(&self) -> Vec<u64> {
        let (tree, handles) = (self.tree.borrow(), self.handles.borrow());
        let unnamed = |inode: &u64| tree.get(*inode).is_some_and(|node| node.links == 0);
        let mut orphans: Vec<u64> = handles.keys().copied().filter(unnamed).collect();
        orphans.sort_unstable();
        orphans
    }

    /// Ends a handle; a file that has lost its last name goes with its last handle.
    pub(super) fn release(&self, inode: u64) {
        let mut handles = self.handles.borrow_mut();
        let Some(count) = handles.get_mut(&inode) else { return };
        *count -= 1;
        if *count == 0 {
            handles.remove(&inode);
            self.tree.borrow_mut().forget(inode);
        }
    }

    fn forget(&self, lost: Vec<u64>) {
        let handles = self.handles.borrow();
        let mut tree = self.tree.borrow_mut();
        for inode in lost {
            if !handles.contains_key(&inode) {
                tree.forget(inode);
            }
        }
    }

    pub(super) fn len(&self, inode: u64) -> IoResult<u64> {
        Ok(self.tree.borrow().content(inode)?.len())
    }

    pub(super) fn list(&self, path: &Path) -> IoResult<Vec<DirEntry>> {
        let tree = self.tree.borrow();
        let inode = tree.walk(path, Follow::Final)?.found()?;
        let entries = tree.list(inode)?;
        if tree.get(inode).is_some_and(|node| node.mode & 0o400 == 0) {
            return Err(Errno::PermissionDenied);
        }
        Ok(entries)
    }

    pub(super) fn stat(&self, path: &Path, follow: Follow) -> IoResult<Metadata> {
        let tree = self.tree.borrow();
        tree.metadata(tree.walk(path, follow)?.found()?)
    }

    pub(super) fn mkdir(&self, path: &Path) -> IoResult<()> {
        self.writing()?;
        let mut tree = self.tree.borrow_mut();
        let at = tree.walk(path, Follow::Not)?;
        tree.mkdir(&at, self.now()).map(|_| ())
    }

    pub(super) fn remove(&self, path: &Path, recursive: bool) -> IoResult<()> {
        self.writing()?;
        let mut tree = self.tree.borrow_mut();
        let at = tree.walk(path, Follow::Not)?;
        let lost = tree.remove(&at, recursive, self.now())?;
        drop(tree);
        self.forget(lost);
        Ok(())
    }

    pub(super) fn rename(&self, from: &Path, to: &Path) -> IoResult<()> {
        self.writing()?;
        let mut tree = self.tree.borrow_mut();
        let from = tree.walk(from, Follow::Not)?;
        let to = tree.walk(to, Follow::Not)?;
        let lost = tree.rename(&from, &to, self.now())?;
        drop(tree);
        self.forget(lost);
        Ok(())
    }

    pub(super) fn set_mtime(&self, path: &Path, mtime: Timestamp) -> IoResult<()> {
        self.writing()?;
        let mut tree = self.tree.borrow_mut();
        let inode = tree.walk(path, Follow::Final)?.found()?;
        tree.edit(inode)?.modified = mtime;
        Ok(())
    }

    pub(super) fn set_mode(&self, path: &Path, mode: u32) -> IoResult<()> {
        self.writing()?;
        let mut tree = self.tree.borrow_mut();
        let inode = tree.walk(path, Follow::Final)?.found()?;
        tree.edit(inode)?.mode = mode & 0o7777;
        Ok(())
    }

    pub(super) fn read_link(&self, path: &Path) -> IoResult<super::PathBuf> {
        let tree = self.tree.borrow();
        let inode = tree.walk(path, Follow::Not)?.found()?;
        match tree.get(inode).map(|node| &node.body) {
            Some(Body::Symlink(target)) => Ok(super::PathBuf::from(target.as_str())),
            _ => Err(Errno::Invalid),
        }
    }

    pub(super) fn symlink(&self, target: &Path, link: &Path) -> IoResult<()> {
        self.writing()?;
        if target.as_str().len() > super::MAX_PATH {
            return Err(Errno::NameTooLong);
        }
        let mut tree = self.tree.borrow_mut();
        let at = tree.walk(link, Follow::Not)?;
        tree.symlink(target.as_str(), &at, self.now()).map(|_| ())
    }

    pub(super) fn hard_link(&self, from: &Path, to: &Path) -> IoResult<()> {
        self.writing()?;
        let mut tree = self.tree.borrow_mut();
        let inode = tree.walk(from, Follow::Not)?.found()?;
        let at = tree.walk(to, Follow::Not)?;
        tree.hard_link(inode, &at, self.now())
    }

    /// Bytes of content in memory, each shared block once per file.
    pub(super) fn resident_bytes(&self) -> u64 {
        let tree = self.tree.borrow();
        tree.iter()
            .map(|(_, node)| match &node.body {
                Body::File(content) => content.memory_bytes(),
                _ => 0,
            })
            .sum()
    }
}

/// Checks the owner's permission bits of a file; a directory is refused as such.
fn allowed(tree: &Tree, inode: u64, bit: u32) -> IoResult<()> {
    tree.content(inode)?;
    let mode = tree.get(inode).map_or(0, |node| node.mode);
    if mode & bit == bit { Ok(()) } else { Err(Errno::PermissionDenied) }
}
