//! `push`: appends values to a list.

use super::variables::expander;
use crate::tool::{
    Args, Binding, Builtin, Completes, Example, ExecContext, OK, Outcome, Run, Spec, Topic,
};

/// `push`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Now(run) };

const SPEC: Spec = Spec {
    name: "push",
    about: "append values to a list",
    topic: Topic::Values,
    operands: "NAME VALUE...",
    arity: (2, usize::MAX),
    completes: Completes::Variables,
    binding: Binding::Leading,
    typed: true,
    notes: "NAME is a variable or a path into one: push s[web][tags] v. A word that spells a number or a\n\
            boolean is one; quotes make it text.",
    examples: &[Example { script: "xs=[]; push xs 1 two; echo $xs", output: "[1,\"two\"]\n" }],
    ..Spec::DEFAULT
};

fn run(cx: &mut ExecContext, args: &Args) -> Outcome {
    let Some((target, values)) = args.operands.split_first() else { return OK };
    let pushed = expander(cx).push(&target.to_text_lossy(), values);
    pushed.map_err(|error| cx.fail(1, error.message))?;
    OK
}
