//! Variables by name for commands that assign them, and the text that reads back as a value.

use crate::expand::{Expander, is_name};
use crate::syntax::Span;
use crate::tool::{ExecContext, Stop};
use crate::value::{Value, to_json};

/// An expander on the shell of a command; nothing it does waits.
pub(super) fn expander(cx: &ExecContext) -> Expander {
    Expander {
        session: cx.session.clone(),
        services: cx.services.clone(),
        port: std::rc::Rc::default(),
        cancel: cx.control.cancel.clone(),
        source: std::rc::Rc::default(),
    }
}

/// Assigns a variable; a bad or readonly name is reported, status 1.
pub(super) fn assign(cx: &mut ExecContext, name: &str, value: Value) -> Result<(), Stop> {
    check_name(cx, name)?;
    let assigned = expander(cx).set(name, value, false, Span::default());
    assigned.map_err(|error| cx.fail(1, error.message))
}

/// Refuses what is no name of a variable, status 1.
pub(super) fn check_name(cx: &mut ExecContext, name: &str) -> Result<(), Stop> {
    if is_name(name) {
        return Ok(());
    }
    Err(cx.fail(1, format_args!("'{name}': not a valid identifier")))
}

/// The right side of an assignment that gives the value again.
pub(super) fn literal(value: &Value) -> String {
    match value {
        Value::Null => "$(fromjson null)".into(),
        Value::Bool(_) | Value::Number(_) => value.to_text_lossy().into(),
        Value::Text(text) if matches!(Value::from_literal(text), Value::Text(_)) => quote(text),
        Value::Text(text) => format!("'{text}'"),
        Value::Bytes(bytes) => {
            let escaped: String = bytes.iter().map(|byte| format!("\\{byte:03o}")).collect();
            format!("$(printf '{escaped}')")
        }
        Value::List(_) | Value::Record(_) => collection(&to_json(value)),
    }
}

/// JSON text as a collection literal: `$` and backticks mean nothing in it.
fn collection(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    let mut chars = json.chars();
    while let Some(c) = chars.next() {
        match c {
            '$' | '`' => out.extend(['\\', c]),
            '\\' => match chars.next() {
                Some('b') => out.push_str("\\u0008"),
                Some('f') => out.push_str("\\u000c"),
                Some(escaped) => out.extend([c, escaped]),
                None => {}
            },
            _ => out.push(c),
        }
    }
    out
}

/// A text as one word, in quotes where it needs them.
pub(super) fn quote(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_./:@%+,-".contains(c);
    if text.chars().all(plain) {
        return text.into();
    }
    if !text.chars().any(char::is_control) {
        return single_quoted(text);
    }
    let mut out = String::from("$'");
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '\'' | '\\' => out.extend(['\\', c]),
            _ if c.is_ascii_control() => out.push_str(&format!("\\x{:02x}", u32::from(c))),
            _ => out.push(c),
        }
    }
    out.push('\'');
    out
}

/// A text in single quotes.
pub(super) fn single_quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// A text in double quotes, as `declare -p` prints it.
pub(super) fn double_quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        if matches!(c, '"' | '\\' | '$' | '`') {
            out.push('\\');
        }
        out.push(c);
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::from_json;

    fn check(value: &Value, expect: &str) {
        assert_eq!(literal(value), expect);
    }

    #[test]
    fn literals() {
        check(&Value::text("a b"), "'a b'");
        check(&Value::text("it's"), "'it'\\''s'");
        check(&Value::text("5"), "'5'");
        check(&Value::int(5), "5");
        check(&Value::text("a\nb"), "$'a\\nb'");
        check(&from_json(r#"{"a":["$x",null,1]}"#).unwrap(), r#"{"a":["\$x",null,1]}"#);
    }
}
