//! The long format, and what it shares with the short ones: marks, colours, blocks, JSON.

use std::rc::Rc;

use super::collect::Entry;
use super::layout::is_quoted;
use super::options::{Format, Marks, Settings};
use crate::builtins::common::{
    OWNER, OWNER_ID, disk_size, human_size, mode_letters, shown_size, strftime,
};
use crate::host::Timestamp;
use crate::value::{Record, Value, text_width};
use crate::vfs::{FileKind, Metadata};

/// Half a year in seconds: times further away show their year.
const HALF_YEAR: i64 = 31_556_952 / 2;

/// Appends one line an entry.
pub(super) fn push(out: &mut String, settings: &Settings, entries: &[Entry], now: Timestamp) {
    let size = |entry: &Entry| match settings.shape.human {
        0 => shown_size(&entry.metadata).to_string(),
        base => human_size(shown_size(&entry.metadata), base),
    };
    let widest = |text: &dyn Fn(&Entry) -> usize| entries.iter().map(text).max().unwrap_or(0);
    let sizes = widest(&|entry| size(entry).len());
    let links = widest(&|entry| entry.metadata.links.to_string().len());
    let blocks = widest(&|entry| blocks_text(settings, &entry.metadata).len());
    let inodes = inode_width(entries);
    let shown: Vec<String> =
        entries.iter().map(|entry| settings.quoting.show(&entry.name)).collect();
    let any_quoted = settings.quoting.aligns() && shown.iter().any(|name| is_quoted(name));
    let owner = if settings.shape.numeric { OWNER_ID } else { OWNER };
    let mut used_color = false;
    for (entry, name) in entries.iter().zip(&shown) {
        let metadata = &entry.metadata;
        if settings.inode {
            out.push_str(&format!("{:>inodes$} ", metadata.inode));
        }
        if settings.blocks {
            out.push_str(&format!("{:>blocks$} ", blocks_text(settings, metadata)));
        }
        out.push_str(&mode_letters(metadata.kind, metadata.mode));
        out.push_str(&format!(" {:>links$} ", metadata.links));
        if settings.shape.owner {
            out.push_str(owner);
            out.push(' ');
        }
        if settings.shape.group {
            out.push_str(owner);
            out.push(' ');
        }
        out.push_str(&format!("{:>sizes$} {} ", size(entry), time(settings, metadata, now)));
        if any_quoted && !is_quoted(name) {
            out.push(' ');
        }
        out.push_str(&marked(settings, entry, name, &mut used_color).0);
        if let Some(target) = &entry.target {
            out.push_str(" -> ");
            out.push_str(&settings.quoting.show(&target.text));
            if let Some(metadata) = &target.metadata {
                out.push_str(mark(settings, metadata));
            }
        }
        out.push(settings.shape.end);
    }
}

fn time(settings: &Settings, metadata: &Metadata, now: Timestamp) -> String {
    let age = now.seconds.saturating_sub(metadata.modified.seconds);
    let is_recent = age < HALF_YEAR && metadata.modified <= now;
    let style = if is_recent { &settings.time.recent } else { &settings.time.older };
    strftime(style, metadata.modified)
}

/// `total 8` above a directory's entries.
pub(super) fn total(settings: &Settings, entries: &[Entry]) -> String {
    let bytes: u64 = entries.iter().map(|entry| disk_size(&entry.metadata)).sum();
    let blocks = match settings.shape.human {
        0 => (bytes / 1024).to_string(),
        base => human_size(bytes, base),
    };
    format!("total {blocks}{}", settings.shape.end)
}

/// The blocks of an entry, as `-s` shows them.
pub(super) fn blocks_text(settings: &Settings, metadata: &Metadata) -> String {
    match settings.shape.human {
        0 => (disk_size(metadata) / 1024).to_string(),
        base => human_size(disk_size(metadata), base),
    }
}

/// Digits of the largest inode number.
pub(super) fn inode_width(entries: &[Entry]) -> usize {
    entries.iter().map(|entry| entry.metadata.inode.to_string().len()).max().unwrap_or(0)
}

/// A shown name with colour and mark, and the columns it takes.
pub(super) fn marked(
    settings: &Settings,
    entry: &Entry,
    name: &str,
    used_color: &mut bool,
) -> (String, usize) {
    let is_long_link = settings.format == Format::Long && entry.target.is_some();
    let mark = if is_long_link { "" } else { mark(settings, &entry.metadata) };
    let width = text_width(name) + mark.len();
    let code = settings.colors.as_ref().and_then(|colors| colors.code(entry));
    let text = match code {
        Some(code) => {
            let reset = if std::mem::replace(used_color, true) { "" } else { "\x1b[0m" };
            format!("{reset}\x1b[{code}m{name}\x1b[0m{mark}")
        }
        None => format!("{name}{mark}"),
    };
    (text, width)
}

fn mark(settings: &Settings, metadata: &Metadata) -> &'static str {
    match metadata.kind {
        FileKind::Directory if settings.marks >= Marks::Slash => "/",
        FileKind::Symlink if settings.marks >= Marks::FileType => "@",
        FileKind::File if settings.marks == Marks::Classify && metadata.mode & 0o111 != 0 => "*",
        _ => "",
    }
}

/// The name of an entry, or with `-l` a record of what is known.
pub(super) fn json(settings: &Settings, entry: &Entry) -> Value {
    let name = if settings.recursive { &entry.path } else { &entry.name };
    let name = Value::Text(name.strip_prefix("./").map_or_else(|| name.clone(), Into::into));
    if settings.format != Format::Long {
        return name;
    }
    let metadata = &entry.metadata;
    let number = |n: u64| Value::int(i64::try_from(n).unwrap_or(i64::MAX));
    let kind = match metadata.kind {
        FileKind::File => "file",
        FileKind::Directory => "directory",
        FileKind::Symlink => "symlink",
        FileKind::Device => "device",
    };
    let mut record = Record::default();
    record.insert("name".into(), name);
    record.insert("kind".into(), Value::from(kind));
    record.insert("size".into(), number(metadata.len));
    record.insert("mode".into(), Value::from(format!("{:04o}", metadata.mode)));
    record.insert("modified".into(), Value::from(strftime("%FT%T.%3NZ", metadata.modified)));
    record.insert("inode".into(), number(metadata.inode));
    record.insert("links".into(), number(u64::from(metadata.links)));
    if let Some(target) = &entry.target {
        record.insert("target".into(), Value::Text(target.text.clone()));
    }
    Value::Record(Rc::new(record))
}
