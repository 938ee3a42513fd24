//! `expr`: arithmetic, comparison and matching on words.

mod eval;

use self::eval::{Failure, evaluate};
use crate::tool::{
    Args, Binding, Builtin, Completes, Example, ExecContext, Outcome, Reply, Run, Spec, Topic,
};

/// `expr`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Now(run) };

const SPEC: Spec = Spec {
    name: "expr",
    about: "compute with words",
    topic: Topic::Text,
    operands: "EXPRESSION",
    binding: Binding::Verbatim,
    completes: Completes::Nothing,
    notes: "A | B   A unless it is empty or 0, else B\nA & B   A unless either is empty or 0\n\
        A < B  <= = != >= >   1 or 0, by number where both are\nA + B  -  *  /  %\n\
        A : REGEX   what \\( \\) matches, or the length of the match at the beginning\n\
        match A REGEX, substr A POS LEN, index A CHARS, length A, + WORD, ( A )\n\
        Status: 1 where the result is empty or 0, 2 for a malformed expression.",
    examples: &[
        Example { script: "expr 6 '*' 7", output: "42\n" },
        Example { script: "expr a.txt : '\\(.*\\)\\.txt'", output: "a\n" },
    ],
    ..Spec::DEFAULT
};

fn run(cx: &mut ExecContext, args: &Args) -> Outcome {
    let mut words = args.operand_texts();
    if words.first().is_some_and(|word| word == "--") {
        words.remove(0);
    }
    if words.is_empty() {
        return Err(cx.misuse(2, "missing operand"));
    }
    match evaluate(&words) {
        Ok(result) => {
            let is_false = result.is_false();
            cx.push_line(result.text().as_bytes());
            Reply::status(u8::from(is_false))
        }
        Err(Failure(message)) => Err(cx.fail(2, message)),
    }
}
