//! Advice: what was probably meant where a program is wrong or looks strange.

use super::name::{invisible, is_name};
use super::word::bare;
use super::{Parse, Parser};
use crate::syntax::{Argument, Diagnostic, Part, SimpleCommand, Span, Word};

impl Parser<'_> {
    /// Reports `$x[k]`, the cursor being at the bracket.
    pub(super) fn report_glued(&mut self, start: usize) {
        let rest = self.rest();
        let word = rest.find([' ', '\t', '\n', ';', '"', '\'']).unwrap_or(rest.len());
        let close = rest.get(..word).and_then(|word| word.rfind(']'));
        let end = close.map_or(self.at + 1, |close| self.at + close + 1);
        let name = self.slice(start + 1, self.at).to_owned();
        let span = Span::new(start, end);
        if name == "?" {
            self.report_status_field(span);
            return;
        }
        let subscript = if close.is_some() { self.slice(self.at, end) } else { "[k]" };
        let fix = format!("${{{name}{subscript}}}");
        let message = format!("`${name}[` without braces reads no element");
        self.report(Diagnostic::syntax(span, message).with_fix(fix));
    }

    /// Reports a bracket inside an element of a list or record.
    pub(super) fn report_bracket(&mut self, start: usize) {
        let span = Span::new(start, self.at + 1);
        let reported = self.diagnostics.last().is_some_and(|last| last.span.start == span.start);
        if reported {
            return;
        }
        let rest = self.rest();
        let word = rest.find([' ', '\t', '\n', ',', '}']).unwrap_or(rest.len());
        let end = rest
            .get(..word)
            .and_then(|word| word.find(']'))
            .map_or(self.at + 1, |end| self.at + end + 1);
        let written = self.slice(start, end).to_owned();
        let target = self.slice(start, self.at);
        let fix = if is_name(target) && self.peek() == Some(b'[') {
            format!("an element: ${{{written}}}; text: '{written}'")
        } else {
            format!("'{written}'")
        };
        let message = "a bracket inside an element must be quoted";
        self.report(Diagnostic::syntax(Span::new(start, end), message).with_fix(fix));
    }

    /// A `{` earlier on the line that begins a word, as in `{echo`.
    pub(super) fn glued_brace(&self) -> Option<Span> {
        let before = self.slice(0, self.at);
        let line = before.get(before.rfind('\n').map_or(0, |at| at + 1)..)?;
        let brace = line
            .rfind('{')
            .filter(|at| line.get(at + 1..).is_some_and(|rest| !rest.contains('}')))?;
        let glued = line.get(brace + 1..)?.starts_with(|c: char| c.is_alphanumeric());
        let first = brace == 0 || line.get(..brace)?.ends_with([' ', ';', '&', '|', '(', '\t']);
        let start = self.at - line.len() + brace;
        (glued && first).then(|| Span::new(start, start + 1))
    }

    /// Reports that `$?` was read as if it were a record.
    pub(super) fn report_status_field(&mut self, span: Span) {
        let message = "`$?` is a number, the exit code, and has no fields";
        let diagnostic = Diagnostic::error("E015", span, message);
        self.report(diagnostic.with_fix("the last result as a value: $(kaish-last)"));
    }

    /// Reports an invisible character glued to the name that ends at the cursor.
    pub(super) fn check_invisible(&mut self, start: usize) {
        let Some(c) = self.peek_char() else { return };
        if c.is_ascii() || c == '\u{3000}' || c == '\u{a0}' {
            return;
        }
        if let Some(what) = invisible(c) {
            let span = Span::new(start, self.at + c.len_utf8());
            let message = format!("the name is followed by {what} (U+{:04X})", c as u32);
            let fix = format!("remove it, or write ${{{}}}", self.slice(start + 1, self.at));
            self.report(Diagnostic::error("E019", span, message).with_fix(fix));
        }
    }

    /// Warns of characters that look like blanks or quotes and are none.
    pub(super) fn advise_characters(&mut self, word: &Word) {
        if self.diagnostics.last().is_some_and(|last| last.span.start >= word.span.start) {
            return;
        }
        for part in &word.parts {
            let Part::Literal(text) = part else { continue };
            if text.is_ascii() {
                continue;
            }
            let Some(c) = text.chars().find(|c| invisible(*c).is_some() || is_quote(*c)) else {
                continue;
            };
            if matches!(c, '\u{200d}' | '\u{fe0f}') {
                continue;
            }
            let diagnostic = match invisible(c) {
                Some(what) => {
                    let message = format!("this word holds {what} (U+{:04X})", c as u32);
                    Diagnostic::warning("syntax", word.span, message)
                        .with_fix("a plain blank separates words")
                }
                None if text.starts_with(c) => {
                    let message = format!("`{c}` is a character like others and quotes nothing");
                    let fix = if matches!(c, '‘' | '’') { "'…'" } else { "\"…\"" };
                    Diagnostic::warning("syntax", word.span, message).with_fix(fix)
                }
                None => continue,
            };
            self.report(diagnostic);
        }
    }

    /// Reports a word before `=` that was meant as a target and is no name.
    ///
    /// `declared` tells that the word is an argument of `export` and its kin, where all must be names.
    pub(super) fn check_target(&mut self, declared: bool) -> Parse<()> {
        let rest = self.rest();
        let stop = |c: char| {
            matches!(c, '=' | '\'' | '"' | '$' | '`' | '\\' | '*' | '?' | '[' | '{' | '~')
        };
        let ends = |c: char| stop(c) || (c.is_ascii() && super::is_meta(c as u8));
        let mut end = rest.find(ends);
        while let Some(at) = end.filter(|at| rest.as_bytes().get(*at) == Some(&b'\\'))
            && let joined @ 1.. = self.line_end_at(self.at + at + 1)
        {
            let next = at + 1 + joined;
            end = rest.get(next..).and_then(|more| more.find(ends)).map(|more| next + more);
        }
        let Some(end) = end.filter(|end| rest.as_bytes().get(*end) == Some(&b'=')) else {
            return Ok(());
        };
        let written = rest.get(..end).unwrap_or_default();
        let joined;
        let written = if written.contains('\\') {
            joined = written.replace("\\\r\n", "").replace("\\\n", "");
            joined.as_str()
        } else {
            written
        };
        let target = written.strip_suffix('+').unwrap_or(written);
        let first = target.chars().next();
        let lettered = first.is_some_and(|c| c.is_alphabetic() || c == '_');
        let relevant =
            if declared { first.is_some_and(|c| c != '-' && c != '+') } else { lettered };
        if !relevant || target.contains('/') || is_name(target) {
            return Ok(());
        }
        let span = Span::new(self.at, self.at + end);
        let cleaned: String = target.chars().filter(|c| invisible(*c).is_none()).collect();
        let diagnostic = if let Some(c) = target.chars().find(|c| invisible(*c).is_some()) {
            let what = invisible(c).unwrap_or_default();
            let message = format!("this name holds {what} (U+{:04X})", c as u32);
            Diagnostic::error("E019", span, message).with_fix(cleaned)
        } else if let Some((root, keys)) = target.split_once('.').filter(|(root, _)| is_name(root))
        {
            let path: String = keys.split('.').map(|key| format!("[{key}]")).collect();
            Diagnostic::error(
                "E017",
                span,
                format!("`{target}` is no target: a field is set with brackets"),
            )
            .with_fix(format!("{root}{path}=…"))
        } else if target.contains('#') {
            let name: String = target.chars().filter(|c| *c != '#').collect();
            Diagnostic::error(
                "E018",
                span,
                format!("`{target}` is no name: `#` cannot stand in one"),
            )
            .with_fix(format!("{name}=…"))
        } else {
            let bad = target.chars().find(|c| !(c.is_alphanumeric() || *c == '_'));
            let message = match bad {
                Some(c) => format!("`{target}` is no name: `{c}` cannot stand in one"),
                None => format!("`{target}` is no name: a name begins with a letter or `_`"),
            };
            let fix: String =
                target.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
            let fix = if first.is_some_and(char::is_numeric) { format!("_{fix}") } else { fix };
            Diagnostic::syntax(span, message).with_fix(format!("{fix}=…"))
        };
        self.fail(diagnostic)
    }

    /// Warns of `x = 1`, which runs a command named x.
    pub(super) fn advise_command(&mut self, command: &SimpleCommand) {
        let [Argument::Word(first), Argument::Word(second), rest @ ..] = command.words.as_slice()
        else {
            return;
        };
        let (Some(name), Some(sign)) = (bare(first), bare(second)) else { return };
        if sign != "="
            || !is_name(name)
            || matches!(name.as_str(), "test" | "expr" | "echo" | "printf")
        {
            return;
        }
        let value = match rest {
            [Argument::Word(value)] => value.span.text(self.text),
            [] => "",
            _ => "…",
        };
        let message =
            format!("this runs a command named `{name}`; an assignment has no blanks around `=`");
        let diagnostic = Diagnostic::warning("syntax", command.span, message);
        self.report(diagnostic.with_fix(format!("{name}={value}")));
    }

    /// A `(` where no word or operator can begin.
    pub(super) fn unexpected_paren<T>(&mut self) -> Parse<T> {
        let extended = self.at > 0
            && matches!(self.bytes.get(self.at - 1), Some(b'?' | b'*' | b'+' | b'@' | b'!'));
        let span = Span::new(self.at, self.at + 1);
        let diagnostic = if extended {
            Diagnostic::syntax(span, "patterns such as `@(a|b)` are not available")
                .with_fix("`a|b)` in `case`, or [[ $x =~ ^(a|b)$ ]]")
        } else {
            Diagnostic::syntax(span, "`(` cannot stand here")
                .with_fix("quote it to pass it on: '('")
        };
        self.fail(diagnostic)
    }
}

fn is_quote(c: char) -> bool {
    matches!(c, '“' | '”' | '„' | '‘' | '’' | '«' | '»')
}
