//! The validate room.
