//! `wc`: counts of lines, words, characters and bytes.

use futures::future::{FutureExt, LocalBoxFuture};

use super::input;
use crate::io::{Errno, Stream};
use crate::tool::{
    Args, Builtin, Example, ExecContext, Opt, Outcome, Reply, Run, Spec, Stop, Topic,
};
use crate::value::{Cluster, EcoString};

/// `wc`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "wc",
    about: "count lines, words, characters and bytes",
    topic: Topic::Text,
    operands: "[FILE]...",
    options: &[
        Opt::flag('l', "lines", "count newlines"),
        Opt::flag('w', "words", "count words"),
        Opt::flag('m', "chars", "count characters"),
        Opt::flag('c', "bytes", "count bytes"),
        Opt::flag('L', "max-line-length", "the widest line, in columns"),
        Opt::value('\0', "total", "WHEN", "a line of totals: auto, always, only, never"),
    ],
    notes: "Without options, lines, words and bytes. The order of the columns is always\n\
            lines, words, characters, bytes, widest line.",
    examples: &[
        Example { script: "printf 'one two\\nthree\\n' | wc -w", output: "3\n" },
        Example { script: "printf 'a\\nb\\n' > f; wc -l f", output: "2 f\n" },
    ],
    ..Spec::DEFAULT
};

const COLUMNS: [&str; 5] = ["lines", "words", "chars", "bytes", "max-line-length"];

/// One number for each of [`COLUMNS`].
type Counts = [u64; 5];

/// Which of [`COLUMNS`] are asked for.
type Wanted = [bool; 5];

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let mut wanted = COLUMNS.map(|column| args.has(column));
        if wanted == [false; 5] {
            wanted = [true, true, false, true, false];
        }
        let when = args.text("total").unwrap_or_else(|| "auto".into());
        if !["auto", "always", "only", "never"].contains(&when.as_str()) {
            return Err(cx.fail(1, format_args!("invalid argument '{when}' for '--total'")));
        }
        let operands = input::operands_or_stdin(args);
        let inputs = open_all(cx, &operands).await;
        let columns = wanted.iter().filter(|wanted| **wanted).count();
        let width = if when == "only" { 1 } else { width(&inputs, columns).await };
        let (mut total, mut status) = (Counts::default(), 0);
        for (operand, stream) in operands.iter().zip(inputs) {
            let result = match stream {
                Ok(stream) => Counter::new(wanted).count(cx, &stream).await,
                Err(errno) => Err(Stop::Io(errno)),
            };
            let counts = match result {
                Ok(counts) => counts,
                Err(Stop::Io(errno)) => {
                    status = 1;
                    cx.complain(format_args!("{operand}: {errno}")).await?;
                    if errno != Errno::IsDirectory {
                        continue;
                    }
                    Counts::default()
                }
                Err(stop) => return Err(stop),
            };
            add(&mut total, &counts);
            if when != "only" {
                let name = if args.operands.is_empty() { "" } else { operand.as_str() };
                print(cx, &select(&counts, wanted), width, name);
            }
        }
        if when == "always" || when == "only" || (when == "auto" && operands.len() > 1) {
            let name = if when == "only" { "" } else { "total" };
            print(cx, &select(&total, wanted), width, name);
        }
        Reply::status(status)
    }
    .boxed_local()
}

async fn open_all(cx: &mut ExecContext, operands: &[EcoString]) -> Vec<Result<Stream, Errno>> {
    let mut inputs = Vec::with_capacity(operands.len());
    for operand in operands {
        inputs.push(input::open(cx, operand).await);
    }
    inputs
}

/// Columns as wide as the sum of the sizes, at least 7 where a size is not known beforehand.
async fn width(inputs: &[Result<Stream, Errno>], columns: usize) -> usize {
    if inputs.len() == 1 && columns == 1 {
        return 1;
    }
    let (mut sum, mut least) = (0u64, 1);
    for input in inputs {
        match input {
            Ok(Stream::File(open)) if !open.file().is_stream() => {
                sum += open.file().len().await.unwrap_or(0);
            }
            Ok(_) | Err(Errno::IsDirectory) => least = 7,
            Err(_) => {}
        }
    }
    sum.to_string().len().max(least)
}

fn select(counts: &Counts, wanted: Wanted) -> Vec<u64> {
    counts.iter().zip(wanted).filter(|(_, wanted)| *wanted).map(|(count, _)| *count).collect()
}

fn add(total: &mut Counts, counts: &Counts) {
    let [.., widest] = *total;
    for (sum, count) in total.iter_mut().zip(counts) {
        *sum += count;
    }
    let ([.., sum], [.., width]) = (total, counts);
    *sum = widest.max(*width);
}

fn print(cx: &mut ExecContext, counts: &[u64], width: usize, name: &str) {
    let columns: Vec<String> = counts.iter().map(|count| format!("{count:width$}")).collect();
    let mut line = columns.join(" ");
    if !name.is_empty() {
        line.push(' ');
        line.push_str(name);
    }
    cx.push_line(line);
}

/// Counts one stream block by block.
struct Counter {
    wanted: Wanted,
    counts: Counts,
    in_word: bool,
    column: u64,
    cluster: Cluster,
    /// The start of a character whose end is in the next block.
    partial: Vec<u8>,
}

impl Counter {
    fn new(wanted: Wanted) -> Self {
        Self {
            wanted,
            counts: Counts::default(),
            in_word: false,
            column: 0,
            cluster: Cluster::default(),
            partial: Vec::new(),
        }
    }

    async fn count(mut self, cx: &mut ExecContext, stream: &Stream) -> Result<Counts, Stop> {
        let [lines, words, chars, _, widest] = self.wanted;
        if !(lines || words || chars || widest)
            && let Some(rest) = rest_of_file(stream).await?
        {
            self.counts[3] = rest;
            return Ok(self.counts);
        }
        loop {
            let chunk = cx.read_chunk(stream).await?;
            if chunk.is_empty() {
                break;
            }
            self.counts[0] += memchr::memchr_iter(b'\n', &chunk).count() as u64;
            self.counts[3] += chunk.len() as u64;
            if words || chars || widest {
                self.characters(&chunk);
                cx.checkpoint(u32::try_from(chunk.len() / 8).unwrap_or(0)).await?;
            }
        }
        self.end_line();
        self.counts[1] += u64::from(self.in_word);
        Ok(self.counts)
    }

    fn characters(&mut self, chunk: &[u8]) {
        if self.partial.is_empty() && chunk.is_ascii() {
            self.counts[2] += chunk.len() as u64;
            self.ascii(chunk);
            return;
        }
        let mut bytes = std::mem::take(&mut self.partial);
        bytes.extend_from_slice(chunk);
        let mut rest = bytes.as_slice();
        while !rest.is_empty() {
            let (valid, broken) = match std::str::from_utf8(rest) {
                Ok(text) => (text, Some(0)),
                Err(error) => {
                    let head = rest.get(..error.valid_up_to()).unwrap_or_default();
                    (std::str::from_utf8(head).unwrap_or_default(), error.error_len())
                }
            };
            for ch in valid.chars() {
                self.counts[2] += 1;
                self.character(ch);
            }
            let Some(broken) = broken else {
                self.partial = rest.get(valid.len()..).unwrap_or_default().to_vec();
                return;
            };
            rest = rest.get(valid.len() + broken..).unwrap_or_default();
        }
    }

    fn ascii(&mut self, chunk: &[u8]) {
        if self.wanted[4] {
            for byte in chunk {
                self.character(char::from(*byte));
            }
        } else if self.wanted[1] {
            let (mut in_word, mut words) = (self.in_word, 0u64);
            for byte in chunk {
                let blank = matches!(byte, 9..=13 | 32);
                words += u64::from(in_word && blank);
                in_word = !blank && (in_word || (33..127).contains(byte));
            }
            self.counts[1] += words;
            self.in_word = in_word;
        }
    }

    fn character(&mut self, ch: char) {
        if ch.is_whitespace() || ch == '\u{2060}' {
            self.counts[1] += u64::from(std::mem::take(&mut self.in_word));
        } else if !ch.is_control() {
            self.in_word = true;
        }
        match ch {
            '\n' | '\r' | '\u{c}' => self.end_line(),
            '\t' => self.column += 8 - self.column % 8,
            _ if self.wanted[4] => {
                let before = self.cluster.width();
                let joined = self.cluster.push(ch);
                let known = if joined { before } else { 0 };
                self.column += self.cluster.width().saturating_sub(known) as u64;
            }
            _ => {}
        }
    }

    fn end_line(&mut self) {
        self.counts[4] = self.counts[4].max(self.column);
        self.column = 0;
    }
}

/// How many bytes a regular file has after its offset, which moves to the end.
async fn rest_of_file(stream: &Stream) -> Result<Option<u64>, Stop> {
    match stream {
        Stream::File(open) if !open.file().is_stream() => {
            let len = open.file().len().await?;
            let rest = len.saturating_sub(open.offset());
            open.seek(len)?;
            Ok(Some(rest))
        }
        _ => Ok(None),
    }
}
