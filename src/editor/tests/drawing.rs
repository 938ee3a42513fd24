//! Rows, margins, resizes and blocks taller than the terminal.

use super::{Session, Toy};

#[test]
fn long_lines_wrap_and_the_cursor_stands_after_the_margin() {
    let mut session = Session::new(10, 6);
    session.keys("12345678");
    session.sees(&["$ 12345678", "|"]);
    session.keys("9");
    session.sees(&["$ 12345678", "9|"]);
    assert!(session.terminal.lines[1].wrapped);
    session.keys("\x02");
    session.sees(&["$ 12345678", "|9"]);
    session.keys("\x02\x7f");
    session.sees(&["$ 123456|89"]);
    session.keys("漢");
    session.sees(&["$ 123456漢", "|89"]);
    session.keys("x\x02\x02x");
    session.sees(&["$ 123456x", "|漢x89"]);
}

#[test]
fn copied_lines_have_no_newline_at_the_margin() {
    let mut session = Session::new(10, 6);
    session.keys("1234567890\x1b\rx\x1b[A\x01");
    let wrapped: Vec<bool> = session.terminal.lines.iter().map(|line| line.wrapped).collect();
    assert_eq!(wrapped, [false, true, false, false, false, false]);
    session.keys("\x0b");
    session.sees(&["$ |", "> x"]);
    assert!(!session.terminal.lines[1].wrapped);
    session.keys("\x19");
    session.sees(&["$ 12345678", "90|", "> x"]);
    assert!(session.terminal.lines[1].wrapped);
}

#[test]
fn only_what_changes_is_written() {
    let mut session = Session::new(40, 6);
    session.keys("echo hello");
    let mut writes = |keys: &str| {
        session.written.clear();
        session.keys(keys);
        String::from_utf8(session.written.clone()).unwrap()
    };
    assert_eq!(writes("x"), "x");
    assert_eq!(writes("\x02"), "\x08");
    assert_eq!(writes("\x7f"), "\x08x\x1b[K\x08");
    assert_eq!(writes("\x01"), "\x1b[3G");
    assert_eq!(writes("\x01"), "");
    assert_eq!(writes("\x04"), "\x1b[31mcho\x1b[m hellx\x1b[K\x1b[3G");
}

#[test]
fn clusters_are_rewritten_whole() {
    let mut session = Session::new(20, 6);
    session.keys("e").keys("\u{301}").keys("x");
    session.sees(&["$ e\u{301}x|"]);
    session.keys("👩").keys("\u{200d}").keys("💻").keys("!");
    session.sees(&["$ e\u{301}x👩\u{200d}💻!|"]);
    session.keys("\x02\x7f");
    session.sees(&["$ e\u{301}x|!"]);
    // A combining character with nothing before it does not join the prompt.
    session.keys("\x15\u{301}");
    session.sees(&["$ \u{301}|!"]);
    assert_eq!(session.terminal.lines[0].cells[2].text, "\u{301}");
}

#[test]
fn prompts_have_colours_and_lines() {
    let mut session = Session::new(20, 6);
    session.keys("x\r");
    session.prompt("\x1b[1;34m~/a\x1b[0m\n\x1b[31m1\x1b[m > ");
    session.keys("ls");
    session.sees(&["$ x", "~/a", "1 > ls|"]);
    assert_eq!(session.terminal.lines[1].cells[0].sgr, "1;34;");
    assert_eq!(session.terminal.lines[2].cells[4].sgr, "32;");
}

#[test]
fn a_new_size_redraws_the_block_in_its_place() {
    let mut session = Session::new(20, 8);
    session.keys("above\r");
    session.prompt("$ ");
    session.keys("echo 1234567890 abcdefghijk\x1b\rsecond line");
    session.sees(&["$ above", "$ echo 1234567890 ab", "cdefghijk", "> second line|"]);
    session.resize(10, 8);
    let narrow = ["$ above", "$ echo 123", "4567890 ab", "cdefghijk", "> second l", "ine|"];
    session.sees(&narrow);
    session.resize(30, 8);
    session.sees(&["$ above", "$ echo 1234567890 abcdefghijk", "> second line|"]);
    session.keys("\x1b[A\x01");
    session.resize(12, 8);
    session.sees(&["$ above", "$ |echo 12345", "67890 abcdef", "ghijk", "> second lin", "e"]);
    session.resize(12, 3);
    session.resize(20, 8);
    assert_eq!(session.terminal.all("|").last().unwrap(), "> second line");
}

#[test]
fn a_block_taller_than_the_terminal_shows_the_part_with_the_cursor() {
    let mut session = Session::new(10, 4);
    session.keys("1\x1b\r2\x1b\r3\x1b\r4\x1b\r5\x1b\r6");
    session.sees(&["> 3", "> 4", "> 5", "> 6|"]);
    session.keys("\x1b[A\x1b[A\x1b[A\x1b[A");
    session.sees(&["> 2|", "> 3", "> 4", "> 5"]);
    session.keys("\x1b[1;5H");
    session.sees(&["$ |1", "> 2", "> 3", "> 4"]);
    session.keys("\r");
    session.sees(&["$ 1", "> 2", "> 3", "> 4", "> 5", "> 6", "|"]);
}

#[test]
fn output_appears_above_the_line() {
    let mut session = Session::new(20, 6);
    session.keys("ec\x02");
    let actions = session.editor.print_above(b"[1] Done sleep", &Toy);
    session.take(actions);
    session.sees(&["[1] Done sleep", "$ e|c"]);
    session.keys("\r");
    let actions = session.editor.print_above(b"out\r\n", &Toy);
    session.take(actions);
    session.sees(&["[1] Done sleep", "$ ec", "out", "|"]);
}

#[test]
fn tiny_terminals_work() {
    let mut session = Session::new(2, 1);
    session.keys("ab漢\x01\x05\x7f\x7f");
    session.sees(&["a|"]);
}
