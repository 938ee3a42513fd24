//! Control flow and conditions that cannot work: E005, E008, E009, E012, E014.

use super::Facts;
use super::literal::{name_of, pattern_of};
use super::visit::{Visitor, walk_compound, walk_condition, walk_simple};
use crate::pattern::{Dialect, Regex, Syntax};
use crate::syntax::{
    Command, Compound, CompoundCommand, Condition, ConditionOp, Diagnostic, FunctionDefinition,
    ParameterName, ParameterOp, Part, Pipeline, Script, SimpleCommand, Subscript, Word,
};

/// Looks for control flow that cannot work.
pub(super) fn check(script: &Script, facts: &Facts<'_>) -> Vec<Diagnostic> {
    let (in_function, has_caller) = (facts.sourced, facts.sourced);
    let mut pass = Flow { facts, loops: 0, in_function, has_caller, found: Vec::new() };
    pass.script(script);
    pass.found
}

struct Flow<'a> {
    facts: &'a Facts<'a>,
    /// Loops around the place, within the same function.
    loops: u32,
    in_function: bool,
    /// The place is at the top of a sourced file, whose caller may be in a loop.
    has_caller: bool,
    found: Vec<Diagnostic>,
}

impl Flow<'_> {
    fn is_redefined(&self, name: &str) -> bool {
        self.facts.session.functions.borrow().contains_key(name)
    }

    /// E012: a scalar as the whole list of `for`.
    fn check_list(&mut self, words: &[Word]) {
        let [word] = words else { return };
        let [Part::Parameter(parameter)] = word.parts.as_slice() else { return };
        let several = matches!(parameter.name, ParameterName::Special('@' | '*'))
            || parameter.path.iter().any(|key| matches!(key, Subscript::All | Subscript::Star));
        let bare = matches!(parameter.op, ParameterOp::None | ParameterOp::Default { .. });
        if several || !bare {
            return;
        }
        let name = match &parameter.name {
            ParameterName::Variable(name) => name.to_string(),
            ParameterName::Positional(index) => index.to_string(),
            ParameterName::Special(name) => name.to_string(),
        };
        let message = format!("the loop would run once: ${name} is one value and is not split");
        self.found.push(
            Diagnostic::error("E012", word.span, message).with_fix(format!(
                "$(split \"${name}\") for the words of a text, $(values ${name}) for the elements of a list"
            )),
        );
    }
}

impl Visitor for Flow<'_> {
    fn pipeline(&mut self, pipeline: &Pipeline) {
        let name = |command: &Command| match command {
            Command::Simple(simple) => name_of(simple),
            _ => None,
        };
        let scatter = pipeline
            .stages
            .iter()
            .position(|stage| name(&stage.command).is_some_and(|name| name == "scatter"));
        if let Some(at) = scatter.filter(|_| !self.is_redefined("scatter")) {
            let gathers = pipeline
                .stages
                .iter()
                .skip(at + 1)
                .any(|stage| name(&stage.command).is_some_and(|name| name == "gather"));
            if !gathers {
                let message = "scatter needs a gather that collects what the workers answer";
                let fix = "… | scatter | worker | gather";
                let diagnostic = Diagnostic::error("E014", pipeline.span, message);
                self.found.push(diagnostic.with_fix(fix));
            }
        }
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
        let Some(name) = name_of(command).filter(|name| !self.is_redefined(name)) else { return };
        match name.as_str() {
            "break" | "continue" if self.loops == 0 && !self.has_caller => {
                let message = format!("`{name}` stands in no loop of this function or script");
                let diagnostic = Diagnostic::error("E008", command.span, message);
                self.found
                    .push(diagnostic.with_fix("`return` leaves a function, `exit` the script"));
            }
            "return" if !self.in_function => {
                let message = "`return` stands in no function";
                let diagnostic = Diagnostic::error("E009", command.span, message);
                self.found.push(diagnostic.with_fix("`exit` leaves the script"));
            }
            _ => {}
        }
    }

    fn compound(&mut self, command: &CompoundCommand) {
        let is_loop = match &command.kind {
            Compound::For { words, .. } => {
                self.check_list(words.as_deref().unwrap_or_default());
                true
            }
            Compound::ForArith { .. } | Compound::While { .. } | Compound::Select { .. } => true,
            _ => false,
        };
        self.loops += u32::from(is_loop);
        walk_compound(self, command);
        self.loops -= u32::from(is_loop);
    }

    fn condition(&mut self, condition: &Condition) {
        walk_condition(self, condition);
        let Condition::Binary(ConditionOp::Match | ConditionOp::NotMatch, _, right, _) = condition
        else {
            return;
        };
        let Some(pattern) = pattern_of(right) else { return };
        if let Err(error) = Regex::new(&pattern, Syntax::new(Dialect::Extended)) {
            let message = format!("bad regular expression '{pattern}': {error}");
            let fix = "a literal bracket or star is escaped, \\( or [(]";
            self.found.push(Diagnostic::error("E005", right.span, message).with_fix(fix));
        }
    }

    fn function(&mut self, function: &FunctionDefinition) {
        let loops = std::mem::take(&mut self.loops);
        let in_function = std::mem::replace(&mut self.in_function, true);
        let has_caller = std::mem::take(&mut self.has_caller);
        self.compound(&function.body);
        self.has_caller = has_caller;
        self.loops = loops;
        self.in_function = in_function;
    }
}
