//! One log record, or a checkpoint: how a tree differs from the one before it, in bytes.
//!
//! A record says what inodes and entries are, not what was done, and is the whole difference of two
//! consistent trees. A checkpoint is the same against a blank tree.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::codec::{Reader, Writer};
use crate::vfs::content::{Chunk, Content, Extent, MAX_LEN};
use crate::vfs::tree::{Body, Changes, Node, Tree};

const FILE: u8 = b'F';
const PART: u8 = b'P';
const DIRECTORY: u8 = b'D';
const SYMLINK: u8 = b'S';
const GONE: u8 = b'G';
const NAME: u8 = b'N';
const NO_NAME: u8 = b'U';
const END: u8 = b'E';

/// The counters that go with a tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counters {
    /// The record's number; a checkpoint has that of the last record in it.
    pub(super) sequence: u64,
    /// The number that the next segment gets.
    pub(super) next_segment: u64,
}

/// An encoded record.
pub(super) struct Record {
    pub(super) bytes: Vec<u8>,
    /// Whether it says anything.
    pub(super) changes: bool,
}

/// The record that leads from `before` to `after`, which differ in `changes` only.
///
/// Every chunk in `after` must be stored; one that is not becomes a hole.
pub(super) fn encode(counters: Counters, before: &Tree, after: &Tree, changes: &Changes) -> Record {
    let mut out = header(counters, after);
    let empty = out.len();
    let mut gone = Vec::new();
    for inode in &changes.inodes {
        match after.get(*inode) {
            Some(node) if before.get(*inode).is_some_and(|old| is_same(node, old)) => {}
            Some(node) => put_node(&mut out, *inode, node, before.get(*inode)),
            None if before.get(*inode).is_some() => gone.push(*inode),
            None => {}
        }
    }
    for (dir, name) in &changes.entries {
        let find = |tree: &Tree| tree.names(*dir).ok().map(|names| names.get(name));
        match (find(before).flatten(), find(after)) {
            (_, None) => {}
            (old, Some(new)) if old == new => {}
            (_, Some(Some(inode))) => put_name(&mut out, *dir, name, inode),
            (_, Some(None)) => {
                out.byte(NO_NAME);
                out.number(*dir);
                out.text(name);
            }
        }
    }
    for inode in gone {
        out.byte(GONE);
        out.number(inode);
    }
    let changes = out.len() > empty;
    out.byte(END);
    Record { bytes: out.sealed(), changes }
}

/// Whether two nodes are the same to a record, in which names are separate.
fn is_same(a: &Node, b: &Node) -> bool {
    let extent = |chunk: &Chunk| match chunk {
        Chunk::Stored(extent) => Some(*extent),
        Chunk::Memory(_) => None,
    };
    let body = match (&a.body, &b.body) {
        (Body::File(a), Body::File(b)) => {
            let extents = |content: &Content| -> Vec<_> {
                content.chunks().map(|(index, chunk)| (index, extent(chunk))).collect()
            };
            a.len() == b.len() && extents(a) == extents(b)
        }
        (Body::Directory { parent: a, .. }, Body::Directory { parent: b, .. }) => a == b,
        (Body::Symlink(a), Body::Symlink(b)) => a == b,
        _ => false,
    };
    body && (a.mode, a.links, a.modified) == (b.mode, b.links, b.modified)
}

/// A checkpoint: everything in a tree.
pub(super) fn encode_all(counters: Counters, tree: &Tree) -> Vec<u8> {
    let mut out = header(counters, tree);
    for (inode, node) in tree.iter() {
        put_node(&mut out, inode, node, None);
    }
    for (dir, node) in tree.iter() {
        if let Body::Directory { names, .. } = &node.body {
            names.iter().for_each(|(name, inode)| put_name(&mut out, dir, name, inode));
        }
    }
    out.byte(END);
    out.sealed()
}

fn header(counters: Counters, tree: &Tree) -> Writer {
    let mut out = Writer::default();
    out.number(counters.sequence);
    out.number(counters.next_segment);
    out.number(tree.next_inode());
    out
}

fn put_name(out: &mut Writer, dir: u64, name: &str, inode: u64) {
    out.byte(NAME);
    out.number(dir);
    out.text(name);
    out.number(inode);
}

fn put_node(out: &mut Writer, inode: u64, node: &Node, before: Option<&Node>) {
    let old = match before.map(|node| &node.body) {
        Some(Body::File(content)) => Some(content),
        _ => None,
    };
    out.byte(match &node.body {
        Body::File(_) if old.is_some() => PART,
        Body::File(_) => FILE,
        Body::Directory { .. } => DIRECTORY,
        Body::Symlink(_) => SYMLINK,
    });
    out.number(inode);
    out.number(u64::from(node.mode));
    out.number(u64::from(node.links));
    out.time(node.modified);
    match &node.body {
        Body::Directory { parent, .. } => out.number(*parent),
        Body::Symlink(target) => out.text(target),
        Body::File(content) => put_content(out, content, old),
    }
}

/// The length, and the chunks that differ from those before.
fn put_content(out: &mut Writer, content: &Content, old: Option<&Content>) {
    out.number(content.len());
    let stored = |content: &Content| -> BTreeMap<u64, Extent> {
        let extents = content.chunks().filter_map(|(index, chunk)| match chunk {
            Chunk::Stored(extent) => Some((index, *extent)),
            Chunk::Memory(_) => None,
        });
        extents.collect()
    };
    let (new, old) = (stored(content), old.map(stored).unwrap_or_default());
    let gone: Vec<u64> = old.keys().filter(|index| !new.contains_key(index)).copied().collect();
    let changed: Vec<_> =
        new.iter().filter(|(index, extent)| old.get(index) != Some(extent)).collect();
    out.number(gone.len() as u64);
    gone.iter().for_each(|index| out.number(*index));
    out.number(changed.len() as u64);
    for (index, extent) in changed {
        out.number(*index);
        out.number(extent.segment);
        out.number(u64::from(extent.offset));
        out.number(u64::from(extent.len));
        out.fixed(extent.checksum);
    }
}

/// Makes the changes of a record in `tree`; `None` where the bytes are no record, and the tree is
/// then of no use.
pub(super) fn apply(bytes: &[u8], tree: &mut Tree) -> Option<Counters> {
    let mut reader = Reader::unsealed(bytes)?;
    let counters = Counters { sequence: reader.number()?, next_segment: reader.number()? };
    tree.reserve_inodes(reader.number()?);
    loop {
        match reader.byte()? {
            END => break,
            NAME => {
                let (dir, name) = (reader.number()?, reader.text()?);
                let inode = reader.number()?;
                tree.set_name(dir, name, Some(inode));
            }
            NO_NAME => {
                let (dir, name) = (reader.number()?, reader.text()?);
                tree.set_name(dir, name, None);
            }
            GONE => tree.erase(reader.number()?),
            kind => take_node(kind, &mut reader, tree)?,
        }
    }
    reader.is_empty().then_some(counters)
}

fn take_node(kind: u8, reader: &mut Reader<'_>, tree: &mut Tree) -> Option<()> {
    let inode = reader.number()?;
    let (mode, links, modified) = (reader.small()?, reader.small()?, reader.time()?);
    let body = match kind {
        DIRECTORY => Body::Directory { names: Rc::default(), parent: reader.number()? },
        SYMLINK => Body::Symlink(reader.text()?.into()),
        FILE => Body::File(take_content(reader, Content::default())?),
        PART => {
            // A part without its file can only be salvage; what is there is kept.
            let old = tree.content(inode).cloned().unwrap_or_default();
            Body::File(take_content(reader, old)?)
        }
        _ => return None,
    };
    tree.install(inode, Node { body, mode, links, modified });
    Some(())
}

fn take_content(reader: &mut Reader<'_>, mut content: Content) -> Option<Content> {
    let len = reader.number().filter(|len| *len <= MAX_LEN)?;
    for _ in 0..reader.number()? {
        content.take_chunk(reader.number()?);
    }
    for _ in 0..reader.number()? {
        let index = reader.number()?;
        let extent = Extent {
            segment: reader.number()?,
            offset: reader.small()?,
            len: reader.small()?,
            checksum: reader.fixed()?,
        };
        content.set_chunk(index, Chunk::Stored(extent));
    }
    content.declare_len(len);
    Some(content)
}
