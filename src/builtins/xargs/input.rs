//! Standard input to words, as it comes in.

use crate::io::Stream;
use crate::tool::{ExecContext, Stop};
use crate::value::EcoString;

/// Where words end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Split {
    /// At blanks and newlines, unless quoted.
    Blanks,
    /// At newlines, with quotes taken away.
    Lines,
    /// At a byte, nothing else having a meaning.
    Delimiter(u8),
}

/// A word.
pub(super) struct Item {
    pub(super) bytes: Vec<u8>,
    /// Whether its line ends behind it: a blank at the end of a line goes on with the next.
    pub(super) ends_line: bool,
}

/// The words of a stream.
pub(super) struct Items {
    stream: Stream,
    split: Split,
    eof: Option<EcoString>,
    buffer: Vec<u8>,
    at: usize,
    ended: bool,
}

impl Items {
    /// The words of `stream` up to one that is `eof`.
    pub(super) fn new(stream: Stream, split: Split, eof: Option<EcoString>) -> Self {
        Self { stream, split, eof, buffer: Vec::new(), at: 0, ended: false }
    }

    /// The next word.
    pub(super) async fn next(&mut self, cx: &mut ExecContext) -> Result<Option<Item>, Stop> {
        let item = match self.split {
            Split::Delimiter(byte) => self.delimited(cx, byte).await?,
            Split::Blanks => self.quoted(cx, |byte| is_blank(byte) || byte == b'\n').await?,
            Split::Lines => self.quoted(cx, |byte| byte == b'\n').await?,
        };
        let ends = |item: &Item| {
            self.eof.as_ref().is_some_and(|eof| item.bytes == eof.as_bytes())
                && !matches!(self.split, Split::Delimiter(_))
        };
        if item.as_ref().is_some_and(ends) {
            self.ended = true;
            self.buffer.clear();
            self.at = 0;
            return Ok(None);
        }
        Ok(item)
    }

    /// The next byte without taking it.
    async fn peek(&mut self, cx: &mut ExecContext) -> Result<Option<u8>, Stop> {
        if let Some(byte) = self.buffer.get(self.at) {
            return Ok(Some(*byte));
        }
        if self.ended {
            return Ok(None);
        }
        self.buffer = cx.read_chunk(&self.stream).await?;
        self.at = 0;
        self.ended = self.buffer.is_empty();
        Ok(self.buffer.first().copied())
    }

    async fn take(&mut self, cx: &mut ExecContext) -> Result<Option<u8>, Stop> {
        let byte = self.peek(cx).await?;
        self.at += usize::from(byte.is_some());
        Ok(byte)
    }

    async fn delimited(
        &mut self,
        cx: &mut ExecContext,
        delimiter: u8,
    ) -> Result<Option<Item>, Stop> {
        if self.peek(cx).await?.is_none() {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        while self.peek(cx).await?.is_some() {
            let rest = self.buffer.get(self.at..).unwrap_or_default();
            let found = memchr::memchr(delimiter, rest);
            bytes.extend_from_slice(rest.get(..found.unwrap_or(rest.len())).unwrap_or_default());
            self.at += found.map_or(rest.len(), |at| at + 1);
            if found.is_some() {
                break;
            }
        }
        Ok(Some(Item { bytes, ends_line: true }))
    }

    async fn quoted(
        &mut self,
        cx: &mut ExecContext,
        ends: impl Fn(u8) -> bool,
    ) -> Result<Option<Item>, Stop> {
        while self.peek(cx).await?.is_some_and(|byte| is_blank(byte) || byte == b'\n') {
            self.at += 1;
        }
        let (mut bytes, mut any) = (Vec::new(), false);
        while let Some(byte) = self.peek(cx).await? {
            if ends(byte) {
                break;
            }
            any = true;
            self.at += 1;
            match byte {
                b'\\' => bytes.extend(self.take(cx).await?),
                quote @ (b'\'' | b'"') => self.until_quote(cx, quote, &mut bytes).await?,
                _ => bytes.push(byte),
            }
        }
        if !any {
            return Ok(None);
        }
        let ends_line = self.peek(cx).await?.is_none_or(|byte| byte == b'\n');
        // Blanks before the end of input end the line too.
        Ok(Some(Item { bytes, ends_line }))
    }

    async fn until_quote(
        &mut self,
        cx: &mut ExecContext,
        quote: u8,
        bytes: &mut Vec<u8>,
    ) -> Result<(), Stop> {
        loop {
            match self.take(cx).await? {
                Some(byte) if byte == quote => return Ok(()),
                Some(b'\n') | None => {
                    let kind = if quote == b'"' { "double" } else { "single" };
                    let message = format!(
                        "unmatched {kind} quote; by default quotes are special to xargs unless you \
                         use the -0 option"
                    );
                    return Err(cx.fail(1, message));
                }
                Some(byte) => bytes.push(byte),
            }
        }
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}
