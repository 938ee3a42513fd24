//! What a store holds, as a tree: the newest checkpoint that is whole and the records after it.

use std::collections::BTreeSet;

use futures::try_join;

use super::record::{self, Counters};
use super::state::LogState;
use super::store::{Area, Store, StoreResult};
use crate::vfs::content::{Chunk, Extent};
use crate::vfs::tree::{Body, ROOT, Tree};

/// The format that this code writes; a newer one is only read.
pub(super) const SCHEMA_VERSION: u32 = 1;

/// The number of the format's description in [`Area::Meta`].
pub(super) const SUPERBLOCK: u64 = 0;

const MAGIC: &[u8] = b"tabsh packed filesystem, schema ";

/// The bytes that describe the format.
pub(super) fn superblock() -> Vec<u8> {
    [MAGIC, SCHEMA_VERSION.to_string().as_bytes()].concat()
}

/// The log right after a checkpoint of so many bytes.
pub(super) fn fresh_log(number: u64, bytes: usize) -> LogState {
    LogState { checkpoints: (number, number), checkpoint_bytes: bytes as u64, bytes: 0 }
}

/// What was found in a store.
pub(super) struct Loaded {
    /// `None` in a store that holds no filesystem yet.
    pub(super) tree: Option<Tree>,
    pub(super) counters: Counters,
    pub(super) log: LogState,
    pub(super) segments: BTreeSet<u64>,
    /// The format's version; 0 where its description is damaged.
    pub(super) schema: u32,
    /// Whether there is a reserve.
    pub(super) reserve: bool,
    /// What is damaged, in words; writing would make it worse.
    pub(super) damage: Vec<String>,
}

/// How to treat what does not fit together.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    /// Stop where the log stops making sense.
    Exact,
    /// Use every record that can be read.
    Salvage,
}

/// Reads a store.
pub(super) async fn load(store: &dyn Store, reading: Reading) -> StoreResult<Loaded> {
    let (meta, checkpoints, records, segments) = try_join!(
        store.load(Area::Meta),
        store.load(Area::Checkpoint),
        store.load(Area::Log),
        store.list(Area::Segment),
    )?;
    let segments: BTreeSet<u64> = segments.into_iter().collect();
    let mut loaded = Loaded {
        tree: None,
        counters: Counters::default(),
        log: LogState::default(),
        segments,
        schema: meta.iter().find(|(number, _)| *number == SUPERBLOCK).map_or(0, version),
        reserve: meta.iter().any(|(number, _)| *number == super::commit::RESERVE),
        damage: Vec::new(),
    };
    let whole = |(_, bytes): &(u64, Vec<u8>)| record::apply(bytes, &mut Tree::blank()).is_some();
    let blank = records.is_empty() && checkpoints.iter().all(|(number, _)| *number == 0);
    if blank && (loaded.schema == 0 || !checkpoints.first().is_some_and(whole)) {
        // Nothing yet, or a volume whose making was not finished.
        loaded.schema = loaded.schema.max(SCHEMA_VERSION);
        return Ok(loaded);
    }
    if loaded.schema == 0 {
        loaded.damage.push("the description of the format is damaged".into());
    }
    let mut tree = loaded.start(&checkpoints);
    loaded.replay(&mut tree, &records, reading);
    let after = loaded.segments.last().map_or(0, |last| last + 1);
    loaded.counters.next_segment = loaded.counters.next_segment.max(after);
    loaded.tree = Some(tree);
    Ok(loaded)
}

fn version((_, bytes): &(u64, Vec<u8>)) -> u32 {
    let digits = bytes.strip_prefix(MAGIC).and_then(|digits| std::str::from_utf8(digits).ok());
    digits.and_then(|digits| digits.parse().ok()).unwrap_or(0)
}

impl Loaded {
    /// The tree of the newest checkpoint that is whole.
    fn start(&mut self, checkpoints: &[(u64, Vec<u8>)]) -> Tree {
        let older = checkpoints.iter().rev().nth(1).map_or(0, |(number, _)| *number);
        for (number, bytes) in checkpoints.iter().rev() {
            let mut tree = Tree::blank();
            match record::apply(bytes, &mut tree) {
                Some(counters) if tree.names(ROOT).is_ok() => {
                    self.counters = counters;
                    self.log.checkpoints = (*number, older.min(*number));
                    self.log.checkpoint_bytes = bytes.len() as u64;
                    return tree;
                }
                _ => self.damage.push(format!("checkpoint {number} is damaged")),
            }
        }
        self.damage.push("there is no checkpoint".into());
        Tree::new(crate::host::Timestamp::default())
    }

    /// Applies the records after the checkpoint. A last one that is torn, or whose content is not
    /// there, was never finished and is left out.
    fn replay(&mut self, tree: &mut Tree, records: &[(u64, Vec<u8>)], reading: Reading) {
        let start = self.counters.sequence;
        let mut before = None;
        let mut rest = records.iter().filter(|(number, _)| *number > start).peekable();
        while let Some((number, bytes)) = rest.next() {
            let snapshot = (tree.snapshot(), self.counters);
            let follows = *number == self.counters.sequence + 1;
            let applied = if follows || reading == Reading::Salvage {
                record::apply(bytes, tree)
            } else {
                None
            };
            match applied {
                Some(counters) => {
                    self.counters = counters;
                    self.log.bytes += bytes.len() as u64;
                    before = Some(snapshot);
                }
                None => {
                    *tree = snapshot.0;
                    if !follows || rest.peek().is_some() {
                        self.damage.push(format!("record {number} is damaged or out of order"));
                    }
                    if reading == Reading::Exact {
                        break;
                    }
                }
            }
        }
        self.leave_out_unfinished(tree, before);
    }

    fn leave_out_unfinished(&mut self, tree: &mut Tree, before: Option<(Tree, Counters)>) {
        if extents(tree).all(|(_, _, extent)| self.segments.contains(&extent.segment)) {
            return;
        }
        match before {
            Some((earlier, counters))
                if extents(&earlier).all(|(_, _, at)| self.segments.contains(&at.segment)) =>
            {
                *tree = earlier;
                self.counters = counters;
            }
            _ => self.damage.push("some content is missing".into()),
        }
    }
}

/// Every stored chunk of a tree, with its file and its index.
pub(super) fn extents(tree: &Tree) -> impl Iterator<Item = (u64, u64, Extent)> {
    tree.iter().flat_map(|(inode, node)| {
        let content = match &node.body {
            Body::File(content) => Some(content),
            _ => None,
        };
        content.into_iter().flat_map(move |content| {
            content.chunks().filter_map(move |(index, chunk)| match chunk {
                Chunk::Stored(extent) => Some((inode, index, *extent)),
                Chunk::Memory(_) => None,
            })
        })
    })
}
