//! `tail`: the last lines or bytes of files, or all from one on.

use std::collections::VecDeque;

use futures::future::{FutureExt, LocalBoxFuture};

use super::head::Headers;
use super::input;
use super::size::parse_size;
use crate::io::Stream;
use crate::tool::{
    Args, Builtin, Example, ExecContext, Opt, Outcome, Reply, Run, Spec, Stop, Topic,
};

/// `tail`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "tail",
    about: "print the last lines of files",
    topic: Topic::Text,
    operands: "[FILE]...",
    options: &[
        Opt::value('n', "lines", "N", "the last N lines (10); with +N from line N on"),
        Opt::value('c', "bytes", "N", "the last N bytes; with +N from byte N on"),
        Opt::flag('q', "quiet", "no headers with file names"),
        Opt::flag('\0', "silent", "the same as --quiet"),
        Opt::flag('v', "verbose", "always headers with file names"),
        Opt::flag('z', "zero-terminated", "lines end with NUL"),
        Opt::optional('f', "follow", "HOW", "refused: a shell in a page does not wait for files"),
        Opt::flag('F', "", "refused like -f"),
    ],
    digits: "lines",
    json_field: "line",
    notes: "N may have a suffix: b 512, kB 1000, K 1024, and so on for M, G, T, P, E.\n\
            With --json a list of records with `line`.",
    examples: &[
        Example { script: "seq 5 | tail -n 2", output: "4\n5\n" },
        Example { script: "seq 5 | tail -n +4", output: "4\n5\n" },
    ],
    ..Spec::DEFAULT
};

/// What of a file is printed.
#[derive(Clone, Copy)]
struct Part {
    count: u64,
    unit: Unit,
    from_start: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Unit {
    Bytes,
    /// Ended by this byte.
    Lines(u8),
}

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        if args.has("follow") || args.has("F") {
            let way = "print the end again when you need it, or `wait` for the job that writes";
            return Err(cx.fail(2, format_args!("-f is not supported here: {way}")));
        }
        let mut operands = input::operands_or_stdin(args);
        let old = operands.first().filter(|text| is_old_form(args, text)).cloned();
        if old.is_some() {
            operands.remove(0);
            if operands.is_empty() {
                operands.push("-".into());
            }
        }
        let part = part(cx, args, old.as_deref())?;
        let mut headers = Headers::new(args, operands.len());
        let mut status = 0;
        for operand in &operands {
            match input::open(cx, operand).await {
                Ok(stream) => {
                    headers.print(cx, operand);
                    if part.from_start {
                        skip(cx, &stream, part).await?;
                    } else {
                        Tail::new(part).copy(cx, &stream).await?;
                    }
                }
                Err(errno) => {
                    cx.complain(format_args!("cannot open '{operand}' for reading: {errno}"))
                        .await?;
                    status = 1;
                }
            }
        }
        Reply::status(status)
    }
    .boxed_local()
}

/// `tail +5`: a first operand of a plus and digits, with no option that counts.
fn is_old_form(args: &Args, operand: &str) -> bool {
    let digits = operand.strip_prefix('+').unwrap_or_default();
    !digits.is_empty()
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && args.last_of(&["lines", "bytes"]).is_none()
}

fn part(cx: &mut ExecContext, args: &Args, old: Option<&str>) -> Result<Part, Stop> {
    let key = args.last_of(&["lines", "bytes"]).unwrap_or("lines");
    let text = match old {
        Some(old) => old.into(),
        None => args.text(key).unwrap_or_else(|| "10".into()),
    };
    let unit = if key == "bytes" { Unit::Bytes } else { Unit::Lines(input::delimiter(args)) };
    let (rest, from_start) = match text.strip_prefix('+') {
        Some(rest) => (rest, true),
        None => (text.strip_prefix('-').unwrap_or(&text), false),
    };
    match parse_size(rest) {
        Some(count) => Ok(Part { count, unit, from_start }),
        None => Err(cx.fail(1, format_args!("invalid number of {key}: '{text}'"))),
    }
}

/// Leaves out what stands before line or byte `count`, and copies the rest.
async fn skip(cx: &mut ExecContext, stream: &Stream, part: Part) -> Result<(), Stop> {
    let mut left = part.count.saturating_sub(1);
    loop {
        let chunk = cx.read_chunk(stream).await?;
        if chunk.is_empty() {
            return Ok(());
        }
        let start = match part.unit {
            Unit::Bytes => usize::try_from(left).unwrap_or(usize::MAX).min(chunk.len()),
            Unit::Lines(end) => after_lines(&chunk, left, end),
        };
        let (skipped, kept) = chunk.split_at_checked(start).unwrap_or((&chunk, &[]));
        left -= match part.unit {
            Unit::Bytes => skipped.len() as u64,
            Unit::Lines(end) => memchr::memchr_iter(end, skipped).count() as u64,
        };
        cx.write(kept).await?;
    }
}

/// The offset after `count` line ends; the length where there are fewer.
fn after_lines(chunk: &[u8], count: u64, end: u8) -> usize {
    let Some(nth) = count.checked_sub(1).and_then(|nth| usize::try_from(nth).ok()) else {
        return if count == 0 { 0 } else { chunk.len() };
    };
    memchr::memchr_iter(end, chunk).nth(nth).map_or(chunk.len(), |at| at + 1)
}

/// The blocks that may still hold the end of the input.
struct Tail {
    part: Part,
    /// Blocks with their number of units.
    blocks: VecDeque<(Vec<u8>, u64)>,
    units: u64,
}

impl Tail {
    fn new(part: Part) -> Self {
        Self { part, blocks: VecDeque::new(), units: 0 }
    }

    async fn copy(&mut self, cx: &mut ExecContext, stream: &Stream) -> Result<(), Stop> {
        self.seek(stream).await?;
        loop {
            let chunk = cx.read_chunk(stream).await?;
            if chunk.is_empty() {
                break;
            }
            self.push(chunk);
        }
        let mut surplus = self.surplus();
        for (block, units) in std::mem::take(&mut self.blocks) {
            let start = match self.part.unit {
                Unit::Bytes => usize::try_from(surplus).unwrap_or(usize::MAX).min(block.len()),
                Unit::Lines(end) => after_lines(&block, surplus, end),
            };
            surplus -= surplus.min(units);
            cx.write(block.get(start..).unwrap_or_default()).await?;
        }
        Ok(())
    }

    /// With a count of bytes, starts near the end of a regular file.
    async fn seek(&self, stream: &Stream) -> Result<(), Stop> {
        if let (Stream::File(open), Unit::Bytes) = (stream, self.part.unit)
            && !open.file().is_stream()
        {
            let start = open.file().len().await?.saturating_sub(self.part.count);
            if start > open.offset() {
                open.seek(start)?;
            }
        }
        Ok(())
    }

    fn push(&mut self, chunk: Vec<u8>) {
        let units = match self.part.unit {
            Unit::Bytes => chunk.len() as u64,
            Unit::Lines(end) => memchr::memchr_iter(end, &chunk).count() as u64,
        };
        self.units += units;
        self.blocks.push_back((chunk, units));
        while let Some((_, first)) = self.blocks.front()
            && self.units - first > self.part.count
        {
            self.units -= first;
            self.blocks.pop_front();
        }
    }

    /// How many of the held units are before the part to print.
    fn surplus(&self) -> u64 {
        let mut units = self.units;
        if let Unit::Lines(end) = self.part.unit
            && let Some((last, _)) = self.blocks.back()
            && last.last() != Some(&end)
        {
            units += 1;
        }
        if self.part.count == 0 { u64::MAX } else { units.saturating_sub(self.part.count) }
    }
}
