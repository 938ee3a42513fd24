//! The overlay as a filesystem.

use std::collections::BTreeMap;
use std::rc::Rc;

use async_trait::async_trait;

use super::layers::{Layer, above, errno, lower, upper};
use super::{Base, OverlayFs};
use crate::host::Timestamp;
use crate::io::{Errno, File, IoResult};
use crate::vfs::tree::Follow;
use crate::vfs::{
    DirEntry, FileKind, Filesystem, FsError, FsOp, FsResult, MAX_NAME, Metadata, OpenOptions, Path,
    PathBuf, WriteMode,
};

impl OverlayFs {
    /// The entries of a directory without links in its path, both layers together.
    pub(super) async fn entries(&self, at: &str) -> IoResult<Vec<DirEntry>> {
        let (layer, metadata) = self.at(at).await?;
        if !metadata.is_dir() {
            return Err(Errno::NotDirectory);
        }
        if metadata.mode & 0o400 == 0 {
            return Err(Errno::PermissionDenied);
        }
        let mut found = BTreeMap::new();
        if self.find_lower(at).await?.is_some_and(|below| below.is_dir()) {
            for mut entry in errno(self.lower.list(&lower(at)).await)? {
                if !self.is_hidden(&format!("{at}/{}", entry.name)) {
                    entry.metadata.inode |= 1 << 63;
                    found.insert(entry.name.clone(), entry);
                }
            }
        }
        if layer == Layer::Upper {
            for entry in errno(self.memory.list(&upper(at)).await)? {
                found.insert(entry.name.clone(), entry);
            }
        }
        Ok(found.into_values().collect())
    }

    /// Fails where no entry may be made in, or taken from, the directory of a path.
    async fn check_writable(&self, dir: &str) -> IoResult<()> {
        let (_, metadata) = self.at(dir).await?;
        if metadata.mode & 0o200 == 0 { Err(Errno::PermissionDenied) } else { Ok(()) }
    }

    /// The place for a new entry, its directory copied up.
    async fn free_place(&self, path: &Path) -> IoResult<String> {
        let at = self.resolve(path, Follow::Not).await?;
        if self.find(&at).await?.is_some() {
            return Err(Errno::AlreadyExists);
        }
        check_name(&at)?;
        self.check_writable(above(&at)).await?;
        self.copy_up_above(&at).await?;
        Ok(at)
    }

    /// The path of a file that is to be written, copied up; `None` for a device, written below.
    async fn writable(&self, path: &Path, mode: WriteMode, cut: Cut) -> IoResult<Option<String>> {
        let follow = if mode == WriteMode::CreateNew { Follow::Not } else { Follow::Final };
        let at = self.resolve(path, follow).await?;
        let Some((_, metadata)) = self.find(&at).await? else {
            if mode == WriteMode::UpdateOnly {
                return Err(Errno::NotFound);
            }
            if path.as_str().ends_with('/') {
                return Err(Errno::IsDirectory);
            }
            check_name(&at)?;
            self.check_writable(above(&at)).await?;
            self.copy_up_above(&at).await?;
            return Ok(Some(at));
        };
        if mode == WriteMode::CreateNew {
            return Err(Errno::AlreadyExists);
        }
        match metadata.kind {
            FileKind::Device => return Ok(None),
            FileKind::Directory => return Err(Errno::IsDirectory),
            _ if metadata.mode & 0o200 == 0 => return Err(Errno::PermissionDenied),
            _ => {}
        }
        match cut {
            Cut::Yes => self.copy_up_cut(&at).await?,
            Cut::No => self.copy_up(&at).await?,
        }
        Ok(Some(at))
    }

    async fn put(&self, path: &Path, content: &[u8], mode: WriteMode) -> IoResult<()> {
        let before = self.snapshot();
        let written = match self.writable(path, mode, Cut::Yes).await? {
            None => errno(self.lower.write(path, content, mode).await),
            Some(at) => errno(self.memory.write(&upper(&at), content, WriteMode::Overwrite).await),
        };
        written.inspect_err(|_| self.restore(&before))
    }

    async fn add(&self, path: &Path, content: &[u8]) -> IoResult<()> {
        match self.writable(path, WriteMode::Overwrite, Cut::No).await? {
            None => errno(self.lower.append(path, content).await),
            Some(at) => errno(self.memory.append(&upper(&at), content).await),
        }
    }

    async fn open_file(&self, path: &Path, options: OpenOptions) -> IoResult<Rc<dyn File>> {
        if !options.write {
            let at = self.resolve(path, Follow::Final).await?;
            return match self.at(&at).await?.0 {
                Layer::Upper => errno(self.memory.open(&upper(&at), options).await),
                Layer::Lower => errno(self.lower.open(&lower(&at), options).await),
            };
        }
        let mode = match (options.create, options.create_new) {
            (_, true) => WriteMode::CreateNew,
            (true, false) => WriteMode::Overwrite,
            (false, false) => WriteMode::UpdateOnly,
        };
        let cut = if options.truncate { Cut::Yes } else { Cut::No };
        match self.writable(path, mode, cut).await? {
            None => errno(self.lower.open(path, options).await),
            Some(at) => errno(self.memory.open(&upper(&at), options).await),
        }
    }

    /// Everything at and below a path, each directory before what is in it, links not followed.
    pub(super) async fn below(&self, top: &str) -> IoResult<Vec<(String, Layer, Metadata)>> {
        let (mut found, mut pending) = (Vec::new(), vec![top.to_owned()]);
        while let Some(at) = pending.pop() {
            let (layer, metadata) = self.at(&at).await?;
            if metadata.is_dir() {
                let entries = self.entries(&at).await?;
                pending.extend(entries.iter().map(|entry| format!("{at}/{}", entry.name)));
            }
            found.push((at, layer, metadata));
        }
        Ok(found)
    }

    async fn take_away(&self, path: &Path, recursive: bool) -> IoResult<()> {
        let at = self.resolve(path, Follow::Not).await?;
        let (layer, metadata) = self.at(&at).await?;
        if at.is_empty() {
            return Err(Errno::Busy);
        }
        self.check_writable(above(&at)).await?;
        if metadata.is_dir() && !recursive && !self.entries(&at).await?.is_empty() {
            return Err(Errno::DirectoryNotEmpty);
        }
        let all = self.below(&at).await?;
        for (inner, _, found) in &all {
            if *inner != at {
                self.check_writable(above(inner)).await?;
            }
            if found.kind == FileKind::Device {
                return Err(Errno::NotPermitted);
            }
        }
        self.white_out(&at).await?;
        if layer == Layer::Upper {
            self.drop_upper(&at).await?;
        }
        Ok(())
    }

    /// Takes an entry from the upper layer; what may be removed has been checked on both together.
    async fn drop_upper(&self, at: &str) -> IoResult<()> {
        let mut dirs = vec![upper(at), upper(above(at))];
        let around = errno(self.memory.lstat(&upper(above(at))).await)?;
        while let Some(dir) = dirs.pop() {
            let Ok(metadata) = self.memory.lstat(&dir).await else { continue };
            if !metadata.is_dir() {
                continue;
            }
            errno(self.memory.set_mode(&dir, metadata.mode | 0o700).await)?;
            if dir != upper(above(at)) {
                let entries = errno(self.memory.list(&dir).await)?;
                dirs.extend(entries.iter().map(|entry| dir.join(entry.name.as_str())));
            }
        }
        errno(self.memory.remove(&upper(at), true).await)?;
        errno(self.memory.set_mode(&upper(above(at)), around.mode).await)
    }

    /// Hides what the lower layer has at a path, remembering what that was.
    async fn white_out(&self, at: &str) -> IoResult<()> {
        if self.find_lower(at).await?.is_none() {
            return Ok(());
        }
        let mut pending = vec![at.to_owned()];
        while let Some(inner) = pending.pop() {
            let Some(metadata) = self.find_lower(&inner).await? else { continue };
            if metadata.is_dir() {
                let entries = errno(self.lower.list(&lower(&inner)).await)?;
                pending.extend(entries.iter().map(|entry| format!("{inner}/{}", entry.name)));
            }
            self.set_base(&inner, Base::Seen(metadata));
        }
        let marks = &mut *self.marks.borrow_mut();
        let whiteouts = Rc::make_mut(&mut marks.whiteouts);
        let inside = format!("{at}/");
        whiteouts.retain(|other| !other.starts_with(&inside));
        whiteouts.insert(at.to_owned());
        Ok(())
    }

    async fn shift(&self, from: &Path, to: &Path) -> IoResult<()> {
        let slash = to.as_str().ends_with('/');
        let from = self.resolve(from, Follow::Not).await?;
        let (_, metadata) = self.at(&from).await?;
        let to = match self.resolve(to, Follow::Not).await {
            Err(Errno::NotDirectory) if slash => return Err(Errno::NotDirectory),
            other => other?,
        };
        if from.is_empty() || to.is_empty() {
            return Err(Errno::Busy);
        }
        check_name(&to)?;
        let old = self.find(&to).await?;
        if slash && !metadata.is_dir() {
            return Err(Errno::NotDirectory);
        }
        if from == to || is_same_file(&metadata, old.as_ref()) {
            return Ok(());
        }
        self.check_writable(above(&from)).await?;
        self.check_writable(above(&to)).await?;
        if metadata.is_dir() && to.starts_with(&format!("{from}/")) {
            return Err(Errno::Invalid);
        }
        if let Some((_, old)) = &old {
            match (metadata.is_dir(), old.is_dir()) {
                (false, true) => return Err(Errno::IsDirectory),
                (true, false) => return Err(Errno::NotDirectory),
                (true, true) if !self.entries(&to).await?.is_empty() => {
                    return Err(Errno::DirectoryNotEmpty);
                }
                _ => {}
            }
        }
        let before = self.snapshot();
        let moved = async {
            self.copy_up_all(&from).await?;
            self.copy_up_above(&to).await?;
            self.white_out(&to).await?;
            self.white_out(&from).await?;
            errno(self.memory.rename(&upper(&from), &upper(&to)).await)
        };
        moved.await.inspect_err(|_| self.restore(&before))
    }
}

/// Whether a file that is cut keeps nothing of its content.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cut {
    Yes,
    No,
}

fn is_same_file(metadata: &Metadata, other: Option<&(Layer, Metadata)>) -> bool {
    let identity = |metadata: &Metadata| (metadata.device, metadata.inode);
    metadata.links > 1 && other.is_some_and(|(_, other)| identity(other) == identity(metadata))
}

fn check_name(at: &str) -> IoResult<()> {
    let name = at.rsplit('/').next().unwrap_or_default();
    match name {
        _ if name.len() > MAX_NAME => Err(Errno::NameTooLong),
        _ if name.contains('\0') => Err(Errno::Invalid),
        _ => Ok(()),
    }
}

#[async_trait(?Send)]
impl Filesystem for OverlayFs {
    async fn read(&self, path: &Path) -> FsResult<Vec<u8>> {
        self.read_range(path, 0, usize::MAX).await
    }

    async fn read_range(&self, path: &Path, offset: u64, len: usize) -> FsResult<Vec<u8>> {
        let bytes = async {
            let at = self.resolve(path, Follow::Final).await?;
            errno(match self.at(&at).await?.0 {
                Layer::Upper => self.memory.read_range(&upper(&at), offset, len).await,
                Layer::Lower => self.lower.read_range(&lower(&at), offset, len).await,
            })
        };
        bytes.await.map_err(FsError::at(FsOp::Read, path))
    }

    async fn write(&self, path: &Path, content: &[u8], mode: WriteMode) -> FsResult<()> {
        self.put(path, content, mode).await.map_err(FsError::at(FsOp::Write, path))
    }

    async fn append(&self, path: &Path, content: &[u8]) -> FsResult<()> {
        self.add(path, content).await.map_err(FsError::at(FsOp::Write, path))
    }

    async fn copy(&self, from: &Path, to: &Path) -> FsResult<()> {
        let copied = async {
            let at = self.resolve(from, Follow::Final).await?;
            if self.at(&at).await?.0 == Layer::Lower {
                let content = errno(self.lower.read(&lower(&at)).await)?;
                return self.put(to, &content, WriteMode::Overwrite).await;
            }
            match self.writable(to, WriteMode::Overwrite, Cut::Yes).await? {
                Some(to) => errno(self.memory.copy(&upper(&at), &upper(&to)).await),
                None => Ok(()),
            }
        };
        copied.await.map_err(FsError::at(FsOp::Write, to))
    }

    async fn open(&self, path: &Path, options: OpenOptions) -> FsResult<Rc<dyn File>> {
        self.open_file(path, options).await.map_err(FsError::at(FsOp::Open, path))
    }

    async fn list(&self, path: &Path) -> FsResult<Vec<DirEntry>> {
        let entries = async {
            let at = self.resolve(path, Follow::Final).await?;
            self.entries(&at).await
        };
        entries.await.map_err(FsError::at(FsOp::List, path))
    }

    async fn stat(&self, path: &Path) -> FsResult<Metadata> {
        let found = async { self.at(&self.resolve(path, Follow::Final).await?).await };
        found.await.map(|(_, metadata)| metadata).map_err(FsError::at(FsOp::Stat, path))
    }

    async fn lstat(&self, path: &Path) -> FsResult<Metadata> {
        let found = async { self.at(&self.resolve(path, Follow::Not).await?).await };
        found.await.map(|(_, metadata)| metadata).map_err(FsError::at(FsOp::Stat, path))
    }

    async fn mkdir(&self, path: &Path) -> FsResult<()> {
        let made = async {
            let at = self.free_place(path).await?;
            errno(self.memory.mkdir(&upper(&at)).await)
        };
        made.await.map_err(FsError::at(FsOp::Mkdir, path))
    }

    async fn remove(&self, path: &Path, recursive: bool) -> FsResult<()> {
        self.take_away(path, recursive).await.map_err(FsError::at(FsOp::Remove, path))
    }

    async fn rename(&self, from: &Path, to: &Path) -> FsResult<()> {
        self.shift(from, to).await.map_err(FsError::at(FsOp::Rename, from))
    }

    async fn set_mtime(&self, path: &Path, mtime: Timestamp) -> FsResult<()> {
        let set = async {
            let at = self.resolve(path, Follow::Final).await?;
            self.copy_up(&at).await?;
            errno(self.memory.set_mtime(&upper(&at), mtime).await)
        };
        set.await.map_err(FsError::at(FsOp::SetTimes, path))
    }

    async fn set_mode(&self, path: &Path, mode: u32) -> FsResult<()> {
        let set = async {
            let at = self.resolve(path, Follow::Final).await?;
            self.copy_up(&at).await?;
            errno(self.memory.set_mode(&upper(&at), mode).await)
        };
        set.await.map_err(FsError::at(FsOp::SetMode, path))
    }

    async fn read_link(&self, path: &Path) -> FsResult<PathBuf> {
        let target = async {
            let at = self.resolve(path, Follow::Not).await?;
            let (layer, metadata) = self.at(&at).await?;
            if !metadata.is_symlink() {
                return Err(Errno::Invalid);
            }
            self.target(&at, layer).await
        };
        target.await.map_err(FsError::at(FsOp::ReadLink, path))
    }

    async fn symlink(&self, target: &Path, link: &Path) -> FsResult<()> {
        let made = async {
            let at = self.free_place(link).await?;
            errno(self.memory.symlink(target, &upper(&at)).await)
        };
        made.await.map_err(FsError::at(FsOp::Symlink, link))
    }

    async fn hard_link(&self, from: &Path, to: &Path) -> FsResult<()> {
        let made = async {
            let from = self.resolve(from, Follow::Not).await?;
            if self.at(&from).await?.1.is_dir() {
                return Err(Errno::NotPermitted);
            }
            let to = self.free_place(to).await?;
            self.copy_up(&from).await?;
            errno(self.memory.hard_link(&upper(&from), &upper(&to)).await)
        };
        made.await.map_err(FsError::at(FsOp::HardLink, to))
    }

    fn resident_bytes(&self) -> u64 {
        self.memory.resident_bytes()
    }

    fn usage(&self) -> Option<(u64, u64)> {
        self.memory.usage()
    }

    fn kind(&self) -> &'static str {
        "overlay"
    }
}
