//! The builtins: one file or folder each, and the list.
//!
//! A file reads top to bottom: the spec, `run`, what it needs. Adding one touches its file and
//! [`ALL`]. Options, help, `--json`, misuse and closed pipes are the frame's business (`tool`).
//!
//! Deliberately not here: builtins that change the machine's control flow run in `exec` by request.

mod cat;
mod cut;
mod echo;
mod head;
mod input;
mod printf;
mod size;
mod tail;
mod wc;

use crate::tool::Builtin;

/// Every builtin, one line each, sorted by name.
pub const ALL: &[&Builtin] = &[
    &cat::BUILTIN,
    &cut::BUILTIN,
    &echo::BUILTIN,
    &head::BUILTIN,
    &printf::BUILTIN,
    &tail::BUILTIN,
    &wc::BUILTIN,
];
