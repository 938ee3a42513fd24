//! What programs write to what the terminal may see: text and harmless sequences.
//!
//! Output is untrusted, so nothing passes that this file does not name. An escape sequence is held
//! back until it is whole, then passed or dropped; the terminal never sees a part of one, whatever
//! the borders of the pieces are. Text passes unchanged, except that bytes that are not UTF-8
//! become U+FFFD, since some of them would be control characters.
//!
//! Dropped: what makes the terminal answer, writes the clipboard or titles, changes palettes,
//! opens links other than http, https and mailto, draws images, or is unknown. Modes may be set
//! while the program runs; [`OutputFilter::finish`] undoes what is left of them.

mod column;
mod modes;

use column::Column;
use modes::Modes;

const LONGEST_CONTROL: usize = 256;
const LONGEST_STRING: usize = 4096;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Ground,
    /// After ESC, and bytes between it and the last one.
    Escape,
    /// In a control sequence.
    Control,
    /// In an operating system command.
    Command,
    /// In a string that is dropped whatever it says.
    Skip,
}

/// The filter of one terminal.
#[derive(Debug)]
pub struct OutputFilter {
    state: State,
    sequence: String,
    partial: Vec<u8>,
    after_return: bool,
    column: Column,
    modes: Modes,
}

impl OutputFilter {
    /// A filter for a terminal of this width, with its cursor in the first column.
    #[must_use]
    pub fn new(columns: usize) -> Self {
        Self {
            state: State::Ground,
            sequence: String::new(),
            partial: Vec::new(),
            after_return: false,
            column: Column::new(columns),
            modes: Modes::default(),
        }
    }

    /// Says that the terminal has another width.
    pub fn resize(&mut self, columns: usize) {
        self.column.resize(columns);
    }

    /// The column the cursor is in, from 0; `None` after sequences that lead anywhere.
    #[must_use]
    pub fn column(&self) -> Option<usize> {
        self.column.get()
    }

    /// Takes bytes in pieces of any size; answers UTF-8 for the terminal.
    pub fn write(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut out = String::with_capacity(bytes.len() + 16);
        let mut held = std::mem::take(&mut self.partial);
        let bytes = if held.is_empty() {
            bytes
        } else {
            held.extend_from_slice(bytes);
            held.as_slice()
        };
        let mut chunks = bytes.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            chunk.valid().chars().for_each(|ch| self.take(ch, &mut out));
            let invalid = chunk.invalid();
            let may_go_on = std::str::from_utf8(invalid).is_err_and(|it| it.error_len().is_none());
            if may_go_on && chunks.peek().is_none() {
                self.partial = invalid.to_vec();
            } else if !invalid.is_empty() {
                self.take('\u{fffd}', &mut out);
            }
        }
        out.into_bytes()
    }

    /// Ends a program's output: undoes the modes it left and puts the cursor in the first column.
    pub fn finish(&mut self) -> Vec<u8> {
        let mut out = String::new();
        self.state = State::Ground;
        if !std::mem::take(&mut self.partial).is_empty() {
            self.take('\u{fffd}', &mut out);
        }
        if self.modes.undo(&mut out) {
            self.column.lose();
        }
        if self.column.get() != Some(0) {
            out.push_str("\r\n");
            self.column.set(0);
        }
        self.after_return = false;
        out.into_bytes()
    }

    fn take(&mut self, ch: char, out: &mut String) {
        match (self.state, ch) {
            (State::Ground, ' '..='~') => self.text(ch, out),
            (_, '\x1b') => {
                if self.state == State::Command {
                    self.command(out);
                }
                self.enter(State::Escape);
            }
            (_, '\u{80}'..='\u{9f}') => self.high_control(ch, out),
            (State::Ground, _) => self.ground(ch, out),
            (State::Command, '\x07') => {
                self.command(out);
                self.enter(State::Ground);
            }
            // CAN and SUB end any sequence.
            (_, '\x18' | '\x1a') => self.enter(State::Ground),
            (State::Command | State::Skip, _) => self.collect(ch, LONGEST_STRING),
            // Control characters inside a sequence act at once.
            (State::Escape | State::Control, _) if ch.is_control() => self.ground(ch, out),
            (State::Escape, _) => self.escape(ch, out),
            (State::Control, _) => self.control(ch, out),
        }
    }

    fn enter(&mut self, state: State) {
        self.state = state;
        self.sequence.clear();
    }

    /// Keeps a character of a sequence; one too long is dropped whole.
    fn collect(&mut self, ch: char, limit: usize) {
        if self.sequence.len() <= limit {
            self.sequence.push(ch);
        }
    }

    fn text(&mut self, ch: char, out: &mut String) {
        out.push(ch);
        self.after_return = false;
        self.column.print(ch);
    }

    fn ground(&mut self, ch: char, out: &mut String) {
        match ch {
            '\n' => {
                out.push_str(if self.after_return { "\n" } else { "\r\n" });
                self.column.set(0);
            }
            '\r' => {
                out.push('\r');
                self.column.set(0);
            }
            // ENQ asks for an answer.
            '\x05' => return,
            '\x0e' | '\x0f' => {
                out.push(ch);
                self.modes.shift(ch == '\x0e');
                self.column.control(ch);
            }
            _ if ch.is_control() => {
                out.push(ch);
                self.column.control(ch);
            }
            _ => return self.text(ch, out),
        }
        self.after_return = ch == '\r';
    }

    /// The control characters that are one character for ESC and a second.
    fn high_control(&mut self, ch: char, out: &mut String) {
        if self.state == State::Command && ch == '\u{9c}' {
            self.command(out);
        }
        self.enter(match ch {
            '\u{9b}' => State::Control,
            '\u{9d}' => State::Command,
            '\u{90}' | '\u{98}' | '\u{9e}' | '\u{9f}' => State::Skip,
            _ => State::Ground,
        });
    }

    fn escape(&mut self, ch: char, out: &mut String) {
        match (self.sequence.is_empty(), ch) {
            (true, '[') => self.enter(State::Control),
            (true, ']') => self.enter(State::Command),
            (true, 'P' | 'X' | '^' | '_') => self.enter(State::Skip),
            (_, ' '..='/') => self.collect(ch, LONGEST_CONTROL),
            (_, '0'..='~') => {
                self.simple(ch, out);
                self.enter(State::Ground);
            }
            _ => {
                self.enter(State::Ground);
                self.ground(ch, out);
            }
        }
    }

    /// ESC, the collected bytes and a last one.
    fn simple(&mut self, last: char, out: &mut String) {
        let passes = match self.sequence.as_str() {
            "" => match last {
                '7' | 'D' | 'H' | '\\' => last != '\\',
                '8' | 'M' | 'c' => {
                    self.column.lose();
                    true
                }
                'E' => {
                    self.column.set(0);
                    true
                }
                '=' | '>' => {
                    self.modes.keypad(last == '=');
                    true
                }
                _ => false,
            },
            slot @ ("(" | ")" | "*" | "+") => {
                self.modes.charset(slot, last != 'B');
                true
            }
            "#" => last == '8',
            _ => false,
        };
        if passes {
            out.push('\x1b');
            out.push_str(&self.sequence);
            out.push(last);
            self.after_return = false;
            self.column.interrupt();
        }
        if (self.sequence.as_str(), last) == ("", 'c') && passes {
            self.modes = Modes::default();
            self.column.set(0);
        }
    }

    fn control(&mut self, ch: char, out: &mut String) {
        match ch {
            ' '..='?' => self.collect(ch, LONGEST_CONTROL),
            '@'..='~' => {
                let sequence = std::mem::take(&mut self.sequence);
                self.state = State::Ground;
                self.whole_control(&sequence, ch, out);
            }
            _ => {
                self.enter(State::Ground);
                self.ground(ch, out);
            }
        }
    }

    /// `ESC [`, the parameters and a last character.
    fn whole_control(&mut self, parameters: &str, last: char, out: &mut String) {
        let digits = |part: &str| part.len() <= 5;
        let split = parameters.split(|ch: char| !ch.is_ascii_digit());
        if parameters.len() > LONGEST_CONTROL || !split.into_iter().all(digits) {
            return;
        }
        if let 'h' | 'l' = last {
            let allowed = self.modes.set(parameters, last == 'h');
            if allowed.is_empty() {
                return;
            }
            if self.modes.moves_cursor(&allowed) {
                self.column.lose();
            }
            return self.pass(&allowed, last, out);
        }
        let plain = parameters.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b';' | b':'));
        let passes = match last {
            'm' if plain => {
                self.modes.colours(!matches!(parameters, "" | "0"));
                true
            }
            'r' if plain => {
                self.modes.region(!parameters.is_empty());
                true
            }
            'q' => parameters.strip_suffix(' ').is_some_and(|shape| {
                self.modes.cursor_shape(!matches!(shape, "" | "0"));
                shape.len() <= 1
            }),
            // Repeating a character is capped: each one costs memory in the terminal.
            'b' => plain && parameters.len() <= 4,
            's' | 'u' => parameters.is_empty(),
            'J' | 'K' => plain || parameters.strip_prefix('?').is_some_and(|it| it.len() <= 1),
            'A'..='I'
            | 'L'
            | 'M'
            | 'P'
            | 'S'
            | 'T'
            | 'X'
            | 'Z'
            | '@'
            | '`'
            | 'a'
            | 'd'
            | 'e'
            | 'f'
            | 'g' => plain,
            _ => false,
        };
        if passes {
            self.column.sequence(parameters, last);
            self.pass(parameters, last, out);
        }
    }

    fn pass(&mut self, parameters: &str, last: char, out: &mut String) {
        out.push_str("\x1b[");
        out.push_str(parameters);
        out.push(last);
        self.after_return = false;
        self.column.interrupt();
    }

    /// An operating system command: links to known schemes pass, nothing else does.
    fn command(&mut self, out: &mut String) {
        let command = std::mem::take(&mut self.sequence);
        let Some((parameters, target)) =
            command.strip_prefix("8;").and_then(|rest| rest.split_once(';'))
        else {
            return;
        };
        let printable = command.bytes().all(|byte| (0x20..0x7f).contains(&byte));
        let lower = target.to_ascii_lowercase();
        let known = ["http://", "https://", "mailto:"].iter().any(|it| lower.starts_with(it));
        let whole = command.len() <= LONGEST_STRING;
        if printable && known && whole {
            out.push_str(&format!("\x1b]8;{parameters};{target}\x1b\\"));
            self.modes.link(true);
        } else if self.modes.link(false) {
            // Text of a link that may not be opened does not belong to the one before either.
            out.push_str("\x1b]8;;\x1b\\");
        }
        self.column.interrupt();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Filters `bytes` whole and byte by byte, without the end of the output.
    #[track_caller]
    fn check(bytes: impl AsRef<[u8]>, expect: &str) {
        let bytes = bytes.as_ref();
        let whole = OutputFilter::new(80).write(bytes);
        let mut filter = OutputFilter::new(80);
        let split: Vec<u8> = bytes.chunks(1).flat_map(|byte| filter.write(byte)).collect();
        let show = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
        assert_eq!(show(&whole), expect, "{:?}", String::from_utf8_lossy(bytes));
        assert_eq!(show(&split), expect, "split {:?}", String::from_utf8_lossy(bytes));
    }

    /// What the end of the output adds after `bytes` and a newline.
    #[track_caller]
    fn ends(bytes: &str, expect: &str) {
        let mut filter = OutputFilter::new(80);
        filter.write(bytes.as_bytes());
        let end = filter.finish();
        assert_eq!(String::from_utf8(end).expect("UTF-8"), expect, "{bytes:?}");
        assert_eq!(filter.finish(), b"", "{bytes:?} again");
    }

    #[test]
    fn text_and_colours_pass() {
        check("a\tb é漢😀\r\nc\nd\r\n\n", "a\tb é漢😀\r\nc\r\nd\r\n\r\n");
        check("\x1b[1;38;2;1;2;3mx\x1b[4:3my\x1b[m", "\x1b[1;38;2;1;2;3mx\x1b[4:3my\x1b[m");
        check("\x1b[2J\x1b[H\x1b[3;4H\x1b[K\x1b7\x1b8", "\x1b[2J\x1b[H\x1b[3;4H\x1b[K\x1b7\x1b8");
        check("50%\r100%\n", "50%\r100%\r\n");
    }

    #[test]
    fn bytes_that_are_no_text_are_shown_as_such() {
        check(b"a\xffb\xe2\x82", "a\u{fffd}b");
        check(b"\xc0\x9b\xe0\x82\x9bx", "\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}x");
    }

    #[test]
    fn the_clipboard_titles_and_palettes_stay() {
        check("a\x1b]52;c;aGk=\x07b", "ab");
        check("a\x1b]52;c;aGk=\x1b\\b", "ab");
        check("a\u{9d}52;c;aGk=\u{9c}b", "ab");
        check("a\x1b]0;title\x07b\x1b]2;title\x07\x1b]4;1;red\x07c", "abc");
        check("\x1b]1337;File=:AAAA\x07\x1b]9;note\x07\x1b]7;file:///\x07x", "x");
        check("\x1b]0;never ends\nx", "");
        check("\x1b]0;cut\x18x", "x");
        check("\x1b]0;cut\x1b[1mx", "\x1b[1mx");
    }

    #[test]
    fn nothing_makes_the_terminal_answer() {
        check("a\x1b[c\x1b[>c\x1b[=c\x1b[0c\x1bZ\x05b", "ab");
        check("a\x1b[5n\x1b[6n\x1b[?6n\u{9b}6nb", "ab");
        check("a\x1b[?25$p\x1b[4$p\x1b[x\x1b[>q\x1b[?u\x1b[>1u\x1b[?4mb", "ab");
        check("a\x1b]10;?\x07\x1b]11;?\x1b\\\x1b]4;1;?\x07b", "ab");
        check("a\x1bP$qm\x1b\\\x1bP+q544e\x1b\\b", "ab");
        check("a\x1b[14t\x1b[21t\x1b[22;0t\x1b[8;9;9tb", "ab");
        check("a\x1b_payload\x1b\\\x1b^x\x1b\\\x1bXx\x1b\\b", "ab");
        check("a\x1b[6\nnb\x1b[1\x186nc", "a\r\nb6nc");
        check("\x1b[!p\x1b[?1;2S\x1b[5i\x1bn\x1b|\x1b%G\x1b F\x1b[>4;1m\x1b[1;1\"qx", "x");
        check("\x1b[1000000000bx\x1b[99999999Cy\x1b[3b", "xy\x1b[3b");
        check(format!("\x1b[{}mx", "1;".repeat(200)), "x");
    }

    #[test]
    fn links_pass_for_three_schemes() {
        let link = |to: &str| format!("\x1b]8;id=1;{to}\x1b\\x\x1b]8;;\x1b\\");
        for to in ["https://a.b/c?d=e", "HTTP://a", "mailto:a@b"] {
            check(link(to), &link(to));
        }
        for to in ["javascript:alert(1)", "file:///etc", "data:text/html,x", "ftp://a", "//a", "a"]
        {
            check(link(to), "x");
        }
        check("\x1b]8;;http://a\x07x\x1b]8;;file:b\x07y", "\x1b]8;;http://a\x1b\\x\x1b]8;;\x1b\\y");
        check("\x1b]8;;http://\u{e9}\x07x", "x");
        check(format!("\x1b]8;;http://{}\x07x", "a".repeat(5000)), "x");
        ends("\x1b]8;;http://a\x07\n", "\x1b]8;;\x1b\\");
    }

    #[test]
    fn modes_are_undone_at_the_end() {
        check("\x1b[?1049h\x1b[?25l\x1b[4h", "\x1b[?1049h\x1b[?25l\x1b[4h");
        check("\x1b[?25;9001;1000hx\x1b[?3h\x1b[2h", "\x1b[?25;1000hx");
        ends("\x1b[?1049h\x1b[?25l", "\x1b[?1049l\x1b[?25h\r\n");
        ends("\x1b[?1049h\x1b[?1049l\n", "");
        ends("\x1b[?1000;1006h\x1b[?2004h\n", "\x1b[?1000l\x1b[?1006l\x1b[?2004l");
        ends("\x1b[?7l\x1b[4h\x1b[20h\n", "\x1b[?7h\x1b[4l\x1b[20l");
        ends("\x1b[31m\n", "\x1b[m");
        ends("\x1b[31mx\x1b[m\n", "");
        ends("\x1b(0\x0e\n", "\x1b(B\x0f");
        ends("\x1b=\x1b[4 q\n", "\x1b>\x1b[0 q");
        ends("\x1b[3;5r\n", "\x1b7\x1b[r\x1b8\r\n");
        ends("\x1b[?6h\n", "\x1b7\x1b[?6l\x1b8\r\n");
        ends("\x1b[31m\x1bc", "");
    }

    #[test]
    fn the_end_is_in_the_first_column() {
        ends("", "");
        ends("x\n", "");
        ends("x", "\r\n");
        ends("x\r", "");
        ends("x\x08", "");
        ends("x\x1b[1G", "");
        ends("x\x1b[2J\x1b[H", "");
        ends("x\x1b[3;2H", "\r\n");
        ends("\x1b[", "");
        ends("漢\x1b[2D", "");
    }

    #[test]
    fn columns_are_known() {
        let column = |text: &str| {
            let mut filter = OutputFilter::new(10);
            filter.write(text.as_bytes());
            filter.column()
        };
        assert_eq!(column("Name: "), Some(6));
        assert_eq!(column("e\u{301}漢👩‍💻"), Some(5));
        assert_eq!(column("a\tb"), Some(9));
        assert_eq!(column("1234567890"), Some(10));
        assert_eq!(column("1234567890ab"), Some(2));
        assert_eq!(column("123456789漢"), Some(2));
        assert_eq!(column("\x1b[31mabc\x1b[m"), Some(3));
        assert_eq!(column("abc\x1b[5C\x1b[2D"), Some(6));
        assert_eq!(column("ab\x1b[3b"), Some(5));
        assert_eq!(column("a\x1b7\x1b8"), None);
        assert_eq!(column("e\x1b[m\u{301}"), Some(2));
    }
}
