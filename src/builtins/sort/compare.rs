//! Two entries in, their order out.

use std::cmp::Ordering;
use std::hash::Hasher;

use super::keys::{Key, Kind, Order, is_blank};
use super::options::Options;
use super::runs::Entry;
use crate::builtins::version::compare_versions;
use crate::value::read_decimal;

/// Compares lines of a text by the keys of a call.
pub(super) struct Comparer<'a> {
    options: &'a Options,
    /// All lines, each ended.
    pub(super) text: &'a [u8],
    pub(super) unique: bool,
    first: Key,
    rest: &'a [Key],
}

impl<'a> Comparer<'a> {
    /// A comparer of the lines of `text`.
    pub(super) fn new(options: &'a Options, text: &'a [u8]) -> Self {
        let (first, rest) = match options.keys.split_first() {
            Some((first, rest)) => (*first, rest),
            None => (Key::whole_line(Order::default()), &[] as &[Key]),
        };
        Self { options, text, unique: options.unique, first, rest }
    }

    /// What ends a line.
    pub(super) fn line_end(&self) -> u8 {
        self.options.line_end
    }

    /// The entry of the line between two offsets.
    pub(super) fn entry(&self, start: usize, end: usize) -> Entry {
        let line = self.text.get(start..end).unwrap_or_default();
        let (key_start, key_end) = self.first.find(line, self.options.separator);
        let key = line.get(key_start..key_end).unwrap_or_default();
        let small = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Entry {
            rank: self.rank(key),
            start: small(start),
            end: small(end),
            key_start: small(start + key_start),
            key_end: small(start + key_end),
        }
    }

    /// The line of an entry without its end.
    pub(super) fn line(&self, entry: &Entry) -> &'a [u8] {
        self.text.get(entry.start as usize..entry.end as usize).unwrap_or_default()
    }

    fn rank(&self, key: &[u8]) -> u64 {
        let order = self.first.order;
        match order.kind {
            Kind::Text if order.dictionary || order.printing => prefix(kept(key, order)),
            Kind::Text if order.fold => prefix(key.iter().map(u8::to_ascii_uppercase)),
            Kind::Text => match key.first_chunk() {
                Some(head) => u64::from_be_bytes(*head),
                None => prefix(key.iter().copied()),
            },
            Kind::Numeric => ordered(Some(approximate(key))),
            Kind::General => ordered(general(key)),
            Kind::Month => u64::from(month(key)),
            Kind::Random => self.hash(key),
            Kind::Human | Kind::Version => 0,
        }
    }

    /// Compares by all keys and, unless told otherwise, by whole lines at last.
    pub(super) fn compare(&self, a: &Entry, b: &Entry) -> Ordering {
        let order = self.compare_keys(a, b);
        if order.is_ne() || self.options.stable {
            return order;
        }
        let order = self.line(a).cmp(self.line(b));
        if self.options.reverse { order.reverse() } else { order }
    }

    /// Compares by the keys alone.
    pub(super) fn compare_keys(&self, a: &Entry, b: &Entry) -> Ordering {
        let order = a.rank.cmp(&b.rank).then_with(|| {
            let key = |entry: &Entry| {
                self.text.get(entry.key_start as usize..entry.key_end as usize).unwrap_or_default()
            };
            self.compare_key(key(a), key(b), self.first.order)
        });
        if order.is_ne() {
            return if self.first.order.reverse { order.reverse() } else { order };
        }
        for key in self.rest {
            let (line_a, line_b) = (self.line(a), self.line(b));
            let (start, end) = key.find(line_a, self.options.separator);
            let key_a = line_a.get(start..end).unwrap_or_default();
            let (start, end) = key.find(line_b, self.options.separator);
            let key_b = line_b.get(start..end).unwrap_or_default();
            let order = self.compare_key(key_a, key_b, key.order);
            if order.is_ne() {
                return if key.order.reverse { order.reverse() } else { order };
            }
        }
        Ordering::Equal
    }

    fn compare_key(&self, a: &[u8], b: &[u8], order: Order) -> Ordering {
        match order.kind {
            Kind::Text if order.translates() => kept(a, order).cmp(kept(b, order)),
            Kind::Text => a.cmp(b),
            Kind::Numeric => Decimal::read(a).compare(&Decimal::read(b)),
            Kind::General => ordered(general(a)).cmp(&ordered(general(b))),
            Kind::Human => {
                human(a).cmp(&human(b)).then_with(|| Decimal::read(a).compare(&Decimal::read(b)))
            }
            Kind::Month => month(a).cmp(&month(b)),
            Kind::Version if order.translates() => {
                let (a, b): (Vec<u8>, Vec<u8>) =
                    (kept(a, order).collect(), kept(b, order).collect());
                compare_versions(&a, &b)
            }
            Kind::Version => compare_versions(a, b),
            Kind::Random => self.hash(a).cmp(&self.hash(b)).then_with(|| a.cmp(b)),
        }
    }

    fn hash(&self, key: &[u8]) -> u64 {
        let mut hasher = rustc_hash::FxHasher::default();
        hasher.write_u64(self.options.seed);
        hasher.write(key);
        let mut hash = hasher.finish() ^ self.options.seed;
        hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        hash ^ (hash >> 31)
    }
}

/// The first eight bytes as a number.
fn prefix(bytes: impl Iterator<Item = u8>) -> u64 {
    let mut head = [0; 8];
    for (slot, byte) in head.iter_mut().zip(bytes) {
        *slot = byte;
    }
    u64::from_be_bytes(head)
}

/// The bytes that count under `-d`, `-i` and `-f`.
fn kept(key: &[u8], order: Order) -> impl Iterator<Item = u8> {
    key.iter()
        .copied()
        .filter(move |byte| {
            (!order.dictionary || byte.is_ascii_alphanumeric() || is_blank(*byte))
                && (!order.printing || (32..127).contains(byte))
        })
        .map(move |byte| if order.fold { byte.to_ascii_uppercase() } else { byte })
}

/// A bit pattern that orders as the numbers do; what is no number comes first, NaN after it.
fn ordered(value: Option<f64>) -> u64 {
    match value {
        None => 0,
        Some(value) if value.is_nan() => 1,
        Some(value) => {
            let bits = (value + 0.0).to_bits();
            if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
        }
    }
}

/// The nearest float of a decimal number without exponent.
fn approximate(key: &[u8]) -> f64 {
    let blanks = key.iter().take_while(|byte| is_blank(**byte)).count();
    let text = key.get(blanks..).unwrap_or_default();
    let sign = usize::from(text.first() == Some(&b'-'));
    let body = text.get(sign..).unwrap_or_default();
    let length = body.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let length = match body.get(length) {
        Some(b'.') => {
            let rest = body.get(length + 1..).unwrap_or_default();
            length + 1 + rest.iter().take_while(|byte| byte.is_ascii_digit()).count()
        }
        _ => length,
    };
    let value = read_decimal(body.get(..length).unwrap_or_default()).0;
    if sign == 1 { -value } else { value }
}

fn general(key: &[u8]) -> Option<f64> {
    let blanks = key.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let text = key.get(blanks..).unwrap_or_default();
    let sign = usize::from(matches!(text.first(), Some(b'-' | b'+')));
    let word = text.get(sign..sign + 3).unwrap_or_default();
    let value = if word.eq_ignore_ascii_case(b"inf") {
        f64::INFINITY
    } else if word.eq_ignore_ascii_case(b"nan") {
        f64::NAN
    } else {
        let (value, length) = read_decimal(text);
        return (length > 0).then_some(value);
    };
    Some(if text.first() == Some(&b'-') { -value } else { value })
}

/// A decimal number of any length, by its digits.
struct Decimal<'a> {
    negative: bool,
    /// Without leading zeros.
    whole: &'a [u8],
    /// Without trailing zeros.
    fraction: &'a [u8],
}

impl<'a> Decimal<'a> {
    fn read(key: &'a [u8]) -> Self {
        let blanks = key.iter().take_while(|byte| is_blank(**byte)).count();
        let text = key.get(blanks..).unwrap_or_default();
        let negative = text.first() == Some(&b'-');
        let text = text.get(usize::from(negative)..).unwrap_or_default();
        let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (whole, rest) = text.split_at_checked(digits).unwrap_or((text, &[]));
        let zeros = whole.iter().take_while(|byte| **byte == b'0').count();
        let fraction = match rest.split_first() {
            Some((b'.', rest)) => {
                let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
                let digits = rest.get(..digits).unwrap_or_default();
                let zeros = digits.iter().rev().take_while(|byte| **byte == b'0').count();
                digits.get(..digits.len() - zeros).unwrap_or_default()
            }
            _ => &[],
        };
        Self { negative, whole: whole.get(zeros..).unwrap_or_default(), fraction }
    }

    fn is_zero(&self) -> bool {
        self.whole.is_empty() && self.fraction.is_empty()
    }

    fn compare(&self, other: &Self) -> Ordering {
        let negative = self.negative && !self.is_zero();
        let other_negative = other.negative && !other.is_zero();
        let magnitude = self
            .whole
            .len()
            .cmp(&other.whole.len())
            .then_with(|| self.whole.cmp(other.whole))
            .then_with(|| self.fraction.cmp(other.fraction));
        match (negative, other_negative) {
            (false, false) => magnitude,
            (true, true) => magnitude.reverse(),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
        }
    }
}

/// The power of a size's suffix, negative for negative sizes.
fn human(key: &[u8]) -> i8 {
    let number = Decimal::read(key);
    if number.is_zero() {
        return 0;
    }
    let digits = key.iter().position(|byte| byte.is_ascii_digit() || *byte == b'.').unwrap_or(0);
    let rest = key.get(digits..).unwrap_or_default();
    let mut letters = rest.iter().skip_while(|byte| byte.is_ascii_digit() || **byte == b'.');
    let power = match letters.next() {
        Some(b'k' | b'K') => 1,
        Some(letter) => b"MGTPEZYRQ"
            .iter()
            .position(|known| known == letter)
            .map_or(0, |at| i8::try_from(at).unwrap_or(0) + 2),
        None => 0,
    };
    if number.negative { -power } else { power }
}

/// The number of a month by the first three letters; 0 for anything else.
fn month(key: &[u8]) -> u8 {
    let blanks = key.iter().take_while(|byte| is_blank(**byte)).count();
    let Some(name) = key.get(blanks..blanks + 3) else { return 0 };
    let months = b"JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC";
    let found = months.chunks(3).position(|month| name.eq_ignore_ascii_case(month));
    found.and_then(|at| u8::try_from(at + 1).ok()).unwrap_or(0)
}
