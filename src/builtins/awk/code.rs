//! What a program is compiled to: one list of operations for a stack machine, and its tables.

use std::rc::Rc;

use super::value::Value;
use crate::pattern::Regex;
use crate::value::EcoString;

/// A variable: a global by number, or a parameter by its place in the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    Global(u32),
    Local(u32),
}

/// What is assigned to. Of what it needs, the index is on the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Variable(Slot),
    /// `NF`, `NR` and others that act on assignment.
    Special(Special),
    /// Its number is on the stack.
    Field,
    /// Its key is on the stack.
    Element(Slot),
}

impl Target {
    /// Whether an index of it is on the stack.
    pub(super) fn has_index(self) -> bool {
        matches!(self, Self::Field | Self::Element(_))
    }
}

/// Variables that the machine keeps itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Special {
    Nf,
    Nr,
    Fnr,
    Fs,
    Ofs,
    Ors,
    Rs,
    Subsep,
    Convfmt,
    Ofmt,
    Rstart,
    Rlength,
    Filename,
    Fpat,
    Rt,
}

/// The names of [`Special`]s, in their order.
pub(super) const SPECIALS: [(&str, Special); 15] = [
    ("NF", Special::Nf),
    ("NR", Special::Nr),
    ("FNR", Special::Fnr),
    ("FS", Special::Fs),
    ("OFS", Special::Ofs),
    ("ORS", Special::Ors),
    ("RS", Special::Rs),
    ("SUBSEP", Special::Subsep),
    ("CONVFMT", Special::Convfmt),
    ("OFMT", Special::Ofmt),
    ("RSTART", Special::Rstart),
    ("RLENGTH", Special::Rlength),
    ("FILENAME", Special::Filename),
    ("FPAT", Special::Fpat),
    ("RT", Special::Rt),
];

/// Operations on two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arith {
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    Pow,
}

/// Comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compare {
    Lt,
    Le,
    Eq,
    Ne,
    Gt,
    Ge,
}

/// Steps by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    /// 1 or -1.
    pub(super) by: i8,
    /// Whether the value before the step is the result.
    pub(super) post: bool,
}

/// Where `print` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Redirect {
    Stdout,
    /// The name is on the stack, for these too.
    File,
    Append,
    Pipe,
}

/// Where `getline` reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    Main,
    /// The name is on the stack, for these too.
    File,
    Command,
}

/// An operation. Operands are taken from the stack, results are put there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Op {
    Number(f64),
    /// The constant of that number.
    Constant(u32),
    /// A regular expression as an argument.
    RegexValue(u32),
    Load(Slot),
    /// An argument that may turn out to be an array.
    LoadArgument(Slot),
    LoadSpecial(Special),
    /// A value that is nothing yet.
    Unset,
    FieldConst(u32),
    /// A field as a number.
    FieldNumber(u32),
    Field,
    Element(Slot),
    /// The value is on top, the index below; the value stays.
    Store(Target),
    /// The same, and nothing stays.
    StoreDrop(Target),
    Update(Target, Arith),
    Step(Target, Step),
    Arith(Arith),
    Compare(Compare),
    Concat(u32),
    Negate,
    Plus,
    Not,
    /// 1 or 0 by truth.
    Truth,
    MatchRecord(u32),
    Match(u32),
    MatchDynamic,
    In(Slot),
    /// Joins that many keys with `SUBSEP`.
    Subscript(u32),
    Delete(Slot),
    DeleteAll(Slot),
    Drop,
    /// Copies the top.
    Dup,
    /// Exchanges the two values on top.
    Swap,
    Jump(u32),
    JumpIfFalse(u32),
    JumpIfTrue(u32),
    /// Goes to the place if the range of that number is open.
    RangeOpen(u32, u32),
    RangeSet(u32, bool),
    ForInStart(Slot),
    /// Puts the next key on the stack, or ends the iteration and goes to the place.
    ForInNext(u32),
    ForInEnd,
    /// Function, number of arguments.
    Call(u32, u32),
    Return,
    /// Function of the language, number of arguments.
    Builtin(Builtin, u32),
    /// Replaces in the value on top; the index of its target may be below, below that replacement
    /// and regular expression. Leaves index and count.
    Substitute {
        global: bool,
        index: bool,
    },
    /// Stores what [`Op::Substitute`] or [`Op::Getline`] made, if anything; keeps the number on top.
    StoreMade(Target),
    /// Reads a record, into `$0` unless told to keep it for [`Op::StoreMade`]; leaves the status.
    Getline(Source, bool),
    Print(Redirect, u32),
    /// The whole record to standard output.
    PrintRecord,
    Printf(Redirect, u32),
    Next,
    NextFile,
    /// Whether the status is on the stack.
    Exit(bool),
    /// The end of BEGIN, of the rules for a record, or of END.
    Done,
}

/// Functions that take plain values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Builtin {
    Length,
    Substr,
    Index,
    Split,
    Gensub,
    Match,
    Sprintf,
    Sin,
    Cos,
    Atan2,
    Exp,
    Log,
    Sqrt,
    Int,
    Rand,
    Srand,
    Tolower,
    Toupper,
    System,
    Close,
    Fflush,
    Systime,
    Strftime,
    Mktime,
    Strtonum,
    And,
    Or,
    Xor,
    Lshift,
    Rshift,
    Compl,
    Asort,
    Asorti,
}

/// A function of the program.
#[derive(Clone, Debug)]
pub(super) struct Function {
    pub(super) name: EcoString,
    pub(super) entry: u32,
    pub(super) parameters: u32,
}

/// A compiled program.
pub(super) struct Program {
    pub(super) code: Vec<Op>,
    /// The line of each operation.
    pub(super) lines: Vec<u32>,
    pub(super) begin: u32,
    pub(super) rules: u32,
    pub(super) end: u32,
    pub(super) has_rules: bool,
    pub(super) has_end: bool,
    pub(super) constants: Vec<Value>,
    pub(super) regexes: Vec<Rc<Regex>>,
    pub(super) functions: Vec<Function>,
    /// Names of globals by number.
    pub(super) globals: Vec<EcoString>,
    pub(super) ranges: u32,
}
