//! The direct path for the commonest words: literals, plain `$name`, quotes of such, arithmetic.

use super::render::push_text;
use super::{ExpandResult, Expander};
use crate::syntax::{Parameter, ParameterName, ParameterOp, Part, Word};
use crate::value::{EcoString, Value};

impl Expander {
    /// The value of a word whose expansion is direct; `None` where the general path must go.
    pub fn fast(&self, word: &Word) -> ExpandResult<Option<Value>> {
        if word.traits.runs || word.traits.globs || word.traits.braces {
            return Ok(None);
        }
        match word.parts.as_slice() {
            [Part::Literal(text) | Part::Quoted(text)] => Ok(Some(Value::Text(text.clone()))),
            [Part::Parameter(parameter)] => self.fast_parameter(parameter),
            [Part::Arithmetic(code)] => Ok(Some(Value::int(self.arith_now(code)?))),
            parts => self.fast_text(parts),
        }
    }

    fn fast_text(&self, parts: &[Part]) -> ExpandResult<Option<Value>> {
        let mut out = EcoString::new();
        Ok(self.fast_parts(parts, &mut out)?.then_some(Value::Text(out)))
    }

    /// Appends the text of `parts`; `false`, with a part of it appended, where the general path must go.
    pub(super) fn fast_parts(&self, parts: &[Part], out: &mut EcoString) -> ExpandResult<bool> {
        for part in parts {
            match part {
                Part::Literal(text) | Part::Quoted(text) => out.push_str(text),
                Part::Parameter(parameter) => match self.fast_parameter(parameter)? {
                    Some(value) => push_text(out, &value, parameter.span)?,
                    None => return Ok(false),
                },
                Part::Arithmetic(code) => {
                    push_text(out, &Value::int(self.arith_now(code)?), code.span)?;
                }
                // Double quotes do not nest, so this recursion is one level deep.
                Part::DoubleQuoted(inner) => {
                    if !self.fast_parts(inner, out)? {
                        return Ok(false);
                    }
                }
                _ => return Ok(false),
            }
        }
        Ok(true)
    }

    #[inline]
    fn fast_parameter(&self, parameter: &Parameter) -> ExpandResult<Option<Value>> {
        if !parameter.path.is_empty() || parameter.op != ParameterOp::None {
            return Ok(None);
        }
        let value = match &parameter.name {
            ParameterName::Variable(name) => self.variable(name),
            ParameterName::Positional(index) => self.positional(*index),
            ParameterName::Special('@' | '*') => return Ok(None),
            ParameterName::Special(name) => self.special(*name),
        };
        match value {
            Some(value) => Ok(Some(value)),
            None => self.unset(parameter).map(Some),
        }
    }
}
