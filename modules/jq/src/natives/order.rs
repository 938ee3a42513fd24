//! Sorting and grouping; the keys come beside the values, as pairs `[KEYS, VALUE]`.

use super::{Entry, plain, unary};
use crate::fault::{Valued, refuse};
use crate::value::Json;

pub(super) const FILTERS: &[Entry] = &[
    plain!("sort", |value: Json| {
        let mut items = elements(value, "sorted")?;
        items.sort_by(Json::order);
        Ok(Json::list(items))
    }),
    plain!("unique", |value: Json| {
        let mut items = elements(value, "sorted")?;
        items.sort_by(Json::order);
        items.dedup_by(|a, b| a.order(b).is_eq());
        Ok(Json::list(items))
    }),
    plain!("reverse", reverse),
    plain!("_sorted", |pairs: Json| Ok(values(sorted(pairs)))),
    plain!("_grouped", |pairs: Json| Ok(grouped(pairs).into_iter().map(values).collect())),
    plain!("_unique", |pairs: Json| {
        let firsts = grouped(pairs).into_iter().filter_map(|group| group.into_iter().next());
        Ok(values(firsts.collect()))
    }),
    plain!("_least", |pairs: Json| Ok(values(sorted(pairs).into_iter().take(1).collect()))),
    plain!("_greatest", |pairs: Json| {
        Ok(values(sorted(pairs).into_iter().next_back().into_iter().collect()))
    }),
    unary!("_elements", |value: Json, what: Json| {
        elements(value, what.as_str().unwrap_or_default()).map(Json::list)
    }),
];

/// The elements of an array, or that nothing else can be sorted (or grouped).
fn elements(value: Json, what: &str) -> Result<Vec<Json>, crate::fault::Error> {
    value
        .into_list()
        .or_else(|value| refuse(&value, &format!("cannot be {what}, as it is not an array")))
}

fn reverse(value: Json) -> Valued {
    match value {
        Json::Null => Ok(Json::list(Vec::new())),
        Json::Str(text) => Ok(Json::text(text.chars().rev().collect::<String>())),
        Json::Arr(_) => {
            let mut items = elements(value, "reversed")?;
            items.reverse();
            Ok(Json::list(items))
        }
        other => refuse(&other, "cannot be reversed, as it is not an array"),
    }
}

type Pair = (Json, Json);

/// The pairs in the order of their keys, equal ones as they came.
fn sorted(pairs: Json) -> Vec<Pair> {
    let pairs = pairs.into_list().unwrap_or_default().into_iter();
    let mut pairs: Vec<Pair> = pairs
        .filter_map(|pair| {
            let mut pair = pair.into_list().ok()?.into_iter();
            Some((pair.next()?, pair.next()?))
        })
        .collect();
    pairs.sort_by(|a, b| a.0.order(&b.0));
    pairs
}

fn grouped(pairs: Json) -> Vec<Vec<Pair>> {
    let mut groups: Vec<Vec<Pair>> = Vec::new();
    for pair in sorted(pairs) {
        match groups.last_mut() {
            Some(group) if group.first().is_some_and(|first| first.0.order(&pair.0).is_eq()) => {
                group.push(pair);
            }
            _ => groups.push(vec![pair]),
        }
    }
    groups
}

fn values(pairs: Vec<Pair>) -> Json {
    pairs.into_iter().map(|(_, value)| value).collect()
}
