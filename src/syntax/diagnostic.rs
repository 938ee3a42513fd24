//! Spans and diagnostics: what is wrong where, what was expected, and how to mend it.

use crate::value::EcoString;

/// A range of bytes in the source, end-exclusive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// From `start` to `end`, clamped to 4 GiB.
    pub fn new(start: usize, end: usize) -> Self {
        let clamp = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Self { start: clamp(start), end: clamp(end) }
    }

    /// The text of the span in its source; empty where it does not fit.
    pub fn text(self, source: &str) -> &str {
        source.get(self.start as usize..self.end as usize).unwrap_or_default()
    }

    /// The smallest span that holds both.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// How bad a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// The program must not run.
    Error,
    /// Advice.
    Warning,
}

/// One thing to tell the author of a program.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// A stable code (`E012`), or `syntax`.
    pub code: &'static str,
    /// Error or warning.
    pub level: Level,
    /// What is wrong, in shell terms.
    pub message: String,
    /// What to write instead, where known.
    pub fix: Option<String>,
    /// The place.
    pub span: Span,
    /// Whether more input could mend it: the prompt then asks for another line.
    pub incomplete: bool,
}

impl Diagnostic {
    /// A syntax error.
    pub fn syntax(span: Span, message: impl Into<String>) -> Self {
        Self::error("syntax", span, message)
    }

    /// An error with a code.
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self {
            code,
            level: Level::Error,
            message: message.into(),
            fix: None,
            span,
            incomplete: false,
        }
    }

    /// A warning with a code.
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self { level: Level::Warning, ..Self::error(code, span, message) }
    }

    /// Adds the line to write instead.
    #[must_use]
    pub fn with_fix(mut self, fix: impl Into<String>) -> Self {
        self.fix = Some(fix.into());
        self
    }

    /// Marks it as mended by more input.
    #[must_use]
    pub fn incomplete(mut self) -> Self {
        self.incomplete = true;
        self
    }
}

/// A program's text with its name and line starts, for rendering places.
#[derive(Debug, Default)]
pub struct Source {
    /// What to call it in messages: a file name, or empty at the prompt.
    pub name: EcoString,
    /// The text.
    pub text: String,
}

impl Source {
    /// A source of the given name and text.
    pub fn new(name: impl Into<EcoString>, text: impl Into<String>) -> Self {
        Self { name: name.into(), text: text.into() }
    }

    /// 1-based line and column (in characters) of a byte offset.
    pub fn place(&self, offset: u32) -> (usize, usize) {
        let mut end = (offset as usize).min(self.text.len());
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        let before = self.text.get(..end).unwrap_or_default();
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let column = before.get(line_start..).unwrap_or_default().chars().count() + 1;
        (before.bytes().filter(|b| *b == b'\n').count() + 1, column)
    }
}
