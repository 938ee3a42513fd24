//! `[[ … ]]`: words, files, numbers, patterns, collections, short-circuit.

use std::cmp::Ordering;
use std::rc::Rc;

use super::parameter::Values;
use super::{ExpandError, ExpandResult, Expander, text_of};
use crate::pattern::{Dialect, Regex, Syntax};
use crate::syntax::{Condition, ConditionOp, Part, Span, ValueExpr, Word};
use crate::tool::{file_compare, file_test};
use crate::value::{EcoString, EcoVec, Number, Value, parse_number};
use crate::vfs::PathBuf;

impl Expander {
    /// Whether a condition holds.
    pub async fn condition(&self, condition: &Condition) -> ExpandResult<bool> {
        match condition {
            Condition::Word(word) => Ok(!self.operand(word).await?.is_empty_text()),
            Condition::Not(inner) => Ok(!Box::pin(self.condition(inner)).await?),
            Condition::And(all) => {
                for inner in all {
                    if !Box::pin(self.condition(inner)).await? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Condition::Or(any) => {
                for inner in any {
                    if Box::pin(self.condition(inner)).await? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Condition::Unary(op, word, span) => self.unary(op, word, *span).await,
            Condition::Binary(op, left, right, span) => {
                self.binary_condition(*op, left, right, *span).await
            }
            Condition::In { negated, left, right, span } => {
                let found = self.contains(left, right, *span).await?;
                Ok(found != *negated)
            }
        }
    }

    /// The value of a word in a condition: a lone expansion keeps its type.
    async fn operand(&self, word: &Word) -> ExpandResult<Value> {
        if let Some(value) = self.fast(word)? {
            return Ok(value);
        }
        Ok(match self.lone(word).await? {
            Values::One(value) => value,
            Values::Many(_) => Value::Text(self.text(word).await?),
        })
    }

    async fn unary(&self, op: &str, word: &Word, span: Span) -> ExpandResult<bool> {
        match op {
            "z" => return Ok(self.operand(word).await?.is_empty_text()),
            "n" => return Ok(!self.operand(word).await?.is_empty_text()),
            "v" => return self.is_set(word).await,
            "list" => return Ok(matches!(self.operand(word).await?, Value::List(_))),
            "record" => return Ok(matches!(self.operand(word).await?, Value::Record(_))),
            "o" => {
                let name = self.text(word).await?;
                let option = crate::env::ShellOption::from_name(&name);
                return Ok(option.is_some_and(|option| self.session.options.get().has(option)));
            }
            "t" => return Ok(self.services.interactive),
            _ => {}
        }
        let operand = self.operand(word).await?;
        let text = text_of(&operand, span)?;
        if text.is_empty() {
            return Ok(false);
        }
        let path = self.path(&text);
        match file_test(self.services.backend.as_ref(), op, &path).await {
            Some(holds) => Ok(holds),
            None => Err(ExpandError::new(span, format!("-{op} is no test that [[ ]] knows"))),
        }
    }

    fn path(&self, text: &str) -> PathBuf {
        let mut path = PathBuf::from(self.session.cwd.borrow().as_str());
        path.push(text);
        path
    }

    async fn is_set(&self, word: &Word) -> ExpandResult<bool> {
        let name = self.text(word).await?;
        if let Ok(index) = name.parse::<u32>() {
            return Ok(self.positional(index).is_some());
        }
        let Some((name, key)) = name.split_once('[') else {
            return Ok(self.variable(&name).is_some());
        };
        let key = key.strip_suffix(']').unwrap_or(key);
        Ok(match self.variable(name) {
            Some(Value::Record(record)) => record.contains_key(key),
            Some(Value::List(list)) => key
                .parse::<i64>()
                .is_ok_and(|index| super::access::position(index, list.len()).is_some()),
            _ => false,
        })
    }

    async fn binary_condition(
        &self,
        op: ConditionOp,
        left: &Word,
        right: &Word,
        span: Span,
    ) -> ExpandResult<bool> {
        match op {
            ConditionOp::Equal => self.equals(left, right, span).await,
            ConditionOp::NotEqual => Ok(!self.equals(left, right, span).await?),
            ConditionOp::Match => self.matches(left, right, span).await,
            ConditionOp::NotMatch => Ok(!self.matches(left, right, span).await?),
            ConditionOp::Less | ConditionOp::Greater => {
                let left = self.text(left).await?;
                let right = self.text(right).await?;
                let order = match (number(&left), number(&right)) {
                    (Some(left), Some(right)) => compare(&left, &right),
                    _ => left.as_str().cmp(right.as_str()),
                };
                let wanted =
                    if op == ConditionOp::Less { Ordering::Less } else { Ordering::Greater };
                Ok(order == wanted)
            }
            ConditionOp::Newer | ConditionOp::Older | ConditionOp::SameFile => {
                let left = self.path(&self.text(left).await?);
                let right = self.path(&self.text(right).await?);
                let op = match op {
                    ConditionOp::Newer => "nt",
                    ConditionOp::Older => "ot",
                    _ => "ef",
                };
                let backend = self.services.backend.as_ref();
                Ok(file_compare(backend, op, &left, &right).await.unwrap_or(false))
            }
            _ => {
                let left = self.number_operand(left, span).await?;
                let right = self.number_operand(right, span).await?;
                let order = compare(&left, &right);
                Ok(match op {
                    ConditionOp::NumEqual => order == Ordering::Equal,
                    ConditionOp::NumNotEqual => order != Ordering::Equal,
                    ConditionOp::NumLess => order == Ordering::Less,
                    ConditionOp::NumLessEqual => order != Ordering::Greater,
                    ConditionOp::NumGreater => order == Ordering::Greater,
                    _ => order != Ordering::Less,
                })
            }
        }
    }

    async fn equals(&self, left: &Word, right: &Word, span: Span) -> ExpandResult<bool> {
        let value = self.operand(left).await?;
        let lone = matches!(right.parts.as_slice(), [Part::Parameter(_) | Part::Command(_)]);
        if lone {
            let other = self.operand(right).await?;
            if value.is_collection() && other.is_collection() {
                return Ok(value == other);
            }
            if value.is_collection() || other.is_collection() {
                return Err(mixed(&value, &other, span));
            }
            let text = text_of(&value, span)?;
            let mut builder = crate::pattern::GlobBuilder::new();
            builder.push_pattern(&text_of(&other, span)?);
            return Ok(builder.build().matches(text.as_str()));
        }
        if value.is_collection() {
            return Err(mixed(&value, &Value::empty(), span));
        }
        let text = text_of(&value, span)?;
        if let [Part::Literal(other) | Part::Quoted(other)] = right.parts.as_slice() {
            return Ok(text == *other);
        }
        Ok(self.pattern(right).await?.matches(text.as_str()))
    }

    /// The compiled pattern; loops ask for the same one again and again.
    fn regex(&self, pattern: &EcoString, span: Span) -> ExpandResult<Rc<Regex>> {
        let mut last = self.session.last.regex.borrow_mut();
        if let Some((_, regex)) = last.as_ref().filter(|(known, _)| known == pattern) {
            return Ok(Rc::clone(regex));
        }
        let regex = Regex::new(pattern, Syntax::new(Dialect::Extended)).map_err(|why| {
            ExpandError::new(span, format!("bad regular expression '{pattern}': {why}"))
        })?;
        let regex = Rc::new(regex);
        *last = Some((pattern.clone(), Rc::clone(&regex)));
        Ok(regex)
    }

    async fn matches(&self, left: &Word, right: &Word, span: Span) -> ExpandResult<bool> {
        let text = self.text(left).await?;
        let pattern = self.text(right).await?;
        let regex = self.regex(&pattern, span)?;
        let mut groups = Vec::new();
        let found = regex.captures_at(text.as_str(), 0, &mut groups);
        let list: EcoVec<Value> = if found {
            let group = |span: &Option<(usize, usize)>| {
                let text = span.and_then(|(start, end)| text.get(start..end)).unwrap_or_default();
                Value::text(text)
            };
            groups.iter().map(group).collect()
        } else {
            EcoVec::new()
        };
        self.set("BASH_REMATCH", Value::List(list), false, span)?;
        Ok(found)
    }

    async fn number_operand(&self, word: &Word, span: Span) -> ExpandResult<Number> {
        let value = self.operand(word).await?;
        if let Value::Number(number) = &value {
            return Ok(number.clone());
        }
        let text = text_of(&value, span)?;
        if let Some(number) = number(&text) {
            return Ok(number);
        }
        // A bare name is a variable here, as in bash.
        if let [Part::Literal(name)] = word.parts.as_slice()
            && let Some(value) = self.variable(name)
            && let Some(number) = number(&value.to_text_lossy())
        {
            return Ok(number);
        }
        Ok(Number::Int(super::integer_of(&Value::Text(text), span)?))
    }

    async fn contains(&self, left: &Word, right: &ValueExpr, span: Span) -> ExpandResult<bool> {
        let needle = self.operand(left).await?;
        match self.value(right).await? {
            Value::List(list) => {
                let text = needle.to_text();
                Ok(list.iter().any(|element| {
                    if needle.is_collection() || element.is_collection() {
                        needle == *element
                    } else {
                        element.to_text() == text
                    }
                }))
            }
            Value::Record(record) => Ok(record.contains_key(text_of(&needle, span)?.as_str())),
            other => {
                let kind = other.type_name();
                let message = format!(
                    "`in` needs a list or record on its right, this is a {kind}; for a part of a text write [[ $x == *part* ]]"
                );
                Err(ExpandError::new(span, message))
            }
        }
    }
}

fn mixed(left: &Value, right: &Value, span: Span) -> ExpandError {
    let message = format!(
        "a {} cannot be compared with a {}; compare an element (${{x[k]}}), or test with `in`",
        left.type_name(),
        right.type_name()
    );
    ExpandError::new(span, message)
}

fn number(text: &str) -> Option<Number> {
    let text = text.trim();
    parse_number(text).or_else(|| {
        let plain = text.strip_prefix('+').unwrap_or(text);
        plain.parse::<i64>().ok().map(Number::Int)
    })
}

fn compare(left: &Number, right: &Number) -> Ordering {
    match (left.as_int(), right.as_int()) {
        (Some(left), Some(right)) => left.cmp(&right),
        _ => left.as_f64().partial_cmp(&right.as_f64()).unwrap_or(Ordering::Equal),
    }
}
