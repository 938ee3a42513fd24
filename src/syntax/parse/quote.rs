//! Quoted text: `'…'`, `"…"`, `$'…'`, and the backtick, which is refused.

use std::borrow::Cow;

use super::word::Parts;
use super::{Parse, Parser};
use crate::syntax::{Diagnostic, Kind, Part, Span};

/// What ends a run of double-quoted text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Close {
    /// `"`
    Quote,
    /// `}` of a `${x:-w}` inside double quotes.
    Brace,
    /// The end of a here-document, whose lines lose leading tabs or not.
    Document {
        /// `<<-`
        strip_tabs: bool,
    },
}

impl Parser<'_> {
    /// The text of a range, with CR LF line ends as LF.
    pub(super) fn text_of(&self, start: usize, end: usize) -> Cow<'_, str> {
        let text = self.slice(start, end);
        if memchr::memchr(b'\r', text.as_bytes()).is_none() {
            return Cow::Borrowed(text);
        }
        let mut lines = text.split('\n');
        let last = lines.next_back().unwrap_or_default();
        let mut joined: String =
            lines.flat_map(|line| [line.trim_end_matches('\r'), "\n"]).collect();
        joined.push_str(last);
        Cow::Owned(joined)
    }

    /// `'…'`
    pub(super) fn single_quoted(&mut self) -> Parse<String> {
        let start = self.at;
        let rest = self.bytes.get(start + 1..).unwrap_or_default();
        let Some(length) = memchr::memchr(b'\'', rest) else {
            return self.unclosed(Span::new(start, start + 1), "this `'` is never closed");
        };
        self.at = start + length + 2;
        self.note_long_text(start);
        self.paint(start, Kind::String);
        Ok(self.text_of(start + 1, self.at - 1).into_owned())
    }

    /// `"…"`
    pub(super) fn double_quoted(&mut self) -> Parse<Vec<Part>> {
        let start = self.at;
        self.at += 1;
        let parts = self.nested(|p| p.quoted_run(Close::Quote))?;
        if !self.eat("\"") {
            return self.unclosed(Span::new(start, start + 1), "this `\"` is never closed");
        }
        self.note_long_text(start);
        self.paint(start, Kind::String);
        Ok(parts)
    }

    /// Parts up to what closes them, which is not read; the end of the input is left to the caller.
    pub(super) fn quoted_run(&mut self, close: Close) -> Parse<Vec<Part>> {
        let mut parts = Parts::default();
        let mut from = self.at;
        let strip = matches!(close, Close::Document { strip_tabs: true });
        if strip {
            from += self.skip_tabs();
        }
        while let Some(b) = self.peek() {
            match b {
                b'"' if close == Close::Quote => break,
                b'}' if close == Close::Brace => break,
                b'\n' if strip => {
                    self.at += 1;
                    self.push_quoted(&mut parts, from);
                    self.skip_tabs();
                    from = self.at;
                }
                b'"' if close == Close::Brace => {
                    self.push_quoted(&mut parts, from);
                    let inner = self.double_quoted()?;
                    parts.push(Part::DoubleQuoted(inner));
                    from = self.at;
                }
                b'\\' => {
                    self.push_quoted(&mut parts, from);
                    self.quoted_escape(close, &mut parts)?;
                    from = self.at;
                }
                b'$' => {
                    self.push_quoted(&mut parts, from);
                    let start = self.at;
                    match self.dollar(true)? {
                        Some(part) => {
                            parts.push(part);
                            from = self.at;
                        }
                        None => from = start,
                    }
                }
                b'`' => {
                    self.push_quoted(&mut parts, from);
                    self.backtick();
                    from = self.at;
                }
                _ => self.at += 1,
            }
        }
        self.push_quoted(&mut parts, from);
        Ok(parts.list)
    }

    fn skip_tabs(&mut self) -> usize {
        let start = self.at;
        while self.peek() == Some(b'\t') {
            self.at += 1;
        }
        self.at - start
    }

    fn push_quoted(&self, parts: &mut Parts, from: usize) {
        if from < self.at {
            parts.quoted(&self.text_of(from, self.at));
        }
    }

    /// A backslash between double quotes or in a here-document.
    fn quoted_escape(&mut self, close: Close, parts: &mut Parts) -> Parse<()> {
        let start = self.at;
        self.at += 1;
        let joined = self.line_end_at(self.at);
        if joined > 0 {
            self.at += joined;
            if let Close::Document { strip_tabs: true } = close {
                self.skip_tabs();
            }
            return Ok(());
        }
        let document = matches!(close, Close::Document { .. });
        let text = match self.peek() {
            Some(b'\\') => "\\",
            Some(b'$') => "$",
            Some(b'`') => "`",
            Some(b'"') if !document => "\"",
            Some(b'}') if close == Close::Brace => "}",
            Some(b'n') if !document => "\n",
            Some(b't') if !document => "\t",
            Some(b'r') if !document => "\r",
            Some(b'u') if !document => {
                if let Some((c, end)) = self.unicode_escape(start) {
                    self.at = end;
                    parts.quoted(c.encode_utf8(&mut [0; 4]));
                } else {
                    parts.quoted("\\");
                }
                return Ok(());
            }
            _ => {
                parts.quoted("\\");
                return Ok(());
            }
        };
        self.at += 1;
        parts.quoted(text);
        Ok(())
    }

    /// `$'…'`, the cursor being at the quote.
    pub(super) fn ansi_quoted(&mut self) -> Parse<Part> {
        let start = self.at - 1;
        self.at += 1;
        let mut bytes = Vec::new();
        loop {
            match self.peek() {
                Some(b'\'') => break,
                Some(b'\\') => self.ansi_escape(&mut bytes),
                Some(b) => {
                    if self.line_end_at(self.at) != 2 {
                        bytes.push(b);
                    }
                    self.at += 1;
                }
                None => {
                    return self.unclosed(Span::new(start, start + 2), "this `$'` is never closed");
                }
            }
        }
        self.at += 1;
        self.paint(start, Kind::String);
        let text = String::from_utf8(bytes).unwrap_or_else(|e| {
            let span = self.span_from(start);
            let message = "these escapes give bytes that are no UTF-8 text, and a word is text";
            let diagnostic = Diagnostic::syntax(span, message);
            self.report(diagnostic.with_fix("printf writes any bytes: printf '\\xff'"));
            String::from_utf8_lossy(e.as_bytes()).into_owned()
        });
        Ok(Part::Quoted(text.into()))
    }

    /// Reports a backtick and reads over what it holds.
    pub(super) fn backtick(&mut self) {
        let start = self.at;
        self.at += 1;
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let line = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let close = memchr::memchr(b'`', rest.get(..line).unwrap_or_default());
        let message = "a backtick does not run commands here: use `$(…)`";
        let diagnostic = match close {
            Some(length) => {
                self.at += length + 1;
                let inner = self.slice(start + 1, self.at - 1).replace("\\`", "`");
                Diagnostic::syntax(self.span_from(start), message).with_fix(format!("$({inner})"))
            }
            None => Diagnostic::syntax(self.span_from(start), message)
                .with_fix("to print a backtick, quote it: '`'"),
        };
        self.report(diagnostic);
    }
}
