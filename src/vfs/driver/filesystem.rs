//! The files of a driver as a filesystem.

use crate::value::InOrder;
use std::rc::Rc;

use async_trait::async_trait;

use super::resolve::{above, join};
use super::{DriverChange, DriverFs, Inner};
use crate::host::Timestamp;
use crate::io::{Errno, File, IoResult};
use crate::vfs::tree::Follow;
use crate::vfs::{
    Capabilities, DirEntry, Filesystem, FsError, FsOp, FsResult, MAX_NAME, Metadata, OpenOptions,
    Path, PathBuf, WriteMode,
};

/// Bytes asked for at once when a file is read whole.
const SLICE: usize = 1 << 20;

impl Inner {
    /// The content of a file of a known length, or of what is there of it.
    pub(super) async fn whole(&self, path: &str, len: u64) -> IoResult<Vec<u8>> {
        if let Some(buffer) = self.buffer(path) {
            return buffer.whole();
        }
        let mut content = Vec::new();
        while (content.len() as u64) < len {
            let rest = usize::try_from(len - content.len() as u64).unwrap_or(usize::MAX);
            let bytes = self.read(path, content.len() as u64, rest.min(SLICE)).await?;
            if bytes.is_empty() {
                break;
            }
            content.extend_from_slice(&bytes);
        }
        Ok(content)
    }

    async fn file(&self, path: &Path) -> IoResult<(String, Metadata)> {
        let (path, metadata) = self.resolve(path, Follow::Final).await?.found()?;
        if metadata.is_dir() { Err(Errno::IsDirectory) } else { Ok((path, metadata)) }
    }

    /// The file that is to be written, and its length where it is there.
    async fn target(&self, path: &Path, mode: WriteMode) -> IoResult<(String, Option<u64>)> {
        let new = mode == WriteMode::CreateNew;
        let place = self.resolve(path, if new { Follow::Not } else { Follow::Final }).await?;
        match &place.metadata {
            Some(_) if new => Err(Errno::AlreadyExists),
            Some(found) if found.is_dir() => Err(Errno::IsDirectory),
            Some(found) => Ok((place.path, Some(found.len))),
            None if mode == WriteMode::UpdateOnly => Err(Errno::NotFound),
            None if place.slash => Err(Errno::IsDirectory),
            None => Ok((place.path, None)),
        }
    }

    async fn open_file(self: &Rc<Self>, path: &Path, how: OpenOptions) -> IoResult<Rc<dyn File>> {
        if !how.write {
            return Ok(self.reader(self.file(path).await?.0, how));
        }
        if !self.driver.capabilities().writing {
            return Err(Errno::ReadOnly);
        }
        let mode = match (how.create, how.create_new) {
            (_, true) => WriteMode::CreateNew,
            (true, _) => WriteMode::Overwrite,
            _ => WriteMode::UpdateOnly,
        };
        let (path, len) = self.target(path, mode).await?;
        if len.is_none() {
            self.change(DriverChange::Write(&path, &[])).await?;
        }
        self.writer(path, len.unwrap_or(0), how).await
    }

    async fn entries(&self, path: &Path) -> IoResult<Vec<DirEntry>> {
        let (path, metadata) = self.resolve(path, Follow::Final).await?.found()?;
        if !metadata.is_dir() {
            return Err(Errno::NotDirectory);
        }
        let mut entries = self.ask(self.driver.list(&path)).await?;
        entries.order_by(|a, b| a.name.cmp(&b.name));
        let twice = entries.windows(2).any(|two| matches!(two, [a, b] if a.name == b.name));
        if twice || entries.iter().any(|entry| !is_name(&entry.name)) {
            return Err(Errno::Io);
        }
        for entry in &mut entries {
            self.complete(&join(&path, &entry.name), &mut entry.metadata);
        }
        Ok(entries)
    }

    /// The place for a new entry.
    async fn free(&self, path: &Path) -> IoResult<String> {
        let place = self.resolve(path, Follow::Not).await?;
        if place.metadata.is_some() { Err(Errno::AlreadyExists) } else { Ok(place.path) }
    }

    async fn is_empty(&self, path: &str) -> IoResult<bool> {
        Ok(self.ask(self.driver.list(path)).await?.is_empty())
    }

    async fn remove(&self, path: &Path, recursive: bool) -> IoResult<()> {
        let (path, metadata) = self.resolve(path, Follow::Not).await?.found()?;
        if path == "/" {
            return Err(Errno::Busy);
        }
        if metadata.is_dir() && !recursive && !self.is_empty(&path).await? {
            return Err(Errno::DirectoryNotEmpty);
        }
        self.change(DriverChange::Remove(&path)).await?;
        self.move_buffers(&path, None);
        Ok(())
    }

    async fn rename(&self, from: &Path, to: &Path) -> IoResult<()> {
        let (from, metadata) = self.resolve(from, Follow::Not).await?.found()?;
        let target = self.resolve(to, Follow::Not).await?;
        let to = target.path;
        if from == to {
            return Ok(());
        }
        if from == "/" || to == "/" {
            return Err(Errno::Busy);
        }
        if to.strip_prefix(from.as_str()).is_some_and(|rest| rest.starts_with('/')) {
            return Err(Errno::Invalid);
        }
        match (metadata.is_dir(), target.metadata) {
            (false, Some(old)) if old.is_dir() => return Err(Errno::IsDirectory),
            (true, Some(old)) if !old.is_dir() => return Err(Errno::NotDirectory),
            (true, Some(_)) if !self.is_empty(&to).await? => return Err(Errno::DirectoryNotEmpty),
            (false, None) if target.slash => return Err(Errno::NotDirectory),
            _ => {}
        }
        self.change(DriverChange::Rename(&from, &to)).await?;
        self.move_buffers(&to, None);
        self.move_buffers(&from, Some(&to));
        Ok(())
    }

    /// A change of attributes, which a driver may not be able to keep.
    async fn set(&self, able: bool, change: DriverChange<'_>) -> IoResult<()> {
        if able || !self.driver.capabilities().writing {
            self.change(change).await
        } else {
            Err(Errno::NotPermitted)
        }
    }
}

fn is_name(name: &str) -> bool {
    !matches!(name, "" | "." | "..") && name.len() <= MAX_NAME && !name.contains(['/', '\0'])
}

fn at<T>(op: FsOp, path: &Path, result: IoResult<T>) -> FsResult<T> {
    result.map_err(FsError::at(op, path))
}

#[async_trait(?Send)]
impl Filesystem for DriverFs {
    async fn read(&self, path: &Path) -> FsResult<Vec<u8>> {
        let content = async {
            let (path, metadata) = self.0.file(path).await?;
            self.0.whole(&path, metadata.len).await
        };
        at(FsOp::Read, path, content.await)
    }

    async fn read_range(&self, path: &Path, offset: u64, len: usize) -> FsResult<Vec<u8>> {
        let file = self.open(path, OpenOptions::READ).await?;
        let mut content = Vec::new();
        while content.len() < len {
            let rest = (len - content.len()).min(SLICE);
            let from = offset.saturating_add(content.len() as u64);
            let bytes = at(FsOp::Read, path, file.read_at(from, rest).await)?;
            if bytes.is_empty() {
                break;
            }
            content.extend_from_slice(&bytes);
        }
        Ok(content)
    }

    async fn write(&self, path: &Path, content: &[u8], mode: WriteMode) -> FsResult<()> {
        let written = async {
            let (path, _) = self.0.target(path, mode).await?;
            self.0.change(DriverChange::Write(&path, content)).await?;
            self.0.buffer(&path).map_or(Ok(()), |buffer| buffer.replace(content))
        };
        at(FsOp::Write, path, written.await)
    }

    async fn append(&self, path: &Path, content: &[u8]) -> FsResult<()> {
        let file = self.open(path, OpenOptions::APPEND).await?;
        let added = async {
            file.append(content).await?;
            file.close().await
        };
        at(FsOp::Write, path, added.await)
    }

    async fn open(&self, path: &Path, options: OpenOptions) -> FsResult<Rc<dyn File>> {
        at(FsOp::Open, path, self.0.open_file(path, options).await)
    }

    async fn list(&self, path: &Path) -> FsResult<Vec<DirEntry>> {
        at(FsOp::List, path, self.0.entries(path).await)
    }

    async fn stat(&self, path: &Path) -> FsResult<Metadata> {
        let place = self.0.resolve(path, Follow::Final).await;
        at(FsOp::Stat, path, place.and_then(|place| Ok(place.found()?.1)))
    }

    async fn lstat(&self, path: &Path) -> FsResult<Metadata> {
        let place = self.0.resolve(path, Follow::Not).await;
        at(FsOp::Stat, path, place.and_then(|place| Ok(place.found()?.1)))
    }

    async fn mkdir(&self, path: &Path) -> FsResult<()> {
        let made = async { self.0.change(DriverChange::Mkdir(&self.0.free(path).await?)).await };
        at(FsOp::Mkdir, path, made.await)
    }

    async fn remove(&self, path: &Path, recursive: bool) -> FsResult<()> {
        at(FsOp::Remove, path, self.0.remove(path, recursive).await)
    }

    async fn rename(&self, from: &Path, to: &Path) -> FsResult<()> {
        at(FsOp::Rename, from, self.0.rename(from, to).await)
    }

    async fn set_mtime(&self, path: &Path, mtime: Timestamp) -> FsResult<()> {
        let set = async {
            let (path, _) = self.0.resolve(path, Follow::Final).await?.found()?;
            let able = self.0.driver.capabilities().times;
            self.0.set(able, DriverChange::SetTime(&path, mtime)).await
        };
        at(FsOp::SetTimes, path, set.await)
    }

    async fn set_mode(&self, path: &Path, mode: u32) -> FsResult<()> {
        let set = async {
            let (path, _) = self.0.resolve(path, Follow::Final).await?.found()?;
            let able = self.0.driver.capabilities().modes;
            self.0.set(able, DriverChange::SetMode(&path, mode)).await
        };
        at(FsOp::SetMode, path, set.await)
    }

    async fn read_link(&self, path: &Path) -> FsResult<PathBuf> {
        let target = async {
            let (path, metadata) = self.0.resolve(path, Follow::Not).await?.found()?;
            if !metadata.is_symlink() {
                return Err(Errno::Invalid);
            }
            self.0.ask(self.0.driver.read_link(&path)).await
        };
        Ok(PathBuf::from(at(FsOp::ReadLink, path, target.await)?))
    }

    async fn symlink(&self, target: &Path, link: &Path) -> FsResult<()> {
        let made = async {
            if target.as_str().is_empty() {
                return Err(Errno::NotFound);
            }
            let link = self.0.free(link).await?;
            let able = self.0.driver.capabilities().symlinks;
            self.0.set(able, DriverChange::Symlink(target.as_str(), &link)).await
        };
        at(FsOp::Symlink, link, made.await)
    }

    async fn hard_link(&self, _: &Path, to: &Path) -> FsResult<()> {
        at(FsOp::HardLink, to, Err(Errno::NotPermitted))
    }

    async fn flush(&self, _: bool) -> FsResult<()> {
        let flushed = match self.0.driver.capabilities().writing {
            true => self.0.change(DriverChange::Flush).await,
            false => Ok(()),
        };
        at(FsOp::Flush, Path::new(above("/")), flushed)
    }

    fn capabilities(&self) -> Capabilities {
        self.0.driver.capabilities()
    }

    fn kind(&self) -> &'static str {
        self.0.driver.kind()
    }
}
