//! `.[k]`, `.[a:b]`, `.[]`: reading and updating what a value holds.

use std::cmp::Ordering;
use std::rc::Rc;

use jaq_core::box_iter::{BoxIter, box_once};
use jaq_core::path::Opt;
use jaq_core::{Exn, ValT};

use crate::fault::{Error, Outcome, Valued, error, fail, no_index, no_items};
use crate::meter::{self, MAX_INDEX};
use crate::natives::positions;
use crate::number;
use crate::value::{Json, Text};

/// Bounds of a slice.
type Range<'v> = std::ops::Range<Option<&'v Json>>;

impl From<std::ops::Range<Option<Json>>> for Json {
    fn from(range: std::ops::Range<Option<Json>>) -> Self {
        Self::object([
            (Text::new("start".into()), range.start.unwrap_or_default()),
            (Text::new("end".into()), range.end.unwrap_or_default()),
        ])
    }
}

impl ValT for Json {
    fn from_num(text: &str) -> Valued {
        Ok(number::from_literal(text))
    }

    fn from_map<I: IntoIterator<Item = (Self, Self)>>(pairs: I) -> Valued {
        let mut fields = Vec::new();
        for (key, value) in pairs {
            match key {
                Self::Str(key) => fields.push((key, value)),
                other => {
                    return fail(format!("Object keys must be strings, not {}", other.shown()));
                }
            }
        }
        Ok(Self::object(fields))
    }

    fn key_values(self) -> BoxIter<'static, Result<(Self, Self), Error>> {
        if meter::tick() {
            return box_once(fail("the filter was ended"));
        }
        match self {
            Self::Arr(list) => {
                let items = Rc::unwrap_or_clone(list).0.drain(..).collect::<Vec<_>>();
                let pairs = items.into_iter().enumerate();
                Box::new(pairs.map(|(index, value)| Ok((Self::count(index), value))))
            }
            Self::Obj(fields) => {
                let fields = std::mem::take(&mut Rc::unwrap_or_clone(fields).0);
                Box::new(fields.into_iter().map(|(key, value)| Ok((Self::Str(key), value))))
            }
            other => box_once(Err(no_items(&other))),
        }
    }

    fn values(self) -> Box<dyn Iterator<Item = Valued>> {
        // `..` goes from level to level by itself, on the native stack.
        if meter::tick() {
            return Box::new(std::iter::once(fail("the filter was ended")));
        }
        match self {
            Self::Arr(list) => {
                Box::new(std::mem::take(&mut Rc::unwrap_or_clone(list).0).into_iter().map(Ok))
            }
            Self::Obj(fields) => {
                Box::new(std::mem::take(&mut Rc::unwrap_or_clone(fields).0).into_values().map(Ok))
            }
            other => Box::new(std::iter::once(Err(no_items(&other)))),
        }
    }

    fn index(self, index: &Self) -> Valued {
        Ok(match (&self, index) {
            (Self::Null, Self::Null | Self::Str(_) | Self::Num(..)) => Self::Null,
            (Self::Null, Self::Obj(_)) if range_of(index).is_some() => Self::Null,
            (Self::Obj(fields), Self::Str(key)) => fields.get(key).cloned().unwrap_or_default(),
            (Self::Arr(list), Self::Num(at, _)) => {
                position(*at, list.len()).and_then(|at| list.get(at).cloned()).unwrap_or_default()
            }
            (Self::Arr(list), Self::Arr(wanted)) => positions(list, wanted),
            (Self::Arr(_) | Self::Str(_), Self::Obj(_)) => match range_of(index) {
                Some(range) => return self.range(range),
                None => return no_index(&self, index),
            },
            _ => return no_index(&self, index),
        })
    }

    fn range(self, range: Range<'_>) -> Valued {
        Ok(match &self {
            Self::Null => {
                bounds(&range, 0)?;
                Self::Null
            }
            Self::Arr(list) => {
                let (from, to) = bounds(&range, list.len())?;
                Self::list(list.get(from..to).unwrap_or_default().to_vec())
            }
            Self::Str(text) => {
                let (from, to) = bounds(&range, text.chars().count())?;
                Self::text(text.chars().skip(from).take(to - from).collect::<String>())
            }
            other => return fail(format!("Cannot index {} with object", other.kind())),
        })
    }

    fn map_values<'a, I: Iterator<Item = Outcome<'a>>>(
        self,
        opt: Opt,
        f: impl Fn(Self) -> I,
    ) -> Outcome<'a> {
        match self {
            Self::Arr(list) => {
                let items = std::mem::take(&mut Rc::unwrap_or_clone(list).0).into_iter();
                items.filter_map(|item| f(item).next()).collect()
            }
            Self::Obj(fields) => {
                let fields = std::mem::take(&mut Rc::unwrap_or_clone(fields).0).into_iter();
                let fields = fields.filter_map(|(key, value)| {
                    f(value).next().map(|result| result.map(|value| (key, value)))
                });
                Ok(Self::object(fields.collect::<Result<Vec<_>, _>>()?))
            }
            other => opt.fail(other, |other| no_items(&other).into()),
        }
    }

    fn map_index<'a, I: Iterator<Item = Outcome<'a>>>(
        self,
        index: &Self,
        opt: Opt,
        f: impl Fn(Self) -> I,
    ) -> Outcome<'a> {
        if let (Self::Arr(_) | Self::Null, Some(range)) = (&self, range_of(index)) {
            return self.map_range(range, opt, f);
        }
        match (self, index) {
            (Self::Obj(mut fields), Self::Str(key)) => {
                let inner = Rc::make_mut(&mut fields);
                let old = inner.get_mut(key).map(std::mem::take);
                let existed = old.is_some();
                match f(old.unwrap_or_default()).next().transpose()? {
                    Some(new) => {
                        inner.insert(Rc::clone(key), new);
                    }
                    None if existed => {
                        inner.shift_remove(key);
                    }
                    None => {}
                }
                Ok(Self::Obj(fields))
            }
            (Self::Null, Self::Str(key)) => {
                let new = f(Self::Null).next().transpose()?;
                Ok(new.map_or(Self::Null, |new| Self::object([(Rc::clone(key), new)])))
            }
            (Self::Arr(mut list), Self::Num(at, _)) => {
                let old = place(*at, list.len()).map_err(Exn::from)?;
                let inner = Rc::make_mut(&mut list);
                let value = inner.get_mut(old).map(std::mem::take);
                match f(value.unwrap_or_default()).next().transpose()? {
                    Some(new) => put(inner, old, new),
                    None if old < inner.len() => {
                        inner.remove(old);
                    }
                    None => {}
                }
                Ok(Self::Arr(list))
            }
            (Self::Null, Self::Num(at, _)) => {
                let at = place(*at, 0).map_err(Exn::from)?;
                let Some(new) = f(Self::Null).next().transpose()? else { return Ok(Self::Null) };
                let mut items = Vec::new();
                put(&mut items, at, new);
                Ok(Self::list(items))
            }
            (value, index) => opt.fail(value, |value| match no_index::<()>(&value, index) {
                Err(error) => error.into(),
                Ok(()) => error("no such index").into(),
            }),
        }
    }

    fn map_range<'a, I: Iterator<Item = Outcome<'a>>>(
        self,
        range: Range<'_>,
        opt: Opt,
        f: impl Fn(Self) -> I,
    ) -> Outcome<'a> {
        let list = match self {
            Self::Arr(list) => list,
            Self::Null => Rc::default(),
            Self::Str(_) => {
                return opt.fail(self, |_| error("Cannot update string slices").into());
            }
            other => {
                let kind = other.kind();
                return opt.fail(other, |_| {
                    error(format!("Cannot update field at object index of {kind}")).into()
                });
            }
        };
        let (from, to) = bounds(&range, list.len()).map_err(Exn::from)?;
        let part = Self::list(list.get(from..to).unwrap_or_default().to_vec());
        let new = match f(part).next().transpose()? {
            Some(Self::Arr(new)) => new,
            None => Rc::default(),
            Some(_) => {
                return Err(error("A slice of an array can only be assigned another array").into());
            }
        };
        let mut list = list;
        Rc::make_mut(&mut list).splice(from..to, new.iter().cloned());
        Ok(Self::Arr(list))
    }

    fn as_bool(&self) -> bool {
        self.is_true()
    }

    fn into_string(self) -> Self {
        match self {
            Self::Str(_) => self,
            other => Self::text(crate::write::compact(&other)),
        }
    }
}

/// Puts a value at a position, after nulls where the array is shorter.
fn put(items: &mut Vec<Json>, at: usize, value: Json) {
    if at >= items.len() {
        items.resize(at + 1, Json::Null);
    }
    if let Some(place) = items.get_mut(at) {
        *place = value;
    }
}

/// The position an index names in an array; `None` before its start.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "bounded below, saturates above"
)]
pub(crate) fn position(at: f64, len: usize) -> Option<usize> {
    let at = at.floor();
    let at = if at < 0.0 { at + len as f64 } else { at };
    (at >= 0.0).then_some(at as usize)
}

/// Like [`position`], for what is written.
fn place(at: f64, len: usize) -> Result<usize, Error> {
    if at > MAX_INDEX {
        return fail("Array index too large");
    }
    position(at, len).ok_or_else(|| error("Out of bounds negative array index"))
}

/// The bounds an index object `{start, end}` holds.
fn range_of(index: &Json) -> Option<Range<'_>> {
    let (start, end) = (index.field("start"), index.field("end"));
    (start.is_some() || end.is_some()).then_some(start..end)
}

/// The bounds of a slice, in order and within `len`.
fn bounds(range: &Range<'_>, len: usize) -> Result<(usize, usize), Error> {
    let wrong = || error("Start and end indices of an array slice must be numbers");
    let bound = |value: Option<&Json>, default: usize, round: fn(f64) -> f64| match value {
        None | Some(Json::Null) => Ok(default),
        Some(Json::Num(at, _)) if at.is_nan() => Ok(default),
        Some(Json::Num(at, _)) => Ok(position(round(*at), len).unwrap_or(0).min(len)),
        Some(_) => Err(wrong()),
    };
    let from = bound(range.start, 0, f64::floor)?;
    let to = bound(range.end, len, f64::ceil)?;
    Ok(match from.cmp(&to) {
        Ordering::Greater => (from, from),
        _ => (from, to),
    })
}
