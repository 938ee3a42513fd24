//! The difference between what is drawn and what is to be drawn, as terminal sequences.

use std::ops::Range;

use ecow::EcoString;

use super::layout::{Cell, Frame, Row};
use crate::value::Cluster;

/// What stands in the terminal from the first row of the prompt on.
///
/// Positions are relative to that row, so that the terminal may scroll. Rows that a line goes on
/// in are really wrapped by the terminal: copied text has no newline there, and the terminal may
/// wrap them anew when its width changes.
#[derive(Debug)]
pub(super) struct Screen {
    rows: Vec<Row>,
    cursor: (usize, usize),
    columns: usize,
    /// What the terminal would join the next character to.
    cluster: Cluster,
}

impl Screen {
    pub(super) fn new(columns: usize) -> Self {
        Self { rows: Vec::new(), cursor: (0, 0), columns, cluster: Cluster::default() }
    }

    /// Forgets what is drawn: the cursor is at the start of a row with nothing after it.
    pub(super) fn reset(&mut self) {
        *self = Self::new(self.columns);
    }

    /// Draws the frame by rewriting what differs.
    pub(super) fn draw(&mut self, next: Frame, out: &mut Vec<u8>) {
        let mut pen = Pen::new(self, out);
        for (index, row) in next.rows.iter().enumerate() {
            let before = index.checked_sub(1).and_then(|before| next.rows.get(before));
            pen.row(index, row, self.rows.get(index), before);
        }
        if next.rows.len() < self.rows.len() {
            pen.go(next.rows.len(), 0);
            pen.erase(b"\x1b[J");
        }
        pen.go(next.cursor.0, next.cursor.1);
        pen.plain();
        self.cluster = pen.cluster;
        self.rows = next.rows;
        self.cursor = next.cursor;
    }

    /// Takes away what is drawn, leaving the cursor where the first row began.
    pub(super) fn erase(&mut self, out: &mut Vec<u8>) {
        move_up(self.cursor.0, out);
        out.extend_from_slice(b"\r\x1b[J");
        self.reset();
    }

    /// Takes away what is drawn after the terminal has changed its width.
    ///
    /// xterm.js wraps lines anew, except the one the cursor is in, whose rows are cut. A line that
    /// becomes longer or shorter moves the cursor, even if it is below the cursor; a narrower
    /// terminal goes through the lines from below, and the cursor may have come to another one.
    pub(super) fn erase_resized(&mut self, columns: usize, out: &mut Vec<u8>) {
        let mut cursor = self.cursor.0;
        let mut shorter = 0;
        for line in self.lines().into_iter().rev() {
            let rows = self.rows.get(line.clone()).unwrap_or_default();
            if columns < self.columns && !line.contains(&cursor) {
                cursor += rewrap(rows, columns).saturating_sub(rows.len());
            } else if columns > self.columns && !line.contains(&self.cursor.0) {
                shorter += rows.len().saturating_sub(rewrap(rows, columns));
            }
        }
        if cursor < shorter {
            out.extend_from_slice(format!("\x1b[{}B", shorter - cursor).as_bytes());
        }
        self.cursor.0 = cursor.saturating_sub(shorter);
        self.columns = columns;
        self.erase(out);
    }

    /// The rows of each wrapped line.
    fn lines(&self) -> Vec<Range<usize>> {
        let mut lines: Vec<Range<usize>> = Vec::new();
        for (index, row) in self.rows.iter().enumerate() {
            match lines.last_mut() {
                Some(line) if row.wrapped => line.end = index + 1,
                _ => lines.push(index..index + 1),
            }
        }
        lines
    }
}

/// How many rows the terminal makes of one wrapped line.
fn rewrap(rows: &[Row], columns: usize) -> usize {
    let (mut count, mut column) = (1, 0);
    for cell in rows.iter().flat_map(|row| &row.cells) {
        if column + cell.width > columns {
            count += 1;
            column = 0;
        }
        column += cell.width;
    }
    count
}

fn move_up(rows: usize, out: &mut Vec<u8>) {
    if rows > 0 {
        out.extend_from_slice(format!("\x1b[{rows}A").as_bytes());
    }
}

/// Writes sequences and knows where the terminal's cursor is.
struct Pen<'a> {
    out: &'a mut Vec<u8>,
    columns: usize,
    row: usize,
    /// Equal to `columns` after the last column has been written: the next cell wraps.
    column: usize,
    /// How many rows exist in the terminal.
    height: usize,
    sgr: EcoString,
    cluster: Cluster,
}

impl<'a> Pen<'a> {
    fn new(screen: &Screen, out: &'a mut Vec<u8>) -> Self {
        Self {
            out,
            columns: screen.columns,
            row: screen.cursor.0,
            column: screen.cursor.1,
            height: screen.rows.len().max(1),
            sgr: EcoString::new(),
            cluster: screen.cluster,
        }
    }

    fn row(&mut self, index: usize, row: &Row, old: Option<&Row>, before: Option<&Row>) {
        let Some(old) = old else {
            if row.wrapped {
                self.wrap_after(index - 1, before);
            } else {
                self.go(index, 0);
            }
            return self.cells(&row.cells);
        };
        if row.wrapped == old.wrapped {
            return self.change(index, row, old);
        }
        if row.wrapped {
            self.wrap_after(index - 1, before);
            self.cells(&row.cells);
            if row.width() < old.width() {
                self.erase(b"\x1b[K");
            }
        } else {
            // Erasing from column 0 makes the row one of its own again.
            self.go(index, 0);
            self.erase(b"\x1b[K");
            self.cells(&row.cells);
        }
    }

    /// Rewrites the columns in which the rows differ.
    fn change(&mut self, index: usize, row: &Row, old: &Row) {
        let same = |(left, right): &(&Cell, &Cell)| left == right;
        let prefix = row.cells.iter().zip(&old.cells).take_while(same).count();
        if prefix == row.cells.len() && prefix == old.cells.len() {
            return;
        }
        let (width, old_width) = (row.width(), old.width());
        let mut end = row.cells.len();
        if width == old_width {
            let both = row.cells.iter().skip(prefix).rev().zip(old.cells.iter().skip(prefix).rev());
            end -= both.take_while(same).count();
        }
        let changed = row.cells.get(prefix..end).unwrap_or_default();
        let column = row.cells.iter().take(prefix).map(|cell| cell.width).sum();
        let wraps_here = row.wrapped && self.row + 1 == index && self.column == self.columns;
        if column > 0 || changed.is_empty() || !wraps_here {
            self.go(index, column);
        }
        self.cells(changed);
        if width < old_width {
            self.erase(b"\x1b[K");
        }
    }

    /// Puts the terminal in the state in which the next cell wraps from row `index` to the next.
    fn wrap_after(&mut self, index: usize, row: Option<&Row>) {
        let Some((row, last)) = row.and_then(|row| Some((row, row.cells.last()?))) else { return };
        let width = row.width();
        if (self.row, self.column) == (index, width) {
            return;
        }
        if width == self.columns {
            self.go(index, width - last.width);
            self.cell(last);
        } else {
            self.go(index, width);
        }
    }

    fn cells(&mut self, cells: &[Cell]) {
        cells.iter().for_each(|cell| self.cell(cell));
    }

    fn cell(&mut self, cell: &Cell) {
        let mut cluster = self.cluster;
        let would_join = cell.text.chars().next().is_some_and(|first| cluster.push(first));
        if self.sgr != cell.sgr {
            self.plain();
            self.out.extend_from_slice(cell.sgr.as_bytes());
            self.sgr = cell.sgr.clone();
            self.cluster = Cluster::default();
        } else if would_join {
            // Any sequence keeps the terminal from joining this to the cluster before.
            self.sequence(b"\x1b[m");
            self.out.extend_from_slice(cell.sgr.as_bytes());
        }
        if self.column + cell.width > self.columns {
            self.row += 1;
            self.column = 0;
            self.height = self.height.max(self.row + 1);
        }
        self.column += cell.width;
        self.out.extend_from_slice(cell.text.as_bytes());
        for ch in cell.text.chars() {
            self.cluster.push(ch);
        }
    }

    fn plain(&mut self) {
        if !self.sgr.is_empty() {
            self.sgr.clear();
            self.sequence(b"\x1b[m");
        }
    }

    /// Erases in the default colours: the terminal fills with the background it is set to.
    fn erase(&mut self, sequence: &[u8]) {
        self.plain();
        self.sequence(sequence);
    }

    fn sequence(&mut self, sequence: &[u8]) {
        self.out.extend_from_slice(sequence);
        self.cluster = Cluster::default();
    }

    fn go(&mut self, row: usize, column: usize) {
        if (self.row, self.column) == (row, column) && column < self.columns {
            return;
        }
        self.cluster = Cluster::default();
        if row < self.row {
            move_up(self.row - row, self.out);
        }
        let existing = row.min(self.height - 1);
        if existing > self.row {
            let down = existing - self.row;
            self.out.extend_from_slice(format!("\x1b[{down}B").as_bytes());
        }
        if existing < row {
            self.plain();
        }
        for _ in existing..row {
            self.out.extend_from_slice(b"\r\n");
            self.column = 0;
        }
        self.height = self.height.max(row + 1);
        self.row = row;
        if self.column == self.columns || self.column != column {
            self.go_to_column(column);
        }
    }

    fn go_to_column(&mut self, column: usize) {
        let column = column.min(self.columns - 1);
        if column == 0 {
            self.out.push(b'\r');
        } else if self.column < self.columns && self.column == column + 1 {
            self.out.push(b'\x08');
        } else {
            self.out.extend_from_slice(format!("\x1b[{}G", column + 1).as_bytes());
        }
        self.column = column;
    }
}
