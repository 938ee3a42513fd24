//! `unexpand`: blanks to tabs.

use futures::future::{FutureExt, LocalBoxFuture};

use super::input::{self, Lines};
use super::tabs::Tabs;
use crate::tool::{Args, Builtin, Example, ExecContext, Opt, Outcome, Reply, Run, Spec, Topic};
use crate::value::first_chars;

/// `unexpand`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "unexpand",
    about: "turn blanks into tabs",
    topic: Topic::Text,
    operands: "[FILE]...",
    options: &[
        Opt::flag('a', "all", "all blanks, not only those at the start of lines"),
        Opt::flag('\0', "first-only", "only blanks at the start of lines"),
        Opt::value(
            't',
            "tabs",
            "LIST",
            "stops every N columns, or at the columns listed; means -a",
        ),
    ],
    digits: "tabs",
    examples: &[Example { script: "printf '        a\\n' | unexpand", output: "\ta\n" }],
    ..Spec::DEFAULT
};

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let tabs = Tabs::new(args).map_err(|message| cx.fail(1, message))?;
        let all = (args.has("all") || args.has("tabs")) && !args.has("first-only");
        let mut status = 0;
        for operand in input::operands_or_stdin(args) {
            let Some(stream) = cx.open_input(&operand).await? else {
                status = 1;
                continue;
            };
            let mut lines = Lines::new(stream, b'\n');
            while lines.fill(cx).await? {
                while let Some(line) = lines.next() {
                    unexpand(line, &tabs, all, &mut cx.streams.out);
                }
            }
        }
        Reply::status(status)
    }
    .boxed_local()
}

fn unexpand(line: &[u8], tabs: &Tabs, all: bool, out: &mut Vec<u8>) {
    let (mut column, mut rest, mut first) = (0usize, line, true);
    while let Some(&byte) = rest.first() {
        if matches!(byte, b' ' | b'\t') {
            let count = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
            let (blanks, tail) = rest.split_at_checked(count).unwrap_or((rest, &[]));
            column = convert(blanks, column, tabs, out);
            rest = tail;
        } else {
            let piece = first_chars(rest, 1);
            out.extend_from_slice(piece);
            column = if byte == 8 { column.saturating_sub(1) } else { column + 1 };
            rest = rest.get(piece.len()..).unwrap_or_default();
        }
        let was_first = std::mem::take(&mut first);
        if !all && (was_first || !matches!(byte, b' ' | b'\t')) {
            out.extend_from_slice(rest);
            return;
        }
    }
}

/// Writes a run of blanks with as many tabs as possible; a single blank before a stop stays.
fn convert(blanks: &[u8], mut column: usize, tabs: &Tabs, out: &mut Vec<u8>) -> usize {
    let mut pending = 0;
    for (index, blank) in blanks.iter().enumerate() {
        let stop = tabs.after(column);
        if *blank == b'\t' {
            out.push(b'\t');
            pending = 0;
            column = stop.unwrap_or(column + 1);
            continue;
        }
        column += 1;
        pending += 1;
        let more = blanks.get(index + 1).is_some();
        if stop == Some(column) && (pending > 1 || more) {
            out.push(b'\t');
            pending = 0;
        }
    }
    out.resize(out.len() + pending, b' ');
    column
}
