//! Names nothing binds: E016 where one is the root of a target, W002 where one is read.

use rustc_hash::FxHashSet;

use super::Facts;
use super::literal::{name_of, text_of};
use super::visit::{Access, Visitor, walk_compound, walk_parameter, walk_simple};
use crate::expand::is_name;
use crate::syntax::{
    Argument, ArithPlace, Assignment, Compound, CompoundCommand, DefaultKind, Diagnostic,
    Parameter, ParameterName, ParameterOp, Redirect, Script, SimpleCommand, parse_arithmetic,
};
use crate::tool::parse_args;
use crate::value::{EcoString, Value};

/// Names that the shell itself gives a value.
const COMPUTED: [&str; 17] = [
    "BASH_SOURCE",
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
    let mut bound = Bound::new(facts);
    bound.script(script);
    #[expect(clippy::iter_over_hash_type, reason = "what comes of it is a set")]
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
    pub(super) names: FxHashSet<EcoString>,
    /// Something may bind names that are not written out.
    open: bool,
}

impl<'a> Bound<'a> {
    pub(super) fn new(facts: &'a Facts<'a>) -> Self {
        Self { facts, names: FxHashSet::default(), open: false }
    }

    /// A word that names a variable, with or without a value; null is one with an expansion.
    fn name(&mut self, word: &Value) {
        let Some(text) = word.as_str() else {
            self.open = true;
            return;
        };
        let name = text.split(['=', '+', '[']).next().unwrap_or_default();
        if is_name(name) {
            self.names.insert(name.into());
        }
    }

    fn command(&mut self, name: &str, words: &[Argument]) {
        let values: Vec<Value> = words.iter().filter_map(value_of).collect();
        match name {
            "local" | "export" | "readonly" | "declare" | "typeset" | "read" | "mapfile"
            | "readarray" | "getopts" => self.binding(name, &values),
            "printf" | "scatter" => {
                let option = if name == "printf" { "-v" } else { "--as" };
                let at = values.iter().position(|word| word.as_str() == Some(option));
                match at.and_then(|at| values.get(at + 1)) {
                    Some(word) => self.name(word),
                    None if name == "scatter" => self.name(&Value::text("ITEM")),
                    None => {}
                }
            }
            "let" => {
                for word in &values {
                    match word.as_str() {
                        Some(text) => self.arithmetic(&parse_arithmetic(text)),
                        None => self.open = true,
                    }
                }
            }
            "source" | "." | "trap" | "alias" => self.open = true,
            "command" | "builtin" => match values.first().map(Value::as_str) {
                Some(Some(name)) => self.command(name, words.get(1..).unwrap_or_default()),
                Some(None) => self.open = true,
                None => {}
            },
            _ => self.open |= self.facts.registry.tool(name).is_some(),
        }
    }

    /// Commands whose operands are names.
    fn binding(&mut self, name: &str, values: &[Value]) {
        let builtin = self.facts.registry.builtin(name);
        let args = builtin.and_then(|builtin| parse_args(&builtin.spec, values).ok());
        let Some(args) = args else {
            self.open = true;
            return;
        };
        let operands = match name {
            "getopts" => args.operands.get(1..2).unwrap_or_default(),
            _ => args.operands.as_slice(),
        };
        for word in operands.iter().chain(args.value("a").filter(|_| name == "read")) {
            self.name(word);
        }
        let implied: &[&str] = match name {
            "read" if operands.is_empty() => &["REPLY"],
            "mapfile" | "readarray" if operands.is_empty() => &["MAPFILE"],
            "getopts" => &["OPTARG", "OPTIND"],
            _ => &[],
        };
        self.names.extend(implied.iter().map(|name| EcoString::from(*name)));
    }
}

/// The text of a word, null where it has an expansion; the walk sees assignments.
fn value_of(word: &Argument) -> Option<Value> {
    match word {
        Argument::Word(word) => Some(text_of(word).map_or(Value::Null, Value::Text)),
        Argument::Assignment(_) => None,
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
