//! JSON values as filters see them: their kinds, order, and how errors show them.

use std::cmp::Ordering;
use std::ops::{Deref, DerefMut};
use std::rc::Rc;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::write;

/// Text of a string or key; written in place where it is unshared.
pub(crate) type Text = Rc<String>;

/// How deep comparisons look; what differs only below is equal.
const MAX_DEPTH: usize = 2000;

/// A JSON value.
#[derive(Clone, Debug, Default)]
pub(crate) enum Json {
    /// `null`
    #[default]
    Null,
    /// `true`, `false`
    Bool(bool),
    /// A double, with the digits of an integer literal that no double holds.
    Num(f64, Option<Rc<Box<str>>>),
    /// A string.
    Str(Text),
    /// An array.
    Arr(Rc<List>),
    /// An object, in the order its keys came.
    Obj(Rc<Fields>),
}

/// The elements of an array; dropped without recursion, however deep.
#[derive(Clone, Debug, Default)]
pub(crate) struct List(pub(crate) Vec<Json>);

/// The fields of an object; dropped without recursion, however deep.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fields(pub(crate) IndexMap<Text, Json, FxBuildHasher>);

impl Deref for List {
    type Target = Vec<Json>;
    fn deref(&self) -> &Vec<Json> {
        &self.0
    }
}

impl DerefMut for List {
    fn deref_mut(&mut self) -> &mut Vec<Json> {
        &mut self.0
    }
}

impl Deref for Fields {
    type Target = IndexMap<Text, Json, FxBuildHasher>;
    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl DerefMut for Fields {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl Drop for List {
    fn drop(&mut self) {
        drop_flat(std::mem::take(&mut self.0));
    }
}

impl Drop for Fields {
    fn drop(&mut self) {
        drop_flat(std::mem::take(&mut self.0).into_values().collect());
    }
}

/// Drops values and whatever only they hold, on a stack of its own.
fn drop_flat(mut pending: Vec<Json>) {
    while let Some(value) = pending.pop() {
        match value {
            Json::Arr(list) => {
                if let Some(mut list) = Rc::into_inner(list) {
                    pending.append(&mut list.0);
                }
            }
            Json::Obj(fields) => {
                if let Some(mut fields) = Rc::into_inner(fields) {
                    pending.extend(std::mem::take(&mut fields.0).into_values());
                }
            }
            _ => {}
        }
    }
}

impl Json {
    /// The value of a string.
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self::Str(Rc::new(text.into()))
    }

    /// The value of a number.
    pub(crate) fn num(value: f64) -> Self {
        Self::Num(value, None)
    }

    /// The value of a count or position.
    #[expect(clippy::cast_precision_loss, reason = "numbers are doubles")]
    pub(crate) fn count(count: usize) -> Self {
        Self::Num(count as f64, None)
    }

    /// An array of these.
    pub(crate) fn list(items: Vec<Json>) -> Self {
        Self::Arr(Rc::new(List(items)))
    }

    /// An object of these fields; the last of equal keys wins.
    pub(crate) fn object(fields: impl IntoIterator<Item = (Text, Json)>) -> Self {
        Self::Obj(Rc::new(Fields(fields.into_iter().collect())))
    }

    /// Everything but `null` and `false`.
    pub(crate) fn is_true(&self) -> bool {
        !matches!(self, Self::Null | Self::Bool(false))
    }

    /// The name `type` answers.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "boolean",
            Self::Num(..) => "number",
            Self::Str(_) => "string",
            Self::Arr(_) => "array",
            Self::Obj(_) => "object",
        }
    }

    /// The text of a string.
    pub(crate) fn as_str(&self) -> Option<&str> {
        match self {
            Self::Str(text) => Some(text),
            _ => None,
        }
    }

    /// The value of a number.
    pub(crate) fn as_num(&self) -> Option<f64> {
        match self {
            Self::Num(value, _) => Some(*value),
            _ => None,
        }
    }

    /// The elements of an array, the value itself where it is none.
    pub(crate) fn into_list(self) -> Result<Vec<Json>, Self> {
        match self {
            Self::Arr(list) => Ok(std::mem::take(&mut Rc::unwrap_or_clone(list).0)),
            other => Err(other),
        }
    }

    /// A field of an object by name.
    pub(crate) fn field(&self, name: &str) -> Option<&Json> {
        match self {
            Self::Obj(fields) => fields.get(&name.to_string()),
            _ => None,
        }
    }

    /// Kind and shortened text, as errors show a value: `number (1)`.
    pub(crate) fn shown(&self) -> String {
        format!("{} ({})", self.kind(), self.shortened())
    }

    /// The start of its JSON, in at most eleven bytes.
    pub(crate) fn shortened(&self) -> String {
        let mut text = write::compact_start(self, 64);
        if text.len() > 14 {
            let mut end = 11;
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            text.truncate(end);
            text.push_str("...");
        }
        text
    }

    fn rank(&self) -> u8 {
        match self {
            Self::Null => 0,
            Self::Bool(false) => 1,
            Self::Bool(true) => 2,
            Self::Num(..) => 3,
            Self::Str(_) => 4,
            Self::Arr(_) => 5,
            Self::Obj(_) => 6,
        }
    }

    /// The order of `sort`: null, false, true, numbers, strings, arrays, objects.
    pub(crate) fn order(&self, other: &Self) -> Ordering {
        self.order_below(other, MAX_DEPTH)
    }

    fn order_below(&self, other: &Self, depth: usize) -> Ordering {
        if depth == 0 {
            return Ordering::Equal;
        }
        match (self, other) {
            // Not a number comes before all numbers, itself included.
            (Self::Num(a, _), Self::Num(b, _)) => a.partial_cmp(b).unwrap_or(Ordering::Less),
            (Self::Str(a), Self::Str(b)) => a.cmp(b),
            (Self::Arr(a), Self::Arr(b)) => {
                for (a, b) in a.iter().zip(b.iter()) {
                    match a.order_below(b, depth - 1) {
                        Ordering::Equal => {}
                        order => return order,
                    }
                }
                a.len().cmp(&b.len())
            }
            (Self::Obj(a), Self::Obj(b)) => order_objects(a, b, depth - 1),
            _ => self.rank().cmp(&other.rank()),
        }
    }
}

/// The keys in their order.
pub(crate) fn sorted_keys(fields: &Fields) -> Vec<&Text> {
    let mut keys: Vec<&Text> = fields.keys().collect();
    keys.sort_unstable();
    keys
}

/// First the sets of keys, then the values key by key.
fn order_objects(a: &Fields, b: &Fields, depth: usize) -> Ordering {
    let (keys, others) = (sorted_keys(a), sorted_keys(b));
    keys.cmp(&others).then_with(|| {
        for key in keys {
            if let (Some(a), Some(b)) = (a.get(key), b.get(key)) {
                match a.order_below(b, depth) {
                    Ordering::Equal => {}
                    order => return order,
                }
            }
        }
        Ordering::Equal
    })
}

impl PartialEq for Json {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Num(a, _), Self::Num(b, _)) => a == b,
            (Self::Str(a), Self::Str(b)) => a == b,
            _ => self.order(other) == Ordering::Equal,
        }
    }
}

impl PartialOrd for Json {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.order(other))
    }
}

impl From<bool> for Json {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<isize> for Json {
    #[expect(clippy::cast_precision_loss, reason = "numbers are doubles")]
    fn from(value: isize) -> Self {
        // What a double cannot hold keeps its digits, as any such literal does.
        if value.unsigned_abs() as u64 > 1 << 53 {
            return crate::number::from_literal(&value.to_string());
        }
        Self::num(value as f64)
    }
}

impl From<String> for Json {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}

impl FromIterator<Json> for Json {
    fn from_iter<I: IntoIterator<Item = Json>>(items: I) -> Self {
        Self::list(items.into_iter().collect())
    }
}

impl std::fmt::Display for Json {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&write::compact(self))
    }
}
