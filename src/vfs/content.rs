//! The content of one file: 64 KiB chunks, shared copy-on-write, in memory or in a store.
//!
//! A chunk may be shorter than its place in the file, or missing: what is not there reads as zeros.
//! Clones share every chunk, and a write copies only the chunks it touches. Bytes in memory are
//! drawn from a [`ByteBudget`] once per block, however many files and snapshots share it.

use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use super::ByteBudget;
use crate::io::{Errno, IoResult};

/// Bytes of a full chunk.
pub(super) const CHUNK: u64 = 64 * 1024;

/// The longest file.
pub(super) const MAX_LEN: u64 = i64::MAX as u64;

/// Where a stored chunk lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Extent {
    /// The segment that holds it.
    pub(super) segment: u64,
    /// Where it starts within the segment.
    pub(super) offset: u32,
    /// How long it is.
    pub(super) len: u32,
    /// The checksum of its bytes.
    pub(super) checksum: u32,
}

/// Bytes in memory that know which pool they were drawn from.
pub(super) struct Block {
    bytes: Vec<u8>,
    budget: ByteBudget,
}

impl Block {
    fn new(bytes: Vec<u8>, budget: &ByteBudget) -> Self {
        budget.draw(bytes.len() as u64);
        Self { bytes, budget: budget.clone() }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    fn put(&mut self, start: usize, bytes: &[u8]) {
        let before = self.bytes.len();
        if start >= before {
            self.bytes.resize(start, 0);
            self.bytes.extend_from_slice(bytes);
        } else {
            let stop = start + bytes.len();
            if stop > before {
                self.bytes.resize(stop, 0);
            }
            if let Some(place) = self.bytes.get_mut(start..stop) {
                place.copy_from_slice(bytes);
            }
        }
        self.budget.draw((self.bytes.len() - before) as u64);
    }

    fn cut(&mut self, len: usize) {
        let before = self.bytes.len();
        self.bytes.truncate(len);
        self.budget.give((before - self.bytes.len()) as u64);
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        self.budget.give(self.bytes.len() as u64);
    }
}

/// One chunk of a file.
#[derive(Clone)]
pub(super) enum Chunk {
    /// In memory only; in a persistent filesystem: not stored yet.
    Memory(Rc<Block>),
    /// In the store.
    Stored(Extent),
}

impl Chunk {
    fn len(&self) -> u64 {
        match self {
            Self::Memory(block) => block.bytes.len() as u64,
            Self::Stored(extent) => u64::from(extent.len),
        }
    }
}

/// Why content could not be read or written at once.
#[derive(Clone, Copy)]
pub(super) enum Fault {
    /// It cannot be done.
    Errno(Errno),
    /// An extent must be fetched first.
    Load {
        /// The chunk of the file that it is.
        index: u64,
    },
}

impl From<Errno> for Fault {
    fn from(errno: Errno) -> Self {
        Self::Errno(errno)
    }
}

/// Stored bytes at hand: calls `with` with them, or answers `false` where they must be fetched.
pub(super) trait Source {
    /// See [`Source`]; fails where the bytes are lost.
    fn bytes(&self, extent: Extent, with: &mut dyn FnMut(&[u8])) -> IoResult<bool>;
}

/// What a write works with: the pool it draws from, and the stored bytes at hand.
#[derive(Clone, Copy)]
pub(super) struct Backing<'a> {
    pub(super) budget: &'a ByteBudget,
    pub(super) source: &'a dyn Source,
}

/// The source of a filesystem that stores nothing.
pub(super) struct NoSource;

impl Source for NoSource {
    fn bytes(&self, _: Extent, _: &mut dyn FnMut(&[u8])) -> IoResult<bool> {
        Ok(false)
    }
}

/// What a file holds.
#[derive(Clone, Default)]
pub(super) struct Content {
    len: u64,
    /// Chunk 0 by itself: most files are short, and this spares them the map.
    first: Option<Chunk>,
    rest: Option<Rc<BTreeMap<u64, Chunk>>>,
}

impl Content {
    /// Length of the file in bytes.
    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// The chunks that are there, by index.
    pub(super) fn chunks(&self) -> impl Iterator<Item = (u64, &Chunk)> {
        let rest = self.rest.iter().flat_map(|rest| rest.iter().map(|(at, chunk)| (*at, chunk)));
        self.first.iter().map(|chunk| (0, chunk)).chain(rest)
    }

    /// Puts a chunk in its place, as a loader or a commit does; the length stays.
    pub(super) fn set_chunk(&mut self, index: u64, chunk: Chunk) {
        if index == 0 {
            self.first = Some(chunk);
        } else {
            Rc::make_mut(self.rest.get_or_insert_default()).insert(index, chunk);
        }
    }

    /// Takes a chunk away, leaving a hole; the length stays.
    pub(super) fn take_chunk(&mut self, index: u64) -> Option<Chunk> {
        if index == 0 {
            return self.first.take();
        }
        Rc::make_mut(self.rest.as_mut()?).remove(&index)
    }

    /// Sets the length; the chunks are known to fit it.
    pub(super) fn declare_len(&mut self, len: u64) {
        self.len = len;
    }

    /// The segments of its stored chunks from a chunk on, in the order of the file.
    pub(super) fn segments_from(&self, index: u64) -> impl Iterator<Item = u64> {
        let first = self.first.iter().filter(move |_| index == 0);
        let rest = self.rest.iter().flat_map(move |rest| rest.range(index..).map(|(_, at)| at));
        first.chain(rest).filter_map(|chunk| match chunk {
            Chunk::Stored(extent) => Some(extent.segment),
            Chunk::Memory(_) => None,
        })
    }

    /// The chunk at an index; a hole where there is none.
    pub(super) fn chunk(&self, index: u64) -> Option<&Chunk> {
        if index == 0 { self.first.as_ref() } else { self.rest.as_ref()?.get(&index) }
    }

    /// Whether a write to this block changes nobody else's content.
    fn owns(&self, index: u64, block: &Rc<Block>) -> bool {
        Rc::strong_count(block) == 1
            && (index == 0 || self.rest.as_ref().is_none_or(|rest| Rc::strong_count(rest) == 1))
    }

    /// Bytes of memory that would be free if this content were dropped.
    pub(super) fn owned_bytes(&self) -> u64 {
        self.chunks()
            .map(|(index, chunk)| match chunk {
                Chunk::Memory(block) if self.owns(index, block) => block.bytes.len() as u64,
                _ => 0,
            })
            .sum()
    }

    /// Bytes of its blocks in memory, shared ones too.
    pub(super) fn memory_bytes(&self) -> u64 {
        self.chunks()
            .map(|(_, chunk)| if matches!(chunk, Chunk::Memory(_)) { chunk.len() } else { 0 })
            .sum()
    }

    /// Bytes of its chunks in the store.
    pub(super) fn stored_bytes(&self) -> u64 {
        self.chunks()
            .map(|(_, chunk)| if matches!(chunk, Chunk::Stored(_)) { chunk.len() } else { 0 })
            .sum()
    }

    /// At most `len` bytes from `offset`; empty at or past the end.
    pub(super) fn read(
        &self,
        offset: u64,
        len: usize,
        source: &dyn Source,
    ) -> Result<Vec<u8>, Fault> {
        let mut out = Vec::new();
        self.read_into(&mut out, offset, len, source)?;
        Ok(out)
    }

    /// Appends at most `len` bytes from `offset` to `out`, which a fault leaves as it was.
    pub(super) fn read_into(
        &self,
        out: &mut Vec<u8>,
        offset: u64,
        len: usize,
        source: &dyn Source,
    ) -> Result<(), Fault> {
        let stop = self.len.min(offset.saturating_add(len as u64));
        let before = out.len();
        if offset >= stop {
            return Ok(());
        }
        let size = usize::try_from(stop - offset).map_err(|_| Errno::TooLarge)?;
        out.try_reserve_exact(size).map_err(|_| Errno::TooLarge)?;
        for (index, range) in pieces(offset, stop) {
            let end = out.len() + range.len();
            if let Err(fault) = self.read_chunk(out, index, &range, source) {
                out.truncate(before);
                return Err(fault);
            }
            out.resize(end, 0);
        }
        Ok(())
    }

    fn read_chunk(
        &self,
        out: &mut Vec<u8>,
        index: u64,
        range: &Range<usize>,
        source: &dyn Source,
    ) -> Result<(), Fault> {
        match self.chunk(index) {
            None => Ok(()),
            Some(Chunk::Memory(block)) => {
                extend_from(out, &block.bytes, range);
                Ok(())
            }
            Some(Chunk::Stored(extent)) => {
                match source.bytes(*extent, &mut |bytes| extend_from(out, bytes, range))? {
                    true => Ok(()),
                    false => Err(Fault::Load { index }),
                }
            }
        }
    }

    /// Writes at `offset`; on a fault nothing has changed.
    pub(super) fn write(
        &mut self,
        offset: u64,
        bytes: &[u8],
        backing: Backing<'_>,
    ) -> Result<(), Fault> {
        let stop = offset.checked_add(bytes.len() as u64).filter(|stop| *stop <= MAX_LEN);
        let stop = stop.ok_or(Errno::TooLarge)?;
        if bytes.is_empty() {
            return Ok(());
        }
        let mut cost = 0;
        for (index, range) in pieces(offset, stop) {
            cost += self.cost(index, &range, backing.source)?;
        }
        backing.budget.check(cost)?;
        let mut rest = bytes;
        for (index, range) in pieces(offset, stop) {
            let (now, later) = rest.split_at_checked(range.len()).unwrap_or((rest, &[]));
            rest = later;
            self.put(index, range.start, now, backing);
        }
        self.len = self.len.max(stop);
        Ok(())
    }

    /// What writing to `range` of a chunk draws from the pool.
    fn cost(&self, index: u64, range: &Range<usize>, source: &dyn Source) -> Result<u64, Fault> {
        let stop = range.end as u64;
        Ok(match self.chunk(index) {
            None => stop,
            Some(Chunk::Memory(block)) if self.owns(index, block) => {
                stop.saturating_sub(block.bytes.len() as u64)
            }
            Some(Chunk::Stored(extent)) if !covers(range, extent.len) => {
                if !source.bytes(*extent, &mut |_| ())? {
                    return Err(Fault::Load { index });
                }
                stop.max(u64::from(extent.len))
            }
            Some(chunk) => stop.max(chunk.len()),
        })
    }

    fn put(&mut self, index: u64, start: usize, bytes: &[u8], backing: Backing<'_>) {
        let slot = if index == 0 {
            &mut self.first
        } else {
            let rest = Rc::make_mut(self.rest.get_or_insert_default());
            if let Some(Chunk::Memory(block)) = rest.get_mut(&index)
                && let Some(block) = Rc::get_mut(block)
            {
                return block.put(start, bytes);
            }
            let old = rest.remove(&index);
            let new = Chunk::Memory(Rc::new(rewritten(old.as_ref(), start, bytes, backing)));
            rest.insert(index, new);
            return;
        };
        if let Some(Chunk::Memory(block)) = slot
            && let Some(block) = Rc::get_mut(block)
        {
            return block.put(start, bytes);
        }
        let new = rewritten(slot.as_ref(), start, bytes, backing);
        *slot = Some(Chunk::Memory(Rc::new(new)));
    }

    /// Cuts or extends with zeros; never short of space.
    pub(super) fn set_len(&mut self, len: u64, backing: Backing<'_>) -> Result<(), Fault> {
        if len > MAX_LEN {
            return Err(Errno::TooLarge.into());
        }
        if len < self.len {
            self.cut(len, backing)?;
        }
        self.len = len;
        Ok(())
    }

    fn cut(&mut self, len: u64, backing: Backing<'_>) -> Result<(), Fault> {
        let (last, keep) = (len / CHUNK, len % CHUNK);
        let tail = self.chunk(last).filter(|chunk| keep != 0 && chunk.len() > keep).cloned();
        let short = match tail {
            None => None,
            Some(chunk) => Some(shortened((last, &chunk), keep, backing)?),
        };
        if let Some(rest) = self.rest.take() {
            let mut rest = Rc::unwrap_or_clone(rest);
            rest.split_off(&(last + u64::from(keep != 0)).max(1));
            self.rest = (!rest.is_empty()).then(|| Rc::new(rest));
        }
        if len == 0 {
            self.first = None;
        }
        if let Some(chunk) = short {
            self.set_chunk(last, chunk);
        }
        Ok(())
    }
}

/// A block with the old bytes of a chunk and the new ones over them.
fn rewritten(old: Option<&Chunk>, start: usize, bytes: &[u8], backing: Backing<'_>) -> Block {
    let mut content = Vec::with_capacity(start + bytes.len());
    match old {
        None => {}
        Some(Chunk::Memory(block)) => content.extend_from_slice(&block.bytes),
        // A whole overwrite needs no old bytes; for any other `cost` has seen them at hand.
        Some(Chunk::Stored(extent)) if covers(&(start..start + bytes.len()), extent.len) => {}
        Some(Chunk::Stored(extent)) => {
            let _ = backing.source.bytes(*extent, &mut |bytes| content.extend_from_slice(bytes));
        }
    }
    let mut block = Block::new(content, backing.budget);
    block.put(start, bytes);
    block
}

fn shortened(
    (index, chunk): (u64, &Chunk),
    keep: u64,
    backing: Backing<'_>,
) -> Result<Chunk, Fault> {
    let mut content = Vec::new();
    let keep = usize::try_from(keep).unwrap_or(usize::MAX);
    match chunk {
        Chunk::Memory(block) => content.extend_from_slice(&block.bytes),
        Chunk::Stored(extent) => {
            if !backing.source.bytes(*extent, &mut |bytes| content.extend_from_slice(bytes))? {
                return Err(Fault::Load { index });
            }
        }
    }
    let mut block = Block::new(content, backing.budget);
    block.cut(keep);
    Ok(Chunk::Memory(Rc::new(block)))
}

fn covers(range: &Range<usize>, len: u32) -> bool {
    range.start == 0 && range.end as u64 >= u64::from(len)
}

fn extend_from(out: &mut Vec<u8>, bytes: &[u8], range: &Range<usize>) {
    let there = range.start.min(bytes.len())..range.end.min(bytes.len());
    out.extend_from_slice(bytes.get(there).unwrap_or_default());
}

/// The chunks that `start..stop` touches, each with its range within the chunk.
fn pieces(start: u64, stop: u64) -> impl Iterator<Item = (u64, Range<usize>)> {
    let mut at = start;
    std::iter::from_fn(move || {
        if at >= stop {
            return None;
        }
        let (index, from) = (at / CHUNK, at % CHUNK);
        let to = CHUNK.min(from + (stop - at));
        at += to - from;
        Some((index, usize::try_from(from).ok()?..usize::try_from(to).ok()?))
    })
}
