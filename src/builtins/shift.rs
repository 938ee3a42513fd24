//! `shift`: drops the first positional parameters.

use super::exit_return::check_number;
use crate::tool::{
    Args, Binding, Builtin, Completes, Example, ExecContext, OK, Outcome, Run, Spec, Topic,
};

/// `shift`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Now(run) };

const SPEC: Spec = Spec {
    name: "shift",
    about: "drop positional parameters",
    topic: Topic::Shell,
    operands: "[N]",
    arity: (0, 1),
    completes: Completes::Nothing,
    binding: Binding::Leading,
    negatives: true,
    check: Some(check_number),
    notes: "Drops the first N of $1, $2, …: 1 by default.",
    examples: &[Example { script: "set -- a b c; shift 2; echo $1", output: "c\n" }],
    ..Spec::DEFAULT
};

fn run(cx: &mut ExecContext, args: &Args) -> Outcome {
    let word = args.operand(0).unwrap_or_else(|| "1".into());
    let Ok(count) = word.parse::<i64>() else {
        return Err(cx.fail(1, format_args!("{word}: numeric argument required")));
    };
    let positional = cx.session.scope.borrow().positional().clone();
    let rest = usize::try_from(count).ok().and_then(|count| positional.shift(count));
    let Some(rest) = rest else {
        return Err(cx.fail(1, format_args!("{word}: shift count out of range")));
    };
    cx.session.scope.borrow_mut().set_positional(rest);
    OK
}
