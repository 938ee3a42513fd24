//! Values to shell source, in the quotes that the user began with.

/// A value spelled in source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quoted {
    /// The source, with an opened quote left open.
    pub text: String,
    /// What closes the quote.
    pub close: &'static str,
}

/// Spells `value`: in the kind of quote that `typed` begins with, else with backslashes.
#[must_use]
pub fn quote(value: &str, typed: &str) -> Quoted {
    let unprintable = value.contains(|ch: char| ch.is_control());
    match typed.chars().next() {
        _ if unprintable => Quoted { text: ansi_c(value), close: "'" },
        Some('\'') => Quoted { text: format!("'{}", value.replace('\'', "'\\''")), close: "'" },
        Some('"') => {
            let mut text = String::from("\"");
            escape(value, |ch| matches!(ch, '"' | '\\' | '$' | '`'), &mut text);
            Quoted { text, close: "\"" }
        }
        _ => {
            let mut text = String::new();
            escape(value, |ch| !is_bare(ch), &mut text);
            Quoted { text, close: "" }
        }
    }
}

fn escape(value: &str, needed: impl Fn(char) -> bool, text: &mut String) {
    for ch in value.chars() {
        if needed(ch) {
            text.push('\\');
        }
        text.push(ch);
    }
}

fn is_bare(ch: char) -> bool {
    ch.is_ascii_alphanumeric() || !ch.is_ascii() || "_.@-/+:,%=^!".contains(ch)
}

fn ansi_c(value: &str) -> String {
    let mut text = String::from("$'");
    for ch in value.chars() {
        match ch {
            '\n' => text.push_str("\\n"),
            '\t' => text.push_str("\\t"),
            '\'' | '\\' => text.extend(['\\', ch]),
            _ if ch.is_control() => text.push_str(&format!("\\u{:04x}", u32::from(ch))),
            _ => text.push(ch),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(value: &str, typed: &str, text: &str, close: &str) {
        let quoted = quote(value, typed);
        assert_eq!((quoted.text.as_str(), quoted.close), (text, close));
    }

    #[test]
    fn quotes_are_those_begun() {
        check("plain-é.txt", "pl", "plain-é.txt", "");
        check("a b&(c)", "a", "a\\ b\\&\\(c\\)", "");
        check("it's $5", "'it", "'it'\\''s $5", "'");
        check("it's \"$5\"", "\"it", "\"it's \\\"\\$5\\\"", "\"");
        check("a\nb'", "a", "$'a\\nb\\'", "'");
        check("\u{1}", "", "$'\\u0001", "'");
    }
}
