//! The builtins room.
