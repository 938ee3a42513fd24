//! JSON text in, a value out, without recursion: nesting is limited by a number, not by the stack.

use std::rc::Rc;

use super::{EcoString, EcoVec, MAX_NESTING, Number, Record, Value};

/// Why a text is not JSON.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message} at line {line} column {column}")]
pub struct JsonError {
    /// What the reader found or missed.
    pub message: String,
    /// 1-based line of the place.
    pub line: usize,
    /// 1-based column of the place, in bytes.
    pub column: usize,
}

/// Reads one JSON document; text after it is an error.
pub fn from_json(text: &str) -> Result<Value, JsonError> {
    let mut reader = Reader { text, at: 0 };
    let value = reader.value()?;
    reader.skip_blanks();
    match reader.peek() {
        None => Ok(value),
        Some(_) => reader.fail("there is text after the value"),
    }
}

/// Reads JSON documents one after another.
pub fn from_json_stream(text: &str) -> Result<EcoVec<Value>, JsonError> {
    let mut reader = Reader { text, at: 0 };
    let mut list = EcoVec::new();
    loop {
        reader.skip_blanks();
        if reader.peek().is_none() {
            return Ok(list);
        }
        list.push(reader.value()?);
    }
}

/// Reads one JSON document a line, skipping empty lines; the error names the line of the text.
pub fn from_json_lines(text: &str) -> Result<EcoVec<Value>, JsonError> {
    let mut list = EcoVec::new();
    for (index, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        list.push(from_json(line).map_err(|e| JsonError { line: index + 1, ..e })?);
    }
    Ok(list)
}

/// A collection that is not closed yet.
enum Open {
    List(EcoVec<Value>),
    /// With the key whose value comes next.
    Record(Record, EcoString),
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

type Read<T> = Result<T, JsonError>;

impl Reader<'_> {
    fn value(&mut self) -> Read<Value> {
        let mut open: Vec<Open> = Vec::new();
        loop {
            let Some(mut value) = self.begin(&mut open)? else { continue };
            loop {
                let Some(top) = open.last_mut() else {
                    return Ok(value);
                };
                let close = match top {
                    Open::List(items) => {
                        items.push(value);
                        b']'
                    }
                    Open::Record(fields, key) => {
                        fields.insert(std::mem::take(key), value);
                        b'}'
                    }
                };
                if self.goes_on(close)? {
                    if let Some(Open::Record(_, key)) = open.last_mut() {
                        *key = self.key()?;
                    }
                    break;
                }
                value = match open.pop() {
                    Some(Open::List(items)) => Value::List(items),
                    Some(Open::Record(fields, _)) => Value::Record(Rc::new(fields)),
                    None => Value::Null,
                };
            }
        }
    }

    /// Reads a scalar or an empty collection, or opens a collection.
    fn begin(&mut self, open: &mut Vec<Open>) -> Read<Option<Value>> {
        self.skip_blanks();
        let Some(byte) = self.peek() else {
            return self.fail(match open.last() {
                None => "the text ends where a value is expected",
                Some(Open::List(_)) => "the text ends inside a list",
                Some(Open::Record(..)) => "the text ends inside a record",
            });
        };
        Ok(Some(match byte {
            b'[' | b'{' => {
                if open.len() >= MAX_NESTING {
                    return self.fail(&format!("the value nests deeper than {MAX_NESTING} levels"));
                }
                self.at += 1;
                self.skip_blanks();
                if byte == b'[' {
                    if !self.eat(b']') {
                        open.push(Open::List(EcoVec::new()));
                        return Ok(None);
                    }
                    Value::List(EcoVec::new())
                } else {
                    if !self.eat(b'}') {
                        let key = self.key()?;
                        open.push(Open::Record(Record::default(), key));
                        return Ok(None);
                    }
                    Value::Record(Rc::default())
                }
            }
            b'"' => Value::Text(self.string()?),
            b'-' | b'0'..=b'9' => Value::Number(self.number()?),
            _ => self.word()?,
        }))
    }

    /// After an element: whether a comma says that another follows; else the collection is closed.
    fn goes_on(&mut self, close: u8) -> Read<bool> {
        self.skip_blanks();
        if self.eat(close) {
            return Ok(false);
        }
        let (what, end) = if close == b']' { ("list", ']') } else { ("record", '}') };
        if !self.eat(b',') {
            return match self.peek() {
                None => self.fail(&format!("the text ends inside a {what}")),
                Some(_) => self.fail(&format!("expected `,` or `{end}`")),
            };
        }
        self.skip_blanks();
        if self.peek() == Some(close) {
            return self.fail(&format!("a `,` before the `{end}` that ends the {what}"));
        }
        Ok(true)
    }

    /// A key and its colon.
    fn key(&mut self) -> Read<EcoString> {
        self.skip_blanks();
        match self.peek() {
            Some(b'"') => {}
            None => return self.fail("the text ends inside a record"),
            Some(_) => return self.fail("a key must be a string in double quotes"),
        }
        let key = self.string()?;
        self.skip_blanks();
        if self.eat(b':') { Ok(key) } else { self.fail("expected `:` after the key") }
    }

    fn word(&mut self) -> Read<Value> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let known =
            [("null", Value::Null), ("true", Value::Bool(true)), ("false", Value::Bool(false))];
        for (word, value) in known {
            if rest.starts_with(word) {
                self.at += word.len();
                return Ok(value);
            }
        }
        self.fail("expected a value")
    }

    fn number(&mut self) -> Read<Number> {
        let start = self.at;
        self.eat(b'-');
        if !self.eat(b'0') && self.digits() == 0 {
            return self.fail("expected a digit");
        }
        let mut whole = true;
        if self.eat(b'.') {
            whole = false;
            if self.digits() == 0 {
                return self.fail("expected a digit after the point");
            }
        }
        if self.eat(b'e') || self.eat(b'E') {
            whole = false;
            if !self.eat(b'+') {
                self.eat(b'-');
            }
            if self.digits() == 0 {
                return self.fail("expected a digit in the exponent");
            }
        }
        let written = self.text.get(start..self.at).unwrap_or_default();
        if whole
            && written != "-0"
            && let Ok(n) = written.parse()
        {
            return Ok(Number::Int(n));
        }
        match written.parse::<f64>() {
            Ok(n) if n.is_finite() => Ok(Number::Float(n)),
            _ => self.fail("the number is out of range"),
        }
    }

    fn digits(&mut self) -> usize {
        let start = self.at;
        while self.peek().is_some_and(|b| b.is_ascii_digit()) {
            self.at += 1;
        }
        self.at - start
    }

    /// A string, the cursor being at its quote.
    fn string(&mut self) -> Read<EcoString> {
        self.at += 1;
        let mut read = EcoString::new();
        loop {
            let rest = self.text.get(self.at..).unwrap_or_default();
            let plain = rest.bytes().position(|b| matches!(b, b'"' | b'\\' | 0..=0x1f));
            let Some(plain) = plain else {
                self.at = self.text.len();
                return self.fail("the text ends inside a string");
            };
            read.push_str(rest.get(..plain).unwrap_or_default());
            self.at += plain;
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(read);
                }
                Some(b'\\') => read.push(self.escape()?),
                _ => return self.fail("a control character in a string must be escaped"),
            }
        }
    }

    fn escape(&mut self) -> Read<char> {
        self.at += 1;
        let c = match self.peek() {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.code_point(),
            None => return self.fail("the text ends inside a string"),
            Some(_) => return self.fail("no such escape in a string"),
        };
        self.at += 1;
        Ok(c)
    }

    /// `uXXXX`, or two of them for a character beyond the first 65,536.
    fn code_point(&mut self) -> Read<char> {
        let first = self.unit()?;
        if let Some(c) = char::from_u32(first) {
            return Ok(c);
        }
        let lead = first < 0xdc00;
        if lead && self.text.get(self.at..).is_some_and(|rest| rest.starts_with("\\u")) {
            self.at += 1;
            let second = self.unit()?;
            let trail = second.wrapping_sub(0xdc00);
            if trail < 0x400
                && let Some(c) = char::from_u32(0x10000 + ((first - 0xd800) << 10) + trail)
            {
                return Ok(c);
            }
        }
        self.fail("half of a surrogate pair in a string")
    }

    /// The four digits after a `u`.
    fn unit(&mut self) -> Read<u32> {
        let digits = self.text.get(self.at + 1..self.at + 5).unwrap_or_default();
        let hex = digits.len() == 4 && digits.bytes().all(|b| b.is_ascii_hexdigit());
        match u32::from_str_radix(digits, 16) {
            Ok(unit) if hex => {
                self.at += 5;
                Ok(unit)
            }
            _ => self.fail("expected four hexadecimal digits after `\\u`"),
        }
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    #[cold]
    fn fail<T>(&self, message: &str) -> Read<T> {
        let before = self.text.as_bytes().get(..self.at).unwrap_or_default();
        let line = before.iter().filter(|b| **b == b'\n').count() + 1;
        let column = before.iter().rev().take_while(|b| **b != b'\n').count() + 1;
        Err(JsonError { message: message.into(), line, column })
    }
}

#[cfg(test)]
mod tests {
    use super::super::to_json;
    use super::*;

    fn check(text: &str, expect: &str) {
        let got = match from_json(text) {
            Ok(value) => to_json(&value),
            Err(error) => error.to_string(),
        };
        assert_eq!(got, expect, "{text}");
    }

    #[test]
    fn values() {
        check(
            " { \"a\" : [ 1 , -2.50, 1e3, true ,false, null, {} ] , \"b\":[]} ",
            "{\"a\":[1,-2.5,1000,true,false,null,{}],\"b\":[]}",
        );
        check("{\"a\":1,\"b\":2,\"a\":3}", "{\"a\":3,\"b\":2}");
        check("\"\\u00e9\\ud83d\\ude00\\n\\/\"", "\"é😀\\n/\"");
        check("9223372036854775807", "9223372036854775807");
        check("9223372036854775808", "9.223372036854776e+18");
        check("-0", "-0");
    }

    #[test]
    fn streams() {
        let values = from_json_stream(" 1 [2]{}\n\"a\" ").unwrap();
        assert_eq!(to_json(&Value::List(values)), "[1,[2],{},\"a\"]");
        assert!(from_json_stream("1 [").is_err());
    }

    #[test]
    fn mistakes() {
        check("", "the text ends where a value is expected at line 1 column 1");
        check("[1,\n2", "the text ends inside a list at line 2 column 2");
        check("[1,]", "a `,` before the `]` that ends the list at line 1 column 4");
        check("[1 2]", "expected `,` or `]` at line 1 column 4");
        check("{a:1}", "a key must be a string in double quotes at line 1 column 2");
        check("{\"a\" 1}", "expected `:` after the key at line 1 column 6");
        check("{\"a\":1", "the text ends inside a record at line 1 column 7");
        check("1 2", "there is text after the value at line 1 column 3");
        check("01", "there is text after the value at line 1 column 2");
        check("1.", "expected a digit after the point at line 1 column 3");
        check("1e999", "the number is out of range at line 1 column 6");
        check("nul", "expected a value at line 1 column 1");
        check("\"a", "the text ends inside a string at line 1 column 3");
        check("\"a\nb\"", "a control character in a string must be escaped at line 1 column 3");
        check("\"\\x\"", "no such escape in a string at line 1 column 3");
        check("\"\\ud800\"", "half of a surrogate pair in a string at line 1 column 8");
        check("\"\\u12\"", "expected four hexadecimal digits after `\\u` at line 1 column 3");
        let deep = "[".repeat(MAX_NESTING + 1);
        check(&deep, "the value nests deeper than 1000 levels at line 1 column 1001");
    }
}
