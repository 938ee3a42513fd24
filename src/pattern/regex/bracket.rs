//! `[…]` of a regular expression: the characters after `[` in, a set of characters out.

use super::error::RegexError;
use crate::pattern::chars::CharClass;
use crate::pattern::set::{CharSet, Item};

/// One element as written.
enum Element {
    Char(char),
    Class(CharClass),
    /// `[=x=]`: a character that may not bound a range.
    Equivalent(char),
}

/// Reads the inside of a bracket expression.
pub(super) struct BracketParser<'a> {
    chars: &'a [char],
    at: usize,
    /// Whether a backslash escapes, as in awk.
    escapes: bool,
}

impl<'a> BracketParser<'a> {
    /// A parser for `chars`, which follow `[`.
    pub(super) fn new(chars: &'a [char], escapes: bool) -> Self {
        Self { chars, at: 0, escapes }
    }

    /// The set, and the number of characters up to and with its `]`.
    pub(super) fn parse(mut self) -> Result<(CharSet, usize), RegexError> {
        let colon = self.peek(0) == Some(':');
        let negated = self.peek(0) == Some('^');
        self.at += usize::from(negated);
        let first = self.at;
        let mut items = Vec::new();
        loop {
            match self.peek(0) {
                None => return Err(RegexError::UnmatchedBracket),
                Some(']') if self.at > first => break,
                Some(_) => items.push(self.item(first)?),
            }
        }
        if colon && self.at > 1 && self.chars.get(self.at - 1) == Some(&':') {
            return Err(RegexError::ClassOutsideBracket);
        }
        Ok((CharSet { negated, ignore_case: false, items }, self.at + 1))
    }

    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn item(&mut self, first: usize) -> Result<Item, RegexError> {
        // A hyphen stands for itself only at either end.
        if self.peek(0) == Some('-') && self.at > first && self.peek(1) != Some(']') {
            return Err(RegexError::BadRange);
        }
        let element = self.element()?;
        let ranged = self.peek(0) == Some('-') && self.peek(1).is_some_and(|c| c != ']');
        match element {
            Element::Char(low) if ranged => {
                self.at += 1;
                match self.element()? {
                    Element::Char(high) if low <= high => Ok(Item::Range(low, high)),
                    _ => Err(RegexError::BadRange),
                }
            }
            Element::Class(_) | Element::Equivalent(_) if ranged => Err(RegexError::BadRange),
            Element::Class(class) => Ok(Item::Class(class)),
            Element::Char(c) | Element::Equivalent(c) => Ok(Item::Range(c, c)),
        }
    }

    fn element(&mut self) -> Result<Element, RegexError> {
        let c = self.peek(0).ok_or(RegexError::UnmatchedBracket)?;
        if c == '['
            && let Some(mark @ (':' | '.' | '=')) = self.peek(1)
        {
            return self.delimited(mark);
        }
        self.at += 1;
        if c == '\\' && self.escapes {
            let (c, len) = awk_escape(self.chars.get(self.at..).unwrap_or_default())
                .ok_or(RegexError::UnmatchedBracket)?;
            self.at += len;
            return Ok(Element::Char(c));
        }
        Ok(Element::Char(c))
    }

    /// `[:name:]`, `[.x.]`, `[=x=]`
    fn delimited(&mut self, mark: char) -> Result<Element, RegexError> {
        let inner = self.chars.get(self.at + 2..).unwrap_or_default();
        let len = inner
            .windows(2)
            .position(|pair| pair == [mark, ']'])
            .ok_or(RegexError::UnmatchedBracket)?;
        self.at += len + 4;
        let name: String = inner.iter().take(len).collect();
        let mut chars = name.chars();
        match (mark, chars.next(), chars.next()) {
            (':', ..) => {
                CharClass::named(&name).map(Element::Class).ok_or(RegexError::UnknownClass)
            }
            ('.', Some(c), None) => Ok(Element::Char(c)),
            ('=', Some(c), None) => Ok(Element::Equivalent(c)),
            _ => Err(RegexError::BadCollation),
        }
    }
}

/// The character that awk reads from what follows a backslash, and the length; `None` at the end.
pub(super) fn awk_escape(rest: &[char]) -> Option<(char, usize)> {
    let &first = rest.first()?;
    let c = match first {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'f' => '\u{c}',
        'v' => '\u{b}',
        'a' => '\u{7}',
        'b' => '\u{8}',
        '0'..='7' => {
            let digits = rest.iter().take(3).map_while(|c| c.to_digit(8));
            let (value, len) = digits.fold((0, 0), |(sum, len), digit| (sum * 8 + digit, len + 1));
            return Some((char::from_u32(value & 0xff).unwrap_or(first), len));
        }
        other => other,
    };
    Some((c, 1))
}
