//! C's conversions: a `%…` specification and a number or text in, padded text out; and numbers read.
//!
//! Shared by `printf`, `awk`, `seq`, `numfmt` and whoever prints as C does. Widths and precisions of
//! text count characters.

use std::io::Write as _;

/// Digits after the point beyond which every `f64` has only zeros.
const MOST_DIGITS: usize = 1100;

/// The widest field and longest precision; a specification that asks for more is refused.
pub const MAX_FIELD: usize = 1 << 20;

/// One conversion specification without its argument.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Conversion {
    /// A set of `FLAG_…`.
    pub flags: u8,
    /// Least width in characters.
    pub width: usize,
    /// Precision, where given.
    pub precision: Option<usize>,
    /// The conversion letter.
    pub letter: u8,
}

/// `-`: pad on the right.
pub const FLAG_LEFT: u8 = 1;
/// `+`: always a sign.
pub const FLAG_PLUS: u8 = 2;
/// Blank: a blank where a sign would stand.
pub const FLAG_SPACE: u8 = 4;
/// `#`: the alternative form.
pub const FLAG_ALT: u8 = 8;
/// `0`: pad with zeros after the sign.
pub const FLAG_ZERO: u8 = 16;
/// `'`: group thousands, which the C locale does not.
pub const FLAG_GROUP: u8 = 32;

/// The flag of a character.
pub fn flag(byte: u8) -> Option<u8> {
    Some(match byte {
        b'-' => FLAG_LEFT,
        b'+' => FLAG_PLUS,
        b' ' => FLAG_SPACE,
        b'#' => FLAG_ALT,
        b'0' => FLAG_ZERO,
        b'\'' => FLAG_GROUP,
        _ => return None,
    })
}

impl Conversion {
    /// A conversion without flags, width and precision.
    pub fn plain(letter: u8) -> Self {
        Self { letter, ..Self::default() }
    }

    /// Sets a width that may be negative, as `*` gives it: pad on the right then.
    pub fn set_width(&mut self, width: i64) {
        if width < 0 {
            self.flags |= FLAG_LEFT;
        }
        self.width = usize::try_from(width.unsigned_abs()).unwrap_or(usize::MAX);
    }

    /// Whether width or precision is beyond [`MAX_FIELD`].
    pub fn is_too_wide(&self) -> bool {
        self.width > MAX_FIELD || self.precision.is_some_and(|precision| precision > MAX_FIELD)
    }

    fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    /// `d`, `i`: a signed integer.
    pub fn signed(&self, out: &mut Vec<u8>, value: i64) {
        self.digits(out, value.unsigned_abs(), self.sign(value < 0));
    }

    /// `u`, `o`, `x`, `X`: an unsigned integer.
    pub fn unsigned(&self, out: &mut Vec<u8>, value: u64) {
        self.digits(out, value, "");
    }

    fn sign(&self, negative: bool) -> &'static str {
        match () {
            () if negative => "-",
            () if self.has(FLAG_PLUS) => "+",
            () if self.has(FLAG_SPACE) => " ",
            () => "",
        }
    }

    fn digits(&self, out: &mut Vec<u8>, value: u64, sign: &str) {
        let mut body = Vec::with_capacity(24);
        let prefix = match self.letter {
            b'x' if self.has(FLAG_ALT) && value != 0 => "0x",
            b'X' if self.has(FLAG_ALT) && value != 0 => "0X",
            _ => sign,
        };
        // Writing to a vector cannot fail.
        let _ = match self.letter {
            b'x' => write!(body, "{value:x}"),
            b'X' => write!(body, "{value:X}"),
            b'o' => write!(body, "{value:o}"),
            _ => write!(body, "{value}"),
        };
        if value == 0 && self.precision == Some(0) {
            body.clear();
        }
        let mut zeros = self.precision.unwrap_or(0).saturating_sub(body.len());
        if self.letter == b'o' && self.has(FLAG_ALT) && zeros == 0 && body.first() != Some(&b'0') {
            zeros = 1;
        }
        if self.precision.is_none() && self.has(FLAG_ZERO) && !self.has(FLAG_LEFT) {
            zeros = self.width.saturating_sub(prefix.len() + body.len());
        }
        self.pad(out, prefix.len() + zeros + body.len(), |out| {
            out.extend_from_slice(prefix.as_bytes());
            out.resize(out.len() + zeros, b'0');
            out.extend_from_slice(&body);
        });
    }

    /// `e`, `f`, `g`, `a` and their capitals.
    pub fn float(&self, out: &mut Vec<u8>, value: f64) {
        let sign = self.sign(value.is_sign_negative() && !value.is_nan());
        let upper = self.letter.is_ascii_uppercase();
        let magnitude = value.abs();
        let mut body = Vec::with_capacity(32);
        if magnitude.is_finite() {
            match self.letter.to_ascii_lowercase() {
                b'f' => self.fixed(&mut body, magnitude),
                b'e' => self.scientific(&mut body, magnitude),
                b'a' => self.hexadecimal(&mut body, magnitude),
                _ => self.general(&mut body, magnitude),
            }
        } else {
            body.extend_from_slice(if magnitude.is_nan() { b"nan" } else { b"inf" });
        }
        if upper {
            body.make_ascii_uppercase();
        }
        let zero = self.has(FLAG_ZERO) && !self.has(FLAG_LEFT) && magnitude.is_finite();
        let missing = if zero { self.width.saturating_sub(sign.len() + body.len()) } else { 0 };
        let head = if self.letter.eq_ignore_ascii_case(&b'a') && zero { 2 } else { 0 };
        self.pad(out, sign.len() + missing + body.len(), |out| {
            out.extend_from_slice(sign.as_bytes());
            out.extend_from_slice(body.get(..head).unwrap_or_default());
            out.resize(out.len() + missing, b'0');
            out.extend_from_slice(body.get(head..).unwrap_or_default());
        });
    }

    fn fixed(&self, body: &mut Vec<u8>, magnitude: f64) {
        let precision = self.precision.unwrap_or(6);
        let exact = precision.min(MOST_DIGITS);
        let _ = write!(body, "{magnitude:.exact$}");
        body.resize(body.len() + precision - exact, b'0');
        if precision == 0 && self.has(FLAG_ALT) {
            body.push(b'.');
        }
    }

    fn scientific(&self, body: &mut Vec<u8>, magnitude: f64) {
        let precision = self.precision.unwrap_or(6);
        let (digits, exponent) = decimal(magnitude, precision);
        self.mantissa(body, &digits, precision);
        push_exponent(body, exponent);
    }

    fn mantissa(&self, body: &mut Vec<u8>, digits: &[u8], precision: usize) {
        let (first, rest) = digits.split_first().unwrap_or((&b'0', &[]));
        body.push(*first);
        if precision > 0 || self.has(FLAG_ALT) {
            body.push(b'.');
        }
        body.extend_from_slice(rest);
        body.resize(body.len() + precision - rest.len().min(precision), b'0');
    }

    fn general(&self, body: &mut Vec<u8>, magnitude: f64) {
        let significant = self.precision.unwrap_or(6).max(1);
        let (mut digits, exponent) = decimal(magnitude, significant - 1);
        if self.has(FLAG_ALT) {
            digits.resize(significant, b'0');
        } else {
            while digits.len() > 1 && digits.last() == Some(&b'0') {
                digits.pop();
            }
        }
        let whole = usize::try_from(exponent + 1).unwrap_or(0);
        if exponent < -4 || whole > significant {
            self.mantissa(body, &digits, digits.len() - 1);
            push_exponent(body, exponent);
            return;
        }
        if exponent < 0 {
            body.extend_from_slice(b"0.");
            body.resize(body.len() + exponent.unsigned_abs() as usize - 1, b'0');
            body.extend_from_slice(&digits);
            return;
        }
        let fraction = digits.get(whole..).unwrap_or_default();
        body.extend_from_slice(digits.get(..whole).unwrap_or(&digits));
        body.resize(body.len() + whole.saturating_sub(digits.len()), b'0');
        if !fraction.is_empty() || self.has(FLAG_ALT) {
            body.push(b'.');
            body.extend_from_slice(fraction);
        }
    }

    fn hexadecimal(&self, body: &mut Vec<u8>, magnitude: f64) {
        let bits = magnitude.to_bits();
        let biased = i64::try_from(bits >> 52 & 0x7ff).unwrap_or(0);
        let mut mantissa = bits & ((1 << 52) - 1);
        let exponent = match (biased, mantissa) {
            (0, 0) => 0,
            (0, _) => -1022,
            _ => biased - 1023,
        };
        if biased > 0 {
            mantissa |= 1 << 52;
        }
        let mut digits = 13;
        if let Some(precision) = self.precision.filter(|precision| *precision < 13) {
            let dropped = 4 * (13 - precision);
            let half = 1u64 << (dropped - 1);
            let rest = mantissa & ((1 << dropped) - 1);
            mantissa >>= dropped;
            if rest > half || (rest == half && mantissa & 1 == 1) {
                mantissa += 1;
            }
            digits = precision;
        } else if self.precision.is_none() {
            while digits > 0 && mantissa & 0xf == 0 {
                mantissa >>= 4;
                digits -= 1;
            }
        }
        let _ = write!(body, "0x{:x}", mantissa >> (4 * digits));
        let precision = self.precision.unwrap_or(digits);
        if precision > 0 || self.has(FLAG_ALT) {
            body.push(b'.');
        }
        if digits > 0 {
            let _ = write!(body, "{:0digits$x}", mantissa & ((1 << (4 * digits)) - 1));
        }
        body.resize(body.len() + precision.saturating_sub(digits), b'0');
        let _ = write!(body, "p{exponent:+}");
    }

    /// `s`, `c`: text or bytes; width and precision count characters.
    pub fn text(&self, out: &mut Vec<u8>, text: &[u8]) {
        let text = match self.precision {
            Some(most) if self.letter != b'c' => first_chars(text, most),
            _ => text,
        };
        if self.width == 0 {
            out.extend_from_slice(text);
            return;
        }
        self.pad(out, count_chars(text), |out| out.extend_from_slice(text));
    }

    fn pad(&self, out: &mut Vec<u8>, length: usize, put: impl FnOnce(&mut Vec<u8>)) {
        let blanks = self.width.saturating_sub(length);
        if !self.has(FLAG_LEFT) {
            out.resize(out.len() + blanks, b' ');
        }
        put(out);
        if self.has(FLAG_LEFT) {
            out.resize(out.len() + blanks, b' ');
        }
    }
}

/// The first digit and `after` more, correctly rounded, and the power of ten of the first.
fn decimal(magnitude: f64, after: usize) -> (Vec<u8>, i32) {
    let mut text = Vec::with_capacity(32);
    let after = after.min(MOST_DIGITS);
    let _ = write!(text, "{magnitude:.after$e}");
    let at = memchr::memchr(b'e', &text).unwrap_or(text.len());
    let exponent = text.get(at + 1..).and_then(|tail| std::str::from_utf8(tail).ok());
    let exponent = exponent.and_then(|tail| tail.parse().ok()).unwrap_or(0);
    text.truncate(at);
    if text.len() > 1 {
        text.remove(1);
    }
    (text, exponent)
}

fn push_exponent(body: &mut Vec<u8>, exponent: i32) {
    let sign = if exponent < 0 { '-' } else { '+' };
    let _ = write!(body, "e{sign}{:02}", exponent.unsigned_abs());
}

/// How many characters bytes hold; a byte that belongs to none counts as one.
pub fn count_chars(bytes: &[u8]) -> usize {
    if bytes.is_ascii() {
        return bytes.len();
    }
    bytes.utf8_chunks().map(|chunk| chunk.valid().chars().count() + chunk.invalid().len()).sum()
}

/// The first `most` characters of bytes; a byte that belongs to none counts as one.
pub fn first_chars(bytes: &[u8], most: usize) -> &[u8] {
    if bytes.len() <= most {
        return bytes;
    }
    let (mut left, mut end) = (most, 0);
    for chunk in bytes.utf8_chunks() {
        for ch in chunk.valid().chars() {
            if left == 0 {
                return bytes.get(..end).unwrap_or(bytes);
            }
            left -= 1;
            end += ch.len_utf8();
        }
        let broken = chunk.invalid().len().min(left);
        left -= broken;
        end += broken;
    }
    bytes.get(..end).unwrap_or(bytes)
}

/// Reads the longest decimal number at the start of `bytes`: its value and its length, 0 for none.
///
/// Signs, fractions and exponents are read; blanks, hexadecimal, infinities are not.
pub fn read_decimal(bytes: &[u8]) -> (f64, usize) {
    let negative = bytes.first() == Some(&b'-');
    let start = usize::from(matches!(bytes.first(), Some(b'-' | b'+')));
    let (mut at, mut mantissa, mut digits, mut scale) = (start, 0u64, 0usize, 0usize);
    let mut exact = true;
    let mut point = false;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'0'..=b'9' => {
                digits += 1;
                scale += usize::from(point);
                exact &= mantissa < 900_719_925_474_099;
                mantissa = mantissa.wrapping_mul(10).wrapping_add(u64::from(byte - b'0'));
            }
            b'.' if !point => point = true,
            _ => break,
        }
        at += 1;
    }
    if digits == 0 {
        return (0.0, 0);
    }
    let exponent = exponent_length(bytes.get(at..).unwrap_or_default());
    if exact && exponent == 0 && scale <= 22 {
        #[expect(clippy::cast_precision_loss, reason = "below 2^53")]
        let value = mantissa as f64 / POWERS.get(scale).copied().unwrap_or(1.0);
        return (if negative { -value } else { value }, at);
    }
    let end = at + exponent;
    let text = bytes.get(..end).and_then(|text| std::str::from_utf8(text).ok());
    (text.and_then(|text| text.parse().ok()).unwrap_or(0.0), end)
}

fn exponent_length(tail: &[u8]) -> usize {
    if !matches!(tail.first(), Some(b'e' | b'E')) {
        return 0;
    }
    let sign = usize::from(matches!(tail.get(1), Some(b'-' | b'+')));
    let digits = tail.iter().skip(1 + sign).take_while(|byte| byte.is_ascii_digit()).count();
    if digits == 0 { 0 } else { 1 + sign + digits }
}

/// Powers of ten that are exact in an `f64`.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

#[cfg(test)]
mod tests {
    use super::*;

    fn check(spec: &str, value: f64, expect: &str) {
        let mut conversion = Conversion::default();
        let bytes = spec.as_bytes();
        let mut at = 0;
        while let Some(bit) = flag(bytes[at]) {
            conversion.flags |= bit;
            at += 1;
        }
        let (body, letter) = spec[at..].split_at(spec.len() - at - 1);
        let (width, precision) = body.split_once('.').map_or((body, None), |(w, p)| (w, Some(p)));
        conversion.width = width.parse().unwrap_or(0);
        conversion.precision = precision.map(|p| p.parse().unwrap_or(0));
        conversion.letter = letter.as_bytes()[0];
        let mut out = Vec::new();
        match conversion.letter {
            #[expect(clippy::cast_possible_truncation, reason = "small in tests")]
            b'd' => conversion.signed(&mut out, value as i64),
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "as above")]
            b'x' | b'o' | b'u' => conversion.unsigned(&mut out, value as u64),
            _ => conversion.float(&mut out, value),
        }
        assert_eq!(String::from_utf8(out).unwrap(), expect, "%{spec} of {value}");
    }

    #[test]
    fn as_c_prints() {
        check("5d", 42.0, "   42");
        check("-5d", 42.0, "42   ");
        check("05d", -42.0, "-0042");
        check("+.4d", 42.0, "+0042");
        check(".0d", 0.0, "");
        check("#x", 255.0, "0xff");
        check("#08x", 255.0, "0x0000ff");
        check("#o", 8.0, "010");
        check("f", 3.125, "3.125000");
        check("8.3f", 2.71875, "   2.719");
        check("e", 1234.5, "1.234500e+03");
        check(".0e", 15.0, "2e+01");
        check("g", 100_000.0, "100000");
        check("g", 1_000_000.0, "1e+06");
        check("g", 0.0001, "0.0001");
        check("g", 0.000_012_5, "1.25e-05");
        check("#g", 1.5, "1.50000");
        check(".3g", 1234.5, "1.23e+03");
        check("010.2f", -1.5, "-000001.50");
        check("010f", f64::INFINITY, "       inf");
        check("a", 1.0, "0x1p+0");
        check("a", 0.1, "0x1.999999999999ap-4");
        check(".1a", 0.1, "0x1.ap-4");
        check("g", 0.0, "0");
    }

    #[test]
    fn decimals_are_read() {
        for (text, value, length) in [
            ("12abc", 12.0, 2),
            ("-1.5e3x", -1500.0, 6),
            (".5.", 0.5, 2),
            ("1e", 1.0, 1),
            ("+", 0.0, 0),
            ("123456789012345678901", 1.234_567_890_123_456_8e20, 21),
            ("0.1", 0.1, 3),
        ] {
            assert_eq!(read_decimal(text.as_bytes()), (value, length), "{text}");
        }
    }
}
