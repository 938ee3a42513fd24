//! From a path to the place in the tree it names, following links, without recursion.

use std::str::Split;

use super::{Body, ROOT, Tree};
use crate::io::{Errno, IoResult};
use crate::value::EcoString;
use crate::vfs::{MAX_NAME, MAX_PATH, MAX_SYMLINK_HOPS, Path};

/// What to do about a link at the end of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::vfs) enum Follow {
    /// Go where it points.
    Final,
    /// Stay at the link.
    Not,
}

/// The place a path names.
pub(in crate::vfs) struct Place {
    /// The directory that has, or would have, the entry.
    pub(in crate::vfs) dir: u64,
    /// The entry's name; empty where the path ends in the root, `.` or `..`.
    pub(in crate::vfs) name: EcoString,
    /// What is there.
    pub(in crate::vfs) inode: Option<u64>,
    /// Whether the path ends in a slash, so that only a directory will do.
    pub(in crate::vfs) slash: bool,
}

impl Place {
    /// The inode, or `NotFound`.
    pub(in crate::vfs) fn found(&self) -> IoResult<u64> {
        self.inode.ok_or(Errno::NotFound)
    }
}

/// The path and the targets of the links met on it, innermost last.
struct Rest<'a> {
    current: Split<'a, char>,
    outer: Vec<Split<'a, char>>,
}

/// What comes after the component just taken.
#[derive(PartialEq)]
enum After {
    Nothing,
    Slash,
    More,
}

impl<'a> Rest<'a> {
    fn next(&mut self) -> Option<&'a str> {
        loop {
            match self.current.next() {
                Some("" | ".") => {}
                Some(name) => return Some(name),
                None => self.current = self.outer.pop()?,
            }
        }
    }

    fn after(&self) -> After {
        let mut after = After::Nothing;
        for split in self.outer.iter().chain([&self.current]) {
            for name in split.clone() {
                if !matches!(name, "" | ".") {
                    return After::More;
                }
                after = After::Slash;
            }
        }
        after
    }
}

/// Whether a new entry may have this name.
fn check_name(name: &str) -> IoResult<()> {
    if name.len() > MAX_NAME {
        return Err(Errno::NameTooLong);
    }
    if name.contains('\0') {
        return Err(Errno::Invalid);
    }
    Ok(())
}

impl Tree {
    /// The place that `path` names; every component before the last must exist.
    pub(in crate::vfs) fn walk(&self, path: &Path, follow: Follow) -> IoResult<Place> {
        let path = path.as_str();
        if path.is_empty() {
            return Err(Errno::NotFound);
        }
        if path.len() > MAX_PATH {
            return Err(Errno::NameTooLong);
        }
        let mut rest = Rest { current: path.split('/'), outer: Vec::new() };
        let (mut dir, mut hops) = (ROOT, 0);
        while let Some(name) = rest.next() {
            let node = self.get(dir).ok_or(Errno::NotFound)?;
            let Body::Directory { names, parent } = &node.body else {
                return Err(Errno::NotDirectory);
            };
            if name == ".." {
                dir = *parent;
                continue;
            }
            if node.mode & 0o100 == 0 {
                return Err(Errno::PermissionDenied);
            }
            check_name(name)?;
            let after = rest.after();
            let last = after != After::More;
            let place =
                |inode| Place { dir, name: name.into(), inode, slash: after == After::Slash };
            let Some(inode) = names.get(name) else {
                return if last { Ok(place(None)) } else { Err(Errno::NotFound) };
            };
            match &self.get(inode).ok_or(Errno::Io)?.body {
                Body::Symlink(target) if after != After::Nothing || follow == Follow::Final => {
                    hops += 1;
                    if hops > MAX_SYMLINK_HOPS {
                        return Err(Errno::SymlinkLoop);
                    }
                    if target.is_empty() {
                        return Err(Errno::NotFound);
                    }
                    if target.starts_with('/') {
                        dir = ROOT;
                    }
                    rest.outer.push(std::mem::replace(&mut rest.current, target.split('/')));
                }
                Body::Directory { .. } if !last => dir = inode,
                Body::Directory { .. } => return Ok(place(Some(inode))),
                _ if after == After::Nothing => return Ok(place(Some(inode))),
                _ => return Err(Errno::NotDirectory),
            }
        }
        let parent = self.parent(dir).unwrap_or(ROOT);
        Ok(Place { dir: parent, name: EcoString::new(), inode: Some(dir), slash: true })
    }

    /// Whether no component of `path` is a link, as far as the path exists.
    pub(in crate::vfs) fn is_plain(&self, path: &Path) -> bool {
        let mut dir = ROOT;
        for name in path.as_str().split('/') {
            match name {
                "" | "." => continue,
                ".." => return false,
                _ => {}
            }
            let Some(Body::Directory { names, .. }) = self.get(dir).map(|node| &node.body) else {
                return true;
            };
            let Some(inode) = names.get(name) else { return true };
            if self.get(inode).is_some_and(|node| matches!(node.body, Body::Symlink(_))) {
                return false;
            }
            dir = inode;
        }
        true
    }
}
