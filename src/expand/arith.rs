//! Runs postfix arithmetic over the variables of a shell.

use super::numbers::{binary, unary};
use super::{ExpandError, ExpandResult, Expander, now};
use crate::syntax::{ArithCode, ArithOp, ArithPlace, Part, Span};
use crate::value::{Number, Value};

/// An evaluation under way: it stops at every expansion that its driver must supply.
#[derive(Default)]
struct Calculation {
    stack: Vec<i64>,
    at: usize,
}

impl Expander {
    /// The value of an expression that runs no program.
    pub fn arith_now(&self, code: &ArithCode) -> ExpandResult<i64> {
        if let [ArithOp::Push(n)] = code.ops.as_slice() {
            return Ok(*n);
        }
        let mut calculation = Calculation::default();
        while let Some(part) = calculation.advance(self, code)? {
            let value = match part {
                Part::Parameter(_) | Part::Quoted(_) | Part::DoubleQuoted(_) => {
                    now(self.lone_part(part))?
                }
                part => now(self.lone_part(part))?,
            };
            calculation.stack.push(integer_of(&value, code.span)?);
        }
        Ok(calculation.result())
    }

    /// The value of any expression.
    pub async fn arith(&self, code: &ArithCode) -> ExpandResult<i64> {
        if !code.runs {
            return self.arith_now(code);
        }
        let mut calculation = Calculation::default();
        while let Some(part) = calculation.advance(self, code)? {
            let value = Box::pin(self.lone_part(part)).await?;
            calculation.stack.push(integer_of(&value, code.span)?);
        }
        Ok(calculation.result())
    }

    pub(super) fn load(&self, place: &ArithPlace) -> ExpandResult<i64> {
        if place.path.is_empty() {
            if let Some(value) = self.session.scope.borrow().get(&place.name) {
                return integer_of(value, place.span);
            }
            return match self.variable(&place.name) {
                Some(value) => integer_of(&value, place.span),
                None => self.unset_name(&place.name, place.span).map(|_| 0),
            };
        }
        let value = self.read_place(place)?;
        integer_of(&value, place.span)
    }
}

impl Calculation {
    /// Goes on to the next expansion, or to the end.
    fn advance<'c>(
        &mut self,
        expander: &Expander,
        code: &'c ArithCode,
    ) -> ExpandResult<Option<&'c Part>> {
        if let Some(error) = &code.error {
            return Err(ExpandError::new(code.span, error.as_str()));
        }
        while let Some(op) = code.ops.get(self.at) {
            self.at += 1;
            match op {
                ArithOp::Push(n) => self.stack.push(*n),
                ArithOp::Load(place) => self.stack.push(expander.load(place)?),
                ArithOp::Expand(part) => return Ok(Some(part)),
                ArithOp::Store(place) => {
                    expander.store_place(place, self.top())?;
                }
                ArithOp::Update(place, op) => {
                    let right = self.pop();
                    let left = expander.load(place)?;
                    let value = binary(*op, left, right).map_err(|why| at(code.span, why))?;
                    expander.store_place(place, value)?;
                    self.stack.push(value);
                }
                ArithOp::Step { place, by, prefix } => {
                    let before = expander.load(place)?;
                    let after = before
                        .checked_add(*by)
                        .ok_or_else(|| at(code.span, "arithmetic overflow"))?;
                    expander.store_place(place, after)?;
                    self.stack.push(if *prefix { after } else { before });
                }
                ArithOp::Binary(op) => {
                    let right = self.pop();
                    let left = self.pop();
                    self.stack.push(binary(*op, left, right).map_err(|why| at(code.span, why))?);
                }
                ArithOp::Unary(op) => {
                    let value = self.pop();
                    self.stack.push(unary(*op, value).map_err(|why| at(code.span, why))?);
                }
                ArithOp::JumpIfZero(target) => {
                    if self.pop() == 0 {
                        self.at = *target;
                    }
                }
                ArithOp::JumpIfNotZero(target) => {
                    if self.pop() != 0 {
                        self.at = *target;
                    }
                }
                ArithOp::Jump(target) => self.at = *target,
                ArithOp::Pop => {
                    self.pop();
                }
            }
        }
        Ok(None)
    }

    fn pop(&mut self) -> i64 {
        self.stack.pop().unwrap_or(0)
    }

    fn top(&self) -> i64 {
        self.stack.last().copied().unwrap_or(0)
    }

    fn result(&self) -> i64 {
        self.top()
    }
}

fn at(span: Span, why: &str) -> ExpandError {
    ExpandError::new(span, why)
}

/// The integer a value is in arithmetic: unset and empty are 0, text must spell one.
pub fn integer_of(value: &Value, span: Span) -> ExpandResult<i64> {
    match value {
        Value::Null => Ok(0),
        Value::Bool(b) => Ok(i64::from(*b)),
        Value::Number(Number::Int(n)) => Ok(*n),
        Value::Number(n) => n.as_int().ok_or_else(|| {
            let text = n.spelling();
            at(span, &format!("{text} is not an integer: shell arithmetic has no fractions; use `jq -n '…'` or bc"))
        }),
        Value::Text(text) => integer_of_text(text.trim(), span),
        other => Err(at(
            span,
            &format!("a {} is not a number; read an element with ${{x[k]}}", other.type_name()),
        )),
    }
}

fn integer_of_text(text: &str, span: Span) -> ExpandResult<i64> {
    if text.is_empty() {
        return Ok(0);
    }
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let parsed = if let Some(hex) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X"))
    {
        i128::from_str_radix(hex, 16).ok()
    } else if let Some(bits) = digits.strip_prefix("0b").or_else(|| digits.strip_prefix("0B")) {
        i128::from_str_radix(bits, 2).ok()
    } else if let Some((base, rest)) = digits.split_once('#') {
        let radix = base.parse::<u32>().ok().filter(|radix| (2..=36).contains(radix));
        radix.and_then(|radix| i128::from_str_radix(rest, radix).ok())
    } else if digits.len() > 1
        && digits.starts_with('0')
        && digits.bytes().all(|b| b.is_ascii_digit())
    {
        return i64::from_str_radix(digits, 8)
            .map(|n| if negative { -n } else { n })
            .map_err(|_| at(span, &format!("{text}: a leading 0 means octal; write 10#{digits}")));
    } else if digits.bytes().all(|b| b.is_ascii_digit()) {
        digits.parse::<i128>().ok()
    } else {
        None
    };
    let Some(number) = parsed else {
        let hint = if digits.parse::<f64>().is_ok() {
            "shell arithmetic has no fractions; use `jq -n '…'` or bc"
        } else {
            "arithmetic needs an integer"
        };
        return Err(at(span, &format!("'{text}' is not an integer: {hint}")));
    };
    let number = if negative { -number } else { number };
    i64::try_from(number).map_err(|_| at(span, &format!("{text} does not fit 64 bits")))
}
