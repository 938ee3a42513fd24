//! The io room.
