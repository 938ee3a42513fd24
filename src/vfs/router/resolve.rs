//! From a path to the mount that owns it and the path within that mount.

use super::{Mount, VfsRouter, is_below};
use crate::io::{Errno, IoResult};
use crate::value::InOrder;
use crate::vfs::tree::Follow;
use crate::vfs::{MAX_PATH, MAX_SYMLINK_HOPS, Path, PathBuf};

/// A place in a mounted filesystem.
pub(super) struct Spot {
    /// The mount.
    pub(super) mount: Mount,
    /// The path within its filesystem.
    pub(super) path: PathBuf,
}

impl Spot {
    /// The whole path, without a final slash; empty for the root.
    pub(super) fn whole(&self) -> String {
        let path = self.path.as_str();
        format!("{}{}", self.mount.prefix, path.strip_suffix('/').unwrap_or(path))
    }

    /// Whether it is the root of its mount.
    pub(super) fn is_root(&self) -> bool {
        self.path.as_str().bytes().all(|byte| byte == b'/')
    }
}

/// A component still to be walked; one that a link's target gave may not climb above `floor`.
struct Step {
    name: String,
    floor: usize,
}

/// The absolute path without `.`, `..` and doubled slashes; empty for the root.
pub(super) fn folded(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for name in path.split('/') {
        match name {
            "" | "." => {}
            ".." => climb(&mut out, 0),
            _ => push(&mut out, name),
        }
    }
    out
}

fn push(at: &mut String, name: &str) {
    at.push('/');
    at.push_str(name);
}

fn climb(at: &mut String, floor: usize) {
    let parent = at.rfind('/').unwrap_or_default();
    if parent >= floor {
        at.truncate(parent);
    }
}

/// Whether prefixes may be compared as they stand: absolute, no dots, no doubled slashes.
pub(in crate::vfs) fn is_tidy(path: &str) -> bool {
    path.starts_with('/')
        && !path.contains("//")
        && path.split('/').all(|name| !matches!(name, "." | ".."))
}

fn check_length(path: &str) -> IoResult<()> {
    match path.len() {
        0 => Err(Errno::NotFound),
        length if length > MAX_PATH => Err(Errno::NameTooLong),
        _ => Ok(()),
    }
}

impl VfsRouter {
    /// The spot that `path` names; what is missing only at its end is no error.
    pub(super) async fn resolve(&self, path: &Path, follow: Follow) -> IoResult<Spot> {
        let text = path.as_str();
        check_length(text)?;
        if is_tidy(text) {
            let spot = self.locate(text)?;
            if !spot.mount.nested || spot.mount.fs.is_plain(&spot.path) {
                return Ok(spot);
            }
        }
        let at = self.walk(text, follow).await?;
        self.locate(&at)
    }

    /// The owner of a path that is taken as it stands.
    pub(super) fn locate(&self, path: &str) -> IoResult<Spot> {
        let mounts = self.mounts.borrow();
        let mount = mounts.iter().find(|mount| is_below(path, &mount.prefix));
        let mount = mount.ok_or(Errno::NotFound)?.clone();
        let inner = path.strip_prefix(mount.prefix.as_str()).unwrap_or(path);
        let path = PathBuf::from(if inner.is_empty() { "/" } else { inner });
        Ok(Spot { mount, path })
    }

    fn leads_to_mount(&self, path: &str) -> bool {
        self.mounts.borrow().iter().any(|mount| is_below(&mount.prefix, path))
    }

    /// The path without links, `.` and `..`, empty for the root; a final slash stays, the last
    /// component may be missing.
    pub(super) async fn walk(&self, path: &str, follow: Follow) -> IoResult<String> {
        check_length(path)?;
        let mut pending = Vec::new();
        push_steps(&mut pending, path, 0);
        let slash = path.ends_with('/') || path.ends_with("/.");
        let (mut at, mut hops) = (String::new(), 0);
        while let Some(step) = pending.pop() {
            if step.name == ".." {
                climb(&mut at, step.floor);
                continue;
            }
            let before = at.len();
            push(&mut at, &step.name);
            if self.leads_to_mount(&at) {
                continue;
            }
            let last = pending.is_empty();
            let spot = self.locate(&at)?;
            let metadata = match spot.mount.fs.lstat(&spot.path).await {
                Err(error) if error.errno == Errno::NotFound && last => break,
                other => other.map_err(|error| error.errno)?,
            };
            if metadata.is_symlink() && (!last || slash || follow == Follow::Final) {
                hops += 1;
                if hops > MAX_SYMLINK_HOPS {
                    return Err(Errno::SymlinkLoop);
                }
                let target = spot.mount.fs.read_link(&spot.path).await;
                let target = target.map_err(|error| error.errno)?;
                let floor = spot.mount.prefix.len();
                at.truncate(if target.as_str().starts_with('/') { floor } else { before });
                push_steps(&mut pending, target.as_str(), floor);
            } else if !metadata.is_dir() && (!last || slash) {
                return Err(Errno::NotDirectory);
            }
        }
        if slash && !at.is_empty() {
            at.push('/');
        }
        Ok(at)
    }

    /// The names of mounts, or of directories that lead to them, directly below a path.
    pub(super) fn mounts_below(&self, path: &str) -> Vec<String> {
        let mounts = self.mounts.borrow();
        let mut names: Vec<String> = mounts
            .iter()
            .filter_map(|mount| mount.prefix.strip_prefix(path)?.strip_prefix('/'))
            .filter_map(|rest| rest.split('/').next())
            .map(str::to_owned)
            .collect();
        names.order_by(Ord::cmp);
        names.dedup();
        names
    }

    /// An absolute link target as a path relative to the link's directory, on the same mount.
    pub(super) async fn relative_target(
        &self,
        target: &Path,
        link: &Path,
        spot: &Spot,
    ) -> IoResult<PathBuf> {
        check_length(target.as_str())?;
        let target = folded(target.as_str());
        if self.locate(&target)?.mount.device != spot.mount.device {
            return Err(Errno::CrossDevice);
        }
        let mut dir = self.walk(link.as_str(), Follow::Not).await?;
        climb(&mut dir, 0);
        let names = |path: &str| -> Vec<String> {
            path.split('/').filter(|name| !name.is_empty()).map(str::to_owned).collect()
        };
        let (from, to) = (names(&dir), names(&target));
        let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
        let up = from.iter().skip(shared).map(|_| "..");
        let down = to.iter().skip(shared).map(String::as_str);
        let relative = up.chain(down).collect::<Vec<_>>().join("/");
        Ok(PathBuf::from(if relative.is_empty() { "." } else { &relative }))
    }
}

fn push_steps(pending: &mut Vec<Step>, path: &str, floor: usize) {
    let names = path.split('/').filter(|name| !matches!(*name, "" | "."));
    pending.extend(names.rev().map(|name| Step { name: name.to_owned(), floor }));
}
