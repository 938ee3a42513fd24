//! Names as `ls` shows them: plain, in quotes, or with escapes.

use crate::builtins::common::{bad_choice, quoted, single_quoted};
use crate::tool::{Args, ExecContext, Stop};

/// How names are quoted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    Literal,
    /// In single quotes where the shell would split or change it.
    Shell {
        always: bool,
        escape: bool,
    },
    C {
        quotes: bool,
    },
}

/// How names are shown.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quoting {
    style: Style,
    /// Control characters become `?`.
    hide_controls: bool,
}

const STYLES: &[&str] =
    &["literal", "shell", "shell-always", "shell-escape", "shell-escape-always", "c", "escape"];

impl Quoting {
    pub(super) fn read(cx: &mut ExecContext, args: &Args, person: bool) -> Result<Self, Stop> {
        let shell = |always, escape| Style::Shell { always, escape };
        let mut style = if person { shell(false, true) } else { Style::Literal };
        for (key, value) in args.given() {
            style = match key {
                "literal" => Style::Literal,
                "quote-name" => Style::C { quotes: true },
                "escape" => Style::C { quotes: false },
                "quoting-style" => {
                    let word = value.map(|value| value.to_text_lossy()).unwrap_or_default();
                    match word.as_str() {
                        "literal" => Style::Literal,
                        "shell" => shell(false, false),
                        "shell-always" => shell(true, false),
                        "shell-escape" => shell(false, true),
                        "shell-escape-always" => shell(true, true),
                        "c" => Style::C { quotes: true },
                        "escape" => Style::C { quotes: false },
                        _ => {
                            let message = bad_choice("--quoting-style", &word, STYLES);
                            return Err(cx.misuse(2, message));
                        }
                    }
                }
                _ => style,
            };
        }
        let last = args.last_of(&["hide-control-chars", "show-control-chars"]);
        let hide_controls = last.map_or(person, |key| key == "hide-control-chars");
        Ok(Self { style, hide_controls })
    }

    /// Whether some names get quotes and others a blank in their place.
    pub(super) fn aligns(self) -> bool {
        matches!(self.style, Style::Shell { always: false, .. })
    }

    /// A directory's name above its list.
    pub(super) fn heading(self, path: &str) -> String {
        if path.contains(':') && self.style != Style::Literal {
            return self.show(path);
        }
        self.show(path)
    }

    /// The name as it is shown.
    pub(super) fn show(self, name: &str) -> String {
        match self.style {
            Style::Literal if self.hide_controls => {
                name.chars().map(|c| if c.is_control() { '?' } else { c }).collect()
            }
            Style::Literal => name.to_owned(),
            Style::Shell { always, escape } => {
                if escape && name.chars().any(char::is_control) {
                    return quoted(name);
                }
                let name: String = if self.hide_controls {
                    name.chars().map(|c| if c.is_control() { '?' } else { c }).collect()
                } else {
                    name.to_owned()
                };
                if always || needs_quotes(&name) { single_quoted(&name) } else { name }
            }
            Style::C { quotes } => c_style(name, quotes),
        }
    }
}

/// Whether the shell would not read a name back as itself.
fn needs_quotes(name: &str) -> bool {
    name.is_empty()
        || name.starts_with(['#', '~'])
        || name.contains(|c| " \t\n'\"\\|&;()<>!*?[$`=^".contains(c))
}

fn c_style(name: &str, quotes: bool) -> String {
    let mut text = String::from(if quotes { "\"" } else { "" });
    for c in name.chars() {
        match c {
            '\u{7}' => text.push_str("\\a"),
            '\u{8}' => text.push_str("\\b"),
            '\u{c}' => text.push_str("\\f"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            '\u{b}' => text.push_str("\\v"),
            '\\' => text.push_str("\\\\"),
            '"' if quotes => text.push_str("\\\""),
            ' ' if !quotes => text.push_str("\\ "),
            c if c.is_control() => {
                for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                    text.push_str(&format!("\\{byte:03o}"));
                }
            }
            c => text.push(c),
        }
    }
    if quotes {
        text.push('"');
    }
    text
}
