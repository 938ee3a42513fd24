//! Error numbers by name, each with the words every shell user knows.

/// Why an operation on a stream or file failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Errno {
    /// ENOENT
    #[error("No such file or directory")]
    NotFound,
    /// EEXIST
    #[error("File exists")]
    AlreadyExists,
    /// EACCES
    #[error("Permission denied")]
    PermissionDenied,
    /// EPERM
    #[error("Operation not permitted")]
    NotPermitted,
    /// EISDIR
    #[error("Is a directory")]
    IsDirectory,
    /// ENOTDIR
    #[error("Not a directory")]
    NotDirectory,
    /// ENOTEMPTY
    #[error("Directory not empty")]
    DirectoryNotEmpty,
    /// EROFS
    #[error("Read-only file system")]
    ReadOnly,
    /// ENOSPC
    #[error("No space left on device")]
    NoSpace,
    /// EFBIG
    #[error("File too large")]
    TooLarge,
    /// EXDEV
    #[error("Invalid cross-device link")]
    CrossDevice,
    /// ELOOP
    #[error("Too many levels of symbolic links")]
    SymlinkLoop,
    /// ENAMETOOLONG
    #[error("File name too long")]
    NameTooLong,
    /// EINVAL
    #[error("Invalid argument")]
    Invalid,
    /// EBUSY
    #[error("Device or resource busy")]
    Busy,
    /// EBADF
    #[error("Bad file descriptor")]
    BadDescriptor,
    /// EPIPE
    #[error("Broken pipe")]
    BrokenPipe,
    /// ENOTSUP
    #[error("Operation not supported")]
    NotSupported,
    /// EILSEQ: the bytes of a name are not UTF-8.
    #[error("Invalid or incomplete multibyte or wide character")]
    NotUtf8,
    /// EIO
    #[error("Input/output error")]
    Io,
    /// ETIMEDOUT
    #[error("Connection timed out")]
    TimedOut,
    /// ECANCELED: the command was cancelled while it waited.
    #[error("Operation canceled")]
    Cancelled,
}

impl Errno {
    /// The error numbers that a file operation may answer.
    const OF_FILES: [Self; 18] = [
        Self::NotFound,
        Self::AlreadyExists,
        Self::PermissionDenied,
        Self::NotPermitted,
        Self::IsDirectory,
        Self::NotDirectory,
        Self::DirectoryNotEmpty,
        Self::ReadOnly,
        Self::NoSpace,
        Self::TooLarge,
        Self::CrossDevice,
        Self::SymlinkLoop,
        Self::NameTooLong,
        Self::Invalid,
        Self::Busy,
        Self::NotSupported,
        Self::Io,
        Self::TimedOut,
    ];

    /// The error number of a file operation by its symbolic name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::OF_FILES.into_iter().find(|errno| errno.name() == name)
    }

    /// The symbolic name, such as `ENOENT`.
    pub fn name(self) -> &'static str {
        match self {
            Self::NotFound => "ENOENT",
            Self::AlreadyExists => "EEXIST",
            Self::PermissionDenied => "EACCES",
            Self::NotPermitted => "EPERM",
            Self::IsDirectory => "EISDIR",
            Self::NotDirectory => "ENOTDIR",
            Self::DirectoryNotEmpty => "ENOTEMPTY",
            Self::ReadOnly => "EROFS",
            Self::NoSpace => "ENOSPC",
            Self::TooLarge => "EFBIG",
            Self::CrossDevice => "EXDEV",
            Self::SymlinkLoop => "ELOOP",
            Self::NameTooLong => "ENAMETOOLONG",
            Self::Invalid => "EINVAL",
            Self::Busy => "EBUSY",
            Self::BadDescriptor => "EBADF",
            Self::BrokenPipe => "EPIPE",
            Self::NotSupported => "ENOTSUP",
            Self::NotUtf8 => "EILSEQ",
            Self::Io => "EIO",
            Self::TimedOut => "ETIMEDOUT",
            Self::Cancelled => "ECANCELED",
        }
    }
}

/// The result of an operation on a stream.
pub type IoResult<T> = Result<T, Errno>;
