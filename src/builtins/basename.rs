//! `basename`: the last component of paths, without a suffix.

use crate::tool::{
    Args, Builtin, Completes, Example, ExecContext, OK, Opt, Outcome, Run, Spec, Topic,
};

/// `basename`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Now(run) };

const SPEC: Spec = Spec {
    name: "basename",
    about: "print the last component of paths",
    topic: Topic::Files,
    operands: "NAME [SUFFIX] | -a NAME...",
    arity: (1, usize::MAX),
    completes: Completes::Files,
    options: &[
        Opt::flag('a', "multiple", "every operand is a NAME"),
        Opt::value('s', "suffix", "SUFFIX", "remove a trailing SUFFIX; implies -a"),
        Opt::flag('z', "zero", "end each line with NUL, not newline"),
    ],
    examples: &[
        Example { script: "basename /usr/share/dict.txt .txt", output: "dict\n" },
        Example { script: "basename -a a/b c/d", output: "b\nd\n" },
    ],
    ..Spec::DEFAULT
};

fn run(cx: &mut ExecContext, args: &Args) -> Outcome {
    let mut names = args.operand_texts();
    let mut suffix = args.text("suffix").unwrap_or_default();
    if suffix.is_empty() && !args.has("multiple") && !args.has("suffix") {
        if let Some(extra) = names.get(2) {
            return Err(cx.misuse(1, format_args!("extra operand '{extra}'")));
        }
        suffix = names.get(1).cloned().unwrap_or_default();
        names.truncate(1);
    }
    let end = if args.has("zero") { "\0" } else { "\n" };
    for name in &names {
        let base = base_of(name);
        let shorter = base.strip_suffix(suffix.as_str()).filter(|rest| !rest.is_empty());
        cx.push(shorter.unwrap_or(base));
        cx.push(end);
    }
    OK
}

/// The last component of a path without slashes after it; `/` for a path of slashes.
pub(super) fn base_of(path: &str) -> &str {
    let trimmed = path.trim_end_matches('/');
    if trimmed.is_empty() {
        return if path.is_empty() { "" } else { "/" };
    }
    trimmed.rsplit('/').next().unwrap_or(trimmed)
}
