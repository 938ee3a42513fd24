//! `let`: evaluates arithmetic.

use super::variables::expander;
use crate::expand::now;
use crate::syntax::parse_arithmetic;
use crate::tool::{
    Args, Binding, Builtin, Completes, Example, ExecContext, Outcome, Reply, Run, Spec, Topic,
};

/// `let`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Now(run) };

const SPEC: Spec = Spec {
    name: "let",
    about: "evaluate arithmetic",
    topic: Topic::Shell,
    operands: "EXPRESSION...",
    completes: Completes::Variables,
    binding: Binding::Raw,
    notes: "Each EXPRESSION is one word, read as in (( )). The status is 1 where the last one is 0.",
    examples: &[Example { script: "let x=2+3 'y = x * 2'; echo $y", output: "10\n" }],
    ..Spec::DEFAULT
};

fn run(cx: &mut ExecContext, args: &Args) -> Outcome {
    let words = args.operand_texts();
    if words.is_empty() {
        return Err(cx.fail(1, "expression expected"));
    }
    if words.iter().any(|word| word == "=") {
        let joined = words.join(" ");
        let advice =
            format_args!("each word is an expression: write let '{joined}', or without blanks");
        return Err(cx.fail(1, advice));
    }
    let expander = expander(cx);
    let mut last = 0;
    for word in words {
        let code = parse_arithmetic(&word);
        if code.runs {
            return Err(cx.fail(1, format_args!("{word}: no command can run in it; use $((…))")));
        }
        match now(expander.arith(&code)) {
            Ok(value) => last = value,
            Err(error) => return Err(cx.fail(1, format_args!("{word}: {error}"))),
        }
    }
    Reply::success(last != 0)
}
