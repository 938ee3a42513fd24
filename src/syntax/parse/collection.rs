//! Values: typed literals, lists, records, and bash's `(a b c)`.

use super::word::{Place, bare};
use super::{Parse, Parser, is_meta};
use crate::syntax::{Diagnostic, Element, Field, Kind, Part, Span, ValueExpr, Word};
use crate::value::{EcoString, Value, parse_number};

impl Parser<'_> {
    /// What stands in value position; `record` makes `()` an empty record.
    pub(super) fn value(&mut self, place: Place, record: bool) -> Parse<ValueExpr> {
        let start = self.at;
        let value = match self.peek() {
            Some(b'[') => self.nested(Self::list)?,
            Some(b'{') => self.nested(Self::record)?,
            Some(b'(') if place == Place::Value => return self.nested(|p| p.array(record)),
            _ => {
                let word = self.word(place)?;
                if self.sees_glued_bracket(place) {
                    return self.glued(start);
                }
                return Ok(self.typed(word, place));
            }
        };
        let ended = match self.peek() {
            None => true,
            Some(b) => place.ends(b),
        };
        if !ended || (self.peek() == Some(b'(')) {
            return self.glued(start);
        }
        Ok(value)
    }

    /// Whether a bracket follows that would open a literal where a word already stands.
    fn sees_glued_bracket(&self, place: Place) -> bool {
        place == Place::Value && self.peek() == Some(b'(')
    }

    /// Reports text that goes on after a literal, or brackets in a word.
    fn glued<T>(&mut self, start: usize) -> Parse<T> {
        let rest = self.rest();
        let end =
            rest.find(|c: char| c.is_ascii() && is_meta(c as u8) && c != '(').unwrap_or(rest.len());
        let written = self.slice(start, self.at + end.max(1)).to_owned();
        let span = Span::new(start, self.at + end.max(1));
        let message = "the text goes on after a list or record: quote it to have text";
        self.fail(Diagnostic::syntax(span, message).with_fix(format!("'{written}'")))
    }

    /// A word that is one bare run gets the type it is spelled with.
    fn typed(&self, word: Word, place: Place) -> ValueExpr {
        let span = word.span;
        let text = match word.parts.as_slice() {
            [] => return ValueExpr::Literal(Value::empty(), span),
            [Part::Literal(text)] => text,
            _ => return ValueExpr::Word(word),
        };
        ValueExpr::Literal(literal(text, matches!(place, Place::Element)), span)
    }

    /// Skips what separates elements.
    fn skip_separators(&mut self) {
        loop {
            self.skip_newlines();
            if !self.eat(",") {
                break;
            }
        }
    }

    /// `[a "b c" $x ...$ys]`
    fn list(&mut self) -> Parse<ValueExpr> {
        let start = self.at;
        self.at += 1;
        self.paint(start, Kind::Operator);
        let mut elements = Vec::new();
        loop {
            self.skip_separators();
            if self.eat("]") {
                break;
            }
            self.check_element(start, "]")?;
            if let Some(word) = self.spread_word()? {
                elements.push(Element::Spread(word));
            } else {
                elements.push(Element::Value(self.value(Place::Element, false)?));
            }
            self.check_element_end(start)?;
        }
        self.paint(self.at - 1, Kind::Operator);
        Ok(ValueExpr::List(elements, self.span_from(start)))
    }

    /// `{name: amy, ...$rest}`
    fn record(&mut self) -> Parse<ValueExpr> {
        let start = self.at;
        self.at += 1;
        self.paint(start, Kind::Operator);
        let mut fields: Vec<Field> = Vec::new();
        loop {
            self.skip_separators();
            if self.eat("}") {
                break;
            }
            self.check_element(start, "}")?;
            if let Some(word) = self.spread_word()? {
                fields.push(Field::Spread(word));
            } else {
                let field = self.field(start, fields.last())?;
                fields.push(field);
            }
            self.check_element_end(start)?;
        }
        self.paint(self.at - 1, Kind::Operator);
        Ok(ValueExpr::Record(fields, self.span_from(start)))
    }

    /// `key: value`
    fn field(&mut self, opening: usize, before: Option<&Field>) -> Parse<Field> {
        let key = self.word(Place::Key)?;
        self.paint_span(key.span, Kind::Key);
        self.skip_blanks();
        if !self.eat(":") {
            if self.at >= self.bytes.len() {
                return self.unclosed_literal(opening);
            }
            return self.no_colon(&key, opening, before);
        }
        self.skip_newlines();
        if self.at >= self.bytes.len() {
            return self.unclosed_literal(opening);
        }
        if matches!(self.peek(), Some(b',' | b'}' | b']')) {
            let key = key.span.text(self.text).to_owned();
            let message = format!("expected a value after `{key}:`, found {}", self.here());
            let diagnostic = Diagnostic::syntax(self.here_span(), message);
            return self.fail(diagnostic.with_fix(format!("{key}: \"\"")));
        }
        self.check_element(opening, "}")?;
        Ok(Field::Pair(key, self.value(Place::Element, false)?))
    }

    /// A word in a record that no `:` follows.
    fn no_colon<T>(&mut self, key: &Word, opening: usize, before: Option<&Field>) -> Parse<T> {
        let written = key.span.text(self.text).to_owned();
        if let Some(Field::Pair(name, value)) = before {
            let value = value_span(value);
            let between = self.slice(value.end as usize, key.span.start as usize);
            if !between.is_empty() && between.bytes().all(|b| b == b' ' || b == b'\t') {
                let span = value.to(key.span);
                let fix = format!("{}: \"{}\"", name.span.text(self.text), span.text(self.text));
                let message = "a value of several words must be quoted";
                return self.fail(Diagnostic::syntax(span, message).with_fix(fix));
            }
        }
        if !self.slice(opening, self.at).contains(':') && matches!(self.peek(), Some(b',' | b'}')) {
            let end = self.rest().find('}').map_or(self.at, |end| self.at + end + 1);
            let span = Span::new(opening, end);
            let message = "after `=` a `{` opens a record, `{key: value}`: quote it to have text";
            let fix = format!("'{}'", span.text(self.text));
            return self.fail(Diagnostic::syntax(span, message).with_fix(fix));
        }
        let rest = self.rest();
        let value = rest.find([' ', '\t', '\n', ',', '}', ']']).and_then(|end| rest.get(..end));
        let value = value.filter(|value| !value.is_empty()).unwrap_or("value");
        let fix = format!("{written}: {value}");
        let message = format!("expected `:` after the key `{written}`, found {}", self.here());
        self.fail(Diagnostic::syntax(self.here_span(), message).with_fix(fix))
    }

    /// `...$xs` as an element.
    fn spread_word(&mut self) -> Parse<Option<Word>> {
        if !self.sees_spread() {
            return Ok(None);
        }
        self.at += 3;
        self.word(Place::Element).map(Some)
    }

    /// Sees that an element begins here.
    fn check_element(&mut self, opening: usize, closer: &str) -> Parse<()> {
        let Some(b) = self.peek() else { return self.unclosed_literal(opening) };
        let opener = self.slice(opening, opening + 1).to_owned();
        if matches!(b, b']' | b'}') {
            let message =
                format!("expected `{closer}` to end the `{opener}`, found {}", self.here());
            return self.fail(Diagnostic::syntax(self.here_span(), message));
        }
        if is_meta(b) {
            let token = self.here_token().to_owned();
            let what = if opener == "[" { "list" } else { "record" };
            let message = format!("`{token}` cannot stand in a {what}: quote it");
            return self.fail(
                Diagnostic::syntax(self.here_span(), message).with_fix(format!("'{token}'")),
            );
        }
        Ok(())
    }

    /// Sees that the element read last ends here.
    fn check_element_end(&mut self, opening: usize) -> Parse<()> {
        match self.peek() {
            None => self.unclosed_literal(opening),
            Some(b) if Place::Element.ends(b) => Ok(()),
            Some(_) => self.glued(self.at),
        }
    }

    fn unclosed_literal<T>(&mut self, opening: usize) -> Parse<T> {
        let closer = if self.bytes.get(opening) == Some(&b'[') { "]" } else { "}" };
        let opener = self.slice(opening, opening + 1).to_owned();
        let message = format!("this `{opener}` is never closed by `{closer}`");
        self.unclosed(Span::new(opening, opening + 1), message)
    }

    /// `(a b c)` or `([k]=v …)`, as bash writes collections; `record` settles what `()` is.
    fn array(&mut self, record: bool) -> Parse<ValueExpr> {
        let start = self.at;
        self.at += 1;
        let mut elements = Vec::new();
        let mut fields = Vec::new();
        loop {
            self.skip_newlines();
            let Some(b) = self.peek() else {
                return self
                    .unclosed(Span::new(start, start + 1), "this `(` is never closed by `)`");
            };
            if self.eat(")") {
                break;
            }
            if is_meta(b) {
                let token = self.here_token().to_owned();
                let message = format!("`{token}` cannot stand in a list: quote it");
                let diagnostic = Diagnostic::syntax(self.here_span(), message);
                return self.fail(diagnostic.with_fix(format!("'{token}'")));
            }
            match self.keyed_item()? {
                Some(field) => fields.push(field),
                None => elements.push(self.item()?),
            }
        }
        let span = self.span_from(start);
        self.check_array_end(start)?;
        if elements.is_empty() && (record || !fields.is_empty()) {
            return Ok(if record {
                ValueExpr::Record(fields, span)
            } else {
                counted(fields, span)
            });
        }
        if !fields.is_empty() {
            let message =
                "a list has no keys and a record no bare elements: give all of them keys, or none";
            return self
                .fail(Diagnostic::syntax(span, message).with_fix("{key: value, other: value}"));
        }
        Ok(ValueExpr::List(elements, span))
    }

    fn check_array_end(&mut self, start: usize) -> Parse<()> {
        let ended = self.peek().is_none_or(|b| is_meta(b) && b != b'(');
        if ended { Ok(()) } else { self.glued(start) }
    }

    /// An element of `(…)`, where bash would expand patterns and split.
    fn item(&mut self) -> Parse<Element> {
        let mut word = self.word(Place::Item)?;
        if let [Part::Spread(part)] = word.parts.as_slice() {
            word.parts = vec![(**part).clone()];
            return Ok(Element::Spread(word));
        }
        if word.traits.globs || word.traits.braces {
            let written = word.span.text(self.text).to_owned();
            let message = format!("`{written}` is not expanded in a list");
            let fix = if word.traits.globs {
                format!("a list of files: $(glob '{written}')")
            } else {
                "name the elements one by one".to_owned()
            };
            self.report(Diagnostic::syntax(word.span, message).with_fix(fix));
        } else if let [Part::Command(_)] = word.parts.as_slice() {
            let message = "this is one element; nothing splits it";
            let fix = format!("$(split \"{}\")", word.span.text(self.text));
            self.report(Diagnostic::warning("syntax", word.span, message).with_fix(fix));
        }
        Ok(Element::Value(self.typed(word, Place::Value)))
    }

    /// `[key]=value` in `(…)`.
    fn keyed_item(&mut self) -> Parse<Option<Field>> {
        if self.peek() != Some(b'[') {
            return Ok(None);
        }
        let key = self.attempt(|p| {
            p.at += 1;
            let key = p.word(Place::Subscript).ok()?;
            (p.eat("]=") && !key.parts.is_empty()).then_some(key)
        });
        let Some(key) = key else { return Ok(None) };
        let word = self.word(Place::Value)?;
        Ok(Some(Field::Pair(key, self.typed(word, Place::Value))))
    }
}

/// `([0]=a [1]=b)`: a list where the keys count from 0, else a record.
fn counted(fields: Vec<Field>, span: Span) -> ValueExpr {
    let counts = fields.iter().enumerate().all(|(index, field)| match field {
        Field::Pair(key, _) => bare(key).is_some_and(|key| *key == index.to_string()),
        Field::Spread(_) => false,
    });
    if !counts {
        return ValueExpr::Record(fields, span);
    }
    let values = fields.into_iter().filter_map(|field| match field {
        Field::Pair(_, value) => Some(Element::Value(value)),
        Field::Spread(_) => None,
    });
    ValueExpr::List(values.collect(), span)
}

/// The value of an unquoted literal.
fn literal(text: &EcoString, in_collection: bool) -> Value {
    match text.as_str() {
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        "null" if in_collection => Value::Null,
        _ => match text.as_bytes().first() {
            Some(b'-' | b'0'..=b'9') => {
                parse_number(text).map_or_else(|| Value::Text(text.clone()), Value::Number)
            }
            _ => Value::Text(text.clone()),
        },
    }
}

fn value_span(value: &ValueExpr) -> Span {
    match value {
        ValueExpr::Word(word) => word.span,
        ValueExpr::Literal(_, span) | ValueExpr::List(_, span) | ValueExpr::Record(_, span) => {
            *span
        }
    }
}
