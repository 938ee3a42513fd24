//! The commands that tell of the shell itself and change its own settings: `kaish-…`.

mod clear;
mod ignore;
mod last;
mod output_limit;
mod state;
mod vfs;

pub(super) use clear::BUILTIN as CLEAR;
pub(super) use ignore::BUILTIN as IGNORE;
pub(super) use last::BUILTIN as LAST;
pub(super) use output_limit::BUILTIN as OUTPUT_LIMIT;
pub(super) use state::{MOUNTS, STATUS, TOOLS, VARS, VERSION};
pub(super) use vfs::BUILTIN as VFS;
