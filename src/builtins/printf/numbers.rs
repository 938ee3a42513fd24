//! Arguments of numeric conversions in, numbers out, as C's `strtol` and `strtod` read them.

use crate::value::read_decimal;

/// An integer read from an argument.
pub(super) struct Integer {
    /// The value, saturated far beyond 64 bits.
    pub(super) value: i128,
    /// Whether the whole argument was a number.
    pub(super) is_whole: bool,
}

/// Reads decimal, `0x`, `0` octal, or a quote and a character; an empty argument is 0.
pub(super) fn read_integer(text: &[u8]) -> Integer {
    if let Some(code) = character_code(text) {
        return Integer { value: i128::from(code), is_whole: true };
    }
    let text = text.trim_ascii_start();
    let negative = text.first() == Some(&b'-');
    let digits = text.strip_prefix(b"-").or_else(|| text.strip_prefix(b"+")).unwrap_or(text);
    let (radix, digits, given) = match digits {
        [b'0', b'x' | b'X', rest @ ..] if rest.first().is_some_and(u8::is_ascii_hexdigit) => {
            (16, rest, true)
        }
        [b'0', ..] => (8, digits, true),
        _ => (10, digits, !digits.is_empty()),
    };
    let mut value = 0i128;
    let mut used = 0;
    for byte in digits {
        let Some(digit) = char::from(*byte).to_digit(radix) else { break };
        value = (value * i128::from(radix) + i128::from(digit)).min(1 << 100);
        used += 1;
    }
    let is_whole = used == digits.len() && (given || text.is_empty());
    Integer { value: if negative { -value } else { value }, is_whole }
}

/// Reads a float, `inf`, `nan`, hexadecimal, or a quote and a character; `false` where more follows.
pub(super) fn read_float(text: &[u8]) -> (f64, bool) {
    if let Some(code) = character_code(text) {
        return (f64::from(code), true);
    }
    let text = text.trim_ascii_start();
    if text.is_empty() {
        return (0.0, true);
    }
    let sign = usize::from(matches!(text.first(), Some(b'-' | b'+')));
    let body = text.get(sign..).unwrap_or_default();
    let negate = |value: f64| if text.first() == Some(&b'-') { -value } else { value };
    if let [b'0', b'x' | b'X', digits @ ..] = body {
        let (value, used) = hexadecimal(digits);
        return (negate(value), used > 0 && used == digits.len());
    }
    for (word, value) in [("infinity", f64::INFINITY), ("inf", f64::INFINITY), ("nan", f64::NAN)] {
        if body.eq_ignore_ascii_case(word.as_bytes()) {
            return (negate(value), true);
        }
    }
    let (value, used) = read_decimal(text);
    (value, used > 0 && used == text.len())
}

/// The code of the character after a leading quote.
fn character_code(text: &[u8]) -> Option<u32> {
    let [b'\'' | b'"', rest @ ..] = text else { return None };
    let first = crate::value::first_chars(rest, 1);
    let character = std::str::from_utf8(first).ok().and_then(|text| text.chars().next());
    Some(character.map_or_else(|| first.first().copied().map_or(0, u32::from), u32::from))
}

/// Hexadecimal digits with fraction and binary exponent: the value and the length used.
fn hexadecimal(digits: &[u8]) -> (f64, usize) {
    let (mut value, mut scale, mut used, mut point, mut seen) = (0.0f64, 0i32, 0, false, false);
    for byte in digits {
        if let Some(digit) = char::from(*byte).to_digit(16) {
            value = value * 16.0 + f64::from(digit);
            scale -= if point { 4 } else { 0 };
            seen = true;
        } else if *byte == b'.' && !point {
            point = true;
        } else {
            break;
        }
        used += 1;
    }
    if !seen {
        return (0.0, 0);
    }
    if let Some([b'p' | b'P', tail @ ..]) = digits.get(used..) {
        let length = tail.len() - tail.iter().skip_while(|b| matches!(b, b'-' | b'+')).count();
        let length =
            length + tail.iter().skip(length).take_while(|byte| byte.is_ascii_digit()).count();
        let text = tail.get(..length).and_then(|text| std::str::from_utf8(text).ok());
        if let Some(exponent) = text.and_then(|text| text.parse::<i32>().ok()) {
            scale = scale.saturating_add(exponent);
            used += 1 + length;
        }
    }
    (value * 2f64.powi(scale), used)
}
