//! POSIX regular expressions: a pattern and a dialect in, the longest of the leftmost matches out.
//!
//! A pattern is parsed to a tree ([`ast`]), the tree becomes an automaton over characters ([`nfa`]),
//! and a search runs tables made from it on demand ([`lazy`]): forward for the end of a match,
//! backward for its start and, where asked, for what its groups hold ([`captures`]). Text that every
//! match must hold rules most places out before that ([`literal`]). Only expressions with
//! back-references try every way ([`backtrack`]).
//!
//! Text is bytes, read as UTF-8; a byte that is none is matched by no set, not even by `.`.

mod ast;
mod backtrack;
mod bracket;
mod captures;
mod error;
mod lazy;
mod literal;
mod nfa;
mod parse;
mod symbols;
#[cfg(test)]
mod tests;

use std::cell::{Cell, RefCell};

use backtrack::Backtrack;
use captures::{Slots, Walk};
pub use error::RegexError;
use lazy::{Context, Direction, GaveUp, Lazy, Until};
use literal::Required;
use nfa::Nfa;
use symbols::Symbols;

/// How a pattern is written, with the habits of the tool that reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// Plain text (`grep -F`).
    Fixed,
    /// Basic, as `sed` and `expr` read it.
    Basic,
    /// Extended, as `sed -E` and `=~` read it.
    Extended,
    /// Basic, as `grep` reads it.
    GrepBasic,
    /// Extended, as `grep -E` reads it.
    GrepExtended,
    /// Extended with the escapes of awk, without back-references.
    Awk,
}

impl Dialect {
    fn is_extended(self) -> bool {
        matches!(self, Self::Extended | Self::GrepExtended | Self::Awk)
    }

    /// Whether `)` without `(` is a character.
    fn closes_freely(self) -> bool {
        matches!(self, Self::GrepExtended | Self::Awk)
    }

    /// Whether `{` without a right interval is a character.
    fn forgives_intervals(self) -> bool {
        matches!(self, Self::GrepExtended | Self::Awk)
    }
}

/// What a newline in the text is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Newlines {
    /// A character like others; `^` and `$` are the edges of the text.
    #[default]
    Ordinary,
    /// `^` and `$` match around it, `.` and negated brackets do not match it (`sed`'s `M`).
    Anchors,
    /// It ends a line, and no match reaches beyond: a text of many lines is searched at once.
    Separate,
}

/// What a match must be surrounded by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Whole {
    /// Anything.
    #[default]
    Free,
    /// No word characters (`grep -w`).
    Words,
    /// The edges of the line (`grep -x`).
    Lines,
}

/// How a pattern is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Syntax {
    /// The dialect.
    pub dialect: Dialect,
    /// Whether upper and lower case are the same.
    pub ignore_case: bool,
    /// What a newline is.
    pub newlines: Newlines,
    /// What surrounds a match.
    pub whole: Whole,
}

impl Syntax {
    /// A dialect with everything else as usual.
    #[must_use]
    pub fn new(dialect: Dialect) -> Self {
        Self { dialect, ignore_case: false, newlines: Newlines::Ordinary, whole: Whole::Free }
    }
}

/// A compiled expression.
///
/// A search that would take too long finds nothing, and [`Regex::gave_up`] says so.
#[derive(Debug)]
pub struct Regex {
    nfa: Nfa,
    required: Option<Required>,
    ignore_case: bool,
    cache: RefCell<Option<Box<Cache>>>,
    gave_up: Cell<bool>,
}

/// What searches leave for the next ones.
#[derive(Debug)]
struct Cache {
    symbols: Symbols,
    forward: Lazy,
    backward: Lazy,
    trail: Vec<u32>,
    walk: Walk,
}

/// The span of a match or of a group, in bytes: start and end.
pub type Span = (usize, usize);

impl Regex {
    /// Compiles one pattern.
    pub fn new(pattern: &str, syntax: Syntax) -> Result<Self, RegexError> {
        Self::any(&[pattern], syntax)
    }

    /// Compiles several patterns of which any may match; none at all matches nothing.
    pub fn any(patterns: &[&str], syntax: Syntax) -> Result<Self, RegexError> {
        let parsed = parse::parse(patterns, syntax)?;
        let mut required = Required::of(&parsed.ast, &parsed.sets);
        if let Some(required) = &mut required {
            required.whole &= syntax.whole == Whole::Free && parsed.groups == 0;
        }
        let nfa = Nfa::new(parsed, syntax)?;
        Ok(Self {
            nfa,
            required,
            ignore_case: syntax.ignore_case,
            cache: RefCell::new(None),
            gave_up: Cell::new(false),
        })
    }

    /// The number of groups.
    #[must_use]
    pub fn groups(&self) -> usize {
        self.nfa.slots / 2 - 1
    }

    /// Whether some search was given up, for which the pattern would have needed too long.
    #[must_use]
    pub fn gave_up(&self) -> bool {
        self.gave_up.get()
    }

    /// Whether the expression matches somewhere in `text`.
    #[must_use]
    pub fn is_match(&self, text: impl AsRef<[u8]>) -> bool {
        self.search(text.as_ref(), 0, Until::Certain).is_some()
    }

    /// Where some match ends that begins at `start` or after, and no match ends before it: cheaper
    /// than [`Regex::find_at`], and enough to know the line.
    #[must_use]
    pub fn find_end_at(&self, text: impl AsRef<[u8]>, start: usize) -> Option<usize> {
        self.search(text.as_ref(), start, Until::Certain).map(|(_, end)| end)
    }

    /// The longest of the leftmost matches that begin at `start` or after; it may be empty. What
    /// stands before `start` is seen by anchors and word boundaries.
    #[must_use]
    pub fn find_at(&self, text: impl AsRef<[u8]>, start: usize) -> Option<Span> {
        self.search(text.as_ref(), start, Until::Longest)
    }

    /// The same with the spans of the groups, the whole match as number 0; `groups` is cleared.
    pub fn captures_at(
        &self,
        text: impl AsRef<[u8]>,
        start: usize,
        groups: &mut Vec<Option<Span>>,
    ) -> bool {
        groups.clear();
        let mut slots = vec![None; self.nfa.slots];
        let Some(span) = self.search_groups(text.as_ref(), start, &mut slots) else { return false };
        groups.push(Some(span));
        groups.extend(slots.chunks_exact(2).skip(1).map(|pair| match *pair {
            [Some(start), Some(end)] if start <= end => Some((start, end)),
            _ => None,
        }));
        true
    }

    fn has_references(&self) -> bool {
        !self.nfa.references.is_empty()
    }

    fn given_up<T>(&self, result: Result<Option<T>, GaveUp>) -> Option<T> {
        result.unwrap_or_else(|GaveUp| {
            self.gave_up.set(true);
            None
        })
    }

    fn search(&self, text: &[u8], start: usize, until: Until) -> Option<Span> {
        if let Some(required) = &self.required
            && required.whole
        {
            let at = start + required.finder.find(text.get(start..)?)?;
            return Some((at, at + required.finder.needle().len()));
        }
        self.each_place(text, start, |text, from| {
            if self.has_references() {
                return self.backtrack(text, from).map(|(start, end, _)| (start, end));
            }
            let found = self.with_cache(|cache| {
                let Cache { symbols, forward, backward, .. } = cache;
                let mut cx = Context::new(&self.nfa, symbols);
                let Some(end) = forward.find_end(&mut cx, text, from, until)? else {
                    return Ok(None);
                };
                if until == Until::Certain {
                    return Ok(Some((end, end)));
                }
                let begin = backward.find_start(&mut cx, text, (from, end), None)?;
                Ok(begin.map(|begin| (begin, end)))
            });
            self.given_up(found)
        })
    }

    fn search_groups(&self, text: &[u8], start: usize, slots: &mut Slots) -> Option<Span> {
        if self.groups() == 0 {
            return self.search(text, start, Until::Longest);
        }
        self.each_place(text, start, |text, from| {
            if self.has_references() {
                let (start, end, found) = self.backtrack(text, from)?;
                *slots = found;
                return Some((start, end));
            }
            let found = self.with_cache(|cache| {
                let Cache { symbols, forward, backward, trail, walk } = cache;
                let mut cx = Context::new(&self.nfa, symbols);
                let Some(end) = forward.find_end(&mut cx, text, from, Until::Longest)? else {
                    return Ok(None);
                };
                trail.clear();
                let span = (from, end);
                let Some(begin) = backward.find_start(&mut cx, text, span, Some(trail))? else {
                    return Ok(None);
                };
                walk.fill(&self.nfa, (backward, trail), (text, begin), slots);
                Ok(Some((begin, end)))
            });
            self.given_up(found)
        })
    }

    /// Calls `find` with the places where a match may begin, as the required text tells, until it
    /// finds one.
    fn each_place(
        &self,
        text: &[u8],
        start: usize,
        mut find: impl FnMut(&[u8], usize) -> Option<Span>,
    ) -> Option<Span> {
        if start > text.len() {
            return None;
        }
        let separate = self.nfa.newlines == Newlines::Separate;
        if self.required.is_none() && !(separate && self.has_references()) {
            return find(text, start);
        }
        let mut from = start;
        loop {
            let at = match &self.required {
                Some(required) => from + required.finder.find(text.get(from..)?)?,
                None => from,
            };
            let leads = self.required.as_ref().is_some_and(|required| required.leads);
            if !separate {
                return find(text, if leads { at } else { from });
            }
            // Only the line that holds the text can match; the search sees no further than its end.
            let head = text.get(from..at)?;
            let line = from + memchr::memrchr(b'\n', head).map_or(0, |newline| newline + 1);
            let end = memchr::memchr(b'\n', text.get(at..)?).map_or(text.len(), |len| at + len);
            let seen = text.get(..end)?;
            if let Some(span) = find(seen, if leads { at } else { line }) {
                return Some(span);
            }
            from = end + 1;
            if from > text.len() {
                return None;
            }
        }
    }

    fn with_cache<T>(&self, run: impl FnOnce(&mut Cache) -> T) -> T {
        let mut cache = self.cache.borrow_mut();
        run(cache.get_or_insert_with(|| {
            Box::new(Cache {
                symbols: Symbols::new(&self.nfa),
                forward: Lazy::new(Direction::Forward),
                backward: Lazy::new(Direction::Backward),
                trail: Vec::new(),
                walk: Walk::default(),
            })
        }))
    }

    /// The tables take any text for a back-reference: where they find nothing there is nothing.
    fn backtrack(&self, text: &[u8], from: usize) -> Option<(usize, usize, Slots)> {
        let possible = self.with_cache(|cache| {
            let mut cx = Context::new(&self.nfa, &mut cache.symbols);
            cache.forward.find_end(&mut cx, text, from, Until::Certain)
        });
        self.given_up(possible)?;
        self.given_up(Backtrack::new(&self.nfa, text, self.ignore_case).find(from))
    }
}
