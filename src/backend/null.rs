//! A backend without files and tools, for tests of what must not need any.

use std::rc::Rc;

use async_trait::async_trait;

use crate::host::Timestamp;
use crate::io::File;
use crate::tool::{
    BackendError, BackendResult, KernelBackend, MountInfo, PatchOp, PathAccess, ReadRange, ToolCtx,
    ToolInfo, ToolResult,
};
use crate::value::Value;
use crate::vfs::{DirEntry, Metadata, OpenOptions, Path, PathBuf, VfsRouter, Watch, WriteMode};

/// Nothing is found in it, and nothing can be made.
pub struct NullBackend;

fn missing<T>(path: &Path) -> BackendResult<T> {
    Err(BackendError::NotFound(path.to_path_buf()))
}

fn refused<T>(path: &Path) -> BackendResult<T> {
    Err(BackendError::ReadOnly(path.to_path_buf()))
}

#[async_trait(?Send)]
impl KernelBackend for NullBackend {
    async fn read(&self, path: &Path, _: Option<ReadRange>) -> BackendResult<Vec<u8>> {
        missing(path)
    }

    async fn write(&self, path: &Path, _: &[u8], _: WriteMode) -> BackendResult<()> {
        refused(path)
    }

    async fn append(&self, path: &Path, _: &[u8]) -> BackendResult<()> {
        refused(path)
    }

    async fn patch(&self, path: &Path, _: &[PatchOp]) -> BackendResult<()> {
        missing(path)
    }

    async fn open(&self, path: &Path, options: OpenOptions) -> BackendResult<Rc<dyn File>> {
        if options.create { refused(path) } else { missing(path) }
    }

    async fn list(&self, path: &Path) -> BackendResult<Vec<DirEntry>> {
        missing(path)
    }

    async fn stat(&self, path: &Path) -> BackendResult<Metadata> {
        missing(path)
    }

    async fn lstat(&self, path: &Path) -> BackendResult<Metadata> {
        missing(path)
    }

    async fn mkdir(&self, path: &Path) -> BackendResult<()> {
        refused(path)
    }

    async fn set_mtime(&self, path: &Path, _: Timestamp) -> BackendResult<()> {
        missing(path)
    }

    async fn set_mode(&self, path: &Path, _: u32) -> BackendResult<()> {
        missing(path)
    }

    async fn remove(&self, path: &Path, _: bool) -> BackendResult<()> {
        missing(path)
    }

    async fn rename(&self, from: &Path, _: &Path) -> BackendResult<()> {
        missing(from)
    }

    async fn read_link(&self, path: &Path) -> BackendResult<PathBuf> {
        missing(path)
    }

    async fn symlink(&self, _: &Path, link: &Path) -> BackendResult<()> {
        refused(link)
    }

    async fn hard_link(&self, from: &Path, _: &Path) -> BackendResult<()> {
        missing(from)
    }

    async fn canonicalize(&self, path: &Path, _: bool) -> BackendResult<PathBuf> {
        missing(path)
    }

    async fn path_access(&self, path: &Path) -> BackendResult<PathAccess> {
        missing(path)
    }

    async fn flush(&self, _: bool) -> BackendResult<()> {
        Ok(())
    }

    async fn call_tool(
        &self,
        name: &str,
        _: Vec<Value>,
        _: &mut dyn ToolCtx,
    ) -> BackendResult<ToolResult> {
        Err(BackendError::ToolNotFound(name.into()))
    }

    async fn list_tools(&self) -> BackendResult<Vec<ToolInfo>> {
        Ok(Vec::new())
    }

    async fn get_tool(&self, _: &str) -> BackendResult<Option<ToolInfo>> {
        Ok(None)
    }

    async fn watch(&self, path: &Path) -> BackendResult<Watch> {
        Ok(VfsRouter::new().watch(path))
    }

    fn read_only(&self) -> bool {
        true
    }

    fn backend_type(&self) -> &str {
        "null"
    }

    fn mounts(&self) -> Vec<MountInfo> {
        Vec::new()
    }
}
