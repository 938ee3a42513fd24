//! The sets of `tr` as written in, their members in order or as a test out.

use crate::pattern::CharClass;

/// Codes from here on stand for bytes that belong to no character.
pub(super) const BYTE: u32 = 0x11_0000;

/// Most members a set may list.
const MOST: usize = 1 << 21;

/// One element of a set as written.
#[derive(Clone, Copy)]
enum Item {
    Range(u32, u32),
    Class(CharClass),
    /// `[c*n]`; without a count as often as needed.
    Repeat(u32, Option<usize>),
}

/// A set as written.
pub(super) struct Spelled(Vec<Item>);

/// A set written out.
pub(super) struct Expanded {
    pub(super) codes: Vec<u32>,
    /// Where which class starts.
    pub(super) classes: Vec<(usize, CharClass)>,
}

impl Spelled {
    /// Reads a set; the error is the message.
    pub(super) fn parse(text: &[u8]) -> Result<Self, String> {
        let symbols = unescape(text);
        let mut rest = symbols.as_slice();
        let mut items = Vec::new();
        while let Some((&(code, escaped), after)) = rest.split_first() {
            if code == u32::from('[')
                && !escaped
                && let Some((item, tail)) = bracket(after)?
            {
                items.push(item);
                rest = tail;
                continue;
            }
            rest = after;
            if let Some((&(dash, false), [(last, _), tail @ ..])) = rest.split_first()
                && dash == u32::from('-')
            {
                if *last < code {
                    let (first, last) = (spell(code), spell(*last));
                    let what = "are in reverse collating sequence order";
                    return Err(format!("range-endpoints of '{first}-{last}' {what}"));
                }
                items.push(Item::Range(code, *last));
                rest = tail;
            } else {
                items.push(Item::Range(code, code));
            }
        }
        Ok(Self(items))
    }

    /// Whether a byte beyond ASCII was written as an escape.
    pub(super) fn has_high_bytes(&self) -> bool {
        self.0.iter().any(|item| match item {
            Item::Range(first, last) => *first >= BYTE || *last >= BYTE,
            Item::Repeat(code, _) => *code >= BYTE,
            Item::Class(_) => false,
        })
    }

    /// The same set with characters beyond ASCII taken apart into bytes.
    pub(super) fn into_bytes(self) -> Self {
        let mut items = Vec::new();
        for item in self.0 {
            match item {
                Item::Range(first, last) if first == last => {
                    items.extend(bytes_of(first).map(|code| Item::Range(code, code)));
                }
                Item::Range(first, last) if last >= BYTE && first < BYTE => {
                    items.push(Item::Range(first, 127));
                    items.push(Item::Range(BYTE + 128, last));
                }
                other => items.push(other),
            }
        }
        Self(items)
    }

    /// The members in order; `fill` is the length a repetition without count fills up to.
    pub(super) fn expand(&self, fill: Option<usize>) -> Result<Expanded, String> {
        let fixed: usize = self.0.iter().map(Item::len).sum();
        let mut expanded = Expanded { codes: Vec::new(), classes: Vec::new() };
        if fixed > MOST {
            return Err(format!("a set is over the limit of {MOST} characters"));
        }
        for item in &self.0 {
            match *item {
                Item::Range(first, last) => expanded.codes.extend(first..=last),
                Item::Class(class) => {
                    expanded.classes.push((expanded.codes.len(), class));
                    let ascii = (0..128).filter(|code| class_contains(class, *code));
                    expanded.codes.extend(ascii);
                }
                Item::Repeat(code, Some(count)) => {
                    expanded.codes.resize(expanded.codes.len() + count, code);
                }
                Item::Repeat(code, None) => {
                    let count = fill.unwrap_or(0).saturating_sub(fixed);
                    expanded.codes.resize(expanded.codes.len() + count, code);
                }
            }
        }
        Ok(expanded)
    }

    /// The members as a test.
    pub(super) fn set(&self, complement: bool) -> Set {
        let mut set = Set { ranges: Vec::new(), classes: Vec::new(), complement };
        for item in &self.0 {
            match *item {
                Item::Range(first, last) => set.ranges.push((first, last)),
                Item::Class(class) => set.classes.push(class),
                Item::Repeat(code, _) => set.ranges.push((code, code)),
            }
        }
        set
    }
}

impl Item {
    fn len(&self) -> usize {
        match *self {
            Self::Range(first, last) => (last - first) as usize + 1,
            Self::Class(class) => (0..128).filter(|code| class_contains(class, *code)).count(),
            Self::Repeat(_, count) => count.unwrap_or(0),
        }
    }
}

/// A set of characters and bytes.
pub(super) struct Set {
    ranges: Vec<(u32, u32)>,
    classes: Vec<CharClass>,
    complement: bool,
}

impl Set {
    /// Whether a code is in the set.
    pub(super) fn contains(&self, code: u32) -> bool {
        let listed = self.ranges.iter().any(|(first, last)| (*first..=*last).contains(&code))
            || self.classes.iter().any(|class| class_contains(*class, code));
        listed != self.complement
    }
}

fn class_contains(class: CharClass, code: u32) -> bool {
    char::from_u32(code).is_some_and(|ch| class.contains(ch))
}

fn bytes_of(code: u32) -> impl Iterator<Item = u32> {
    let mut buffer = [0; 4];
    let count = match char::from_u32(code) {
        Some(ch) => ch.encode_utf8(&mut buffer).len(),
        None => {
            buffer[0] = (code & 0xff) as u8;
            1
        }
    };
    buffer.into_iter().take(count).map(|byte| {
        let byte = u32::from(byte);
        if byte < 128 { byte } else { BYTE + byte }
    })
}

fn spell(code: u32) -> String {
    char::from_u32(code).map_or_else(|| format!("\\{:o}", code - BYTE), String::from)
}

/// The characters and bytes of a set as written, and whether each was escaped.
fn unescape(text: &[u8]) -> Vec<(u32, bool)> {
    let mut symbols = Vec::new();
    for chunk in text.utf8_chunks() {
        let mut chars = chunk.valid().chars().peekable();
        while let Some(ch) = chars.next() {
            if ch != '\\' {
                symbols.push((u32::from(ch), false));
                continue;
            }
            let Some(escape) = chars.next() else {
                symbols.push((u32::from('\\'), true));
                break;
            };
            let code = match escape {
                'a' => 7,
                'b' => 8,
                'f' => 12,
                'n' => 10,
                'r' => 13,
                't' => 9,
                'v' => 11,
                '0'..='7' => {
                    let mut value = u32::from(escape) - 48;
                    for _ in 0..2 {
                        let Some(digit) = chars.peek().and_then(|c| c.to_digit(8)) else { break };
                        if value * 8 + digit > 255 {
                            break;
                        }
                        value = value * 8 + digit;
                        chars.next();
                    }
                    if value < 128 { value } else { BYTE + value }
                }
                other => u32::from(other),
            };
            symbols.push((code, true));
        }
        symbols.extend(chunk.invalid().iter().map(|byte| (BYTE + u32::from(*byte), false)));
    }
    symbols
}

type Symbols<'a> = &'a [(u32, bool)];

/// What follows an opening bracket: `:class:]`, `=c=]`, `c*n]`; `None` where it stands for itself.
fn bracket(after: Symbols<'_>) -> Result<Option<(Item, Symbols<'_>)>, String> {
    let Some((&(mark, escaped), body)) = after.split_first() else { return Ok(None) };
    if !escaped && (mark == u32::from(':') || mark == u32::from('=')) {
        let close = body.windows(2).position(|pair| {
            matches!(pair, [(first, false), (second, false)]
                if *first == mark && *second == u32::from(']'))
        });
        // `[==]` and `[::]` close later or not at all.
        if let Some(end) = close {
            let name: String =
                body.iter().take(end).filter_map(|(code, _)| char::from_u32(*code)).collect();
            let tail = body.get(end + 2..).unwrap_or_default();
            if mark == u32::from('=') {
                return match body.first() {
                    Some((code, _)) if end == 1 => Ok(Some((Item::Range(*code, *code), tail))),
                    _ => {
                        Err(format!("{name}: equivalence class operand must be a single character"))
                    }
                };
            }
            let class = CharClass::named(&name);
            let class = class.ok_or_else(|| format!("invalid character class '{name}'"))?;
            return Ok(Some((Item::Class(class), tail)));
        }
    }
    repeat(after)
}

fn repeat(after: Symbols<'_>) -> Result<Option<(Item, Symbols<'_>)>, String> {
    let [(code, _), (star, false), rest @ ..] = after else { return Ok(None) };
    if *star != u32::from('*') {
        return Ok(None);
    }
    let Some(end) = rest.iter().position(|(code, escaped)| *code == u32::from(']') && !escaped)
    else {
        return Ok(None);
    };
    let digits: String =
        rest.iter().take(end).filter_map(|(code, _)| char::from_u32(*code)).collect();
    let radix = if digits.starts_with('0') { 8 } else { 10 };
    let count = match digits.as_str() {
        "" => None,
        _ if digits.chars().all(|c| c.is_digit(radix)) => {
            let count = usize::from_str_radix(&digits, radix).unwrap_or(usize::MAX);
            Some(count).filter(|count| *count > 0)
        }
        _ => return Err(format!("invalid repeat count '{digits}' in [c*n] construct")),
    };
    if count.is_some_and(|count| count > MOST) {
        return Err(format!("a repeat count is over the limit of {MOST}"));
    }
    Ok(Some((Item::Repeat(*code, count), rest.get(end + 1..).unwrap_or_default())))
}
