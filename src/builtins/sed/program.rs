//! What a `sed` script becomes: commands with their addresses, branches as places in the list.

use std::rc::Rc;

use super::replacement::Replacement;
use crate::pattern::Regex;
use crate::value::EcoString;

/// A script, ready to run.
#[derive(Default)]
pub(super) struct Program {
    pub(super) commands: Vec<Command>,
    /// Whether it begins with `#n`, which stands for `-n`.
    pub(super) quiet: bool,
    /// The files that `w`, `W` and `s///w` write.
    pub(super) writes: Vec<EcoString>,
    /// The files that `R` reads line by line.
    pub(super) reads: Vec<EcoString>,
    /// Whether files are read by name while it runs.
    pub(super) reads_files: bool,
}

/// A command and when it runs.
pub(super) struct Command {
    pub(super) from: Option<Address>,
    pub(super) to: Option<Until>,
    pub(super) negated: bool,
    pub(super) action: Action,
}

/// An expression; `None` is the one used last.
pub(super) type Pattern = Option<Rc<Regex>>;

/// Which lines.
pub(super) enum Address {
    Line(u64),
    Last,
    /// Every so many lines from one on.
    Step(u64, u64),
    Match(Pattern),
}

/// Up to where a range of lines goes.
pub(super) enum Until {
    Line(u64),
    Last,
    /// One of every so many lines from one on.
    Step(u64, u64),
    Match(Pattern),
    /// So many lines more.
    More(u64),
    /// Up to a multiple.
    Multiple(u64),
}

/// What a command does.
pub(super) enum Action {
    /// `{`: where its `}` is.
    Block(usize),
    /// `=`
    Number,
    /// `a`
    Append(Rc<[u8]>),
    /// `i`
    Insert(Rc<[u8]>),
    /// `c`
    Change(Rc<[u8]>),
    /// `b`, `t`, `T`: where to go on.
    Branch(When, usize),
    /// `d`
    Delete,
    /// `D`
    DeleteFirst,
    /// `F`
    FileName,
    /// `g`
    Get,
    /// `G`
    GetMore,
    /// `h`
    Hold,
    /// `H`
    HoldMore,
    /// `l` and its columns.
    List(Option<usize>),
    /// `n`
    Next,
    /// `N`
    NextMore,
    /// `p`
    Print,
    /// `P`
    PrintFirst,
    /// `q`
    Quit(u8),
    /// `Q`
    QuitSilent(u8),
    /// `r`
    ReadFile(EcoString),
    /// `R`
    ReadLine(usize),
    /// `s`
    Substitute(Box<Substitute>),
    /// `w`
    Write(usize),
    /// `W`
    WriteFirst(usize),
    /// `x`
    Exchange,
    /// `y`
    Translate(Translate),
    /// `z`
    Zap,
    /// `v`
    Nothing,
}

/// When a branch is taken.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum When {
    Always,
    /// After a substitution.
    Changed,
    /// Without one.
    Unchanged,
}

/// `s`
pub(super) struct Substitute {
    pub(super) pattern: Pattern,
    pub(super) replacement: Replacement,
    /// Which match is replaced first, from 1.
    pub(super) number: u64,
    /// Whether those after it are too.
    pub(super) global: bool,
    pub(super) print: bool,
    pub(super) write: Option<usize>,
}

/// `y`
pub(super) enum Translate {
    Bytes(Box<[u8; 256]>),
    Chars(rustc_hash::FxHashMap<char, char>),
}
