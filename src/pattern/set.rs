//! A set of characters, as a bracket expression or an escape such as `\w` describes it.

use super::chars::{CharClass, lower, upper};

/// A set of characters; no table is built, a character is tested against the description.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct CharSet {
    /// Whether the set is everything that the items do not hold.
    pub(super) negated: bool,
    /// Whether upper and lower case are the same.
    pub(super) ignore_case: bool,
    /// What the set is made of.
    pub(super) items: Vec<Item>,
}

/// A part of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Item {
    /// From the first character to the last, both included.
    Range(char, char),
    /// A named class.
    Class(CharClass),
}

impl CharSet {
    /// The set of `c` alone.
    pub(super) fn single(c: char, ignore_case: bool) -> Self {
        // A character without case needs no folding, and may then be part of a literal.
        let ignore_case = ignore_case && (lower(c) != c || upper(c) != c);
        Self { negated: false, ignore_case, items: vec![Item::Range(c, c)] }
    }

    /// The only character of the set, where it is one that does not fold.
    pub(super) fn as_single(&self) -> Option<char> {
        match self.items[..] {
            [Item::Range(low, high)] if low == high && !self.negated && !self.ignore_case => {
                Some(low)
            }
            _ => None,
        }
    }

    /// Whether the set holds `c`.
    pub(super) fn contains(&self, c: char) -> bool {
        self.has(c) != self.negated
    }

    fn has(&self, c: char) -> bool {
        if self.holds(c) {
            return true;
        }
        if !self.ignore_case {
            return false;
        }
        let (small, great) = (lower(c), upper(c));
        self.holds(small) || self.holds(great) || self.holds(lower(great))
    }

    fn holds(&self, c: char) -> bool {
        self.items.iter().any(|item| match *item {
            Item::Range(low, high) => (low..=high).contains(&c),
            Item::Class(class) => class.contains(c),
        })
    }
}
