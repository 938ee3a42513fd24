//! A store in memory that fails, runs full, remembers every commit, and can be torn open anywhere.
#![allow(dead_code, reason = "each test program uses a part")]

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use async_trait::async_trait;
use tabsh::vfs::packed::{Area, Batch, Durability, Store, StoreError, StoreResult};

type Bytes = Rc<Vec<u8>>;

type Values = BTreeMap<(Area, u64), Bytes>;

/// A batch that was committed.
#[derive(Clone)]
pub(crate) struct Commit {
    pub(crate) puts: Vec<(Area, u64, Bytes)>,
    pub(crate) drops: Vec<(Area, Range<u64>)>,
}

/// See the file's first line.
#[derive(Default)]
pub(crate) struct MemoryStore {
    pub(crate) values: RefCell<Values>,
    pub(crate) epoch: Cell<u64>,
    /// Every batch that was committed.
    pub(crate) history: RefCell<Vec<Commit>>,
    pub(crate) durabilities: RefCell<Vec<Durability>>,
    /// Answers the commit of this number (from 0) with an error.
    pub(crate) fails: RefCell<Option<(usize, StoreError)>>,
    pub(crate) commits: Cell<usize>,
    /// Bytes that fit; 0 for any number.
    pub(crate) quota: Cell<usize>,
    pub(crate) reads: Cell<usize>,
}

/// Makes the changes of a batch; `take` says which of its parts reach the store.
fn apply(values: &mut Values, batch: &Commit, mut take: impl FnMut(usize) -> bool) {
    let mut part = 0;
    let mut taken = || {
        part += 1;
        take(part - 1)
    };
    for (area, number, bytes) in &batch.puts {
        if taken() {
            values.insert((*area, *number), Rc::clone(bytes));
        }
    }
    for (area, range) in &batch.drops {
        if taken() {
            values.retain(|(at, number), _| at != area || !range.contains(number));
        }
    }
}

impl MemoryStore {
    pub(crate) fn new() -> Rc<Self> {
        Rc::default()
    }

    /// What a crash leaves during commit `at` of `history`: all before it, and those of its parts
    /// that `take` picks; `torn` cuts the record it writes in half.
    pub(crate) fn crashed(
        history: &[Commit],
        at: usize,
        take: impl FnMut(usize) -> bool,
        torn: bool,
    ) -> Rc<Self> {
        let store = Self::new();
        {
            let values = &mut *store.values.borrow_mut();
            for batch in &history[..at] {
                apply(values, batch, |_| true);
            }
            if let Some(batch) = history.get(at) {
                let mut batch = batch.clone();
                for (area, _, bytes) in &mut batch.puts {
                    if torn && matches!(area, Area::Log | Area::Checkpoint) {
                        let half = bytes.len() / 2;
                        Rc::make_mut(bytes).truncate(half);
                    }
                }
                apply(values, &batch, take);
            }
        }
        store.epoch.set(1);
        store
    }

    pub(crate) fn size(&self) -> usize {
        self.values.borrow().values().map(|bytes| bytes.len()).sum()
    }

    pub(crate) fn list_segments(&self) -> Vec<u64> {
        let values = self.values.borrow();
        values.keys().filter(|(at, _)| *at == Area::Segment).map(|(_, number)| *number).collect()
    }

    pub(crate) fn count(&self, area: Area) -> usize {
        self.values.borrow().keys().filter(|(at, _)| *at == area).count()
    }
}

#[async_trait(?Send)]
impl Store for MemoryStore {
    async fn load(&self, area: Area) -> StoreResult<Vec<(u64, Vec<u8>)>> {
        let values = self.values.borrow();
        let all = values.iter().filter(|((at, _), _)| *at == area);
        Ok(all.map(|((_, number), bytes)| (*number, bytes.to_vec())).collect())
    }

    async fn list(&self, area: Area) -> StoreResult<Vec<u64>> {
        let values = self.values.borrow();
        Ok(values.keys().filter(|(at, _)| *at == area).map(|(_, number)| *number).collect())
    }

    async fn read(&self, segments: &[u64]) -> StoreResult<Vec<Option<Vec<u8>>>> {
        self.reads.set(self.reads.get() + 1);
        let values = self.values.borrow();
        let find = |number: &u64| values.get(&(Area::Segment, *number)).map(|bytes| bytes.to_vec());
        Ok(segments.iter().map(find).collect())
    }

    async fn claim(&self) -> StoreResult<u64> {
        self.epoch.set(self.epoch.get() + 1);
        Ok(self.epoch.get())
    }

    async fn commit(&self, batch: Batch, durability: Durability) -> StoreResult<()> {
        let number = self.commits.replace(self.commits.get() + 1);
        if let Some((at, error)) = &*self.fails.borrow()
            && *at == number
        {
            return Err(error.clone());
        }
        if batch.epoch != self.epoch.get() {
            return Err(StoreError::Fenced);
        }
        let puts = batch.puts.into_iter().map(|(area, at, bytes)| (area, at, Rc::new(bytes)));
        let batch = Commit { puts: puts.collect(), drops: batch.drops };
        let mut values = self.values.borrow().clone();
        apply(&mut values, &batch, |_| true);
        let size: usize = values.values().map(|bytes| bytes.len()).sum();
        if self.quota.get() != 0 && size > self.quota.get() && size > self.size() {
            return Err(StoreError::NoSpace);
        }
        *self.values.borrow_mut() = values;
        self.history.borrow_mut().push(batch);
        self.durabilities.borrow_mut().push(durability);
        Ok(())
    }

    async fn usage(&self) -> Option<(u64, u64)> {
        let quota = self.quota.get();
        (quota != 0).then(|| (self.size() as u64, quota.saturating_sub(self.size()) as u64))
    }
}
