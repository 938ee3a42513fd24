//! Prompt, text and hint to rows of cells: wrapping, styles, and where the cursor stands.

use std::ops::Range;

use ecow::EcoString;

use super::style::{HINT, Style};
use crate::value::{Grapheme, graphemes};

/// What one cluster, or one column of it, looks like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    pub(super) text: EcoString,
    pub(super) width: usize,
    /// The SGR sequences that make its colours from the terminal's default.
    pub(super) sgr: EcoString,
}

/// One row of the terminal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) cells: Vec<Cell>,
    /// The row before was full and goes on here.
    pub(super) wrapped: bool,
}

impl Row {
    pub(super) fn width(&self) -> usize {
        self.cells.iter().map(|cell| cell.width).sum()
    }
}

/// What is to be seen: rows from the prompt down, and the cursor as row and column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Frame {
    pub(super) rows: Vec<Row>,
    pub(super) cursor: (usize, usize),
}

/// A prompt taken apart: its lines, each a list of cells.
pub(super) type PromptLines = Vec<Vec<Cell>>;

/// What is laid out.
#[derive(Debug)]
pub(super) struct Source<'a> {
    pub(super) prompt: &'a PromptLines,
    /// What stands before every line but the first.
    pub(super) continuation: &'a PromptLines,
    pub(super) text: &'a str,
    pub(super) cursor: Option<usize>,
    /// Sorted by start.
    pub(super) styles: &'a [(Range<usize>, Style)],
    /// Underlined in addition.
    pub(super) mark: Range<usize>,
    /// Grey text after the end.
    pub(super) hint: &'a str,
}

/// The result: some rows of all, the number of all, the cursor among all.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) rows: Vec<Row>,
    pub(super) total: usize,
    pub(super) cursor: (usize, usize),
}

impl Source<'_> {
    /// Lays out for a terminal `columns` wide, giving the rows in `keep`.
    pub(super) fn lay_out(&self, columns: usize, keep: Range<usize>) -> Layout {
        let mut placer = Placer::new(columns, keep);
        placer.prompt(self.prompt);
        let mut styles = StyleAt { styles: self.styles, at: 0 };
        let mut cursor = None;
        for grapheme in graphemes(self.text) {
            let here = self.cursor == Some(grapheme.start);
            if grapheme.text == "\n" {
                if here {
                    placer.open_full_row();
                    cursor = Some(placer.position());
                }
                placer.new_row(Wrap::Hard);
                placer.prompt(self.continuation);
                continue;
            }
            if here {
                placer.reserve(first_width(&grapheme));
                cursor = Some(placer.position());
            }
            let mut sgr = EcoString::from(styles.at(grapheme.start).map_or("", Style::sgr));
            if self.mark.contains(&grapheme.start) {
                sgr.push_str("\x1b[4m");
            }
            placer.put(&grapheme, &sgr);
        }
        for (index, grapheme) in graphemes(self.hint).enumerate() {
            if index == 0 && cursor.is_none() {
                placer.reserve(first_width(&grapheme));
                cursor = Some(placer.position());
            }
            placer.put(&grapheme, &HINT.into());
        }
        if self.cursor.is_some() && cursor.is_none() {
            placer.open_full_row();
        }
        let cursor = cursor.unwrap_or_else(|| placer.position());
        Layout { rows: placer.rows, total: placer.row + 1, cursor }
    }
}

/// One line of cells for below the input, cut to the width.
pub(super) fn line(pieces: &[(&str, &str)], columns: usize) -> Row {
    // Keeping the first row alone cuts the line.
    let mut placer = Placer::new(columns, 0..1);
    for (text, sgr) in pieces {
        for grapheme in graphemes(text) {
            placer.put(&grapheme, &EcoString::from(*sgr));
        }
    }
    placer.rows.into_iter().next().unwrap_or_default()
}

/// Where the cursor is after a text that starts in `column`: rows below, and column.
pub(super) fn position_after(text: &str, column: usize, columns: usize) -> (usize, usize) {
    let mut placer = Placer::new(columns, 0..0);
    placer.column = column;
    graphemes(text).for_each(|grapheme| placer.put(&grapheme, &EcoString::new()));
    placer.position()
}

/// A text as it is shown from a column on: control characters spelled, tabs as blanks.
pub(super) fn shown(text: &str, column: usize, columns: usize) -> String {
    let mut placer = Placer::new(columns, 0..usize::MAX);
    placer.column = column;
    graphemes(text).for_each(|grapheme| placer.put(&grapheme, &EcoString::new()));
    placer.rows.iter().flat_map(|row| &row.cells).map(|cell| cell.text.as_str()).collect()
}

/// The style at rising positions.
struct StyleAt<'a> {
    styles: &'a [(Range<usize>, Style)],
    at: usize,
}

impl StyleAt<'_> {
    fn at(&mut self, position: usize) -> Option<Style> {
        while self.styles.get(self.at).is_some_and(|(range, _)| range.end <= position) {
            self.at += 1;
        }
        let (range, style) = self.styles.get(self.at)?;
        range.contains(&position).then_some(*style)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wrap {
    Soft,
    Hard,
}

/// Puts cells one after the other.
struct Placer {
    columns: usize,
    keep: Range<usize>,
    rows: Vec<Row>,
    row: usize,
    column: usize,
}

impl Placer {
    fn new(columns: usize, keep: Range<usize>) -> Self {
        let rows = if keep.contains(&0) { vec![Row::default()] } else { Vec::new() };
        Self { columns, keep, rows, row: 0, column: 0 }
    }

    fn position(&self) -> (usize, usize) {
        (self.row, self.column)
    }

    fn new_row(&mut self, wrap: Wrap) {
        self.row += 1;
        self.column = 0;
        if self.keep.contains(&self.row) {
            self.rows.push(Row { cells: Vec::new(), wrapped: wrap == Wrap::Soft });
        }
    }

    /// Wraps if `width` columns have no room here.
    fn reserve(&mut self, width: usize) {
        if self.column + width > self.columns {
            self.new_row(Wrap::Soft);
        }
    }

    /// Gives a cursor after a full row a place: a blank on the next one.
    fn open_full_row(&mut self) {
        if self.column >= self.columns {
            self.cell(" ", 1, &EcoString::new());
            self.column = 0;
        }
    }

    fn cell(&mut self, text: &str, width: usize, sgr: &EcoString) {
        self.push(Cell { text: text.into(), width, sgr: sgr.clone() });
    }

    fn push(&mut self, cell: Cell) {
        self.reserve(cell.width);
        self.column += cell.width;
        if self.keep.contains(&self.row)
            && let Some(row) = self.rows.last_mut()
        {
            row.cells.push(cell);
        }
    }

    fn prompt(&mut self, lines: &PromptLines) {
        for (index, line) in lines.iter().enumerate() {
            if index > 0 {
                self.new_row(Wrap::Hard);
            }
            line.iter().for_each(|cell| self.push(cell.clone()));
        }
    }

    fn put(&mut self, grapheme: &Grapheme<'_>, sgr: &EcoString) {
        let first = grapheme.text.chars().next().unwrap_or(' ');
        if first == '\t' {
            self.reserve(1);
            let stop = 8 - self.column % 8;
            for _ in 0..stop.min(self.columns - self.column) {
                self.cell(" ", 1, sgr);
            }
        } else if grapheme.width > 0 && !is_invisible(first) {
            self.cell(grapheme.text, grapheme.width.min(self.columns), sgr);
        } else {
            for ch in grapheme.text.chars().flat_map(spell) {
                self.cell(ch.encode_utf8(&mut [0; 4]), 1, sgr);
            }
        }
    }
}

/// The width of the first cell of a cluster.
fn first_width(grapheme: &Grapheme<'_>) -> usize {
    let spelled = grapheme.text.chars().next().is_some_and(is_invisible);
    if spelled { 1 } else { grapheme.width.max(1) }
}

/// Characters that show nothing but change how the rest reads.
fn is_invisible(ch: char) -> bool {
    matches!(ch, '\u{ad}' | '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{feff}')
        || matches!(ch, '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
}

/// A character nobody could see: `^A` for ASCII controls, `<U+202E>` for others.
fn spell(ch: char) -> std::vec::IntoIter<char> {
    let code = u32::from(ch);
    let spelled = match u8::try_from(code) {
        Ok(byte @ (0..0x20 | 0x7f)) => vec!['^', char::from(byte ^ 0x40)],
        _ => {
            let digits = (0..6).rev().map(|place| (code >> (4 * place)) & 0xf);
            let digits = digits.enumerate().skip_while(|(index, digit)| *index < 2 && *digit == 0);
            let digits = digits.filter_map(|(_, digit)| char::from_digit(digit, 16));
            let digits = digits.map(|digit| digit.to_ascii_uppercase());
            "<U+".chars().chain(digits).chain(['>']).collect()
        }
    };
    spelled.into_iter()
}

/// Takes a prompt apart; SGR sequences colour it, other control characters are dropped.
pub(super) fn prompt_lines(prompt: &str) -> PromptLines {
    let mut lines = vec![Vec::new()];
    let mut sgr = EcoString::new();
    let mut rest = prompt;
    while !rest.is_empty() {
        if let Some((sequence, after)) = split_sequence(rest) {
            match sequence.strip_prefix("\x1b[").and_then(|it| it.strip_suffix('m')) {
                Some("" | "0") => sgr.clear(),
                Some(parameters) if is_sgr(parameters) => sgr.push_str(sequence),
                _ => {}
            }
            rest = after;
            continue;
        }
        let text = rest.get(..rest.find('\x1b').unwrap_or(rest.len())).unwrap_or_default();
        for grapheme in graphemes(text) {
            match (grapheme.text, lines.last_mut()) {
                ("\n", _) => lines.push(Vec::new()),
                (text, Some(line)) if grapheme.width > 0 => {
                    line.push(Cell { text: text.into(), width: grapheme.width, sgr: sgr.clone() });
                }
                _ => {}
            }
        }
        rest = rest.get(text.len()..).unwrap_or_default();
    }
    lines
}

fn is_sgr(parameters: &str) -> bool {
    parameters.bytes().all(|byte| byte.is_ascii_digit() || byte == b';' || byte == b':')
}

/// Splits off an escape sequence: control sequences and strings whole, of others two bytes.
fn split_sequence(text: &str) -> Option<(&str, &str)> {
    let body = text.strip_prefix('\x1b')?;
    let length = match body.chars().next() {
        Some('[') => {
            let last = |ch: char| ('\x40'..='\x7e').contains(&ch);
            let end = body.char_indices().skip(1).find(|(_, ch)| last(*ch) || ch.is_control());
            end.map_or(body.len(), |(at, ch)| if ch.is_control() { at } else { at + 1 })
        }
        Some(']' | 'P' | '_' | '^' | 'X') => {
            let end = body.find(['\x07', '\x1b']);
            let st =
                |at| if body.get(at..).is_some_and(|it| it.starts_with("\x1b\\")) { 2 } else { 1 };
            end.map_or(body.len(), |at| at + st(at))
        }
        first => first.map_or(0, char::len_utf8),
    };
    text.split_at_checked(length + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(rows: &[Row]) -> Vec<String> {
        let text = |row: &Row| row.cells.iter().map(|cell| cell.text.as_str()).collect();
        rows.iter().map(text).collect()
    }

    /// Lays out `marked`, with `|` at the cursor, after the prompt `$ `.
    fn check(marked: &str, columns: usize, rows: &[&str], cursor: (usize, usize)) {
        let source = Source {
            prompt: &prompt_lines("\x1b[1m$\x1b[0m "),
            continuation: &prompt_lines("> "),
            text: &marked.replace('|', ""),
            cursor: marked.find('|'),
            styles: &[],
            mark: 0..0,
            hint: "",
        };
        let layout = source.lay_out(columns, 0..99);
        assert_eq!(text(&layout.rows), rows, "{marked:?}");
        assert_eq!((layout.total, layout.cursor), (rows.len(), cursor), "{marked:?}");
        let part = source.lay_out(columns, 1..2);
        assert_eq!(part.rows.first(), layout.rows.get(1), "{marked:?}");
    }

    #[test]
    fn rows_wrap_at_the_margin() {
        check("ab|", 5, &["$ ab"], (0, 4));
        check("abc|", 5, &["$ abc", " "], (1, 0));
        check("ab|c", 5, &["$ abc"], (0, 4));
        check("abc|d", 5, &["$ abc", "d"], (1, 0));
        check("a漢|字", 5, &["$ a漢", "字"], (1, 0));
        check("ab漢|", 5, &["$ ab", "漢"], (1, 2));
        check("ab|漢", 5, &["$ ab", "漢"], (1, 0));
        check("abc\nd|", 5, &["$ abc", "> d"], (1, 3));
        check("abc|\nd", 5, &["$ abc", " ", "> d"], (1, 0));
        check("|", 2, &["$ ", " "], (1, 0));
        check("a\n|", 3, &["$ a", "> "], (1, 2));
    }

    #[test]
    fn what_nobody_sees_is_spelled() {
        check("a\tb|", 20, &["$ a     b"], (0, 9));
        check("\u{1}|\u{202e}", 20, &["$ ^A<U+202E>"], (0, 4));
        check("abcd\t|e", 8, &["$ abcd  ", "e"], (1, 0));
        check("\u{e0001}\u{1}|", 20, &["$ \u{e0001}^A"], (0, 5));
    }

    #[test]
    fn prompts_keep_colours_and_nothing_else() {
        let lines = prompt_lines("\x1b[1;31mé\x1b]0;title\x07\x1b[m\n\x1b[2J\x01$\x1b(B ");
        let cell = |text: &str, sgr: &str| Cell { text: text.into(), width: 1, sgr: sgr.into() };
        assert_eq!(lines[0], [cell("é", "\x1b[1;31m")]);
        assert_eq!(lines[1][0], cell("$", ""));
        assert_eq!(text(&[line(&[("abc", ""), ("def", "")], 4)]), ["abcd"]);
    }
}
