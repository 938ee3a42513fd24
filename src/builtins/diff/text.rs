//! The content of a file in; its lines, and which of them count as equal, out.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use super::options::{Blanks, Settings};
use crate::host::Timestamp;
use crate::tool::{ExecContext, Stop};
use crate::value::EcoString;

/// How many bytes at the start decide whether a file is binary.
const SNIFFED: usize = 4096;

/// One of the two files of a comparison.
pub(super) struct Side {
    /// What messages and headers call it.
    pub(super) name: EcoString,
    pub(super) modified: Timestamp,
    pub(super) bytes: Vec<u8>,
    /// Where each line starts, and the end of the last.
    starts: Vec<usize>,
}

impl Side {
    pub(super) fn new(name: EcoString, modified: Timestamp, bytes: Vec<u8>) -> Self {
        Self { name, modified, bytes, starts: Vec::new() }
    }

    /// Finds the lines; until then there are none.
    pub(super) fn split(&mut self) {
        self.starts = Vec::with_capacity(self.bytes.len() / 24 + 2);
        self.starts.push(0);
        self.starts.extend(memchr::memchr_iter(b'\n', &self.bytes).map(|at| at + 1));
        if self.bytes.last().is_some_and(|last| *last != b'\n') {
            self.starts.push(self.bytes.len());
        }
    }

    /// How many lines there are.
    pub(super) fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// A line, counted from 0, with its newline where it has one.
    pub(super) fn line(&self, index: usize) -> &[u8] {
        match (self.starts.get(index), self.starts.get(index + 1)) {
            (Some(start), Some(end)) => self.bytes.get(*start..*end).unwrap_or_default(),
            _ => &[],
        }
    }

    /// Ends the last line; `true` where it had no newline.
    pub(super) fn finish(&mut self) -> bool {
        let is_unfinished = self.bytes.last().is_some_and(|last| *last != b'\n');
        if is_unfinished {
            self.bytes.push(b'\n');
        }
        is_unfinished
    }

    pub(super) fn is_binary(&self) -> bool {
        let start = self.bytes.get(..SNIFFED).unwrap_or(&self.bytes);
        memchr::memchr(0, start).is_some()
    }

    /// Drops the carriage return before each newline.
    pub(super) fn strip_carriage_returns(&mut self) {
        let mut kept = Vec::with_capacity(self.bytes.len());
        let mut bytes = self.bytes.iter().peekable();
        while let Some(byte) = bytes.next() {
            if !(*byte == b'\r' && bytes.peek() == Some(&&b'\n')) {
                kept.push(*byte);
            }
        }
        self.bytes = kept;
    }
}

/// A number for every line of both files; lines that count as equal have the same.
pub(super) struct Classes {
    pub(super) old: Vec<u32>,
    pub(super) new: Vec<u32>,
    /// How many numbers there are.
    pub(super) count: usize,
}

/// Numbers the lines of both files in the ranges given.
pub(super) async fn classes(
    cx: &mut ExecContext,
    settings: &Settings,
    sides: [(&Side, Range<usize>); 2],
) -> Result<Classes, Stop> {
    let mut numbers: HashMap<Cow<'_, [u8]>, u32> = HashMap::new();
    let mut lists = [Vec::new(), Vec::new()];
    for (list, (side, range)) in lists.iter_mut().zip(sides) {
        for index in range {
            let line = side.line(index);
            let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
            list.push(*numbers.entry(key(line, settings)).or_insert(next));
            if index % 1024 == 1023 {
                cx.checkpoint(8 * 1024).await?;
            }
        }
    }
    let [old, new] = lists;
    Ok(Classes { old, new, count: numbers.len() })
}

/// What of a line is compared.
fn key<'l>(line: &'l [u8], settings: &Settings) -> Cow<'l, [u8]> {
    let mut key = match settings.blanks {
        Blanks::Count => Cow::Borrowed(line),
        Blanks::TabsExpand { trailing } => {
            let line = if trailing { line.trim_ascii_end() } else { line };
            Cow::Owned(expand_tabs(line, settings.tab_size))
        }
        Blanks::NotTrailing => Cow::Borrowed(line.trim_ascii_end()),
        Blanks::AnyAmount => Cow::Owned(squeezed(line)),
        Blanks::Ignored => {
            Cow::Owned(line.iter().copied().filter(|byte| !is_space(*byte)).collect())
        }
    };
    if settings.ignore_case && key.iter().any(u8::is_ascii_uppercase) {
        key.to_mut().make_ascii_lowercase();
    }
    key
}

/// Whether a byte is a blank, as in C's `isspace`.
pub(super) fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0x0b
}

/// A line with every run of blanks as one, and none at the end.
pub(in crate::builtins) fn squeezed(line: &[u8]) -> Vec<u8> {
    let mut key: Vec<u8> = Vec::with_capacity(line.len());
    for byte in line.trim_ascii_end() {
        if !is_space(*byte) {
            key.push(*byte);
        } else if key.last() != Some(&b' ') {
            key.push(b' ');
        }
    }
    key
}

/// A line with tabs as blanks.
pub(super) fn expand_tabs(line: &[u8], tab_size: usize) -> Vec<u8> {
    let mut expanded = Vec::with_capacity(line.len() + tab_size);
    let mut column = 0;
    for byte in line {
        match byte {
            b'\t' => {
                let count = tab_size - column % tab_size;
                expanded.resize(expanded.len() + count, b' ');
                column += count;
            }
            // A byte inside a character takes no column.
            0x80..=0xbf => expanded.push(*byte),
            _ => {
                expanded.push(*byte);
                column += 1;
            }
        }
    }
    expanded
}
