//! The kernel room.
