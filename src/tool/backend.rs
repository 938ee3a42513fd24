//! The kernel's abstract files and tools: what a host may put in place of the mount router.

use std::rc::Rc;

use async_trait::async_trait;

use super::ToolCtx;
use crate::host::Timestamp;
use crate::io::{Errno, File, OpenFile, Stream};
use crate::value::{EcoString, Value};
use crate::vfs::packed::{Care, Report};
use crate::vfs::{
    Capabilities, DirEntry, FsError, Metadata, OpenOptions, Path, PathBuf, Watch, WriteMode,
};

/// Why a backend operation failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BackendError {
    /// ENOENT
    #[error("{0}: No such file or directory")]
    NotFound(PathBuf),
    /// EEXIST
    #[error("{0}: File exists")]
    AlreadyExists(PathBuf),
    /// EACCES
    #[error("{0}: Permission denied")]
    PermissionDenied(PathBuf),
    /// EISDIR
    #[error("{0}: Is a directory")]
    IsDirectory(PathBuf),
    /// ENOTDIR
    #[error("{0}: Not a directory")]
    NotDirectory(PathBuf),
    /// ENOTEMPTY
    #[error("{0}: Directory not empty")]
    DirectoryNotEmpty(PathBuf),
    /// EROFS
    #[error("{0}: Read-only file system")]
    ReadOnly(PathBuf),
    /// ENOSPC
    #[error("{0}: No space left on device")]
    NoSpace(PathBuf),
    /// A patch's expectation did not hold; nothing was changed.
    #[error("{path}: conflict at {location}: expected {expected:?}, found {actual:?}")]
    Conflict {
        /// The file.
        path: PathBuf,
        /// The place: `byte 12` or `line 3`.
        location: String,
        /// What the operation expected.
        expected: String,
        /// What is there.
        actual: String,
    },
    /// No such tool.
    #[error("{0}: command not found")]
    ToolNotFound(EcoString),
    /// The operation makes no sense here.
    #[error("{path}: {reason}")]
    InvalidOperation {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// Any other error number.
    #[error("{path}: {errno}")]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        errno: Errno,
    },
}

impl BackendError {
    /// The error number.
    pub fn errno(&self) -> Errno {
        match self {
            Self::NotFound(_) | Self::ToolNotFound(_) => Errno::NotFound,
            Self::AlreadyExists(_) => Errno::AlreadyExists,
            Self::PermissionDenied(_) => Errno::PermissionDenied,
            Self::IsDirectory(_) => Errno::IsDirectory,
            Self::NotDirectory(_) => Errno::NotDirectory,
            Self::DirectoryNotEmpty(_) => Errno::DirectoryNotEmpty,
            Self::ReadOnly(_) => Errno::ReadOnly,
            Self::NoSpace(_) => Errno::NoSpace,
            Self::Conflict { .. } | Self::InvalidOperation { .. } => Errno::Invalid,
            Self::Io { errno, .. } => *errno,
        }
    }

    /// The path it is about; `None` for a tool.
    pub fn path(&self) -> Option<&PathBuf> {
        match self {
            Self::NotFound(path)
            | Self::AlreadyExists(path)
            | Self::PermissionDenied(path)
            | Self::IsDirectory(path)
            | Self::NotDirectory(path)
            | Self::DirectoryNotEmpty(path)
            | Self::ReadOnly(path)
            | Self::NoSpace(path)
            | Self::Conflict { path, .. }
            | Self::InvalidOperation { path, .. }
            | Self::Io { path, .. } => Some(path),
            Self::ToolNotFound(_) => None,
        }
    }
}

impl From<FsError> for BackendError {
    fn from(error: FsError) -> Self {
        let path = error.path;
        match error.errno {
            Errno::NotFound => Self::NotFound(path),
            Errno::AlreadyExists => Self::AlreadyExists(path),
            Errno::PermissionDenied => Self::PermissionDenied(path),
            Errno::IsDirectory => Self::IsDirectory(path),
            Errno::NotDirectory => Self::NotDirectory(path),
            Errno::DirectoryNotEmpty => Self::DirectoryNotEmpty(path),
            Errno::ReadOnly => Self::ReadOnly(path),
            Errno::NoSpace => Self::NoSpace(path),
            errno => Self::Io { path, errno },
        }
    }
}

/// The result of a backend operation.
pub type BackendResult<T> = Result<T, BackendError>;

/// A part of a file; byte bounds win over line bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadRange {
    /// First line, 1-based.
    pub start_line: Option<u64>,
    /// Last line, 1-based, inclusive.
    pub end_line: Option<u64>,
    /// First byte.
    pub offset: Option<u64>,
    /// Number of bytes.
    pub limit: Option<u64>,
}

impl ReadRange {
    /// `limit` bytes from `offset`.
    pub fn bytes(offset: u64, limit: u64) -> Self {
        Self { offset: Some(offset), limit: Some(limit), ..Self::default() }
    }

    /// Lines `start` to `end`, 1-based, inclusive.
    pub fn lines(start: u64, end: u64) -> Self {
        Self { start_line: Some(start), end_line: Some(end), ..Self::default() }
    }
}

/// One edit of a file; edits see those before them, and all or none happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatchOp {
    /// Inserts at a byte offset.
    Insert {
        /// Where.
        offset: u64,
        /// What.
        content: String,
    },
    /// Deletes bytes.
    Delete {
        /// Where.
        offset: u64,
        /// How many bytes.
        len: u64,
        /// What must stand there.
        expected: Option<String>,
    },
    /// Replaces bytes.
    Replace {
        /// Where.
        offset: u64,
        /// How many bytes.
        len: u64,
        /// The new text.
        content: String,
        /// What must stand there.
        expected: Option<String>,
    },
    /// Inserts a line before line `line`, 1-based.
    InsertLine {
        /// Which line.
        line: u64,
        /// Its text without a line end.
        content: String,
    },
    /// Deletes a line.
    DeleteLine {
        /// Which line, 1-based.
        line: u64,
        /// What must stand there.
        expected: Option<String>,
    },
    /// Replaces the text of a line.
    ReplaceLine {
        /// Which line, 1-based.
        line: u64,
        /// The new text.
        content: String,
        /// What must stand there.
        expected: Option<String>,
    },
    /// Adds to the end.
    Append {
        /// What.
        content: String,
    },
}

/// What may be done with one path: mode bits and the owning mount together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathAccess {
    /// Content can be read.
    pub read: bool,
    /// Content can be written.
    pub write: bool,
    /// It can be run as a script, or entered.
    pub execute: bool,
}

impl PathAccess {
    /// Combines permission bits with whether the mount refuses writes.
    pub fn resolve(mode: u32, read_only: bool) -> Self {
        Self {
            read: mode & 0o444 != 0,
            write: mode & 0o222 != 0 && !read_only,
            execute: mode & 0o111 != 0,
        }
    }
}

/// A command that a backend knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolInfo {
    /// Its name.
    pub name: EcoString,
    /// What it does, in one line.
    pub about: EcoString,
    /// Whether the host page brought it.
    pub registered: bool,
}

/// How a tool ended; what it printed went to its context's streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ToolResult {
    /// Its exit status.
    pub code: u8,
}

/// A mount.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MountInfo {
    /// Where it is mounted.
    pub path: PathBuf,
    /// The kind of filesystem.
    pub kind: EcoString,
    /// What it can do.
    pub capabilities: Capabilities,
    /// Bytes used and bytes available, where known.
    pub usage: Option<(u64, u64)>,
}

/// Files and tools of a kernel. Paths are absolute; see `vfs::Filesystem` for which operations
/// follow a final link.
#[async_trait(?Send)]
pub trait KernelBackend {
    /// The content of a file, or a part; an out-of-range part is empty.
    async fn read(&self, path: &Path, range: Option<ReadRange>) -> BackendResult<Vec<u8>>;

    /// Replaces the content in one step.
    async fn write(&self, path: &Path, content: &[u8], mode: WriteMode) -> BackendResult<()>;

    /// Adds to the end, creating the file where missing.
    async fn append(&self, path: &Path, content: &[u8]) -> BackendResult<()>;

    /// Gives `to` the content of `from`, creating it where missing; shared where the mount can.
    async fn copy(&self, from: &Path, to: &Path) -> BackendResult<()> {
        let content = self.read(from, None).await?;
        self.write(to, &content, WriteMode::Overwrite).await
    }

    /// Applies edits to one snapshot of a file and writes the result once.
    async fn patch(&self, path: &Path, ops: &[PatchOp]) -> BackendResult<()>;

    /// Opens a file by position.
    async fn open(&self, path: &Path, options: OpenOptions) -> BackendResult<Rc<dyn File>>;

    /// The entries of a directory, sorted by name, mount points included.
    async fn list(&self, path: &Path) -> BackendResult<Vec<DirEntry>>;

    /// Metadata, following a final link.
    async fn stat(&self, path: &Path) -> BackendResult<Metadata>;

    /// Metadata of the entry itself.
    async fn lstat(&self, path: &Path) -> BackendResult<Metadata>;

    /// Creates a directory; its parent must exist.
    async fn mkdir(&self, path: &Path) -> BackendResult<()>;

    /// Sets the time of last modification.
    async fn set_mtime(&self, path: &Path, mtime: Timestamp) -> BackendResult<()>;

    /// Sets the permission bits.
    async fn set_mode(&self, path: &Path, mode: u32) -> BackendResult<()>;

    /// Removes an entry; `recursive` descends into a directory.
    async fn remove(&self, path: &Path, recursive: bool) -> BackendResult<()>;

    /// Moves an entry.
    async fn rename(&self, from: &Path, to: &Path) -> BackendResult<()>;

    /// Whether a path exists, following links; an error is `false`.
    async fn exists(&self, path: &Path) -> bool {
        self.stat(path).await.is_ok()
    }

    /// The target of a link as stored.
    async fn read_link(&self, path: &Path) -> BackendResult<PathBuf>;

    /// Creates a link at `link`.
    async fn symlink(&self, target: &Path, link: &Path) -> BackendResult<()>;

    /// Another name for the same file, on the same mount.
    async fn hard_link(&self, from: &Path, to: &Path) -> BackendResult<()>;

    /// The canonical form: every link followed, `.` and `..` folded after what precedes them. A
    /// missing final component is allowed where asked.
    async fn canonicalize(&self, path: &Path, allow_missing_final: bool) -> BackendResult<PathBuf>;

    /// What may be done with a path, following links.
    async fn path_access(&self, path: &Path) -> BackendResult<PathAccess>;

    /// Makes what was done so far durable; `strict` also against power loss.
    async fn flush(&self, strict: bool) -> BackendResult<()>;

    /// Looks at everything that each persistent mount has stored, and mends it where asked.
    async fn check(&self, care: Care) -> BackendResult<Vec<(PathBuf, Report)>> {
        let _ = care;
        Ok(Vec::new())
    }

    /// Whether nothing can be written anywhere.
    fn read_only(&self) -> bool;

    /// A word for the kind of backend.
    fn backend_type(&self) -> &str;

    /// The mounts, by path.
    fn mounts(&self) -> Vec<MountInfo>;

    /// Runs a tool by name on these words, in the caller's directory and on its streams.
    async fn call_tool(
        &self,
        name: &str,
        args: Vec<Value>,
        cx: &mut dyn ToolCtx,
    ) -> BackendResult<ToolResult>;

    /// The tools there are, by name.
    async fn list_tools(&self) -> BackendResult<Vec<ToolInfo>>;

    /// The tool of a name.
    async fn get_tool(&self, name: &str) -> BackendResult<Option<ToolInfo>>;

    /// Begins to watch what lies at and below a path, which need not exist.
    async fn watch(&self, path: &Path) -> BackendResult<Watch>;

    /// The path on a real disk; `None` here, for there is none.
    fn resolve_real_path(&self, path: &Path) -> Option<PathBuf> {
        let _ = path;
        None
    }

    /// Opens a file as a stream to read; a directory is refused.
    async fn open_read(&self, path: &Path) -> BackendResult<Stream> {
        let file = self.open(path, OpenOptions::READ).await?;
        Ok(Stream::File(Rc::new(OpenFile::new(file, false))))
    }
}
