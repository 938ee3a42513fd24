//! Implementations of the kernel's backend contract over mounts, and what they share.
//!
//! Ranges and patches are worked out on bytes here, once for every backend. Deliberately not here:
//! the contract itself (`tool`), filesystems (`vfs`), the page's own backend (`web`).

mod js;
mod local;
mod null;
mod overlay;
mod patch;
mod range;

pub use js::JsBackend;
pub use local::LocalBackend;
pub use null::NullBackend;
pub use overlay::OverlayBackend;
pub use patch::apply_patch;
pub use range::apply_range;
