//! The vfs room.
