//! Copying one operand: a file, a link, or a tree entry by entry.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::overwrite::{self, Verdict};
use super::plan::{Follow, Make, Plan};
use crate::builtins::common::quoted;
use crate::builtins::common::targets::{Pair, below_directory};
use crate::builtins::dirname::parent_of;
use crate::io::{Errno, OpenFile, Stream};
use crate::tool::{BackendError, ExecContext, Stop};
use crate::value::EcoString;
use crate::vfs::{FileKind, Metadata, OpenOptions, Path};

/// Permission bits that new files don't get from their source unless asked.
const MASK: u32 = 0o022;

/// Copies operands one after the other.
pub(super) struct Copier {
    plan: Plan,
    /// Files of several names, and the copy of each.
    links: BTreeMap<(u64, u64), EcoString>,
}

/// What is left to do, last first.
enum Step {
    /// Copy this to there; whether it is an operand.
    Copy { from: EcoString, to: EcoString, is_operand: bool },
    /// The directory is filled: set what filling it changed.
    Finish { to: EcoString, metadata: Metadata, is_new: bool },
}

/// What became of one entry.
enum Done {
    Failed,
    /// Copied, or left alone as asked.
    Fine,
    /// A directory is there to be filled.
    Entered {
        metadata: Metadata,
        is_new: bool,
    },
}

impl Copier {
    pub(super) fn new(plan: Plan) -> Self {
        Self { plan, links: BTreeMap::new() }
    }

    /// Copies one operand; `false` where something was reported to fail.
    pub(super) async fn copy(&mut self, cx: &mut ExecContext, pair: &Pair) -> Result<bool, Stop> {
        if self.plan.parents && !self.make_parents(cx, pair).await? {
            return Ok(false);
        }
        let mut ok = true;
        let (from, to) = (pair.from.clone(), pair.to.clone());
        let mut steps = vec![Step::Copy { from, to, is_operand: true }];
        let mut root = None;
        while let Some(step) = steps.pop() {
            cx.checkpoint(40).await?;
            let (from, to, is_operand) = match step {
                Step::Finish { to, metadata, is_new } => {
                    ok &= self.finish(cx, &to, &metadata, is_new).await?;
                    continue;
                }
                Step::Copy { from, to, is_operand } => (from, to, is_operand),
            };
            let (metadata, is_new) = match self.entry(cx, &from, &to, is_operand).await? {
                Done::Failed => {
                    ok = false;
                    continue;
                }
                Done::Fine => continue,
                Done::Entered { metadata, is_new } => (metadata, is_new),
            };
            let entries = match Rc::clone(cx.backend()).list(&cx.resolve(&from)).await {
                Ok(entries) => entries,
                Err(error) => {
                    let errno = error.errno();
                    cx.complain(format_args!("cannot access {}: {errno}", quoted(&from))).await?;
                    ok = false;
                    continue;
                }
            };
            let device = *root.get_or_insert(metadata.device);
            steps.push(Step::Finish { to: to.clone(), metadata, is_new });
            for entry in entries.into_iter().rev() {
                if self.plan.one_mount && entry.metadata.device != device {
                    continue;
                }
                let from = below_directory(&from, &entry.name);
                let to = below_directory(&to, &entry.name);
                steps.push(Step::Copy { from, to, is_operand: false });
            }
        }
        Ok(ok)
    }

    /// Copies one entry, without what a directory holds.
    async fn entry(
        &mut self,
        cx: &mut ExecContext,
        from: &EcoString,
        to: &EcoString,
        is_operand: bool,
    ) -> Result<Done, Stop> {
        let (source, target) = (cx.resolve(from), cx.resolve(to));
        let fs = Rc::clone(cx.backend());
        let follow = match self.plan.follow {
            Follow::Always => true,
            Follow::Operands => is_operand,
            Follow::Never => false,
        };
        let found = if follow { fs.stat(&source).await } else { fs.lstat(&source).await };
        let metadata = match found {
            Ok(metadata) => metadata,
            Err(error) => return failed(cx, "cannot stat", from, error.errno()).await,
        };
        if metadata.is_dir() && !self.plan.recursive {
            let name = quoted(from);
            cx.complain(format_args!("-r not specified; omitting directory {name}")).await?;
            return Ok(Done::Failed);
        }
        let there = match fs.lstat(&target).await {
            Ok(there) => Some(there),
            Err(error) if error.errno() == Errno::NotFound => None,
            Err(error) => return failed(cx, "failed to access", to, error.errno()).await,
        };
        if metadata.is_dir() {
            return self.directory(cx, (from, to), metadata, there).await;
        }
        let mut kept = None;
        if let Some(there) = there {
            match overwrite::decide(cx, &self.plan, (from, to), (&metadata, &there)).await? {
                Verdict::Go(backup) => kept = backup,
                Verdict::LeftAlone => return Ok(Done::Fine),
                Verdict::Refused(message) => {
                    cx.complain(message).await?;
                    return Ok(Done::Failed);
                }
            }
        }
        self.make(cx, (from, to), &metadata, kept).await
    }

    /// Makes the directory; `there` is what is in its place.
    async fn directory(
        &self,
        cx: &mut ExecContext,
        (from, to): (&EcoString, &EcoString),
        metadata: Metadata,
        there: Option<Metadata>,
    ) -> Result<Done, Stop> {
        let fs = Rc::clone(cx.backend());
        let target = cx.resolve(to);
        if is_inside(cx, from, to).await {
            let (from, to) = (quoted(from), quoted(to));
            cx.complain(format_args!("cannot copy a directory, {from}, into itself, {to}")).await?;
            return Ok(Done::Failed);
        }
        let is_new = there.is_none();
        if there.is_some() {
            let leads_to_directory = fs.stat(&target).await.is_ok_and(|there| there.is_dir());
            if !leads_to_directory {
                let (from, to) = (quoted(from), quoted(to));
                let message = format!("cannot overwrite non-directory {to} with directory {from}");
                cx.complain(message).await?;
                return Ok(Done::Failed);
            }
        } else if let Err(error) = fs.mkdir(&target).await {
            return failed(cx, "cannot create directory", to, error.errno()).await;
        }
        self.say(cx, from, to, None).await?;
        Ok(Done::Entered { metadata, is_new })
    }

    /// Makes the copy or link of something that is no directory.
    async fn make(
        &mut self,
        cx: &mut ExecContext,
        (from, to): (&EcoString, &EcoString),
        metadata: &Metadata,
        kept: Option<EcoString>,
    ) -> Result<Done, Stop> {
        let fs = Rc::clone(cx.backend());
        let (source, target) = (cx.resolve(from), cx.resolve(to));
        let file = (metadata.device, metadata.inode);
        let former = if self.plan.keep.links && metadata.links > 1 {
            self.links.get(&file).cloned()
        } else {
            None
        };
        let result = if let Some(former) = former {
            fs.hard_link(&cx.resolve(&former), &target).await
        } else {
            match (self.plan.make, metadata.kind) {
                (Make::HardLink, _) => fs.hard_link(&source, &target).await,
                (Make::Symlink, _) => {
                    if !from.starts_with('/') && parent_of(to) != "." {
                        let reason = "can make relative symbolic links only in current directory";
                        cx.complain(format_args!("{to}: {reason}")).await?;
                        return Ok(Done::Failed);
                    }
                    fs.symlink(Path::new(from), &target).await
                }
                (_, FileKind::Symlink) => match fs.read_link(&source).await {
                    Ok(text) => fs.symlink(&text, &target).await,
                    Err(error) => Err(error),
                },
                (Make::Attributes, _) => touch(cx, &target).await,
                (Make::Copy, FileKind::Device) => return self.stream(cx, from, to).await,
                (Make::Copy, _) => self.content(cx, &source, &target, metadata).await,
            }
        };
        match result {
            Ok(()) => {
                self.links.insert(file, to.clone());
                self.say(cx, from, to, kept.as_deref()).await?;
                if self.plan.make == Make::HardLink || metadata.is_symlink() {
                    return Ok(Done::Fine);
                }
                let kept = self.keep_attributes(cx, to, metadata).await?;
                Ok(if kept { Done::Fine } else { Done::Failed })
            }
            Err(error) => {
                let what = if metadata.is_symlink() {
                    format!("cannot create symbolic link {}", quoted(to))
                } else {
                    overwrite::failure(&self.plan, from, to)
                };
                let mut errno = error.errno();
                if to.ends_with('/') && errno == Errno::IsDirectory {
                    errno = Errno::NotDirectory;
                }
                cx.complain(format_args!("{what}: {errno}")).await?;
                Ok(Done::Failed)
            }
        }
    }

    /// Copies a file's content in one step; a new file gets the mode of its source.
    async fn content(
        &self,
        cx: &mut ExecContext,
        source: &Path,
        target: &Path,
        metadata: &Metadata,
    ) -> Result<(), BackendError> {
        let fs = Rc::clone(cx.backend());
        let is_new = fs.stat(target).await.is_err();
        let mut result = fs.copy(source, target).await;
        if result.is_err() && self.plan.force && !is_new && fs.remove(target, false).await.is_ok() {
            result = fs.copy(source, target).await;
        }
        result?;
        let mode = metadata.mode & 0o777 & !MASK;
        if is_new && mode != 0o644 {
            fs.set_mode(target, mode).await?;
        }
        Ok(())
    }

    /// Copies what a device gives until it ends.
    async fn stream(
        &self,
        cx: &mut ExecContext,
        from: &EcoString,
        to: &EcoString,
    ) -> Result<Done, Stop> {
        if self.plan.recursive {
            let name = quoted(to);
            let errno = Errno::NotSupported;
            cx.complain(format_args!("cannot create special file {name}: {errno}")).await?;
            return Ok(Done::Failed);
        }
        let fs = Rc::clone(cx.backend());
        let input = match fs.open_read(&cx.resolve(from)).await {
            Ok(input) => input,
            Err(error) => return failed(cx, "cannot open", from, error.errno()).await,
        };
        let file = match fs.open(&cx.resolve(to), OpenOptions::WRITE).await {
            Ok(file) => file,
            Err(error) => {
                return failed(cx, "cannot create regular file", to, error.errno()).await;
            }
        };
        let output = Stream::File(Rc::new(OpenFile::new(Rc::clone(&file), false)));
        loop {
            let chunk = cx.read_chunk(&input).await?;
            if chunk.is_empty() {
                break;
            }
            if let Err(errno) = output.write_all(&chunk).await {
                return failed(cx, "error writing", to, errno).await;
            }
        }
        if let Err(errno) = file.close().await {
            return failed(cx, "error writing", to, errno).await;
        }
        self.say(cx, from, to, None).await?;
        Ok(Done::Fine)
    }

    /// Sets what is kept of the source's attributes.
    async fn keep_attributes(
        &self,
        cx: &mut ExecContext,
        to: &EcoString,
        metadata: &Metadata,
    ) -> Result<bool, Stop> {
        let fs = Rc::clone(cx.backend());
        let target = cx.resolve(to);
        let mut result = Ok(());
        if self.plan.keep.mode {
            result = fs.set_mode(&target, metadata.mode).await;
        }
        if self.plan.keep.times && result.is_ok() {
            result = fs.set_mtime(&target, metadata.modified).await;
        }
        if let Err(error) = result {
            // A mount that keeps no modes or times is no reason to fail.
            if error.errno() != Errno::NotSupported {
                let (name, errno) = (quoted(to), error.errno());
                cx.complain(format_args!("preserving attributes of {name}: {errno}")).await?;
                return Ok(false);
            }
        }
        Ok(true)
    }

    async fn finish(
        &self,
        cx: &mut ExecContext,
        to: &EcoString,
        metadata: &Metadata,
        is_new: bool,
    ) -> Result<bool, Stop> {
        let mode = metadata.mode & 0o777 & !MASK;
        if is_new && !self.plan.keep.mode && mode != 0o755 {
            let path = cx.resolve(to);
            // As above: what the mount can't keep is lost without complaint.
            let _ = Rc::clone(cx.backend()).set_mode(&path, mode).await;
        }
        self.keep_attributes(cx, to, metadata).await
    }

    /// Makes the directories of `--parents`.
    async fn make_parents(&self, cx: &mut ExecContext, pair: &Pair) -> Result<bool, Stop> {
        let below = pair.from.trim_matches('/');
        let base = pair.to.len() - below.len();
        for (at, _) in below.match_indices('/') {
            let to = pair.to.get(..base + at).unwrap_or_default();
            let lead = pair.from.len() - pair.from.trim_start_matches('/').len();
            let from = pair.from.get(..lead + at).unwrap_or_default();
            let fs = Rc::clone(cx.backend());
            let metadata = match fs.stat(&cx.resolve(from)).await {
                Ok(metadata) => metadata,
                Err(error) => {
                    failed(cx, "failed to get attributes of", from, error.errno()).await?;
                    return Ok(false);
                }
            };
            let target = cx.resolve(to);
            if fs.stat(&target).await.is_ok_and(|there| there.is_dir()) {
                continue;
            }
            if let Err(error) = fs.mkdir(&target).await {
                failed(cx, "cannot make directory", to, error.errno()).await?;
                return Ok(false);
            }
            if self.plan.verbose {
                cx.write_line(format!("{from} -> {to}").as_bytes()).await?;
            }
            self.finish(cx, &to.into(), &metadata, true).await?;
        }
        Ok(true)
    }

    async fn say(
        &self,
        cx: &mut ExecContext,
        from: &str,
        to: &str,
        kept: Option<&str>,
    ) -> Result<(), Stop> {
        if !self.plan.verbose {
            return Ok(());
        }
        let backup = kept.map(|kept| format!(" (backup: {})", quoted(kept))).unwrap_or_default();
        cx.write_line(format!("{} -> {}{backup}", quoted(from), quoted(to)).as_bytes()).await
    }
}

/// Creates a file without content where there is none.
async fn touch(cx: &ExecContext, path: &Path) -> Result<(), BackendError> {
    let options = OpenOptions { truncate: false, ..OpenOptions::WRITE };
    let file = cx.backend().open(path, options).await?;
    file.close().await.map_err(|errno| BackendError::Io { path: path.to_path_buf(), errno })
}

/// Whether `to` is the directory `from` or lies below it.
async fn is_inside(cx: &ExecContext, from: &str, to: &str) -> bool {
    let fs = cx.backend();
    let from = fs.canonicalize(&cx.resolve(from), false).await;
    let to = fs.canonicalize(&cx.resolve(to), true).await;
    let (Ok(from), Ok(to)) = (from, to) else { return false };
    to.as_str()
        .strip_prefix(from.as_str())
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/') || from.as_str() == "/")
}

async fn failed(cx: &mut ExecContext, what: &str, name: &str, errno: Errno) -> Result<Done, Stop> {
    cx.complain(format_args!("{what} {}: {errno}", quoted(name))).await?;
    Ok(Done::Failed)
}
