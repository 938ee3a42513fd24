//! `local`, `export`, `readonly`, `declare`: attributes and values of names.

use super::{ExpandError, ExpandResult, Expander};
use crate::syntax::Span;
use crate::value::{EcoVec, Record, Value};

/// What a declaring command does to each of its names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Declaration {
    /// Shield the name until the function ends.
    pub local: bool,
    /// Turn the export attribute on or off.
    pub export: Option<bool>,
    /// Make it readonly.
    pub readonly: bool,
    /// Start an unset name as an empty collection.
    pub container: Option<Container>,
}

/// The collection a name starts as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Container {
    /// `-a`
    List,
    /// `-A`
    Record,
}

impl Declaration {
    /// Takes an option letter of `declare` and its kin; the error says what to write instead.
    pub fn option(&mut self, letter: char) -> Result<(), String> {
        match letter {
            'a' => self.container = Some(Container::List),
            'A' => self.container = Some(Container::Record),
            'r' => self.readonly = true,
            'x' => self.export = Some(true),
            'g' => self.local = false,
            'p' | 'I' => {}
            'i' => return Err("-i: there are no integer variables; compute with x=$((…))".into()),
            'l' => return Err("-l: text is not changed on assignment; write ${x,,}".into()),
            'u' => return Err("-u: text is not changed on assignment; write ${x^^}".into()),
            'n' => {
                let way = "${!x} reads the variable that x names";
                return Err(format!("-n: there are no references; {way}"));
            }
            other => return Err(format!("invalid option '-{other}'")),
        }
        Ok(())
    }
}

impl Expander {
    /// Declares one name, with a value where given; `append` is `+=`.
    pub fn declare(
        &self,
        declaration: Declaration,
        name: &str,
        value: Option<(Value, bool)>,
        span: Span,
    ) -> ExpandResult<()> {
        if !is_name(name) {
            return Err(ExpandError::new(span, format!("'{name}': not a valid identifier")));
        }
        let mut scope = self.session.scope.borrow_mut();
        // A local variable is exported where the one it shields is.
        let mut inherited = false;
        if declaration.local {
            inherited = scope.variable(name).is_some_and(|variable| variable.exported);
            let readonly = scope.variable(name).is_some_and(|variable| variable.readonly);
            if readonly {
                return Err(ExpandError::new(span, format!("{name}: readonly variable")));
            }
            if !scope.shield(name) {
                return Err(ExpandError::new(
                    span,
                    "can only be used in a function; outside of one write NAME=value",
                ));
            }
        }
        drop(scope);
        if let Some((value, append)) = value {
            let collection = value.is_collection();
            let exports = declaration.export == Some(true);
            if collection && exports {
                let message = format!("{name} would export a collection; write {name}=$(tojson …)");
                return Err(ExpandError::new(span, message));
            }
            // A readonly name fails the declaring command, not the script.
            self.set(name, value, append, span)
                .map_err(|error| ExpandError::new(span, error.message))?;
        }
        let mut scope = self.session.scope.borrow_mut();
        if declaration.export == Some(true) && scope.get(name).is_some_and(Value::is_collection) {
            let message =
                format!("{name} holds a collection, which cannot be exported; use tojson");
            return Err(ExpandError::new(span, message));
        }
        scope.declare(name, |variable| {
            if let Some(export) = declaration.export {
                variable.exported = export;
            }
            let collection = variable.value.as_ref().is_some_and(Value::is_collection);
            variable.exported |= inherited && !collection && declaration.container.is_none();
            variable.readonly |= declaration.readonly;
            if let (None, Some(container)) = (&variable.value, declaration.container) {
                variable.value = Some(match container {
                    Container::List => Value::List(EcoVec::new()),
                    Container::Record => Value::Record(std::rc::Rc::new(Record::default())),
                });
            }
        });
        Ok(())
    }
}

/// Whether a text is a variable name: letters, digits, `_`, other scripts, emoji; no digit first.
pub fn is_name(name: &str) -> bool {
    let mut chars = name.chars();
    let first = chars.next();
    first.is_some_and(|c| c == '_' || !c.is_ascii() || c.is_ascii_alphabetic())
        && chars.all(|c| c == '_' || !c.is_ascii() || c.is_ascii_alphanumeric())
}
