//! `csplit`: a file cut into pieces at lines named by number or pattern.

use futures::future::{FutureExt, LocalBoxFuture};

use super::{input, output};
use crate::pattern::{Dialect, Regex, Syntax};
use crate::tool::{Args, Builtin, Example, ExecContext, OK, Opt, Outcome, Run, Spec, Stop, Topic};
use crate::value::{Conversion, EcoString, flag};
use crate::vfs::OpenOptions;

/// `csplit`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "csplit",
    about: "cut a file into pieces at lines that match",
    topic: Topic::Text,
    operands: "FILE PATTERN...",
    arity: (2, usize::MAX),
    options: &[
        Opt::value('f', "prefix", "PREFIX", "names of pieces begin so (xx)"),
        Opt::value('n', "digits", "N", "digits in names (2)"),
        Opt::value('b', "suffix-format", "FORMAT", "the number in names, as for printf"),
        Opt::flag('k', "keep-files", "keep the pieces made before an error"),
        Opt::flag('s', "quiet", "do not print the sizes"),
        Opt::flag('q', "silent", "the same"),
        Opt::flag('z', "elide-empty-files", "make no empty pieces"),
        Opt::flag('\0', "suppress-matched", "leave out the lines that match"),
    ],
    notes: "PATTERN: N up to line N, /REGEX/[OFFSET] up to a line that matches, %REGEX%[OFFSET] leave\n\
            out up to there, {N} the one before N times more, {*} as often as it goes.",
    examples: &[Example {
        script: "printf 'a\\nb\\nc\\n' > x; csplit x 2; cat xx01",
        output: "2\n4\nb\nc\n",
    }],
    ..Spec::DEFAULT
};

/// Up to where a piece goes.
enum Until {
    Line(usize),
    Match { regex: Box<Regex>, offset: isize, skips: bool },
}

/// A pattern of the call, and how often it holds.
struct Pattern {
    text: EcoString,
    until: Until,
    /// How often more; `None` as often as it goes.
    repeat: Option<usize>,
}

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let operands = args.operand_texts();
        let (file, patterns) = operands.split_first().ok_or(Stop::Failed(1))?;
        let patterns = parse(cx, patterns)?;
        let names = Names::new(cx, args)?;
        let stream = match input::open(cx, file).await {
            Ok(stream) => stream,
            Err(errno) => {
                let message = format!("cannot open '{file}' for reading: {errno}");
                return Err(cx.fail(1, message));
            }
        };
        let text = cx.read_all(&stream).await?;
        let lines = text.split_inclusive(|byte| *byte == b'\n').collect();
        let mut cutter = Cutter {
            lines,
            at: 0,
            made: Vec::new(),
            names,
            quiet: args.has("quiet") || args.has("silent"),
            elides: args.has("elide-empty-files"),
            suppresses: args.has("suppress-matched"),
        };
        let result = cutter.run(cx, &patterns).await;
        if result.is_err() && !args.has("keep-files") {
            let backend = std::rc::Rc::clone(cx.backend());
            for name in &cutter.made {
                // One that cannot be removed stays.
                let _ = backend.remove(&cx.resolve(name), false).await;
            }
        }
        result?;
        OK
    }
    .boxed_local()
}

fn parse(cx: &mut ExecContext, words: &[EcoString]) -> Result<Vec<Pattern>, Stop> {
    let mut patterns: Vec<Pattern> = Vec::new();
    for word in words {
        if let Some(count) = word.strip_prefix('{') {
            let count = count.strip_suffix('}');
            let repeat = match count {
                Some("*") => Some(None),
                Some(count) => count.parse().ok().map(Some),
                None => {
                    return Err(
                        cx.fail(1, format_args!("{word}: '}}' is required in repeat count"))
                    );
                }
            };
            let Some(repeat) = repeat else {
                let message = format!("{word}: integer required between '{{' and '}}'");
                return Err(cx.fail(1, message));
            };
            if let Some(last) = patterns.last_mut() {
                last.repeat = repeat;
            }
            continue;
        }
        let until = match word.chars().next() {
            Some(end @ ('/' | '%')) => matching(cx, word, end)?,
            _ => match word.parse::<usize>() {
                Ok(0) => {
                    return Err(
                        cx.fail(1, format_args!("{word}: line number must be greater than zero"))
                    );
                }
                Ok(line) => Until::Line(line),
                Err(_) => return Err(cx.fail(1, format_args!("'{word}': invalid pattern"))),
            },
        };
        patterns.push(Pattern { text: word.clone(), until, repeat: Some(0) });
    }
    let numbers = patterns.iter().filter_map(|pattern| match pattern.until {
        Until::Line(line) => Some(line),
        Until::Match { .. } => None,
    });
    let numbers: Vec<usize> = numbers.collect();
    if let Some([before, line]) = numbers.windows(2).find(|pair| pair[1] < pair[0]) {
        let message =
            format!("line number '{line}' is smaller than preceding line number, {before}");
        return Err(cx.fail(1, message));
    }
    Ok(patterns)
}

fn matching(cx: &mut ExecContext, word: &str, end: char) -> Result<Until, Stop> {
    let body = word.get(1..).unwrap_or_default();
    let Some((regex, offset)) = body.rsplit_once(end) else {
        return Err(cx.fail(1, format_args!("{word}: closing delimiter '{end}' missing")));
    };
    let offset = match offset {
        "" => 0,
        offset => match offset.parse() {
            Ok(offset) => offset,
            Err(_) => {
                return Err(cx.fail(1, format_args!("{word}: integer expected after delimiter")));
            }
        },
    };
    match Regex::new(regex, Syntax::new(Dialect::Basic)) {
        Ok(regex) => Ok(Until::Match { regex: Box::new(regex), offset, skips: end == '%' }),
        Err(error) => Err(cx.fail(1, format_args!("{word}: invalid regular expression: {error}"))),
    }
}

/// How pieces are called.
struct Names {
    prefix: EcoString,
    before: String,
    conversion: Conversion,
    after: String,
}

impl Names {
    fn new(cx: &mut ExecContext, args: &Args) -> Result<Self, Stop> {
        let prefix = args.text("prefix").unwrap_or_else(|| "xx".into());
        let digits = args.text("digits").unwrap_or_else(|| "2".into());
        if digits.parse::<u8>().is_err() {
            return Err(cx.fail(1, format_args!("invalid number: '{digits}'")));
        }
        let format = args.text("suffix-format").unwrap_or_else(|| format!("%0{digits}d").into());
        let parsed = Self::parse(&format);
        let Some((before, conversion, after)) = parsed else {
            return Err(cx.fail(1, format_args!("'{format}': no conversion of a number in suffix")));
        };
        Ok(Self { prefix, before, conversion, after })
    }

    fn parse(format: &str) -> Option<(String, Conversion, String)> {
        let (before, rest) = format.split_once('%')?;
        let mut conversion = Conversion::default();
        let mut rest = rest;
        while let Some(flag) = rest.bytes().next().and_then(flag) {
            conversion.flags |= flag;
            rest = rest.get(1..)?;
        }
        let width = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        let (digits, tail) = rest.split_at_checked(rest.len() - width.len())?;
        conversion.set_width(digits.parse().unwrap_or(0));
        let letter = tail.bytes().next().filter(|letter| b"diuoxX".contains(letter))?;
        conversion.letter = letter;
        if conversion.is_too_wide() {
            return None;
        }
        Some((before.into(), conversion, tail.get(1..)?.into()))
    }

    fn name(&self, number: usize) -> EcoString {
        let mut digits = Vec::new();
        self.conversion.unsigned(&mut digits, number as u64);
        let digits = String::from_utf8_lossy(&digits);
        format!("{}{}{digits}{}", self.prefix, self.before, self.after).into()
    }
}

struct Cutter<'t> {
    lines: Vec<&'t [u8]>,
    /// The line the next piece begins with.
    at: usize,
    made: Vec<EcoString>,
    names: Names,
    quiet: bool,
    elides: bool,
    suppresses: bool,
}

impl Cutter<'_> {
    async fn run(&mut self, cx: &mut ExecContext, patterns: &[Pattern]) -> Result<(), Stop> {
        // A line that was the end of a piece is not looked at again.
        let mut from = 0;
        for pattern in patterns {
            let mut turn = 0;
            while pattern.repeat.is_none_or(|repeat| turn <= repeat) {
                let found = match &pattern.until {
                    Until::Line(line) => self.at_line(cx, pattern, *line, turn).await?,
                    Until::Match { regex, offset, skips } => {
                        self.at_match(cx, (pattern, turn), regex, (*offset, *skips, from)).await?
                    }
                };
                match found {
                    Some(next) => from = next,
                    None => break,
                }
                turn += 1;
            }
        }
        let end = self.lines.len();
        self.piece(cx, end).await
    }

    async fn at_line(
        &mut self,
        cx: &mut ExecContext,
        pattern: &Pattern,
        line: usize,
        turn: usize,
    ) -> Result<Option<usize>, Stop> {
        let target = line.saturating_mul(turn + 1) - 1;
        let is_beyond = target > self.lines.len() || (target == self.lines.len() && turn > 0);
        if is_beyond || (self.lines.is_empty() && target > 0) {
            let end = self.lines.len();
            self.piece(cx, end).await?;
            return Err(self.out_of_range(cx, pattern, turn, "line number out of range"));
        }
        self.piece(cx, target).await?;
        if self.suppresses {
            self.at += 1;
        }
        Ok(Some(self.at))
    }

    async fn at_match(
        &mut self,
        cx: &mut ExecContext,
        (pattern, turn): (&Pattern, usize),
        regex: &Regex,
        (offset, skips, from): (isize, bool, usize),
    ) -> Result<Option<usize>, Stop> {
        let first = from.max(self.at);
        let mut found = None;
        for index in first..self.lines.len() {
            let line = self.lines.get(index).copied().unwrap_or_default();
            cx.checkpoint(4).await?;
            if regex.is_match(line.strip_suffix(b"\n").unwrap_or(line)) {
                found = Some(index);
                break;
            }
        }
        let Some(found) = found else {
            let end = self.lines.len();
            if pattern.repeat.is_none() {
                if skips {
                    self.at = end;
                }
                return Ok(None);
            }
            if skips {
                self.at = end;
            } else {
                self.piece(cx, end).await?;
            }
            return Err(self.out_of_range(cx, pattern, turn, "match not found"));
        };
        let target = found
            .checked_add_signed(offset)
            .filter(|target| *target >= self.at && *target <= self.lines.len());
        let Some(target) = target else {
            let end = self.lines.len();
            self.piece(cx, end).await?;
            return Err(self.out_of_range(cx, pattern, turn, "line number out of range"));
        };
        if skips {
            self.at = target;
        } else {
            self.piece(cx, target).await?;
        }
        if self.suppresses {
            self.at += 1;
        }
        Ok(Some(found + 1))
    }

    fn out_of_range(
        &self,
        cx: &mut ExecContext,
        pattern: &Pattern,
        turn: usize,
        what: &str,
    ) -> Stop {
        let turn = if turn > 0 { format!(" on repetition {turn}") } else { String::new() };
        cx.fail(1, format_args!("'{}': {what}{turn}", pattern.text))
    }

    /// Writes the lines up to `end`.
    async fn piece(&mut self, cx: &mut ExecContext, end: usize) -> Result<(), Stop> {
        let content = self.lines.get(self.at..end).unwrap_or_default().concat();
        self.at = self.at.max(end);
        if content.is_empty() && self.elides {
            return Ok(());
        }
        let name = self.names.name(self.made.len());
        let stream = match output::create(cx, &name, OpenOptions::WRITE).await {
            Ok(stream) => stream,
            Err(errno) => return Err(cx.fail(1, format_args!("{name}: {errno}"))),
        };
        self.made.push(name);
        stream.write_all(&content).await?;
        output::close(&stream).await?;
        if !self.quiet {
            cx.push_line(content.len().to_string());
        }
        Ok(())
    }
}
