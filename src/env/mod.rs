//! The state of a shell: variables, positional parameters, functions, aliases, options, traps.
//!
//! A [`Session`] is what a subshell copies: every part is shared copy-on-write, so a snapshot is
//! O(1) and a write in it costs what is written. Functions run in their caller's scope; `local`
//! shields a name by saving its former binding in the frame of the call.
//!
//! Deliberately not here: expansion, running, files.

mod options;
mod positional;
mod recording;
mod scope;
mod session;

pub use options::{Options, ShellOption};
pub use positional::Positional;
pub use recording::{LastOutput, Recording};
pub use scope::{ReadonlyError, Scope, Variable};
pub use session::{Function, IgnoreConfig, Last, Session, SessionConfig, Trap};
