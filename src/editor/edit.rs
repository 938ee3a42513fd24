//! Events to changes: each command of the keymap carried out on the buffer.

use super::buffer::{Buffer, Motion, Undo, is_word};
use super::history::Towards;
use super::key::{Code, Event, Key};
use super::keymap::{Case, Command, Prefix, after_control_x, command};
use super::kill::Side;
use super::paste;
use super::view::Outcome;
use super::{Action, Editor, Language, Last, Mode, Output};

impl Editor {
    /// Takes one event, in whatever mode.
    pub(super) fn event(&mut self, event: Event, language: &dyn Language, out: &mut Output) {
        match event {
            Event::Paste(bytes) => self.pasted(&bytes, out),
            Event::PasteTooLong => {
                self.screen.erase(&mut out.bytes);
                out.write(paste::too_long().as_bytes());
            }
            Event::Key(key) => match self.mode {
                Mode::Question(_) => self.question_key(key),
                Mode::Search(_) => self.search_key(key, language, out),
                Mode::Menu(_) => self.menu_key(key, language, out),
                Mode::Edit | Mode::Waiting | Mode::Idle => self.edit_key(key, language, out),
            },
        }
    }

    /// Takes a key at the plain prompt.
    pub(super) fn edit_key(&mut self, key: Key, language: &dyn Language, out: &mut Output) {
        let command = match self.prefix.take() {
            Some(Prefix::ControlX) => after_control_x(key),
            Some(Prefix::Literal) => return self.insert_literally(key),
            None => command(key),
        };
        let last = std::mem::take(&mut self.last);
        if let Some(command) = command {
            self.run(command, last, language, out);
        }
    }

    fn run(&mut self, command: Command, last: Last, language: &dyn Language, out: &mut Output) {
        match command {
            Command::Insert(ch) => self.buffer.insert(ch.encode_utf8(&mut [0; 4]), Undo::Typed),
            Command::Prefix(prefix) => self.prefix = Some(prefix),
            Command::Newline => self.buffer.insert("\n", Undo::Step),
            Command::Accept => self.accept(language, out),
            Command::Move(motion) => self.move_by(motion),
            Command::Erase(motion) => self.buffer.replace(self.buffer.span(motion), "", Undo::Step),
            Command::Kill(motion) => self.kill(motion, &last),
            Command::EraseOrEnd => self.erase_or_end(language, out),
            Command::Up if self.buffer.up() => {}
            Command::Down if self.buffer.down() => {}
            Command::Up
            | Command::Older
            | Command::Down
            | Command::Newer
            | Command::Oldest
            | Command::Newest => self.walk(command, out),
            Command::SearchOlder => self.start_search(Towards::Older),
            Command::SearchNewer => self.start_search(Towards::Newer),
            Command::Yank => self.yank(self.buffer.cursor()..self.buffer.cursor()),
            Command::YankOlder => {
                if let Last::Yank(range) = last {
                    self.kills.rotate();
                    self.yank(range);
                }
            }
            Command::LastArgument => self.last_argument(last),
            Command::Transpose => transpose(&mut self.buffer),
            Command::TransposeWords => transpose_words(&mut self.buffer),
            Command::Case(case) => change_case(&mut self.buffer, case),
            Command::Undo => {
                self.buffer.undo();
            }
            Command::Complete => self.ask_completion(out),
            Command::Clear => {
                out.write(b"\x1b[H\x1b[2J");
                self.screen.reset();
            }
            Command::Interrupt => self.interrupt(language, out),
        }
    }

    fn insert_literally(&mut self, key: Key) {
        let ch = match key.code {
            Code::Char(ch) if key.ctrl && ch.is_ascii() => {
                char::from(ch.to_ascii_uppercase() as u8 & 0x1f)
            }
            Code::Char(ch) => ch,
            Code::Tab => '\t',
            Code::Enter => '\n',
            Code::Escape => '\u{1b}',
            Code::Backspace => '\u{7f}',
            _ => return,
        };
        self.buffer.insert(ch.encode_utf8(&mut [0; 4]), Undo::Step);
    }

    /// Enter: runs a complete text, continues another.
    fn accept(&mut self, language: &dyn Language, out: &mut Output) {
        if !language.is_complete(self.buffer.text()) {
            return self.buffer.insert("\n", Undo::Step);
        }
        self.leave(Outcome::Accepted, language, out);
        let text = self.buffer.text().to_owned();
        self.buffer.clear();
        self.history.push(&text);
        out.push(Action::Submit(text));
    }

    /// Control-C, in any mode.
    pub(super) fn interrupt(&mut self, language: &dyn Language, out: &mut Output) {
        self.leave(Outcome::Interrupted, language, out);
        self.buffer.clear();
        out.push(Action::Interrupt);
    }

    fn erase_or_end(&mut self, language: &dyn Language, out: &mut Output) {
        if self.buffer.text().is_empty() {
            self.leave(Outcome::Accepted, language, out);
            out.push(Action::EndOfInput);
        } else {
            self.buffer.replace(self.buffer.span(Motion::Right), "", Undo::Step);
        }
    }

    /// Moves; to the right of the end stands the suggestion, which the motion accepts.
    fn move_by(&mut self, motion: Motion) {
        let accepts =
            matches!(motion, Motion::Right | Motion::LineEnd | Motion::End | Motion::WordRight);
        if accepts && let Some(hint) = self.suggestion() {
            let mut whole = Buffer::default();
            whole.set(hint);
            let length = if motion == Motion::WordRight { whole.word_end(0) } else { hint.len() };
            let hint = hint.get(..length).unwrap_or_default().to_owned();
            return self.buffer.insert(&hint, Undo::Step);
        }
        self.buffer.move_to(self.buffer.target(motion));
    }

    /// What history would add at the end of the line.
    pub(super) fn suggestion(&self) -> Option<&str> {
        if !matches!(self.mode, Mode::Edit) || !self.buffer.at_end() {
            return None;
        }
        self.history.suggestion(self.buffer.text())
    }

    fn kill(&mut self, motion: Motion, last: &Last) {
        let mut span = self.buffer.span(motion);
        if span.is_empty() {
            // At the border of a line its newline is killed.
            span = match motion {
                Motion::LineEnd => self.buffer.span(Motion::Right),
                Motion::LineStart => self.buffer.span(Motion::Left),
                _ => span,
            };
        }
        let side = if span.start < self.buffer.cursor() { Side::Left } else { Side::Right };
        let text = self.buffer.slice(span.clone());
        if *last == Last::Kill {
            self.kills.extend(text, side);
        } else {
            self.kills.push(text);
        }
        self.buffer.replace(span, "", Undo::Step);
        self.last = Last::Kill;
    }

    fn yank(&mut self, place: std::ops::Range<usize>) {
        let Some(text) = self.kills.latest() else { return };
        let put = place.start..place.start + text.len();
        self.buffer.replace(place, text, Undo::Step);
        self.last = Last::Yank(put);
    }

    /// Inserts the last word of the line before; again: of the one before that.
    fn last_argument(&mut self, last: Last) {
        let (depth, place) = match last {
            Last::Argument(depth, range) => (depth + 1, range),
            _ => (0, self.buffer.cursor()..self.buffer.cursor()),
        };
        let Some(word) = self.history.recent(depth).and_then(last_word).map(str::to_owned) else {
            self.last = Last::Argument(depth.saturating_sub(1), place);
            return;
        };
        let put = place.start..place.start + word.len();
        self.buffer.replace(place, &word, Undo::Step);
        self.last = Last::Argument(depth, put);
    }

    fn walk(&mut self, command: Command, out: &mut Output) {
        let line = self.buffer.text();
        let found = match command {
            Command::Up | Command::Older => self.history.older(line, self.buffer.cursor()),
            Command::Down | Command::Newer => self.history.newer(line),
            Command::Oldest => self.history.oldest(line),
            _ => self.history.newest(line),
        };
        match found {
            Some(text) => self.buffer.set(&text),
            None => out.write(b"\x07"),
        }
    }
}

/// The last word as blanks delimit it, quoted blanks apart.
fn last_word(line: &str) -> Option<&str> {
    let line = line.trim_end();
    let (mut start, mut quote, mut escaped) = (0, None, false);
    for (at, ch) in line.char_indices() {
        if escaped {
            escaped = false;
        } else if ch == '\\' && quote != Some('\'') {
            escaped = true;
        } else if quote == Some(ch) {
            quote = None;
        } else if quote.is_none() && (ch == '\'' || ch == '"') {
            quote = Some(ch);
        } else if quote.is_none() && ch.is_whitespace() {
            start = at + ch.len_utf8();
        }
    }
    line.get(start..).filter(|word| !word.is_empty())
}

/// Swaps the clusters around the cursor, at the end of a line the two before it.
fn transpose(buffer: &mut Buffer) {
    let line = buffer.line(buffer.cursor());
    let middle = if buffer.cursor() == line.end { buffer.left(line.end) } else { buffer.cursor() };
    if middle <= line.start || middle >= line.end {
        return;
    }
    let (start, end) = (buffer.left(middle), buffer.right(middle));
    let swapped = format!("{}{}", buffer.slice(middle..end), buffer.slice(start..middle));
    buffer.replace(start..end, &swapped, Undo::Step);
}

/// Swaps the word before the cursor with the one after it, at the end of a line the last two.
fn transpose_words(buffer: &mut Buffer) {
    let mut end = buffer.word_end(buffer.cursor());
    if !buffer.slice(buffer.cursor()..end).contains(is_word) {
        end = buffer.word_end(buffer.word_start(buffer.cursor()));
    }
    let second = buffer.word_start(end);
    let first = buffer.word_start(second);
    let first_end = buffer.word_end(first);
    if first_end > second || !buffer.slice(first..first_end).contains(is_word) {
        return;
    }
    let swapped = format!(
        "{}{}{}",
        buffer.slice(second..end),
        buffer.slice(first_end..second),
        buffer.slice(first..first_end)
    );
    buffer.replace(first..end, &swapped, Undo::Step);
}

fn change_case(buffer: &mut Buffer, case: Case) {
    let start = buffer.run_right(buffer.cursor(), |ch| !is_word(ch));
    let end = buffer.word_end(buffer.cursor());
    let word = buffer.slice(start..end);
    let changed = match case {
        Case::Upper => word.to_uppercase(),
        Case::Lower => word.to_lowercase(),
        Case::Title => {
            let mut chars = word.chars();
            let first = chars.next().into_iter().flat_map(char::to_uppercase);
            first.chain(chars.as_str().to_lowercase().chars()).collect()
        }
    };
    buffer.replace(start..end, &changed, Undo::Step);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_words_keep_their_quotes() {
        assert_eq!(last_word("ls a b"), Some("b"));
        assert_eq!(last_word("ls 'a b' "), Some("'a b'"));
        assert_eq!(last_word("ls a\\ b"), Some("a\\ b"));
        assert_eq!(last_word("  "), None);
    }
}
