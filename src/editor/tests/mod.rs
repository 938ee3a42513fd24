//! What a person at the terminal sees: keys go in, the rows of a small terminal come out.

mod cooked;
mod drawing;
mod fuzz;
mod keys;
mod modes;
mod terminal;

use std::ops::Range;

use super::{Action, Completion, Completions, Editor, EditorOptions, Ending, Language, Style};
use terminal::Terminal;

/// A language of a few rules: a text with an open quote or a backslash at its end goes on.
struct Toy;

impl Language for Toy {
    fn is_complete(&self, text: &str) -> bool {
        !text.ends_with('\\')
            && text.matches('\'').count().is_multiple_of(2)
            && !text.ends_with(" do")
    }

    fn highlight(&self, text: &str) -> Vec<(Range<usize>, Style)> {
        let mut styles = Vec::new();
        let command = text.find(char::is_whitespace).unwrap_or(text.len());
        if command > 0 {
            let known = ["echo", "ls", "cat"].contains(&&text[..command]);
            styles.push((0..command, if known { Style::Command } else { Style::Unknown }));
        }
        let mut from = command;
        while let Some(start) = text[from..].find('\'').map(|at| from + at) {
            let end = text[start + 1..].find('\'').map_or(text.len(), |at| start + at + 2);
            styles.push((start..end, Style::Quoted));
            from = end;
        }
        styles
    }
}

/// An editor at a terminal.
struct Session {
    editor: Editor,
    terminal: Terminal,
    /// What was asked of the caller, writes left out.
    asked: Vec<Action>,
    /// All that was written.
    written: Vec<u8>,
}

impl Session {
    fn new(columns: usize, rows: usize) -> Self {
        let options = EditorOptions { columns, rows, continuation: "> ".to_owned(), history: 100 };
        let mut session = Self {
            editor: Editor::new(&options),
            terminal: Terminal::new(columns, rows),
            asked: Vec::new(),
            written: Vec::new(),
        };
        session.prompt("$ ");
        session
    }

    fn with_history(lines: &[&str]) -> Self {
        let mut session = Self::new(40, 8);
        session.editor.history_mut().load(&lines.join("\n"));
        session
    }

    fn prompt(&mut self, prompt: &str) {
        let actions = self.editor.prompt(prompt, &Toy);
        self.take(actions);
    }

    fn take(&mut self, actions: Vec<Action>) {
        for action in actions {
            match action {
                Action::Write(bytes) => {
                    self.terminal.write(&bytes);
                    self.written.extend(bytes);
                }
                other => self.asked.push(other),
            }
        }
    }

    fn keys(&mut self, keys: &str) -> &mut Self {
        let actions = self.editor.input(keys.as_bytes(), &Toy);
        self.take(actions);
        self
    }

    fn complete(&mut self, replaces: Range<usize>, candidates: &[Completion]) {
        let list = Completions { replaces, candidates: candidates.to_vec() };
        let actions = self.editor.completions(&list, &Toy);
        self.take(actions);
    }

    fn resize(&mut self, columns: usize, rows: usize) {
        self.terminal.resize(columns, rows);
        let actions = self.editor.resize(columns, rows, &Toy);
        self.take(actions);
    }

    /// The rows of the terminal, with `|` at the cursor.
    #[track_caller]
    fn sees(&self, rows: &[&str]) {
        assert_eq!(self.terminal.all("|"), rows);
    }

    /// The line being edited, with `|` at the cursor.
    fn line(&self) -> String {
        let (text, cursor) = self.editor.line();
        format!("{}|{}", &text[..cursor], &text[cursor..])
    }
}

fn word(text: &str, description: &str) -> Completion {
    let (text, description) = (text.to_owned(), description.to_owned());
    Completion { text, description, ..Completion::default() }
}

fn directory(text: &str) -> Completion {
    Completion { ending: Ending::Open, ..word(text, "") }
}
