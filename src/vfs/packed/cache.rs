//! Segments at hand, the least recently used dropped first; their extents are checked on first use.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::io::{Errno, IoResult};
use crate::vfs::content::{Extent, Source};

/// Bytes of segments kept.
const LIMIT: usize = 24 * 1024 * 1024;

struct Held {
    /// `None` for one that the store does not have.
    bytes: Option<Rc<Vec<u8>>>,
    checked: FxHashSet<u32>,
    used: u64,
}

/// A cache of segments.
#[derive(Default)]
pub(super) struct Cache(RefCell<State>);

#[derive(Default)]
struct State {
    held: FxHashMap<u64, Held>,
    size: usize,
    clock: u64,
}

impl Cache {
    pub(super) fn has(&self, segment: u64) -> bool {
        self.0.borrow().held.contains_key(&segment)
    }

    /// Keeps a segment, or the knowledge that there is none.
    pub(super) fn put(&self, segment: u64, bytes: Option<Rc<Vec<u8>>>) {
        self.forget(segment);
        let state = &mut *self.0.borrow_mut();
        state.clock += 1;
        state.size += bytes.as_ref().map_or(0, |bytes| bytes.len());
        let held = Held { bytes, checked: FxHashSet::default(), used: state.clock };
        state.held.insert(segment, held);
        while state.size > LIMIT && state.held.len() > 1 {
            // Some dozens of segments: looking at all of them costs less than keeping an order.
            let oldest = state.held.iter().min_by_key(|(_, held)| held.used);
            let Some(oldest) = oldest.map(|(segment, _)| *segment) else { break };
            state.remove(oldest);
        }
    }

    pub(super) fn forget(&self, segment: u64) {
        self.0.borrow_mut().remove(segment);
    }

    pub(super) fn clear(&self) {
        *self.0.borrow_mut() = State::default();
    }

    pub(super) fn size(&self) -> usize {
        self.0.borrow().size
    }
}

impl State {
    fn remove(&mut self, segment: u64) {
        if let Some(held) = self.held.remove(&segment) {
            self.size -= held.bytes.map_or(0, |bytes| bytes.len());
        }
    }
}

impl Source for Cache {
    fn bytes(&self, extent: Extent, with: &mut dyn FnMut(&[u8])) -> IoResult<bool> {
        let state = &mut *self.0.borrow_mut();
        state.clock += 1;
        let Some(held) = state.held.get_mut(&extent.segment) else { return Ok(false) };
        held.used = state.clock;
        let all = held.bytes.as_ref().ok_or(Errno::Io)?;
        let bytes = part(all, extent).ok_or(Errno::Io)?;
        if !held.checked.contains(&extent.offset) {
            if crc32fast::hash(bytes) != extent.checksum {
                return Err(Errno::Io);
            }
            held.checked.insert(extent.offset);
        }
        with(bytes);
        Ok(true)
    }
}

/// The bytes of an extent within its segment, where it fits.
pub(super) fn part(segment: &[u8], extent: Extent) -> Option<&[u8]> {
    let start = usize::try_from(extent.offset).ok()?;
    segment.get(start..start.checked_add(usize::try_from(extent.len).ok()?)?)
}
