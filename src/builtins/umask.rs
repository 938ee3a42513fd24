//! `umask`: tells with which permissions files are made.

use crate::tool::{
    Args, Binding, Builtin, Completes, Example, ExecContext, OK, Opt, Outcome, Run, Spec, Topic,
};

/// `umask`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Now(run) };

const SPEC: Spec = Spec {
    name: "umask",
    about: "tell with which permissions files are made",
    topic: Topic::Shell,
    operands: "[MASK]",
    arity: (0, 1),
    completes: Completes::Nothing,
    binding: Binding::Leading,
    options: &[Opt::flag('S', "", "in letters"), Opt::flag('p', "", "as a command")],
    notes: "There is one user, and the mask is 0022 always; chmod changes what a file has.",
    examples: &[Example { script: "umask", output: "0022\n" }],
    ..Spec::DEFAULT
};

fn run(cx: &mut ExecContext, args: &Args) -> Outcome {
    let Some(mask) = args.operand(0) else {
        let text = if args.has("S") { "u=rwx,g=rx,o=rx" } else { "0022" };
        let text = match (args.has("p"), args.has("S")) {
            (true, true) => format!("umask -S {text}"),
            (true, false) => format!("umask {text}"),
            _ => text.into(),
        };
        cx.push_line(text);
        return OK;
    };
    if mask.trim_start_matches('0') == "22" || mask == "u=rwx,g=rx,o=rx" {
        return OK;
    }
    let way = "chmod changes what a file has";
    Err(cx.fail(1, format_args!("{mask}: files are made with the mask 0022 here; {way}")))
}
