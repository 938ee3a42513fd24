//! A walk over the tree: what a pass does not look at itself is passed through.
//!
//! Nesting is capped by the parser, so the walk recurses natively.

use crate::syntax::{
    Argument, ArithCode, ArithOp, ArithPlace, Assignment, Brace, Command, Compound,
    CompoundCommand, Condition, Element, Field, FunctionDefinition, Parameter, ParameterOp, Part,
    Pipeline, Redirect, RedirectKind, Script, SimpleCommand, Statement, Subscript, ValueExpr, Word,
};

/// How arithmetic uses a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    /// It is read.
    Read,
    /// It is assigned.
    Write,
    /// Both.
    Update,
}

/// A pass over the tree. Each method looks at one kind of node and by default walks on.
pub(super) trait Visitor {
    fn script(&mut self, script: &Script) {
        for statement in &script.statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        self.pipeline(&statement.first);
        for (_, pipeline) in &statement.rest {
            self.pipeline(pipeline);
        }
    }

    fn pipeline(&mut self, pipeline: &Pipeline) {
        for stage in &pipeline.stages {
            match &stage.command {
                Command::Simple(simple) => self.simple(simple),
                Command::Compound(compound) => self.compound(compound),
                Command::Function(function) => self.function(function),
            }
        }
    }

    fn simple(&mut self, command: &SimpleCommand) {
        walk_simple(self, command);
    }

    fn compound(&mut self, command: &CompoundCommand) {
        walk_compound(self, command);
    }

    fn function(&mut self, function: &FunctionDefinition) {
        self.compound(&function.body);
    }

    fn assignment(&mut self, assignment: &Assignment) {
        walk_assignment(self, assignment);
    }

    fn redirect(&mut self, redirect: &Redirect) {
        walk_redirect(self, redirect);
    }

    fn value(&mut self, value: &ValueExpr) {
        walk_value(self, value);
    }

    fn word(&mut self, word: &Word) {
        for part in &word.parts {
            self.part(part);
        }
    }

    fn part(&mut self, part: &Part) {
        walk_part(self, part);
    }

    fn parameter(&mut self, parameter: &Parameter) {
        walk_parameter(self, parameter);
    }

    fn subscripts(&mut self, path: &[Subscript]) {
        for subscript in path {
            match subscript {
                Subscript::Key(word) => self.word(word),
                Subscript::Slice(start, end, _) => {
                    for code in [start, end].into_iter().flatten() {
                        self.arithmetic(code);
                    }
                }
                Subscript::All | Subscript::Star => {}
            }
        }
    }

    fn arithmetic(&mut self, code: &ArithCode) {
        for op in &code.ops {
            match op {
                ArithOp::Load(place) => self.place(place, Access::Read),
                ArithOp::Store(place) => self.place(place, Access::Write),
                ArithOp::Update(place, _) | ArithOp::Step { place, .. } => {
                    self.place(place, Access::Update);
                }
                ArithOp::Expand(part) => self.part(part),
                _ => {}
            }
        }
    }

    fn place(&mut self, place: &ArithPlace, access: Access) {
        let _ = access;
        for subscript in &place.path {
            self.arithmetic(&subscript.index);
        }
    }

    fn condition(&mut self, condition: &Condition) {
        walk_condition(self, condition);
    }
}

pub(super) fn walk_simple<V: Visitor + ?Sized>(visitor: &mut V, command: &SimpleCommand) {
    for assignment in &command.assignments {
        visitor.assignment(assignment);
    }
    for argument in &command.words {
        match argument {
            Argument::Word(word) => visitor.word(word),
            Argument::Assignment(assignment) => visitor.assignment(assignment),
        }
    }
    for redirect in &command.redirects {
        visitor.redirect(redirect);
    }
}

pub(super) fn walk_compound<V: Visitor + ?Sized>(visitor: &mut V, command: &CompoundCommand) {
    match &command.kind {
        Compound::Group(script) | Compound::Subshell(script) => visitor.script(script),
        Compound::If { arms, otherwise } => {
            for (condition, body) in arms {
                visitor.script(condition);
                visitor.script(body);
            }
            if let Some(body) = otherwise {
                visitor.script(body);
            }
        }
        Compound::For { words, body, .. } | Compound::Select { words, body, .. } => {
            for word in words.iter().flatten() {
                visitor.word(word);
            }
            visitor.script(body);
        }
        Compound::ForArith { init, condition, step, body } => {
            for code in [init, condition, step].into_iter().flatten() {
                visitor.arithmetic(code);
            }
            visitor.script(body);
        }
        Compound::While { condition, body, .. } => {
            visitor.script(condition);
            visitor.script(body);
        }
        Compound::Case { subject, arms } => {
            visitor.word(subject);
            for arm in arms {
                for pattern in &arm.patterns {
                    visitor.word(pattern);
                }
                visitor.script(&arm.body);
            }
        }
        Compound::Arithmetic(code) => visitor.arithmetic(code),
        Compound::Condition(condition) => visitor.condition(condition),
    }
    for redirect in &command.redirects {
        visitor.redirect(redirect);
    }
}

fn walk_assignment<V: Visitor + ?Sized>(visitor: &mut V, assignment: &Assignment) {
    visitor.subscripts(&assignment.path);
    visitor.value(&assignment.value);
}

fn walk_redirect<V: Visitor + ?Sized>(visitor: &mut V, redirect: &Redirect) {
    match &redirect.kind {
        RedirectKind::Read(word)
        | RedirectKind::Write(word)
        | RedirectKind::Clobber(word)
        | RedirectKind::Append(word)
        | RedirectKind::ReadWrite(word)
        | RedirectKind::WriteBoth(word)
        | RedirectKind::AppendBoth(word)
        | RedirectKind::HereString(word)
        | RedirectKind::Duplicate { source: word, .. } => visitor.word(word),
        RedirectKind::HereDocument(document) => visitor.word(&document.body),
        RedirectKind::Close { .. } => {}
    }
}

fn walk_value<V: Visitor + ?Sized>(visitor: &mut V, value: &ValueExpr) {
    match value {
        ValueExpr::Word(word) => visitor.word(word),
        ValueExpr::Literal(..) => {}
        ValueExpr::List(elements, _) => {
            for element in elements {
                match element {
                    Element::Value(value) => visitor.value(value),
                    Element::Spread(word) => visitor.word(word),
                }
            }
        }
        ValueExpr::Record(fields, _) => {
            for field in fields {
                match field {
                    Field::Pair(key, value) => {
                        visitor.word(key);
                        visitor.value(value);
                    }
                    Field::Spread(word) => visitor.word(word),
                }
            }
        }
    }
}

fn walk_part<V: Visitor + ?Sized>(visitor: &mut V, part: &Part) {
    match part {
        Part::Literal(_) | Part::Quoted(_) | Part::Glob(_) | Part::Tilde => {}
        Part::DoubleQuoted(parts) => {
            for part in parts {
                visitor.part(part);
            }
        }
        Part::Parameter(parameter) => visitor.parameter(parameter),
        Part::Command(substitution) => visitor.script(&substitution.script),
        Part::Arithmetic(code) => visitor.arithmetic(code),
        Part::Brace(brace) => {
            if let Brace::List(alternatives) = brace.as_ref() {
                for part in alternatives.iter().flatten() {
                    visitor.part(part);
                }
            }
        }
        Part::Spread(part) => visitor.part(part),
    }
}

pub(super) fn walk_parameter<V: Visitor + ?Sized>(visitor: &mut V, parameter: &Parameter) {
    visitor.subscripts(&parameter.path);
    match &parameter.op {
        ParameterOp::Default { word, .. } => visitor.word(word),
        ParameterOp::Trim { pattern, .. } | ParameterOp::Case { pattern, .. } => {
            visitor.word(pattern);
        }
        ParameterOp::Replace { pattern, replacement, .. } => {
            visitor.word(pattern);
            visitor.word(replacement);
        }
        ParameterOp::Substring(offset, length) => {
            visitor.arithmetic(offset);
            if let Some(length) = length {
                visitor.arithmetic(length);
            }
        }
        _ => {}
    }
}

pub(super) fn walk_condition<V: Visitor + ?Sized>(visitor: &mut V, condition: &Condition) {
    match condition {
        Condition::Word(word) | Condition::Unary(_, word, _) => visitor.word(word),
        Condition::Binary(_, left, right, _) => {
            visitor.word(left);
            visitor.word(right);
        }
        Condition::In { left, right, .. } => {
            visitor.word(left);
            visitor.value(right);
        }
        Condition::Not(inner) => visitor.condition(inner),
        Condition::And(all) | Condition::Or(all) => {
            for inner in all {
                visitor.condition(inner);
            }
        }
    }
}
