//! The machine: operations in, a pause out whenever something outside is needed.
//!
//! It owns variables, the record and the output so far. Reading, opening, running commands and
//! yielding are its driver's business: [`Vm::run`] says what it needs and is called again.

mod dispatch;
mod places;
mod simple;

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::code::{Arith, Program, Redirect, Source};
use super::files::{Files, Kind};
use super::record::{FieldSplit, Record, RecordEnd, Style};
use super::value::{Str, Value};
use crate::host::Host;
use crate::pattern::Regex;

/// Nested calls of functions.
const MOST_CALLS: usize = 50_000;

/// Bytes one string may have.
pub(super) const MOST_BYTES: usize = 256 << 20;

/// Compiled dynamic expressions kept.
const MOST_REGEXES: usize = 500;

/// What ends a program at once.
pub(super) struct Fatal(pub(super) String);

/// A message as a fatal error.
pub(super) fn fatal<T>(message: impl Into<String>) -> Result<T, Fatal> {
    Err(Fatal(message.into()))
}

/// What the machine waits for.
pub(super) enum Pause {
    /// Others get their turn.
    Budget,
    /// More of the main input, or its next file.
    MainInput,
    /// A stream to be opened.
    Open(Str, Kind),
    /// More of an open input.
    Fill(Str, Kind),
    /// Output has come together: of standard output, or of an open file.
    Flush(Option<Str>),
    /// A command to run; its status goes on the stack.
    System(Str),
    /// A stream to close; the status goes on the stack.
    Close(Str),
    /// All output is to be written, or that of one stream; the status goes on the stack.
    FlushAll(Option<Str>),
    /// BEGIN, all records, or END are done.
    Done,
    /// `exit` was called.
    Exit,
}

/// Which part of the program runs.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Phase {
    Begin,
    Rules,
    End,
}

struct Frame {
    place: usize,
    base: usize,
    iterations: usize,
}

struct Iteration {
    keys: std::vec::IntoIter<Str>,
}

/// The special variables that are plain values.
#[derive(Default)]
pub(super) struct Plain {
    pub(super) fs: Value,
    pub(super) rs: Value,
    pub(super) rstart: f64,
    pub(super) rlength: f64,
    pub(super) filename: Value,
    pub(super) fpat: Value,
    pub(super) rt: Value,
}

/// The machine.
pub(super) struct Vm {
    pub(super) program: Rc<Program>,
    place: usize,
    pub(super) phase: Phase,
    pub(super) stack: Vec<Value>,
    base: usize,
    frames: Vec<Frame>,
    iterations: Vec<Iteration>,
    pub(super) globals: Vec<Value>,
    ranges: Vec<bool>,
    pub(super) record: Record,
    pub(super) style: Style,
    pub(super) record_end: RecordEnd,
    pub(super) plain: Plain,
    pub(super) ors: Vec<u8>,
    pub(super) ofmt: Vec<u8>,
    pub(super) subsep: Vec<u8>,
    pub(super) nr: f64,
    pub(super) fnr: f64,
    /// What a substitution or `getline` made, for the operation after it.
    pub(super) made: Option<Value>,
    pub(super) files: Files,
    pub(super) out: Vec<u8>,
    pub(super) scratch: Vec<u8>,
    pub(super) status: u8,
    pub(super) random: super::builtin::Random,
    pub(super) host: Rc<dyn Host>,
    regexes: FxHashMap<Str, Rc<Regex>>,
}

/// The numbers of globals that the driver fills in.
pub(super) const GLOBALS: [&str; 4] = ["ARGC", "ARGV", "ENVIRON", "PROCINFO"];

impl Vm {
    pub(super) fn new(program: Program, host: Rc<dyn Host>) -> Self {
        Self {
            place: program.begin as usize,
            phase: Phase::Begin,
            stack: Vec::new(),
            base: 0,
            frames: Vec::new(),
            iterations: Vec::new(),
            globals: vec![Value::Unset; program.globals.len()],
            ranges: vec![false; program.ranges as usize],
            record: Record::default(),
            style: Style {
                split: FieldSplit::Blanks,
                ofs: b" ".to_vec(),
                convfmt: b"%.6g".to_vec(),
            },
            record_end: RecordEnd::Byte(b'\n'),
            plain: Plain {
                fs: Value::text(b" "),
                rs: Value::text(b"\n"),
                rlength: -1.0,
                fpat: Value::text(b"[^[:space:]]+"),
                ..Plain::default()
            },
            ors: b"\n".to_vec(),
            ofmt: b"%.6g".to_vec(),
            subsep: vec![0x1c],
            nr: 0.0,
            fnr: 0.0,
            made: None,
            files: Files::default(),
            out: Vec::new(),
            scratch: Vec::new(),
            status: 0,
            random: super::builtin::Random::new(0),
            host,
            regexes: FxHashMap::default(),
            program: Rc::new(program),
        }
    }

    /// The line of the program being run.
    pub(super) fn line(&self) -> u32 {
        self.program.lines.get(self.place.saturating_sub(1)).copied().unwrap_or(0)
    }

    /// Goes to the start of a part of the program.
    pub(super) fn enter(&mut self, phase: Phase) {
        self.phase = phase;
        self.reset();
        self.place = match phase {
            Phase::Begin => self.program.begin,
            // The rules run once there is a record.
            Phase::Rules => self.program.end - 1,
            Phase::End => self.program.end,
        } as usize;
    }

    fn reset(&mut self) {
        self.stack.clear();
        self.frames.clear();
        self.iterations.clear();
        self.base = 0;
    }

    /// Has the present operation done again after the pause.
    pub(super) fn retry(&mut self) {
        self.place = self.place.saturating_sub(1);
    }

    pub(super) fn pop(&mut self) -> Value {
        self.stack.pop().unwrap_or_default()
    }

    pub(super) fn push(&mut self, value: Value) {
        self.stack.push(value);
    }

    pub(super) fn push_number(&mut self, number: f64) {
        self.stack.push(Value::Number(number));
    }

    pub(super) fn pop_number(&mut self) -> f64 {
        self.pop().number()
    }

    pub(super) fn pop_str(&mut self) -> Str {
        match self.pop() {
            Value::Text(text) | Value::Input(text) => text,
            other => other.to_str(&self.style.convfmt),
        }
    }
}

/// A place in a list, which is made long enough.
fn place_at(values: &mut Vec<Value>, at: usize) -> &mut Value {
    if at >= values.len() {
        values.resize(at + 1, Value::Unset);
    }
    &mut values[at]
}

fn arith(operator: Arith, left: f64, right: f64) -> Result<f64, Fatal> {
    Ok(match operator {
        Arith::Add => left + right,
        Arith::Sub => left - right,
        Arith::Mul => left * right,
        Arith::Div if right == 0.0 => return fatal("division by zero attempted"),
        Arith::Div => left / right,
        Arith::Mod if right == 0.0 => return fatal("division by zero attempted in '%'"),
        Arith::Mod => left % right,
        Arith::Pow => power(left, right),
    })
}

/// Whole powers by squaring, which is exact where the result is.
fn power(base: f64, exponent: f64) -> f64 {
    if exponent.fract() == 0.0 && exponent.abs() <= 1024.0 {
        #[expect(clippy::cast_possible_truncation, reason = "whole and small")]
        return base.powi(exponent as i32);
    }
    base.powf(exponent)
}

/// The instruction a redirected `print` names, as a kind of stream.
pub(super) fn kind_of(redirect: Redirect) -> Kind {
    match redirect {
        Redirect::Append => Kind::Append,
        Redirect::Pipe => Kind::Pipe,
        _ => Kind::Write,
    }
}

/// The kind of stream a `getline` reads.
pub(super) fn source_kind(source: Source) -> Kind {
    if source == Source::Command { Kind::Command } else { Kind::Read }
}
