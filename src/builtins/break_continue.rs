//! `break` and `continue`: leave loops, or go on with the next turn of one.

use super::exit_return::check_number;
use crate::tool::{
    Args, Binding, Builtin, Completes, Example, ExecContext, Outcome, Reply, Request, Run, Spec,
    Topic,
};

/// `break`
pub(super) const BREAK: Builtin = Builtin {
    spec: Spec {
        name: "break",
        about: "leave loops",
        notes: "Leaves N loops, 1 by default.",
        examples: &[Example {
            script: "for i in 1 2 3; do [ $i = 2 ] && break; echo $i; done",
            output: "1\n",
        }],
        ..SPEC
    },
    run: Run::Now(run_break),
};

/// `continue`
pub(super) const CONTINUE: Builtin = Builtin {
    spec: Spec {
        name: "continue",
        about: "go on with the next turn of a loop",
        notes: "Goes on with the Nth enclosing loop, the innermost by default.",
        examples: &[Example {
            script: "for i in 1 2 3; do [ $i = 2 ] && continue; echo $i; done",
            output: "1\n3\n",
        }],
        ..SPEC
    },
    run: Run::Now(run_continue),
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

fn run_break(cx: &mut ExecContext, args: &Args) -> Outcome {
    let request = match levels(cx, args) {
        Ok(levels) => Request::Break(levels),
        Err(request) => request,
    };
    Ok(Reply::Request(request))
}

fn run_continue(cx: &mut ExecContext, args: &Args) -> Outcome {
    let request = match levels(cx, args) {
        Ok(levels) => Request::Continue(levels),
        Err(request) => request,
    };
    Ok(Reply::Request(request))
}

/// How many loops are meant. A word that is no number ends the script, for the loop would not end.
fn levels(cx: &mut ExecContext, args: &Args) -> Result<u32, Request> {
    if args.operands.len() > 1 {
        cx.warn("too many arguments");
        return Err(Request::Exit(1));
    }
    let Some(word) = args.operand(0) else { return Ok(1) };
    match word.parse::<i64>() {
        Ok(levels @ 1..) => Ok(u32::try_from(levels).unwrap_or(u32::MAX)),
        Ok(_) => {
            cx.warn(format_args!("{word}: loop count out of range"));
            Err(Request::Break(u32::MAX))
        }
        Err(_) => {
            cx.warn(format_args!("{word}: numeric argument required"));
            Err(Request::Exit(128))
        }
    }
}
