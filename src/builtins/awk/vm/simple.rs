//! Operations on values alone: nothing outside is needed.

use std::rc::Rc;

use super::{Fatal, Iteration, Vm, arith};
use crate::builtins::awk::code::Op;
use crate::builtins::awk::value::Value;

impl Vm {
    /// Operations that need nothing from outside.
    #[inline]
    pub(super) fn simple(&mut self, op: Op) -> Result<(), Fatal> {
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
            Op::Update(target, operator) => self.op_store(target, operator)?,
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
            Op::Negate | Op::Plus | Op::Not | Op::Truth => self.unary(op),
            Op::MatchRecord(_) | Op::Match(_) | Op::MatchDynamic => self.matching(op)?,
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
            Op::RangeOpen(number, to) if self.ranges.get(number as usize) == Some(&true) => {
                self.place = to as usize;
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

    fn unary(&mut self, op: Op) {
        match op {
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
            _ => {}
        }
    }

    fn matching(&mut self, op: Op) -> Result<(), Fatal> {
        match op {
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
            _ => {}
        }
        Ok(())
    }
}
