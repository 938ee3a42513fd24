//! Text that every match must hold, so that a fast search can rule places out.

use memchr::memmem::Finder;

use super::ast::Ast;
use crate::pattern::set::CharSet;

/// Text that every match holds.
#[derive(Debug)]
pub(super) struct Required {
    pub(super) finder: Finder<'static>,
    /// Whether every match begins with the text.
    pub(super) leads: bool,
    /// Whether the text is the whole match.
    pub(super) whole: bool,
}

impl Required {
    /// The longest such text of `ast`, the first of several.
    pub(super) fn of(ast: &Ast, sets: &[CharSet]) -> Option<Self> {
        let mut runs = Runs { sets, done: Vec::new(), current: String::new(), exact: true };
        runs.visit(ast);
        let whole = runs.exact && runs.done.is_empty();
        runs.flush();
        let (at, text) =
            runs.done.iter().enumerate().max_by_key(|(at, text)| (text.len(), usize::MAX - at))?;
        if text.is_empty() {
            return None;
        }
        let finder = Finder::new(text.as_bytes()).into_owned();
        Some(Self { finder, leads: at == 0, whole })
    }
}

/// Collects runs of single characters; an empty first run says that something else leads.
struct Runs<'a> {
    sets: &'a [CharSet],
    done: Vec<String>,
    current: String,
    /// Whether nothing but characters has been seen.
    exact: bool,
}

impl Runs<'_> {
    fn flush(&mut self) {
        self.done.push(std::mem::take(&mut self.current));
    }

    fn visit(&mut self, ast: &Ast) {
        match ast {
            Ast::Empty => {}
            Ast::Set(set) => match self.sets.get(*set as usize).and_then(CharSet::as_single) {
                Some(c) => self.current.push(c),
                None => self.flush(),
            },
            Ast::Concat(nodes) => nodes.iter().for_each(|node| self.visit(node)),
            Ast::Group(_, inner) => {
                self.exact = false;
                self.visit(inner);
            }
            // A position interrupts a text no more than it is known to hold.
            Ast::Look(_) => self.exact = false,
            Ast::Repeat(inner, bounds) if bounds.min > 0 => {
                self.visit(inner);
                self.flush();
            }
            Ast::Repeat(..) | Ast::Alternate(_) | Ast::BackReference(_) => self.flush(),
        }
    }
}
