//! What the trash knows of an entry, as the text of its `.trashinfo` file and back.

use crate::builtins::common::strftime;
use crate::host::Timestamp;

/// Where an entry was and when it went.
pub(super) struct Info {
    /// Its absolute path.
    pub(super) path: String,
    /// When it went.
    pub(super) deleted: Timestamp,
}

impl Info {
    /// The content of the file.
    pub(super) fn text(&self) -> String {
        let deleted = strftime("%Y-%m-%dT%H:%M:%S", self.deleted);
        format!("[Trash Info]\nPath={}\nDeletionDate={deleted}\n", encode(&self.path))
    }
}

/// The path and the date in the text of a `.trashinfo` file.
pub(super) fn parse(text: &str) -> Option<(String, String)> {
    let field = |key: &str| text.lines().find_map(|line| line.strip_prefix(key));
    Some((decode(field("Path=")?)?, field("DeletionDate=").unwrap_or_default().into()))
}

/// Percent-encodes what is no plain character of a path.
fn encode(path: &str) -> String {
    let mut text = String::new();
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/._-~+@:,=".contains(&byte) {
            text.push(char::from(byte));
        } else {
            text.push_str(&format!("%{byte:02X}"));
        }
    }
    text
}

fn decode(text: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
        let value = digit(rest.next())? * 16 + digit(rest.next())?;
        bytes.push(u8::try_from(value).ok()?);
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, encoded: &str) {
        assert_eq!(encode(path), encoded);
        assert_eq!(decode(encoded).as_deref(), Some(path));
    }

    #[test]
    fn paths_come_back() {
        check("/home/user/a.txt", "/home/user/a.txt");
        check("/a b/é%", "/a%20b/%C3%A9%25");
        check("/a\nb", "/a%0Ab");
    }
}
