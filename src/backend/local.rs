//! The default backend: the files of a mount router.

use std::rc::Rc;

use async_trait::async_trait;

use super::{apply_patch, apply_range};
use crate::host::Timestamp;
use crate::io::File;
use crate::tool::{
    BackendError, BackendResult, KernelBackend, MountInfo, PatchOp, PathAccess, ReadRange,
    Registry, ToolCtx, ToolInfo, ToolResult,
};
use crate::value::Value;
use crate::vfs::packed::{Care, Report};
use crate::vfs::{
    DirEntry, Filesystem, FsError, Metadata, OpenOptions, Path, PathBuf, VfsRouter, Watch,
    WriteMode,
};

/// A backend over a [`VfsRouter`].
pub struct LocalBackend {
    router: Rc<VfsRouter>,
    /// Whose mounts are told of: the router's own, or those below an overlay.
    shown: Rc<VfsRouter>,
    kind: &'static str,
    registry: Rc<Registry>,
}

impl LocalBackend {
    /// A backend whose files are those of `router`, and whose tools those of `registry`.
    pub fn new(router: Rc<VfsRouter>, registry: Rc<Registry>) -> Self {
        let shown = Rc::clone(&router);
        Self::over(router, shown, "local", registry)
    }

    pub(super) fn over(
        router: Rc<VfsRouter>,
        shown: Rc<VfsRouter>,
        kind: &'static str,
        registry: Rc<Registry>,
    ) -> Self {
        Self { router, shown, kind, registry }
    }

    pub(super) fn registry(&self) -> &Rc<Registry> {
        &self.registry
    }

    /// The mounts behind it.
    pub fn router(&self) -> &Rc<VfsRouter> {
        &self.router
    }
}

#[async_trait(?Send)]
impl KernelBackend for LocalBackend {
    async fn read(&self, path: &Path, range: Option<ReadRange>) -> BackendResult<Vec<u8>> {
        match range {
            Some(ReadRange { offset, limit, .. }) if offset.is_some() || limit.is_some() => {
                let len = limit.map_or(usize::MAX, |limit| limit.try_into().unwrap_or(usize::MAX));
                Ok(self.router.read_range(path, offset.unwrap_or(0), len).await?)
            }
            Some(range) => Ok(apply_range(self.router.read(path).await?, range)),
            None => Ok(self.router.read(path).await?),
        }
    }

    async fn write(&self, path: &Path, content: &[u8], mode: WriteMode) -> BackendResult<()> {
        Ok(self.router.write(path, content, mode).await?)
    }

    async fn append(&self, path: &Path, content: &[u8]) -> BackendResult<()> {
        Ok(self.router.append(path, content).await?)
    }

    async fn copy(&self, from: &Path, to: &Path) -> BackendResult<()> {
        Ok(self.router.copy(from, to).await?)
    }

    async fn patch(&self, path: &Path, ops: &[PatchOp]) -> BackendResult<()> {
        let content = self.router.read(path).await?;
        let patched = apply_patch(path, content, ops)?;
        Ok(self.router.write(path, &patched, WriteMode::UpdateOnly).await?)
    }

    async fn open(&self, path: &Path, options: OpenOptions) -> BackendResult<Rc<dyn File>> {
        Ok(self.router.open(path, options).await?)
    }

    async fn list(&self, path: &Path) -> BackendResult<Vec<DirEntry>> {
        Ok(self.router.list(path).await?)
    }

    async fn stat(&self, path: &Path) -> BackendResult<Metadata> {
        Ok(self.router.stat(path).await?)
    }

    async fn lstat(&self, path: &Path) -> BackendResult<Metadata> {
        Ok(self.router.lstat(path).await?)
    }

    async fn mkdir(&self, path: &Path) -> BackendResult<()> {
        Ok(self.router.mkdir(path).await?)
    }

    async fn set_mtime(&self, path: &Path, mtime: Timestamp) -> BackendResult<()> {
        Ok(self.router.set_mtime(path, mtime).await?)
    }

    async fn set_mode(&self, path: &Path, mode: u32) -> BackendResult<()> {
        Ok(self.router.set_mode(path, mode).await?)
    }

    async fn remove(&self, path: &Path, recursive: bool) -> BackendResult<()> {
        Ok(self.router.remove(path, recursive).await?)
    }

    async fn rename(&self, from: &Path, to: &Path) -> BackendResult<()> {
        Ok(self.router.rename(from, to).await?)
    }

    async fn read_link(&self, path: &Path) -> BackendResult<PathBuf> {
        Ok(self.router.read_link(path).await?)
    }

    async fn symlink(&self, target: &Path, link: &Path) -> BackendResult<()> {
        Ok(self.router.symlink(target, link).await?)
    }

    async fn hard_link(&self, from: &Path, to: &Path) -> BackendResult<()> {
        Ok(self.router.hard_link(from, to).await?)
    }

    async fn canonicalize(&self, path: &Path, allow_missing_final: bool) -> BackendResult<PathBuf> {
        Ok(self.router.canonicalize(path, allow_missing_final).await?)
    }

    async fn path_access(&self, path: &Path) -> BackendResult<PathAccess> {
        let metadata = self.router.stat(path).await?;
        let mount = self.router.mount_of(path).await?;
        Ok(PathAccess::resolve(metadata.mode, mount.filesystem().read_only()))
    }

    async fn flush(&self, strict: bool) -> BackendResult<()> {
        Ok(self.router.flush(strict).await?)
    }

    async fn check(&self, care: Care) -> BackendResult<Vec<(PathBuf, Report)>> {
        let mut reports = Vec::new();
        for mount in self.shown.mounts() {
            let path = mount.path().to_path_buf();
            match mount.filesystem().check(care).await {
                Ok(None) => {}
                Ok(Some(report)) => reports.push((path, report)),
                Err(error) => return Err(FsError { path, ..error }.into()),
            }
        }
        Ok(reports)
    }

    async fn call_tool(
        &self,
        name: &str,
        args: Vec<Value>,
        cx: &mut dyn ToolCtx,
    ) -> BackendResult<ToolResult> {
        if self.registry.info(name).is_none() {
            return Err(BackendError::ToolNotFound(name.into()));
        }
        let words = [Value::text(name)].into_iter().chain(args).collect();
        Ok(ToolResult { code: cx.call(words).await })
    }

    async fn list_tools(&self) -> BackendResult<Vec<ToolInfo>> {
        let names = self.registry.names();
        Ok(names.iter().filter_map(|name| self.registry.info(name)).collect())
    }

    async fn get_tool(&self, name: &str) -> BackendResult<Option<ToolInfo>> {
        Ok(self.registry.info(name))
    }

    async fn watch(&self, path: &Path) -> BackendResult<Watch> {
        Ok(self.router.watch(path))
    }

    fn read_only(&self) -> bool {
        self.router.read_only()
    }

    fn backend_type(&self) -> &str {
        self.kind
    }

    fn mounts(&self) -> Vec<MountInfo> {
        let info = |mount: crate::vfs::Mount| MountInfo {
            path: mount.path().to_path_buf(),
            kind: mount.filesystem().kind().into(),
            capabilities: mount.filesystem().capabilities(),
            usage: mount.filesystem().usage(),
        };
        self.shown.mounts().into_iter().map(info).collect()
    }
}
