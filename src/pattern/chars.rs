//! Characters: the POSIX character classes in a C.UTF-8 locale, folding, and decoding of bytes.

/// A named POSIX class such as `[:alpha:]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CharClass {
    /// Letters and digits.
    Alnum,
    /// Letters.
    Alpha,
    /// Space, tab and the other horizontal blanks.
    Blank,
    /// Control characters.
    Cntrl,
    /// `0` to `9`.
    Digit,
    /// Printable and not blank.
    Graph,
    /// Lower-case letters.
    Lower,
    /// Printable, the space included.
    Print,
    /// Printable, neither letter nor digit nor space.
    Punct,
    /// Blanks and line ends.
    Space,
    /// Upper-case letters.
    Upper,
    /// Hexadecimal digits.
    Xdigit,
}

impl CharClass {
    /// The class called `name`, as in `alpha`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "alnum" => Self::Alnum,
            "alpha" => Self::Alpha,
            "blank" => Self::Blank,
            "cntrl" => Self::Cntrl,
            "digit" => Self::Digit,
            "graph" => Self::Graph,
            "lower" => Self::Lower,
            "print" => Self::Print,
            "punct" => Self::Punct,
            "space" => Self::Space,
            "upper" => Self::Upper,
            "xdigit" => Self::Xdigit,
            _ => return None,
        })
    }

    /// Whether `c` is in the class.
    #[must_use]
    pub fn contains(self, c: char) -> bool {
        match self {
            Self::Alnum => c.is_alphanumeric(),
            Self::Alpha => c.is_alphabetic() || (!c.is_ascii() && c.is_numeric()),
            Self::Blank => c == '\t' || (is_space(c) && !is_vertical(c)),
            Self::Cntrl => c.is_control() || matches!(c, '\u{2028}' | '\u{2029}'),
            Self::Digit => c.is_ascii_digit(),
            Self::Graph => !c.is_control() && !is_space(c),
            Self::Lower => c.is_lowercase(),
            Self::Print => !Self::Cntrl.contains(c),
            Self::Punct => Self::Graph.contains(c) && !c.is_alphanumeric(),
            Self::Space => is_space(c),
            Self::Upper => c.is_uppercase(),
            Self::Xdigit => c.is_ascii_hexdigit(),
        }
    }
}

fn is_space(c: char) -> bool {
    c.is_whitespace() && !matches!(c, '\u{85}' | '\u{a0}' | '\u{2007}' | '\u{202f}')
}

fn is_vertical(c: char) -> bool {
    matches!(c, '\n' | '\u{b}' | '\u{c}' | '\r' | '\u{2028}' | '\u{2029}')
}

/// The lower-case form of `c` where that is one character, else `c`.
pub(super) fn lower(c: char) -> char {
    if c.is_ascii() {
        return c.to_ascii_lowercase();
    }
    let mut forms = c.to_lowercase();
    match (forms.next(), forms.next()) {
        (Some(form), None) => form,
        _ => c,
    }
}

/// The upper-case form of `c` where that is one character, else `c`.
pub(super) fn upper(c: char) -> char {
    if c.is_ascii() {
        return c.to_ascii_uppercase();
    }
    let mut forms = c.to_uppercase();
    match (forms.next(), forms.next()) {
        (Some(form), None) => form,
        _ => c,
    }
}

/// The first character of `bytes` and its length; a byte that starts none is `(None, 1)`.
pub(super) fn decode(bytes: &[u8]) -> Option<(Option<char>, usize)> {
    let &first = bytes.first()?;
    if first < 0x80 {
        return Some((Some(char::from(first)), 1));
    }
    let len = match first {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => return Some((None, 1)),
    };
    let text = bytes.get(..len).and_then(|head| std::str::from_utf8(head).ok());
    Some(text.and_then(|text| text.chars().next()).map_or((None, 1), |c| (Some(c), len)))
}

/// The last character of `bytes` and its length; a byte that ends none is `(None, 1)`.
pub(super) fn decode_last(bytes: &[u8]) -> Option<(Option<char>, usize)> {
    let &last = bytes.last()?;
    if last < 0x80 {
        return Some((Some(char::from(last)), 1));
    }
    for len in 2..=bytes.len().min(4) {
        let tail = bytes.get(bytes.len() - len..)?;
        if let Some((Some(c), width)) = decode(tail)
            && width == len
        {
            return Some((Some(c), len));
        }
    }
    Some((None, 1))
}
