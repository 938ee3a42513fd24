//! Terminal input bytes to keys and pastes, however the bytes are split into calls.

/// What a key is, without its modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// A character; letters pressed with Control are lower case.
    Char(char),
    /// Enter or Return.
    Enter,
    /// Tab.
    Tab,
    /// The key that deletes to the left.
    Backspace,
    /// Escape on its own, see [`Decoder::expire`].
    Escape,
    /// Arrow up.
    Up,
    /// Arrow down.
    Down,
    /// Arrow left.
    Left,
    /// Arrow right.
    Right,
    /// Home.
    Home,
    /// End.
    End,
    /// Insert.
    Insert,
    /// The key that deletes to the right.
    Delete,
    /// Page up.
    PageUp,
    /// Page down.
    PageDown,
}

/// A key with its modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// The key itself.
    pub code: Code,
    /// Control was held.
    pub ctrl: bool,
    /// Alt was held, or Escape came before.
    pub alt: bool,
    /// Shift was held (known for keys that are no characters).
    pub shift: bool,
}

impl Key {
    /// A key without modifiers.
    #[must_use]
    pub fn plain(code: Code) -> Self {
        Self { code, ctrl: false, alt: false, shift: false }
    }

    /// A character with Control.
    #[must_use]
    pub fn ctrl(ch: char) -> Self {
        Self { ctrl: true, ..Self::plain(Code::Char(ch)) }
    }
}

/// What the bytes say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A key was pressed.
    Key(Key),
    /// A bracketed paste, as it came but for the markers inside of it.
    Paste(Vec<u8>),
    /// A paste of more than [`LONGEST_PASTE`] bytes, which is not kept.
    PasteTooLong,
}

const PASTE_START: &[u8] = b"\x1b[200~";
const PASTE_END: &[u8] = b"\x1b[201~";
const LONGEST_SEQUENCE: usize = 64;
/// Bytes of the longest paste that is taken.
pub const LONGEST_PASTE: usize = 4 << 20;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Ground,
    /// After ESC.
    Escape,
    /// After ESC and a byte that starts a reply, if a reply follows; else it was a key with Alt.
    Introducer(u8),
    /// After ESC `[`.
    Control,
    /// After ESC `O`.
    Function,
    /// Inside a terminal's reply, which ends at BEL or ESC `\`.
    Reply,
    /// Between the markers of a paste.
    Paste,
}

/// The incremental decoder.
#[derive(Debug, Default)]
pub struct Decoder {
    state: State,
    alt: bool,
    sequence: Vec<u8>,
    partial: Vec<u8>,
    paste: Vec<u8>,
    too_long: bool,
}

/// How a single byte was taken.
enum Step {
    /// Nothing is complete yet.
    More,
    /// The byte completes an event.
    Done(Event),
    /// The event was complete before this byte, which is to be fed again.
    Before(Event),
    /// The byte is to be fed again, in another state.
    Again,
}

impl Decoder {
    /// Takes bytes up to the end of the first event; answers how many bytes it took.
    ///
    /// `bytes` should hold all that has arrived: of several paste end markers in it the last one
    /// ends the paste, so that pasted text cannot leave the brackets.
    pub fn next(&mut self, bytes: &[u8]) -> (usize, Option<Event>) {
        let mut taken = 0;
        while let Some(byte) = bytes.get(taken) {
            if self.state == State::Paste {
                let (more, event) = self.take_paste(bytes.get(taken..).unwrap_or_default());
                return (taken + more, event);
            }
            match self.step(*byte) {
                Step::More => taken += 1,
                Step::Done(event) => return (taken + 1, Some(event)),
                Step::Before(event) => return (taken, Some(event)),
                Step::Again => {}
            }
        }
        (taken, None)
    }

    /// True if an ESC has arrived and what follows decides what it means.
    #[must_use]
    pub fn escape_pending(&self) -> bool {
        self.state == State::Escape
    }

    /// Says that nothing follows soon: a pending ESC was the Escape key.
    pub fn expire(&mut self) -> Option<Event> {
        self.escape_pending().then(|| {
            self.state = State::Ground;
            self.alt = false;
            Event::Key(Key::plain(Code::Escape))
        })
    }

    fn step(&mut self, byte: u8) -> Step {
        if !self.partial.is_empty() && !(0x80..0xc0).contains(&byte) {
            self.partial.clear();
            return Step::Before(self.key(Key::plain(Code::Char('\u{fffd}'))));
        }
        match self.state {
            State::Ground => self.ground(byte),
            State::Escape => self.escape(byte),
            State::Introducer(first) => {
                if byte.is_ascii_digit() || matches!(byte, b'!' | b'>' | b'$' | b'?') {
                    self.state = State::Reply;
                    return Step::Again;
                }
                self.state = State::Ground;
                Step::Before(self.key(Key::plain(Code::Char(char::from(first)))))
            }
            State::Control | State::Function => self.in_sequence(byte),
            State::Reply => self.in_reply(byte),
            State::Paste => Step::More,
        }
    }

    fn ground(&mut self, byte: u8) -> Step {
        if byte == 0x1b {
            self.state = State::Escape;
            return Step::More;
        }
        if byte >= 0x80 {
            return self.in_character(byte);
        }
        Step::Done(self.key(from_ascii(byte)))
    }

    fn escape(&mut self, byte: u8) -> Step {
        self.state = match byte {
            0x1b => {
                self.alt = true;
                State::Escape
            }
            b'[' => State::Control,
            b'O' => State::Function,
            b']' | b'P' => {
                self.alt = true;
                State::Introducer(byte)
            }
            // Control-C and Control-G mean the same after an Escape.
            0x03 | 0x07 => {
                self.alt = false;
                State::Ground
            }
            _ => {
                self.alt = true;
                State::Ground
            }
        };
        self.sequence.clear();
        if self.state == State::Ground { Step::Again } else { Step::More }
    }

    fn in_sequence(&mut self, byte: u8) -> Step {
        if !(0x20..0x7f).contains(&byte) {
            self.state = State::Ground;
            self.alt = false;
            return Step::Again;
        }
        let done = match self.state {
            State::Function => !byte.is_ascii_digit() && byte != b';',
            _ => byte >= 0x40,
        };
        if !done {
            if self.sequence.len() < LONGEST_SEQUENCE {
                self.sequence.push(byte);
            }
            return Step::More;
        }
        let function = self.state == State::Function;
        self.state = State::Ground;
        if !function && byte == b'~' && self.sequence == b"200" {
            self.state = State::Paste;
            self.alt = false;
            return Step::More;
        }
        let key = if function {
            function_key(&self.sequence, byte)
        } else {
            control_key(&self.sequence, byte)
        };
        match key {
            Some(key) => Step::Done(self.key(key)),
            None => {
                self.alt = false;
                Step::More
            }
        }
    }

    fn in_reply(&mut self, byte: u8) -> Step {
        if byte >= 0x20 {
            return Step::More;
        }
        self.alt = false;
        self.state = State::Ground;
        match byte {
            0x07 => Step::More,
            // The `\` of an ST follows; ESC `\` alone is a key that does nothing.
            _ => Step::Again,
        }
    }

    fn in_character(&mut self, byte: u8) -> Step {
        self.partial.push(byte);
        let event = match std::str::from_utf8(&self.partial) {
            Ok(text) => text.chars().next().map(|ch| Key::plain(Code::Char(ch))),
            Err(error) if error.error_len().is_none() => return Step::More,
            Err(_) => Some(Key::plain(Code::Char('\u{fffd}'))),
        };
        let whole = std::str::from_utf8(&self.partial).is_ok();
        let first = self.partial.len() == 1;
        self.partial.clear();
        match event {
            Some(key) if whole || first => Step::Done(self.key(key)),
            Some(key) => Step::Before(self.key(key)),
            None => Step::More,
        }
    }

    /// Completes a key with the Alt that an earlier ESC stands for.
    fn key(&mut self, key: Key) -> Event {
        Event::Key(Key { alt: key.alt || std::mem::take(&mut self.alt), ..key })
    }

    fn take_paste(&mut self, bytes: &[u8]) -> (usize, Option<Event>) {
        let before = self.paste.len();
        self.paste.extend_from_slice(bytes);
        let from = before.saturating_sub(PASTE_END.len() - 1);
        let tail = self.paste.get(from..).unwrap_or_default();
        let Some(at) = memchr::memmem::rfind(tail, PASTE_END) else {
            self.give_up_long_paste();
            return (bytes.len(), None);
        };
        let end = from + at + PASTE_END.len();
        let mut text = std::mem::take(&mut self.paste);
        text.truncate(from + at);
        self.state = State::Ground;
        let event = if std::mem::take(&mut self.too_long) || text.len() > LONGEST_PASTE {
            Event::PasteTooLong
        } else {
            Event::Paste(without_markers(&text))
        };
        (end.saturating_sub(before), Some(event))
    }

    /// Drops a paste that is too long but for a tail that may hold part of the end marker.
    fn give_up_long_paste(&mut self) {
        if self.paste.len() > LONGEST_PASTE {
            self.too_long = true;
            self.paste.drain(..self.paste.len() - (PASTE_END.len() - 1));
        }
    }
}

fn without_markers(text: &[u8]) -> Vec<u8> {
    let mut clean = text.to_vec();
    // Removing a marker may put a new one together, so this goes on until none is left.
    while let Some(at) = memchr::memmem::find(&clean, PASTE_END)
        .or_else(|| memchr::memmem::find(&clean, PASTE_START))
    {
        clean.drain(at..at + PASTE_END.len());
    }
    clean
}

fn from_ascii(byte: u8) -> Key {
    match byte {
        b'\r' => Key::plain(Code::Enter),
        b'\t' => Key::plain(Code::Tab),
        0x7f => Key::plain(Code::Backspace),
        0 => Key::ctrl(' '),
        1..=26 => Key::ctrl(char::from(byte + b'a' - 1)),
        27..=31 => Key::ctrl(char::from(byte + b'@')),
        _ => Key::plain(Code::Char(char::from(byte))),
    }
}

fn with_modifiers(code: Code, parameter: u32) -> Key {
    let bits = parameter.saturating_sub(1);
    Key { code, shift: bits & 1 != 0, alt: bits & 0b1010 != 0, ctrl: bits & 4 != 0 }
}

fn numbers(sequence: &[u8]) -> Vec<u32> {
    let text = std::str::from_utf8(sequence).unwrap_or_default();
    let number = |part: &str| part.split(':').next().unwrap_or_default().parse().unwrap_or(0);
    text.split(';').map(number).collect()
}

fn letter(byte: u8) -> Option<Code> {
    Some(match byte {
        b'A' => Code::Up,
        b'B' => Code::Down,
        b'C' => Code::Right,
        b'D' => Code::Left,
        b'H' => Code::Home,
        b'F' => Code::End,
        _ => return None,
    })
}

/// The key of `ESC [ sequence last`; `None` for replies and keys without a meaning here.
fn control_key(sequence: &[u8], last: u8) -> Option<Key> {
    if sequence.first().is_some_and(|byte| (b'<'..=b'?').contains(byte)) {
        return None;
    }
    let numbers = numbers(sequence);
    let first = numbers.first().copied().unwrap_or(0);
    let second = numbers.get(1).copied().unwrap_or(0);
    if let Some(code) = letter(last) {
        // `ESC [ 5 D` is an old spelling of `ESC [ 1 ; 5 D`.
        return Some(with_modifiers(code, if numbers.len() > 1 { second } else { first }));
    }
    match last {
        b'Z' => Some(Key { shift: true, ..Key::plain(Code::Tab) }),
        b'a'..=b'd' => letter(last.to_ascii_uppercase()).map(|code| with_modifiers(code, 2)),
        b'u' => with_code(first, second),
        b'~' if first == 27 => with_code(numbers.get(2).copied().unwrap_or(0), second),
        b'~' => numbered(first).map(|code| with_modifiers(code, second)),
        b'^' => numbered(first).map(|code| with_modifiers(code, 5)),
        _ => None,
    }
}

fn numbered(number: u32) -> Option<Code> {
    Some(match number {
        1 | 7 => Code::Home,
        2 => Code::Insert,
        3 => Code::Delete,
        4 | 8 => Code::End,
        5 => Code::PageUp,
        6 => Code::PageDown,
        _ => return None,
    })
}

fn with_code(code: u32, modifiers: u32) -> Option<Key> {
    let code = match code {
        9 => Code::Tab,
        13 => Code::Enter,
        27 => Code::Escape,
        8 | 127 => Code::Backspace,
        _ => Code::Char(char::from_u32(code).filter(|ch| !ch.is_control())?),
    };
    Some(with_modifiers(code, modifiers))
}

/// The key of `ESC O sequence last`, keypad included.
fn function_key(sequence: &[u8], last: u8) -> Option<Key> {
    if let Some(code) = letter(last) {
        return Some(with_modifiers(code, numbers(sequence).last().copied().unwrap_or(0)));
    }
    match last {
        b'a'..=b'd' => letter(last.to_ascii_uppercase()).map(|code| with_modifiers(code, 5)),
        b'M' => Some(Key::plain(Code::Enter)),
        b'j'..=b'y' => Some(Key::plain(Code::Char(char::from(last - b'j' + b'*')))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Feeds `bytes` whole and one byte at a time; both must give `expect`.
    fn check(bytes: &[u8], expect: &[Event]) {
        assert_eq!(decode(&[bytes]), expect, "whole {:?}", String::from_utf8_lossy(bytes));
        let single: Vec<&[u8]> = bytes.chunks(1).collect();
        assert_eq!(decode(&single), expect, "split {:?}", String::from_utf8_lossy(bytes));
    }

    fn decode(chunks: &[&[u8]]) -> Vec<Event> {
        let mut decoder = Decoder::default();
        let mut events = Vec::new();
        for chunk in chunks {
            let mut rest = *chunk;
            while !rest.is_empty() {
                let (taken, event) = decoder.next(rest);
                rest = &rest[taken..];
                events.extend(event);
            }
        }
        events
    }

    fn keys(keys: &[Key]) -> Vec<Event> {
        keys.iter().copied().map(Event::Key).collect()
    }

    fn ch(ch: char) -> Key {
        Key::plain(Code::Char(ch))
    }

    fn alt(key: Key) -> Key {
        Key { alt: true, ..key }
    }

    #[test]
    fn characters_and_controls() {
        check("aé漢😀".as_bytes(), &keys(&[ch('a'), ch('é'), ch('漢'), ch('😀')]));
        check(
            b"\x01\r\n\t\x7f\x08\x1f",
            &keys(&[
                Key::ctrl('a'),
                Key::plain(Code::Enter),
                Key::ctrl('j'),
                Key::plain(Code::Tab),
                Key::plain(Code::Backspace),
                Key::ctrl('h'),
                Key::ctrl('_'),
            ]),
        );
        check(b"\xe2\x82x\xffy", &keys(&[ch('\u{fffd}'), ch('x'), ch('\u{fffd}'), ch('y')]));
        check(b"\xed\xa0\x80", &keys(&[ch('\u{fffd}'); 3]));
    }

    #[test]
    fn word_motions_in_every_encoding() {
        let left = |ctrl, alt| Key { ctrl, alt, ..Key::plain(Code::Left) };
        check(b"\x1bb", &keys(&[alt(ch('b'))]));
        for bytes in [&b"\x1b[1;5D"[..], b"\x1b[5D", b"\x1bO5D", b"\x1bOd", b"\x1bO1;5D"] {
            check(bytes, &keys(&[left(true, false)]));
        }
        for bytes in [&b"\x1b[1;3D"[..], b"\x1b\x1b[D", b"\x1b\x1bOD", b"\x1b[1;9D"] {
            check(bytes, &keys(&[left(false, true)]));
        }
    }

    #[test]
    fn named_keys_in_every_encoding() {
        for bytes in [&b"\x1b[H"[..], b"\x1bOH", b"\x1b[1~", b"\x1b[7~"] {
            check(bytes, &keys(&[Key::plain(Code::Home)]));
        }
        for bytes in [&b"\x1b[F"[..], b"\x1bOF", b"\x1b[4~", b"\x1b[8~"] {
            check(bytes, &keys(&[Key::plain(Code::End)]));
        }
        check(b"\x1b[3~", &keys(&[Key::plain(Code::Delete)]));
        check(b"\x1b[3;5~\x1b[3^", &keys(&[Key { ctrl: true, ..Key::plain(Code::Delete) }; 2]));
        check(b"\x1b[Z", &keys(&[Key { shift: true, ..Key::plain(Code::Tab) }]));
        check(b"\x1b\x7f", &keys(&[alt(Key::plain(Code::Backspace))]));
        check(b"\x1b[97;5u\x1b[27;5;97~", &keys(&[Key::ctrl('a'); 2]));
        check(b"\x1bOM\x1bOk\x1bOq", &keys(&[Key::plain(Code::Enter), ch('+'), ch('1')]));
    }

    #[test]
    fn replies_and_unknown_sequences_say_nothing() {
        check(b"\x1b[?1;2c\x1b[I\x1b[O\x1b[<0;1;1Mx", &keys(&[ch('x')]));
        check(b"\x1b]11;rgb:0/0/0\x07x\x1b]4;1\x1b\\", &keys(&[ch('x'), alt(ch('\\'))]));
        check(b"\x1b]x", &keys(&[alt(ch(']')), ch('x')]));
        check(b"\x1b[1\x03", &keys(&[Key::ctrl('c')]));
        check(b"\x1b\x03", &keys(&[Key::ctrl('c')]));
    }

    #[test]
    fn escape_alone_is_decided_by_time() {
        let mut decoder = Decoder::default();
        assert_eq!(decoder.next(b"\x1b"), (1, None));
        assert!(decoder.escape_pending());
        assert_eq!(decoder.expire(), Some(Event::Key(Key::plain(Code::Escape))));
        assert_eq!(decoder.expire(), None);
        assert_eq!(decoder.next(b"b"), (1, Some(Event::Key(ch('b')))));
    }

    #[test]
    fn pastes() {
        let paste = |text: &str| Event::Paste(text.as_bytes().to_vec());
        check(b"\x1b[200~a\rb\x1b[201~", &[paste("a\rb")]);
        let key = Event::Key(Key::plain(Code::Enter));
        check(
            b"\x1b[200~\x1b[31m\xff\x1b[201~\r",
            &[Event::Paste(b"\x1b[31m\xff".to_vec()), key.clone()],
        );
        // A marker in the pasted text, arriving with it, does not end the paste.
        assert_eq!(decode(&[b"\x1b[200~a\x1b[201~rm\r\x1b[201~\r"]), [paste("arm\r"), key.clone()]);
        assert_eq!(decode(&[b"\x1b[200~a\x1b[20\x1b[201~1~b\x1b[201~"]), [paste("ab")]);
        assert_eq!(decode(&[b"\x1b[200~a", b"b\x1b[2", b"01~\r"]), [paste("ab"), key]);
        assert_eq!(decode(&[b"\x1b[201~"]), []);
        let long = vec![b'x'; LONGEST_PASTE / 2 + 1];
        let pieces: [&[u8]; 5] = [b"\x1b[200~", &long, &long, b"y\x1b[20", b"1~z"];
        assert_eq!(decode(&pieces), [Event::PasteTooLong, Event::Key(ch('z'))]);
    }
}
