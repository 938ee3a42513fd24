//! Words, parameters and subscripts to source text.

use super::{Printer, quoted};
use crate::syntax::{
    Brace, DefaultKind, Parameter, ParameterName, ParameterOp, Part, ReplaceScope, Script,
    Subscript, TrimEnd, Word,
};

impl Printer {
    pub(super) fn word(&mut self, word: &Word) {
        self.parts(&word.parts);
    }

    /// After a `$` that is text, quoted text begins with a backslash: a quote would join the `$`.
    pub(super) fn parts(&mut self, parts: &[Part]) {
        let mut dollar = false;
        for part in parts {
            match part {
                Part::Quoted(text) if dollar => {
                    let mut rest = text.chars();
                    self.push("\\");
                    self.text.extend(rest.next());
                    if !rest.as_str().is_empty() {
                        self.push(&quoted(rest.as_str()));
                    }
                }
                part => self.part(part),
            }
            dollar = matches!(part, Part::Literal(text) if text.ends_with('$'));
        }
    }

    pub(super) fn part(&mut self, part: &Part) {
        match part {
            Part::Literal(text) | Part::Glob(text) => self.push(text),
            Part::Quoted(text) => self.push(&quoted(text)),
            Part::Tilde => self.push("~"),
            Part::DoubleQuoted(parts) => {
                self.push("\"");
                parts.iter().for_each(|part| self.quoted_part(part, "\""));
                self.push("\"");
            }
            Part::Parameter(parameter) => self.parameter(parameter, false),
            Part::Command(substitution) => self.substitution(&substitution.script),
            Part::Arithmetic(code) => self.push(&format!("$(({}))", code.text)),
            Part::Brace(brace) => self.brace(brace),
            Part::Spread(part) => {
                self.push("...");
                self.part(part);
            }
        }
    }

    /// A part between double quotes; `escaped` are the characters that would end them.
    pub(super) fn quoted_part(&mut self, part: &Part, escaped: &str) {
        match part {
            Part::Quoted(text) => {
                for (i, c) in text.char_indices() {
                    if matches!(c, '\\' | '$' | '`' | '"') || escaped.contains(c) {
                        self.push("\\");
                    }
                    let cr_lf = c == '\r' && text.as_bytes().get(i + 1) == Some(&b'\n');
                    if cr_lf { self.push("\\r") } else { self.text.push(c) }
                }
            }
            Part::Parameter(parameter) => self.parameter(parameter, true),
            part => self.part(part),
        }
    }

    pub(super) fn document_part(&mut self, part: &Part, verbatim: bool) {
        match part {
            Part::Quoted(text) if verbatim => self.push(text),
            Part::Quoted(text) => {
                for c in text.chars() {
                    if matches!(c, '\\' | '$' | '`') {
                        self.push("\\");
                    }
                    self.text.push(c);
                }
            }
            Part::Parameter(parameter) => self.parameter(parameter, true),
            part => self.part(part),
        }
    }

    /// `$(…)`, on one line where its program is one statement without here-documents.
    pub(super) fn substitution(&mut self, script: &Script) {
        let waiting = std::mem::take(&mut self.documents);
        let start = self.text.len();
        self.push("$(");
        if let [statement] = script.statements.as_slice() {
            self.statement(statement);
            if self.text.as_bytes().get(start + 2) == Some(&b'(') {
                self.text.insert(start + 2, ' ');
            }
            if !self.documents.is_empty() {
                self.newline();
            }
        } else if !script.statements.is_empty() {
            self.block(script);
        }
        self.push(")");
        self.documents = waiting;
    }

    pub(super) fn brace(&mut self, brace: &Brace) {
        self.push("{");
        match brace {
            Brace::List(alternatives) => {
                for (i, alternative) in alternatives.iter().enumerate() {
                    self.push(if i > 0 { "," } else { "" });
                    self.parts(alternative);
                }
            }
            Brace::Numbers { start, end, step, width } => {
                let number = |n: i64| {
                    let digits = width.saturating_sub(usize::from(n < 0));
                    format!("{}{:0digits$}", if n < 0 { "-" } else { "" }, n.unsigned_abs())
                };
                self.push(&format!("{}..{}..{step}", number(*start), number(*end)));
            }
            Brace::Letters(start, end, step) => self.push(&format!("{start}..{end}..{step}")),
        }
        self.push("}");
    }

    pub(super) fn parameter(&mut self, parameter: &Parameter, quoted: bool) {
        self.push("${");
        self.push(match parameter.op {
            ParameterOp::Length => "#",
            ParameterOp::Indirect | ParameterOp::NamesWithPrefix | ParameterOp::Keys => "!",
            _ => "",
        });
        match &parameter.name {
            ParameterName::Variable(name) => self.push(name),
            ParameterName::Positional(n) => self.push(&n.to_string()),
            ParameterName::Special(c) => self.text.push(*c),
        }
        self.path(&parameter.path);
        self.parameter_op(&parameter.op, quoted);
        self.push("}");
    }

    pub(super) fn parameter_op(&mut self, op: &ParameterOp, quoted: bool) {
        match op {
            ParameterOp::None | ParameterOp::Length | ParameterOp::Indirect | ParameterOp::Keys => {
            }
            ParameterOp::NamesWithPrefix => self.push("@"),
            ParameterOp::Default { kind, colon, word } => {
                self.push(if *colon { ":" } else { "" });
                self.push(match kind {
                    DefaultKind::Use => "-",
                    DefaultKind::Assign => "=",
                    DefaultKind::Alternative => "+",
                    DefaultKind::Require => "?",
                });
                if quoted {
                    word.parts.iter().for_each(|part| self.quoted_part(part, "}"));
                } else {
                    self.word(word);
                }
            }
            ParameterOp::Trim { end, longest, pattern } => {
                let sign = if *end == TrimEnd::Prefix { "#" } else { "%" };
                self.push(sign);
                self.push(if *longest { sign } else { "" });
                self.word(pattern);
            }
            ParameterOp::Replace { scope, pattern, replacement } => {
                self.push(match scope {
                    ReplaceScope::First => "/",
                    ReplaceScope::All => "//",
                    ReplaceScope::Prefix => "/#",
                    ReplaceScope::Suffix => "/%",
                });
                self.word(pattern);
                if !replacement.parts.is_empty() {
                    self.push("/");
                    self.word(replacement);
                }
            }
            ParameterOp::Case { upper, all, pattern } => {
                let sign = if *upper { "^" } else { "," };
                self.push(sign);
                self.push(if *all { sign } else { "" });
                self.word(pattern);
            }
            ParameterOp::Substring(offset, length) => {
                self.push(":");
                self.push(&offset.text);
                if let Some(length) = length {
                    self.push(":");
                    self.push(&length.text);
                }
            }
            ParameterOp::Transform(c) => {
                self.push("@");
                self.text.push(*c);
            }
        }
    }

    pub(super) fn path(&mut self, path: &[Subscript]) {
        for subscript in path {
            self.push("[");
            match subscript {
                Subscript::Key(word) => self.word(word),
                Subscript::Slice(from, to, _) => {
                    self.push(from.as_ref().map_or("", |code| code.text.as_str()));
                    self.push(":");
                    self.push(to.as_ref().map_or("", |code| code.text.as_str()));
                }
                Subscript::All => self.push("@"),
                Subscript::Star => self.push("*"),
            }
            self.push("]");
        }
    }
}
