//! Shell patterns: quoted and pattern text in, a compiled pattern out that matches whole texts.

mod bracket;
mod matcher;
mod path;
#[cfg(test)]
mod tests;

use std::ops::Range;

use memchr::memmem;

use super::set::CharSet;

pub use path::{Component, PathGlob};
pub(super) use path::{Hidden, fits, split};

/// Collects a pattern from quoted and unquoted text.
///
/// Text is joined before it is understood, so `[a"-"z]` is one class of three characters.
#[derive(Clone, Debug, Default)]
pub struct GlobBuilder {
    units: Vec<Unit>,
    ignore_case: bool,
}

/// A character and whether it may have a meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Unit {
    c: char,
    quoted: bool,
}

impl Unit {
    fn is(self, c: char) -> bool {
        !self.quoted && self.c == c
    }
}

impl GlobBuilder {
    /// An empty pattern, which matches the empty text.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether upper and lower case are the same.
    #[must_use]
    pub fn ignore_case(mut self, yes: bool) -> Self {
        self.ignore_case = yes;
        self
    }

    /// Appends text that stands for itself.
    pub fn push_literal(&mut self, text: &str) {
        self.units.extend(text.chars().map(|c| Unit { c, quoted: true }));
    }

    /// Appends pattern text; a backslash quotes the next character.
    pub fn push_pattern(&mut self, text: &str) {
        let mut chars = text.chars();
        while let Some(c) = chars.next() {
            let escaped = if c == '\\' { chars.next() } else { None };
            self.units.push(Unit { c: escaped.unwrap_or(c), quoted: escaped.is_some() });
        }
    }

    /// The pattern for whole texts; `/` is a character like others.
    #[must_use]
    pub fn build(&self) -> Glob {
        Glob::from_units(&self.units, self.ignore_case)
    }

    /// The pattern for paths, component by component.
    #[must_use]
    pub fn build_path(&self) -> PathGlob {
        PathGlob::from_units(&self.units, self.ignore_case)
    }
}

/// A compiled pattern for whole texts.
#[derive(Clone, Debug, PartialEq)]
pub struct Glob {
    tokens: Vec<Token>,
    shape: Shape,
    ignore_case: bool,
}

/// What one step of a pattern matches.
#[derive(Clone, Debug, PartialEq)]
enum Token {
    Char(char),
    AnyChar,
    AnyRun,
    Set(Box<CharSet>),
}

/// Frequent patterns that need no stepping.
#[derive(Clone, Debug, PartialEq)]
enum Shape {
    /// `text`
    Literal(String),
    /// `text*`
    Prefix(String),
    /// `*text`
    Suffix(String),
    /// `*text*`; `*` with an empty text
    Contains(String),
    Other,
}

impl Glob {
    /// The pattern written as `text`, where a backslash quotes the next character.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let mut builder = GlobBuilder::new();
        builder.push_pattern(text);
        builder.build()
    }

    fn from_units(units: &[Unit], ignore_case: bool) -> Self {
        let mut tokens = Vec::with_capacity(units.len());
        let mut rest = units;
        while let Some((&unit, after)) = rest.split_first() {
            rest = after;
            if unit.is('?') {
                tokens.push(Token::AnyChar);
            } else if unit.is('*') {
                // Runs of stars are one: every later pass is shorter.
                if tokens.last() != Some(&Token::AnyRun) {
                    tokens.push(Token::AnyRun);
                }
            } else if unit.is('[')
                && let Some((set, len)) = bracket::parse(after, ignore_case)
            {
                tokens.push(Token::Set(Box::new(set)));
                rest = after.get(len..).unwrap_or_default();
            } else {
                tokens.push(Token::Char(unit.c));
            }
        }
        let shape = if ignore_case { Shape::Other } else { Shape::of(&tokens) };
        Self { tokens, shape, ignore_case }
    }

    /// Whether the pattern is plain text, without any wildcard or class.
    #[must_use]
    pub fn literal(&self) -> Option<&str> {
        match &self.shape {
            Shape::Literal(text) => Some(text),
            _ => None,
        }
    }

    /// Whether the pattern begins with a literal dot, so that it may match hidden files.
    #[must_use]
    pub fn starts_with_dot(&self) -> bool {
        self.tokens.first() == Some(&Token::Char('.'))
    }

    /// Whether the pattern matches the whole of `text`, which need not be UTF-8.
    #[must_use]
    pub fn matches(&self, text: impl AsRef<[u8]>) -> bool {
        let text = text.as_ref();
        match &self.shape {
            Shape::Literal(literal) => text == literal.as_bytes(),
            Shape::Prefix(literal) => text.starts_with(literal.as_bytes()),
            Shape::Suffix(literal) => text.ends_with(literal.as_bytes()),
            Shape::Contains(literal) => memmem::find(text, literal.as_bytes()).is_some(),
            Shape::Other => matcher::matches(self, text),
        }
    }

    /// Whether the pattern matches `name` as a directory entry: a leading dot needs a literal one.
    #[must_use]
    pub fn matches_name(&self, name: impl AsRef<[u8]>) -> bool {
        let name = name.as_ref();
        (!name.starts_with(b".") || self.starts_with_dot()) && self.matches(name)
    }

    /// Length of the shortest prefix of `text` that the pattern matches (`${x#p}`).
    #[must_use]
    pub fn shortest_prefix(&self, text: impl AsRef<[u8]>) -> Option<usize> {
        let text = text.as_ref();
        match &self.shape {
            Shape::Literal(lit) | Shape::Prefix(lit) => starts(text, lit),
            Shape::Suffix(lit) | Shape::Contains(lit) => {
                memmem::find(text, lit.as_bytes()).map(|at| at + lit.len())
            }
            Shape::Other => matcher::prefixes(self, text).next(),
        }
    }

    /// Length of the longest prefix of `text` that the pattern matches (`${x##p}`).
    #[must_use]
    pub fn longest_prefix(&self, text: impl AsRef<[u8]>) -> Option<usize> {
        let text = text.as_ref();
        match &self.shape {
            Shape::Literal(lit) => starts(text, lit),
            Shape::Prefix(lit) => starts(text, lit).map(|_| text.len()),
            Shape::Suffix(lit) => memmem::rfind(text, lit.as_bytes()).map(|at| at + lit.len()),
            Shape::Contains(lit) => memmem::find(text, lit.as_bytes()).map(|_| text.len()),
            Shape::Other => matcher::prefixes(self, text).last(),
        }
    }

    /// Where the shortest suffix of `text` that the pattern matches begins (`${x%p}`).
    #[must_use]
    pub fn shortest_suffix(&self, text: impl AsRef<[u8]>) -> Option<usize> {
        let text = text.as_ref();
        match &self.shape {
            Shape::Literal(lit) | Shape::Suffix(lit) => ends(text, lit),
            Shape::Prefix(lit) | Shape::Contains(lit) => memmem::rfind(text, lit.as_bytes()),
            Shape::Other => matcher::suffixes(self, text).next(),
        }
    }

    /// Where the longest suffix of `text` that the pattern matches begins (`${x%%p}`).
    #[must_use]
    pub fn longest_suffix(&self, text: impl AsRef<[u8]>) -> Option<usize> {
        let text = text.as_ref();
        match &self.shape {
            Shape::Literal(lit) => ends(text, lit),
            Shape::Suffix(lit) => ends(text, lit).map(|_| 0),
            Shape::Prefix(lit) => memmem::find(text, lit.as_bytes()),
            Shape::Contains(lit) => memmem::find(text, lit.as_bytes()).map(|_| 0),
            Shape::Other => matcher::suffixes(self, text).last(),
        }
    }

    /// The longest of the leftmost matches at or after byte `from` (`${x/p/r}`); it may be empty.
    #[must_use]
    pub fn find(&self, text: impl AsRef<[u8]>, from: usize) -> Option<Range<usize>> {
        let text = text.as_ref();
        let rest = text.get(from..)?;
        if let Shape::Literal(lit) = &self.shape {
            let at = from + memmem::find(rest, lit.as_bytes())?;
            return Some(at..at + lit.len());
        }
        let (start, len) = matcher::find(self, rest)?;
        Some(from + start..from + start + len)
    }
}

fn starts(text: &[u8], literal: &str) -> Option<usize> {
    text.starts_with(literal.as_bytes()).then_some(literal.len())
}

fn ends(text: &[u8], literal: &str) -> Option<usize> {
    text.ends_with(literal.as_bytes()).then(|| text.len() - literal.len())
}

impl Shape {
    fn of(tokens: &[Token]) -> Self {
        let (head, inner) = match tokens {
            [Token::AnyRun, inner @ ..] => (true, inner),
            all => (false, all),
        };
        let (tail, inner) = match inner {
            [inner @ .., Token::AnyRun] => (true, inner),
            all => (false, all),
        };
        let mut text = String::with_capacity(inner.len());
        for token in inner {
            match token {
                Token::Char(c) => text.push(*c),
                _ => return Self::Other,
            }
        }
        match (head, tail) {
            (false, false) => Self::Literal(text),
            (false, true) => Self::Prefix(text),
            // A lone star is a head without a tail.
            (true, false) if text.is_empty() => Self::Contains(text),
            (true, false) => Self::Suffix(text),
            (true, true) => Self::Contains(text),
        }
    }
}
