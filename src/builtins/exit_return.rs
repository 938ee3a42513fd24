//! `exit` and `return`: leave the shell, or the function or sourced file, with a status.

use crate::tool::{
    Args, Binding, Builtin, Completes, Example, ExecContext, Issue, Outcome, Reply, Request, Run,
    Spec, Topic,
};
use crate::value::Value;

/// `exit`
pub(super) const EXIT: Builtin = Builtin {
    spec: Spec {
        name: "exit",
        about: "leave the shell",
        notes: "Without N, the status is that of the last command.",
        examples: &[Example { script: "(echo in; exit 3); echo $?", output: "in\n3\n" }],
        ..SPEC
    },
    run: Run::Now(run_exit),
};

/// `return`
pub(super) const RETURN: Builtin = Builtin {
    spec: Spec {
        name: "return",
        about: "leave a function or a sourced file",
        notes: "Without N, the status is that of the last command.",
        examples: &[Example { script: "f() { return 4; }; f; echo $?", output: "4\n" }],
        ..SPEC
    },
    run: Run::Now(run_return),
};

const SPEC: Spec = Spec {
    topic: Topic::Shell,
    operands: "[N]",
    completes: Completes::Nothing,
    binding: Binding::Leading,
    negatives: true,
    check: Some(check_number),
    ..Spec::DEFAULT
};

/// E003: an operand that is no number.
pub(super) fn check_number(args: &Args) -> Option<Issue> {
    let Value::Text(word) = args.operands.first()? else { return None };
    let bad = word.parse::<i64>().is_err();
    bad.then(|| {
        Issue::new("E003", format!("'{word}' is not a number"))
            .with_fix("a number from 0 to 255")
            .at(word)
    })
}

fn run_exit(cx: &mut ExecContext, args: &Args) -> Outcome {
    Ok(Reply::Request(Request::Exit(status(cx, args))))
}

fn run_return(cx: &mut ExecContext, args: &Args) -> Outcome {
    Ok(Reply::Request(Request::Return(status(cx, args))))
}

/// The status to leave with; misuse is reported and leaves all the same.
fn status(cx: &mut ExecContext, args: &Args) -> u8 {
    if args.operands.len() > 1 {
        cx.warn("too many arguments");
        return 1;
    }
    let Some(word) = args.operand(0) else { return cx.session.last.status.get() };
    match word.parse::<i64>() {
        Ok(status) => (status & 0xff) as u8,
        Err(_) => {
            cx.warn(format_args!("{word}: numeric argument required"));
            2
        }
    }
}
