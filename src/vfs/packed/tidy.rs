//! Tidying up between commands: checkpoints, dropping dead segments, merging small and sparse ones.

use std::collections::BTreeMap;

use super::cache::part;
use super::load::extents;
use super::pack::{Packer, SEGMENT};
use super::record::{self, Counters};
use super::state::{Inner, State};
use super::store::{Area, Batch, Durability, StoreError, StoreResult};
use crate::vfs::content::{Chunk, Extent};
use crate::vfs::tree::{Body, Changes, Node, Tree};

/// The value that is given up so that removing works in a full store.
pub(super) const RESERVE_BYTES: usize = 256 * 1024;

/// A log longer than this, and than half of its checkpoint, gets a new one.
const LOG_BYTES: u64 = 512 * 1024;

/// Garbage that is worth a look.
const GARBAGE: u64 = 4 * 1024 * 1024;

/// Segments of like size that are worth merging.
const MERGE: usize = 16;

/// Bytes that one merge reads and writes at most.
const MERGE_BYTES: u64 = 4 * 1024 * 1024;

/// What a look at the segments found.
pub(super) struct Looked {
    /// The used bytes of every segment that is used.
    live: BTreeMap<u64, u64>,
    /// Whether any was dropped.
    pub(super) dropped: bool,
}

/// A chunk that moves within the store.
struct Move {
    inode: u64,
    index: u64,
    from: Extent,
    to: Extent,
}

impl Inner {
    /// Whether [`Inner::tidy`] would find something to do.
    pub(super) fn is_untidy(&self) -> bool {
        let state = self.state.borrow();
        let young = state.space.segments.len() as u64 > state.space.looked_at + MERGE as u64;
        state.log_is_long() || state.space.garbage > GARBAGE || young
    }

    /// Does what there is to do, in commits of its own; after an error things are as they were.
    pub(super) async fn tidy(&self) -> StoreResult<()> {
        let _gate = self.gate.lock().await;
        if !self.is_writable() {
            return Ok(());
        }
        if self.state.borrow().log_is_long() {
            self.checkpoint().await?;
        }
        let looked = self.drop_dead().await?;
        self.renew_reserve().await?;
        self.merge(looked.live).await?;
        let usage = self.store.usage().await;
        self.state.borrow_mut().space.usage = usage;
        Ok(())
    }

    /// Commits what is tidied up and takes note of an error.
    async fn commit_tidied(&self, batch: Batch) -> StoreResult<()> {
        let result = self.store.commit(batch, Durability::Relaxed).await;
        result.inspect_err(|error| self.note(error))
    }

    /// Writes everything down anew. The generation before stays, with the records after it.
    pub(super) async fn checkpoint(&self) -> StoreResult<()> {
        let (batch, number, bytes) = {
            let state = self.state.borrow();
            let number = state.counters.sequence;
            let value = record::encode_all(state.counters, &state.committed);
            let bytes = value.len() as u64;
            let (newest, _) = state.log.checkpoints;
            let drops = vec![(Area::Checkpoint, 0..newest), (Area::Log, 0..newest + 1)];
            let puts = vec![(Area::Checkpoint, number, value)];
            (Batch { epoch: state.epoch, puts, drops }, number, bytes)
        };
        self.commit_tidied(batch).await?;
        let log = &mut self.state.borrow_mut().log;
        log.checkpoints = (number, log.checkpoints.0);
        log.checkpoint_bytes = bytes;
        log.bytes = 0;
        Ok(())
    }

    /// Drops segments that nothing uses.
    ///
    /// What is dropped here was given up by a commit that is finished: should this one be torn, the
    /// state before it lacks nothing.
    pub(super) async fn drop_dead(&self) -> StoreResult<Looked> {
        let (live, dead, batch) = {
            let state = &mut *self.state.borrow_mut();
            let tree = self.volume.tree.borrow();
            let mut live: BTreeMap<u64, u64> = BTreeMap::new();
            for (_, _, extent) in extents(&state.committed) {
                *live.entry(extent.segment).or_default() += u64::from(extent.len);
            }
            for (_, _, extent) in extents(&tree) {
                live.entry(extent.segment).or_default();
            }
            let segments = state.space.segments.iter().copied();
            let dead: Vec<u64> = segments.filter(|number| !live.contains_key(number)).collect();
            state.space.garbage = 0;
            let drops = runs(&dead).map(|run| (Area::Segment, run)).collect();
            (live, dead, Batch { epoch: state.epoch, puts: vec![], drops })
        };
        if !dead.is_empty() {
            self.commit_tidied(batch).await?;
        }
        let state = &mut *self.state.borrow_mut();
        for number in &dead {
            state.space.segments.remove(number);
            self.cache.forget(*number);
        }
        state.space.looked_at = state.space.segments.len() as u64;
        Ok(Looked { live, dropped: !dead.is_empty() })
    }

    /// Puts the reserve back once there is room.
    async fn renew_reserve(&self) -> StoreResult<()> {
        let (missing, epoch) = {
            let state = self.state.borrow();
            (!state.space.reserve && !state.space.full, state.epoch)
        };
        if !missing {
            return Ok(());
        }
        let puts = vec![(Area::Meta, super::commit::RESERVE, vec![0; RESERVE_BYTES])];
        match self.commit_tidied(Batch { epoch, puts, drops: vec![] }).await {
            Ok(()) => self.state.borrow_mut().space.reserve = true,
            Err(StoreError::NoSpace) => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// Merges segments of like size that are small or mostly unused.
    async fn merge(&self, live: BTreeMap<u64, u64>) -> StoreResult<()> {
        let chosen = choose(&live);
        if chosen.is_empty() {
            return Ok(());
        }
        let found = self.store.read(&chosen).await?;
        let sources: BTreeMap<u64, Vec<u8>> =
            chosen.into_iter().zip(found).filter_map(|(at, bytes)| Some((at, bytes?))).collect();
        let (batch, view, moves, counters) = self.plan_merge(&sources);
        let Some(batch) = batch else { return Ok(()) };
        let segments = batch.puts.iter().filter(|(area, ..)| *area == Area::Segment);
        let numbers: Vec<u64> = segments.map(|(_, number, _)| *number).collect();
        self.commit_tidied(batch).await?;
        let state = &mut *self.state.borrow_mut();
        let tree = &mut *self.volume.tree.borrow_mut();
        moves.iter().for_each(|moved| moved.make(tree));
        for (inode, pending) in &mut state.pending {
            if pending.base.is_some() {
                pending.base = view.get(*inode).cloned();
            }
        }
        state.committed = view;
        state.counters = counters;
        state.space.segments.extend(numbers);
        // The old ones are dead: the next look drops them.
        state.space.garbage = GARBAGE + 1;
        Ok(())
    }

    fn plan_merge(
        &self,
        sources: &BTreeMap<u64, Vec<u8>>,
    ) -> (Option<Batch>, Tree, Vec<Move>, Counters) {
        let state = &mut *self.state.borrow_mut();
        let mut packer = Packer::new(state.counters.next_segment);
        let mut packed: BTreeMap<Extent, Extent> = BTreeMap::new();
        let mut view = state.committed.snapshot();
        let (mut moves, mut changes) = (Vec::new(), Changes::default());
        for (inode, index, from) in extents(&state.committed) {
            let bytes = sources.get(&from.segment).and_then(|segment| part(segment, from));
            // What is damaged stays where it is, for a check to find.
            let Some(bytes) = bytes.filter(|bytes| crc32fast::hash(bytes) == from.checksum) else {
                continue;
            };
            let to = *packed.entry(from).or_insert_with(|| packer.bytes(bytes));
            moves.push(Move { inode, index, from, to });
            changes.inodes.insert(inode);
        }
        moves.iter().for_each(|moved| moved.make(&mut view));
        let (segments, next_segment) = packer.finish();
        state.counters.next_segment = next_segment;
        let counters = Counters { sequence: state.counters.sequence + 1, next_segment };
        if moves.is_empty() {
            return (None, view, moves, counters);
        }
        let record = record::encode(counters, &state.committed, &view, &changes).bytes;
        state.log.bytes += record.len() as u64;
        let mut puts: Vec<_> =
            segments.into_iter().map(|(number, bytes)| (Area::Segment, number, bytes)).collect();
        puts.push((Area::Log, counters.sequence, record));
        (Some(Batch { epoch: state.epoch, puts, drops: vec![] }), view, moves, counters)
    }
}

impl State {
    fn log_is_long(&self) -> bool {
        self.log.bytes > LOG_BYTES.max(self.log.checkpoint_bytes / 2)
    }
}

impl Move {
    fn make(&self, tree: &mut Tree) {
        let same =
            |chunk: Option<&Chunk>| matches!(chunk, Some(Chunk::Stored(at)) if *at == self.from);
        if !tree.content(self.inode).is_ok_and(|content| same(content.chunk(self.index))) {
            return;
        }
        if let Some(Node { body: Body::File(content), .. }) = tree.adjust(self.inode) {
            content.set_chunk(self.index, Chunk::Stored(self.to));
        }
    }
}

/// The segments to merge: many of about the same used size, each less than half full.
fn choose(live: &BTreeMap<u64, u64>) -> Vec<u64> {
    let mut classes: BTreeMap<u32, Vec<(u64, u64)>> = BTreeMap::new();
    for (number, bytes) in live {
        if *bytes > 0 && *bytes < SEGMENT as u64 / 2 {
            classes.entry(bytes.ilog2() / 2).or_default().push((*number, *bytes));
        }
    }
    let class = classes.into_values().find(|class| class.len() >= MERGE).unwrap_or_default();
    let mut total = 0;
    let fits = |(_, bytes): &(u64, u64)| {
        total += bytes;
        total <= MERGE_BYTES
    };
    class.into_iter().take_while(fits).map(|(number, _)| number).collect()
}

/// Ascending numbers as ranges.
fn runs(numbers: &[u64]) -> impl Iterator<Item = std::ops::Range<u64>> {
    numbers.chunk_by(|a, b| a + 1 == *b).filter_map(|run| Some(*run.first()?..run.last()? + 1))
}

#[cfg(test)]
mod tests {
    use super::runs;

    #[test]
    fn numbers_become_runs() {
        let found: Vec<_> = runs(&[1, 2, 3, 7, 9, 10]).collect();
        assert_eq!(found, [1..4, 7..8, 9..11]);
        assert_eq!(runs(&[]).count(), 0);
    }
}
