//! The editor's state to a frame: what is to be seen, cut to the height of the terminal.

use std::borrow::Cow;
use std::ops::Range;

use super::layout::{Frame, Layout, Row, Source, line, prompt_lines};
use super::style::{QUESTION, Style};
use super::{Editor, Language, Mode, Output};

/// Longer texts are shown without colours, so that a key never waits for them.
const LONGEST_HIGHLIGHT: usize = 64 << 10;

/// How a line is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Accepted,
    Interrupted,
}

/// What the mode shows in the place of the buffer.
struct Shown<'a> {
    text: Cow<'a, str>,
    cursor: usize,
    mark: Range<usize>,
}

impl Editor {
    /// Draws what is to be seen.
    pub(super) fn draw(&mut self, language: &dyn Language, out: &mut Output) {
        let frame = self.frame(language);
        self.screen.draw(frame, &mut out.bytes);
    }

    /// Draws the line for the last time, whole, and leaves it.
    pub(super) fn leave(&mut self, how: Outcome, language: &dyn Language, out: &mut Output) {
        self.mode = Mode::Idle;
        let text = self.buffer.text();
        let styles = styles(text, language);
        let source = Source {
            prompt: &self.prompt,
            continuation: &self.continuation,
            text,
            cursor: (how == Outcome::Interrupted).then_some(text.len()),
            styles: &styles,
            mark: 0..0,
            hint: "",
        };
        let layout = source.lay_out(self.size.columns, 0..usize::MAX);
        if layout.total > self.size.rows {
            // What was seen was a part; now all of it scrolls by.
            self.screen.erase(&mut out.bytes);
        }
        let frame = Frame { rows: layout.rows, cursor: layout.cursor };
        self.screen.draw(frame, &mut out.bytes);
        self.screen.reset();
        if how == Outcome::Interrupted {
            out.write(b"^C");
        }
        out.write(b"\r\n\x1b[?2004l");
    }

    /// The frame of the moment.
    pub(super) fn frame(&mut self, language: &dyn Language) -> Frame {
        let (columns, rows) = (self.size.columns, self.size.rows);
        let layout = self.lay_out(0..rows, language);
        let below = self.below(rows - layout.total.min((rows / 2).max(1)));
        let height = rows - below.len();
        let last_top = layout.total.saturating_sub(height);
        let cursor = layout.cursor;
        let top = self.size.top.clamp((cursor.0 + 1).saturating_sub(height), cursor.0);
        let top = top.min(last_top);
        self.size.top = top;
        let mut seen =
            if top == 0 { layout.rows } else { self.lay_out(top..top + height, language).rows };
        seen.truncate(height);
        if let Some(first) = seen.first_mut() {
            first.wrapped = false;
        }
        seen.extend(below);
        Frame { rows: seen, cursor: (cursor.0 - top, cursor.1.min(columns - 1)) }
    }

    fn lay_out(&self, keep: Range<usize>, language: &dyn Language) -> Layout {
        let shown = self.shown();
        let styles = styles(&shown.text, language);
        let searching = match &self.mode {
            Mode::Search(search) => Some(prompt_lines(&search.prompt())),
            _ => None,
        };
        let source = Source {
            prompt: searching.as_ref().unwrap_or(&self.prompt),
            continuation: &self.continuation,
            text: &shown.text,
            cursor: Some(shown.cursor),
            styles: &styles,
            mark: shown.mark,
            hint: self.suggestion().unwrap_or_default(),
        };
        source.lay_out(self.size.columns, keep)
    }

    fn shown(&self) -> Shown<'_> {
        let (text, cursor) = (self.buffer.text(), self.buffer.cursor());
        match &self.mode {
            Mode::Menu(menu) => {
                let (text, cursor) = menu.shown(text, cursor);
                Shown { text: Cow::Owned(text), cursor, mark: 0..0 }
            }
            Mode::Search(search) => {
                let found = search.found.as_ref();
                let entry = found.and_then(|found| self.history.entries().get(found.entry));
                match (found, entry) {
                    (Some(found), Some(entry)) => Shown {
                        text: Cow::Borrowed(entry),
                        cursor: found.range.start,
                        mark: found.range.clone(),
                    },
                    _ => Shown { text: Cow::Borrowed(text), cursor, mark: 0..0 },
                }
            }
            _ => Shown { text: Cow::Borrowed(text), cursor, mark: 0..0 },
        }
    }

    /// The rows below the line: a menu or a question.
    fn below(&mut self, space: usize) -> Vec<Row> {
        let columns = self.size.columns;
        match &mut self.mode {
            Mode::Menu(menu) => menu.rows(columns, space),
            Mode::Question(text) if space > 0 => {
                let question = format!("Paste {} lines? y/n", text.split('\n').count());
                vec![line(&[(&question, QUESTION)], columns)]
            }
            _ => Vec::new(),
        }
    }
}

/// The styles of a text, in order and without overlaps.
fn styles(text: &str, language: &dyn Language) -> Vec<(Range<usize>, Style)> {
    if text.len() > LONGEST_HIGHLIGHT {
        return Vec::new();
    }
    language.highlight(text)
}
