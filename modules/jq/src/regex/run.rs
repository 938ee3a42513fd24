//! The backtracking machine: a program and a place in, the groups of a match out.

use super::{Anchor, Class, Groups, Look, Step, fold};

/// How many steps a search may take.
const MAX_STEPS: usize = 20_000_000;

/// What is undone when a branch fails.
enum Undo {
    /// Go on with this step at this place.
    Try(usize, usize),
    /// A slot had this before.
    Slot(usize, Option<usize>),
}

pub(super) struct Machine<'t> {
    text: &'t [char],
    groups: usize,
    longest: bool,
    slots: Vec<Option<usize>>,
    left: usize,
}

/// Too many steps.
const TIRED: &str = "match takes too many steps";

impl<'t> Machine<'t> {
    pub(super) fn new(text: &'t [char], groups: usize, longest: bool) -> Self {
        Self { text, groups, longest, slots: Vec::new(), left: MAX_STEPS }
    }

    /// The groups of the match that begins at `start`.
    pub(super) fn match_at(
        &mut self,
        program: &[Step],
        start: usize,
    ) -> Result<Option<Groups>, &'static str> {
        self.slots.clear();
        self.slots.resize(self.groups * 2, None);
        let longest = self.longest;
        let Some(end) = self.run(program, start, None, longest)? else { return Ok(None) };
        let slot = |index: usize| self.slots.get(index).copied().flatten();
        let mut groups: Groups =
            (0..self.groups).map(|group| Some((slot(2 * group)?, slot(2 * group + 1)?))).collect();
        if let Some(whole) = groups.first_mut() {
            *whole = Some((start, end));
        }
        Ok(Some(groups))
    }

    fn set_slot(&mut self, slot: usize, value: Option<usize>) -> Option<usize> {
        if slot >= self.slots.len() {
            self.slots.resize(slot + 1, None);
        }
        self.slots.get_mut(slot).and_then(|place| std::mem::replace(place, value))
    }

    /// Runs a program from a place; with `end`, only a match that ends there counts.
    fn run(
        &mut self,
        program: &[Step],
        start: usize,
        end: Option<usize>,
        longest: bool,
    ) -> Result<Option<usize>, &'static str> {
        let mut undo: Vec<Undo> = Vec::new();
        let mut best: Option<(usize, Vec<Option<usize>>)> = None;
        let (mut at, mut place) = (0, start);
        loop {
            self.left = self.left.checked_sub(1).ok_or(TIRED)?;
            let Some(step) = program.get(at) else { return Ok(None) };
            let goes_on = match step {
                Step::Match => {
                    let counts = end.is_none_or(|end| end == place);
                    if counts && !longest {
                        return Ok(Some(place));
                    }
                    if counts && best.as_ref().is_none_or(|(end, _)| place > *end) {
                        best = Some((place, self.slots.clone()));
                    }
                    None
                }
                Step::Fork(first, second) => {
                    undo.push(Undo::Try(*second, place));
                    Some((*first, place))
                }
                Step::Jump(to) => Some((*to, place)),
                Step::Save(slot) => {
                    let before = self.set_slot(*slot, Some(place));
                    undo.push(Undo::Slot(*slot, before));
                    Some((at + 1, place))
                }
                Step::Progress(slot) => {
                    let began = self.slots.get(*slot).copied().flatten();
                    // A turn that took nothing ends the loop: past the jump back.
                    Some((if began == Some(place) { at + 2 } else { at + 1 }, place))
                }
                Step::Look { program, kind } => {
                    self.look(program, *kind, place, &mut undo)?.map(|place| (at + 1, place))
                }
                other => self.simple(other, place).map(|place| (at + 1, place)),
            };
            if let Some((next, next_place)) = goes_on {
                (at, place) = (next, next_place);
                continue;
            }
            loop {
                match undo.pop() {
                    Some(Undo::Try(next, next_place)) => {
                        (at, place) = (next, next_place);
                        break;
                    }
                    Some(Undo::Slot(slot, before)) => {
                        self.set_slot(slot, before);
                    }
                    None => {
                        return Ok(best.map(|(end, slots)| {
                            self.slots = slots;
                            end
                        }));
                    }
                }
            }
        }
    }

    /// Where a step that takes characters, or none, goes on.
    fn simple(&self, step: &Step, place: usize) -> Option<usize> {
        let here = self.text.get(place).copied();
        let taken = match step {
            Step::Char(c, false) => here? == *c,
            Step::Char(c, true) => fold(here?) == fold(*c),
            Step::Any(newline) => here? != '\n' || *newline,
            Step::Set(set) => set.holds(here?),
            Step::At(anchor) => return self.is_at(*anchor, place).then_some(place),
            Step::Back(group, ignore_case) => return self.back(*group, *ignore_case, place),
            _ => false,
        };
        taken.then_some(place + 1)
    }

    fn is_at(&self, anchor: Anchor, place: usize) -> bool {
        let len = self.text.len();
        let is_word = |at: Option<usize>| {
            at.and_then(|at| self.text.get(at)).is_some_and(|c| Class::Word.holds(*c))
        };
        let newline = self.text.get(place) == Some(&'\n');
        match anchor {
            Anchor::TextStart => place == 0,
            Anchor::TextEnd => place == len,
            Anchor::LastEnd => place == len || (place + 1 == len && newline),
            Anchor::Word => is_word(place.checked_sub(1)) != is_word(Some(place)),
            Anchor::NotWord => is_word(place.checked_sub(1)) == is_word(Some(place)),
        }
    }

    fn back(&self, group: usize, ignore_case: bool, place: usize) -> Option<usize> {
        let slot = |index: usize| self.slots.get(index).copied().flatten();
        let text = self.text.get(slot(2 * group)?..slot(2 * group + 1)?)?;
        let other = self.text.get(place..place + text.len())?;
        let same = text
            .iter()
            .zip(other)
            .all(|(a, b)| if ignore_case { fold(*a) == fold(*b) } else { a == b });
        same.then_some(place + text.len())
    }

    /// Where matching goes on after a look around; the depth is that of the pattern's groups.
    fn look(
        &mut self,
        program: &[Step],
        kind: Look,
        place: usize,
        undo: &mut Vec<Undo>,
    ) -> Result<Option<usize>, &'static str> {
        let before = self.slots.clone();
        let found = match kind {
            Look::Ahead | Look::NotAhead | Look::Atomic => self.run(program, place, None, false)?,
            Look::Behind | Look::NotBehind => {
                let mut found = None;
                for start in (0..=place).rev() {
                    found = self.run(program, start, Some(place), false)?;
                    if found.is_some() {
                        break;
                    }
                }
                found
            }
        };
        let negated = matches!(kind, Look::NotAhead | Look::NotBehind);
        if found.is_none() || negated {
            self.slots = before;
        } else {
            // What it captured is forgotten where the rest fails.
            for (slot, value) in before.into_iter().enumerate() {
                if self.slots.get(slot).copied().flatten() != value {
                    undo.push(Undo::Slot(slot, value));
                }
            }
        }
        Ok(match (kind, found) {
            (Look::Atomic, end) => end,
            (_, found) => (found.is_some() != negated).then_some(place),
        })
    }
}
