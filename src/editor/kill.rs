//! The kill ring: what was killed, to be yanked back.

const LONGEST: usize = 64;

/// The side of the cursor a kill took its text from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
}

/// Killed texts, the one that yank gives last.
#[derive(Debug, Default)]
pub(super) struct KillRing {
    entries: Vec<String>,
}

impl KillRing {
    /// Adds a text of its own.
    pub(super) fn push(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        self.entries.push(text.to_owned());
        if self.entries.len() > LONGEST {
            self.entries.remove(0);
        }
    }

    /// Adds to the latest text on the side it was taken from: consecutive kills are one.
    pub(super) fn extend(&mut self, text: &str, side: Side) {
        match (self.entries.last_mut(), side) {
            (None, _) => self.push(text),
            (Some(last), Side::Left) => last.insert_str(0, text),
            (Some(last), Side::Right) => last.push_str(text),
        }
    }

    /// The text yank gives.
    pub(super) fn latest(&self) -> Option<&str> {
        self.entries.last().map(String::as_str)
    }

    /// Turns the ring so that yank gives the text before.
    pub(super) fn rotate(&mut self) {
        if let Some(last) = self.entries.pop() {
            self.entries.insert(0, last);
        }
    }
}
