//! The editor room.
