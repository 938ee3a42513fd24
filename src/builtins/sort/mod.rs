//! `sort`: the lines of files in order, by whole lines or by keys.
//!
//! Everything is read into one block of memory; what is sorted are entries of fixed size with the
//! first bytes of their key (or its value as a number) at hand. Sorting goes in bounded runs and
//! merges, so that it can be interrupted.

mod compare;
mod keys;
mod options;
mod runs;

use std::rc::Rc;

use futures::future::{FutureExt, LocalBoxFuture};

use self::compare::Comparer;
use self::options::{Mode, Options};
use self::runs::Entry;
use super::{input, output};
use crate::io::{Errno, Stream};
use crate::tool::{
    Args, Builtin, Example, ExecContext, OK, Opt, Outcome, Reply, Run, Spec, Stop, Topic,
};
use crate::value::EcoString;
use crate::vfs::OpenOptions;

/// `sort`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "sort",
    about: "sort lines",
    topic: Topic::Text,
    operands: "[FILE]...",
    options: &[
        Opt::flag('b', "ignore-leading-blanks", "ignore blanks before keys"),
        Opt::flag('d', "dictionary-order", "compare blanks, letters and digits only"),
        Opt::flag('f', "ignore-case", "lower case as upper case"),
        Opt::flag('g', "general-numeric-sort", "compare as floating-point numbers"),
        Opt::flag('h', "human-numeric-sort", "compare sizes such as 2K and 1G"),
        Opt::flag('i', "ignore-nonprinting", "compare printable characters only"),
        Opt::flag('M', "month-sort", "compare names of months"),
        Opt::flag('n', "numeric-sort", "compare as decimal numbers"),
        Opt::flag('R', "random-sort", "shuffle, equal keys together"),
        Opt::flag('V', "version-sort", "compare numbers within text as numbers"),
        Opt::value('\0', "sort", "WORD", "numeric, general-numeric, human-numeric, month, …"),
        Opt::flag('r', "reverse", "the other way round"),
        Opt::value('k', "key", "KEY", "sort by a key, as in 2,2n or 3.2"),
        Opt::value('t', "field-separator", "CHAR", "what separates fields"),
        Opt::flag('u', "unique", "one of several lines that compare equal"),
        Opt::flag('s', "stable", "keep the order of lines with equal keys"),
        Opt::flag('c', "", "check only, and name the first line out of order"),
        Opt::optional('\0', "check", "HOW", "the same; quiet or silent is -C"),
        Opt::flag('C', "", "check only, silently"),
        Opt::flag('m', "merge", "merge files that are sorted already"),
        Opt::value('o', "output", "FILE", "write there; may be one of the inputs"),
        Opt::flag('z', "zero-terminated", "lines end with NUL"),
        Opt::value('\0', "files0-from", "FILE", "read the names of files, ended by NUL, from FILE"),
        Opt::value('S', "buffer-size", "SIZE", "ignored"),
        Opt::value('T', "temporary-directory", "DIR", "ignored"),
        Opt::value('\0', "parallel", "N", "ignored"),
        Opt::value('\0', "batch-size", "N", "ignored"),
        Opt::value('\0', "compress-program", "PROG", "ignored"),
        Opt::value('\0', "random-source", "FILE", "ignored"),
        Opt::flag('\0', "debug", "ignored"),
    ],
    notes: "KEY is FIELD[.CHAR][OPTIONS][,FIELD[.CHAR][OPTIONS]]; fields and characters count from 1,\n\
            OPTIONS are letters of bdfghiMnRrV for this key. Text compares by bytes.",
    examples: &[
        Example { script: "printf '10\\n9\\n' | sort -n", output: "9\n10\n" },
        Example { script: "printf 'a 2\\nb 1\\n' | sort -k2,2n", output: "b 1\na 2\n" },
    ],
    ..Spec::DEFAULT
};

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let seed = random_seed(cx);
        let options =
            Options::new(args, seed).map_err(|(status, message)| cx.fail(status, message))?;
        let operands = operands(cx, args).await?;
        match options.mode {
            Mode::Check | Mode::CheckSilently => check(cx, &options, &operands).await,
            Mode::Sort | Mode::Merge => sort(cx, &options, &operands).await,
        }
    }
    .boxed_local()
}

fn random_seed(cx: &ExecContext) -> u64 {
    let mut bytes = [0; 8];
    cx.services.host.random(&mut bytes);
    u64::from_le_bytes(bytes)
}

async fn operands(cx: &mut ExecContext, args: &Args) -> Result<Vec<EcoString>, Stop> {
    let Some(list) = args.text("files0-from") else { return Ok(input::operands_or_stdin(args)) };
    if let Some(extra) = args.operand(0) {
        let hint = "file operands cannot be combined with --files0-from";
        return Err(cx.fail(2, format_args!("extra operand '{extra}'\n{hint}")));
    }
    let stream = open(cx, &list).await?;
    let names = cx.read_all(&stream).await?;
    let names = String::from_utf8_lossy(&names).into_owned();
    Ok(names.split_terminator('\0').map(EcoString::from).collect())
}

async fn open(cx: &mut ExecContext, operand: &str) -> Result<Stream, Stop> {
    match input::open(cx, operand).await {
        Ok(stream) => Ok(stream),
        Err(Errno::IsDirectory) => {
            Err(cx.fail(2, format_args!("read failed: {operand}: {}", Errno::IsDirectory)))
        }
        Err(errno) => Err(cx.fail(2, format_args!("cannot read: {operand}: {errno}"))),
    }
}

async fn sort(cx: &mut ExecContext, options: &Options, operands: &[EcoString]) -> Outcome {
    let mut text = Vec::new();
    let mut ends = Vec::new();
    for operand in operands {
        let stream = open(cx, operand).await?;
        read(cx, &stream, &mut text).await?;
        if text.last().is_some_and(|last| *last != options.line_end) {
            text.push(options.line_end);
        }
        ends.push(text.len());
    }
    let comparer = Comparer::new(options, &text);
    let (mut entries, mut starts) = (Vec::new(), Vec::new());
    let mut start = 0;
    for end in ends {
        starts.push(entries.len());
        start = append_entries(cx, &comparer, start..end, &mut entries).await?;
    }
    if options.mode == Mode::Merge {
        runs::merge_all(cx, &comparer, &mut entries, starts).await?;
    } else {
        runs::sort(cx, &comparer, &mut entries).await?;
    }
    let target = match &options.output {
        Some(operand) => Some(create(cx, operand).await?),
        None => None,
    };
    if let Some(stream) = &target {
        cx.flush().await?;
        cx.streams.fds.set(1, stream.clone());
    }
    print(cx, &comparer, &entries).await?;
    cx.flush().await?;
    if let Some(stream) = target {
        output::close(&stream).await?;
    }
    OK
}

async fn create(cx: &mut ExecContext, operand: &str) -> Result<Stream, Stop> {
    let created = output::create(cx, operand, OpenOptions::WRITE).await;
    created.map_err(|errno| cx.fail(2, format_args!("open failed: {operand}: {errno}")))
}

async fn read(cx: &mut ExecContext, stream: &Stream, text: &mut Vec<u8>) -> Result<(), Stop> {
    let limit = cx.services.limits.value_bytes.min(u32::MAX as usize - 1);
    loop {
        let chunk = cx.read_chunk(stream).await?;
        if chunk.is_empty() {
            return Ok(());
        }
        if text.len() + chunk.len() > limit {
            return Err(cx.fail(2, format_args!("input is larger than the limit of {limit} bytes")));
        }
        text.extend_from_slice(&chunk);
    }
}

/// Makes an entry of every line of a part of the text; answers where the part ends.
async fn append_entries(
    cx: &mut ExecContext,
    comparer: &Comparer<'_>,
    part: std::ops::Range<usize>,
    entries: &mut Vec<Entry>,
) -> Result<usize, Stop> {
    let mut start = part.start;
    while start < part.end {
        let rest = comparer.text.get(start..part.end).unwrap_or_default();
        for at in memchr::memchr_iter(comparer.line_end(), rest).take(4096) {
            let end = part.end - rest.len() + at;
            entries.push(comparer.entry(start, end));
            start = end + 1;
        }
        cx.checkpoint(16_384).await?;
    }
    Ok(part.end)
}

async fn print(
    cx: &mut ExecContext,
    comparer: &Comparer<'_>,
    entries: &[Entry],
) -> Result<(), Stop> {
    let mut before: Option<&Entry> = None;
    for block in entries.chunks(1024) {
        for entry in block {
            if comparer.unique
                && before.is_some_and(|before| comparer.compare_keys(before, entry).is_eq())
            {
                continue;
            }
            before = Some(entry);
            cx.streams.out.extend_from_slice(comparer.line(entry));
            cx.streams.out.push(comparer.line_end());
        }
        cx.write(b"").await?;
        cx.checkpoint(2048).await?;
    }
    Ok(())
}

async fn check(cx: &mut ExecContext, options: &Options, operands: &[EcoString]) -> Outcome {
    let [operand] = operands else {
        let second = operands.get(1).cloned().unwrap_or_default();
        return Err(cx.fail(2, format_args!("extra operand '{second}' not allowed with -c")));
    };
    let stream = open(cx, operand).await?;
    let mut text = Vec::new();
    read(cx, &stream, &mut text).await?;
    if text.last().is_some_and(|last| *last != options.line_end) {
        text.push(options.line_end);
    }
    let text = Rc::new(text);
    let comparer = Comparer::new(options, &text);
    let mut entries = Vec::new();
    append_entries(cx, &comparer, 0..text.len(), &mut entries).await?;
    for (index, pair) in entries.windows(2).enumerate() {
        if index % 1024 == 0 {
            cx.checkpoint(4096).await?;
        }
        let [first, second] = pair else { continue };
        let order = comparer.compare(first, second);
        let sorted = if options.unique { order.is_lt() } else { order.is_le() };
        if !sorted {
            if options.mode == Mode::Check {
                let line = String::from_utf8_lossy(comparer.line(second)).into_owned();
                let number = index + 2;
                cx.complain(format_args!("{operand}:{number}: disorder: {line}")).await?;
            }
            return Reply::status(1);
        }
    }
    OK
}
