//! The inside of `[[ … ]]`: tests joined by `!`, `&&`, `||` and parentheses.

use std::rc::Rc;

use super::word::{Place, bare};
use super::{Parse, Parser, is_meta};
use crate::syntax::{Compound, Condition, ConditionOp, Diagnostic, Span, Word};

/// Operators before one word.
const UNARY: [&str; 24] = [
    "a", "b", "c", "d", "e", "f", "g", "h", "k", "n", "o", "p", "r", "s", "t", "u", "v", "w", "x",
    "z", "L", "S", "list", "record",
];

impl Parser<'_> {
    /// The condition after `[[`, up to and with `]]`.
    #[inline(never)]
    pub(super) fn condition(&mut self, opening: Span) -> Parse<Compound> {
        let condition = self.or_condition(opening)?;
        self.skip_newlines();
        if !self.eat_keyword("]]") {
            return self.no_operator(opening);
        }
        Ok(Compound::Condition(Rc::new(condition)))
    }

    fn or_condition(&mut self, opening: Span) -> Parse<Condition> {
        let mut all = vec![self.and_condition(opening)?];
        while self.condition_operator("||") {
            all.push(self.and_condition(opening)?);
        }
        Ok(if all.len() == 1 { all.remove(0) } else { Condition::Or(all) })
    }

    fn and_condition(&mut self, opening: Span) -> Parse<Condition> {
        let mut all = vec![self.not_condition(opening)?];
        while self.condition_operator("&&") {
            all.push(self.not_condition(opening)?);
        }
        Ok(if all.len() == 1 { all.remove(0) } else { Condition::And(all) })
    }

    fn condition_operator(&mut self, operator: &str) -> bool {
        self.skip_newlines();
        self.eat(operator)
    }

    fn not_condition(&mut self, opening: Span) -> Parse<Condition> {
        let mut negated = false;
        loop {
            self.skip_newlines();
            if !self.eat_keyword("!") {
                break;
            }
            negated = !negated;
        }
        let test = if self.peek() == Some(b'(') {
            let start = self.at;
            self.at += 1;
            let inner = self.nested(|p| p.or_condition(opening))?;
            self.skip_newlines();
            if !self.eat(")") {
                if self.at >= self.bytes.len() {
                    return self
                        .unclosed(Span::new(start, start + 1), "this `(` is never closed by `)`");
                }
                return self.no_operator(opening);
            }
            inner
        } else {
            self.test(opening)?
        };
        Ok(if negated { Condition::Not(Box::new(test)) } else { test })
    }

    /// One test.
    #[inline(never)]
    fn test(&mut self, opening: Span) -> Parse<Condition> {
        let start = self.at;
        let left = self.operand_word(opening)?;
        self.skip_newlines();
        let unary = bare(&left)
            .and_then(|text| text.strip_prefix('-'))
            .filter(|name| UNARY.contains(name))
            .map(Into::into);
        if self.at_condition_end() {
            self.check_glued_operator(&left);
            return Ok(Condition::Word(left));
        }
        if let Some(name) = unary
            && !self.unary_is_text()
        {
            let word = self.operand_word(opening)?;
            return Ok(Condition::Unary(name, word, self.span_from(start)));
        }
        self.binary(left, start, opening)
    }

    /// Whether a word like a unary operator is compared: `[[ -f == $x ]]`.
    fn unary_is_text(&self) -> bool {
        let rest = self.rest();
        let end = rest.find([' ', '\t', '\n']).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        matches!(word, "==" | "=" | "!=" | "=~" | "!~") && !after.trim_start().starts_with("]]")
    }

    #[inline(never)]
    fn binary(&mut self, left: Word, start: usize, opening: Span) -> Parse<Condition> {
        let at = self.at;
        let word = self.operator_text();
        self.at += word.len();
        self.paint(at, crate::syntax::Kind::Operator);
        let op = match word {
            "in" | "not" => return self.membership(word == "not", left, start, opening),
            "==" | "=" => ConditionOp::Equal,
            "!=" => ConditionOp::NotEqual,
            "<" => ConditionOp::Less,
            ">" => ConditionOp::Greater,
            "=~" => ConditionOp::Match,
            "!~" => ConditionOp::NotMatch,
            "-eq" => ConditionOp::NumEqual,
            "-ne" => ConditionOp::NumNotEqual,
            "-lt" => ConditionOp::NumLess,
            "-le" => ConditionOp::NumLessEqual,
            "-gt" => ConditionOp::NumGreater,
            "-ge" => ConditionOp::NumGreaterEqual,
            "-nt" => ConditionOp::Newer,
            "-ot" => ConditionOp::Older,
            "-ef" => ConditionOp::SameFile,
            _ => {
                self.at = at;
                return self.no_test(&left, opening);
            }
        };
        let place = match op {
            ConditionOp::Equal | ConditionOp::NotEqual => Place::Pattern,
            ConditionOp::Match | ConditionOp::NotMatch => Place::Regex,
            _ => Place::Condition,
        };
        self.skip_blanks();
        let right = self.test_word(place, opening)?;
        Ok(Condition::Binary(op, left, right, self.span_from(start)))
    }

    /// `in COLLECTION`, `not in COLLECTION`
    fn membership(
        &mut self,
        negated: bool,
        left: Word,
        start: usize,
        opening: Span,
    ) -> Parse<Condition> {
        if negated {
            self.skip_blanks();
            if !self.eat_keyword("in") {
                return self.no_operator(opening);
            }
        }
        self.skip_blanks();
        if self.at_condition_end() {
            return self.no_operand(opening);
        }
        let right = self.value(Place::Condition, false)?;
        Ok(Condition::In { negated, left, right, span: self.span_from(start) })
    }

    /// The operator at the cursor: a word, or `<` and `>`, which need no blanks.
    fn operator_text(&self) -> &'static str {
        if self.peek_at(1) == Some(b'=') && matches!(self.peek(), Some(b'<' | b'>')) {
            return "";
        }
        for operator in ["<", ">"] {
            if self.sees(operator) {
                return operator;
            }
        }
        let word = self.peek_bare();
        [
            "==", "=", "!=", "=~", "!~", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot",
            "-ef", "in", "not",
        ]
        .into_iter()
        .find(|operator| *operator == word)
        .unwrap_or("")
    }

    fn at_condition_end(&self) -> bool {
        self.at >= self.bytes.len()
            || self.peek() == Some(b')')
            || self.sees("&&")
            || self.sees("||")
            || self.peek_bare() == "]]"
    }

    fn operand_word(&mut self, opening: Span) -> Parse<Word> {
        self.test_word(Place::Condition, opening)
    }

    fn test_word(&mut self, place: Place, opening: Span) -> Parse<Word> {
        self.skip_newlines();
        let end = self.at_condition_end() && (place != Place::Regex || self.peek() != Some(b')'));
        let word = if end { Word::default() } else { self.word(place)? };
        if word.parts.is_empty() {
            return self.no_operand(opening);
        }
        Ok(word)
    }

    fn no_operand<T>(&mut self, opening: Span) -> Parse<T> {
        if self.at >= self.bytes.len() {
            return self.unclosed(opening, "this `[[` is never closed by `]]`");
        }
        let message = format!("expected a word to test, found {}", self.here());
        self.fail(Diagnostic::syntax(self.here_span(), message))
    }

    /// Two words without an operator between them.
    fn no_test<T>(&mut self, left: &Word, opening: Span) -> Parse<T> {
        if let Some(name) = bare(left).filter(|name| name.starts_with('-')) {
            let message = format!("`{name}` is no test");
            let fix = "-e file, -f file, -d directory, -z text, -n text, -v name, -list, -record";
            return self.fail(Diagnostic::syntax(left.span, message).with_fix(fix));
        }
        self.no_operator(opening)
    }

    /// Something else stands where an operator or the end of the condition must.
    fn no_operator<T>(&mut self, opening: Span) -> Parse<T> {
        let read = self.slice(opening.end as usize, self.at).trim_end();
        if read.ends_with("]]") && read.len() > 2 {
            let end =
                opening.end as usize + self.slice(opening.end as usize, self.at).trim_end().len();
            let span = Span::new(end - 2, end);
            let message = "`]]` must be a word of its own to close the `[[`";
            return self
                .fail(Diagnostic::syntax(span, message).with_fix("set a blank before `]]`"));
        }
        if self.at >= self.bytes.len() {
            return self.unclosed(opening, "this `[[` is never closed by `]]`");
        }
        let message = format!("expected an operator or `]]`, found {}", self.here());
        let token = if self.sees("<=") || self.sees(">=") {
            self.slice(self.at, self.at + 2)
        } else {
            self.here_token()
        };
        let fix = match token {
            ";" | ";;" => Some("close the condition with `]]` before it"),
            "-a" => Some("&& joins conditions"),
            "-o" | "or" => Some("|| joins conditions"),
            "and" => Some("&& joins conditions"),
            "<=" | "=<" => Some("-le compares numbers"),
            ">=" | "=>" => Some("-ge compares numbers"),
            "===" => Some("== compares texts, -eq numbers"),
            "&" => Some("&& joins conditions"),
            "|" => Some("|| joins conditions"),
            _ if token.ends_with("]]") => Some("set a blank before `]]`"),
            _ if token.starts_with("==") || token.starts_with('=') => {
                Some("set blanks around the operator")
            }
            _ if !token.as_bytes().first().is_some_and(|b| is_meta(*b)) => {
                Some("quote text of several words")
            }
            _ => None,
        };
        let diagnostic = Diagnostic::syntax(self.here_span(), message);
        self.fail(match fix {
            Some(fix) => diagnostic.with_fix(fix),
            None => diagnostic,
        })
    }
}
