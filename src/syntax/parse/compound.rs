//! Compound commands: groups, `if`, loops, `case`, `select`, `((…))`, with their redirects.

use std::rc::Rc;

use super::arith::End;
use super::name::{mixes_scripts, name_length, normalise};
use super::word::{Place, bare};
use super::{Parse, Parser, is_meta};
use crate::syntax::{
    ArithCode, CaseArm, CaseEnd, Compound, CompoundCommand, Diagnostic, Kind, Script, Span, Word,
};
use crate::value::EcoString;

impl Parser<'_> {
    /// The compound command that begins with `word` at the cursor.
    pub(super) fn compound(&mut self, word: &str) -> Parse<Rc<CompoundCommand>> {
        let start = self.at;
        let line = self.line_of(start);
        let opening = Span::new(start, start + word.len());
        let kind =
            if word == "(" { self.parens(start)? } else { self.keyword_compound(word, opening)? };
        let span = self.span_from(start);
        let mut redirects = Vec::new();
        let mut end = self.at;
        loop {
            self.skip_blanks();
            match self.redirect()? {
                Some(redirect) => redirects.push(redirect),
                None => break,
            }
            end = self.at;
        }
        if self.peek().is_some_and(|b| !is_meta(b)) {
            return self.glued_to_compound(span);
        }
        self.at = end;
        self.check_redirects(&redirects);
        Ok(Rc::new(CompoundCommand { kind, redirects, span, line }))
    }

    /// Reports a word right after a compound command.
    #[cold]
    fn glued_to_compound<T>(&mut self, span: Span) -> Parse<T> {
        let closer = self.slice(span.end as usize - 1, span.end as usize).to_owned();
        let token = self.here();
        let message =
            format!("expected `;` or a new line before {token}: a compound command takes no words");
        let diagnostic = Diagnostic::syntax(self.here_span(), message);
        let word = self.here_token().to_owned();
        self.fail(match (closer.as_str(), word.as_str()) {
            (_, "{") => {
                diagnostic.with_fix("if …; then …; fi, for …; do …; done: braces open no body")
            }
            ("}", _) => diagnostic.with_fix(format!("}}; {word}")),
            _ => diagnostic.with_fix(format!("…; {word}")),
        })
    }

    fn keyword_compound(&mut self, word: &str, opening: Span) -> Parse<Compound> {
        self.eat_keyword(word);
        match word {
            "if" => self.if_command(opening),
            "for" => self.for_command(opening),
            "while" | "until" => {
                let condition = self.body(word, "do")?;
                let body = self.do_body(opening)?;
                Ok(Compound::While { until: word == "until", condition, body })
            }
            "case" => self.case_command(opening),
            "select" => {
                let name = self.loop_name(opening)?;
                let words = self.loop_words()?;
                let body = self.do_body(opening)?;
                Ok(Compound::Select { name, words, body })
            }
            "[[" => self.condition(opening),
            _ => {
                let script = self.body("{", "}")?;
                self.close_group("}", opening)?;
                Ok(Compound::Group(script))
            }
        }
    }

    /// `((…))` or `( … )`.
    #[inline(never)]
    fn parens(&mut self, start: usize) -> Parse<Compound> {
        if self.peek_at(1) == Some(b'(')
            && let Some(code) = self.double_paren(start)
        {
            return Ok(Compound::Arithmetic(Rc::new(code)));
        }
        self.at += 1;
        self.paint(start, Kind::Operator);
        self.parens += 1;
        let script = self.body("(", ")");
        self.parens -= 1;
        let script = script?;
        self.close_group(")", Span::new(start, start + 1))?;
        Ok(Compound::Subshell(script))
    }

    /// Reads the bracket that ends a group or subshell.
    fn close_group(&mut self, closer: &str, opening: Span) -> Parse<()> {
        self.skip_newlines();
        let start = self.at;
        if closer == ")" && self.eat(")") {
            self.paint(start, Kind::Operator);
            return Ok(());
        }
        if closer == "}" && self.eat_keyword("}") {
            return Ok(());
        }
        let opener = opening.text(self.text).to_owned();
        if closer == "}"
            && !self.finished
            && let Some(found) = self.swallowed(closer, opening)
        {
            return self.fail_swallowed(found);
        }
        let twice = opener == "(" && self.slice(opening.start as usize, self.at).starts_with("((");
        if self.at >= self.bytes.len() {
            let message = format!("this `{opener}` is never closed by `{closer}`");
            return self.unclosed(opening, message);
        }
        let place = self.line_note(opening);
        if twice {
            let span = Span::new(opening.start as usize, opening.end as usize + 1);
            let message = format!(
                "this `((` is closed by `))`, and only one `)` stands before {}",
                self.here()
            );
            return self.fail(Diagnostic::syntax(span, message).with_fix("((expression))"));
        }
        let message =
            format!("expected `{closer}` for the `{opener}`{place}, found {}", self.here());
        let fix = format!("set `{closer}` before it");
        self.fail(Diagnostic::syntax(self.here_span(), message).with_fix(fix))
    }

    /// `((…))` after an optional `$`, the cursor being at its first parenthesis; `None`, with the
    /// cursor back, where it is a subshell in a subshell.
    pub(super) fn double_paren(&mut self, start: usize) -> Option<ArithCode> {
        let code = self.attempt(|p| p.nested(|p| Ok(p.double_paren_code(start))).ok().flatten())?;
        self.paint(start, Kind::Arithmetic);
        Some(code)
    }

    #[inline(never)]
    fn double_paren_code(&mut self, start: usize) -> Option<ArithCode> {
        self.at += 2;
        let code = self.arithmetic(End::Parens);
        let cut = self.peek() == Some(b')') && self.at + 1 == self.bytes.len();
        if (cut || self.at >= self.bytes.len()) && !self.finished {
            let message = "this `((` is never closed by `))`";
            let _ = self.unclosed::<()>(Span::new(start, start + 2), message);
            return Some(code);
        }
        (self.eat("))") || self.finished).then_some(code)
    }

    #[inline(never)]
    fn if_command(&mut self, opening: Span) -> Parse<Compound> {
        let mut arms = Vec::new();
        let mut word = "if";
        let mut arm = opening;
        loop {
            let condition = self.body(word, "then")?;
            self.expect_keyword("then", arm)?;
            let body = self.body("then", "fi")?;
            arms.push((condition, body));
            self.skip_newlines();
            arm = Span::new(self.at, self.at + 4);
            if !self.eat_keyword("elif") {
                break;
            }
            word = "elif";
        }
        let mut otherwise = None;
        if self.eat_keyword("else") {
            self.skip_blanks();
            let inner = Span::new(self.at, self.at + 2);
            let nested = self.peek_bare() == "if";
            otherwise = Some(self.body("else", "fi")?);
            self.skip_newlines();
            if nested && self.at >= self.bytes.len() && !self.has_error() {
                let message =
                    "this `if` after `else` took the `fi`, and the outer one is missing its own";
                let mut diagnostic = Diagnostic::syntax(inner, message).with_fix("elif …; then");
                diagnostic.incomplete = self.bytes.len() == self.text.len();
                self.report(diagnostic);
                self.give_up();
            }
        }
        self.expect_keyword("fi", opening)?;
        Ok(Compound::If { arms, otherwise })
    }

    #[inline(never)]
    fn for_command(&mut self, opening: Span) -> Parse<Compound> {
        self.skip_blanks();
        if self.sees("((") {
            return self.for_arithmetic(opening);
        }
        let name = self.loop_name(opening)?;
        let words = self.loop_words()?;
        let body = self.do_body(opening)?;
        Ok(Compound::For { name, words, body })
    }

    /// `for ((init; condition; step))`
    #[inline(never)]
    fn for_arithmetic(&mut self, opening: Span) -> Parse<Compound> {
        let start = self.at;
        self.at += 2;
        let mut parts = [None, None, None];
        for (i, part) in parts.iter_mut().enumerate() {
            let code = self.arithmetic(End::Header);
            if code.error.is_some() || !code.ops.is_empty() {
                *part = Some(Rc::new(code));
            }
            let found = if i < 2 { self.eat(";") } else { self.eat("))") };
            if !found {
                if self.at >= self.bytes.len() {
                    let span = Span::new(start, start + 2);
                    return self.unclosed(span, "this `((` is never closed by `))`");
                }
                let message = format!("expected three parts between `;`, found {}", self.here());
                let diagnostic = Diagnostic::syntax(self.here_span(), message);
                return self.fail(diagnostic.with_fix("for ((i=0; i<n; i++)); do …; done"));
            }
        }
        self.paint(start, Kind::Arithmetic);
        self.skip_blanks();
        self.eat_separator();
        let body = self.do_body(opening)?;
        let [init, condition, step] = parts;
        Ok(Compound::ForArith { init, condition, step, body })
    }

    /// The variable of a loop.
    fn loop_name(&mut self, opening: Span) -> Parse<EcoString> {
        self.skip_blanks();
        let word = opening.text(self.text).to_owned();
        if self.at >= self.bytes.len() {
            return self.unclosed(opening, format!("`{word}` needs a variable after it"));
        }
        let start = self.at;
        let length = name_length(self.rest());
        let token = self.here_token();
        if length == 0 || length != token.len() {
            let bare = token.trim_start_matches('$').to_owned();
            let message = format!("`{word}` needs a variable name after it, found {}", self.here());
            let diagnostic = Diagnostic::syntax(self.here_span(), message);
            let named = super::is_name(&bare);
            let diagnostic = if self.peek() == Some(b'(') {
                diagnostic.with_fix("for ((i=0; i<n; i++)); do …; done")
            } else if named {
                diagnostic.with_fix(format!("{word} {bare} in …"))
            } else {
                diagnostic.with_fix(format!("{word} x in …; do …; done"))
            };
            return self.fail(diagnostic);
        }
        self.at += length;
        self.paint(start, Kind::Variable);
        let written = self.slice(start, self.at);
        if mixes_scripts(written) {
            self.warn_mixed(self.span_from(start));
        }
        Ok(normalise(written))
    }

    /// `in WORDS` and what ends them; `None` without `in`.
    fn loop_words(&mut self) -> Parse<Option<Vec<Word>>> {
        self.skip_blanks();
        if self.eat_separator() {
            return Ok(None);
        }
        self.skip_newlines();
        if !self.eat_keyword("in") {
            return Ok(None);
        }
        let mut words = Vec::new();
        loop {
            self.skip_blanks();
            let Some(b) = self.peek() else { break };
            if is_meta(b) {
                break;
            }
            words.push(self.word(Place::Argument)?);
        }
        if !self.eat_separator() && !matches!(self.peek(), None | Some(b'\n')) {
            if self.peek() == Some(b'(') {
                return self.unexpected_paren();
            }
            let message =
                format!("expected `;` or a new line after the words, found {}", self.here());
            return self.fail(Diagnostic::syntax(self.here_span(), message));
        }
        self.check_last_word(&words)?;
        self.check_loop_words(&words);
        Ok(Some(words))
    }

    /// Reports `for x in a b do`, where the `do` is an item.
    fn check_last_word(&mut self, words: &[Word]) -> Parse<()> {
        let Some(last) = words.last().filter(|last| bare(last).is_some_and(|text| text == "do"))
        else {
            return Ok(());
        };
        self.skip_newlines();
        if self.peek_bare() == "do" {
            return Ok(());
        }
        let message = "`do` is one of the words here: it is reserved only after `;` or a new line";
        self.fail(Diagnostic::syntax(last.span, message).with_fix("for x in …; do"))
    }

    fn eat_separator(&mut self) -> bool {
        self.peek_at(1) != Some(b';') && self.eat(";")
    }

    /// `do … done`
    fn do_body(&mut self, opening: Span) -> Parse<Rc<Script>> {
        self.expect_keyword("do", opening)?;
        let body = self.body("do", "done")?;
        self.expect_keyword("done", opening)?;
        Ok(body)
    }

    #[inline(never)]
    fn case_command(&mut self, opening: Span) -> Parse<Compound> {
        self.skip_blanks();
        let subject = self.word(Place::Single)?;
        if subject.parts.is_empty() {
            if self.at >= self.bytes.len() {
                return self.unclosed(opening, "`case` needs a word after it");
            }
            let message = format!("`case` needs a word after it, found {}", self.here());
            return self.fail(Diagnostic::syntax(self.here_span(), message));
        }
        self.expect_keyword("in", opening)?;
        let mut arms = Vec::new();
        loop {
            self.skip_newlines();
            if self.eat_keyword("esac") {
                break;
            }
            if self.at >= self.bytes.len() {
                return self.unclosed(opening, "`case` is missing its `esac`");
            }
            arms.push(self.case_arm(opening, arms.len())?);
        }
        Ok(Compound::Case { subject, arms })
    }

    #[inline(never)]
    fn case_arm(&mut self, opening: Span, arms: usize) -> Parse<CaseArm> {
        self.eat("(");
        let mut patterns = Vec::with_capacity(1);
        loop {
            self.skip_blanks();
            let pattern = self.word(Place::Pattern)?;
            if pattern.parts.is_empty() && self.at < self.bytes.len() {
                if self.peek() == Some(b'(') {
                    return self.unexpected_paren();
                }
                let message = format!("expected a pattern, found {}", self.here());
                return self.fail(Diagnostic::syntax(self.here_span(), message));
            }
            patterns.push(pattern);
            self.skip_blanks();
            if !self.eat("|") {
                break;
            }
        }
        if self.peek() == Some(b'(') {
            return self.unexpected_paren();
        }
        if !self.eat(")") {
            if self.at >= self.bytes.len() {
                return self.unclosed(opening, "`case` is missing its `esac`");
            }
            let pattern = patterns.last().map_or("", |word| word.span.text(self.text)).to_owned();
            let message =
                format!("expected `)` after the pattern `{pattern}`, found {}", self.here());
            let diagnostic = Diagnostic::syntax(self.here_span(), message);
            let fix = if arms == 0 {
                format!("{pattern}) …;;")
            } else {
                format!("{pattern}) …;; for one more pattern, or `esac` before it")
            };
            return self.fail(diagnostic.with_fix(fix));
        }
        let body = Rc::new(self.script());
        let end = self.arm_end(opening)?;
        Ok(CaseArm { patterns, body, end })
    }

    /// `;;`, `;&`, `;;&`, or nothing before `esac`.
    fn arm_end(&mut self, opening: Span) -> Parse<CaseEnd> {
        let start = self.at;
        for (text, end) in
            [(";;&", CaseEnd::TestNext), (";;", CaseEnd::Break), (";&", CaseEnd::FallThrough)]
        {
            if self.eat(text) {
                self.paint(start, Kind::Operator);
                return Ok(end);
            }
        }
        if self.peek_bare() == "esac" {
            return Ok(CaseEnd::Break);
        }
        if !self.finished
            && let Some(found) = self.swallowed("esac", opening)
        {
            return self.fail_swallowed(found);
        }
        if self.at >= self.bytes.len() {
            return self.unclosed(opening, "`case` is missing its `esac`");
        }
        let message = format!("expected `;;` or `esac`, found {}", self.here());
        self.fail(Diagnostic::syntax(self.here_span(), message).with_fix("end each arm with ;;"))
    }
}
