//! Completion: asking for candidates, inserting what they share, and the menu to choose from.

use std::ops::Range;

use super::buffer::Undo;
use super::key::{Code, Key};
use super::layout::{Row, line};
use super::style::{HINT, SELECTED};
use super::{Action, Editor, Language, Mode, Output};
use crate::value::{graphemes, text_width};

/// Whether a candidate is a value or source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Quoting {
    /// A value, which [`Language::quote`] spells.
    #[default]
    Value,
    /// Source, which goes in as it is.
    Source,
}

/// What comes after a candidate that was chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ending {
    /// The word is done: its quote is closed and a space follows.
    #[default]
    Word,
    /// More may follow at once, as after a directory or `--option=`.
    Open,
}

/// One candidate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completion {
    /// What takes the place of the word.
    pub text: String,
    /// Whether `text` is a value or source.
    pub quoting: Quoting,
    /// What comes after it.
    pub ending: Ending,
    /// What the menu shows; `text` if empty.
    pub label: String,
    /// What the menu says of it; may be empty.
    pub description: String,
}

/// The answer to [`Action::Complete`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completions {
    /// The bytes of the line that a candidate replaces.
    pub replaces: Range<usize>,
    /// The candidates in the order the menu shows them.
    pub candidates: Vec<Completion>,
}

/// A candidate as it would be inserted.
#[derive(Debug)]
struct Choice {
    source: String,
    ending: Ending,
    label: String,
    description: String,
}

/// The open menu; the buffer keeps the line from before a choice.
#[derive(Debug)]
pub(super) struct Menu {
    replaces: Range<usize>,
    choices: Vec<Choice>,
    selected: Option<usize>,
    /// The rows of the grid in the last drawing, for moving up and down, left and right.
    height: usize,
    top: usize,
}

const MOST_ROWS: usize = 10;

impl Editor {
    pub(super) fn ask_completion(&mut self, out: &mut Output) {
        let cursor = self.buffer.cursor();
        self.mode = Mode::Waiting;
        out.push(Action::Complete { line: self.buffer.text().to_owned(), cursor });
    }

    /// Answers [`Action::Complete`]; ignored if the user has given up waiting.
    pub fn completions(&mut self, list: &Completions, language: &dyn Language) -> Vec<Action> {
        let mut out = Output::default();
        if !matches!(self.mode, Mode::Waiting) {
            return out.finish();
        }
        self.mode = Mode::Edit;
        let Some(typed) = self.buffer.text().get(list.replaces.clone()).map(str::to_owned) else {
            return self.drain(language, out);
        };
        let choice = |candidate: &Completion| choice(candidate, &typed, language);
        match list.candidates.as_slice() {
            [] => out.write(b"\x07"),
            [only] => self.put_choice(list.replaces.clone(), &choice(only), Space::Add),
            several => {
                let mut replaces = list.replaces.clone();
                if let Some(shared) = shared(several, &typed, language) {
                    self.buffer.replace(replaces.clone(), &shared, Undo::Step);
                    replaces.end = replaces.start + shared.len();
                }
                let choices = several.iter().map(choice).collect();
                let menu = Menu { replaces, choices, selected: None, height: 1, top: 0 };
                self.mode = Mode::Menu(menu);
            }
        }
        self.drain(language, out)
    }

    pub(super) fn menu_key(&mut self, key: Key, language: &dyn Language, out: &mut Output) {
        let Mode::Menu(menu) = &mut self.mode else { return };
        match (key.code, menu.selected) {
            (Code::Tab, _) if key.shift => menu.step(-1),
            (Code::Tab, _) => menu.step(1),
            (Code::Char('g'), _) if key.ctrl => self.mode = Mode::Edit,
            (Code::Escape, _) => self.mode = Mode::Edit,
            (Code::Char('c'), _) if key.ctrl => {
                self.mode = Mode::Edit;
                self.interrupt(language, out);
            }
            (Code::Enter, Some(_)) => self.close_menu(Space::Add),
            (Code::Down, _) => menu.step(1),
            (Code::Char('n'), _) if key.ctrl => menu.step(1),
            (Code::Up, Some(_)) => menu.step(-1),
            (Code::Char('p'), Some(_)) if key.ctrl => menu.step(-1),
            (Code::Right, Some(_)) if menu.columns() > 1 => menu.leap(1),
            (Code::Left, Some(_)) if menu.columns() > 1 => menu.leap(-1),
            (Code::PageDown, Some(_)) => menu.step(signed(menu.height)),
            (Code::PageUp, Some(_)) => menu.step(-signed(menu.height)),
            _ => {
                let open = self.choice().is_some_and(|choice| choice.source.ends_with('/'));
                self.close_menu(space_before(key));
                // A directory was chosen with its slash.
                if !(open && key == Key::plain(Code::Char('/'))) {
                    self.edit_key(key, language, out);
                }
            }
        }
    }

    fn choice(&self) -> Option<&Choice> {
        match &self.mode {
            Mode::Menu(menu) => menu.choices.get(menu.selected?),
            _ => None,
        }
    }

    /// Closes the menu, keeping what is selected.
    pub(super) fn accept_choice(&mut self) {
        self.close_menu(Space::Add);
    }

    fn close_menu(&mut self, space: Space) {
        if let Mode::Menu(mut menu) = std::mem::replace(&mut self.mode, Mode::Edit)
            && let Some(selected) = menu.selected.filter(|at| *at < menu.choices.len())
        {
            let choice = menu.choices.swap_remove(selected);
            self.put_choice(menu.replaces, &choice, space);
        }
    }

    fn put_choice(&mut self, replaces: Range<usize>, choice: &Choice, space: Space) {
        let follows = self.buffer.slice(replaces.end..self.buffer.text().len()).chars().next();
        let wanted = choice.ending == Ending::Word && space == Space::Add;
        let mut source = choice.source.clone();
        if wanted && !follows.is_some_and(char::is_whitespace) {
            source.push(' ');
        }
        self.buffer.replace(replaces, &source, Undo::Step);
        if wanted && follows == Some(' ') {
            self.buffer.move_to(self.buffer.cursor() + 1);
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Space {
    Add,
    Omit,
}

/// A typed character that starts a word gets the space before it.
fn space_before(key: Key) -> Space {
    match key.code {
        Code::Char(ch) if !key.ctrl && !key.alt && !" ;|&)<>,".contains(ch) => Space::Add,
        _ => Space::Omit,
    }
}

fn signed(number: usize) -> isize {
    isize::try_from(number).unwrap_or(isize::MAX)
}

fn choice(candidate: &Completion, typed: &str, language: &dyn Language) -> Choice {
    let source = match candidate.quoting {
        Quoting::Source => candidate.text.clone(),
        Quoting::Value => {
            let mut quoted = language.quote(&candidate.text, typed);
            if candidate.ending == Ending::Word {
                quoted.text.push_str(quoted.close);
            }
            quoted.text
        }
    };
    let label = if candidate.label.is_empty() { &candidate.text } else { &candidate.label };
    Choice {
        source,
        ending: candidate.ending,
        label: on_one_line(label),
        description: on_one_line(&candidate.description),
    }
}

fn on_one_line(text: &str) -> String {
    text.chars().map(|ch| if ch.is_control() { ' ' } else { ch }).collect()
}

/// The source of what all candidates begin with, if it is more than what was typed.
fn shared(candidates: &[Completion], typed: &str, language: &dyn Language) -> Option<String> {
    let (first, others) = candidates.split_first()?;
    let mut shared = first.text.as_str();
    for other in others {
        if other.quoting != first.quoting {
            return None;
        }
        let same = graphemes(shared).zip(graphemes(&other.text));
        let length = same.take_while(|(a, b)| a.text == b.text).last().map_or(0, |(a, _)| a.end());
        shared = shared.get(..length).unwrap_or_default();
    }
    let source = match first.quoting {
        Quoting::Source => shared.to_owned(),
        Quoting::Value => language.quote(shared, typed).text,
    };
    (source.chars().count() > typed.chars().count()).then_some(source)
}

impl Menu {
    /// Selects the choice `by` after or before, going round.
    fn step(&mut self, by: isize) {
        let count = signed(self.choices.len());
        let next = match self.selected {
            Some(at) => signed(at) + by,
            None if by < 0 => count - 1,
            None => 0,
        };
        self.selected = usize::try_from(next.rem_euclid(count.max(1))).ok();
    }

    /// Selects the choice in the next column; the grid is filled by columns.
    fn leap(&mut self, by: isize) {
        let at = signed(self.selected.unwrap_or(0)) + by * signed(self.height);
        if let Ok(at) = usize::try_from(at)
            && at < self.choices.len()
        {
            self.selected = Some(at);
        }
    }

    fn columns(&self) -> usize {
        self.choices.len().div_ceil(self.height.max(1))
    }

    /// The line with the selected choice in it, and the cursor.
    pub(super) fn shown(&self, text: &str, cursor: usize) -> (String, usize) {
        let choice = self.selected.and_then(|at| self.choices.get(at));
        let mut shown = text.to_owned();
        match choice {
            Some(choice) => {
                shown.replace_range(self.replaces.clone(), &choice.source);
                (shown, self.replaces.start + choice.source.len())
            }
            None => (shown, cursor),
        }
    }

    /// The rows of the menu, at most `space` of them.
    pub(super) fn rows(&mut self, columns: usize, space: usize) -> Vec<Row> {
        let described = self.choices.iter().any(|choice| !choice.description.is_empty());
        let widest = self.choices.iter().map(|it| text_width(&it.label)).max().unwrap_or(0);
        let across = if described { 1 } else { (columns / (widest + 2)).max(1) };
        self.height = self.choices.len().div_ceil(across);
        let limit = space.min(MOST_ROWS);
        let visible = if self.height > limit { limit.saturating_sub(1) } else { self.height };
        if visible == 0 {
            return Vec::new();
        }
        let row = self.selected.unwrap_or(0) % self.height.max(1);
        self.top = self.top.clamp((row + 1).saturating_sub(visible), row);
        let end = (self.top + visible).min(self.height);
        let width = if described { widest.min(columns / 2) } else { widest.min(columns - 1) };
        let mut rows: Vec<Row> = (self.top..end).map(|row| self.row(row, width, columns)).collect();
        if visible < self.height {
            let text = format!("rows {} to {end} of {}", self.top + 1, self.height);
            rows.push(line(&[(&text, HINT)], columns));
        }
        rows
    }

    fn row(&self, row: usize, width: usize, columns: usize) -> Row {
        let mut pieces: Vec<(String, &str)> = Vec::new();
        for (at, choice) in self.choices.iter().enumerate().skip(row).step_by(self.height.max(1)) {
            let style = if self.selected == Some(at) { SELECTED } else { "" };
            pieces.push((fit(&choice.label, width), style));
            if !choice.description.is_empty() {
                let room = columns.saturating_sub(width + 3);
                pieces.push((format!("  {}", cut(&choice.description, room)), HINT));
            }
            pieces.push(("  ".to_owned(), ""));
        }
        pieces.pop();
        let pieces: Vec<(&str, &str)> =
            pieces.iter().map(|(text, sgr)| (text.as_str(), *sgr)).collect();
        line(&pieces, columns)
    }
}

/// Cuts a text to a width, saying so with an ellipsis.
fn cut(text: &str, width: usize) -> String {
    if text_width(text) <= width {
        return text.to_owned();
    }
    let mut kept = String::new();
    let mut room = width.saturating_sub(1);
    for grapheme in graphemes(text) {
        if grapheme.width > room {
            break;
        }
        room -= grapheme.width;
        kept.push_str(grapheme.text);
    }
    if width > 0 {
        kept.push('…');
    }
    kept
}

/// Cuts or pads a text to a width.
fn fit(text: &str, width: usize) -> String {
    let mut fitted = cut(text, width);
    fitted.extend(std::iter::repeat_n(' ', width.saturating_sub(text_width(&fitted))));
    fitted
}
