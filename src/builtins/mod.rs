//! The builtins: one file or folder each, and the list.
//!
//! A file reads top to bottom: the spec, `run`, what it needs. Adding one touches its file and
//! [`ALL`]. Options, help, `--json`, misuse and closed pipes are the frame's business (`tool`).
//!
//! Deliberately not here: builtins that change the machine's control flow run in `exec` by request.

mod basename;
mod cat;
mod clear;
mod common;
mod cut;
mod dirname;
mod echo;
mod env;
mod head;
mod input;
mod ls;
mod mkdir;
mod printf;
mod rm;
mod rmdir;
mod seq;
mod size;
mod sleep;
mod tail;
mod tee;
mod touch;
mod true_false;
mod version;
mod wc;
mod yes;

use crate::tool::Builtin;

/// Every builtin, one line each, sorted by name.
pub const ALL: &[&Builtin] = &[
    &basename::BUILTIN,
    &cat::BUILTIN,
    &clear::BUILTIN,
    &cut::BUILTIN,
    &dirname::BUILTIN,
    &echo::BUILTIN,
    &env::BUILTIN,
    &env::PRINTENV,
    &head::BUILTIN,
    &mkdir::BUILTIN,
    &printf::BUILTIN,
    &rm::BUILTIN,
    &rmdir::BUILTIN,
    &seq::BUILTIN,
    &sleep::BUILTIN,
    &ls::BUILTIN,
    &tail::BUILTIN,
    &tee::BUILTIN,
    &touch::BUILTIN,
    &true_false::COLON,
    &true_false::FALSE,
    &true_false::TRUE,
    &wc::BUILTIN,
    &yes::BUILTIN,
];
