//! The text being edited: cursor, motions over grapheme clusters and words, edits and their undo.

use std::ops::Range;

use crate::value::graphemes;

const LONGEST_UNDO: usize = 2000;

/// A way to move, or to name the text between here and there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Motion {
    Left,
    Right,
    WordLeft,
    WordRight,
    /// To the start of the word as blanks delimit it.
    BlankLeft,
    LineStart,
    LineEnd,
    Start,
    End,
}

/// Whether an edit may join the one before it into one step of undo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Undo {
    /// A typed character: a word is undone at once.
    Typed,
    /// A step of its own.
    Step,
}

#[derive(Debug)]
struct Edit {
    at: usize,
    removed: String,
    inserted: String,
    cursor: usize,
    undo: Undo,
}

/// Text and cursor; the cursor is always at a border between grapheme clusters.
#[derive(Debug, Default)]
pub(super) struct Buffer {
    text: String,
    cursor: usize,
    edits: Vec<Edit>,
    /// The column that vertical motions aim at, in clusters.
    goal: Option<usize>,
}

impl Buffer {
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn cursor(&self) -> usize {
        self.cursor
    }

    pub(super) fn at_end(&self) -> bool {
        self.cursor == self.text.len()
    }

    /// Empties the buffer and forgets what could be undone.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    pub(super) fn move_to(&mut self, at: usize) {
        self.cursor = self.border(at);
        self.goal = None;
    }

    /// Puts `text` in the place of `range`, the cursor after it.
    pub(super) fn replace(&mut self, range: Range<usize>, text: &str, undo: Undo) {
        let Some(removed) = self.text.get(range.clone()).map(str::to_owned) else { return };
        if removed.is_empty() && text.is_empty() {
            return;
        }
        let cursor = self.cursor;
        self.text.replace_range(range.clone(), text);
        let at = range.start;
        self.record(Edit { at, removed, inserted: text.to_owned(), cursor, undo });
        self.move_to(range.start + text.len());
    }

    /// Puts `text` at the cursor.
    pub(super) fn insert(&mut self, text: &str, undo: Undo) {
        self.replace(self.cursor..self.cursor, text, undo);
    }

    /// Replaces everything.
    pub(super) fn set(&mut self, text: &str) {
        self.replace(0..self.text.len(), text, Undo::Step);
    }

    /// Takes back the latest edit; false if there is none.
    pub(super) fn undo(&mut self) -> bool {
        let Some(edit) = self.edits.pop() else { return false };
        self.text.replace_range(edit.at..edit.at + edit.inserted.len(), &edit.removed);
        self.move_to(edit.cursor);
        true
    }

    fn record(&mut self, edit: Edit) {
        if let Some(last) = self.edits.last_mut()
            && (last.undo, edit.undo) == (Undo::Typed, Undo::Typed)
            && last.at + last.inserted.len() == edit.at
            && edit.removed.is_empty()
            && (!last.inserted.ends_with(char::is_whitespace)
                || edit.inserted.starts_with(char::is_whitespace))
        {
            last.inserted.push_str(&edit.inserted);
            return;
        }
        if self.edits.len() == LONGEST_UNDO {
            self.edits.remove(0);
        }
        self.edits.push(edit);
    }

    /// Where a motion leads from the cursor.
    pub(super) fn target(&self, motion: Motion) -> usize {
        match motion {
            Motion::Left => self.left(self.cursor),
            Motion::Right => self.right(self.cursor),
            Motion::WordLeft => {
                self.run_left(self.run_left(self.cursor, |ch| !is_word(ch)), is_word)
            }
            Motion::WordRight => self.word_end(self.cursor),
            Motion::BlankLeft => {
                let blank = char::is_whitespace;
                self.run_left(self.run_left(self.cursor, blank), |ch| !blank(ch))
            }
            Motion::LineStart => self.line(self.cursor).start,
            Motion::LineEnd => self.line(self.cursor).end,
            Motion::Start => 0,
            Motion::End => self.text.len(),
        }
    }

    /// The text between the cursor and the target of a motion.
    pub(super) fn span(&self, motion: Motion) -> Range<usize> {
        let target = self.target(motion);
        target.min(self.cursor)..target.max(self.cursor)
    }

    /// The line around `at`, without its newline.
    pub(super) fn line(&self, at: usize) -> Range<usize> {
        let before = self.text.get(..at).unwrap_or_default();
        let after = self.text.get(at..).unwrap_or_default();
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        start..at + after.find('\n').unwrap_or(after.len())
    }

    /// Moves to the line above, aiming at the same column; false on the first line.
    pub(super) fn up(&mut self) -> bool {
        let start = self.line(self.cursor).start;
        start > 0 && self.enter_line(self.line(start - 1))
    }

    /// Moves to the line below, aiming at the same column; false on the last line.
    pub(super) fn down(&mut self) -> bool {
        let end = self.line(self.cursor).end;
        end < self.text.len() && self.enter_line(self.line(end + 1))
    }

    fn enter_line(&mut self, line: Range<usize>) -> bool {
        let here = self.line(self.cursor).start..self.cursor;
        let goal = self.goal.unwrap_or_else(|| graphemes(self.slice(here)).count());
        let column = graphemes(self.slice(line.clone())).nth(goal);
        self.move_to(column.map_or(line.end, |grapheme| line.start + grapheme.start));
        self.goal = Some(goal);
        true
    }

    /// The border of clusters at or after `at`.
    fn border(&self, at: usize) -> usize {
        let at = at.min(self.text.len());
        let start = self.line_start_before(at);
        graphemes(self.slice(start..self.text.len()))
            .map(|grapheme| start + grapheme.start)
            .find(|border| *border >= at)
            .unwrap_or(self.text.len())
    }

    pub(super) fn left(&self, at: usize) -> usize {
        let Some(before) = at.checked_sub(1) else { return 0 };
        let start = self.line_start_before(before);
        graphemes(self.slice(start..at)).last().map_or(0, |last| start + last.start)
    }

    pub(super) fn right(&self, at: usize) -> usize {
        let rest = self.slice(at..self.text.len());
        graphemes(rest).next().map_or(self.text.len(), |first| at + first.end())
    }

    fn line_start_before(&self, at: usize) -> usize {
        let bytes = self.text.as_bytes().get(..at).unwrap_or_default();
        memchr::memrchr(b'\n', bytes).map_or(0, |newline| newline + 1)
    }

    /// The end of the word at or after `at`.
    pub(super) fn word_end(&self, at: usize) -> usize {
        self.run_right(self.run_right(at, |ch| !is_word(ch)), is_word)
    }

    /// The start of the word that ends at or before `at`.
    pub(super) fn word_start(&self, at: usize) -> usize {
        self.run_left(self.run_left(at, |ch| !is_word(ch)), is_word)
    }

    /// Skips clusters whose first character satisfies `wanted`.
    pub(super) fn run_right(&self, at: usize, wanted: impl Fn(char) -> bool) -> usize {
        graphemes(self.slice(at..self.text.len()))
            .find(|grapheme| !grapheme.text.chars().next().is_some_and(&wanted))
            .map_or(self.text.len(), |grapheme| at + grapheme.start)
    }

    fn run_left(&self, at: usize, wanted: impl Fn(char) -> bool) -> usize {
        let mut border = 0;
        for grapheme in graphemes(self.slice(0..at)) {
            if !grapheme.text.chars().next().is_some_and(&wanted) {
                border = grapheme.end();
            }
        }
        border
    }

    pub(super) fn slice(&self, range: Range<usize>) -> &str {
        self.text.get(range).unwrap_or_default()
    }
}

/// Words of the word motions are letters and digits, as in every shell's line editor.
pub(super) fn is_word(ch: char) -> bool {
    ch.is_alphanumeric()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text with `|` at the cursor.
    fn show(buffer: &Buffer) -> String {
        let mut text = buffer.text().to_owned();
        text.insert(buffer.cursor(), '|');
        text
    }

    fn buffer(marked: &str) -> Buffer {
        let mut buffer = Buffer::default();
        buffer.set(&marked.replace('|', ""));
        buffer.move_to(marked.find('|').unwrap());
        buffer
    }

    fn check(motion: Motion, from: &str, to: &str) {
        let mut buffer = buffer(from);
        buffer.move_to(buffer.target(motion));
        assert_eq!(show(&buffer), to, "{motion:?} from {from:?}");
    }

    #[test]
    fn motions_respect_clusters_words_and_lines() {
        check(Motion::Left, "e\u{301}|x", "|e\u{301}x");
        check(Motion::Left, "🇩🇪🇫🇷|", "🇩🇪|🇫🇷");
        check(Motion::Right, "|👩‍💻!", "👩‍💻|!");
        check(Motion::Left, "a\n|b", "a|\nb");
        check(Motion::Left, "|a", "|a");
        check(Motion::WordLeft, "git commit  --amend|", "git commit  --|amend");
        check(Motion::WordLeft, "git commit  --|amend", "git |commit  --amend");
        check(Motion::WordRight, "git| commit", "git commit|");
        check(Motion::WordRight, "a.|漢字 b", "a.漢字| b");
        check(Motion::BlankLeft, "ls /usr/local/bin |", "ls |/usr/local/bin ");
        check(Motion::LineStart, "ab\ncd|e\nf", "ab\n|cde\nf");
        check(Motion::LineEnd, "ab\nc|de\nf", "ab\ncde|\nf");
        check(Motion::Start, "ab\nc|d", "|ab\ncd");
        check(Motion::End, "a|b\ncd", "ab\ncd|");
    }

    #[test]
    fn vertical_motion_aims_at_one_column() {
        let mut buffer = buffer("abcd\nx\nefgh|");
        assert!(buffer.up());
        assert_eq!(show(&buffer), "abcd\nx|\nefgh");
        assert!(buffer.up());
        assert_eq!(show(&buffer), "abcd|\nx\nefgh");
        assert!(!buffer.up());
        assert!(buffer.down() && buffer.down() && !buffer.down());
        assert_eq!(show(&buffer), "abcd\nx\nefgh|");
    }

    #[test]
    fn the_cursor_stays_between_clusters() {
        let mut buffer = buffer("a|x\u{301}b");
        buffer.insert("e", Undo::Typed);
        buffer.replace(1..3, "", Undo::Step);
        assert_eq!(show(&buffer), "a\u{301}|b");
        assert!(buffer.undo());
        assert_eq!(show(&buffer), "ae|x\u{301}b");
    }

    #[test]
    fn undo_takes_back_words_and_steps() {
        let mut buffer = Buffer::default();
        for ch in "ab cd".chars() {
            buffer.insert(ch.encode_utf8(&mut [0; 4]), Undo::Typed);
        }
        buffer.replace(0..1, "", Undo::Step);
        for expect in ["ab cd|", "ab |", "|"] {
            assert!(buffer.undo());
            assert_eq!(show(&buffer), expect);
        }
        assert!(!buffer.undo());
    }
}
