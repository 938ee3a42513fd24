//! A line in, its fields out, split by `$IFS` as POSIX says of `read`.

use crate::value::Value;

/// The characters of `$IFS`.
pub(super) struct Separators(Vec<Separator>);

struct Separator {
    bytes: Vec<u8>,
    /// A blank, tab or newline: several count as one, and the ends of a line lose them.
    blank: bool,
}

impl Separators {
    /// Those of a variable's value; blank, tab and newline where it is unset.
    pub(super) fn of(ifs: Option<&Value>) -> Self {
        let text = ifs.map_or_else(|| " \t\n".into(), Value::to_text_lossy);
        let separator = |c: char| Separator {
            bytes: c.to_string().into_bytes(),
            blank: matches!(c, ' ' | '\t' | '\n'),
        };
        Self(text.chars().map(separator).collect())
    }

    fn at_start(&self, text: &[u8]) -> Option<&Separator> {
        self.0.iter().find(|separator| text.starts_with(&separator.bytes))
    }
}

/// Takes fields off a line.
pub(super) struct Splitter<'a> {
    text: &'a [u8],
    protected: &'a [usize],
    separators: &'a Separators,
    at: usize,
}

impl<'a> Splitter<'a> {
    /// The fields of `text`; `protected` places are no separators.
    pub(super) fn new(text: &'a [u8], protected: &'a [usize], separators: &'a Separators) -> Self {
        let mut splitter = Self { text, protected, separators, at: 0 };
        splitter.skip_blanks();
        splitter
    }

    /// The next field.
    pub(super) fn next(&mut self) -> Option<Vec<u8>> {
        if self.at >= self.text.len() {
            return None;
        }
        let start = self.at;
        while self.at < self.text.len() && self.separator().is_none() {
            self.at += 1;
        }
        let field = self.text.get(start..self.at).unwrap_or_default().to_vec();
        self.skip_blanks();
        if let Some((length, false)) = self.separator() {
            self.at += length;
            self.skip_blanks();
        }
        Some(field)
    }

    /// All that is left as one field: without the blanks at its end, and without one separator that
    /// ends its only field.
    pub(super) fn rest(&mut self) -> Vec<u8> {
        let start = self.at;
        let Some(field) = self.next() else { return Vec::new() };
        if self.at >= self.text.len() {
            return field;
        }
        let mut end = start;
        self.at = start;
        while self.at < self.text.len() {
            match self.separator() {
                Some((length, true)) => self.at += length,
                Some((length, false)) => {
                    self.at += length;
                    end = self.at;
                }
                None => {
                    self.at += 1;
                    end = self.at;
                }
            }
        }
        self.text.get(start..end).unwrap_or_default().to_vec()
    }

    /// Every field that is left.
    pub(super) fn all(&mut self) -> Vec<Vec<u8>> {
        std::iter::from_fn(|| self.next()).collect()
    }

    /// The length of the separator at the cursor, and whether it is a blank.
    fn separator(&self) -> Option<(usize, bool)> {
        if self.protected.binary_search(&self.at).is_ok() {
            return None;
        }
        let separator = self.separators.at_start(self.text.get(self.at..)?)?;
        Some((separator.bytes.len(), separator.blank))
    }

    fn skip_blanks(&mut self) {
        while let Some((length, true)) = self.separator() {
            self.at += length;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(ifs: &str, line: &str, names: usize, expect: &[&str]) {
        let separators = Separators::of(Some(&Value::text(ifs)));
        let mut splitter = Splitter::new(line.as_bytes(), &[], &separators);
        let mut fields: Vec<Vec<u8>> =
            (1..names).map(|_| splitter.next().unwrap_or_default()).collect();
        fields.push(splitter.rest());
        let fields: Vec<String> =
            fields.into_iter().map(|field| String::from_utf8(field).unwrap()).collect();
        assert_eq!(fields, expect, "{ifs:?} {line:?}");
    }

    #[test]
    fn as_posix_says() {
        check(" \t\n", " a  b  ", 1, &["a  b"]);
        check(" \t\n", "a b c", 2, &["a", "b c"]);
        check(":", "a:b:", 2, &["a", "b"]);
        check(":", "a::b:", 2, &["a", ":b:"]);
        check(":", "a:b::", 2, &["a", "b::"]);
        check(": ", "a : b : c ", 3, &["a", "b", "c"]);
        check(":", "::a", 2, &["", ":a"]);
        check(":", "a:", 1, &["a"]);
        check("", " x y ", 2, &[" x y ", ""]);
        check("é", "aéb", 2, &["a", "b"]);
    }
}
