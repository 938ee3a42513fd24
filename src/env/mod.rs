//! The env room.
