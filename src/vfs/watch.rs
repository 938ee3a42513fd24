//! Who wants to know of changes below a path, and what has changed since they last asked.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::{Rc, Weak};
use std::task::{Poll, Waker};

use super::{Path, PathBuf};

/// Paths remembered one by one; where more change at once, only the watched path is told.
const MOST: usize = 4096;

/// Changes below a path, for as long as it is kept.
pub struct Watch(Rc<Shared>);

struct Shared {
    top: PathBuf,
    changed: RefCell<BTreeSet<PathBuf>>,
    waker: RefCell<Option<Waker>>,
}

impl Watch {
    /// Waits until something has changed, and answers the paths, sorted. A path that was moved or
    /// removed counts as changed; of a directory only it itself is told.
    pub async fn next(&self) -> Vec<PathBuf> {
        std::future::poll_fn(|cx| {
            let changed = self.0.changed.take();
            if changed.is_empty() {
                *self.0.waker.borrow_mut() = Some(cx.waker().clone());
                return Poll::Pending;
            }
            Poll::Ready(changed.into_iter().collect())
        })
        .await
    }
}

/// All watches of a router.
#[derive(Clone, Default)]
pub(super) struct Watches(Rc<RefCell<Vec<Weak<Shared>>>>);

impl Watches {
    /// Begins to watch a path that is taken as it stands.
    pub(super) fn add(&self, top: &Path) -> Watch {
        let shared = Shared {
            top: top.to_path_buf(),
            changed: RefCell::default(),
            waker: RefCell::default(),
        };
        let shared = Rc::new(shared);
        self.0.borrow_mut().push(Rc::downgrade(&shared));
        Watch(shared)
    }

    /// Whether nobody watches.
    pub(super) fn is_empty(&self) -> bool {
        let mut watches = self.0.borrow_mut();
        watches.retain(|watch| watch.strong_count() > 0);
        watches.is_empty()
    }

    /// Tells those who watch a path, what lies above it, or what lies below it.
    pub(super) fn tell(&self, path: &Path) {
        for watch in self.0.borrow().iter().filter_map(Weak::upgrade) {
            if !path.starts_with(&watch.top) && !watch.top.starts_with(path) {
                continue;
            }
            let mut changed = watch.changed.borrow_mut();
            if changed.len() >= MOST {
                changed.clear();
                changed.insert(watch.top.clone());
            } else {
                changed.insert(path.to_path_buf());
            }
            if let Some(waker) = watch.waker.take() {
                waker.wake();
            }
        }
    }
}
