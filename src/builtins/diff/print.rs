//! Lines with their marks in; their bytes with colours, tabs and missing newlines out.

use std::fmt::Write as _;

use super::options::{Look, Settings};
use super::text::{Side, expand_tabs};

/// What a line is, which decides its colour.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Role {
    Header,
    Hunk,
    Old,
    New,
    Same,
}

impl Role {
    /// The parameters of its colour; empty for none.
    fn color(self) -> &'static str {
        match self {
            Self::Header => "1",
            Self::Hunk => "36",
            Self::Old => "31",
            Self::New => "32",
            Self::Same => "",
        }
    }
}

/// What gathers the output.
pub(super) struct Printer<'a> {
    pub(super) out: &'a mut Vec<u8>,
    pub(super) look: Look,
    pub(super) tab_size: usize,
}

impl<'a> Printer<'a> {
    pub(super) fn new(out: &'a mut Vec<u8>, settings: &Settings) -> Self {
        Self { out, look: settings.look, tab_size: settings.tab_size }
    }

    pub(super) fn push(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
    }

    /// A line of our own.
    pub(super) fn say(&mut self, role: Role, text: &str) {
        self.begin(role);
        self.push(text);
        self.end(role);
        self.out.push(b'\n');
    }

    /// The beginning of a colour.
    pub(super) fn begin(&mut self, role: Role) {
        if self.look.color && !role.color().is_empty() {
            let _ = write!(Text(self.out), "\x1b[{}m", role.color());
        }
    }

    /// The end of a colour.
    pub(super) fn end(&mut self, role: Role) {
        if self.look.color && !role.color().is_empty() {
            self.push("\x1b[0m");
        }
    }

    /// A line of a file behind its mark and a blank.
    pub(super) fn spaced(&mut self, role: Role, mark: &str, line: &[u8]) {
        let gap = if self.look.initial_tab { "\t" } else { " " };
        if self.look.no_empty_blank && line == b"\n" {
            self.line(role, [mark.trim_end(), ""], line);
        } else {
            self.line(role, [mark, gap], line);
        }
    }

    /// A line of a file behind its mark.
    pub(super) fn glued(&mut self, role: Role, mark: &str, line: &[u8]) {
        let is_empty = line == b"\n";
        let lead = match mark {
            " " if self.look.no_empty_blank && is_empty => ["", ""],
            " " if self.look.initial_tab => ["\t", ""],
            _ if self.look.initial_tab && !(is_empty && mark == "-") => [mark, "\t"],
            _ => [mark, ""],
        };
        self.line(role, lead, line);
    }

    fn line(&mut self, role: Role, lead: [&str; 2], line: &[u8]) {
        let text = line.strip_suffix(b"\n").unwrap_or(line);
        self.begin(role);
        self.push(lead[0]);
        self.push(lead[1]);
        self.text(text);
        self.end(role);
        self.out.push(b'\n');
        if text.len() == line.len() {
            self.push("\\ No newline at end of file\n");
        }
    }

    /// The text of a line.
    pub(super) fn text(&mut self, text: &[u8]) {
        if self.look.expands_tabs {
            self.out.extend_from_slice(&expand_tabs(text, self.tab_size));
        } else {
            self.out.extend_from_slice(text);
        }
    }

    /// The two lines that name the files.
    pub(super) fn header(&mut self, settings: &Settings, marks: [&str; 2], sides: [&Side; 2]) {
        for ((mark, side), label) in marks.iter().zip(sides).zip(&settings.labels) {
            let text = match label {
                Some(label) => format!("{mark} {label}"),
                None => {
                    let time = crate::builtins::common::strftime("%F %T.%N %z", side.modified);
                    format!("{mark} {}\t{time}", quoted_name(&side.name))
                }
            };
            self.say(Role::Header, &text);
        }
    }
}

/// Lets text be formatted into bytes.
struct Text<'a>(&'a mut Vec<u8>);

impl std::fmt::Write for Text<'_> {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.0.extend_from_slice(text.as_bytes());
        Ok(())
    }
}

/// A name in a header, as C spells it where it could be misread.
pub(super) fn quoted_name(name: &str) -> String {
    let odd = |c: char| c.is_control() || matches!(c, ' ' | '"' | '\\');
    if !name.contains(odd) {
        return name.to_owned();
    }
    let mut text = String::from("\"");
    for c in name.chars() {
        match c {
            '"' | '\\' => text.extend(['\\', c]),
            '\n' => text.push_str("\\n"),
            '\t' => text.push_str("\\t"),
            '\r' => text.push_str("\\r"),
            c if c.is_ascii_control() => {
                let _ = write!(text, "\\{:03o}", u32::from(c));
            }
            c => text.push(c),
        }
    }
    text.push('"');
    text
}
