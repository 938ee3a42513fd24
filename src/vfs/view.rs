//! A read-only filesystem of small texts that a closure makes up when they are asked for.

use std::hash::{Hash, Hasher};
use std::rc::Rc;

use async_trait::async_trait;

use super::{
    Capabilities, DirEntry, FileKind, Filesystem, FsError, FsOp, FsResult, Metadata, OpenOptions,
    Path,
};
use crate::host::Timestamp;
use crate::io::{Errno, File, IoResult};
use crate::value::{EcoString, InOrder};

/// What a view has at one path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ViewNode {
    /// A directory and the names in it, in any order.
    Directory(Vec<EcoString>),
    /// A text.
    Text(Vec<u8>),
    /// Something that can be run, such as a command.
    Executable(Vec<u8>),
}

/// A view; the closure gets the components of a path (none for the root) and is asked anew each
/// time, so that it shows the present state.
pub struct ViewFs<F> {
    look: F,
    made: Timestamp,
}

impl<F: Fn(&[&str]) -> Option<ViewNode>> ViewFs<F> {
    /// A view whose files are all dated `made`.
    pub fn new(made: Timestamp, look: F) -> Self {
        Self { look, made }
    }

    fn find(&self, path: &Path) -> IoResult<ViewNode> {
        let text = path.as_str();
        let names: Vec<&str> = text.split('/').filter(|name| !matches!(*name, "" | ".")).collect();
        match (self.look)(&names) {
            Some(ViewNode::Directory(names)) => Ok(ViewNode::Directory(names)),
            Some(node) if !text.ends_with('/') => Ok(node),
            Some(_) => Err(Errno::NotDirectory),
            None => {
                let above = names.split_last().and_then(|(_, above)| (self.look)(above));
                match above {
                    Some(ViewNode::Text(_) | ViewNode::Executable(_)) => Err(Errno::NotDirectory),
                    _ => Err(Errno::NotFound),
                }
            }
        }
    }

    fn metadata(&self, path: &Path, node: &ViewNode) -> Metadata {
        let (kind, len, mode) = match node {
            ViewNode::Directory(_) => (FileKind::Directory, 0, 0o555),
            ViewNode::Text(text) => (FileKind::File, text.len() as u64, 0o444),
            ViewNode::Executable(text) => (FileKind::File, text.len() as u64, 0o555),
        };
        let mut hasher = rustc_hash::FxHasher::default();
        path.as_str().trim_end_matches('/').hash(&mut hasher);
        let (inode, modified) = (hasher.finish(), self.made);
        Metadata { kind, len, mode, modified, inode, device: 0, links: 1 }
    }

    fn text(&self, path: &Path, op: FsOp) -> FsResult<Vec<u8>> {
        match self.find(path).map_err(FsError::at(op, path))? {
            ViewNode::Directory(_) => Err(FsError::new(Errno::IsDirectory, op, path)),
            ViewNode::Text(text) | ViewNode::Executable(text) => Ok(text),
        }
    }
}

#[async_trait(?Send)]
impl<F: Fn(&[&str]) -> Option<ViewNode>> Filesystem for ViewFs<F> {
    async fn read(&self, path: &Path) -> FsResult<Vec<u8>> {
        self.text(path, FsOp::Read)
    }

    async fn read_range(&self, path: &Path, offset: u64, len: usize) -> FsResult<Vec<u8>> {
        Ok(part(&self.text(path, FsOp::Read)?, offset, len))
    }

    async fn open(&self, path: &Path, options: OpenOptions) -> FsResult<Rc<dyn File>> {
        if options.write {
            return Err(FsError::new(Errno::ReadOnly, FsOp::Open, path));
        }
        Ok(Rc::new(Text(self.text(path, FsOp::Open)?)))
    }

    async fn list(&self, path: &Path) -> FsResult<Vec<DirEntry>> {
        let ViewNode::Directory(mut names) =
            self.find(path).map_err(FsError::at(FsOp::List, path))?
        else {
            return Err(FsError::new(Errno::NotDirectory, FsOp::List, path));
        };
        names.order_by(Ord::cmp);
        names.dedup();
        let entry = |name: EcoString| {
            let below = path.join(name.as_str());
            let metadata = self.metadata(&below, &self.find(&below).ok()?);
            Some(DirEntry { name, metadata })
        };
        Ok(names.into_iter().filter_map(entry).collect())
    }

    async fn stat(&self, path: &Path) -> FsResult<Metadata> {
        let node = self.find(path).map_err(FsError::at(FsOp::Stat, path))?;
        Ok(self.metadata(path, &node))
    }

    fn is_plain(&self, _: &Path) -> bool {
        true
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::NONE
    }

    fn kind(&self) -> &'static str {
        "view"
    }
}

fn part(text: &[u8], offset: u64, len: usize) -> Vec<u8> {
    let start = usize::try_from(offset).unwrap_or(usize::MAX).min(text.len());
    let end = start.saturating_add(len).min(text.len());
    text.get(start..end).unwrap_or_default().to_vec()
}

/// A text as it was when it was opened.
struct Text(Vec<u8>);

#[async_trait(?Send)]
impl File for Text {
    async fn read_at(&self, offset: u64, len: usize) -> IoResult<Vec<u8>> {
        Ok(part(&self.0, offset, len))
    }

    async fn write_at(&self, _: u64, _: &[u8]) -> IoResult<()> {
        Err(Errno::BadDescriptor)
    }

    async fn append(&self, _: &[u8]) -> IoResult<()> {
        Err(Errno::BadDescriptor)
    }

    async fn set_len(&self, _: u64) -> IoResult<()> {
        Err(Errno::BadDescriptor)
    }

    async fn len(&self) -> IoResult<u64> {
        Ok(self.0.len() as u64)
    }

    fn read_now(&self, offset: u64, len: usize) -> Option<IoResult<Vec<u8>>> {
        Some(Ok(part(&self.0, offset, len)))
    }
}

#[cfg(test)]
mod tests {
    use futures::executor::block_on;

    use super::{ViewFs, ViewNode};
    use crate::host::Timestamp;
    use crate::io::Errno;
    use crate::vfs::{Filesystem, Path};

    #[test]
    fn a_view_is_asked_anew() {
        let fs = ViewFs::new(Timestamp::default(), |path| match path {
            [] => Some(ViewNode::Directory(vec!["2".into(), "1".into()])),
            ["1" | "2"] => Some(ViewNode::Directory(vec!["status".into()])),
            ["1" | "2", "status"] => Some(ViewNode::Text(b"running\n".to_vec())),
            _ => None,
        });
        let names = |path: &str| {
            let entries = block_on(fs.list(Path::new(path))).unwrap();
            entries.iter().map(|entry| entry.name.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(names("/"), ["1", "2"]);
        assert_eq!(names("/1/"), ["status"]);
        let read = |path: &str| block_on(fs.read(Path::new(path))).map_err(|error| error.errno);
        assert_eq!(read("/1/status"), Ok(b"running\n".to_vec()));
        assert_eq!(read("/1"), Err(Errno::IsDirectory));
        assert_eq!(read("/3"), Err(Errno::NotFound));
        assert_eq!(read("/1/status/x"), Err(Errno::NotDirectory));
        assert_eq!(block_on(fs.mkdir(Path::new("/x"))).unwrap_err().errno, Errno::ReadOnly);
    }
}
