//! A record and its fields; the input records are cut from.

use std::rc::Rc;

use super::value::{Str, Value, leading_number};
use crate::io::Stream;
use crate::pattern::{Dialect, Regex, RegexError, Syntax};
use crate::value::first_chars;

/// The most fields a record may have.
const MOST_FIELDS: usize = 1 << 20;

/// What separates fields, or what fields are.
#[derive(Clone)]
pub(super) enum FieldSplit {
    /// Runs of blanks and newlines, those at the edges aside.
    Blanks,
    Byte(u8),
    Separator(Rc<Regex>),
    /// Every character.
    Characters,
    /// `FPAT`
    Content(Rc<Regex>),
}

impl FieldSplit {
    /// The meaning of `FS`; in paragraph mode a newline separates fields too.
    pub(super) fn of(text: &[u8], paragraphs: bool) -> Result<Self, RegexError> {
        let single = first_chars(text, 1).len() == text.len();
        Ok(match text {
            b" " => Self::Blanks,
            [] => Self::Characters,
            [byte] if byte.is_ascii() && !paragraphs => Self::Byte(*byte),
            _ => {
                let text = String::from_utf8_lossy(text);
                let pattern = match (paragraphs, single) {
                    (false, _) => text.into_owned(),
                    (true, true) if text == "\\" => "[\\\\\n]".into(),
                    (true, true) => format!("[\n{text}]"),
                    (true, false) => format!("({text})|\n"),
                };
                Self::Separator(Rc::new(Regex::new(&pattern, Syntax::new(Dialect::Awk))?))
            }
        })
    }

    /// Appends the bounds of the fields of a text, and of the separators where `between` is given.
    pub(super) fn split(
        &self,
        text: &[u8],
        fields: &mut Vec<(u32, u32)>,
        mut between: Option<&mut Vec<(u32, u32)>>,
    ) {
        if text.is_empty() {
            return;
        }
        match self {
            Self::Blanks => split_blanks(text, fields),
            Self::Byte(byte) => {
                let mut start = 0;
                for at in memchr::memchr_iter(*byte, text) {
                    fields.push(span(start, at));
                    if let Some(between) = &mut between {
                        between.push(span(at, at + 1));
                    }
                    start = at + 1;
                }
                fields.push(span(start, text.len()));
            }
            Self::Separator(regex) => {
                let (mut start, mut at) = (0, 0);
                while let Some((from, to)) = regex.find_at(text, at) {
                    if from == to {
                        // A separator has at least one character.
                        let rest = text.get(from..).unwrap_or_default();
                        if rest.is_empty() {
                            break;
                        }
                        at = from + first_chars(rest, 1).len();
                        continue;
                    }
                    fields.push(span(start, from));
                    if let Some(between) = &mut between {
                        between.push(span(from, to));
                    }
                    (start, at) = (to, to);
                }
                fields.push(span(start, text.len()));
            }
            Self::Characters => {
                let mut at = 0;
                while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
                    let next = at + first_chars(rest, 1).len();
                    fields.push(span(at, next));
                    at = next;
                }
            }
            Self::Content(regex) => {
                let mut at = 0;
                while let Some((from, to)) = regex.find_at(text, at) {
                    fields.push(span(from, to));
                    // An empty field is followed by at least one character of separator.
                    let rest = text.get(to..).unwrap_or_default();
                    if rest.is_empty() {
                        break;
                    }
                    at = to + first_chars(rest, 1).len();
                    if at >= text.len() {
                        fields.push(span(at, at));
                        break;
                    }
                }
            }
        }
    }
}

fn split_blanks(text: &[u8], fields: &mut Vec<(u32, u32)>) {
    let mut start = None;
    for (at, byte) in text.iter().enumerate() {
        match (matches!(byte, b' ' | b'\t' | b'\n'), start) {
            (true, Some(from)) => {
                fields.push(span(from, at));
                start = None;
            }
            (false, None) => start = Some(at),
            _ => {}
        }
    }
    if let Some(from) = start {
        fields.push(span(from, text.len()));
    }
}

fn span(start: usize, end: usize) -> (u32, u32) {
    let small = |at| u32::try_from(at).unwrap_or(u32::MAX);
    (small(start), small(end))
}

/// The part of a text that a span names.
pub(super) fn part(text: &[u8], span: (u32, u32)) -> &[u8] {
    text.get(span.0 as usize..span.1 as usize).unwrap_or_default()
}

/// What a record needs to know to take itself apart and put itself together.
pub(super) struct Style {
    pub(super) split: FieldSplit,
    pub(super) ofs: Vec<u8>,
    pub(super) convfmt: Vec<u8>,
}

/// The current record. Fields are found when first asked for.
#[derive(Default)]
pub(super) struct Record {
    text: Vec<u8>,
    /// The text as a value, once asked for.
    shared: Option<Str>,
    spans: Vec<(u32, u32)>,
    is_split: bool,
    /// The fields themselves, once one was assigned.
    fields: Option<Vec<Value>>,
    /// The text is behind the fields.
    is_stale: bool,
}

impl Record {
    /// Replaces the text.
    pub(super) fn set(&mut self, text: &[u8]) {
        self.text.clear();
        self.text.extend_from_slice(text);
        self.shared = None;
        self.is_split = false;
        self.fields = None;
        self.is_stale = false;
    }

    /// Finds the fields, as a change of `FS` must not change those of this record.
    pub(super) fn split(&mut self, style: &Style) {
        if !self.is_split {
            self.is_split = true;
            self.spans.clear();
            style.split.split(&self.text, &mut self.spans, None);
        }
    }

    /// The text.
    pub(super) fn text(&mut self, style: &Style) -> &[u8] {
        if std::mem::take(&mut self.is_stale) {
            self.shared = None;
            self.text.clear();
            for (index, field) in self.fields.iter().flatten().enumerate() {
                if index > 0 {
                    self.text.extend_from_slice(&style.ofs);
                }
                field.append_to(&mut self.text, &style.convfmt);
            }
        }
        &self.text
    }

    /// The number of fields.
    pub(super) fn count(&mut self, style: &Style) -> usize {
        self.split(style);
        self.fields.as_ref().map_or(self.spans.len(), Vec::len)
    }

    /// A field; the record itself for 0.
    pub(super) fn field(&mut self, index: usize, style: &Style) -> Value {
        let Some(index) = index.checked_sub(1) else {
            self.text(style);
            let shared = self.shared.get_or_insert_with(|| self.text.as_slice().into());
            return Value::Input(Rc::clone(shared));
        };
        self.split(style);
        match &self.fields {
            Some(fields) => fields.get(index).cloned().unwrap_or_default(),
            None => match self.spans.get(index) {
                Some(span) => Value::Input(part(&self.text, *span).into()),
                None => Value::Unset,
            },
        }
    }

    /// A field as a number.
    pub(super) fn number(&mut self, index: usize, style: &Style) -> f64 {
        let Some(at) = index.checked_sub(1) else { return leading_number(self.text(style)) };
        self.split(style);
        match &self.fields {
            Some(fields) => fields.get(at).map_or(0.0, Value::number),
            None => self.spans.get(at).map_or(0.0, |span| leading_number(part(&self.text, *span))),
        }
    }

    fn own_fields(&mut self, style: &Style) -> &mut Vec<Value> {
        self.split(style);
        self.is_stale = true;
        let (text, spans) = (&self.text, &self.spans);
        self.fields.get_or_insert_with(|| {
            spans.iter().map(|span| Value::Input(part(text, *span).into())).collect()
        })
    }

    /// Assigns a field other than 0; `false` where there would be too many.
    pub(super) fn set_field(&mut self, index: usize, value: Value, style: &Style) -> bool {
        if index > MOST_FIELDS {
            return false;
        }
        let fields = self.own_fields(style);
        if fields.len() < index {
            fields.resize(index, Value::Unset);
        }
        if let Some(field) = index.checked_sub(1).and_then(|index| fields.get_mut(index)) {
            *field = value;
        }
        true
    }

    /// Assigns the number of fields; `false` where it is too large.
    pub(super) fn set_count(&mut self, count: usize, style: &Style) -> bool {
        if count <= MOST_FIELDS {
            self.own_fields(style).resize(count, Value::Unset);
        }
        count <= MOST_FIELDS
    }
}

/// What ends records.
#[derive(Clone)]
pub(super) enum RecordEnd {
    Byte(u8),
    /// Empty lines.
    Paragraph,
    Matching(Rc<Regex>),
}

impl RecordEnd {
    /// The meaning of `RS`.
    pub(super) fn of(text: &[u8]) -> Result<Self, RegexError> {
        Ok(match text {
            [] => Self::Paragraph,
            [byte] => Self::Byte(*byte),
            _ => {
                let pattern = String::from_utf8_lossy(text);
                Self::Matching(Rc::new(Regex::new(&pattern, Syntax::new(Dialect::Awk))?))
            }
        })
    }
}

/// What an input has to offer.
pub(super) enum Next {
    /// Bounds of a record, and of what ended it, within the buffer.
    Record((usize, usize), (usize, usize)),
    /// More must be read first.
    Wait,
    End,
}

/// A stream with the bytes read ahead of the records.
pub(super) struct Input {
    pub(super) stream: Stream,
    buffer: Vec<u8>,
    at: usize,
    searched: usize,
    ended: bool,
}

impl Input {
    pub(super) fn new(stream: Stream) -> Self {
        Self { stream, buffer: Vec::new(), at: 0, searched: 0, ended: false }
    }

    /// Adds what was read; nothing is the end.
    pub(super) fn feed(&mut self, chunk: Vec<u8>) {
        if chunk.is_empty() {
            self.ended = true;
        } else if self.at >= self.buffer.len() {
            self.buffer = chunk;
            (self.at, self.searched) = (0, 0);
        } else {
            self.buffer.drain(..self.at);
            self.searched = self.searched.saturating_sub(self.at);
            self.at = 0;
            self.buffer.extend_from_slice(&chunk);
        }
    }

    /// Bytes held.
    pub(super) fn len(&self) -> usize {
        self.buffer.len()
    }

    /// A part of what was read.
    pub(super) fn bytes(&self, bounds: (usize, usize)) -> &[u8] {
        self.buffer.get(bounds.0..bounds.1).unwrap_or_default()
    }

    /// Takes the next record.
    pub(super) fn next(&mut self, end: &RecordEnd) -> Next {
        let length = self.buffer.len();
        let found = match end {
            RecordEnd::Byte(byte) => {
                let from = self.searched.max(self.at);
                let rest = self.buffer.get(from..).unwrap_or_default();
                memchr::memchr(*byte, rest).map(|at| (from + at, from + at + 1))
            }
            RecordEnd::Paragraph => self.paragraph(),
            RecordEnd::Matching(regex) => {
                let rest = self.buffer.get(self.at..).unwrap_or_default();
                let found = regex.find_at(rest, 0).filter(|(from, to)| from < to);
                let found = found.map(|(from, to)| (self.at + from, self.at + to));
                // A match at the end of what is there may go on in what comes.
                found.filter(|(_, to)| self.ended || *to < length)
            }
        };
        if let Some((from, to)) = found {
            let start = std::mem::replace(&mut self.at, to);
            self.searched = to;
            return Next::Record((start, from), (from, to));
        }
        self.searched = length;
        if !self.ended {
            return Next::Wait;
        }
        if self.at >= length {
            return Next::End;
        }
        let start = std::mem::replace(&mut self.at, length);
        Next::Record((start, length), (length, length))
    }

    /// The newlines that end a paragraph; those before it are passed over.
    fn paragraph(&mut self) -> Option<(usize, usize)> {
        while self.buffer.get(self.at) == Some(&b'\n') {
            self.at += 1;
        }
        let rest = self.buffer.get(self.at..).unwrap_or_default();
        let found = memchr::memmem::find(rest, b"\n\n").map(|at| self.at + at);
        match found {
            Some(from) => {
                let tail = self.buffer.get(from..).unwrap_or_default();
                let newlines = tail.iter().take_while(|byte| **byte == b'\n').count();
                Some((from, from + newlines))
            }
            None if self.ended && rest.last() == Some(&b'\n') => {
                Some((self.buffer.len() - 1, self.buffer.len()))
            }
            None => None,
        }
    }
}
