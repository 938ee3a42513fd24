//! Lines typed for a program: what it gets, and what the terminal shows.

use super::super::{Cooked, CookedAction, Discipline};
use super::terminal::Terminal;

/// A program that reads the terminal.
struct Reader {
    cooked: Cooked,
    terminal: Terminal,
    /// What the program got; `^C` and `^D` stand for interrupt and end.
    got: String,
}

impl Reader {
    fn new(columns: usize) -> Self {
        Self {
            cooked: Cooked::new(columns),
            terminal: Terminal::new(columns, 6),
            got: String::new(),
        }
    }

    fn keys(&mut self, keys: &str) {
        for action in self.cooked.input(keys.as_bytes()) {
            match action {
                CookedAction::Write(bytes) => self.terminal.write(&bytes),
                CookedAction::Data(bytes) => self.got += std::str::from_utf8(&bytes).unwrap(),
                CookedAction::EndOfInput => self.got.push_str("^D"),
                CookedAction::Interrupt => self.got.push_str("^C"),
            }
        }
    }

    fn output(&mut self, text: &str, column: usize) {
        self.terminal.write(text.as_bytes());
        self.cooked.output_at(column);
    }
}

#[track_caller]
fn check(keys: &str, got: &str, rows: &[&str]) {
    let mut reader = Reader::new(10);
    reader.keys(keys);
    assert_eq!(reader.got, got, "{keys:?}");
    assert_eq!(reader.terminal.all("|"), rows, "{keys:?}");
}

#[test]
fn lines_are_edited_and_sent() {
    check("one\rtwo", "one\n", &["one", "two|"]);
    check("ab\x7fc\n", "ac\n", &["ac", "|"]);
    check("\x7fa\x08\x08b", "", &["b|"]);
    check("漢e\u{301}👩‍💻\x7f\x7fx", "", &["漢x|"]);
    check("one two\x17x", "", &["one x|"]);
    check("one two\x15x\r", "x\n", &["x", "|"]);
    check("a\x16\x01b\x7f\x7f\x7f", "", &["|"]);
    check("a\tb\x7f\x7fc", "", &["ac|"]);
    check("a\x1b[A\x1bb\x1b[3~b", "", &["ab|"]);
}

#[test]
fn ends_and_interrupts() {
    check("\x04", "^D", &["|"]);
    check("ab\x04\x04", "ab^D", &["ab|"]);
    check("ab\x04c\x7f\x7fd\r", "abd\n", &["abd", "|"]);
    check("ab\x03c\r", "^Cc\n", &["ab^C", "c", "|"]);
}

#[test]
fn long_lines_are_erased_over_the_margin() {
    check("1234567890ab\x7f\x7fx", "", &["1234567890", "x|"]);
    check("1234567890ab\x7f\x7f\x7fx", "", &["123456789x|"]);
    check("1234567890\x7f", "", &["123456789|"]);
    check("123456789漢\x7f\x7fx", "", &["12345678x|"]);
    check("1234567890ab\x15x", "", &["x|"]);
}

#[test]
fn what_the_program_wrote_stays() {
    let mut reader = Reader::new(20);
    reader.output("Name: ", 6);
    reader.keys("abc\x15\x7fd");
    assert_eq!(reader.terminal.all("|"), ["Name: d|"]);
    reader.output("...", 10);
    reader.keys("\x7f\x7fx\r");
    assert_eq!(reader.terminal.all("|"), ["Name: d...x", "|"]);
    assert_eq!(reader.got, "x\n");
}

#[test]
fn pastes_and_other_disciplines() {
    check("\x1b[200~a\r\nb\x1b[201~", "a\n", &["a", "b|"]);
    let mut reader = Reader::new(20);
    reader.cooked.set_discipline(Discipline::Hidden);
    reader.keys("sec\x7fret\r");
    assert_eq!(
        (reader.got.as_str(), reader.terminal.all("|")),
        ("seret\n", vec![String::new(), "|".to_owned()])
    );
    reader.cooked.set_discipline(Discipline::Raw);
    reader.got.clear();
    reader.keys("a\x1b[A\x04\x03b");
    assert_eq!(reader.got, "a\x1b[A\x04^Cb");
    reader.keys("");
    reader.cooked.set_discipline(Discipline::Lines);
    reader.keys("left");
    assert_eq!(reader.cooked.take_line(), "left");
    assert_eq!(reader.cooked.take_line(), "");
}
