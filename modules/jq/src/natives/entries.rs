//! What values hold: length, keys, membership, paths, streams of numbers.

use std::rc::Rc;

use jaq_core::Exn;
use jaq_core::ValT as _;
use jaq_core::path::Opt;

use super::{Entry, binary, plain, unary};
use crate::fault::{Outcome, Valued, error, fail, refuse};
use crate::meter;
use crate::read;
use crate::value::{Json, List, sorted_keys};

pub(super) const FILTERS: &[Entry] = &[
    plain!("null", |_: Json| Ok(Json::Null)),
    plain!("true", |_: Json| Ok(Json::Bool(true))),
    plain!("false", |_: Json| Ok(Json::Bool(false))),
    plain!("length", length),
    plain!("type", |value: Json| Ok(Json::text(value.kind()))),
    plain!("keys", keys),
    plain!("add", add),
    plain!("tojson", |value: Json| Ok(Json::text(crate::write::compact(&value)))),
    plain!("fromjson", from_json),
    plain!("tonumber", to_number),
    plain!("toboolean", to_boolean),
    plain!("transpose", transpose),
    plain!("_flatten_all", |value: Json| flatten(value, f64::MAX)),
    plain!("from_entries", from_entries),
    plain!("to_entries", to_entries),
    unary!("has", has),
    unary!("contains", |value: Json, other: Json| contains(&value, &other)),
    unary!("indices", indices),
    unary!("_flatten", |value: Json, depth: Json| match depth {
        Json::Num(depth, _) if depth < 0.0 => fail("flatten depth must not be negative"),
        Json::Num(depth, _) => flatten(value, depth),
        _ => fail("flatten depth must not be negative"),
    }),
    unary!("delpaths", delete_paths),
    unary!("bsearch", bsearch),
    binary!("setpath", set_path),
    ("_range", 3, |mut cv| {
        let (by, to, from) = (cv.0.pop_var(), cv.0.pop_var(), cv.0.pop_var());
        range(from, to, by)
    }),
];

fn length(value: Json) -> Valued {
    Ok(match &value {
        Json::Null => Json::num(0.0),
        Json::Bool(_) => return refuse(&value, "has no length"),
        Json::Num(_, Some(digits)) => {
            crate::number::from_literal(digits.strip_prefix('-').unwrap_or(digits))
        }
        Json::Num(value, None) => Json::num(value.abs()),
        Json::Str(text) => Json::count(text.chars().count()),
        Json::Arr(list) => Json::count(list.len()),
        Json::Obj(fields) => Json::count(fields.len()),
    })
}

fn keys(value: Json) -> Valued {
    Ok(match &value {
        Json::Obj(fields) => {
            sorted_keys(fields).into_iter().map(|key| Json::Str(Rc::clone(key))).collect()
        }
        Json::Arr(list) => (0..list.len()).map(Json::count).collect(),
        other => return refuse(other, "has no keys"),
    })
}

/// The sum of the elements or fields.
fn add(value: Json) -> Valued {
    if matches!(value, Json::Null) {
        return Ok(Json::Null);
    }
    let mut sum = Json::Null;
    for item in value.values() {
        sum = (sum + item?)?;
    }
    Ok(sum)
}

fn from_json(value: Json) -> Valued {
    match &value {
        Json::Str(text) => read::parse_whole(text).map_err(error),
        other => refuse(other, "only strings can be parsed"),
    }
}

fn to_number(value: Json) -> Valued {
    match &value {
        Json::Num(..) => Ok(value),
        Json::Str(text) => match read::parse_whole(text) {
            Ok(number @ Json::Num(..)) if text.trim() == text.as_str() => Ok(number),
            _ => refuse(&value, "cannot be parsed as a number"),
        },
        other => refuse(other, "cannot be parsed as a number"),
    }
}

fn to_boolean(value: Json) -> Valued {
    match (&value, value.as_str()) {
        (Json::Bool(_), _) => Ok(value),
        (_, Some("true")) => Ok(Json::Bool(true)),
        (_, Some("false")) => Ok(Json::Bool(false)),
        _ => refuse(&value, "cannot be parsed as a boolean"),
    }
}

/// Rows to columns, the short ones filled with null.
fn transpose(value: Json) -> Valued {
    let Json::Arr(rows) = &value else { return refuse(&value, "cannot be transposed") };
    let mut width = 0;
    for row in rows.iter() {
        match row {
            Json::Arr(row) => width = width.max(row.len()),
            other => return refuse(other, "cannot be transposed"),
        }
    }
    let cell = |row: &Json, column: usize| match row {
        Json::Arr(row) => row.get(column).cloned().unwrap_or_default(),
        _ => Json::Null,
    };
    Ok((0..width).map(|column| rows.iter().map(|row| cell(row, column)).collect()).collect())
}

/// Arrays in arrays, dissolved so many levels deep.
fn flatten(value: Json, depth: f64) -> Valued {
    let mut out = Vec::new();
    let mut levels = vec![value.values()];
    while let Some(level) = levels.last_mut() {
        match level.next() {
            None => {
                levels.pop();
            }
            #[expect(clippy::cast_precision_loss, reason = "a depth")]
            Some(Ok(inner @ Json::Arr(_))) if (levels.len() as f64) <= depth => {
                levels.push(inner.values());
            }
            Some(item) => out.push(item?),
        }
    }
    Ok(Json::list(out))
}

fn to_entries(value: Json) -> Valued {
    let Json::Obj(fields) = &value else { return refuse(&value, "has no keys") };
    let name = |name: &str| Rc::new(name.to_string());
    let (key_name, value_name) = (name("key"), name("value"));
    let entry = |(key, value): (&Rc<String>, &Json)| {
        Json::object([
            (Rc::clone(&key_name), Json::Str(Rc::clone(key))),
            (Rc::clone(&value_name), value.clone()),
        ])
    };
    Ok(fields.iter().map(entry).collect())
}

/// Entries under any of the names that are in use for key and value.
fn from_entries(value: Json) -> Valued {
    let mut pairs = Vec::new();
    for entry in value.values() {
        let entry = entry?;
        let Json::Obj(_) = &entry else {
            return fail(format!("Cannot index {} with \"key\"", entry.kind()));
        };
        let names = ["key", "k", "name", "Name", "Key", "K"];
        let given = |name: &&str| match entry.field(name) {
            Some(Json::Null) | None => None,
            Some(key) => Some(key),
        };
        let key = names.iter().find_map(given).cloned().unwrap_or_default();
        let key = match key {
            Json::Str(key) => key,
            Json::Bool(_) | Json::Num(..) | Json::Null => Rc::new(crate::write::compact(&key)),
            other => return fail(format!("Cannot use {} as object key", other.shown())),
        };
        let value = ["value", "v", "Value", "V"].iter().find_map(|name| entry.field(name));
        pairs.push((key, value.cloned().unwrap_or_default()));
    }
    Ok(Json::object(pairs))
}

fn has(value: Json, key: Json) -> Valued {
    Ok(Json::Bool(match (&value, &key) {
        (Json::Obj(fields), Json::Str(key)) => fields.contains_key(key),
        #[expect(clippy::cast_precision_loss, reason = "numbers are doubles")]
        (Json::Arr(list), Json::Num(at, _)) => *at >= 0.0 && *at < list.len() as f64,
        _ => {
            let (kind, key) = (value.kind(), key.kind());
            return fail(format!("Cannot check whether {kind} has a {key} key"));
        }
    }))
}

fn contains(value: &Json, other: &Json) -> Valued {
    if value.kind() != other.kind() {
        return fail(format!(
            "{} and {} cannot have their containment checked",
            value.shown(),
            other.shown()
        ));
    }
    Ok(Json::Bool(holds(value, other)))
}

/// Every part of `other` has a counterpart in `value`; the depth is that of values read.
fn holds(value: &Json, other: &Json) -> bool {
    match (value, other) {
        (Json::Obj(a), Json::Obj(b)) => {
            b.iter().all(|(key, b)| a.get(key).is_some_and(|a| holds(a, b)))
        }
        (Json::Arr(a), Json::Arr(b)) => b.iter().all(|b| a.iter().any(|a| holds(a, b))),
        (Json::Str(a), Json::Str(b)) => a.contains(b.as_str()),
        (a, b) => a == b,
    }
}

fn indices(value: Json, wanted: Json) -> Valued {
    Ok(match (&value, &wanted) {
        (Json::Null, _) => Json::Null,
        (Json::Str(text), Json::Str(part)) => positions_in_text(text, part),
        (Json::Arr(list), Json::Arr(part)) => positions(list, part),
        (Json::Arr(list), item) => {
            let found = list.iter().enumerate().filter(|(_, other)| *other == item);
            found.map(|(index, _)| Json::count(index)).collect()
        }
        _ => return value.index(&wanted),
    })
}

/// Where a text begins in another, overlaps included, by characters.
fn positions_in_text(text: &str, part: &str) -> Json {
    if part.is_empty() {
        return Json::Null;
    }
    let starts = text.char_indices().enumerate();
    let found = starts.filter(|(_, (at, _))| text.get(*at..).is_some_and(|t| t.starts_with(part)));
    found.map(|(index, _)| Json::count(index)).collect()
}

/// Where an array begins in another; null for an empty one.
pub(crate) fn positions(list: &List, part: &List) -> Json {
    if part.is_empty() {
        return Json::Null;
    }
    let windows = list.windows(part.len()).enumerate();
    windows
        .filter(|(_, window)| window.iter().eq(part.iter()))
        .map(|(index, _)| Json::count(index))
        .collect()
}

fn bsearch(value: Json, wanted: Json) -> Valued {
    let Json::Arr(list) = &value else { return refuse(&value, "cannot be searched from") };
    Ok(match list.binary_search_by(|item| item.order(&wanted)) {
        Ok(index) => Json::count(index),
        Err(index) => (Json::num(-1.0) - Json::count(index))?,
    })
}

/// The value with another one at a path.
fn set_path(value: Json, path: Json, new: Json) -> Valued {
    let Json::Arr(path) = path else { return fail("Path must be specified as an array") };
    change(value, &path, Some(&new)).map_err(into_error)
}

/// The value without what is at these paths.
fn delete_paths(value: Json, paths: Json) -> Valued {
    let Ok(mut paths) = paths.into_list() else {
        return fail("Paths must be specified as an array");
    };
    paths.sort_by(Json::order);
    let mut value = value;
    for path in paths.iter().rev() {
        let Json::Arr(path) = path else { return fail("Path must be specified as an array") };
        if path.is_empty() {
            return Ok(Json::Null);
        }
        value = change(value, path, None).map_err(into_error)?;
    }
    Ok(value)
}

fn into_error(exception: Exn<'_, Json>) -> crate::fault::Error {
    exception.get_err().unwrap_or_else(|_| error("the filter was ended"))
}

/// What is at a path replaced, or removed; the depth is the path's.
fn change<'a>(value: Json, path: &[Json], new: Option<&Json>) -> Outcome<'a> {
    let Some((first, rest)) = path.split_first() else {
        return Ok(new.cloned().unwrap_or_default());
    };
    if new.is_none() {
        // Nothing is created on the way to what is removed.
        let inner = value.clone().index(first).map_err(Exn::from)?;
        if matches!(inner, Json::Null) && (!rest.is_empty() || matches!(value, Json::Null)) {
            return Ok(value);
        }
    }
    if path.len() > 10_000 || meter::tick() {
        return Err(error("Path too deep").into());
    }
    let last = rest.is_empty() && new.is_none();
    value.map_index(first, Opt::Essential, |inner| {
        (!last).then(|| change(inner, rest, new)).into_iter()
    })
}

/// Numbers from one up or down to another; each counts as a step.
fn range<'a>(from: Json, to: Json, by: Json) -> Box<dyn Iterator<Item = Outcome<'a>> + 'a> {
    let (Json::Num(mut at, _), Json::Num(to, _), Json::Num(by, _)) = (from, to, by) else {
        return super::once(fail("Range bounds must be numeric"));
    };
    Box::new(std::iter::from_fn(move || {
        let goes_on = if by > 0.0 { at < to } else { by < 0.0 && at > to };
        if !goes_on {
            return None;
        }
        if meter::tick() {
            at = to;
            return Some(Err(Exn::halt(0)));
        }
        let value = Json::num(at);
        at += by;
        Some(Ok(value))
    }))
}
