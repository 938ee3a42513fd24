//! Simple commands against the specs: E001, E002, W001, and what a spec's own check finds.

use super::Facts;
use super::literal::{is_countless, name_of, text_of};
use super::visit::{Visitor, walk_simple};
use crate::syntax::{Argument, Diagnostic, FunctionDefinition, Level, Script, SimpleCommand};
use crate::tool::{Binding, Spec, parse_args};
use crate::value::{EcoString, Value};

/// Looks for commands that are unknown or misused.
pub(super) fn check(script: &Script, facts: &Facts<'_>) -> Vec<Diagnostic> {
    let mut defined = Defined(Vec::new());
    defined.script(script);
    let mut pass = Commands { facts, defined: defined.0, found: Vec::new() };
    pass.script(script);
    pass.found
}

/// The functions that a program defines.
struct Defined(Vec<EcoString>);

impl Visitor for Defined {
    fn function(&mut self, function: &FunctionDefinition) {
        self.0.push(function.name.clone());
        self.compound(&function.body);
    }
}

struct Commands<'a> {
    facts: &'a Facts<'a>,
    defined: Vec<EcoString>,
    found: Vec<Diagnostic>,
}

impl Visitor for Commands<'_> {
    fn simple(&mut self, command: &SimpleCommand) {
        walk_simple(self, command);
        let Some(name) = name_of(command) else { return };
        let session = self.facts.session;
        let shadowed = self.defined.contains(&name)
            || session.functions.borrow().contains_key(&name)
            || session.aliases.borrow().contains_key(&name);
        if shadowed {
            return;
        }
        let plain = name.strip_prefix("/v/bin/").unwrap_or(&name);
        if let Some(builtin) = self.facts.registry.builtin(plain) {
            self.check_words(&builtin.spec, command);
        } else if let Some(tool) = self.facts.registry.tool(&name) {
            self.check_words(&tool.spec(), command);
        } else if !name.contains('/') {
            let message = format!("{name}: no such command here");
            self.found.push(Diagnostic::warning("E001", command.span, message));
        }
    }
}

impl Commands<'_> {
    fn check_words(&mut self, spec: &Spec<'_>, command: &SimpleCommand) {
        let mut words = Vec::with_capacity(command.words.len());
        for argument in command.words.iter().skip(1) {
            match argument {
                Argument::Word(word) if is_countless(word) => return,
                // What an expansion gives is null: never judged, and counted.
                Argument::Word(word) => words.push(text_of(word).map_or(Value::Null, Value::Text)),
                Argument::Assignment(_) => return,
            }
        }
        let args = match parse_args(spec, &words) {
            Ok(args) => args,
            Err(error) => {
                let message = format!("{}: {error}", spec.name);
                self.found.push(Diagnostic::warning("W001", command.span, message));
                return;
            }
        };
        if args.help {
            return;
        }
        // A word of unknown text may be an option in truth.
        let certain = spec.binding == Binding::Raw || !words.contains(&Value::Null);
        if certain && args.operands.len() < spec.arity.0 {
            let message =
                format!("{}: an operand is missing: {} {}", spec.name, spec.name, spec.operands);
            self.found.push(Diagnostic::warning("E002", command.span, message));
        }
        let issue = spec.check.and_then(|check| check(&args));
        if let Some(issue) = issue {
            let message = format!("{}: {}", spec.name, issue.message);
            let level = if issue.code == "E003" { Level::Warning } else { Level::Error };
            let diagnostic =
                Diagnostic { level, ..Diagnostic::error(issue.code, command.span, message) };
            self.found.push(Diagnostic { fix: issue.fix, ..diagnostic });
        }
    }
}
