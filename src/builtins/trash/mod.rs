//! The trash: where `set -o trash` puts what is removed or overwritten, and how it comes back.
//!
//! It has the layout of the freedesktop.org specification: `files/NAME` is the content and
//! `info/NAME.trashinfo` tells where it was and when it went.

mod command;
mod info;

use std::rc::Rc;

use crate::env::ShellOption;
use crate::io::Errno;
use crate::tool::{BackendError, ExecContext, KernelBackend};
use crate::value::{EcoString, Value};
use crate::vfs::{Path, PathBuf, WriteMode};

pub(super) use command::BUILTIN;
use info::Info;

/// Whether what is removed goes to the trash.
pub(super) fn is_on(cx: &ExecContext) -> bool {
    cx.session.options.get().has(ShellOption::Trash)
}

/// The directory of the trash.
fn root(cx: &ExecContext) -> PathBuf {
    let home = cx.session.scope.borrow().get("HOME").map(Value::to_text_lossy);
    let home = home.filter(|home| home.starts_with('/')).unwrap_or_else(|| "/home/user".into());
    PathBuf::from(home.as_str()).join(".local/share/Trash")
}

/// Moves what an absolute path names to the trash; a link moves as such. What is in the trash
/// already is removed for good.
pub(super) async fn discard(cx: &ExecContext, path: &Path) -> Result<(), BackendError> {
    if path.starts_with(root(cx)) {
        return cx.backend().remove(path, true).await;
    }
    put(cx, path, How::Move).await
}

/// Where the trash is on: puts a copy of a file that is about to be overwritten into it.
pub(super) async fn keep_copy(cx: &ExecContext, path: &Path) -> Result<(), BackendError> {
    if !is_on(cx) || path.starts_with(root(cx)) {
        return Ok(());
    }
    put(cx, path, How::Copy).await
}

/// How something comes into the trash.
#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    Move,
    Copy,
}

async fn put(cx: &ExecContext, path: &Path, how: How) -> Result<(), BackendError> {
    let backend = Rc::clone(cx.backend());
    let root = root(cx);
    let (files, infos) = (root.join("files"), root.join("info"));
    make_directories(backend.as_ref(), &files).await?;
    make_directories(backend.as_ref(), &infos).await?;
    let base = path.file_name().unwrap_or("root");
    let info = Info { path: path.as_str().into(), deleted: cx.services.host.now() }.text();
    let name = reserve(backend.as_ref(), &infos, base, &info).await?;
    let place = files.join(name.as_str());
    let moved = match how {
        How::Move => backend.rename(path, &place).await,
        How::Copy => backend.copy(path, &place).await,
    };
    if moved.is_err() {
        // The reservation must not outlive the failure; that comes first in what is told.
        let _ = backend.remove(&infos.join(format!("{name}.trashinfo")), false).await;
    }
    moved
}

/// Writes the information under the first free name, which is then taken.
async fn reserve(
    backend: &dyn KernelBackend,
    infos: &Path,
    base: &str,
    info: &str,
) -> Result<EcoString, BackendError> {
    let mut name = EcoString::from(base);
    for number in 2u32.. {
        let path = infos.join(format!("{name}.trashinfo"));
        match backend.write(&path, info.as_bytes(), WriteMode::CreateNew).await {
            Err(error) if error.errno() == Errno::AlreadyExists => {}
            result => return result.map(|()| name),
        }
        name = match base.split_once('.') {
            Some((stem, rest)) if !stem.is_empty() => format!("{stem}.{number}.{rest}").into(),
            _ => format!("{base}.{number}").into(),
        };
    }
    Ok(name)
}

async fn make_directories(backend: &dyn KernelBackend, path: &Path) -> Result<(), BackendError> {
    let mut missing = Vec::new();
    for directory in path.ancestors() {
        if backend.exists(directory).await {
            break;
        }
        missing.push(directory);
    }
    for directory in missing.into_iter().rev() {
        match backend.mkdir(directory).await {
            Err(error) if error.errno() != Errno::AlreadyExists => return Err(error),
            _ => {}
        }
    }
    Ok(())
}
