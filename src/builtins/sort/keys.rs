//! Key specifications in, the part of a line they name out.

/// How a key is compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Kind {
    #[default]
    Text,
    Numeric,
    General,
    Human,
    Month,
    Version,
    Random,
}

/// The ordering options of a key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "one per option")]
pub(super) struct Order {
    pub(super) kind: Kind,
    pub(super) reverse: bool,
    /// `b`
    pub(super) blanks: bool,
    /// `d`
    pub(super) dictionary: bool,
    /// `f`
    pub(super) fold: bool,
    /// `i`
    pub(super) printing: bool,
    /// Whether two kinds were asked for.
    conflict: Option<(Kind, Kind)>,
}

impl Order {
    /// Turns on the option of a letter.
    pub(super) fn set(&mut self, letter: u8) -> Result<(), String> {
        match letter {
            b'b' => self.blanks = true,
            b'd' => self.dictionary = true,
            b'f' => self.fold = true,
            b'i' => self.printing = true,
            b'r' => self.reverse = true,
            b'g' => self.kind(Kind::General),
            b'h' => self.kind(Kind::Human),
            b'M' => self.kind(Kind::Month),
            b'n' => self.kind(Kind::Numeric),
            b'R' => self.kind(Kind::Random),
            b'V' => self.kind(Kind::Version),
            other => return Err(format!("unknown ordering option '{}'", char::from(other))),
        }
        Ok(())
    }

    fn kind(&mut self, kind: Kind) {
        if self.kind != Kind::Text && self.kind != kind {
            self.conflict = Some((self.kind, kind));
        }
        self.kind = kind;
    }

    /// Refuses options that exclude each other.
    pub(super) fn check(&self) -> Result<(), String> {
        let letter = |kind| match kind {
            Kind::Numeric => "n",
            Kind::General => "g",
            Kind::Human => "h",
            Kind::Month => "M",
            Kind::Version => "V",
            Kind::Random => "R",
            Kind::Text => "",
        };
        if let Some((first, second)) = self.conflict {
            let (first, second) = (letter(first), letter(second));
            return Err(format!("options '-{first}{second}' are incompatible"));
        }
        let numeric = !matches!(self.kind, Kind::Text | Kind::Version | Kind::Random);
        if numeric && (self.dictionary || self.printing) {
            let other = if self.dictionary { "d" } else { "i" };
            return Err(format!("options '-{other}{}' are incompatible", letter(self.kind)));
        }
        Ok(())
    }

    /// Whether text is compared otherwise than by all its bytes.
    pub(super) fn drops_anything(&self) -> bool {
        self.blanks || self.translates()
    }

    /// Whether bytes are left out or folded.
    pub(super) fn translates(&self) -> bool {
        self.dictionary || self.fold || self.printing
    }

    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// A place in a line.
#[derive(Clone, Copy, Debug, Default)]
struct Position {
    /// Fields before it.
    field: usize,
    /// Bytes after the start of that field; 0 at an end means the end of the field before.
    offset: usize,
    /// Whether blanks at the start of the field are passed over first.
    blanks: bool,
}

/// A key.
#[derive(Clone, Copy, Debug)]
pub(super) struct Key {
    start: Position,
    end: Option<Position>,
    pub(super) order: Order,
}

impl Key {
    /// The key of a call without `-k`.
    pub(super) fn whole_line(order: Order) -> Self {
        let start = Position { blanks: order.blanks, ..Position::default() };
        Self { start, end: None, order }
    }

    /// A key without options of its own takes the global ones.
    pub(super) fn inherit(&mut self, global: Order) {
        if self.order.is_default() && !self.start.blanks && !self.end.is_some_and(|end| end.blanks)
        {
            self.order = global;
            self.start.blanks = global.blanks;
            if let Some(end) = &mut self.end {
                end.blanks = global.blanks;
            }
        }
    }

    /// The bounds of the key within a line.
    pub(super) fn find(&self, line: &[u8], separator: Option<u8>) -> (usize, usize) {
        if self.end.is_none() && self.start.field == 0 && self.start.offset == 0 {
            let start = if self.start.blanks { skip_blanks(line, 0) } else { 0 };
            return (start, line.len());
        }
        let mut start = skip_fields(line, self.start.field, separator);
        if self.start.blanks {
            start = skip_blanks(line, start);
        }
        start = (start.saturating_add(self.start.offset)).min(line.len());
        let end = self.end.map_or(line.len(), |end| end_of(line, end, separator));
        (start, end.max(start))
    }
}

fn end_of(line: &[u8], end: Position, separator: Option<u8>) -> usize {
    if end.offset == 0 {
        // The whole of the fields before, without the separator after them.
        let after = skip_fields(line, end.field, separator);
        let is_separated = separator.is_some()
            && after > 0
            && line.get(after - 1).copied() == separator
            && fields_before(line, after, separator) == end.field;
        return if is_separated { after - 1 } else { after };
    }
    let mut at = skip_fields(line, end.field, separator);
    if end.blanks {
        at = skip_blanks(line, at);
    }
    at.saturating_add(end.offset).min(line.len())
}

fn fields_before(line: &[u8], end: usize, separator: Option<u8>) -> usize {
    let head = line.get(..end).unwrap_or(line);
    separator.map_or(0, |separator| memchr::memchr_iter(separator, head).count())
}

fn skip_fields(line: &[u8], count: usize, separator: Option<u8>) -> usize {
    let mut at = 0;
    for _ in 0..count {
        if at >= line.len() {
            break;
        }
        let rest = line.get(at..).unwrap_or_default();
        at += match separator {
            Some(separator) => memchr::memchr(separator, rest).map_or(rest.len(), |end| end + 1),
            None => {
                let blanks = rest.iter().take_while(|byte| is_blank(**byte)).count();
                let body = rest.iter().skip(blanks).take_while(|byte| !is_blank(**byte)).count();
                blanks + body
            }
        };
    }
    at
}

fn skip_blanks(line: &[u8], at: usize) -> usize {
    let rest = line.get(at..).unwrap_or_default();
    at + rest.iter().take_while(|byte| is_blank(**byte)).count()
}

/// What separates fields and stands before numbers.
pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n')
}

/// Reads `FIELD[.CHAR][OPTIONS][,FIELD[.CHAR][OPTIONS]]`.
pub(super) fn parse_key(text: &str) -> Result<Key, String> {
    let mut order = Order::default();
    let (field, rest) = number(text, text, "invalid number at field start")?;
    if field == 0 {
        return Err(format!("field number is zero: invalid field specification '{text}'"));
    }
    let (offset, rest) = match rest.strip_prefix('.') {
        Some(rest) => number(rest, text, "invalid number after '.'")?,
        None => (1, rest),
    };
    if offset == 0 {
        return Err(format!("character offset is zero: invalid field specification '{text}'"));
    }
    let mut start = Position { field: field - 1, offset: offset - 1, blanks: false };
    let rest = letters(rest, &mut order, &mut start, text)?;
    let Some(rest) = rest.strip_prefix(',') else {
        return if rest.is_empty() {
            Ok(Key { start, end: None, order })
        } else {
            Err(format!("stray character in field spec: invalid field specification '{text}'"))
        };
    };
    let (field, rest) = number(rest, text, "invalid number after ','")?;
    if field == 0 {
        return Err(format!("field number is zero: invalid field specification '{text}'"));
    }
    let (offset, rest) = match rest.strip_prefix('.') {
        Some(rest) => number(rest, text, "invalid number after '.'")?,
        None => (0, rest),
    };
    let field = if offset == 0 { field } else { field - 1 };
    let mut end = Position { field, offset, blanks: false };
    let rest = letters(rest, &mut order, &mut end, text)?;
    if !rest.is_empty() {
        return Err(format!("stray character in field spec: invalid field specification '{text}'"));
    }
    Ok(Key { start, end: Some(end), order })
}

fn number<'a>(text: &'a str, whole: &str, message: &str) -> Result<(usize, &'a str), String> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = text.split_at_checked(digits).unwrap_or((text, ""));
    if number.is_empty() {
        return Err(format!("{message}: invalid count at start of '{whole}'"));
    }
    Ok((number.parse().unwrap_or(usize::MAX), rest))
}

fn letters<'a>(
    text: &'a str,
    order: &mut Order,
    position: &mut Position,
    whole: &str,
) -> Result<&'a str, String> {
    let count = text.bytes().take_while(|byte| *byte != b',').count();
    let (letters, rest) = text.split_at_checked(count).unwrap_or((text, ""));
    for letter in letters.bytes() {
        if letter == b'b' {
            position.blanks = true;
        } else {
            order.set(letter).map_err(|_| {
                format!("stray character in field spec: invalid field specification '{whole}'")
            })?;
        }
    }
    Ok(rest)
}
