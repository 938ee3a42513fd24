//! Expressions with back-references: every way is tried, within a budget, for the longest match.

use rustc_hash::FxHashSet;

use super::captures::{Slots, sides};
use super::lazy::GaveUp;
use super::nfa::{Nfa, State};
use crate::pattern::chars::{decode, lower};

/// Steps that one search may take.
const MAX_STEPS: usize = 4_000_000;
/// Steps from one start before places are remembered: most tries are over sooner.
const FREE_STEPS: usize = 256;
/// Places that are remembered as tried.
const MAX_TRIED: usize = 400_000;

enum Task {
    Visit(u32, usize),
    Restore(u32, Option<usize>),
}

/// One search.
pub(super) struct Backtrack<'a> {
    nfa: &'a Nfa,
    text: &'a [u8],
    ignore_case: bool,
    steps: usize,
    /// The step at which places begin to be remembered.
    remember_from: usize,
    tasks: Vec<Task>,
    tried: FxHashSet<(u32, usize, u64)>,
    slots: Slots,
    best: Option<(usize, Slots)>,
}

impl<'a> Backtrack<'a> {
    pub(super) fn new(nfa: &'a Nfa, text: &'a [u8], ignore_case: bool) -> Self {
        Self {
            nfa,
            text,
            ignore_case,
            steps: 0,
            remember_from: 0,
            tasks: Vec::new(),
            tried: FxHashSet::default(),
            slots: vec![None; nfa.slots],
            best: None,
        }
    }

    /// The longest of the leftmost matches at or after `from`: its span, and the slots of its groups.
    pub(super) fn find(mut self, from: usize) -> Result<Option<(usize, usize, Slots)>, GaveUp> {
        let mut start = from;
        loop {
            self.try_at(start)?;
            if let Some((end, slots)) = self.best.take() {
                return Ok(Some((start, end, slots)));
            }
            let next = self.text.get(start..).and_then(decode);
            match next {
                Some((_, len)) if !self.nfa.features.anchored => start += len,
                _ => return Ok(None),
            }
        }
    }

    fn try_at(&mut self, start: usize) -> Result<(), GaveUp> {
        self.slots.fill(None);
        if !self.tried.is_empty() {
            self.tried.clear();
        }
        self.remember_from = self.steps + FREE_STEPS;
        self.tasks.clear();
        self.tasks.push(Task::Visit(self.nfa.start, start));
        while let Some(task) = self.tasks.pop() {
            match task {
                Task::Visit(state, at) => self.follow(state, at)?,
                Task::Restore(slot, old) => {
                    if let Some(place) = self.slots.get_mut(slot as usize) {
                        *place = old;
                    }
                }
            }
            // Nothing is longer than the rest of the text.
            if self.best.as_ref().is_some_and(|(end, _)| *end == self.text.len()) {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Follows one way until it ends.
    fn follow(&mut self, mut state: u32, mut at: usize) -> Result<(), GaveUp> {
        loop {
            self.steps += 1;
            if self.steps > MAX_STEPS {
                return Err(GaveUp);
            }
            let Some(&here) = self.nfa.states.get(state as usize) else { return Ok(()) };
            state = match here {
                State::Match => {
                    if self.best.as_ref().is_none_or(|(end, _)| *end < at) {
                        self.best = Some((at, self.slots.clone()));
                    }
                    return Ok(());
                }
                State::Set { set, next } => match self.take(set, at) {
                    Some(len) => {
                        at += len;
                        next
                    }
                    None => return Ok(()),
                },
                State::Split { first, second } => {
                    if self.steps > self.remember_from && !self.remember(state, at) {
                        return Ok(());
                    }
                    self.tasks.push(Task::Visit(second, at));
                    first
                }
                State::Look { look, next } => {
                    let (before, after) = sides(self.nfa, self.text, at);
                    if !look.holds(before, after) {
                        return Ok(());
                    }
                    next
                }
                State::Save { slot, next } => {
                    if let Some(place) = self.slots.get_mut(slot as usize) {
                        self.tasks.push(Task::Restore(slot, *place));
                        *place = Some(at);
                    }
                    next
                }
                State::BackReference { group, next } => match self.repeat(group, at) {
                    Some(len) => {
                        at += len;
                        next
                    }
                    None => return Ok(()),
                },
            };
        }
    }

    /// Remembers a place; false where it is known. The same place with the same referenced groups
    /// leads to the same ends.
    fn remember(&mut self, state: u32, at: usize) -> bool {
        let place = (state, at, self.referenced());
        if self.tried.len() >= MAX_TRIED {
            return !self.tried.contains(&place);
        }
        self.tried.insert(place)
    }

    /// The length of the character at `at` where the set holds it.
    fn take(&self, set: u32, at: usize) -> Option<usize> {
        let (c, len) = decode(self.text.get(at..)?)?;
        let c = c.filter(|&c| !(c == '\n' && self.nfa.newlines == super::Newlines::Separate))?;
        self.nfa.sets.get(set as usize)?.contains(c).then_some(len)
    }

    fn group(&self, group: u32) -> Option<(usize, usize)> {
        let slot = 2 * group as usize;
        let start = (*self.slots.get(slot)?)?;
        let end = (*self.slots.get(slot + 1)?)?;
        (start <= end).then_some((start, end))
    }

    /// The length of the text at `at` that is the same as what `group` holds.
    fn repeat(&self, group: u32, at: usize) -> Option<usize> {
        let (start, end) = self.group(group)?;
        let (own, rest) = (self.text.get(start..end)?, self.text.get(at..)?);
        if !self.ignore_case {
            return rest.starts_with(own).then_some(own.len());
        }
        let (mut left, mut right) = (own, rest);
        while let Some((a, len)) = decode(left) {
            let (b, other) = decode(right)?;
            let same = match (a, b) {
                (Some(a), Some(b)) => lower(a) == lower(b),
                (None, None) => left.first() == right.first(),
                _ => false,
            };
            if !same {
                return None;
            }
            left = left.get(len..)?;
            right = right.get(other..)?;
        }
        Some(rest.len() - right.len())
    }

    /// A number for what the referenced groups hold.
    fn referenced(&self) -> u64 {
        self.nfa.references.iter().fold(0u64, |sum, &group| {
            let (start, end) =
                self.group(group).map_or((0, 0), |(start, end)| (start + 1, end + 1));
            let span = ((start as u64) << 32) | end as u64;
            sum.rotate_left(23).wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(span)
        })
    }
}
