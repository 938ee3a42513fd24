//! Simple commands against the specs: E001, E002, W001, and what a spec's own check finds.

use super::Facts;
use super::literal::{is_countless, name_of, text_of};
use super::near::{meant, nearest, refusal};
use super::visit::{Visitor, walk_simple};
use crate::syntax::{Argument, Diagnostic, FunctionDefinition, Level, Script, SimpleCommand, Span};
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
            self.unknown(&name, command);
        }
    }
}

/// The place of the argument whose text is looked for.
fn word_with(command: &SimpleCommand, found: impl Fn(&EcoString) -> bool) -> Option<Span> {
    command.words.iter().skip(1).find_map(|word| match word {
        Argument::Word(word) => text_of(word).filter(&found).map(|_| word.span),
        Argument::Assignment(_) => None,
    })
}

/// The option that a message complains of: by its whole word, or by its letter.
fn option_named(command: &SimpleCommand, message: &str) -> Option<Span> {
    let whole = word_with(command, |text| {
        text.len() > 1 && text.starts_with('-') && message.contains(&format!("'{text}'"))
    });
    whole.or_else(|| {
        word_with(command, |text| {
            let letters = text.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
            letters.is_some_and(|rest| rest.chars().any(|c| message.contains(&format!("'{c}'"))))
        })
    })
}

impl Commands<'_> {
    /// E001: a name that means nothing here, with what was probably meant.
    fn unknown(&mut self, name: &EcoString, command: &SimpleCommand) {
        let span = command.words.first().map_or(command.span, |word| match word {
            Argument::Word(word) => word.span,
            Argument::Assignment(assignment) => assignment.span,
        });
        let mut names = self.facts.registry.names();
        names.extend(self.defined.iter().cloned());
        let words: Vec<EcoString> = command
            .words
            .iter()
            .filter_map(|word| match word {
                Argument::Word(word) => text_of(word),
                Argument::Assignment(_) => None,
            })
            .collect();
        let near = nearest(name, &names);
        let fix = refusal(name)
            .map(str::to_owned)
            .or_else(|| meant(name, &words, &names))
            .or_else(|| (!near.is_empty()).then(|| format!("did you mean {}?", near.join(" or "))))
            .unwrap_or_else(|| "`help` lists the commands".into());
        let message = format!("{name}: no such command here");
        self.found.push(Diagnostic::warning("E001", span, message).with_fix(fix));
    }

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
                let span = option_named(command, &message).unwrap_or(command.span);
                let fix = format!("`{} --help` lists the options; `--` ends them", spec.name);
                self.found.push(Diagnostic::warning("W001", span, message).with_fix(fix));
                return;
            }
        };
        if args.help {
            return;
        }
        // A word of unknown text may be an option in truth.
        let certain = spec.binding == Binding::Raw || !words.contains(&Value::Null);
        if certain && args.operands.len() < spec.arity.0 {
            let message = format!("{}: an operand is missing", spec.name);
            let fix = format!("{} {}", spec.name, spec.operands);
            self.found.push(Diagnostic::warning("E002", command.span, message).with_fix(fix));
        }
        let issue = spec.check.and_then(|check| check(&args));
        if let Some(issue) = issue {
            let message = format!("{}: {}", spec.name, issue.message);
            let level = if issue.code == "E003" { Level::Warning } else { Level::Error };
            let culprit = issue.culprit.and_then(|text| word_with(command, |word| *word == text));
            let span = culprit.unwrap_or(command.span);
            let diagnostic = Diagnostic { level, ..Diagnostic::error(issue.code, span, message) };
            self.found.push(Diagnostic { fix: issue.fix, ..diagnostic });
        }
    }
}
