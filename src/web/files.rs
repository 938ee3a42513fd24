//! The page's requests to the files of a shell, over the kernel's backend.

use js_sys::Uint8Array;
use wasm_bindgen::prelude::JsValue;

use super::records::{self, Content, Entry, FsOperation, FsRequest, backend_failure};
use crate::io::Errno;
use crate::tool::{BackendError, BackendResult, KernelBackend};
use crate::vfs::{Path, PathBuf, WriteMode};

/// Carries out one request; `cwd` is what relative paths start from.
pub(super) async fn answer(
    backend: &dyn KernelBackend,
    cwd: &str,
    request: FsRequest,
) -> Result<JsValue, JsValue> {
    let path = absolute(cwd, &request.path);
    match request.op {
        FsOperation::Read => {
            let bytes = backend.read(&path, None).await.map_err(backend_failure)?;
            return Ok(Uint8Array::from(bytes.as_slice()).into());
        }
        FsOperation::List => {
            let entries = backend.list(&path).await.map_err(backend_failure)?;
            let entries = entries.iter().map(|entry| Entry::new(&entry.name, &entry.metadata));
            return records::write(&entries.collect::<Vec<_>>());
        }
        FsOperation::Stat => {
            let metadata = backend.stat(&path).await.map_err(backend_failure)?;
            return records::write(&Entry::new(path.file_name().unwrap_or("/"), &metadata));
        }
        FsOperation::Write => {
            let bytes = request.bytes.map(|content| content.to_bytes()).unwrap_or_default();
            backend.write(&path, &bytes, WriteMode::Overwrite).await
        }
        FsOperation::Mkdir if request.recursive => make_all(backend, &path).await,
        FsOperation::Mkdir => backend.mkdir(&path).await,
        FsOperation::Remove => backend.remove(&path, request.recursive).await,
        FsOperation::Move => {
            let to = absolute(cwd, request.to.as_deref().unwrap_or_default());
            backend.rename(&path, &to).await
        }
    }
    .map_err(backend_failure)?;
    // What the page is told is done has been handed to the store.
    backend.flush(false).await.map_err(backend_failure)?;
    Ok(JsValue::UNDEFINED)
}

/// Creates a directory and its missing parents.
pub(super) async fn make_all(backend: &dyn KernelBackend, path: &Path) -> BackendResult<()> {
    let mut missing: Vec<&Path> = Vec::new();
    let mut at = Some(path);
    while let Some(folder) = at {
        match backend.stat(folder).await {
            Ok(metadata) if metadata.is_dir() => break,
            Ok(_) => return Err(BackendError::NotDirectory(folder.to_path_buf())),
            Err(error) if error.errno() == Errno::NotFound => missing.push(folder),
            Err(error) => return Err(error),
        }
        at = folder.parent();
    }
    for folder in missing.into_iter().rev() {
        backend.mkdir(folder).await?;
    }
    Ok(())
}

/// Writes one file of a new kernel; a path ending in `/` is a directory.
pub(super) async fn put(
    backend: &dyn KernelBackend,
    cwd: &str,
    path: &str,
    content: &Content,
) -> BackendResult<()> {
    let full = absolute(cwd, path);
    if path.ends_with('/') {
        return make_all(backend, &full).await;
    }
    if let Some(folder) = full.parent() {
        make_all(backend, folder).await?;
    }
    backend.write(&full, &content.to_bytes(), WriteMode::Overwrite).await
}

/// A path as the page gave it, below `cwd` where it is relative.
pub(super) fn absolute(cwd: &str, path: &str) -> PathBuf {
    Path::new(cwd).join(Path::new(path))
}
