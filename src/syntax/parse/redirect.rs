//! Redirects: `<`, `>`, `2>&1`, `<<EOF` and their kin, in any position of a command.

use super::name::{name_length, normalise};
use super::word::Place;
use super::{Parse, Parser, Stop};
use crate::syntax::{Diagnostic, Kind, Part, Redirect, RedirectKind, Span, Word};
use crate::value::EcoString;

/// Operators, longest first.
const OPERATORS: [&str; 13] =
    ["<<<", "<<-", "&>>", "<<", "<&", "<>", ">>", ">&", ">|", "&>", "<(", ">(", "<"];

impl Parser<'_> {
    /// Reads a redirect, if one begins here.
    #[inline(never)]
    pub(super) fn redirect(&mut self) -> Parse<Option<Redirect>> {
        let start = self.at;
        let (fd, fd_variable) = match self.peek() {
            Some(b'<' | b'>') => (None, None),
            Some(b'&') if self.peek_at(1) == Some(b'>') => (None, None),
            Some(b'0'..=b'9') => match self.descriptor() {
                Some(fd) => (Some(fd), None),
                None => return Ok(None),
            },
            Some(b'{') => match self.descriptor_variable() {
                Some(name) => (None, Some(name)),
                None => return Ok(None),
            },
            _ => return Ok(None),
        };
        let at = self.at;
        let operator = OPERATORS.into_iter().find(|operator| self.sees(operator)).unwrap_or(">");
        self.at += operator.len();
        self.paint(start, Kind::Operator);
        let kind = match operator {
            "<<" | "<<-" => self.document(at, operator == "<<-")?,
            "<(" | ">(" => return self.process_substitution(at, operator),
            "<&" | ">&" => {
                let named = fd.is_some() || fd_variable.is_some();
                let target = self.target(operator, start)?;
                duplicate(operator == "<&", named, target)
            }
            _ => {
                let word = self.target(operator, start)?;
                match operator {
                    "<" => RedirectKind::Read(word),
                    ">>" => RedirectKind::Append(word),
                    ">|" => RedirectKind::Clobber(word),
                    "<>" => RedirectKind::ReadWrite(word),
                    "&>" => RedirectKind::WriteBoth(word),
                    "&>>" => RedirectKind::AppendBoth(word),
                    "<<<" => RedirectKind::HereString(word),
                    _ => RedirectKind::Write(word),
                }
            }
        };
        Ok(Some(Redirect { fd, fd_variable, kind, span: self.span_from(start) }))
    }

    /// The digits before `<` or `>`.
    fn descriptor(&mut self) -> Option<u32> {
        let rest = self.bytes.get(self.at..)?;
        let digits = rest.iter().take(10).take_while(|b| b.is_ascii_digit()).count();
        let fd = matches!(rest.get(digits), Some(b'<' | b'>'))
            .then(|| self.slice(self.at, self.at + digits).parse().ok())
            .flatten()?;
        self.at += digits;
        Some(fd)
    }

    /// `{name}` before `<` or `>`.
    fn descriptor_variable(&mut self) -> Option<EcoString> {
        let rest = self.rest().get(1..)?;
        let length = name_length(rest);
        let after = rest.as_bytes().get(length..)?;
        if length == 0 || after.first() != Some(&b'}') || !matches!(after.get(1), Some(b'<' | b'>'))
        {
            return None;
        }
        self.at += length + 2;
        Some(normalise(rest.get(..length)?))
    }

    /// The word after a redirect operator.
    fn target(&mut self, operator: &str, start: usize) -> Parse<Word> {
        let end = self.at;
        self.skip_blanks();
        if self.sees("<(") || self.sees(">(") {
            let at = self.at;
            self.at += 2;
            return self
                .process_substitution(at, if self.slice(at, at + 1) == "<" { "<(" } else { ">(" });
        }
        let digits = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0 && matches!(self.peek_at(digits), Some(b'<' | b'>')) {
            let span = Span::new(self.at, self.at + digits + 1);
            let message =
                format!("expected a file name after `{operator}`, found another redirect");
            return self.fail(Diagnostic::syntax(span, message));
        }
        let word = self.word(Place::Single)?;
        if word.parts.is_empty() {
            let what = match operator {
                "<<<" => "a word",
                "<&" | ">&" => "a descriptor number, or `-` to close one",
                _ => "a file name",
            };
            let message = format!("expected {what} after `{operator}`, found {}", self.here());
            let fix = match operator {
                "<<<" => "<<< \"text\"".into(),
                "<&" | ">&" => "2>&1 sends errors where the output goes".into(),
                _ => format!("{operator} FILE"),
            };
            return self.fail(Diagnostic::syntax(Span::new(start, end), message).with_fix(fix));
        }
        Ok(word)
    }

    /// `<(cmd)`, which is refused.
    fn process_substitution<T>(&mut self, at: usize, operator: &str) -> Parse<T> {
        self.parens += 1;
        let script = self.nested(|p| Ok(p.script()));
        self.parens -= 1;
        let script = script?;
        self.eat(")");
        let inner = script.span.text(self.text).trim().to_owned();
        let fix = if operator == "<(" {
            format!("{inner} > /tmp/out, then read /tmp/out; or a pipe: {inner} | …")
        } else {
            format!("… | {inner}")
        };
        let message = format!("`{operator}…)` is not available: there are no processes to connect");
        self.report(Diagnostic::syntax(self.span_from(at), message).with_fix(fix));
        Err(Stop)
    }

    /// Reports a second redirect of standard input on one command.
    pub(super) fn check_redirects(&mut self, redirects: &[Redirect]) {
        let mut inputs = redirects.iter().filter(|redirect| {
            let input = match redirect.kind {
                RedirectKind::Read(_)
                | RedirectKind::ReadWrite(_)
                | RedirectKind::HereDocument(_)
                | RedirectKind::HereString(_) => true,
                RedirectKind::Duplicate { input, .. } => input,
                _ => false,
            };
            input && redirect.fd.unwrap_or(0) == 0 && redirect.fd_variable.is_none()
        });
        if let (Some(_), Some(second)) = (inputs.next(), inputs.next()) {
            let message =
                "standard input is already redirected on this command: only one source can be read";
            let diagnostic = Diagnostic::syntax(second.span, message);
            self.report(diagnostic.with_fix("join sources with a pipe: cat a b | …"));
        }
    }
}

/// What `<&` and `>&` mean with this target.
fn duplicate(input: bool, named: bool, target: Word) -> RedirectKind {
    let text = match target.parts.as_slice() {
        [Part::Literal(text)] => Some(text.as_str()),
        _ => None,
    };
    match text {
        Some("-") => RedirectKind::Close { input },
        Some(text) if !input && !named && !text.bytes().all(|b| b.is_ascii_digit()) => {
            RedirectKind::WriteBoth(target)
        }
        _ => RedirectKind::Duplicate { source: target, input },
    }
}
