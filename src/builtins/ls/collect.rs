//! Operands and directories to sorted entries.

use std::cmp::Ordering;
use std::rc::Rc;

use super::options::{Dots, Follow, Format, Order, Settings};
use crate::builtins::common::quoted;
use crate::builtins::version::compare_versions;
use crate::tool::{ExecContext, Stop};
use crate::value::{EcoString, InOrder, text_width};
use crate::vfs::{DirEntry, Metadata};

/// Something listed.
pub(super) struct Entry {
    /// What is shown: an operand as given, or a name within its directory.
    pub(super) name: EcoString,
    /// The operand, or the name behind its directory's.
    pub(super) path: EcoString,
    pub(super) metadata: Metadata,
    /// Where a link leads, where that matters.
    pub(super) target: Option<Target>,
    pub(super) is_operand: bool,
}

/// Where a link leads.
pub(super) struct Target {
    pub(super) text: EcoString,
    /// What is there; `None` where nothing is.
    pub(super) metadata: Option<Metadata>,
}

impl Entry {
    /// Whether `-R` goes into it.
    pub(super) fn is_walked(&self) -> bool {
        self.metadata.is_dir() && self.name != "." && self.name != ".."
    }
}

/// A directory to list.
pub(super) struct Directory {
    pub(super) path: EcoString,
    pub(super) is_operand: bool,
    /// Whether it is one of the directories it was reached through.
    pub(super) is_loop: bool,
    /// It and what it was reached through, where links are followed.
    lineage: Option<Rc<Lineage>>,
}

struct Lineage {
    file: (u64, u64),
    above: Option<Rc<Lineage>>,
}

impl Directory {
    /// Whether an entry is this directory or one above, so that going in would never end.
    fn is_ancestor(&self, entry: &Entry) -> bool {
        let file = (entry.metadata.device, entry.metadata.inode);
        let mut at = self.lineage.as_ref();
        while let Some(lineage) = at {
            if lineage.file == file {
                return true;
            }
            at = lineage.above.as_ref();
        }
        false
    }

    /// The directory that an entry of this one is.
    pub(super) fn child(&self, entry: Entry) -> Self {
        let is_loop = self.is_ancestor(&entry);
        let lineage = self.lineage.as_ref().map(|above| {
            let file = (entry.metadata.device, entry.metadata.inode);
            Rc::new(Lineage { file, above: Some(Rc::clone(above)) })
        });
        Self { path: entry.path, is_operand: false, is_loop, lineage }
    }
}

/// What the operands name.
pub(super) struct Listing {
    pub(super) files: Vec<Entry>,
    pub(super) directories: Vec<Directory>,
    pub(super) status: u8,
}

/// Looks the operands up; what is not there is reported.
pub(super) async fn operands(
    cx: &mut ExecContext,
    settings: &Settings,
    names: &[EcoString],
) -> Result<Listing, Stop> {
    let mut status = 0;
    let mut files = Vec::new();
    let mut directories = Vec::new();
    for name in names {
        match operand(cx, settings, name).await {
            Ok(entry) if entry.metadata.is_dir() && !settings.itself => directories.push(entry),
            Ok(entry) => files.push(entry),
            Err(errno) => {
                cx.complain(format_args!("cannot access {}: {errno}", quoted(name))).await?;
                status = 2;
            }
        }
    }
    sort(settings, &mut files);
    sort(settings, &mut directories);
    let follows = settings.recursive && settings.follow == Follow::Always;
    let directories = directories
        .into_iter()
        .map(|entry| Directory {
            lineage: follows.then(|| {
                let file = (entry.metadata.device, entry.metadata.inode);
                Rc::new(Lineage { file, above: None })
            }),
            path: entry.path,
            is_operand: true,
            is_loop: false,
        })
        .collect();
    Ok(Listing { files, directories, status })
}

async fn operand(
    cx: &ExecContext,
    settings: &Settings,
    name: &EcoString,
) -> Result<Entry, crate::io::Errno> {
    let path = cx.resolve(name);
    let fs = cx.backend();
    let entry = fs.lstat(&path).await.map_err(|error| error.errno())?;
    let metadata = match settings.follow {
        Follow::Never => entry,
        Follow::Operands | Follow::Always => {
            if entry.is_symlink() {
                fs.stat(&path).await.map_err(|error| error.errno())?
            } else {
                entry
            }
        }
        Follow::Directories if entry.is_symlink() => {
            fs.stat(&path).await.ok().filter(Metadata::is_dir).unwrap_or(entry)
        }
        Follow::Directories => entry,
    };
    let path = name.clone();
    Ok(complete(
        cx,
        settings,
        Entry { name: path.clone(), path, metadata, target: None, is_operand: true },
    )
    .await)
}

/// Adds where a link leads, where it is shown, coloured or marked.
async fn complete(cx: &ExecContext, settings: &Settings, mut entry: Entry) -> Entry {
    let shown = settings.format == Format::Long || settings.colors.is_some();
    if entry.metadata.is_symlink() && shown {
        let path = cx.resolve(&entry.path);
        let text = cx.backend().read_link(&path).await.map(|target| target.as_str().into());
        let metadata = cx.backend().stat(&path).await.ok();
        entry.target = Some(Target { text: text.unwrap_or_default(), metadata });
    }
    entry
}

/// The sorted entries of a directory; `None` where it can't be read, which is reported.
pub(super) async fn directory(
    cx: &mut ExecContext,
    settings: &Settings,
    directory: &Directory,
) -> Result<Option<Vec<Entry>>, Stop> {
    let path = cx.resolve(&directory.path);
    let fs = Rc::clone(cx.backend());
    let listed = match fs.list(&path).await {
        Ok(listed) => listed,
        Err(error) => {
            let (name, errno) = (quoted(&directory.path), error.errno());
            cx.complain(format_args!("cannot open directory {name}: {errno}")).await?;
            return Ok(None);
        }
    };
    let mut entries = Vec::with_capacity(listed.len() + 2);
    if settings.dots == Dots::All {
        for name in [".", ".."] {
            if let Ok(metadata) = fs.stat(&path.join(name)).await {
                entries.push(make(directory, DirEntry { name: name.into(), metadata }));
            }
        }
    }
    for entry in listed {
        let hidden = settings.dots == Dots::Hidden && entry.name.starts_with('.');
        if hidden || settings.skip.leaves_out(&entry.name, settings.dots) {
            continue;
        }
        let mut entry = make(directory, entry);
        if entry.metadata.is_symlink() {
            cx.checkpoint(10).await?;
            if settings.follow == Follow::Always {
                let found = fs.stat(&cx.resolve(&entry.path)).await;
                entry.metadata = found.unwrap_or(entry.metadata);
            }
            entry = complete(cx, settings, entry).await;
        }
        entries.push(entry);
    }
    cx.checkpoint(u32::try_from(entries.len()).unwrap_or(u32::MAX).saturating_mul(4)).await?;
    sort(settings, &mut entries);
    Ok(Some(entries))
}

fn make(directory: &Directory, entry: DirEntry) -> Entry {
    let slash = if directory.path.ends_with('/') { "" } else { "/" };
    let path = EcoString::from(format!("{}{slash}{}", directory.path, entry.name));
    Entry { name: entry.name, path, metadata: entry.metadata, target: None, is_operand: false }
}

fn sort(settings: &Settings, entries: &mut [Entry]) {
    let by_order = |a: &Entry, b: &Entry| match settings.order {
        Order::None => Ordering::Equal,
        Order::Name => a.name.cmp(&b.name),
        Order::Size => b.metadata.len.cmp(&a.metadata.len).then_with(|| a.name.cmp(&b.name)),
        Order::Time => {
            b.metadata.modified.cmp(&a.metadata.modified).then_with(|| a.name.cmp(&b.name))
        }
        Order::Extension => {
            extension(&a.name).cmp(extension(&b.name)).then_with(|| a.name.cmp(&b.name))
        }
        Order::Width => {
            text_width(&a.name).cmp(&text_width(&b.name)).then_with(|| a.name.cmp(&b.name))
        }
        Order::Version => compare_versions(a.name.as_bytes(), b.name.as_bytes()),
    };
    if settings.order != Order::None {
        entries.order_by(|a, b| if settings.reverse { by_order(b, a) } else { by_order(a, b) });
    }
    if settings.directories_first {
        let leads_to_directory = |entry: &Entry| {
            entry.metadata.is_dir()
                || entry
                    .target
                    .as_ref()
                    .is_some_and(|t| t.metadata.as_ref().is_some_and(Metadata::is_dir))
        };
        entries.order_by_key(|entry| !leads_to_directory(entry));
    }
}

/// A name from its last dot on.
fn extension(name: &str) -> &str {
    name.rfind('.').and_then(|at| name.get(at..)).unwrap_or("")
}
