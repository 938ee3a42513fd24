//! `paste`: corresponding lines of files side by side, or the lines of each file in one.

use futures::future::{FutureExt, LocalBoxFuture};

use super::input::{self, chomp};
use crate::io::Stream;
use crate::tool::{
    Args, Builtin, Example, ExecContext, OK, Opt, Outcome, Reply, Run, Spec, Stop, Topic,
};

/// `paste`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "paste",
    about: "join lines of files",
    topic: Topic::Text,
    operands: "[FILE]...",
    options: &[
        Opt::value('d', "delimiters", "LIST", "what to put between, in turn (a tab)"),
        Opt::flag('s', "serial", "all lines of a file in one"),
        Opt::flag('z', "zero-terminated", "lines end with NUL"),
    ],
    examples: &[
        Example { script: "seq 4 | paste - -", output: "1\t2\n3\t4\n" },
        Example { script: "seq 3 | paste -sd,", output: "1,2,3\n" },
    ],
    ..Spec::DEFAULT
};

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let list = args.text("delimiters").unwrap_or_else(|| "\t".into());
        let delimiters = delimiters(&list).map_err(|message| cx.fail(1, message))?;
        let end = input::delimiter(args);
        let mut streams = Vec::new();
        let mut status = 0;
        for operand in input::operands_or_stdin(args) {
            match cx.open_input(&operand).await? {
                Some(stream) => streams.push(stream),
                None if args.has("serial") => status = 1,
                None => return Reply::status(1),
            }
        }
        if args.has("serial") {
            for stream in streams {
                serial(cx, &stream, &delimiters, end).await?;
            }
        } else {
            parallel(cx, &streams, &delimiters, end).await?;
        }
        if status == 0 { OK } else { Reply::status(status) }
    }
    .boxed_local()
}

/// The delimiters of a list; `\0` is none at all.
fn delimiters(list: &str) -> Result<Vec<String>, String> {
    let mut delimiters = Vec::new();
    let mut chars = list.chars();
    while let Some(ch) = chars.next() {
        delimiters.push(match ch {
            '\\' => match chars.next() {
                Some('0') => String::new(),
                Some('n') => "\n".into(),
                Some('t') => "\t".into(),
                Some('b') => "\u{8}".into(),
                Some('f') => "\u{c}".into(),
                Some('r') => "\r".into(),
                Some('v') => "\u{b}".into(),
                Some(other) => other.into(),
                None => {
                    let message = "delimiter list ends with an unescaped backslash";
                    return Err(format!("{message}: {list}"));
                }
            },
            other => other.into(),
        });
    }
    if delimiters.is_empty() {
        delimiters.push(String::new());
    }
    Ok(delimiters)
}

async fn serial(
    cx: &mut ExecContext,
    stream: &Stream,
    delimiters: &[String],
    end: u8,
) -> Result<(), Stop> {
    let mut between = delimiters.iter().cycle();
    let mut lines = input::Lines::new(stream.clone(), end);
    let mut first = true;
    while lines.fill(cx).await? {
        while let Some(line) = lines.next() {
            if !std::mem::take(&mut first) {
                let delimiter = between.next().map_or("", String::as_str);
                cx.streams.out.extend_from_slice(delimiter.as_bytes());
            }
            cx.streams.out.extend_from_slice(chomp(line, end));
        }
    }
    cx.write(&[end]).await
}

async fn parallel(
    cx: &mut ExecContext,
    streams: &[Stream],
    delimiters: &[String],
    end: u8,
) -> Result<(), Stop> {
    let mut ended = vec![false; streams.len()];
    let mut line = Vec::new();
    loop {
        let mut row = Vec::new();
        let mut any = false;
        let mut between = delimiters.iter().cycle();
        for (index, (stream, ended)) in streams.iter().zip(&mut ended).enumerate() {
            if index > 0 {
                let delimiter = between.next().map_or("", String::as_str);
                row.extend_from_slice(delimiter.as_bytes());
            }
            if *ended {
                continue;
            }
            line.clear();
            if read_record(cx, stream, end, &mut line).await? {
                any = true;
                row.extend_from_slice(chomp(&line, end));
            } else {
                *ended = true;
            }
        }
        if !any {
            return Ok(());
        }
        row.push(end);
        cx.write(&row).await?;
    }
}

async fn read_record(
    cx: &mut ExecContext,
    stream: &Stream,
    end: u8,
    line: &mut Vec<u8>,
) -> Result<bool, Stop> {
    if end == b'\n' {
        return cx.read_line(stream, line).await;
    }
    let found = match stream.try_read_until(end, line) {
        Some(result) => result?,
        None => {
            cx.flush().await?;
            cx.unless_cancelled(stream.read_until(end, line)).await?
        }
    };
    cx.checkpoint(1).await?;
    Ok(found || !line.is_empty())
}
