//! Random keys: the terminal must show what a full redraw shows, and what a plain layout says.

use super::terminal::{Line, Terminal};
use super::{Action, Session, Toy, directory, word};
use crate::editor::OutputFilter;
use crate::value::graphemes;

/// A small generator of random numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
}

const TEXTS: &[&str] = &[
    "a",
    "b",
    "echo ",
    "ls",
    "x y z",
    "漢",
    "字漢",
    "e\u{301}",
    "\u{301}",
    "👩‍💻",
    "\u{200d}",
    "🇩🇪",
    "🇫",
    "👍🏽",
    "❤\u{fe0f}",
    "\u{fe0f}",
    "한",
    "\u{1161}",
    "'",
    " ",
    "long-word-that-wraps",
    "\u{202e}",
];

const KEYS: &[&str] = &[
    "\x01",
    "\x02",
    "\x02",
    "\x04",
    "\x05",
    "\x06",
    "\x06",
    "\x08",
    "\x7f",
    "\x7f",
    "\x0b",
    "\x15",
    "\x17",
    "\x19",
    "\x1by",
    "\x14",
    "\x1bt",
    "\x1bu",
    "\x1bl",
    "\x1bc",
    "\x1bd",
    "\x1bb",
    "\x1bf",
    "\x1f",
    "\x1b[A",
    "\x1b[B",
    "\x10",
    "\x0e",
    "\x1b\r",
    "\x12",
    "\x13",
    "\x07",
    "\t",
    "\x1b[Z",
    "\x1b.",
    "\x16\x01",
    "\x16\t",
    "\x1b[3~",
    "\x1b[1;5D",
    "\x1b[1;5C",
    "\x1b[H",
    "\x1b[F",
    "\x1b<",
    "\r",
    "\x0c",
    "\x1b[200~p\rq\x1b[201~",
    "\x03",
    "\x1b[1;5H",
    "\x1b[1;5F",
];

/// Runs one seed; `say` gets each step's description.
fn run(seed: u64, steps: usize) {
    let mut random = Random(seed);
    let (columns, rows) = (2 + random.below(24), 1 + random.below(9));
    let mut session = Session::new(columns, rows);
    session.editor.history_mut().load("echo one\nls 漢字\n cat a\\nb\necho two three four five");
    let mut log = format!("seed {seed}, {columns}x{rows}:");
    for _ in 0..steps {
        match random.below(20) {
            0 => {
                let (columns, rows) = (2 + random.below(24), 1 + random.below(9));
                log.push_str(&format!(" resize {columns}x{rows}"));
                session.resize(columns, rows);
            }
            1..=8 => {
                let keys = random.pick(KEYS);
                log.push_str(&format!(" {keys:?}"));
                session.keys(keys);
            }
            _ => {
                let text = random.pick(TEXTS);
                log.push_str(&format!(" {text:?}"));
                session.keys(text);
            }
        }
        answer(&mut session, &mut random);
        compare(&mut session, &log);
    }
}

/// Does what a caller does on actions.
fn answer(session: &mut Session, random: &mut Random) {
    while let Some(action) = session.asked.pop() {
        match action {
            Action::Complete { cursor, .. } => {
                let choices = [word("file one", "a"), word("file 漢", ""), directory("fi/")];
                let from = random.below(choices.len());
                session.complete(cursor..cursor, &choices[from..]);
            }
            _ => session.prompt("\x1b[1mp\x1b[m$ "),
        }
    }
}

fn compare(session: &mut Session, log: &str) {
    let frame = session.editor.frame(&Toy);
    let (text, cursor) = session.editor.line();
    assert!(
        cursor == text.len() || graphemes(text).any(|it| it.start == cursor),
        "{log}: cursor inside a cluster"
    );
    let mut fresh = Terminal::new(session.terminal.columns, session.terminal.rows);
    let mut screen = super::super::screen::Screen::new(session.terminal.columns);
    let mut bytes = Vec::new();
    let height = frame.rows.len();
    screen.draw(frame, &mut bytes);
    fresh.write(&bytes);
    let terminal = &session.terminal;
    assert!(terminal.row >= fresh.row, "{log}: block starts above the terminal");
    let start = terminal.row - fresh.row;
    let block = |terminal: &Terminal, start: usize| -> Vec<Line> {
        terminal.lines.iter().skip(terminal.base() + start).take(height).cloned().collect()
    };
    assert_eq!(block(terminal, start), block(&fresh, 0), "{log}");
    assert_eq!(terminal.column, fresh.column, "{log}: column");
    let below = terminal.lines.iter().skip(terminal.base() + start + height);
    below.for_each(|line| assert_eq!(line.text().trim(), "", "{log}: below"));
}

#[test]
fn random_keys_show_what_a_redraw_shows() {
    for seed in 0..150 {
        run(seed, 60);
    }
}

#[test]
fn no_bytes_are_too_wild() {
    for seed in 0..60 {
        let mut random = Random(seed);
        let mut session = Session::new(2 + random.below(20), 1 + random.below(6));
        let mut log = format!("seed {seed}:");
        for _ in 0..60 {
            let bytes: Vec<u8> = (0..random.below(6)).map(|_| random.below(256) as u8).collect();
            let actions = session.editor.input(&bytes, &Toy);
            session.take(actions);
            answer(&mut session, &mut random);
            log.push_str(&format!(" {bytes:?}"));
            compare(&mut session, &log);
        }
    }
}

#[test]
fn filtered_output_passes_the_filter_unchanged() {
    const PIECES: &[&str] = &[
        "\x1b", "\x1b[", "\x1b]", "\x1bP", "\x1b\\", "\x07", "\u{9b}", "\u{9c}", "\u{9d}", "?",
        ">", "8;;", "http://a", "52;c;", "2", "5", ";", "h", "l", "m", "n", "c", "r", "q", " ",
        "$", "!", "p", "\n", "\r", "\x0e", "\x18", "漢", "e\u{301}", "text", "(", "0", "B", "49",
        "10",
    ];
    for seed in 0..3000 {
        let mut random = Random(seed);
        let text: String = (0..30).map(|_| random.pick(PIECES)).collect();
        let bytes = text.as_bytes();
        let whole = OutputFilter::new(20).write(bytes);
        let mut filter = OutputFilter::new(20);
        let (first, second) = bytes.split_at(random.below(bytes.len()));
        let split = [filter.write(first), filter.write(second)].concat();
        assert_eq!(split, whole, "{text:?}");
        assert_eq!(OutputFilter::new(20).write(&whole), whole, "{text:?}");
        let end = filter.finish();
        let mut after = OutputFilter::new(20);
        after.write(&[whole, end].concat());
        assert_eq!(after.finish(), b"", "{text:?}: something is left");
    }
}

/// What the rows must be for text without menus and searches, laid out by the plainest means.
fn plain_rows(text: &str, columns: usize) -> Vec<String> {
    let mut rows = Vec::new();
    for (at, line) in text.split('\n').enumerate() {
        let line = format!("{}{line}", if at == 0 { "$ " } else { "> " });
        let (mut row, mut width) = (String::new(), 0);
        for grapheme in graphemes(&line) {
            if width + grapheme.width > columns {
                rows.push(std::mem::take(&mut row));
                width = 0;
            }
            row.push_str(grapheme.text);
            width += grapheme.width;
        }
        rows.push(row);
    }
    trimmed(&rows)
}

/// Rows without blanks at their ends and without empty ones at the end.
fn trimmed(rows: &[String]) -> Vec<String> {
    let mut rows: Vec<String> = rows.iter().map(|row| row.trim_end().to_owned()).collect();
    while rows.last().is_some_and(String::is_empty) {
        rows.pop();
    }
    rows
}

#[test]
fn random_edits_show_the_text() {
    let edits =
        ["\x02", "\x02", "\x06", "\x7f", "\x17", "\x19", "\x14", "\x1b\r", "\x1b[A", "\x1b[B"];
    let texts = ["a", "bc ", "漢", "👩‍💻", "🇩🇪", "word-word"];
    for seed in 0..100 {
        let mut random = Random(seed);
        let columns = 3 + random.below(20);
        let mut session = Session::new(columns, 120);
        for _ in 0..40 {
            let keys = if random.below(2) == 0 { random.pick(&edits) } else { random.pick(&texts) };
            session.keys(keys);
        }
        let rows = plain_rows(session.editor.line().0, columns);
        session.keys("\x1b[1;5H");
        assert_eq!(trimmed(&session.terminal.all("")), rows, "seed {seed}");
    }
}
