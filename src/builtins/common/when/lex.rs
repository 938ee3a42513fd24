//! The text of a date in; its words, numbers and signs out.

/// A token: words in lower case without dots, numbers with the sign glued on.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Word(String),
    Number { value: i64, digits: usize, signed: bool, nanos: Option<u32> },
    Punct(char),
}

pub(super) fn lex(text: &str) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(c) = rest.chars().next() {
        let after = rest.get(c.len_utf8()..).unwrap_or_default();
        let unsigned = after.trim_start();
        if c.is_ascii_digit() {
            rest = lex_number(rest, None, &mut tokens)?;
        } else if matches!(c, '+' | '-') && unsigned.starts_with(|c: char| c.is_ascii_digit()) {
            rest = lex_number(unsigned, Some(c), &mut tokens)?;
        } else if c == '-' {
            rest = after;
        } else if c.is_ascii_alphabetic() {
            let end = rest.find(|c: char| !c.is_ascii_alphabetic() && c != '.');
            let (word, tail) = rest.split_at_checked(end.unwrap_or(rest.len()))?;
            tokens.push(Token::Word(word.replace('.', "").to_ascii_lowercase()));
            rest = tail;
        } else if c == '(' {
            rest = rest.split_once(')')?.1;
        } else {
            tokens.push(Token::Punct(c));
            rest = after;
        }
        rest = rest.trim_start();
    }
    Some(tokens)
}

fn lex_number<'t>(text: &'t str, sign: Option<char>, tokens: &mut Vec<Token>) -> Option<&'t str> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, mut rest) = text.split_at_checked(end)?;
    let value: i64 = digits.parse().ok()?;
    let value = if sign == Some('-') { -value } else { value };
    let mut nanos = None;
    if let Some(after) = rest.strip_prefix(['.', ',']) {
        let end = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
        let (fraction, tail) = after.split_at_checked(end)?;
        if let Some(parsed) = parse_fraction(fraction) {
            nanos = Some(parsed);
            rest = tail;
        }
    }
    tokens.push(Token::Number { value, digits: digits.len(), signed: sign.is_some(), nanos });
    Some(rest)
}

pub(super) fn parse_fraction(digits: &str) -> Option<u32> {
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    format!("{digits:0<9}").get(..9)?.parse().ok()
}
