//! `kaish-last`: what the last command left, its value or the end of its text.

use crate::io::Stream;
use crate::tool::{Args, Builtin, Completes, Example, ExecContext, OK, Outcome, Run, Spec, Topic};

/// `kaish-last`
pub(in crate::builtins) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Now(run) };

const SPEC: Spec = Spec {
    name: "kaish-last",
    about: "what the last command left",
    topic: Topic::Shell,
    arity: (0, 0),
    completes: Completes::Nothing,
    answers_value: true,
    notes: "Its value, or else the last 64 KiB of its text; status 1 where it left nothing. It is what\n\
            went to the shell's own output, not into a file or a pipe.",
    examples: &[Example {
        script: "echo text; x=$(kaish-last); echo \"[$x]\"",
        output: "text\n[text]\n",
    }],
    ..Spec::DEFAULT
};

fn run(cx: &mut ExecContext, _: &Args) -> Outcome {
    let stdin = cx.stdin();
    if matches!(stdin, Stream::PipeReader(_)) && !stdin.is_terminal() {
        let way = "it tells what the command before it left";
        return Err(cx.fail(2, format_args!("takes no input; {way}")));
    }
    let Some(last) = cx.session.last.output.last() else {
        return Err(cx.fail(1, "the last command left no output"));
    };
    match last.value {
        Some(value) => cx.answer(value),
        None => cx.push(last.text),
    }
    OK
}
