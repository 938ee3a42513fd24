//! `expand`: tabs to blanks.

use futures::future::{FutureExt, LocalBoxFuture};

use super::input::{self, Lines};
use super::tabs::Tabs;
use crate::tool::{Args, Builtin, Example, ExecContext, Opt, Outcome, Reply, Run, Spec, Topic};
use crate::value::first_chars;

/// `expand`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "expand",
    about: "turn tabs into blanks",
    topic: Topic::Text,
    operands: "[FILE]...",
    options: &[
        Opt::flag('i', "initial", "only tabs before other characters"),
        Opt::value('t', "tabs", "LIST", "stops every N columns, or at the columns listed (8)"),
    ],
    digits: "tabs",
    examples: &[Example { script: "printf 'a\\tb\\n' | expand -t4", output: "a   b\n" }],
    ..Spec::DEFAULT
};

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let tabs = Tabs::new(args).map_err(|message| cx.fail(1, message))?;
        let initial = args.has("initial");
        let mut status = 0;
        for operand in input::operands_or_stdin(args) {
            let Some(stream) = cx.open_input(&operand).await? else {
                status = 1;
                continue;
            };
            let mut lines = Lines::new(stream, b'\n');
            while lines.fill(cx).await? {
                while let Some(line) = lines.next() {
                    expand(line, &tabs, initial, &mut cx.streams.out);
                }
            }
        }
        Reply::status(status)
    }
    .boxed_local()
}

fn expand(line: &[u8], tabs: &Tabs, initial: bool, out: &mut Vec<u8>) {
    let mut column: usize = 0;
    let mut rest = line;
    while let Some((&byte, tail)) = rest.split_first() {
        match byte {
            b'\t' => {
                let stop = tabs.after(column).unwrap_or(column + 1);
                out.resize(out.len() + stop - column, b' ');
                column = stop;
                rest = tail;
                continue;
            }
            8 => column = column.saturating_sub(1),
            _ => column += 1,
        }
        if initial && byte != b' ' {
            out.extend_from_slice(rest);
            return;
        }
        let piece = first_chars(rest, 1);
        out.extend_from_slice(piece);
        rest = rest.get(piece.len()..).unwrap_or_default();
    }
}
