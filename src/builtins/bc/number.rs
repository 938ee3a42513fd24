//! Decimal numbers with a scale: exact sums, and quotients cut off after as many digits as asked.

use std::cmp::Ordering;

use super::big::Big;

/// Most digits a number may have.
pub(super) const MOST_DIGITS: usize = 100_000;

/// A number: `magnitude` with its last `scale` digits behind the point.
#[derive(Clone, Debug, Default)]
pub(super) struct Number {
    negative: bool,
    magnitude: Big,
    scale: usize,
}

impl Number {
    fn new(negative: bool, magnitude: Big, scale: usize) -> Self {
        Self { negative: negative && !magnitude.is_zero(), magnitude, scale }
    }

    pub(super) fn from_u64(number: u64) -> Self {
        Self::new(false, Big::from_u64(number), 0)
    }

    /// 1 for true, 0 for false.
    pub(super) fn truth(value: bool) -> Self {
        Self::from_u64(u64::from(value))
    }

    /// Digits, `A` to `F` among them, with a point or without, in a base.
    pub(super) fn parse(text: &str, base: u64) -> Self {
        let value = |digit: u8, most: u64| match digit {
            b'0'..=b'9' => u64::from(digit - b'0').min(most),
            b'A'..=b'F' => u64::from(digit - b'A' + 10).min(most),
            _ => 0,
        };
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        // A single digit is what it is in any base; in longer ones, none goes beyond the base.
        let most = if text.len() == 1 { 15 } else { base - 1 };
        if base == 10 && most == 9 {
            let digits: Vec<u8> = text
                .bytes()
                .filter(|b| *b != b'.')
                .map(|b| if b > b'9' { b'9' } else { b })
                .collect();
            return Self::new(false, Big::from_digits(&digits), fraction.len());
        }
        let big_base = Big::from_u64(base);
        let add =
            |number: Big, digit: u8| number.mul(&big_base).add(&Big::from_u64(value(digit, most)));
        let whole = whole.bytes().fold(Big::default(), add);
        let mut number = Self::new(false, whole, 0);
        if !fraction.is_empty() {
            let digits = fraction.bytes().fold(Big::default(), add);
            let unit = fraction.bytes().fold(Big::from_u64(1), |unit, _| unit.mul(&big_base));
            let part = Self::new(false, digits, 0).div(&Self::new(false, unit, 0), fraction.len());
            number = number.add(&part.unwrap_or_default());
        }
        number
    }

    pub(super) fn is_zero(&self) -> bool {
        self.magnitude.is_zero()
    }

    pub(super) fn is_negative(&self) -> bool {
        self.negative
    }

    pub(super) fn scale(&self) -> usize {
        self.scale
    }

    /// What work on it costs.
    pub(super) fn size(&self) -> usize {
        self.magnitude.size()
    }

    /// Digits in all.
    pub(super) fn length(&self) -> usize {
        self.magnitude.digits().len().max(self.scale).max(1)
    }

    pub(super) fn negated(&self) -> Self {
        Self::new(!self.negative, self.magnitude.clone(), self.scale)
    }

    /// With exactly so many digits behind the point; what is too much is cut off.
    pub(super) fn with_scale(&self, scale: usize) -> Self {
        let magnitude = if scale >= self.scale {
            self.magnitude.shifted_up(scale - self.scale)
        } else {
            self.magnitude.shifted_down(self.scale - scale)
        };
        Self::new(self.negative, magnitude, scale)
    }

    /// The whole part as a machine number; `None` where it is negative or too large.
    pub(super) fn to_u64(&self) -> Option<u64> {
        let whole = self.with_scale(0);
        whole.magnitude.to_u64().filter(|_| !whole.negative)
    }

    pub(super) fn compare(&self, other: &Self) -> Ordering {
        match (self.negative, other.negative) {
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
            (negative, _) => {
                let scale = self.scale.max(other.scale);
                let (a, b) = (self.with_scale(scale), other.with_scale(scale));
                let order = a.magnitude.cmp(&b.magnitude);
                if negative { order.reverse() } else { order }
            }
        }
    }

    pub(super) fn add(&self, other: &Self) -> Self {
        let scale = self.scale.max(other.scale);
        let (a, b) = (self.with_scale(scale), other.with_scale(scale));
        if a.negative == b.negative {
            return Self::new(a.negative, a.magnitude.add(&b.magnitude), scale);
        }
        if a.magnitude.cmp(&b.magnitude).is_ge() {
            Self::new(a.negative, a.magnitude.sub(&b.magnitude), scale)
        } else {
            Self::new(b.negative, b.magnitude.sub(&a.magnitude), scale)
        }
    }

    pub(super) fn sub(&self, other: &Self) -> Self {
        self.add(&other.negated())
    }

    /// The product, with at most the digits that `scale` and the factors have.
    pub(super) fn mul(&self, other: &Self, scale: usize) -> Self {
        let full = self.scale + other.scale;
        let wanted = full.min(scale.max(self.scale).max(other.scale));
        let product = self.magnitude.mul(&other.magnitude);
        Self::new(self.negative != other.negative, product, full).with_scale(wanted)
    }

    /// The quotient to `scale` digits; `None` by 0.
    pub(super) fn div(&self, other: &Self, scale: usize) -> Option<Self> {
        if other.is_zero() {
            return None;
        }
        let up = (scale + other.scale).saturating_sub(self.scale);
        let down = self.scale.saturating_sub(scale + other.scale);
        let quotient = self.magnitude.shifted_up(up).div(&other.magnitude).0.shifted_down(down);
        Some(Self::new(self.negative != other.negative, quotient, scale))
    }

    /// What is left of a division to `scale` digits; `None` by 0.
    pub(super) fn rem(&self, other: &Self, scale: usize) -> Option<Self> {
        let quotient = self.div(other, scale)?;
        let full = self.scale.max(scale + other.scale);
        let product = quotient.mul(other, full);
        Some(self.sub(&product).with_scale(full))
    }

    /// A whole power; `None` where it would be too long, or 0 is to be divided by.
    pub(super) fn power(&self, exponent: &Self, scale: usize) -> Option<Self> {
        let whole = exponent.with_scale(0);
        let times = whole.magnitude.to_u64()?;
        let times = usize::try_from(times).ok()?;
        let digits = if self.size() <= 1 && self.magnitude.to_u64() == Some(1) {
            self.scale.saturating_mul(times)
        } else {
            self.magnitude.digits().len().saturating_mul(times)
        };
        if !self.is_zero() && digits > 2 * MOST_DIGITS {
            return None;
        }
        let wanted = self.scale.saturating_mul(times).min(scale.max(self.scale));
        let (mut result, mut square, mut rest) = (Big::from_u64(1), self.magnitude.clone(), times);
        while rest > 0 && !(square.is_zero() && rest != times) {
            if rest & 1 == 1 {
                result = result.mul(&square);
            }
            rest >>= 1;
            if rest > 0 {
                square = square.mul(&square);
            }
        }
        let full = self.scale.saturating_mul(times);
        let result = Self::new(self.negative && times & 1 == 1, result, full);
        if whole.negative {
            return Self::from_u64(1).div(&result, scale);
        }
        Some(result.with_scale(wanted))
    }

    /// The square root; `None` of what is negative.
    pub(super) fn root(&self, scale: usize) -> Option<Self> {
        if self.negative {
            return None;
        }
        let scale = scale.max(self.scale);
        Some(Self::new(false, self.with_scale(2 * scale).magnitude.root(), scale))
    }

    /// Its digits in a base; those beyond 16 as groups of decimal digits.
    pub(super) fn text(&self, base: u64) -> String {
        if self.is_zero() {
            return "0".into();
        }
        let sign = if self.negative { "-" } else { "" };
        if base == 10 {
            let digits = self.magnitude.digits();
            let digits = format!("{digits:0>width$}", width = self.scale);
            let (whole, fraction) =
                digits.split_at_checked(digits.len() - self.scale).unwrap_or_default();
            let point = if self.scale > 0 { "." } else { "" };
            return format!("{sign}{whole}{point}{fraction}");
        }
        let mut text = self.whole_in(base);
        if self.scale > 0 {
            text.push('.');
            self.fraction_in(base, &mut text);
        }
        format!("{sign}{text}")
    }

    fn whole_in(&self, base: u64) -> String {
        let mut digits = Vec::new();
        let divisor = u32::try_from(base).unwrap_or(10);
        let mut rest = self.with_scale(0).magnitude;
        while !rest.is_zero() {
            let (quotient, digit) = rest.div_small(divisor);
            digits.push(digit);
            rest = quotient;
        }
        let mut text = String::new();
        for digit in digits.into_iter().rev() {
            push_digit(&mut text, digit, base, false);
        }
        text
    }

    fn fraction_in(&self, base: u64, text: &mut String) {
        let whole = self.with_scale(0).with_scale(self.scale);
        let mut rest = self.magnitude.sub(&whole.magnitude);
        let big_base = Big::from_u64(base);
        let mut unit = Big::from_u64(1);
        let mut is_first = true;
        // Digits come until they say as much as the decimal ones did.
        while unit.digits().len() <= self.scale {
            rest = rest.mul(&big_base);
            let digit = rest.shifted_down(self.scale);
            rest = rest.sub(&digit.shifted_up(self.scale));
            let digit = digit.to_u64().and_then(|digit| u32::try_from(digit).ok()).unwrap_or(0);
            push_digit(text, digit, base, is_first);
            unit = unit.mul(&big_base);
            is_first = false;
        }
    }
}

fn push_digit(text: &mut String, digit: u32, base: u64, is_first: bool) {
    if base <= 16 {
        text.extend(char::from_digit(digit, 16).map(|c| c.to_ascii_uppercase()));
        return;
    }
    if !is_first {
        text.push(' ');
    }
    let width = (base - 1).to_string().len();
    text.push_str(&format!("{digit:0width$}"));
}
