//! The values of awk: numbers, strings, input that may be a number, arrays.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::rc::Rc;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::code::Compare;
use crate::value::{Conversion, read_decimal};

/// Bytes of a string, shared.
pub(super) type Str = Rc<[u8]>;

/// An array.
pub(super) type Array = IndexMap<Str, Value, FxBuildHasher>;

/// A value.
#[derive(Clone, Debug, Default)]
pub(super) enum Value {
    #[default]
    Unset,
    Number(f64),
    Text(Str),
    /// Text from outside, which is a number where it looks like one.
    Input(Str),
    /// A regular expression given as an argument.
    Regex(u32),
    Array(Rc<RefCell<Array>>),
    /// An unset variable passed to a function, which may use it as an array.
    Maybe(Rc<RefCell<Array>>),
}

impl Value {
    /// A string of these bytes.
    pub(super) fn text(bytes: &[u8]) -> Self {
        Self::Text(bytes.into())
    }

    /// 1 or 0.
    pub(super) fn truth(is_true: bool) -> Self {
        Self::Number(if is_true { 1.0 } else { 0.0 })
    }

    /// The number it stands for.
    pub(super) fn number(&self) -> f64 {
        match self {
            Self::Number(number) => *number,
            Self::Text(text) | Self::Input(text) => leading_number(text),
            _ => 0.0,
        }
    }

    /// Whether it counts as true.
    pub(super) fn is_true(&self) -> bool {
        match self {
            Self::Number(number) => *number != 0.0,
            Self::Text(text) => !text.is_empty(),
            Self::Input(text) => match whole_number(text) {
                Some(number) => number != 0.0,
                None => !text.is_empty(),
            },
            _ => false,
        }
    }

    /// Its text, a number by the given format.
    pub(super) fn to_str(&self, format: &[u8]) -> Str {
        match self {
            Self::Text(text) | Self::Input(text) => Rc::clone(text),
            _ => {
                let mut text = Vec::new();
                self.append_to(&mut text, format);
                text.into()
            }
        }
    }

    /// Appends its text.
    pub(super) fn append_to(&self, out: &mut Vec<u8>, format: &[u8]) {
        match self {
            Self::Text(text) | Self::Input(text) => out.extend_from_slice(text),
            Self::Number(number) => push_number(out, *number, format),
            _ => {}
        }
    }

    /// The number, where it is one or input that looks like one.
    pub(super) fn strict_number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Input(text) => whole_number(text),
            Self::Unset | Self::Maybe(_) => Some(0.0),
            _ => None,
        }
    }

    /// Compares as numbers where both are, else as text.
    pub(super) fn compare(&self, other: &Self, operator: Compare, format: &[u8]) -> bool {
        let order = match (self.strict_number(), other.strict_number()) {
            (Some(a), Some(b)) => a.partial_cmp(&b),
            _ => Some(match (self, other) {
                (Self::Text(a) | Self::Input(a), Self::Text(b) | Self::Input(b)) => a.cmp(b),
                _ => self.to_str(format).cmp(&other.to_str(format)),
            }),
        };
        match operator {
            Compare::Lt => order == Some(Ordering::Less),
            Compare::Le => matches!(order, Some(Ordering::Less | Ordering::Equal)),
            Compare::Eq => order == Some(Ordering::Equal),
            Compare::Ne => order != Some(Ordering::Equal),
            Compare::Gt => order == Some(Ordering::Greater),
            Compare::Ge => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        }
    }
}

/// The number at the start of a text, after blanks; 0 for none.
pub(super) fn leading_number(text: &[u8]) -> f64 {
    match text.first() {
        Some(b'0'..=b'9') => read_decimal(text).0,
        Some(_) => {
            let body = text.trim_ascii_start();
            match special_number(body) {
                Some((number, _)) => number,
                None => read_decimal(body).0,
            }
        }
        None => 0.0,
    }
}

/// The number a text is as a whole, blanks around it aside.
fn whole_number(text: &[u8]) -> Option<f64> {
    let body = text.trim_ascii();
    match body.first()? {
        b'0'..=b'9' | b'+' | b'-' | b'.' => {}
        _ => return None,
    }
    let (number, length) = special_number(body).unwrap_or_else(|| read_decimal(body));
    (length > 0 && length == body.len()).then_some(number)
}

/// `+inf`, `-nan` and the like, which need their sign.
fn special_number(text: &[u8]) -> Option<(f64, usize)> {
    let [sign @ (b'+' | b'-'), rest @ ..] = text else { return None };
    let word = rest.get(..3)?;
    let is_end = !rest.get(3).is_some_and(u8::is_ascii_alphanumeric);
    let magnitude = if word.eq_ignore_ascii_case(b"inf") && is_end {
        f64::INFINITY
    } else if word.eq_ignore_ascii_case(b"nan") && is_end {
        f64::NAN
    } else {
        return None;
    };
    Some((if *sign == b'-' { -magnitude } else { magnitude }, 4))
}

/// Appends a number: integers as such, others by the format.
pub(super) fn push_number(out: &mut Vec<u8>, number: f64, format: &[u8]) {
    if number.fract() == 0.0 && number.abs() < 1e15 {
        #[expect(clippy::cast_possible_truncation, reason = "integral and small")]
        push_integer(out, number as i64);
    } else if number.is_nan() {
        out.extend_from_slice(if number.is_sign_negative() { b"-nan" } else { b"+nan" });
    } else if number.is_infinite() {
        out.extend_from_slice(if number < 0.0 { b"-inf" } else { b"+inf" });
    } else if number.fract() == 0.0 {
        Conversion { precision: Some(0), ..Conversion::plain(b'f') }.float(out, number);
    } else if format == b"%.6g" {
        Conversion { precision: Some(6), ..Conversion::plain(b'g') }.float(out, number);
    } else {
        super::format::push_one(out, format, number);
    }
}

fn push_integer(out: &mut Vec<u8>, number: i64) {
    let mut digits = [0u8; 20];
    let mut at = digits.len();
    let mut rest = number.unsigned_abs();
    loop {
        at -= 1;
        if let Some(slot) = digits.get_mut(at) {
            *slot = b'0' + u8::try_from(rest % 10).unwrap_or(0);
        }
        rest /= 10;
        if rest == 0 || at == 0 {
            break;
        }
    }
    if number < 0 {
        out.push(b'-');
    }
    out.extend_from_slice(digits.get(at..).unwrap_or_default());
}
