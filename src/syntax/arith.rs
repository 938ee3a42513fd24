//! Arithmetic as postfix code: what `$((…))`, `((…))`, `let` and slice bounds compile to.
//!
//! Operators take their operands from a stack of 64-bit integers. `&&`, `||` and `?:` are jumps, so
//! the code is linear, needs no recursion, and evaluates only what C evaluates.

use super::{Part, Span, Word};
use crate::value::EcoString;

/// A compiled arithmetic expression.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ArithCode {
    /// The steps in order; empty for an empty expression, whose value is 0.
    pub ops: Vec<ArithOp>,
    /// The expression as written, for messages and for printing.
    pub text: EcoString,
    /// The expression in the source.
    pub span: Span,
    /// Whether a `$(…)` stands inside.
    pub runs: bool,
    /// Why the text is no expression; reported as a warning when validated and as an error when
    /// reached.
    pub error: Option<EcoString>,
}

/// One step.
#[derive(Clone, Debug, PartialEq)]
pub enum ArithOp {
    /// Push a constant.
    Push(i64),
    /// Push the value of a variable.
    Load(ArithPlace),
    /// Push the number an expansion gives: `${#x}`, `$(…)`, `"$x"`, `$1`.
    Expand(Part),
    /// Pop a value, assign it, push it.
    Store(ArithPlace),
    /// Pop a value, combine it with the variable's, assign and push the result: `+=` and kin.
    Update(ArithPlace, BinaryOp),
    /// `++` and `--`: push the value before (postfix) or after (prefix).
    Step {
        /// The variable.
        place: ArithPlace,
        /// 1 or -1.
        by: i64,
        /// Whether the operator stands before the name.
        prefix: bool,
    },
    /// Pop two, push one.
    Binary(BinaryOp),
    /// Pop one, push one.
    Unary(UnaryOp),
    /// Pop one and continue at the index where it is 0.
    JumpIfZero(usize),
    /// Pop one and continue at the index where it is not 0.
    JumpIfNotZero(usize),
    /// Continue at the index.
    Jump(usize),
    /// Pop and forget: the comma operator.
    Pop,
}

/// A variable in arithmetic, with a path: `i`, `xs[i]`, `r[$k]`.
#[derive(Clone, Debug, PartialEq)]
pub struct ArithPlace {
    /// The variable.
    pub name: EcoString,
    /// Subscripts, each an expression for a list or a key for a record.
    pub path: Vec<ArithSubscript>,
    /// Where the place stands.
    pub span: Span,
}

/// A subscript in arithmetic.
#[derive(Clone, Debug, PartialEq)]
pub struct ArithSubscript {
    /// The subscript as an expression, for lists: bare names are variables.
    pub index: ArithCode,
    /// The subscript as a word, for records: `r["a key"]`, `r[$k]`.
    pub key: Word,
}

/// Binary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is the operator its name says")]
pub enum BinaryOp {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Power,
    ShiftLeft,
    ShiftRight,
    BitAnd,
    BitOr,
    BitXor,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
}

/// Unary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `-`
    Negate,
    /// `+`
    Plus,
    /// `!`
    Not,
    /// `~`
    Complement,
    /// Normalise to 0 or 1: the result of `&&` and `||`.
    Truth,
}
