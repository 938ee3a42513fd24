//! Formats of `-printf`.

use super::walk::Found;
use crate::builtins::basename::base_of;
use crate::builtins::common::{OWNER, OWNER_ID, disk_size, mode_letters, shown_size, strftime};
use crate::tool::ExecContext;
use crate::vfs::{FileKind, Metadata};

/// A parsed format.
#[derive(Debug, Default)]
pub(super) struct Format(Vec<Part>);

#[derive(Debug)]
enum Part {
    Text(String),
    /// A conversion, for times with the letter of strftime.
    Field {
        pad: Pad,
        letter: char,
        detail: char,
    },
}

/// Flags, width and precision.
#[derive(Clone, Copy, Debug, Default)]
struct Pad {
    left: bool,
    zero: bool,
    plus: bool,
    width: usize,
    precision: Option<usize>,
}

impl Format {
    /// Reads a format; answers the directives it does not know too, which stay text.
    pub(super) fn parse(text: &str) -> (Self, Vec<char>) {
        let (mut parts, mut unknown) = (Vec::new(), Vec::new());
        let mut plain = String::new();
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            match c {
                '\\' => {
                    if !push_escape(&mut chars, &mut plain) {
                        break;
                    }
                }
                '%' => {
                    let start = chars.clone();
                    let pad = parse_pad(&mut chars);
                    match chars.next() {
                        Some('%') => plain.push('%'),
                        Some(letter) if "pfhPHsbkdDmMyYlinugUGtacSFZ".contains(letter) => {
                            parts.push(Part::Text(std::mem::take(&mut plain)));
                            parts.push(Part::Field { pad, letter, detail: ' ' });
                        }
                        Some(letter @ ('T' | 'A' | 'C')) => {
                            let detail = chars.next().unwrap_or(' ');
                            parts.push(Part::Text(std::mem::take(&mut plain)));
                            parts.push(Part::Field { pad, letter, detail });
                        }
                        Some(other) => {
                            unknown.push(other);
                            plain.push('%');
                            chars = start;
                        }
                        None => plain.push('%'),
                    }
                }
                c => plain.push(c),
            }
        }
        parts.push(Part::Text(plain));
        (Self(parts), unknown)
    }

    /// The text for one file.
    pub(super) async fn show(&self, cx: &ExecContext, found: &Found) -> String {
        let mut out = String::new();
        for part in &self.0 {
            match part {
                Part::Text(text) => out.push_str(text),
                Part::Field { pad, letter, detail } => {
                    let text = match letter {
                        'l' => link(cx, found).await,
                        'Y' => other_kind(cx, found).await,
                        _ => field(found, *letter, *detail),
                    };
                    pad.push(
                        &mut out,
                        &text,
                        matches!(letter, 's' | 'b' | 'k' | 'd' | 'i' | 'n' | 'm'),
                    );
                }
            }
        }
        out
    }
}

type Chars<'a> = std::iter::Peekable<std::str::Chars<'a>>;

/// Appends an escape; `false` for `\c`, which ends the format.
fn push_escape(chars: &mut Chars<'_>, out: &mut String) -> bool {
    match chars.next() {
        Some('a') => out.push('\u{7}'),
        Some('b') => out.push('\u{8}'),
        Some('c') => return false,
        Some('f') => out.push('\u{c}'),
        Some('n') => out.push('\n'),
        Some('r') => out.push('\r'),
        Some('t') => out.push('\t'),
        Some('v') => out.push('\u{b}'),
        Some('\\') => out.push('\\'),
        Some(digit @ '0'..='7') => {
            let mut code = digit.to_digit(8).unwrap_or(0);
            for _ in 0..2 {
                let Some(next) = chars.peek().and_then(|c| c.to_digit(8)) else { break };
                chars.next();
                code = code * 8 + next;
            }
            out.push(char::from_u32(code & 0x7f).unwrap_or('?'));
        }
        Some(other) => {
            out.push('\\');
            out.push(other);
        }
        None => out.push('\\'),
    }
    true
}

fn parse_pad(chars: &mut Chars<'_>) -> Pad {
    let mut pad = Pad::default();
    while let Some(flag) = chars.next_if(|c| matches!(c, '-' | '0' | '+' | ' ' | '#')) {
        match flag {
            '-' => pad.left = true,
            '0' => pad.zero = true,
            '+' => pad.plus = true,
            _ => {}
        }
    }
    while let Some(digit) = chars.peek().and_then(|c| c.to_digit(10)) {
        chars.next();
        pad.width = (pad.width * 10 + digit as usize).min(4096);
    }
    if chars.next_if_eq(&'.').is_some() {
        let mut precision = 0;
        while let Some(digit) = chars.peek().and_then(|c| c.to_digit(10)) {
            chars.next();
            precision = (precision * 10 + digit as usize).min(4096);
        }
        pad.precision = Some(precision);
    }
    pad
}

impl Pad {
    fn push(self, out: &mut String, text: &str, is_number: bool) {
        let mut text: String = match self.precision {
            Some(most) if !is_number => text.chars().take(most).collect(),
            _ => text.to_owned(),
        };
        if self.plus && is_number {
            text.insert(0, '+');
        }
        let missing = self.width.saturating_sub(text.chars().count());
        let fill = if self.zero && is_number && !self.left { '0' } else { ' ' };
        if self.left {
            out.push_str(&text);
        }
        out.extend(std::iter::repeat_n(fill, missing));
        if !self.left {
            out.push_str(&text);
        }
    }
}

fn field(found: &Found, letter: char, detail: char) -> String {
    let metadata = &found.metadata;
    match letter {
        'p' => found.path.to_string(),
        'f' => base_of(&found.path).to_owned(),
        'h' => match found.path.trim_end_matches('/').rsplit_once('/') {
            Some((parent, _)) => parent.to_owned(),
            None if found.path.starts_with('/') => String::new(),
            None => ".".into(),
        },
        'P' => {
            let below = found.path.get(found.base..).unwrap_or_default();
            below.strip_prefix('/').unwrap_or(below).to_owned()
        }
        'H' => found.path.get(..found.base).unwrap_or_default().to_owned(),
        's' => shown_size(metadata).to_string(),
        'b' => (disk_size(metadata) / 512).to_string(),
        'k' => (disk_size(metadata) / 1024).to_string(),
        'd' => found.depth.to_string(),
        'D' => metadata.device.to_string(),
        'm' => format!("{:o}", metadata.mode),
        'M' => mode_letters(metadata.kind, metadata.mode),
        'y' => kind_letter(metadata).into(),
        'i' => metadata.inode.to_string(),
        'n' => metadata.links.to_string(),
        'u' | 'g' => OWNER.into(),
        'U' | 'G' => OWNER_ID.into(),
        'S' if metadata.len == 0 => "1".into(),
        #[expect(clippy::cast_precision_loss, reason = "a ratio for people")]
        'S' => format!("{:.6}", disk_size(metadata) as f64 / metadata.len as f64)
            .trim_end_matches('0')
            .trim_end_matches('.')
            .to_owned(),
        't' | 'a' | 'c' => strftime("%a %b %e %H:%M:%S.%N0 %Y", metadata.modified),
        'T' | 'A' | 'C' => time(metadata, detail),
        _ => String::new(),
    }
}

fn time(metadata: &Metadata, detail: char) -> String {
    let format = match detail {
        '@' => return format!("{}.{:09}0", metadata.modified.seconds, metadata.modified.nanos),
        '+' => "%F+%T.%N0".into(),
        'S' => "%S.%N0".into(),
        'T' | 'X' => "%T.%N0".into(),
        'r' => "%I:%M:%S.%N0 %p".into(),
        other => format!("%{other}"),
    };
    strftime(&format, metadata.modified)
}

fn kind_letter(metadata: &Metadata) -> &'static str {
    match metadata.kind {
        FileKind::File => "f",
        FileKind::Directory => "d",
        FileKind::Symlink => "l",
        FileKind::Device => "c",
    }
}

async fn link(cx: &ExecContext, found: &Found) -> String {
    if !found.metadata.is_symlink() {
        return String::new();
    }
    let target = cx.backend().read_link(&cx.resolve(&found.path)).await;
    target.map(|target| target.as_str().to_owned()).unwrap_or_default()
}

/// The kind of what a link points to: `N` where nothing is there, `L` for a loop.
async fn other_kind(cx: &ExecContext, found: &Found) -> String {
    if !found.metadata.is_symlink() {
        return kind_letter(&found.metadata).into();
    }
    match cx.backend().stat(&cx.resolve(&found.path)).await {
        Ok(target) => kind_letter(&target).into(),
        Err(error) if error.errno() == crate::io::Errno::SymlinkLoop => "L".into(),
        Err(_) => "N".into(),
    }
}
