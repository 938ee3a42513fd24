//! Commits: what has changed, as new segments and one record, in one transaction.
//!
//! A commit looks at the tree at one moment and writes the difference to what is stored, leaving
//! out files whose writing has not ended. If the store refuses for want of space, what did not fit
//! goes back to its stored state and the rest, removals above all, is tried again.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::pack::Packer;
use super::record::{self, Counters};
use super::state::{Inner, State, Status};
use super::store::{Area, Batch, Durability, StoreError, StoreResult};
use crate::vfs::content::{Block, Chunk, Extent};
use crate::vfs::tree::{Body, Changes, Node, Tree};

/// The number of the reserve in [`Area::Meta`].
pub(super) const RESERVE: u64 = 1;

/// What a commit takes along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// What has ended.
    Ended,
    /// What has ended, and the content (but no record) of files still being written.
    Spill,
    /// Everything, files still being written as they are.
    All,
}

/// What a commit does about the reserve.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reserve {
    Keep,
    GiveUp,
}

/// A chunk that moves from memory to the store.
struct Move {
    inode: u64,
    index: u64,
    block: Rc<Block>,
    extent: Extent,
}

/// A commit worked out but not yet made.
struct Plan {
    scope: Scope,
    /// The tree as it will be stored.
    view: Tree,
    changes: Changes,
    moves: Vec<Move>,
    segments: Vec<(u64, Vec<u8>)>,
    record: Option<Vec<u8>>,
    counters: Counters,
    dirty_bytes: u64,
    garbage: u64,
}

impl Inner {
    /// Stores what has changed. After an error of space, what did not fit has been undone.
    pub(super) async fn commit(&self, scope: Scope, durability: Durability) -> StoreResult<()> {
        let _gate = self.gate.lock().await;
        if !self.is_writable() {
            return Ok(());
        }
        let result = match self.attempt(scope, durability, Reserve::Keep).await {
            Err(StoreError::NoSpace) => self.make_room(scope, durability).await,
            result => result,
        };
        let state = &mut *self.state.borrow_mut();
        match &result {
            Ok(()) => state.space.full = false,
            Err(StoreError::NoSpace) => state.space.full = true,
            Err(_) => {}
        }
        result
    }

    /// One try; after an error everything is as before it.
    async fn attempt(
        &self,
        scope: Scope,
        durability: Durability,
        reserve: Reserve,
    ) -> StoreResult<()> {
        let plan = self.prepare(scope, durability);
        if plan.segments.is_empty() && plan.record.is_none() {
            return Ok(());
        }
        let batch = self.batch(&plan, reserve);
        match self.store.commit(batch, durability).await {
            Ok(()) => {
                self.settle(plan, durability);
                let state = &mut *self.state.borrow_mut();
                state.space.reserve &= reserve == Reserve::Keep;
                Ok(())
            }
            Err(error) => {
                self.undo(plan);
                self.note(&error);
                Err(error)
            }
        }
    }

    fn batch(&self, plan: &Plan, reserve: Reserve) -> Batch {
        let epoch = self.state.borrow().epoch;
        let segments = plan.segments.iter();
        let mut puts: Vec<_> =
            segments.map(|(number, segment)| (Area::Segment, *number, segment.clone())).collect();
        if let Some(record) = &plan.record {
            puts.push((Area::Log, plan.counters.sequence, record.clone()));
        }
        let drops = match reserve {
            Reserve::Keep => vec![],
            Reserve::GiveUp => vec![(Area::Meta, RESERVE..RESERVE + 1)],
        };
        Batch { epoch, puts, drops }
    }

    /// What an error of the store means for all that follows.
    pub(super) fn note(&self, error: &StoreError) {
        match error {
            StoreError::Fenced => self.set_status(Status::ReadOnly(error.to_string())),
            StoreError::Closed => self.set_status(Status::Volatile(error.to_string())),
            _ => {}
        }
    }

    fn prepare(&self, scope: Scope, durability: Durability) -> Plan {
        let orphans = self.volume.orphans();
        let tree = &mut *self.volume.tree.borrow_mut();
        let state = &mut *self.state.borrow_mut();
        let changes = tree.take_changes();
        let mut view = tree.snapshot();
        if scope != Scope::All {
            tree.return_changes(withhold(&mut view, tree, &changes, state));
        }
        orphans.iter().for_each(|inode| view.erase(*inode));
        let mut packer = Packer::new(state.counters.next_segment);
        let mut moves = Vec::new();
        for inode in &changes.inodes {
            store_chunks(&mut view, *inode, &mut packer, &mut moves);
        }
        if scope == Scope::Spill {
            let mut current = tree.snapshot();
            for inode in state.pending.keys().chain(&orphans) {
                store_chunks(&mut current, *inode, &mut packer, &mut moves);
            }
        }
        let (segments, next_segment) = packer.finish();
        state.counters.next_segment = next_segment;
        let counters = Counters { sequence: state.counters.sequence + 1, next_segment };
        let record = record::encode(counters, &state.committed, &view, &changes);
        let barrier = durability == Durability::Strict && state.schedule.relaxed;
        let record = (record.changes || barrier).then_some(record.bytes);
        let garbage =
            changes.inodes.iter().map(|inode| lost_bytes(&state.committed, &view, *inode));
        let garbage = garbage.sum();
        let dirty_bytes = std::mem::take(&mut state.schedule.dirty_bytes);
        Plan { scope, view, changes, moves, segments, record, counters, dirty_bytes, garbage }
    }

    /// Takes note of a commit that was made.
    fn settle(&self, plan: Plan, durability: Durability) {
        let tree = &mut *self.volume.tree.borrow_mut();
        let state = &mut *self.state.borrow_mut();
        let untouched = state.pending.is_empty()
            && tree.changes().is_none_or(Changes::is_empty)
            && tree.len() == plan.view.len();
        if untouched {
            tree.adopt(&plan.view);
        } else {
            plan.moves.iter().for_each(|moved| moved.make(tree));
        }
        if plan.record.is_some() {
            state.counters.sequence = plan.counters.sequence;
            state.log.bytes += plan.record.map_or(0, |record| record.len() as u64);
        }
        state.committed = plan.view;
        for (inode, pending) in &mut state.pending {
            let stored = state.committed.get(*inode);
            if pending.base.is_some() || plan.scope == Scope::All {
                pending.base = stored.cloned();
            }
        }
        state.space.garbage = state.space.garbage.saturating_add(plan.garbage);
        state.schedule.relaxed = durability == Durability::Relaxed;
        for (number, segment) in plan.segments {
            state.space.segments.insert(number);
            self.cache.put(number, Some(Rc::new(segment)));
        }
    }

    fn undo(&self, plan: Plan) {
        self.volume.tree.borrow_mut().return_changes(plan.changes);
        self.state.borrow_mut().schedule.dirty_bytes += plan.dirty_bytes;
    }

    /// After a refusal for want of space: drops what is dead, stores what needs no space, and undoes
    /// what did not fit.
    async fn make_room(&self, scope: Scope, durability: Durability) -> StoreResult<()> {
        if self.drop_dead().await.is_ok_and(|looked| looked.dropped) {
            match self.attempt(scope, durability, Reserve::Keep).await {
                Err(StoreError::NoSpace) => {}
                result => return result,
            }
        }
        if scope == Scope::Spill && !self.state.borrow().pending.is_empty() {
            // What has ended may fit without the rest; the writer is told either way.
            match self.attempt(Scope::Ended, durability, Reserve::Keep).await {
                Err(StoreError::NoSpace) => {}
                result => return result.and(Err(StoreError::NoSpace)),
            }
        }
        let shed = self.shed();
        let result = match shed {
            Shed::Nothing | Shed::Some => self.attempt_with_reserve(durability).await,
            Shed::Impossible => Err(StoreError::NoSpace),
        };
        match result {
            Ok(()) if matches!(shed, Shed::Nothing) => Ok(()),
            Ok(()) => Err(StoreError::NoSpace),
            Err(error) => {
                self.roll_back();
                Err(error)
            }
        }
    }

    /// Stores what has ended, giving up the reserve only where it must.
    async fn attempt_with_reserve(&self, durability: Durability) -> StoreResult<()> {
        match self.attempt(Scope::Ended, durability, Reserve::Keep).await {
            Err(StoreError::NoSpace) if self.state.borrow().space.reserve => {}
            result => return result,
        }
        self.attempt(Scope::Ended, durability, Reserve::GiveUp).await
    }

    /// Puts files whose content is not stored back to what is.
    fn shed(&self) -> Shed {
        let tree = &mut *self.volume.tree.borrow_mut();
        let state = &mut *self.state.borrow_mut();
        let changes = tree.changes().cloned().unwrap_or_default();
        let in_memory =
            |node: &Node| matches!(&node.body, Body::File(content) if content.memory_bytes() > 0);
        for (inode, pending) in &mut state.pending {
            if pending.base.as_ref().is_some_and(in_memory) {
                pending.base = state.committed.get(*inode).cloned();
            }
        }
        let unsaved = changes.inodes.iter().copied().filter(|inode| {
            !state.pending.contains_key(inode) && tree.get(*inode).is_some_and(in_memory)
        });
        let unsaved: Vec<u64> = unsaved.collect();
        let (old, new): (BTreeSet<u64>, BTreeSet<u64>) =
            unsaved.iter().partition(|inode| state.committed.get(**inode).is_some());
        let entries = changes.entries.iter().filter(|(dir, name)| {
            let named = tree.names(*dir).ok().and_then(|names| names.get(name));
            named.is_some_and(|inode| new.contains(&inode))
        });
        let entries: Vec<_> = entries.cloned().collect();
        let replaced = |(dir, name): &(u64, crate::value::EcoString)| {
            state.committed.names(*dir).is_ok_and(|names| names.get(name).is_some())
        };
        if entries.iter().any(replaced) {
            return Shed::Impossible;
        }
        for (dir, name) in entries {
            tree.set_name(dir, &name, None);
        }
        for inode in old {
            if let (Some(node), Some(stored)) = (tree.adjust(inode), state.committed.get(inode)) {
                node.body = stored.body.clone();
                node.modified = stored.modified;
            }
        }
        for inode in new {
            tree.erase(inode);
        }
        if unsaved.is_empty() { Shed::Nothing } else { Shed::Some }
    }

    /// Goes back to what is stored.
    pub(super) fn roll_back(&self) {
        let state = &mut *self.state.borrow_mut();
        self.volume.tree.borrow_mut().adopt(&state.committed);
        state.pending.retain(|inode, pending| {
            pending.base = state.committed.get(*inode).cloned();
            pending.base.is_some()
        });
        state.schedule.dirty_bytes = 0;
    }
}

enum Shed {
    Nothing,
    Some,
    /// A new file that does not fit took the place of one that is stored.
    Impossible,
}

impl Move {
    /// Replaces the block in memory by its place in the store, unless it was written to since.
    fn make(&self, tree: &mut Tree) {
        let same = |chunk: Option<&Chunk>| matches!(chunk, Some(Chunk::Memory(block)) if Rc::ptr_eq(block, &self.block));
        if !tree.content(self.inode).is_ok_and(|content| same(content.chunk(self.index))) {
            return;
        }
        if let Some(Node { body: Body::File(content), .. }) = tree.adjust(self.inode) {
            content.set_chunk(self.index, Chunk::Stored(self.extent));
        }
    }
}

/// Shows files still being written as they were before; returns the changes that have to wait.
fn withhold(view: &mut Tree, tree: &Tree, changes: &Changes, state: &State) -> Changes {
    let mut waiting = Changes::default();
    for (inode, pending) in &state.pending {
        let Some(present) = tree.get(*inode) else { continue };
        waiting.inodes.insert(*inode);
        match (&pending.base, view.adjust(*inode)) {
            (Some(base), Some(node)) => *node = Node { links: present.links, ..base.clone() },
            _ => view.erase(*inode),
        }
    }
    for (dir, name) in &changes.entries {
        let named = tree.names(*dir).ok().and_then(|names| names.get(name));
        let pending = named.and_then(|inode| state.pending.get(&inode));
        if pending.is_some_and(|pending| pending.base.is_none()) {
            view.set_name(*dir, name, None);
            waiting.entries.insert((*dir, name.clone()));
        }
    }
    waiting
}

/// Gives every chunk of a file that is in memory a place in the store.
fn store_chunks(view: &mut Tree, inode: u64, packer: &mut Packer, moves: &mut Vec<Move>) {
    let Ok(content) = view.content(inode) else { return };
    let chunks = content.chunks().filter_map(|(index, chunk)| match chunk {
        Chunk::Memory(block) => Some((index, Rc::clone(block))),
        Chunk::Stored(_) => None,
    });
    let chunks: Vec<_> = chunks.collect();
    if chunks.is_empty() {
        return;
    }
    let Some(Node { body: Body::File(content), .. }) = view.adjust(inode) else { return };
    for (index, block) in chunks {
        let extent = packer.block(&block);
        content.set_chunk(index, Chunk::Stored(extent));
        moves.push(Move { inode, index, block, extent });
    }
}

/// Stored bytes of a file that it no longer uses.
fn lost_bytes(before: &Tree, after: &Tree, inode: u64) -> u64 {
    let Ok(old) = before.content(inode) else { return 0 };
    let new = after.content(inode).ok();
    let lost = old.chunks().filter_map(|(index, chunk)| match (chunk, new?.chunk(index)) {
        (Chunk::Stored(old), Some(Chunk::Stored(new))) if old == new => None,
        (Chunk::Stored(old), _) => Some(u64::from(old.len)),
        (Chunk::Memory(_), _) => None,
    });
    if new.is_none() { old.stored_bytes() } else { lost.sum() }
}
