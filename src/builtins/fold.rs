//! `fold`: lines broken where they get too wide.

use futures::future::{FutureExt, LocalBoxFuture};

use super::input::{self, Lines};
use crate::tool::{Args, Builtin, Example, ExecContext, Opt, Outcome, Reply, Run, Spec, Topic};

/// `fold`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "fold",
    about: "break long lines",
    topic: Topic::Text,
    operands: "[FILE]...",
    options: &[
        Opt::flag('b', "bytes", "count bytes, not columns"),
        Opt::flag('s', "spaces", "break after blanks where possible"),
        Opt::value('w', "width", "N", "columns (80)"),
    ],
    digits: "width",
    examples: &[Example { script: "echo abcdef | fold -w4", output: "abcd\nef\n" }],
    ..Spec::DEFAULT
};

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let text = args.text("width").unwrap_or_else(|| "80".into());
        let width = match text.parse::<usize>() {
            Ok(width) if width > 0 => width,
            _ => return Err(cx.fail(1, format_args!("invalid number of columns: '{text}'"))),
        };
        let fold = Fold { width, bytes: args.has("bytes"), spaces: args.has("spaces") };
        let mut status = 0;
        for operand in input::operands_or_stdin(args) {
            let Some(stream) = cx.open_input(&operand).await? else {
                status = 1;
                continue;
            };
            let mut lines = Lines::new(stream, b'\n');
            while lines.fill(cx).await? {
                while let Some(line) = lines.next() {
                    fold.line(line, &mut cx.streams.out);
                }
            }
        }
        Reply::status(status)
    }
    .boxed_local()
}

struct Fold {
    width: usize,
    bytes: bool,
    spaces: bool,
}

impl Fold {
    fn line(&self, line: &[u8], out: &mut Vec<u8>) {
        let (mut start, mut column, mut at) = (0, 0, 0);
        while at < line.len() {
            let rest = line.get(at..).unwrap_or_default();
            let piece = if self.bytes { 1 } else { crate::value::first_chars(rest, 1).len() };
            let next = self.column_after(column, rest.first().copied().unwrap_or(0));
            if next > self.width && at > start && rest.first() != Some(&b'\n') {
                let end = self.break_at(line.get(start..at).unwrap_or_default()) + start;
                out.extend_from_slice(line.get(start..end).unwrap_or_default());
                out.push(b'\n');
                start = end;
                column = self.width_of(line.get(start..at).unwrap_or_default());
                continue;
            }
            column = next;
            at += piece;
        }
        out.extend_from_slice(line.get(start..).unwrap_or_default());
    }

    /// Where to break a part that fills the width: after its last blank with `-s`, else at its end.
    fn break_at(&self, part: &[u8]) -> usize {
        let blank = part.iter().rposition(|byte| matches!(byte, b' ' | b'\t'));
        blank.filter(|_| self.spaces).map_or(part.len(), |at| at + 1)
    }

    fn width_of(&self, part: &[u8]) -> usize {
        let mut column = 0;
        for ch in part
            .utf8_chunks()
            .flat_map(|chunk| chunk.valid().chars().chain(chunk.invalid().iter().map(|_| '?')))
        {
            let steps = if self.bytes { ch.len_utf8() } else { 1 };
            for _ in 0..steps {
                column = self.column_after(column, if ch.is_ascii() { ch as u8 } else { b'x' });
            }
        }
        column
    }

    fn column_after(&self, column: usize, byte: u8) -> usize {
        match byte {
            b'\t' if !self.bytes => column + 8 - column % 8,
            8 if !self.bytes => column.saturating_sub(1),
            b'\r' if !self.bytes => 0,
            _ => column + 1,
        }
    }
}
