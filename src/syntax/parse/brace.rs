//! Brace expansion: `{a,b}` and `{1..5}`, built without recursion while a word is read.

use std::rc::Rc;

use super::word::Parts;
use crate::syntax::{Brace, Part};

/// An open `{`.
struct Frame {
    /// What stood before it.
    before: Parts,
    /// The alternatives that a comma ended.
    alternatives: Vec<Vec<Part>>,
}

/// The open braces of a word, innermost last.
#[derive(Default)]
pub(super) struct Frames {
    open: Vec<Frame>,
}

impl Frames {
    pub(super) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.open.len()
    }

    /// Opens a brace after `before`.
    pub(super) fn open(&mut self, before: Parts) {
        self.open.push(Frame { before, alternatives: Vec::new() });
    }

    /// Takes a `,` or `}` after `parts`; yields the parts to go on with.
    pub(super) fn step(&mut self, b: u8, parts: Parts) -> Parts {
        if b == b',' {
            if let Some(frame) = self.open.last_mut() {
                frame.alternatives.push(parts.list);
            }
            return Parts::default();
        }
        let Some(frame) = self.open.pop() else { return parts };
        let mut before = frame.before;
        let mut alternatives = frame.alternatives;
        if alternatives.is_empty() {
            match parts.list.as_slice() {
                [Part::Literal(text)] if sequence(text).is_some() => {
                    before.list.extend(sequence(text).map(|brace| Part::Brace(Rc::new(brace))));
                }
                _ => {
                    before.literal("{");
                    parts.list.into_iter().for_each(|part| before.push(part));
                    before.literal("}");
                }
            }
        } else {
            alternatives.push(parts.list);
            before.push(Part::Brace(Rc::new(Brace::List(alternatives))));
        }
        before
    }

    /// Ends the word: braces that nothing closed are text.
    pub(super) fn unwind(mut self, mut parts: Parts) -> Parts {
        while let Some(frame) = self.open.pop() {
            let mut before = frame.before;
            before.literal("{");
            for alternative in frame.alternatives {
                alternative.into_iter().for_each(|part| before.push(part));
                before.literal(",");
            }
            parts.list.into_iter().for_each(|part| before.push(part));
            parts = before;
        }
        parts
    }
}

/// `1..5`, `01..10..3`, `a..e`
fn sequence(text: &str) -> Option<Brace> {
    let mut ends = text.split("..");
    let (first, last, step) = (ends.next()?, ends.next()?, ends.next());
    if ends.next().is_some() {
        return None;
    }
    let step = step.map_or(Some(1), |text| text.parse::<i64>().ok())?.unsigned_abs().max(1);
    if let (Ok(start), Ok(end)) = (first.parse::<i64>(), last.parse::<i64>()) {
        let padded = |text: &str| {
            let digits = text.trim_start_matches(['-', '+']);
            digits.len() > 1 && digits.starts_with('0')
        };
        let wide = padded(first) || padded(last);
        let width = if wide { first.len().max(last.len()) } else { 0 };
        return Some(Brace::Numbers { start, end, step, width });
    }
    let letter = |text: &str| {
        let mut chars = text.chars();
        let c = chars.next().filter(char::is_ascii_alphabetic)?;
        chars.next().is_none().then_some(c)
    };
    Some(Brace::Letters(letter(first)?, letter(last)?, u32::try_from(step).unwrap_or(u32::MAX)))
}
