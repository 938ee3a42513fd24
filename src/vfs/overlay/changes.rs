//! What an overlay has changed, and what can be done with that: look, commit, reset.

use crate::value::InOrder;
use std::rc::Rc;

use super::layers::{Layer, errno, kept, lower, optional, upper};
use super::{Base, Marks, OverlayFs};
use crate::io::{Errno, IoResult};
use crate::vfs::{
    FileKind, Filesystem, FsError, FsOp, FsResult, Metadata, Path, PathBuf, WriteMode,
};

/// How an entry was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// It is new.
    Added,
    /// Its content, target or attributes are different, or it is of another kind.
    Modified,
    /// It is gone.
    Removed,
}

/// One changed entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Its path.
    pub path: PathBuf,
    /// How.
    pub kind: ChangeKind,
    /// Whether the lower layer has changed there since, so that a commit is refused.
    pub stale: bool,
}

/// The content of one changed file before and after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Its path.
    pub path: PathBuf,
    /// What it was; `None` where there was no file.
    pub before: Option<Vec<u8>>,
    /// What it is; `None` where there is none.
    pub after: Option<Vec<u8>>,
}

/// One step of a commit, and how to take it back.
enum Undo {
    Remove(PathBuf),
    Restore(PathBuf, Metadata, Saved),
}

/// What the lower layer had.
enum Saved {
    File(Vec<u8>),
    Directory,
    Symlink(PathBuf),
}

impl OverlayFs {
    /// All changes, by path.
    pub async fn status(&self) -> FsResult<Vec<Change>> {
        self.changes().await.map_err(FsError::at(FsOp::Stat, Path::new("/")))
    }

    async fn changes(&self) -> IoResult<Vec<Change>> {
        let mut changes = Vec::new();
        for (at, layer, metadata) in self.below("").await? {
            if layer == Layer::Upper && !at.is_empty() {
                let base = self.base(&at);
                let kind = match &base {
                    None => ChangeKind::Added,
                    Some(base) if self.differs(&at, &metadata, base).await? => ChangeKind::Modified,
                    Some(_) => continue,
                };
                changes.push(self.change(at, kind, base.as_ref()).await?);
            }
        }
        let Marks { bases, .. } = self.marks.borrow().clone();
        for (at, base) in bases.iter() {
            if self.find(at).await?.is_none() {
                changes.push(self.change(at.clone(), ChangeKind::Removed, Some(base)).await?);
            }
        }
        changes.order_by(|a, b| a.path.as_str().cmp(b.path.as_str()));
        Ok(changes)
    }

    fn base(&self, at: &str) -> Option<Base> {
        self.marks.borrow().bases.get(at).cloned()
    }

    async fn change(&self, at: String, kind: ChangeKind, base: Option<&Base>) -> IoResult<Change> {
        let stale = self.is_stale(&at, base).await?;
        Ok(Change { path: PathBuf::from(at), kind, stale })
    }

    /// Whether what shows in the upper layer is different from what was copied up.
    async fn differs(&self, at: &str, metadata: &Metadata, base: &Base) -> IoResult<bool> {
        let old = base.metadata();
        if (metadata.kind, metadata.mode) != (old.kind, old.mode) || self.is_hidden(at) {
            return Ok(true);
        }
        Ok(match (metadata.kind, base) {
            (FileKind::Directory, _) => false,
            (FileKind::File, Base::Kept(_)) => {
                metadata.len != old.len
                    || metadata.modified != old.modified
                    || errno(self.memory.read(&upper(at)).await)?
                        != errno(self.memory.read(&kept(at)).await)?
            }
            (FileKind::Symlink, _) => {
                errno(self.memory.read_link(&upper(at)).await)?
                    != errno(self.lower.read_link(&lower(at)).await)?
            }
            _ => true,
        })
    }

    /// Whether the lower layer is not what it was when the change was made.
    async fn is_stale(&self, at: &str, base: Option<&Base>) -> IoResult<bool> {
        let present = optional(self.lower.lstat(&lower(at)).await)?;
        let (present, base) = match (present, base) {
            (None, None) => return Ok(false),
            (Some(present), Some(base)) => (present, base),
            _ => return Ok(true),
        };
        let old = base.metadata();
        if present.kind != old.kind {
            return Ok(true);
        }
        Ok(match (present.kind, base) {
            (FileKind::File, Base::Kept(_)) => {
                present.len != old.len
                    || errno(self.lower.read(&lower(at)).await)?
                        != errno(self.memory.read(&kept(at)).await)?
            }
            (FileKind::File, Base::Seen(_)) => {
                (present.len, present.modified) != (old.len, old.modified)
            }
            _ => false,
        })
    }

    /// The changed files with their contents before and after; links show their targets.
    pub async fn diff(&self) -> FsResult<Vec<Difference>> {
        let mut differences = Vec::new();
        for Change { path, kind, .. } in self.status().await? {
            let difference = async {
                let before = match kind {
                    ChangeKind::Added => None,
                    _ => self.old_content(path.as_str()).await?,
                };
                let after = match kind {
                    ChangeKind::Removed => None,
                    _ => text_of(&self.memory, &upper(path.as_str())).await?,
                };
                Ok((before, after))
            };
            let (before, after) = difference.await.map_err(FsError::at(FsOp::Read, &path))?;
            if before != after {
                differences.push(Difference { path, before, after });
            }
        }
        Ok(differences)
    }

    async fn old_content(&self, at: &str) -> IoResult<Option<Vec<u8>>> {
        match self.base(at) {
            Some(Base::Kept(_)) => errno(self.memory.read(&kept(at)).await).map(Some),
            _ => text_of(&*self.lower, &lower(at)).await,
        }
    }

    /// Makes all changes to the lower layer and has none afterwards.
    ///
    /// Nothing is done where the lower layer has changed under a change (`Busy`, with its path).
    /// Where a step fails, those before it are taken back.
    pub async fn commit(&self) -> FsResult<()> {
        let changes = self.status().await?;
        if let Some(change) = changes.iter().find(|change| change.stale) {
            return Err(FsError::new(Errno::Busy, FsOp::Write, &change.path));
        }
        let mut undo = Vec::new();
        for change in changes.iter().rev() {
            // What is gone, and what gives way to something of another kind, innermost first.
            let cleared = self.clear(change, &mut undo).await;
            if let Err(errno) = cleared {
                self.take_back(undo).await;
                return Err(FsError::new(errno, FsOp::Remove, &change.path));
            }
        }
        for change in changes.iter().filter(|change| change.kind != ChangeKind::Removed) {
            if let Err(errno) = self.place(change, &mut undo).await {
                self.take_back(undo).await;
                return Err(FsError::new(errno, FsOp::Write, &change.path));
            }
        }
        // Times last: filling a directory changes its own.
        for change in changes.iter().rev().filter(|change| change.kind != ChangeKind::Removed) {
            if let Err(errno) = self.finish(change).await {
                self.take_back(undo).await;
                return Err(FsError::new(errno, FsOp::SetTimes, &change.path));
            }
        }
        self.reset();
        self.lower.flush(false).await
    }

    /// Forgets all changes.
    pub fn reset(&self) {
        *self.marks.borrow_mut() = Marks::default();
        self.memory.wipe(&["/u", "/b"]);
    }

    /// Forgets the changes at and below a path.
    pub async fn reset_at(&self, path: &Path) -> FsResult<()> {
        let done = async {
            let at = self.resolve(path, crate::vfs::tree::Follow::Not).await?;
            if at.is_empty() {
                self.reset();
                return Ok(());
            }
            let inside = format!("{at}/");
            let is_at = |path: &str| path == at || path.starts_with(&inside);
            for place in [upper(&at), kept(&at)] {
                if optional(self.memory.lstat(&place).await)?.is_some() {
                    errno(self.memory.remove(&place, true).await)?;
                }
            }
            let marks = &mut *self.marks.borrow_mut();
            Rc::make_mut(&mut marks.whiteouts).retain(|other| !is_at(other));
            Rc::make_mut(&mut marks.bases).retain(|other, _| !is_at(other));
            Ok(())
        };
        done.await.map_err(FsError::at(FsOp::Remove, path))
    }

    /// Takes away what the lower layer has, unless it only changes.
    async fn clear(&self, change: &Change, undo: &mut Vec<Undo>) -> IoResult<()> {
        let path = &change.path;
        let Some(old) = optional(self.lower.lstat(path).await)? else { return Ok(()) };
        let stays = match change.kind {
            ChangeKind::Removed => false,
            _ => {
                errno(self.memory.lstat(&upper(path.as_str())).await)?.kind == old.kind
                    && old.kind != FileKind::Symlink
            }
        };
        if stays {
            return Ok(());
        }
        let saved = self.save(path, &old).await?;
        errno(self.lower.remove(path, false).await)?;
        undo.push(Undo::Restore(path.clone(), old, saved));
        Ok(())
    }

    async fn save(&self, path: &Path, old: &Metadata) -> IoResult<Saved> {
        Ok(match old.kind {
            FileKind::Directory => Saved::Directory,
            FileKind::Symlink => Saved::Symlink(errno(self.lower.read_link(path).await)?),
            _ => Saved::File(errno(self.lower.read(path).await)?),
        })
    }

    /// Gives the lower layer what the upper one has.
    async fn place(&self, change: &Change, undo: &mut Vec<Undo>) -> IoResult<()> {
        let path = &change.path;
        let from = upper(path.as_str());
        let new = errno(self.memory.lstat(&from).await)?;
        match optional(self.lower.lstat(path).await)? {
            None => undo.push(Undo::Remove(path.clone())),
            Some(old) => {
                let saved = self.save(path, &old).await?;
                undo.push(Undo::Restore(path.clone(), old, saved));
            }
        }
        match new.kind {
            FileKind::Directory if optional(self.lower.lstat(path).await)?.is_none() => {
                errno(self.lower.mkdir(path).await)
            }
            FileKind::Directory => Ok(()),
            FileKind::Symlink => {
                let target = errno(self.memory.read_link(&from).await)?;
                errno(self.lower.symlink(&target, path).await)
            }
            _ => {
                let content = self.memory.read_all(&from)?;
                errno(self.lower.write(path, &content, WriteMode::Overwrite).await)
            }
        }
    }

    async fn finish(&self, change: &Change) -> IoResult<()> {
        let new = errno(self.memory.lstat(&upper(change.path.as_str())).await)?;
        attributes(&*self.lower, &change.path, &new).await
    }

    /// Takes back the steps of a commit; what cannot be taken back is left, the first error told.
    async fn take_back(&self, undo: Vec<Undo>) {
        for step in undo.into_iter().rev() {
            let fs = &self.lower;
            match step {
                Undo::Remove(path) => {
                    let _ = fs.remove(&path, true).await;
                }
                Undo::Restore(path, old, saved) => {
                    let _ = match saved {
                        Saved::File(content) => {
                            fs.write(&path, &content, WriteMode::Overwrite).await
                        }
                        Saved::Directory => fs.mkdir(&path).await,
                        Saved::Symlink(target) => fs.symlink(&target, &path).await,
                    };
                    let _ = attributes(&**fs, &path, &old).await;
                }
            }
        }
    }
}

async fn attributes(fs: &dyn Filesystem, path: &Path, from: &Metadata) -> IoResult<()> {
    let able = fs.capabilities();
    if from.is_symlink() {
        return Ok(());
    }
    if able.times {
        errno(fs.set_mtime(path, from.modified).await)?;
    }
    if able.modes {
        errno(fs.set_mode(path, from.mode).await)?;
    }
    Ok(())
}

/// The content of a file or the target of a link; `None` for anything else.
async fn text_of(fs: &dyn Filesystem, path: &Path) -> IoResult<Option<Vec<u8>>> {
    match optional(fs.lstat(path).await)?.map(|metadata| metadata.kind) {
        Some(FileKind::File) => errno(fs.read(path).await).map(Some),
        Some(FileKind::Symlink) => {
            let target = errno(fs.read_link(path).await)?;
            Ok(Some(target.as_str().as_bytes().to_vec()))
        }
        _ => Ok(None),
    }
}
