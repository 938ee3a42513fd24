//! Mounts: one tree of paths over several filesystems, the longest matching prefix owning each path.
//!
//! A mount point shows in the listing of its parent and is a directory even where the filesystem
//! below has none. Links never leave the filesystem they are in; `..` in a path is resolved after
//! the links before it, across the root of a mount too.

mod changes;
mod rename;
mod resolve;

use crate::value::InOrder;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

use async_trait::async_trait;

use super::tree::Follow;
use super::watch::Watches;
use super::{
    Capabilities, DirEntry, FileKind, Filesystem, FsError, FsOp, FsResult, Metadata, OpenOptions,
    Path, PathBuf, WriteMode,
};
use crate::host::Timestamp;
use crate::io::{Errno, File};
use resolve::Spot;

pub(super) use resolve::is_tidy;

/// A filesystem made of mounts.
#[derive(Default)]
pub struct VfsRouter {
    mounts: RefCell<Vec<Mount>>,
    devices: Cell<u64>,
    watches: Watches,
}

/// One mounted filesystem.
#[derive(Clone)]
pub struct Mount {
    /// Where it is mounted: absolute, without a final slash; empty for the root.
    prefix: String,
    fs: Rc<dyn Filesystem>,
    device: u64,
    /// Whether other mounts lie below it.
    nested: bool,
}

impl Mount {
    /// Where it is mounted.
    pub fn path(&self) -> &Path {
        Path::new(if self.prefix.is_empty() { "/" } else { &self.prefix })
    }

    /// What is mounted.
    pub fn filesystem(&self) -> &Rc<dyn Filesystem> {
        &self.fs
    }

    /// The number in [`Metadata::device`] of its files.
    pub fn device(&self) -> u64 {
        self.device
    }
}

/// Whether `path` is `prefix` or lies below it.
fn is_below(path: &str, prefix: &str) -> bool {
    path.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

impl VfsRouter {
    /// A router without mounts, in which nothing is found.
    pub fn new() -> Self {
        Self::default()
    }

    /// Mounts a filesystem at an absolute path, over whatever was mounted exactly there.
    pub fn mount(&self, path: &Path, fs: Rc<dyn Filesystem>) {
        let prefix = resolve::folded(path.as_str());
        self.unmount(path);
        self.devices.set(self.devices.get() + 1);
        let mount = Mount { prefix, fs, device: self.devices.get(), nested: false };
        self.mounts.borrow_mut().push(mount);
        self.sort();
    }

    /// Takes away the mount at exactly this path; answers whether there was one.
    pub fn unmount(&self, path: &Path) -> bool {
        let prefix = resolve::folded(path.as_str());
        let mut mounts = self.mounts.borrow_mut();
        let before = mounts.len();
        mounts.retain(|mount| mount.prefix != prefix);
        let found = mounts.len() < before;
        drop(mounts);
        self.sort();
        found
    }

    /// The longest prefixes first, each knowing whether another lies below it.
    fn sort(&self) {
        let mut mounts = self.mounts.borrow_mut();
        mounts.order_by(|a, b| b.prefix.len().cmp(&a.prefix.len()).then(a.prefix.cmp(&b.prefix)));
        let prefixes: Vec<String> = mounts.iter().map(|mount| mount.prefix.clone()).collect();
        for mount in mounts.iter_mut() {
            let below = |other: &&String| **other != mount.prefix && is_below(other, &mount.prefix);
            mount.nested = prefixes.iter().any(|other| below(&other));
        }
    }

    /// All mounts, by path.
    pub fn mounts(&self) -> Vec<Mount> {
        let mut mounts = self.mounts.borrow().clone();
        mounts.order_by(|a, b| a.prefix.cmp(&b.prefix));
        mounts
    }

    /// The mount that owns what `path` names, links followed.
    pub async fn mount_of(&self, path: &Path) -> FsResult<Mount> {
        let spot = self.resolve(path, Follow::Final).await;
        spot.map(|spot| spot.mount).map_err(FsError::at(FsOp::Resolve, path))
    }

    /// The path without links, `.` and `..`; the last component may be missing where allowed.
    pub async fn canonicalize(&self, path: &Path, allow_missing: bool) -> FsResult<PathBuf> {
        let at = async {
            let at = self.walk(path.as_str(), Follow::Final).await?;
            let at = at.strip_suffix('/').unwrap_or(&at);
            let at = Path::new(if at.is_empty() { "/" } else { at });
            if !allow_missing {
                self.lstat(at).await.map_err(|error| error.errno)?;
            }
            Ok(at.to_path_buf())
        };
        at.await.map_err(FsError::at(FsOp::Resolve, path))
    }

    /// What a directory is told to be that only mounts below it make exist.
    fn made_up(&self, spot: &Spot) -> Option<Metadata> {
        let whole = spot.whole();
        let mounts = self.mounts.borrow();
        let at = mounts.iter().position(|mount| is_below(&mount.prefix, &whole))?;
        Some(Metadata {
            kind: FileKind::Directory,
            len: 0,
            mode: 0o555,
            modified: Timestamp::default(),
            inode: u64::MAX - at as u64,
            device: spot.mount.device,
            links: 2,
        })
    }

    async fn metadata(&self, path: &Path, follow: Follow) -> FsResult<Metadata> {
        let error = FsError::at(FsOp::Stat, path);
        let spot = match self.resolve(path, follow).await {
            Ok(spot) => spot,
            Err(errno) => return Err(error(errno)),
        };
        let found = match follow {
            Follow::Final => spot.mount.fs.stat(&spot.path).await,
            Follow::Not => spot.mount.fs.lstat(&spot.path).await,
        };
        match found {
            Ok(metadata) => Ok(Metadata { device: spot.mount.device, ..metadata }),
            Err(FsError { errno: Errno::NotFound, .. }) => {
                self.made_up(&spot).ok_or_else(|| error(Errno::NotFound))
            }
            Err(fault) => Err(error(fault.errno)),
        }
    }

    /// The spot of an entry that is to be made, moved or removed.
    async fn entry(&self, path: &Path, op: FsOp) -> FsResult<Spot> {
        let spot = self.resolve(path, Follow::Not).await.map_err(FsError::at(op, path))?;
        if self.made_up(&spot).is_some() {
            let exists = matches!(op, FsOp::Mkdir | FsOp::Symlink | FsOp::HardLink);
            let there = exists && (spot.is_root() || spot.mount.fs.lstat(&spot.path).await.is_ok());
            if !exists || there {
                let errno = if exists { Errno::AlreadyExists } else { Errno::Busy };
                return Err(FsError::new(errno, op, path));
            }
        }
        Ok(spot)
    }

    async fn spot(&self, path: &Path, op: FsOp) -> FsResult<Spot> {
        self.resolve(path, Follow::Final).await.map_err(FsError::at(op, path))
    }
}

/// Names the path as the caller gave it.
fn renamed<T>(result: FsResult<T>, path: &Path) -> FsResult<T> {
    result.map_err(|error| FsError { path: path.to_path_buf(), ..error })
}

#[async_trait(?Send)]
impl Filesystem for VfsRouter {
    async fn read(&self, path: &Path) -> FsResult<Vec<u8>> {
        let spot = self.spot(path, FsOp::Read).await?;
        renamed(spot.mount.fs.read(&spot.path).await, path)
    }

    async fn read_range(&self, path: &Path, offset: u64, len: usize) -> FsResult<Vec<u8>> {
        let spot = self.spot(path, FsOp::Read).await?;
        renamed(spot.mount.fs.read_range(&spot.path, offset, len).await, path)
    }

    async fn write(&self, path: &Path, content: &[u8], mode: WriteMode) -> FsResult<()> {
        let follow = if mode == WriteMode::CreateNew { Follow::Not } else { Follow::Final };
        let spot = self.resolve(path, follow).await.map_err(FsError::at(FsOp::Write, path))?;
        renamed(spot.mount.fs.write(&spot.path, content, mode).await, path)?;
        self.content_changed(path).await;
        Ok(())
    }

    async fn append(&self, path: &Path, content: &[u8]) -> FsResult<()> {
        let spot = self.spot(path, FsOp::Write).await?;
        renamed(spot.mount.fs.append(&spot.path, content).await, path)?;
        self.content_changed(path).await;
        Ok(())
    }

    async fn copy(&self, from: &Path, to: &Path) -> FsResult<()> {
        let source = self.spot(from, FsOp::Read).await?;
        let target = self.spot(to, FsOp::Write).await?;
        let copied = if source.mount.device == target.mount.device {
            source.mount.fs.copy(&source.path, &target.path).await
        } else {
            rename::copy_content(&source, &target).await
        };
        renamed(copied, to)?;
        self.content_changed(to).await;
        Ok(())
    }

    async fn open(&self, path: &Path, options: OpenOptions) -> FsResult<Rc<dyn File>> {
        let follow = if options.create_new { Follow::Not } else { Follow::Final };
        let spot = self.resolve(path, follow).await.map_err(FsError::at(FsOp::Open, path))?;
        let file = renamed(spot.mount.fs.open(&spot.path, options).await, path)?;
        Ok(if options.write { self.watched(path, file).await } else { file })
    }

    async fn list(&self, path: &Path) -> FsResult<Vec<DirEntry>> {
        let spot = self.spot(path, FsOp::List).await?;
        let mut entries = match spot.mount.fs.list(&spot.path).await {
            Ok(entries) => entries,
            Err(FsError { errno: Errno::NotFound, .. }) if self.made_up(&spot).is_some() => {
                Vec::new()
            }
            Err(error) => return renamed(Err(error), path),
        };
        for entry in &mut entries {
            entry.metadata.device = spot.mount.device;
        }
        for name in self.mounts_below(&spot.whole()) {
            let whole = format!("{}/{name}", spot.whole());
            let metadata = self.metadata(Path::new(&whole), Follow::Not).await?;
            let entry = DirEntry { name: name.as_str().into(), metadata };
            match entries.binary_search_by(|other| other.name.as_str().cmp(&name)) {
                Ok(at) => {
                    if let Some(place) = entries.get_mut(at) {
                        *place = entry;
                    }
                }
                Err(at) => entries.insert(at, entry),
            }
        }
        Ok(entries)
    }

    async fn stat(&self, path: &Path) -> FsResult<Metadata> {
        self.metadata(path, Follow::Final).await
    }

    async fn lstat(&self, path: &Path) -> FsResult<Metadata> {
        self.metadata(path, Follow::Not).await
    }

    async fn mkdir(&self, path: &Path) -> FsResult<()> {
        let spot = self.entry(path, FsOp::Mkdir).await?;
        renamed(spot.mount.fs.mkdir(&spot.path).await, path)?;
        self.entry_changed(path).await;
        Ok(())
    }

    async fn remove(&self, path: &Path, recursive: bool) -> FsResult<()> {
        let spot = self.entry(path, FsOp::Remove).await?;
        renamed(spot.mount.fs.remove(&spot.path, recursive).await, path)?;
        self.entry_changed(path).await;
        Ok(())
    }

    async fn rename(&self, from: &Path, to: &Path) -> FsResult<()> {
        let source = self.entry(from, FsOp::Rename).await?;
        let target = self.entry(to, FsOp::Rename).await?;
        let moved = if source.mount.device == target.mount.device {
            source.mount.fs.rename(&source.path, &target.path).await
        } else {
            rename::across(&source, &target).await
        };
        renamed(moved, from)?;
        self.entry_changed(from).await;
        self.entry_changed(to).await;
        Ok(())
    }

    async fn set_mtime(&self, path: &Path, mtime: Timestamp) -> FsResult<()> {
        let spot = self.spot(path, FsOp::SetTimes).await?;
        renamed(spot.mount.fs.set_mtime(&spot.path, mtime).await, path)?;
        self.content_changed(path).await;
        Ok(())
    }

    async fn set_mode(&self, path: &Path, mode: u32) -> FsResult<()> {
        let spot = self.spot(path, FsOp::SetMode).await?;
        renamed(spot.mount.fs.set_mode(&spot.path, mode).await, path)?;
        self.content_changed(path).await;
        Ok(())
    }

    async fn read_link(&self, path: &Path) -> FsResult<PathBuf> {
        let spot = self.resolve(path, Follow::Not).await;
        let spot = spot.map_err(FsError::at(FsOp::ReadLink, path))?;
        renamed(spot.mount.fs.read_link(&spot.path).await, path)
    }

    async fn symlink(&self, target: &Path, link: &Path) -> FsResult<()> {
        let spot = self.entry(link, FsOp::Symlink).await?;
        let relative = if target.as_str().starts_with('/') {
            let relative = self.relative_target(target, link, &spot).await;
            relative.map_err(FsError::at(FsOp::Symlink, link))?
        } else {
            target.to_path_buf()
        };
        renamed(spot.mount.fs.symlink(&relative, &spot.path).await, link)?;
        self.entry_changed(link).await;
        Ok(())
    }

    async fn hard_link(&self, from: &Path, to: &Path) -> FsResult<()> {
        let source = self.resolve(from, Follow::Not).await;
        let source = source.map_err(FsError::at(FsOp::HardLink, from))?;
        let target = self.entry(to, FsOp::HardLink).await?;
        if source.mount.device != target.mount.device {
            return Err(FsError::new(Errno::CrossDevice, FsOp::HardLink, to));
        }
        renamed(source.mount.fs.hard_link(&source.path, &target.path).await, to)?;
        self.entry_changed(to).await;
        Ok(())
    }

    async fn flush(&self, strict: bool) -> FsResult<()> {
        let mut result = Ok(());
        for mount in self.mounts() {
            let flushed = renamed(mount.fs.flush(strict).await, mount.path());
            result = result.and(flushed);
        }
        result
    }

    fn is_plain(&self, path: &Path) -> bool {
        resolve::is_tidy(path.as_str())
            && self.locate(path.as_str()).is_ok_and(|spot| spot.mount.fs.is_plain(&spot.path))
    }

    fn read_only(&self) -> bool {
        self.mounts.borrow().iter().all(|mount| mount.fs.read_only())
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::ALL
    }

    fn resident_bytes(&self) -> u64 {
        self.mounts.borrow().iter().map(|mount| mount.fs.resident_bytes()).sum()
    }

    fn kind(&self) -> &'static str {
        "router"
    }
}
