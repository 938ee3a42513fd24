//! A small terminal: bytes to a grid of cells, wrapping and joining clusters as xterm.js does.

use crate::value::Cluster;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Cell {
    /// Empty where nothing was written, and in the second column of a wide cluster.
    pub(super) text: String,
    pub(super) width: usize,
    pub(super) sgr: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) cells: Vec<Cell>,
    pub(super) wrapped: bool,
}

impl Line {
    fn blank(columns: usize) -> Self {
        Self { cells: vec![Cell::default(); columns], wrapped: false }
    }

    pub(super) fn text(&self) -> String {
        let column = |at: usize, cell: &Cell| match cell.text.as_str() {
            "" if at > 0 && self.cells[at - 1].width == 2 => String::new(),
            "" => " ".to_owned(),
            text => text.to_owned(),
        };
        self.cells.iter().enumerate().map(|(at, cell)| column(at, cell)).collect()
    }

    fn used(&self) -> usize {
        let last = self.cells.iter().rposition(|cell| !cell.text.is_empty());
        last.map_or(0, |at| (at + self.cells[at].width).min(self.cells.len()))
    }
}

#[derive(Clone, Debug)]
pub(super) struct Terminal {
    pub(super) columns: usize,
    pub(super) rows: usize,
    /// Scrollback and screen; the screen is the last `rows` of it.
    pub(super) lines: Vec<Line>,
    /// Row on the screen.
    pub(super) row: usize,
    /// Equal to `columns` when the next character wraps.
    pub(super) column: usize,
    sgr: String,
    cluster: Cluster,
    pub(super) bracketed_paste: bool,
}

impl Terminal {
    pub(super) fn new(columns: usize, rows: usize) -> Self {
        let lines = vec![Line::blank(columns); rows];
        Self {
            columns,
            rows,
            lines,
            row: 0,
            column: 0,
            sgr: String::new(),
            cluster: Cluster::default(),
            bracketed_paste: false,
        }
    }

    /// Index of the first line of the screen.
    pub(super) fn base(&self) -> usize {
        self.lines.len() - self.rows
    }

    fn here(&mut self) -> &mut Line {
        let at = self.base() + self.row;
        &mut self.lines[at]
    }

    pub(super) fn write(&mut self, bytes: &[u8]) {
        let text = std::str::from_utf8(bytes).expect("the editor writes UTF-8");
        let mut rest = text;
        while let Some(ch) = rest.chars().next() {
            rest = &rest[ch.len_utf8()..];
            if ch == '\x1b' {
                let body = rest.strip_prefix('[').expect("only control sequences");
                let end = body.find(|ch: char| ('\x40'..='\x7e').contains(&ch)).expect("final");
                self.sequence(&body[..end], &body[end..=end]);
                rest = &body[end + 1..];
            } else if ch.is_control() {
                self.control(ch);
            } else {
                self.print(ch);
            }
        }
    }

    fn control(&mut self, ch: char) {
        self.cluster = Cluster::default();
        match ch {
            '\r' => self.column = 0,
            '\n' => {
                self.line_feed();
                self.here().wrapped = false;
            }
            '\x08' => self.column = self.column.min(self.columns - 1).saturating_sub(1),
            '\x07' => {}
            _ => panic!("control {ch:?}"),
        }
    }

    fn line_feed(&mut self) {
        if self.row + 1 < self.rows {
            self.row += 1;
        } else {
            self.lines.push(Line::blank(self.columns));
        }
    }

    fn sequence(&mut self, parameters: &str, last: &str) {
        self.cluster = Cluster::default();
        let number = parameters.parse::<usize>().unwrap_or(1);
        let clamped = self.column.min(self.columns - 1);
        match (last, parameters) {
            ("A", _) => {
                self.row = self.row.saturating_sub(number);
                self.column = clamped;
            }
            ("B", _) => {
                self.row = (self.row + number).min(self.rows - 1);
                self.column = clamped;
            }
            ("C", _) => self.column = (clamped + number).min(self.columns - 1),
            ("G", _) => self.column = (number - 1).min(self.columns - 1),
            ("H", "") => (self.row, self.column) = (0, 0),
            ("K", "") => {
                self.column = clamped;
                self.erase(self.row, clamped);
            }
            ("J", "") => {
                self.column = clamped;
                self.erase(self.row, clamped);
                (self.row + 1..self.rows).for_each(|row| self.erase(row, 0));
            }
            ("J", "2") => (0..self.rows).for_each(|row| self.erase(row, 0)),
            ("m", "" | "0") => self.sgr.clear(),
            ("m", _) => self.sgr.push_str(&format!("{parameters};")),
            ("h", "?2004") => self.bracketed_paste = true,
            ("l", "?2004") => self.bracketed_paste = false,
            _ => panic!("sequence {parameters:?} {last:?}"),
        }
    }

    /// Erases to the end of a row; from column 0 the row is no longer the rest of the one before.
    fn erase(&mut self, row: usize, column: usize) {
        assert!(self.sgr.is_empty(), "erasing in colours");
        let at = self.base() + row;
        let line = &mut self.lines[at];
        line.cells[column..].fill(Cell::default());
        if column > 0 && line.cells[column - 1].width == 2 {
            line.cells[column - 1] = Cell::default();
        }
        line.wrapped &= column > 0;
    }

    fn print(&mut self, ch: char) {
        let old = self.cluster.width();
        if self.cluster.push(ch) && self.column > 0 {
            let grown = self.cluster.width() - old;
            let mut at = self.column - old;
            if self.column + grown > self.columns {
                // A cluster that grows over the margin moves to the next row.
                let moved = std::mem::take(&mut self.here().cells[at]);
                self.line_feed();
                self.here().wrapped = true;
                self.here().cells[0] = moved;
                (at, self.column) = (0, old);
            }
            let cell = &mut self.here().cells[at];
            cell.text.push(ch);
            cell.width += grown;
            let sgr = cell.sgr.clone();
            if grown > 0 {
                self.here().cells[at + 1] = Cell { sgr, ..Cell::default() };
            }
            self.column += grown;
            return;
        }
        let width = self.cluster.width();
        if self.column + width > self.columns {
            let column = self.column;
            self.here().cells[column..].fill(Cell::default());
            self.line_feed();
            self.column = 0;
            self.here().wrapped = true;
        }
        let (column, sgr) = (self.column, self.sgr.clone());
        let cells = &mut self.here().cells;
        if column > 0 && cells[column - 1].width == 2 {
            cells[column - 1] = Cell::default();
        }
        cells[column] = Cell { text: ch.to_string(), width, sgr: sgr.clone() };
        if width == 2 {
            cells[column + 1] = Cell { text: String::new(), width: 0, sgr };
        }
        self.column += width;
    }

    /// Changes the size as xterm.js does, its ways with the cursor included.
    pub(super) fn resize(&mut self, columns: usize, rows: usize) {
        let mut base = self.base();
        let mut row = self.row;
        for _ in rows..self.rows {
            if self.lines.len() > base + row + 1 {
                self.lines.pop();
            } else {
                (base, row) = (base + 1, row - 1);
            }
        }
        for _ in self.rows..rows {
            if base > 0 && self.lines.len() <= base + row + 1 {
                (base, row) = (base - 1, row + 1);
            } else {
                self.lines.push(Line::blank(self.columns));
            }
        }
        let cursor = base + row;
        let mut at = cursor;
        let mut groups = self.take_groups();
        let mut index: usize = groups.iter().map(Vec::len).sum();
        let (mut more, mut fewer) = (0, 0);
        for group in groups.iter_mut().rev() {
            index -= group.len();
            let has = |at: usize| (index..index + group.len()).contains(&at);
            if if columns < self.columns { has(at) } else { has(cursor) } {
                group.iter_mut().for_each(|line| line.cells.resize(columns, Cell::default()));
                continue;
            }
            let anew = wrap_anew(group, columns);
            more += anew.len().saturating_sub(group.len());
            fewer += group.len().saturating_sub(anew.len());
            at = cursor + more;
            *group = anew;
        }
        self.lines = groups.into_iter().flatten().collect();
        for _ in 0..more {
            if base == 0 && row + 1 < rows {
                row += 1;
                self.lines.pop();
            } else {
                base += 1;
            }
        }
        for _ in 0..fewer {
            (base, row) = if base == 0 { (0, row.saturating_sub(1)) } else { (base - 1, row) };
        }
        while self.lines.len() < base + rows {
            self.lines.push(Line::blank(columns));
        }
        (self.columns, self.rows) = (columns, rows);
        self.row = row;
        self.column = self.column.min(columns - 1);
        assert_eq!(self.base(), base, "rows above the screen");
    }

    /// The lines, those that go on in the next row together.
    fn take_groups(&mut self) -> Vec<Vec<Line>> {
        let mut groups: Vec<Vec<Line>> = Vec::new();
        for line in self.lines.drain(..) {
            match groups.last_mut() {
                Some(group) if line.wrapped => group.push(line),
                _ => groups.push(vec![line]),
            }
        }
        groups
    }

    /// The rows of scrollback and screen to the last that is used, with `mark` at the cursor.
    pub(super) fn all(&self, mark: &str) -> Vec<String> {
        let cursor = self.base() + self.row;
        let mut rows: Vec<String> = Vec::new();
        for (at, line) in self.lines.iter().enumerate() {
            let mut text = line.text().trim_end().to_owned();
            if at == cursor {
                text = self.marked(line, mark);
            }
            rows.push(text);
        }
        while rows.len() > cursor + 1 && rows.last().is_some_and(String::is_empty) {
            rows.pop();
        }
        rows
    }

    fn marked(&self, line: &Line, mark: &str) -> String {
        let split = self.column.min(self.columns);
        let part = |cells: &[Cell]| Line { cells: cells.to_vec(), wrapped: false }.text();
        let after = part(&line.cells[split..]);
        format!("{}{mark}{}", part(&line.cells[..split]), after.trim_end())
    }
}

fn wrap_anew(group: &[Line], columns: usize) -> Vec<Line> {
    let mut lines = vec![Line { cells: Vec::new(), wrapped: group[0].wrapped }];
    for line in group {
        let used = line.used();
        for cell in line.cells[..used].iter().filter(|cell| cell.width > 0) {
            if lines.last().unwrap().cells.len() + cell.width > columns {
                lines.push(Line { cells: Vec::new(), wrapped: true });
            }
            let cells = &mut lines.last_mut().unwrap().cells;
            cells.push(cell.clone());
            if cell.width == 2 {
                cells.push(Cell { text: String::new(), width: 0, sgr: cell.sgr.clone() });
            }
        }
    }
    lines.iter_mut().for_each(|line| line.cells.resize(columns, Cell::default()));
    lines
}
