//! `scatter`: what the word says where the machine has not taken a whole `scatter … gather` over.

use crate::tool::{Args, Builtin, Completes, Example, ExecContext, Opt, Outcome, Run, Spec, Topic};

/// `scatter`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Now(run) };

const SPEC: Spec = Spec {
    name: "scatter",
    about: "run the next stages of a pipeline once an item, several at once",
    topic: Topic::Values,
    arity: (0, 0),
    completes: Completes::Nothing,
    options: &[
        Opt::value('\0', "as", "NAME", "the variable that holds the item: ITEM"),
        Opt::value('\0', "limit", "N", "so many at once; 0 is the default"),
        Opt::value('\0', "timeout", "DURATION", "for each worker"),
    ],
    notes: "Items are the elements of a list, or lines that are not empty. What stands between it and\n\
            gather is the worker; gather collects a row from each.",
    examples: &[Example {
        script: "printf 'a\\nb\\n' | scatter --as x | echo \"<$x>\" | gather --lines",
        output: "<a>\n<b>\n",
    }],
    ..Spec::DEFAULT
};

fn run(cx: &mut ExecContext, _: &Args) -> Outcome {
    let way = "… | scatter | worker | gather";
    Err(cx.fail(2, format_args!("E014: needs a worker and a gather after it, written out: {way}")))
}
