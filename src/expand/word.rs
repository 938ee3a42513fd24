//! Words to arguments, texts, patterns and values.

use std::rc::Rc;

use super::access::check_nesting;
use super::parameter::{Values, list};
use super::render::{bytes_error, push_text};
use super::{ExpandError, ExpandResult, Expander, text_of};
use crate::env::ShellOption;
use crate::pattern::{Glob, GlobBuilder};
use crate::syntax::{Argument, Brace, Element, Field, Part, Span, ValueExpr, Word};
use crate::value::{EcoString, Record, Value};

/// Most words one brace expansion may give.
const MAX_BRACES: usize = 1_000_000;

/// Arguments as they grow: finished ones, and the one being put together.
struct Fields<'x> {
    expander: &'x Expander,
    done: Vec<Value>,
    text: EcoString,
    pattern: GlobBuilder,
    /// The pattern as written, for messages.
    spelled: EcoString,
    /// Whether the argument exists even when empty.
    started: bool,
    globs: bool,
    span: Span,
}

impl Expander {
    /// Expands words to arguments. With `typed`, unquoted literals are typed.
    pub async fn arguments(&self, words: &[Argument], typed: bool) -> ExpandResult<Vec<Value>> {
        let mut values = Vec::with_capacity(words.len());
        for word in words {
            match word {
                Argument::Word(word) => self.argument(word, typed, &mut values).await?,
                // The declaring commands read their assignments themselves.
                Argument::Assignment(assignment) => {
                    values.push(Value::Text(assignment.name.clone()));
                }
            }
        }
        Ok(values)
    }

    /// Expands one word to any number of arguments.
    pub async fn argument(
        &self,
        word: &Word,
        typed: bool,
        values: &mut Vec<Value>,
    ) -> ExpandResult<()> {
        if typed && let [Part::Literal(text)] = word.parts.as_slice() {
            values.push(Value::from_literal(text));
            return Ok(());
        }
        if let Some(value) = self.fast(word)? {
            values.push(value);
            return Ok(());
        }
        if !word.traits.braces {
            return self.fields(&word.parts, word.span, values).await;
        }
        for parts in braces(&word.parts, word.span)? {
            self.fields(&parts, word.span, values).await?;
        }
        Ok(())
    }

    /// Expands the words of a `for` head to items.
    pub async fn items(&self, words: &[Word]) -> ExpandResult<Vec<Value>> {
        let mut items = Vec::new();
        for word in words {
            let [Part::Command(program)] = word.parts.as_slice() else {
                self.argument(word, false, &mut items).await?;
                continue;
            };
            let (value, typed) = self.port.run(program).await?;
            match value {
                Value::List(list) if typed => items.extend(list),
                Value::Bytes(_) => return Err(bytes_error(word.span)),
                Value::Text(text) => {
                    if !text.is_empty() {
                        items.extend(text.split('\n').map(Value::from));
                    }
                }
                other => items.push(other),
            }
        }
        if items.iter().any(|item| matches!(item, Value::Bytes(_))) {
            return Err(bytes_error(words.first().map_or(Span::default(), |word| word.span)));
        }
        Ok(items)
    }

    async fn fields(
        &self,
        parts: &[Part],
        span: Span,
        values: &mut Vec<Value>,
    ) -> ExpandResult<()> {
        // One unquoted expansion alone keeps its type and is always one argument.
        match parts {
            [Part::Spread(inner)] => {
                values.extend(self.spread(inner, span).await?);
                return Ok(());
            }
            [part @ (Part::Parameter(_) | Part::Command(_) | Part::Arithmetic(_))] => {
                match self.part_values(part, false).await? {
                    Values::One(value) => values.push(value),
                    Values::Many(many) => values.extend(many),
                }
                return Ok(());
            }
            _ => {}
        }
        let mut fields = Fields {
            expander: self,
            done: Vec::new(),
            text: EcoString::new(),
            pattern: GlobBuilder::new(),
            spelled: EcoString::new(),
            started: false,
            globs: false,
            span,
        };
        for part in parts {
            fields.add(part, false).await?;
        }
        fields.finish().await?;
        values.append(&mut fields.done);
        Ok(())
    }

    /// The elements that `...$xs` stands for.
    async fn spread(&self, inner: &Part, span: Span) -> ExpandResult<Vec<Value>> {
        match self.part_values(inner, false).await? {
            Values::Many(values) => Ok(values),
            Values::One(Value::List(list)) => Ok(list.iter().cloned().collect()),
            Values::One(value) if value.is_empty_text() => Ok(Vec::new()),
            Values::One(value) => {
                let kind = value.type_name();
                let message = format!(
                    "only a list can be spread, this is a {kind}; $(split \"$x\") makes one of text"
                );
                Err(ExpandError::new(span, message))
            }
        }
    }

    /// The text of a word: parts joined, nothing globbed.
    pub async fn text(&self, word: &Word) -> ExpandResult<EcoString> {
        if let Some(value) = self.fast(word)? {
            return text_of(&value, word.span);
        }
        self.text_of_parts(&word.parts, word.span).await
    }

    async fn text_of_parts(&self, parts: &[Part], span: Span) -> ExpandResult<EcoString> {
        let mut text = EcoString::new();
        for part in parts {
            match part {
                Part::Literal(piece) | Part::Quoted(piece) | Part::Glob(piece) => {
                    text.push_str(piece);
                }
                Part::DoubleQuoted(inner) => {
                    for part in inner {
                        self.push_values(&mut text, part, true, span).await?;
                    }
                }
                other => self.push_values(&mut text, other, false, span).await?,
            }
        }
        Ok(text)
    }

    async fn push_values(
        &self,
        text: &mut EcoString,
        part: &Part,
        quoted: bool,
        span: Span,
    ) -> ExpandResult<()> {
        match self.part_values(part, quoted).await? {
            Values::One(value) => push_text(text, &value, span),
            Values::Many(values) => {
                for (index, value) in values.iter().enumerate() {
                    if index > 0 {
                        text.push(' ');
                    }
                    push_text(text, value, span)?;
                }
                Ok(())
            }
        }
    }

    /// The value of a word in a place that takes one: `${x:-w}`, a lone expansion keeps its type.
    pub(super) async fn lone(&self, word: &Word) -> ExpandResult<Values> {
        match word.parts.as_slice() {
            [part @ (Part::Parameter(_) | Part::Command(_) | Part::Arithmetic(_))] => {
                self.part_values(part, false).await
            }
            [Part::DoubleQuoted(inner)] if matches!(inner.as_slice(), [Part::Parameter(_)]) => {
                match inner.first() {
                    Some(part) => match self.part_values(part, true).await? {
                        Values::One(value) => {
                            Ok(Values::One(Value::Text(text_of(&value, word.span)?)))
                        }
                        many => Ok(many),
                    },
                    None => Ok(Values::One(Value::empty())),
                }
            }
            _ => Ok(Values::One(Value::Text(self.text(word).await?))),
        }
    }

    /// The value of a part alone.
    pub(super) async fn lone_part(&self, part: &Part) -> ExpandResult<Value> {
        match part {
            Part::Literal(text) | Part::Quoted(text) | Part::Glob(text) => {
                Ok(Value::Text(text.clone()))
            }
            Part::DoubleQuoted(_) => {
                let text = self.text_of_parts(std::slice::from_ref(part), Span::default()).await?;
                Ok(Value::Text(text))
            }
            other => Ok(match self.part_values(other, false).await? {
                Values::One(value) => value,
                Values::Many(values) => list(values),
            }),
        }
    }

    async fn part_values(&self, part: &Part, quoted: bool) -> ExpandResult<Values> {
        Ok(match part {
            Part::Literal(text) | Part::Quoted(text) | Part::Glob(text) => {
                Values::One(Value::Text(text.clone()))
            }
            Part::Tilde => Values::One(Value::Text(self.home())),
            Part::Parameter(parameter) => self.parameter(parameter, quoted).await?,
            Part::Command(program) => Values::One(self.port.run(program).await?.0),
            Part::Arithmetic(code) => Values::One(Value::int(self.arith(code).await?)),
            Part::Spread(inner) => {
                Values::Many(Box::pin(self.spread(inner, Span::default())).await?)
            }
            Part::DoubleQuoted(inner) => {
                let text = Box::pin(self.text_of_parts(inner, Span::default())).await?;
                Values::One(Value::Text(text))
            }
            Part::Brace(_) => Values::One(Value::empty()),
        })
    }

    pub(super) fn home(&self) -> EcoString {
        let home = self.variable("HOME").and_then(|home| home.to_text());
        home.unwrap_or_else(|| EcoString::from("~"))
    }

    /// The pattern a word is: quoted text stands for itself, expansions are patterns.
    pub async fn pattern(&self, word: &Word) -> ExpandResult<Glob> {
        let mut builder = GlobBuilder::new();
        for part in &word.parts {
            match part {
                Part::Literal(text) | Part::Quoted(text) => builder.push_literal(text),
                Part::Glob(text) => builder.push_pattern(text),
                Part::DoubleQuoted(_) => {
                    let parts = std::slice::from_ref(part);
                    builder.push_literal(&self.text_of_parts(parts, word.span).await?);
                }
                other => {
                    let parts = std::slice::from_ref(other);
                    builder.push_pattern(&self.text_of_parts(parts, word.span).await?);
                }
            }
        }
        Ok(builder.build())
    }

    /// The value of what stands in value position.
    pub async fn value(&self, expr: &ValueExpr) -> ExpandResult<Value> {
        match expr {
            ValueExpr::Literal(value, _) => Ok(value.clone()),
            ValueExpr::Word(word) => match self.fast(word)? {
                Some(value) => Ok(value),
                None => Ok(match self.lone(word).await? {
                    Values::One(value) => value,
                    // `x=$@` and `x="$@"` are text, as in every shell.
                    Values::Many(values) => {
                        let texts: Vec<EcoString> =
                            values.iter().map(Value::to_text_lossy).collect();
                        Value::Text(texts.join(" ").into())
                    }
                }),
            },
            ValueExpr::List(elements, span) => {
                let mut values = Vec::with_capacity(elements.len());
                for element in elements {
                    match element {
                        Element::Value(expr) => match expr {
                            // `[$@]` and `("${arr[@]}")` hold one element per value.
                            ValueExpr::Word(word) if may_be_many(word) => {
                                self.fields(&word.parts, word.span, &mut values).await?;
                            }
                            expr => values.push(Box::pin(self.value(expr)).await?),
                        },
                        Element::Spread(word) => {
                            let Some(part) = word.parts.first() else { continue };
                            let part = if let Part::Spread(inner) = part { inner } else { part };
                            values.extend(self.spread(part, word.span).await?);
                        }
                    }
                }
                check_nesting(&values, 1, *span)?;
                Ok(list(values))
            }
            ValueExpr::Record(fields, span) => self.record(fields, *span).await,
        }
    }

    async fn record(&self, fields: &[Field], span: Span) -> ExpandResult<Value> {
        let mut record = Record::default();
        for field in fields {
            match field {
                Field::Pair(key, value) => {
                    let key = self.text(key).await?;
                    let value = Box::pin(self.value(value)).await?;
                    record.insert(key, value);
                }
                Field::Spread(word) => {
                    let Some(part) = word.parts.first() else { continue };
                    let part = if let Part::Spread(inner) = part { inner } else { part };
                    match self.lone_part(part).await? {
                        Value::Record(more) => {
                            record.extend(
                                more.iter().map(|(key, value)| (key.clone(), value.clone())),
                            );
                        }
                        value if value.is_empty_text() => {}
                        other => {
                            let kind = other.type_name();
                            let message = format!(
                                "only a record can be spread into a record, this is a {kind}"
                            );
                            return Err(ExpandError::new(span, message));
                        }
                    }
                }
            }
        }
        check_nesting(record.values(), 1, span)?;
        Ok(Value::Record(Rc::new(record)))
    }

    /// The single path a redirect's word names.
    pub async fn target(&self, word: &Word) -> ExpandResult<EcoString> {
        let mut values = Vec::new();
        self.argument(word, false, &mut values).await?;
        let [value] = values.as_slice() else {
            let message = format!("ambiguous redirect: the word gives {} paths", values.len());
            return Err(ExpandError::new(word.span, message));
        };
        if value.is_collection() {
            let message = format!("a {} cannot be the target of a redirect", value.type_name());
            return Err(ExpandError::new(word.span, message));
        }
        text_of(value, word.span)
    }
}

/// Whether a word in a list literal may stand for several elements.
fn may_be_many(word: &Word) -> bool {
    let many = |part: &Part| match part {
        Part::Parameter(parameter) => {
            matches!(parameter.name, crate::syntax::ParameterName::Special('@' | '*'))
                || matches!(parameter.path.last(), Some(crate::syntax::Subscript::All))
        }
        _ => false,
    };
    match word.parts.as_slice() {
        [Part::DoubleQuoted(inner)] => inner.len() == 1 && inner.iter().all(many),
        [part] => many(part),
        _ => false,
    }
}

impl Fields<'_> {
    async fn add(&mut self, part: &Part, quoted: bool) -> ExpandResult<()> {
        match part {
            Part::Literal(text) | Part::Quoted(text) => {
                self.started = true;
                self.literal(text);
            }
            Part::Glob(text) => {
                self.started = true;
                self.globs = true;
                self.text.push_str(text);
                self.spelled.push_str(text);
                self.pattern.push_pattern(text);
            }
            Part::DoubleQuoted(inner) => {
                // `"$@"` alone may give no argument at all; every other quote gives one.
                let lone = inner.len() == 1 && matches!(inner.first(), Some(Part::Parameter(_)));
                self.started |= !lone;
                for part in inner {
                    Box::pin(self.add(part, true)).await?;
                }
            }
            other => match self.expander.part_values(other, quoted).await? {
                Values::One(value) => {
                    self.started = true;
                    let text = text_of(&value, self.span)?;
                    self.literal(&text);
                }
                Values::Many(values) => self.many(&values).await?,
            },
        }
        Ok(())
    }

    async fn many(&mut self, values: &[Value]) -> ExpandResult<()> {
        for (index, value) in values.iter().enumerate() {
            if index > 0 {
                self.finish().await?;
            }
            self.started = true;
            if values.len() > 1 || !self.text.is_empty() || !matches!(value, Value::Bytes(_)) {
                let text = text_of(value, self.span)?;
                self.literal(&text);
            }
        }
        Ok(())
    }

    fn literal(&mut self, text: &str) {
        self.text.push_str(text);
        self.spelled.push_str(text);
        self.pattern.push_literal(text);
    }

    async fn finish(&mut self) -> ExpandResult<()> {
        if !std::mem::take(&mut self.started) {
            return Ok(());
        }
        let text = std::mem::take(&mut self.text);
        let spelled = std::mem::take(&mut self.spelled);
        let pattern = std::mem::replace(&mut self.pattern, GlobBuilder::new());
        let globs = std::mem::take(&mut self.globs);
        if globs && self.expander.session.options.get().has(ShellOption::Glob) {
            let paths = self.expander.paths(&pattern.build_path(), &spelled, self.span).await?;
            self.done.extend(paths.into_iter().map(Value::Text));
        } else {
            self.done.push(Value::Text(text));
        }
        Ok(())
    }
}

/// The words a word with braces stands for, in order.
fn braces(parts: &[Part], span: Span) -> ExpandResult<Vec<Vec<Part>>> {
    let mut words: Vec<Vec<Part>> = vec![Vec::new()];
    for part in parts {
        let Part::Brace(brace) = part else {
            for word in &mut words {
                word.push(part.clone());
            }
            continue;
        };
        let choices = alternatives(brace, span)?;
        if words.len().saturating_mul(choices.len()) > MAX_BRACES {
            let message =
                format!("the braces give more than {MAX_BRACES} words; use seq or a loop");
            return Err(ExpandError::new(span, message));
        }
        let mut product = Vec::with_capacity(words.len() * choices.len());
        for word in &words {
            for choice in &choices {
                product.push(word.iter().chain(choice).cloned().collect());
            }
        }
        words = product;
    }
    Ok(words)
}

fn alternatives(brace: &Brace, span: Span) -> ExpandResult<Vec<Vec<Part>>> {
    let literal = |text: EcoString| vec![Part::Literal(text)];
    match brace {
        Brace::List(choices) => {
            let mut all = Vec::new();
            for choice in choices {
                all.extend(braces(choice, span)?);
            }
            Ok(all)
        }
        Brace::Numbers { start, end, step, width } => {
            let distance = start.abs_diff(*end) / (*step).max(1);
            if distance >= MAX_BRACES as u64 {
                let message =
                    format!("the braces give more than {MAX_BRACES} words; use seq or a loop");
                return Err(ExpandError::new(span, message));
            }
            let sign = if end < start { -1 } else { 1 };
            let step = i64::try_from((*step).max(1)).unwrap_or(i64::MAX).saturating_mul(sign);
            let numbers = (0..=i64::try_from(distance).unwrap_or(0)).map(|n| start + n * step);
            Ok(numbers.map(|n| literal(pad(n, *width))).collect())
        }
        Brace::Letters(start, end, step) => {
            let step = usize::try_from((*step).max(1)).unwrap_or(1);
            let forward: Vec<char> = if start <= end {
                (*start..=*end).step_by(step).collect()
            } else {
                (*end..=*start).rev().step_by(step).collect()
            };
            Ok(forward.into_iter().map(|c| literal(c.into())).collect())
        }
    }
}

fn pad(n: i64, width: usize) -> EcoString {
    if n < 0 {
        let digits = width.saturating_sub(1);
        EcoString::from(format!("-{:0digits$}", n.unsigned_abs()))
    } else {
        EcoString::from(format!("{n:0width$}"))
    }
}
