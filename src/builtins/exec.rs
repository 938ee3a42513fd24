//! `exec`: redirects for the rest of the shell; there is no other program to become.

use crate::tool::{
    Args, Binding, Builtin, Completes, Example, ExecContext, Outcome, Reply, Request, Run, Spec,
    Topic,
};

/// `exec`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Now(run) };

const SPEC: Spec = Spec {
    name: "exec",
    about: "redirect the shell itself",
    topic: Topic::Shell,
    operands: "",
    completes: Completes::Nothing,
    binding: Binding::Leading,
    notes: "`exec >log 2>&1` and `exec 3<file` stay in force. With a command it is refused, status\n\
            127: there are no processes to become.",
    examples: &[Example { script: "exec 3>out; echo hi >&3; cat out", output: "hi\n" }],
    ..Spec::DEFAULT
};

fn run(cx: &mut ExecContext, args: &Args) -> Outcome {
    let Some(name) = args.operand(0) else { return Ok(Reply::Request(Request::KeepRedirects)) };
    let way = format!("run it and leave: {name} …; exit");
    Err(cx.fail(127, format_args!("{name}: there are no processes to become another; {way}")))
}
