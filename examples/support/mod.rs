//! A host on the machine's own clock, for native programs that run a kernel.

use std::rc::Rc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use tabsh::host::{Clock, FakeHost, Timestamp};

struct SystemClock(Instant);

impl Clock for SystemClock {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }

    fn wait_until(&self, at: Duration) {
        std::thread::sleep(at.saturating_sub(self.0.elapsed()));
    }
}

/// A host that runs in real time.
#[expect(clippy::disallowed_methods, reason = "this is where native programs meet the system")]
pub(crate) fn host() -> FakeHost {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let start = Timestamp::default().after(since);
    FakeHost::with_clock(start, since.subsec_nanos().into(), Box::new(SystemClock(Instant::now())))
}

/// The host as the kernel wants it.
pub(crate) fn shared(host: &FakeHost) -> Rc<dyn tabsh::host::Host> {
    Rc::new(host.clone())
}
