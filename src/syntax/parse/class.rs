//! Bracket expressions of patterns: `[!a-z]`, `[[:alpha:]]`.

use super::Parser;
use super::word::Place;
use crate::value::EcoString;

/// What a `[` begins.
pub(super) enum Bracket {
    /// A class as pattern text, and where it ends.
    Class(EcoString, usize),
    /// A class of a pattern with an expansion in it, to be joined when it runs.
    Dynamic,
    /// Itself.
    Plain,
}

/// How far brackets were looked for in vain, so that a word of brackets takes linear time.
#[derive(Clone, Copy, Default)]
pub(super) struct Unclosed {
    from: usize,
    until: usize,
    dynamic: bool,
}

impl Parser<'_> {
    /// What the `[` at the cursor begins. In patterns, quoted text and expansions may stand in it.
    pub(super) fn class(&mut self, place: Place) -> Bracket {
        let known = self.memo.unclosed_class;
        if (known.from..known.until).contains(&self.at) {
            return if known.dynamic { Bracket::Dynamic } else { Bracket::Plain };
        }
        let mut text = EcoString::from("[");
        let mut at = self.at + 1;
        if let Some(b @ (b'!' | b'^')) = self.bytes.get(at) {
            text.push(*b as char);
            at += 1;
        }
        let mut first = true;
        loop {
            match self.member(at, place, first, &mut text) {
                Member::Until(next) => at = next,
                Member::Close => return Bracket::Class(text, at + 1),
                Member::Stop { dynamic } => {
                    let dynamic = dynamic && place.is_pattern();
                    self.memo.unclosed_class = Unclosed { from: self.at, until: at, dynamic };
                    return if dynamic { Bracket::Dynamic } else { Bracket::Plain };
                }
            }
            first = false;
        }
    }

    /// Appends one member of a class.
    fn member(&self, at: usize, place: Place, first: bool, text: &mut EcoString) -> Member {
        let Some(&b) = self.bytes.get(at) else { return Member::Stop { dynamic: false } };
        match b {
            b']' if first => {}
            b']' => {
                text.push(']');
                return Member::Close;
            }
            b'[' => {
                if let Some(length) = named_class(self.bytes.get(at..).unwrap_or_default()) {
                    text.push_str(self.slice(at, at + length));
                    return Member::Until(at + length);
                }
            }
            b'$' | b'`' => return Member::Stop { dynamic: true },
            b'\'' | b'"' if !place.is_pattern() => return Member::Stop { dynamic: false },
            b'\'' | b'"' => return self.quoted_member(at, b, text),
            b'\\' => {
                let Some(c) = self.slice(at + 1, self.bytes.len()).chars().next() else {
                    return Member::Stop { dynamic: false };
                };
                if c == '\n' {
                    return Member::Until(at + 2);
                }
                text.push('\\');
                text.push(c);
                return Member::Until(at + 1 + c.len_utf8());
            }
            b'/' if place == Place::ReplacePattern => {}
            _ if place.ends(b) || b == b'\n' => {
                return Member::Stop { dynamic: false };
            }
            _ => {}
        }
        let Some(c) = self.slice(at, self.bytes.len()).chars().next() else {
            return Member::Stop { dynamic: false };
        };
        text.push(c);
        Member::Until(at + c.len_utf8())
    }

    /// Appends quoted text of a class, each character escaped.
    fn quoted_member(&self, at: usize, quote: u8, text: &mut EcoString) -> Member {
        let rest = self.bytes.get(at + 1..).unwrap_or_default();
        let Some(length) = memchr::memchr(quote, rest) else {
            return Member::Stop { dynamic: false };
        };
        let inner = self.slice(at + 1, at + 1 + length);
        if quote == b'"' && inner.contains(['$', '`', '\\']) {
            return Member::Stop { dynamic: true };
        }
        for c in inner.chars() {
            text.push('\\');
            text.push(c);
        }
        Member::Until(at + length + 2)
    }
}

/// What one step through a class found.
enum Member {
    Until(usize),
    Close,
    Stop { dynamic: bool },
}

/// The length of `[:alpha:]`, `[=a=]` or `[.a.]` at the start of the text.
fn named_class(bytes: &[u8]) -> Option<usize> {
    let kind = *bytes.get(1).filter(|b| matches!(b, b':' | b'=' | b'.'))?;
    let name = bytes.get(2..)?.iter().take(16).take_while(|b| b.is_ascii_alphanumeric()).count();
    let name = if name == 0 { 1 } else { name };
    (bytes.get(2 + name) == Some(&kind) && bytes.get(3 + name) == Some(&b']')).then_some(4 + name)
}
