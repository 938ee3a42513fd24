//! Pastes: cleaned, put in as one block, and asked about when they are long.

use super::buffer::Undo;
use super::key::{Code, Key};
use super::{Action, Editor, Language, Mode, Output};

/// A paste of more lines than this is asked about.
const MANY_LINES: usize = 1000;

impl Editor {
    pub(super) fn pasted(&mut self, bytes: &[u8], out: &mut Output) {
        let text = clean(&String::from_utf8_lossy(bytes));
        self.prefix = None;
        match &mut self.mode {
            Mode::Search(search) => {
                let line = text.lines().next().unwrap_or_default().to_owned();
                search.extend(&line, &self.history);
                return;
            }
            Mode::Question(_) => return,
            Mode::Menu(_) => self.accept_choice(),
            Mode::Edit | Mode::Idle | Mode::Waiting => {}
        }
        let lines = text.split('\n').count();
        if lines > MANY_LINES {
            self.mode = Mode::Question(text);
            out.push(Action::ConfirmPaste(lines));
        } else {
            self.put(&text);
        }
    }

    /// Pastes the text that was asked about.
    pub fn accept_paste(&mut self, language: &dyn Language) -> Vec<Action> {
        self.answer(true);
        self.drain(language, Output::default())
    }

    /// Drops the text that was asked about.
    pub fn reject_paste(&mut self, language: &dyn Language) -> Vec<Action> {
        self.answer(false);
        self.drain(language, Output::default())
    }

    /// Takes a key as the answer; others than these are ignored.
    pub(super) fn question_key(&mut self, key: Key) {
        match key.code {
            Code::Char('y' | 'Y') if !key.ctrl && !key.alt => self.answer(true),
            Code::Char('n' | 'N') if !key.ctrl && !key.alt => self.answer(false),
            Code::Char('c' | 'g') if key.ctrl => self.answer(false),
            Code::Escape => self.answer(false),
            _ => {}
        }
    }

    fn answer(&mut self, yes: bool) {
        if let Mode::Question(text) = &mut self.mode {
            let text = std::mem::take(text);
            self.mode = Mode::Edit;
            if yes {
                self.put(&text);
            }
        }
    }

    fn put(&mut self, text: &str) {
        self.last = super::Last::Other;
        self.buffer.insert(text, Undo::Step);
    }
}

/// Newlines of one kind, none at the end, and no control characters but newline and tab.
fn clean(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let kept = |ch: &char| matches!(ch, '\n' | '\t') || !ch.is_control();
    let text: String = text.chars().filter(kept).collect();
    text.trim_end_matches('\n').to_owned()
}

/// What is said in the place of a paste that is not taken.
pub(super) fn too_long() -> String {
    format!("paste: longer than {} bytes, not taken\r\n", super::LONGEST_PASTE)
}

/// The bytes that a terminal would send for a paste.
pub(super) fn bracketed(text: &str) -> Vec<u8> {
    format!("\x1b[200~{}\x1b[201~", clean(text)).into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pastes_are_clean() {
        assert_eq!(clean("a\r\nb\rc\n\td\x1b[31m\x07\r\n"), "a\nb\nc\n\td[31m");
    }
}
