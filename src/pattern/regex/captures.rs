//! What the groups of a match hold, read off the trail of a backward search.
//!
//! The trail says at every position which states lead to the end of the match. So the walk from the
//! start never goes wrong for longer than one position: it takes the first way, in the order of
//! preference of the expression, to a state of the trail.

use super::ast::Side;
use super::lazy::{Lazy, Marks};
use super::nfa::{Nfa, State};
use super::symbols::side_of;
use crate::pattern::chars::{decode, decode_last};

/// Positions of group starts and ends, two slots a group; `None` where a group took no part.
pub(super) type Slots = Vec<Option<usize>>;

enum Task {
    Visit(u32),
    /// Puts a slot back when the way it was set for leads nowhere.
    Restore(u32, Option<usize>),
}

/// The walk and its working memory.
#[derive(Default)]
pub(super) struct Walk {
    tasks: Vec<Task>,
    visited: Marks,
}

impl std::fmt::Debug for Walk {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str("Walk")
    }
}

impl Walk {
    /// Fills `slots` for the match that begins at `start`, whose backward search left `trail`.
    pub(super) fn fill(
        &mut self,
        nfa: &Nfa,
        (tables, trail): (&Lazy, &[u32]),
        (text, start): (&[u8], usize),
        slots: &mut Slots,
    ) {
        let (mut at, mut state) = (start, nfa.start);
        for &row in trail.iter().rev() {
            let goals = tables.states(row);
            match self.next(nfa, (goals, state), (text, at), slots) {
                Some(next) => state = next,
                None => return,
            }
            at += text.get(at..).and_then(decode).map_or(0, |(_, len)| len);
        }
    }

    /// The state after the first way from `state` to one of `goals`; `None` at the end.
    fn next(
        &mut self,
        nfa: &Nfa,
        (goals, state): (&[u32], u32),
        (text, at): (&[u8], usize),
        slots: &mut Slots,
    ) -> Option<u32> {
        self.visited.clear(nfa.states.len());
        self.tasks.clear();
        self.tasks.push(Task::Visit(state));
        while let Some(task) = self.tasks.pop() {
            let mut state = match task {
                Task::Visit(state) => state,
                Task::Restore(slot, old) => {
                    if let Some(place) = slots.get_mut(slot as usize) {
                        *place = old;
                    }
                    continue;
                }
            };
            while self.visited.insert(state) {
                state = match *nfa.states.get(state as usize)? {
                    State::Set { next, .. } if goals.contains(&state) => return Some(next),
                    State::Set { .. } | State::BackReference { .. } => break,
                    State::Match if goals.contains(&state) => return None,
                    State::Match => break,
                    State::Split { first, second } => {
                        self.tasks.push(Task::Visit(second));
                        first
                    }
                    State::Look { look, next } => {
                        let (before, after) = sides(nfa, text, at);
                        if !look.holds(before, after) {
                            break;
                        }
                        next
                    }
                    State::Save { slot, next } => {
                        let place = slots.get_mut(slot as usize)?;
                        self.tasks.push(Task::Restore(slot, *place));
                        *place = Some(at);
                        next
                    }
                };
            }
        }
        None
    }
}

/// What stands before and after a position.
pub(super) fn sides(nfa: &Nfa, text: &[u8], at: usize) -> (Side, Side) {
    (
        side_of(nfa, text.get(..at).and_then(decode_last)),
        side_of(nfa, text.get(at..).and_then(decode)),
    )
}
