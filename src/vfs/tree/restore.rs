//! Building a tree from recorded changes, without the checks that operations make.

use std::rc::Rc;

use super::{Body, Changes, Node, ROOT, Table, Tree};
use crate::value::EcoString;

impl Tree {
    /// A tree without even a root, to be filled by `install`.
    pub(in crate::vfs) fn blank() -> Self {
        Self { table: Table::default(), next: ROOT + 1, changes: None }
    }

    /// The present state without the record of changes.
    pub(in crate::vfs) fn snapshot(&self) -> Self {
        Self { table: self.table.clone(), next: self.next, changes: None }
    }

    /// Becomes another state of the same filesystem; recorded changes are dropped, numbers that
    /// were used stay used.
    pub(in crate::vfs) fn adopt(&mut self, other: &Self) {
        self.table = other.table.clone();
        self.reserve_inodes(other.next);
        if let Some(changes) = &mut self.changes {
            *changes = Changes::default();
        }
    }

    /// Starts recording changes.
    pub(in crate::vfs) fn record(&mut self) {
        self.changes.get_or_insert_default();
    }

    /// What has changed since the last call.
    pub(in crate::vfs) fn take_changes(&mut self) -> Changes {
        self.changes.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// What has changed since `take_changes` was called.
    pub(in crate::vfs) fn changes(&self) -> Option<&Changes> {
        self.changes.as_ref()
    }

    /// Puts changes back that could not be stored.
    pub(in crate::vfs) fn return_changes(&mut self, mut changes: Changes) {
        if let Some(present) = &mut self.changes {
            present.inodes.append(&mut changes.inodes);
            present.entries.append(&mut changes.entries);
        }
    }

    /// Puts a node in place; a directory that was there keeps its names.
    pub(in crate::vfs) fn install(&mut self, inode: u64, mut node: Node) {
        if let Body::Directory { names, .. } = &mut node.body
            && names.is_empty()
            && let Ok(old) = self.names(inode)
        {
            *names = Rc::new(old.clone());
        }
        self.table.insert(inode, node);
        self.reserve_inodes(inode.saturating_add(1));
    }

    /// Takes a node away, whoever names it.
    pub(in crate::vfs) fn erase(&mut self, inode: u64) {
        self.table.remove(inode);
    }

    /// Makes a name mean an inode or nothing; answers whether there is such a directory.
    pub(in crate::vfs) fn set_name(&mut self, dir: u64, name: &str, inode: Option<u64>) -> bool {
        let Some(node) = self.table.get_mut(dir) else { return false };
        let Body::Directory { names, .. } = &mut node.body else { return false };
        let names = Rc::make_mut(names);
        match inode {
            Some(inode) => names.insert(EcoString::from(name), inode),
            None => names.remove(name),
        };
        true
    }

    /// The node of an inode, changed without being recorded.
    pub(in crate::vfs) fn adjust(&mut self, inode: u64) -> Option<&mut Node> {
        self.table.get_mut(inode)
    }
}
