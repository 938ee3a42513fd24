//! The builtins: one file or folder each, and the list.
//!
//! A file reads top to bottom: the spec, `run`, what it needs. Adding one touches its file and
//! [`ALL`]. Options, help, `--json`, misuse and closed pipes are the frame's business (`tool`).
//!
//! Deliberately not here: builtins that change the machine's control flow run in `exec` by request.

mod basename;
mod cat;
mod clear;
mod comm;
mod common;
mod cp;
mod cut;
mod dirname;
mod echo;
mod env;
mod expand;
mod fold;
mod head;
mod input;
mod ln;
mod ls;
mod mkdir;
mod mv;
mod output;
mod paste;
mod printf;
mod rev;
mod rm;
mod rmdir;
mod seq;
mod size;
mod sleep;
mod sort;
mod tabs;
mod tac;
mod tail;
mod tee;
mod test;
mod touch;
mod tr;
mod true_false;
mod unexpand;
mod uniq;
mod version;
mod wc;
mod yes;

use crate::tool::Builtin;

/// Every builtin, one line each, sorted by name.
pub const ALL: &[&Builtin] = &[
    &basename::BUILTIN,
    &cat::BUILTIN,
    &clear::BUILTIN,
    &comm::BUILTIN,
    &cp::BUILTIN,
    &cut::BUILTIN,
    &dirname::BUILTIN,
    &echo::BUILTIN,
    &env::BUILTIN,
    &env::PRINTENV,
    &expand::BUILTIN,
    &fold::BUILTIN,
    &head::BUILTIN,
    &ln::BUILTIN,
    &ls::BUILTIN,
    &mkdir::BUILTIN,
    &mv::BUILTIN,
    &paste::BUILTIN,
    &printf::BUILTIN,
    &rev::BUILTIN,
    &rm::BUILTIN,
    &rmdir::BUILTIN,
    &seq::BUILTIN,
    &sleep::BUILTIN,
    &sort::BUILTIN,
    &tac::BUILTIN,
    &tail::BUILTIN,
    &tee::BUILTIN,
    &test::BRACKET,
    &test::BUILTIN,
    &touch::BUILTIN,
    &tr::BUILTIN,
    &true_false::COLON,
    &true_false::FALSE,
    &true_false::TRUE,
    &unexpand::BUILTIN,
    &uniq::BUILTIN,
    &wc::BUILTIN,
    &yes::BUILTIN,
];
