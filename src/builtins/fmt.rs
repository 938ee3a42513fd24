//! `fmt`: paragraphs filled anew, each line about as long as the others.
//!
//! Every way to break a paragraph has a cost: lines short of the goal, lines unlike their neighbours,
//! sentences torn apart. The cheapest is found from the last word backwards.

use futures::future::{FutureExt, LocalBoxFuture};

use super::input::operands_or_stdin;
use crate::tool::{
    Args, Builtin, Example, ExecContext, Opt, Outcome, Reply, Run, Spec, Stop, Topic,
};
use crate::value::EcoString;

/// `fmt`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "fmt",
    about: "fill paragraphs to a width",
    topic: Topic::Text,
    operands: "[FILE]...",
    options: &[
        Opt::value('w', "width", "N", "at most N columns (75)"),
        Opt::value('g', "goal", "N", "the width to aim at (93 of 100 of the width)"),
        Opt::flag('c', "crown-margin", "the second line says how the rest is indented"),
        Opt::flag('t', "tagged-paragraph", "so it does, and the first must differ"),
        Opt::flag('s', "split-only", "break long lines, join none"),
        Opt::flag('u', "uniform-spacing", "one blank between words, two after a sentence"),
        Opt::value('p', "prefix", "TEXT", "only lines that begin with TEXT"),
    ],
    digits: "width",
    examples: &[Example { script: "echo 'aa bb cc' | fmt -w 6", output: "aa\nbb cc\n" }],
    ..Spec::DEFAULT
};

/// Which lines make a paragraph, and how it is indented.
#[derive(Clone, Copy, PartialEq)]
enum Style {
    Plain,
    Crown,
    Tagged,
    Split,
}

struct Options {
    style: Style,
    width: usize,
    goal: usize,
    uniform: bool,
    prefix: EcoString,
}

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let options = Options::new(cx, args)?;
        let mut failed = false;
        for operand in operands_or_stdin(args) {
            match super::input::open(cx, &operand).await {
                Ok(stream) => {
                    let text = cx.read_all(&stream).await?;
                    format(cx, &options, &String::from_utf8_lossy(&text)).await?;
                }
                Err(errno) => {
                    let message = format!("cannot open '{operand}' for reading: {errno}");
                    cx.complain(message).await?;
                    failed = true;
                }
            }
        }
        Reply::success(!failed)
    }
    .boxed_local()
}

impl Options {
    fn new(cx: &mut ExecContext, args: &Args) -> Result<Self, Stop> {
        let mut number = |key: &str, most: usize| match args.text(key) {
            None => Ok(None),
            Some(text) => match text.parse::<usize>() {
                Ok(number) if number <= most => Ok(Some(number)),
                _ => Err(cx.fail(1, format_args!("invalid width: '{text}'"))),
            },
        };
        let width = number("width", 2500)?;
        let goal = number("goal", width.unwrap_or(75))?;
        let width = width.unwrap_or_else(|| goal.map_or(75, |goal| goal + 10));
        let style = match args.last_of(&["crown-margin", "tagged-paragraph", "split-only"]) {
            Some("crown-margin") => Style::Crown,
            Some("tagged-paragraph") => Style::Tagged,
            Some(_) => Style::Split,
            None => Style::Plain,
        };
        Ok(Self {
            style,
            width,
            goal: goal.unwrap_or(width * 187 / 200),
            uniform: args.has("uniform-spacing"),
            prefix: args.text("prefix").unwrap_or_default(),
        })
    }
}

/// A line taken apart.
struct Line<'t> {
    /// The line as it is.
    whole: &'t str,
    /// Columns before the prefix, and before the first word.
    lead: usize,
    indent: usize,
    /// What comes after the prefix; `None` where the line is not to be filled.
    text: Option<&'t str>,
}

/// A word of a paragraph.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent properties")]
struct Word {
    text: String,
    length: i64,
    /// Columns after it, where the line goes on.
    space: i64,
    opens: bool,
    punctuation: bool,
    period: bool,
    ends_sentence: bool,
    /// The cheapest way from here on: its cost, the next break, the length of this line.
    cost: i64,
    next: usize,
    line: i64,
}

fn columns(text: &str, from: usize) -> usize {
    text.chars().fold(from, |at, c| if c == '\t' { (at / 8 + 1) * 8 } else { at + 1 })
}

impl<'t> Line<'t> {
    fn new(whole: &'t str, options: &Options) -> Self {
        let rest = whole.trim_start_matches([' ', '\t']);
        let lead = columns(whole.strip_suffix(rest).unwrap_or(""), 0);
        let (lead, from) = if options.prefix.is_empty() { (0, lead) } else { (lead, lead) };
        let not_filled = Self { whole, lead, indent: from, text: None };
        let prefix = options.prefix.trim_matches([' ', '\t']);
        let prefix_indent = options.prefix.len() - options.prefix.trim_start().len();
        let Some(after) = rest.strip_prefix(prefix).filter(|_| lead >= prefix_indent) else {
            return not_filled;
        };
        let text = after.trim_start_matches([' ', '\t']);
        let at = from + prefix.chars().count();
        let indent = columns(after.strip_suffix(text).unwrap_or(""), at);
        let full = prefix_indent + prefix.chars().count() + options.prefix.len()
            - options.prefix.trim_end().len();
        if text.is_empty() || (!prefix.is_empty() && indent < lead + full - prefix_indent) {
            return not_filled;
        }
        Self { whole, lead, indent, text: Some(text) }
    }
}

async fn format(cx: &mut ExecContext, options: &Options, text: &str) -> Result<(), Stop> {
    let mut lines = text.lines().map(|line| Line::new(line, options)).peekable();
    let tabs = text.contains('\t');
    let mut other = 0;
    while let Some(first) = lines.next() {
        cx.write(b"").await?;
        let Some(text) = first.text else {
            cx.push_line(first.whole.trim_end_matches([' ', '\t']));
            continue;
        };
        let mut words = Vec::new();
        split_words(text, options, &mut words);
        let belongs = |line: &Line<'_>| line.text.is_some() && line.lead == first.lead;
        let second = lines.peek().filter(|line| belongs(line)).map(|line| line.indent);
        other = match (options.style, second) {
            (Style::Plain | Style::Split, _) => first.indent,
            (Style::Crown, second) => second.unwrap_or(first.indent),
            (Style::Tagged, Some(second)) if second != first.indent => second,
            // What the paragraph before had will do, where it tells the first line apart.
            (Style::Tagged, _) if other != first.indent => other,
            (Style::Tagged, _) if first.indent == 0 => 3,
            (Style::Tagged, _) => 0,
        };
        let joins = match options.style {
            Style::Split => false,
            Style::Tagged => second.is_some_and(|second| second != first.indent),
            Style::Plain | Style::Crown => true,
        };
        while joins && let Some(line) = lines.next_if(|line| belongs(line) && line.indent == other)
        {
            split_words(line.text.unwrap_or_default(), options, &mut words);
            cx.checkpoint(16).await?;
        }
        if let Some(last) = words.last_mut() {
            (last.period, last.ends_sentence) = (true, true);
        }
        cx.checkpoint(u32::try_from(words.len() * 16).unwrap_or(u32::MAX)).await?;
        break_lines(options, &mut words, (first.indent, other));
        put(cx, options, &words, (first.lead, first.indent, other, tabs)).await?;
    }
    Ok(())
}

/// The words of a line, with what follows each.
fn split_words(text: &str, options: &Options, words: &mut Vec<Word>) {
    let mut rest = text.trim_end_matches([' ', '\t']);
    let mut at = 0;
    while !rest.is_empty() {
        let end = rest.find([' ', '\t']).unwrap_or(rest.len());
        let (word, tail) = rest.split_at_checked(end).unwrap_or((rest, ""));
        let next = tail.trim_start_matches([' ', '\t']);
        let after = at + word.chars().count();
        let following = columns(tail.strip_suffix(next).unwrap_or(""), after);
        let bare = word.trim_end_matches([')', ']', '\'', '"']);
        let period = bare.ends_with(['.', '?', '!']);
        let is_last = next.is_empty();
        let mut space = i64::try_from(following - after).unwrap_or(1);
        let ends_sentence = period && (is_last || space > 1);
        if is_last || options.uniform {
            space = if ends_sentence { 2 } else { 1 };
        }
        words.push(Word {
            length: i64::try_from(word.chars().count()).unwrap_or(i64::MAX),
            text: word.to_owned(),
            space,
            opens: word.starts_with(['(', '[', '\'', '`', '"']),
            punctuation: word.ends_with(|c: char| c.is_ascii_punctuation()),
            period,
            ends_sentence,
            ..Word::default()
        });
        rest = next;
        at = following;
    }
}

fn square(number: i64) -> i64 {
    number.saturating_mul(number)
}

/// What it costs to begin a line with a word.
fn start_cost(words: &[Word], index: usize) -> i64 {
    let mut cost = square(70);
    let before = |back: usize| index.checked_sub(back).and_then(|index| words.get(index));
    if let Some(last) = before(1) {
        if last.period {
            cost += if last.ends_sentence { -square(50) } else { square(600) };
        } else if last.punctuation {
            cost -= square(40);
        } else if before(2).is_some_and(|word| word.ends_sentence) {
            // A lone first word of a sentence at the end of a line.
            cost += square(200) / (last.length + 2);
        }
    }
    match words.get(index) {
        Some(word) if word.opens => cost - square(40),
        Some(word) if word.ends_sentence => cost + square(150) / (word.length + 2),
        _ => cost,
    }
}

/// Finds the cheapest breaks.
fn break_lines(options: &Options, words: &mut [Word], (first, other): (usize, usize)) {
    let (width, goal) = (options.width as i64, options.goal as i64);
    let count = words.len();
    for start in (0..count).rev() {
        let indent = if start == 0 { first } else { other };
        let mut length = indent as i64 + words.get(start).map_or(0, |word| word.length);
        let (mut best, mut chosen) = (i64::MAX, (count, length));
        let mut next = start + 1;
        loop {
            let cost = match words.get(next) {
                None => 0,
                Some(word) => {
                    let mut cost = square((goal - length) * 10) + word.cost;
                    if word.next < count {
                        cost += square((length - word.line) * 10) / 2;
                    }
                    cost
                }
            };
            if cost < best {
                best = cost;
                chosen = (next, length);
            }
            let (Some(before), Some(word)) = (words.get(next - 1), words.get(next)) else { break };
            length += before.space + word.length;
            next += 1;
            if length >= width {
                break;
            }
        }
        let start_cost = start_cost(words, start);
        if let Some(word) = words.get_mut(start) {
            word.cost = best.saturating_add(start_cost);
            (word.next, word.line) = chosen;
        }
    }
}

/// Fills up to a column, with tabs where the input has some.
fn indent(out: &mut Vec<u8>, mut from: usize, to: usize, tabs: bool) {
    if tabs {
        while (from / 8 + 1) * 8 <= to && from + 1 < to {
            out.push(b'\t');
            from = (from / 8 + 1) * 8;
        }
    }
    out.resize(out.len() + to.saturating_sub(from), b' ');
}

async fn put(
    cx: &mut ExecContext,
    options: &Options,
    words: &[Word],
    (lead, first, other, tabs): (usize, usize, usize, bool),
) -> Result<(), Stop> {
    let prefix = options.prefix.trim_matches([' ', '\t']);
    let mut start = 0;
    while let Some(word) = words.get(start) {
        let out = &mut cx.streams.out;
        indent(out, 0, lead, tabs);
        out.extend_from_slice(prefix.as_bytes());
        let column = if start == 0 { first } else { other };
        indent(out, lead + prefix.chars().count(), column, tabs);
        let mut line = String::new();
        for word in words.get(start..word.next).unwrap_or_default() {
            line.push_str(&word.text);
            line.extend(std::iter::repeat_n(' ', usize::try_from(word.space).unwrap_or(1)));
        }
        cx.write_line(line.trim_end().as_bytes()).await?;
        start = word.next;
    }
    Ok(())
}
