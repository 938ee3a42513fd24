//! Editing keys: what each does to the line.

use super::{Action, Session};

/// Types `keys` and compares the line, `|` standing for the cursor.
#[track_caller]
fn check(keys: &str, line: &str) {
    let mut session = Session::new(60, 8);
    session.keys(keys);
    assert_eq!(session.line(), line, "{keys:?}");
    let mut split = Session::new(60, 8);
    for byte in keys.bytes() {
        let actions = split.editor.input(&[byte], &super::Toy);
        split.take(actions);
    }
    assert_eq!(split.line(), line, "{keys:?} byte by byte");
    assert_eq!(split.terminal.all("|"), session.terminal.all("|"), "{keys:?} byte by byte");
}

#[test]
fn moving() {
    check("echo hi\x01", "|echo hi");
    check("echo hi\x1b[H\x05", "echo hi|");
    check("echo\x02\x02\x06", "ech|o");
    check("echo\x1b[D\x1bOD\x1b[C", "ech|o");
    for left in ["\x1bb", "\x1b[1;5D", "\x1b[1;3D", "\x1b\x1b[D", "\x1bOd", "\x1b[5D"] {
        check(&format!("one two-three{left}"), "one two-|three");
        check(&format!("one two{left}{left}"), "|one two");
    }
    for right in ["\x1bf", "\x1b[1;5C", "\x1b[1;3C", "\x1b\x1b[C", "\x1bOc", "\x1b[5C"] {
        check(&format!("one two\x01{right}"), "one| two");
    }
    for (home, end) in [("\x1b[H", "\x1b[F"), ("\x1bOH", "\x1bOF"), ("\x1b[1~", "\x1b[4~")] {
        check(&format!("ab{home}x"), "x|ab");
        check(&format!("ab{home}{end}x"), "abx|");
    }
    check("👩‍💻é漢\x02\x02\x02", "|👩‍💻é漢");
    check("e\u{301}x\x02\x02", "|e\u{301}x");
}

#[test]
fn deleting() {
    check("abc\x7f\x08", "a|");
    check("👍🏽👩‍💻\x7f", "👍🏽|");
    check("ae\u{301}\x7f", "a|");
    check("abc\x01\x04\x1b[3~", "|c");
    check("🇩🇪🇫🇷\x01\x04", "|🇫🇷");
    check("\x7f\x1b[3~", "|");
}

#[test]
fn killing_and_yanking() {
    check("one two\x01\x1bf\x0b", "one|");
    check("one two\x01\x1bf\x0b\x19\x19", "one two two|");
    check("one two\x02\x15", "|o");
    check("one two\x15\x19", "one two|");
    check("ls /usr/bin -l\x17\x17", "ls |");
    check("ls /usr/bin -l\x17\x17\x19", "ls /usr/bin -l|");
    check("ls /usr/bin\x1b\x7f", "ls /usr/|");
    check("one two\x01\x1bd\x1bd\x19", "one two|");
    check("one two\x1b[1;5D\x1b[3;5~", "one |");
    // Kills with something between them are two: M-y turns to the older.
    check("one two\x17x\x7f\x17\x19", "one |");
    check("one two\x17x\x7f\x17\x19\x1by", "two|");
    check("one two\x17x\x7f\x17\x19\x1by\x1by", "one |");
    check("a\x1by", "a|");
    check("ab\x18\x7f\x19\x1b", "ab|");
}

#[test]
fn transposing_and_case() {
    check("ab\x14", "ba|");
    check("abc\x01\x06\x14", "ba|c");
    check("a漢\x14", "漢a|");
    check("a\x14", "a|");
    check("one two\x1bt", "two one|");
    check("one two, three\x01\x1bt\x1bf\x1bt\x1bt", "two three, one|");
    check("one\x1bt", "one|");
    check("one two\x01\x1bu\x1bc", "ONE Two|");
    check("ONE\x01\x1bl", "one|");
    check("straße\x01\x1bu", "STRASSE|");
}

#[test]
fn undoing() {
    check("one two\x1f", "one |");
    check("one two\x1f\x1f\x1f", "|");
    check("one two\x17\x17\x1f", "one |");
    check("one two\x17\x17\x1f\x18\x15", "one two|");
    check("one\x01\x1bu\x1f", "|one");
}

#[test]
fn literal_and_dead_keys() {
    check("a\x16\x01b\x16\tc", "a\u{1}b\tc|");
    check("a\x1b[24~\x1b[?1;2c\x1b[I\x00b", "ab|");
    check("a\x1b[200~b\rc\x1b[201~d", "ab\ncd|");
    check("\u{85}x", "x|");
}

#[test]
fn several_lines() {
    check("echo 'a\rb", "echo 'a\nb|");
    check("echo 'a\rb\x1b[A", "e|cho 'a\nb");
    check(
        "echo 'a\rb\x1b[Ax\x1b[B",
        "ex|cho 'a\nb".replace("ex|cho 'a\nb", "excho 'a\nb|").as_str(),
    );
    check("ab\x1b\rcd\x01\x7f", "ab|cd");
    check("ab\x1b\rcd\x1b[A\x0b", "ab|cd");
    check("ab\x1b\rcd\x01\x15", "ab|cd");
    check("ab\x1b\rcd\x1b[1;5H", "|ab\ncd");
    check("a \\\rb", "a \\\nb|");
}

#[test]
fn enter_ends_and_what_follows_waits() {
    let mut session = Session::new(40, 8);
    session.keys("echo hi\rtyped ahead");
    assert_eq!(session.asked, [Action::Submit("echo hi".to_owned())]);
    assert!(!session.terminal.bracketed_paste);
    session.sees(&["$ echo hi", "|"]);
    session.terminal.write(b"hi\r\n");
    session.prompt("$ ");
    assert!(session.terminal.bracketed_paste);
    session.sees(&["$ echo hi", "hi", "$ typed ahead|"]);
    session.keys("\r");
    session.keys("for cat");
    assert_eq!(session.editor.take_typed_ahead(), b"for cat");
    session.prompt("$ ");
    assert_eq!(session.line(), "|");
}

#[test]
fn interrupt_and_end() {
    let mut session = Session::new(40, 8);
    session.keys("sleep 9\x02\x03");
    assert_eq!(session.asked, [Action::Interrupt]);
    session.sees(&["$ sleep 9^C", "|"]);
    session.prompt("$ ");
    session.keys("x\x04\x7f\x04");
    assert_eq!(session.asked, [Action::Interrupt, Action::EndOfInput]);
    session.sees(&["$ sleep 9^C", "$", "|"]);
}

#[test]
fn clearing_keeps_the_line() {
    let mut session = Session::new(40, 8);
    session.keys("one\r");
    session.prompt("$ ");
    session.keys("two\x02\x0c");
    session.sees(&["$ tw|o"]);
}
