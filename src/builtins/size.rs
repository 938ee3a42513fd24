//! A count with GNU's multiplier suffix in, the number out.

/// Reads digits and a suffix: `b` 512, `kB` 1000, `K` and `KiB` 1024, and so on up to `E`.
///
/// Numbers beyond 64 bits saturate; `None` where it is no count.
pub(super) fn parse_size(text: &str) -> Option<u64> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, suffix) = text.split_at_checked(digits)?;
    if number.is_empty() && suffix.is_empty() {
        return None;
    }
    let count = number
        .bytes()
        .fold(0u64, |n, digit| n.saturating_mul(10).saturating_add(u64::from(digit - b'0')));
    let count = if number.is_empty() { 1 } else { count };
    Some(count.saturating_mul(multiplier(suffix)?))
}

fn multiplier(suffix: &str) -> Option<u64> {
    let mut letters = suffix.chars();
    let power = match letters.next() {
        None => return Some(1),
        Some('b') if suffix == "b" => return Some(512),
        Some('k' | 'K') => 1,
        Some('m' | 'M') => 2,
        Some('g' | 'G') => 3,
        Some('t' | 'T') => 4,
        Some('P') => 5,
        Some('E') => 6,
        _ => return None,
    };
    let base: u64 = match letters.as_str() {
        "" | "iB" => 1024,
        "B" => 1000,
        _ => return None,
    };
    base.checked_pow(power)
}
