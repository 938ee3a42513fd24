//! A driver that holds its files in a map and can be told to misbehave, and a filesystem over it.

#![allow(dead_code, reason = "each test uses a part")]

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use async_trait::async_trait;
use tabsh::host::{FakeHost, Timestamp};
use tabsh::io::{Errno, IoResult};
use tabsh::vfs::{
    ByteBudget, Capabilities, DirEntry, Driver, DriverChange, DriverFs, FileKind, Metadata,
};

/// How a driver answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Mood {
    /// As it should.
    #[default]
    Well,
    /// Never.
    Silent,
    /// With an error of its own.
    Failing,
    /// With more bytes than asked for, and names that are none.
    Rubbish,
}

/// What the driver holds, and how it answers.
#[derive(Default)]
pub(crate) struct Held {
    nodes: RefCell<BTreeMap<String, Node>>,
    pub(crate) mood: Cell<Mood>,
    /// Calls so far.
    pub(crate) calls: Cell<usize>,
}

#[derive(Clone)]
struct Node {
    kind: FileKind,
    content: Vec<u8>,
    mode: u32,
    modified: Timestamp,
}

struct MemoryDriver(Rc<Held>, FakeHost);

/// A filesystem over a driver in memory, and its clock.
pub(crate) fn filesystem(held: &Rc<Held>) -> (Rc<DriverFs>, FakeHost) {
    let host = FakeHost::new(Timestamp { seconds: 1_700_000_000, nanos: 5 }, 1);
    let driver = Rc::new(MemoryDriver(Rc::clone(held), host.clone()));
    driver.put("/", FileKind::Directory, 0o755, Vec::new());
    let fs = DriverFs::new(driver, Rc::new(host.clone()), &ByteBudget::default());
    (Rc::new(fs), host)
}

fn is_below(path: &str, dir: &str) -> bool {
    let dir = if dir == "/" { "" } else { dir };
    path.strip_prefix(dir).is_some_and(|rest| rest.starts_with('/') && rest.len() > 1)
}

impl MemoryDriver {
    fn put(&self, path: &str, kind: FileKind, mode: u32, content: Vec<u8>) {
        let node = Node { kind, content, mode, modified: self.1.now_ticking() };
        self.0.nodes.borrow_mut().insert(path.to_owned(), node);
    }

    fn node(&self, path: &str) -> IoResult<Node> {
        self.0.nodes.borrow().get(path).cloned().ok_or(Errno::NotFound)
    }

    fn change_node(&self, path: &str, change: impl FnOnce(&mut Node)) -> IoResult<()> {
        change(self.0.nodes.borrow_mut().get_mut(path).ok_or(Errno::NotFound)?);
        Ok(())
    }

    async fn mood(&self) -> IoResult<Mood> {
        self.0.calls.set(self.0.calls.get() + 1);
        match self.0.mood.get() {
            Mood::Silent => std::future::pending().await,
            Mood::Failing => Err(Errno::Busy),
            mood => Ok(mood),
        }
    }
}

trait Ticking {
    fn now_ticking(&self) -> Timestamp;
}

impl Ticking for FakeHost {
    fn now_ticking(&self) -> Timestamp {
        use tabsh::host::Host;
        self.now()
    }
}

fn metadata(node: &Node) -> Metadata {
    let directory = node.kind == FileKind::Directory;
    Metadata {
        kind: node.kind,
        len: if directory { 0 } else { node.content.len() as u64 },
        mode: node.mode,
        modified: node.modified,
        inode: 0,
        device: 0,
        links: if directory { 2 } else { 1 },
    }
}

#[async_trait(?Send)]
impl Driver for MemoryDriver {
    fn kind(&self) -> &'static str {
        "js"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            symlinks: true,
            modes: true,
            times: true,
            writing: true,
            ..Capabilities::NONE
        }
    }

    async fn stat(&self, path: &str) -> IoResult<Metadata> {
        self.mood().await?;
        Ok(metadata(&self.node(path)?))
    }

    async fn list(&self, path: &str) -> IoResult<Vec<DirEntry>> {
        let mood = self.mood().await?;
        let dir = if path == "/" { "" } else { path };
        let nodes = self.0.nodes.borrow();
        let entry = |(path, node): (&String, &Node)| {
            let name = path.strip_prefix(dir)?.strip_prefix('/')?;
            let here = !name.is_empty() && !name.contains('/');
            here.then(|| DirEntry { name: name.into(), metadata: metadata(node) })
        };
        let mut entries: Vec<DirEntry> = nodes.iter().rev().filter_map(entry).collect();
        if mood == Mood::Rubbish {
            entries.push(DirEntry { name: "../up".into(), metadata: metadata(&self.node("/")?) });
        }
        Ok(entries)
    }

    async fn read(&self, path: &str, offset: u64, len: usize) -> IoResult<Vec<u8>> {
        if self.mood().await? == Mood::Rubbish {
            return Ok(vec![b'x'; len + 1]);
        }
        let content = self.node(path)?.content;
        let start = usize::try_from(offset).unwrap_or(usize::MAX).min(content.len());
        // Less than asked for, as a network gives it.
        let end = start.saturating_add(len.div_ceil(2)).min(content.len());
        Ok(content[start..end].to_vec())
    }

    async fn read_link(&self, path: &str) -> IoResult<String> {
        self.mood().await?;
        String::from_utf8(self.node(path)?.content).map_err(|_| Errno::NotUtf8)
    }

    async fn change(&self, change: DriverChange<'_>) -> IoResult<()> {
        self.mood().await?;
        match change {
            DriverChange::Write(path, content) => {
                let mode = self.node(path).map_or(0o644, |node| node.mode);
                self.put(path, FileKind::File, mode, content.to_vec());
            }
            DriverChange::Mkdir(path) => self.put(path, FileKind::Directory, 0o755, Vec::new()),
            DriverChange::Symlink(target, link) => {
                self.put(link, FileKind::Symlink, 0o777, target.as_bytes().to_vec());
            }
            DriverChange::Remove(path) => {
                let gone = |other: &String| other == path || is_below(other, path);
                self.0.nodes.borrow_mut().retain(|other, _| !gone(other));
            }
            DriverChange::Rename(from, to) => {
                let mut nodes = self.0.nodes.borrow_mut();
                nodes.remove(to);
                let moved: Vec<String> = nodes
                    .keys()
                    .filter(|path| *path == from || is_below(path, from))
                    .cloned()
                    .collect();
                for path in moved {
                    if let Some(node) = nodes.remove(&path) {
                        nodes.insert(format!("{to}{}", &path[from.len()..]), node);
                    }
                }
            }
            DriverChange::SetMode(path, mode) => self.change_node(path, |node| node.mode = mode)?,
            DriverChange::SetTime(path, time) => {
                self.change_node(path, |node| node.modified = time)?;
            }
            DriverChange::Flush => {}
        }
        Ok(())
    }
}
