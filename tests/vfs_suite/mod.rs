//! One list of behaviours that every filesystem must show, run natively and in browsers.
//!
//! A case gets a filesystem and an empty directory of its own and answers what went wrong. It
//! panics nowhere, so that a driver in a browser can report it.

mod content;
mod entries;
mod errors;
mod links;
mod scale;

use std::hash::Hasher;
use std::rc::Rc;

use futures::future::LocalBoxFuture;
use tabsh::io::{Errno, File};
use tabsh::vfs::{Capabilities, Filesystem, FsResult, OpenOptions, Path, PathBuf, WriteMode};

/// What a case answers: nothing, or what went wrong.
pub(crate) type Verdict = Result<(), String>;

/// One behaviour.
#[derive(Clone, Copy)]
pub(crate) struct Case {
    /// Its name.
    pub(crate) name: &'static str,
    /// Whether it applies to a filesystem of these abilities.
    pub(crate) needs: fn(Capabilities) -> bool,
    /// The case.
    pub(crate) run: for<'a> fn(&'a Subject) -> LocalBoxFuture<'a, Verdict>,
}

/// A filesystem under test and a directory in it.
pub(crate) struct Subject {
    pub(crate) fs: Rc<dyn Filesystem>,
    pub(crate) dir: PathBuf,
}

macro_rules! cases {
    ($needs:expr; $($name:ident),* $(,)?) => {
        pub(super) fn all() -> Vec<super::Case> {
            vec![$(super::Case {
                name: concat!(module_path!(), "::", stringify!($name)),
                needs: $needs,
                run: |subject| Box::pin($name(subject)),
            }),*]
        }
    };
}

macro_rules! same {
    ($found:expr, $expected:expr) => {
        match (&$found, &$expected) {
            (found, expected) if *found == *expected => {}
            (found, expected) => {
                return Err(format!(
                    "line {}: {} is {found:?}, expected {expected:?}",
                    line!(),
                    stringify!($found)
                ));
            }
        }
    };
}

pub(crate) use {cases, same};

/// All cases.
pub(crate) fn all() -> Vec<Case> {
    [content::all(), entries::all(), errors::all(), links::all(), scale::all()].concat()
}

fn told<T>(what: &str, result: FsResult<T>) -> Result<T, String> {
    result.map_err(|error| format!("{what}: {error}"))
}

impl Subject {
    fn path(&self, path: &str) -> PathBuf {
        PathBuf::from(format!("{}/{path}", self.dir))
    }

    async fn put(&self, path: &str, content: &[u8]) -> Verdict {
        told(path, self.fs.write(&self.path(path), content, WriteMode::Overwrite).await)
    }

    async fn get(&self, path: &str) -> Result<Vec<u8>, String> {
        told(path, self.fs.read(&self.path(path)).await)
    }

    async fn text(&self, path: &str) -> Result<String, String> {
        Ok(String::from_utf8_lossy(&self.get(path).await?).into_owned())
    }

    async fn mkdir(&self, path: &str) -> Verdict {
        told(path, self.fs.mkdir(&self.path(path)).await)
    }

    async fn symlink(&self, target: &str, link: &str) -> Verdict {
        told(link, self.fs.symlink(Path::new(target), &self.path(link)).await)
    }

    async fn rename(&self, from: &str, to: &str) -> Verdict {
        told(from, self.fs.rename(&self.path(from), &self.path(to)).await)
    }

    async fn remove(&self, path: &str, recursive: bool) -> Verdict {
        told(path, self.fs.remove(&self.path(path), recursive).await)
    }

    async fn open(&self, path: &str, options: OpenOptions) -> Result<Rc<dyn File>, String> {
        told(path, self.fs.open(&self.path(path), options).await)
    }

    async fn names(&self, path: &str) -> Result<Vec<String>, String> {
        let entries = told(path, self.fs.list(&self.path(path)).await)?;
        Ok(entries.iter().map(|entry| entry.name.to_string()).collect())
    }

    /// The error number of a failure, which there must be.
    async fn fails<T>(&self, result: impl Future<Output = FsResult<T>>) -> Result<Errno, String> {
        match result.await {
            Ok(_) => Err("it should have failed".into()),
            Err(error) => Ok(error.errno),
        }
    }
}

/// Everything below a directory, a line per entry, for comparing before and after.
pub(crate) async fn dump(fs: &dyn Filesystem, top: &Path) -> Result<Vec<String>, String> {
    let (mut lines, mut pending) = (Vec::new(), vec![top.to_path_buf()]);
    while let Some(dir) = pending.pop() {
        for entry in told(dir.as_str(), fs.list(&dir).await)? {
            let path = dir.join(entry.name.as_str());
            let metadata = &entry.metadata;
            let content = if metadata.is_dir() {
                pending.push(path.clone());
                String::new()
            } else if metadata.is_symlink() {
                told(path.as_str(), fs.read_link(&path).await)?.to_string()
            } else if metadata.mode & 0o400 == 0 || metadata.len > 256 << 20 {
                "not read".into()
            } else {
                let content = told(path.as_str(), fs.read(&path).await)?;
                let mut hasher = std::hash::DefaultHasher::new();
                hasher.write(&content);
                format!("{} bytes, hash {}", content.len(), hasher.finish())
            };
            lines.push(format!(
                "{path} {:?} {:o} {} links {} {:?} {content}",
                metadata.kind, metadata.mode, metadata.len, metadata.links, metadata.modified,
            ));
        }
    }
    lines.sort_unstable();
    Ok(lines)
}
