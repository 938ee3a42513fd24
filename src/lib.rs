//! tabsh: a shell that lives in a browser tab.
//!
//! What happens to a line of input, step by step:
//!
//! 1. [`kernel::Kernel::execute`] takes the text. [`syntax::parse`] makes a tree of it, with spans,
//!    complete even where there are errors; arithmetic is compiled on the way.
//! 2. [`validate`] looks at the tree before anything runs. An error there, or from the parser, and
//!    nothing of the program runs.
//! 3. [`exec::Machine`] walks the tree on frames of its own. Each simple command's words go through
//!    [`expand`], which answers values or asks the machine to run a `$(…)`.
//! 4. The command's name is looked up: functions ([`env`]), [`builtins`], scripts, what the page
//!    registered ([`tool::Registry`]). The frame in [`tool`] parses its arguments by its spec.
//! 5. The command reads and writes [`io`] streams and, through [`tool::KernelBackend`], the mounts of
//!    [`vfs`]. A full pipe makes it wait; a long loop yields by its work budget ([`jobs`]).
//! 6. Output leaves through a sink, piece by piece, and the exit status comes back.
//!
//! [`editor`] is what a person types into; the `web` room binds all of it to a browser. Rooms import
//! only from rooms above them; `tests/tidy.rs` holds the order.

pub mod backend;
pub mod builtins;
pub mod editor;
pub mod env;
pub mod exec;
pub mod expand;
pub mod host;
pub mod io;
pub mod jobs;
pub mod kernel;
pub mod pattern;
pub mod syntax;
pub mod tool;
pub mod validate;
pub mod value;
pub mod vfs;
#[cfg(target_arch = "wasm32")]
pub mod web;
