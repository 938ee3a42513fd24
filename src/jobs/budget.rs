//! The work budget: counted work, a clock looked at rarely, a yield about every 8 ms.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use crate::host::Host;

/// Units of work between two looks at the clock.
const STRIDE: i64 = 20_000;

/// How long work may go on before the event loop gets its turn.
const SLICE: Duration = Duration::from_millis(8);

/// Counts work and says when it is time to yield; one per kernel.
pub struct WorkBudget {
    host: Rc<dyn Host>,
    left: Cell<i64>,
    slice_start: Cell<Duration>,
}

impl WorkBudget {
    /// A budget on the host's clock.
    pub fn new(host: Rc<dyn Host>) -> Self {
        let slice_start = Cell::new(host.monotonic());
        Self { host, left: Cell::new(STRIDE), slice_start }
    }

    /// Charges `units` (one is about one simple operation or 16 bytes) and says whether to yield.
    #[inline]
    pub fn charge(&self, units: u32) -> bool {
        let left = self.left.get() - i64::from(units);
        self.left.set(left);
        left < 0 && self.is_spent()
    }

    /// Whether the slice has run out; refills the count where it has not.
    #[cold]
    fn is_spent(&self) -> bool {
        if self.host.monotonic().saturating_sub(self.slice_start.get()) >= SLICE {
            return true;
        }
        self.left.set(STRIDE);
        false
    }

    /// Lets the event loop run, then starts a new slice.
    pub async fn rest(&self) {
        self.host.yield_now().await;
        self.renew();
    }

    /// Starts a new slice: call it when the event loop hands control to the kernel.
    pub fn renew(&self) {
        self.left.set(STRIDE);
        self.slice_start.set(self.host.monotonic());
    }
}
