//! Evaluation while the words are read, by precedence; nesting is limited.

use crate::pattern::{Dialect, Regex, Syntax};
use crate::value::EcoString;

/// Most parentheses within each other.
const MAX_DEPTH: usize = 200;

/// Why there is no result.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Failure(pub(super) String);

/// A value: a number where it was computed, else text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Operand {
    Number(i128),
    Text(EcoString),
}

impl Operand {
    /// The text of the value.
    pub(super) fn text(&self) -> EcoString {
        match self {
            Self::Number(number) => EcoString::from(number.to_string()),
            Self::Text(text) => text.clone(),
        }
    }

    /// Whether it is empty or zero.
    pub(super) fn is_false(&self) -> bool {
        match self {
            Self::Number(number) => *number == 0,
            Self::Text(text) => {
                let digits = text.strip_prefix('-').unwrap_or(text);
                text.is_empty() || (!digits.is_empty() && digits.bytes().all(|byte| byte == b'0'))
            }
        }
    }

    fn number(&self) -> Option<i128> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Text(text) => {
                let digits = text.strip_prefix('-').unwrap_or(text);
                let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
                if is_number { text.parse().ok() } else { None }
            }
        }
    }
}

struct Parser<'w> {
    words: &'w [EcoString],
    at: usize,
    depth: usize,
}

type Evaluated = Result<Operand, Failure>;

/// Evaluates a whole expression.
pub(super) fn evaluate(words: &[EcoString]) -> Evaluated {
    let mut parser = Parser { words, at: 0, depth: 0 };
    let result = parser.or(true)?;
    match parser.peek() {
        None => Ok(result),
        Some(word) => Err(Failure(format!("syntax error: unexpected argument '{word}'"))),
    }
}

impl Parser<'_> {
    fn peek(&self) -> Option<&str> {
        self.words.get(self.at).map(EcoString::as_str)
    }

    /// Takes the next word where it is one of these.
    fn accept<'o>(&mut self, operators: &[&'o str]) -> Option<&'o str> {
        let word = self.peek()?;
        let found = operators.iter().copied().find(|operator| *operator == word)?;
        self.at += 1;
        Some(found)
    }

    /// `|`; where `live` is off, operands are only read.
    fn or(&mut self, live: bool) -> Evaluated {
        let mut left = self.and(live)?;
        while self.accept(&["|"]).is_some() {
            let keeps = !left.is_false();
            let right = self.and(live && !keeps)?;
            if !keeps {
                left = if right.is_false() { Operand::Number(0) } else { right };
            }
        }
        Ok(left)
    }

    fn and(&mut self, live: bool) -> Evaluated {
        let mut left = self.compare(live)?;
        while self.accept(&["&"]).is_some() {
            let right = self.compare(live && !left.is_false())?;
            if left.is_false() || right.is_false() {
                left = Operand::Number(0);
            }
        }
        Ok(left)
    }

    fn compare(&mut self, live: bool) -> Evaluated {
        let mut left = self.sum(live)?;
        while let Some(operator) = self.accept(&["<", "<=", "=", "==", "!=", ">=", ">"]) {
            let right = self.sum(live)?;
            let order = match (left.number(), right.number()) {
                (Some(a), Some(b)) => a.cmp(&b),
                _ => left.text().cmp(&right.text()),
            };
            let holds = match operator {
                "<" => order.is_lt(),
                "<=" => order.is_le(),
                "!=" => order.is_ne(),
                ">=" => order.is_ge(),
                ">" => order.is_gt(),
                _ => order.is_eq(),
            };
            left = Operand::Number(i128::from(holds));
        }
        Ok(left)
    }

    fn sum(&mut self, live: bool) -> Evaluated {
        let mut left = self.product(live)?;
        while let Some(operator) = self.accept(&["+", "-"]) {
            let right = self.product(live)?;
            left = calculate(operator, &left, &right, live)?;
        }
        Ok(left)
    }

    fn product(&mut self, live: bool) -> Evaluated {
        let mut left = self.matching(live)?;
        while let Some(operator) = self.accept(&["*", "/", "%"]) {
            let right = self.matching(live)?;
            left = calculate(operator, &left, &right, live)?;
        }
        Ok(left)
    }

    fn matching(&mut self, live: bool) -> Evaluated {
        let mut left = self.function(live)?;
        while self.accept(&[":"]).is_some() {
            let right = self.function(live)?;
            if live {
                left = match_regex(&left.text(), &right.text())?;
            }
        }
        Ok(left)
    }

    fn function(&mut self, live: bool) -> Evaluated {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Failure(format!("expression is nested deeper than {MAX_DEPTH}")));
        }
        let result = match self.accept(&["+", "length", "match", "index", "substr"]) {
            Some("+") => self.word().map(Operand::Text),
            Some("length") => {
                let text = self.function(live)?.text();
                Ok(count(text.chars().count()))
            }
            Some("match") => {
                let (text, regex) = (self.function(live)?.text(), self.function(live)?.text());
                if live { match_regex(&text, &regex) } else { Ok(Operand::Number(0)) }
            }
            Some("index") => {
                let (text, set) = (self.function(live)?.text(), self.function(live)?.text());
                let found = text.chars().position(|c| set.contains(c));
                Ok(count(found.map_or(0, |at| at + 1)))
            }
            Some(_) => {
                let text = self.function(live)?.text();
                let (from, length) = (self.function(live)?.number(), self.function(live)?.number());
                Ok(Operand::Text(substring(&text, from, length)))
            }
            None => self.primary(live),
        };
        self.depth -= 1;
        result
    }

    fn word(&mut self) -> Result<EcoString, Failure> {
        let Some(word) = self.words.get(self.at) else { return Err(self.missing()) };
        self.at += 1;
        Ok(word.clone())
    }

    fn missing(&self) -> Failure {
        match self.at.checked_sub(1).and_then(|at| self.words.get(at)) {
            Some(word) => Failure(format!("syntax error: missing argument after '{word}'")),
            None => Failure("syntax error: missing argument".into()),
        }
    }

    fn primary(&mut self, live: bool) -> Evaluated {
        if self.accept(&["("]).is_some() {
            let inner = self.or(live)?;
            if self.accept(&[")"]).is_none() {
                let before = self.at.checked_sub(1).and_then(|at| self.words.get(at));
                let message = match (self.peek(), before) {
                    (Some(word), _) => format!("syntax error: expecting ')' instead of '{word}'"),
                    (None, Some(word)) => format!("syntax error: expecting ')' after '{word}'"),
                    (None, None) => "syntax error: expecting ')'".into(),
                };
                return Err(Failure(message));
            }
            return Ok(inner);
        }
        if self.peek() == Some(")") {
            return Err(Failure("syntax error: unexpected ')'".into()));
        }
        self.word().map(Operand::Text)
    }
}

fn count(number: usize) -> Operand {
    Operand::Number(i128::try_from(number).unwrap_or(i128::MAX))
}

fn calculate(operator: &str, left: &Operand, right: &Operand, live: bool) -> Evaluated {
    if !live {
        return Ok(Operand::Number(0));
    }
    let (Some(a), Some(b)) = (left.number(), right.number()) else {
        return Err(Failure("non-integer argument".into()));
    };
    if b == 0 && matches!(operator, "/" | "%") {
        return Err(Failure("division by zero".into()));
    }
    let result = match operator {
        "+" => a.checked_add(b),
        "-" => a.checked_sub(b),
        "*" => a.checked_mul(b),
        "/" => a.checked_div(b),
        _ => a.checked_rem(b),
    };
    result.map(Operand::Number).ok_or_else(|| Failure("number is out of range".into()))
}

/// Characters from 1-based `from` on; empty where that makes no sense.
fn substring(text: &str, from: Option<i128>, length: Option<i128>) -> EcoString {
    let from = from.and_then(|from| usize::try_from(from).ok()).filter(|from| *from > 0);
    let length = length.and_then(|length| usize::try_from(length).ok());
    match (from, length) {
        (Some(from), Some(length)) => text.chars().skip(from - 1).take(length).collect(),
        _ => EcoString::new(),
    }
}

/// What the first group matches at the beginning of a text, or the length of the match.
fn match_regex(text: &str, pattern: &str) -> Evaluated {
    let regex = Regex::new(pattern, Syntax::new(Dialect::Basic))
        .map_err(|error| Failure(error.to_string()))?;
    let mut groups = Vec::new();
    // A match at the beginning is the leftmost there can be.
    let found = regex.captures_at(text, 0, &mut groups);
    let whole = groups.first().copied().flatten().filter(|span| found && span.0 == 0);
    if regex.groups() > 0 {
        let group = whole.and_then(|_| groups.get(1).copied().flatten());
        let inner = group.and_then(|(start, end)| text.get(start..end)).unwrap_or_default();
        return Ok(Operand::Text(inner.into()));
    }
    let matched = whole.and_then(|(start, end)| text.get(start..end)).unwrap_or_default();
    Ok(count(matched.chars().count()))
}
