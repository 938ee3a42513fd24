//! A diagnostic to text for people: the message, the source line, a caret, and the fix.

use super::{Diagnostic, Level, Source};

/// How many characters of a long line are shown before and after the place.
const BEFORE: usize = 50;
const AFTER: usize = 60;

/// The diagnostic as lines of text, each with its end.
///
/// ```text
/// count.kai:3:10: error E012: a bare variable is one item
///   for x in $v; do
///            ^^
/// help: $(split "$v") or $(values $v)
/// ```
pub fn render(source: &Source, diagnostic: &Diagnostic) -> String {
    let (line, column) = source.place(diagnostic.span.start);
    let mut text = String::new();
    if source.name.is_empty() {
        if source.text.trim_end().contains('\n') {
            text.push_str(&format!("line {line}: "));
        }
    } else {
        text.push_str(&format!("{}:{line}:{column}: ", source.name));
    }
    match (diagnostic.code, diagnostic.level) {
        ("syntax", Level::Error) => text.push_str("syntax error"),
        ("syntax", Level::Warning) => text.push_str("warning"),
        ("", _) => text.push_str("error"),
        (code, Level::Error) => text.push_str(&format!("error {code}")),
        (code, Level::Warning) => text.push_str(&format!("warning {code}")),
    }
    text.push_str(": ");
    text.push_str(&diagnostic.message);
    text.push('\n');
    quote(&mut text, source, diagnostic);
    if let Some(fix) = &diagnostic.fix {
        text.push_str(&format!("help: {fix}\n"));
    }
    text
}

/// Appends the source line, shortened around the place, and the carets under it.
fn quote(text: &mut String, source: &Source, diagnostic: &Diagnostic) {
    let (line, start, end) = line_around(source, diagnostic);
    let before = line.get(..start).unwrap_or_default();
    let marked = line.get(start..end).unwrap_or_default();
    let after = line.get(end..).unwrap_or_default();
    let hidden = before.chars().count().saturating_sub(BEFORE);
    let shown = before
        .char_indices()
        .nth(hidden)
        .map_or("", |(at, _)| before.get(at..).unwrap_or_default());
    let dots = if hidden > 0 { "…" } else { "" };
    let marked = cut(marked, AFTER);
    let rest = cut(after, AFTER.saturating_sub(marked.chars().count()));
    text.push_str("  ");
    text.push_str(dots);
    for c in shown.chars().chain(marked.chars()).chain(rest.chars()) {
        text.push(if c.is_control() && c != '\t' { '\u{fffd}' } else { c });
    }
    text.push_str("\n  ");
    text.push_str(if hidden > 0 { " " } else { "" });
    for c in shown.chars() {
        match c {
            '\t' => text.push('\t'),
            c => text.extend(std::iter::repeat_n(' ', width(c))),
        }
    }
    let carets = marked.chars().map(width).sum::<usize>().max(1);
    text.extend(std::iter::repeat_n('^', carets));
    text.push('\n');
}

/// At most `most` characters from the start of the text.
fn cut(text: &str, most: usize) -> &str {
    text.char_indices().nth(most).map_or(text, |(at, _)| text.get(..at).unwrap_or_default())
}

/// The line of the place, and where in it the span starts and ends.
fn line_around<'a>(source: &'a Source, diagnostic: &Diagnostic) -> (&'a str, usize, usize) {
    let all = source.text.as_str();
    let boundary = |mut at: usize| {
        at = at.min(all.len());
        while !all.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let start = boundary(diagnostic.span.start as usize);
    let end = boundary(diagnostic.span.end as usize).max(start);
    let from = all.get(..start).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
    let rest = all.get(start..).unwrap_or_default();
    let to = start + rest.find('\n').unwrap_or(rest.len());
    let line = all.get(from..to).unwrap_or_default();
    let line = line.strip_suffix('\r').unwrap_or(line);
    let start = (start - from).min(line.len());
    (line, start, (end - from).clamp(start, line.len()))
}

/// Columns a character takes on a terminal, roughly.
fn width(c: char) -> usize {
    match c as u32 {
        0x300..=0x36f | 0x200b..=0x200f | 0xfe00..=0xfe0f | 0x20d0..=0x20ff => 0,
        0x1100..=0x115f
        | 0x2e80..=0x303e
        | 0x3041..=0xa4cf
        | 0xac00..=0xd7a3
        | 0xf900..=0xfaff
        | 0xfe30..=0xfe4f
        | 0xff00..=0xff60
        | 0xffe0..=0xffe6
        | 0x1f300..=0x1f64f
        | 0x1f680..=0x1faff
        | 0x20000..=0x3fffd => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::Span;

    fn check(name: &str, text: &str, span: (usize, usize), expect: &str) {
        let diagnostic =
            Diagnostic::error("E012", Span::new(span.0, span.1), "wrong").with_fix("right");
        assert_eq!(render(&Source::new(name, text), &diagnostic), expect);
    }

    #[test]
    fn places() {
        check(
            "a.kai",
            "x\nfor y\n",
            (6, 7),
            "a.kai:2:5: error E012: wrong\n  for y\n      ^\nhelp: right\n",
        );
        check("", "日本 $v", (7, 9), "error E012: wrong\n  日本 $v\n       ^^\nhelp: right\n");
        check("", "\tx", (1, 2), "error E012: wrong\n  \tx\n  \t^\nhelp: right\n");
        check("", "ab", (2, 2), "error E012: wrong\n  ab\n    ^\nhelp: right\n");
        check("", "ab\ncd", (0, 5), "line 1: error E012: wrong\n  ab\n  ^^\nhelp: right\n");
    }
}
