//! The tree as an automaton: states that take a character, split, or ask for a position.

use std::cell::OnceCell;

use super::ast::{Ast, Bounds, Look};
use super::error::RegexError;
use super::parse::Parsed;
use super::{Newlines, Syntax, Whole};
use crate::pattern::set::CharSet;

/// The greatest number of states, about 256 KB with what a search keeps per state.
const MAX_STATES: usize = 10_000;

/// A state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum State {
    /// Takes a character of a set.
    Set { set: u32, next: u32 },
    /// Goes on in both, the first preferred.
    Split { first: u32, second: u32 },
    /// Goes on where the condition holds.
    Look { look: Look, next: u32 },
    /// Stores the position in a slot.
    Save { slot: u32, next: u32 },
    /// Takes what a group matched. The tables take any text here.
    BackReference { group: u32, next: u32 },
    /// The end.
    Match,
}

/// An automaton over characters.
#[derive(Debug)]
pub(super) struct Nfa {
    pub(super) states: Vec<State>,
    pub(super) start: u32,
    /// The state that matches.
    pub(super) end: u32,
    pub(super) sets: Vec<CharSet>,
    pub(super) features: Features,
    pub(super) newlines: Newlines,
    /// The number of slots: two per group.
    pub(super) slots: usize,
    /// Groups that back-references name.
    pub(super) references: Vec<u32>,
    predecessors: OnceCell<Predecessors>,
}

/// What a search may leave out when an expression lacks it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Features {
    /// Some state asks for a position.
    pub(super) looks: bool,
    /// Some position is about words.
    pub(super) words: bool,
    /// Every match begins at the start of the text.
    pub(super) anchored: bool,
}

/// For each state those that lead to it.
#[derive(Debug)]
struct Predecessors {
    /// Where each state's part of `sources` begins, and the end.
    heads: Vec<u32>,
    sources: Vec<u32>,
}

impl Nfa {
    /// Compiles a tree.
    pub(super) fn new(parsed: Parsed, syntax: Syntax) -> Result<Self, RegexError> {
        let mut compiler = Compiler { states: vec![State::Match], features: Features::default() };
        let end = 0;
        let start = match syntax.whole {
            Whole::Free => compiler.node(&parsed.ast, end)?,
            Whole::Words => {
                let tail = compiler.look(Look::NoWordAfter, end)?;
                let body = compiler.node(&parsed.ast, tail)?;
                compiler.look(Look::NoWordBefore, body)?
            }
            Whole::Lines => {
                let tail = compiler.look(Look::LineEnd, end)?;
                let body = compiler.node(&parsed.ast, tail)?;
                compiler.look(Look::LineStart, body)?
            }
        };
        compiler.features.anchored = parsed.ast.is_anchored();
        Ok(Self {
            states: compiler.states,
            start,
            end,
            sets: parsed.sets,
            features: compiler.features,
            newlines: syntax.newlines,
            slots: 2 * (parsed.groups as usize + 1),
            references: parsed.references,
            predecessors: OnceCell::new(),
        })
    }

    /// The states with an edge to `state`.
    pub(super) fn before(&self, state: u32) -> &[u32] {
        let table = self.predecessors.get_or_init(|| Predecessors::new(&self.states));
        let at = state as usize;
        let (Some(&from), Some(&to)) = (table.heads.get(at), table.heads.get(at + 1)) else {
            return &[];
        };
        table.sources.get(from as usize..to as usize).unwrap_or_default()
    }
}

impl State {
    fn targets(self) -> [Option<u32>; 2] {
        match self {
            Self::Set { next, .. }
            | Self::Look { next, .. }
            | Self::Save { next, .. }
            | Self::BackReference { next, .. } => [Some(next), None],
            Self::Split { first, second } => [Some(first), Some(second)],
            Self::Match => [None, None],
        }
    }
}

impl Predecessors {
    fn new(states: &[State]) -> Self {
        let mut lists = vec![Vec::new(); states.len()];
        for (source, state) in (0u32..).zip(states) {
            for target in state.targets().into_iter().flatten() {
                if let Some(list) = lists.get_mut(target as usize) {
                    list.push(source);
                }
            }
        }
        let mut heads = vec![0];
        let mut sources = Vec::new();
        for list in lists {
            sources.extend(list);
            heads.push(u32::try_from(sources.len()).unwrap_or(u32::MAX));
        }
        Self { heads, sources }
    }
}

/// Builds states from the end of the expression to its start.
struct Compiler {
    states: Vec<State>,
    features: Features,
}

impl Compiler {
    fn push(&mut self, state: State) -> Result<u32, RegexError> {
        if self.states.len() >= MAX_STATES {
            return Err(RegexError::TooBig);
        }
        self.states.push(state);
        u32::try_from(self.states.len() - 1).map_err(|_| RegexError::TooBig)
    }

    fn look(&mut self, look: Look, next: u32) -> Result<u32, RegexError> {
        self.features.looks = true;
        self.features.words |= look.is_about_words();
        self.push(State::Look { look, next })
    }

    /// The entry of `node` when `next` follows it.
    fn node(&mut self, node: &Ast, next: u32) -> Result<u32, RegexError> {
        match node {
            Ast::Empty => Ok(next),
            Ast::Set(set) => self.push(State::Set { set: *set, next }),
            Ast::Look(look) => self.look(*look, next),
            Ast::BackReference(group) => self.push(State::BackReference { group: *group, next }),
            Ast::Group(number, inner) => {
                let tail = self.push(State::Save { slot: 2 * number + 1, next })?;
                let body = self.node(inner, tail)?;
                self.push(State::Save { slot: 2 * number, next: body })
            }
            Ast::Concat(nodes) => {
                nodes.iter().rev().try_fold(next, |next, node| self.node(node, next))
            }
            Ast::Alternate(nodes) => {
                let mut entry = None;
                for node in nodes.iter().rev() {
                    let first = self.node(node, next)?;
                    entry = Some(match entry {
                        None => first,
                        Some(second) => self.push(State::Split { first, second })?,
                    });
                }
                // No branch at all matches nothing: no set has this number.
                entry.map_or_else(|| self.push(State::Set { set: u32::MAX, next }), Ok)
            }
            Ast::Repeat(inner, bounds) => self.repeat(inner, *bounds, next),
        }
    }

    fn repeat(&mut self, inner: &Ast, bounds: Bounds, next: u32) -> Result<u32, RegexError> {
        let mut entry = next;
        let mut required = bounds.min;
        match bounds.max {
            None => {
                let turn = self.push(State::Match)?;
                let body = self.node(inner, turn)?;
                self.set_split(turn, body, next);
                // `a+` enters its loop by the body.
                if required == 1 {
                    return Ok(body);
                }
                entry = turn;
            }
            Some(max) => {
                for _ in bounds.min..max {
                    let first = self.node(inner, entry)?;
                    entry = self.push(State::Split { first, second: next })?;
                }
            }
        }
        while required > 0 {
            let before = self.states.len();
            entry = self.node(inner, entry)?;
            // What takes no states needs no copies, however many are asked for.
            required = if self.states.len() == before { 0 } else { required - 1 };
        }
        Ok(entry)
    }

    fn set_split(&mut self, at: u32, first: u32, second: u32) {
        if let Some(state) = self.states.get_mut(at as usize) {
            *state = State::Split { first, second };
        }
    }
}
