//! The builtins: one file or folder each, and the list.
//!
//! A file reads top to bottom: the spec, `run`, what it needs. Adding one touches its file and
//! [`ALL`]. Options, help, `--json`, misuse and closed pipes are the frame's business (`tool`).
//!
//! Deliberately not here: builtins that change the machine's control flow run in `exec` by request.

mod cat;
mod echo;
mod printf;

use crate::tool::Builtin;

/// Every builtin, one line each, sorted by name.
pub const ALL: &[&Builtin] = &[&cat::BUILTIN, &echo::BUILTIN, &printf::BUILTIN];
