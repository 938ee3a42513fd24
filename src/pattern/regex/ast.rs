//! The tree of a regular expression, shared by all dialects.

/// A node. Sets are numbers into the parser's list, so that equal sets are one.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Ast {
    /// Matches the empty text.
    Empty,
    /// One character of a set.
    Set(u32),
    /// A position.
    Look(Look),
    /// A numbered subexpression, from 1.
    Group(u32, Box<Ast>),
    /// What a group matched last.
    BackReference(u32),
    /// One after the other.
    Concat(Vec<Ast>),
    /// The first that leads to the longest match.
    Alternate(Vec<Ast>),
    /// As often as possible, within the bounds.
    Repeat(Box<Ast>, Bounds),
}

/// How often a node repeats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    pub(super) min: u32,
    /// `None`: any number.
    pub(super) max: Option<u32>,
}

/// A condition on the characters around a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    /// `` \` ``, and `^` where a text is one line.
    TextStart,
    /// `\'`, and `$` where a text is one line.
    TextEnd,
    /// `^` in a text of several lines.
    LineStart,
    /// `$` in a text of several lines.
    LineEnd,
    /// `\b`
    Boundary,
    /// `\B`
    NoBoundary,
    /// `\<`
    WordStart,
    /// `\>`
    WordEnd,
    /// No word character before: what `grep -w` asks.
    NoWordBefore,
    /// No word character after.
    NoWordAfter,
}

/// What kind of character is at one side of a position, as far as [`Look`] cares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Side {
    /// None: the text begins or ends here.
    Edge = 0,
    /// A newline that separates lines.
    Newline = 1,
    /// A letter, digit or underscore.
    Word = 2,
    /// Anything else.
    Other = 3,
}

impl Look {
    /// Whether the condition holds between two characters.
    pub(super) fn holds(self, before: Side, after: Side) -> bool {
        let (word_before, word_after) = (before == Side::Word, after == Side::Word);
        match self {
            Self::TextStart => before == Side::Edge,
            Self::TextEnd => after == Side::Edge,
            Self::LineStart => matches!(before, Side::Edge | Side::Newline),
            Self::LineEnd => matches!(after, Side::Edge | Side::Newline),
            Self::Boundary => word_before != word_after,
            Self::NoBoundary => word_before == word_after,
            Self::WordStart => !word_before && word_after,
            Self::WordEnd => word_before && !word_after,
            Self::NoWordBefore => !word_before,
            Self::NoWordAfter => !word_after,
        }
    }

    /// Whether the condition looks at word characters.
    pub(super) fn is_about_words(self) -> bool {
        !matches!(self, Self::TextStart | Self::TextEnd | Self::LineStart | Self::LineEnd)
    }
}

impl Ast {
    /// The nodes one after the other.
    pub(super) fn concat(mut nodes: Vec<Ast>) -> Ast {
        match nodes.len() {
            0 => Ast::Empty,
            1 => nodes.swap_remove(0),
            _ => Ast::Concat(nodes),
        }
    }

    /// Whether every match begins at the start of the text.
    pub(super) fn is_anchored(&self) -> bool {
        match self {
            Self::Look(look) => *look == Look::TextStart,
            Self::Group(_, inner) => inner.is_anchored(),
            Self::Concat(nodes) => nodes.first().is_some_and(Self::is_anchored),
            Self::Alternate(nodes) => nodes.iter().all(Self::is_anchored),
            Self::Repeat(inner, bounds) => bounds.min > 0 && inner.is_anchored(),
            Self::Empty | Self::Set(_) | Self::BackReference(_) => false,
        }
    }
}
