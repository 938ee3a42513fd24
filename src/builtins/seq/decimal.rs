//! Decimal numbers, exact: text to digits and a scale, and back.

/// `digits` / 10^`scale`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Decimal {
    /// All digits as one whole number.
    pub(super) digits: i128,
    /// How many of them stand after the point.
    pub(super) scale: u32,
}

impl Decimal {
    /// Reads `12`, `-1.50`, `.5`, `1e3`, `inf`; an infinity is the largest number that fits.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let text = text.trim_start();
        let (negative, rest) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let sign = |digits: i128| if negative { -digits } else { digits };
        if rest.eq_ignore_ascii_case("inf") || rest.eq_ignore_ascii_case("infinity") {
            return Some(Self { digits: sign(i128::MAX), scale: 0 });
        }
        if let Some(hex) = rest.strip_prefix("0x").or_else(|| rest.strip_prefix("0X")) {
            let digits =
                i128::from_str_radix(hex, 16).ok().filter(|_| !hex.starts_with(['+', '-']));
            return Some(Self { digits: sign(digits?), scale: 0 });
        }
        let (mantissa, exponent) = match rest.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
            None => (rest, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        if whole.is_empty() && fraction.is_empty() {
            return None;
        }
        let mut digits = 0i128;
        for byte in whole.bytes().chain(fraction.bytes()) {
            let digit = char::from(byte).to_digit(10)?;
            digits = digits.checked_mul(10)?.checked_add(i128::from(digit))?;
        }
        let scale = i32::try_from(fraction.len()).ok()?.checked_sub(exponent)?;
        if scale >= 0 {
            return Some(Self { digits: sign(digits), scale: u32::try_from(scale).ok()? });
        }
        let factor = 10i128.checked_pow(scale.unsigned_abs())?;
        Some(Self { digits: sign(digits.checked_mul(factor)?), scale: 0 })
    }

    /// The digits this number has at a larger scale; `None` where they don't fit.
    pub(super) fn scaled(self, scale: u32) -> Option<i128> {
        if self.digits.unsigned_abs() == i128::MAX.unsigned_abs() {
            return Some(self.digits);
        }
        self.digits.checked_mul(10i128.checked_pow(scale.checked_sub(self.scale)?)?)
    }

    /// The nearest float.
    pub(super) fn to_f64(self) -> f64 {
        let mut text = Vec::new();
        self.push(&mut text, self.scale as usize, 0);
        String::from_utf8_lossy(&text).parse().unwrap_or(0.0)
    }

    /// Characters it takes with `precision` digits after the point.
    pub(super) fn width(self, precision: usize) -> usize {
        let mut text = Vec::new();
        self.push(&mut text, precision, 0);
        text.len()
    }

    /// Appends it with `precision` digits after the point (further ones are cut, not rounded),
    /// filled up with zeros after the sign to `width` characters.
    pub(super) fn push(self, out: &mut Vec<u8>, precision: usize, width: usize) {
        let mut buffer = [0; 40];
        let spelled = spell(self.digits.unsigned_abs(), &mut buffer);
        let scale = self.scale as usize;
        let point = spelled.len().saturating_sub(scale);
        let (whole, fraction) = spelled.split_at_checked(point).unwrap_or((spelled, b""));
        let sign: &[u8] = if self.digits < 0 { b"-" } else { b"" };
        let whole = if whole.is_empty() { b"0" } else { whole };
        let after = if precision == 0 { 0 } else { precision + 1 };
        let missing = width.saturating_sub(sign.len() + whole.len() + after);
        out.extend_from_slice(sign);
        push_zeros(out, missing);
        out.extend_from_slice(whole);
        if precision == 0 {
            return;
        }
        out.push(b'.');
        let leading = scale.saturating_sub(spelled.len()).min(precision);
        push_zeros(out, leading);
        let shown = fraction.get(..precision - leading).unwrap_or(fraction);
        out.extend_from_slice(shown);
        push_zeros(out, precision - leading - shown.len());
    }
}

fn push_zeros(out: &mut Vec<u8>, count: usize) {
    out.resize(out.len() + count, b'0');
}

/// The decimal digits of a number; 64-bit arithmetic where that is enough, for it is much faster.
fn spell(number: u128, buffer: &mut [u8; 40]) -> &[u8] {
    let mut at = buffer.len();
    let mut wide = number;
    let mut put = |at: &mut usize, digit: u64| {
        *at -= 1;
        if let Some(slot) = buffer.get_mut(*at) {
            *slot = b'0' + u8::try_from(digit).unwrap_or(0);
        }
    };
    while u64::try_from(wide).is_err() {
        put(&mut at, u64::try_from(wide % 10).unwrap_or(0));
        wide /= 10;
    }
    let mut narrow = u64::try_from(wide).unwrap_or(0);
    loop {
        put(&mut at, narrow % 10);
        narrow /= 10;
        if narrow == 0 {
            break;
        }
    }
    buffer.get(at..).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, precision: usize, width: usize, expect: &str) {
        let mut out = Vec::new();
        match Decimal::parse(text) {
            Some(decimal) => decimal.push(&mut out, precision, width),
            None => out.extend_from_slice(b"invalid"),
        }
        assert_eq!(String::from_utf8_lossy(&out), expect, "{text}");
    }

    #[test]
    fn decimals() {
        check("12", 0, 0, "12");
        check("-1.5", 2, 0, "-1.50");
        check(".05", 2, 6, "000.05");
        check("0.005", 2, 0, "0.00");
        check("-7", 1, 6, "-007.0");
        check("1e3", 0, 0, "1000");
        check("1.5e1", 1, 0, "15.0");
        check("0x10", 0, 0, "16");
        for bad in ["", "-", ".", "1x", "1e", "--1"] {
            check(bad, 0, 0, "invalid");
        }
    }
}
