//! The machine: units of a program run, with variables, arrays and the calls going on.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::code::{Argument, Arith, Compare, Function, Local, Op, Target};
use super::compile::Names;
use super::math;
use super::number::{MOST_DIGITS, Number};
use crate::tool::{ExecContext, Stop};

/// Calls within each other.
const MOST_CALLS: usize = 10_000;

/// The largest scale that the functions of `-l` take.
const MOST_MATH_SCALE: usize = 2000;

/// The largest index of an array.
const MOST_INDEX: u64 = 16_777_215;

type Array = BTreeMap<u64, Number>;

/// What a variable held outside of a call.
enum Saved {
    Variable(usize, Number),
    Array(usize, Array),
}

struct Frame {
    code: Rc<[Op]>,
    place: usize,
    saved: Vec<Saved>,
}

/// Why a unit ends early.
enum End {
    /// The message of a run-time error.
    Error(String),
    Halt,
}

pub(super) struct Vm {
    pub(super) scale: usize,
    input_base: u64,
    output_base: u64,
    last: Number,
    variables: Vec<Number>,
    arrays: Vec<Array>,
    functions: Vec<Option<Rc<Function>>>,
    stack: Vec<Number>,
    frames: Vec<Frame>,
    /// Whether the functions of `-l` are there.
    pub(super) has_math: bool,
    /// Columns of a line, from which on numbers are broken; 0 for never.
    pub(super) width: usize,
    column: usize,
}

impl Vm {
    pub(super) fn new() -> Self {
        Self {
            scale: 0,
            input_base: 10,
            output_base: 10,
            last: Number::default(),
            variables: Vec::new(),
            arrays: Vec::new(),
            functions: Vec::new(),
            stack: Vec::new(),
            frames: Vec::new(),
            has_math: false,
            width: 70,
            column: 0,
        }
    }

    pub(super) fn define(&mut self, number: usize, function: Function) {
        if number >= self.functions.len() {
            self.functions.resize_with(number + 1, || None);
        }
        if let Some(slot) = self.functions.get_mut(number) {
            *slot = Some(Rc::new(function));
        }
    }

    /// Runs a unit; `false` where the program is to end.
    pub(super) async fn run(
        &mut self,
        cx: &mut ExecContext,
        names: &Names,
        code: Rc<[Op]>,
    ) -> Result<bool, Stop> {
        self.variables.resize(names.variables(), Number::default());
        self.arrays.resize(names.arrays(), Array::new());
        let (mut code, mut place) = (code, 0);
        while let Some(op) = code.get(place).cloned() {
            place += 1;
            let size = self.stack.iter().rev().take(2).map(|n| n.size() + 1).product::<usize>();
            cx.checkpoint(u32::try_from(size).unwrap_or(u32::MAX)).await?;
            cx.write(b"").await?;
            let done = match op {
                Op::Jump(to) => {
                    place = to;
                    Ok(())
                }
                Op::JumpZero(to) => {
                    if self.pop().is_zero() {
                        place = to;
                    }
                    Ok(())
                }
                Op::And(to) | Op::Or(to) => {
                    let is_true = !self.pop().is_zero();
                    if is_true == matches!(op, Op::Or(_)) {
                        self.stack.push(Number::truth(is_true));
                        place = to;
                    }
                    Ok(())
                }
                Op::Call(number, arguments) => {
                    match self.call(names, number, &arguments, (&code, place)) {
                        Ok(Some(function)) => {
                            code = Rc::clone(&function.code);
                            place = 0;
                            Ok(())
                        }
                        Ok(None) => Ok(()),
                        Err(end) => Err(end),
                    }
                }
                Op::Return => {
                    if let Some(frame) = self.leave() {
                        (code, place) = (frame.code, frame.place);
                    }
                    Ok(())
                }
                op => self.step(cx, op),
            };
            match done {
                Ok(()) => {}
                Err(End::Halt) => return Ok(false),
                Err(End::Error(message)) => {
                    let main = if self.frames.is_empty() { "(main)" } else { "(function)" };
                    while self.leave().is_some() {}
                    self.stack.clear();
                    let line = format!("Runtime error (func={main}): {message}\n");
                    cx.streams.err.extend_from_slice(line.as_bytes());
                    cx.flush().await?;
                    return Ok(true);
                }
            }
        }
        self.stack.clear();
        Ok(true)
    }

    fn pop(&mut self) -> Number {
        self.stack.pop().unwrap_or_default()
    }

    /// Everything that neither jumps nor calls.
    fn step(&mut self, cx: &mut ExecContext, op: Op) -> Result<(), End> {
        match op {
            Op::Number(digits) => {
                let number = Number::parse(&digits, self.input_base);
                self.stack.push(number);
            }
            Op::Text(text) => {
                cx.push(&*text);
                self.column = if text.ends_with('\n') { 0 } else { self.column + text.len() };
            }
            Op::Get(target) => {
                let index = self.index(target)?;
                let value = self.get(target, index);
                self.stack.push(value);
            }
            Op::Set(target) => {
                let value = self.pop();
                let index = self.index(target)?;
                self.set(target, index, value.clone())?;
                self.stack.push(value);
            }
            Op::Update(target, arith) => {
                let right = self.pop();
                let index = self.index(target)?;
                let value = self.arith(arith, &self.get(target, index), &right)?;
                self.set(target, index, value.clone())?;
                self.stack.push(value);
            }
            Op::Step { target, up, post } => {
                let index = self.index(target)?;
                let before = self.get(target, index);
                let one = Number::from_u64(1);
                let after = if up { before.add(&one) } else { before.sub(&one) };
                self.set(target, index, after.clone())?;
                self.stack.push(if post { before } else { after });
            }
            Op::Arith(arith) => {
                let (right, left) = (self.pop(), self.pop());
                let value = self.arith(arith, &left, &right)?;
                self.stack.push(value);
            }
            Op::Compare(compare) => {
                let (right, left) = (self.pop(), self.pop());
                self.stack.push(Number::truth(holds(compare, &left, &right)));
            }
            Op::Halt => return Err(End::Halt),
            op => return self.one_value(cx, &op),
        }
        Ok(())
    }

    /// What is done with the one value on top of the stack.
    fn one_value(&mut self, cx: &mut ExecContext, op: &Op) -> Result<(), End> {
        let value = self.pop();
        let result = match op {
            Op::Negate => value.negated(),
            Op::Not => Number::truth(value.is_zero()),
            Op::Truth => Number::truth(!value.is_zero()),
            Op::Length => Number::from_u64(value.length() as u64),
            Op::ScaleOf => Number::from_u64(value.scale() as u64),
            Op::Root => value
                .root(self.scale)
                .ok_or_else(|| End::Error("Square root of a negative number".into()))?,
            Op::Print | Op::PrintItem => {
                self.print(cx, &value.text(self.output_base));
                if *op == Op::Print {
                    cx.push("\n");
                    self.column = 0;
                }
                self.last = value;
                return Ok(());
            }
            _ => return Ok(()),
        };
        self.stack.push(result);
        Ok(())
    }

    /// Prints a number, broken where the line gets too long.
    fn print(&mut self, cx: &mut ExecContext, text: &str) {
        for c in text.chars() {
            if self.width > 2 && self.column == self.width - 2 {
                cx.push("\\\n");
                self.column = 0;
            }
            self.column += 1;
            cx.push(c.encode_utf8(&mut [0; 4]));
        }
    }

    fn arith(&self, arith: Arith, left: &Number, right: &Number) -> Result<Number, End> {
        let by_zero = || End::Error("Divide by zero".into());
        let result = match arith {
            Arith::Add => left.add(right),
            Arith::Sub => left.sub(right),
            Arith::Mul => left.mul(right, self.scale),
            Arith::Div => left.div(right, self.scale).ok_or_else(by_zero)?,
            Arith::Rem => left.rem(right, self.scale).ok_or_else(by_zero)?,
            Arith::Power => match left.power(right, self.scale) {
                Some(power) => power,
                None if left.is_zero() => return Err(by_zero()),
                None => return Err(End::Error("exponent too large in raise".into())),
            },
        };
        if result.size() * 9 > MOST_DIGITS + 18 {
            return Err(End::Error(format!("a number of more than {MOST_DIGITS} digits")));
        }
        Ok(result)
    }

    /// The index of an element, from the stack.
    fn index(&mut self, target: Target) -> Result<u64, End> {
        if !matches!(target, Target::Element(_)) {
            return Ok(0);
        }
        let index = self.pop().to_u64().filter(|index| *index <= MOST_INDEX);
        index.ok_or_else(|| End::Error("Array subscript out of bounds".into()))
    }

    fn get(&self, target: Target, index: u64) -> Number {
        match target {
            Target::Variable(number) => self.variables.get(number).cloned().unwrap_or_default(),
            Target::Element(number) => {
                let array = self.arrays.get(number);
                array.and_then(|array| array.get(&index)).cloned().unwrap_or_default()
            }
            Target::Scale => Number::from_u64(self.scale as u64),
            Target::InputBase => Number::from_u64(self.input_base),
            Target::OutputBase => Number::from_u64(self.output_base),
            Target::Last => self.last.clone(),
        }
    }

    fn set(&mut self, target: Target, index: u64, value: Number) -> Result<(), End> {
        match target {
            Target::Variable(number) => {
                if let Some(slot) = self.variables.get_mut(number) {
                    *slot = value;
                }
            }
            Target::Element(number) => {
                if let Some(array) = self.arrays.get_mut(number) {
                    array.insert(index, value);
                }
            }
            Target::Scale => {
                if value.is_negative() {
                    self.scale = 0;
                    return Ok(());
                }
                let scale = value.to_u64().and_then(|scale| usize::try_from(scale).ok());
                let scale = scale.filter(|scale| *scale <= MOST_DIGITS / 2);
                self.scale = scale.ok_or_else(|| End::Error("scale out of bounds".into()))?;
            }
            Target::InputBase => {
                let base = value.to_u64().unwrap_or(2);
                self.input_base = base.clamp(2, 16);
            }
            Target::OutputBase => {
                let base = value.to_u64().unwrap_or(2);
                self.output_base = base.clamp(2, 999_999_999);
            }
            Target::Last => self.last = value,
        }
        Ok(())
    }

    /// Enters a function; one of `-l` is done at once.
    fn call(
        &mut self,
        names: &Names,
        number: usize,
        arguments: &[Argument],
        (code, place): (&Rc<[Op]>, usize),
    ) -> Result<Option<Rc<Function>>, End> {
        let name = names.function_names.get(number).map_or("", String::as_str);
        let Some(function) = self.functions.get(number).cloned().flatten() else {
            let value = self.math(name, arguments)?;
            self.stack.push(value);
            return Ok(None);
        };
        if function.parameters.len() != arguments.len() {
            return Err(End::Error(format!("Parameter number mismatch in {name}")));
        }
        if self.frames.len() >= MOST_CALLS {
            return Err(End::Error(format!("more than {MOST_CALLS} calls within each other")));
        }
        let mut saved = Vec::new();
        // The last argument is on top; arrays are copied as they are outside.
        let mut passed = Vec::new();
        for argument in arguments.iter().rev() {
            passed.push(match argument {
                Argument::Value => Saved::Variable(0, self.pop()),
                Argument::Array(array) => {
                    Saved::Array(0, self.arrays.get(*array).cloned().unwrap_or_default())
                }
            });
        }
        for local in function.parameters.iter().chain(&function.autos) {
            let value = passed.pop();
            match (local, value) {
                (Local::Variable(number), Some(Saved::Variable(_, value))) => {
                    saved.push(self.shield(*number, value));
                }
                (Local::Variable(number), None) => {
                    saved.push(self.shield(*number, Number::default()));
                }
                (Local::Array(number), Some(Saved::Array(_, array))) => {
                    saved.push(self.shield_array(*number, array));
                }
                (Local::Array(number), None) => {
                    saved.push(self.shield_array(*number, Array::new()));
                }
                _ => return Err(End::Error(format!("Parameter type mismatch in {name}"))),
            }
        }
        self.frames.push(Frame { code: Rc::clone(code), place, saved });
        Ok(Some(function))
    }

    fn shield(&mut self, number: usize, value: Number) -> Saved {
        let slot = self.variables.get_mut(number);
        Saved::Variable(number, slot.map(|slot| std::mem::replace(slot, value)).unwrap_or_default())
    }

    fn shield_array(&mut self, number: usize, array: Array) -> Saved {
        let slot = self.arrays.get_mut(number);
        Saved::Array(number, slot.map(|slot| std::mem::replace(slot, array)).unwrap_or_default())
    }

    /// Leaves a function: its variables are again what they were.
    fn leave(&mut self) -> Option<Frame> {
        let mut frame = self.frames.pop()?;
        for saved in frame.saved.drain(..).rev() {
            match saved {
                Saved::Variable(number, value) => {
                    self.shield(number, value);
                }
                Saved::Array(number, array) => {
                    self.shield_array(number, array);
                }
            }
        }
        Some(frame)
    }

    fn math(&mut self, name: &str, arguments: &[Argument]) -> Result<Number, End> {
        let undefined = || End::Error(format!("Function {name} not defined."));
        let mut chars = name.chars();
        let (Some(letter), None) = (chars.next(), chars.next()) else { return Err(undefined()) };
        if !self.has_math {
            return Err(undefined());
        }
        if self.scale > MOST_MATH_SCALE {
            return Err(End::Error(format!("{name}: a scale of more than {MOST_MATH_SCALE}")));
        }
        let result = match (letter, arguments) {
            ('e' | 'l' | 's' | 'c' | 'a', [Argument::Value]) => {
                let value = self.pop();
                math::function(letter, &value, self.scale)
            }
            ('j', [Argument::Value, Argument::Value]) => {
                let (value, order) = (self.pop(), self.pop());
                math::bessel(&order, &value, self.scale)
            }
            ('e' | 'l' | 's' | 'c' | 'a' | 'j', _) => {
                return Err(End::Error(format!("Parameter number mismatch in {name}")));
            }
            _ => return Err(undefined()),
        };
        result.ok_or_else(|| End::Error(format!("{name}: the argument is out of bounds")))
    }
}

fn holds(compare: Compare, left: &Number, right: &Number) -> bool {
    let order = left.compare(right);
    match compare {
        Compare::Equal => order.is_eq(),
        Compare::Unequal => order.is_ne(),
        Compare::Less => order.is_lt(),
        Compare::Greater => order.is_gt(),
        Compare::LessOrEqual => order.is_le(),
        Compare::GreaterOrEqual => order.is_ge(),
    }
}
