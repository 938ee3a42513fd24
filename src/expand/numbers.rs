//! Integer operations that fail loudly instead of wrapping.

use crate::syntax::{BinaryOp, UnaryOp};

const OVERFLOW: &str = "arithmetic overflow: the result does not fit 64 bits; use bc or jq";

/// Combines two integers.
pub(super) fn binary(op: BinaryOp, a: i64, b: i64) -> Result<i64, &'static str> {
    let shift =
        |n: i64| u32::try_from(n).ok().filter(|n| *n < 64).ok_or("shift count out of range");
    let result = match op {
        BinaryOp::Add => a.checked_add(b),
        BinaryOp::Subtract => a.checked_sub(b),
        BinaryOp::Multiply => a.checked_mul(b),
        BinaryOp::Divide | BinaryOp::Remainder if b == 0 => return Err("division by zero"),
        BinaryOp::Divide => a.checked_div(b),
        BinaryOp::Remainder => Some(a.checked_rem(b).unwrap_or(0)),
        BinaryOp::Power => return power(a, b),
        BinaryOp::ShiftLeft => {
            let count = shift(b)?;
            a.checked_shl(count).filter(|shifted| shifted >> count == a)
        }
        BinaryOp::ShiftRight => a.checked_shr(shift(b)?),
        BinaryOp::BitAnd => Some(a & b),
        BinaryOp::BitOr => Some(a | b),
        BinaryOp::BitXor => Some(a ^ b),
        BinaryOp::Less => Some(i64::from(a < b)),
        BinaryOp::LessEqual => Some(i64::from(a <= b)),
        BinaryOp::Greater => Some(i64::from(a > b)),
        BinaryOp::GreaterEqual => Some(i64::from(a >= b)),
        BinaryOp::Equal => Some(i64::from(a == b)),
        BinaryOp::NotEqual => Some(i64::from(a != b)),
    };
    result.ok_or(OVERFLOW)
}

fn power(base: i64, exponent: i64) -> Result<i64, &'static str> {
    let Ok(exponent) = u32::try_from(exponent) else {
        return match (exponent < 0, base) {
            (true, _) => Err("exponent less than 0"),
            (false, 0 | 1) => Ok(base),
            (false, -1) => Ok(if exponent % 2 == 0 { 1 } else { -1 }),
            _ => Err(OVERFLOW),
        };
    };
    base.checked_pow(exponent).ok_or(OVERFLOW)
}

/// Changes one integer.
pub(super) fn unary(op: UnaryOp, a: i64) -> Result<i64, &'static str> {
    match op {
        UnaryOp::Negate => a.checked_neg().ok_or(OVERFLOW),
        UnaryOp::Plus => Ok(a),
        UnaryOp::Not => Ok(i64::from(a == 0)),
        UnaryOp::Complement => Ok(!a),
        UnaryOp::Truth => Ok(i64::from(a != 0)),
    }
}
