//! The tree in, the same tree as records out, for programs and people that want to look at it.

use std::rc::Rc;

use crate::syntax::{
    AndOr, Argument, ArithCode, Assignment, Brace, CaseEnd, Command, Compound, CompoundCommand,
    Condition, Element, Field, Parameter, Part, Pipeline, Redirect, Script, SimpleCommand, Span,
    Statement, Subscript, ValueExpr, Word,
};
use crate::value::{EcoString, Record, Value};

/// The tree of a program: a list of statements, every node a record with its `type`, `text`, and
/// what it consists of.
pub fn tree(script: &Script, text: &str) -> Value {
    Tree { text }.script(script)
}

struct Tree<'a> {
    text: &'a str,
}

/// The fields of a node as it is built.
struct Node(Record);

impl Node {
    fn with(mut self, key: &str, value: Value) -> Self {
        self.0.insert(key.into(), value);
        self
    }

    fn with_list(self, key: &str, list: impl Iterator<Item = Value>) -> Self {
        self.with(key, Value::List(list.collect()))
    }

    fn done(self) -> Value {
        Value::Record(Rc::new(self.0))
    }
}

impl Tree<'_> {
    fn node(&self, kind: &str, span: Span) -> Node {
        let node = Node(Record::default()).with("type", kind.into());
        let ends = [span.start, span.end].map(|end| Value::int(i64::from(end)));
        let node = node.with_list("span", ends.into_iter());
        node.with("text", Value::text(span.text(self.text)))
    }

    fn plain(&self, kind: &str) -> Node {
        Node(Record::default()).with("type", kind.into())
    }

    fn script(&self, script: &Script) -> Value {
        Value::List(script.statements.iter().map(|statement| self.statement(statement)).collect())
    }

    fn statement(&self, statement: &Statement) -> Value {
        if statement.rest.is_empty() && !statement.background {
            return self.pipeline(&statement.first);
        }
        let rest = statement.rest.iter().map(|(op, pipeline)| {
            let op = if *op == AndOr::And { "&&" } else { "||" };
            let node = self.plain("and-or").with("operator", op.into());
            node.with("right", self.pipeline(pipeline)).done()
        });
        self.node("statement", statement.span)
            .with("background", Value::Bool(statement.background))
            .with("first", self.pipeline(&statement.first))
            .with_list("rest", rest)
            .done()
    }

    fn pipeline(&self, pipeline: &Pipeline) -> Value {
        if let ([stage], false, false) =
            (pipeline.stages.as_slice(), pipeline.negated, pipeline.timed)
        {
            return self.command(&stage.command);
        }
        self.node("pipeline", pipeline.span)
            .with("negated", Value::Bool(pipeline.negated))
            .with("timed", Value::Bool(pipeline.timed))
            .with_list("stages", pipeline.stages.iter().map(|stage| self.command(&stage.command)))
            .done()
    }

    fn command(&self, command: &Command) -> Value {
        match command {
            Command::Simple(simple) => self.simple(simple),
            Command::Compound(compound) => self.compound(compound),
            Command::Function(function) => self
                .node("function", function.span)
                .with("name", Value::Text(function.name.clone()))
                .with("body", self.compound(&function.body))
                .done(),
        }
    }

    fn simple(&self, simple: &SimpleCommand) -> Value {
        let words = simple.words.iter().map(|word| match word {
            Argument::Word(word) => self.word(word),
            Argument::Assignment(assignment) => self.assignment(assignment),
        });
        let mut node = self.node("simple", simple.span);
        if !simple.assignments.is_empty() {
            let assignments = simple.assignments.iter().map(|one| self.assignment(one));
            node = node.with_list("assignments", assignments);
        }
        node = node.with_list("words", words);
        self.redirects(node, &simple.redirects).done()
    }

    fn redirects(&self, node: Node, redirects: &[Redirect]) -> Node {
        if redirects.is_empty() {
            return node;
        }
        let all = redirects.iter().map(|redirect| self.node("redirect", redirect.span).done());
        node.with_list("redirects", all)
    }

    fn compound(&self, command: &CompoundCommand) -> Value {
        let node = |kind: &str| self.node(kind, command.span);
        let node = match &command.kind {
            Compound::Group(script) => node("group").with("body", self.script(script)),
            Compound::Subshell(script) => node("subshell").with("body", self.script(script)),
            Compound::If { arms, otherwise } => {
                let arms = arms.iter().map(|(condition, body)| {
                    let arm = self.plain("arm").with("condition", self.script(condition));
                    arm.with("body", self.script(body)).done()
                });
                let node = node("if").with_list("arms", arms);
                match otherwise {
                    Some(body) => node.with("else", self.script(body)),
                    None => node,
                }
            }
            Compound::For { name, words, body } => self.list_loop(node("for"), name, words, body),
            Compound::Select { name, words, body } => {
                self.list_loop(node("select"), name, words, body)
            }
            Compound::ForArith { init, condition, step, body } => {
                let code = |code: &Option<Rc<ArithCode>>| {
                    code.as_ref().map_or(Value::Null, |code| Value::Text(code.text.clone()))
                };
                node("for-arithmetic")
                    .with("init", code(init))
                    .with("condition", code(condition))
                    .with("step", code(step))
                    .with("body", self.script(body))
            }
            Compound::While { until, condition, body } => {
                node(if *until { "until" } else { "while" })
                    .with("condition", self.script(condition))
                    .with("body", self.script(body))
            }
            Compound::Case { subject, arms } => {
                let arms = arms.iter().map(|arm| {
                    let end = match arm.end {
                        CaseEnd::Break => ";;",
                        CaseEnd::FallThrough => ";&",
                        CaseEnd::TestNext => ";;&",
                    };
                    self.plain("arm")
                        .with_list("patterns", arm.patterns.iter().map(|word| self.word(word)))
                        .with("body", self.script(&arm.body))
                        .with("end", end.into())
                        .done()
                });
                node("case").with("subject", self.word(subject)).with_list("arms", arms)
            }
            Compound::Arithmetic(code) => {
                node("arithmetic").with("expression", Value::Text(code.text.clone()))
            }
            Compound::Condition(condition) => {
                node("condition").with("test", self.condition(condition))
            }
        };
        self.redirects(node, &command.redirects).done()
    }

    fn list_loop(
        &self,
        node: Node,
        name: &EcoString,
        words: &Option<Vec<Word>>,
        body: &Script,
    ) -> Node {
        let node = node.with("name", Value::Text(name.clone()));
        let node = match words {
            Some(words) => node.with_list("words", words.iter().map(|word| self.word(word))),
            None => node,
        };
        node.with("body", self.script(body))
    }

    fn assignment(&self, assignment: &Assignment) -> Value {
        self.node("assignment", assignment.span)
            .with("name", Value::Text(assignment.name.clone()))
            .with_list("path", assignment.path.iter().map(|key| self.subscript(key)))
            .with("append", Value::Bool(assignment.append))
            .with("value", self.value(&assignment.value))
            .done()
    }

    fn subscript(&self, subscript: &Subscript) -> Value {
        match subscript {
            Subscript::Key(word) => self.word(word),
            Subscript::Slice(_, _, span) => self.node("slice", *span).done(),
            Subscript::All => self.plain("all").done(),
            Subscript::Star => self.plain("star").done(),
        }
    }

    fn value(&self, value: &ValueExpr) -> Value {
        match value {
            ValueExpr::Word(word) => self.word(word),
            ValueExpr::Literal(value, span) => self
                .node("literal", *span)
                .with("of", value.type_name().into())
                .with("value", value.clone())
                .done(),
            ValueExpr::List(elements, span) => {
                let elements = elements.iter().map(|element| match element {
                    Element::Value(value) => self.value(value),
                    Element::Spread(word) => self.word(word),
                });
                self.node("list", *span).with_list("elements", elements).done()
            }
            ValueExpr::Record(fields, span) => {
                let fields = fields.iter().map(|field| match field {
                    Field::Pair(key, value) => self
                        .plain("field")
                        .with("key", self.word(key))
                        .with("value", self.value(value))
                        .done(),
                    Field::Spread(word) => self.word(word),
                });
                self.node("record", *span).with_list("fields", fields).done()
            }
        }
    }

    fn word(&self, word: &Word) -> Value {
        let parts = word.parts.iter().map(|part| self.part(part));
        self.node("word", word.span).with_list("parts", parts).done()
    }

    fn part(&self, part: &Part) -> Value {
        let text = |kind: &str, text: &EcoString| {
            self.plain(kind).with("value", Value::Text(text.clone())).done()
        };
        match part {
            Part::Literal(value) => text("literal", value),
            Part::Quoted(value) => text("quoted", value),
            Part::Glob(value) => text("glob", value),
            Part::Tilde => self.plain("tilde").done(),
            Part::DoubleQuoted(parts) => {
                let parts = parts.iter().map(|part| self.part(part));
                self.plain("double-quoted").with_list("parts", parts).done()
            }
            Part::Parameter(parameter) => self.parameter(parameter),
            Part::Command(substitution) => self
                .node("substitution", substitution.span)
                .with("body", self.script(&substitution.script))
                .done(),
            Part::Arithmetic(code) => self.node("arithmetic", code.span).done(),
            Part::Brace(brace) => match brace.as_ref() {
                Brace::List(alternatives) => {
                    let alternatives = alternatives.iter().map(|parts| {
                        Value::List(parts.iter().map(|part| self.part(part)).collect())
                    });
                    self.plain("braces").with_list("alternatives", alternatives).done()
                }
                Brace::Numbers { .. } | Brace::Letters(..) => self.plain("sequence").done(),
            },
            Part::Spread(part) => self.plain("spread").with("of", self.part(part)).done(),
        }
    }

    fn parameter(&self, parameter: &Parameter) -> Value {
        let node = self.node("parameter", parameter.span);
        if parameter.path.is_empty() {
            return node.done();
        }
        node.with_list("path", parameter.path.iter().map(|key| self.subscript(key))).done()
    }

    fn condition(&self, condition: &Condition) -> Value {
        match condition {
            Condition::Word(word) => self.word(word),
            Condition::Unary(op, word, span) => self
                .node("unary", *span)
                .with("operator", Value::text(format!("-{op}")))
                .with("operand", self.word(word))
                .done(),
            Condition::Binary(_, left, right, span) => self
                .node("binary", *span)
                .with("left", self.word(left))
                .with("right", self.word(right))
                .done(),
            Condition::In { negated, left, right, span } => self
                .node("in", *span)
                .with("negated", Value::Bool(*negated))
                .with("left", self.word(left))
                .with("right", self.value(right))
                .done(),
            Condition::Not(inner) => self.plain("not").with("of", self.condition(inner)).done(),
            Condition::And(all) => {
                self.plain("and").with_list("of", all.iter().map(|one| self.condition(one))).done()
            }
            Condition::Or(any) => {
                self.plain("or").with_list("of", any.iter().map(|one| self.condition(one))).done()
            }
        }
    }
}
