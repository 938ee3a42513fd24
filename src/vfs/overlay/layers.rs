//! Which layer has a path, and copying up from the lower to the upper one.

use std::rc::Rc;

use super::{Base, OverlayFs};
use crate::io::{Errno, IoResult};
use crate::vfs::router::is_tidy;
use crate::vfs::tree::Follow;
use crate::vfs::{
    FileKind, Filesystem, FsResult, MAX_PATH, MAX_SYMLINK_HOPS, Metadata, OpenOptions, Path,
    PathBuf, WriteMode,
};

/// A file that is cut is copied up without its content where that is longer.
const KEEP: u64 = 1024 * 1024;

const SLICE: usize = 256 * 1024;

/// Which layer shows at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layer {
    Upper,
    Lower,
}

/// The error number alone; who asked adds the path as it was given.
pub(super) fn errno<T>(result: FsResult<T>) -> IoResult<T> {
    result.map_err(|error| error.errno)
}

/// Something that may not be there.
pub(super) fn optional<T>(result: FsResult<T>) -> IoResult<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if matches!(error.errno, Errno::NotFound | Errno::NotDirectory) => Ok(None),
        Err(error) => Err(error.errno),
    }
}

/// Where a path of the overlay lies in the upper layer.
pub(super) fn upper(at: &str) -> PathBuf {
    PathBuf::from(format!("/u{at}"))
}

/// Where the base of a path is kept.
pub(super) fn kept(at: &str) -> PathBuf {
    PathBuf::from(format!("/b{at}"))
}

/// A path in the lower layer.
pub(super) fn lower(at: &str) -> PathBuf {
    PathBuf::from(if at.is_empty() { "/" } else { at })
}

/// The directory above a path; empty for the root.
pub(super) fn above(at: &str) -> &str {
    at.rsplit_once('/').map_or("", |(above, _)| above)
}

/// The path itself and all above it, the longest first, without the root.
fn ancestors(at: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(at), |at| at.rsplit_once('/').map(|(above, _)| above))
        .take_while(|at| !at.is_empty())
}

impl OverlayFs {
    /// Whether the lower layer is hidden at a path.
    pub(super) fn is_hidden(&self, at: &str) -> bool {
        let whiteouts = &self.marks.borrow().whiteouts;
        !whiteouts.is_empty() && ancestors(at).any(|at| whiteouts.contains(at))
    }

    pub(super) fn set_base(&self, at: &str, base: Base) {
        let marks = &mut *self.marks.borrow_mut();
        if !marks.bases.contains_key(at) {
            Rc::make_mut(&mut marks.bases).insert(at.to_owned(), base);
        }
    }

    /// What a path without links shows.
    pub(super) async fn find(&self, at: &str) -> IoResult<Option<(Layer, Metadata)>> {
        if let Some(metadata) = optional(self.memory.lstat(&upper(at)).await)? {
            return Ok(Some((Layer::Upper, metadata)));
        }
        Ok(self.find_lower(at).await?.map(|metadata| (Layer::Lower, metadata)))
    }

    /// What the lower layer has at a path, unless it is hidden.
    pub(super) async fn find_lower(&self, at: &str) -> IoResult<Option<Metadata>> {
        if self.is_hidden(at) {
            return Ok(None);
        }
        let found = optional(self.lower.lstat(&lower(at)).await)?;
        // Numbers of the two layers must not meet.
        Ok(found.map(|metadata| Metadata { inode: metadata.inode | 1 << 63, ..metadata }))
    }

    /// What a path without links shows, which must be there.
    pub(super) async fn at(&self, at: &str) -> IoResult<(Layer, Metadata)> {
        self.find(at).await?.ok_or(Errno::NotFound)
    }

    /// The path without links, `.` and `..`, empty for the root; the last component may be missing.
    pub(super) async fn resolve(&self, path: &Path, follow: Follow) -> IoResult<String> {
        let text = path.as_str();
        match text.len() {
            0 => return Err(Errno::NotFound),
            length if length > MAX_PATH => return Err(Errno::NameTooLong),
            _ => {}
        }
        if let Some(at) = self.resolve_plain(text).await? {
            return Ok(at);
        }
        let slash = text.ends_with('/') || text.ends_with("/.");
        let mut pending: Vec<String> = Vec::new();
        push_names(&mut pending, text);
        let (mut at, mut hops) = (String::new(), 0);
        while let Some(name) = pending.pop() {
            if name == ".." {
                at.truncate(above(&at).len());
                continue;
            }
            let before = at.len();
            at.push('/');
            at.push_str(&name);
            let last = pending.is_empty();
            let Some((layer, metadata)) = self.find(&at).await? else {
                return if last { Ok(at) } else { Err(Errno::NotFound) };
            };
            if metadata.is_symlink() && (!last || slash || follow == Follow::Final) {
                hops += 1;
                if hops > MAX_SYMLINK_HOPS {
                    return Err(Errno::SymlinkLoop);
                }
                let target = self.target(&at, layer).await?;
                at.truncate(if target.as_str().starts_with('/') { 0 } else { before });
                push_names(&mut pending, target.as_str());
            } else if !metadata.is_dir() && (!last || slash) {
                return Err(Errno::NotDirectory);
            } else if metadata.is_dir() && !last && metadata.mode & 0o100 == 0 {
                return Err(Errno::PermissionDenied);
            }
        }
        Ok(at)
    }

    /// A path that both layers know to be without links, where it or its directory is there.
    async fn resolve_plain(&self, path: &str) -> IoResult<Option<String>> {
        let plain = is_tidy(path)
            && self.memory.is_plain(&upper(path))
            && self.lower.is_plain(Path::new(path));
        if !plain || path.ends_with('/') {
            return Ok(None);
        }
        let there = self.find(path).await?.is_some()
            || self.find(above(path)).await?.is_some_and(|(_, metadata)| metadata.is_dir());
        Ok(there.then(|| path.to_owned()))
    }

    pub(super) async fn target(&self, at: &str, layer: Layer) -> IoResult<PathBuf> {
        errno(match layer {
            Layer::Upper => self.memory.read_link(&upper(at)).await,
            Layer::Lower => self.lower.read_link(&lower(at)).await,
        })
    }

    /// Copies up the directories above a path, so that the upper layer can have it.
    pub(super) async fn copy_up_above(&self, at: &str) -> IoResult<()> {
        let mut missing: Vec<&str> = Vec::new();
        for dir in ancestors(above(at)) {
            if optional(self.memory.lstat(&upper(dir)).await)?.is_some() {
                break;
            }
            missing.push(dir);
        }
        for dir in missing.into_iter().rev() {
            let metadata = self.find_lower(dir).await?.ok_or(Errno::NotFound)?;
            self.set_base(dir, Base::Seen(metadata.clone()));
            self.make(dir, &metadata, Making::Directory).await?;
        }
        Ok(())
    }

    /// Copies up what the lower layer has at a path, with its content.
    pub(super) async fn copy_up(&self, at: &str) -> IoResult<()> {
        let (layer, metadata) = self.at(at).await?;
        if layer == Layer::Upper || at.is_empty() {
            return Ok(());
        }
        self.copy_up_above(at).await?;
        match metadata.kind {
            FileKind::Directory => self.make(at, &metadata, Making::Directory).await?,
            FileKind::Symlink => {
                let target = self.target(at, Layer::Lower).await?;
                self.make(at, &metadata, Making::Symlink(&target)).await?;
            }
            FileKind::File => {
                self.keep_base(at).await?;
                self.set_base(at, Base::Kept(metadata.clone()));
                self.make(at, &metadata, Making::Copy).await?;
            }
            FileKind::Device => return Err(Errno::NotSupported),
        }
        self.set_base(at, Base::Seen(metadata));
        Ok(())
    }

    /// Copies up a file that is about to be cut: with its content only where that is short.
    pub(super) async fn copy_up_cut(&self, at: &str) -> IoResult<()> {
        let (layer, metadata) = self.at(at).await?;
        if layer == Layer::Upper || metadata.kind != FileKind::File || metadata.len <= KEEP {
            return self.copy_up(at).await;
        }
        self.copy_up_above(at).await?;
        self.make(at, &metadata, Making::Empty).await?;
        self.set_base(at, Base::Seen(metadata));
        Ok(())
    }

    /// Copies up everything at and below a path.
    pub(super) async fn copy_up_all(&self, top: &str) -> IoResult<()> {
        let mut pending = vec![top.to_owned()];
        while let Some(at) = pending.pop() {
            self.copy_up(&at).await?;
            if self.at(&at).await?.1.is_dir() {
                let names = self.entries(&at).await?;
                pending.extend(names.iter().map(|entry| format!("{at}/{}", entry.name)));
            }
        }
        Ok(())
    }

    /// Keeps the content that the lower layer has.
    async fn keep_base(&self, at: &str) -> IoResult<()> {
        let base = kept(at);
        if optional(self.memory.lstat(&base).await)?.is_some() {
            return Ok(());
        }
        let mut dirs: Vec<&str> = ancestors(above(at)).collect();
        dirs.reverse();
        for dir in dirs {
            if optional(self.memory.lstat(&kept(dir)).await)?.is_none() {
                errno(self.memory.mkdir(&kept(dir)).await)?;
            }
        }
        let copied = self.copy_content(at, &base).await;
        if copied.is_err() {
            // Half a base is none; the first error is the one to tell.
            let _ = self.memory.remove(&base, false).await;
        }
        copied
    }

    async fn copy_content(&self, at: &str, to: &Path) -> IoResult<()> {
        let reader = errno(self.lower.open(&lower(at), OpenOptions::READ).await)?;
        errno(self.memory.write(to, b"", WriteMode::Overwrite).await)?;
        let mut offset = 0;
        loop {
            let slice = reader.read_at(offset, SLICE).await?;
            if slice.is_empty() {
                return Ok(());
            }
            errno(self.memory.append(to, &slice).await)?;
            offset += slice.len() as u64;
        }
    }

    /// Makes an entry of the upper layer that is as the lower one, even in a read-only directory,
    /// whose time stays.
    async fn make(&self, at: &str, metadata: &Metadata, making: Making<'_>) -> IoResult<()> {
        let (path, dir) = (upper(at), upper(above(at)));
        let around = errno(self.memory.lstat(&dir).await)?;
        errno(self.memory.set_mode(&dir, around.mode | 0o700).await)?;
        let made = match making {
            Making::Directory => self.memory.mkdir(&path).await,
            Making::Symlink(target) => self.memory.symlink(target, &path).await,
            Making::Empty => self.memory.write(&path, b"", WriteMode::CreateNew).await,
            Making::Copy => self.memory.copy(&kept(at), &path).await,
        };
        if made.is_ok() && !metadata.is_symlink() {
            errno(self.memory.set_mode(&path, metadata.mode).await)?;
            errno(self.memory.set_mtime(&path, metadata.modified).await)?;
        }
        errno(self.memory.set_mode(&dir, around.mode).await)?;
        errno(self.memory.set_mtime(&dir, around.modified).await)?;
        errno(made)
    }
}

/// How an entry of the upper layer comes to be.
enum Making<'a> {
    Directory,
    Symlink(&'a Path),
    Empty,
    Copy,
}

fn push_names(pending: &mut Vec<String>, path: &str) {
    let names = path.split('/').filter(|name| !matches!(*name, "" | "."));
    pending.extend(names.rev().map(str::to_owned));
}
