//! The persistent filesystem: all metadata in memory, a log of changes, content packed in segments.

mod store;

pub use store::{Area, Batch, Durability, Store, StoreError, StoreResult};
