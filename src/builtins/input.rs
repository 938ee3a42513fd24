//! Operands in; the streams they name and their lines, fetched in blocks, out.

use std::rc::Rc;

use crate::io::{Errno, Stream};
use crate::tool::{Args, ExecContext, Stop};
use crate::value::EcoString;

/// The operands, or `-` where there are none.
pub(super) fn operands_or_stdin(args: &Args) -> Vec<EcoString> {
    if args.operands.is_empty() { vec!["-".into()] } else { args.operand_texts() }
}

/// Opens an operand for reading without reporting a failure: `-` is standard input.
pub(super) async fn open(cx: &ExecContext, operand: &str) -> Result<Stream, Errno> {
    if operand == "-" {
        return Ok(cx.stdin());
    }
    let path = cx.resolve(operand);
    let backend = Rc::clone(cx.backend());
    backend.open_read(&path).await.map_err(|error| error.errno())
}

/// The lines of a stream, for commands that read to the end: it reads ahead in blocks.
///
/// `while lines.fill(cx).await? { while let Some(line) = lines.next() { … } }`
pub(super) struct Lines {
    stream: Stream,
    delimiter: u8,
    buffer: Vec<u8>,
    /// Where the next line starts.
    at: usize,
    /// Up to where no delimiter was found.
    searched: usize,
    ended: bool,
    /// Lines handed out since work was last charged.
    charged: u32,
    /// Whether nothing is read ahead.
    one_by_one: bool,
}

impl Lines {
    /// The lines of a stream, each ended by `delimiter`.
    pub(super) fn new(stream: Stream, delimiter: u8) -> Self {
        let buffer = Vec::new();
        let one_by_one = false;
        Self { stream, delimiter, buffer, at: 0, searched: 0, ended: false, charged: 0, one_by_one }
    }

    /// The lines of a stream, nothing after them being consumed.
    pub(super) fn one_by_one(stream: Stream) -> Self {
        Self { one_by_one: true, ..Self::new(stream, b'\n') }
    }

    /// How many bytes were read that no line was made of.
    pub(super) fn ahead(&self) -> usize {
        self.buffer.len() - self.at
    }

    /// Sees to it that at least one line is there; `false` at the end of input.
    pub(super) async fn fill(&mut self, cx: &mut ExecContext) -> Result<bool, Stop> {
        cx.write(b"").await?;
        cx.checkpoint(std::mem::take(&mut self.charged).saturating_mul(2)).await?;
        loop {
            if self.find_end().is_some() {
                return Ok(true);
            }
            if self.ended {
                return Ok(self.at < self.buffer.len());
            }
            let chunk = if self.one_by_one {
                let mut line = Vec::new();
                cx.read_line(&self.stream, &mut line).await?;
                line
            } else {
                cx.read_chunk(&self.stream).await?
            };
            self.searched = self.buffer.len() - self.at;
            if chunk.is_empty() {
                self.ended = true;
            } else if self.searched == 0 {
                self.buffer = chunk;
                self.at = 0;
            } else {
                self.buffer.drain(..self.at);
                self.at = 0;
                let limit = cx.services.limits.value_bytes;
                if self.buffer.len() + chunk.len() > limit {
                    return Err(
                        cx.fail(1, format_args!("a line is over the limit of {limit} bytes"))
                    );
                }
                self.buffer.extend_from_slice(&chunk);
            }
        }
    }

    /// Whether [`Lines::next`] has a line without waiting.
    pub(super) fn is_ready(&mut self) -> bool {
        self.find_end().is_some() || (self.ended && self.at < self.buffer.len())
    }

    /// Where the delimiter of the next line is; remembers how far it has looked.
    fn find_end(&mut self) -> Option<usize> {
        let from = self.at + self.searched;
        let rest = self.buffer.get(from..)?;
        let found = memchr::memchr(self.delimiter, rest);
        self.searched = found.map_or(self.buffer.len() - self.at, |offset| from + offset - self.at);
        found.map(|offset| from + offset)
    }

    /// The next line with its delimiter; `None` where [`Lines::fill`] must be called first.
    pub(super) fn next(&mut self) -> Option<&[u8]> {
        let end = match self.find_end() {
            Some(at) => at + 1,
            None if self.ended && self.at < self.buffer.len() => self.buffer.len(),
            None => return None,
        };
        let start = std::mem::replace(&mut self.at, end);
        self.searched = 0;
        self.charged += 1;
        self.buffer.get(start..end)
    }
}

/// A line without its delimiter.
pub(super) fn chomp(line: &[u8], delimiter: u8) -> &[u8] {
    line.strip_suffix(&[delimiter]).unwrap_or(line)
}

/// The delimiter of lines: NUL where `-z` was given.
pub(super) fn delimiter(args: &Args) -> u8 {
    if args.has("zero-terminated") { 0 } else { b'\n' }
}

/// How many bytes come before an unfinished character at the end.
pub(super) fn complete_prefix(bytes: &[u8]) -> usize {
    for back in 1..=bytes.len().min(3) {
        let at = bytes.len() - back;
        let needed = match bytes.get(at) {
            Some(0xc2..=0xdf) => 2,
            Some(0xe0..=0xef) => 3,
            Some(0xf0..=0xf4) => 4,
            Some(0x80..=0xbf) => continue,
            _ => 1,
        };
        return if needed > back { at } else { bytes.len() };
    }
    bytes.len()
}
