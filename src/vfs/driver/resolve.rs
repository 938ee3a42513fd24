//! From any path to the plain path a driver understands, asking it as little as can be.

use std::hash::BuildHasher;

use rustc_hash::FxBuildHasher;

use super::Inner;
use crate::io::{Errno, IoResult};
use crate::vfs::router::is_tidy;
use crate::vfs::tree::Follow;
use crate::vfs::{MAX_NAME, MAX_PATH, MAX_SYMLINK_HOPS, Metadata, Path};

/// What a path names.
pub(super) struct Place {
    /// The plain path.
    pub(super) path: String,
    /// What is there; `None` where only the last component is missing.
    pub(super) metadata: Option<Metadata>,
    /// Whether only a directory will do.
    pub(super) slash: bool,
}

impl Place {
    /// What is there, or `NotFound`.
    pub(super) fn found(self) -> IoResult<(String, Metadata)> {
        let metadata = self.metadata.ok_or(Errno::NotFound)?;
        Ok((self.path, metadata))
    }
}

/// The directory of a plain path.
pub(super) fn above(path: &str) -> &str {
    match path.rfind('/') {
        None | Some(0) => "/",
        Some(at) => path.get(..at).unwrap_or("/"),
    }
}

/// A plain path and a name below it.
pub(super) fn join(dir: &str, name: &str) -> String {
    format!("{}/{name}", if dir == "/" { "" } else { dir })
}

fn check(path: &str) -> IoResult<()> {
    let too_long = |name: &str| name.len() > MAX_NAME;
    match path.len() {
        0 => Err(Errno::NotFound),
        length if length > MAX_PATH || path.split('/').any(too_long) => Err(Errno::NameTooLong),
        _ if path.contains('\0') => Err(Errno::Invalid),
        _ => Ok(()),
    }
}

impl Inner {
    /// What the entry at a plain path is, a file open for writing as its writers left it.
    pub(super) async fn stat(&self, path: &str) -> IoResult<Metadata> {
        let mut metadata = self.ask(self.driver.stat(path)).await?;
        self.complete(path, &mut metadata);
        Ok(metadata)
    }

    /// Adds to what a driver knows of an entry what only this side does.
    pub(super) fn complete(&self, path: &str, metadata: &mut Metadata) {
        if let Some(buffer) = self.buffer(path) {
            buffer.describe(metadata);
        }
        if metadata.inode == 0 {
            // A driver without numbers of its own: a path is a file.
            metadata.inode = FxBuildHasher.hash_one(path) | 1;
        }
    }

    /// The place that `path` names; every component before the last must exist.
    pub(super) async fn resolve(&self, path: &Path, follow: Follow) -> IoResult<Place> {
        let text = path.as_str();
        check(text)?;
        let slash = text.ends_with('/') || text.ends_with("/.");
        if is_tidy(text) {
            let plain = text.strip_suffix('/').filter(|rest| !rest.is_empty()).unwrap_or(text);
            match self.stat(plain).await {
                Ok(found) if found.is_symlink() && (slash || follow == Follow::Final) => {}
                Ok(found) if slash && !found.is_dir() => return Err(Errno::NotDirectory),
                Ok(found) => {
                    return Ok(Place { path: plain.to_owned(), metadata: Some(found), slash });
                }
                Err(Errno::NotFound | Errno::NotDirectory) => {}
                Err(errno) => return Err(errno),
            }
            let dir = above(plain);
            // Where the directory is at its own place, only the last component is left to walk.
            if dir != "/" && self.stat(dir).await.is_ok_and(|found| found.is_dir()) {
                let name = plain.get(dir.len()..).unwrap_or_default();
                return self.walk(dir.to_owned(), (name, slash), follow).await;
            }
        }
        self.walk("/".to_owned(), (text, slash), follow).await
    }

    /// Walks a path from a directory that is known to be one.
    async fn walk(
        &self,
        mut at: String,
        (path, slash): (&str, bool),
        follow: Follow,
    ) -> IoResult<Place> {
        let names = |path: &str| -> Vec<String> {
            let names = path.split('/').filter(|name| !matches!(*name, "" | "."));
            names.rev().map(str::to_owned).collect()
        };
        let (mut pending, mut hops, mut known) = (names(path), 0, None);
        while let Some(name) = pending.pop() {
            known = None;
            if name == ".." {
                at.truncate(above(&at).len());
                continue;
            }
            let last = pending.is_empty();
            let next = join(&at, &name);
            let metadata = match self.stat(&next).await {
                Err(Errno::NotFound) if last => {
                    return Ok(Place { path: next, metadata: None, slash });
                }
                other => other?,
            };
            if metadata.is_symlink() && (!last || slash || follow == Follow::Final) {
                hops += 1;
                if hops > MAX_SYMLINK_HOPS {
                    return Err(Errno::SymlinkLoop);
                }
                let target = self.ask(self.driver.read_link(&next)).await?;
                check(&target)?;
                if target.starts_with('/') {
                    "/".clone_into(&mut at);
                }
                pending.extend(names(&target));
                continue;
            }
            if !metadata.is_dir() && (!last || slash) {
                return Err(Errno::NotDirectory);
            }
            at = next;
            known = Some(metadata);
        }
        let metadata = match known {
            Some(metadata) => metadata,
            None => self.stat(&at).await?,
        };
        Ok(Place { path: at, metadata: Some(metadata), slash })
    }
}
