//! Telling who watches what has changed: after an operation, and with each write to an open file.

use std::rc::Rc;

use async_trait::async_trait;

use super::VfsRouter;
use crate::io::{File, IoResult};
use crate::vfs::watch::Watches;
use crate::vfs::{Path, PathBuf, Watch};

impl VfsRouter {
    /// Begins to watch what lies at and below a path without links.
    pub fn watch(&self, path: &Path) -> Watch {
        let path = super::resolve::folded(path.as_str());
        self.watches.add(Path::new(if path.is_empty() { "/" } else { &path }))
    }

    /// The path of a directory's entry by its real name, links before it followed.
    async fn real(&self, path: &Path) -> PathBuf {
        let name = path.file_name().map(str::to_owned);
        let (Some(parent), Some(name)) = (path.parent(), name) else { return path.to_path_buf() };
        self.canonicalize(parent, true)
            .await
            .map_or_else(|_| path.to_path_buf(), |at| at.join(name))
    }

    /// An entry was made, moved or removed, or its attributes were set.
    pub(super) async fn entry_changed(&self, path: &Path) {
        if !self.watches.is_empty() {
            self.watches.tell(&self.real(path).await);
        }
    }

    /// The content that a path leads to has changed.
    pub(super) async fn content_changed(&self, path: &Path) {
        if !self.watches.is_empty() {
            let real = self.canonicalize(path, true).await;
            self.watches.tell(real.as_deref().unwrap_or(path));
        }
    }

    /// An open file that tells of what is written to it, where anybody wants to know.
    pub(super) async fn watched(&self, path: &Path, file: Rc<dyn File>) -> Rc<dyn File> {
        if self.watches.is_empty() {
            return file;
        }
        let path = self.canonicalize(path, true).await.unwrap_or_else(|_| path.to_path_buf());
        self.watches.tell(&path);
        Rc::new(WatchedFile { file, path, watches: self.watches.clone() })
    }
}

/// A file open for writing below a watched path.
struct WatchedFile {
    file: Rc<dyn File>,
    path: PathBuf,
    watches: Watches,
}

impl WatchedFile {
    fn told<T>(&self, result: IoResult<T>) -> IoResult<T> {
        result.inspect(|_| self.watches.tell(&self.path))
    }
}

#[async_trait(?Send)]
impl File for WatchedFile {
    async fn read_at(&self, offset: u64, len: usize) -> IoResult<Vec<u8>> {
        self.file.read_at(offset, len).await
    }

    async fn write_at(&self, offset: u64, bytes: &[u8]) -> IoResult<()> {
        self.told(self.file.write_at(offset, bytes).await)
    }

    async fn append(&self, bytes: &[u8]) -> IoResult<()> {
        self.told(self.file.append(bytes).await)
    }

    async fn set_len(&self, len: u64) -> IoResult<()> {
        self.told(self.file.set_len(len).await)
    }

    async fn len(&self) -> IoResult<u64> {
        self.file.len().await
    }

    async fn close(&self) -> IoResult<()> {
        self.told(self.file.close().await)
    }

    fn store_as_written(&self) {
        self.file.store_as_written();
    }

    fn read_now(&self, offset: u64, len: usize) -> Option<IoResult<Vec<u8>>> {
        self.file.read_now(offset, len)
    }

    fn write_now(&self, offset: Option<u64>, bytes: &[u8]) -> Option<IoResult<()>> {
        Some(self.told(self.file.write_now(offset, bytes)?))
    }

    fn is_stream(&self) -> bool {
        self.file.is_stream()
    }

    fn is_terminal(&self) -> bool {
        self.file.is_terminal()
    }
}
