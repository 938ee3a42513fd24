//! The operands of `grep` to the files below them, each searched.

use std::rc::Rc;

use super::Found;
use super::options::{Output, Recursion, Settings};
use super::print::Printer;
use super::search::Search;
use crate::builtins::input;
use crate::builtins::skips::Skips;
use crate::io::{Errno, Stream};
use crate::tool::{ExecContext, Stop};
use crate::value::EcoString;
use crate::vfs::{DirEntry, Metadata, PathBuf};

/// Searches an operand: a file, `-`, or a directory; the empty one is the working directory.
pub(super) async fn operand(
    cx: &mut ExecContext,
    settings: &Settings,
    printer: &mut Printer,
    (name, found): (&EcoString, &mut Found),
) -> Result<(), Stop> {
    if name == "-" {
        let stream = cx.stdin();
        if !settings.filter.takes_operand(name) {
            return Ok(());
        }
        return search(cx, settings, printer, (&settings.names.label, stream, found)).await;
    }
    if settings.recursion.is_some() {
        let place = if name.is_empty() { "." } else { name.as_str() };
        let path = cx.resolve(place);
        let fs = Rc::clone(cx.backend());
        if let Ok(metadata) = fs.stat(&path).await
            && metadata.is_dir()
        {
            if !settings.filter.enters_operand(place) {
                return Ok(());
            }
            printer.shows_names = settings.shows_names.unwrap_or(true);
            return walk(cx, settings, printer, (name, metadata, found)).await;
        }
    }
    if !settings.filter.takes_operand(name) {
        return Ok(());
    }
    file(cx, settings, printer, (name, found)).await
}

async fn file(
    cx: &mut ExecContext,
    settings: &Settings,
    printer: &mut Printer,
    (name, found): (&EcoString, &mut Found),
) -> Result<(), Stop> {
    match input::open(cx, name).await {
        Ok(stream) => search(cx, settings, printer, (name, stream, found)).await,
        Err(Errno::IsDirectory) if settings.names.skip_directories => Ok(()),
        Err(errno) => {
            report(cx, settings, (name, errno, found)).await?;
            if errno == Errno::IsDirectory {
                // A directory was opened all the same: it holds no line.
                Search::new(settings, printer, name).finish(cx).await?;
            }
            Ok(())
        }
    }
}

async fn report(
    cx: &mut ExecContext,
    settings: &Settings,
    (name, errno, found): (&EcoString, Errno, &mut Found),
) -> Result<(), Stop> {
    found.trouble = true;
    if settings.names.silent {
        return Ok(());
    }
    cx.complain(format_args!("{name}: {errno}")).await
}

async fn search(
    cx: &mut ExecContext,
    settings: &Settings,
    printer: &mut Printer,
    (name, stream, found): (&EcoString, Stream, &mut Found),
) -> Result<(), Stop> {
    let mut search = Search::new(settings, printer, name);
    match search.run(cx, &stream).await {
        Ok(()) => {}
        // Writing fails with the same type; only reading is about this file.
        Err(Stop::Io(errno @ (Errno::IsDirectory | Errno::BadDescriptor | Errno::Io))) => {
            return report(cx, settings, (name, errno, found)).await;
        }
        Err(stop) => return Err(stop),
    }
    found.selected |= search.finish(cx).await?;
    Ok(())
}

/// A directory being searched: what it is called, which it is, and what is left of it.
struct Level {
    path: EcoString,
    /// Its absolute path.
    full: PathBuf,
    file: (u64, u64),
    /// The last comes next.
    entries: Vec<DirEntry>,
}

/// Searches all files below a directory.
async fn walk(
    cx: &mut ExecContext,
    settings: &Settings,
    printer: &mut Printer,
    (name, metadata, found): (&EcoString, Metadata, &mut Found),
) -> Result<(), Stop> {
    let full = cx.resolve(if name.is_empty() { "." } else { name });
    let full = Rc::clone(cx.backend()).canonicalize(&full, false).await.unwrap_or(full);
    let mut skips = Skips::below(cx, &full).await;
    let mut levels = Vec::new();
    let root = Level::new(name.clone(), full, &metadata);
    enter(cx, settings, &mut levels, (root, skips.as_mut(), found)).await?;
    while let Some(level) = levels.last_mut() {
        let Some(entry) = level.entries.pop() else {
            levels.pop();
            continue;
        };
        let path = match level.path.as_str() {
            "" => entry.name.clone(),
            above if above.ends_with('/') => ecow::eco_format!("{above}{}", entry.name),
            above => ecow::eco_format!("{above}/{}", entry.name),
        };
        let full = level.full.join(entry.name.as_str());
        cx.checkpoint(20).await?;
        let mut metadata = entry.metadata;
        if metadata.is_symlink() {
            if settings.recursion != Some(Recursion::Following) {
                continue;
            }
            match Rc::clone(cx.backend()).stat(&full).await {
                Ok(target) => metadata = target,
                Err(error) => {
                    report(cx, settings, (&path, error.errno(), found)).await?;
                    continue;
                }
            }
        }
        if skips.as_ref().is_some_and(|skips| skips.skip(&full, metadata.is_dir())) {
            continue;
        }
        if metadata.is_dir() {
            if settings.filter.enters(&entry.name) {
                let level = Level::new(path, full, &metadata);
                enter(cx, settings, &mut levels, (level, skips.as_mut(), found)).await?;
            }
        } else if metadata.is_file() && settings.filter.takes(&entry.name) {
            file(cx, settings, printer, (&path, found)).await?;
            if found.selected && settings.output == Output::Nothing {
                return Ok(());
            }
        }
    }
    Ok(())
}

impl Level {
    fn new(path: EcoString, full: PathBuf, metadata: &Metadata) -> Self {
        let file = (metadata.device, metadata.inode);
        Self { path, full, file, entries: Vec::new() }
    }
}

/// Goes into a directory, unless it is one of those it was reached through.
async fn enter(
    cx: &mut ExecContext,
    settings: &Settings,
    levels: &mut Vec<Level>,
    (mut level, skips, found): (Level, Option<&mut Skips>, &mut Found),
) -> Result<(), Stop> {
    let path = &level.path;
    if levels.iter().any(|above| above.file == level.file) {
        return cx.complain(format_args!("{path}: warning: recursive directory loop")).await;
    }
    match Rc::clone(cx.backend()).list(&level.full).await {
        Ok(entries) => level.entries = entries,
        Err(error) => return report(cx, settings, (path, error.errno(), found)).await,
    }
    if let Some(skips) = skips {
        skips.enter(cx, &level.full).await;
    }
    level.entries.reverse();
    levels.push(level);
    Ok(())
}
