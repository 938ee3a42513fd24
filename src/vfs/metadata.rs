//! What `stat` and `list` tell about a file.

use crate::host::Timestamp;
use crate::value::EcoString;

/// The kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FileKind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link.
    Symlink,
    /// A device of `/dev`.
    Device,
}

/// What is known of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Metadata {
    /// What it is.
    pub kind: FileKind,
    /// Bytes of content; of the target for a link; 0 for a directory.
    pub len: u64,
    /// Permission bits (`0o755`), without the type.
    pub mode: u32,
    /// Last change of the content.
    pub modified: Timestamp,
    /// Number that identifies the file within its mount, never reused.
    pub inode: u64,
    /// Number of the mount, filled in by the router; `(device, inode)` identifies a file.
    pub device: u64,
    /// Directory entries that name it.
    pub links: u32,
}

impl Metadata {
    /// Whether it is a directory.
    pub fn is_dir(&self) -> bool {
        self.kind == FileKind::Directory
    }

    /// Whether it is a regular file.
    pub fn is_file(&self) -> bool {
        self.kind == FileKind::File
    }

    /// Whether it is a symbolic link.
    pub fn is_symlink(&self) -> bool {
        self.kind == FileKind::Symlink
    }
}

/// One entry of a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DirEntry {
    /// The name within its directory.
    pub name: EcoString,
    /// What it is, as `lstat` says.
    pub metadata: Metadata,
}
