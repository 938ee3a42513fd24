//! A line of input to coloured ranges, from the same parser that runs it.

use super::Level;
use super::Span;
use super::parse::parse_painted;
use crate::value::InOrder;

/// What a range of a program is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The name of a command.
    Command,
    /// A reserved word.
    Keyword,
    /// An operator, a redirect, a bracket.
    Operator,
    /// Quoted text.
    String,
    /// A variable, read or assigned.
    Variable,
    /// An unquoted number in value position.
    Number,
    /// A comment.
    Comment,
    /// The name of a function where it is defined.
    Function,
    /// Arithmetic.
    Arithmetic,
    /// The key of a record.
    Key,
    /// A pattern or a brace expansion.
    Pattern,
    /// A place with an error.
    Error,
    /// Text like any other, inside of something coloured.
    Plain,
}

/// The ranges of the text that are more than plain, in order and without overlap.
pub fn highlight(text: &str) -> Vec<(Span, Kind)> {
    let (parsed, mut marks) = parse_painted(text);
    marks.order_by_key(|(span, _)| (span.start, std::cmp::Reverse(span.end)));
    let errors = parsed.diagnostics.iter().filter(|d| d.level == Level::Error && !d.incomplete);
    marks.extend(errors.map(|d| (d.span, Kind::Error)));
    let mut kinds = vec![Kind::Plain; text.len()];
    for (span, kind) in &marks {
        if let Some(range) = kinds.get_mut(span.start as usize..span.end as usize) {
            range.fill(*kind);
        }
    }
    let mut ranges = Vec::new();
    let mut start = 0;
    for run in kinds.chunk_by(|a, b| a == b) {
        let end = start + run.len();
        if let Some(kind) = run.first().filter(|kind| **kind != Kind::Plain) {
            ranges.push((Span::new(start, end), *kind));
        }
        start = end;
    }
    ranges
}
