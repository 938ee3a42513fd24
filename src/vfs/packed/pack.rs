//! Blocks in memory packed into segments, each block once however many files share it.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::vfs::content::{Block, Extent};

/// The size at which a segment is full.
pub(super) const SEGMENT: usize = 1024 * 1024;

/// Segments being filled.
pub(super) struct Packer {
    next: u64,
    segments: Vec<(u64, Vec<u8>)>,
    packed: FxHashMap<*const Block, Extent>,
}

impl Packer {
    /// A packer whose first segment gets the number `next`.
    pub(super) fn new(next: u64) -> Self {
        Self { next, segments: Vec::new(), packed: FxHashMap::default() }
    }

    /// Where a block will lie.
    pub(super) fn block(&mut self, block: &Rc<Block>) -> Extent {
        let key = Rc::as_ptr(block);
        if let Some(extent) = self.packed.get(&key) {
            return *extent;
        }
        let extent = self.bytes(block.bytes());
        self.packed.insert(key, extent);
        extent
    }

    /// Where bytes will lie.
    pub(super) fn bytes(&mut self, bytes: &[u8]) -> Extent {
        let fits = |(_, segment): &(u64, Vec<u8>)| segment.len() + bytes.len() <= SEGMENT;
        if !self.segments.last().is_some_and(fits) {
            self.segments.push((self.next, Vec::new()));
            self.next += 1;
        }
        let mut extent = Extent { segment: 0, offset: 0, len: 0, checksum: crc32fast::hash(bytes) };
        if let Some((number, segment)) = self.segments.last_mut() {
            extent.segment = *number;
            extent.offset = u32::try_from(segment.len()).unwrap_or(u32::MAX);
            extent.len = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
            segment.extend_from_slice(bytes);
        }
        extent
    }

    /// The segments with their numbers, in buffers of exactly their size, and the next number.
    pub(super) fn finish(mut self) -> (Vec<(u64, Vec<u8>)>, u64) {
        self.segments.iter_mut().for_each(|(_, segment)| segment.shrink_to_fit());
        (self.segments, self.next)
    }
}
