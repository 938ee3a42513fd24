//! Number literals in, doubles out, and the other way: jq's spelling of a double.

use std::rc::Rc;

use crate::value::Json;

/// The digits from which on an integer literal may not fit a double.
const LONG: usize = 16;

/// A number of JSON's grammar (or of the filter's); what is too large becomes the largest double.
pub(crate) fn from_literal(text: &str) -> Json {
    let value = text.parse::<f64>().unwrap_or(f64::NAN);
    let value = value.clamp(f64::MIN, f64::MAX);
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_integer = digits.len() >= LONG && digits.bytes().all(|b| b.is_ascii_digit());
    let literal = (is_integer && digits.as_bytes().first() != Some(&b'0') && spell(value) != text)
        .then(|| Rc::new(text.into()));
    Json::Num(value, literal)
}

/// The text of a double: seventeen digits at most, an exponent of two digits at least.
pub(crate) fn spell(value: f64) -> String {
    if value.is_nan() {
        return "null".into();
    }
    let value = value.clamp(f64::MIN, f64::MAX);
    if value == 0.0 {
        return if value.is_sign_negative() { "-0".into() } else { "0".into() };
    }
    // `d.ddde±x`: the shortest digits that read back the same.
    let text = format!("{value:e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let (sign, mantissa) = match mantissa.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", mantissa),
    };
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let count = i32::try_from(digits.len()).unwrap_or(17);
    if !(-4..=count + 14).contains(&exponent) {
        let rest = digits.get(1..).filter(|rest| !rest.is_empty());
        let point = if rest.is_some() { "." } else { "" };
        let (first, rest) = (digits.get(..1).unwrap_or("0"), rest.unwrap_or(""));
        let mark = if exponent < 0 { '-' } else { '+' };
        return format!("{sign}{first}{point}{rest}e{mark}{:02}", exponent.abs());
    }
    format!("{sign}{}", plain(&digits, exponent))
}

/// Digits with the point after the first one moved by `exponent`.
fn plain(digits: &str, exponent: i32) -> String {
    let Ok(whole) = usize::try_from(exponent + 1) else {
        let zeros = usize::try_from(-exponent - 1).unwrap_or(0);
        return format!("0.{}{digits}", "0".repeat(zeros));
    };
    if whole == 0 {
        return format!("0.{digits}");
    }
    match (digits.get(..whole), digits.get(whole..)) {
        (Some(before), Some("")) => before.into(),
        (Some(before), Some(after)) => format!("{before}.{after}"),
        _ => format!("{digits}{}", "0".repeat(whole - digits.len())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_are_spelled_as_jq_does() {
        for (value, text) in [
            (1.0, "1"),
            (1.1, "1.1"),
            (-0.0, "-0"),
            (1e15, "1000000000000000"),
            (1e16, "1e+16"),
            (1.5e16, "15000000000000000"),
            (1.5e17, "1.5e+17"),
            (1e-4, "0.0001"),
            (1e-5, "1e-05"),
            (1.5e300, "1.5e+300"),
            (0.123, "0.123"),
            (123.456, "123.456"),
            (f64::INFINITY, "1.7976931348623157e+308"),
        ] {
            assert_eq!(spell(value), text);
        }
    }
}
