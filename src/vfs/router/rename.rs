//! Moving across mounts: copy beside the target, verify, take the target's place, remove.

use super::Spot;
use crate::io::Errno;
use crate::vfs::{
    FileKind, Filesystem, FsError, FsOp, FsResult, Metadata, OpenOptions, PathBuf, WriteMode,
};

const SLICE: usize = 256 * 1024;

/// Moves an entry to another mount; where copying fails, nothing has changed.
pub(super) async fn across(from: &Spot, to: &Spot) -> FsResult<()> {
    let refuse = |errno| Err(FsError::new(errno, FsOp::Rename, &from.path));
    let (source, target) = (&*from.mount.fs, &*to.mount.fs);
    if source.read_only() || target.read_only() {
        return refuse(Errno::ReadOnly);
    }
    let metadata = source.lstat(&from.path).await?;
    let old = target.lstat(&to.path).await;
    if let Ok(old) = &old {
        match (metadata.is_dir(), old.is_dir()) {
            (false, true) => return refuse(Errno::IsDirectory),
            (true, false) => return refuse(Errno::NotDirectory),
            (true, true) if !target.list(&to.path).await?.is_empty() => {
                return refuse(Errno::DirectoryNotEmpty);
            }
            _ => {}
        }
    }
    let Some(beside) = free_name_beside(to).await else { return refuse(Errno::NotFound) };
    let copied = copy_tree(source, from.path.clone(), target, beside.clone()).await;
    let placed = match copied {
        Ok(()) => target.rename(&beside, &to.path).await,
        Err(error) => Err(error),
    };
    if placed.is_err() {
        discard(target, beside).await;
        return placed;
    }
    let removed = source.remove(&from.path, true).await;
    if removed.is_err() && old.is_err() {
        // A directory that may not be emptied stays where it was, and only there.
        discard(target, to.path.clone()).await;
    }
    removed
}

/// Removes a copy that is not wanted, its read-only directories too; the first error is the one to
/// tell, so there is none here.
async fn discard(fs: &dyn Filesystem, top: PathBuf) {
    let mut pending = Vec::new();
    if fs.lstat(&top).await.is_ok_and(|metadata| metadata.is_dir()) {
        pending.push(top.clone());
    }
    while let Some(dir) = pending.pop() {
        let Ok(entries) = fs.list(&dir).await else { continue };
        let _ = fs.set_mode(&dir, 0o700).await;
        let dirs = entries.iter().filter(|entry| entry.metadata.is_dir());
        pending.extend(dirs.map(|entry| dir.join(entry.name.as_str())));
    }
    let _ = fs.remove(&top, true).await;
}

async fn free_name_beside(to: &Spot) -> Option<PathBuf> {
    let dir = to.path.parent()?.to_path_buf();
    for number in 0..1000 {
        let path = dir.join(format!(".moving-{number}"));
        match to.mount.fs.lstat(&path).await {
            Ok(_) => {}
            Err(error) if error.errno == Errno::NotFound => return Some(path),
            Err(_) => return None,
        }
    }
    None
}

async fn copy_tree(
    source: &dyn Filesystem,
    from: PathBuf,
    target: &dyn Filesystem,
    to: PathBuf,
) -> FsResult<()> {
    let mut pending = vec![(from, to)];
    let mut done = Vec::new();
    while let Some((from, to)) = pending.pop() {
        let metadata = source.lstat(&from).await?;
        match metadata.kind {
            FileKind::File => copy_file(source, &from, target, &to).await?,
            FileKind::Symlink => {
                let link = source.read_link(&from).await?;
                target.symlink(&link, &to).await?;
                continue;
            }
            FileKind::Device => {
                return Err(FsError::new(Errno::NotSupported, FsOp::Rename, &from));
            }
            FileKind::Directory => {
                target.mkdir(&to).await?;
                for entry in source.list(&from).await? {
                    let name = entry.name.as_str();
                    pending.push((from.join(name), to.join(name)));
                }
            }
        }
        done.push((to, metadata));
    }
    // Innermost first: filling a directory changes its time and needs its mode.
    for (path, metadata) in done.iter().rev() {
        keep_attributes(target, path, metadata).await?;
    }
    Ok(())
}

async fn keep_attributes(fs: &dyn Filesystem, path: &PathBuf, metadata: &Metadata) -> FsResult<()> {
    let able = fs.capabilities();
    if able.times {
        fs.set_mtime(path, metadata.modified).await?;
    }
    if able.modes {
        fs.set_mode(path, metadata.mode).await?;
    }
    Ok(())
}

/// Copies the content of one file to another mount.
pub(super) async fn copy_content(from: &Spot, to: &Spot) -> FsResult<()> {
    copy_file(&*from.mount.fs, &from.path, &*to.mount.fs, &to.path).await
}

async fn copy_file(
    source: &dyn Filesystem,
    from: &PathBuf,
    target: &dyn Filesystem,
    to: &PathBuf,
) -> FsResult<()> {
    let len = source.stat(from).await?.len;
    if len <= SLICE as u64 {
        let content = source.read(from).await?;
        target.write(to, &content, WriteMode::Overwrite).await?;
        let same = target.read(to).await? == content;
        return if same { Ok(()) } else { Err(FsError::new(Errno::Io, FsOp::Write, to)) };
    }
    let reader = source.open(from, OpenOptions::READ).await?;
    let writer = target.open(to, OpenOptions { read: true, ..OpenOptions::WRITE }).await?;
    let copied = async {
        let mut offset = 0;
        loop {
            let slice = reader.read_at(offset, SLICE).await?;
            if slice.is_empty() {
                break;
            }
            writer.write_at(offset, &slice).await?;
            offset += slice.len() as u64;
        }
        let mut verified = 0;
        while verified < offset {
            let slice = reader.read_at(verified, SLICE).await?;
            if slice.is_empty() || slice != writer.read_at(verified, SLICE).await? {
                return Err(Errno::Io);
            }
            verified += slice.len() as u64;
        }
        writer.close().await
    };
    copied.await.map_err(FsError::at(FsOp::Write, to))
}
