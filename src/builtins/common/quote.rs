//! Names in messages: quoted so that where they begin and end is seen.

/// A name in quotes, as GNU tools print it: `'a b'`, `"it's"`, `'a'$'\n''b'`.
pub(in crate::builtins) fn quoted(name: &str) -> String {
    if name.chars().any(char::is_control) {
        return with_escapes(name);
    }
    single_quoted(name)
}

/// A text in quotes that keep everything, control characters too.
pub(in crate::builtins) fn single_quoted(name: &str) -> String {
    if !name.contains('\'') {
        return format!("'{name}'");
    }
    if name.contains(['"', '\\', '$', '`', '!']) {
        return format!("'{}'", name.replace('\'', "'\\''"));
    }
    format!("\"{name}\"")
}

/// A name as a shell takes it: quoted only where it must be.
pub(in crate::builtins) fn as_word(name: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "%+,-./:=@_^~".contains(c);
    if !name.is_empty() && name.chars().all(plain) { name.to_owned() } else { quoted(name) }
}

fn with_escapes(name: &str) -> String {
    let mut text = String::from("'");
    let mut escaped = false;
    for c in name.chars() {
        if c.is_control() != escaped {
            text.push_str(if escaped { "''" } else { "'$'" });
            escaped = !escaped;
        }
        match c {
            '\n' => text.push_str("\\n"),
            '\t' => text.push_str("\\t"),
            '\r' => text.push_str("\\r"),
            c if c.is_control() => {
                for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                    text.push_str(&format!("\\{byte:03o}"));
                }
            }
            '\'' => text.push_str("'\\''"),
            c => text.push(c),
        }
    }
    text.push('\'');
    text
}

/// The complaint about a word that is none of an option's; each choice lists its spellings.
pub(in crate::builtins) fn bad_choice(option: &str, word: &str, choices: &[&str]) -> String {
    let mut text =
        format!("invalid argument {} for '{option}'\nValid arguments are:", quoted(word));
    for choice in choices {
        text.push_str(&format!("\n  - '{}'", choice.replace(", ", "', '")));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn names() {
        assert_eq!(quoted("a b"), "'a b'");
        assert_eq!(quoted("it's"), "\"it's\"");
        assert_eq!(quoted("it's $x"), "'it'\\''s $x'");
        assert_eq!(quoted("a\nb"), "'a'$'\\n''b'");
    }
}
