//! Bytes of files to the values that a filter runs on, in the manner the options ask for.

use std::collections::VecDeque;

use crate::read::{NO_TEXT, Reader};
use crate::value::Json;

/// How input is read.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Manner {
    /// Lines as strings.
    pub(crate) raw: bool,
    /// All of it as one value.
    pub(crate) slurp: bool,
    /// As events `[PATH, LEAF]`.
    pub(crate) stream: bool,
}

/// The values that are still to come.
#[derive(Default)]
pub(crate) struct Inputs {
    manner: Manner,
    reader: Reader,
    /// Raw text, where lines are read.
    text: Vec<u8>,
    at: usize,
    lines: usize,
    events: VecDeque<Json>,
    /// Where each file begins: bytes and lines before it, and its name.
    files: Vec<(usize, usize, Json)>,
    pushed: (usize, usize),
    slurped: bool,
    failed: bool,
}

impl Inputs {
    /// No input yet.
    pub(crate) fn new(manner: Manner) -> Self {
        Self { manner, ..Self::default() }
    }

    /// What follows is of this file.
    pub(crate) fn begin_file(&mut self, name: &str) {
        self.files.push((self.pushed.0, self.pushed.1, Json::text(name)));
    }

    /// Adds bytes.
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.pushed.0 += bytes.len();
        self.pushed.1 += bytes.iter().filter(|byte| **byte == b'\n').count();
        if self.manner.raw {
            if self.at > 64 * 1024 && self.at * 2 > self.text.len() {
                self.text.drain(..self.at);
                self.at = 0;
            }
            self.text.extend_from_slice(bytes);
        } else {
            self.reader.push(bytes);
        }
    }

    /// No more bytes come.
    pub(crate) fn end(&mut self) {
        self.reader.end();
    }

    /// Whether more bytes may come.
    pub(crate) fn is_open(&self) -> bool {
        !self.reader.has_ended()
    }

    /// The next value; `None` where bytes must come first, or at the end. A fault is the last one.
    pub(crate) fn next(&mut self) -> Option<Result<Json, String>> {
        if self.failed {
            return None;
        }
        let next = match self.manner {
            Manner { raw: true, slurp: true, .. } => self.all_text(),
            Manner { raw: true, .. } => self.line_text(),
            Manner { slurp: true, .. } => self.all_values(),
            _ => self.value(),
        };
        self.failed = matches!(next, Some(Err(_)));
        next
    }

    fn value(&mut self) -> Option<Result<Json, String>> {
        if !self.manner.stream {
            return self.reader.next();
        }
        if self.events.is_empty() {
            match self.reader.next()? {
                Ok(value) => events(&value, &mut Vec::new(), &mut self.events),
                Err(message) => return Some(Err(message)),
            }
        }
        self.events.pop_front().map(Ok)
    }

    fn all_values(&mut self) -> Option<Result<Json, String>> {
        if self.is_open() || std::mem::replace(&mut self.slurped, true) {
            return None;
        }
        let mut all = Vec::new();
        while let Some(value) = self.value() {
            match value {
                Ok(value) => all.push(value),
                Err(message) => return Some(Err(message)),
            }
        }
        Some(Ok(Json::list(all)))
    }

    fn all_text(&mut self) -> Option<Result<Json, String>> {
        if self.is_open() || std::mem::replace(&mut self.slurped, true) {
            return None;
        }
        Some(text(&std::mem::take(&mut self.text)))
    }

    fn line_text(&mut self) -> Option<Result<Json, String>> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        match rest.iter().position(|byte| *byte == b'\n') {
            Some(end) => {
                let line = text(rest.get(..end).unwrap_or_default());
                self.at += end + 1;
                self.lines += 1;
                Some(line)
            }
            None if self.is_open() || rest.is_empty() => None,
            None => {
                let line = text(rest);
                self.at = self.text.len();
                Some(line)
            }
        }
    }

    fn lines_read(&self) -> usize {
        if self.manner.raw { self.lines } else { self.reader.line() }
    }

    /// The file that the last value came from, by the lines read.
    fn current_file(&self) -> Option<&(usize, usize, Json)> {
        let lines = self.lines_read();
        let begun = self.files.iter().rev().find(|(_, before, _)| *before < lines.max(1));
        begun.or(self.files.first())
    }

    /// The name of that file; null for standard input.
    pub(crate) fn file(&self) -> Json {
        self.current_file().map(|(_, _, name)| name.clone()).unwrap_or_default()
    }

    /// Lines of that file so far.
    pub(crate) fn line(&self) -> usize {
        self.lines_read() - self.current_file().map_or(0, |(_, before, _)| *before)
    }

    /// Where a value came from, for messages: `<stdin>:3`.
    pub(crate) fn place(&self) -> String {
        if self.pushed.0 == 0 && self.files.is_empty() {
            return "<unknown>".into();
        }
        match self.file() {
            Json::Str(name) => format!("{name}:{}", self.line()),
            _ => format!("<stdin>:{}", self.line()),
        }
    }
}

fn text(bytes: &[u8]) -> Result<Json, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| NO_TEXT.to_string())?;
    Ok(Json::text(text))
}

/// The events of a value; its depth is bounded by the reader.
fn events(value: &Json, path: &mut Vec<Json>, out: &mut VecDeque<Json>) {
    let here = |path: &[Json]| Json::list(path.to_vec());
    let children: Vec<(Json, &Json)> = match value {
        Json::Arr(list) => {
            list.iter().enumerate().map(|(index, item)| (Json::count(index), item)).collect()
        }
        Json::Obj(fields) => {
            fields.iter().map(|(key, item)| (Json::Str(key.clone()), item)).collect()
        }
        _ => Vec::new(),
    };
    let Some((last, _)) = children.last().cloned() else {
        out.push_back(Json::list(vec![here(path), value.clone()]));
        return;
    };
    for (key, item) in children {
        path.push(key);
        events(item, path, out);
        path.pop();
    }
    path.push(last);
    out.push_back(Json::list(vec![here(path)]));
    path.pop();
}
