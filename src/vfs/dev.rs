//! `/dev`: devices that swallow, fill, and make random bytes, and names for the opener's streams.

use std::rc::Rc;

use async_trait::async_trait;

use super::{
    Capabilities, DirEntry, FileKind, Filesystem, FsError, FsOp, FsResult, Metadata, OpenOptions,
    Path, WriteMode,
};
use crate::host::{Host, Timestamp};
use crate::io::{Errno, File, IoResult};

/// The most that one read of an endless device gives.
const SLICE: usize = 64 * 1024;

/// The devices. Those that stand for streams of whoever opens them are listed and described here,
/// but opened by the opener, who asks [`DevStream::of`] first.
pub struct DevFs {
    host: Rc<dyn Host>,
    made: Timestamp,
}

/// A path that stands for a stream of whoever opens it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DevStream {
    /// A descriptor: `/dev/stdin`, `/dev/stdout`, `/dev/stderr`, `/dev/fd/N`.
    Descriptor(u32),
    /// The terminal: `/dev/tty`.
    Terminal,
}

impl DevStream {
    /// The stream that an absolute path stands for, where `/dev` is mounted.
    pub fn of(path: &Path) -> Option<Self> {
        match path.as_str().strip_prefix("/dev/")? {
            "stdin" => Some(Self::Descriptor(0)),
            "stdout" => Some(Self::Descriptor(1)),
            "stderr" => Some(Self::Descriptor(2)),
            "tty" => Some(Self::Terminal),
            name => name.strip_prefix("fd/")?.parse().ok().map(Self::Descriptor),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Device {
    Full,
    Null,
    Random,
    Stream,
    Zero,
}

/// All names, sorted.
const DEVICES: [(&str, Device); 9] = [
    ("full", Device::Full),
    ("null", Device::Null),
    ("random", Device::Random),
    ("stderr", Device::Stream),
    ("stdin", Device::Stream),
    ("stdout", Device::Stream),
    ("tty", Device::Stream),
    ("urandom", Device::Random),
    ("zero", Device::Zero),
];

impl DevFs {
    /// The devices, random bytes coming from `host`.
    pub fn new(host: Rc<dyn Host>) -> Self {
        let made = host.now();
        Self { host, made }
    }

    fn metadata(&self, kind: FileKind, inode: u64) -> Metadata {
        let mode = if kind == FileKind::Directory { 0o555 } else { 0o666 };
        let links = if kind == FileKind::Directory { 2 } else { 1 };
        Metadata { kind, len: 0, mode, modified: self.made, inode, device: 0, links }
    }

    /// The number and device of a path; `None` for the directory itself.
    fn find(path: &Path) -> IoResult<Option<(u64, Device)>> {
        let text = path.as_str();
        let mut names = text.split('/').filter(|name| !matches!(*name, "" | "."));
        let Some(name) = names.next() else { return Ok(None) };
        let found = (2..).zip(DEVICES).find(|(_, (device, _))| *device == name);
        let (inode, (_, device)) = found.ok_or(Errno::NotFound)?;
        if names.next().is_some() || text.ends_with('/') {
            return Err(Errno::NotDirectory);
        }
        Ok(Some((inode, device)))
    }

    fn device(&self, path: &Path, op: FsOp) -> FsResult<Handle> {
        let found = Self::find(path).map_err(FsError::at(op, path))?;
        let (_, device) = found.ok_or_else(|| FsError::new(Errno::IsDirectory, op, path))?;
        Ok(Handle { device, host: Rc::clone(&self.host) })
    }
}

#[async_trait(?Send)]
impl Filesystem for DevFs {
    async fn read(&self, path: &Path) -> FsResult<Vec<u8>> {
        let handle = self.device(path, FsOp::Read)?;
        if handle.device == Device::Null {
            return Ok(Vec::new());
        }
        Err(FsError::new(Errno::TooLarge, FsOp::Read, path))
    }

    async fn read_range(&self, path: &Path, _: u64, len: usize) -> FsResult<Vec<u8>> {
        let handle = self.device(path, FsOp::Read)?;
        let mut bytes = Vec::new();
        while bytes.len() < len {
            let slice = handle.read(len - bytes.len()).map_err(FsError::at(FsOp::Read, path))?;
            if slice.is_empty() {
                break;
            }
            bytes.extend_from_slice(&slice);
        }
        Ok(bytes)
    }

    async fn write(&self, path: &Path, content: &[u8], mode: WriteMode) -> FsResult<()> {
        let handle = match self.device(path, FsOp::Write) {
            Err(FsError { errno: Errno::NotFound, .. }) if mode != WriteMode::UpdateOnly => {
                return Err(FsError::new(Errno::PermissionDenied, FsOp::Write, path));
            }
            other => other?,
        };
        if mode == WriteMode::CreateNew {
            return Err(FsError::new(Errno::AlreadyExists, FsOp::Write, path));
        }
        handle.write(content).map_err(FsError::at(FsOp::Write, path))
    }

    async fn append(&self, path: &Path, content: &[u8]) -> FsResult<()> {
        self.write(path, content, WriteMode::Overwrite).await
    }

    async fn open(&self, path: &Path, options: OpenOptions) -> FsResult<Rc<dyn File>> {
        let refuse = |errno| Err(FsError::new(errno, FsOp::Open, path));
        match self.device(path, FsOp::Open) {
            Ok(_) if options.create_new => refuse(Errno::AlreadyExists),
            Ok(handle) if handle.device == Device::Stream => refuse(Errno::NotSupported),
            Ok(handle) => Ok(Rc::new(handle)),
            Err(error) if error.errno == Errno::NotFound && options.create => {
                refuse(Errno::PermissionDenied)
            }
            Err(error) => Err(error),
        }
    }

    async fn list(&self, path: &Path) -> FsResult<Vec<DirEntry>> {
        match Self::find(path).map_err(FsError::at(FsOp::List, path))? {
            Some(_) => Err(FsError::new(Errno::NotDirectory, FsOp::List, path)),
            None => Ok((2..)
                .zip(DEVICES)
                .map(|(inode, (name, _))| DirEntry {
                    name: name.into(),
                    metadata: self.metadata(FileKind::Device, inode),
                })
                .collect()),
        }
    }

    async fn stat(&self, path: &Path) -> FsResult<Metadata> {
        Ok(match Self::find(path).map_err(FsError::at(FsOp::Stat, path))? {
            Some((inode, _)) => self.metadata(FileKind::Device, inode),
            None => self.metadata(FileKind::Directory, 1),
        })
    }

    fn is_plain(&self, _: &Path) -> bool {
        true
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { writing: true, ..Capabilities::NONE }
    }

    fn kind(&self) -> &'static str {
        "dev"
    }
}

/// An open device.
struct Handle {
    device: Device,
    host: Rc<dyn Host>,
}

impl Handle {
    fn read(&self, len: usize) -> IoResult<Vec<u8>> {
        let mut bytes = vec![0; len.min(SLICE)];
        match self.device {
            Device::Null => bytes.clear(),
            Device::Zero | Device::Full => {}
            Device::Random => self.host.random(&mut bytes),
            Device::Stream => return Err(Errno::NotSupported),
        }
        Ok(bytes)
    }

    fn write(&self, bytes: &[u8]) -> IoResult<()> {
        match self.device {
            Device::Full if !bytes.is_empty() => Err(Errno::NoSpace),
            Device::Stream => Err(Errno::NotSupported),
            _ => Ok(()),
        }
    }
}

#[async_trait(?Send)]
impl File for Handle {
    async fn read_at(&self, _: u64, len: usize) -> IoResult<Vec<u8>> {
        self.read(len)
    }

    async fn write_at(&self, _: u64, bytes: &[u8]) -> IoResult<()> {
        self.write(bytes)
    }

    async fn append(&self, bytes: &[u8]) -> IoResult<()> {
        self.write(bytes)
    }

    async fn set_len(&self, _: u64) -> IoResult<()> {
        Err(Errno::Invalid)
    }

    async fn len(&self) -> IoResult<u64> {
        Ok(0)
    }

    fn read_now(&self, _: u64, len: usize) -> Option<IoResult<Vec<u8>>> {
        Some(self.read(len))
    }

    fn write_now(&self, _: Option<u64>, bytes: &[u8]) -> Option<IoResult<()>> {
        Some(self.write(bytes))
    }

    fn is_stream(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use futures::executor::block_on;

    use super::{DevFs, DevStream};
    use crate::host::FakeHost;
    use crate::io::Errno;
    use crate::vfs::{Filesystem, OpenOptions, Path, WriteMode};

    #[test]
    fn devices_read_and_write() {
        let fs = DevFs::new(Rc::new(FakeHost::default()));
        let names: Vec<_> = block_on(fs.list(Path::new("/"))).unwrap();
        assert!(names.is_sorted_by_key(|entry| entry.name.clone()));
        let read = |path: &str, len| block_on(fs.read_range(Path::new(path), 7, len)).unwrap();
        assert_eq!(read("/null", 3), b"");
        assert_eq!(read("/zero", 100_000), vec![0; 100_000]);
        assert_ne!(read("/urandom", 16), read("/urandom", 16));
        let write = |path: &str| {
            block_on(fs.write(Path::new(path), b"x", WriteMode::Overwrite)).map_err(|e| e.errno)
        };
        assert_eq!(write("/null"), Ok(()));
        assert_eq!(write("/full"), Err(Errno::NoSpace));
        assert_eq!(write("/new"), Err(Errno::PermissionDenied));
        assert_eq!(write("/null/x"), Err(Errno::NotDirectory));
        assert!(block_on(fs.open(Path::new("/stdin"), OpenOptions::READ)).is_err());
        assert_eq!(DevStream::of(Path::new("/dev/fd/12")), Some(DevStream::Descriptor(12)));
        assert_eq!(DevStream::of(Path::new("/dev/null")), None);
    }
}
