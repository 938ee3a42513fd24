//! The expand room.
