//! The contract of a mountable filesystem.

use std::rc::Rc;

use async_trait::async_trait;

use super::packed::{Care, Report};
use super::{DirEntry, FsError, FsOp, FsResult, Metadata, Path, PathBuf};
use crate::host::Timestamp;
use crate::io::{Errno, File};

/// How a file is opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "the flags of open(2)")]
pub struct OpenOptions {
    /// Content may be read.
    pub read: bool,
    /// Content may be written.
    pub write: bool,
    /// Writes go to the end.
    pub append: bool,
    /// A missing file is created (mode 644).
    pub create: bool,
    /// The file must not exist (with `create`).
    pub create_new: bool,
    /// Existing content is dropped.
    pub truncate: bool,
}

impl OpenOptions {
    /// For reading.
    pub const READ: Self = Self {
        read: true,
        write: false,
        append: false,
        create: false,
        create_new: false,
        truncate: false,
    };

    /// For writing from scratch, creating what is missing.
    pub const WRITE: Self =
        Self { read: false, write: true, create: true, truncate: true, ..Self::READ };

    /// For writing at the end, creating what is missing.
    pub const APPEND: Self =
        Self { read: false, write: true, append: true, create: true, ..Self::READ };
}

/// What `write` does about a file that is there or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteMode {
    /// Only a new file: `AlreadyExists` otherwise.
    CreateNew,
    /// A new file or new content of an old one.
    Overwrite,
    /// Only an old file: `NotFound` otherwise.
    UpdateOnly,
    /// Like `Overwrite`, keeping the file's inode, mode and open handles.
    Truncate,
}

/// What a mount can do; tests and messages go by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "independent abilities")]
pub struct Capabilities {
    /// Symbolic links can be made.
    pub symlinks: bool,
    /// A file can have several names; inodes identify files, and directories count their links.
    pub hard_links: bool,
    /// Permission bits are kept.
    pub modes: bool,
    /// Permission bits forbid what they do not allow.
    pub permissions: bool,
    /// Modification times are kept.
    pub times: bool,
    /// An open file stays what it is whatever happens to its name.
    pub handles: bool,
    /// Anything can be written.
    pub writing: bool,
}

impl Capabilities {
    /// Everything.
    pub const ALL: Self = Self {
        symlinks: true,
        hard_links: true,
        modes: true,
        permissions: true,
        times: true,
        handles: true,
        writing: true,
    };

    /// Nothing but reading.
    pub const NONE: Self = Self {
        symlinks: false,
        hard_links: false,
        modes: false,
        permissions: false,
        times: false,
        handles: false,
        writing: false,
    };
}

/// A filesystem: paths are absolute within it. Operations are all-or-nothing.
///
/// `remove`, `rename`, `lstat`, `read_link` and `symlink` never follow the final component; all
/// others do. Links before the final component are always followed, within the filesystem. What
/// changes something is refused with `ReadOnly` where a filesystem does not say otherwise.
#[async_trait(?Send)]
pub trait Filesystem {
    /// The whole content.
    async fn read(&self, path: &Path) -> FsResult<Vec<u8>>;

    /// At most `len` bytes from `offset`; empty at or past the end.
    async fn read_range(&self, path: &Path, offset: u64, len: usize) -> FsResult<Vec<u8>>;

    /// Replaces the content in one step.
    async fn write(&self, path: &Path, content: &[u8], mode: WriteMode) -> FsResult<()> {
        let _ = (content, mode);
        Err(FsError::new(Errno::ReadOnly, FsOp::Write, path))
    }

    /// Adds to the end, creating the file where missing.
    async fn append(&self, path: &Path, content: &[u8]) -> FsResult<()> {
        let _ = content;
        Err(FsError::new(Errno::ReadOnly, FsOp::Write, path))
    }

    /// Gives `to` the content of `from`, creating it where missing; shared where the filesystem can.
    async fn copy(&self, from: &Path, to: &Path) -> FsResult<()> {
        let content = self.read(from).await?;
        self.write(to, &content, WriteMode::Overwrite).await
    }

    /// Opens a file; what is written through it is visible at once in the session.
    async fn open(&self, path: &Path, options: OpenOptions) -> FsResult<Rc<dyn File>>;

    /// The entries of a directory, sorted by name (bytes), without `.` and `..`.
    async fn list(&self, path: &Path) -> FsResult<Vec<DirEntry>>;

    /// Metadata, following a final link.
    async fn stat(&self, path: &Path) -> FsResult<Metadata>;

    /// Metadata of the entry itself.
    async fn lstat(&self, path: &Path) -> FsResult<Metadata> {
        self.stat(path).await
    }

    /// Creates a directory (mode 755); its parent must exist.
    async fn mkdir(&self, path: &Path) -> FsResult<()> {
        Err(FsError::new(Errno::ReadOnly, FsOp::Mkdir, path))
    }

    /// Removes a file, a link, or a directory: an empty one unless `recursive`.
    async fn remove(&self, path: &Path, recursive: bool) -> FsResult<()> {
        let _ = recursive;
        Err(FsError::new(Errno::ReadOnly, FsOp::Remove, path))
    }

    /// Moves an entry, replacing a file, a link or an empty directory at `to`.
    async fn rename(&self, from: &Path, to: &Path) -> FsResult<()> {
        let _ = to;
        Err(FsError::new(Errno::ReadOnly, FsOp::Rename, from))
    }

    /// Sets the time of last modification.
    async fn set_mtime(&self, path: &Path, mtime: Timestamp) -> FsResult<()> {
        let _ = mtime;
        Err(FsError::new(Errno::ReadOnly, FsOp::SetTimes, path))
    }

    /// Sets the permission bits.
    async fn set_mode(&self, path: &Path, mode: u32) -> FsResult<()> {
        let _ = mode;
        Err(FsError::new(Errno::ReadOnly, FsOp::SetMode, path))
    }

    /// The target of a link as stored.
    async fn read_link(&self, path: &Path) -> FsResult<PathBuf> {
        self.lstat(path).await?;
        Err(FsError::new(Errno::Invalid, FsOp::ReadLink, path))
    }

    /// Creates a link at `link` with `target` stored verbatim.
    async fn symlink(&self, target: &Path, link: &Path) -> FsResult<()> {
        let _ = target;
        Err(FsError::new(Errno::ReadOnly, FsOp::Symlink, link))
    }

    /// Another name for the same file.
    async fn hard_link(&self, from: &Path, to: &Path) -> FsResult<()> {
        let _ = from;
        Err(FsError::new(Errno::ReadOnly, FsOp::HardLink, to))
    }

    /// Whether no component of `path`, as far as it exists, is a link; `false` where that is not
    /// known without waiting.
    fn is_plain(&self, path: &Path) -> bool {
        let _ = path;
        false
    }

    /// Makes what was done so far durable; `strict` also against power loss.
    async fn flush(&self, strict: bool) -> FsResult<()> {
        let _ = strict;
        Ok(())
    }

    /// Looks at everything that is stored, and mends it where asked; `None` where nothing is.
    async fn check(&self, care: Care) -> FsResult<Option<Report>> {
        let _ = care;
        Ok(None)
    }

    /// Whether nothing can be written.
    fn read_only(&self) -> bool {
        !self.capabilities().writing
    }

    /// What the filesystem can do.
    fn capabilities(&self) -> Capabilities {
        Capabilities::ALL
    }

    /// Bytes of content held in memory.
    fn resident_bytes(&self) -> u64 {
        0
    }

    /// Bytes used and bytes available, where known.
    fn usage(&self) -> Option<(u64, u64)> {
        None
    }

    /// What `mount` and `df` call it: `memory`, `indexeddb`, `dev`, …
    fn kind(&self) -> &'static str;
}
