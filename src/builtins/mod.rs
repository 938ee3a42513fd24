//! The builtins: one file or folder each, and the list.
//!
//! A file reads top to bottom: the spec, `run`, what it needs. Adding one touches its file and
//! [`ALL`]. Options, help, `--json`, misuse and closed pipes are the frame's business (`tool`).
//!
//! Deliberately not here: builtins that change the machine's control flow run in `exec` by request.

mod alias;
mod assert;
mod awk;
mod basename;
mod break_continue;
mod cat;
mod cd;
mod clear;
mod comm;
mod command;
mod common;
mod cp;
mod cut;
mod date;
mod declare;
mod directories;
mod dirname;
mod echo;
mod env;
mod exec;
mod exit_return;
mod expand;
mod fg;
mod find;
mod fold;
mod fromjson;
mod gather;
mod getopts;
mod grep;
mod head;
mod help;
mod input;
mod job;
mod jobs;
mod kaish;
mod kill;
mod latch;
mod let_builtin;
mod ln;
mod ls;
mod mapfile;
mod meaning;
mod mkdir;
mod mv;
mod nl;
mod output;
mod paste;
mod plan;
mod printf;
mod program;
mod push;
mod pwd;
mod read;
mod rev;
mod rm;
mod rmdir;
mod scatter;
mod sed;
mod seq;
mod set;
mod sh;
mod shift;
mod signal;
mod size;
mod skips;
mod sleep;
mod sort;
mod source;
mod split;
mod table;
mod tabs;
mod tac;
mod tail;
mod tee;
mod test;
mod timeout;
mod tojson;
mod touch;
mod tr;
mod trap;
mod trash;
mod true_false;
mod type_hash;
mod umask;
mod unexpand;
mod uniq;
mod unset;
mod validate;
mod values;
mod variables;
mod version;
mod wait;
mod wc;
mod xargs;
mod yes;

use crate::tool::Builtin;

/// Every builtin, one line each, sorted by name.
pub const ALL: &[&Builtin] = &[
    &alias::ALIAS,
    &alias::UNALIAS,
    &assert::BUILTIN,
    &awk::BUILTIN,
    &basename::BUILTIN,
    &break_continue::BREAK,
    &break_continue::CONTINUE,
    &cat::BUILTIN,
    &cd::BUILTIN,
    &clear::BUILTIN,
    &comm::BUILTIN,
    &command::BUILTIN,
    &command::COMMAND,
    &cp::BUILTIN,
    &cut::BUILTIN,
    &date::BUILTIN,
    &declare::DECLARE,
    &declare::EXPORT,
    &declare::LOCAL,
    &declare::READONLY,
    &declare::TYPESET,
    &directories::DIRS,
    &directories::POPD,
    &directories::PUSHD,
    &dirname::BUILTIN,
    &echo::BUILTIN,
    &env::BUILTIN,
    &env::PRINTENV,
    &exec::BUILTIN,
    &exit_return::EXIT,
    &exit_return::RETURN,
    &expand::BUILTIN,
    &fg::BUILTIN,
    &find::BUILTIN,
    &fold::BUILTIN,
    &fromjson::FROMJSON,
    &fromjson::FROMJSONL,
    &gather::BUILTIN,
    &getopts::BUILTIN,
    &grep::EGREP,
    &grep::FGREP,
    &grep::GREP,
    &head::BUILTIN,
    &help::BUILTIN,
    &jobs::BUILTIN,
    &kaish::CLEAR,
    &kaish::IGNORE,
    &kaish::LAST,
    &kaish::MOUNTS,
    &kaish::OUTPUT_LIMIT,
    &kaish::STATUS,
    &kaish::TOOLS,
    &kaish::VARS,
    &kaish::VERSION,
    &kaish::VFS,
    &kill::BUILTIN,
    &let_builtin::BUILTIN,
    &ln::BUILTIN,
    &ls::BUILTIN,
    &mapfile::MAPFILE,
    &mapfile::READARRAY,
    &mkdir::BUILTIN,
    &mv::BUILTIN,
    &nl::BUILTIN,
    &paste::BUILTIN,
    &plan::AST,
    &plan::PLAN,
    &printf::BUILTIN,
    &push::BUILTIN,
    &pwd::BUILTIN,
    &read::BUILTIN,
    &rev::BUILTIN,
    &rm::BUILTIN,
    &rmdir::BUILTIN,
    &sed::BUILTIN,
    &scatter::BUILTIN,
    &seq::BUILTIN,
    &set::BUILTIN,
    &sh::BASH,
    &sh::SH,
    &shift::BUILTIN,
    &sleep::BUILTIN,
    &sort::BUILTIN,
    &source::DOT,
    &source::SOURCE,
    &split::BUILTIN,
    &tac::BUILTIN,
    &tail::BUILTIN,
    &tee::BUILTIN,
    &test::BRACKET,
    &test::BUILTIN,
    &timeout::BUILTIN,
    &tojson::TOJSON,
    &tojson::TOJSONL,
    &touch::BUILTIN,
    &tr::BUILTIN,
    &trap::BUILTIN,
    &trash::BUILTIN,
    &true_false::COLON,
    &true_false::FALSE,
    &true_false::TRUE,
    &type_hash::HASH,
    &type_hash::TYPE,
    &umask::BUILTIN,
    &unexpand::BUILTIN,
    &uniq::BUILTIN,
    &unset::BUILTIN,
    &validate::KAISH_VALIDATE,
    &validate::VALIDATE,
    &values::KEYS,
    &values::TYPEOF,
    &values::VALUES,
    &wait::BUILTIN,
    &wc::BUILTIN,
    &xargs::BUILTIN,
    &yes::BUILTIN,
];
