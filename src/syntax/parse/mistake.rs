//! Mistakes that beginners and pasted texts make: where they are recognised, and how they are mended.

use super::word::{Place, bare};
use super::{Parse, Parser, Stop};
use crate::syntax::{Argument, Brace, Diagnostic, ParameterOp, Part, SimpleCommand, Span, Word};
use crate::value::EcoString;

/// How far back the cause of a stray word is looked for.
const LOOK_BACK: usize = 2000;

impl<'a> Parser<'a> {
    /// Remembers a reserved word that stands as an argument: it may have been meant to end something.
    pub(super) fn note_swallowed(&mut self, word: &Word, command: &SimpleCommand) {
        let Some(text) = bare(word) else { return };
        if !matches!(text.as_str(), "then" | "do" | "done" | "fi" | "esac" | "}") {
            return;
        }
        let name = command.words.first().map_or(Span::default(), |name| match name {
            Argument::Word(word) => word.span,
            Argument::Assignment(assignment) => assignment.span,
        });
        self.memo.swallowed.push((word.span, name));
    }

    /// The error for a `word` that is missing although it stands as an argument after `from`.
    pub(super) fn swallowed(&self, word: &str, from: Span) -> Option<Diagnostic> {
        let found = self.memo.swallowed.iter().rev();
        let (span, name) = found
            .take_while(|(span, _)| span.start > from.start)
            .find(|(span, _)| span.text(self.text) == word)?;
        let message = format!(
            "`{word}` is one of the words of `{}` here: it is reserved only after `;` or a new line",
            name.text(self.text)
        );
        Some(Diagnostic::syntax(*span, message).with_fix(format!("set `;` before it: …; {word}")))
    }

    /// Gives up for a [`Self::swallowed`] word; at the end of the input more lines could still mend it.
    pub(super) fn fail_swallowed<T>(&mut self, found: Diagnostic) -> Parse<T> {
        let ended = self.at >= self.bytes.len() && self.bytes.len() == self.text.len();
        self.report(if ended { found.incomplete() } else { found });
        if ended {
            self.give_up();
        }
        Err(Stop)
    }

    /// Remembers a text in quotes that goes over several lines: its closing quote may be the one that
    /// is missing where a later one never closes.
    pub(super) fn note_long_text(&mut self, start: usize) {
        let text = self.bytes.get(start..self.at).unwrap_or_default();
        if memchr::memchr(b'\n', text).is_some() {
            self.memo.long_text = Some(self.span_from(start));
        }
    }

    /// The end of what was written, for errors at the end of the text.
    pub(super) fn text_end(&self) -> Span {
        let read = self.slice(0, self.at).trim_end();
        Span::new(read.len(), read.len())
    }

    /// How to end what `opening` began.
    pub(super) fn closing_advice(&mut self, opening: Span) -> Option<String> {
        let quote = matches!(opening.text(self.text), "\"" | "'");
        if let Some(long) = self.memo.long_text.filter(|_| quote) {
            let line = self.line_of(long.start as usize);
            let mark = long.text(self.text).get(..1).unwrap_or_default();
            return Some(format!(
                "the text that begins with {mark} in line {line} goes over several lines: is its end missing?"
            ));
        }
        let written = opening.text(self.text);
        Some(match written {
            "if" => "end it with `fi`: if …; then …; fi".into(),
            "for" | "while" | "until" | "select" => {
                format!("end it with `done`: {written} …; do …; done")
            }
            "case" => "end it with `esac`: case … in …) …;; esac".into(),
            "{" => "end it with `}` after `;` or on a line of its own".into(),
            "(" => "end it with `)`".into(),
            "$(" => "end it with `)`: $(…)".into(),
            "((" | "$((" => "end it with `))`".into(),
            "[[" => "end it with `]]` after a blank: [[ … ]]".into(),
            "[" => "end it with `]`".into(),
            "\"" => "end it with `\"`; a quote inside the text is written \\\"".into(),
            "'" => "end it with `'`; a quote inside such a text is written '\\''".into(),
            "$'" => "end it with `'`; a quote inside the text is written \\'".into(),
            "&&" | "||" | "|" | "|&" => "add the command, or remove the operator".into(),
            _ if written.starts_with("${") => "end it with `}`: ${name}".into(),
            _ => return None,
        })
    }

    /// How to end a here-document; names a line that nearly does.
    pub(super) fn document_advice(&mut self, delimiter: &str, strip_tabs: bool) -> String {
        let mut at = self.at;
        for line in self.rest().split_inclusive('\n') {
            let near = line.trim();
            let trimmed = near.trim_matches([';', ')', '"', '\'', ' ', '\t']);
            if near.starts_with(delimiter) && trimmed == delimiter {
                let number = self.line_of(at);
                return format!(
                    "line {number} must be only `{delimiter}`: no blanks, nothing after it"
                );
            }
            at += line.len();
        }
        let tabs = if strip_tabs { "" } else { "; <<- allows tabs before it" };
        format!("a line that is only `{delimiter}`, without blanks around it{tabs}")
    }

    /// What a closer that closes nothing was meant to end.
    pub(super) fn stray_advice(&self, token: &str) -> Option<String> {
        let mut from = self.at.saturating_sub(LOOK_BACK);
        while !self.text.is_char_boundary(from) {
            from += 1;
        }
        let before = self.slice(from, self.at);
        let mut words = before.split([' ', '\t', '\n', ';', '\r']).filter(|word| !word.is_empty());
        if let Some(word) = words.clone().rfind(|word| holds_odd_blank(word)) {
            return Some(format!(
                "`{word}` holds a no-break space (U+00A0): write a plain blank instead"
            ));
        }
        for keyword in ["if", "while", "until", "elif", "for"] {
            let glued = words.clone().rfind(|word| {
                word.strip_prefix(keyword).is_some_and(|rest| rest.starts_with(['[', '(', '!']))
            });
            if let Some(word) = glued {
                let rest = word.get(keyword.len()..).unwrap_or_default();
                return Some(format!("set a blank after `{keyword}`: {keyword} {rest} …"));
            }
        }
        let found = words.rfind(|word| {
            matches!(*word, "elseif" | "elsif" | "foreach" | "If" | "IF" | "For" | "While")
        });
        match (token, found) {
            (_, Some("elseif" | "elsif")) => Some("the word is `elif`: elif …; then …".into()),
            (_, Some("foreach")) => Some("for x in …; do …; done".into()),
            (_, Some(word)) => {
                Some(format!("reserved words are in lower case: {}", word.to_lowercase()))
            }
            ("}", None) => function_without_parens(before),
            ("then" | "elif" | "else" | "fi", None) => Some("if …; then …; else …; fi".into()),
            ("do" | "done", None) => Some("for x in …; do …; done".into()),
            ("esac", None) => Some("case … in …) …;; esac".into()),
            _ => None,
        }
    }

    /// Reports `[1 = 1]` and `[[a == b ]]`: a command's name that begins with a bracket.
    pub(super) fn check_bracket_name(&mut self, word: &Word) -> Parse<()> {
        let written = word.span.text(self.text);
        let name = if written.starts_with("[[") { "[[" } else { "[" };
        let glued = written.len() > name.len()
            && !word
                .parts
                .iter()
                .any(|part| matches!(part, Part::Glob(_)) && written.ends_with('*'));
        if !glued || !written.starts_with('[') {
            return Ok(());
        }
        let message = format!("`{name}` is a command and needs a blank after it");
        let inner = written.get(name.len()..).unwrap_or_default();
        let inner = inner.trim_end_matches(']');
        let close = if name == "[[" { "]]" } else { "]" };
        let closed = written.ends_with(']');
        let fix =
            format!("{name} {inner} {}", if closed { close.into() } else { format!("… {close}") });
        self.fail(Diagnostic::syntax(word.span, message).with_fix(fix))
    }

    /// Reports `[[ $a=$b ]]` and `[ $a=$b ]`: one word, true whatever the two are.
    pub(super) fn check_glued_operator(&mut self, word: &Word) {
        let Some((operator, at)) = glued_operator(word) else { return };
        let written = word.span.text(self.text);
        let Some(place) = written.match_indices(operator).nth(at).map(|(place, _)| place) else {
            return;
        };
        let (left, right) = written.split_at(place);
        let right = right.get(operator.len()..).unwrap_or_default();
        let message = format!(
            "`{written}` is one word, and true because it is not empty: set blanks around `{operator}`"
        );
        let fix = format!("{left} {operator} {right}");
        self.report(Diagnostic::syntax(word.span, message).with_fix(fix));
    }

    /// What a whole simple command shows: `[ $a=$b ]`, `[ $x > 5 ]`.
    pub(super) fn check_bracket_command(&mut self, command: &SimpleCommand) {
        let [Argument::Word(first), rest @ ..] = command.words.as_slice() else { return };
        let name = bare(first).map(EcoString::as_str);
        if !matches!(name, Some("[" | "test")) {
            return;
        }
        let operands = match rest {
            [inner @ .., Argument::Word(last)] if bare(last).is_some_and(|text| text == "]") => {
                inner
            }
            _ if name == Some("[") => return,
            _ => rest,
        };
        if let [Argument::Word(word)] = operands {
            self.check_glued_operator(word);
        }
        let Some(Argument::Word(last)) = rest.last().filter(|_| name == Some("[")) else { return };
        let inside = command.redirects.iter().find(|redirect| {
            let sign = redirect.span.text(self.text);
            redirect.fd.is_none()
                && redirect.span.end < last.span.start
                && (sign.starts_with('>') || sign.starts_with('<'))
                && !sign.starts_with(">>")
                && !sign.starts_with("<<")
                && !sign.contains("/dev/")
        });
        if let Some(redirect) = inside {
            let sign = redirect.span.text(self.text);
            let (what, fix) = match (sign.get(..1), sign.get(1..2)) {
                (Some(">"), Some("=")) => ("would write a file", "-ge compares numbers"),
                (Some("<"), Some("=")) => ("would read a file", "-le compares numbers"),
                (Some(">"), _) => {
                    ("would write a file", "-gt compares numbers; [[ a > b ]] compares both")
                }
                _ => ("would read a file", "-lt compares numbers; [[ a < b ]] compares both"),
            };
            let sign = sign.get(..1).unwrap_or_default();
            let message = format!("`{sign}` {what} here, it compares nothing");
            self.report(Diagnostic::syntax(redirect.span, message).with_fix(fix));
        }
    }

    /// Reports `$[1+2]`, bash's arithmetic of old, the cursor being at the bracket.
    pub(super) fn check_old_arithmetic(&mut self, start: usize, place: Place) {
        if !matches!(place, Place::Argument | Place::Single | Place::Value | Place::Condition) {
            return;
        }
        let rest = self.rest();
        let word = rest.find([' ', '\t', '\n', ';']).unwrap_or(rest.len());
        let Some(close) = rest.get(..word).and_then(|word| word.find(']')) else { return };
        let inner = rest.get(1..close).unwrap_or_default().to_owned();
        let span = Span::new(start, self.at + close + 1);
        let message = "arithmetic is written $((…)): `$[…]` is not read as such";
        self.report(Diagnostic::syntax(span, message).with_fix(format!("$(({inner}))")));
    }

    /// Reports words of `for` that are one text each and were meant as many.
    pub(super) fn check_loop_words(&mut self, words: &[Word]) {
        words.iter().for_each(|word| self.check_range(word));
        if let [word] = words
            && let Some((first, last)) = bare(word).and_then(|text| text.split_once(".."))
            && is_count(first)
            && is_count(last)
        {
            let message = format!("`{first}..{last}` is one word: a range stands in braces");
            let fix = format!("{{{first}..{last}}}, or $(seq {first} {last})");
            self.report(Diagnostic::syntax(word.span, message).with_fix(fix));
            return;
        }
        let (Some(first), Some(last)) = (words.first(), words.last()) else { return };
        let opens = bare(first).is_some_and(|text| text.starts_with('['));
        let closes = last.span.text(self.text).ends_with(']');
        if words.len() > 1 && opens && closes {
            let span = first.span.to(last.span);
            let inner = span.text(self.text).trim_start_matches('[').trim_end_matches(']');
            let fix = format!("for x in {}; or xs=[…] and $(values $xs)", inner.replace(',', ""));
            let message = "a list is written after `=` only: here these are words with brackets";
            self.report(Diagnostic::syntax(span, message).with_fix(fix));
        } else if let Some(brace) =
            words.iter().find(|word| bare(word).is_some_and(|text| text == "{"))
        {
            let message =
                "`{` is one of the words here: the body of a loop stands between `do` and `done`";
            self.report(Diagnostic::syntax(brace.span, message).with_fix("for x in …; do …; done"));
        }
    }

    /// Reports `{1..$n}`, whose ends must be written out.
    fn check_range(&mut self, word: &Word) {
        if !word.span.text(self.text).contains("..") || word.parts.len() < 2 {
            return;
        }
        let written = word.span.text(self.text);
        let Some(open) = written.find('{') else { return };
        let Some(close) = written.get(open..).and_then(|rest| rest.rfind('}')).map(|at| at + open)
        else {
            return;
        };
        let Some((first, last)) =
            written.get(open + 1..close).and_then(|body| body.split_once(".."))
        else {
            return;
        };
        let end = |text: &str| is_count(text) || is_variable(text);
        let braced = word
            .parts
            .iter()
            .any(|part| matches!(part, Part::Brace(brace) if matches!(**brace, Brace::List(_))));
        if braced || !end(first) || !end(last) || !(is_variable(first) || is_variable(last)) {
            return;
        }
        let message = "the ends of a range are written out: braces are expanded before variables";
        let span = Span::new(word.span.start as usize + open, word.span.start as usize + close + 1);
        self.report(Diagnostic::syntax(span, message).with_fix(format!("$(seq {first} {last})")));
    }
}

/// The operator in the unquoted text of a word, and which of its occurrences in the source it is.
fn glued_operator(word: &Word) -> Option<(&'static str, usize)> {
    let mut quoted = String::new();
    for part in &word.parts {
        match part {
            Part::Literal(text) => {
                for operator in ["==", "!=", "=~", "="] {
                    if text.contains(operator) {
                        return Some((operator, quoted.matches(operator).count()));
                    }
                }
            }
            Part::Quoted(text) => quoted.push_str(text),
            Part::DoubleQuoted(parts) => parts.iter().for_each(|part| {
                if let Part::Literal(text) | Part::Quoted(text) = part {
                    quoted.push_str(text);
                }
            }),
            Part::Parameter(parameter) if !matches!(parameter.op, ParameterOp::None) => {
                return None;
            }
            Part::Command(_) | Part::Arithmetic(_) => return None,
            _ => {}
        }
    }
    None
}

fn is_count(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}

/// `$n`, `${n}`, `${#xs}`, `$((…))`, `$(…)`, perhaps in double quotes.
fn is_variable(text: &str) -> bool {
    text.trim_matches('"').starts_with('$')
}

fn holds_odd_blank(word: &str) -> bool {
    word.contains(['\u{a0}', '\u{3000}', '\u{2003}', '\u{2009}', '\u{202f}'])
}

/// `name {` on an earlier line: a function that lacks its parentheses.
fn function_without_parens(before: &str) -> Option<String> {
    let line = before.lines().rev().find(|line| line.trim_end().ends_with(" {"))?;
    let name = line.trim().strip_suffix('{')?.trim();
    super::is_name(name)
        .then(|| format!("a function is `{name}() {{ …; }}`: its parentheses are missing"))
}
