//! Program text in, tree and diagnostics out: the cursor that the files of the grammar share.
//!
//! There is no separate lexer: where a word may stand decides what a character means, so each file
//! reads the text itself. Failures are of two kinds: a report alone, after which parsing goes on, and
//! a report with [`Stop`], after which the statement is given up and the next line is tried.
//!
//! The grammar recurses natively, so its frames count: functions that read one kind of node are kept
//! out of those through which every level passes (`inline(never)`), and messages are cold.
//!
//! Time is linear: the few places that must guess (`((`, `x[k]=`, slices) remember what turned out
//! wrong, so that nesting does not double the work.

mod arith;
mod arith_code;
mod brace;
mod class;
mod collection;
mod compound;
mod condition;
mod escape;
mod heredoc;
mod hint;
mod mistake;
mod name;
mod nfc;
mod nfc_table;
mod parameter;
mod quote;
mod redirect;
mod script;
mod simple;
mod word;

use crate::value::InOrder;
use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::{ArithCode, Diagnostic, Kind, Level, Script, Span};
use class::Unclosed;
use heredoc::Documents;

pub use arith_code::parse_integer;
pub use name::{invisible, is_name};

/// How deep compounds, substitutions and collections may nest.
pub const MAX_NESTING: u32 = 200;

/// After so many errors the rest of the text is not looked at.
const MAX_ERRORS: usize = 50;

/// So much advice is enough; more is not recorded.
const MAX_WARNINGS: usize = 500;

/// What parsing yields: a tree, whole even where there are errors, and what is to be said about it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parsed {
    /// The program.
    pub script: Rc<Script>,
    /// Errors and warnings by place.
    pub diagnostics: Vec<Diagnostic>,
}

impl Parsed {
    /// Whether the program must not run.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|d| d.level == Level::Error)
    }

    /// Whether there are errors and more input could mend all of them.
    pub fn is_incomplete(&self) -> bool {
        let mut errors = self.diagnostics.iter().filter(|d| d.level == Level::Error).peekable();
        errors.peek().is_some() && errors.all(|d| d.incomplete)
    }
}

/// Parses a program; any text gives a tree.
pub fn parse(text: &str) -> Parsed {
    let mut parser = Parser::new(text);
    let script = parser.program();
    Parsed { script: Rc::new(script), diagnostics: parser.finish() }
}

/// Compiles the text of an arithmetic expression: an argument of `let`, the value of a variable.
///
/// A text that is no expression gives code whose `error` is set.
pub fn parse_arithmetic(text: &str) -> ArithCode {
    let mut parser = Parser::new(text);
    let mut code = parser.arithmetic(arith::End::Text);
    if let Some(first) = parser.diagnostics.into_iter().find(|d| d.level == Level::Error) {
        code.error.get_or_insert_with(|| first.message.into());
    }
    code
}

/// Parses a program and tells what each range of its text is, for [`super::highlight`].
pub(super) fn parse_painted(text: &str) -> (Parsed, Vec<(Span, Kind)>) {
    let mut parser = Parser::new(text);
    parser.marks = Some(Vec::new());
    let script = parser.program();
    let marks = parser.marks.take().unwrap_or_default();
    (Parsed { script: Rc::new(script), diagnostics: parser.finish() }, marks)
}

/// The statement at hand cannot be parsed further; the reason is already reported.
struct Stop;

/// A piece of the tree, or the statement is given up.
type Parse<T> = Result<T, Stop>;

/// The cursor and what has been found so far.
struct Parser<'a> {
    /// The whole program.
    text: &'a str,
    /// The text up to where this parser may read: the whole, or the end of a here-document.
    bytes: &'a [u8],
    /// The next byte to read; always at a character.
    at: usize,
    /// How many constructs enclose the cursor.
    depth: u32,
    /// How many `(` of subshells and substitutions enclose the cursor.
    parens: u32,
    /// Nothing more is read or reported: the input ended early or nests too deep.
    finished: bool,
    /// How many `$(…)` were parsed, to settle which words run programs.
    substitutions: usize,
    diagnostics: Vec<Diagnostic>,
    memo: Memo,
    documents: Documents,
    /// What ranges of the text are, where somebody wants to know.
    marks: Option<Vec<(Span, Kind)>>,
}

/// What was found out about the text, so that it is not found out again.
#[derive(Default)]
struct Memo {
    /// Places where a guess was wrong.
    refuted: FxHashSet<usize>,
    /// Where brackets close no class.
    unclosed_class: Unclosed,
    /// Reserved words that stand as arguments, and the names of their commands.
    swallowed: Vec<(Span, Span)>,
    /// The last text in quotes that goes over several lines.
    long_text: Option<Span>,
    /// A place and its line, from which other lines are counted.
    known_line: (usize, u32),
}

/// A state of the parser to come back to.
struct Mark {
    at: usize,
    depth: u32,
    parens: u32,
    finished: bool,
    substitutions: usize,
    diagnostics: usize,
    marks: usize,
    pending: Vec<heredoc::Pending>,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str) -> Self {
        let at = if text.starts_with('\u{feff}') { 3 } else { 0 };
        Self {
            text,
            bytes: text.as_bytes(),
            at,
            depth: 0,
            parens: 0,
            finished: false,
            substitutions: 0,
            diagnostics: Vec::new(),
            memo: Memo { known_line: (0, 1), ..Memo::default() },
            documents: Documents::default(),
            marks: None,
        }
    }

    /// The diagnostics, by place.
    fn finish(mut self) -> Vec<Diagnostic> {
        if self.finished && !self.has_error() {
            // A program must never be cut short without a word.
            let span = Span::new(self.text.len(), self.text.len());
            self.diagnostics.push(Diagnostic::syntax(span, "the program was not read to its end"));
        }
        self.diagnostics.order_by_key(|d| (d.span.start, d.span.end));
        self.diagnostics.dedup();
        self.diagnostics
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn peek_at(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    /// What is left to read.
    fn rest(&self) -> &'a str {
        self.text.get(self.at..self.bytes.len()).unwrap_or_default()
    }

    fn slice(&self, start: usize, end: usize) -> &'a str {
        self.text.get(start..end).unwrap_or_default()
    }

    /// Whether the text goes on with `token`.
    fn sees(&self, token: &str) -> bool {
        self.bytes.get(self.at..).is_some_and(|rest| rest.starts_with(token.as_bytes()))
    }

    /// Reads `token` if the text goes on with it.
    fn eat(&mut self, token: &str) -> bool {
        let found = self.sees(token);
        if found {
            self.at += token.len();
        }
        found
    }

    /// The next character.
    fn peek_char(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn span_from(&self, start: usize) -> Span {
        Span::new(start, self.at)
    }

    /// The length of the line end at `at`: 0, 1 or, for CR LF, 2.
    fn line_end_at(&self, at: usize) -> usize {
        match self.bytes.get(at) {
            Some(b'\n') => 1,
            Some(b'\r') if self.bytes.get(at + 1) == Some(&b'\n') => 2,
            _ => 0,
        }
    }

    /// Skips blanks, joined lines and, where a word could start, a comment.
    fn skip_blanks(&mut self) {
        while let Some(b) = self.peek() {
            match b {
                b' ' | b'\t' | b'\r' => self.at += 1,
                b'\\' => match self.line_end_at(self.at + 1) {
                    0 => break,
                    n => self.at += 1 + n,
                },
                b'#' => {
                    let start = self.at;
                    let rest = self.bytes.get(self.at..).unwrap_or_default();
                    self.at += memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                    if self.bytes.get(self.at.wrapping_sub(1)) == Some(&b'\r') {
                        self.at -= 1;
                    }
                    self.paint(start, Kind::Comment);
                    break;
                }
                _ => break,
            }
        }
    }

    /// Skips blanks, comments and line ends.
    fn skip_newlines(&mut self) {
        loop {
            self.skip_blanks();
            if !self.newline() {
                break;
            }
        }
    }

    /// Reads a line end and the here-documents that begin after it.
    fn newline(&mut self) -> bool {
        let n = self.line_end_at(self.at);
        if n == 0 {
            return false;
        }
        self.at += n;
        self.read_documents();
        true
    }

    /// The 1-based line of a place.
    fn line_of(&mut self, at: usize) -> u32 {
        let (known, line) = self.memo.known_line;
        let newlines = |from: usize, to: usize| {
            let bytes = self.text.as_bytes().get(from..to).unwrap_or_default();
            u32::try_from(memchr::memchr_iter(b'\n', bytes).count()).unwrap_or(u32::MAX)
        };
        let line = if at >= known {
            line.saturating_add(newlines(known, at))
        } else {
            line.saturating_sub(newlines(at, known))
        };
        self.memo.known_line = (at, line);
        line
    }

    fn mark(&self) -> Mark {
        Mark {
            at: self.at,
            depth: self.depth,
            parens: self.parens,
            finished: self.finished,
            substitutions: self.substitutions,
            diagnostics: self.diagnostics.len(),
            marks: self.marks.as_ref().map_or(0, Vec::len),
            pending: self.documents.pending.clone(),
        }
    }

    fn rewind(&mut self, mark: Mark) {
        self.at = mark.at;
        self.depth = mark.depth;
        self.parens = mark.parens;
        self.finished = mark.finished;
        self.substitutions = mark.substitutions;
        self.diagnostics.truncate(mark.diagnostics);
        if let Some(marks) = &mut self.marks {
            marks.truncate(mark.marks);
        }
        self.documents.pending = mark.pending;
    }

    /// Tries a reading of the text from here. Where it fails the cursor is back, nothing is reported,
    /// and the same guess is not made again.
    fn attempt<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.memo.refuted.contains(&self.at) {
            return None;
        }
        let mark = self.mark();
        let found = read(self);
        if found.is_none() {
            self.memo.refuted.insert(mark.at);
            self.rewind(mark);
        }
        found
    }

    /// Reads something one level deeper.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.depth >= MAX_NESTING {
            return self.too_deep();
        }
        self.depth += 1;
        let found = read(self);
        self.depth -= 1;
        found
    }

    #[cold]
    fn too_deep<T>(&mut self) -> Parse<T> {
        let span = Span::new(self.at, self.at + 1);
        self.report(
            Diagnostic::syntax(span, format!("nested deeper than {MAX_NESTING} levels"))
                .with_fix("put the inner part into a function or a variable"),
        );
        self.give_up();
        Err(Stop)
    }

    /// Stops reading and reporting.
    fn give_up(&mut self) {
        self.finished = true;
        self.at = self.bytes.len();
    }

    #[cold]
    fn report(&mut self, diagnostic: Diagnostic) {
        if self.finished {
            return;
        }
        if diagnostic.level == Level::Warning {
            if self.diagnostics.len() < MAX_WARNINGS {
                self.diagnostics.push(diagnostic);
            }
            return;
        }
        self.diagnostics.push(diagnostic);
        if self.diagnostics.iter().filter(|d| d.level == Level::Error).count() >= MAX_ERRORS {
            self.give_up();
        }
    }

    #[cold]
    fn fail<T>(&mut self, diagnostic: Diagnostic) -> Parse<T> {
        self.report(diagnostic);
        Err(Stop)
    }

    /// The input ends inside what began at `opening`; silent after an error within it.
    #[cold]
    fn unclosed<T>(&mut self, opening: Span, message: impl Into<String>) -> Parse<T> {
        let follows = self
            .diagnostics
            .iter()
            .any(|d| d.level == Level::Error && d.span.start >= opening.start);
        if !follows {
            let diagnostic = Diagnostic::syntax(opening, message);
            let mut diagnostic = match self.closing_advice(opening) {
                Some(fix) => diagnostic.with_fix(fix),
                None => diagnostic,
            };
            diagnostic.incomplete = self.bytes.len() == self.text.len();
            self.report(diagnostic);
        }
        self.at = self.bytes.len();
        if self.bytes.len() == self.text.len() {
            self.finished = true;
        }
        Err(Stop)
    }

    fn has_error(&self) -> bool {
        self.diagnostics.iter().any(|d| d.level == Level::Error)
    }

    /// Notes what the text from `start` to the cursor is.
    fn paint(&mut self, start: usize, kind: Kind) {
        let span = self.span_from(start);
        self.paint_span(span, kind);
    }

    fn paint_span(&mut self, span: Span, kind: Kind) {
        if let Some(marks) = &mut self.marks {
            marks.push((span, kind));
        }
    }
}

/// Whether a byte ends a bare word outside brackets. A carriage return is a blank.
fn is_meta(b: u8) -> bool {
    matches!(b, b' ' | b'\t' | b'\r' | b'\n' | b';' | b'&' | b'|' | b'(' | b')' | b'<' | b'>')
}

/// Whether a word is reserved as the first of a command.
pub(super) fn is_reserved(word: &str) -> bool {
    matches!(
        word,
        "if" | "then"
            | "elif"
            | "else"
            | "fi"
            | "for"
            | "while"
            | "until"
            | "do"
            | "done"
            | "case"
            | "esac"
            | "select"
            | "function"
            | "time"
            | "!"
            | "{"
            | "}"
            | "[["
    )
}
