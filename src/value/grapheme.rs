//! Text to grapheme clusters and their width in terminal columns, exactly as the terminal counts.
//!
//! The terminal decides where a character lands, so its own table decides here too: kinds and
//! widths are those of xterm.js with unicode-graphemes (Unicode 15). They differ from UAX #29 in
//! three ways a user can see: a zero-width joiner joins any following pictograph, consonants of
//! Indic conjuncts stay apart, and a cluster is as wide as its widest character.

use super::grapheme_table::RANGES;

const PREPEND: u8 = 1;
const EXTEND: u8 = 2;
const REGIONAL: u8 = 3;
const SPACING: u8 = 4;
const HANGUL_L: u8 = 5;
const HANGUL_V: u8 = 6;
const HANGUL_T: u8 = 7;
const HANGUL_LV: u8 = 8;
const HANGUL_LVT: u8 = 9;
const JOINER: u8 = 10;
const PICTOGRAPH: u8 = 11;

/// The cluster a terminal is in the middle of, fed one character at a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cluster {
    kind: u8,
    width: u8,
}

impl Cluster {
    /// Takes the next character; true if it belongs to the cluster before it.
    pub fn push(&mut self, ch: char) -> bool {
        let (kind, width) = properties(ch);
        if ch.is_control() {
            *self = Self::default();
            return false;
        }
        let joined = self.width > 0 && joins(self.kind, kind);
        if !joined {
            *self = Self { kind, width };
        } else if kind == REGIONAL {
            // A pair of regional indicators is a flag; a third one starts anew.
            *self = Self { kind: 0, width: 2 };
        } else {
            *self = Self { kind, width: self.width.max(width) };
        }
        joined
    }

    /// Columns the cluster takes so far: 0 before the first character and after a control character.
    #[must_use]
    pub fn width(self) -> usize {
        usize::from(self.width)
    }
}

/// One grapheme cluster of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grapheme<'a> {
    /// Byte offset in the text.
    pub start: usize,
    /// The characters; a control character is always alone.
    pub text: &'a str,
    /// Terminal columns; 0 for a control character.
    pub width: usize,
}

impl Grapheme<'_> {
    /// Byte offset after the last character.
    #[must_use]
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

/// The grapheme clusters of a text, in order.
#[must_use]
pub fn graphemes(text: &str) -> Graphemes<'_> {
    Graphemes { text, at: 0 }
}

/// Iterator made by [`graphemes`].
#[derive(Clone, Debug)]
pub struct Graphemes<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Iterator for Graphemes<'a> {
    type Item = Grapheme<'a>;

    fn next(&mut self) -> Option<Grapheme<'a>> {
        let start = self.at;
        let rest = self.text.get(start..)?;
        let mut chars = rest.chars();
        let mut cluster = Cluster::default();
        let mut length = chars.next().map(|first| {
            cluster.push(first);
            first.len_utf8()
        })?;
        let mut width = cluster.width();
        if width > 0 {
            for ch in chars {
                if !cluster.push(ch) {
                    break;
                }
                length += ch.len_utf8();
                width = cluster.width();
            }
        }
        self.at = start + length;
        Some(Grapheme { start, text: rest.get(..length)?, width })
    }
}

/// Terminal columns of a text on one line; control characters count 0.
#[must_use]
pub fn text_width(text: &str) -> usize {
    graphemes(text).map(|grapheme| grapheme.width).sum()
}

/// Kind and columns of a character on its own.
fn properties(ch: char) -> (u8, u8) {
    let code = u32::from(ch);
    if code < 0xa9 {
        return (0, u8::from(!ch.is_control()));
    }
    let after = RANGES.partition_point(|entry| entry >> 8 <= code);
    let entry = RANGES.get(after.wrapping_sub(1)).copied().unwrap_or(1);
    let kind = u8::try_from((entry >> 4) & 0xf).unwrap_or(0);
    let width = u8::try_from(entry & 0xf).unwrap_or(1);
    if kind == HANGUL_LV && (code - 0xac00) % 28 != 0 {
        return (HANGUL_LVT, width);
    }
    (kind, width)
}

fn joins(before: u8, after: u8) -> bool {
    matches!(
        (before, after),
        (_, EXTEND | JOINER | SPACING)
            | (PREPEND, _)
            | (HANGUL_L, HANGUL_L | HANGUL_V | HANGUL_LV | HANGUL_LVT)
            | (HANGUL_LV | HANGUL_V, HANGUL_V | HANGUL_T)
            | (HANGUL_LVT | HANGUL_T, HANGUL_T)
            | (JOINER, PICTOGRAPH)
            | (REGIONAL, REGIONAL)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expect: &[(&str, usize)]) {
        let found: Vec<_> = graphemes(text).map(|it| (it.text, it.width)).collect();
        assert_eq!(found, expect, "{text:?}");
        assert_eq!(text_width(text), expect.iter().map(|it| it.1).sum::<usize>());
    }

    #[test]
    fn clusters_and_widths_are_those_of_the_terminal() {
        check("", &[]);
        check("ab", &[("a", 1), ("b", 1)]);
        check("é漢", &[("é", 1), ("漢", 2)]);
        check("e\u{301}x", &[("e\u{301}", 1), ("x", 1)]);
        check("a\n\u{301}", &[("a", 1), ("\n", 0), ("\u{301}", 1)]);
        check("😀👍🏽", &[("😀", 2), ("👍🏽", 2)]);
        check("👩‍💻!", &[("👩‍💻", 2), ("!", 1)]);
        check("a\u{200d}💻", &[("a\u{200d}💻", 2)]);
        check("🇩🇪🇫🇷🇪", &[("🇩🇪", 2), ("🇫🇷", 2), ("🇪", 1)]);
        check("❤\u{fe0f}❤", &[("❤\u{fe0f}", 2), ("❤", 1)]);
        check("1\u{fe0f}\u{20e3}", &[("1\u{fe0f}\u{20e3}", 2)]);
        check("한글ㄱ", &[("한", 2), ("글", 2), ("ㄱ", 2)]);
        check("\u{1112}\u{1161}\u{11ab}", &[("\u{1112}\u{1161}\u{11ab}", 2)]);
        check("가\u{11a8}각\u{1161}", &[("가\u{11a8}", 2), ("각", 2), ("\u{1161}", 1)]);
        check("\u{1b}[", &[("\u{1b}", 0), ("[", 1)]);
        check("क्ष", &[("क्", 1), ("ष", 1)]);
    }
}
