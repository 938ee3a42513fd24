//! JSON text to values: one document after another, as bytes come.

use crate::number;
use crate::value::{Fields, Json, List, Text};
use std::rc::Rc;

/// What is nested deeper is refused.
const MAX_DEPTH: usize = 512;

/// Bytes to documents. A fault ends the input.
#[derive(Default)]
pub(crate) struct Reader {
    buffer: Vec<u8>,
    /// Where the next document starts.
    start: usize,
    /// How far the search for its end has come.
    at: usize,
    depth: usize,
    state: Scan,
    ended: bool,
    /// Lines begun before the buffer, and the length of the last one's part there.
    lines: Place,
}

/// A count of lines and of the bytes after the last newline.
#[derive(Clone, Copy, Default)]
pub(crate) struct Place {
    /// Newlines so far.
    pub(crate) lines: usize,
    /// Bytes since the last one.
    pub(crate) column: usize,
}

impl Place {
    fn pass(&mut self, bytes: &[u8]) {
        for byte in bytes {
            if *byte == b'\n' {
                self.lines += 1;
                self.column = 0;
            } else {
                self.column += 1;
            }
        }
    }
}

#[derive(Clone, Copy, Default, PartialEq)]
enum Scan {
    /// Between documents.
    #[default]
    Space,
    /// In a number, `true`, `false`, `null`.
    Word,
    /// In a string; the second after a backslash.
    Text,
    Escape,
    /// In an array or object, outside of its strings.
    Nested,
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

impl Reader {
    /// All of a text at once.
    pub(crate) fn whole(text: &[u8]) -> Self {
        let mut reader = Self::default();
        reader.push(text);
        reader.end();
        reader
    }

    /// Adds bytes.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        if self.start > 64 * 1024 && self.start * 2 > self.buffer.len() {
            self.buffer.drain(..self.start);
            self.at -= self.start;
            self.start = 0;
        }
        let bom: &[u8] = b"\xef\xbb\xbf";
        let first = self.buffer.is_empty() && self.lines.lines == 0 && self.lines.column == 0;
        let bytes = if first { bytes.strip_prefix(bom).unwrap_or(bytes) } else { bytes };
        self.buffer.extend_from_slice(bytes);
    }

    /// No more bytes come.
    pub(crate) fn end(&mut self) {
        self.ended = true;
    }

    /// Whether no more bytes come.
    pub(crate) fn has_ended(&self) -> bool {
        self.ended
    }

    /// Lines read so far, with the rest of the one the last document ended in.
    pub(crate) fn line(&self) -> usize {
        let rest = self.buffer.get(self.start..).unwrap_or_default();
        let has_newline = self.lines.column > 0 && rest.contains(&b'\n');
        self.lines.lines + usize::from(has_newline)
    }

    /// The next document; `None` where more bytes must come first, or after the end none is left.
    pub(crate) fn next(&mut self) -> Option<Result<Json, String>> {
        let end = self.find_end()?;
        let bytes = self.buffer.get(self.start..end).unwrap_or_default();
        let skip = bytes.iter().take_while(|byte| is_space(**byte) || **byte == 0x1e).count();
        let text = bytes.get(skip..).unwrap_or_default();
        if text.is_empty() {
            return None;
        }
        let mut before = self.lines;
        before.pass(bytes.get(..skip).unwrap_or_default());
        let result = parse(text).map_err(|fault| fault.message(text, before, self.ended));
        self.lines = before;
        self.lines.pass(text);
        self.start = end;
        if result.is_err() {
            self.start = self.buffer.len();
            self.at = self.start;
            self.ended = true;
        }
        Some(result)
    }

    /// Where the document that begins at `start` ends.
    fn find_end(&mut self) -> Option<usize> {
        while let Some(&byte) = self.buffer.get(self.at) {
            self.at += 1;
            match (self.state, byte) {
                (Scan::Escape, _) => self.state = Scan::Text,
                (Scan::Text, b'\\') => self.state = Scan::Escape,
                (Scan::Text, b'"') if self.depth > 0 => self.state = Scan::Nested,
                (Scan::Text, b'"') => return self.finish(self.at),
                (Scan::Text, _) => {}
                (Scan::Space, b'"') | (Scan::Nested, b'"') => self.state = Scan::Text,
                (Scan::Word, b'"' | b'[' | b'{' | 0x1e) => return self.finish(self.at - 1),
                (Scan::Space | Scan::Nested, b'[' | b'{') => {
                    self.depth += 1;
                    self.state = Scan::Nested;
                }
                (Scan::Nested, b']' | b'}') => {
                    self.depth -= 1;
                    if self.depth == 0 {
                        return self.finish(self.at);
                    }
                }
                (Scan::Word, _) if is_space(byte) => return self.finish(self.at - 1),
                (Scan::Word | Scan::Nested, _) => {}
                (Scan::Space, _) if is_space(byte) || byte == 0x1e => {}
                (Scan::Space, _) => self.state = Scan::Word,
            }
        }
        (self.ended && self.state != Scan::Space).then(|| {
            self.depth = 0;
            self.state = Scan::Space;
            self.buffer.len()
        })
    }

    fn finish(&mut self, end: usize) -> Option<usize> {
        self.state = Scan::Space;
        self.at = end;
        Some(end)
    }
}

/// One document; text after it is a fault. The message is what `fromjson` says of it.
pub(crate) fn parse_whole(text: &str) -> Result<Json, String> {
    let quoted = |message: String| format!("{message} (while parsing '{text}')");
    let mut reader = Reader::whole(text.as_bytes());
    let value = match reader.next() {
        Some(value) => value.map_err(quoted)?,
        None => return Ok(Json::Null),
    };
    match reader.next() {
        None => Ok(value),
        Some(Err(message)) => Err(quoted(message)),
        Some(Ok(_)) => Err(quoted("Unexpected extra JSON values".into())),
    }
}

/// Where and why a document is none.
struct Fault {
    at: usize,
    what: &'static str,
}

impl Fault {
    fn message(&self, text: &[u8], mut place: Place, ended: bool) -> String {
        place.pass(text.get(..self.at).unwrap_or(text));
        let end = if ended && self.at >= text.len() { " at EOF" } else { "" };
        format!("{}{end} at line {}, column {}", self.what, place.lines + 1, place.column)
    }
}

/// What is said of bytes that are no text, with the ways out.
pub(crate) const NO_TEXT: &str = "The input is not UTF-8 text (use base64, xxd or iconv)";

const LITERAL: &str = "Invalid numeric literal";

fn parse(text: &[u8]) -> Result<Json, Fault> {
    let mut parser = Parser { text, at: 0 };
    let value = parser.value(0)?;
    parser.space();
    if parser.at < text.len() {
        return Err(Fault { at: parser.at + 1, what: LITERAL });
    }
    Ok(value)
}

struct Parser<'t> {
    text: &'t [u8],
    at: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn space(&mut self) {
        while self.peek().is_some_and(is_space) {
            self.at += 1;
        }
    }

    fn fault<T>(&self, what: &'static str) -> Result<T, Fault> {
        Err(Fault { at: self.at, what })
    }

    fn unfinished<T>(&self, what: &'static str) -> Result<T, Fault> {
        match self.peek() {
            None => self.fault("Unfinished JSON term"),
            Some(_) => Err(Fault { at: self.at + 1, what }),
        }
    }

    fn value(&mut self, depth: usize) -> Result<Json, Fault> {
        self.space();
        if depth > MAX_DEPTH {
            return self.fault("Exceeds depth limit for parsing");
        }
        match self.peek() {
            None => self.fault("Unfinished JSON term"),
            Some(b'"') => self.text().map(Json::Str),
            Some(b'[') => self.array(depth),
            Some(b'{') => self.object(depth),
            Some(b']' | b'}') => self.unfinished("Unmatched ']' or '}'"),
            Some(b',' | b':') => self.unfinished("Expected value before ','"),
            Some(b'\'') => self.unfinished("Invalid string literal; expected \", but got '"),
            Some(_) => self.word(),
        }
    }

    fn array(&mut self, depth: usize) -> Result<Json, Fault> {
        self.at += 1;
        let mut list = List::default();
        self.space();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(Json::Arr(Rc::new(list)));
        }
        loop {
            list.push(self.value(depth + 1)?);
            self.space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => {
                    self.at += 1;
                    return Ok(Json::Arr(Rc::new(list)));
                }
                _ => return self.unfinished("Expected separator between values"),
            }
            self.space();
            if self.peek() == Some(b']') {
                return self.unfinished("Expected another array element");
            }
        }
    }

    fn object(&mut self, depth: usize) -> Result<Json, Fault> {
        self.at += 1;
        let mut fields = Fields::default();
        self.space();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(Json::Obj(Rc::new(fields)));
        }
        loop {
            self.space();
            match self.peek() {
                Some(b'"') => {}
                Some(b'}') => return self.unfinished("Expected another key-value pair"),
                Some(b'[' | b'{' | b'0'..=b'9' | b'-') => {
                    return self.unfinished("Object keys must be strings");
                }
                Some(b',' | b':') => {
                    return self.unfinished("Objects must consist of key:value pairs");
                }
                _ => {
                    self.word()?;
                    return self.fault("Object keys must be strings");
                }
            }
            let key = self.text()?;
            self.space();
            if self.peek() != Some(b':') {
                return self.unfinished("Objects must consist of key:value pairs");
            }
            self.at += 1;
            let value = self.value(depth + 1)?;
            fields.insert(key, value);
            self.space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.at += 1;
                    return Ok(Json::Obj(Rc::new(fields)));
                }
                _ => return self.unfinished("Expected separator between values"),
            }
        }
    }

    fn word(&mut self) -> Result<Json, Fault> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let ends =
            |b: &u8| is_space(*b) || matches!(b, b',' | b':' | b'[' | b']' | b'{' | b'}' | b'"');
        let length = rest.iter().position(ends).unwrap_or(rest.len());
        let word = rest.get(..length).unwrap_or_default();
        // The reader notices a bad word at the byte that ends it.
        self.at += length;
        Ok(match word {
            b"null" => Json::Null,
            b"true" => Json::Bool(true),
            b"false" => Json::Bool(false),
            b"nan" | b"NaN" => Json::num(f64::NAN),
            _ => match std::str::from_utf8(word) {
                Ok(word) if is_number(word.as_bytes()) => number::from_literal(word),
                _ => {
                    let at = (self.at + 1).min(self.text.len());
                    return Err(Fault { at, what: LITERAL });
                }
            },
        })
    }

    /// A string; bytes that are no UTF-8 are refused.
    fn text(&mut self) -> Result<Text, Fault> {
        self.at += 1;
        let mut out: Vec<u8> = Vec::new();
        loop {
            let rest = self.text.get(self.at..).unwrap_or_default();
            let plain = rest.iter().position(|b| matches!(b, b'"' | b'\\'));
            let Some(plain) = plain else {
                self.at = self.text.len();
                return self.fault("Unfinished string");
            };
            out.extend_from_slice(rest.get(..plain).unwrap_or_default());
            self.at += plain + 1;
            if rest.get(plain) == Some(&b'"') {
                return match String::from_utf8(out) {
                    Ok(text) => Ok(Rc::new(text)),
                    Err(_) => self.fault(NO_TEXT),
                };
            }
            let Some(escape) = self.peek() else { return self.fault("Unfinished string") };
            self.at += 1;
            out.push(match escape {
                b'n' => b'\n',
                b't' => b'\t',
                b'r' => b'\r',
                b'b' => 8,
                b'f' => 12,
                b'"' | b'\\' | b'/' => escape,
                b'u' => {
                    let c = self.unicode()?;
                    out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                    continue;
                }
                _ => return self.fault("Invalid escape"),
            });
        }
    }

    /// The character of `\uXXXX`, or of two of them that make a pair.
    fn unicode(&mut self) -> Result<char, Fault> {
        let first = self.hex()?;
        if (0xd800..0xdc00).contains(&first) {
            let rest = self.text.get(self.at..).unwrap_or_default();
            if rest.starts_with(b"\\u") {
                let before = self.at;
                self.at += 2;
                let second = self.hex()?;
                if (0xdc00..0xe000).contains(&second) {
                    let code = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
                    return Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
                }
                self.at = before;
            }
        }
        Ok(char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn hex(&mut self) -> Result<u32, Fault> {
        let digits = self.text.get(self.at..self.at + 4).and_then(|d| std::str::from_utf8(d).ok());
        let code = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let Some(code) = code else { return self.fault("Invalid escape") };
        self.at += 4;
        Ok(code)
    }
}

/// Whether bytes are a number; leading zeros and points are let pass, as jq does.
fn is_number(word: &[u8]) -> bool {
    let digits = |bytes: &[u8]| bytes.iter().take_while(|b| b.is_ascii_digit()).count();
    let mut rest = word.strip_prefix(b"-").unwrap_or(word);
    let whole = digits(rest);
    rest = rest.get(whole..).unwrap_or_default();
    let mut fraction = 0;
    if let Some(after) = rest.strip_prefix(b".") {
        fraction = digits(after);
        rest = after.get(fraction..).unwrap_or_default();
    }
    if whole + fraction == 0 {
        return false;
    }
    if let [b'e' | b'E', after @ ..] = rest {
        let after = match after {
            [b'+' | b'-', after @ ..] => after,
            _ => after,
        };
        let count = digits(after);
        return count > 0 && count == after.len();
    }
    rest.is_empty()
}
