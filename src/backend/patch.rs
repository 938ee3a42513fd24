//! Patch operations on the bytes of a file: each sees the edits before it, all or none happen.

use std::ops::Range;

use crate::tool::{BackendError, BackendResult, PatchOp};
use crate::vfs::Path;

/// The content after all operations.
///
/// A failed expectation is a [`BackendError::Conflict`]; an offset or line past the end is a
/// [`BackendError::InvalidOperation`]. Line operations keep the line ends of the file, and take one
/// line end at the end of their text as that of the line.
pub fn apply_patch(path: &Path, content: Vec<u8>, ops: &[PatchOp]) -> BackendResult<Vec<u8>> {
    let mut patch = Patch { path, content };
    for op in ops {
        patch.apply(op)?;
    }
    Ok(patch.content)
}

struct Patch<'a> {
    path: &'a Path,
    content: Vec<u8>,
}

/// One line: its text, and its text with the line end.
struct Line {
    text: Range<usize>,
    end: usize,
}

impl Patch<'_> {
    fn apply(&mut self, op: &PatchOp) -> BackendResult<()> {
        match op {
            PatchOp::Insert { offset, content } => {
                let range = self.bytes(*offset, 0)?;
                self.splice(range, content.as_bytes());
            }
            PatchOp::Delete { offset, len, expected } => {
                let range = self.bytes(*offset, *len)?;
                self.expect(&range, expected.as_deref(), || format!("byte {offset}"))?;
                self.splice(range, b"");
            }
            PatchOp::Replace { offset, len, content, expected } => {
                let range = self.bytes(*offset, *len)?;
                self.expect(&range, expected.as_deref(), || format!("byte {offset}"))?;
                self.splice(range, content.as_bytes());
            }
            PatchOp::InsertLine { line, content } => self.insert_line(*line, content)?,
            PatchOp::DeleteLine { line, expected } => {
                let Line { text, end } = self.line(*line)?;
                self.expect(&text, expected.as_deref(), || format!("line {line}"))?;
                self.splice(text.start..end, b"");
            }
            PatchOp::ReplaceLine { line, content, expected } => {
                let Line { text, .. } = self.line(*line)?;
                self.expect(&text, expected.as_deref(), || format!("line {line}"))?;
                let content = self.line_text(content, text.start);
                self.splice(text, content.as_bytes());
            }
            PatchOp::Append { content } => self.content.extend_from_slice(content.as_bytes()),
        }
        Ok(())
    }

    fn invalid<T>(&self, reason: String) -> BackendResult<T> {
        Err(BackendError::InvalidOperation { path: self.path.to_path_buf(), reason })
    }

    fn splice(&mut self, range: Range<usize>, with: &[u8]) {
        self.content.splice(range, with.iter().copied());
    }

    fn bytes(&self, offset: u64, len: u64) -> BackendResult<Range<usize>> {
        let whole = self.content.len();
        let end = offset.checked_add(len).and_then(|end| usize::try_from(end).ok());
        match (usize::try_from(offset), end) {
            (Ok(start), Some(end)) if end <= whole => Ok(start..end),
            _ => self.invalid(format!("bytes {offset} to {offset}+{len} of {whole} do not exist")),
        }
    }

    fn expect(
        &self,
        range: &Range<usize>,
        expected: Option<&str>,
        location: impl FnOnce() -> String,
    ) -> BackendResult<()> {
        let Some(expected) = expected else { return Ok(()) };
        let actual = self.content.get(range.clone()).unwrap_or_default();
        if actual == expected.as_bytes() {
            return Ok(());
        }
        Err(BackendError::Conflict {
            path: self.path.to_path_buf(),
            location: location(),
            expected: expected.to_owned(),
            actual: String::from_utf8_lossy(actual).into_owned(),
        })
    }

    /// A line that is there, 1-based.
    fn line(&self, number: u64) -> BackendResult<Line> {
        let start = match self.line_start(number) {
            Some(start) if start < self.content.len() => start,
            _ => return self.invalid(format!("line {number} does not exist")),
        };
        let rest = self.content.get(start..).unwrap_or_default();
        Ok(match memchr::memchr(b'\n', rest) {
            None => Line { text: start..self.content.len(), end: self.content.len() },
            Some(at) => {
                let feed = start + at;
                let crlf = at > 0 && rest.get(at - 1) == Some(&b'\r');
                Line { text: start..feed - usize::from(crlf), end: feed + 1 }
            }
        })
    }

    /// Where a line starts, or would after the last one; `None` past that.
    fn line_start(&self, number: u64) -> Option<usize> {
        let before = usize::try_from(number.checked_sub(1)?).ok()?;
        if before == 0 {
            return Some(0);
        }
        match memchr::memchr_iter(b'\n', &self.content).nth(before - 1) {
            Some(at) => Some(at + 1),
            None => {
                let ends = memchr::memchr_iter(b'\n', &self.content).count();
                let open = self.content.last().is_some_and(|byte| *byte != b'\n');
                (open && ends + 1 == before).then_some(self.content.len())
            }
        }
    }

    /// The line end in use around a place: of the line before it, or the first of the file.
    fn line_end(&self, at: usize) -> &'static str {
        let before = self.content.get(..at).unwrap_or_default();
        let feed = memchr::memrchr(b'\n', before).or_else(|| memchr::memchr(b'\n', &self.content));
        let crlf = feed.and_then(|feed| self.content.get(feed.checked_sub(1)?)) == Some(&b'\r');
        if crlf { "\r\n" } else { "\n" }
    }

    /// The text of new lines with the file's line ends, without the last one.
    fn line_text(&self, content: &str, at: usize) -> String {
        let lines = content.strip_suffix('\n').unwrap_or(content);
        let lines = lines.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line));
        lines.collect::<Vec<_>>().join(self.line_end(at))
    }

    fn insert_line(&mut self, number: u64, content: &str) -> BackendResult<()> {
        let Some(start) = self.line_start(number) else {
            return self.invalid(format!("line {number} is past the end"));
        };
        let end = self.line_end(start);
        let text = self.line_text(content, start);
        let open = start > 0 && self.content.get(start - 1).is_some_and(|byte| *byte != b'\n');
        let new = if open { format!("{end}{text}") } else { format!("{text}{end}") };
        self.splice(start..start, new.as_bytes());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::apply_patch;
    use crate::tool::{BackendError, PatchOp};
    use crate::vfs::Path;

    fn patched(content: &str, ops: &[PatchOp]) -> Result<String, BackendError> {
        let patched = apply_patch(Path::new("/f"), content.as_bytes().to_vec(), ops)?;
        Ok(String::from_utf8(patched).unwrap())
    }

    fn check(content: &str, ops: &[PatchOp], expect: &str) {
        assert_eq!(patched(content, ops).unwrap(), expect, "{ops:?}");
    }

    fn insert(line: u64, content: &str) -> PatchOp {
        PatchOp::InsertLine { line, content: content.into() }
    }

    fn replace(line: u64, content: &str, expected: Option<&str>) -> PatchOp {
        let expected = expected.map(str::to_owned);
        PatchOp::ReplaceLine { line, content: content.into(), expected }
    }

    #[test]
    fn byte_operations_see_those_before_them() {
        let ops = [
            PatchOp::Insert { offset: 0, content: ">> ".into() },
            PatchOp::Replace {
                offset: 3,
                len: 5,
                content: "bye".into(),
                expected: Some("hello".into()),
            },
            PatchOp::Delete { offset: 6, len: 1, expected: Some(" ".into()) },
            PatchOp::Append { content: "!".into() },
        ];
        check("hello world", &ops, ">> byeworld!");
    }

    #[test]
    fn line_operations_keep_line_ends() {
        check("a\r\nb\r\n", &[insert(2, "x\ny")], "a\r\nx\r\ny\r\nb\r\n");
        check("a\r\nb\r\n", &[replace(1, "x\n", Some("a"))], "x\r\nb\r\n");
        check("a\r\nb\r\n", &[insert(3, "c")], "a\r\nb\r\nc\r\n");
        check("a\nb", &[insert(3, "c")], "a\nb\nc");
        check("a\nb", &[replace(2, "c", Some("b"))], "a\nc");
        check("", &[insert(1, "a")], "a\n");
        check("a\nb", &[PatchOp::DeleteLine { line: 2, expected: None }], "a\n");
        check(
            "a\nb\n",
            &[insert(1, "0"), PatchOp::DeleteLine { line: 3, expected: None }],
            "0\na\n",
        );
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let conflict = patched("a\nb\n", &[insert(1, "x"), replace(2, "c", Some("b"))]);
        assert!(matches!(conflict, Err(BackendError::Conflict { location, actual, .. })
            if location == "line 2" && actual == "a"));
        let past = PatchOp::Insert { offset: 9, content: String::new() };
        for op in [past, insert(0, ""), insert(4, "x"), replace(3, "x", None)] {
            let result = patched("a\nb\n", std::slice::from_ref(&op));
            assert!(matches!(result, Err(BackendError::InvalidOperation { .. })), "{op:?}");
        }
        let wide = PatchOp::Delete { offset: 2, len: u64::MAX, expected: None };
        assert!(patched("abc", &[wide]).is_err());
    }
}
