//! Whole numbers of any length, without a sign: groups of nine digits, the lowest first.

use std::cmp::Ordering;

/// What a group counts up to.
const BASE: u64 = 1_000_000_000;

/// Digits in a group.
const DIGITS: usize = 9;

/// A number; no group at the end is 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Big(Vec<u32>);

fn low(number: u64) -> u32 {
    u32::try_from(number % BASE).unwrap_or(0)
}

impl Big {
    pub(super) fn from_u64(mut number: u64) -> Self {
        let mut groups = Vec::new();
        while number > 0 {
            groups.push(low(number));
            number /= BASE;
        }
        Self(groups)
    }

    /// Decimal digits as a number.
    pub(super) fn from_digits(digits: &[u8]) -> Self {
        let group = |chunk: &[u8]| {
            chunk.iter().fold(0, |number, digit| number * 10 + u32::from(digit.wrapping_sub(b'0')))
        };
        Self(digits.rchunks(DIGITS).map(group).collect()).trimmed()
    }

    fn trimmed(mut self) -> Self {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
        self
    }

    pub(super) fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// How many groups there are: what work on it costs.
    pub(super) fn size(&self) -> usize {
        self.0.len()
    }

    /// The number, where it is small enough.
    pub(super) fn to_u64(&self) -> Option<u64> {
        self.0.iter().rev().try_fold(0u64, |number, group| {
            number.checked_mul(BASE)?.checked_add(u64::from(*group))
        })
    }

    /// Its decimal digits; none for 0.
    pub(super) fn digits(&self) -> String {
        let mut text = String::with_capacity(self.0.len() * DIGITS);
        for (index, group) in self.0.iter().rev().enumerate() {
            if index == 0 {
                text.push_str(&group.to_string());
            } else {
                text.push_str(&format!("{group:09}"));
            }
        }
        text
    }

    fn group(&self, index: usize) -> u64 {
        u64::from(self.0.get(index).copied().unwrap_or(0))
    }

    pub(super) fn add(&self, other: &Self) -> Self {
        let mut groups = Vec::with_capacity(self.size().max(other.size()) + 1);
        let mut carry = 0;
        for index in 0..self.size().max(other.size()) {
            let sum = self.group(index) + other.group(index) + carry;
            groups.push(low(sum));
            carry = sum / BASE;
        }
        groups.push(low(carry));
        Self(groups).trimmed()
    }

    /// The difference; `other` must not be larger.
    pub(super) fn sub(&self, other: &Self) -> Self {
        let mut groups = Vec::with_capacity(self.size());
        let mut borrow = 0;
        for index in 0..self.size() {
            let rest = self.group(index) + BASE - other.group(index) - borrow;
            groups.push(low(rest));
            borrow = u64::from(rest < BASE);
        }
        Self(groups).trimmed()
    }

    pub(super) fn mul(&self, other: &Self) -> Self {
        let mut groups = vec![0u32; self.size() + other.size() + 1];
        for (at, left) in self.0.iter().enumerate() {
            let mut carry = 0;
            let Some(row) = groups.get_mut(at..) else { break };
            let mut slots = row.iter_mut();
            // In this order, or the pairing would swallow the slot after the last pair.
            for (right, slot) in other.0.iter().zip(slots.by_ref()) {
                let sum = u64::from(*slot) + u64::from(*left) * u64::from(*right) + carry;
                *slot = low(sum);
                carry = sum / BASE;
            }
            for slot in slots {
                if carry == 0 {
                    break;
                }
                let sum = u64::from(*slot) + carry;
                *slot = low(sum);
                carry = sum / BASE;
            }
        }
        Self(groups).trimmed()
    }

    /// Divides by a number below the base; the quotient and the rest.
    pub(super) fn div_small(&self, divisor: u32) -> (Self, u32) {
        let divisor = u64::from(divisor.max(1));
        let mut groups = self.0.clone();
        let mut rest = 0;
        for group in groups.iter_mut().rev() {
            let number = rest * BASE + u64::from(*group);
            *group = low(number / divisor);
            rest = number % divisor;
        }
        (Self(groups).trimmed(), low(rest))
    }

    /// Quotient and rest; by 0 it is 0.
    pub(super) fn div(&self, divisor: &Self) -> (Self, Self) {
        if self.cmp(divisor).is_lt() || divisor.is_zero() {
            return (Self::default(), self.clone());
        }
        if let [only] = divisor.0.as_slice() {
            let (quotient, rest) = self.div_small(*only);
            return (quotient, Self::from_u64(u64::from(rest)));
        }
        // Long division. Scaled so that the divisor's first group is large, a guess by the first
        // groups is at most two too high.
        let first = divisor.group(divisor.size() - 1);
        let scale = Self::from_u64(BASE / (first + 1));
        let (mut rest, divisor) = (self.mul(&scale), divisor.mul(&scale));
        let size = divisor.size();
        let first = divisor.group(size - 1);
        let second = divisor.group(size - 2);
        rest.0.push(0);
        let steps = rest.size() - size;
        let mut quotient = vec![0u32; steps];
        for at in (0..steps).rev() {
            let top = rest.group(at + size) * BASE + rest.group(at + size - 1);
            let mut guess = (top / first).min(BASE - 1);
            let mut left = top - guess * first;
            while left < BASE && guess * second > left * BASE + rest.group(at + size - 2) {
                guess -= 1;
                left += first;
            }
            if rest.take(&divisor, guess, at) {
                guess -= 1;
                rest.give_back(&divisor, at);
            }
            if let Some(slot) = quotient.get_mut(at) {
                *slot = low(guess);
            }
        }
        let scale = u32::try_from(scale.group(0)).unwrap_or(1);
        (Self(quotient).trimmed(), rest.trimmed().div_small(scale).0)
    }

    /// Subtracts `factor` times the divisor at a place; whether that went below 0.
    fn take(&mut self, divisor: &Self, factor: u64, at: usize) -> bool {
        let mut borrow = 0;
        for index in 0..=divisor.size() {
            let product = divisor.group(index) * factor + borrow;
            let Some(slot) = self.0.get_mut(at + index) else { break };
            let (group, part) = (u64::from(*slot), product % BASE);
            borrow = product / BASE + u64::from(group < part);
            *slot = low(group + BASE - part);
        }
        borrow > 0
    }

    fn give_back(&mut self, divisor: &Self, at: usize) {
        let mut carry = 0;
        for index in 0..=divisor.size() {
            let Some(slot) = self.0.get_mut(at + index) else { break };
            let sum = u64::from(*slot) + divisor.group(index) + carry;
            *slot = low(sum);
            carry = sum / BASE;
        }
    }

    /// Ten to a power.
    pub(super) fn power_of_ten(power: usize) -> Self {
        let mut groups = vec![0; power / DIGITS];
        groups.push(10u32.pow(u32::try_from(power % DIGITS).unwrap_or(0)));
        Self(groups)
    }

    /// With zeros put behind it.
    pub(super) fn shifted_up(&self, digits: usize) -> Self {
        if digits == 0 || self.is_zero() {
            self.clone()
        } else {
            self.mul(&Self::power_of_ten(digits))
        }
    }

    /// Without its last digits.
    pub(super) fn shifted_down(&self, digits: usize) -> Self {
        let whole = self.0.get(digits / DIGITS..).unwrap_or_default().to_vec();
        let power = 10u32.pow(u32::try_from(digits % DIGITS).unwrap_or(0));
        Self(whole).div_small(power).0
    }

    /// The largest number whose square is not larger.
    pub(super) fn root(&self) -> Self {
        if self.is_zero() {
            return Self::default();
        }
        // From above, each step comes nearer, until one does not.
        let mut root = Self::power_of_ten(self.digits().len().div_ceil(2));
        loop {
            let next = root.add(&self.div(&root).0).div_small(2).0;
            if next.cmp(&root).is_ge() {
                return root;
            }
            root = next;
        }
    }
}

impl Ord for Big {
    fn cmp(&self, other: &Self) -> Ordering {
        let length = self.size().cmp(&other.size());
        length.then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }
}

impl PartialOrd for Big {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
