//! Why a file operation failed: the error number, the operation, the path.

use super::{Path, PathBuf};
use crate::io::Errno;

/// The operation that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is the call its name says")]
pub enum FsOp {
    Open,
    Read,
    Write,
    List,
    Stat,
    Mkdir,
    Remove,
    Rename,
    Symlink,
    HardLink,
    ReadLink,
    SetTimes,
    SetMode,
    Resolve,
    Flush,
}

/// A failed file operation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {errno}")]
pub struct FsError {
    /// Why.
    #[source]
    pub errno: Errno,
    /// What was tried.
    pub op: FsOp,
    /// On which path, as the caller gave it.
    pub path: PathBuf,
}

impl FsError {
    /// An error of `op` on `path`.
    pub fn new(errno: Errno, op: FsOp, path: &Path) -> Self {
        Self { errno, op, path: path.to_path_buf() }
    }

    /// Adds the operation and the path to an error number.
    pub fn at(op: FsOp, path: &Path) -> impl FnOnce(Errno) -> Self {
        move |errno| Self::new(errno, op, path)
    }
}

/// The result of a file operation.
pub type FsResult<T> = Result<T, FsError>;
