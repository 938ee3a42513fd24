//! Incremental history search: what Control-R and Control-S do until a line is chosen.

use super::history::{Found, History, Towards};
use super::key::{Code, Key};
use super::{Editor, Language, Mode, Output};

/// A search under way; the buffer keeps the line from before it.
#[derive(Debug)]
pub(super) struct Search {
    pub(super) query: String,
    pub(super) towards: Towards,
    pub(super) found: Option<Found>,
    pub(super) failed: bool,
    /// The states before each piece typed, for Backspace.
    steps: Vec<(usize, Option<Found>)>,
}

impl Search {
    fn new(towards: Towards) -> Self {
        Self { query: String::new(), towards, found: None, failed: false, steps: Vec::new() }
    }

    /// Looks for a longer query, from the match on.
    pub(super) fn extend(&mut self, text: &str, history: &History) {
        self.steps.push((self.query.len(), self.found.clone()));
        self.query.push_str(text);
        self.seek(self.found.as_ref().map(|found| found.entry), history);
    }

    /// Takes back what was typed last, and the matches after it.
    fn shorten(&mut self) {
        if let Some((length, found)) = self.steps.pop() {
            self.query.truncate(length);
            self.found = found;
            self.failed = self.found.is_none() && !self.query.is_empty();
        }
    }

    /// Goes on to the next match; with an empty query the last one is searched again.
    fn again(&mut self, towards: Towards, history: &History) {
        self.towards = towards;
        if self.query.is_empty() {
            let query = history.query.clone();
            return self.extend(&query, history);
        }
        let from = match (&self.found, towards) {
            (None, _) => None,
            (Some(found), Towards::Newer) => Some(found.entry + 1),
            (Some(found), Towards::Older) => match found.entry.checked_sub(1) {
                Some(entry) => Some(entry),
                None => return self.failed = true,
            },
        };
        self.seek(from, history);
    }

    /// Searches from an entry, or from the end that the direction leads away from.
    fn seek(&mut self, from: Option<usize>, history: &History) {
        let start = match self.towards {
            Towards::Older => history.entries().len(),
            Towards::Newer => 0,
        };
        let found = history.search(&self.query, from.unwrap_or(start), self.towards);
        self.failed = found.is_none() && !self.query.is_empty();
        if found.is_some() {
            self.found = found;
        }
    }
}

impl Editor {
    pub(super) fn start_search(&mut self, towards: Towards) {
        self.mode = Mode::Search(Search::new(towards));
    }

    pub(super) fn search_key(&mut self, key: Key, language: &dyn Language, out: &mut Output) {
        let Mode::Search(search) = &mut self.mode else { return };
        match key.code {
            Code::Char('r') if key.ctrl => search.again(Towards::Older, &self.history),
            Code::Char('s') if key.ctrl => search.again(Towards::Newer, &self.history),
            Code::Char('g') if key.ctrl => self.mode = Mode::Edit,
            Code::Escape => self.mode = Mode::Edit,
            Code::Char('c') if key.ctrl => {
                self.mode = Mode::Edit;
                self.interrupt(language, out);
            }
            Code::Backspace => search.shorten(),
            Code::Char('h') if key.ctrl => search.shorten(),
            Code::Char(ch) if !key.ctrl && !key.alt => {
                search.extend(ch.encode_utf8(&mut [0; 4]), &self.history);
            }
            _ => {
                self.choose();
                self.edit_key(key, language, out);
            }
        }
    }

    /// Takes the match as the line, the cursor at the place found.
    fn choose(&mut self) {
        let Mode::Search(search) = &mut self.mode else { return };
        let (query, found) = (std::mem::take(&mut search.query), search.found.take());
        self.mode = Mode::Edit;
        if !query.is_empty() {
            self.history.query = query;
        }
        if let Some(found) = found
            && let Some(text) = self.history.entries().get(found.entry).cloned()
        {
            self.buffer.set(&text);
            self.buffer.move_to(found.range.start);
        }
    }
}

impl Search {
    /// The prompt that shows what is searched.
    pub(super) fn prompt(&self) -> String {
        let failed = if self.failed { "failed " } else { "" };
        let name = match self.towards {
            Towards::Older => "reverse-i-search",
            Towards::Newer => "i-search",
        };
        format!("({failed}{name})`{}': ", self.query.replace('\n', " "))
    }
}
