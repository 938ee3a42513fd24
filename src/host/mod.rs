//! The outside world as one trait: clock, timers, randomness, spawning and yielding.
//!
//! A heavy part of a command may be a [`Module`] of its own, which the host loads on first use (in a
//! browser: another wasm file in a worker of its own) and runs in steps.
//!
//! The kernel owns no thread, clock or random source; it asks its [`Host`]. The browser's
//! implementation is in `web`, the native one in `examples` and `tests`; [`FakeHost`] here runs on a
//! clock that moves only when everything waits, so tests of time neither sleep nor race.

mod fake;
#[cfg(not(target_arch = "wasm32"))]
mod linked;
mod module;
mod time;

use std::time::Duration;

use futures::future::LocalBoxFuture;

pub use fake::{Clock, FakeHost};
pub use module::{Feed, Module, ModuleError, ModuleStep, Next};
pub use time::Timestamp;

/// A run of a module, once it has started.
pub type StartingModule = LocalBoxFuture<'static, Result<Box<dyn Module>, ModuleError>>;

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

    /// Starts a run of a module that is loaded on first use; `request` is what the module's own
    /// documentation says. Dropping the run ends it.
    fn start_module(&self, name: &'static str, request: String) -> StartingModule {
        let _ = request;
        Box::pin(std::future::ready(Err(ModuleError::new(name, "this host has no modules"))))
    }
}
