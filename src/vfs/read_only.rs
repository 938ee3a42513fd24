//! A filesystem that shows another one and refuses every change.

use std::rc::Rc;

use async_trait::async_trait;

use super::{
    Capabilities, DirEntry, Filesystem, FsError, FsOp, FsResult, Metadata, OpenOptions, Path,
    PathBuf,
};
use crate::io::{Errno, File};

/// Another filesystem, for reading only.
pub struct ReadOnlyFs(Rc<dyn Filesystem>);

impl ReadOnlyFs {
    /// Shows `fs`.
    pub fn new(fs: Rc<dyn Filesystem>) -> Self {
        Self(fs)
    }
}

#[async_trait(?Send)]
impl Filesystem for ReadOnlyFs {
    async fn read(&self, path: &Path) -> FsResult<Vec<u8>> {
        self.0.read(path).await
    }

    async fn read_range(&self, path: &Path, offset: u64, len: usize) -> FsResult<Vec<u8>> {
        self.0.read_range(path, offset, len).await
    }

    async fn open(&self, path: &Path, options: OpenOptions) -> FsResult<Rc<dyn File>> {
        if options.write {
            return Err(FsError::new(Errno::ReadOnly, FsOp::Open, path));
        }
        self.0.open(path, options).await
    }

    async fn list(&self, path: &Path) -> FsResult<Vec<DirEntry>> {
        self.0.list(path).await
    }

    async fn stat(&self, path: &Path) -> FsResult<Metadata> {
        self.0.stat(path).await
    }

    async fn lstat(&self, path: &Path) -> FsResult<Metadata> {
        self.0.lstat(path).await
    }

    async fn read_link(&self, path: &Path) -> FsResult<PathBuf> {
        self.0.read_link(path).await
    }

    fn is_plain(&self, path: &Path) -> bool {
        self.0.is_plain(path)
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { writing: false, ..self.0.capabilities() }
    }

    fn resident_bytes(&self) -> u64 {
        self.0.resident_bytes()
    }

    fn usage(&self) -> Option<(u64, u64)> {
        self.0.usage()
    }

    fn kind(&self) -> &'static str {
        self.0.kind()
    }
}
