//! Places: variables, elements and fields that operations read and write, and expressions kept.

use std::cell::RefCell;
use std::rc::Rc;

use super::{Fatal, MOST_BYTES, MOST_REGEXES, Vm, arith, fatal, place_at};
use crate::builtins::awk::code::{Arith, Slot, Step, Target};
use crate::builtins::awk::value::{Array, Str, Value};
use crate::pattern::{Dialect, Regex, Syntax};

impl Vm {
    pub(in crate::builtins::awk) fn place_of(&mut self, slot: Slot) -> &mut Value {
        let at = match slot {
            Slot::Global(number) => return place_at(&mut self.globals, number as usize),
            Slot::Local(number) => self.base + number as usize,
        };
        place_at(&mut self.stack, at)
    }

    pub(super) fn name_of(&self, slot: Slot) -> String {
        match slot {
            Slot::Global(number) => {
                let name = self.program.globals.get(number as usize);
                name.map(ToString::to_string).unwrap_or_default()
            }
            Slot::Local(_) => "a parameter".into(),
        }
    }

    pub(super) fn scalar_error<T>(&self, slot: Slot) -> Result<T, Fatal> {
        fatal(format!("attempt to use array '{}' in a scalar context", self.name_of(slot)))
    }

    /// The array of a variable; an unset variable becomes one.
    pub(in crate::builtins::awk) fn array(
        &mut self,
        slot: Slot,
    ) -> Result<Rc<RefCell<Array>>, Fatal> {
        let place = self.place_of(slot);
        match place {
            Value::Array(array) => Ok(Rc::clone(array)),
            Value::Maybe(array) => {
                let array = Rc::clone(array);
                *place = Value::Array(Rc::clone(&array));
                Ok(array)
            }
            Value::Unset => {
                let array = Rc::default();
                *place = Value::Array(Rc::clone(&array));
                Ok(array)
            }
            _ => fatal(format!("attempt to use scalar '{}' as an array", self.name_of(slot))),
        }
    }

    /// The bytes of a key.
    pub(super) fn key<'a>(&'a mut self, value: &'a Value) -> &'a [u8] {
        match value {
            Value::Text(text) | Value::Input(text) => text,
            other => {
                self.scratch.clear();
                other.append_to(&mut self.scratch, &self.style.convfmt);
                &self.scratch
            }
        }
    }

    pub(super) fn element(&mut self, slot: Slot) -> Result<(), Fatal> {
        let key = self.pop();
        let array = self.array(slot)?;
        let found = array.borrow().get(self.key(&key)).cloned();
        let value = match found {
            Some(value) => value,
            None => {
                array.borrow_mut().insert(key.to_str(&self.style.convfmt), Value::Unset);
                Value::Unset
            }
        };
        self.push(value);
        Ok(())
    }

    /// A value as a variable holds it.
    pub(super) fn plain_value(&self, value: Value) -> Result<Value, Fatal> {
        match value {
            Value::Array(_) => fatal("attempt to use an array in a scalar context"),
            Value::Maybe(_) => Ok(Value::Unset),
            value => Ok(value),
        }
    }

    pub(super) fn pop_index(&mut self) -> Result<usize, Fatal> {
        let number = self.pop_number();
        if number < 0.0 || number.is_nan() {
            return fatal(format!("attempt to access field {number}"));
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
        Ok(number as usize)
    }

    pub(in crate::builtins::awk) fn store(
        &mut self,
        target: Target,
        value: Value,
    ) -> Result<(), Fatal> {
        match target {
            Target::Variable(slot) => {
                let place = self.place_of(slot);
                if let Value::Array(_) = place {
                    return self.scalar_error(slot);
                }
                *place = value;
            }
            Target::Special(special) => self.set_special(special, value)?,
            Target::Field => {
                let index = self.pop_index()?;
                self.set_field(index, value)?;
            }
            Target::Element(slot) => {
                let key = self.pop();
                let array = self.array(slot)?;
                let mut array = array.borrow_mut();
                match array.get_mut(self.key(&key)) {
                    Some(place) => *place = value,
                    None => {
                        array.insert(key.to_str(&self.style.convfmt), value);
                    }
                }
            }
        }
        Ok(())
    }

    pub(in crate::builtins::awk) fn set_field(
        &mut self,
        index: usize,
        value: Value,
    ) -> Result<(), Fatal> {
        if index == 0 {
            let text = value.to_str(&self.style.convfmt);
            self.record.set(&text);
        } else if !self.record.set_field(index, value, &self.style) {
            return fatal(format!("field {index} is over the limit of fields"));
        }
        Ok(())
    }

    pub(super) fn op_store(&mut self, target: Target, operator: Arith) -> Result<(), Fatal> {
        let right = self.pop_number();
        self.change(target, |left| arith(operator, left, right).map(|new| (new, new)))
    }

    pub(super) fn step(&mut self, target: Target, step: Step) -> Result<(), Fatal> {
        self.change(target, |old| {
            let new = old + f64::from(step.by);
            Ok((new, if step.post { old } else { new }))
        })
    }

    /// Replaces the number a target holds; what `change` makes is the new one and the result.
    pub(super) fn change(
        &mut self,
        target: Target,
        change: impl FnOnce(f64) -> Result<(f64, f64), Fatal>,
    ) -> Result<(), Fatal> {
        let result = match target {
            Target::Variable(slot) => {
                let place = self.place_of(slot);
                if let Value::Array(_) = place {
                    return self.scalar_error(slot);
                }
                let (new, result) = change(place.number())?;
                *place = Value::Number(new);
                result
            }
            Target::Special(special) => {
                let (new, result) = change(self.special(special).number())?;
                self.set_special(special, Value::Number(new))?;
                result
            }
            Target::Field => {
                let index = self.pop_index()?;
                let (new, result) = change(self.record.number(index, &self.style))?;
                self.set_field(index, Value::Number(new))?;
                result
            }
            Target::Element(slot) => {
                let key = self.pop();
                let array = self.array(slot)?;
                let mut array = array.borrow_mut();
                match array.get_mut(self.key(&key)) {
                    Some(place) => {
                        let (new, result) = change(place.number())?;
                        *place = Value::Number(new);
                        result
                    }
                    None => {
                        let (new, result) = change(0.0)?;
                        array.insert(key.to_str(&self.style.convfmt), Value::Number(new));
                        result
                    }
                }
            }
        };
        self.push_number(result);
        Ok(())
    }

    pub(super) fn concat(&mut self, count: usize) -> Result<(), Fatal> {
        let start = self.stack.len().saturating_sub(count);
        self.scratch.clear();
        for value in self.stack.drain(start..) {
            value.append_to(&mut self.scratch, &self.style.convfmt);
        }
        if self.scratch.len() > MOST_BYTES {
            return fatal(format!("a string is over the limit of {MOST_BYTES} bytes"));
        }
        let text = Value::text(&self.scratch);
        self.push(text);
        Ok(())
    }

    /// Compiles an expression that is only known now, or finds it again.
    pub(in crate::builtins::awk) fn dynamic_regex(
        &mut self,
        pattern: &Str,
    ) -> Result<Rc<Regex>, Fatal> {
        if let Some(regex) = self.regexes.get(pattern) {
            return Ok(Rc::clone(regex));
        }
        let text = String::from_utf8_lossy(pattern);
        let regex = Regex::new(&text, Syntax::new(Dialect::Awk))
            .map_err(|error| Fatal(format!("invalid regexp /{text}/: {error}")))?;
        let regex = Rc::new(regex);
        if self.regexes.len() >= MOST_REGEXES {
            self.regexes.clear();
        }
        self.regexes.insert(Rc::clone(pattern), Rc::clone(&regex));
        Ok(regex)
    }

    /// The expression an argument stands for.
    pub(in crate::builtins::awk) fn regex_of(&mut self, value: &Value) -> Result<Rc<Regex>, Fatal> {
        if let Value::Regex(number) = value
            && let Some(regex) = self.program.regexes.get(*number as usize)
        {
            return Ok(Rc::clone(regex));
        }
        let pattern = value.to_str(&self.style.convfmt);
        self.dynamic_regex(&pattern)
    }
}
