//! The tree of one filesystem in memory: inodes, directories, links; pure, without paths' owners.
//!
//! One implementation serves every filesystem that keeps its metadata in memory. Operations take
//! places found by `walk`, check everything first and then change everything, so a failed one has
//! changed nothing. Cloning a tree is a snapshot: pages, directories and content are shared until
//! one side writes. A recording tree remembers which inodes and entries changed, for the log of a
//! persistent filesystem.

mod names;
mod operations;
mod restore;
mod table;
mod walk;

use std::collections::BTreeSet;
use std::rc::Rc;

pub(super) use names::Names;
pub(super) use walk::{Follow, Place};

use super::content::Content;
use super::{DirEntry, FileKind, Metadata};
use crate::host::Timestamp;
use crate::io::{Errno, IoResult};
use crate::value::EcoString;
use table::Table;

/// The inode of the root directory.
pub(super) const ROOT: u64 = 1;

/// What an inode holds.
#[derive(Clone)]
pub(super) enum Body {
    /// A regular file.
    File(Content),
    /// A directory and the one above it (the root is above itself).
    Directory { names: Rc<Names>, parent: u64 },
    /// A link and its target.
    Symlink(EcoString),
}

/// One inode.
#[derive(Clone)]
pub(super) struct Node {
    pub(super) body: Body,
    pub(super) mode: u32,
    /// Entries that name it; a directory counts itself and those below it.
    pub(super) links: u32,
    pub(super) modified: Timestamp,
}

/// What changed since it was last asked.
#[derive(Clone, Default)]
pub(super) struct Changes {
    pub(super) inodes: BTreeSet<u64>,
    pub(super) entries: BTreeSet<(u64, EcoString)>,
}

impl Changes {
    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.inodes.is_empty() && self.entries.is_empty()
    }
}

/// A tree of inodes; cloning it is a snapshot.
#[derive(Clone)]
pub(super) struct Tree {
    table: Table,
    next: u64,
    /// Present where changes are recorded.
    changes: Option<Changes>,
}

impl Tree {
    /// A root directory and nothing else.
    pub(super) fn new(now: Timestamp) -> Self {
        let mut table = Table::default();
        table.insert(ROOT, directory(ROOT, now));
        Self { table, next: ROOT + 1, changes: None }
    }

    /// The number that the next inode gets.
    pub(super) fn next_inode(&self) -> u64 {
        self.next
    }

    /// Leaves out the numbers below `next`, which have been used.
    pub(super) fn reserve_inodes(&mut self, next: u64) {
        self.next = self.next.max(next);
    }

    /// How many inodes there are.
    pub(super) fn len(&self) -> usize {
        self.table.len()
    }

    /// All inodes, ascending.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u64, &Node)> {
        self.table.iter()
    }

    /// The node of an inode.
    pub(super) fn get(&self, inode: u64) -> Option<&Node> {
        self.table.get(inode)
    }

    /// The node of an inode, to be changed.
    pub(super) fn edit(&mut self, inode: u64) -> IoResult<&mut Node> {
        if let Some(changes) = &mut self.changes {
            changes.inodes.insert(inode);
        }
        self.table.get_mut(inode).ok_or(Errno::Io)
    }

    /// The content of a file.
    pub(super) fn content(&self, inode: u64) -> IoResult<&Content> {
        match &self.get(inode).ok_or(Errno::Io)?.body {
            Body::File(content) => Ok(content),
            Body::Directory { .. } => Err(Errno::IsDirectory),
            Body::Symlink(_) => Err(Errno::Invalid),
        }
    }

    /// The names in a directory.
    pub(super) fn names(&self, inode: u64) -> IoResult<&Names> {
        match &self.get(inode).ok_or(Errno::Io)?.body {
            Body::Directory { names, .. } => Ok(names),
            _ => Err(Errno::NotDirectory),
        }
    }

    /// The directory above a directory.
    pub(super) fn parent(&self, inode: u64) -> Option<u64> {
        match &self.get(inode)?.body {
            Body::Directory { parent, .. } => Some(*parent),
            _ => None,
        }
    }

    /// What `stat` tells of an inode.
    pub(super) fn metadata(&self, inode: u64) -> IoResult<Metadata> {
        let node = self.get(inode).ok_or(Errno::Io)?;
        let (kind, len) = match &node.body {
            Body::File(content) => (FileKind::File, content.len()),
            Body::Directory { .. } => (FileKind::Directory, 0),
            Body::Symlink(target) => (FileKind::Symlink, target.len() as u64),
        };
        Ok(Metadata {
            kind,
            len,
            mode: node.mode,
            modified: node.modified,
            inode,
            device: 0,
            links: node.links,
        })
    }

    /// The entries of a directory, sorted.
    pub(super) fn list(&self, inode: u64) -> IoResult<Vec<DirEntry>> {
        let names = self.names(inode)?;
        let mut entries = Vec::with_capacity(names.len());
        for (name, inode) in names.iter() {
            entries.push(DirEntry { name: name.clone(), metadata: self.metadata(inode)? });
        }
        Ok(entries)
    }
}

fn directory(parent: u64, now: Timestamp) -> Node {
    let body = Body::Directory { names: Rc::default(), parent };
    Node { body, mode: 0o755, links: 2, modified: now }
}
