//! One line of a stream, or so many characters of it, with the backslashes that protect undone.

use crate::io::Stream;
use crate::tool::{ExecContext, Stop};

/// How much is read at most.
pub(super) enum Limit {
    /// A whole line.
    None,
    /// So many characters of a line.
    AtMost(usize),
    /// So many characters, line ends included.
    Exactly(usize),
}

/// Why reading ended.
pub(super) enum Ending {
    /// All that was asked for is there.
    Found,
    /// The input ended first.
    EndOfInput,
    /// The time ran out first.
    TimedOut,
}

/// What is read, and what has been.
pub(super) struct Input {
    /// Where it comes from.
    pub(super) stream: Stream,
    /// How much.
    pub(super) limit: Limit,
    /// The bytes read, without the delimiter.
    pub(super) text: Vec<u8>,
    /// Places in the text that a backslash protects from being split at, ascending.
    pub(super) protected: Vec<usize>,
    delimiter: u8,
    raw: bool,
    characters: usize,
}

impl Input {
    pub(super) fn new(stream: Stream, delimiter: u8, raw: bool, limit: Limit) -> Self {
        let (text, protected) = (Vec::new(), Vec::new());
        Self { stream, limit, text, protected, delimiter, raw, characters: 0 }
    }

    /// Whether reading would not wait.
    pub(super) fn is_ready(&self) -> bool {
        self.stream.try_read(0).is_some_and(|result| result.is_ok())
    }

    /// Whether less than a last line without its end, or less than was counted, came.
    pub(super) fn is_short(&self) -> bool {
        match self.limit {
            Limit::Exactly(count) => self.characters < count,
            _ => self.text.is_empty(),
        }
    }

    /// Reads; dropped at an await, what has come so far is in `text`.
    pub(super) async fn fill(&mut self, cx: &mut ExecContext) -> Result<Ending, Stop> {
        match self.limit {
            Limit::None if self.delimiter == b'\n' => self.fill_line(cx).await,
            Limit::AtMost(0) | Limit::Exactly(0) => Ok(Ending::Found),
            _ => self.fill_bytewise(cx).await,
        }
    }

    async fn fill_line(&mut self, cx: &mut ExecContext) -> Result<Ending, Stop> {
        let stream = self.stream.clone();
        let mut ending = Ending::EndOfInput;
        while cx.read_line(&stream, &mut self.text).await? {
            if self.text.last() != Some(&b'\n') {
                break;
            }
            self.text.pop();
            if self.raw || !ends_in_backslash(&self.text) {
                ending = Ending::Found;
                break;
            }
            self.text.pop();
        }
        if !self.raw && self.text.contains(&b'\\') {
            self.undo_backslashes();
        }
        Ok(ending)
    }

    fn undo_backslashes(&mut self) {
        let escaped = std::mem::take(&mut self.text);
        let mut bytes = escaped.into_iter();
        while let Some(byte) = bytes.next() {
            if byte != b'\\' {
                self.text.push(byte);
            } else if let Some(byte) = bytes.next() {
                self.protected.push(self.text.len());
                self.text.push(byte);
            }
        }
    }

    /// Byte by byte, for what follows belongs to the next reader.
    async fn fill_bytewise(&mut self, cx: &mut ExecContext) -> Result<Ending, Stop> {
        while let Some(byte) = self.next_byte(cx).await? {
            if byte == b'\\' && !self.raw {
                match self.next_byte(cx).await? {
                    None => return Ok(Ending::EndOfInput),
                    Some(b'\n') => continue,
                    Some(escaped) => {
                        self.protected.push(self.text.len());
                        self.take(escaped, cx).await?;
                    }
                }
            } else if byte == self.delimiter && !matches!(self.limit, Limit::Exactly(_)) {
                return Ok(Ending::Found);
            } else {
                self.take(byte, cx).await?;
            }
            if let Limit::AtMost(count) | Limit::Exactly(count) = self.limit
                && self.characters >= count
            {
                return Ok(Ending::Found);
            }
        }
        Ok(Ending::EndOfInput)
    }

    async fn next_byte(&mut self, cx: &mut ExecContext) -> Result<Option<u8>, Stop> {
        let stream = self.stream.clone();
        Ok(cx.read_some(&stream, 1).await?.first().copied())
    }

    /// Adds a byte, and the rest of the character that it begins.
    async fn take(&mut self, byte: u8, cx: &mut ExecContext) -> Result<(), Stop> {
        self.text.push(byte);
        self.characters += 1;
        let following = match byte {
            0xc2..=0xdf => 1,
            0xe0..=0xef => 2,
            0xf0..=0xf4 => 3,
            _ => 0,
        };
        if matches!(self.limit, Limit::None) {
            return Ok(());
        }
        for _ in 0..following {
            if let Some(byte) = self.next_byte(cx).await? {
                self.text.push(byte);
            }
        }
        Ok(())
    }
}

/// Whether the last backslash protects what follows.
fn ends_in_backslash(line: &[u8]) -> bool {
    line.iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 1
}
