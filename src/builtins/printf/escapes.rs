//! Backslash escapes of a format and of `%b` arguments in, bytes out.

/// Where an escape stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// In the format: `\NNN`, no `\c`.
    Format,
    /// In an argument of `%b`: `\0NNN` too.
    Argument,
}

/// The argument of `%b` with its escapes replaced, and whether `\c` ended all output.
pub(super) fn expand(text: &[u8]) -> (Vec<u8>, bool) {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = memchr::memchr(b'\\', rest) {
        let (plain, tail) = rest.split_at_checked(at).unwrap_or((rest, &[]));
        out.extend_from_slice(plain);
        let after = tail.get(1..).unwrap_or_default();
        if after.first() == Some(&b'c') {
            return (out, true);
        }
        let used = push(&mut out, after, Place::Argument);
        rest = after.get(used..).unwrap_or_default();
    }
    out.extend_from_slice(rest);
    (out, false)
}

/// Appends what the escape whose text after the backslash is `rest` means; answers its length.
pub(super) fn push(out: &mut Vec<u8>, rest: &[u8], place: Place) -> usize {
    let Some(&letter) = rest.first() else {
        out.push(b'\\');
        return 0;
    };
    let byte = match letter {
        b'a' => 7,
        b'b' => 8,
        b'e' | b'E' => 27,
        b'f' => 12,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'v' => 11,
        b'\\' | b'"' | b'\'' | b'?' => letter,
        b'0'..=b'7' => {
            let most = if place == Place::Argument && letter == b'0' { 4 } else { 3 };
            let (value, used) = number(rest, 8, most);
            out.push((value & 0xff) as u8);
            return used;
        }
        b'x' => return push_number(out, rest, 2),
        b'u' => return push_number(out, rest, 4),
        b'U' => return push_number(out, rest, 8),
        _ => {
            out.extend_from_slice(&[b'\\', letter]);
            return 1;
        }
    };
    out.push(byte);
    1
}

fn push_number(out: &mut Vec<u8>, rest: &[u8], most: usize) -> usize {
    let (value, used) = number(rest.get(1..).unwrap_or_default(), 16, most);
    if used == 0 {
        out.push(b'\\');
        out.extend(rest.first());
        return 1;
    }
    if most == 2 {
        out.push((value & 0xff) as u8);
    } else {
        let ch = char::from_u32(value).unwrap_or('\u{fffd}');
        out.extend_from_slice(ch.encode_utf8(&mut [0; 4]).as_bytes());
    }
    used + 1
}

fn number(digits: &[u8], radix: u32, most: usize) -> (u32, usize) {
    let (mut value, mut used) = (0u32, 0);
    for byte in digits.iter().take(most) {
        let Some(digit) = char::from(*byte).to_digit(radix) else { break };
        value = value.wrapping_mul(radix).wrapping_add(digit);
        used += 1;
    }
    (value, used)
}
