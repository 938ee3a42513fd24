//! The commands that tell of the shell itself and change its own settings: `kaish-…`.

mod clear;
mod last;
mod state;

pub(super) use clear::BUILTIN as CLEAR;
pub(super) use last::BUILTIN as LAST;
pub(super) use state::{MOUNTS, STATUS, TOOLS, VARS, VERSION};
