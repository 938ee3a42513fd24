//! `dirname`: paths without their last component.

use crate::tool::{
    Args, Builtin, Completes, Example, ExecContext, OK, Opt, Outcome, Run, Spec, Topic,
};

/// `dirname`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Now(run) };

const SPEC: Spec = Spec {
    name: "dirname",
    about: "print paths without their last component",
    topic: Topic::Files,
    operands: "NAME...",
    arity: (1, usize::MAX),
    completes: Completes::Files,
    options: &[Opt::flag('z', "zero", "end each line with NUL, not newline")],
    examples: &[Example {
        script: "dirname /usr/share/dict.txt dict.txt",
        output: "/usr/share\n.\n",
    }],
    ..Spec::DEFAULT
};

fn run(cx: &mut ExecContext, args: &Args) -> Outcome {
    let end = if args.has("zero") { "\0" } else { "\n" };
    for name in args.operand_texts() {
        cx.push(parent_of(&name));
        cx.push(end);
    }
    OK
}

/// What stands before the last component of a path: `.` where nothing does.
pub(super) fn parent_of(path: &str) -> &str {
    let trimmed = path.trim_end_matches('/');
    if trimmed.is_empty() {
        return if path.is_empty() { "." } else { "/" };
    }
    let Some((parent, _)) = trimmed.rsplit_once('/') else { return "." };
    let parent = parent.trim_end_matches('/');
    if parent.is_empty() { "/" } else { parent }
}
