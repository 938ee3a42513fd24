//! Values as JSON text: compact or indented, in colour, sorted, in ASCII.

use crate::number;
use crate::value::{Fields, Json, sorted_keys};

/// What is nested deeper is not written.
const MAX_DEPTH: usize = 1024;
const TOO_DEEP: &str = "<skipped: too deep>";

/// How values are written.
#[expect(clippy::struct_excessive_bools, reason = "one per option of the command")]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Style {
    /// Blanks (or tabs) a level; `None`: all on one line.
    pub(crate) indent: Option<usize>,
    /// A tab a level instead.
    pub(crate) tab: bool,
    /// Keys in order.
    pub(crate) sort: bool,
    /// Escapes for what is not ASCII.
    pub(crate) ascii: bool,
    /// ANSI colours.
    pub(crate) color: bool,
}

/// Compact JSON.
pub(crate) fn compact(value: &Json) -> String {
    styled(value, Style::default())
}

/// Compact JSON, at least its first `enough` bytes.
pub(crate) fn compact_start(value: &Json, enough: usize) -> String {
    let mut writer = Writer { out: String::new(), style: Style::default(), enough };
    writer.value(value, 0);
    writer.out
}

/// JSON in a style, without a newline at its end.
pub(crate) fn styled(value: &Json, style: Style) -> String {
    let mut writer = Writer { out: String::new(), style, enough: usize::MAX };
    writer.value(value, 0);
    writer.out
}

struct Writer {
    out: String,
    style: Style,
    enough: usize,
}

const RESET: &str = "\u{1b}[0m";
/// The colours of arrays and objects, and of keys.
const BRACKETS: &str = "\u{1b}[1;39m";
const KEY: &str = "\u{1b}[34;1m";

fn color(value: &Json) -> &'static str {
    match value {
        Json::Null => "\u{1b}[1;30m",
        Json::Bool(_) | Json::Num(..) => "\u{1b}[0;39m",
        Json::Str(_) => "\u{1b}[0;32m",
        Json::Arr(_) | Json::Obj(_) => BRACKETS,
    }
}

impl Writer {
    fn value(&mut self, value: &Json, depth: usize) {
        if self.out.len() >= self.enough {
            return;
        }
        if depth > MAX_DEPTH {
            self.out.push_str(TOO_DEEP);
            return;
        }
        if self.style.color {
            self.out.push_str(color(value));
        }
        match value {
            Json::Null => self.out.push_str("null"),
            Json::Bool(value) => self.out.push_str(if *value { "true" } else { "false" }),
            Json::Num(_, Some(literal)) => self.out.push_str(literal),
            Json::Num(value, None) => self.out.push_str(&number::spell(*value)),
            Json::Str(text) => self.text(text),
            Json::Arr(list) => self.array(list, depth),
            Json::Obj(fields) => self.object(fields, depth),
        }
        if self.style.color {
            self.out.push_str(RESET);
        }
    }

    fn array(&mut self, list: &[Json], depth: usize) {
        self.out.push('[');
        for (index, item) in list.iter().enumerate() {
            if index > 0 {
                self.mark(",");
            }
            self.break_line(depth + 1);
            self.value(item, depth + 1);
        }
        self.close("]", list.is_empty(), depth);
    }

    fn object(&mut self, fields: &Fields, depth: usize) {
        self.out.push('{');
        let sorted;
        let pairs: Box<dyn Iterator<Item = _>> = if self.style.sort {
            sorted = sorted_keys(fields);
            Box::new(sorted.iter().filter_map(|key| fields.get_key_value(*key)))
        } else {
            Box::new(fields.iter())
        };
        for (index, (key, value)) in pairs.enumerate() {
            if index > 0 {
                self.mark(",");
            }
            self.break_line(depth + 1);
            if self.style.color {
                self.out.push_str(RESET);
                self.out.push_str(KEY);
            }
            self.text(key);
            if self.style.color {
                self.out.push_str(RESET);
            }
            self.mark(if self.style.indent.is_some() { ": " } else { ":" });
            if self.style.color {
                self.out.push_str(RESET);
            }
            self.value(value, depth + 1);
        }
        self.close("}", fields.is_empty(), depth);
    }

    /// A comma or colon, in the colour of the brackets.
    fn mark(&mut self, mark: &str) {
        if self.style.color {
            self.out.push_str(BRACKETS);
        }
        self.out.push_str(mark);
    }

    fn close(&mut self, bracket: &str, empty: bool, depth: usize) {
        if !empty {
            if self.style.color {
                self.out.push_str(BRACKETS);
            }
            self.break_line(depth);
        }
        if self.style.color {
            self.out.push_str(BRACKETS);
        }
        self.out.push_str(bracket);
    }

    fn break_line(&mut self, depth: usize) {
        let Some(indent) = self.style.indent else { return };
        self.out.push('\n');
        let (blank, count) = if self.style.tab { ("\t", depth) } else { (" ", depth * indent) };
        self.out.extend(std::iter::repeat_n(blank, count));
    }

    fn text(&mut self, text: &str) {
        self.out.push('"');
        let mut plain = 0;
        for (at, c) in text.char_indices() {
            let escape = match c {
                '"' => "\\\"",
                '\\' => "\\\\",
                '\n' => "\\n",
                '\r' => "\\r",
                '\t' => "\\t",
                '\u{8}' => "\\b",
                '\u{c}' => "\\f",
                '\0'..='\u{1f}' | '\u{7f}' => "",
                _ if self.style.ascii && !c.is_ascii() => "",
                _ => continue,
            };
            self.out.push_str(text.get(plain..at).unwrap_or_default());
            plain = at + c.len_utf8();
            if escape.is_empty() {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    self.out.push_str(&format!("\\u{unit:04x}"));
                }
            } else {
                self.out.push_str(escape);
            }
        }
        self.out.push_str(text.get(plain..).unwrap_or_default());
        self.out.push('"');
    }
}
