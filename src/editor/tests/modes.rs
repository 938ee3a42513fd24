//! History, suggestions, search, completion and pastes.

use super::{Action, Session, Toy, directory, word};

#[test]
fn up_and_down_walk_by_prefix() {
    let mut session = Session::with_history(&["git log", "ls", "git diff", "ls"]);
    session.keys("\x1b[A");
    session.sees(&["$ ls|"]);
    session.keys("\x1b[A\x1b[A\x1b[A");
    session.sees(&["$ git log|"]);
    session.keys("\x1b[B\x1b[B\x1b[B\x1b[B");
    session.sees(&["$ |"]);
    session.keys("git l\x1b[D\x10");
    session.sees(&["$ git diff|"]);
    session.keys("\x10");
    session.sees(&["$ git log|"]);
    session.keys("\x0e\x0e");
    assert_eq!(session.line(), "git l|");
    session.keys("\x1b<");
    session.sees(&["$ git log|"]);
    session.keys("\x1b>");
    assert_eq!(session.line(), "git l|");
}

#[test]
fn up_moves_through_lines_before_history() {
    let mut session = Session::with_history(&["old"]);
    session.keys("a\x1b\rb\x1b[A");
    assert_eq!(session.line(), "a|\nb");
    session.keys("\x01\x1b[A");
    session.sees(&["$ old|"]);
    session.keys("\x1b[B");
    session.sees(&["$ a", "> b|"]);
}

#[test]
fn lines_are_remembered_once_and_hidden_ones_not() {
    let mut session = Session::new(40, 8);
    for line in ["one\r", "two\r", " hidden\r", "one\r", "\r"] {
        session.keys(line);
        session.prompt("$ ");
    }
    assert_eq!(session.editor.history().entries(), ["two", "one"]);
    session.keys("x \x1b.");
    assert_eq!(session.line(), "x one|");
    session.keys("\x1b.\x1b.");
    assert_eq!(session.line(), "x two|");
}

#[test]
fn suggestions_are_grey_and_accepted_at_the_end() {
    let mut session = Session::with_history(&["echo one two"]);
    session.keys("ec");
    session.sees(&["$ ec|ho one two"]);
    let line = &session.terminal.lines[0];
    assert_eq!((line.cells[3].sgr.as_str(), line.cells[4].sgr.as_str()), ("31;", "90;"));
    session.keys("\x1bf\x1bf");
    assert_eq!(session.line(), "echo one|");
    session.keys("\x02");
    session.sees(&["$ echo on|e"]);
    session.keys("\x1b[C\x1b[C");
    assert_eq!(session.line(), "echo one two|");
    session.keys("\x15ec\x05\x15e\r");
    session.sees(&["$ e", "|"]);
}

#[test]
fn incremental_search() {
    let mut session = Session::with_history(&["make all", "ls", "make clean"]);
    session.keys("dra\x12ma");
    session.sees(&["(reverse-i-search)`ma': |make clean"]);
    session.keys("\x12");
    session.sees(&["(reverse-i-search)`ma': |make all"]);
    session.keys("\x12");
    session.sees(&["(failed reverse-i-search)`ma': |make all"]);
    session.keys("\x13");
    session.sees(&["(i-search)`ma': |make clean"]);
    session.keys("\x07");
    session.sees(&["$ dra|"]);
    session.keys("\x12all\x05x");
    session.sees(&["$ make allx|"]);
    session.keys("\x12\x12");
    session.sees(&["(reverse-i-search)`all': make |all"]);
    session.keys("\x7f");
    session.sees(&["(reverse-i-search)`': make allx|"]);
    session.keys("lsx");
    session.sees(&["(failed reverse-i-search)`lsx': |ls"]);
    session.keys("\x7f\r");
    assert_eq!(session.asked, [Action::Submit("ls".to_owned())]);
    session.sees(&["$ ls", "|"]);
}

#[test]
fn escape_leaves_a_search_when_nothing_follows() {
    let mut session = Session::with_history(&["ls"]);
    session.keys("x\x12ls\x1b");
    assert!(session.editor.escape_pending());
    let actions = session.editor.expire_escape(&Toy);
    session.take(actions);
    session.sees(&["$ x|"]);
    session.keys("\x1b");
    assert!(!session.editor.escape_pending());
    session.keys("b");
    assert_eq!(session.line(), "|x");
}

#[test]
fn one_candidate_is_inserted() {
    let mut session = Session::new(40, 8);
    session.keys("ls my\tthen");
    let line = "ls my".to_owned();
    assert_eq!(session.asked, [Action::Complete { line, cursor: 5 }]);
    session.sees(&["$ ls my|"]);
    // Keys wait for the answer.
    session.complete(3..5, &[word("my file", "")]);
    session.sees(&["$ ls my\\ file then|"]);
    session.keys("\x15ls 'my\t").complete(3..6, &[word("my file", "")]);
    session.sees(&["$ ls 'my file' |"]);
    session.keys("\x15ls my -l\x02\x02\x02\t").complete(3..5, &[word("my file", "")]);
    session.sees(&["$ ls my\\ file |-l"]);
    session.keys("\x05\x15ls \"m\t").complete(3..5, &[directory("my dir/")]);
    session.sees(&["$ ls \"my dir/|"]);
    session.keys("\x15x\t").complete(0..1, &[]);
    session.sees(&["$ x|"]);
    session.keys("\t").complete(0..99, &[word("y", "")]);
    session.sees(&["$ x|"]);
    session.keys("\ty\x03");
    session.sees(&["$ x^C", "|"]);
    session.complete(0..1, &[word("late", "")]);
    session.sees(&["$ x^C", "|"]);
}

#[test]
fn shared_text_then_a_menu() {
    let mut session = Session::new(40, 8);
    session.keys("cat f\t");
    session.complete(4..5, &[word("file a", ""), word("file b", ""), directory("file dir/")]);
    session.sees(&["$ cat file\\ |", "file a     file b     file dir/"]);
    session.keys("\t");
    session.sees(&["$ cat file\\ a|", "file a     file b     file dir/"]);
    session.keys("\t\t");
    session.sees(&["$ cat file\\ dir/|", "file a     file b     file dir/"]);
    session.keys("\t\x1b[Z\x1b[Z");
    session.sees(&["$ cat file\\ b|", "file a     file b     file dir/"]);
    session.keys("\r");
    session.sees(&["$ cat file\\ b |"]);
    session.keys("\x1f");
    session.sees(&["$ cat file\\ |"]);
}

#[test]
fn a_menu_is_left_by_typing_and_by_cancelling() {
    let choices = [word("alpha", "first letter"), word("beta", "second"), directory("dir/")];
    let mut session = Session::new(40, 8);
    session.keys("x \t").complete(2..2, &choices);
    session.sees(&["$ x |", "alpha  first letter", "beta   second", "dir/"]);
    assert_eq!(session.terminal.lines[1].cells[8].sgr, "90;");
    session.keys("\t\x1b[B");
    assert_eq!(session.terminal.lines[2].cells[0].sgr, "7;");
    session.keys("-");
    session.sees(&["$ x beta -|"]);
    session.keys("\x15x \t").complete(2..2, &choices);
    session.keys("\t|");
    session.sees(&["$ x alpha||"]);
    session.keys("\x15x \t").complete(2..2, &choices);
    session.keys("\x1b[Z/\x07");
    session.sees(&["$ x dir/|"]);
    session.keys("\x15x \t").complete(2..2, &choices);
    session.keys("\t\t\x07");
    session.sees(&["$ x |"]);
    session.keys("\t").complete(2..2, &choices);
    session.keys("q");
    session.sees(&["$ x q|"]);
    session.keys("\t").complete(2..3, &choices);
    session.keys("\t\x03");
    assert_eq!(session.asked.last(), Some(&Action::Interrupt));
}

#[test]
fn a_long_menu_scrolls() {
    let mut session = Session::new(20, 6);
    let choices: Vec<_> = (10..30).map(|n| word(&n.to_string(), "n")).collect();
    session.keys("x \t").complete(2..2, &choices);
    session.sees(&["$ x |", "10  n", "11  n", "12  n", "13  n", "rows 1 to 4 of 20"]);
    session.keys("\t\t\t\t\t");
    session.sees(&["$ x 14|", "11  n", "12  n", "13  n", "14  n", "rows 2 to 5 of 20"]);
    session.keys("\x07");
    session.sees(&["$ x |"]);
    let grid: Vec<_> = (10..30).map(|n| word(&n.to_string(), "")).collect();
    session.keys("\t").complete(2..2, &grid);
    session.sees(&[
        "$ x |",
        "10  14  18  22  26",
        "11  15  19  23  27",
        "12  16  20  24  28",
        "13  17  21  25  29",
    ]);
    session.keys("\t\x1b[C\x1b[C\x1b[B\x1b[D\r");
    session.sees(&["$ x 15 |"]);
}

#[test]
fn pastes_are_one_block() {
    let mut session = Session::new(40, 8);
    session.keys("\x1b[200~echo a\recho b\r\x1b[201~");
    session.sees(&["$ echo a", "> echo b|"]);
    assert_eq!(session.asked, []);
    session.keys("\x1b[A\x7fz\x1f\x1f\x1f");
    session.sees(&["$ |"]);
    session.keys("\x1b[200~x\x1b[201~\rrm -rf /\r\x1b[201~");
    session.sees(&["$ x", "> rm -rf /|"]);
    assert_eq!(session.asked, []);
    let actions = session.editor.paste("\x1b[201~\ny", &Toy);
    session.take(actions);
    session.sees(&["$ x", "> rm -rf /[201~", "> y|"]);
}

#[test]
fn long_pastes_are_asked_about() {
    let mut session = Session::new(40, 8);
    let lines = vec!["x"; 1001].join("\r");
    session.keys(&format!("\x1b[200~{lines}\x1b[201~"));
    assert_eq!(session.asked, [Action::ConfirmPaste(1001)]);
    session.sees(&["$ |", "Paste 1001 lines? y/n"]);
    session.keys("\rn");
    session.sees(&["$ |"]);
    session.keys(&format!("\x1b[200~{lines}\x1b[201~y"));
    assert_eq!(session.editor.line().0.lines().count(), 1001);
    session.keys("\x03");
    session.prompt("$ ");
    session.keys(&format!("\x1b[200~{lines}\x1b[201~"));
    let actions = session.editor.accept_paste(&Toy);
    session.take(actions);
    assert_eq!(session.editor.line().0.lines().count(), 1001);
}
