//! `@csv`, `@base64` and the other formats.

use std::fmt::Write as _;

use super::{Entry, plain};
use crate::fault::{Error, Valued, fail, refuse};
use crate::value::Json;
use crate::write;

pub(super) const FILTERS: &[Entry] = &[
    plain!("@text", |value: Json| Ok(Json::text(text(&value)))),
    plain!("@json", |value: Json| Ok(Json::text(write::compact(&value)))),
    plain!("@csv", |value: Json| row(&value, "csv", ",", csv_cell)),
    plain!("@tsv", |value: Json| row(&value, "tsv", "\t", tsv_cell)),
    plain!("@html", |value: Json| Ok(Json::text(escape(&text(&value), |c| match c {
        '<' => Some("&lt;"),
        '>' => Some("&gt;"),
        '&' => Some("&amp;"),
        '\'' => Some("&#39;"),
        '"' => Some("&quot;"),
        _ => None,
    })))),
    plain!("@uri", |value: Json| {
        let mut out = String::new();
        for byte in text(&value).bytes() {
            if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
                out.push(char::from(byte));
            } else {
                let _ = write!(out, "%{byte:02X}");
            }
        }
        Ok(Json::text(out))
    }),
    plain!("@urid", |value: Json| Ok(Json::text(decode_uri(&text(&value))))),
    plain!("@sh", shell_words),
    plain!("@base64", |value: Json| Ok(Json::text(encode(text(&value).as_bytes(), &BASE64)))),
    plain!("@base64d", |value: Json| decode(&value, &BASE64, "base64")),
    plain!("@base32", |value: Json| Ok(Json::text(encode(text(&value).as_bytes(), &BASE32)))),
    plain!("@base32d", |value: Json| decode(&value, &BASE32, "base32")),
];

/// A string as it is, anything else as JSON.
fn text(value: &Json) -> String {
    match value {
        Json::Str(text) => text.to_string(),
        other => write::compact(other),
    }
}

fn escape(text: &str, escaped: impl Fn(char) -> Option<&'static str>) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match escaped(c) {
            Some(escape) => out.push_str(escape),
            None => out.push(c),
        }
    }
    out
}

/// The cells of a row with a separator between them.
fn row(value: &Json, format: &str, separator: &str, quote: fn(&str) -> String) -> Valued {
    let Json::Arr(cells) = value else {
        return refuse(value, &format!("cannot be {format}-formatted, only an array can be"));
    };
    let cell = |cell: &Json| match cell {
        Json::Num(..) | Json::Bool(_) => Ok(write::compact(cell)),
        Json::Null => Ok(String::new()),
        Json::Str(text) => Ok(quote(text)),
        other => refuse(other, &format!("is not valid in a {format} row")),
    };
    let cells = cells.iter().map(cell).collect::<Result<Vec<String>, Error>>()?;
    Ok(Json::text(cells.join(separator)))
}

fn csv_cell(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

fn tsv_cell(text: &str) -> String {
    escape(text, |c| match c {
        '\t' => Some("\\t"),
        '\n' => Some("\\n"),
        '\r' => Some("\\r"),
        '\\' => Some("\\\\"),
        _ => None,
    })
}

/// A value, or the elements of an array, quoted for a shell.
fn shell_words(value: Json) -> Valued {
    let word = |value: &Json| match value {
        Json::Str(text) => Ok(format!("'{}'", text.replace('\'', "'\\''"))),
        Json::Arr(_) | Json::Obj(_) => refuse(value, "can not be escaped for shell"),
        other => Ok(write::compact(other)),
    };
    Ok(Json::text(match &value {
        Json::Arr(list) => list.iter().map(word).collect::<Result<Vec<_>, _>>()?.join(" "),
        other => word(other)?,
    }))
}

fn decode_uri(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let digits = bytes.get(at + 1..at + 3).and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(decoded) if byte == b'%' => {
                out.push(decoded);
                at += 3;
            }
            _ => {
                out.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// Digits that hold so many bits each, and how many of them make a whole group.
struct Base {
    digits: &'static [u8],
    bits: u32,
    group: usize,
}

const BASE64: Base = Base {
    digits: b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
    bits: 6,
    group: 4,
};
const BASE32: Base = Base { digits: b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", bits: 5, group: 8 };

fn encode(bytes: &[u8], base: &Base) -> String {
    let mut out = String::new();
    let mut push = |index: u32| {
        let digit = base.digits.get(index as usize & (base.digits.len() - 1));
        out.push(char::from(digit.copied().unwrap_or(b'=')));
    };
    let (mut held, mut count) = (0u32, 0);
    for byte in bytes {
        held = (held << 8 | u32::from(*byte)) & 0xffff;
        count += 8;
        while count >= base.bits {
            count -= base.bits;
            push(held >> count);
        }
    }
    if count > 0 {
        push(held << (base.bits - count));
    }
    while !out.len().is_multiple_of(base.group) {
        out.push('=');
    }
    out
}

fn decode(value: &Json, base: &Base, name: &str) -> Valued {
    let text = text(value);
    let mut out = Vec::new();
    let (mut held, mut count) = (0u32, 0);
    let mut digits = 0;
    for byte in text.bytes().filter(|byte| *byte != b'=') {
        let Some(index) = base.digits.iter().position(|digit| *digit == byte) else {
            return refuse(value, &format!("is not valid {name} data"));
        };
        digits += 1;
        held = (held << base.bits | u32::try_from(index).unwrap_or(0)) & 0xffff;
        count += base.bits;
        if count >= 8 {
            count -= 8;
            out.push(u8::try_from(held >> count & 0xff).unwrap_or(0));
        }
    }
    if out.is_empty() && digits > 0 {
        return fail(format!("{} is not valid {name} data", value.shown()));
    }
    Ok(Json::text(String::from_utf8_lossy(&out).into_owned()))
}
