//! Files: the `Filesystem` trait, the mount router, and the filesystems behind it.
//!
//! Paths are UTF-8 Unix paths; what a filesystem gets is relative to its root and starts with `/`.
//! `.` and `..` are resolved by whoever walks the path, after the links before them. Names are any
//! UTF-8 but `/` and NUL, at most 255 bytes; paths at most 4,096.
//!
//! Deliberately not here: working directories and tools (`backend`, `tool`), bytes of open streams
//! (`io`), the browser's stores (`web`).

mod budget;
mod content;
mod dev;
mod driver;
mod error;
mod filesystem;
mod memory;
mod metadata;
mod overlay;
pub mod packed;
mod read_only;
mod router;
mod tree;
mod view;
mod volume;
mod watch;

pub use budget::ByteBudget;
pub use dev::{DevFs, DevStream};
pub use driver::{Driver, DriverChange, DriverFs};
pub use error::{FsError, FsOp, FsResult};
pub use filesystem::{Capabilities, Filesystem, OpenOptions, WriteMode};
pub use memory::{MemoryFs, Snapshot};
pub use metadata::{DirEntry, FileKind, Metadata};
pub use overlay::{Change, ChangeKind, Difference, OverlayFs, OverlaySnapshot};
pub use read_only::ReadOnlyFs;
pub use router::{Mount, VfsRouter};
pub use view::{ViewFs, ViewNode};
pub use watch::Watch;

/// A borrowed UTF-8 Unix path.
pub type Path = typed_path::Utf8UnixPath;

/// An owned UTF-8 Unix path.
pub type PathBuf = typed_path::Utf8UnixPathBuf;

/// Longest name of one entry, in bytes.
pub const MAX_NAME: usize = 255;

/// Longest path, in bytes.
pub const MAX_PATH: usize = 4096;

/// Files, directories and links of one filesystem in memory; one more is `NoSpace`.
pub const MAX_INODES: usize = 1_000_000;

/// Symbolic links followed before giving up.
pub const MAX_SYMLINK_HOPS: usize = 40;
