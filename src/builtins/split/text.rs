//! A text and a separator in, the pieces out.

use crate::pattern::Regex;
use crate::value::EcoString;

/// Where a text is split.
#[expect(clippy::large_enum_variant, reason = "one exists at a time")]
pub(super) enum Separator {
    /// At runs of blanks; no piece is empty.
    Blanks,
    /// At every occurrence; an empty one splits into characters.
    Text(EcoString),
    /// At every match that is not empty.
    Regex(Box<Regex>),
}

/// At most `limit` pieces; the last one holds the rest.
pub(super) fn split<'t>(text: &'t str, separator: &Separator, limit: usize) -> Vec<&'t str> {
    match separator {
        Separator::Blanks => split_blanks(text, limit),
        Separator::Text(separator) if separator.is_empty() => split_characters(text, limit),
        Separator::Text(_) if text.is_empty() => Vec::new(),
        Separator::Text(separator) => text.splitn(limit, separator.as_str()).collect(),
        Separator::Regex(regex) => split_matches(text, regex, limit),
    }
}

fn split_blanks(text: &str, limit: usize) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let end = rest.find(char::is_whitespace).filter(|_| pieces.len() + 1 < limit);
        let (piece, after) = rest.split_at(end.unwrap_or(rest.len()));
        pieces.push(piece);
        rest = after.trim_start();
    }
    pieces
}

fn split_characters(text: &str, limit: usize) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let end = if pieces.len() + 1 < limit { c.len_utf8() } else { rest.len() };
        let (piece, after) = rest.split_at(end);
        pieces.push(piece);
        rest = after;
    }
    pieces
}

fn split_matches<'t>(text: &'t str, regex: &Regex, limit: usize) -> Vec<&'t str> {
    let mut pieces = Vec::new();
    if text.is_empty() {
        return pieces;
    }
    let (mut start, mut from) = (0, 0);
    while pieces.len() + 1 < limit {
        let Some((begin, end)) = regex.find_at(text, from) else { break };
        if begin == end {
            let Some(c) = text.get(end..).and_then(|rest| rest.chars().next()) else { break };
            from = end + c.len_utf8();
            continue;
        }
        pieces.push(text.get(start..begin).unwrap_or_default());
        (start, from) = (end, end);
    }
    pieces.push(text.get(start..).unwrap_or_default());
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::{Dialect, Syntax};

    fn check(text: &str, separator: &Separator, limit: usize, expect: &[&str]) {
        assert_eq!(split(text, separator, limit), expect, "{text:?}");
    }

    #[test]
    fn pieces() {
        check("  lead trail  ", &Separator::Blanks, usize::MAX, &["lead", "trail"]);
        check("a b  c d", &Separator::Blanks, 2, &["a", "b  c d"]);
        check("", &Separator::Blanks, usize::MAX, &[]);
        check("a,,b,", &Separator::Text(",".into()), usize::MAX, &["a", "", "b", ""]);
        check("a:b:c:d", &Separator::Text(":".into()), 2, &["a", "b:c:d"]);
        check("añb", &Separator::Text("".into()), usize::MAX, &["a", "ñ", "b"]);
        let digits = Regex::new("[0-9]+", Syntax::new(Dialect::Extended)).unwrap();
        check("a1b22c", &Separator::Regex(Box::new(digits)), usize::MAX, &["a", "b", "c"]);
    }
}
