//! A part of a file by bytes or by lines.

use crate::tool::ReadRange;

/// The part of `content` that a range names: bytes win over lines, what lies outside is empty, and
/// lines of content that is not UTF-8 are all of it.
pub fn apply_range(mut content: Vec<u8>, range: ReadRange) -> Vec<u8> {
    let len = content.len();
    let size = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
    let (start, end) = match range {
        ReadRange { offset: None, limit: None, start_line, end_line } => {
            if std::str::from_utf8(&content).is_err() {
                return content;
            }
            let start = line_start(&content, size(start_line.unwrap_or(1).max(1)));
            let end =
                end_line.map_or(len, |line| line_start(&content, size(line).saturating_add(1)));
            (start, end)
        }
        ReadRange { offset, limit, .. } => {
            let start = size(offset.unwrap_or(0)).min(len);
            (start, limit.map_or(len, |limit| start.saturating_add(size(limit)).min(len)))
        }
    };
    content.truncate(end);
    content.drain(..start.min(content.len()));
    content
}

/// Where a line starts, 1-based; the end of the content for lines past it.
fn line_start(content: &[u8], line: usize) -> usize {
    match line.checked_sub(2) {
        None => 0,
        Some(nth) => {
            memchr::memchr_iter(b'\n', content).nth(nth).map_or(content.len(), |at| at + 1)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::apply_range;
    use crate::tool::ReadRange;

    #[test]
    fn parts() {
        let check = |content: &str, range: ReadRange, expect: &str| {
            let part = apply_range(content.as_bytes().to_vec(), range);
            assert_eq!(String::from_utf8(part).unwrap(), expect, "{range:?}");
        };
        check("a\nb\nc\n", ReadRange::lines(2, 2), "b\n");
        check("a\nb\nc", ReadRange::lines(2, 9), "b\nc");
        check("a\nb\n", ReadRange::lines(3, 4), "");
        check("a\nb\n", ReadRange::lines(2, 1), "");
        check("a\nb\n", ReadRange::lines(0, 1), "a\n");
        check("hello", ReadRange::bytes(1, 3), "ell");
        check("hello", ReadRange::bytes(9, 3), "");
        check("hello", ReadRange { start_line: Some(9), ..ReadRange::bytes(4, u64::MAX) }, "o");
        assert_eq!(apply_range(vec![0xff, b'\n', b'x'], ReadRange::lines(2, 2)).len(), 3);
    }
}
