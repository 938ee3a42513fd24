//! Statements: programs, and-or lists, pipelines, and which kind of command stands at the cursor.

use std::rc::Rc;

use super::{Parse, Parser, Stop, is_meta};
use crate::syntax::{
    AndOr, Command, Diagnostic, Kind, Pipeline, Script, SimpleCommand, Span, Stage, Statement,
};

/// Words that end a list of statements where a command could stand.
const CLOSERS: [&str; 8] = ["then", "elif", "else", "fi", "do", "done", "esac", "}"];

impl<'a> Parser<'a> {
    /// A whole program, line by line. A line in which here-documents begin is read twice: their
    /// bodies lie after it, and are known only then.
    pub(super) fn program(&mut self) -> Script {
        let start = self.at;
        let mut statements = Vec::new();
        while self.at < self.bytes.len() && !self.finished {
            let mark = self.mark();
            let count = statements.len();
            self.line(&mut statements);
            if self.documents.take_discovered() {
                statements.truncate(count);
                self.rewind(mark);
                self.line(&mut statements);
                self.documents.take_discovered();
            }
        }
        Script { statements, span: Span::new(start, self.bytes.len()) }
    }

    /// Statements up to and with the end of a line.
    fn line(&mut self, statements: &mut Vec<Statement>) {
        loop {
            self.skip_blanks();
            if self.at >= self.bytes.len() || self.finished {
                self.read_documents();
                return;
            }
            if self.newline() {
                return;
            }
            if self.at_closer() {
                self.stray_closer();
                continue;
            }
            match self.statement() {
                Ok(statement) => statements.push(statement),
                Err(Stop) => self.recover(),
            }
        }
    }

    /// Statements up to what can only end them, which is not read.
    pub(super) fn script(&mut self) -> Script {
        self.skip_newlines();
        let start = self.at;
        let mut end = start;
        let mut statements = Vec::new();
        loop {
            self.skip_newlines();
            if self.at >= self.bytes.len() || self.finished || self.at_closer() {
                break;
            }
            match self.statement() {
                Ok(statement) => statements.push(statement),
                Err(Stop) => self.recover(),
            }
            end = self.at;
        }
        statements.shrink_to_fit();
        Script { statements, span: Span::new(start, end) }
    }

    /// Statements up to `closer`, at least one; `opening` is the word before them.
    pub(super) fn body(&mut self, opening: &str, closer: &str) -> Parse<Rc<Script>> {
        let errors = self.diagnostics.len();
        let script = self.script();
        if script.statements.is_empty() && errors == self.diagnostics.len() && !self.finished {
            if self.at >= self.bytes.len() {
                let at = self.text_end();
                return self.unclosed(at, format!("expected a command after `{opening}`"));
            }
            let message = format!("expected a command between `{opening}` and {}", self.here());
            let diagnostic = Diagnostic::syntax(self.here_span(), message);
            self.report(diagnostic.with_fix(format!("`:` does nothing: `{opening} : ; {closer}`")));
        }
        Ok(Rc::new(script))
    }

    /// Whether the cursor is at what can only end a list of statements.
    fn at_closer(&self) -> bool {
        match self.peek() {
            Some(b')') => true,
            Some(b';') => matches!(self.peek_at(1), Some(b';' | b'&')),
            Some(b'a'..=b'z' | b'}') => CLOSERS.contains(&self.peek_bare()),
            _ => false,
        }
    }

    /// Reads a closer that closes nothing; after another error it is likely a consequence.
    #[inline(never)]
    fn stray_closer(&mut self) {
        let token = self.here_token();
        if !self.has_error() {
            let message = match token {
                "fi" => "`fi` without an `if`",
                "done" => "`done` without a `for`, `while` or `until`",
                "esac" => "`esac` without a `case`",
                "then" | "elif" | "else" => "belongs to an `if` that is not open here",
                "do" => "`do` without a `for`, `while` or `until`",
                "}" => "`}` without a `{` before it",
                ")" => "`)` without a `(` before it",
                _ => "`;;` outside of a `case`",
            };
            let message = match token {
                "then" | "elif" | "else" => format!("`{token}` {message}"),
                _ => message.to_owned(),
            };
            let mut diagnostic = Diagnostic::syntax(self.here_span(), message);
            if let Some(glued) = self.glued_brace().filter(|_| token == "}") {
                let message = "`{` opens a group only as a word of its own";
                diagnostic = Diagnostic::syntax(glued, message).with_fix("set a blank after `{`");
            } else if let Some(fix) = self.stray_advice(token) {
                diagnostic = diagnostic.with_fix(fix);
            } else if matches!(token, ")" | "}") {
                diagnostic = diagnostic.with_fix(format!("quote it to print it: '{token}'"));
            } else {
                diagnostic = diagnostic.with_fix("`;` alone separates commands");
            }
            self.report(diagnostic);
        }
        self.at += token.len();
    }

    /// Skips the rest of a line that made no sense.
    fn recover(&mut self) {
        while let Some(b) = self.peek() {
            if b == b'\n' || (b == b')' && self.parens > 0) {
                break;
            }
            self.at += 1;
        }
    }

    /// The word of plain characters at the cursor, where it is as short as a reserved word.
    pub(super) fn peek_bare(&self) -> &'a str {
        let end = (self.at..self.at + 10).find(|&i| self.bytes.get(i).is_none_or(|b| is_meta(*b)));
        end.map_or("", |end| self.slice(self.at, end))
    }

    /// Reads a reserved word if it stands here.
    pub(super) fn eat_keyword(&mut self, word: &str) -> bool {
        let found = self.peek_bare() == word;
        if found {
            let start = self.at;
            self.at += word.len();
            self.paint(start, Kind::Keyword);
        }
        found
    }

    /// Reads a reserved word that must stand here; `opening` began the compound.
    pub(super) fn expect_keyword(&mut self, word: &str, opening: Span) -> Parse<()> {
        self.skip_newlines();
        if self.eat_keyword(word) {
            return Ok(());
        }
        let name = opening.text(self.text).to_owned();
        if !self.finished
            && let Some(found) = self.swallowed(word, opening)
        {
            return self.fail_swallowed(found);
        }
        if self.at >= self.bytes.len() {
            return self.unclosed(opening, format!("`{name}` is missing its `{word}`"));
        }
        let place = self.line_note(opening);
        let message = format!("expected `{word}` for the `{name}`{place}, found {}", self.here());
        let diagnostic = Diagnostic::syntax(self.here_span(), message);
        let fix = match (word, self.peek_bare()) {
            ("fi", "then") => self.stray_advice("then").unwrap_or_else(|| "elif …; then …".into()),
            ("then" | "do", _) => format!("{name} …; {word} …"),
            ("fi", "elif" | "else") => {
                "`else` is the last part: if …; then …; elif …; then …; else …; fi".into()
            }
            _ => format!("set `{word}` before it"),
        };
        self.fail(diagnostic.with_fix(fix))
    }

    /// ` of line 3` where something began on another line than the cursor's.
    pub(super) fn line_note(&mut self, opening: Span) -> String {
        let line = self.line_of(opening.start as usize);
        if line == self.line_of(self.at) { String::new() } else { format!(" of line {line}") }
    }

    /// One and-or list with what ends it.
    fn statement(&mut self) -> Parse<Statement> {
        let start = self.at;
        let first = self.pipeline()?;
        let mut end = first.span.end;
        let mut rest = Vec::new();
        loop {
            self.skip_blanks();
            let operator = match (self.peek(), self.peek_at(1)) {
                (Some(b'&'), Some(b'&')) => AndOr::And,
                (Some(b'|'), Some(b'|')) => AndOr::Or,
                _ => break,
            };
            self.operator(2)?;
            let pipeline = self.pipeline()?;
            end = pipeline.span.end;
            rest.push((operator, pipeline));
        }
        let background = self.statement_end()?;
        Ok(Statement {
            first,
            rest,
            background,
            span: Span { start: Span::new(start, 0).start, end },
        })
    }

    /// Reads `&&`, `||`, `|` or `|&`, after which a command must follow, on a later line perhaps.
    fn operator(&mut self, length: usize) -> Parse<()> {
        let start = self.at;
        self.at += length;
        let span = self.span_from(start);
        self.paint(start, Kind::Operator);
        self.skip_newlines();
        if self.at >= self.bytes.len() {
            let message = format!("`{}` needs a command after it", span.text(self.text));
            return self.unclosed(span, message);
        }
        Ok(())
    }

    /// Reads `;` or `&`, or sees that the statement ends; whether it was `&`.
    fn statement_end(&mut self) -> Parse<bool> {
        let start = self.at;
        match self.peek() {
            Some(b'&') => {
                self.at += 1;
                self.paint(start, Kind::Operator);
                Ok(true)
            }
            Some(b';') if !self.at_closer() => {
                self.at += 1;
                self.paint(start, Kind::Operator);
                Ok(false)
            }
            None => Ok(false),
            _ if self.line_end_at(self.at) > 0 => Ok(false),
            Some(b')' | b';') => Ok(false),
            Some(b'(') => self.unexpected_paren(),
            _ => {
                let message = format!("expected `;` or a new line before {}", self.here());
                let fix = format!("…; {}", self.here_token());
                self.fail(Diagnostic::syntax(self.here_span(), message).with_fix(fix))
            }
        }
    }

    /// Commands joined by `|`.
    fn pipeline(&mut self) -> Parse<Pipeline> {
        let start = self.at;
        let mut pipeline = Pipeline::default();
        loop {
            if self.eat_keyword("!") {
                pipeline.negated = !pipeline.negated;
            } else if self.eat_keyword("time") {
                pipeline.timed = true;
                self.skip_blanks();
                if self.peek_bare() == "-p" {
                    self.at += 2;
                }
            } else {
                break;
            }
            self.skip_blanks();
        }
        let mut end = self.at;
        if pipeline.negated && self.at_statement_end() {
            let message = "`!` needs a command after it";
            let diagnostic = Diagnostic::syntax(self.span_from(start), message);
            return self.fail(diagnostic.with_fix("! grep -q x FILE, or quote it: '!'"));
        }
        if pipeline.timed && self.at_statement_end() {
            let command = Command::Simple(Rc::new(SimpleCommand::default()));
            pipeline.stages.push(Stage { command, pipe_stderr: false });
        } else {
            loop {
                let command = self.command()?;
                end = self.at;
                self.skip_blanks();
                let (more, pipe_stderr) = match (self.peek(), self.peek_at(1)) {
                    (Some(b'|'), Some(b'|')) => (false, false),
                    (Some(b'|'), Some(b'&')) => (true, true),
                    (Some(b'|'), _) => (true, false),
                    _ => (false, false),
                };
                if pipeline.stages.is_empty() {
                    pipeline.stages.reserve_exact(1);
                }
                pipeline.stages.push(Stage { command, pipe_stderr });
                if !more {
                    break;
                }
                self.operator(if pipe_stderr { 2 } else { 1 })?;
            }
        }
        pipeline.span = Span::new(start, end);
        Ok(pipeline)
    }

    fn at_statement_end(&self) -> bool {
        matches!(self.peek(), None | Some(b';' | b'&' | b')' | b'\n')) && !self.sees("&>")
    }

    /// One command of any kind.
    #[inline(never)]
    fn command(&mut self) -> Parse<Command> {
        let word = match self.peek() {
            Some(b'a'..=b'z' | b'{' | b'}' | b'!' | b'[') => self.peek_bare(),
            Some(b'(') => "(",
            _ => "",
        };
        match word {
            "if" | "for" | "while" | "until" | "case" | "select" | "{" | "[[" | "(" => {
                self.nested(|p| p.compound(word)).map(Command::Compound)
            }
            "function" => self.nested(Self::function_keyword),
            "!" | "time" => self.misplaced(word),
            _ if CLOSERS.contains(&word) => self.misplaced(word),
            _ => self.simple(),
        }
    }

    /// Reports a reserved word that cannot begin a command here.
    #[cold]
    fn misplaced<T>(&mut self, word: &str) -> Parse<T> {
        let (message, fix) = match word {
            "!" | "time" => {
                let does = if word == "!" { "negates" } else { "measures" };
                let message = format!(
                    "`{word}` {does} a whole pipeline, so it stands before its first command"
                );
                (message, format!("{word} first | second"))
            }
            _ => (
                format!("expected a command, found `{word}`"),
                format!("a command on both sides; `{word}` as a text is '{word}'"),
            ),
        };
        self.fail(Diagnostic::syntax(self.here_span(), message).with_fix(fix))
    }

    /// What stands at the cursor, for messages: a token in backticks, or the end of something.
    pub(super) fn here(&self) -> String {
        match self.peek() {
            None if self.bytes.len() < self.text.len() => "the end of the here-document".into(),
            None => "the end of the input".into(),
            _ if self.line_end_at(self.at) > 0 => "the end of the line".into(),
            Some(b' ' | b'\t') => "a blank".into(),
            _ => format!("`{}`", self.here_token()),
        }
    }

    /// Where [`Self::here`] stands.
    pub(super) fn here_span(&self) -> Span {
        Span::new(self.at, self.at + self.here_token().len())
    }

    /// The token at the cursor: an operator, or a word up to a blank.
    pub(super) fn here_token(&self) -> &'a str {
        for operator in ["&&", "||", ";;&", ";;", ";&", "|&", "<<<", "<<", ">>", "&>"] {
            if self.sees(operator) {
                return operator;
            }
        }
        let rest = self.rest();
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let end = rest
            .char_indices()
            .skip(1)
            .take(40)
            .find(|(_, c)| c.is_whitespace() || u8::try_from(*c).is_ok_and(is_meta));
        match rest.as_bytes().first() {
            Some(b) if is_meta(*b) => self.slice(self.at, self.at + first),
            _ => match end {
                Some((end, _)) => self.slice(self.at, self.at + end),
                None if rest.len() <= 40 => rest,
                None => self.slice(self.at, self.at + first),
            },
        }
    }
}
