//! Words: runs of adjacent parts, read by where they stand.

use super::{Parse, Parser, is_meta};
use crate::syntax::{Brace, Diagnostic, Part, Word, WordTraits};
use crate::value::EcoString;

/// Where a word stands, which settles what ends it and what its characters mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// An argument, an item of `for`.
    Argument,
    /// One word where nothing can multiply: a redirect target, the subject of `case`.
    Single,
    /// The right side of an assignment.
    Value,
    /// An item of `(a b c)`.
    Item,
    /// An element of a list or the value of a field.
    Element,
    /// The key of a field.
    Key,
    /// An operand in `[[ … ]]`.
    Condition,
    /// A pattern of `case`, the right side of `==`.
    Pattern,
    /// The right side of `=~`: unquoted text stays as written, backslashes too.
    Regex,
    /// The word of `${x:-w}` outside double quotes, or the replacement of `${x/p/r}`.
    Operand,
    /// The pattern of `${x#p}`.
    OperandPattern,
    /// The pattern of `${x/p/r}`.
    ReplacePattern,
    /// A subscript: `${x[k]}`.
    Subscript,
}

impl Place {
    fn globs(self) -> bool {
        self.is_pattern() || matches!(self, Self::Argument | Self::Single | Self::Item)
    }

    /// Whether quoted text and expansions may stand in a class.
    pub(super) fn is_pattern(self) -> bool {
        matches!(self, Self::Pattern | Self::OperandPattern | Self::ReplacePattern)
    }

    fn braces(self) -> bool {
        matches!(self, Self::Argument | Self::Item)
    }

    fn spreads(self) -> bool {
        matches!(self, Self::Argument | Self::Item)
    }

    fn tilde(self) -> bool {
        !matches!(self, Self::Key | Self::Regex | Self::Subscript)
    }

    /// Whether `$x[k]` is a mistake rather than a class after a value.
    fn subscripts_need_braces(self) -> bool {
        !self.is_pattern() && !matches!(self, Self::Regex | Self::Subscript)
    }

    /// Whether the unquoted byte ends a word here.
    pub(super) fn ends(self, b: u8) -> bool {
        match self {
            Self::Operand | Self::OperandPattern => b == b'}',
            Self::ReplacePattern => matches!(b, b'}' | b'/'),
            Self::Subscript => matches!(b, b']' | b':' | b'\n'),
            Self::Element => is_meta(b) || matches!(b, b',' | b']' | b'}'),
            Self::Key => is_meta(b) || matches!(b, b',' | b']' | b'}' | b':'),
            Self::Regex => matches!(b, b' ' | b'\t' | b'\r' | b'\n' | b';'),
            _ => is_meta(b),
        }
    }
}

/// The parts of a word as they are read; neighbours of the same kind join.
#[derive(Default)]
pub(super) struct Parts {
    pub(super) list: Vec<Part>,
}

impl Parts {
    pub(super) fn push(&mut self, part: Part) {
        match (self.list.last_mut(), &part) {
            (Some(Part::Literal(a)), Part::Literal(b))
            | (Some(Part::Quoted(a)), Part::Quoted(b))
            | (Some(Part::Glob(a)), Part::Glob(b)) => a.push_str(b),
            _ => self.append(part),
        }
    }

    /// Most words have one part, so the first takes no room for more.
    fn append(&mut self, part: Part) {
        if self.list.is_empty() {
            self.list.reserve_exact(1);
        }
        self.list.push(part);
    }

    pub(super) fn literal(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        match self.list.last_mut() {
            Some(Part::Literal(last)) => last.push_str(text),
            _ => self.append(Part::Literal(text.into())),
        }
    }

    /// Text that was quoted; an empty one leaves a trace, since `''` is a word.
    pub(super) fn quoted(&mut self, text: &str) {
        match self.list.last_mut() {
            Some(Part::Quoted(last)) => last.push_str(text),
            _ => self.append(Part::Quoted(text.into())),
        }
    }
}

/// Bytes of bare words that mean nothing anywhere.
const fn is_plain(b: u8) -> bool {
    b.is_ascii_alphanumeric()
        || b >= 0x80
        || matches!(b, b'_' | b'.' | b'@' | b'-' | b'+' | b'%' | b'^' | b'=' | b'!')
}

static PLAIN: [bool; 256] = {
    let mut table = [false; 256];
    let mut b = 0;
    while b < 256 {
        #[expect(clippy::cast_possible_truncation, reason = "b is below 256")]
        {
            table[b] = is_plain(b as u8);
        }
        b += 1;
    }
    table
};

/// A word being read.
struct Reading {
    place: Place,
    start: usize,
    /// Where the plain characters that are not yet a part begin.
    from: usize,
    parts: Parts,
    braces: super::brace::Frames,
    /// Open `(` of a regular expression or `[` of a subscript, inside which nothing ends the word.
    groups: u32,
}

impl Parser<'_> {
    /// Reads a word; empty where the cursor is at what ends one.
    pub(super) fn word(&mut self, place: Place) -> Parse<Word> {
        let start = self.at;
        let substitutions = self.substitutions;
        let mut reading = Reading {
            place,
            start,
            from: start,
            parts: Parts::default(),
            braces: super::brace::Frames::default(),
            groups: 0,
        };
        if place.spreads() && self.sees_spread() {
            self.spread(&mut reading)?;
        }
        while let Some(b) = self.peek() {
            if PLAIN[b as usize] {
                self.at += 1;
            } else if !self.part(b, &mut reading)? {
                break;
            }
        }
        self.flush(&mut reading);
        let parts = reading.braces.unwind(reading.parts);
        let globs = place.globs() && parts.list.iter().any(has_glob);
        let traits = WordTraits {
            runs: self.substitutions != substitutions,
            globs,
            braces: parts.list.iter().any(|part| matches!(part, Part::Brace(_))),
        };
        let word = Word { parts: parts.list, span: self.span_from(start), traits };
        self.advise_characters(&word);
        Ok(word)
    }

    /// Turns the plain characters read so far into a part.
    fn flush(&self, reading: &mut Reading) {
        reading.parts.literal(self.slice(reading.from, self.at));
    }

    /// Reads what begins with a byte that may mean something; false at the end of the word.
    fn part(&mut self, b: u8, reading: &mut Reading) -> Parse<bool> {
        let place = reading.place;
        if place.ends(b) && (reading.groups == 0 || b == b'\n') {
            return Ok(false);
        }
        match b {
            b'\'' | b'"' | b'$' | b'`' | b'\\' => {
                if b == b'\\' && place == Place::Regex && self.line_end_at(self.at + 1) == 0 {
                    self.at += 1;
                    self.at += self.peek_char().map_or(0, char::len_utf8);
                    return Ok(true);
                }
                self.flush(reading);
                let more = self.quote_or_expansion(b, reading)?;
                if more {
                    reading.from = self.at;
                }
                return Ok(more);
            }
            b'*' | b'?' if place.globs() => self.glob(reading, 1),
            b'[' if place.globs() => self.bracket(reading),
            b']' if place.is_pattern() => self.glob(reading, 1),
            b'{' if place.braces() => return self.open_brace(reading),
            b',' | b'}' if !reading.braces.is_empty() => {
                self.flush(reading);
                self.at += 1;
                reading.from = self.at;
                reading.parts = reading.braces.step(b, std::mem::take(&mut reading.parts));
            }
            b'[' | b'{' if matches!(place, Place::Element | Place::Key) => {
                self.report_bracket(reading.start);
                self.at += 1;
            }
            b'~' if place.tilde() && self.at == reading.start => self.tilde(reading),
            b':' if place == Place::Value => {
                self.at += 1;
                if self.peek() == Some(b'~') {
                    self.tilde(reading);
                }
            }
            b'(' | b')' if place == Place::Regex => return Ok(self.group(b, reading)),
            b'[' if place == Place::Subscript => {
                reading.groups += 1;
                self.at += 1;
            }
            b']' if place == Place::Subscript => {
                reading.groups -= 1;
                self.at += 1;
            }
            b'&' | b'|' if place == Place::Regex => {
                if reading.groups == 0 && self.peek_at(1) == Some(b) {
                    return Ok(false);
                }
                self.at += 1;
            }
            _ => self.at += 1,
        }
        Ok(true)
    }

    /// Reads a quoted text, an escape or an expansion; a `$` that begins nothing is text.
    fn quote_or_expansion(&mut self, b: u8, reading: &mut Reading) -> Parse<bool> {
        let start = self.at;
        match b {
            b'\'' => {
                let text = self.single_quoted()?;
                reading.parts.quoted(&text);
            }
            b'"' => {
                let parts = self.double_quoted()?;
                reading.parts.push(Part::DoubleQuoted(parts));
            }
            b'`' => {
                self.backtick();
                reading.parts.quoted("");
            }
            b'\\' => return self.escape(reading),
            _ => match self.dollar(false)? {
                Some(part) => {
                    self.check_glued(&part, start, reading.place);
                    reading.parts.push(part);
                }
                None => {
                    if self.peek() == Some(b'[') && !reading.place.is_pattern() {
                        self.check_old_arithmetic(start, reading.place);
                    }
                    reading.parts.literal("$");
                }
            },
        }
        Ok(true)
    }

    /// A backslash outside quotes; false where it joins lines at the end of the input.
    fn escape(&mut self, reading: &mut Reading) -> Parse<bool> {
        let start = self.at;
        self.at += 1;
        match self.line_end_at(self.at) {
            0 => {}
            n => {
                self.at += n;
                return Ok(true);
            }
        }
        let Some(c) = self.peek_char() else {
            return self.unclosed(
                self.span_from(start),
                "`\\` at the end joins the next line, which is missing",
            );
        };
        self.at += c.len_utf8();
        reading.parts.quoted(c.encode_utf8(&mut [0; 4]));
        Ok(true)
    }

    /// Reads pattern characters as they are written.
    fn glob(&mut self, reading: &mut Reading, length: usize) {
        self.flush(reading);
        let text = self.slice(self.at, self.at + length);
        reading.parts.push(Part::Glob(text.into()));
        self.at += length;
        reading.from = self.at;
    }

    /// Reads a class, or a bracket that is none.
    fn bracket(&mut self, reading: &mut Reading) {
        match self.class(reading.place) {
            super::class::Bracket::Class(text, end) => {
                self.flush(reading);
                reading.parts.push(Part::Glob(text));
                self.at = end;
                reading.from = end;
            }
            super::class::Bracket::Dynamic => self.glob(reading, 1),
            super::class::Bracket::Plain => self.at += 1,
        }
    }

    fn open_brace(&mut self, reading: &mut Reading) -> Parse<bool> {
        self.flush(reading);
        if self.depth as usize + reading.braces.len() >= super::MAX_NESTING as usize {
            return self.too_deep();
        }
        self.at += 1;
        reading.from = self.at;
        reading.braces.open(std::mem::take(&mut reading.parts));
        Ok(true)
    }

    /// A `~` where one may expand: before `/` or the end of the word.
    fn tilde(&mut self, reading: &mut Reading) {
        let next = self.peek_at(1);
        let alone = next.is_none_or(|b| b == b'/' || reading.place.ends(b))
            || (next == Some(b':') && reading.place == Place::Value);
        if alone {
            self.flush(reading);
            reading.parts.push(Part::Tilde);
            reading.from = self.at + 1;
        }
        self.at += 1;
    }

    /// A bracket of a regular expression; false where it closes what the word did not open.
    fn group(&mut self, b: u8, reading: &mut Reading) -> bool {
        match b {
            b'(' => reading.groups += 1,
            _ if reading.groups == 0 => return false,
            _ => reading.groups -= 1,
        }
        self.at += 1;
        true
    }

    /// Whether `...` and an expansion stand here.
    pub(super) fn sees_spread(&self) -> bool {
        self.sees("...$") && !matches!(self.peek_at(4), Some(b'\'' | b'"'))
    }

    /// `...$xs`, which must be the whole word.
    fn spread(&mut self, reading: &mut Reading) -> Parse<()> {
        let start = self.at;
        self.at += 3;
        if let Some(part) = self.dollar(false)? {
            self.check_glued(&part, start + 3, reading.place);
            reading.parts.push(Part::Spread(Box::new(part)));
            reading.from = self.at;
            if self.peek().is_some_and(|b| !reading.place.ends(b)) && self.line_end_at(self.at) == 0
            {
                let end = self.at + self.here_token().len();
                let written = self.slice(start, self.at).to_owned();
                self.report(
                    Diagnostic::syntax(
                        super::Span::new(start, end),
                        "`...` gives one word per element, so nothing can be glued to it",
                    )
                    .with_fix(format!("set a blank after `{written}`")),
                );
            }
        }
        Ok(())
    }

    /// Reports `$x[k]` where the bracket would be text.
    fn check_glued(&mut self, part: &Part, start: usize, place: Place) {
        let braceless = self.bytes.get(start + 1) != Some(&b'{');
        if let Part::Parameter(_) = part
            && braceless
            && place.subscripts_need_braces()
            && self.peek() == Some(b'[')
        {
            self.report_glued(start);
        }
    }
}

fn has_glob(part: &Part) -> bool {
    match part {
        Part::Glob(_) => true,
        Part::Brace(brace) => match &**brace {
            Brace::List(alternatives) => alternatives.iter().flatten().any(has_glob),
            _ => false,
        },
        _ => false,
    }
}

/// The text of a word that is one run of unquoted plain characters.
pub(super) fn bare(word: &Word) -> Option<&EcoString> {
    match word.parts.as_slice() {
        [Part::Literal(text)] => Some(text),
        _ => None,
    }
}
