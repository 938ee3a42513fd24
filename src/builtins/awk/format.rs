//! `printf` of awk: a format and values in, text out.

use super::value::Value;
use crate::value::{Conversion, first_chars, flag};

/// Why a format cannot be carried out.
pub(super) enum FormatError {
    /// Too few values.
    Missing,
    /// A field is too wide.
    TooWide,
}

/// Appends the values by the format; `number_format` is for numbers under `%s`.
pub(super) fn push(
    out: &mut Vec<u8>,
    format: &[u8],
    values: &[Value],
    number_format: &[u8],
) -> Result<(), FormatError> {
    let mut values = values.iter();
    let mut rest = format;
    while let Some(at) = memchr::memchr(b'%', rest) {
        out.extend_from_slice(rest.get(..at).unwrap_or_default());
        let spec = rest.get(at..).unwrap_or_default();
        rest = spec.get(1..).unwrap_or_default();
        if let Some(tail) = rest.strip_prefix(b"%") {
            out.push(b'%');
            rest = tail;
            continue;
        }
        let (conversion, tail) = read(rest, &mut values)?;
        let Some(conversion) = conversion else {
            if spec.get(spec.len() - tail.len() - 1) == Some(&b'%') && spec.len() > tail.len() + 1 {
                out.push(b'%');
                rest = tail;
                continue;
            }
            // What is no conversion stands for itself.
            let length = spec.len() - tail.len();
            out.extend_from_slice(spec.get(..length).unwrap_or(spec));
            rest = tail;
            continue;
        };
        let value = values.next().ok_or(FormatError::Missing)?;
        convert(out, conversion, value, number_format);
        rest = tail;
    }
    out.extend_from_slice(rest);
    Ok(())
}

fn read<'f>(
    format: &'f [u8],
    values: &mut std::slice::Iter<'_, Value>,
) -> Result<(Option<Conversion>, &'f [u8]), FormatError> {
    let mut conversion = Conversion::default();
    let mut rest = format;
    while let Some(bit) = rest.first().and_then(|byte| flag(*byte)) {
        conversion.flags |= bit;
        rest = rest.get(1..).unwrap_or_default();
    }
    if let Some(tail) = rest.strip_prefix(b"*") {
        conversion.set_width(integer(values.next().ok_or(FormatError::Missing)?.number()));
        rest = tail;
    } else {
        (conversion.width, rest) = count(rest);
    }
    if let Some(tail) = rest.strip_prefix(b".") {
        if let Some(tail) = tail.strip_prefix(b"*") {
            let value = values.next().ok_or(FormatError::Missing)?;
            conversion.precision = usize::try_from(integer(value.number())).ok();
            rest = tail;
        } else {
            let (precision, tail) = count(tail);
            conversion.precision = Some(precision);
            rest = tail;
        }
    }
    while let Some((b'h' | b'l' | b'L' | b'j' | b'z' | b't', tail)) = rest.split_first() {
        if !tail.first().is_some_and(u8::is_ascii_alphabetic) {
            break;
        }
        rest = tail;
    }
    if conversion.is_too_wide() {
        return Err(FormatError::TooWide);
    }
    match rest.split_first() {
        Some((letter, tail)) if b"diouxXeEfFgGaAcs".contains(letter) => {
            conversion.letter = *letter;
            Ok((Some(conversion), tail))
        }
        Some((_, tail)) => Ok((None, tail)),
        None => Ok((None, rest)),
    }
}

fn count(bytes: &[u8]) -> (usize, &[u8]) {
    let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (text, rest) = bytes.split_at_checked(digits).unwrap_or((bytes, &[]));
    let count = text.iter().fold(0usize, |count, digit| {
        count.saturating_mul(10).saturating_add(usize::from(digit - b'0'))
    });
    (count, rest)
}

#[expect(clippy::cast_possible_truncation, reason = "saturates")]
fn integer(number: f64) -> i64 {
    number as i64
}

fn convert(out: &mut Vec<u8>, mut conversion: Conversion, value: &Value, number_format: &[u8]) {
    match conversion.letter {
        b'd' | b'i' | b'o' | b'u' | b'x' | b'X' => push_integer(out, conversion, value.number()),
        b'c' => push_character(out, conversion, value),
        b's' => match value {
            Value::Text(text) | Value::Input(text) => conversion.text(out, text),
            other => {
                let mut text = Vec::new();
                other.append_to(&mut text, number_format);
                conversion.text(out, &text);
            }
        },
        _ => {
            let number = value.number();
            if number.is_finite() {
                conversion.float(out, number);
            } else {
                conversion.letter = b's';
                conversion.precision = None;
                push_not_finite(out, conversion, number);
            }
        }
    }
}

fn push_not_finite(out: &mut Vec<u8>, conversion: Conversion, number: f64) {
    let mut text = Vec::new();
    super::value::push_number(&mut text, number, b"%.6g");
    conversion.text(out, &text);
}

fn push_integer(out: &mut Vec<u8>, mut conversion: Conversion, number: f64) {
    let whole = number.trunc();
    if !number.is_finite() {
        conversion.letter = b's';
        push_not_finite(out, conversion, number);
    } else if whole.abs() >= 9.2e18 {
        conversion.letter = b'f';
        conversion.precision = Some(0);
        conversion.float(out, whole);
    } else if matches!(conversion.letter, b'd' | b'i') {
        conversion.signed(out, integer(whole));
    } else {
        conversion.unsigned(out, integer(whole).cast_unsigned());
    }
}

/// `%c`: the character of a number, or the first one of a text.
fn push_character(out: &mut Vec<u8>, conversion: Conversion, value: &Value) {
    let code = match value {
        Value::Text(text) => return push_first(out, conversion, text),
        Value::Input(text) => match value.strict_number() {
            Some(number) => number,
            None => return push_first(out, conversion, text),
        },
        other => other.number(),
    };
    let code = u32::try_from(integer(code)).unwrap_or(0);
    match char::from_u32(code) {
        Some(ch) => conversion.text(out, ch.encode_utf8(&mut [0; 4]).as_bytes()),
        None => conversion.text(out, &[(code & 0xff) as u8]),
    }
}

fn push_first(out: &mut Vec<u8>, conversion: Conversion, text: &[u8]) {
    conversion.text(out, if text.is_empty() { b"\0" } else { first_chars(text, 1) });
}

/// Appends one number by `CONVFMT` or `OFMT`.
pub(super) fn push_one(out: &mut Vec<u8>, format: &[u8], number: f64) {
    let start = out.len();
    if push(out, format, &[Value::Number(number)], b"%.6g").is_err() {
        out.truncate(start);
        out.extend_from_slice(format!("{number}").as_bytes());
    }
}
