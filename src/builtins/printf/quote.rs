//! Text in, a word that the shell reads back as that text out.

/// Quotes as bash's `%q` does: backslashes, `''` for nothing, `$'…'` where something is unprintable.
pub(super) fn shell_quoted(text: &[u8]) -> Vec<u8> {
    if text.is_empty() {
        return b"''".to_vec();
    }
    match std::str::from_utf8(text) {
        Ok(valid) if !valid.chars().any(char::is_control) => with_backslashes(valid),
        _ => ansi_c(text),
    }
}

fn with_backslashes(text: &str) -> Vec<u8> {
    let mut out = String::with_capacity(text.len() + 8);
    let mut before = ' ';
    for (at, ch) in text.char_indices() {
        let special = match ch {
            '~' => at == 0 || matches!(before, ':' | '='),
            '#' => at == 0,
            _ => " '\"\\|&;()<>!{}*[?]^$`,".contains(ch),
        };
        if special {
            out.push('\\');
        }
        out.push(ch);
        before = ch;
    }
    out.into_bytes()
}

fn ansi_c(text: &[u8]) -> Vec<u8> {
    let mut out = b"$'".to_vec();
    for chunk in text.utf8_chunks() {
        for ch in chunk.valid().chars() {
            match ch {
                '\u{7}' => out.extend_from_slice(b"\\a"),
                '\u{8}' => out.extend_from_slice(b"\\b"),
                '\u{1b}' => out.extend_from_slice(b"\\E"),
                '\u{c}' => out.extend_from_slice(b"\\f"),
                '\n' => out.extend_from_slice(b"\\n"),
                '\r' => out.extend_from_slice(b"\\r"),
                '\t' => out.extend_from_slice(b"\\t"),
                '\u{b}' => out.extend_from_slice(b"\\v"),
                '\'' => out.extend_from_slice(b"\\'"),
                '\\' => out.extend_from_slice(b"\\\\"),
                _ => {
                    let mut buffer = [0; 4];
                    let bytes = ch.encode_utf8(&mut buffer).as_bytes();
                    if ch.is_control() {
                        push_octal(&mut out, bytes);
                    } else {
                        out.extend_from_slice(bytes);
                    }
                }
            }
        }
        push_octal(&mut out, chunk.invalid());
    }
    out.push(b'\'');
    out
}

fn push_octal(out: &mut Vec<u8>, bytes: &[u8]) {
    for byte in bytes {
        out.extend_from_slice(format!("\\{byte:03o}").as_bytes());
    }
}
