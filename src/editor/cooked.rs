//! The line discipline for programs that read the terminal: keys in, whole lines out.

use std::fmt::Write as _;

use super::key::{Code, Decoder, Event, Key};
use super::{layout, paste};
use crate::value::graphemes;

/// How input reaches the program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Discipline {
    /// Lines, edited and shown.
    #[default]
    Lines,
    /// Lines, edited but not shown, as `read -s` wants.
    Hidden,
    /// Bytes as they come, as `read -n 1` wants; only Control-C is kept back.
    Raw,
}

/// What the caller is to do, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CookedAction {
    /// Write these bytes to the terminal, through the same [`OutputFilter`](super::OutputFilter)
    /// as the program's output.
    Write(Vec<u8>),
    /// Give these bytes to the program.
    Data(Vec<u8>),
    /// The program's input ends.
    EndOfInput,
    /// Control-C.
    Interrupt,
}

const LONGEST_LINE: usize = 1 << 20;

/// The line being typed for a program.
#[derive(Debug)]
pub struct Cooked {
    discipline: Discipline,
    decoder: Decoder,
    line: String,
    /// The bytes of the line after which the program wrote something.
    shown_from: usize,
    /// The column that what is shown of the line starts in.
    start: usize,
    columns: usize,
    literal: bool,
    actions: Vec<CookedAction>,
}

impl Cooked {
    /// An empty line at a terminal of this width.
    #[must_use]
    pub fn new(columns: usize) -> Self {
        Self {
            discipline: Discipline::Lines,
            decoder: Decoder::default(),
            line: String::new(),
            shown_from: 0,
            start: 0,
            columns: columns.max(2),
            literal: false,
            actions: Vec::new(),
        }
    }

    /// Says how the program wants its input.
    pub fn set_discipline(&mut self, discipline: Discipline) {
        self.discipline = discipline;
    }

    /// Says that the terminal has another width.
    pub fn resize(&mut self, columns: usize) {
        self.columns = columns.max(2);
    }

    /// Says that the program wrote something and left the cursor in this column, see
    /// [`OutputFilter::column`](super::OutputFilter::column).
    pub fn output_at(&mut self, column: usize) {
        self.start = column.min(self.columns);
        self.shown_from = self.line.len();
    }

    /// Takes bytes from the terminal, in pieces of any size.
    pub fn input(&mut self, bytes: &[u8]) -> Vec<CookedAction> {
        if self.discipline == Discipline::Raw {
            self.raw(bytes);
        } else {
            let mut rest = bytes;
            while !rest.is_empty() {
                let (taken, event) = self.decoder.next(rest);
                rest = rest.get(taken..).unwrap_or_default();
                match event {
                    Some(Event::Key(key)) => self.key(key),
                    Some(Event::Paste(text)) => self.pasted(&String::from_utf8_lossy(&text)),
                    Some(Event::PasteTooLong) => self.write(&format!("\r\n{}", paste::too_long())),
                    None => {}
                }
            }
        }
        std::mem::take(&mut self.actions)
    }

    /// Forgets the unfinished line and answers it: for the next prompt, when the program is gone.
    pub fn take_line(&mut self) -> String {
        self.discipline = Discipline::Lines;
        self.shown_from = 0;
        self.start = 0;
        self.literal = false;
        std::mem::take(&mut self.line)
    }

    fn raw(&mut self, bytes: &[u8]) {
        for (index, part) in bytes.split(|byte| *byte == 0x03).enumerate() {
            if index > 0 {
                self.actions.push(CookedAction::Interrupt);
            }
            if !part.is_empty() {
                self.actions.push(CookedAction::Data(part.to_vec()));
            }
        }
    }

    fn key(&mut self, key: Key) {
        if std::mem::take(&mut self.literal) {
            return match key.code {
                Code::Char(ch) if key.ctrl && ch.is_ascii() => {
                    self.insert(char::from(ch.to_ascii_uppercase() as u8 & 0x1f));
                }
                Code::Char(ch) => self.insert(ch),
                Code::Tab => self.insert('\t'),
                Code::Escape => self.insert('\x1b'),
                _ => {}
            };
        }
        match (key.code, key.ctrl) {
            (Code::Enter, _) | (Code::Char('j'), true) => self.enter(),
            (Code::Backspace, _) | (Code::Char('h'), true) => {
                let last = graphemes(&self.line).last().map_or(0, |last| last.start);
                self.erase_to(last);
            }
            (Code::Char('u'), true) => self.erase_to(0),
            (Code::Char('w'), true) => self.erase_to(word_start(&self.line)),
            (Code::Char('d'), true) => self.end(),
            (Code::Char('c'), true) => {
                self.write("^C\r\n");
                self.forget_line();
                self.actions.push(CookedAction::Interrupt);
            }
            (Code::Char('v'), true) => self.literal = true,
            (Code::Char(ch), false) if !key.alt => self.insert(ch),
            (Code::Tab, _) => self.insert('\t'),
            _ => {}
        }
    }

    fn pasted(&mut self, text: &str) {
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        for ch in text.chars() {
            match ch {
                '\n' => self.enter(),
                _ if ch == '\t' || !ch.is_control() => self.insert(ch),
                _ => {}
            }
        }
    }

    fn insert(&mut self, ch: char) {
        if self.line.len() + ch.len_utf8() > LONGEST_LINE {
            return;
        }
        let (_, column) = self.position(self.line.len());
        let text = layout::shown(ch.encode_utf8(&mut [0; 4]), column, self.columns);
        self.line.push(ch);
        if self.discipline == Discipline::Lines {
            self.write(&text);
        }
    }

    /// Where the cursor is after the first `length` bytes of the line: rows below, and column.
    fn position(&self, length: usize) -> (usize, usize) {
        let shown = self.line.get(self.shown_from..length).unwrap_or_default();
        layout::position_after(shown, self.start, self.columns)
    }

    /// Takes the end of the line back, on the screen too.
    fn erase_to(&mut self, length: usize) {
        let (row, column) = self.position(self.line.len());
        let mut kept = length.max(self.shown_from);
        let shown = self.line.len() > self.shown_from;
        self.line.truncate(length);
        self.shown_from = self.shown_from.min(length);
        if !shown || self.discipline != Discipline::Lines {
            return;
        }
        kept = kept.min(self.line.len());
        let (mut new_row, mut new_column) = self.position(kept);
        let mut again = String::new();
        if new_column == self.columns {
            // Only writing the last cluster again puts the cursor after a full row.
            let visible = self.line.get(self.shown_from..kept).unwrap_or_default();
            match graphemes(visible).last() {
                Some(last) => {
                    (new_row, new_column) = self.position(self.shown_from + last.start);
                    again = layout::shown(last.text, new_column, self.columns);
                }
                None => (self.start, new_row, new_column) = (0, new_row + 1, 0),
            }
        }
        let mut sequence = String::new();
        if row == new_row && column < self.columns {
            sequence = "\x08".repeat(column.saturating_sub(new_column));
            sequence.push_str("\x1b[K");
        } else {
            if row > new_row {
                let _ = write!(sequence, "\x1b[{}A", row - new_row);
            }
            let _ = write!(sequence, "\x1b[{}G\x1b[J", new_column + 1);
        }
        sequence.push_str(&again);
        self.write(&sequence);
    }

    fn enter(&mut self) {
        self.write("\r\n");
        let mut line = std::mem::take(&mut self.line);
        line.push('\n');
        self.forget_line();
        self.actions.push(CookedAction::Data(line.into_bytes()));
    }

    /// Control-D: what is typed goes out without a newline; without anything the input ends.
    fn end(&mut self) {
        if self.line.is_empty() {
            self.actions.push(CookedAction::EndOfInput);
            return;
        }
        let (_, column) = self.position(self.line.len());
        let line = std::mem::take(&mut self.line);
        self.shown_from = 0;
        self.start = column;
        self.actions.push(CookedAction::Data(line.into_bytes()));
    }

    fn forget_line(&mut self) {
        self.line.clear();
        self.shown_from = 0;
        self.start = 0;
    }

    fn write(&mut self, text: &str) {
        match self.actions.last_mut() {
            Some(CookedAction::Write(bytes)) => bytes.extend_from_slice(text.as_bytes()),
            _ => self.actions.push(CookedAction::Write(text.as_bytes().to_vec())),
        }
    }
}

fn word_start(line: &str) -> usize {
    let word = line.trim_end();
    let blank = |(_, ch): &(usize, char)| ch.is_whitespace();
    word.char_indices().rfind(blank).map_or(0, |(at, ch)| at + ch.len_utf8())
}
