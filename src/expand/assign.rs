//! Assignments: `NAME=v`, `NAME+=v`, paths, appending in place, and `push`.

use std::rc::Rc;

use super::access::{
    KeyForm, Step, check_nesting, check_record_key, list_index, position, scalar_error,
};
use super::render::push_text;
use super::{ExpandError, ExpandResult, Expander, text_of};
use crate::env::{ReadonlyError, ShellOption};
use crate::syntax::{ArithPlace, Assignment, ParameterName, ParameterOp, Part, Span, ValueExpr};
use crate::value::{EcoString, Value};

impl Expander {
    /// Carries out an assignment that runs no program; `false` where the general path must go.
    pub fn assign_fast(&self, assignment: &Assignment) -> ExpandResult<bool> {
        if !assignment.path.is_empty() {
            return Ok(false);
        }
        if !assignment.append && self.append_in_place(assignment)? {
            return Ok(true);
        }
        let value = match &assignment.value {
            ValueExpr::Literal(value, _) => value.clone(),
            ValueExpr::Word(word) => match self.fast(word)? {
                Some(value) => value,
                None => return Ok(false),
            },
            _ => return Ok(false),
        };
        self.set(&assignment.name, value, assignment.append, assignment.span)?;
        Ok(true)
    }

    /// Carries out any assignment.
    pub async fn assign(&self, assignment: &Assignment) -> ExpandResult<()> {
        if self.assign_fast(assignment)? {
            return Ok(());
        }
        let value = self.value(&assignment.value).await?;
        if assignment.path.is_empty() {
            return self.set(&assignment.name, value, assignment.append, assignment.span);
        }
        let steps = self.steps(&assignment.path).await?;
        check_nesting([&value], steps.len(), assignment.span)?;
        self.set_path(&assignment.name, &steps, assignment.span, |slot| {
            if assignment.append {
                append(slot, value, &assignment.name, assignment.span)
            } else {
                *slot = value;
                Ok(())
            }
        })
    }

    /// Assigns or appends to a variable.
    pub fn set(&self, name: &str, value: Value, append: bool, span: Span) -> ExpandResult<()> {
        let mut scope = self.session.scope.borrow_mut();
        let variable = scope.modify(name).map_err(|error| readonly(&error, span))?;
        if variable.exported && value.is_collection() {
            return Err(exported(name, span));
        }
        if self.session.options.get().has(ShellOption::AllExport) && !value.is_collection() {
            variable.exported = true;
        }
        match &mut variable.value {
            Some(slot) if append => self::append(slot, value, name, span),
            slot => {
                *slot = Some(value);
                Ok(())
            }
        }
    }

    /// `s="$s…"`: the text grows where it lies instead of being copied.
    fn append_in_place(&self, assignment: &Assignment) -> ExpandResult<bool> {
        let ValueExpr::Word(word) = &assignment.value else { return Ok(false) };
        if word.traits.runs {
            return Ok(false);
        }
        // The first part may be `$s` itself or quotes that begin with it.
        let (inner, rest) = match word.parts.as_slice() {
            [Part::DoubleQuoted(inner), rest @ ..] => (inner.as_slice(), rest),
            [first, rest @ ..] => (std::slice::from_ref(first), rest),
            [] => return Ok(false),
        };
        let [Part::Parameter(first), more @ ..] = inner else { return Ok(false) };
        let itself = first.path.is_empty()
            && first.op == ParameterOp::None
            && matches!(&first.name, ParameterName::Variable(name) if *name == assignment.name);
        if !itself || (rest.is_empty() && more.is_empty()) {
            return Ok(false);
        }
        let mut tail = EcoString::new();
        if !self.fast_parts(more, &mut tail)? || !self.fast_parts(rest, &mut tail)? {
            return Ok(false);
        }
        let mut scope = self.session.scope.borrow_mut();
        if !matches!(scope.get(&assignment.name), Some(Value::Text(_))) {
            return Ok(false);
        }
        let variable =
            scope.modify(&assignment.name).map_err(|error| readonly(&error, assignment.span))?;
        if let Some(Value::Text(text)) = &mut variable.value {
            text.push_str(&tail);
        }
        Ok(true)
    }

    /// Changes what a path into a variable leads to. Only the last record key may be new.
    pub fn set_path(
        &self,
        name: &str,
        steps: &[Step],
        span: Span,
        change: impl FnOnce(&mut Value) -> ExpandResult<()>,
    ) -> ExpandResult<()> {
        let mut scope = self.session.scope.borrow_mut();
        if scope.get(name).is_none() {
            let message = format!(
                "E016: {name} is not set; create it first: {name}={{}} (record) or {name}=[] (list)"
            );
            return Err(ExpandError::new(span, message));
        }
        let variable = scope.modify(name).map_err(|error| readonly(&error, span))?;
        let mut slot = variable.value.get_or_insert_default();
        for (index, step) in steps.iter().enumerate() {
            let last = index + 1 == steps.len();
            slot = descend(slot, step, last, name)?;
        }
        change(slot)
    }

    pub(super) fn store_place(&self, place: &ArithPlace, value: i64) -> ExpandResult<()> {
        if place.path.is_empty() {
            return self.set(&place.name, Value::int(value), false, place.span);
        }
        let root = self.variable(&place.name).unwrap_or_default();
        let steps = self.place_steps(place, &root)?;
        drop(root);
        self.set_path(&place.name, &steps, place.span, |slot| {
            *slot = Value::int(value);
            Ok(())
        })
    }

    /// Appends values to the list that a name, or a path written as text (`s[web][tags]`), holds.
    pub fn push(&self, target: &str, values: &[Value]) -> ExpandResult<()> {
        let span = Span::default();
        let (name, steps) = parse_path(target);
        if self.session.scope.borrow().get(&name).is_none() {
            let message = format!("{name} is not set; create the list first: {name}=[]");
            return Err(ExpandError::new(span, message));
        }
        check_nesting(values, steps.len() + 1, span)?;
        self.set_path(&name, &steps, span, |slot| match slot {
            Value::List(list) => {
                for value in values {
                    list.push(value.clone());
                }
                Ok(())
            }
            other => {
                let kind = other.type_name();
                Err(ExpandError::new(span, format!("{target} is a {kind}, not a list")))
            }
        })
    }

    /// Removes a key or element: `unset r[k]`, `unset xs[0]`. Absence is no error.
    pub fn unset_path(&self, target: &str) -> ExpandResult<()> {
        let span = Span::default();
        let (name, mut steps) = parse_path(target);
        let Some(Step::Key { text, form, .. }) = steps.pop() else { return Ok(()) };
        if self.session.scope.borrow().get(&name).is_none() {
            return Ok(());
        }
        self.set_path(&name, &steps, span, |slot| {
            match slot {
                Value::Record(record) => {
                    Rc::make_mut(record).shift_remove(text.as_str());
                }
                Value::List(list) => {
                    let index = list_index(&text, form, &name, span)?;
                    if let Some(at) = position(index, list.len()) {
                        list.remove(at);
                    }
                }
                other => return Err(scalar_error(other, &name, &text, span)),
            }
            Ok(())
        })
    }
}

/// Splits `s[web][0]` into the name and its steps.
fn parse_path(target: &str) -> (EcoString, Vec<Step>) {
    let Some((name, rest)) = target.split_once('[') else { return (target.into(), Vec::new()) };
    let keys = rest.strip_suffix(']').unwrap_or(rest).split("][");
    let step = |key: &str| {
        let unquoted =
            key.strip_prefix(['"', '\'']).and_then(|inner| inner.strip_suffix(['"', '\'']));
        let form = if unquoted.is_some() { KeyForm::Quoted } else { KeyForm::Expanded };
        Step::Key { text: unquoted.unwrap_or(key).into(), form, span: Span::default() }
    };
    (name.into(), keys.map(step).collect())
}

fn descend<'v>(
    slot: &'v mut Value,
    step: &Step,
    last: bool,
    name: &str,
) -> ExpandResult<&'v mut Value> {
    let Step::Key { text, form, span } = step else {
        let message = "a slice cannot be assigned to; assign elements one by one".to_string();
        let Step::Slice(_, _, span) = step else { return Ok(slot) };
        return Err(ExpandError::new(*span, message));
    };
    match slot {
        Value::Record(record) => {
            check_record_key(text, *form, name, *span)?;
            let record = Rc::make_mut(record);
            if !last && !record.contains_key(text.as_str()) {
                let message = format!(
                    "E016: {name} has no key '{text}'; create it first: {name}[{text}]={{}}"
                );
                return Err(ExpandError::new(*span, message));
            }
            Ok(record.entry(text.clone()).or_default())
        }
        Value::List(list) => {
            let index = list_index(text, *form, name, *span)?;
            let len = list.len();
            let at = position(index, len);
            at.and_then(|at| list.make_mut().get_mut(at)).ok_or_else(|| {
                let message = format!(
                    "index {index} is out of bounds: {name} has {len} elements; append with `push {name} VALUE`"
                );
                ExpandError::new(*span, message)
            })
        }
        other => Err(scalar_error(other, name, text, *span)),
    }
}

fn append(slot: &mut Value, value: Value, name: &str, span: Span) -> ExpandResult<()> {
    if value.is_collection() && !slot.is_collection() {
        return start_collection(slot, value, name, span);
    }
    match (&mut *slot, value) {
        (Value::List(list), Value::List(more)) => {
            list.extend(more);
            Ok(())
        }
        (Value::Record(record), Value::Record(more)) => {
            let record = Rc::make_mut(record);
            record.extend(more.iter().map(|(key, value)| (key.clone(), value.clone())));
            Ok(())
        }
        (Value::List(_), other) => Err(ExpandError::new(
            span,
            format!(
                "{name} is a list: append with {name}+=[…] or `push {name} VALUE`, not with a {}",
                other.type_name()
            ),
        )),
        (Value::Record(_), _) => Err(ExpandError::new(
            span,
            format!(
                "{name} is a record: add keys with {name}+={{key: value}} or {name}[key]=value"
            ),
        )),
        (Value::Text(text), value) => push_text(text, &value, span),
        (_, value) => {
            let mut text = text_of(slot, span)?;
            push_text(&mut text, &value, span)?;
            *slot = Value::Text(text);
            Ok(())
        }
    }
}

/// `xs+=[a]` on an empty scalar makes the list.
fn start_collection(slot: &mut Value, value: Value, name: &str, span: Span) -> ExpandResult<()> {
    if !slot.is_empty_text() {
        let kind = slot.type_name();
        let message = format!("{name} is a {kind}, a collection cannot be appended to it");
        return Err(ExpandError::new(span, message));
    }
    *slot = value;
    Ok(())
}

pub(super) fn readonly(error: &ReadonlyError, span: Span) -> ExpandError {
    ExpandError::fatal(span, error.to_string())
}

fn exported(name: &str, span: Span) -> ExpandError {
    ExpandError::new(
        span,
        format!("{name} is exported, and a collection cannot be: {name}=$(tojson …)"),
    )
}
