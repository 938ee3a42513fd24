//! The codes: groups of bytes to groups of letters and back.

/// A code.
#[derive(Clone, Copy, Debug)]
pub(super) struct Code {
    letters: &'static [u8],
    /// Bits of a letter.
    bits: u32,
}

impl Code {
    pub(super) const BASE64: Self = Self {
        letters: b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
        bits: 6,
    };

    pub(super) const BASE32: Self = Self { letters: b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", bits: 5 };

    /// Bytes of a group.
    pub(super) fn bytes(self) -> usize {
        if self.bits == 6 { 3 } else { 5 }
    }

    /// Letters of a group.
    fn group(self) -> usize {
        if self.bits == 6 { 4 } else { 8 }
    }

    /// Appends the letters of whole groups; a last short group is filled up with `=`.
    pub(super) fn encode(self, bytes: &[u8], out: &mut Vec<u8>) {
        for group in bytes.chunks(self.bytes()) {
            let mut value = 0u64;
            for index in 0..self.bytes() {
                value = value << 8 | u64::from(group.get(index).copied().unwrap_or(0));
            }
            let used = (group.len() * 8).div_ceil(self.bits as usize);
            for index in 0..self.group() {
                let shift = self.bits * u32::try_from(self.group() - 1 - index).unwrap_or(0);
                let at = (value >> shift) & ((1 << self.bits) - 1);
                let letter = usize::try_from(at).ok().and_then(|at| self.letters.get(at));
                out.push(if index < used { letter.copied().unwrap_or(b'=') } else { b'=' });
            }
        }
    }

    fn value_of(self, letter: u8) -> Option<u64> {
        let at = match (self.bits, letter) {
            (_, b'A'..=b'Z') => letter - b'A',
            (6, b'a'..=b'z') => letter - b'a' + 26,
            (6, b'0'..=b'9') => letter - b'0' + 52,
            (6, b'+') => 62,
            (6, b'/') => 63,
            (5, b'2'..=b'7') => letter - b'2' + 26,
            _ => return None,
        };
        Some(u64::from(at))
    }
}

/// Decodes letters as they come in.
pub(super) struct Decoder {
    code: Code,
    /// Whether foreign letters are left out; newlines always are.
    skips: bool,
    value: u64,
    letters: usize,
    padding: usize,
}

impl Decoder {
    pub(super) fn new(code: Code, skips: bool) -> Self {
        Self { code, skips, value: 0, letters: 0, padding: 0 }
    }

    /// Appends the bytes of the groups that are complete; `false` where a letter is wrong.
    pub(super) fn feed(&mut self, text: &[u8], out: &mut Vec<u8>) -> bool {
        for &letter in text {
            if letter == b'\n' {
                continue;
            }
            if letter == b'=' {
                if self.letters == 0 {
                    return false;
                }
                self.padding += 1;
                if self.letters + self.padding == self.code.group() && !self.flush(out) {
                    return false;
                }
                continue;
            }
            match self.code.value_of(letter) {
                Some(value) if self.padding == 0 => {
                    self.value = self.value << self.code.bits | value;
                    self.letters += 1;
                    if self.letters == self.code.group() {
                        self.flush(out);
                    }
                }
                None if self.skips => {}
                _ => {
                    self.flush_whole_bytes(out);
                    return false;
                }
            }
        }
        true
    }

    /// The end of the text: an incomplete group gives the bytes it has, and is an error.
    pub(super) fn finish(&mut self, out: &mut Vec<u8>) -> bool {
        if self.letters == 0 {
            return true;
        }
        self.flush_whole_bytes(out);
        false
    }

    fn flush(&mut self, out: &mut Vec<u8>) -> bool {
        let bits = self.letters * self.code.bits as usize;
        // So many letters must carry a whole number of bytes and less than a letter more.
        let good = bits % 8 < self.code.bits as usize && bits >= 8;
        self.flush_whole_bytes(out);
        good
    }

    fn flush_whole_bytes(&mut self, out: &mut Vec<u8>) {
        let bits = self.letters * self.code.bits as usize;
        for index in 0..bits / 8 {
            let shift = bits - 8 * (index + 1);
            out.push(u8::try_from(self.value >> shift & 0xff).unwrap_or(0));
        }
        (self.value, self.letters, self.padding) = (0, 0, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(code: Code, bytes: &[u8], letters: &str) {
        let mut out = Vec::new();
        code.encode(bytes, &mut out);
        assert_eq!(String::from_utf8_lossy(&out), letters);
        let mut back = Vec::new();
        let mut decoder = Decoder::new(code, false);
        assert!(decoder.feed(letters.as_bytes(), &mut back) && decoder.finish(&mut back));
        assert_eq!(back, bytes);
    }

    #[test]
    fn there_and_back() {
        for (bytes, base64, base32) in [
            ("", "", ""),
            ("f", "Zg==", "MY======"),
            ("fo", "Zm8=", "MZXQ===="),
            ("foo", "Zm9v", "MZXW6==="),
            ("foob", "Zm9vYg==", "MZXW6YQ="),
            ("fooba", "Zm9vYmE=", "MZXW6YTB"),
            ("foobar", "Zm9vYmFy", "MZXW6YTBOI======"),
        ] {
            check(Code::BASE64, bytes.as_bytes(), base64);
            check(Code::BASE32, bytes.as_bytes(), base32);
        }
    }
}
