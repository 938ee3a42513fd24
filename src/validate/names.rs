//! Names nothing binds: E016 where one is the root of a target, W002 where one is read.

use rustc_hash::FxHashSet;

use super::Facts;
use super::literal::{name_of, text_of};
use super::visit::{Access, Visitor, walk_compound, walk_parameter, walk_simple};
use crate::syntax::{
    Argument, ArithPlace, Assignment, Compound, CompoundCommand, DefaultKind, Diagnostic,
    Parameter, ParameterName, ParameterOp, Redirect, Script, SimpleCommand, parse_arithmetic,
};
use crate::value::EcoString;

/// Names that the shell itself gives a value.
const COMPUTED: [&str; 16] = [
    "RANDOM",
    "SECONDS",
    "LINENO",
    "PIPESTATUS",
    "PWD",
    "OLDPWD",
    "EPOCHSECONDS",
    "PPID",
    "UID",
    "EUID",
    "BASH_REMATCH",
    "REPLY",
    "OPTARG",
    "OPTIND",
    "MAPFILE",
    "IFS",
];

/// Looks for names that nothing could bind.
pub(super) fn check(script: &Script, facts: &Facts<'_>) -> Vec<Diagnostic> {
    let mut suspects = Suspects { facts, found: Vec::new() };
    suspects.script(script);
    if suspects.found.is_empty() {
        return Vec::new();
    }
    let mut bound = Bound { facts, names: FxHashSet::default(), open: false };
    bound.script(script);
    for function in facts.session.functions.borrow().values() {
        bound.compound(&function.definition.body);
    }
    bound.open |= !facts.session.aliases.borrow().is_empty();
    if bound.open {
        return Vec::new();
    }
    let unbound = suspects.found.into_iter().filter(|(name, _)| !bound.names.contains(name));
    unbound.map(|(_, diagnostic)| diagnostic).collect()
}

/// Names that are used and neither set in the shell nor computed.
struct Suspects<'a> {
    facts: &'a Facts<'a>,
    found: Vec<(EcoString, Diagnostic)>,
}

impl Suspects<'_> {
    fn is_known(&self, name: &str) -> bool {
        COMPUTED.contains(&name) || self.facts.session.scope.borrow().variable(name).is_some()
    }

    fn root(&mut self, name: &EcoString, span: crate::syntax::Span) {
        if self.is_known(name) {
            return;
        }
        let message = format!("{name} is not defined, so it has no element to assign");
        let diagnostic = Diagnostic::error("E016", span, message)
            .with_fix(format!("first {name}={{}} for a record, or {name}=[] for a list"));
        self.found.push((name.clone(), diagnostic));
    }
}

impl Visitor for Suspects<'_> {
    fn assignment(&mut self, assignment: &Assignment) {
        if !assignment.path.is_empty() {
            self.root(&assignment.name, assignment.span);
        }
        self.subscripts(&assignment.path);
        self.value(&assignment.value);
    }

    fn place(&mut self, place: &ArithPlace, access: Access) {
        if !place.path.is_empty() && access != Access::Read {
            self.root(&place.name, place.span);
        }
    }

    fn parameter(&mut self, parameter: &Parameter) {
        walk_parameter(self, parameter);
        let ParameterName::Variable(name) = &parameter.name else { return };
        let allows = matches!(
            parameter.op,
            ParameterOp::Default { .. } | ParameterOp::NamesWithPrefix | ParameterOp::Indirect
        );
        if allows || self.is_known(name) {
            return;
        }
        let message = format!("{name} is possibly unset: nothing here gives it a value");
        let diagnostic = Diagnostic::warning("W002", parameter.span, message)
            .with_fix(format!("${{{name}:-default}}"));
        self.found.push((name.clone(), diagnostic));
    }
}

/// Names that a program may bind.
pub(super) struct Bound<'a> {
    facts: &'a Facts<'a>,
    names: FxHashSet<EcoString>,
    /// Something may bind names that are not written out.
    open: bool,
}

impl Bound<'_> {
    /// A word that names a variable, with or without a value.
    fn name(&mut self, word: &Argument) {
        match word {
            Argument::Word(word) => match text_of(word) {
                Some(text) => {
                    let name = text.split(['=', '+', '[']).next().unwrap_or_default();
                    self.names.insert(name.into());
                }
                None => self.open = true,
            },
            // The walk sees it.
            Argument::Assignment(_) => {}
        }
    }

    fn command(&mut self, name: &str, words: &[Argument]) {
        match name {
            "read" | "mapfile" | "readarray" | "getopts" | "local" | "export" | "readonly"
            | "declare" | "typeset" | "printf" | "wait" | "scatter" => {
                self.names.extend(["REPLY", "ITEM"].map(EcoString::from));
                let named = !matches!(name, "printf" | "wait");
                let binds = |word: &Argument| matches!(word, Argument::Word(word) if text_of(word).is_some_and(|text| text.starts_with("-v") || text.starts_with("-p")));
                if named || words.first().is_some_and(binds) {
                    for word in words {
                        self.name(word);
                    }
                }
            }
            "let" => {
                for word in words {
                    let Argument::Word(word) = word else { continue };
                    match text_of(word) {
                        Some(text) => self.arithmetic(&parse_arithmetic(&text)),
                        None => self.open = true,
                    }
                }
            }
            "source" | "." | "trap" | "alias" => self.open = true,
            "command" | "builtin" => {
                if let Some((Argument::Word(first), rest)) = words.split_first() {
                    match text_of(first) {
                        Some(name) => self.command(&name, rest),
                        None => self.open = true,
                    }
                }
            }
            _ => self.open |= self.facts.registry.tool(name).is_some(),
        }
    }
}

impl Visitor for Bound<'_> {
    fn simple(&mut self, command: &SimpleCommand) {
        walk_simple(self, command);
        if let Some(name) = name_of(command) {
            self.command(&name, command.words.get(1..).unwrap_or_default());
        } else if !command.words.is_empty() {
            self.open = true;
        }
    }

    fn assignment(&mut self, assignment: &Assignment) {
        if assignment.path.is_empty() {
            self.names.insert(assignment.name.clone());
        }
        self.subscripts(&assignment.path);
        self.value(&assignment.value);
    }

    fn compound(&mut self, command: &CompoundCommand) {
        if let Compound::For { name, .. } | Compound::Select { name, .. } = &command.kind {
            self.names.insert(name.clone());
        }
        walk_compound(self, command);
    }

    fn redirect(&mut self, redirect: &Redirect) {
        self.names.extend(redirect.fd_variable.clone());
    }

    fn place(&mut self, place: &ArithPlace, access: Access) {
        if place.path.is_empty() && access != Access::Read {
            self.names.insert(place.name.clone());
        }
    }

    fn parameter(&mut self, parameter: &Parameter) {
        walk_parameter(self, parameter);
        if let (
            ParameterName::Variable(name),
            ParameterOp::Default { kind: DefaultKind::Assign, .. },
        ) = (&parameter.name, &parameter.op)
        {
            self.names.insert(name.clone());
        }
    }
}
