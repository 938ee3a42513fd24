//! `${…}`: what is read, the path into it, and the operator on it.

use super::access::{Accessed, resolve};
use super::{ExpandError, ExpandResult, Expander, text_of};
use crate::pattern::Glob;
use crate::syntax::{
    DefaultKind, Parameter, ParameterName, ParameterOp, Part, ReplaceScope, Span, Subscript,
    TrimEnd, Word,
};
use crate::value::{EcoString, EcoVec, InOrder, Value};

/// What a parameter expands to.
pub(super) enum Values {
    /// One value.
    One(Value),
    /// Any number, each an argument of its own.
    Many(Vec<Value>),
}

/// What is there before an operator works on it.
enum Base {
    Set(Value),
    Many(Vec<Value>),
    /// Nothing, and why where that is more than "unset".
    Unset(Option<String>),
}

impl Expander {
    /// Expands a parameter; `quoted` decides whether `*` joins.
    pub(super) async fn parameter(
        &self,
        parameter: &Parameter,
        quoted: bool,
    ) -> ExpandResult<Values> {
        match &parameter.op {
            ParameterOp::NamesWithPrefix => return Ok(Values::Many(self.names(parameter))),
            ParameterOp::Indirect => return self.indirect(parameter),
            ParameterOp::Keys => return self.keys(parameter),
            _ => {}
        }
        let base = self.base(parameter, quoted).await?;
        if let ParameterOp::Default { kind, colon, word } = &parameter.op {
            return self.default(parameter, base, (*kind, *colon), word).await;
        }
        match base {
            Base::Unset(why) => {
                let value = match why {
                    Some(why) => {
                        if let ParameterName::Variable(name) = &parameter.name
                            && self.variable(name).is_none()
                        {
                            self.unset_name(name, parameter.span)?;
                        }
                        return Err(ExpandError::new(parameter.span, why));
                    }
                    None => self.unset(parameter)?,
                };
                match parameter.op {
                    ParameterOp::Length => return Ok(Values::One(Value::int(0))),
                    ParameterOp::Transform(_) => return Ok(Values::One(value)),
                    _ => {}
                }
                Ok(Values::One(self.operate(&value, parameter).await?))
            }
            Base::Set(value) if parameter.op == ParameterOp::None => Ok(Values::One(value)),
            Base::Set(value) => Ok(Values::One(self.operate(&value, parameter).await?)),
            Base::Many(values) => self.operate_many(values, parameter, quoted).await,
        }
    }

    async fn base(&self, parameter: &Parameter, quoted: bool) -> ExpandResult<Base> {
        let root = match &parameter.name {
            ParameterName::Variable(name) => self.variable(name),
            ParameterName::Positional(index) => self.positional(*index),
            ParameterName::Special(which @ ('@' | '*')) => {
                let values = self.session.scope.borrow().positional().to_vec();
                let joins = *which == '*' && quoted && keeps_shape(&parameter.op);
                return Ok(if joins { Base::Set(self.join(&values)) } else { Base::Many(values) });
            }
            ParameterName::Special(name) => self.special(*name),
        };
        if parameter.path.is_empty() {
            return Ok(root.map_or(Base::Unset(None), Base::Set));
        }
        let name = name_of(parameter);
        let spread = parameter.path.last();
        let spread = spread.filter(|last| matches!(last, Subscript::All | Subscript::Star));
        let Some(root) = root else {
            let absent = format!("{name} is not set, so it has no elements");
            return Ok(if spread.is_some() {
                Base::Many(Vec::new())
            } else {
                Base::Unset(Some(absent))
            });
        };
        let steps = self.steps(&parameter.path).await?;
        let value = match resolve(&root, &name, &steps)? {
            Accessed::Found(value) => value,
            Accessed::Absent(why) => return Ok(Base::Unset(Some(why))),
        };
        let Some(spread) = spread else { return Ok(Base::Set(value)) };
        let values = elements(&value);
        let joins = *spread == Subscript::Star && quoted && keeps_shape(&parameter.op);
        Ok(if joins { Base::Set(self.join(&values)) } else { Base::Many(values) })
    }

    /// Joins by the first character of `IFS`.
    fn join(&self, values: &[Value]) -> Value {
        let separator = match self.session.scope.borrow().get("IFS") {
            None => Some(' '),
            Some(ifs) => ifs.to_text_lossy().chars().next(),
        };
        let mut text = EcoString::new();
        for (index, value) in values.iter().enumerate() {
            if index > 0 {
                text.extend(separator);
            }
            text.push_str(&value.to_text_lossy());
        }
        Value::Text(text)
    }

    /// What an unset parameter expands to: empty text, or an error under `set -u`.
    pub(super) fn unset(&self, parameter: &Parameter) -> ExpandResult<Value> {
        match &parameter.name {
            ParameterName::Special(_) => Ok(Value::empty()),
            ParameterName::Positional(0) => Ok(Value::empty()),
            _ => self.unset_name(&name_of(parameter), parameter.span).map(|()| Value::empty()),
        }
    }

    pub(super) fn unset_name(&self, name: &str, span: Span) -> ExpandResult<()> {
        if self.session.options.get().has(crate::env::ShellOption::NoUnset) {
            let message = format!("{name}: unbound variable; default it with ${{{name}:-…}}");
            return Err(ExpandError::fatal(span, message));
        }
        Ok(())
    }

    async fn default(
        &self,
        parameter: &Parameter,
        base: Base,
        (kind, colon): (DefaultKind, bool),
        word: &Word,
    ) -> ExpandResult<Values> {
        let missing = match &base {
            Base::Unset(_) => true,
            Base::Set(value) => colon && value.is_empty_text(),
            Base::Many(values) => {
                values.is_empty()
                    || (colon && values.len() == 1 && values.iter().all(Value::is_empty_text))
            }
        };
        let present = |base| match base {
            Base::Set(value) => Values::One(value),
            Base::Many(values) => Values::Many(values),
            Base::Unset(_) => Values::One(Value::empty()),
        };
        match kind {
            DefaultKind::Alternative if missing => Ok(Values::One(Value::empty())),
            DefaultKind::Alternative => Box::pin(self.lone(word)).await,
            _ if !missing => Ok(present(base)),
            DefaultKind::Use => Box::pin(self.lone(word)).await,
            DefaultKind::Assign => {
                let ParameterName::Variable(name) = &parameter.name else {
                    let message = format!("{}: cannot assign in this way", name_of(parameter));
                    return Err(ExpandError::fatal(parameter.span, message));
                };
                let value = match Box::pin(self.lone(word)).await? {
                    Values::One(value) => value,
                    Values::Many(values) => Value::List(values.into()),
                };
                self.set(name, value.clone(), false, parameter.span)?;
                Ok(Values::One(value))
            }
            DefaultKind::Require => {
                let name = name_of(parameter);
                let text = Box::pin(self.text(word)).await?;
                let message = match (text.is_empty(), colon) {
                    (false, _) => format!("{name}: {text}"),
                    (true, true) => format!("{name}: parameter null or not set"),
                    (true, false) => format!("{name}: parameter not set"),
                };
                Err(ExpandError::fatal(parameter.span, message))
            }
        }
    }

    async fn operate_many(
        &self,
        values: Vec<Value>,
        parameter: &Parameter,
        quoted: bool,
    ) -> ExpandResult<Values> {
        let values = match &parameter.op {
            ParameterOp::None => values,
            ParameterOp::Length => return Ok(Values::One(count(values.len()))),
            ParameterOp::Substring(offset, length) => {
                let offset = Box::pin(self.arith(offset)).await?;
                let length = match length {
                    Some(code) => Some(Box::pin(self.arith(code)).await?),
                    None => None,
                };
                self.slice_many(values, parameter, offset, length)
            }
            _ => {
                let mut changed = Vec::with_capacity(values.len());
                for value in &values {
                    changed.push(self.operate(value, parameter).await?);
                }
                changed
            }
        };
        let star = matches!(parameter.name, ParameterName::Special('*'))
            || parameter.path.last() == Some(&Subscript::Star);
        Ok(if star && quoted { Values::One(self.join(&values)) } else { Values::Many(values) })
    }

    /// `${@:2:1}` counts from `$0`, `${arr[@]:1}` from the first element.
    fn slice_many(
        &self,
        mut values: Vec<Value>,
        parameter: &Parameter,
        offset: i64,
        length: Option<i64>,
    ) -> Vec<Value> {
        if matches!(parameter.name, ParameterName::Special('@' | '*')) {
            values.insert(0, self.positional(0).unwrap_or_default());
        }
        let total = i64::try_from(values.len()).unwrap_or(i64::MAX);
        let start = if offset < 0 { total + offset } else { offset };
        if start < 0 {
            return Vec::new();
        }
        let length = length.unwrap_or(total).max(0);
        let positional = matches!(parameter.name, ParameterName::Special('@' | '*'));
        let skip = usize::try_from(start).unwrap_or(usize::MAX);
        // `$0` is part of the slice only where the offset is written as 0.
        let from = if positional && offset < 0 { skip.max(1) } else { skip };
        values.into_iter().skip(from).take(usize::try_from(length).unwrap_or(usize::MAX)).collect()
    }

    async fn operate(&self, value: &Value, parameter: &Parameter) -> ExpandResult<Value> {
        let span = parameter.span;
        match &parameter.op {
            ParameterOp::Length => return length(value),
            ParameterOp::None => return Ok(value.clone()),
            _ => {}
        }
        let text = text_of(value, span)?;
        let changed = match &parameter.op {
            ParameterOp::Trim { end, longest, pattern } => {
                let glob = Box::pin(self.pattern(pattern)).await?;
                trim(&text, &glob, *end, *longest)
            }
            ParameterOp::Replace { scope, pattern, replacement } => {
                let glob = Box::pin(self.pattern(pattern)).await?;
                let replacement = Box::pin(self.replacement(replacement)).await?;
                replace(&text, &glob, *scope, &replacement)
            }
            ParameterOp::Case { upper, all, pattern } => {
                let glob = match pattern.parts.is_empty() {
                    true => None,
                    false => Some(Box::pin(self.pattern(pattern)).await?),
                };
                change_case(&text, *upper, *all, glob.as_ref())
            }
            ParameterOp::Substring(offset, length) => {
                if value.is_collection() {
                    let name = name_of(parameter);
                    let message = format!(
                        "{name} is a {}: a slice of elements is written ${{{name}[start:end]}}",
                        value.type_name()
                    );
                    return Err(ExpandError::new(span, message));
                }
                self.check_offset(&offset.text, parameter)?;
                let offset = Box::pin(self.arith(offset)).await?;
                let length = match length {
                    Some(code) => Some(Box::pin(self.arith(code)).await?),
                    None => None,
                };
                substring(&text, offset, length, span)?
            }
            ParameterOp::Transform(letter) => transform(&text, *letter, span)?,
            _ => text,
        };
        Ok(Value::Text(changed))
    }

    /// Refuses `${x:word}`, where the word was meant as a default and names no variable.
    fn check_offset(&self, offset: &str, parameter: &Parameter) -> ExpandResult<()> {
        let offset = offset.trim();
        if !super::is_name(offset) || self.variable(offset).is_some() {
            return Ok(());
        }
        let name = name_of(parameter);
        let message = format!(
            "${{{name}:{offset}}} is the text from position {offset}, which is not set; a default is ${{{name}:-{offset}}}"
        );
        Err(ExpandError::new(parameter.span, message))
    }

    /// The replacement of `${x/p/r}`; `None` stands for the matched text (an unquoted `&`).
    async fn replacement(&self, word: &Word) -> ExpandResult<Vec<Option<EcoString>>> {
        let mut pieces = Vec::new();
        for part in &word.parts {
            match part {
                Part::Literal(text) => {
                    for (index, piece) in text.split('&').enumerate() {
                        if index > 0 {
                            pieces.push(None);
                        }
                        pieces.push(Some(piece.into()));
                    }
                }
                other => {
                    let value = self.lone_part(other).await?;
                    pieces.push(Some(text_of(&value, word.span)?));
                }
            }
        }
        Ok(pieces)
    }

    fn names(&self, parameter: &Parameter) -> Vec<Value> {
        let prefix = name_of(parameter);
        let scope = self.session.scope.borrow();
        let mut names: Vec<EcoString> = scope
            .variables()
            .map(|(name, _)| name.clone())
            .filter(|name| name.starts_with(prefix.as_str()))
            .collect();
        names.order_by(Ord::cmp);
        names.into_iter().map(Value::Text).collect()
    }

    fn indirect(&self, parameter: &Parameter) -> ExpandResult<Values> {
        let target = match &parameter.name {
            ParameterName::Variable(name) => self.variable(name),
            ParameterName::Positional(index) => self.positional(*index),
            ParameterName::Special(name) => self.special(*name),
        };
        let Some(target) = target else {
            let message = format!("{}: invalid indirect expansion", name_of(parameter));
            return Err(ExpandError::new(parameter.span, message));
        };
        let name = text_of(&target, parameter.span)?;
        let value = match name.parse::<u32>() {
            Ok(index) => self.positional(index),
            Err(_) => self.variable(&name),
        };
        match value {
            Some(value) => Ok(Values::One(value)),
            None => {
                self.unset_name(&name, parameter.span)?;
                Ok(Values::One(Value::empty()))
            }
        }
    }

    fn keys(&self, parameter: &Parameter) -> ExpandResult<Values> {
        let name = name_of(parameter);
        let keys = match self.variable(&name) {
            None => Vec::new(),
            Some(Value::Record(record)) => record.keys().cloned().map(Value::Text).collect(),
            Some(Value::List(list)) => (0..list.len()).map(count).collect(),
            Some(other) => {
                let message = format!("{name} is a {} and has no keys", other.type_name());
                return Err(ExpandError::new(parameter.span, message));
            }
        };
        Ok(Values::Many(keys))
    }
}

/// Whether an operator works on the joined text of `*`, rather than element by element.
fn keeps_shape(op: &ParameterOp) -> bool {
    matches!(op, ParameterOp::None | ParameterOp::Default { .. })
}

/// The elements of a list, the values of a record, a scalar itself.
fn elements(value: &Value) -> Vec<Value> {
    match value {
        Value::List(list) => list.iter().cloned().collect(),
        Value::Record(record) => record.values().cloned().collect(),
        other => vec![other.clone()],
    }
}

/// The name of a parameter for messages.
pub(super) fn name_of(parameter: &Parameter) -> EcoString {
    match &parameter.name {
        ParameterName::Variable(name) => name.clone(),
        ParameterName::Positional(index) => EcoString::from(index.to_string()),
        ParameterName::Special(name) => EcoString::from(*name),
    }
}

fn count(n: usize) -> Value {
    Value::int(i64::try_from(n).unwrap_or(i64::MAX))
}

fn length(value: &Value) -> ExpandResult<Value> {
    Ok(count(match value {
        Value::List(list) => list.len(),
        Value::Record(record) => record.len(),
        Value::Bytes(bytes) => bytes.len(),
        Value::Text(text) if text.is_ascii() => text.len(),
        other => other.to_text().unwrap_or_default().chars().count(),
    }))
}

fn trim(text: &str, glob: &Glob, end: TrimEnd, longest: bool) -> EcoString {
    let found = match (end, longest) {
        (TrimEnd::Prefix, false) => glob.shortest_prefix(text),
        (TrimEnd::Prefix, true) => glob.longest_prefix(text),
        (TrimEnd::Suffix, false) => glob.shortest_suffix(text),
        (TrimEnd::Suffix, true) => glob.longest_suffix(text),
    };
    let Some(at) = found else { return text.into() };
    let kept = match end {
        TrimEnd::Prefix => text.get(at..),
        TrimEnd::Suffix => text.get(..at),
    };
    kept.unwrap_or(text).into()
}

fn replace(
    text: &str,
    glob: &Glob,
    scope: ReplaceScope,
    replacement: &[Option<EcoString>],
) -> EcoString {
    let mut out = EcoString::new();
    let push = |out: &mut EcoString, matched: &str| {
        for piece in replacement {
            out.push_str(piece.as_deref().unwrap_or(matched));
        }
    };
    match scope {
        ReplaceScope::Prefix => match glob.longest_prefix(text) {
            Some(at) => {
                push(&mut out, text.get(..at).unwrap_or_default());
                out.push_str(text.get(at..).unwrap_or_default());
                out
            }
            None => text.into(),
        },
        ReplaceScope::Suffix => match glob.longest_suffix(text) {
            Some(at) => {
                out.push_str(text.get(..at).unwrap_or_default());
                push(&mut out, text.get(at..).unwrap_or_default());
                out
            }
            None => text.into(),
        },
        ReplaceScope::First | ReplaceScope::All => {
            let mut from = 0;
            while let Some(found) = glob.find(text, from).filter(|_| from <= text.len()) {
                // An empty pattern replaces nothing, as in every shell.
                if found.is_empty() {
                    break;
                }
                out.push_str(text.get(from..found.start).unwrap_or_default());
                push(&mut out, text.get(found.clone()).unwrap_or_default());
                from = found.end;
                if scope == ReplaceScope::First {
                    break;
                }
            }
            out.push_str(text.get(from..).unwrap_or_default());
            out
        }
    }
}

fn change_case(text: &str, upper: bool, all: bool, glob: Option<&Glob>) -> EcoString {
    let mut out = EcoString::new();
    for (index, c) in text.chars().enumerate() {
        let wanted = (all || index == 0)
            && glob.is_none_or(|glob| glob.matches(c.encode_utf8(&mut [0; 4]).as_bytes()));
        if !wanted {
            out.push(c);
        } else if upper {
            out.extend(c.to_uppercase());
        } else {
            out.extend(c.to_lowercase());
        }
    }
    out
}

fn substring(text: &str, offset: i64, length: Option<i64>, span: Span) -> ExpandResult<EcoString> {
    let total = i64::try_from(text.chars().count()).unwrap_or(i64::MAX);
    let start = if offset < 0 { total.saturating_add(offset) } else { offset };
    if start < 0 || start > total {
        return Ok(EcoString::new());
    }
    let end = match length {
        None => total,
        Some(length) if length < 0 => total.saturating_add(length),
        Some(length) => start.saturating_add(length).min(total),
    };
    if end < start {
        return Err(ExpandError::new(
            span,
            "substring expression < 0: the end lies before the start",
        ));
    }
    let skip = usize::try_from(start).unwrap_or(usize::MAX);
    let take = usize::try_from(end - start).unwrap_or(usize::MAX);
    Ok(text.chars().skip(skip).take(take).collect())
}

fn transform(text: &str, letter: char, span: Span) -> ExpandResult<EcoString> {
    let first = |upper: bool| change_case(text, upper, false, None);
    Ok(match letter {
        'Q' => quote(text),
        'U' => text.to_uppercase().into(),
        'L' => text.to_lowercase().into(),
        'u' => first(true),
        other => {
            let message = format!("@{other} is not supported; @Q @U @L @u are");
            return Err(ExpandError::new(span, message));
        }
    })
}

/// The text in single quotes, as a shell would read it back.
pub(super) fn quote(text: &str) -> EcoString {
    let mut out = EcoString::from("'");
    out.push_str(&text.replace('\'', "'\\''"));
    out.push('\'');
    out
}

/// A list of these values.
pub(super) fn list(values: Vec<Value>) -> Value {
    Value::List(EcoVec::from(values))
}
