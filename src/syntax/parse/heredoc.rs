//! Here-documents: their bodies are found after the line, and read where the operator stands.
//!
//! A line is parsed once to find where the bodies begin and end, and once more with that knowledge,
//! so that each redirect holds its body from the start.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::quote::Close;
use super::word::Parts;
use super::{Parse, Parser, Stop};
use crate::syntax::{Diagnostic, HereDocument, Kind, Part, RedirectKind, Span, Word, WordTraits};
use crate::value::EcoString;

/// Here-documents whose operators were read and whose bodies begin at the next line end.
#[derive(Clone)]
pub(super) struct Pending {
    /// Where the operator stands, by which the body is known.
    operator: usize,
    delimiter: EcoString,
    quoted: bool,
    strip_tabs: bool,
}

/// Where a body lies.
#[derive(Clone, Copy)]
struct Body {
    start: usize,
    end: usize,
    /// After the line of the delimiter.
    next: usize,
    closed: bool,
}

/// What is known about the here-documents of a program.
#[derive(Default)]
pub(super) struct Documents {
    pub(super) pending: Vec<Pending>,
    bodies: FxHashMap<usize, Body>,
    /// A body was found that its redirect does not hold yet.
    discovered: bool,
}

impl Documents {
    /// Whether the line must be read again; asking settles it.
    pub(super) fn take_discovered(&mut self) -> bool {
        std::mem::take(&mut self.discovered)
    }
}

impl Parser<'_> {
    /// What follows `<<` or `<<-` at `operator`.
    pub(super) fn document(&mut self, operator: usize, strip_tabs: bool) -> Parse<RedirectKind> {
        self.skip_blanks();
        let start = self.at;
        let Some((delimiter, quoted)) = self.delimiter()? else {
            let span = Span::new(operator, start);
            let message = format!("`<<` needs a delimiter after it, found {}", self.here());
            return self.fail(
                Diagnostic::syntax(span, message).with_fix("<<EOF, and a line EOF after the text"),
            );
        };
        let span = Span::new(operator, self.at);
        self.paint(start, Kind::String);
        let pending = Pending { operator, delimiter: delimiter.clone(), quoted, strip_tabs };
        self.documents.pending.push(pending);
        let body = match self.documents.bodies.get(&operator).copied() {
            None => {
                self.documents.discovered = true;
                Word::default()
            }
            Some(body) => {
                if !body.closed {
                    let message =
                        format!("the here-document has no line `{delimiter}` that ends it");
                    let fix = self.document_advice(&delimiter, strip_tabs);
                    let mut diagnostic = Diagnostic::syntax(span, message).with_fix(fix);
                    diagnostic.incomplete = self.bytes.len() == self.text.len();
                    self.report(diagnostic);
                }
                let position = self.at;
                let word = self.document_body(body, quoted, strip_tabs);
                self.at = if self.finished { self.bytes.len() } else { position };
                word
            }
        };
        Ok(RedirectKind::HereDocument(Rc::new(HereDocument {
            delimiter,
            quoted,
            strip_tabs,
            body,
        })))
    }

    /// The delimiter without its quotes, and whether it had some.
    fn delimiter(&mut self) -> Parse<Option<(EcoString, bool)>> {
        let start = self.at;
        let mut text = EcoString::new();
        let mut quoted = false;
        while let Some(b) = self.peek() {
            match b {
                _ if super::is_meta(b) => break,
                b'\'' => {
                    quoted = true;
                    text.push_str(&self.single_quoted()?);
                }
                b'"' => {
                    quoted = true;
                    let start = self.at + 1;
                    let rest = self.bytes.get(start..).unwrap_or_default();
                    let Some(length) = memchr::memchr(b'"', rest) else {
                        return self
                            .unclosed(Span::new(self.at, start), "this `\"` is never closed");
                    };
                    text.push_str(self.slice(start, start + length));
                    self.at = start + length + 1;
                }
                b'\\' => {
                    quoted = true;
                    self.at += 1 + self.line_end_at(self.at + 1);
                    if let Some(c) = self.peek_char() {
                        text.push(c);
                        self.at += c.len_utf8();
                    }
                }
                _ => {
                    let c = self.peek_char().unwrap_or_default();
                    text.push(c);
                    self.at += c.len_utf8();
                }
            }
        }
        Ok((self.at > start).then_some((text, quoted)))
    }

    /// Finds the bodies that begin at the cursor, or skips those already found. At the end of the
    /// input, bodies are missing.
    pub(super) fn read_documents(&mut self) {
        for pending in std::mem::take(&mut self.documents.pending) {
            let known = self.documents.bodies.get(&pending.operator).copied();
            let body = known.unwrap_or_else(|| self.find_body(&pending));
            self.documents.bodies.insert(pending.operator, body);
            if known.is_none() {
                // Bodies within the body are found now, so that the second reading knows them.
                let reported = self.diagnostics.len();
                let finished = self.finished;
                let waiting = std::mem::take(&mut self.documents.pending);
                self.document_body(body, pending.quoted, pending.strip_tabs);
                self.documents.pending = waiting;
                self.diagnostics.truncate(reported);
                self.finished = finished;
            }
            self.at = body.next;
        }
    }

    /// Where the body that begins at the cursor ends.
    fn find_body(&self, pending: &Pending) -> Body {
        let start = self.at;
        let mut at = start;
        let mut joined = false;
        while at < self.bytes.len() {
            let rest = self.bytes.get(at..).unwrap_or_default();
            let (length, next) = match memchr::memchr(b'\n', rest) {
                Some(length) => (length, at + length + 1),
                None => (rest.len(), self.bytes.len()),
            };
            let mut line = rest.get(..length).unwrap_or_default();
            line = line.strip_suffix(b"\r").unwrap_or(line);
            let escapes = line.iter().rev().take_while(|b| **b == b'\\').count();
            if pending.strip_tabs {
                let tabs = line.iter().take_while(|b| **b == b'\t').count();
                line = line.get(tabs..).unwrap_or_default();
            }
            if !joined && line == pending.delimiter.as_bytes() {
                return Body { start, end: at, next, closed: true };
            }
            joined = !pending.quoted && escapes % 2 == 1;
            at = next;
        }
        Body { start, end: self.bytes.len(), next: self.bytes.len(), closed: false }
    }

    /// The body as a word; the cursor is left anywhere.
    fn document_body(&mut self, body: Body, quoted: bool, strip_tabs: bool) -> Word {
        let whole = self.bytes;
        let substitutions = self.substitutions;
        let mut parts = Parts::default();
        if quoted {
            let text = self.text_of(body.start, body.end);
            if strip_tabs {
                text.split_inclusive('\n')
                    .for_each(|line| parts.quoted(line.trim_start_matches('\t')));
            } else if !text.is_empty() {
                parts.quoted(&text);
            }
        } else {
            self.bytes = whole.get(..body.end).unwrap_or_default();
            self.at = body.start;
            let waiting = std::mem::take(&mut self.documents.pending);
            while self.at < self.bytes.len() && !self.finished {
                match self.nested(|p| p.quoted_run(Close::Document { strip_tabs })) {
                    Ok(list) => list.into_iter().for_each(|part| parts.push(part)),
                    Err(Stop) => break,
                }
            }
            self.at = self.bytes.len();
            self.read_documents();
            self.documents.pending = waiting;
            self.bytes = whole;
        }
        let span = Span::new(body.start, body.end);
        if let Some(marks) = &mut self.marks {
            marks.push((Span::new(body.start, body.next), Kind::String));
        }
        let runs = self.substitutions != substitutions;
        let list = parts.list;
        let list = if matches!(list.as_slice(), [Part::Quoted(text)] if text.is_empty()) {
            Vec::new()
        } else {
            list
        };
        Word { parts: list, span, traits: WordTraits { runs, ..WordTraits::default() } }
    }
}
