//! Two version-like names in, their order out: `v1.9` before `v1.10`.

use std::cmp::Ordering;

/// Compares as GNU's version sort: digits as numbers, `~` before the end, letters before the rest;
/// suffixes such as `.tar.gz` count only where the rest is equal.
pub(super) fn compare_versions(a: &[u8], b: &[u8]) -> Ordering {
    if a == b {
        return Ordering::Equal;
    }
    rank(a).cmp(&rank(b)).then_with(|| {
        let (a, b) = match (a, b) {
            ([b'.', a @ ..], [b'.', b @ ..]) => (a, b),
            _ => (a, b),
        };
        let (short_a, short_b) = (without_suffix(a), without_suffix(b));
        parts(short_a, short_b).then_with(|| parts(a, b))
    })
}

/// Nothing, `.`, `..` and hidden names come first.
fn rank(name: &[u8]) -> u8 {
    match name {
        [] => 0,
        b"." => 1,
        b".." => 2,
        [b'.', ..] => 3,
        _ => 4,
    }
}

/// A name without what matches `(\.[A-Za-z~][A-Za-z0-9~]*)*` at its end.
fn without_suffix(name: &[u8]) -> &[u8] {
    let mut end = name.len();
    while let Some(head) = name.get(..end)
        && let Some(dot) = memchr::memrchr(b'.', head)
        && let Some([first, rest @ ..]) = head.get(dot + 1..)
        && (first.is_ascii_alphabetic() || *first == b'~')
        && rest.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'~')
        && dot > 0
    {
        end = dot;
    }
    name.get(..end).unwrap_or(name)
}

fn parts(mut a: &[u8], mut b: &[u8]) -> Ordering {
    while !a.is_empty() || !b.is_empty() {
        let is_text = |s: &[u8]| s.first().is_some_and(|byte| !byte.is_ascii_digit());
        while is_text(a) || is_text(b) {
            let order = order(a.first()).cmp(&order(b.first()));
            if order.is_ne() {
                return order;
            }
            a = a.get(1..).unwrap_or_default();
            b = b.get(1..).unwrap_or_default();
        }
        let (number_a, rest_a) = leading_number(a);
        let (number_b, rest_b) = leading_number(b);
        let order = number_a.len().cmp(&number_b.len()).then_with(|| number_a.cmp(number_b));
        if order.is_ne() {
            return order;
        }
        (a, b) = (rest_a, rest_b);
    }
    Ordering::Equal
}

fn order(byte: Option<&u8>) -> i32 {
    match byte {
        Some(b'~') => -2,
        None => -1,
        Some(byte) if byte.is_ascii_digit() => 0,
        Some(byte) if byte.is_ascii_alphabetic() => i32::from(*byte),
        Some(byte) => i32::from(*byte) + 256,
    }
}

/// The digits at the start without leading zeros, and what follows them.
fn leading_number(text: &[u8]) -> (&[u8], &[u8]) {
    let end = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (digits, rest) = text.split_at_checked(end).unwrap_or((text, &[]));
    let zeros = digits.iter().take_while(|byte| **byte == b'0').count();
    (digits.get(zeros..).unwrap_or_default(), rest)
}
