//! `true`, `false` and `:`: nothing, well or badly.

use crate::tool::{
    Args, Binding, Builtin, Completes, Example, ExecContext, OK, Outcome, Reply, Run, Spec, Topic,
};

/// `true`
pub(super) const TRUE: Builtin = Builtin { spec: SPEC, run: Run::Now(succeed) };

/// `false`
pub(super) const FALSE: Builtin = Builtin {
    spec: Spec {
        name: "false",
        about: "do nothing, unsuccessfully",
        examples: &[Example { script: "false || echo no", output: "no\n" }],
        ..SPEC
    },
    run: Run::Now(fail),
};

/// `:`
pub(super) const COLON: Builtin = Builtin {
    spec: Spec {
        name: ":",
        about: "do nothing; its words are expanded",
        binding: Binding::Raw,
        examples: &[Example { script: ": ${x:=set}; echo $x", output: "set\n" }],
        ..SPEC
    },
    run: Run::Now(succeed),
};

const SPEC: Spec = Spec {
    name: "true",
    about: "do nothing, successfully",
    topic: Topic::Shell,
    operands: "[WORD]...",
    binding: Binding::Verbatim,
    completes: Completes::Nothing,
    examples: &[Example { script: "true && echo yes", output: "yes\n" }],
    ..Spec::DEFAULT
};

fn succeed(_: &mut ExecContext, _: &Args) -> Outcome {
    OK
}

fn fail(_: &mut ExecContext, _: &Args) -> Outcome {
    Reply::status(1)
}
