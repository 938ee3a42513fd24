//! `+ - * / %` and negation.

use std::ops::{Add, Div, Mul, Neg, Rem, Sub};
use std::rc::Rc;

use crate::fault::{Valued, fail, mismatch, refuse};
use crate::meter::MAX_TEXT;
use crate::value::{Fields, Json};

impl Add for Json {
    type Output = Valued;

    fn add(self, other: Self) -> Valued {
        Ok(match (self, other) {
            (Self::Null, value) | (value, Self::Null) => value,
            (Self::Num(a, _), Self::Num(b, _)) => Self::num(a + b),
            (Self::Str(mut a), Self::Str(b)) => {
                if a.len() + b.len() > MAX_TEXT {
                    return fail("String too long");
                }
                Rc::make_mut(&mut a).push_str(&b);
                Self::Str(a)
            }
            (Self::Arr(mut a), Self::Arr(b)) => {
                Rc::make_mut(&mut a).0.extend(b.iter().cloned());
                Self::Arr(a)
            }
            (Self::Obj(mut a), Self::Obj(b)) => {
                let fields = Rc::make_mut(&mut a);
                fields.extend(b.iter().map(|(key, value)| (Rc::clone(key), value.clone())));
                Self::Obj(a)
            }
            (a, b) => return mismatch(&a, &b, "added"),
        })
    }
}

impl Sub for Json {
    type Output = Valued;

    fn sub(self, other: Self) -> Valued {
        match (self, other) {
            (Self::Num(a, _), Self::Num(b, _)) => Ok(Self::num(a - b)),
            (Self::Arr(mut a), Self::Arr(b)) => {
                let mut sorted: Vec<&Json> = b.iter().collect();
                sorted.sort_by(|a, b| a.order(b));
                let kept = |item: &Json| sorted.binary_search_by(|gone| gone.order(item)).is_err();
                Rc::make_mut(&mut a).0.retain(kept);
                Ok(Self::Arr(a))
            }
            (a, b) => mismatch(&a, &b, "subtracted"),
        }
    }
}

impl Mul for Json {
    type Output = Valued;

    fn mul(self, other: Self) -> Valued {
        match (self, other) {
            (Self::Num(a, _), Self::Num(b, _)) => Ok(Self::num(a * b)),
            (Self::Str(text), Self::Num(n, _)) | (Self::Num(n, _), Self::Str(text)) => {
                repeat(&text, n)
            }
            (Self::Obj(a), Self::Obj(b)) => Ok(merge(a, &b)),
            (a, b) => mismatch(&a, &b, "multiplied"),
        }
    }
}

/// A text `n` times, rounded down but once at least; null for none.
fn repeat(text: &str, n: f64) -> Valued {
    if n.is_nan() || n <= 0.0 {
        return Ok(Json::Null);
    }
    #[expect(clippy::cast_precision_loss, reason = "a limit need not be exact")]
    if n * text.len() as f64 > MAX_TEXT as f64 {
        return fail("Repeat string result too long");
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "bounded above")]
    Ok(Json::text(text.repeat(n.max(1.0) as usize)))
}

/// The fields of both, objects in both merged in turn; on a stack of its own.
fn merge(a: Rc<Fields>, b: &Fields) -> Json {
    // Each level: what is merged so far, what is left to merge into it, and under which key it goes.
    let mut levels = vec![(Rc::unwrap_or_clone(a), pairs(b), None)];
    loop {
        let Some((into, rest, _)) = levels.last_mut() else { return Json::Null };
        match rest.pop() {
            Some((key, Json::Obj(right))) => match into.get_mut(&key) {
                Some(Json::Obj(left)) => {
                    let left = std::mem::take(left);
                    levels.push((Rc::unwrap_or_clone(left), pairs(&right), Some(key)));
                }
                _ => {
                    into.insert(key, Json::Obj(right));
                }
            },
            Some((key, value)) => {
                into.insert(key, value);
            }
            None => {
                let Some((done, _, key)) = levels.pop() else { return Json::Null };
                let done = Json::Obj(Rc::new(done));
                match (levels.last_mut(), key) {
                    (Some((into, ..)), Some(key)) => {
                        into.insert(key, done);
                    }
                    _ => return done,
                }
            }
        }
    }
}

/// The fields, last first.
fn pairs(fields: &Fields) -> Vec<(Rc<String>, Json)> {
    fields.iter().rev().map(|(key, value)| (Rc::clone(key), value.clone())).collect()
}

impl Div for Json {
    type Output = Valued;

    fn div(self, other: Self) -> Valued {
        match (self, other) {
            (Self::Num(a, _), Self::Num(b, _)) if b != 0.0 => Ok(Self::num(a / b)),
            (Self::Str(text), Self::Str(separator)) => Ok(split(&text, &separator)),
            (a @ Self::Num(..), b @ Self::Num(..)) => {
                mismatch(&a, &b, "divided because the divisor is zero")
            }
            (a, b) => mismatch(&a, &b, "divided"),
        }
    }
}

/// The parts of a text between separators; none of an empty text, characters for an empty separator.
pub(crate) fn split(text: &str, separator: &str) -> Json {
    if text.is_empty() {
        return Json::list(Vec::new());
    }
    if separator.is_empty() {
        return text.chars().map(Json::text).collect();
    }
    text.split(separator).map(Json::text).collect()
}

impl Rem for Json {
    type Output = Valued;

    fn rem(self, other: Self) -> Valued {
        let (Self::Num(a, _), Self::Num(b, _)) = (&self, &other) else {
            return mismatch(&self, &other, "divided (remainder)");
        };
        if a.is_nan() || b.is_nan() {
            return Ok(Self::num(f64::NAN));
        }
        let divisor = whole(*b).unsigned_abs();
        if divisor == 0 {
            return mismatch(&self, &other, "divided (remainder) because the divisor is zero");
        }
        let dividend = whole(*a);
        let rest = dividend.unsigned_abs() % divisor;
        #[expect(clippy::cast_precision_loss, reason = "numbers are doubles")]
        let rest = rest as f64;
        Ok(Self::num(if dividend < 0 { 0.0 - rest } else { rest }))
    }
}

/// The integer part, at most what 64 bits hold.
#[expect(clippy::cast_possible_truncation, reason = "saturates")]
pub(crate) fn whole(value: f64) -> i64 {
    value as i64
}

impl Neg for Json {
    type Output = Valued;

    fn neg(self) -> Valued {
        match self {
            Self::Num(value, None) => Ok(Self::num(-value)),
            Self::Num(_, Some(digits)) => Ok(match digits.strip_prefix('-') {
                Some(digits) => crate::number::from_literal(digits),
                None => crate::number::from_literal(&format!("-{digits}")),
            }),
            other => refuse(&other, "cannot be negated"),
        }
    }
}
