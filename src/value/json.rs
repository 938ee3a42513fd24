//! Values to JSON text.

use super::{Number, Value, spell_float};

/// Compact JSON; bytes become a string with the bytes that are not UTF-8 replaced.
pub fn to_json(value: &Value) -> String {
    let mut out = String::new();
    write_json(&mut out, value, None);
    out
}

/// JSON indented by two blanks a level.
pub fn to_json_pretty(value: &Value) -> String {
    let mut out = String::new();
    write_json(&mut out, value, Some(0));
    out
}

fn write_json(out: &mut String, value: &Value, indent: Option<usize>) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
        Value::Number(n) => match n.as_int() {
            Some(n) => out.push_str(&Number::Int(n).spelling()),
            None => out.push_str(&spell_float(n.as_f64())),
        },
        Value::Text(s) => write_string(out, s),
        Value::Bytes(b) => write_string(out, &String::from_utf8_lossy(b)),
        Value::List(items) => {
            write_items(out, ['[', ']'], indent, items.iter(), |out, item, inner| {
                write_json(out, item, inner);
            });
        }
        Value::Record(fields) => {
            write_items(out, ['{', '}'], indent, fields.iter(), |out, (key, value), inner| {
                write_string(out, key);
                out.push_str(if inner.is_some() { ": " } else { ":" });
                write_json(out, value, inner);
            });
        }
    }
}

fn write_items<T>(
    out: &mut String,
    [open, close]: [char; 2],
    indent: Option<usize>,
    items: impl ExactSizeIterator<Item = T>,
    mut write: impl FnMut(&mut String, T, Option<usize>),
) {
    let empty = items.len() == 0;
    let inner = indent.map(|n| n + 1);
    out.push(open);
    for (index, item) in items.enumerate() {
        if index > 0 {
            out.push(',');
        }
        break_line(out, inner);
        write(out, item, inner);
    }
    if !empty {
        break_line(out, indent);
    }
    out.push(close);
}

fn break_line(out: &mut String, indent: Option<usize>) {
    if let Some(level) = indent {
        out.push('\n');
        out.extend(std::iter::repeat_n("  ", level));
    }
}

fn write_string(out: &mut String, s: &str) {
    out.push('"');
    let mut plain = 0;
    for (at, byte) in s.bytes().enumerate() {
        let escape = match byte {
            b'"' => "\\\"",
            b'\\' => "\\\\",
            b'\n' => "\\n",
            b'\r' => "\\r",
            b'\t' => "\\t",
            0x08 => "\\b",
            0x0c => "\\f",
            0x00..=0x1f | 0x7f => "",
            _ => continue,
        };
        out.push_str(s.get(plain..at).unwrap_or_default());
        plain = at + 1;
        if escape.is_empty() {
            out.push_str(&format!("\\u{byte:04x}"));
        } else {
            out.push_str(escape);
        }
    }
    out.push_str(s.get(plain..).unwrap_or_default());
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::super::from_json;
    use super::*;

    fn check(text: &str, expect: &str) {
        assert_eq!(to_json(&from_json(text).unwrap()), expect);
    }

    #[test]
    fn round_trips() {
        check(r#"{"b":1,"a":[null,true,2.50,"x\ny"]}"#, r#"{"b":1,"a":[null,true,2.5,"x\ny"]}"#);
        check("[]", "[]");
        check(r#""\u0001\u00e9""#, r#""\u0001é""#);
    }

    #[test]
    fn pretty() {
        let value = from_json(r#"{"a":[1],"b":{}}"#).unwrap();
        assert_eq!(to_json_pretty(&value), "{\n  \"a\": [\n    1\n  ],\n  \"b\": {}\n}");
    }
}
