//! What a `$` begins: `$name`, `${…}`, `$(…)`, `$((…))`, `$'…'`.

use std::rc::Rc;

use super::arith::End;
use super::name::{name_length, normalise};
use super::quote::Close;
use super::word::{Place, bare};
use super::{Parse, Parser, Stop};
use crate::syntax::{
    Argument, Command, DefaultKind, Diagnostic, Kind, Parameter, ParameterName, ParameterOp, Part,
    RedirectKind, ReplaceScope, Script, Span, Subscript, Substitution, TrimEnd, Word, WordTraits,
};

/// What may surround the text of a subscript.
pub(super) const BLANK: [char; 2] = [' ', '\t'];

impl Parser<'_> {
    /// Reads what begins with the `$` at the cursor; `None`, past the `$`, where it is text.
    /// `quoted` tells whether double quotes surround it.
    pub(super) fn dollar(&mut self, quoted: bool) -> Parse<Option<Part>> {
        let start = self.at;
        self.at += 1;
        while self.peek() == Some(b'\\') && self.line_end_at(self.at + 1) > 0 {
            self.at += 1 + self.line_end_at(self.at + 1);
        }
        let part = match self.peek() {
            Some(b'(') => {
                if self.peek_at(1) == Some(b'(')
                    && let Some(code) = self.double_paren(start)
                {
                    return Ok(Some(Part::Arithmetic(Rc::new(code))));
                }
                self.nested(|p| p.substitution(start)).map(Part::Command)?
            }
            Some(b'{') => {
                let parameter = self.nested(|p| p.braced(start, quoted))?;
                self.paint(start, Kind::Variable);
                Part::Parameter(Rc::new(parameter))
            }
            Some(b'\'') if !quoted => self.ansi_quoted()?,
            Some(b'"') if !quoted => Part::DoubleQuoted(self.double_quoted()?),
            _ => match self.plain_name() {
                Some(name) => {
                    self.paint(start, Kind::Variable);
                    if !quoted {
                        self.check_invisible(start);
                    }
                    Part::Parameter(Rc::new(Parameter {
                        name,
                        path: Vec::new(),
                        op: ParameterOp::None,
                        span: self.span_from(start),
                    }))
                }
                None => return Ok(None),
            },
        };
        Ok(Some(part))
    }

    /// The name after a `$` without braces.
    fn plain_name(&mut self) -> Option<ParameterName> {
        let b = self.peek()?;
        match b {
            b'0'..=b'9' => {
                self.at += 1;
                Some(ParameterName::Positional(u32::from(b - b'0')))
            }
            b'?' | b'#' | b'@' | b'*' | b'$' | b'!' | b'-' => {
                self.at += 1;
                Some(ParameterName::Special(b as char))
            }
            _ => self.variable(),
        }
    }

    fn variable(&mut self) -> Option<ParameterName> {
        let length = name_length(self.rest());
        let name = self.slice(self.at, self.at + length);
        self.at += length;
        (length > 0).then(|| ParameterName::Variable(normalise(name)))
    }

    /// `$(…)`, the cursor being at the parenthesis.
    #[inline(never)]
    fn substitution(&mut self, start: usize) -> Parse<Rc<Substitution>> {
        self.at += 1;
        self.paint(start, Kind::Operator);
        self.parens += 1;
        let mut script = self.script();
        read_file(&mut script);
        self.parens -= 1;
        self.substitutions += 1;
        if !self.eat(")") {
            if self.at < self.bytes.len() {
                let message = format!("expected `)` to end the `$(`, found {}", self.here());
                return self.fail(Diagnostic::syntax(self.here_span(), message));
            }
            if self.slice(start, self.at).starts_with("$((") {
                let message = "this `$((` is never closed by `))`";
                return self.unclosed(Span::new(start, start + 3), message);
            }
            return self.unclosed(Span::new(start, start + 2), "this `$(` is never closed by `)`");
        }
        self.paint(self.at - 1, Kind::Operator);
        Ok(Rc::new(Substitution { script: Rc::new(script), span: self.span_from(start) }))
    }

    /// `${…}`, the cursor being at the brace.
    #[inline(never)]
    fn braced(&mut self, start: usize, quoted: bool) -> Parse<Parameter> {
        self.at += 1;
        let (name, mut op) = self.braced_name(start)?;
        let path = match name {
            ParameterName::Variable(_) | ParameterName::Positional(_) => self.path(start)?,
            ParameterName::Special(_) => Vec::new(),
        };
        let all = path.last().is_some_and(|last| matches!(last, Subscript::All | Subscript::Star));
        let indirect = matches!(op, ParameterOp::Indirect);
        if indirect && all {
            op = ParameterOp::Keys;
        } else if indirect && (self.sees("@}") || self.sees("*}")) {
            self.at += 1;
            op = ParameterOp::NamesWithPrefix;
        } else if matches!(op, ParameterOp::None) && !self.sees("}") {
            op = self.parameter_op(start, quoted)?;
        }
        if !self.eat("}") {
            return self.bad_expansion(start, &name);
        }
        let span = self.span_from(start);
        if name == ParameterName::Special('?') && !path.is_empty() {
            self.report_status_field(span);
        }
        Ok(Parameter { name, path, op, span })
    }

    /// The name, and whether `#` or `!` before it makes a length or an indirection.
    fn braced_name(&mut self, start: usize) -> Parse<(ParameterName, ParameterOp)> {
        let mut op = ParameterOp::None;
        match (self.peek(), self.peek_at(1)) {
            (Some(b'#'), Some(next)) if next != b'}' => {
                let special = matches!(next, b'-' | b'#' | b'?' | b'$' | b'!' | b'@' | b'*');
                let length =
                    if special { self.peek_at(2) == Some(b'}') } else { !b":=+%/".contains(&next) };
                if length {
                    self.at += 1;
                    op = ParameterOp::Length;
                }
            }
            (Some(b'!'), Some(next)) if next != b'}' && !b":=+-?%/".contains(&next) => {
                self.at += 1;
                op = ParameterOp::Indirect;
            }
            _ => {}
        }
        let name = match self.peek() {
            Some(b'0'..=b'9') => self.positional(),
            Some(b @ (b'?' | b'#' | b'@' | b'*' | b'$' | b'!' | b'-')) => {
                self.at += 1;
                Some(ParameterName::Special(b as char))
            }
            Some(_) => self.variable(),
            None => {
                return self
                    .unclosed(Span::new(start, start + 2), "this `${` is never closed by `}`");
            }
        };
        match name {
            Some(name) => Ok((name, op)),
            None => {
                let span = Span::new(start, self.at + self.peek_char().map_or(0, char::len_utf8));
                let message = match self.peek_char() {
                    Some('}') => "`${}` names no variable".to_owned(),
                    Some(c) => match super::name::invisible(c) {
                        Some(what) => format!("`${{` is followed by {what} (U+{:04X})", c as u32),
                        None => {
                            format!("`${{` needs a variable name after it, found {}", self.here())
                        }
                    },
                    None => "`${` needs a variable name after it".to_owned(),
                };
                self.fail(Diagnostic::syntax(span, message).with_fix("${name}; a plain `$` is '$'"))
            }
        }
    }

    fn positional(&mut self) -> Option<ParameterName> {
        let rest = self.rest();
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        self.at += digits;
        Some(ParameterName::Positional(rest.get(..digits)?.parse().unwrap_or(u32::MAX)))
    }

    /// `[k][0]`, `[1:3]`, `[@]`: subscripts as long as there are some.
    pub(super) fn path(&mut self, start: usize) -> Parse<Vec<Subscript>> {
        let mut path = Vec::new();
        while self.peek() == Some(b'[') {
            path.push(self.nested(|p| p.subscript(start))?);
        }
        Ok(path)
    }

    fn subscript(&mut self, start: usize) -> Parse<Subscript> {
        let open = self.at;
        self.at += 1;
        if self.eat("@]") {
            return Ok(Subscript::All);
        }
        if self.eat("*]") {
            return Ok(Subscript::Star);
        }
        if self.peek() == Some(b']') {
            return self.empty_subscript(start);
        }
        let key = self.attempt(|p| {
            let mut word = p.word(Place::Subscript).ok()?;
            (p.peek() != Some(b':')).then(|| {
                p.trim_subscript(&mut word);
                word
            })
        });
        let subscript = match key {
            Some(word) => match bare(&word).map(|text| text.as_str()) {
                Some("@") => Subscript::All,
                Some("*") => Subscript::Star,
                None if word.parts.is_empty() && self.at < self.bytes.len() => {
                    return self.empty_subscript(start);
                }
                _ => Subscript::Key(word),
            },
            None => {
                let from =
                    (self.peek() != Some(b':')).then(|| Rc::new(self.arithmetic(End::Slice)));
                if from.is_some() && self.peek() != Some(b':') {
                    return self.unclosed_subscript(open);
                }
                self.at += 1;
                let to = (self.peek() != Some(b']')).then(|| Rc::new(self.arithmetic(End::Slice)));
                Subscript::Slice(from, to, Span::new(open, self.at + 1))
            }
        };
        if !self.eat("]") {
            return self.unclosed_subscript(open);
        }
        Ok(subscript)
    }

    fn empty_subscript<T>(&mut self, start: usize) -> Parse<T> {
        let span = Span::new(start, (self.at + 1).min(self.bytes.len()));
        let diagnostic = Diagnostic::syntax(span, "`[]` holds no key or index");
        self.fail(diagnostic.with_fix("all elements: ...$xs"))
    }

    /// Blanks inside the brackets of a subscript do not count.
    fn trim_subscript(&self, word: &mut Word) {
        if let [.., Part::Literal(last)] = word.parts.as_mut_slice() {
            *last = last.trim_end_matches(BLANK).into();
        }
        if let [Part::Literal(first), ..] = word.parts.as_mut_slice() {
            *first = first.trim_start_matches(BLANK).into();
        }
        word.parts.retain(|part| !matches!(part, Part::Literal(text) if text.is_empty()));
    }

    fn unclosed_subscript<T>(&mut self, open: usize) -> Parse<T> {
        if self.at >= self.bytes.len() {
            return self.unclosed(Span::new(open, open + 1), "this `[` is never closed by `]`");
        }
        let message = format!("expected `]` to end the subscript, found {}", self.here());
        let fix = format!("{}]", self.slice(open, self.at));
        self.fail(Diagnostic::syntax(self.here_span(), message).with_fix(fix))
    }

    /// The operator of a `${…}` and its words.
    fn parameter_op(&mut self, start: usize, quoted: bool) -> Parse<ParameterOp> {
        let b = self.peek().unwrap_or_default();
        let next = self.peek_at(1);
        let colon = b == b':';
        let kind = match if colon { next } else { Some(b) } {
            Some(b'-') => Some(DefaultKind::Use),
            Some(b'=') => Some(DefaultKind::Assign),
            Some(b'+') => Some(DefaultKind::Alternative),
            Some(b'?') => Some(DefaultKind::Require),
            _ => None,
        };
        if let Some(kind) = kind {
            self.at += if colon { 2 } else { 1 };
            let word = self.operand(start, quoted)?;
            return Ok(ParameterOp::Default { kind, colon, word });
        }
        let doubled = next == Some(b);
        match b {
            b':' => {
                self.at += 1;
                let offset = Rc::new(self.arithmetic(End::Substring));
                let length = self.eat(":").then(|| Rc::new(self.arithmetic(End::Substring)));
                Ok(ParameterOp::Substring(offset, length))
            }
            b'#' | b'%' => {
                self.at += if doubled { 2 } else { 1 };
                let end = if b == b'#' { TrimEnd::Prefix } else { TrimEnd::Suffix };
                let pattern = self.closed_word(Place::OperandPattern, start)?;
                Ok(ParameterOp::Trim { end, longest: doubled, pattern })
            }
            b'/' => self.replacement(start),
            b'^' | b',' => {
                self.at += if doubled { 2 } else { 1 };
                let pattern = self.closed_word(Place::OperandPattern, start)?;
                Ok(ParameterOp::Case { upper: b == b'^', all: doubled, pattern })
            }
            b'@' if next.is_some_and(|n| n.is_ascii_alphabetic())
                && self.peek_at(2) == Some(b'}') =>
            {
                self.at += 2;
                Ok(ParameterOp::Transform(next.unwrap_or_default() as char))
            }
            _ => Ok(ParameterOp::None),
        }
    }

    /// `/p/r`, `//p/r`, `/#p/r`, `/%p/r`
    fn replacement(&mut self, start: usize) -> Parse<ParameterOp> {
        self.at += 1;
        let scope = match self.peek() {
            Some(b'/') => ReplaceScope::All,
            Some(b'#') => ReplaceScope::Prefix,
            Some(b'%') => ReplaceScope::Suffix,
            _ => ReplaceScope::First,
        };
        if scope != ReplaceScope::First {
            self.at += 1;
        }
        let pattern = self.closed_word(Place::ReplacePattern, start)?;
        let replacement =
            if self.eat("/") { self.closed_word(Place::Operand, start)? } else { Word::default() };
        Ok(ParameterOp::Replace { scope, pattern, replacement })
    }

    /// A word inside `${…}`, which the end of the input must not cut.
    fn closed_word(&mut self, place: Place, start: usize) -> Parse<Word> {
        let word = self.word(place)?;
        if self.at >= self.bytes.len() {
            return self.unclosed(Span::new(start, start + 2), "this `${` is never closed by `}`");
        }
        Ok(word)
    }

    /// The word of a default; between double quotes it is double-quoted text itself.
    fn operand(&mut self, start: usize, quoted: bool) -> Parse<Word> {
        if !quoted {
            return self.closed_word(Place::Operand, start);
        }
        let from = self.at;
        let substitutions = self.substitutions;
        let parts = self.quoted_run(Close::Brace)?;
        if self.at >= self.bytes.len() {
            return self.unclosed(Span::new(start, start + 2), "this `${` is never closed by `}`");
        }
        let runs = self.substitutions != substitutions;
        let traits = WordTraits { runs, ..WordTraits::default() };
        Ok(Word { parts, span: self.span_from(from), traits })
    }

    /// What follows a name in `${…}` is no operator.
    fn bad_expansion<T>(&mut self, start: usize, name: &ParameterName) -> Parse<T> {
        if self.at >= self.bytes.len() {
            return self.unclosed(Span::new(start, start + 2), "this `${` is never closed by `}`");
        }
        let written = self.slice(start + 2, self.at).to_owned();
        if self.peek() == Some(b'.') {
            let rest = self.rest().get(1..).unwrap_or_default();
            let keys =
                rest.find(|c: char| !(c == '.' || c == '-' || c == '_' || c.is_alphanumeric()));
            let keys = rest.get(..keys.unwrap_or(rest.len())).unwrap_or_default();
            let end = self.at
                + 1
                + keys.len()
                + usize::from(rest.as_bytes().get(keys.len()) == Some(&b'}'));
            let span = Span::new(start, end);
            if *name == ParameterName::Special('?') {
                self.report_status_field(span);
                return Err(Stop);
            }
            let path: String = keys.split('.').map(|key| format!("[{key}]")).collect();
            let diagnostic =
                Diagnostic::syntax(span, "a field is read with brackets, not with a dot");
            return self.fail(diagnostic.with_fix(format!("${{{written}{path}}}")));
        }
        if let Some(what) = self.peek_char().and_then(super::name::invisible) {
            let c = self.peek_char().map_or(0, |c| c as u32);
            let message =
                format!("`{written}` is followed by {what} (U+{c:04X}), which no name can hold");
            let diagnostic = Diagnostic::error("E019", Span::new(start, self.at), message);
            return self.fail(diagnostic.with_fix(format!("${{{written}}}")));
        }
        let message =
            format!("expected `}}` or an operator after `${{{written}`, found {}", self.here());
        let fix = format!("${{{written}}}, or with a default ${{{written}:-…}}");
        self.fail(Diagnostic::syntax(Span::new(start, self.at), message).with_fix(fix))
    }
}

/// `$(<file)` gives the text of the file, as `$(cat <file)` does.
fn read_file(script: &mut Script) {
    let [statement] = script.statements.as_mut_slice() else { return };
    let [stage] = statement.first.stages.as_mut_slice() else { return };
    let Command::Simple(command) = &mut stage.command else { return };
    let [redirect] = command.redirects.as_slice() else { return };
    let reads = matches!(redirect.kind, RedirectKind::Read(_)) && redirect.fd.is_none();
    let alone = statement.rest.is_empty() && !statement.background;
    if reads && alone && command.words.is_empty() && command.assignments.is_empty() {
        let span = Span { start: redirect.span.start, end: redirect.span.start };
        let parts = vec![Part::Literal("cat".into())];
        let word = Word { parts, span, ..Word::default() };
        Rc::make_mut(command).words.push(Argument::Word(word));
    }
}
