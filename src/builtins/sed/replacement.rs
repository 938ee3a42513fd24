//! The right side of `s`: text, groups and changes of case, and what they make of a match.

use super::escape::escape;
use crate::pattern::Span;

/// The right side of `s`.
#[derive(Default)]
pub(super) struct Replacement {
    parts: Vec<Part>,
    /// The highest group it takes, 0 for the whole match; `None` where it takes nothing.
    pub(super) highest: Option<usize>,
}

enum Part {
    Text(Vec<u8>),
    Group(usize),
    Case(Case),
}

#[derive(Clone, Copy)]
enum Case {
    /// `\U`
    Upper,
    /// `\L`
    Lower,
    /// `\u`
    UpperOne,
    /// `\l`
    LowerOne,
    /// `\E`
    End,
}

impl Replacement {
    /// Reads what stands between the delimiters.
    pub(super) fn parse(text: &[u8]) -> Self {
        let mut this = Self::default();
        let mut plain = Vec::new();
        let mut at = 0;
        while let Some(byte) = text.get(at).copied() {
            at += 1;
            if byte == b'&' {
                this.push_group(0, &mut plain);
                continue;
            }
            if byte != b'\\' {
                plain.push(byte);
                continue;
            }
            let Some(escaped) = text.get(at).copied() else {
                plain.push(b'\\');
                break;
            };
            let case = match escaped {
                b'U' => Some(Case::Upper),
                b'L' => Some(Case::Lower),
                b'u' => Some(Case::UpperOne),
                b'l' => Some(Case::LowerOne),
                b'E' => Some(Case::End),
                _ => None,
            };
            if let Some(case) = case {
                at += 1;
                this.push(Part::Case(case), &mut plain);
            } else if escaped.is_ascii_digit() {
                at += 1;
                this.push_group(usize::from(escaped - b'0'), &mut plain);
            } else if let Some((byte, len)) = escape(text.get(at..).unwrap_or_default()) {
                plain.push(byte);
                at += len;
            } else {
                plain.push(escaped);
                at += 1;
            }
        }
        this.flush(&mut plain);
        this
    }

    fn flush(&mut self, plain: &mut Vec<u8>) {
        if !plain.is_empty() {
            self.parts.push(Part::Text(std::mem::take(plain)));
        }
    }

    fn push(&mut self, part: Part, plain: &mut Vec<u8>) {
        self.flush(plain);
        self.parts.push(part);
    }

    fn push_group(&mut self, group: usize, plain: &mut Vec<u8>) {
        self.highest = self.highest.max(Some(group));
        self.push(Part::Group(group), plain);
    }

    /// Appends what a match in `text` is replaced by.
    pub(super) fn append(&self, text: &[u8], groups: &[Option<Span>], out: &mut Vec<u8>) {
        let mut case = Casing { kept: None, once: None };
        for part in &self.parts {
            match part {
                Part::Text(plain) => case.append(plain, out),
                Part::Group(group) => {
                    if let Some((start, end)) = groups.get(*group).copied().flatten() {
                        case.append(text.get(start..end).unwrap_or_default(), out);
                    }
                }
                Part::Case(Case::End) => case = Casing { kept: None, once: None },
                Part::Case(change @ (Case::Upper | Case::Lower)) => case.kept = Some(*change),
                Part::Case(change) => case.once = Some(*change),
            }
        }
    }
}

/// The change of case in force.
struct Casing {
    kept: Option<Case>,
    /// For the next character only.
    once: Option<Case>,
}

impl Casing {
    fn append(&mut self, text: &[u8], out: &mut Vec<u8>) {
        if self.kept.is_none() && self.once.is_none() {
            out.extend_from_slice(text);
            return;
        }
        for chunk in text.utf8_chunks() {
            for ch in chunk.valid().chars() {
                let mut utf8 = [0; 4];
                let mut put =
                    |ch: char| out.extend_from_slice(ch.encode_utf8(&mut utf8).as_bytes());
                match self.once.take().or(self.kept) {
                    Some(Case::Upper | Case::UpperOne) => ch.to_uppercase().for_each(&mut put),
                    Some(Case::Lower | Case::LowerOne) => ch.to_lowercase().for_each(&mut put),
                    _ => put(ch),
                }
            }
            out.extend_from_slice(chunk.invalid());
        }
    }
}
