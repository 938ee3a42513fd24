//! The text of a program in, one token after another out.

/// A token.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Number(String),
    Name(String),
    Text(String),
    /// An operator or a sign.
    Sign(&'static str),
    Newline,
    End,
    /// A character that means nothing.
    Stray(char),
}

/// Signs; of those that begin alike, the longer first.
const SIGNS: &[&str] = &[
    "&&", "||", "==", "!=", "<=", ">=", "++", "--", "+=", "-=", "*=", "/=", "%=", "^=", "+", "-",
    "*", "/", "%", "^", "=", "<", ">", "!", "(", ")", "[", "]", "{", "}", ",", ";",
];

/// The text that is left, and the line it begins in.
#[derive(Clone)]
pub(super) struct Lexer<'t> {
    rest: &'t str,
    pub(super) line: usize,
}

impl<'t> Lexer<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { rest: text, line: 1 }
    }

    fn skip(&mut self, count: usize) -> &'t str {
        let (taken, rest) = self.rest.split_at_checked(count).unwrap_or((self.rest, ""));
        self.rest = rest;
        self.line += taken.matches('\n').count();
        taken
    }

    /// Drops the rest of a line.
    pub(super) fn skip_line(&mut self) {
        let end = self.rest.find('\n').map_or(self.rest.len(), |at| at + 1);
        self.skip(end);
    }

    fn skip_blanks(&mut self) {
        loop {
            let rest = self.rest;
            if let Some(comment) = rest.strip_prefix("/*") {
                let end = comment.find("*/").map_or(rest.len(), |at| at + 4);
                self.skip(end);
            } else if rest.starts_with('#') {
                let end = rest.find('\n').unwrap_or(rest.len());
                self.skip(end);
            } else if rest.starts_with("\\\n") {
                self.skip(2);
            } else if rest.starts_with([' ', '\t', '\r', '\x0c']) {
                self.skip(1);
            } else {
                return;
            }
        }
    }

    pub(super) fn next(&mut self) -> Token {
        self.skip_blanks();
        let Some(first) = self.rest.chars().next() else { return Token::End };
        if first == '\n' {
            self.skip(1);
            return Token::Newline;
        }
        if let Some(text) = self.rest.strip_prefix('"') {
            let end = text.find('"').unwrap_or(text.len());
            let text = self.skip(end + 2);
            return Token::Text(text.trim_matches('"').to_owned());
        }
        if first.is_ascii_lowercase() {
            let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
            let end = self.rest.find(|c| !is_name(c)).unwrap_or(self.rest.len());
            return Token::Name(self.skip(end).to_owned());
        }
        if first.is_ascii_digit() || matches!(first, 'A'..='F' | '.') {
            return self.number();
        }
        for sign in SIGNS {
            if self.rest.starts_with(sign) {
                self.skip(sign.len());
                return Token::Sign(sign);
            }
        }
        self.skip(first.len_utf8());
        Token::Stray(first)
    }

    fn number(&mut self) -> Token {
        let mut digits = String::new();
        let mut has_point = false;
        loop {
            if self.rest.starts_with("\\\n") {
                self.skip(2);
                continue;
            }
            match self.rest.chars().next() {
                Some('.') if !has_point => has_point = true,
                Some('0'..='9' | 'A'..='F') => {}
                _ => break,
            }
            digits.push_str(self.skip(1));
        }
        // A lone point is what was printed last.
        if digits == "." { Token::Name("last".into()) } else { Token::Number(digits) }
    }
}
