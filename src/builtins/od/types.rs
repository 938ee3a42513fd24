//! The types of `-t`, and how a value of each is shown.

use crate::value::Conversion;

/// How bytes are understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Named,
    Character,
    Signed,
    Unsigned,
    Octal,
    Hex,
    Float,
}

/// A type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kind {
    pub(super) form: Form,
    /// Bytes of a value.
    pub(super) size: usize,
    /// Whether the text follows each line.
    pub(super) text: bool,
}

/// Reads types such as `x1`, `d4z`, `cx2`.
pub(super) fn parse_types(text: &str) -> Result<Vec<Kind>, String> {
    let mut kinds = Vec::new();
    let mut chars = text.chars().peekable();
    while let Some(letter) = chars.next() {
        let form = match letter {
            'a' => Form::Named,
            'c' => Form::Character,
            'd' => Form::Signed,
            'u' => Form::Unsigned,
            'o' => Form::Octal,
            'x' => Form::Hex,
            'f' => Form::Float,
            _ => return Err(format!("invalid character '{letter}' in type string '{text}'")),
        };
        let mut size = match form {
            Form::Named | Form::Character => 1,
            Form::Float => 8,
            _ => 4,
        };
        if !matches!(form, Form::Named | Form::Character) {
            let mut digits = String::new();
            while let Some(digit) = chars.next_if(char::is_ascii_digit) {
                digits.push(digit);
            }
            let named = match chars.peek() {
                Some('C') if form != Form::Float => Some(1),
                Some('S') if form != Form::Float => Some(2),
                Some('I') if form != Form::Float => Some(4),
                Some('L') if form != Form::Float => Some(8),
                Some('F') if form == Form::Float => Some(4),
                Some('D') if form == Form::Float => Some(8),
                _ => None,
            };
            if let Some(named) = named.filter(|_| digits.is_empty()) {
                chars.next();
                size = named;
            } else if !digits.is_empty() {
                size = digits.parse().unwrap_or(0);
            }
            let allowed: &[usize] = if form == Form::Float { &[4, 8] } else { &[1, 2, 4, 8] };
            if !allowed.contains(&size) {
                let what = if form == Form::Float { "floating point" } else { "integral" };
                return Err(format!(
                    "invalid type string '{text}';\nthis system doesn't provide a {size}-byte \
                     {what} type"
                ));
            }
        }
        let with_text = chars.next_if_eq(&'z').is_some();
        kinds.push(Kind { form, size, text: with_text });
    }
    Ok(kinds)
}

impl Kind {
    /// Columns of a value, without the blank before it.
    pub(super) fn width(self) -> usize {
        match (self.form, self.size) {
            (Form::Named | Form::Character, _) => 3,
            (Form::Octal, size) => (size * 8).div_ceil(3),
            (Form::Hex, size) => size * 2,
            (Form::Unsigned, size) => [3, 5, 10, 20][index(size)],
            (Form::Signed, size) => [4, 6, 11, 20][index(size)],
            (Form::Float, 4) => 15,
            (Form::Float, _) => 24,
        }
    }

    /// A value as text; missing bytes count as zeros.
    pub(super) fn show(self, bytes: &[u8]) -> String {
        let mut all = [0; 8];
        for (slot, byte) in all.iter_mut().zip(bytes.iter().take(self.size)) {
            *slot = *byte;
        }
        let value = u64::from_le_bytes(all);
        let first = bytes.first().copied().unwrap_or(0);
        match self.form {
            Form::Named => named(first & 0x7f),
            Form::Character => character(first),
            Form::Unsigned => value.to_string(),
            Form::Signed => {
                let shift = 64 - u32::try_from(self.size * 8).unwrap_or(64);
                (value.cast_signed() << shift >> shift).to_string()
            }
            Form::Octal => format!("{value:00$o}", self.width()),
            Form::Hex => format!("{value:00$x}", self.width()),
            Form::Float => self.float(value),
        }
    }

    /// The shortest digits that read back the same, as C's `%g` writes them.
    fn float(self, bits: u64) -> String {
        let (value, least, most) = if self.size == 4 {
            (f64::from(f32::from_bits(u32::try_from(bits).unwrap_or(0))), 6, 9)
        } else {
            (f64::from_bits(bits), 15, 17)
        };
        let mut text = Vec::new();
        for precision in least..=most {
            text.clear();
            let conversion = Conversion { precision: Some(precision), ..Conversion::plain(b'g') };
            conversion.float(&mut text, value);
            let back = std::str::from_utf8(&text).ok().and_then(|text| text.parse::<f64>().ok());
            let same = match back {
                #[expect(clippy::cast_possible_truncation, reason = "compared as it was read")]
                Some(back) if self.size == 4 => (back as f32).to_bits() == (value as f32).to_bits(),
                Some(back) => back.to_bits() == value.to_bits(),
                None => true,
            };
            if same {
                break;
            }
        }
        String::from_utf8_lossy(&text).into_owned()
    }
}

fn index(size: usize) -> usize {
    match size {
        1 => 0,
        2 => 1,
        4 => 2,
        _ => 3,
    }
}

/// The names of characters of POSIX.
fn named(byte: u8) -> String {
    const NAMES: [&str; 33] = [
        "nul", "soh", "stx", "etx", "eot", "enq", "ack", "bel", "bs", "ht", "nl", "vt", "ff", "cr",
        "so", "si", "dle", "dc1", "dc2", "dc3", "dc4", "nak", "syn", "etb", "can", "em", "sub",
        "esc", "fs", "gs", "rs", "us", "sp",
    ];
    match NAMES.get(usize::from(byte)) {
        Some(name) => (*name).to_owned(),
        None if byte == 127 => "del".to_owned(),
        None => char::from(byte).to_string(),
    }
}

/// A byte as C writes it.
pub(super) fn character(byte: u8) -> String {
    match byte {
        0 => "\\0".into(),
        7 => "\\a".into(),
        8 => "\\b".into(),
        9 => "\\t".into(),
        10 => "\\n".into(),
        11 => "\\v".into(),
        12 => "\\f".into(),
        13 => "\\r".into(),
        b' '..=b'~' => char::from(byte).to_string(),
        other => format!("{other:03o}"),
    }
}
