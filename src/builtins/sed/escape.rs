//! Escapes that `sed` knows everywhere: `\n`, `\t`, `\x41`, … to bytes.

/// What follows a backslash as a byte, and how much of `text` spells it.
pub(super) fn escape(text: &[u8]) -> Option<(u8, usize)> {
    let byte = match text.first()? {
        b'a' => 7,
        b'f' => 12,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'v' => 11,
        b'c' => return text.get(1).map(|byte| (byte.to_ascii_uppercase() ^ 0x40, 2)),
        b'd' => return number(text, 10, 3),
        b'o' => return number(text, 8, 3),
        b'x' => return number(text, 16, 2),
        _ => return None,
    };
    Some((byte, 1))
}

fn number(text: &[u8], base: u32, most: usize) -> Option<(u8, usize)> {
    let rest = text.get(1..)?.iter().take(most);
    let digits: Vec<u32> = rest.map_while(|byte| char::from(*byte).to_digit(base)).collect();
    if digits.is_empty() {
        return None;
    }
    let value = digits.iter().fold(0, |value, digit| value * base + digit);
    Some(((value & 0xff) as u8, digits.len() + 1))
}

/// An expression with the escapes resolved that expressions do not know themselves.
///
/// A character spelled by its number stands for itself outside brackets.
pub(super) fn resolve(pattern: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(pattern.len());
    let mut at = 0;
    while let Some(byte) = pattern.get(at).copied() {
        if byte == b'[' {
            let end = bracket_end(pattern, at).unwrap_or(pattern.len());
            resolve_bracket(pattern.get(at..end).unwrap_or_default(), &mut out);
            at = end;
            continue;
        }
        at += 1;
        if byte != b'\\' {
            out.push(byte);
            continue;
        }
        match escape(pattern.get(at..).unwrap_or_default()) {
            Some((byte, len)) => {
                if len > 1 && b"$*.[\\]^+?(){}|/".contains(&byte) {
                    out.extend_from_slice(&[b'[', byte, b']']);
                    if matches!(byte, b'^') {
                        out.truncate(out.len() - 3);
                        out.extend_from_slice(b"\\^");
                    }
                } else {
                    out.push(byte);
                }
                at += len;
            }
            None => {
                out.push(b'\\');
                out.extend(pattern.get(at));
                at += 1;
            }
        }
    }
    out
}

fn resolve_bracket(bracket: &[u8], out: &mut Vec<u8>) {
    let mut at = 0;
    while let Some(byte) = bracket.get(at).copied() {
        at += 1;
        let rest = bracket.get(at..).unwrap_or_default();
        match (byte, escape(rest)) {
            (b'\\', Some((byte, len))) => {
                out.push(byte);
                at += len;
            }
            _ => out.push(byte),
        }
    }
}

/// Where the bracket expression at `start` ends; `None` where it does not.
pub(super) fn bracket_end(text: &[u8], start: usize) -> Option<usize> {
    let mut at = start + 1;
    if text.get(at) == Some(&b'^') {
        at += 1;
    }
    if text.get(at) == Some(&b']') {
        at += 1;
    }
    loop {
        match text.get(at)? {
            b']' => return Some(at + 1),
            b'[' => match text.get(at + 1) {
                Some(kind @ (b':' | b'.' | b'=')) => {
                    let inner = text.get(at + 2..)?;
                    let close = inner.windows(2).position(|pair| pair == [*kind, b']']);
                    at += close.map_or(1, |close| close + 4);
                }
                _ => at += 1,
            },
            _ => at += 1,
        }
    }
}
