//! `column`: lines side by side in columns, or their fields in a table.

use futures::future::{FutureExt, LocalBoxFuture};

use super::input::operands_or_stdin;
use crate::tool::{
    Args, Builtin, Example, ExecContext, Opt, Outcome, Reply, Run, Spec, Stop, Topic,
};
use crate::value::{EcoString, text_width};

/// `column`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "column",
    about: "put lines or fields in columns",
    topic: Topic::Text,
    operands: "[FILE]...",
    options: &[
        Opt::flag('t', "table", "make a table of the fields of lines"),
        Opt::value('s', "separator", "CHARS", "what separates fields (blanks)"),
        Opt::value('o', "output-separator", "TEXT", "what to put between columns (two blanks)"),
        Opt::value('N', "table-columns", "NAMES", "headings, separated by commas"),
        Opt::value('R', "table-right", "COLUMNS", "columns to align at their right side"),
        Opt::value('H', "table-hide", "COLUMNS", "columns to leave out"),
        Opt::value('l', "table-columns-limit", "N", "at most N columns, the rest in the last"),
        Opt::flag('d', "table-noheadings", "do not print the headings"),
        Opt::flag('L', "keep-empty-lines", "keep empty lines"),
        Opt::flag('e', "", "ignored"),
        Opt::flag('x', "fillrows", "fill rows before columns"),
        Opt::value('c', "output-width", "N", "width of the output (80)"),
    ],
    notes: "COLUMNS are names, numbers from 1, or - for all.",
    examples: &[
        Example { script: "printf 'a bb\\nccc d\\n' | column -t", output: "a    bb\nccc  d\n" },
        Example { script: "printf 'a:b\\n' | column -t -s: -o'|'", output: "a|b\n" },
    ],
    ..Spec::DEFAULT
};

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let mut text = Vec::new();
        let mut failed = false;
        for operand in operands_or_stdin(args) {
            let Some(stream) = cx.open_input(&operand).await? else {
                failed = true;
                continue;
            };
            text.append(&mut cx.read_all(&stream).await?);
        }
        let text = String::from_utf8_lossy(&text).into_owned();
        let keeps_empty = args.has("keep-empty-lines");
        let is_kept = |line: &&str| keeps_empty || !line.trim().is_empty();
        let lines: Vec<&str> = text.lines().filter(is_kept).collect();
        if args.has("table") {
            table(cx, args, &lines).await?;
        } else {
            list(cx, args, &lines).await?;
        }
        Reply::success(!failed)
    }
    .boxed_local()
}

/// Lines in columns, tabs between them.
async fn list(cx: &mut ExecContext, args: &Args, lines: &[&str]) -> Result<(), Stop> {
    let width = match args.text("output-width") {
        None => 80,
        Some(text) if text == "unlimited" => usize::MAX,
        Some(text) => match text.parse::<usize>() {
            Ok(width) if width > 0 => width,
            _ => return Err(cx.fail(1, format_args!("invalid columns argument: '{text}'"))),
        },
    };
    let widest = lines.iter().map(|line| text_width(line)).max().unwrap_or(0);
    let step = (widest / 8 + 1) * 8;
    let columns = (width / step).max(1);
    let rows = lines.len().div_ceil(columns);
    let by_rows = args.has("fillrows");
    for row in 0..rows {
        for column in 0..columns {
            let index = if by_rows { row * columns + column } else { column * rows + row };
            let Some(line) = lines.get(index).filter(|_| columns > 1 || column == 0) else { break };
            cx.push(line);
            let next = if by_rows { index + 1 } else { index + rows };
            let has_next = column + 1 < columns && next < lines.len();
            if has_next {
                let mut at = text_width(line);
                while at < step {
                    cx.push("\t");
                    at = (at / 8 + 1) * 8;
                }
            }
        }
        cx.write(b"\n").await?;
    }
    Ok(())
}

/// How a table is laid out.
struct Layout {
    widths: Vec<usize>,
    right: Vec<bool>,
    hidden: Vec<bool>,
    between: EcoString,
}

async fn table(cx: &mut ExecContext, args: &Args, lines: &[&str]) -> Result<(), Stop> {
    let separator = args.text("separator");
    let limit = match args.text("table-columns-limit") {
        None => usize::MAX,
        Some(text) => match text.parse::<usize>() {
            Ok(limit) if limit > 0 => limit,
            _ => return Err(cx.fail(1, format_args!("invalid columns limit argument: '{text}'"))),
        },
    };
    let mut rows: Vec<Vec<&str>> =
        lines.iter().map(|line| fields(line, separator.as_deref(), limit)).collect();
    let names = args.text("table-columns").unwrap_or_default();
    let names: Vec<&str> = names.split(',').filter(|name| !name.is_empty()).collect();
    if !names.is_empty() && !args.has("table-noheadings") {
        rows.insert(0, names.clone());
    }
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let mut widths = vec![0; count];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = text_width(cell).max(*width);
        }
        cx.checkpoint(8).await?;
    }
    let layout = Layout {
        widths,
        right: chosen(cx, args, "table-right", &names, count)?,
        hidden: chosen(cx, args, "table-hide", &names, count)?,
        between: args.text("output-separator").unwrap_or_else(|| "  ".into()),
    };
    for row in &rows {
        layout.row(row, &mut cx.streams.out);
        cx.write(b"\n").await?;
    }
    Ok(())
}

/// The fields of a line, at most so many.
fn fields<'l>(line: &'l str, separator: Option<&str>, limit: usize) -> Vec<&'l str> {
    let is_end = |c: char| match separator {
        Some(separator) => separator.contains(c),
        None => matches!(c, ' ' | '\t'),
    };
    let mut rest = line;
    let mut fields = Vec::new();
    loop {
        if separator.is_none() {
            rest = rest.trim_start_matches(is_end);
            if rest.is_empty() {
                return fields;
            }
        }
        let end = rest.find(is_end).filter(|_| fields.len() + 1 < limit);
        match end.and_then(|end| rest.split_at_checked(end)) {
            Some((field, tail)) => {
                fields.push(field);
                let mut chars = tail.chars();
                chars.next();
                rest = chars.as_str();
            }
            None => {
                fields.push(rest);
                return fields;
            }
        }
    }
}

/// Which columns an option names.
fn chosen(
    cx: &mut ExecContext,
    args: &Args,
    key: &str,
    names: &[&str],
    count: usize,
) -> Result<Vec<bool>, Stop> {
    let mut chosen = vec![false; count];
    let Some(list) = args.text(key) else { return Ok(chosen) };
    for word in list.split(',') {
        if matches!(word, "-" | "0") {
            chosen.fill(true);
            continue;
        }
        let named = names.iter().position(|name| *name == word);
        let index = named.or_else(|| word.parse::<usize>().ok()?.checked_sub(1));
        match index {
            Some(index) => {
                if let Some(slot) = chosen.get_mut(index) {
                    *slot = true;
                }
            }
            None => return Err(cx.fail(1, format_args!("undefined column name '{word}'"))),
        }
    }
    Ok(chosen)
}

impl Layout {
    fn row(&self, row: &[&str], out: &mut Vec<u8>) {
        let shown: Vec<usize> = (0..self.widths.len())
            .filter(|index| self.hidden.get(*index) == Some(&false))
            .collect();
        for (position, index) in shown.iter().enumerate() {
            let cell = row.get(*index).copied().unwrap_or_default();
            let width = self.widths.get(*index).copied().unwrap_or(0);
            let fill = width.saturating_sub(text_width(cell));
            let is_last = position + 1 == shown.len();
            if position > 0 {
                out.extend_from_slice(self.between.as_bytes());
            }
            if self.right.get(*index) == Some(&true) {
                out.resize(out.len() + fill, b' ');
                out.extend_from_slice(cell.as_bytes());
            } else {
                out.extend_from_slice(cell.as_bytes());
                out.resize(out.len() + if is_last { 0 } else { fill }, b' ');
            }
        }
    }
}
