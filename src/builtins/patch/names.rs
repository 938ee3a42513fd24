//! Headers of a patch in; the names of files, stripped and judged safe, out.

use crate::builtins::common::parse_date;
use crate::host::Timestamp;

/// A name in a header.
#[derive(Clone, Debug)]
pub(super) struct Name {
    /// As it is written there.
    pub(super) text: String,
    /// The whole header behind its mark.
    pub(super) header: Vec<u8>,
    /// Whether it says that there is no file: `/dev/null`, or the beginning of time.
    pub(super) is_nowhere: bool,
}

impl Name {
    pub(super) fn plain(text: &[u8]) -> Self {
        let header = text.to_vec();
        Self { text: unquote(text).0, header, is_nowhere: false }
    }

    /// The name of no file.
    pub(super) fn nowhere() -> Self {
        Self { text: "/dev/null".into(), header: b"/dev/null".to_vec(), is_nowhere: true }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The name without its first `count` directories, or all of them; `None` where it has not as
    /// many, is that of no file, or leads out of the working directory.
    pub(super) fn stripped(&self, count: Option<usize>) -> Option<String> {
        if self.text == "/dev/null" {
            return None;
        }
        let mut rest = self.text.as_str();
        match count {
            None => rest = rest.rsplit('/').next().unwrap_or(rest),
            Some(count) => {
                for _ in 0..count {
                    rest = rest.split_once('/')?.1.trim_start_matches('/');
                }
            }
        }
        let is_safe = !rest.is_empty()
            && !rest.starts_with('/')
            && rest.split('/').all(|component| component != "..");
        is_safe.then(|| rest.to_owned())
    }
}

/// Reads a name and the time behind it.
pub(super) fn name_of(header: &[u8]) -> Name {
    let (text, rest) = if header.first() == Some(&b'"') {
        unquote(header)
    } else {
        // Without a tab, a blank ends the name.
        let end = memchr::memchr(b'\t', header)
            .or_else(|| header.iter().position(u8::is_ascii_whitespace))
            .unwrap_or(header.len());
        let (name, rest) = header.split_at_checked(end).unwrap_or((header, &[]));
        (String::from_utf8_lossy(name).into_owned(), rest)
    };
    let time = String::from_utf8_lossy(rest.trim_ascii()).into_owned();
    let epoch = Timestamp { seconds: 0, nanos: 0 };
    let is_nowhere =
        text == "/dev/null" || (!time.is_empty() && parse_date(&time, epoch) == Some(epoch));
    Name { text, header: header.to_vec(), is_nowhere }
}

/// A name as C spells it, and what follows.
fn unquote(header: &[u8]) -> (String, &[u8]) {
    let Some(quoted) = header.strip_prefix(b"\"") else {
        return (String::from_utf8_lossy(header).into_owned(), &[]);
    };
    let mut text = Vec::new();
    let mut rest = quoted;
    while let Some((byte, after)) = rest.split_first() {
        rest = after;
        match byte {
            b'"' => break,
            b'\\' => {
                let octal = rest.get(..3).and_then(|digits| std::str::from_utf8(digits).ok());
                if let Some(byte) = octal.and_then(|digits| u8::from_str_radix(digits, 8).ok()) {
                    text.push(byte);
                    rest = rest.get(3..).unwrap_or_default();
                } else if let Some((letter, after)) = rest.split_first() {
                    text.push(match letter {
                        b'n' => b'\n',
                        b't' => b'\t',
                        b'r' => b'\r',
                        other => *other,
                    });
                    rest = after;
                }
            }
            byte => text.push(*byte),
        }
    }
    (String::from_utf8_lossy(&text).into_owned(), rest)
}
