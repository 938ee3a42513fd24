//! Two operands or two directories in; pairs of files to compare, and what only one side has, out.

use std::rc::Rc;

use super::options::Settings;
use super::text::Side;
use super::{Found, files};
use crate::host::Timestamp;
use crate::io::Errno;
use crate::tool::{ExecContext, Stop};
use crate::value::{EcoString, InOrder};
use crate::vfs::{FileKind, Metadata};

/// One side of a pair.
#[derive(Clone)]
struct Place {
    name: EcoString,
    kind: Kind,
}

#[derive(Clone)]
enum Kind {
    Stdin,
    /// It is not there, but counts as an empty file or directory.
    Missing,
    Entry(Metadata),
}

impl Place {
    fn is_dir(&self) -> bool {
        matches!(&self.kind, Kind::Entry(metadata) if metadata.is_dir())
    }

    fn is_missing(&self) -> bool {
        matches!(self.kind, Kind::Missing)
    }

    fn kind(&self) -> Option<FileKind> {
        match &self.kind {
            Kind::Entry(metadata) => Some(metadata.kind),
            _ => None,
        }
    }

    fn below(&self, name: &str, kind: Kind) -> Self {
        Self { name: below(&self.name, name), kind }
    }
}

fn below(directory: &str, name: &str) -> EcoString {
    if directory.ends_with('/') {
        ecow::eco_format!("{directory}{name}")
    } else {
        ecow::eco_format!("{directory}/{name}")
    }
}

/// Compares two operands.
pub(super) async fn operands(
    cx: &mut ExecContext,
    settings: &Settings,
    old: &EcoString,
    new: &EcoString,
) -> Result<Found, Stop> {
    let (mut left, mut right) = (place(cx, settings, old).await, place(cx, settings, new).await);
    match (&left, &right) {
        // A file and a directory: the file of the same name in it.
        (Ok(file), Ok(directory)) if directory.is_dir() && !file.is_dir() => {
            if matches!(file.kind, Kind::Stdin) {
                return Err(cx.fail(2, "cannot compare '-' to a directory"));
            }
            right = place(cx, settings, &below(&directory.name, last_name(old))).await;
        }
        (Ok(directory), Ok(file)) if directory.is_dir() && !file.is_dir() => {
            if matches!(file.kind, Kind::Stdin) {
                return Err(cx.fail(2, "cannot compare '-' to a directory"));
            }
            left = place(cx, settings, &below(&directory.name, last_name(new))).await;
        }
        _ => {}
    }
    // One of the two may be missing where that counts as empty.
    let (counts_left, counts_right) = settings.tree.new_file;
    match (&left, &right) {
        (Err((name, Errno::NotFound)), Ok(_)) if counts_left => {
            left = Ok(Place { name: name.clone(), kind: Kind::Missing });
        }
        (Ok(_), Err((name, Errno::NotFound))) if counts_right => {
            right = Ok(Place { name: name.clone(), kind: Kind::Missing });
        }
        _ => {}
    }
    match (left, right) {
        (Ok(left), Ok(right)) => walk(cx, settings, (left, right)).await,
        (left, right) => {
            for side in [left, right] {
                if let Err((name, errno)) = side {
                    cx.complain(format_args!("{name}: {errno}")).await?;
                }
            }
            Ok(Found::TROUBLE)
        }
    }
}

fn last_name(path: &str) -> &str {
    let path = path.trim_end_matches('/');
    path.rsplit('/').next().unwrap_or(path)
}

async fn place(
    cx: &ExecContext,
    settings: &Settings,
    name: &EcoString,
) -> Result<Place, (EcoString, Errno)> {
    if name == "-" {
        return Ok(Place { name: name.clone(), kind: Kind::Stdin });
    }
    let path = cx.resolve(name);
    let backend = Rc::clone(cx.backend());
    let looked_up =
        if settings.tree.follows { backend.stat(&path).await } else { backend.lstat(&path).await };
    match looked_up {
        Ok(metadata) => Ok(Place { name: name.clone(), kind: Kind::Entry(metadata) }),
        Err(error) => Err((name.clone(), error.errno())),
    }
}

/// Compares a pair, and where both are directories, what is in them.
async fn walk(
    cx: &mut ExecContext,
    settings: &Settings,
    root: (Place, Place),
) -> Result<Found, Stop> {
    let mut found = Found::default();
    // The pairs still to come; the last is next.
    let mut pending = vec![Step::Pair(root.0, root.1)];
    let mut is_root = true;
    while let Some(step) = pending.pop() {
        cx.checkpoint(20).await?;
        cx.write(b"").await?;
        match step {
            Step::Say(message) => {
                cx.push_line(message);
                found.add(Found::DIFFER);
            }
            Step::Trouble(name, errno) => {
                cx.complain(format_args!("{name}: {errno}")).await?;
                found.add(Found::TROUBLE);
            }
            Step::Pair(old, new) if old.is_dir() || new.is_dir() => {
                if (old.is_dir() || old.is_missing()) && (new.is_dir() || new.is_missing()) {
                    if is_root || settings.tree.recursive {
                        let mut steps = entries(cx, settings, &old, &new, is_root).await;
                        steps.reverse();
                        pending.append(&mut steps);
                    } else {
                        let (old, new) = (&old.name, &new.name);
                        cx.push_line(format!("Common subdirectories: {old} and {new}"));
                    }
                } else {
                    cx.push_line(kinds_differ(&old, &new));
                    found.add(Found::DIFFER);
                }
            }
            Step::Pair(old, new) => {
                let head = if is_root { String::new() } else { headline(settings, &old, &new) };
                found.add(pair(cx, settings, (old, new), &head).await?);
            }
        }
        is_root = false;
    }
    Ok(found)
}

/// What is to be done next.
enum Step {
    Pair(Place, Place),
    /// Something is on one side only.
    Say(String),
    Trouble(EcoString, Errno),
}

/// The call as it would be for one pair.
fn headline(settings: &Settings, old: &Place, new: &Place) -> String {
    let [old, new] = [old, new].map(|place| super::print::quoted_name(&place.name));
    let text = format!("diff{} {old} {new}", settings.switches);
    if settings.look.color { format!("\x1b[1m{text}\x1b[0m\n") } else { format!("{text}\n") }
}

/// The steps for what is in two directories, by name.
async fn entries(
    cx: &ExecContext,
    settings: &Settings,
    old: &Place,
    new: &Place,
    is_root: bool,
) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut names = Vec::new();
    for directory in [old, new] {
        if directory.is_missing() {
            continue;
        }
        match Rc::clone(cx.backend()).list(&cx.resolve(&directory.name)).await {
            Ok(entries) => names.extend(entries.into_iter().map(|entry| entry.name)),
            Err(error) => steps.push(Step::Trouble(directory.name.clone(), error.errno())),
        }
    }
    names.order_by(Ord::cmp);
    names.dedup();
    let start = settings.tree.starts_at.as_deref().filter(|_| is_root);
    names.retain(|name| {
        start.is_none_or(|start| start <= name.as_str())
            && !settings.tree.excluded.iter().any(|glob| glob.matches(name.as_str()))
    });
    for name in names {
        let left = entry(cx, settings, old, &name).await;
        let right = entry(cx, settings, new, &name).await;
        steps.push(step(settings, (old, left), (new, right), &name));
    }
    steps
}

async fn entry(
    cx: &ExecContext,
    settings: &Settings,
    directory: &Place,
    name: &str,
) -> Result<Place, Errno> {
    if directory.is_missing() {
        return Err(Errno::NotFound);
    }
    let path = cx.resolve(&below(&directory.name, name));
    let backend = Rc::clone(cx.backend());
    let own = backend.lstat(&path).await.map_err(|error| error.errno())?;
    let metadata = if own.is_symlink() && settings.tree.follows {
        // A link to nothing is there all the same; opening it tells.
        backend.stat(&path).await.unwrap_or(own)
    } else {
        own
    };
    Ok(directory.below(name, Kind::Entry(metadata)))
}

fn step(
    settings: &Settings,
    (old, left): (&Place, Result<Place, Errno>),
    (new, right): (&Place, Result<Place, Errno>),
    name: &str,
) -> Step {
    let (counts_left, counts_right) = settings.tree.new_file;
    match (left, right) {
        (Ok(left), Ok(right)) => Step::Pair(left, right),
        (Ok(left), Err(Errno::NotFound)) => {
            if counts_right && (settings.tree.recursive || !left.is_dir()) {
                Step::Pair(left, new.below(name, Kind::Missing))
            } else {
                Step::Say(format!("Only in {}: {name}", old.name))
            }
        }
        (Err(Errno::NotFound), Ok(right)) => {
            if counts_left && (settings.tree.recursive || !right.is_dir()) {
                Step::Pair(old.below(name, Kind::Missing), right)
            } else {
                Step::Say(format!("Only in {}: {name}", new.name))
            }
        }
        (Err(errno), _) => Step::Trouble(below(&old.name, name), errno),
        (_, Err(errno)) => Step::Trouble(below(&new.name, name), errno),
    }
}

fn kinds_differ(old: &Place, new: &Place) -> String {
    let kind = |place: &Place| match &place.kind {
        Kind::Entry(metadata) if metadata.is_dir() => "directory",
        Kind::Entry(metadata) if metadata.is_symlink() => "symbolic link",
        Kind::Entry(metadata) if metadata.is_file() && metadata.len == 0 => "regular empty file",
        Kind::Entry(metadata) if metadata.is_file() => "regular file",
        _ => "character special file",
    };
    let (what, other) = (kind(old), kind(new));
    format!("File {} is a {what} while file {} is a {other}", old.name, new.name)
}

/// Compares two files, neither of them a directory.
async fn pair(
    cx: &mut ExecContext,
    settings: &Settings,
    (old, new): (Place, Place),
    head: &str,
) -> Result<Found, Stop> {
    let is_link = |place: &Place| place.kind() == Some(FileKind::Symlink);
    if !settings.tree.follows && (is_link(&old) || is_link(&new)) {
        return links(cx, settings, &old, &new).await;
    }
    if matches!((&old.kind, &new.kind), (Kind::Stdin, Kind::Stdin)) {
        if settings.reports_identical {
            cx.push("Files - and - are identical\n");
        }
        return Ok(Found::default());
    }
    let mut sides = Vec::new();
    for place in [&old, &new] {
        match read(cx, place).await? {
            Some(side) => sides.push(side),
            None => return Ok(Found::TROUBLE),
        }
    }
    match <[Side; 2]>::try_from(sides) {
        Ok([old, new]) => files(cx, settings, (old, new), head).await,
        Err(_) => Ok(Found::TROUBLE),
    }
}

async fn read(cx: &mut ExecContext, place: &Place) -> Result<Option<Side>, Stop> {
    let (modified, bytes) = match &place.kind {
        Kind::Missing => (Timestamp { seconds: 0, nanos: 0 }, Vec::new()),
        Kind::Stdin => {
            let stdin = cx.stdin();
            (cx.services.host.now(), cx.read_all(&stdin).await?)
        }
        Kind::Entry(metadata) => {
            let modified = metadata.modified;
            let Some(stream) = cx.open_input(&place.name).await? else { return Ok(None) };
            (modified, cx.read_all(&stream).await?)
        }
    };
    Ok(Some(Side::new(place.name.clone(), modified, bytes)))
}

async fn links(
    cx: &mut ExecContext,
    settings: &Settings,
    old: &Place,
    new: &Place,
) -> Result<Found, Stop> {
    if old.kind() != new.kind() {
        cx.push_line(kinds_differ(old, new));
        return Ok(Found::DIFFER);
    }
    let backend = Rc::clone(cx.backend());
    let left = backend.read_link(&cx.resolve(&old.name)).await;
    let right = backend.read_link(&cx.resolve(&new.name)).await;
    if left.is_ok() && left == right {
        if settings.reports_identical {
            cx.push(format!("Files {} and {} are identical\n", old.name, new.name));
        }
        return Ok(Found::default());
    }
    cx.push(format!("Symbolic links {} and {} differ\n", old.name, new.name));
    Ok(Found::DIFFER)
}
