//! `head`: the first lines or bytes of files, or all but the last.

use std::collections::VecDeque;

use futures::future::{FutureExt, LocalBoxFuture};

use super::input::{self, Lines};
use super::size::parse_size;
use crate::io::Stream;
use crate::tool::{
    Args, Builtin, Example, ExecContext, Opt, Outcome, Reply, Run, Spec, Stop, Topic,
};

/// `head`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "head",
    about: "print the first lines of files",
    topic: Topic::Text,
    operands: "[FILE]...",
    options: &[
        Opt::value('n', "lines", "N", "the first N lines (10); with -N all but the last N"),
        Opt::value('c', "bytes", "N", "the first N bytes; with -N all but the last N"),
        Opt::flag('q', "quiet", "no headers with file names"),
        Opt::flag('\0', "silent", "the same as --quiet"),
        Opt::flag('v', "verbose", "always headers with file names"),
        Opt::flag('z', "zero-terminated", "lines end with NUL"),
    ],
    digits: "lines",
    json_field: "line",
    notes: "N may have a suffix: b 512, kB 1000, K 1024, and so on for M, G, T, P, E.\n\
            With --json a list of records with `line`.",
    examples: &[
        Example { script: "seq 5 | head -n 2", output: "1\n2\n" },
        Example { script: "seq 5 | head -n -3", output: "1\n2\n" },
    ],
    ..Spec::DEFAULT
};

/// What of a file is printed.
#[derive(Clone, Copy)]
enum Part {
    Lines(u64),
    AllButLines(u64),
    Bytes(u64),
    AllButBytes(u64),
}

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let part = part(cx, args)?;
        let delimiter = input::delimiter(args);
        let operands = input::operands_or_stdin(args);
        let mut headers = Headers::new(args, operands.len());
        let mut status = 0;
        for operand in &operands {
            match input::open(cx, operand).await {
                Ok(stream) => {
                    headers.print(cx, operand);
                    copy(cx, &stream, part, delimiter).await?;
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

fn part(cx: &mut ExecContext, args: &Args) -> Result<Part, Stop> {
    let Some(key) = args.last_of(&["lines", "bytes"]) else { return Ok(Part::Lines(10)) };
    let text = args.text(key).unwrap_or_default();
    let (rest, negative) = match text.strip_prefix('-') {
        Some(rest) => (rest, true),
        None => (text.as_str(), false),
    };
    let Some(count) = parse_size(rest) else {
        return Err(cx.fail(1, format_args!("invalid number of {key}: '{text}'")));
    };
    Ok(match (key, negative) {
        ("lines", false) => Part::Lines(count),
        ("lines", true) => Part::AllButLines(count),
        (_, false) => Part::Bytes(count),
        (_, true) => Part::AllButBytes(count),
    })
}

async fn copy(
    cx: &mut ExecContext,
    stream: &Stream,
    part: Part,
    delimiter: u8,
) -> Result<(), Stop> {
    match part {
        Part::Lines(count) => first_lines(cx, stream, count, delimiter).await,
        Part::Bytes(count) => first_bytes(cx, stream, count).await,
        Part::AllButLines(count) => all_but_lines(cx, stream, count, delimiter).await,
        Part::AllButBytes(count) => all_but_bytes(cx, stream, count).await,
    }
}

/// Copies `left` lines and takes no byte more from the stream: the rest is somebody else's.
async fn first_lines(
    cx: &mut ExecContext,
    stream: &Stream,
    mut left: u64,
    delimiter: u8,
) -> Result<(), Stop> {
    // Every line has a byte at least, so that many bytes can be taken at once.
    while left >= 512 || (left > 0 && delimiter != b'\n') {
        let most = usize::try_from(left).unwrap_or(usize::MAX).min(64 * 1024);
        let chunk = cx.read_some(stream, most).await?;
        if chunk.is_empty() {
            return Ok(());
        }
        left -= memchr::memchr_iter(delimiter, &chunk).count() as u64;
        cx.write(&chunk).await?;
    }
    let mut line = Vec::new();
    while left > 0 && cx.read_line(stream, &mut line).await? {
        left -= 1;
        cx.write(&line).await?;
        line.clear();
    }
    Ok(())
}

async fn first_bytes(cx: &mut ExecContext, stream: &Stream, mut left: u64) -> Result<(), Stop> {
    while left > 0 {
        let most = usize::try_from(left).unwrap_or(usize::MAX).min(64 * 1024);
        let chunk = cx.read_some(stream, most).await?;
        if chunk.is_empty() {
            return Ok(());
        }
        left -= chunk.len() as u64;
        cx.write(&chunk).await?;
    }
    Ok(())
}

async fn all_but_lines(
    cx: &mut ExecContext,
    stream: &Stream,
    count: u64,
    delimiter: u8,
) -> Result<(), Stop> {
    let mut lines = Lines::new(stream.clone(), delimiter);
    let mut held = VecDeque::new();
    while lines.fill(cx).await? {
        while let Some(line) = lines.next() {
            held.push_back(line.to_vec());
            if held.len() as u64 > count
                && let Some(line) = held.pop_front()
            {
                cx.push(line);
            }
        }
    }
    Ok(())
}

async fn all_but_bytes(cx: &mut ExecContext, stream: &Stream, count: u64) -> Result<(), Stop> {
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    let mut held = VecDeque::new();
    loop {
        let chunk = cx.read_chunk(stream).await?;
        if chunk.is_empty() {
            return Ok(());
        }
        held.extend(chunk);
        let ready = held.len().saturating_sub(count);
        let bytes: Vec<u8> = held.drain(..ready).collect();
        cx.write(&bytes).await?;
    }
}

/// The lines `==> name <==` between several files.
pub(super) struct Headers {
    shown: bool,
    printed: bool,
}

impl Headers {
    /// Headers where `count` files ask for them, or an option does.
    pub(super) fn new(args: &Args, count: usize) -> Self {
        let shown = match args.last_of(&["quiet", "silent", "verbose"]) {
            None => count > 1,
            Some(key) => key == "verbose",
        };
        Self { shown, printed: false }
    }

    /// Prints the header of one file.
    pub(super) fn print(&mut self, cx: &mut ExecContext, operand: &str) {
        if !self.shown {
            return;
        }
        let blank = if std::mem::replace(&mut self.printed, true) { "\n" } else { "" };
        let name = if operand == "-" { "standard input" } else { operand };
        cx.push(format!("{blank}==> {name} <==\n"));
    }
}
