//! `rev`: each line with its characters in reverse order.

use futures::future::{FutureExt, LocalBoxFuture};

use super::input::{self, Lines, chomp};
use crate::tool::{Args, Builtin, Example, ExecContext, Opt, Outcome, Reply, Run, Spec, Topic};

/// `rev`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "rev",
    about: "reverse each line",
    topic: Topic::Text,
    operands: "[FILE]...",
    options: &[Opt::flag('0', "zero", "lines end with NUL")],
    examples: &[Example { script: "echo héllo | rev", output: "olléh\n" }],
    ..Spec::DEFAULT
};

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let end = if args.has("zero") { 0 } else { b'\n' };
        let mut status = 0;
        for operand in input::operands_or_stdin(args) {
            let Some(stream) = cx.open_input(&operand).await? else {
                status = 1;
                continue;
            };
            let mut lines = Lines::new(stream, end);
            while lines.fill(cx).await? {
                while let Some(line) = lines.next() {
                    let body = chomp(line, end);
                    push_reversed(&mut cx.streams.out, body);
                    cx.streams.out.extend_from_slice(line.get(body.len()..).unwrap_or_default());
                }
            }
        }
        Reply::status(status)
    }
    .boxed_local()
}

fn push_reversed(out: &mut Vec<u8>, line: &[u8]) {
    let start = out.len();
    out.extend(line.iter().rev());
    if line.is_ascii() {
        return;
    }
    // The bytes of each character are turned back into their order.
    let mut at = out.len();
    for chunk in line.utf8_chunks() {
        for ch in chunk.valid().chars() {
            at -= ch.len_utf8();
            if let Some(bytes) = out.get_mut(at..at + ch.len_utf8()) {
                bytes.reverse();
            }
        }
        at -= chunk.invalid().len();
    }
    debug_assert_eq!(at, start);
}
