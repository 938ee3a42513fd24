//! `yes`: one line, again and again.

use futures::future::{FutureExt, LocalBoxFuture};

use crate::tool::{Args, Builtin, Completes, Example, ExecContext, Outcome, Run, Spec, Topic};

/// `yes`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "yes",
    about: "print a line until nobody reads any more",
    topic: Topic::Text,
    operands: "[WORD]...",
    completes: Completes::Nothing,
    notes: "Without WORD the line is 'y'.",
    examples: &[Example { script: "yes ja | head -n 2", output: "ja\nja\n" }],
    ..Spec::DEFAULT
};

/// Bytes written at once.
const CHUNK: usize = 16 * 1024;

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let words = args.operand_texts();
        let mut line = if words.is_empty() { String::from("y") } else { words.join(" ") };
        line.push('\n');
        let lines = line.repeat((CHUNK / line.len()).max(1));
        loop {
            cx.write(lines.as_bytes()).await?;
        }
    }
    .boxed_local()
}
