//! Numbers and texts in bytes: variable-length integers, and a checksum at the end of the whole.

use crate::host::Timestamp;

/// Bytes being written.
#[derive(Default)]
pub(super) struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    pub(super) fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    /// Seven bits a byte, lowest first.
    pub(super) fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            #[expect(clippy::cast_possible_truncation, reason = "masked")]
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        #[expect(clippy::cast_possible_truncation, reason = "below 128")]
        self.bytes.push(number as u8);
    }

    pub(super) fn fixed(&mut self, number: u32) {
        self.bytes.extend_from_slice(&number.to_le_bytes());
    }

    pub(super) fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.bytes.extend_from_slice(text.as_bytes());
    }

    pub(super) fn time(&mut self, time: Timestamp) {
        // Zigzag: small numbers of either sign stay short.
        #[expect(clippy::cast_sign_loss, reason = "a bijection")]
        self.number((time.seconds << 1 ^ time.seconds >> 63) as u64);
        self.number(u64::from(time.nanos));
    }

    /// The bytes with their checksum, in a buffer of exactly that size.
    pub(super) fn sealed(mut self) -> Vec<u8> {
        let checksum = crc32fast::hash(&self.bytes);
        self.fixed(checksum);
        self.bytes.shrink_to_fit();
        self.bytes
    }
}

/// Bytes being read; every answer is `None` where they do not hold what is asked.
pub(super) struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// Reads what [`Writer::sealed`] made; `None` where the checksum differs.
    pub(super) fn unsealed(bytes: &'a [u8]) -> Option<Self> {
        let (rest, checksum) = bytes.split_last_chunk::<4>()?;
        (crc32fast::hash(rest) == u32::from_le_bytes(*checksum)).then_some(Self { rest })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    pub(super) fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    pub(super) fn number(&mut self) -> Option<u64> {
        let mut number = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            number |= bits.checked_shl(shift).filter(|shifted| shifted >> shift == bits)?;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    pub(super) fn small(&mut self) -> Option<u32> {
        self.number()?.try_into().ok()
    }

    pub(super) fn fixed(&mut self) -> Option<u32> {
        let (first, rest) = self.rest.split_first_chunk::<4>()?;
        self.rest = rest;
        Some(u32::from_le_bytes(*first))
    }

    pub(super) fn text(&mut self) -> Option<&'a str> {
        let len = usize::try_from(self.number()?).ok()?;
        let (text, rest) = self.rest.split_at_checked(len)?;
        self.rest = rest;
        std::str::from_utf8(text).ok()
    }

    pub(super) fn time(&mut self) -> Option<Timestamp> {
        let seconds = self.number()?;
        #[expect(clippy::cast_possible_wrap, reason = "a bijection")]
        let seconds = (seconds >> 1) as i64 ^ -((seconds & 1) as i64);
        let nanos = self.small().filter(|nanos| *nanos < 1_000_000_000)?;
        Some(Timestamp { seconds, nanos })
    }
}

#[cfg(test)]
mod tests {
    use super::{Reader, Writer};
    use crate::host::Timestamp;

    #[test]
    fn what_is_written_is_read() {
        let mut writer = Writer::default();
        let numbers = [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX];
        numbers.iter().for_each(|number| writer.number(*number));
        let times = [-1, 0, 1, i64::MIN, i64::MAX];
        times.iter().for_each(|at| writer.time(Timestamp { seconds: *at, nanos: 999_999_999 }));
        writer.text("e\u{301}\n");
        writer.fixed(0xdead_beef);
        let bytes = writer.sealed();
        let mut reader = Reader::unsealed(&bytes).unwrap();
        numbers.iter().for_each(|number| assert_eq!(reader.number(), Some(*number)));
        for seconds in times {
            assert_eq!(reader.time(), Some(Timestamp { seconds, nanos: 999_999_999 }));
        }
        assert_eq!(reader.text(), Some("e\u{301}\n"));
        assert_eq!(reader.fixed(), Some(0xdead_beef));
        assert!(reader.is_empty());
        assert_eq!(reader.byte(), None);
        for at in 0..bytes.len() {
            let mut bad = bytes.clone();
            bad[at] ^= 0x10;
            assert!(Reader::unsealed(&bad).is_none());
            assert!(Reader::unsealed(&bytes[..at]).is_none());
        }
    }
}
