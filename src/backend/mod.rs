//! The backend room.
