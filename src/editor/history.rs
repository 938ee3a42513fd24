//! Accepted lines: kept, walked by prefix, searched, suggested, and written out as one line each.

use std::ops::Range;

/// The history of one profile: oldest first, no line twice, at most as many as the limit says.
#[derive(Debug)]
pub struct History {
    entries: Vec<String>,
    limit: usize,
    walk: Option<Walk>,
    /// What the last incremental search looked for.
    pub(super) query: String,
}

/// A walk through the entries with one prefix.
#[derive(Debug)]
struct Walk {
    prefix: String,
    /// The line as it was when the walk began.
    draft: String,
    /// The entry in the line; the number of entries for the draft.
    at: usize,
}

/// Which way a search goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Towards {
    Older,
    Newer,
}

/// Where a search matched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) entry: usize,
    pub(super) range: Range<usize>,
}

impl History {
    /// An empty history that keeps at most `limit` entries.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self { entries: Vec::new(), limit, walk: None, query: String::new() }
    }

    /// The entries, oldest first.
    #[must_use]
    pub fn entries(&self) -> &[String] {
        &self.entries
    }

    /// Adds a line unless it is blank or starts with a space; an equal older entry goes.
    pub fn push(&mut self, line: &str) {
        let line = line.trim_end_matches('\n');
        if line.trim().is_empty() || line.starts_with(' ') {
            return;
        }
        self.entries.retain(|entry| entry != line);
        self.entries.push(line.to_owned());
        self.entries.drain(..self.entries.len().saturating_sub(self.limit));
    }

    /// Forgets every entry.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.walk = None;
    }

    /// Replaces the entries by those of a text that [`History::save`] wrote, or of plain lines.
    pub fn load(&mut self, text: &str) {
        self.clear();
        for line in text.lines() {
            match line.strip_prefix(' ') {
                Some(escaped) => self.push(&unescape(escaped)),
                None => self.push(line),
            }
        }
    }

    /// The entries, one per line; a line that starts with a space has `\n` for newline and `\\`
    /// for backslash.
    #[must_use]
    pub fn save(&self) -> String {
        let mut text = String::new();
        for entry in &self.entries {
            if entry.contains(['\n', '\r']) {
                text.push(' ');
                let escaped = entry.replace('\\', "\\\\").replace('\n', "\\n");
                text.push_str(&escaped.replace('\r', "\\r"));
            } else {
                text.push_str(entry);
            }
            text.push('\n');
        }
        text
    }

    /// Ends the walk: the next step starts from the newest entry.
    pub(super) fn rest(&mut self) {
        self.walk = None;
    }

    /// The next older entry that starts with what stands before the cursor.
    pub(super) fn older(&mut self, line: &str, cursor: usize) -> Option<String> {
        if self.current() != Some(line) {
            let prefix = line.get(..cursor).unwrap_or_default().to_owned();
            self.walk = Some(Walk { prefix, draft: line.to_owned(), at: self.entries.len() });
        }
        let walk = self.walk.as_mut()?;
        let mut older = self.entries.iter().take(walk.at).enumerate().rev();
        let (at, entry) =
            older.find(|(_, entry)| entry.starts_with(&walk.prefix) && *entry != line)?;
        walk.at = at;
        Some(entry.clone())
    }

    /// The next newer entry of the walk, and after the newest the line it began with.
    pub(super) fn newer(&mut self, line: &str) -> Option<String> {
        if self.current() != Some(line) {
            return None;
        }
        let walk = self.walk.as_mut()?;
        let mut newer = self.entries.iter().enumerate().skip(walk.at + 1);
        match newer.find(|(_, entry)| entry.starts_with(&walk.prefix)) {
            Some((at, entry)) => {
                walk.at = at;
                Some(entry.clone())
            }
            None if walk.at < self.entries.len() => self.newest(line),
            None => None,
        }
    }

    /// The oldest entry.
    pub(super) fn oldest(&mut self, line: &str) -> Option<String> {
        let entry = self.entries.first()?.clone();
        if self.current() == Some(line) {
            self.walk.as_mut()?.at = 0;
        } else {
            self.walk = Some(Walk { prefix: String::new(), draft: line.to_owned(), at: 0 });
        }
        Some(entry)
    }

    /// The line the walk began with.
    pub(super) fn newest(&mut self, line: &str) -> Option<String> {
        if self.current() != Some(line) {
            return None;
        }
        self.walk.take().map(|walk| walk.draft)
    }

    /// What the newest entry that starts with `line` would add to it, without a newline.
    pub(super) fn suggestion(&self, line: &str) -> Option<&str> {
        if line.trim().is_empty() {
            return None;
        }
        let rest = self
            .entries
            .iter()
            .rev()
            .find_map(|entry| entry.strip_prefix(line).filter(|rest| !rest.is_empty()))?;
        (!rest.contains('\n')).then_some(rest)
    }

    /// The entry nearest to `from` (itself included) that holds `query`; small letters match both.
    pub(super) fn search(&self, query: &str, from: usize, towards: Towards) -> Option<Found> {
        let seek = |entry: usize| {
            let text = self.entries.get(entry)?;
            find(text, query).map(|range| Found { entry, range })
        };
        match towards {
            Towards::Older => (0..=from).rev().find_map(seek),
            Towards::Newer => (from..self.entries.len()).find_map(seek),
        }
    }

    /// The n-th newest entry, from 0.
    pub(super) fn recent(&self, n: usize) -> Option<&str> {
        self.entries.iter().rev().nth(n).map(String::as_str)
    }

    /// What the walk has put in the line.
    fn current(&self) -> Option<&str> {
        let walk = self.walk.as_ref()?;
        Some(self.entries.get(walk.at).unwrap_or(&walk.draft))
    }
}

fn unescape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(ch) = chars.next() {
        match ch {
            '\\' => match chars.next() {
                Some('n') => plain.push('\n'),
                Some('r') => plain.push('\r'),
                Some(other) => plain.push(other),
                None => plain.push('\\'),
            },
            _ => plain.push(ch),
        }
    }
    plain
}

/// The last place of `query` in `text`; without capitals in the query case does not matter.
fn find(text: &str, query: &str) -> Option<Range<usize>> {
    if query.is_empty() {
        return None;
    }
    if query.chars().any(char::is_uppercase) {
        return text.rfind(query).map(|start| start..start + query.len());
    }
    text.char_indices().rev().find_map(|(start, _)| {
        let mut rest = text.get(start..).unwrap_or_default().chars();
        let mut length = 0;
        for wanted in query.chars() {
            let ch = rest.next()?;
            if ch != wanted && !ch.to_lowercase().eq([wanted]) {
                return None;
            }
            length += ch.len_utf8();
        }
        Some(start..start + length)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn history(lines: &[&str]) -> History {
        let mut history = History::new(4);
        lines.iter().for_each(|line| history.push(line));
        history
    }

    #[test]
    fn keeps_no_line_twice_no_hidden_line_and_no_more_than_the_limit() {
        let history = history(&["a", "b", " secret", "", "  ", "a", "c", "d\n", "e", "e"]);
        assert_eq!(history.entries(), ["a", "c", "d", "e"]);
    }

    #[test]
    fn saved_lines_load_again() {
        let lines = ["ls", "echo 'a\n\\n b'", "printf '\\n'", "x\r"];
        let mut copy = History::new(9);
        copy.load(&history(&lines).save());
        assert_eq!(copy.entries(), lines);
        assert_eq!(history(&lines).save().lines().count(), 4);
        copy.load("plain\nplain\n");
        assert_eq!(copy.entries(), ["plain"]);
    }

    #[test]
    fn walks_by_prefix_and_back_to_the_draft() {
        let mut history = history(&["git a", "ls", "git b"]);
        assert_eq!(history.older("gi", 2).as_deref(), Some("git b"));
        assert_eq!(history.older("git b", 5).as_deref(), Some("git a"));
        assert_eq!(history.older("git a", 5), None);
        assert_eq!(history.newer("git a").as_deref(), Some("git b"));
        assert_eq!(history.newer("git b").as_deref(), Some("gi"));
        assert_eq!(history.newer("gi"), None);
        // An edited entry starts a new walk and is its draft.
        assert_eq!(history.older("", 0).as_deref(), Some("git b"));
        assert_eq!(history.older("ls x", 2).as_deref(), Some("ls"));
        assert_eq!(history.newer("ls").as_deref(), Some("ls x"));
        assert_eq!(history.oldest("q").as_deref(), Some("git a"));
        assert_eq!(history.newest("git a").as_deref(), Some("q"));
    }

    #[test]
    fn suggests_the_newest_continuation() {
        let history = history(&["echo one", "echo two", "for x in a\ndo"]);
        assert_eq!(history.suggestion("echo "), Some("two"));
        assert_eq!(history.suggestion("echo o"), Some("ne"));
        assert_eq!(history.suggestion("echo two"), None);
        assert_eq!(history.suggestion("for"), None);
        assert_eq!(history.suggestion(""), None);
    }

    #[test]
    fn searches_both_ways_with_smart_case() {
        let history = history(&["Make all", "ls", "make x"]);
        let found = |entry, range| Some(Found { entry, range });
        assert_eq!(history.search("make", 2, Towards::Older), found(2, 0..4));
        assert_eq!(history.search("make", 1, Towards::Older), found(0, 0..4));
        assert_eq!(history.search("Make", 2, Towards::Older), found(0, 0..4));
        assert_eq!(history.search("make", 1, Towards::Newer), found(2, 0..4));
        assert_eq!(history.search("zz", 2, Towards::Older), None);
        assert_eq!(history.search("", 2, Towards::Older), None);
    }
}
