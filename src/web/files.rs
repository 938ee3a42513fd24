//! The page's requests to the files of a shell, over the kernel's backend.

use js_sys::Uint8Array;
use wasm_bindgen::prelude::JsValue;

use super::records::{
    self, Content, Edit, EditKind, Entry, FsOperation, FsRequest, Mode, Range, backend_failure,
};
use crate::host::Timestamp;
use crate::io::Errno;
use crate::tool::{BackendError, BackendResult, KernelBackend, PatchOp, ReadRange};
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
            let range = request.range.map(read_range);
            let bytes = backend.read(&path, range).await.map_err(backend_failure)?;
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
        FsOperation::Entry => {
            let metadata = backend.lstat(&path).await.map_err(backend_failure)?;
            let entry = Entry::new(path.file_name().unwrap_or("/"), &metadata);
            if !metadata.is_symlink() {
                return records::write(&entry);
            }
            let target = backend.read_link(&path).await.map_err(backend_failure)?;
            return records::write(&entry.with_target(target.as_str()));
        }
        FsOperation::Sync => backend.flush(true).await,
        _ => change(backend, cwd, &path, &request).await,
    }
    .map_err(backend_failure)?;
    if !request.lazy {
        // What the page is told is done has been handed to the store.
        backend.flush(false).await.map_err(backend_failure)?;
    }
    Ok(JsValue::UNDEFINED)
}

async fn change(
    backend: &dyn KernelBackend,
    cwd: &str,
    path: &Path,
    request: &FsRequest,
) -> BackendResult<()> {
    let to = request.to.as_deref().unwrap_or_default();
    match request.op {
        FsOperation::Write => {
            let bytes = request.bytes.as_ref().map(Content::to_bytes).unwrap_or_default();
            let mode = match request.mode {
                Some(Mode::Append) => return backend.append(path, &bytes).await,
                Some(Mode::Create) => WriteMode::CreateNew,
                Some(Mode::Update) => WriteMode::UpdateOnly,
                Some(Mode::Replace) | None => WriteMode::Overwrite,
            };
            backend.write(path, &bytes, mode).await
        }
        FsOperation::Mkdir if request.recursive => make_all(backend, path).await,
        FsOperation::Mkdir => backend.mkdir(path).await,
        FsOperation::Remove => backend.remove(path, request.recursive).await,
        FsOperation::Move => backend.rename(path, &absolute(cwd, to)).await,
        FsOperation::Symlink => backend.symlink(Path::new(to), path).await,
        FsOperation::Set => {
            if let Some(bits) = request.bits {
                backend.set_mode(path, bits & 0o7777).await?;
            }
            match request.modified {
                Some(time) => backend.set_mtime(path, Timestamp::from_millis(time)).await,
                None => Ok(()),
            }
        }
        _ => {
            let ops: Vec<PatchOp> = request.ops.iter().map(patch_op).collect();
            backend.patch(path, &ops).await
        }
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
fn count(number: f64) -> u64 {
    number as u64
}

fn read_range(range: Range) -> ReadRange {
    ReadRange {
        offset: range.offset.map(count),
        limit: range.length.map(count),
        start_line: range.start_line.map(count),
        end_line: range.end_line.map(count),
    }
}

fn patch_op(edit: &Edit) -> PatchOp {
    let (line, len) = (count(edit.line), count(edit.length));
    let (content, expected) = (edit.content.clone(), edit.expected.clone());
    match (edit.op, edit.offset.map(count)) {
        (EditKind::Append, _) => PatchOp::Append { content },
        (EditKind::Insert, Some(offset)) => PatchOp::Insert { offset, content },
        (EditKind::Insert, None) => PatchOp::InsertLine { line, content },
        (EditKind::Delete, Some(offset)) => PatchOp::Delete { offset, len, expected },
        (EditKind::Delete, None) => PatchOp::DeleteLine { line, expected },
        (EditKind::Replace, Some(offset)) => PatchOp::Replace { offset, len, content, expected },
        (EditKind::Replace, None) => PatchOp::ReplaceLine { line, content, expected },
    }
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
