//! The host room.
