//! `cut`: chosen bytes, characters or fields of each line.

use futures::future::{FutureExt, LocalBoxFuture};
use memchr::memmem;

use super::input::{self, Lines, chomp};
use crate::tool::{Args, Builtin, Example, ExecContext, Opt, Outcome, Reply, Run, Spec, Topic};
use crate::value::first_chars;

/// `cut`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "cut",
    about: "print parts of each line",
    topic: Topic::Text,
    operands: "[FILE]...",
    options: &[
        Opt::value('b', "bytes", "LIST", "these bytes"),
        Opt::value('c', "characters", "LIST", "these characters"),
        Opt::value('f', "fields", "LIST", "these fields"),
        Opt::value('d', "delimiter", "CHAR", "what separates fields (tab)"),
        Opt::flag('s', "only-delimited", "leave out lines without the delimiter"),
        Opt::flag('\0', "complement", "all but the chosen parts"),
        Opt::value('\0', "output-delimiter", "TEXT", "what separates the parts printed"),
        Opt::flag('z', "zero-terminated", "lines end with NUL"),
        Opt::flag('n', "", "ignored"),
    ],
    notes: "LIST is N, N-M, N- or -M, several separated by commas; parts are printed in the order\n\
            of the line. With --json a list of strings.",
    examples: &[
        Example { script: "echo a:b:c | cut -d: -f1,3", output: "a:c\n" },
        Example { script: "echo héllo | cut -c2-3", output: "él\n" },
    ],
    ..Spec::DEFAULT
};

#[derive(Clone, Copy, PartialEq)]
enum Unit {
    Bytes,
    Characters,
    Fields,
}

/// What is cut out of each line.
struct Cut {
    unit: Unit,
    /// First and last, from 1, sorted and apart.
    ranges: Vec<(u64, u64)>,
    delimiter: Vec<u8>,
    output_delimiter: Vec<u8>,
    only_delimited: bool,
    line_end: u8,
}

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let cut = Cut::new(args).map_err(|message| cx.fail(1, message))?;
        let mut status = 0;
        for operand in input::operands_or_stdin(args) {
            let Some(stream) = cx.open_input(&operand).await? else {
                status = 1;
                continue;
            };
            let mut lines = Lines::new(stream, cut.line_end);
            while lines.fill(cx).await? {
                while let Some(line) = lines.next() {
                    cut.line(chomp(line, cut.line_end), &mut cx.streams.out);
                }
            }
        }
        Reply::status(status)
    }
    .boxed_local()
}

impl Cut {
    fn new(args: &Args) -> Result<Self, String> {
        let units =
            [("bytes", Unit::Bytes), ("characters", Unit::Characters), ("fields", Unit::Fields)];
        let mut lists = units.iter().flat_map(|(key, unit)| {
            args.values(key).map(move |value| (*unit, value.to_text_lossy()))
        });
        let Some((unit, list)) = lists.next() else {
            return Err("you must specify a list of bytes, characters, or fields".into());
        };
        if lists.next().is_some() {
            return Err("only one list may be specified".into());
        }
        let delimiter = args.value("delimiter").map(crate::value::Value::to_bytes);
        let delimiter = delimiter.map(|text| if text.is_empty() { vec![0] } else { text });
        if unit != Unit::Fields && delimiter.is_some() {
            let message = "an input delimiter may be specified only when operating on fields";
            return Err(message.into());
        }
        if unit != Unit::Fields && args.has("only-delimited") {
            return Err("suppressing non-delimited lines makes sense only with fields".into());
        }
        let delimiter = delimiter.unwrap_or_else(|| vec![b'\t']);
        if first_chars(&delimiter, 1).len() != delimiter.len() {
            return Err("the delimiter must be a single character".into());
        }
        let ranges = merge(parse_list(&list, unit)?);
        let ranges = if args.has("complement") { complement(&ranges) } else { ranges };
        let given = args.value("output-delimiter").map(crate::value::Value::to_bytes);
        let fallback = if unit == Unit::Fields { delimiter.clone() } else { Vec::new() };
        Ok(Self {
            unit,
            ranges,
            delimiter,
            output_delimiter: given.unwrap_or(fallback),
            only_delimited: args.has("only-delimited"),
            line_end: input::delimiter(args),
        })
    }

    fn line(&self, line: &[u8], out: &mut Vec<u8>) {
        match self.unit {
            Unit::Bytes => self.bytes(line, out),
            Unit::Characters if line.is_ascii() => self.bytes(line, out),
            Unit::Characters => self.characters(line, out),
            Unit::Fields => {
                if !self.fields(line, out) {
                    return;
                }
            }
        }
        out.push(self.line_end);
    }

    fn bytes(&self, line: &[u8], out: &mut Vec<u8>) {
        let mut separator: &[u8] = b"";
        for &(first, last) in &self.ranges {
            let start = usize::try_from(first - 1).unwrap_or(usize::MAX);
            let end = usize::try_from(last).unwrap_or(usize::MAX).min(line.len());
            let Some(part) = line.get(start..end).filter(|part| !part.is_empty()) else { return };
            out.extend_from_slice(separator);
            out.extend_from_slice(part);
            separator = &self.output_delimiter;
        }
    }

    fn characters(&self, line: &[u8], out: &mut Vec<u8>) {
        let (mut rest, mut passed, mut separator): (_, _, &[u8]) = (line, 0, b"");
        for &(first, last) in &self.ranges {
            rest = rest.get(prefix(rest, first - 1 - passed).len()..).unwrap_or_default();
            if rest.is_empty() {
                return;
            }
            let part = prefix(rest, last - (first - 1));
            out.extend_from_slice(separator);
            out.extend_from_slice(part);
            rest = rest.get(part.len()..).unwrap_or_default();
            passed = last;
            separator = &self.output_delimiter;
        }
    }

    /// Appends the chosen fields; `false` where the line is left out.
    fn fields(&self, line: &[u8], out: &mut Vec<u8>) -> bool {
        let mut end = self.find(line);
        if end.is_none() {
            if !self.only_delimited {
                out.extend_from_slice(line);
            }
            return !self.only_delimited;
        }
        let same = self.delimiter == self.output_delimiter;
        let (mut rest, mut number, mut printed) = (line, 1u64, false);
        let mut ranges = self.ranges.iter();
        let Some(mut range) = ranges.next() else { return true };
        loop {
            while number > range.1 {
                match ranges.next() {
                    Some(next) => range = next,
                    None => return true,
                }
            }
            if number >= range.0 {
                if printed {
                    out.extend_from_slice(&self.output_delimiter);
                }
                if same && range.1 == u64::MAX {
                    out.extend_from_slice(rest);
                    return true;
                }
                out.extend_from_slice(rest.get(..end.unwrap_or(rest.len())).unwrap_or(rest));
                printed = true;
            }
            let Some(at) = end else { return true };
            rest = rest.get(at + self.delimiter.len()..).unwrap_or_default();
            number += 1;
            end = self.find(rest);
        }
    }

    fn find(&self, text: &[u8]) -> Option<usize> {
        match self.delimiter.as_slice() {
            [byte] => memchr::memchr(*byte, text),
            longer => memmem::find(text, longer),
        }
    }
}

fn prefix(text: &[u8], chars: u64) -> &[u8] {
    first_chars(text, usize::try_from(chars).unwrap_or(usize::MAX))
}

fn parse_list(list: &str, unit: Unit) -> Result<Vec<(u64, u64)>, String> {
    let what = if unit == Unit::Fields { "field" } else { "byte/character" };
    let number = |text: &str| match text.parse::<u64>() {
        Ok(0) if unit == Unit::Fields => Err("fields are numbered from 1".to_string()),
        Ok(0) => Err("byte/character positions are numbered from 1".to_string()),
        Ok(number) => Ok(number),
        Err(_) if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) => {
            Ok(u64::MAX)
        }
        Err(_) if unit == Unit::Fields => Err(format!("invalid field value '{text}'")),
        Err(_) => Err(format!("invalid {what} position '{text}'")),
    };
    let mut ranges = Vec::new();
    for item in list.split([',', ' ', '\t']) {
        let range = match item.split_once('-') {
            None => number(item).map(|number| (number, number))?,
            Some(("", "")) => return Err("invalid range with no endpoint: -".into()),
            Some(("", last)) => (1, number(last)?),
            Some((first, "")) => (number(first)?, u64::MAX),
            Some((first, last)) => (number(first)?, number(last)?),
        };
        if range.0 > range.1 {
            return Err("invalid decreasing range".into());
        }
        ranges.push(range);
    }
    Ok(ranges)
}

/// Sorts ranges and joins those that overlap; neighbours stay apart.
fn merge(mut ranges: Vec<(u64, u64)>) -> Vec<(u64, u64)> {
    ranges.sort_unstable();
    let mut merged: Vec<(u64, u64)> = Vec::new();
    for range in ranges {
        match merged.last_mut() {
            Some(last) if range.0 <= last.1 => last.1 = last.1.max(range.1),
            _ => merged.push(range),
        }
    }
    merged
}

fn complement(ranges: &[(u64, u64)]) -> Vec<(u64, u64)> {
    let mut rest = Vec::new();
    let mut next = 1;
    for &(first, last) in ranges {
        if first > next {
            rest.push((next, first - 1));
        }
        if last == u64::MAX {
            return rest;
        }
        next = last + 1;
    }
    rest.push((next, u64::MAX));
    rest
}
