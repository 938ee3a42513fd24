//! Changes over a filesystem that is never written: an upper layer in memory, whiteouts, bases.
//!
//! What is changed is copied up first, and what it was is kept beside it (sharing its bytes), so
//! that a commit can tell whether the lower layer has changed meanwhile. A whiteout hides the lower
//! layer at a path and below it. Devices are not copied: writes to them go through.

mod changes;
mod filesystem;
mod layers;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

pub use changes::{Change, ChangeKind, Difference};

use super::{ByteBudget, Filesystem, MemoryFs, Metadata, Snapshot};
use crate::host::Host;

/// A filesystem that keeps changes apart from the one they are made to.
pub struct OverlayFs {
    lower: Rc<dyn Filesystem>,
    /// `/u` holds the upper layer, `/b` the bases of what was copied up whole.
    memory: MemoryFs,
    marks: RefCell<Marks>,
}

/// What the lower layer was when something at a path was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Base {
    /// Its content is kept.
    Kept(Metadata),
    /// Only its metadata is known.
    Seen(Metadata),
}

impl Base {
    fn metadata(&self) -> &Metadata {
        match self {
            Self::Kept(metadata) | Self::Seen(metadata) => metadata,
        }
    }
}

#[derive(Clone, Default)]
struct Marks {
    /// Paths at and below which the lower layer is hidden.
    whiteouts: Rc<BTreeSet<String>>,
    bases: Rc<BTreeMap<String, Base>>,
}

/// The state of an [`OverlayFs`] at one moment.
#[derive(Clone)]
pub struct OverlaySnapshot {
    memory: Snapshot,
    marks: Marks,
}

impl OverlayFs {
    /// An overlay without changes.
    pub fn new(lower: Rc<dyn Filesystem>, host: Rc<dyn Host>, budget: &ByteBudget) -> Self {
        let memory = MemoryFs::new(host, budget);
        memory.prepare(&["/u", "/b"]);
        Self { lower, memory, marks: RefCell::default() }
    }

    /// The filesystem below, never written but by a commit.
    pub fn lower(&self) -> &Rc<dyn Filesystem> {
        &self.lower
    }

    /// The present state of the changes.
    pub fn snapshot(&self) -> OverlaySnapshot {
        OverlaySnapshot { memory: self.memory.snapshot(), marks: self.marks.borrow().clone() }
    }

    /// Goes back to a state.
    pub fn restore(&self, snapshot: &OverlaySnapshot) {
        self.memory.restore(&snapshot.memory);
        *self.marks.borrow_mut() = snapshot.marks.clone();
    }

    /// A second overlay on the same lower layer that starts with the same changes.
    #[must_use]
    pub fn fork(&self) -> Self {
        let marks = RefCell::new(self.marks.borrow().clone());
        Self { lower: Rc::clone(&self.lower), memory: self.memory.fork(), marks }
    }
}
