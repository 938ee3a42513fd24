//! A file's patch in; the file it is for, its content, and the result written in one step, out.

use std::rc::Rc;

use super::Options;
use super::names::Name;
use super::parse::FilePatch;
use crate::io::Errno;
use crate::tool::{ExecContext, Stop};
use crate::vfs::{Path, WriteMode};

/// The file a patch is for.
pub(super) struct Target {
    pub(super) name: String,
    /// Its content; `None` where it is not there yet.
    pub(super) content: Option<Vec<u8>>,
    pub(super) mode: Option<u32>,
    /// Whether it is something that no patch is applied to.
    pub(super) is_refused: bool,
}

impl Target {
    fn absent(name: &str) -> Self {
        Self { name: name.into(), content: None, mode: None, is_refused: false }
    }
}

/// Finds the file a patch is for; `None` where its names lead to none.
pub(super) async fn find(
    cx: &mut ExecContext,
    options: &Options,
    patch: &FilePatch,
) -> Result<Option<Target>, Stop> {
    if let Some(name) = &options.file {
        return open(cx, name).await.map(Some);
    }
    let stripped = |name: &Option<Name>| name.as_ref()?.stripped(options.strip);
    let mut names: Vec<String> =
        [&patch.old, &patch.new].into_iter().filter_map(stripped).collect();
    if patch.old.is_none() && patch.new.is_none() {
        names.extend(stripped(&patch.index));
    }
    let mut existing = Vec::new();
    for name in &names {
        let path = cx.resolve(name);
        if Rc::clone(cx.backend()).stat(&path).await.is_ok() && is_inside(cx, name).await {
            existing.push(name.clone());
        }
    }
    let renames = patch.git.as_ref().is_some_and(|git| git.renames || git.copies);
    if renames && let Some(old) = stripped(&patch.old).filter(|old| existing.contains(old)) {
        return open(cx, &old).await.map(Some);
    }
    if let Some(name) = simplest(&existing) {
        return open(cx, name).await.map(Some);
    }
    let (old, new) = (&patch.old, &patch.new);
    let source = if options.reverse { new } else { old };
    let creates =
        source.as_ref().is_some_and(|name| name.is_nowhere) || patch.creates(options.reverse);
    match simplest(&names).filter(|_| creates) {
        Some(name) if is_inside(cx, name).await => Ok(Some(Target::absent(name))),
        _ => Ok(None),
    }
}

/// The name with the fewest directories, then the shortest.
fn simplest(names: &[String]) -> Option<&String> {
    names.iter().min_by_key(|name| {
        let base = name.rsplit('/').next().map_or(0, str::len);
        (name.split('/').count(), base, name.len())
    })
}

/// Whether the directory of a name, all links followed, is below the working directory.
async fn is_inside(cx: &ExecContext, name: &str) -> bool {
    let backend = Rc::clone(cx.backend());
    let Ok(root) = backend.canonicalize(&cx.resolve("."), false).await else { return false };
    let path = cx.resolve(name);
    // Directories that are not there yet will be made where the name says.
    for above in path.ancestors().skip(1) {
        if let Ok(real) = backend.canonicalize(above, false).await {
            return real.starts_with(&root);
        }
    }
    false
}

async fn open(cx: &mut ExecContext, name: &str) -> Result<Target, Stop> {
    let path = cx.resolve(name);
    let backend = Rc::clone(cx.backend());
    let metadata = match backend.lstat(&path).await {
        Ok(metadata) => metadata,
        Err(error) if error.errno() == Errno::NotFound => {
            return Ok(Target::absent(name));
        }
        Err(error) => return Err(super::fatal(cx, &format!("{name}: {}", error.errno()))),
    };
    if !metadata.is_file() {
        return Ok(Target { is_refused: true, content: Some(Vec::new()), ..Target::absent(name) });
    }
    match backend.read(&path, None).await {
        Ok(content) => {
            let (content, mode) = (Some(content), Some(metadata.mode));
            Ok(Target { content, mode, ..Target::absent(name) })
        }
        Err(error) => Err(super::fatal(cx, &format!("Can't open file {name} : {}", error.errno()))),
    }
}

/// Replaces a file in one step, with the directories it needs.
pub(super) async fn write(
    cx: &mut ExecContext,
    name: &str,
    content: &[u8],
    mode: Option<u32>,
) -> Result<(), Stop> {
    let path = cx.resolve(name);
    let backend = Rc::clone(cx.backend());
    let result = async {
        make_parents(cx, &path).await?;
        backend.write(&path, content, WriteMode::Truncate).await.map_err(|error| error.errno())?;
        if let Some(mode) = mode {
            backend.set_mode(&path, mode & 0o777).await.map_err(|error| error.errno())?;
        }
        Ok::<(), Errno>(())
    };
    let result = result.await;
    result.map_err(|errno| super::fatal(cx, &format!("Can't create file {name} : {errno}")))
}

async fn make_parents(cx: &ExecContext, path: &Path) -> Result<(), Errno> {
    let backend = Rc::clone(cx.backend());
    let mut missing = Vec::new();
    for above in path.ancestors().skip(1) {
        if backend.exists(above).await {
            break;
        }
        missing.push(above);
    }
    for directory in missing.into_iter().rev() {
        backend.mkdir(directory).await.map_err(|error| error.errno())?;
    }
    Ok(())
}

/// Removes a file and the directories that it leaves empty.
pub(super) async fn remove(cx: &mut ExecContext, name: &str) -> Result<(), Stop> {
    let backend = Rc::clone(cx.backend());
    let removed = backend.remove(&cx.resolve(name), false).await;
    if let Err(error) = removed
        && error.errno() != Errno::NotFound
    {
        return Err(super::fatal(cx, &format!("Can't remove file {name} : {}", error.errno())));
    }
    let mut above = name.rsplit_once('/').map(|(above, _)| above);
    while let Some(directory) = above {
        // One that still holds something is not removed, and ends this.
        let path = cx.resolve(directory);
        let is_empty = backend.list(&path).await.is_ok_and(|entries| entries.is_empty());
        if !is_empty || backend.remove(&path, false).await.is_err() {
            break;
        }
        above = directory.rsplit_once('/').map(|(above, _)| above);
    }
    Ok(())
}
