//! A file in; files that hold its lines or bytes one after another out, as GNU's `split` makes them.

use crate::builtins::size::parse_size;
use crate::builtins::{input, output};
use crate::io::Stream;
use crate::tool::{Args, ExecContext, OK, Outcome, Stop};
use crate::value::EcoString;
use crate::vfs::OpenOptions;

/// The options that ask for files.
const KEYS: &[&str] = &["lines", "bytes", "line-bytes", "number"];

/// Whether a call is about a file.
pub(super) fn is_asked(args: &Args) -> bool {
    KEYS.iter().any(|key| args.has(key))
        || ["numeric-suffixes", "hex-suffixes", "additional-suffix", "suffix-length", "d", "x"]
            .iter()
            .any(|key| args.has(key))
}

/// What a piece holds.
#[derive(Clone, Copy)]
enum Measure {
    Lines(u64),
    Bytes(u64),
    LineBytes(u64),
    /// So many pieces; only the one of this number, printed, where one is named.
    Chunks {
        by: By,
        count: u64,
        only: Option<u64>,
    },
}

/// How a file is dealt out to a number of pieces.
#[derive(Clone, Copy, PartialEq)]
enum By {
    Bytes,
    Lines,
    RoundRobin,
}

/// How pieces are called.
struct Names {
    prefix: EcoString,
    digits: &'static [u8],
    length: Option<usize>,
    next: u64,
    /// Whether names grow where they run out.
    grows: bool,
    suffix: EcoString,
}

struct Pieces {
    names: Names,
    end: u8,
    verbose: bool,
    elides: bool,
}

/// Cuts a file.
pub(super) async fn run(cx: &mut ExecContext, args: &Args) -> Outcome {
    let measure = measure(cx, args)?;
    let file = args.operand(0).unwrap_or_else(|| "-".into());
    let stream = match input::open(cx, &file).await {
        Ok(stream) => stream,
        Err(errno) => {
            let message = format!("cannot open '{file}' for reading: {errno}");
            return Err(cx.fail(1, message));
        }
    };
    let end = match args.text("separator").as_deref() {
        None => b'\n',
        Some("\\0") => 0,
        Some(text) => match text.as_bytes() {
            [byte] => *byte,
            [] => return Err(cx.fail(1, "empty record separator")),
            _ => return Err(cx.fail(1, format_args!("multi-character separator '{text}'"))),
        },
    };
    let mut pieces = Pieces {
        names: Names::new(cx, args, measure)?,
        end,
        verbose: args.has("verbose"),
        elides: args.has("elide-empty-files"),
    };
    match measure {
        Measure::Lines(count) => pieces.by_lines(cx, stream, count).await?,
        Measure::Bytes(size) => pieces.by_bytes(cx, &stream, size).await?,
        Measure::LineBytes(size) => pieces.by_line_bytes(cx, stream, size).await?,
        Measure::Chunks { by, count, only } => {
            let text = cx.read_all(&stream).await?;
            pieces.chunks(cx, &text, (by, count, only)).await?;
        }
    }
    OK
}

fn measure(cx: &mut ExecContext, args: &Args) -> Result<Measure, Stop> {
    let given: Vec<&str> =
        args.given().map(|(key, _)| key).filter(|key| KEYS.contains(key)).collect();
    if given.windows(2).any(|pair| pair[0] != pair[1]) {
        return Err(cx.misuse(1, "cannot split in more than one way"));
    }
    let Some(key) = given.last() else { return Ok(Measure::Lines(1000)) };
    let text = args.text(key).unwrap_or_default();
    let size = parse_size(&text).filter(|size| *size > 0);
    match (*key, size) {
        ("number", _) => chunks(&text)
            .ok_or_else(|| cx.fail(1, format_args!("invalid number of chunks: '{text}'"))),
        ("lines", Some(count)) => Ok(Measure::Lines(count)),
        ("lines", None) => Err(cx.fail(1, format_args!("invalid number of lines: '{text}'"))),
        ("bytes", Some(size)) => Ok(Measure::Bytes(size)),
        (_, Some(size)) => Ok(Measure::LineBytes(size)),
        (_, None) => Err(cx.fail(1, format_args!("invalid number of bytes: '{text}'"))),
    }
}

/// `N`, `K/N`, `l/N`, `l/K/N`, `r/N`, `r/K/N`
fn chunks(text: &str) -> Option<Measure> {
    let (by, rest) = match text.split_once('/') {
        Some(("l", rest)) => (By::Lines, rest),
        Some(("r", rest)) => (By::RoundRobin, rest),
        _ => (By::Bytes, text),
    };
    let (only, count) = match rest.split_once('/') {
        Some((only, count)) => (Some(only.parse::<u64>().ok()?), count),
        None => (None, rest),
    };
    let count = count.parse::<u64>().ok().filter(|count| (1..=1_000_000).contains(count))?;
    if only.is_some_and(|only| only == 0 || only > count) {
        return None;
    }
    Some(Measure::Chunks { by, count, only })
}

impl Names {
    fn new(cx: &mut ExecContext, args: &Args, measure: Measure) -> Result<Self, Stop> {
        let kind = args.last_of(&["d", "numeric-suffixes", "x", "hex-suffixes"]);
        let (digits, base): (&[u8], u32) = match kind {
            None => (b"abcdefghijklmnopqrstuvwxyz", 26),
            Some("d" | "numeric-suffixes") => (b"0123456789", 10),
            Some(_) => (b"0123456789abcdef", 16),
        };
        let from = kind.and_then(|kind| args.text(kind)).unwrap_or_default();
        let next = match from.as_str() {
            "" => 0,
            from => match u64::from_str_radix(from, base) {
                Ok(next) => next,
                Err(_) => {
                    return Err(cx.misuse(1, format_args!("{from}: invalid start value")));
                }
            },
        };
        let suffix = args.text("additional-suffix").unwrap_or_default();
        if suffix.contains('/') {
            let message = format!("invalid suffix '{suffix}', contains directory separator");
            return Err(cx.misuse(1, message));
        }
        let length = match args.text("suffix-length") {
            None => None,
            Some(text) => match text.parse::<usize>() {
                Ok(length) if length <= 100 => Some(length).filter(|length| *length > 0),
                _ => return Err(cx.fail(1, format_args!("invalid suffix length: '{text}'"))),
            },
        };
        let mut grows = length.is_none() && from.is_empty();
        let length = length.or_else(|| {
            let Measure::Chunks { count, .. } = measure else { return None };
            grows = false;
            let mut length = 2;
            while (digits.len() as u64).pow(length) < next + count {
                length += 1;
            }
            usize::try_from(length).ok()
        });
        let prefix = args.operand(1).unwrap_or_else(|| "x".into());
        Ok(Self { prefix, digits, length, next, grows, suffix })
    }

    /// The next name; `None` where there is none left.
    fn next(&mut self) -> Option<EcoString> {
        let base = self.digits.len() as u64;
        let (mut number, mut length, mut extra) = (self.next, self.length.unwrap_or(2), 0);
        if self.grows {
            // The last letter alone is kept to begin longer names: xyz is followed by xzaaa.
            let mut room = base.pow(2) - base;
            while number >= room {
                number -= room;
                length += 1;
                extra += 1;
                room = base.saturating_mul(room);
            }
        }
        let mut letters = Vec::new();
        for _ in 0..length {
            letters.push(self.digits.get(usize::try_from(number % base).ok()?).copied()?);
            number /= base;
        }
        if number > 0 {
            return None;
        }
        letters.reverse();
        self.next += 1;
        let lead = self.digits.last().copied().map(char::from)?;
        let mut name = self.prefix.to_string();
        name.extend(std::iter::repeat_n(lead, extra));
        name.push_str(std::str::from_utf8(&letters).ok()?);
        name.push_str(&self.suffix);
        Some(name.into())
    }
}

impl Pieces {
    async fn create(&mut self, cx: &mut ExecContext) -> Result<Stream, Stop> {
        let Some(name) = self.names.next() else {
            return Err(cx.fail(1, "output file suffixes exhausted"));
        };
        if self.verbose {
            cx.push(format!("creating file '{name}'\n"));
        }
        match output::create(cx, &name, OpenOptions::WRITE).await {
            Ok(stream) => Ok(stream),
            Err(errno) => Err(cx.fail(1, format_args!("{name}: {errno}"))),
        }
    }

    async fn piece(&mut self, cx: &mut ExecContext, content: &[u8]) -> Result<(), Stop> {
        let stream = self.create(cx).await?;
        stream.write_all(content).await?;
        output::close(&stream).await
    }

    async fn by_lines(
        &mut self,
        cx: &mut ExecContext,
        stream: Stream,
        count: u64,
    ) -> Result<(), Stop> {
        let mut lines = input::Lines::new(stream, self.end);
        let (mut piece, mut held) = (Vec::new(), 0);
        while lines.fill(cx).await? {
            while let Some(line) = lines.next() {
                piece.extend_from_slice(line);
                held += 1;
                if held == count {
                    self.piece(cx, &piece).await?;
                    piece.clear();
                    held = 0;
                }
            }
        }
        if piece.is_empty() { Ok(()) } else { self.piece(cx, &piece).await }
    }

    async fn by_bytes(
        &mut self,
        cx: &mut ExecContext,
        stream: &Stream,
        size: u64,
    ) -> Result<(), Stop> {
        let mut open: Option<(Stream, u64)> = None;
        loop {
            let chunk = cx.read_chunk(stream).await?;
            if chunk.is_empty() {
                break;
            }
            let mut rest = chunk.as_slice();
            while !rest.is_empty() {
                let (target, left) = match open.take() {
                    Some(open) => open,
                    None => (self.create(cx).await?, size),
                };
                let count = usize::try_from(left).unwrap_or(usize::MAX).min(rest.len());
                let (part, tail) = rest.split_at_checked(count).unwrap_or((rest, &[]));
                target.write_all(part).await?;
                rest = tail;
                match left - part.len() as u64 {
                    0 => output::close(&target).await?,
                    left => open = Some((target, left)),
                }
            }
        }
        match open {
            Some((target, _)) => output::close(&target).await,
            None => Ok(()),
        }
    }

    async fn by_line_bytes(
        &mut self,
        cx: &mut ExecContext,
        stream: Stream,
        size: u64,
    ) -> Result<(), Stop> {
        let size = usize::try_from(size).unwrap_or(usize::MAX);
        let mut lines = input::Lines::new(stream, self.end);
        let mut piece: Vec<u8> = Vec::new();
        while lines.fill(cx).await? {
            while let Some(line) = lines.next() {
                if !piece.is_empty() && piece.len() + line.len() > size {
                    self.piece(cx, &piece).await?;
                    piece.clear();
                }
                piece.extend_from_slice(line);
                // A line that fits in no piece is cut.
                while piece.len() > size {
                    let rest = piece.split_off(size);
                    self.piece(cx, &piece).await?;
                    piece = rest;
                }
            }
        }
        if piece.is_empty() { Ok(()) } else { self.piece(cx, &piece).await }
    }

    async fn chunks(
        &mut self,
        cx: &mut ExecContext,
        text: &[u8],
        (by, count, only): (By, u64, Option<u64>),
    ) -> Result<(), Stop> {
        let mut start = 0;
        for number in 1..=count {
            cx.checkpoint(64).await?;
            let content = match by {
                By::RoundRobin => {
                    let lines = text.split_inclusive(|byte| *byte == self.end);
                    let own = lines.skip(usize::try_from(number - 1).unwrap_or(usize::MAX));
                    own.step_by(usize::try_from(count).unwrap_or(usize::MAX))
                        .flatten()
                        .copied()
                        .collect()
                }
                By::Bytes | By::Lines => {
                    let mut end = edge(text.len(), number, count);
                    if by == By::Lines {
                        end = self.line_edge(text, start, end, number == count);
                    }
                    let part = text.get(start..end).unwrap_or_default().to_vec();
                    start = end.max(start);
                    part
                }
            };
            match only {
                Some(only) if only == number => cx.push(&content),
                Some(_) => {}
                None if content.is_empty() && self.elides => {}
                None => self.piece(cx, &content).await?,
            }
        }
        Ok(())
    }

    /// The end of the line that holds the last byte before `end`, or `start` where that is over.
    fn line_edge(&self, text: &[u8], start: usize, end: usize, is_last: bool) -> usize {
        if is_last {
            return text.len();
        }
        if end <= start {
            return start;
        }
        let rest = text.get(end - 1..).unwrap_or_default();
        memchr::memchr(self.end, rest).map_or(text.len(), |at| end + at)
    }
}

/// Where a piece of equal parts ends: the first ones get what is left over.
fn edge(length: usize, number: u64, count: u64) -> usize {
    let (length, number, count) = (length as u64, u128::from(number), u128::from(count));
    let (base, extra) = (u128::from(length) / count, u128::from(length) % count);
    usize::try_from(base * number + extra.min(number)).unwrap_or(usize::MAX)
}
