//! The text of a program in, its tokens with their lines out.

use crate::value::EcoString;

/// A token.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Newline,
    Number(f64),
    Text(Vec<u8>),
    Regex(EcoString),
    Name(EcoString),
    /// A name with `(` right after it.
    Call(EcoString),
    /// A function of the language.
    Builtin(&'static str),
    /// A reserved word.
    Word(&'static str),
    /// An operator or other mark.
    Mark(&'static str),
    End,
}

/// Tokens with the line each stands on.
pub(super) type Tokens = Vec<(Token, u32)>;

const WORDS: [&str; 23] = [
    "BEGIN", "END", "function", "func", "if", "else", "while", "for", "do", "break", "continue",
    "next", "nextfile", "exit", "return", "delete", "in", "getline", "print", "printf", "switch",
    "case", "default",
];

/// Functions of the language; those after `length` need parentheses.
pub(super) const BUILTINS: [&str; 35] = [
    "length", "substr", "index", "split", "sub", "gsub", "gensub", "match", "sprintf", "sin",
    "cos", "atan2", "exp", "log", "sqrt", "int", "rand", "srand", "tolower", "toupper", "system",
    "close", "fflush", "systime", "strftime", "mktime", "strtonum", "and", "or", "xor", "lshift",
    "rshift", "compl", "asort", "asorti",
];

const MARKS: [&str; 46] = [
    "**=", "&&", "||", "**", "+=", "-=", "*=", "/=", "%=", "^=", "==", "<=", ">=", "!=", "++",
    "--", ">>", "!~", "|&", "{", "}", "(", ")", "[", "]", ";", ",", "+", "-", "*", "/", "%", "^",
    "!", ">", "<", "|", "?", ":", "~", "$", "=", "@", "&", "\\", "'",
];

struct Lexer<'a> {
    text: &'a [u8],
    at: usize,
    line: u32,
    tokens: Tokens,
}

/// Splits a program; the error is a message with its line.
pub(super) fn lex(text: &[u8]) -> Result<Tokens, (String, u32)> {
    let mut lexer = Lexer { text, at: 0, line: 1, tokens: Vec::new() };
    while let Some(byte) = lexer.peek(0) {
        let line = lexer.line;
        if let Some(token) = lexer.token(byte).map_err(|message| (message, line))? {
            lexer.tokens.push((token, line));
        }
    }
    lexer.tokens.push((Token::Newline, lexer.line));
    lexer.tokens.push((Token::End, lexer.line));
    Ok(lexer.tokens)
}

impl Lexer<'_> {
    fn peek(&self, ahead: usize) -> Option<u8> {
        self.text.get(self.at + ahead).copied()
    }

    fn token(&mut self, byte: u8) -> Result<Option<Token>, String> {
        match byte {
            b' ' | b'\t' | b'\r' => {
                self.at += 1;
                Ok(None)
            }
            b'\n' => {
                self.at += 1;
                self.line += 1;
                Ok(Some(Token::Newline))
            }
            b'#' => {
                let rest = self.text.get(self.at..).unwrap_or_default();
                self.at += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                Ok(None)
            }
            b'\\' if matches!(self.peek(1), Some(b'\n')) => self.continuation(2),
            b'\\' if self.peek(1) == Some(b'\r') && self.peek(2) == Some(b'\n') => {
                self.continuation(3)
            }
            b'"' => self.string().map(Some),
            b'/' if self.regex_may_follow() => self.regex().map(Some),
            b'0'..=b'9' => Ok(Some(self.number())),
            b'.' if self.peek(1).is_some_and(|next| next.is_ascii_digit()) => {
                Ok(Some(self.number()))
            }
            b'A'..=b'Z' | b'a'..=b'z' | b'_' => Ok(Some(self.name())),
            _ => self.mark().map(Some),
        }
    }

    fn continuation(&mut self, length: usize) -> Result<Option<Token>, String> {
        self.at += length;
        self.line += 1;
        Ok(None)
    }

    /// A slash after an operand divides; elsewhere it opens a regular expression.
    fn regex_may_follow(&self) -> bool {
        !matches!(
            self.tokens.last(),
            Some((
                Token::Number(_)
                    | Token::Text(_)
                    | Token::Regex(_)
                    | Token::Name(_)
                    | Token::Builtin(_)
                    | Token::Mark(")" | "]" | "$" | "++" | "--"),
                _
            ))
        )
    }

    fn string(&mut self) -> Result<Token, String> {
        self.at += 1;
        let mut text = Vec::new();
        loop {
            match self.peek(0) {
                None => return Err("unterminated string".into()),
                Some(b'"') => break,
                Some(b'\\') => {
                    let rest = self.text.get(self.at + 1..).unwrap_or_default();
                    let used = push_escape(&mut text, rest);
                    self.line += u32::from(rest.first() == Some(&b'\n'));
                    self.at += 1 + used;
                    continue;
                }
                Some(byte) => {
                    self.line += u32::from(byte == b'\n');
                    text.push(byte);
                }
            }
            self.at += 1;
        }
        self.at += 1;
        Ok(Token::Text(text))
    }

    fn regex(&mut self) -> Result<Token, String> {
        self.at += 1;
        let mut text = Vec::new();
        let mut bracket = 0usize;
        loop {
            match self.peek(0) {
                None | Some(b'\n') => return Err("unterminated regexp".into()),
                Some(b'/') if bracket == 0 => break,
                Some(b'\\') => {
                    if self.peek(1) != Some(b'/') {
                        text.push(b'\\');
                    }
                    text.extend(self.peek(1));
                    self.at += 1;
                }
                Some(b'[') if bracket == 0 => {
                    // A first `]`, after a `^` too, stands for itself.
                    bracket = 1;
                    text.push(b'[');
                    for mark in [b'^', b']'] {
                        if self.peek(1) == Some(mark) {
                            text.push(mark);
                            self.at += 1;
                        }
                    }
                }
                Some(byte) => {
                    let opens = bracket > 0 && byte == b'[' && self.peek(1) == Some(b':');
                    bracket += usize::from(opens);
                    bracket -= usize::from(byte == b']' && bracket > 0);
                    text.push(byte);
                }
            }
            self.at += 1;
        }
        self.at += 1;
        Ok(Token::Regex(String::from_utf8_lossy(&text).as_ref().into()))
    }

    fn number(&mut self) -> Token {
        let rest = self.text.get(self.at..).unwrap_or_default();
        if let [b'0', b'x' | b'X', digits @ ..] = rest {
            let length = digits.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
            if length > 0 {
                self.at += 2 + length;
                return Token::Number(super::builtin::digits(digits, length, 16));
            }
        }
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let octal = rest.first() == Some(&b'0')
            && digits > 1
            && rest.iter().take(digits).all(|byte| *byte < b'8')
            && !matches!(rest.get(digits), Some(b'.' | b'e' | b'E'));
        if octal {
            self.at += digits;
            return Token::Number(super::builtin::digits(rest, digits, 8));
        }
        let (value, length) = crate::value::read_decimal(rest);
        self.at += length.max(1);
        Token::Number(value)
    }

    fn name(&mut self) -> Token {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let length =
            rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
        let name = rest.get(..length).and_then(|name| std::str::from_utf8(name).ok());
        let name = name.unwrap_or_default();
        self.at += length;
        if let Some(word) = WORDS.iter().find(|word| **word == name) {
            return Token::Word(if *word == "func" { "function" } else { word });
        }
        if let Some(builtin) = BUILTINS.iter().find(|builtin| **builtin == name) {
            return Token::Builtin(builtin);
        }
        if self.peek(0) == Some(b'(') { Token::Call(name.into()) } else { Token::Name(name.into()) }
    }

    fn mark(&mut self) -> Result<Token, String> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let Some(mark) = MARKS.iter().find(|mark| rest.starts_with(mark.as_bytes())) else {
            let first = crate::value::first_chars(rest, 1);
            return Err(format!("syntax error at '{}'", String::from_utf8_lossy(first)));
        };
        self.at += mark.len();
        Ok(Token::Mark(match *mark {
            "**" => "^",
            "**=" => "^=",
            other => other,
        }))
    }
}

/// Appends what an escape in a string means, by the text after its backslash; answers its length.
fn push_escape(out: &mut Vec<u8>, rest: &[u8]) -> usize {
    let Some(&letter) = rest.first() else {
        out.push(b'\\');
        return 0;
    };
    let radix = |most: usize, radix: u32| {
        let digits = rest.iter().skip(usize::from(radix == 16)).take(most);
        digits.take_while(|byte| char::from(**byte).is_digit(radix)).count()
    };
    out.push(match letter {
        b'\n' => return 1,
        b'n' => b'\n',
        b't' => b'\t',
        b'r' => b'\r',
        b'a' => 7,
        b'b' => 8,
        b'f' => 12,
        b'v' => 11,
        b'"' | b'\\' | b'/' => letter,
        b'0'..=b'7' => {
            let count = radix(3, 8);
            let value = rest.iter().take(count).fold(0u32, |n, byte| n * 8 + u32::from(byte - 48));
            out.push((value & 0xff) as u8);
            return count;
        }
        b'x' if radix(2, 16) > 0 => {
            let count = radix(2, 16);
            let digits = rest.get(1..=count).and_then(|text| std::str::from_utf8(text).ok());
            out.push(digits.and_then(|text| u8::from_str_radix(text, 16).ok()).unwrap_or(0));
            return count + 1;
        }
        other => other,
    });
    1
}

/// The text of a command-line assignment with its escapes replaced.
pub(super) fn unescape(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = memchr::memchr(b'\\', rest) {
        out.extend_from_slice(rest.get(..at).unwrap_or_default());
        let after = rest.get(at + 1..).unwrap_or_default();
        let used = push_escape(&mut out, after);
        rest = after.get(used..).unwrap_or_default();
    }
    out.extend_from_slice(rest);
    out
}
