//! `nl`: lines with numbers before them, by sections of logical pages.

use futures::future::{FutureExt, LocalBoxFuture};

use super::input::{self, Lines, chomp};
use crate::pattern::{Dialect, Regex, Syntax};
use crate::tool::{Args, Builtin, Example, ExecContext, Opt, Outcome, Reply, Run, Spec, Topic};
use crate::value::EcoString;

/// `nl`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "nl",
    about: "number lines",
    topic: Topic::Text,
    operands: "[FILE]...",
    options: &[
        Opt::value('b', "body-numbering", "STYLE", "which lines of the body (t)"),
        Opt::value('h', "header-numbering", "STYLE", "which lines of headers (n)"),
        Opt::value('f', "footer-numbering", "STYLE", "which lines of footers (n)"),
        Opt::value('d', "section-delimiter", "CC", "what marks sections (\\:)"),
        Opt::value('i', "line-increment", "N", "the step between numbers (1)"),
        Opt::value('l', "join-blank-lines", "N", "of N empty lines in a row, number one"),
        Opt::value('n', "number-format", "FORMAT", "ln left, rn right, rz right with zeros"),
        Opt::flag('p', "no-renumber", "go on counting at new pages"),
        Opt::value('s', "number-separator", "TEXT", "what follows the number (a tab)"),
        Opt::value('v', "starting-line-number", "N", "the first number (1)"),
        Opt::value('w', "number-width", "N", "columns of numbers (6)"),
    ],
    notes: "STYLE is a for all lines, t for lines with text, n for none, or pREGEX for those that\n\
            match a basic regular expression.",
    examples: &[Example {
        script: "printf 'a\\n\\nb\\n' | nl -ba",
        output: "     1\ta\n     2\t\n     3\tb\n",
    }],
    ..Spec::DEFAULT
};

/// Which lines of a section are numbered.
enum Style {
    All,
    Text,
    None,
    Matching(Box<Regex>),
}

/// The options, and where the numbering stands.
struct Numbering {
    /// Header, body, footer.
    styles: [Style; 3],
    section: usize,
    delimiter: String,
    format: EcoString,
    separator: EcoString,
    width: usize,
    start: i64,
    step: i64,
    join: i64,
    renumber: bool,
    next: i64,
    blanks: i64,
}

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let mut numbering = Numbering::new(args).map_err(|message| cx.fail(1, message))?;
        let mut status = 0;
        for operand in input::operands_or_stdin(args) {
            let Some(stream) = cx.open_input(&operand).await? else {
                status = 1;
                continue;
            };
            let mut lines = Lines::new(stream, b'\n');
            while lines.fill(cx).await? {
                while let Some(line) = lines.next() {
                    numbering.line(chomp(line, b'\n'), &mut cx.streams.out);
                }
            }
        }
        Reply::status(status)
    }
    .boxed_local()
}

impl Numbering {
    fn new(args: &Args) -> Result<Self, String> {
        let style = |key: &str, what: &str, fallback: &str| {
            let text = args.text(key).unwrap_or_else(|| fallback.into());
            parse_style(&text, what)
        };
        let number = |key: &str, what: &str, least: i64, fallback: i64| match args.text(key) {
            None => Ok(fallback),
            Some(text) => match text.parse::<i64>() {
                Ok(number) if number >= least => Ok(number),
                _ => Err(format!("invalid {what}: '{text}'")),
            },
        };
        let format = args.text("number-format").unwrap_or_else(|| "rn".into());
        if !["ln", "rn", "rz"].contains(&format.as_str()) {
            return Err(format!("invalid line numbering format: '{format}'"));
        }
        let mut delimiter = args.text("section-delimiter").map_or("\\:".into(), String::from);
        if delimiter.chars().count() == 1 {
            delimiter.push(':');
        }
        let width = number("number-width", "line number field width", 1, 6)?;
        let start = number("starting-line-number", "starting line number", i64::MIN, 1)?;
        Ok(Self {
            styles: [
                style("header-numbering", "header", "n")?,
                style("body-numbering", "body", "t")?,
                style("footer-numbering", "footer", "n")?,
            ],
            section: 1,
            delimiter,
            format,
            separator: args.text("number-separator").unwrap_or_else(|| "\t".into()),
            width: usize::try_from(width).unwrap_or(6).min(crate::value::MAX_FIELD),
            start,
            step: number("line-increment", "line number increment", i64::MIN, 1)?,
            join: number("join-blank-lines", "line number of blank lines", 1, 1)?,
            renumber: !args.has("no-renumber"),
            next: start,
            blanks: 0,
        })
    }

    fn line(&mut self, line: &[u8], out: &mut Vec<u8>) {
        if let Some(section) = self.new_section(line) {
            self.section = section;
            self.blanks = 0;
            if section == 0 && self.renumber {
                self.next = self.start;
            }
            out.push(b'\n');
            return;
        }
        if self.is_numbered(line) {
            let (number, width) = (self.next, self.width);
            let text = match self.format.as_str() {
                "ln" => format!("{number:<width$}"),
                "rz" => format!("{number:0width$}"),
                _ => format!("{number:width$}"),
            };
            out.extend_from_slice(text.as_bytes());
            out.extend_from_slice(self.separator.as_bytes());
            self.next = self.next.wrapping_add(self.step);
        } else {
            out.resize(out.len() + self.width + self.separator.len(), b' ');
        }
        out.extend_from_slice(line);
        out.push(b'\n');
    }

    /// The section a delimiter line starts: three delimiters the header, two the body, one the footer.
    fn new_section(&self, line: &[u8]) -> Option<usize> {
        let mut rest = line;
        let mut count = 0;
        if self.delimiter.is_empty() {
            return None;
        }
        while let Some(tail) = rest.strip_prefix(self.delimiter.as_bytes()) {
            rest = tail;
            count += 1;
        }
        (rest.is_empty() && (1..=3).contains(&count)).then(|| 3 - count)
    }

    fn is_numbered(&mut self, line: &[u8]) -> bool {
        let Some(style) = self.styles.get(self.section) else { return false };
        if line.is_empty() && self.join > 1 && matches!(style, Style::All) {
            self.blanks += 1;
            if self.blanks < self.join {
                return false;
            }
            self.blanks = 0;
            return true;
        }
        if !line.is_empty() {
            self.blanks = 0;
        }
        match style {
            Style::All => true,
            Style::Text => !line.is_empty(),
            Style::None => false,
            Style::Matching(regex) => regex.is_match(line),
        }
    }
}

fn parse_style(text: &str, what: &str) -> Result<Style, String> {
    match text {
        "a" => Ok(Style::All),
        "t" => Ok(Style::Text),
        "n" => Ok(Style::None),
        _ => match text.strip_prefix('p') {
            Some(pattern) => match Regex::new(pattern, Syntax::new(Dialect::Basic)) {
                Ok(regex) => Ok(Style::Matching(Box::new(regex))),
                Err(error) => Err(error.to_string()),
            },
            None => Err(format!("invalid {what} numbering style: '{text}'")),
        },
    }
}
