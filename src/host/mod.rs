//! The outside world as one trait: clock, timers, randomness, spawning and yielding.
//!
//! The kernel owns no thread, clock or random source; it asks its [`Host`]. The browser's
//! implementation is in `web`, the native one in `examples` and `tests`; [`FakeHost`] here runs on a
//! clock that moves only when everything waits, so tests of time neither sleep nor race.

mod fake;
mod time;

use std::time::Duration;

use futures::future::LocalBoxFuture;

pub use fake::{Clock, FakeHost};
pub use time::Timestamp;

/// What the kernel needs of the world.
pub trait Host {
    /// The wall clock.
    fn now(&self) -> Timestamp;

    /// Time since some fixed point, never going back; for measuring only.
    fn monotonic(&self) -> Duration;

    /// Resolves after `duration`; dropping it cancels the timer.
    fn sleep(&self, duration: Duration) -> LocalBoxFuture<'static, ()>;

    /// Resolves after the host's event loop has served what was waiting (messages, timers, input).
    fn yield_now(&self) -> LocalBoxFuture<'static, ()>;

    /// Runs a task to its end, concurrently with the caller; it is polled from the event loop.
    fn spawn(&self, task: LocalBoxFuture<'static, ()>);

    /// Fills `buffer` with random bytes.
    fn random(&self, buffer: &mut [u8]);
}
