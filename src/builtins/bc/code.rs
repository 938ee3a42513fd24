//! What a program is compiled to: operations for a stack machine.

use std::rc::Rc;

/// What is assigned to; the index of an element is on the stack.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Target {
    Variable(usize),
    Element(usize),
    Scale,
    InputBase,
    OutputBase,
    Last,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Arith {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Power,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Compare {
    Equal,
    Unequal,
    Less,
    Greater,
    LessOrEqual,
    GreaterOrEqual,
}

/// What a call passes: a value of the stack, or an array.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Argument {
    Value,
    Array(usize),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Op {
    /// Digits, read in the input base of the moment.
    Number(Rc<str>),
    /// A text to print.
    Text(Rc<str>),
    Get(Target),
    Set(Target),
    Update(Target, Arith),
    /// Up or down by one; whether the value before is the result.
    Step {
        target: Target,
        up: bool,
        post: bool,
    },
    Arith(Arith),
    Compare(Compare),
    Negate,
    Not,
    Drop,
    Jump(usize),
    /// Takes a value, and jumps where it is 0.
    JumpZero(usize),
    /// Jumps with 0 left where the value is 0, else takes it.
    And(usize),
    /// Jumps with 1 left where the value is not 0, else takes it.
    Or(usize),
    /// Turns a value into 0 or 1.
    Truth,
    /// Prints a value as a line.
    Print,
    /// Prints a value within a line.
    PrintItem,
    Call(usize, Rc<[Argument]>),
    Return,
    Length,
    ScaleOf,
    Root,
    Halt,
}

/// A parameter, or a variable that a call has for itself.
#[derive(Clone, Copy, Debug)]
pub(super) enum Local {
    Variable(usize),
    Array(usize),
}

/// A function of the program.
#[derive(Debug)]
pub(super) struct Function {
    pub(super) parameters: Vec<Local>,
    pub(super) autos: Vec<Local>,
    pub(super) code: Rc<[Op]>,
}
