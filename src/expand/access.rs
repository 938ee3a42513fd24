//! Paths into values: `${x[k][0]}`, slices, and what each wrong form is told.

use super::{ExpandError, ExpandResult, Expander, now};
use crate::syntax::{ArithPlace, Part, Span, Subscript, Word};
use crate::value::{EcoString, MAX_NESTING, Value};

/// What a path leads to.
pub enum Accessed {
    /// A value.
    Found(Value),
    /// Nothing: a missing key or an index out of bounds, in words.
    Absent(String),
}

/// A subscript whose words are expanded.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// A key or index.
    Key {
        /// The text.
        text: EcoString,
        /// How it was written.
        form: KeyForm,
        /// Where.
        span: Span,
    },
    /// A slice with its bounds.
    Slice(Option<i64>, Option<i64>, Span),
}

/// How a key was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyForm {
    /// Bare text.
    Bare,
    /// In quotes: never an index.
    Quoted,
    /// From an expansion.
    Expanded,
}

/// Follows `steps` from a value.
pub fn resolve(root: &Value, name: &str, steps: &[Step]) -> ExpandResult<Accessed> {
    let mut value = root.clone();
    for step in steps {
        let next = match step {
            Step::Slice(start, end, span) => slice(&value, *start, *end, name, *span)?,
            Step::Key { text, form, span } => match lookup(&value, text, *form, name, *span)? {
                Accessed::Found(value) => value,
                absent => return Ok(absent),
            },
        };
        value = next;
    }
    Ok(Accessed::Found(value))
}

fn lookup(
    value: &Value,
    key: &str,
    form: KeyForm,
    name: &str,
    span: Span,
) -> ExpandResult<Accessed> {
    match value {
        Value::Record(record) => {
            check_record_key(key, form, name, span)?;
            Ok(match record.get(key) {
                Some(value) => Accessed::Found(value.clone()),
                None => Accessed::Absent(format!("{name} has no key '{key}'")),
            })
        }
        Value::List(list) => {
            let index = list_index(key, form, name, span)?;
            let at = position(index, list.len());
            Ok(match at.and_then(|at| list.get(at)) {
                Some(value) => Accessed::Found(value.clone()),
                None => Accessed::Absent(format!(
                    "index {index} is out of bounds: {name} has {} elements",
                    list.len()
                )),
            })
        }
        other => Err(scalar_error(other, name, key, span)),
    }
}

pub(super) fn scalar_error(value: &Value, name: &str, key: &str, span: Span) -> ExpandError {
    let kind = value.type_name();
    let message = if kind == "string" && key.parse::<i64>().is_ok() {
        format!(
            "{name} is a string and has no elements; a character is ${{{name}[{key}:N]}}, an end-exclusive slice"
        )
    } else if kind == "string" {
        format!(
            "{name} is a string, not a record; parse JSON text first: {name}=$(fromjson \"${name}\")"
        )
    } else {
        format!("{name} is a {kind}: only lists and records have elements")
    };
    ExpandError::new(span, message)
}

pub(super) fn check_record_key(
    key: &str,
    form: KeyForm,
    name: &str,
    span: Span,
) -> ExpandResult<()> {
    if form == KeyForm::Bare && key.parse::<i64>().is_ok() {
        let message =
            format!("{name} is a record: a key that is a number is written {name}[\"{key}\"]");
        return Err(ExpandError::new(span, message));
    }
    Ok(())
}

/// The index a subscript of a list means.
pub(super) fn list_index(key: &str, form: KeyForm, name: &str, span: Span) -> ExpandResult<i64> {
    if form != KeyForm::Quoted
        && let Ok(index) = key.trim().parse::<i64>()
    {
        return Ok(index);
    }
    let hint = if form == KeyForm::Bare && is_name(key) {
        format!("; for the value of a variable write {name}[${key}]")
    } else if form == KeyForm::Bare {
        format!("; compute it with {name}[$(({key}))]")
    } else {
        String::new()
    };
    Err(ExpandError::new(span, format!("{name} is a list: '{key}' is no index{hint}")))
}

fn is_name(key: &str) -> bool {
    key.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// The position of an index, negative ones from the end.
pub(super) fn position(index: i64, len: usize) -> Option<usize> {
    if index >= 0 {
        return usize::try_from(index).ok().filter(|at| *at < len);
    }
    let back = usize::try_from(index.unsigned_abs()).ok()?;
    len.checked_sub(back)
}

fn bounds(start: Option<i64>, end: Option<i64>, len: usize) -> (usize, usize) {
    let clamp = |bound: i64| {
        if bound < 0 {
            len.saturating_sub(usize::try_from(bound.unsigned_abs()).unwrap_or(usize::MAX))
        } else {
            usize::try_from(bound).unwrap_or(usize::MAX).min(len)
        }
    };
    let start = clamp(start.unwrap_or(0));
    let end = end.map_or(len, clamp);
    (start, end.max(start))
}

fn slice(
    value: &Value,
    start: Option<i64>,
    end: Option<i64>,
    name: &str,
    span: Span,
) -> ExpandResult<Value> {
    match value {
        Value::List(list) => {
            let (start, end) = bounds(start, end, list.len());
            Ok(Value::List(list.get(start..end).unwrap_or_default().into()))
        }
        Value::Record(_) | Value::Null | Value::Bytes(_) | Value::Bool(_) => {
            let kind = value.type_name();
            Err(ExpandError::new(
                span,
                format!("{name} is a {kind}: only lists and text have slices"),
            ))
        }
        Value::Text(_) | Value::Number(_) => {
            let text = value.to_text().unwrap_or_default();
            Ok(Value::Text(slice_text(&text, start, end)))
        }
    }
}

fn slice_text(text: &EcoString, start: Option<i64>, end: Option<i64>) -> EcoString {
    if text.is_ascii() {
        let (start, end) = bounds(start, end, text.len());
        return text.get(start..end).unwrap_or_default().into();
    }
    let (start, end) = bounds(start, end, text.chars().count());
    text.chars().skip(start).take(end - start).collect()
}

impl Expander {
    /// Expands the subscripts of a path; `[@]` and `[*]` are the caller's.
    pub(super) async fn steps(&self, path: &[Subscript]) -> ExpandResult<Vec<Step>> {
        let mut steps = Vec::with_capacity(path.len());
        for subscript in path {
            steps.push(match subscript {
                Subscript::Key(word) => self.key(word).await?,
                Subscript::Slice(start, end, span) => {
                    let start = match start {
                        Some(code) => Some(Box::pin(self.arith(code)).await?),
                        None => None,
                    };
                    let end = match end {
                        Some(code) => Some(Box::pin(self.arith(code)).await?),
                        None => None,
                    };
                    Step::Slice(start, end, *span)
                }
                Subscript::All | Subscript::Star => continue,
            });
        }
        Ok(steps)
    }

    async fn key(&self, word: &Word) -> ExpandResult<Step> {
        let form = match word.parts.as_slice() {
            [Part::Quoted(_) | Part::DoubleQuoted(_)] => KeyForm::Quoted,
            parts if parts.iter().all(|part| matches!(part, Part::Literal(_) | Part::Glob(_))) => {
                KeyForm::Bare
            }
            _ => KeyForm::Expanded,
        };
        let mut text = match self.fast(word)? {
            Some(value) => super::text_of(&value, word.span)?,
            None => Box::pin(self.text(word)).await?,
        };
        // `${xs[$i+1]}`: an expanded subscript with an operator is arithmetic on its digits.
        if form == KeyForm::Expanded
            && word.parts.len() > 1
            && let Some(sum) = simple_sum(&text)
        {
            text = Value::int(sum).to_text().unwrap_or_default();
        }
        Ok(Step::Key { text, form, span: word.span })
    }

    /// The value of a place in arithmetic.
    pub(super) fn read_place(&self, place: &ArithPlace) -> ExpandResult<Value> {
        let Some(root) = self.variable(&place.name) else {
            return Err(ExpandError::new(place.span, format!("{} is not set", place.name)));
        };
        let steps = self.place_steps(place, &root)?;
        match resolve(&root, &place.name, &steps)? {
            Accessed::Found(value) => Ok(value),
            Accessed::Absent(why) => Err(ExpandError::new(place.span, why)),
        }
    }

    /// The steps of a place in arithmetic: a list is indexed by expression, a record by word.
    pub(super) fn place_steps(&self, place: &ArithPlace, root: &Value) -> ExpandResult<Vec<Step>> {
        let mut steps = Vec::new();
        let mut value = root.clone();
        for subscript in &place.path {
            let step = if matches!(value, Value::List(_)) {
                let index = self.arith_now(&subscript.index)?;
                let text = Value::int(index).to_text().unwrap_or_default();
                Step::Key { text, form: KeyForm::Expanded, span: place.span }
            } else {
                let step = now(self.key(&subscript.key))?;
                if let Step::Key { text, form: KeyForm::Bare, .. } = &step {
                    let name = &place.name;
                    let message = format!(
                        "in arithmetic {name}[{text}] means the value of the variable {text}, and {name} is a record: write ${{{name}[{text}]}}"
                    );
                    return Err(ExpandError::new(place.span, message));
                }
                step
            };
            if let Ok(Accessed::Found(next)) =
                resolve(&value, &place.name, std::slice::from_ref(&step))
            {
                value = next;
            }
            steps.push(step);
        }
        Ok(steps)
    }
}

/// `5+1`, `5-1`: the sums that subscripts such as `${xs[$i+1]}` come to.
fn simple_sum(text: &str) -> Option<i64> {
    let compact: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let at = compact.char_indices().skip(1).find(|(_, c)| matches!(c, '+' | '-' | '*'))?.0;
    let (left, right) = compact.split_at_checked(at)?;
    let left = left.parse::<i64>().ok()?;
    let number = right.get(1..)?.parse::<i64>().ok()?;
    match right.as_bytes().first()? {
        b'+' => left.checked_add(number),
        b'-' => left.checked_sub(number),
        _ => left.checked_mul(number),
    }
}

/// Refuses values that would nest too deep `above` levels further in.
pub(super) fn check_nesting<'v>(
    values: impl IntoIterator<Item = &'v Value>,
    above: usize,
    span: Span,
) -> ExpandResult<()> {
    if values.into_iter().all(|value| value.nests_within(above)) {
        return Ok(());
    }
    let message = format!("a value nests deeper than {MAX_NESTING} levels, or holds too many");
    Err(ExpandError::new(span, message))
}
