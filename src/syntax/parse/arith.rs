//! Arithmetic: `$((…))`, `((…))`, subscripts and slice bounds, read as tokens into postfix code.

use super::arith_code::{Builder, infix, magnitude};
use super::name::{name_length, normalise};
use super::parameter::BLANK;
use super::word::Parts;
use super::{Parse, Parser, Stop};
use crate::syntax::{
    ArithCode, ArithOp, ArithPlace, ArithSubscript, Diagnostic, Part, Span, UnaryOp, Word,
    WordTraits,
};
use crate::value::EcoString;

/// What ends an expression; it is not read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// `))`
    Parens,
    /// `;` or `))` in the head of a `for`.
    Header,
    /// `]`
    Bracket,
    /// `:` or `]`
    Slice,
    /// `:` or `}`
    Substring,
    /// The end of the text.
    Text,
}

/// An expression being read.
struct Reading {
    end: End,
    builder: Builder,
    error: Option<EcoString>,
    /// Whether an error that is already reported ended it, so that its text reaches too far.
    stopped: bool,
    /// Open brackets while the rest of a wrong expression is skipped.
    brackets: usize,
    /// The expansions read so far, for the keys of subscripts.
    parts: Vec<(Span, Part)>,
}

/// Why an expression cannot be read further.
enum Wrong {
    /// It is no expression; the rest is skipped.
    Expression(EcoString),
    /// The statement is given up.
    Stop,
}

impl From<&'static str> for Wrong {
    fn from(message: &'static str) -> Self {
        Self::Expression(message.into())
    }
}

impl From<EcoString> for Wrong {
    fn from(message: EcoString) -> Self {
        Self::Expression(message)
    }
}

impl From<Stop> for Wrong {
    fn from(_: Stop) -> Self {
        Self::Stop
    }
}

impl Parser<'_> {
    /// Reads an expression up to its end. What is no expression gives code with an error.
    pub(super) fn arithmetic(&mut self, end: End) -> ArithCode {
        let code = self.expression(end).0;
        if let Some(error) = &code.error
            && end != End::Text
        {
            self.report(Diagnostic::warning("syntax", code.span, error.as_str()));
        }
        code
    }

    fn expression(&mut self, end: End) -> (ArithCode, Vec<(Span, Part)>) {
        let start = self.at;
        let substitutions = self.substitutions;
        let mut reading = Reading {
            end,
            builder: Builder::default(),
            error: None,
            stopped: false,
            brackets: 0,
            parts: Vec::new(),
        };
        while self.arithmetic_token(&mut reading) {}
        let error = match reading.error {
            None => reading.builder.finish().err().map(EcoString::from),
            error => error,
        };
        let ops = if error.is_some() { Vec::new() } else { reading.builder.ops };
        let written = if reading.stopped { "" } else { self.slice(start, self.at) };
        let code = ArithCode {
            ops,
            text: written.into(),
            span: self.span_from(start),
            runs: self.substitutions != substitutions,
            error,
        };
        (code, reading.parts)
    }

    /// Reads one token; false at the end.
    fn arithmetic_token(&mut self, reading: &mut Reading) -> bool {
        self.skip_arithmetic_blanks();
        let Some(b) = self.peek() else { return false };
        if self.at_arithmetic_end(b, reading) {
            return false;
        }
        let result = if reading.error.is_some() {
            self.skip_token(b, reading)
        } else if reading.builder.wants_operand() {
            self.operand_token(b, reading)
        } else {
            self.operator_token(b, reading)
        };
        match result {
            Ok(()) => true,
            Err(Wrong::Expression(message)) => {
                reading.error.get_or_insert(message);
                true
            }
            Err(Wrong::Stop) => {
                reading.error.get_or_insert_with(|| "not an expression".into());
                reading.stopped = true;
                self.at = self.bytes.len();
                false
            }
        }
    }

    fn skip_arithmetic_blanks(&mut self) {
        while let Some(b) = self.peek() {
            match b {
                b' ' | b'\t' | b'\n' | b'\r' => self.at += 1,
                b'\\' if self.line_end_at(self.at + 1) > 0 => {
                    self.at += 1 + self.line_end_at(self.at + 1);
                }
                _ => break,
            }
        }
    }

    fn at_arithmetic_end(&self, b: u8, reading: &Reading) -> bool {
        let outside = reading.builder.parens == 0;
        match reading.end {
            End::Parens => b == b')' && outside,
            End::Header => matches!(b, b')' | b';') && outside,
            End::Bracket => b == b']' && reading.brackets == 0,
            End::Slice if b == b']' => reading.brackets == 0,
            End::Substring if b == b'}' => true,
            End::Slice | End::Substring => b == b':' && outside && reading.builder.questions == 0,
            End::Text => false,
        }
    }

    /// Skips a token of what is no expression.
    fn skip_token(&mut self, b: u8, reading: &mut Reading) -> Result<(), Wrong> {
        match b {
            b'(' => reading.builder.parens += 1,
            b')' => reading.builder.parens = reading.builder.parens.saturating_sub(1),
            b'[' => reading.brackets += 1,
            b']' => reading.brackets = reading.brackets.saturating_sub(1),
            b'?' => reading.builder.questions += 1,
            b':' => reading.builder.questions = reading.builder.questions.saturating_sub(1),
            b'\'' | b'"' | b'$' | b'`' => {
                self.expansion(b, reading)?;
                return Ok(());
            }
            b'\\' => self.at += 1,
            _ => {}
        }
        self.at += self.peek_char().map_or(0, char::len_utf8);
        Ok(())
    }

    /// A quoted text or an expansion; `None` for a `$` that begins none.
    fn expansion(&mut self, b: u8, reading: &mut Reading) -> Parse<Option<Part>> {
        let start = self.at;
        let part = match b {
            b'\'' => Some(Part::Quoted(self.single_quoted()?.into())),
            b'"' => Some(Part::DoubleQuoted(self.double_quoted()?)),
            b'`' => {
                self.backtick();
                None
            }
            _ => self.dollar(false)?,
        };
        if let Some(part) = &part {
            reading.parts.push((self.span_from(start), part.clone()));
        }
        Ok(part)
    }

    fn operand_token(&mut self, b: u8, reading: &mut Reading) -> Result<(), Wrong> {
        let unary = match b {
            b'-' | b'+' if self.peek_at(1) == Some(b) => {
                if self.step_before(b, reading)? {
                    return Ok(());
                }
                if b == b'-' { UnaryOp::Negate } else { UnaryOp::Plus }
            }
            b'-' => UnaryOp::Negate,
            b'+' => UnaryOp::Plus,
            b'!' => UnaryOp::Not,
            b'~' => UnaryOp::Complement,
            b'(' => {
                self.at += 1;
                reading.builder.open();
                return Ok(());
            }
            _ => return self.operand_run(b, reading),
        };
        self.at += 1;
        reading.builder.unary(unary);
        Ok(())
    }

    /// `++i`; false where the signs are two unary operators.
    fn step_before(&mut self, b: u8, reading: &mut Reading) -> Result<bool, Wrong> {
        let start = self.at;
        self.at += 2;
        self.skip_arithmetic_blanks();
        if name_length(self.rest()) == 0 {
            self.at = start;
            return Ok(false);
        }
        let place = self.place(reading)?;
        let by = if b == b'+' { 1 } else { -1 };
        reading.builder.operand(ArithOp::Step { place, by, prefix: true });
        Ok(true)
    }

    /// A number, a variable, an expansion, or several of them glued: `10#$x`.
    fn operand_run(&mut self, b: u8, reading: &mut Reading) -> Result<(), Wrong> {
        let start = self.at;
        let digits = b.is_ascii_digit();
        let length = if digits { self.number_length() } else { name_length(self.rest()) };
        let after = self.peek_at(length);
        let glued = matches!(after, Some(b'$' | b'"' | b'\''));
        if length > 0 && !glued {
            if !digits {
                let place = self.place(reading)?;
                reading.builder.variable(place);
                return Ok(());
            }
            return self.number(length, reading);
        }
        if length == 0 && !matches!(b, b'$' | b'"' | b'\'' | b'`') {
            let token = self.arithmetic_here();
            return Err(EcoString::from(format!(
                "expected a number or a variable, found `{token}`"
            ))
            .into());
        }
        let mut parts = Parts::default();
        loop {
            match self.peek() {
                Some(b @ (b'$' | b'"' | b'\'' | b'`')) => match self.expansion(b, reading)? {
                    Some(part) => parts.push(part),
                    None => return Err("expected a number or a variable".into()),
                },
                Some(b) if b.is_ascii_alphanumeric() || matches!(b, b'_' | b'#' | b'@') => {
                    let length = self.number_length().max(1);
                    parts.quoted(self.slice(self.at, self.at + length));
                    self.at += length;
                }
                _ => break,
            }
        }
        if self.peek() == Some(b'[') {
            let written = self.slice(start, self.at).trim_start_matches('$');
            let message =
                format!("an element is `{written}[…]` without a `$`, or `${{{written}[…]}}`");
            return Err(EcoString::from(message).into());
        }
        let mut list = parts.list;
        let part = match list.pop() {
            Some(only) if list.is_empty() => only,
            Some(last) => {
                list.push(last);
                Part::DoubleQuoted(list)
            }
            None => return Err("expected a number or a variable".into()),
        };
        reading.builder.operand(ArithOp::Expand(part));
        Ok(())
    }

    /// What stands at the cursor, for messages: a run of letters and digits, or one character.
    fn arithmetic_here(&self) -> &str {
        let rest = self.rest();
        let word = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        let length = if word > 0 { word } else { rest.chars().next().map_or(0, char::len_utf8) };
        rest.get(..length).unwrap_or_default()
    }

    /// How far digits, letters and what belongs to a number of any base reach.
    fn number_length(&self) -> usize {
        let rest = self.rest().bytes();
        rest.take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'#' | b'@')).count()
    }

    fn number(&mut self, length: usize, reading: &mut Reading) -> Result<(), Wrong> {
        let text = self.slice(self.at, self.at + length);
        if self.peek_at(length) == Some(b'.') {
            let rest = self.rest();
            let end =
                rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '.')).unwrap_or(rest.len());
            let float = rest.get(..end).unwrap_or_default();
            let message =
                format!("`{float}` is no integer: arithmetic is on integers, use jq or bc");
            return Err(EcoString::from(message).into());
        }
        let n = magnitude(text)?;
        self.at += length;
        reading.builder.number(n)?;
        Ok(())
    }

    /// A variable with its subscripts.
    fn place(&mut self, reading: &mut Reading) -> Result<ArithPlace, Wrong> {
        let start = self.at;
        let length = name_length(self.rest());
        let name = normalise(self.slice(start, start + length));
        self.at += length;
        let mut path = Vec::new();
        while self.peek() == Some(b'[') {
            let (subscript, parts) = self.nested(|p| p.arithmetic_subscript())?;
            path.push(subscript);
            reading.parts.extend(parts);
            if !self.eat("]") {
                return Err("`[` is missing its `]`".into());
            }
        }
        Ok(ArithPlace { name, path, span: self.span_from(start) })
    }

    /// A subscript both as an expression and as a key, since only the collection can tell.
    fn arithmetic_subscript(&mut self) -> Parse<(ArithSubscript, Vec<(Span, Part)>)> {
        self.at += 1;
        let (index, parts) = self.expression(End::Bracket);
        let mut key = Parts::default();
        let mut from = index.span.start as usize;
        for (span, part) in &parts {
            if (span.start as usize) < from {
                continue;
            }
            let between = self.slice(from, span.start as usize);
            key.literal(if key.list.is_empty() {
                between.trim_start_matches(BLANK)
            } else {
                between
            });
            key.push(part.clone());
            from = span.end as usize;
        }
        let rest = self.slice(from, self.at);
        key.literal(if key.list.is_empty() {
            rest.trim_matches(BLANK)
        } else {
            rest.trim_end_matches(BLANK)
        });
        let traits = WordTraits { runs: index.runs, ..WordTraits::default() };
        let key = Word { parts: key.list, span: index.span, traits };
        Ok((ArithSubscript { index, key }, parts))
    }

    fn operator_token(&mut self, b: u8, reading: &mut Reading) -> Result<(), Wrong> {
        if b == b')' {
            self.at += 1;
            return Ok(reading.builder.close()?);
        }
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let Some((operator, length)) = infix(rest) else {
            let token = self.arithmetic_here();
            return Err(EcoString::from(format!("expected an operator before `{token}`")).into());
        };
        reading.builder.infix(operator)?;
        self.at += length;
        Ok(())
    }
}
