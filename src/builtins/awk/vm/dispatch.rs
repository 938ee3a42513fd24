//! Operations that move the program along: jumps, calls, records, and what something outside does.

use std::rc::Rc;

use super::{Fatal, Frame, MOST_CALLS, Pause, Phase, Vm, fatal};
use crate::builtins::awk::code::Op;
use crate::builtins::awk::record::Next;
use crate::builtins::awk::value::Value;

impl Vm {
    /// Runs until something is needed; at most about `budget` loops and records.
    pub(in crate::builtins::awk) fn run(&mut self, mut budget: u32) -> Result<Pause, Fatal> {
        let program = Rc::clone(&self.program);
        loop {
            let Some(op) = program.code.get(self.place) else { return Ok(Pause::Done) };
            self.place += 1;
            let is_turn = match *op {
                Op::Jump(to) => self.jump(to),
                Op::JumpIfFalse(to) => {
                    if !self.pop().is_true() {
                        self.place = to as usize;
                    }
                    false
                }
                Op::JumpIfTrue(to) => self.pop().is_true() && self.jump(to),
                Op::Call(function, count) => {
                    self.call(function, count)?;
                    true
                }
                Op::Done | Op::Next => {
                    if self.phase == Phase::Rules && budget > 0 {
                        budget -= 1;
                        if let Some(pause) = self.next_record() {
                            return Ok(pause);
                        }
                        false
                    } else {
                        return self.end_of_part(*op);
                    }
                }
                Op::NextFile => {
                    self.files.main = None;
                    self.reset();
                    self.place = (self.program.end - 1) as usize;
                    false
                }
                Op::Exit(has_status) => return Ok(self.exit(has_status)),
                Op::Getline(..) | Op::Print(..) | Op::Printf(..) | Op::Builtin(..) => {
                    if let Some(pause) = self.outside(*op)? {
                        return Ok(pause);
                    }
                    false
                }
                op => {
                    self.simple(op)?;
                    false
                }
            };
            if is_turn {
                if budget == 0 {
                    return Ok(Pause::Budget);
                }
                budget -= 1;
            }
        }
    }

    /// Goes elsewhere; whether that is back, which makes a turn of a loop.
    fn jump(&mut self, to: u32) -> bool {
        let is_back = (to as usize) < self.place;
        self.place = to as usize;
        is_back
    }

    /// What the end of a part of the program, or `next`, comes to where no record follows at once.
    fn end_of_part(&mut self, op: Op) -> Result<Pause, Fatal> {
        match self.phase {
            Phase::Rules => {
                self.reset();
                // It goes on by asking for a record.
                self.place = (self.program.end - 1) as usize;
                Ok(Pause::Budget)
            }
            _ if op == Op::Next => fatal("next used in BEGIN or END action"),
            _ => Ok(Pause::Done),
        }
    }

    /// Goes to the rules with the next record.
    fn next_record(&mut self) -> Option<Pause> {
        self.reset();
        // Wherever this stops, it goes on by asking for a record again.
        self.place = (self.program.end - 1) as usize;
        match self.next_main(true) {
            Next::Record(..) => self.place = self.program.rules as usize,
            Next::End => return Some(Pause::Done),
            Next::Wait => return Some(Pause::MainInput),
        }
        (self.out.len() >= 32 * 1024).then_some(Pause::Flush(None))
    }

    fn exit(&mut self, has_status: bool) -> Pause {
        if has_status {
            #[expect(clippy::cast_possible_truncation, reason = "saturates")]
            let status = self.pop_number() as i64;
            self.status = u8::try_from(status.rem_euclid(256)).unwrap_or(0);
        }
        Pause::Exit
    }

    /// Operations that may need something from outside.
    fn outside(&mut self, op: Op) -> Result<Option<Pause>, Fatal> {
        match op {
            Op::Getline(source, keep) => {
                let pause = self.getline(source, keep)?;
                if pause.is_some() {
                    self.place -= 1;
                }
                Ok(pause)
            }
            Op::Print(redirect, count) => self.print(redirect, count as usize, false),
            Op::Printf(redirect, count) => self.print(redirect, count as usize, true),
            Op::Builtin(builtin, count) => self.builtin(builtin, count as usize),
            _ => Ok(None),
        }
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

    pub(super) fn return_value(&mut self) {
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
