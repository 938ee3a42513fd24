//! The persistent filesystem: all metadata in memory, a log of changes, content packed in segments.
//!
//! Changes are made in the tree at once and stored a little later: at the end of a command, within
//! 200 ms, or when some megabytes wait. One commit is one transaction of the [`Store`]: new segments
//! and one record that leads from the tree stored before to the tree now. So a crash leaves a prefix
//! of what was done, each operation whole or not at all, and a file written from scratch is named by
//! a record only after its close. Nothing is overwritten; what became dead is dropped by a later
//! commit than the one that gave it up. Checkpoints hold all metadata, in two generations.
//!
//! Deliberately not here: who may write (the page holds a lock per volume; the store compares the
//! writer's epoch), and the store itself (`web`).

mod cache;
mod check;
mod codec;
mod commit;
mod filesystem;
mod handle;
mod load;
mod pack;
mod record;
mod state;
mod store;
mod tidy;

pub use check::{Care, Problem, Report};
pub use filesystem::{Access, PackedFs};
pub use state::Status;
pub use store::{Area, Batch, Durability, Store, StoreError, StoreResult};
