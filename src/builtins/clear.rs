//! `clear`: empties the terminal.

use crate::tool::{
    Args, Builtin, Completes, Example, ExecContext, OK, Opt, Outcome, Run, Spec, Topic,
};

/// `clear`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Now(run) };

const SPEC: Spec = Spec {
    name: "clear",
    about: "empty the terminal",
    topic: Topic::System,
    arity: (0, 0),
    completes: Completes::Nothing,
    options: &[Opt::flag('x', "", "keep what has scrolled out")],
    examples: &[Example { script: "clear | wc -c", output: "11\n" }],
    ..Spec::DEFAULT
};

fn run(cx: &mut ExecContext, args: &Args) -> Outcome {
    cx.push("\x1b[H\x1b[2J");
    if !args.has("x") {
        cx.push("\x1b[3J");
    }
    OK
}
