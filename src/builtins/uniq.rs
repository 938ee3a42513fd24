//! `uniq`: neighbouring lines that are equal, once, counted, or only the repeated ones.

use futures::future::{FutureExt, LocalBoxFuture};

use super::input::{self, Lines, chomp};
use super::output;
use crate::io::Stream;
use crate::tool::{Args, Builtin, Example, ExecContext, OK, Opt, Outcome, Run, Spec, Stop, Topic};
use crate::value::first_chars;
use crate::vfs::OpenOptions;

/// `uniq`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "uniq",
    about: "drop or report repeated neighbouring lines",
    topic: Topic::Text,
    operands: "[INPUT [OUTPUT]]",
    arity: (0, 2),
    options: &[
        Opt::flag('c', "count", "print how often each line occurs"),
        Opt::flag('d', "repeated", "only repeated lines, each once"),
        Opt::flag('D', "", "every repeated line"),
        Opt::optional('\0', "all-repeated", "HOW", "the same; none, prepend or separate"),
        Opt::optional('\0', "group", "HOW", "all lines, an empty line between groups"),
        Opt::flag('u', "unique", "only lines that are not repeated"),
        Opt::flag('i', "ignore-case", "ignore case"),
        Opt::value('f', "skip-fields", "N", "compare without the first N fields"),
        Opt::value('s', "skip-chars", "N", "compare without the next N characters"),
        Opt::value('w', "check-chars", "N", "compare at most N characters"),
        Opt::flag('z', "zero-terminated", "lines end with NUL"),
    ],
    digits: "skip-fields",
    notes: "Only neighbours are compared: sort first to find all repetitions.",
    examples: &[Example {
        script: "printf 'a\\na\\nb\\n' | uniq -c",
        output: "      2 a\n      1 b\n",
    }],
    ..Spec::DEFAULT
};

/// Which blank lines separate groups.
#[derive(Clone, Copy, PartialEq)]
enum Between {
    None,
    /// Before each group.
    Prepend,
    /// After each group.
    Append,
    /// Between two groups.
    Separate,
    /// Around every group.
    Both,
}

/// What is printed of a group of equal lines.
#[derive(Clone, Copy)]
enum Show {
    /// The first line, where the group is repeated, unrepeated, or in both cases.
    First { repeated: bool, unique: bool, count: bool },
    /// Every line of a repeated group.
    Repeated(Between),
    /// Every line of a repeated group but the first.
    Later,
    /// Every line.
    All(Between),
}

struct Options {
    show: Show,
    ignore_case: bool,
    skip_fields: usize,
    skip_chars: usize,
    check_chars: usize,
    line_end: u8,
}

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let options = Options::new(args).map_err(|message| cx.fail(1, message))?;
        let operand = args.operand(0).unwrap_or_else(|| "-".into());
        let Some(stream) = cx.open_input(&operand).await? else { return Err(Stop::Failed(1)) };
        let target = match args.operand(1).filter(|operand| operand != "-") {
            Some(operand) => match output::create(cx, &operand, OpenOptions::WRITE).await {
                Ok(stream) => Some(stream),
                Err(errno) => return Err(cx.fail(1, format_args!("{operand}: {errno}"))),
            },
            None => None,
        };
        if let Some(target) = &target {
            cx.streams.fds.set(1, target.clone());
        }
        Groups::new(&options).copy(cx, stream).await?;
        cx.flush().await?;
        if let Some(target) = target {
            output::close(&target).await?;
        }
        OK
    }
    .boxed_local()
}

impl Options {
    fn new(args: &Args) -> Result<Self, String> {
        let count = |key: &str, what: &str, fallback: usize| match args.text(key) {
            None => Ok(fallback),
            Some(text) if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) => {
                Ok(text.parse().unwrap_or(usize::MAX))
            }
            Some(text) => Err(format!("{text}: invalid number of {what}")),
        };
        Ok(Self {
            show: show(args)?,
            ignore_case: args.has("ignore-case"),
            skip_fields: count("skip-fields", "fields to skip", 0)?,
            skip_chars: count("skip-chars", "bytes to skip", 0)?,
            check_chars: count("check-chars", "bytes to compare", usize::MAX)?,
            line_end: input::delimiter(args),
        })
    }

    /// The part of a line that is compared.
    fn key<'l>(&self, line: &'l [u8]) -> &'l [u8] {
        let mut rest = line;
        for _ in 0..self.skip_fields {
            let blanks = rest.iter().take_while(|byte| is_blank(**byte)).count();
            let body = rest.iter().skip(blanks).take_while(|byte| !is_blank(**byte)).count();
            rest = rest.get(blanks + body..).unwrap_or_default();
            if rest.is_empty() {
                break;
            }
        }
        if self.skip_chars > 0 {
            rest = rest.get(first_chars(rest, self.skip_chars).len()..).unwrap_or_default();
        }
        if self.check_chars < rest.len() { first_chars(rest, self.check_chars) } else { rest }
    }

    fn same(&self, a: &[u8], b: &[u8]) -> bool {
        let (a, b) = (self.key(a), self.key(b));
        if self.ignore_case { a.eq_ignore_ascii_case(b) } else { a == b }
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

fn show(args: &Args) -> Result<Show, String> {
    let (repeated, unique, count) = (args.has("repeated"), args.has("unique"), args.has("count"));
    let all_repeated = args.last_of(&["D", "all-repeated"]).is_some();
    if args.has("group") {
        if repeated || unique || count || all_repeated {
            return Err("--group is mutually exclusive with -c/-d/-D/-u".into());
        }
        let between = match args.text("group").as_deref() {
            None | Some("separate") => Between::Separate,
            Some("prepend") => Between::Prepend,
            Some("append") => Between::Append,
            Some("both") => Between::Both,
            Some(other) => return Err(format!("invalid argument '{other}' for '--group'")),
        };
        return Ok(Show::All(between));
    }
    if all_repeated {
        if count {
            return Err("printing all duplicated lines and repeat counts is meaningless".into());
        }
        let between = match args.text("all-repeated").as_deref() {
            None | Some("none") => Between::None,
            Some("prepend") => Between::Prepend,
            Some("separate") => Between::Separate,
            Some(other) => return Err(format!("invalid argument '{other}' for '--all-repeated'")),
        };
        return Ok(if unique { Show::Later } else { Show::Repeated(between) });
    }
    let neither = !repeated && !unique;
    let both = repeated && unique;
    Ok(Show::First {
        repeated: neither || (repeated && !both),
        unique: neither || (unique && !both),
        count,
    })
}

/// The group the input is in.
struct Groups<'a> {
    options: &'a Options,
    /// The first line of the group, without its end.
    first: Vec<u8>,
    count: u64,
    groups: u64,
}

impl<'a> Groups<'a> {
    fn new(options: &'a Options) -> Self {
        Self { options, first: Vec::new(), count: 0, groups: 0 }
    }

    async fn copy(&mut self, cx: &mut ExecContext, stream: Stream) -> Result<(), Stop> {
        let end = self.options.line_end;
        let mut lines = Lines::new(stream, end);
        while lines.fill(cx).await? {
            while let Some(line) = lines.next() {
                self.line(chomp(line, end), &mut cx.streams.out);
            }
        }
        self.finish_group(&mut cx.streams.out);
        if let Show::All(Between::Append | Between::Both) = self.options.show
            && self.groups > 0
        {
            cx.streams.out.push(end);
        }
        Ok(())
    }

    fn line(&mut self, line: &[u8], out: &mut Vec<u8>) {
        if self.count > 0 && self.options.same(&self.first, line) {
            self.count += 1;
            match self.options.show {
                Show::First { .. } => return,
                Show::Repeated(between) if self.count == 2 => {
                    self.start_group(between, out);
                    let first = std::mem::take(&mut self.first);
                    self.put(&first, out);
                    self.first = first;
                }
                _ => {}
            }
            self.put(line, out);
            return;
        }
        self.finish_group(out);
        self.first.clear();
        self.first.extend_from_slice(line);
        self.count = 1;
        if let Show::All(between) = self.options.show {
            self.start_group(between, out);
            self.put(line, out);
        }
    }

    fn start_group(&mut self, between: Between, out: &mut Vec<u8>) {
        let is_first = self.groups == 0;
        self.groups += 1;
        let blank = match between {
            Between::None => false,
            Between::Prepend | Between::Both => true,
            Between::Append | Between::Separate => !is_first,
        };
        if blank {
            out.push(self.options.line_end);
        }
    }

    fn put(&self, line: &[u8], out: &mut Vec<u8>) {
        out.extend_from_slice(line);
        out.push(self.options.line_end);
    }

    fn finish_group(&mut self, out: &mut Vec<u8>) {
        let Show::First { repeated, unique, count } = self.options.show else { return };
        let wanted = match self.count {
            0 => return,
            1 => unique,
            _ => repeated,
        };
        if wanted {
            if count {
                out.extend_from_slice(format!("{:7} ", self.count).as_bytes());
            }
            self.put(&self.first, out);
        }
    }
}
