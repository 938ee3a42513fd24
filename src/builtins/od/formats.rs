//! Lines of a dump: places, values in columns, repeated lines as one star.

use super::types::Kind;
use crate::io::Stream;
use crate::tool::{ExecContext, Stop};

/// How places are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Radix {
    Octal,
    Decimal,
    Hex,
    None,
}

impl Radix {
    fn show(self, place: u64) -> String {
        match self {
            Self::Octal => format!("{place:07o}"),
            Self::Decimal => format!("{place:07}"),
            Self::Hex => format!("{place:06x}"),
            Self::None => String::new(),
        }
    }
}

/// A dump under way over several inputs.
pub(super) struct Dump {
    kinds: Vec<Kind>,
    radix: Radix,
    width: usize,
    repeats: bool,
    /// Bytes still to be left out.
    pub(super) skip: u64,
    left: u64,
    place: u64,
    pending: Vec<u8>,
    former: Option<Vec<u8>>,
    starred: bool,
    /// Columns of a line, such that values of all types stand above each other.
    line_width: usize,
}

impl Dump {
    pub(super) fn new(
        kinds: Vec<Kind>,
        radix: Radix,
        width: usize,
        (skip, limit): (u64, u64),
        repeats: bool,
    ) -> Self {
        let columns = |kind: &Kind| (kind.width() + 1) * (width / kind.size);
        let line_width = kinds.iter().map(columns).max().unwrap_or(0);
        Self {
            kinds,
            radix,
            width,
            repeats,
            skip,
            left: limit,
            place: skip,
            pending: Vec::new(),
            former: None,
            starred: false,
            line_width,
        }
    }

    /// Dumps one input; a line under way goes on with the next.
    pub(super) async fn feed(&mut self, cx: &mut ExecContext, stream: &Stream) -> Result<(), Stop> {
        while self.left > 0 {
            let most = usize::try_from(self.left.saturating_add(self.skip)).unwrap_or(usize::MAX);
            let mut chunk = cx.read_some(stream, most.min(64 * 1024)).await?;
            if chunk.is_empty() {
                break;
            }
            let skipped = usize::try_from(self.skip).unwrap_or(usize::MAX).min(chunk.len());
            chunk.drain(..skipped);
            self.skip -= skipped as u64;
            chunk.truncate(usize::try_from(self.left).unwrap_or(usize::MAX));
            self.left -= chunk.len() as u64;
            self.pending.extend_from_slice(&chunk);
            let whole = self.pending.len() - self.pending.len() % self.width;
            let rest = self.pending.split_off(whole);
            let lines = std::mem::replace(&mut self.pending, rest);
            let mut out = String::new();
            for line in lines.chunks(self.width) {
                self.line(&mut out, line);
            }
            cx.checkpoint(u32::try_from(lines.len()).unwrap_or(u32::MAX)).await?;
            cx.write(out.as_bytes()).await?;
        }
        Ok(())
    }

    /// The last line, and the place behind it.
    pub(super) async fn finish(&mut self, cx: &mut ExecContext) -> Result<(), Stop> {
        let mut out = String::new();
        let rest = std::mem::take(&mut self.pending);
        if !rest.is_empty() {
            self.line(&mut out, &rest);
        }
        if self.radix != Radix::None {
            out.push_str(&self.radix.show(self.place));
            out.push('\n');
        }
        cx.write(out.as_bytes()).await
    }

    fn line(&mut self, out: &mut String, bytes: &[u8]) {
        let place = self.place;
        self.place += bytes.len() as u64;
        if !self.repeats && bytes.len() == self.width {
            if self.former.as_deref() == Some(bytes) {
                if !std::mem::replace(&mut self.starred, true) {
                    out.push_str("*\n");
                }
                return;
            }
            self.former = Some(bytes.to_vec());
            self.starred = false;
        }
        for (index, kind) in self.kinds.iter().enumerate() {
            let lead = self.radix.show(place);
            if index == 0 {
                out.push_str(&lead);
            } else {
                out.extend(std::iter::repeat_n(' ', lead.len()));
            }
            self.values(out, *kind, bytes);
            out.push('\n');
        }
    }

    fn values(&self, out: &mut String, kind: Kind, bytes: &[u8]) {
        // What a line of this type is narrower than the widest is spread over its values.
        let values = self.width / kind.size;
        let spare = self.line_width - values * (kind.width() + 1);
        let field = |index: usize| {
            let (before, after) = (values - index, values - index - 1);
            kind.width() + 1 + spare * before / values - spare * after / values
        };
        for (index, value) in bytes.chunks(kind.size).enumerate() {
            let width = field(index);
            out.push_str(&format!("{:>width$}", kind.show(value)));
        }
        if kind.text {
            let used = bytes.len().div_ceil(kind.size);
            let missing: usize = (used..values).map(field).sum();
            out.extend(std::iter::repeat_n(' ', missing + 2));
            out.push('>');
            out.extend(bytes.iter().map(|byte| match byte {
                b' '..=b'~' => char::from(*byte),
                _ => '.',
            }));
            out.push('<');
        }
    }
}
