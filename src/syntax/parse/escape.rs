//! Backslash escapes that name a character by its number.

use super::Parser;

impl Parser<'_> {
    /// `\uHHHH`, a pair of surrogates, or `\u{…}` at `at`: the character and where the escape ends.
    pub(super) fn unicode_escape(&self, at: usize) -> Option<(char, usize)> {
        if self.bytes.get(at + 2) == Some(&b'{') {
            let (n, end) = self.digits(at + 3, 16, 6);
            let closed = end > at + 3 && self.bytes.get(end) == Some(&b'}');
            return closed.then(|| char::from_u32(n)).flatten().map(|c| (c, end + 1));
        }
        let (high, end) = self.digits(at + 2, 16, 4);
        if end != at + 6 {
            return None;
        }
        if let 0xd800..=0xdbff = high
            && self.slice(end, end + 2) == "\\u"
        {
            let (low, pair_end) = self.digits(end + 2, 16, 4);
            if pair_end == end + 6 && (0xdc00..=0xdfff).contains(&low) {
                let c = char::from_u32(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00))?;
                return Some((c, pair_end));
            }
        }
        char::from_u32(high).map(|c| (c, end))
    }

    /// A number of at most `most` digits at `at`, and where it ends.
    fn digits(&self, at: usize, radix: u32, most: usize) -> (u32, usize) {
        let mut n = 0u32;
        let mut end = at;
        while end < at + most
            && let Some(digit) = self.bytes.get(end).and_then(|b| (*b as char).to_digit(radix))
        {
            n = n.wrapping_mul(radix).wrapping_add(digit);
            end += 1;
        }
        (n, end)
    }

    /// A backslash escape of `$'…'`, as in ANSI C.
    pub(super) fn ansi_escape(&mut self, bytes: &mut Vec<u8>) {
        let start = self.at;
        self.at += 1;
        let Some(b) = self.peek() else {
            bytes.push(b'\\');
            return;
        };
        if b >= 0x80 {
            bytes.push(b'\\');
            return;
        }
        self.at += 1;
        let simple = match b {
            b'a' => 7,
            b'b' => 8,
            b'e' | b'E' => 27,
            b'f' => 12,
            b'n' => 10,
            b'r' => 13,
            b't' => 9,
            b'v' => 11,
            b'\\' | b'\'' | b'"' | b'?' => b,
            b'0'..=b'7' => return self.byte_escape(start + 1, 8, 3, bytes),
            b'x' => return self.byte_escape(start + 2, 16, 2, bytes),
            b'u' | b'U' => return self.ansi_unicode(start, b, bytes),
            b'c' => match self.peek() {
                Some(control) if control.is_ascii() => {
                    self.at += 1;
                    if control == b'?' { 0x7f } else { control & 0x1f }
                }
                _ => return bytes.extend_from_slice(b"\\c"),
            },
            _ => return bytes.extend_from_slice(&[b'\\', b]),
        };
        bytes.push(simple);
    }

    fn byte_escape(&mut self, at: usize, radix: u32, most: usize, bytes: &mut Vec<u8>) {
        let (n, end) = self.digits(at, radix, most);
        if end == at {
            bytes.extend_from_slice(self.slice(self.at - 2, self.at).as_bytes());
        } else {
            bytes.push((n & 0xff).to_le_bytes()[0]);
            self.at = end;
        }
    }

    /// `\uHHHH` and `\UHHHHHHHH` with one digit or more.
    fn ansi_unicode(&mut self, start: usize, kind: u8, bytes: &mut Vec<u8>) {
        let (n, end) = match self.unicode_escape(start) {
            Some((c, end)) if kind == b'u' => (c as u32, end),
            _ => self.digits(start + 2, 16, if kind == b'u' { 4 } else { 8 }),
        };
        match char::from_u32(n) {
            Some(c) if end > start + 2 => {
                self.at = end;
                bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            }
            _ => bytes.extend_from_slice(&[b'\\', kind]),
        }
    }
}
