//! The changes a tree can undergo, each whole or not at all.

use std::rc::Rc;

use super::{Body, Content, Names, Node, Place, ROOT, Tree, directory};
use crate::host::Timestamp;
use crate::io::{Errno, IoResult};
use crate::value::EcoString;
use crate::vfs::MAX_INODES;

impl Tree {
    /// Creates an empty file at a free place.
    pub(in crate::vfs) fn create(&mut self, at: &Place, now: Timestamp) -> IoResult<u64> {
        if at.slash {
            return Err(Errno::IsDirectory);
        }
        let body = Body::File(Content::default());
        self.add(at, Node { body, mode: 0o644, links: 1, modified: now }, now)
    }

    /// Creates a directory at a free place.
    pub(in crate::vfs) fn mkdir(&mut self, at: &Place, now: Timestamp) -> IoResult<u64> {
        let inode = self.add(at, directory(at.dir, now), now)?;
        self.edit(at.dir)?.links += 1;
        Ok(inode)
    }

    /// Creates a link at a free place.
    pub(in crate::vfs) fn symlink(
        &mut self,
        target: &str,
        at: &Place,
        now: Timestamp,
    ) -> IoResult<u64> {
        if target.is_empty() || at.slash {
            return Err(Errno::NotFound);
        }
        let body = Body::Symlink(target.into());
        self.add(at, Node { body, mode: 0o777, links: 1, modified: now }, now)
    }

    /// Gives a file or link one more name.
    pub(in crate::vfs) fn hard_link(
        &mut self,
        inode: u64,
        at: &Place,
        now: Timestamp,
    ) -> IoResult<()> {
        if matches!(self.get(inode).ok_or(Errno::Io)?.body, Body::Directory { .. }) {
            return Err(Errno::NotPermitted);
        }
        self.free(at)?;
        self.edit(inode)?.links += 1;
        self.set_entry(at.dir, at.name.clone(), inode, now)?;
        Ok(())
    }

    /// Removes an entry, with all below it where `recursive`; returns the inodes that have lost
    /// their last name and are to be forgotten once no handle is open on them.
    pub(in crate::vfs) fn remove(
        &mut self,
        at: &Place,
        recursive: bool,
        now: Timestamp,
    ) -> IoResult<Vec<u64>> {
        let inode = at.found()?;
        if at.name.is_empty() {
            return Err(if inode == ROOT { Errno::Busy } else { Errno::Invalid });
        }
        self.writable(at.dir)?;
        let below = match &self.get(inode).ok_or(Errno::Io)?.body {
            Body::Directory { names, .. } if !names.is_empty() && !recursive => {
                return Err(Errno::DirectoryNotEmpty);
            }
            Body::Directory { .. } => self.below(inode)?,
            _ => Vec::new(),
        };
        let mut lost = Vec::new();
        for inode in below {
            self.unlink(inode, &mut lost)?;
        }
        self.take_entry(at.dir, &at.name, now)?;
        if self.unlink(inode, &mut lost)? {
            self.edit(at.dir)?.links -= 1;
        }
        Ok(lost)
    }

    /// Everything below a directory, whose every directory with entries must be writable.
    fn below(&self, top: u64) -> IoResult<Vec<u64>> {
        let (mut found, mut pending) = (Vec::new(), vec![top]);
        while let Some(dir) = pending.pop() {
            let names = self.names(dir)?;
            if !names.is_empty() {
                self.writable(dir)?;
            }
            for (_, inode) in names.iter() {
                if self.names(inode).is_ok() {
                    pending.push(inode);
                }
                found.push(inode);
            }
        }
        Ok(found)
    }

    /// Takes one name from an inode; answers whether it was a directory.
    fn unlink(&mut self, inode: u64, lost: &mut Vec<u64>) -> IoResult<bool> {
        let node = self.edit(inode)?;
        let dir = matches!(node.body, Body::Directory { .. });
        node.links = if dir { 0 } else { node.links.saturating_sub(1) };
        if node.links == 0 {
            if let Body::Directory { names, .. } = &mut node.body {
                *names = Rc::default();
            }
            lost.push(inode);
        }
        Ok(dir)
    }

    /// Forgets an inode that has no name.
    pub(in crate::vfs) fn forget(&mut self, inode: u64) {
        if self.get(inode).is_some_and(|node| node.links == 0) {
            if let Some(changes) = &mut self.changes {
                changes.inodes.insert(inode);
            }
            self.table.remove(inode);
        }
    }

    /// Moves an entry, replacing what may be replaced; returns the inodes that lost their last name.
    pub(in crate::vfs) fn rename(
        &mut self,
        from: &Place,
        to: &Place,
        now: Timestamp,
    ) -> IoResult<Vec<u64>> {
        let inode = from.found()?;
        if from.name.is_empty() || to.name.is_empty() {
            return Err(Errno::Busy);
        }
        let moves_dir = self.names(inode).is_ok();
        if to.slash && !moves_dir {
            return Err(Errno::NotDirectory);
        }
        if to.inode == Some(inode) {
            return Ok(Vec::new());
        }
        self.writable(from.dir)?;
        self.writable(to.dir)?;
        if moves_dir && self.is_within(to.dir, inode) {
            return Err(Errno::Invalid);
        }
        let mut lost = Vec::new();
        if let Some(old) = to.inode {
            self.replaceable(old, moves_dir)?;
            if self.unlink(old, &mut lost)? {
                self.edit(to.dir)?.links -= 1;
            }
        }
        self.take_entry(from.dir, &from.name, now)?;
        self.set_entry(to.dir, to.name.clone(), inode, now)?;
        if moves_dir && from.dir != to.dir {
            if let Body::Directory { parent, .. } = &mut self.edit(inode)?.body {
                *parent = to.dir;
            }
            self.edit(from.dir)?.links -= 1;
            self.edit(to.dir)?.links += 1;
        }
        Ok(lost)
    }

    fn replaceable(&self, old: u64, by_dir: bool) -> IoResult<()> {
        match self.names(old) {
            Ok(_) if !by_dir => Err(Errno::IsDirectory),
            Ok(names) if !names.is_empty() => Err(Errno::DirectoryNotEmpty),
            Err(Errno::NotDirectory) if by_dir => Err(Errno::NotDirectory),
            _ => Ok(()),
        }
    }

    /// Whether directory `dir` is `top` or lies below it.
    fn is_within(&self, mut dir: u64, top: u64) -> bool {
        while dir != top {
            match self.parent(dir) {
                Some(parent) if dir != ROOT => dir = parent,
                _ => return false,
            }
        }
        true
    }

    fn free(&self, at: &Place) -> IoResult<()> {
        if at.inode.is_some() {
            return Err(Errno::AlreadyExists);
        }
        self.writable(at.dir)
    }

    fn writable(&self, dir: u64) -> IoResult<()> {
        let node = self.get(dir).filter(|node| node.links > 0).ok_or(Errno::NotFound)?;
        if node.mode & 0o200 == 0 { Err(Errno::PermissionDenied) } else { Ok(()) }
    }

    fn add(&mut self, at: &Place, node: Node, now: Timestamp) -> IoResult<u64> {
        self.free(at)?;
        if self.len() >= MAX_INODES {
            return Err(Errno::NoSpace);
        }
        let inode = self.next;
        self.next += 1;
        self.table.insert(inode, node);
        self.edit(inode)?;
        self.set_entry(at.dir, at.name.clone(), inode, now)?;
        Ok(inode)
    }

    fn record_entry(&mut self, dir: u64, name: &EcoString) {
        if let Some(changes) = &mut self.changes {
            changes.entries.insert((dir, name.clone()));
        }
    }

    fn entries(&mut self, dir: u64, now: Timestamp) -> IoResult<&mut Names> {
        let node = self.edit(dir)?;
        node.modified = now;
        match &mut node.body {
            Body::Directory { names, .. } => Ok(Rc::make_mut(names)),
            _ => Err(Errno::NotDirectory),
        }
    }

    fn set_entry(&mut self, dir: u64, name: EcoString, inode: u64, now: Timestamp) -> IoResult<()> {
        self.record_entry(dir, &name);
        self.entries(dir, now)?.insert(name, inode);
        Ok(())
    }

    fn take_entry(&mut self, dir: u64, name: &EcoString, now: Timestamp) -> IoResult<()> {
        self.record_entry(dir, name);
        self.entries(dir, now)?.remove(name);
        Ok(())
    }
}
