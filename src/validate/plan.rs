//! The tree in, what each statement would run, read and write out; nothing runs.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::Facts;
use super::literal::name_of;
use super::names::Bound;
use super::visit::{Access, Visitor, walk_compound, walk_parameter, walk_simple};
use crate::syntax::{
    Argument, ArithPlace, Compound, CompoundCommand, Parameter, ParameterName, Redirect,
    RedirectKind, Script, SimpleCommand, Span, Statement,
};
use crate::value::{EcoString, EcoVec, Record, Value};

/// The plan of a program: a record whose `statements` tell, each, its `text`, `span`, whether it
/// runs in the `background`, its `commands`, and the names it `reads` and `writes`.
pub fn plan(script: &Script, text: &str, facts: &Facts<'_>) -> Value {
    let statements =
        script.statements.iter().map(|statement| plan_statement(statement, text, facts));
    record([("statements", Value::List(statements.collect()))])
}

fn plan_statement(statement: &Statement, text: &str, facts: &Facts<'_>) -> Value {
    let mut commands = Commands { text, found: EcoVec::new(), reads: BTreeSet::new() };
    commands.statement(statement);
    let mut bound = Bound::new(facts);
    bound.statement(statement);
    let writes: BTreeSet<EcoString> = bound.names.into_iter().collect();
    record([
        ("text", Value::text(statement.span.text(text))),
        ("span", span(statement.span)),
        ("background", Value::Bool(statement.background)),
        ("commands", Value::List(commands.found)),
        ("reads", names(commands.reads)),
        ("writes", names(writes)),
    ])
}

fn record<const N: usize>(fields: [(&str, Value); N]) -> Value {
    let fields = fields.into_iter().map(|(key, value)| (EcoString::from(key), value));
    Value::Record(Rc::new(fields.collect::<Record>()))
}

/// First byte and one past the last.
fn span(span: Span) -> Value {
    let ends = [span.start, span.end].map(|end| Value::int(i64::from(end)));
    Value::List(ends.into_iter().collect())
}

fn names(names: BTreeSet<EcoString>) -> Value {
    Value::List(names.into_iter().map(Value::Text).collect())
}

/// Collects commands, those in substitutions too, and the names read.
struct Commands<'a> {
    text: &'a str,
    found: EcoVec<Value>,
    reads: BTreeSet<EcoString>,
}

impl Commands<'_> {
    fn piece(&self, at: Span) -> Value {
        record([("text", Value::text(at.text(self.text))), ("span", span(at))])
    }

    fn redirects(&self, redirects: &[Redirect]) -> Value {
        Value::List(redirects.iter().map(|redirect| self.one_redirect(redirect)).collect())
    }

    fn one_redirect(&self, redirect: &Redirect) -> Value {
        let (op, target) = match &redirect.kind {
            RedirectKind::Read(word) => ("<", Some(word.span)),
            RedirectKind::Write(word) => (">", Some(word.span)),
            RedirectKind::Clobber(word) => (">|", Some(word.span)),
            RedirectKind::Append(word) => (">>", Some(word.span)),
            RedirectKind::ReadWrite(word) => ("<>", Some(word.span)),
            RedirectKind::WriteBoth(word) => ("&>", Some(word.span)),
            RedirectKind::AppendBoth(word) => ("&>>", Some(word.span)),
            RedirectKind::Duplicate { source, input: true } => ("<&", Some(source.span)),
            RedirectKind::Duplicate { source, .. } => (">&", Some(source.span)),
            RedirectKind::Close { input: true } => ("<&-", None),
            RedirectKind::Close { .. } => (">&-", None),
            RedirectKind::HereString(word) => ("<<<", Some(word.span)),
            RedirectKind::HereDocument(document) if document.strip_tabs => ("<<-", None),
            RedirectKind::HereDocument(_) => ("<<", None),
        };
        let mut fields = Record::default();
        fields.insert("op".into(), Value::text(op));
        if let Some(fd) = redirect.fd {
            fields.insert("fd".into(), Value::int(i64::from(fd)));
        }
        if let Some(target) = target {
            fields.insert("target".into(), Value::text(target.text(self.text)));
        }
        if let RedirectKind::HereDocument(document) = &redirect.kind {
            let body = document.body.span;
            fields.insert("delimiter".into(), Value::Text(document.delimiter.clone()));
            fields.insert("quoted".into(), Value::Bool(document.quoted));
            fields.insert("body".into(), Value::text(body.text(self.text)));
            fields.insert("body_span".into(), span(body));
        }
        fields.insert("span".into(), span(redirect.span));
        Value::Record(Rc::new(fields))
    }

    fn add(&mut self, name: Value, words: &[Argument], redirects: &[Redirect], at: Span) {
        let arguments = words.iter().map(|word| match word {
            Argument::Word(word) => self.piece(word.span),
            Argument::Assignment(assignment) => self.piece(assignment.span),
        });
        let command = record([
            ("name", name),
            ("text", Value::text(at.text(self.text))),
            ("span", span(at)),
            ("arguments", Value::List(arguments.collect())),
            ("redirects", self.redirects(redirects)),
        ]);
        self.found.push(command);
    }
}

impl Visitor for Commands<'_> {
    fn simple(&mut self, command: &SimpleCommand) {
        if !command.words.is_empty() || !command.redirects.is_empty() {
            // The name is null where an expansion gives it.
            let name = name_of(command).map_or(Value::Null, Value::Text);
            let words = command.words.get(1..).unwrap_or_default();
            self.add(name, words, &command.redirects, command.span);
        }
        walk_simple(self, command);
    }

    fn compound(&mut self, command: &CompoundCommand) {
        if !command.redirects.is_empty() {
            let name = Value::text(keyword(&command.kind));
            self.add(name, &[], &command.redirects, command.span);
        }
        walk_compound(self, command);
    }

    fn place(&mut self, place: &ArithPlace, access: Access) {
        if access != Access::Write {
            self.reads.insert(place.name.clone());
        }
        for subscript in &place.path {
            self.arithmetic(&subscript.index);
        }
    }

    fn parameter(&mut self, parameter: &Parameter) {
        self.reads.insert(match &parameter.name {
            ParameterName::Variable(name) => name.clone(),
            ParameterName::Positional(index) => EcoString::from(index.to_string()),
            ParameterName::Special(name) => EcoString::from(*name),
        });
        walk_parameter(self, parameter);
    }
}

fn keyword(kind: &Compound) -> &'static str {
    match kind {
        Compound::Group(_) => "{",
        Compound::Subshell(_) => "(",
        Compound::If { .. } => "if",
        Compound::For { .. } | Compound::ForArith { .. } => "for",
        Compound::While { until: true, .. } => "until",
        Compound::While { .. } => "while",
        Compound::Case { .. } => "case",
        Compound::Select { .. } => "select",
        Compound::Arithmetic(_) => "((",
        Compound::Condition(_) => "[[",
    }
}
