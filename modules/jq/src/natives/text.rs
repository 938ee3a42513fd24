//! Strings: case, trimming, splitting, code points, regular expressions.

use std::rc::Rc;

use super::{Entry, binary, plain, text_of, unary};
use crate::fault::{Error, Valued, error, fail, mismatch, refuse};
use crate::meter::{self, MAX_TEXT};
use crate::operators;
use crate::regex::{Flags, Groups, Regex};
use crate::value::{Json, Text};

pub(super) const FILTERS: &[Entry] = &[
    plain!("ascii_downcase", |value: Json| match &value {
        Json::Str(text) => Ok(Json::text(text.to_ascii_lowercase())),
        _ => fail("ascii_downcase input must be a string"),
    }),
    plain!("ascii_upcase", |value: Json| match &value {
        Json::Str(text) => Ok(Json::text(text.to_ascii_uppercase())),
        _ => fail("ascii_upcase input must be a string"),
    }),
    plain!("explode", |value: Json| {
        let text = text_of(&value, "cannot be exploded")?;
        Ok(text.chars().map(|c| Json::num(f64::from(u32::from(c)))).collect())
    }),
    plain!("implode", implode),
    plain!("utf8bytelength", |value: Json| {
        Ok(Json::count(text_of(&value, "only strings have UTF-8 byte length")?.len()))
    }),
    plain!("trim", |value: Json| trim(&value, str::trim_matches)),
    plain!("ltrim", |value: Json| trim(&value, str::trim_start_matches)),
    plain!("rtrim", |value: Json| trim(&value, str::trim_end_matches)),
    unary!("ltrimstr", |value: Json, fix: Json| Ok(match (value.as_str(), fix.as_str()) {
        (Some(text), Some(fix)) => text.strip_prefix(fix).map_or(value.clone(), Json::text),
        _ => value,
    })),
    unary!("rtrimstr", |value: Json, fix: Json| Ok(match (value.as_str(), fix.as_str()) {
        (Some(text), Some(fix)) if !fix.is_empty() => {
            text.strip_suffix(fix).map_or(value.clone(), Json::text)
        }
        _ => value,
    })),
    unary!("startswith", |value: Json, fix: Json| match (value.as_str(), fix.as_str()) {
        (Some(text), Some(fix)) => Ok(Json::Bool(text.starts_with(fix))),
        _ => fail("startswith() requires string inputs"),
    }),
    unary!("endswith", |value: Json, fix: Json| match (value.as_str(), fix.as_str()) {
        (Some(text), Some(fix)) => Ok(Json::Bool(text.ends_with(fix))),
        _ => fail("endswith() requires string inputs"),
    }),
    unary!("split", |value: Json, separator: Json| match (value.as_str(), separator.as_str()) {
        (Some(text), Some(separator)) => Ok(operators::split(text, separator)),
        _ => fail("split input and separator must be strings"),
    }),
    unary!("join", join),
    binary!("_pieces", pieces),
    ("_match", 3, |mut cv| {
        let test: Json = cv.0.pop_var();
        let (flags, pattern): (Json, Json) = (cv.0.pop_var(), cv.0.pop_var());
        super::once(find(&cv.1, &pattern, &flags, test.is_true()))
    }),
];

/// What `trim` takes off.
type Trim = for<'t> fn(&'t str, fn(char) -> bool) -> &'t str;

fn trim(value: &Json, trim: Trim) -> Valued {
    let text = text_of(value, "cannot be trimmed")?;
    Ok(Json::text(trim(text, char::is_whitespace)))
}

fn implode(value: Json) -> Valued {
    let Json::Arr(codes) = &value else { return refuse(&value, "cannot be imploded") };
    let character = |code: &Json| -> Result<char, Error> {
        let Json::Num(code, _) = code else {
            return fail("Unicode codepoint must be numeric");
        };
        let code = u32::try_from(operators::whole(*code)).ok();
        Ok(code.and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER))
    };
    Ok(Json::text(codes.iter().map(character).collect::<Result<String, _>>()?))
}

/// The elements, null as nothing, with a separator between them.
fn join(value: Json, separator: Json) -> Valued {
    let mut out = String::new();
    let mut first = true;
    for item in jaq_core::ValT::values(value) {
        let Json::Str(separator) = &separator else {
            return refuse(&separator, "cannot be used to join with");
        };
        if !std::mem::take(&mut first) {
            out.push_str(separator);
        }
        match item? {
            Json::Null => {}
            Json::Str(text) => out.push_str(&text),
            item @ (Json::Bool(_) | Json::Num(..)) => out.push_str(&crate::write::compact(&item)),
            item => return mismatch(&Json::text(out), &item, "added"),
        }
        if out.len() > MAX_TEXT {
            return fail("String too long");
        }
    }
    Ok(Json::text(out))
}

fn key(name: &str) -> Text {
    Rc::new(name.to_string())
}

/// A pattern with its flags, and the characters it is to be found in.
fn compiled(
    value: &Json,
    pattern: &Json,
    flags: &Json,
) -> Result<(Regex, Flags, Vec<char>), Error> {
    let (Json::Str(text), Json::Str(pattern)) = (value, pattern) else {
        let wrong = if value.as_str().is_none() { value } else { pattern };
        return refuse(wrong, "cannot be matched, as it is not a string");
    };
    let flags = match flags {
        Json::Null => Flags::default(),
        Json::Str(letters) => Flags::new(letters)
            .ok_or_else(|| error(format!("{letters} is not a valid modifier string")))?,
        other => return refuse(other, "is not a string"),
    };
    let regex = Regex::new(pattern, flags).map_err(|reason| {
        error(format!("{pattern} (at offset 0) is not a valid regex: {reason}"))
    })?;
    Ok((regex, flags, text.chars().collect()))
}

/// Hands each match to `take`, which says whether to go on.
fn each_match(
    (regex, flags, chars): &(Regex, Flags, Vec<char>),
    mut take: impl FnMut(Groups) -> bool,
) -> Result<(), Error> {
    let mut from = 0;
    while from <= chars.len() && !meter::tick() {
        let Some(groups) = regex.find(chars, from).map_err(error)? else { break };
        let Some(Some((start, end))) = groups.first().copied() else { break };
        from = if end > start { end } else { end + 1 };
        if flags.skip_empty && start == end {
            continue;
        }
        if !take(groups) || !flags.global {
            break;
        }
    }
    Ok(())
}

/// The matches of a regular expression, or whether there is one.
fn find(value: &Json, pattern: &Json, flags: &Json, test: bool) -> Valued {
    let search = compiled(value, pattern, flags)?;
    let mut found = Vec::new();
    each_match(&search, |groups| {
        found.push(if test { Json::Null } else { matched(&search.2, &groups, search.0.names()) });
        !test
    })?;
    Ok(if test { Json::Bool(!found.is_empty()) } else { Json::list(found) })
}

/// The matches as objects, and the strings between them.
fn pieces(value: Json, pattern: Json, flags: Json) -> Valued {
    let search = compiled(&value, &pattern, &flags)?;
    let chars = &search.2;
    let string =
        |part: Option<&[char]>| Json::text(part.unwrap_or_default().iter().collect::<String>());
    let (mut out, mut done) = (Vec::new(), 0);
    each_match(&search, |groups| {
        if let Some(Some((start, end))) = groups.first().copied() {
            out.push(string(chars.get(done..start)));
            done = end;
        }
        out.push(matched(chars, &groups, search.0.names()));
        true
    })?;
    out.push(string(chars.get(done..)));
    Ok(Json::list(out))
}

/// `{offset, length, string, captures}` of one match.
fn matched(chars: &[char], groups: &[Option<(usize, usize)>], names: &[Option<String>]) -> Json {
    let text = |(start, end): (usize, usize)| {
        Json::text(chars.get(start..end).unwrap_or_default().iter().collect::<String>())
    };
    let fields = |group: Option<(usize, usize)>| match group {
        Some((start, end)) => vec![
            (key("offset"), Json::count(start)),
            (key("length"), Json::count(end - start)),
            (key("string"), text((start, end))),
        ],
        None => vec![
            (key("offset"), Json::num(-1.0)),
            (key("string"), Json::Null),
            (key("length"), Json::num(0.0)),
        ],
    };
    let captures = groups.iter().skip(1).zip(names).map(|(group, name)| {
        let mut fields = fields(*group);
        let name = name.as_ref().map_or(Json::Null, |name| Json::text(name.as_str()));
        fields.push((key("name"), name));
        Json::object(fields)
    });
    let captures = captures.collect();
    let mut whole = fields(groups.first().copied().flatten());
    whole.push((key("captures"), captures));
    Json::object(whole)
}
