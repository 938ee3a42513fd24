//! Bytes to lines of hexadecimal, bits or C.

use crate::io::Stream;
use crate::tool::{ExecContext, Stop};

/// How bytes are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    Hex,
    /// Groups with the last byte first.
    Little,
    Bits,
    Plain,
    Include,
}

/// What the options ask for.
#[expect(clippy::struct_excessive_bools, reason = "independent options")]
pub(super) struct Dumper {
    pub(super) style: Style,
    pub(super) columns: usize,
    pub(super) group: usize,
    pub(super) upper: bool,
    pub(super) skips_zeros: bool,
    pub(super) decimal: bool,
    /// Where to begin; from the end where negative.
    pub(super) seek: i64,
    pub(super) length: u64,
    /// Added to the places shown.
    pub(super) shift: i64,
    /// The name of the array.
    pub(super) array: Option<String>,
    /// Whether its length is in capitals too.
    pub(super) capitals: bool,
}

/// Lines of zeros that are left out with `-a`: all but the first, and the last of a dump.
#[derive(Default)]
struct Skipped {
    count: u64,
    /// The second line: where no third follows, a star would save nothing.
    second: String,
}

impl Skipped {
    /// What is to be printed for a line.
    fn line(&mut self, line: String, is_zero: bool, is_end: bool) -> String {
        if is_zero && !is_end {
            self.count += 1;
            if self.count == 2 {
                self.second = line;
                return String::new();
            }
            return if self.count == 1 { line } else { String::new() };
        }
        let before = match std::mem::take(&mut self.count) {
            0 | 1 => String::new(),
            2 => std::mem::take(&mut self.second),
            _ => "*\n".to_owned(),
        };
        before + &line
    }
}

impl Dumper {
    pub(super) async fn run(&mut self, cx: &mut ExecContext, stream: &Stream) -> Result<(), Stop> {
        let mut place = self.seek_in(cx, stream).await?;
        let columns = if self.columns == 0 { usize::MAX } else { self.columns };
        let (mut pending, mut left, mut count) = (Vec::new(), self.length, 0u64);
        let mut skipped = Skipped::default();
        let mut lines = 0u64;
        if self.style == Style::Include
            && let Some(name) = &self.array
        {
            let line = format!("unsigned char {}[] = {{\n", identifier(name));
            cx.write(line.as_bytes()).await?;
        }
        loop {
            let chunk = if left == 0 { Vec::new() } else { cx.read_chunk(stream).await? };
            let is_last = chunk.is_empty();
            let taken = chunk.len().min(usize::try_from(left).unwrap_or(usize::MAX));
            pending.extend_from_slice(chunk.get(..taken).unwrap_or_default());
            left -= taken as u64;
            let mut used = 0;
            while let Some(rest) = pending.get(used..).filter(|rest| !rest.is_empty()) {
                // The last line is told apart: with -a it is never left out.
                if rest.len() <= columns && !is_last {
                    break;
                }
                let line = rest.get(..columns).unwrap_or(rest);
                used += line.len();
                let is_end = is_last && used == pending.len();
                count += line.len() as u64;
                let text = self.line(line, place, lines > 0);
                let is_zero = self.skips_zeros && line.iter().all(|byte| *byte == 0);
                let shown = skipped.line(text, is_zero, is_end);
                cx.write(shown.as_bytes()).await?;
                lines += 1;
                place += line.len() as u64;
            }
            pending.drain(..used);
            if is_last {
                break;
            }
        }
        self.finish(cx, count).await
    }

    /// Goes to where the dump begins; answers the place.
    async fn seek_in(&self, cx: &mut ExecContext, stream: &Stream) -> Result<u64, Stop> {
        let mut target = self.seek.unsigned_abs();
        if let Stream::File(file) = stream
            && !file.file().is_stream()
        {
            if self.seek < 0 {
                let len = file.file().len().await?;
                target = len.checked_sub(target).ok_or_else(|| cx.fail(4, "sorry cannot seek."))?;
            }
            file.seek(target)?;
            return Ok(target);
        }
        if self.seek < 0 {
            return Err(cx.fail(4, "sorry cannot seek."));
        }
        let mut left = target;
        while left > 0 {
            let most = usize::try_from(left).unwrap_or(usize::MAX).min(64 * 1024);
            let chunk = cx.read_some(stream, most).await?;
            if chunk.is_empty() {
                return Err(cx.fail(4, "sorry cannot seek."));
            }
            left -= chunk.len() as u64;
        }
        Ok(target)
    }

    async fn finish(&self, cx: &mut ExecContext, count: u64) -> Result<(), Stop> {
        if self.style != Style::Include {
            return Ok(());
        }
        let mut text = String::from(if count > 0 { "\n" } else { "" });
        if let Some(name) = &self.array {
            let len = if self.capitals { "LEN" } else { "len" };
            text.push_str(&format!("}};\nunsigned int {}_{len} = {count};\n", identifier(name)));
        }
        cx.write(text.as_bytes()).await
    }

    fn line(&self, bytes: &[u8], place: u64, is_later: bool) -> String {
        match self.style {
            Style::Plain => {
                let mut text: String = bytes.iter().map(|byte| self.hex(*byte)).collect();
                text.push('\n');
                text
            }
            Style::Include => {
                let prefix = if self.upper { "0X" } else { "0x" };
                let items: Vec<String> =
                    bytes.iter().map(|byte| format!("{prefix}{}", self.hex(*byte))).collect();
                format!("{}  {}", if is_later { ",\n" } else { "" }, items.join(", "))
            }
            Style::Hex | Style::Little | Style::Bits => self.columns_of(bytes, place),
        }
    }

    fn columns_of(&self, bytes: &[u8], place: u64) -> String {
        let shown = place.wrapping_add_signed(self.shift);
        let mut text =
            if self.decimal { format!("{shown:08}: ") } else { format!("{shown:08x}: ") };
        let digits = if self.style == Style::Bits { 8 } else { 2 };
        let start = text.len();
        for (index, group) in bytes.chunks(self.group).enumerate() {
            if index > 0 {
                text.push(' ');
            }
            if self.style == Style::Little {
                // A short group is shown to the right of its place.
                text.extend(std::iter::repeat_n(' ', (self.group - group.len()) * 2));
                text.extend(group.iter().rev().map(|byte| self.hex(*byte)));
            } else {
                text.extend(group.iter().map(|byte| self.hex(*byte)));
            }
        }
        let groups = self.columns.div_ceil(self.group);
        let width = self.columns * digits + groups + 1;
        let used = text.len() - start;
        text.extend(std::iter::repeat_n(' ', width.saturating_sub(used)));
        text.extend(bytes.iter().map(|byte| match byte {
            b' '..=b'~' => char::from(*byte),
            _ => '.',
        }));
        text.push('\n');
        text
    }

    fn hex(&self, byte: u8) -> String {
        match self.style {
            Style::Bits => format!("{byte:08b}"),
            _ if self.upper => format!("{byte:02X}"),
            _ => format!("{byte:02x}"),
        }
    }
}

fn identifier(name: &str) -> String {
    let mut text: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if text.starts_with(|c: char| c.is_ascii_digit()) {
        text.insert_str(0, "__");
    }
    text
}
