//! JSON-shaped values and bytes, their text, and the JSON bridge.
//!
//! Every variable, argument and typed result of the language is one [`Value`]. Text is UTF-8 in a
//! copy-on-write string, lists and records share their storage until one side writes, so copying a
//! value is always O(1). Numbers keep the spelling they were written with for text use.
//!
//! Deliberately not here: names, scopes, expansion, anything that does I/O.

mod conversion;
mod grapheme;
mod grapheme_table;
mod json;
mod json_read;
mod nesting;
mod number;
mod order;

use std::rc::Rc;

pub use conversion::{
    Conversion, FLAG_ALT, FLAG_GROUP, FLAG_LEFT, FLAG_PLUS, FLAG_SPACE, FLAG_ZERO, MAX_FIELD,
    count_chars, first_chars, flag, read_decimal,
};
pub use ecow::{EcoString, EcoVec};
pub use grapheme::{Cluster, Grapheme, Graphemes, graphemes, text_width};
pub use json::{to_json, to_json_pretty};
pub use json_read::{JsonError, from_json, from_json_lines, from_json_stream};
pub use nesting::MAX_NESTING;
pub use number::{Number, parse_number, spell_float};
pub use order::InOrder;

/// Insertion-ordered map from keys to values; removal keeps the order of the rest.
pub type Record = indexmap::IndexMap<EcoString, Value, rustc_hash::FxBuildHasher>;

/// One value of the language.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Value {
    /// JSON null.
    #[default]
    Null,
    /// A boolean.
    Bool(bool),
    /// An integer or float, with the spelling it was written with where that differs.
    Number(Number),
    /// UTF-8 text.
    Text(EcoString),
    /// Bytes that are not UTF-8 text.
    Bytes(Rc<[u8]>),
    /// A list; cloned in O(1), written in place when unshared.
    List(EcoVec<Value>),
    /// A record; cloned in O(1), written in place when unshared.
    Record(Rc<Record>),
}

impl Value {
    /// Empty text, which is what an unset name expands to.
    pub fn empty() -> Self {
        Self::Text(EcoString::new())
    }

    /// The value of an integer.
    pub fn int(n: i64) -> Self {
        Self::Number(Number::Int(n))
    }

    /// The value of a text.
    pub fn text(s: impl Into<EcoString>) -> Self {
        Self::Text(s.into())
    }

    /// Text where the bytes are UTF-8, else bytes.
    pub fn from_bytes(bytes: Vec<u8>) -> Self {
        match String::from_utf8(bytes) {
            Ok(s) => Self::Text(s.into()),
            Err(e) => Self::Bytes(e.into_bytes().into()),
        }
    }

    /// What an unquoted literal means in value position: integer, float, `true`, `false`, or text.
    pub fn from_literal(word: &str) -> Self {
        match word {
            "true" => Self::Bool(true),
            "false" => Self::Bool(false),
            _ => parse_number(word).map_or_else(|| Self::text(word), Self::Number),
        }
    }

    /// The name `typeof` prints: `null bool number string bytes list record`.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "bool",
            Self::Number(_) => "number",
            Self::Text(_) => "string",
            Self::Bytes(_) => "bytes",
            Self::List(_) => "list",
            Self::Record(_) => "record",
        }
    }

    /// The text of the value: itself for text, its spelling for a number, compact JSON for a
    /// collection, empty for null; `None` for bytes, which have no text.
    pub fn to_text(&self) -> Option<EcoString> {
        Some(match self {
            Self::Null => EcoString::new(),
            Self::Bool(b) => EcoString::from(if *b { "true" } else { "false" }),
            Self::Number(n) => n.spelling(),
            Self::Text(s) => s.clone(),
            Self::Bytes(_) => return None,
            Self::List(_) | Self::Record(_) => to_json(self).into(),
        })
    }

    /// The bytes the value has on a stream: its text, or the bytes themselves.
    pub fn to_bytes(&self) -> Vec<u8> {
        match self {
            Self::Bytes(b) => b.to_vec(),
            other => other.to_text().unwrap_or_default().as_bytes().to_vec(),
        }
    }

    /// Like [`Value::to_text`], with bytes that are not UTF-8 replaced; for messages only.
    pub fn to_text_lossy(&self) -> EcoString {
        match self {
            Self::Bytes(b) => String::from_utf8_lossy(b).into_owned().into(),
            other => other.to_text().unwrap_or_default(),
        }
    }

    /// The text itself where the value is text.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::Text(s) => Some(s),
            _ => None,
        }
    }

    /// Whether the value is a list or a record.
    pub fn is_collection(&self) -> bool {
        matches!(self, Self::List(_) | Self::Record(_))
    }

    /// Null and empty text: what `${x:-w}` replaces.
    pub fn is_empty_text(&self) -> bool {
        match self {
            Self::Null => true,
            Self::Text(s) => s.is_empty(),
            Self::Bytes(b) => b.is_empty(),
            _ => false,
        }
    }
}

impl From<&str> for Value {
    fn from(s: &str) -> Self {
        Self::text(s)
    }
}

impl From<String> for Value {
    fn from(s: String) -> Self {
        Self::text(s)
    }
}
