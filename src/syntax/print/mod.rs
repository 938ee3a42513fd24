//! A tree back to source text that parses to the same tree.

mod compound;
mod word;

use super::parse::is_reserved;
use super::{
    AndOr, Argument, Assignment, Command, Element, Field, FunctionDefinition, HereDocument, Part,
    Pipeline, Redirect, RedirectKind, Script, SimpleCommand, Statement, ValueExpr, Word,
};
use crate::value::{Value, to_json};
use std::rc::Rc;

/// The program as source text, one statement a line.
pub fn print(script: &Script) -> String {
    let mut printer = Printer::default();
    printer.statements(script);
    printer.text
}

/// The definition of a function as source text, as `declare -f` shows it.
pub fn print_function(function: &FunctionDefinition) -> String {
    let mut printer = Printer::default();
    printer.function(function);
    printer.newline();
    printer.text
}

/// Text as one quoted word that reads back as itself.
fn quoted(text: &str) -> String {
    if text.contains('\'') || text.contains("\r\n") {
        let mut out = String::from("$'");
        for c in text.chars() {
            match c {
                '\'' => out.push_str("\\'"),
                '\\' => out.push_str("\\\\"),
                '\r' => out.push_str("\\r"),
                c => out.push(c),
            }
        }
        out.push('\'');
        return out;
    }
    format!("'{text}'")
}

/// Whether a value of `(a b c)` reads the same in `[a b c]`.
fn fits_literal(value: &ValueExpr) -> bool {
    let plain = |text: &str| !text.contains([',', '[', ']', '{', '}']);
    match value {
        ValueExpr::Literal(Value::Text(text), _) => {
            plain(text) && text != "null" && !text.is_empty()
        }
        ValueExpr::Word(word) => word.parts.iter().all(|part| match part {
            Part::Literal(text) => plain(text),
            _ => true,
        }),
        _ => true,
    }
}

/// Whether the key of `([k]=v)` reads the same in `{k: v}`.
fn fits_key(key: &Word) -> bool {
    key.parts.iter().all(|part| match part {
        Part::Literal(text) => {
            !text.contains(|c: char| c.is_ascii_whitespace() || ",[]{}:;&|()<>".contains(c))
                && !text.starts_with("...")
                && !text.starts_with('#')
        }
        _ => true,
    })
}

/// Whether a word would be reserved as the first of a command.
fn begins_reserved(word: &Argument) -> bool {
    match word {
        Argument::Word(word) => match word.parts.as_slice() {
            [Part::Literal(text)] => is_reserved(text),
            _ => false,
        },
        Argument::Assignment(_) => false,
    }
}

/// The text so far, and what its next line end must bring.
#[derive(Default)]
struct Printer {
    text: String,
    indent: usize,
    /// Here-documents whose bodies follow after the line.
    documents: Vec<Rc<HereDocument>>,
}

impl Printer {
    fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Ends the line, and writes the here-documents that began on it.
    fn newline(&mut self) {
        self.push("\n");
        for document in std::mem::take(&mut self.documents) {
            let start = self.text.len();
            for part in &document.body.parts {
                self.document_part(part, document.quoted);
            }
            self.hide_delimiter(start, &document.delimiter);
            self.push(&document.delimiter);
            self.push("\n");
        }
    }

    /// Splits a line of a body that reads like the delimiter; it was joined in the source.
    fn hide_delimiter(&mut self, start: usize, delimiter: &str) {
        let body = self.text.split_off(start);
        for line in body.split_inclusive('\n') {
            let first = line.chars().next().map_or(0, char::len_utf8);
            if line.strip_suffix('\n') == Some(delimiter) && first > 0 {
                let (first, rest) = line.split_at(first);
                self.push(&format!("{first}\\\n{rest}"));
            } else {
                self.push(line);
            }
        }
    }

    fn line_start(&mut self) {
        for _ in 0..self.indent {
            self.push("  ");
        }
    }

    fn statements(&mut self, script: &Script) {
        for statement in &script.statements {
            self.line_start();
            self.statement(statement);
            self.newline();
        }
    }

    /// The statements between two lines, one step further in.
    fn block(&mut self, script: &Script) {
        self.newline();
        self.indent += 1;
        self.statements(script);
        self.indent -= 1;
        self.line_start();
    }

    fn statement(&mut self, statement: &Statement) {
        self.pipeline(&statement.first);
        for (operator, pipeline) in &statement.rest {
            self.push(match operator {
                AndOr::And => " && ",
                AndOr::Or => " || ",
            });
            self.pipeline(pipeline);
        }
        if statement.background {
            self.push(" &");
        }
    }

    fn pipeline(&mut self, pipeline: &Pipeline) {
        if pipeline.negated {
            self.push("! ");
        }
        if pipeline.timed {
            self.push("time ");
        }
        for (i, stage) in pipeline.stages.iter().enumerate() {
            self.command(&stage.command);
            if i + 1 < pipeline.stages.len() {
                self.push(if stage.pipe_stderr { " |& " } else { " | " });
            }
        }
    }

    fn command(&mut self, command: &Command) {
        match command {
            Command::Simple(simple) => self.simple(simple),
            Command::Compound(compound) => self.compound(compound),
            Command::Function(function) => self.function(function),
        }
    }

    fn function(&mut self, function: &FunctionDefinition) {
        self.push("function ");
        self.push(&function.name);
        self.push(" ");
        self.compound(&function.body);
    }

    fn simple(&mut self, command: &SimpleCommand) {
        let mut blank = "";
        let redirects_first =
            command.assignments.is_empty() && command.words.first().is_some_and(begins_reserved);
        if redirects_first {
            for redirect in &command.redirects {
                self.push(std::mem::replace(&mut blank, " "));
                self.redirect(redirect);
            }
        }
        for assignment in &command.assignments {
            self.push(std::mem::replace(&mut blank, " "));
            self.assignment(assignment);
        }
        for word in &command.words {
            self.push(std::mem::replace(&mut blank, " "));
            match word {
                Argument::Word(word) => self.word(word),
                Argument::Assignment(assignment) => self.assignment(assignment),
            }
        }
        for redirect in command.redirects.iter().filter(|_| !redirects_first) {
            self.push(std::mem::replace(&mut blank, " "));
            self.redirect(redirect);
        }
    }

    fn assignment(&mut self, assignment: &Assignment) {
        self.push(&assignment.name);
        self.path(&assignment.path);
        self.push(if assignment.append { "+=" } else { "=" });
        self.value(&assignment.value);
    }

    fn value(&mut self, value: &ValueExpr) {
        match value {
            ValueExpr::Word(word) => self.word(word),
            ValueExpr::Literal(value, _) => match value {
                Value::Text(text) => self.push(text),
                Value::Number(number) => self.push(&number.spelling()),
                value => self.push(&to_json(value)),
            },
            ValueExpr::List(elements, _) => {
                let array = elements.iter().any(|element| match element {
                    Element::Value(value) => !fits_literal(value),
                    Element::Spread(_) => false,
                });
                self.push(if array { "(" } else { "[" });
                for (i, element) in elements.iter().enumerate() {
                    self.push(if i > 0 { " " } else { "" });
                    match element {
                        Element::Value(value) => self.value(value),
                        Element::Spread(word) => self.spread(word),
                    }
                }
                self.push(if array { ")" } else { "]" });
            }
            ValueExpr::Record(fields, _) => {
                let array = fields.iter().any(|field| match field {
                    Field::Pair(key, value) => !fits_key(key) || !fits_literal(value),
                    Field::Spread(_) => false,
                });
                self.push(if array { "(" } else { "{" });
                for (i, field) in fields.iter().enumerate() {
                    self.push(if i > 0 { " " } else { "" });
                    match field {
                        Field::Pair(key, value) => {
                            self.push(if array { "[" } else { "" });
                            self.word(key);
                            self.push(if array { "]=" } else { ": " });
                            self.value(value);
                        }
                        Field::Spread(word) => self.spread(word),
                    }
                }
                self.push(if array { ")" } else { "}" });
            }
        }
    }

    fn spread(&mut self, word: &Word) {
        self.push("...");
        self.word(word);
    }

    fn redirect(&mut self, redirect: &Redirect) {
        if let Some(fd) = redirect.fd {
            self.push(&fd.to_string());
        }
        if let Some(name) = &redirect.fd_variable {
            self.push(&format!("{{{name}}}"));
        }
        let (operator, word) = match &redirect.kind {
            RedirectKind::Read(word) => ("<", word),
            RedirectKind::Write(word) => (">", word),
            RedirectKind::Clobber(word) => (">|", word),
            RedirectKind::Append(word) => (">>", word),
            RedirectKind::ReadWrite(word) => ("<>", word),
            RedirectKind::WriteBoth(word) => ("&>", word),
            RedirectKind::AppendBoth(word) => ("&>>", word),
            RedirectKind::HereString(word) => ("<<<", word),
            RedirectKind::Duplicate { source, input } => (if *input { "<&" } else { ">&" }, source),
            RedirectKind::Close { input } => return self.push(if *input { "<&-" } else { ">&-" }),
            RedirectKind::HereDocument(document) => {
                self.push(if document.strip_tabs { "<<-" } else { "<<" });
                let delimiter = if document.quoted {
                    quoted(&document.delimiter)
                } else {
                    document.delimiter.to_string()
                };
                self.push(&delimiter);
                return self.documents.push(document.clone());
            }
        };
        self.push(operator);
        self.push(if matches!(redirect.kind, RedirectKind::Duplicate { .. }) { "" } else { " " });
        self.word(word);
    }
}
