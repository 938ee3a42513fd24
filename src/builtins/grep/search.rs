//! One input of `grep` to its selected lines: a buffer of whole lines is searched at once.

use super::options::{Binary, Output, Settings};
use super::print::{Place, Printer};
use crate::builtins::input::chomp;
use crate::io::Stream;
use crate::pattern::Regex;
use crate::tool::{ExecContext, Stop};

const BLOCK: usize = 64 * 1024;

/// The search of one input.
pub(super) struct Search<'s> {
    settings: &'s Settings,
    printer: &'s mut Printer,
    name: &'s str,
    /// Lines that may be needed as context, then what is to be searched.
    buffer: Vec<u8>,
    /// Where in the buffer the next line begins.
    at: usize,
    /// Where in the input the buffer begins.
    offset: u64,
    /// The number of the line at a place in the buffer.
    counted: (usize, u64),
    /// Columns of numbers that are lined up.
    width: usize,
    /// How far the input was printed, where it was.
    printed: Option<u64>,
    /// How many lines of context are still to be printed.
    pending: usize,
    selected: u64,
    unprintable: Unprintable,
}

/// What was found that is no text.
#[derive(Default)]
struct Unprintable {
    /// How many lines had been selected before the first NUL.
    nul_after: Option<u64>,
    /// Whether a selected line was no UTF-8.
    encoding: bool,
}

/// Whether the search goes on.
#[derive(PartialEq)]
enum Flow {
    More,
    Done,
}

impl<'s> Search<'s> {
    pub(super) fn new(settings: &'s Settings, printer: &'s mut Printer, name: &'s str) -> Self {
        Self {
            settings,
            printer,
            name,
            buffer: Vec::new(),
            at: 0,
            offset: 0,
            counted: (0, 1),
            width: 0,
            printed: None,
            pending: 0,
            selected: 0,
            unprintable: Unprintable::default(),
        }
    }

    /// Reads and searches to the end, or as far as needed.
    pub(super) async fn run(&mut self, cx: &mut ExecContext, stream: &Stream) -> Result<(), Stop> {
        // What is appended meanwhile, perhaps by this very search, is not read.
        let mut left = match stream {
            Stream::File(open) if !open.file().is_stream() => {
                open.file().len().await?.saturating_sub(open.offset())
            }
            _ => u64::MAX,
        };
        if self.settings.prefix.tab && left < u64::MAX {
            self.width = left.to_string().len();
        }
        let limit = cx.services.limits.value_bytes;
        loop {
            let most = usize::try_from(left).unwrap_or(BLOCK).min(BLOCK);
            let chunk = if most > 0 { cx.read_some(stream, most).await? } else { Vec::new() };
            left -= (chunk.len() as u64).min(left);
            let ended = chunk.is_empty();
            self.drop_used();
            if self.buffer.len() + chunk.len() > limit {
                let what = format_args!("{}: a line is over the limit of {limit} bytes", self.name);
                return Err(cx.fail(2, what));
            }
            let old = self.buffer.len();
            if old == 0 {
                self.buffer = chunk;
            } else {
                self.buffer.extend_from_slice(&chunk);
            }
            if self.look_for_nul(old) == Flow::Done {
                return Ok(());
            }
            let fresh = self.buffer.get(old..).unwrap_or_default();
            let end = match memchr::memrchr(self.settings.select.line_end, fresh) {
                _ if ended => self.buffer.len(),
                Some(newline) => old + newline + 1,
                None => continue,
            };
            let flow = self.scan(end, &mut cx.streams.out);
            cx.write(b"").await?;
            if flow == Flow::Done {
                self.give_back(stream);
                return Ok(());
            }
            if ended {
                return Ok(());
            }
        }
    }

    /// Prints what is said at the end of an input, and answers whether a line was selected.
    pub(super) async fn finish(self, cx: &mut ExecContext) -> Result<bool, Stop> {
        let any = self.selected > 0;
        match self.settings.output {
            Output::Count => {
                let row = (self.name, Some(self.selected));
                self.printer.summary(self.settings, row, &mut cx.streams.out);
            }
            Output::Names { selected } if selected == any => {
                self.printer.summary(self.settings, (self.name, None), &mut cx.streams.out);
            }
            Output::Names { .. } | Output::Nothing => {}
            Output::Lines | Output::Parts => {
                let Unprintable { nul_after, encoding } = self.unprintable;
                let hidden = encoding || nul_after.is_some_and(|before| before < self.selected);
                if hidden && self.settings.binary == Binary::Report {
                    cx.complain(format_args!("{}: binary file matches", self.name)).await?;
                }
            }
        }
        cx.write(b"").await?;
        Ok(any)
    }

    /// Drops what was searched, but for the lines that may become context.
    fn drop_used(&mut self) {
        let mut keep = self.at;
        for _ in 0..self.settings.around.before {
            match self.line_before(keep) {
                Some(start) => keep = start,
                None => break,
            }
        }
        if keep > 0 {
            if self.settings.prefix.numbers {
                self.counted = (keep, self.number_of(&self.buffer, keep));
            }
            self.buffer.drain(..keep);
            self.at -= keep;
            self.counted.0 = 0;
            self.offset += keep as u64;
        }
    }

    /// Where the line before the one at `start` begins.
    fn line_before(&self, start: usize) -> Option<usize> {
        let before = self.buffer.get(..start.checked_sub(1)?)?;
        let end = self.settings.select.line_end;
        Some(memchr::memrchr(end, before).map_or(0, |newline| newline + 1))
    }

    /// The number of the line that begins at `start`; `lines` is the buffer, or its searched part.
    fn number_of(&self, lines: &[u8], start: usize) -> u64 {
        let (place, number) = self.counted;
        let between = lines.get(place.min(start)..place.max(start)).unwrap_or_default();
        let ends = memchr::memchr_iter(self.settings.select.line_end, between).count() as u64;
        if start < place { number.saturating_sub(ends) } else { number + ends }
    }

    /// Where there is a NUL the input is binary: only whether something matches counts from here.
    fn look_for_nul(&mut self, from: usize) -> Flow {
        let settings = self.settings;
        if settings.binary == Binary::Text || settings.select.line_end == 0 {
            return Flow::More;
        }
        let fresh = self.buffer.get_mut(from..).unwrap_or_default();
        if self.unprintable.nul_after.is_none() && memchr::memchr(0, fresh).is_none() {
            return Flow::More;
        }
        if settings.binary == Binary::Skip {
            self.selected = 0;
            return Flow::Done;
        }
        self.unprintable.nul_after.get_or_insert(self.selected);
        for byte in fresh.iter_mut().filter(|byte| **byte == 0) {
            *byte = b'\n';
        }
        Flow::More
    }

    /// Searches the whole lines up to `end`.
    fn scan(&mut self, end: usize, out: &mut Vec<u8>) -> Flow {
        let buffer = std::mem::take(&mut self.buffer);
        let flow = self.scan_lines(buffer.get(..end).unwrap_or_default(), out);
        self.buffer = buffer;
        flow
    }

    fn scan_lines(&mut self, lines: &[u8], out: &mut Vec<u8>) -> Flow {
        while self.at < lines.len() && self.selected < self.settings.most {
            let hit = self.next_match(lines);
            let (start, end) = match hit {
                Some((start, _)) if self.settings.select.invert => (self.at, start),
                None if self.settings.select.invert => (self.at, lines.len()),
                Some(hit) => hit,
                None => break,
            };
            if start < end && self.select(lines, (start, end), out) == Flow::Done {
                return Flow::Done;
            }
            if self.selected >= self.settings.most {
                break;
            }
            self.at = hit.map_or(lines.len(), |(_, end)| end);
        }
        let at_limit = self.selected >= self.settings.most;
        if self.pending > 0 {
            self.print_pending(lines, lines.len(), out);
        }
        if at_limit && self.pending == 0 {
            return Flow::Done;
        }
        self.at = lines.len();
        Flow::More
    }

    /// The next line that matches, with its line end.
    fn next_match(&self, lines: &[u8]) -> Option<(usize, usize)> {
        let regex = &self.settings.regex;
        let line_end = self.settings.select.line_end;
        // Behind the last line end there is no line.
        let text = chomp(lines, line_end);
        if line_end == 0 {
            return next_record(regex, text, self.at)
                .map(|(start, end)| (start, end.min(lines.len())));
        }
        let place = regex.find_end_at(text, self.at)?;
        let start = match memchr::memrchr(line_end, text.get(self.at..place)?) {
            Some(newline) => self.at + newline + 1,
            None => self.at,
        };
        let end = memchr::memchr(line_end, text.get(place..)?);
        Some((start, end.map_or(lines.len(), |newline| place + newline + 1)))
    }

    /// Takes the lines in a range of `lines` as selected.
    fn select(&mut self, lines: &[u8], (start, end): (usize, usize), out: &mut Vec<u8>) -> Flow {
        let line_end = self.settings.select.line_end;
        let range = lines.get(start..end).unwrap_or_default();
        let stops = match self.settings.output {
            Output::Count => {
                let count = count_lines(range, line_end);
                self.selected = self.selected.saturating_add(count).min(self.settings.most);
                return Flow::More;
            }
            Output::Names { .. } | Output::Nothing => true,
            Output::Lines | Output::Parts => self.unprintable.nul_after.is_some(),
        };
        if stops {
            self.selected += 1;
            return Flow::Done;
        }
        let mut from = start;
        while from < end && self.selected < self.settings.most {
            let rest = lines.get(from..end).unwrap_or_default();
            let to = memchr::memchr(line_end, rest).map_or(end, |newline| from + newline + 1);
            self.selected += 1;
            self.print_selected(lines, (from, to), out);
            from = to;
        }
        self.at = from;
        Flow::More
    }

    fn print_selected(&mut self, lines: &[u8], line: (usize, usize), out: &mut Vec<u8>) {
        if self.pending > 0 {
            self.print_pending(lines, line.0, out);
        }
        let around = &self.settings.around;
        let printed = self.printed.map(|end| end.saturating_sub(self.offset));
        let bound = printed.and_then(|end| usize::try_from(end).ok()).unwrap_or(0);
        let mut first = line.0;
        for _ in 0..around.before {
            if first <= bound {
                break;
            }
            let before = lines.get(..first - 1).unwrap_or_default();
            let newline = memchr::memrchr(self.settings.select.line_end, before);
            first = newline.map_or(0, |newline| newline + 1);
        }
        if around.separator.is_some() && self.printed != Some(self.offset + first as u64) {
            self.printer.separator(self.settings, out);
        }
        self.print_context(lines, (first, line.0), out);
        self.print(lines, line, true, out);
        self.pending = self.settings.around.after;
    }

    /// Prints lines of context that are due, up to `end`.
    fn print_pending(&mut self, lines: &[u8], end: usize, out: &mut Vec<u8>) {
        let from = self.printed.map_or(0, |end| end.saturating_sub(self.offset));
        let mut from = usize::try_from(from).unwrap_or(usize::MAX);
        while self.pending > 0 && from < end {
            let rest = lines.get(from..end).unwrap_or_default();
            let newline = memchr::memchr(self.settings.select.line_end, rest);
            let to = newline.map_or(end, |newline| from + newline + 1);
            self.pending -= 1;
            self.print(lines, (from, to), false, out);
            from = to;
        }
    }

    fn print_context(&mut self, lines: &[u8], range: (usize, usize), out: &mut Vec<u8>) {
        let (mut from, end) = range;
        while from < end {
            let rest = lines.get(from..end).unwrap_or_default();
            let newline = memchr::memchr(self.settings.select.line_end, rest);
            let to = newline.map_or(end, |newline| from + newline + 1);
            self.print(lines, (from, to), false, out);
            from = to;
        }
    }

    fn print(&mut self, lines: &[u8], line: (usize, usize), selected: bool, out: &mut Vec<u8>) {
        let settings = self.settings;
        self.printed = Some(self.offset + line.1 as u64);
        let text = chomp(lines.get(line.0..line.1).unwrap_or_default(), settings.select.line_end);
        let matching = selected != settings.select.invert;
        let parts = settings.output == Output::Parts;
        if !parts && !self.is_text(text) {
            self.pending = 0;
            return;
        }
        if settings.prefix.numbers {
            self.counted = (line.0, self.number_of(lines, line.0));
        }
        let place = Place {
            name: self.name,
            number: self.counted.1,
            offset: self.offset + line.0 as u64,
            width: self.width,
            selected,
        };
        if !parts {
            let spans =
                if settings.color && matching { matches(settings, text) } else { Vec::new() };
            self.printer.line(settings, place, (text, &spans), out);
            return;
        }
        if !matching {
            self.printer.used |= selected;
            return;
        }
        for (start, end) in matches(settings, text) {
            let part = text.get(start..end).unwrap_or_default();
            if self.is_text(part) {
                let place = Place { offset: place.offset + start as u64, ..place };
                self.printer.line(settings, place, (part, &[(0, part.len())]), out);
            }
        }
    }

    /// Whether bytes may be printed; notes where they may not.
    fn is_text(&mut self, bytes: &[u8]) -> bool {
        let shown = self.settings.binary == Binary::Text || std::str::from_utf8(bytes).is_ok();
        self.unprintable.encoding |= !shown;
        shown
    }

    /// Where `-m` ended the search of a file, the next reader goes on behind the last line.
    fn give_back(&self, stream: &Stream) {
        if let (Stream::File(open), true) = (stream, self.selected >= self.settings.most)
            && !open.file().is_stream()
        {
            // It was read by position, so it can be set.
            let _ = open.seek(self.offset + self.at as u64);
        }
    }
}

fn count_lines(range: &[u8], line_end: u8) -> u64 {
    let ends = memchr::memchr_iter(line_end, range).count() as u64;
    ends + u64::from(range.last() != Some(&line_end))
}

/// The next record that matches, where lines end with NUL.
fn next_record(regex: &Regex, text: &[u8], at: usize) -> Option<(usize, usize)> {
    let mut from = at;
    while from <= text.len() {
        let end = memchr::memchr(0, text.get(from..)?).map_or(text.len(), |len| from + len);
        if regex.is_match(text.get(from..end)?) {
            return Some((from, end + 1));
        }
        from = end + 1;
    }
    None
}

/// The parts of a line that match and are not empty.
fn matches(settings: &Settings, text: &[u8]) -> Vec<(usize, usize)> {
    let mut spans = Vec::new();
    let mut at = 0;
    while let Some((start, end)) = settings.regex.find_at(text, at) {
        if end > start {
            spans.push((start, end));
            at = end;
        } else {
            at = start + 1;
            while text.get(at).is_some_and(|byte| byte & 0xc0 == 0x80) {
                at += 1;
            }
        }
    }
    spans
}
