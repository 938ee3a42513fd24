//! Simple commands: assignments, words and redirects; and function definitions, which begin alike.

use std::rc::Rc;

use super::name::{mixes_scripts, name_length, normalise};
use super::word::{Place, bare};
use super::{Parse, Parser, is_meta, is_reserved};
use crate::syntax::{
    Argument, Assignment, Command, Diagnostic, FunctionDefinition, Kind, SimpleCommand, Span,
    Subscript, Word,
};

/// How the arguments of a command are read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    /// As words.
    Words,
    /// `export x=1`: as assignments where they are some.
    Declarations,
    /// `let i=i*2`, `unset xs[0]`: as words without patterns.
    Plain,
    /// `push xs[0] *.txt`: the first without patterns.
    Target,
}

impl Parser<'_> {
    /// A simple command, or the definition of a function.
    #[inline(never)]
    pub(super) fn simple(&mut self) -> Parse<Command> {
        let start = self.at;
        let line = self.line_of(start);
        let mut end = start;
        let mut command = SimpleCommand { line, ..SimpleCommand::default() };
        let mut style = Style::Words;
        loop {
            self.skip_blanks();
            let Some(b) = self.peek() else { break };
            if let Some(redirect) = self.redirect()? {
                command.redirects.push(redirect);
            } else if b == b'(' && command.words.len() == 1 && command.assignments.is_empty() {
                return self.function_parens(start, &command);
            } else if is_meta(b) {
                break;
            } else if command.words.is_empty() {
                if let Some(assignment) = self.assignment(false)? {
                    command.assignments.push(assignment);
                } else {
                    self.check_target(false)?;
                    let word = self.word(Place::Argument)?;
                    if command.redirects.is_empty() && command.assignments.is_empty() {
                        self.check_split_keyword(&word)?;
                    }
                    if b == b'[' {
                        self.check_bracket_name(&word)?;
                    }
                    style = match bare(&word).map(|text| text.as_str()) {
                        Some("local" | "export" | "readonly" | "declare" | "typeset") => {
                            Style::Declarations
                        }
                        Some("let" | "unset") => Style::Plain,
                        Some("push") => Style::Target,
                        _ => Style::Words,
                    };
                    self.paint_span(word.span, Kind::Command);
                    command.words.push(Argument::Word(word));
                }
            } else {
                let argument = self.argument(style, &command)?;
                command.words.push(argument);
            }
            end = self.at;
        }
        if end == start {
            return self.no_command();
        }
        command.span = Span::new(start, end);
        self.check_redirects(&command.redirects);
        self.advise_command(&command);
        self.check_bracket_command(&command);
        command.words.shrink_to_fit();
        command.assignments.shrink_to_fit();
        Ok(Command::Simple(Rc::new(command)))
    }

    /// Reports a reserved word that a joined line runs through: only then is it read as a word.
    fn check_split_keyword(&mut self, word: &Word) -> Parse<()> {
        match bare(word).filter(|text| is_reserved(text)) {
            Some(_) => {
                self.fail(Diagnostic::syntax(word.span, "a reserved word is split over two lines"))
            }
            None => Ok(()),
        }
    }

    fn argument(&mut self, style: Style, command: &SimpleCommand) -> Parse<Argument> {
        match style {
            Style::Plain => self.word(Place::Condition).map(Argument::Word),
            Style::Target if command.words.len() == 1 => {
                self.word(Place::Condition).map(Argument::Word)
            }
            Style::Words | Style::Target => {
                let word = self.word(Place::Argument)?;
                self.note_swallowed(&word, command);
                Ok(Argument::Word(word))
            }
            Style::Declarations => {
                let record = command.words.iter().any(|word| match word {
                    Argument::Word(word) => {
                        bare(word).is_some_and(|text| text.starts_with('-') && text.contains('A'))
                    }
                    Argument::Assignment(_) => false,
                });
                if let Some(assignment) = self.assignment(record)? {
                    return Ok(Argument::Assignment(assignment));
                }
                self.check_target(true)?;
                self.word(Place::Argument).map(Argument::Word)
            }
        }
    }

    fn no_command<T>(&mut self) -> Parse<T> {
        if self.at >= self.bytes.len() {
            let span = self.text_end();
            return self.unclosed(span, "expected a command");
        }
        if self.peek() == Some(b'(') {
            return self.unexpected_paren();
        }
        let message = format!("expected a command before {}", self.here());
        let token = self.here_token();
        let before = self.slice(0, self.at).trim_end();
        let fix = if before.ends_with(';') && matches!(token, "&&" | "||" | "|" | "&") {
            format!("remove the `;` before `{token}`")
        } else if matches!(token, "&&" | "||" | "|") {
            format!("a command on both sides: … {token} …")
        } else if token == ";" && before.ends_with(';') {
            "one `;` ends a command".into()
        } else {
            format!("`{token}` as a text is '{token}'")
        };
        self.fail(Diagnostic::syntax(self.here_span(), message).with_fix(fix))
    }

    /// An assignment, if one stands here; `record` makes `()` an empty record.
    pub(super) fn assignment(&mut self, record: bool) -> Parse<Option<Assignment>> {
        let start = self.at;
        let length = name_length(self.rest());
        if length == 0 {
            return Ok(None);
        }
        let path = match (self.peek_at(length), self.peek_at(length + 1)) {
            (Some(b'='), _) | (Some(b'+'), Some(b'=')) => {
                self.at += length;
                Vec::new()
            }
            (Some(b'['), _) => {
                let path = self.attempt(|p| {
                    p.at += length;
                    let path = p.path(start).ok()?;
                    (p.sees("=") || p.sees("+=")).then_some(path)
                });
                let Some(path) = path else { return Ok(None) };
                path
            }
            _ => return Ok(None),
        };
        let target = self.span_from(start);
        self.paint(start, Kind::Variable);
        let written = self.slice(start, start + length);
        self.check_path(&path, target);
        if mixes_scripts(written) {
            self.warn_mixed(Span::new(start, start + length));
        }
        let append = self.eat("+");
        self.at += 1;
        let value = self.value(Place::Value, record)?;
        Ok(Some(Assignment {
            name: normalise(written),
            path,
            append,
            value,
            span: self.span_from(start),
        }))
    }

    /// Warns of a name whose letters are of scripts that look alike.
    pub(super) fn warn_mixed(&mut self, span: Span) {
        let name = span.text(self.text);
        let other = name.chars().find(|c| !c.is_ascii()).map_or(0, |c| c as u32);
        let message = format!("the name `{name}` mixes scripts: it holds U+{other:04X}");
        let fix = "write it in the letters of one script";
        self.report(Diagnostic::warning("W007", span, message).with_fix(fix));
    }

    fn check_path(&mut self, path: &[Subscript], target: Span) {
        let message = match path.iter().find(|s| !matches!(s, Subscript::Key(_))) {
            None => return,
            Some(Subscript::Slice(..)) => "a slice cannot be assigned to",
            Some(_) => "all elements at once cannot be assigned to",
        };
        self.report(Diagnostic::syntax(target, message).with_fix("name one element: xs[0]=…"));
    }

    /// `name()`, the cursor being at the `(`.
    #[inline(never)]
    fn function_parens(&mut self, start: usize, command: &SimpleCommand) -> Parse<Command> {
        let [Argument::Word(word)] = command.words.as_slice() else {
            return self.unexpected_paren();
        };
        let Some(name) = bare(word).filter(|_| command.redirects.is_empty()).cloned() else {
            return self.unexpected_paren();
        };
        let open = self.at;
        self.at += 1;
        self.skip_blanks();
        if !self.eat(")") {
            if self.at >= self.bytes.len() {
                return self.unclosed(Span::new(open, open + 1), "this `(` is never closed");
            }
            self.at = open;
            let span = Span::new(start, open + 1);
            let message =
                format!("`{name}(` begins a function, and nothing stands between its parentheses");
            let diagnostic = Diagnostic::syntax(span, message);
            return self.fail(
                diagnostic.with_fix(format!("{name}() {{ …; }}, or {name} '(' to pass it on")),
            );
        }
        self.nested(|p| p.function_body(start, &name))
    }

    /// `function name`, the cursor being at the keyword.
    #[inline(never)]
    pub(super) fn function_keyword(&mut self) -> Parse<Command> {
        let start = self.at;
        self.eat_keyword("function");
        self.skip_blanks();
        let word = self.word(Place::Condition)?;
        let name =
            bare(&word).filter(|name| !matches!(name.as_str(), "{" | "}" | "[[" | "!")).cloned();
        let Some(name) = name else {
            let message = format!("`function` needs a name after it, found {}", self.here());
            let span = if word.parts.is_empty() { self.here_span() } else { word.span };
            return self.fail(Diagnostic::syntax(span, message).with_fix("function greet { …; }"));
        };
        self.skip_blanks();
        let open = self.at;
        if self.eat("(") {
            self.skip_blanks();
            if !self.eat(")") {
                self.at = open;
            }
        }
        self.function_body(start, &name)
    }

    fn function_body(&mut self, start: usize, name: &str) -> Parse<Command> {
        self.paint(start, Kind::Function);
        self.skip_newlines();
        if self.at >= self.bytes.len() {
            let span = self.span_from(start);
            return self.unclosed(span, format!("the function `{name}` is missing its body"));
        }
        let word = if self.peek() == Some(b'(') { "(" } else { self.peek_bare() };
        if !matches!(word, "if" | "for" | "while" | "until" | "case" | "select" | "{" | "[[" | "(")
        {
            let rest = self.rest();
            let line = rest.get(..rest.find('\n').unwrap_or(rest.len())).unwrap_or_default().trim();
            let message = format!("the body of the function `{name}` must be in braces");
            let fix = format!("{name}() {{ {}; }}", line.trim_end_matches(';'));
            return self.fail(Diagnostic::syntax(self.here_span(), message).with_fix(fix));
        }
        let body = self.compound(word)?;
        let span = self.span_from(start);
        Ok(Command::Function(Rc::new(FunctionDefinition { name: normalise(name), body, span })))
    }
}
