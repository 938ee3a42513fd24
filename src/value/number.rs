//! Number literals in, integers and floats with their spelling out.

use super::EcoString;
use std::rc::Rc;

/// A number; equality is numeric and ignores the spelling.
#[derive(Clone, Debug)]
pub enum Number {
    /// A 64-bit integer, spelled canonically.
    Int(i64),
    /// A float, spelled as the shortest text that reads back the same.
    Float(f64),
    /// A number written in another spelling (`1.50`, `1e3`, `-0`), which text use keeps.
    Spelled(Rc<(Number, EcoString)>),
}

impl Number {
    /// The text of the number.
    pub fn spelling(&self) -> EcoString {
        match self {
            Self::Int(n) => {
                let mut text = EcoString::new();
                push_int(&mut text, *n);
                text
            }
            Self::Float(x) => spell_float(*x),
            Self::Spelled(s) => s.1.clone(),
        }
    }

    /// The integer, where the number is one.
    pub fn as_int(&self) -> Option<i64> {
        match self {
            Self::Int(n) => Some(*n),
            Self::Float(_) => None,
            Self::Spelled(s) => s.0.as_int(),
        }
    }

    /// The nearest float.
    #[expect(clippy::cast_precision_loss, reason = "comparison across kinds is by nearest float")]
    pub fn as_f64(&self) -> f64 {
        match self {
            Self::Int(n) => *n as f64,
            Self::Float(x) => *x,
            Self::Spelled(s) => s.0.as_f64(),
        }
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        match (self.as_int(), other.as_int()) {
            (Some(a), Some(b)) => a == b,
            _ => self.as_f64() == other.as_f64(),
        }
    }
}

/// Appends the decimal digits of `n`.
fn push_int(text: &mut EcoString, n: i64) {
    let mut digits = [0u8; 20];
    let mut at = digits.len();
    let mut rest = n.unsigned_abs();
    loop {
        at -= 1;
        digits[at] = b'0' + u8::try_from(rest % 10).unwrap_or(0);
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if n < 0 {
        text.push('-');
    }
    text.push_str(std::str::from_utf8(&digits[at..]).unwrap_or(""));
}

/// The shortest text that reads back as the same float; integral values print without a point.
pub fn spell_float(x: f64) -> EcoString {
    if !x.is_finite() {
        return EcoString::from("null");
    }
    let magnitude = x.abs();
    if x == x.trunc() && magnitude < 1e17 {
        return EcoString::from(format!("{x:.0}"));
    }
    if (1e-5..1e17).contains(&magnitude) {
        return EcoString::from(format!("{x}"));
    }
    let text = format!("{x:e}");
    match text.split_once('e') {
        Some((mantissa, exponent)) if !exponent.starts_with('-') => {
            EcoString::from(format!("{mantissa}e+{exponent}"))
        }
        _ => text.into(),
    }
}

/// Reads a number literal: `-?(0|[1-9][0-9]*)` within 64 bits, or a float of JSON's grammar.
pub fn parse_number(word: &str) -> Option<Number> {
    let bytes = word.as_bytes();
    let digits = bytes.strip_prefix(b"-").unwrap_or(bytes);
    let whole = digits.iter().take_while(|b| b.is_ascii_digit()).count();
    if whole == 0 || (whole > 1 && digits.first() == Some(&b'0')) {
        return None;
    }
    let rest = digits.get(whole..)?;
    if rest.is_empty() {
        let n = word.parse::<i64>().ok()?;
        return Some(if word == "-0" { spelled(Number::Int(0), word) } else { Number::Int(n) });
    }
    let fraction = match rest.strip_prefix(b".") {
        Some(after) => {
            let n = after.iter().take_while(|b| b.is_ascii_digit()).count();
            if n == 0 {
                return None;
            }
            after.get(n..)?
        }
        None => rest,
    };
    if !fraction.is_empty() {
        let exponent = fraction.strip_prefix(b"e").or_else(|| fraction.strip_prefix(b"E"))?;
        let signless = exponent.strip_prefix(b"-").or_else(|| exponent.strip_prefix(b"+"));
        let exponent = signless.unwrap_or(exponent);
        if exponent.is_empty() || !exponent.iter().all(u8::is_ascii_digit) {
            return None;
        }
    }
    let x = word.parse::<f64>().ok().filter(|x| x.is_finite())?;
    let number = Number::Float(x);
    Some(if spell_float(x) == word { number } else { spelled(number, word) })
}

fn spelled(number: Number, word: &str) -> Number {
    Number::Spelled(Rc::new((number, EcoString::from(word))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(word: &str, expect: Option<&str>) {
        let got = parse_number(word).map(|n| n.spelling());
        assert_eq!(got.as_deref(), expect, "{word}");
    }

    #[test]
    fn literals() {
        for word in ["0", "-0", "42", "-7", "1.50", "1e3", "1.5E-7", "9223372036854775807"] {
            check(word, Some(word));
        }
        for word in ["", "-", "007", "+5", ".5", "1.", "1e", "9223372036854775808", "0x1", "1_0"] {
            check(word, None);
        }
    }

    #[test]
    fn floats_print_shortest() {
        assert_eq!(spell_float(0.1), "0.1");
        assert_eq!(spell_float(100.0), "100");
        assert_eq!(spell_float(1e300), "1e+300");
        assert_eq!(spell_float(1.5e-7), "1.5e-7");
    }
}
