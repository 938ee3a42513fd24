//! Changes to a parsed filter where the engine's own reading differs from jq's.
//!
//! Operands with several outputs each vary on the left first; an error on the left of `//` counts as
//! no output; `$__loc__` is its place.

use jaq_core::load::lex::StrPart;
use jaq_core::load::parse::{BinaryOp, Pattern, Term};
use jaq_core::load::span;
use jaq_core::path::{Opt, Part};

/// What was seen on the way.
pub(crate) struct Notes<'s> {
    text: &'s str,
    /// Whether the filter takes inputs itself.
    pub(crate) takes_inputs: bool,
    /// Texts of line numbers, which a tree borrows.
    lines: &'static [&'static str],
}

const RIGHT: &str = "$__right";
const NUMBERS: [&str; 20] = [
    "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16", "17",
    "18", "19", "20",
];

impl<'s> Notes<'s> {
    /// Nothing seen yet of this text.
    pub(crate) fn new(text: &'s str) -> Self {
        Self { text, takes_inputs: false, lines: &NUMBERS }
    }

    /// `{file: "<top-level>", line: N}`
    fn location(&self, variable: &str) -> Term<&'s str> {
        let at = span(self.text, variable).start;
        let line = self.text.get(..at).unwrap_or_default().matches('\n').count();
        let line = self.lines.get(line).copied().unwrap_or("0");
        let string = |text: &'s str| Term::Str(None, vec![StrPart::Str(text)]);
        Term::Obj(vec![
            (string("file"), Some(string("<top-level>"))),
            (string("line"), Some(Term::Num(line))),
        ])
    }
}

/// Whether a term may have more than one output, or none.
fn is_plural(term: &Term<&str>) -> bool {
    match term {
        Term::Id | Term::Num(_) | Term::Var(_) | Term::Arr(_) => false,
        Term::Str(_, parts) => {
            parts.iter().any(|part| matches!(part, StrPart::Term(term) if is_plural(term)))
        }
        Term::Neg(term) => is_plural(term),
        Term::Path(term, path) => {
            is_plural(term)
                || path.0.iter().any(|(part, _)| match part {
                    Part::Index(index) => is_plural(index),
                    Part::Range(None, None) => true,
                    Part::Range(from, to) => {
                        from.as_ref().is_some_and(is_plural) || to.as_ref().is_some_and(is_plural)
                    }
                })
        }
        Term::BinOp(left, BinaryOp::Math(_) | BinaryOp::Cmp(_) | BinaryOp::Pipe(None), right) => {
            is_plural(left) || is_plural(right)
        }
        Term::Call(name, args) => {
            let single = ["length", "not", "type", "tostring", "tonumber", "add", "keys", "now"];
            !args.is_empty() || !single.contains(name)
        }
        _ => true,
    }
}

/// Rewrites a term and what it is made of; its depth is bounded by the parser's.
pub(crate) fn term<'s>(tree: &mut Term<&'s str>, notes: &mut Notes<'s>) {
    match tree {
        Term::Id | Term::Recurse | Term::Num(_) | Term::Break(_) | Term::Arr(None) => {}
        Term::Var(name) if *name == "$__loc__" => *tree = notes.location(name),
        Term::Var(_) => {}
        Term::Str(_, parts) => {
            for part in parts {
                if let StrPart::Term(inner) = part {
                    term(inner, notes);
                }
            }
        }
        Term::Arr(Some(inner)) | Term::Neg(inner) | Term::Label(_, inner) => term(inner, notes),
        Term::Obj(fields) => {
            for (key, value) in fields {
                location_field(key, value, notes);
                term(key, notes);
                value.iter_mut().for_each(|value| term(value, notes));
            }
        }
        Term::BinOp(left, _, right) => {
            term(left, notes);
            term(right, notes);
            operation(tree);
        }
        Term::Fold(_, source, pattern, args) => {
            term(source, notes);
            self::pattern(pattern, notes);
            args.iter_mut().for_each(|arg| term(arg, notes));
        }
        Term::TryCatch(inner, catch) => {
            term(inner, notes);
            catch.iter_mut().for_each(|catch| term(catch, notes));
        }
        Term::IfThenElse(branches, otherwise) => {
            for (condition, then) in branches {
                term(condition, notes);
                term(then, notes);
            }
            otherwise.iter_mut().for_each(|otherwise| term(otherwise, notes));
        }
        Term::Def(definitions, inner) => {
            definitions.iter_mut().for_each(|definition| term(&mut definition.body, notes));
            term(inner, notes);
        }
        Term::Call(name, args) => {
            notes.takes_inputs |= matches!(*name, "input" | "inputs");
            args.iter_mut().for_each(|arg| term(arg, notes));
        }
        Term::Path(inner, path) => {
            term(inner, notes);
            for (part, _) in &mut path.0 {
                match part {
                    Part::Index(index) => term(index, notes),
                    Part::Range(from, to) => {
                        from.iter_mut().chain(to).for_each(|bound| term(bound, notes));
                    }
                }
            }
        }
    }
    if let Term::BinOp(_, BinaryOp::Pipe(Some(pattern)), _) = tree {
        self::pattern(pattern, notes);
    }
}

/// `{$__loc__}` is the field `__loc__`.
fn location_field<'s>(
    key: &mut Term<&'s str>,
    value: &mut Option<Term<&'s str>>,
    notes: &Notes<'s>,
) {
    if let Term::Var(name) = key
        && *name == "$__loc__"
        && value.is_none()
    {
        *value = Some(notes.location(name));
        *key = Term::Str(None, vec![StrPart::Str("__loc__")]);
    }
}

fn pattern<'s>(tree: &mut Pattern<&'s str>, notes: &mut Notes<'s>) {
    match tree {
        Pattern::Var(_) => {}
        Pattern::Arr(items) => items.iter_mut().for_each(|item| pattern(item, notes)),
        Pattern::Obj(fields) => {
            for (key, value) in fields {
                term(key, notes);
                pattern(value, notes);
            }
        }
    }
}

/// An operation whose operands are rewritten already.
fn operation(tree: &mut Term<&str>) {
    let Term::BinOp(left, operator, right) = tree else { return };
    match operator {
        BinaryOp::Math(_) | BinaryOp::Cmp(_) if is_plural(left) && is_plural(right) => {
            let operator = operator.clone();
            let (left, right) = (std::mem::take(left), std::mem::take(right));
            let inner = Term::BinOp(left, operator, Box::new(Term::Var(RIGHT)));
            let pattern = Pattern::Var(RIGHT);
            *tree = Term::BinOp(right, BinaryOp::Pipe(Some(pattern)), Box::new(inner));
        }
        BinaryOp::Alt if is_path(left) => make_optional(left),
        BinaryOp::Alt => {
            let inner = std::mem::take(left);
            **left = Term::TryCatch(inner, None);
        }
        _ => {}
    }
}

/// `?` after each part of a path.
fn make_optional(tree: &mut Term<&str>) {
    if let Term::Path(inner, path) = tree {
        make_optional(inner);
        path.0.iter_mut().for_each(|(_, opt)| *opt = Opt::Optional);
    }
}

/// Whether a term is a bare path: it may stand on the left of `|=`, where `try` must not.
fn is_path(term: &Term<&str>) -> bool {
    match term {
        Term::Id | Term::Recurse | Term::Var(_) => true,
        Term::Path(inner, _) => is_path(inner),
        _ => false,
    }
}
