//! The browser boundary: one class over the kernel, the host it runs on, and the store behind the persistent mount.
//!
//! Only this room says `wasm_bindgen`, `js_sys` and `web_sys`. Logic lives below; here bytes, events
//! and plain records cross, nothing is decided. It works in a worker, on a page and in Node alike.

mod driver;
mod files;
mod host;
mod idb;
mod lock;
mod module;
pub mod panic;
mod records;
mod shell;
mod sink;
mod volume;

pub use driver::{Door, Mounts};
pub use host::WebHost;
pub use idb::IdbStore;
pub use lock::VolumeLock;
pub use module::use_modules;
pub use shell::Shell;
pub use volume::Volume;
