//! The builtins: one file or folder each, and the list.
//!
//! A file reads top to bottom: the spec, `run`, what it needs. Adding one touches its file and
//! [`ALL`]. Options, help, `--json`, misuse and closed pipes are the frame's business (`tool`).
//!
//! Deliberately not here: builtins that change the machine's control flow run in `exec` by request.

mod alias;
mod assert;
mod awk;
mod base;
mod basename;
mod bc;
mod break_continue;
mod cal;
mod cat;
mod cd;
mod checksum;
mod chmod;
mod cksum;
mod clear;
mod cmp;
mod column;
mod comm;
mod command;
mod common;
mod cp;
mod csplit;
mod cut;
mod date;
mod dd;
mod declare;
mod df;
mod diff;
mod directories;
mod dirname;
mod du;
mod echo;
mod env;
mod exec;
mod exit_return;
mod expand;
mod expr;
mod factor;
mod fg;
mod file;
mod find;
mod fmt;
mod fold;
mod fromjson;
mod fsck;
mod gather;
mod getopts;
mod glob;
mod grep;
mod head;
mod help;
mod iconv;
mod identity;
mod input;
mod job;
mod jobs;
mod join;
mod jq;
mod kaish;
mod kill;
mod latch;
mod let_builtin;
mod ln;
mod ls;
mod mapfile;
mod meaning;
mod mkdir;
mod mktemp;
mod mv;
mod nl;
mod numfmt;
mod od;
mod output;
mod paste;
mod patch;
mod plan;
mod printf;
mod program;
mod push;
mod pwd;
mod read;
mod readlink;
mod rev;
mod rm;
mod rmdir;
mod scatter;
mod sed;
mod seq;
mod set;
mod sh;
mod shift;
mod shuf;
mod signal;
mod size;
mod skips;
mod sleep;
mod sort;
mod source;
mod split;
mod stat;
mod strings;
mod sync;
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
mod tree;
mod true_false;
mod truncate;
mod tsort;
mod type_hash;
mod umask;
mod uname;
mod unexpand;
mod uniq;
mod unset;
mod validate;
mod values;
mod variables;
mod version;
mod wait;
mod wc;
mod which;
mod write;
mod xargs;
mod xxd;
mod yes;

use crate::tool::Builtin;

/// Every builtin, one line each, sorted by name.
pub const ALL: &[&Builtin] = &[
    &alias::ALIAS,
    &alias::UNALIAS,
    &assert::BUILTIN,
    &awk::BUILTIN,
    &base::BASE32,
    &base::BASE64,
    &basename::BUILTIN,
    &bc::BUILTIN,
    &break_continue::BREAK,
    &break_continue::CONTINUE,
    &cal::BUILTIN,
    &cat::BUILTIN,
    &cd::BUILTIN,
    &checksum::BUILTIN,
    &checksum::MD5SUM,
    &checksum::SHA1SUM,
    &checksum::SHA224SUM,
    &checksum::SHA256SUM,
    &checksum::SHA384SUM,
    &checksum::SHA512SUM,
    &chmod::BUILTIN,
    &cksum::CKSUM,
    &cksum::SUM,
    &clear::BUILTIN,
    &cmp::BUILTIN,
    &column::BUILTIN,
    &comm::BUILTIN,
    &command::BUILTIN,
    &command::COMMAND,
    &cp::BUILTIN,
    &csplit::BUILTIN,
    &cut::BUILTIN,
    &date::BUILTIN,
    &dd::BUILTIN,
    &declare::DECLARE,
    &declare::EXPORT,
    &declare::LOCAL,
    &declare::READONLY,
    &declare::TYPESET,
    &df::BUILTIN,
    &diff::BUILTIN,
    &directories::DIRS,
    &directories::POPD,
    &directories::PUSHD,
    &dirname::BUILTIN,
    &du::BUILTIN,
    &echo::BUILTIN,
    &env::BUILTIN,
    &env::PRINTENV,
    &exec::BUILTIN,
    &exit_return::EXIT,
    &exit_return::RETURN,
    &expand::BUILTIN,
    &expr::BUILTIN,
    &factor::BUILTIN,
    &fg::BUILTIN,
    &file::BUILTIN,
    &find::BUILTIN,
    &fmt::BUILTIN,
    &fold::BUILTIN,
    &fromjson::FROMJSON,
    &fromjson::FROMJSONL,
    &fsck::BUILTIN,
    &gather::BUILTIN,
    &getopts::BUILTIN,
    &glob::BUILTIN,
    &grep::EGREP,
    &grep::FGREP,
    &grep::GREP,
    &head::BUILTIN,
    &help::BUILTIN,
    &iconv::BUILTIN,
    &identity::GROUPS,
    &identity::ID,
    &identity::LOGNAME,
    &identity::WHOAMI,
    &jobs::BUILTIN,
    &join::BUILTIN,
    &jq::BUILTIN,
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
    &mktemp::BUILTIN,
    &mv::BUILTIN,
    &nl::BUILTIN,
    &numfmt::BUILTIN,
    &od::HEXDUMP,
    &od::OD,
    &paste::BUILTIN,
    &patch::BUILTIN,
    &plan::AST,
    &plan::PLAN,
    &printf::BUILTIN,
    &push::BUILTIN,
    &pwd::BUILTIN,
    &read::BUILTIN,
    &readlink::READLINK,
    &readlink::REALPATH,
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
    &shuf::BUILTIN,
    &sleep::BUILTIN,
    &sort::BUILTIN,
    &source::DOT,
    &source::SOURCE,
    &split::BUILTIN,
    &stat::BUILTIN,
    &strings::BUILTIN,
    &sync::BUILTIN,
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
    &tree::BUILTIN,
    &true_false::COLON,
    &true_false::FALSE,
    &true_false::TRUE,
    &truncate::BUILTIN,
    &tsort::BUILTIN,
    &type_hash::HASH,
    &type_hash::TYPE,
    &umask::BUILTIN,
    &uname::ARCH,
    &uname::HOSTNAME,
    &uname::NPROC,
    &uname::TTY,
    &uname::UNAME,
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
    &which::BUILTIN,
    &write::BUILTIN,
    &xargs::BUILTIN,
    &xxd::BUILTIN,
    &yes::BUILTIN,
];
