//! The machine: operations in, a pause out whenever something outside is needed.
//!
//! It owns variables, the record and the output so far. Reading, opening, running commands and
//! yielding are its driver's business: [`Vm::run`] says what it needs and is called again.

mod places;

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::code::{Arith, Op, Program, Redirect, Slot, Source, Step, Target};
use super::files::{Files, Kind};
use super::record::{FieldSplit, Next, Record, RecordEnd, Style};
use super::value::{Array, Str, Value};
use crate::host::Host;
use crate::pattern::{Dialect, Regex, Syntax};

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

    /// Runs until something is needed; at most about `budget` loops and records.
    pub(super) fn run(&mut self, mut budget: u32) -> Result<Pause, Fatal> {
        let program = Rc::clone(&self.program);
        loop {
            let Some(op) = program.code.get(self.place) else { return Ok(Pause::Done) };
            self.place += 1;
            match *op {
                Op::Jump(to) => {
                    let back = (to as usize) < self.place;
                    self.place = to as usize;
                    if back {
                        if budget == 0 {
                            return Ok(Pause::Budget);
                        }
                        budget -= 1;
                    }
                }
                Op::JumpIfFalse(to) => {
                    if !self.pop().is_true() {
                        self.place = to as usize;
                    }
                }
                Op::JumpIfTrue(to) => {
                    if self.pop().is_true() {
                        let back = (to as usize) < self.place;
                        self.place = to as usize;
                        if back {
                            if budget == 0 {
                                return Ok(Pause::Budget);
                            }
                            budget -= 1;
                        }
                    }
                }
                Op::Call(function, count) => {
                    self.call(function, count)?;
                    if budget == 0 {
                        return Ok(Pause::Budget);
                    }
                    budget -= 1;
                }
                Op::Done | Op::Next => {
                    if self.phase != Phase::Rules {
                        return if *op == Op::Next {
                            fatal("next used in BEGIN or END action")
                        } else {
                            Ok(Pause::Done)
                        };
                    }
                    self.reset();
                    // Wherever this stops, it goes on by asking for a record again.
                    self.place = (self.program.end - 1) as usize;
                    if budget == 0 {
                        return Ok(Pause::Budget);
                    }
                    budget -= 1;
                    match self.next_main(true) {
                        Next::Record(..) => self.place = self.program.rules as usize,
                        Next::End => return Ok(Pause::Done),
                        Next::Wait => return Ok(Pause::MainInput),
                    }
                    if self.out.len() >= 32 * 1024 {
                        return Ok(Pause::Flush(None));
                    }
                }
                Op::NextFile => {
                    self.files.main = None;
                    self.reset();
                    self.place = (self.program.end - 1) as usize;
                }
                Op::Exit(has_status) => {
                    if has_status {
                        #[expect(clippy::cast_possible_truncation, reason = "saturates")]
                        let status = self.pop_number() as i64;
                        self.status = u8::try_from(status.rem_euclid(256)).unwrap_or(0);
                    }
                    return Ok(Pause::Exit);
                }
                Op::Getline(source, keep) => {
                    if let Some(pause) = self.getline(source, keep)? {
                        self.place -= 1;
                        return Ok(pause);
                    }
                }
                Op::Print(redirect, count) => {
                    if let Some(pause) = self.print(redirect, count as usize, false)? {
                        return Ok(pause);
                    }
                }
                Op::Printf(redirect, count) => {
                    if let Some(pause) = self.print(redirect, count as usize, true)? {
                        return Ok(pause);
                    }
                }
                Op::Builtin(builtin, count) => {
                    if let Some(pause) = self.builtin(builtin, count as usize)? {
                        return Ok(pause);
                    }
                }
                _ => self.simple(*op)?,
            }
        }
    }

    /// Operations that need nothing from outside.
    #[inline]
    fn simple(&mut self, op: Op) -> Result<(), Fatal> {
        match op {
            Op::Number(number) => self.push_number(number),
            Op::Constant(number) => {
                let value = self.program.constants.get(number as usize).cloned();
                self.push(value.unwrap_or_default());
            }
            Op::RegexValue(number) => self.push(Value::Regex(number)),
            Op::Load(slot) => {
                let value = match self.place_of(slot) {
                    Value::Array(_) => return self.scalar_error(slot),
                    Value::Maybe(_) => Value::Unset,
                    value => value.clone(),
                };
                self.push(value);
            }
            Op::LoadArgument(slot) => {
                let value = self.place_of(slot);
                if let Value::Unset = value {
                    *value = Value::Maybe(Rc::default());
                }
                let value = value.clone();
                self.push(value);
            }
            Op::LoadSpecial(special) => {
                let value = self.special(special);
                self.push(value);
            }
            Op::Unset => self.push(Value::Unset),
            Op::FieldConst(number) => {
                let value = self.record.field(number as usize, &self.style);
                self.push(value);
            }
            Op::FieldNumber(number) => {
                let value = self.record.number(number as usize, &self.style);
                self.push_number(value);
            }
            Op::Field => {
                let index = self.pop_index()?;
                let value = self.record.field(index, &self.style);
                self.push(value);
            }
            Op::Element(slot) => self.element(slot)?,
            Op::Store(target) => {
                let value = self.pop();
                let value = self.plain_value(value)?;
                self.store(target, value.clone())?;
                self.push(value);
            }
            Op::StoreDrop(target) => {
                let value = self.pop();
                let value = self.plain_value(value)?;
                self.store(target, value)?;
            }
            Op::OpStore(target, operator) => self.op_store(target, operator)?,
            Op::Step(target, step) => self.step(target, step)?,
            Op::Arith(operator) => {
                let right = self.pop_number();
                let left = self.pop_number();
                let result = arith(operator, left, right)?;
                self.push_number(result);
            }
            Op::Compare(operator) => {
                let right = self.pop();
                let left = self.pop();
                let result = left.compare(&right, operator, &self.style.convfmt);
                self.push(Value::truth(result));
            }
            Op::Concat(count) => self.concat(count as usize)?,
            Op::Negate => {
                let number = -self.pop_number();
                self.push_number(number);
            }
            Op::Plus => {
                let number = self.pop_number();
                self.push_number(number);
            }
            Op::Not => {
                let value = Value::truth(!self.pop().is_true());
                self.push(value);
            }
            Op::Truth => {
                let value = Value::truth(self.pop().is_true());
                self.push(value);
            }
            Op::MatchRecord(number) => {
                let found = match self.program.regexes.get(number as usize) {
                    Some(regex) => regex.is_match(self.record.text(&self.style)),
                    None => false,
                };
                self.push(Value::truth(found));
            }
            Op::Match(number) => {
                let text = self.pop_str();
                let regex = self.program.regexes.get(number as usize);
                let found = regex.is_some_and(|regex| regex.is_match(&text));
                self.push(Value::truth(found));
            }
            Op::MatchDynamic => {
                let pattern = self.pop_str();
                let text = self.pop_str();
                let found = self.dynamic_regex(&pattern)?.is_match(&text);
                self.push(Value::truth(found));
            }
            _ => return self.rarer(op),
        }
        Ok(())
    }

    fn rarer(&mut self, op: Op) -> Result<(), Fatal> {
        match op {
            Op::In(slot) => {
                let key = self.pop();
                let array = self.array(slot)?;
                let found = array.borrow().contains_key(self.key(&key));
                self.push(Value::truth(found));
            }
            Op::Subscript(count) => {
                let start = self.stack.len().saturating_sub(count as usize);
                let mut key = Vec::new();
                for (index, value) in self.stack.drain(start..).enumerate() {
                    if index > 0 {
                        key.extend_from_slice(&self.subsep);
                    }
                    value.append_to(&mut key, &self.style.convfmt);
                }
                self.push(Value::Text(key.into()));
            }
            Op::Delete(slot) => {
                let key = self.pop();
                let array = self.array(slot)?;
                array.borrow_mut().swap_remove(self.key(&key));
            }
            Op::DeleteAll(slot) => self.array(slot)?.borrow_mut().clear(),
            Op::Drop => {
                self.pop();
            }
            Op::Dup => {
                let value = self.stack.last().cloned();
                self.push(value.unwrap_or_default());
            }
            Op::Swap => {
                let length = self.stack.len();
                if length >= 2 {
                    self.stack.swap(length - 1, length - 2);
                }
            }
            Op::RangeOpen(number, to) => {
                if self.ranges.get(number as usize) == Some(&true) {
                    self.place = to as usize;
                }
            }
            Op::RangeSet(number, open) => {
                if let Some(range) = self.ranges.get_mut(number as usize) {
                    *range = open;
                }
            }
            Op::ForInStart(slot) => {
                let keys = self.sorted_keys(slot)?.into_iter();
                self.iterations.push(Iteration { keys });
            }
            Op::ForInNext(to) => match self.iterations.last_mut().and_then(|i| i.keys.next()) {
                Some(key) => self.push(Value::Text(key)),
                None => {
                    self.iterations.pop();
                    self.place = to as usize;
                }
            },
            Op::ForInEnd => {
                self.iterations.pop();
            }
            Op::Return => self.return_value(),
            Op::Substitute { global, index } => self.substitute(global, index)?,
            Op::StoreMade(target) => {
                let number = self.pop();
                match self.made.take() {
                    Some(value) => self.store(target, value)?,
                    None if target.has_index() => drop(self.pop()),
                    None => {}
                }
                self.push(number);
            }
            Op::PrintRecord => {
                self.out.extend_from_slice(self.record.text(&self.style));
                self.out.extend_from_slice(&self.ors);
            }
            _ => {}
        }
        Ok(())
    }

    fn call(&mut self, number: u32, count: u32) -> Result<(), Fatal> {
        let Some(function) = self.program.functions.get(number as usize) else {
            return fatal("no such function");
        };
        if count > function.parameters {
            let name = &function.name;
            return fatal(format!("function '{name}' called with more arguments than declared"));
        }
        if self.frames.len() >= MOST_CALLS {
            return fatal(format!("function calls are nested over the limit of {MOST_CALLS}"));
        }
        let base = self.stack.len().saturating_sub(count as usize);
        let frame = Frame { place: self.place, base: self.base, iterations: self.iterations.len() };
        self.place = function.entry as usize;
        let length = base + function.parameters as usize;
        self.stack.resize(length, Value::Unset);
        self.base = base;
        self.frames.push(frame);
        Ok(())
    }

    fn return_value(&mut self) {
        let value = match self.pop() {
            Value::Maybe(_) => Value::Unset,
            value => value,
        };
        if let Some(frame) = self.frames.pop() {
            self.stack.truncate(self.base);
            self.base = frame.base;
            self.place = frame.place;
            self.iterations.truncate(frame.iterations);
        }
        self.push(value);
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
