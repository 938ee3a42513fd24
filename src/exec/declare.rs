//! `local export readonly declare typeset` with assignments among their words.

use std::rc::Rc;

use super::Machine;
use super::flow::Flow;
use super::frame::Next;
use super::simple::literal_name;
use crate::expand::{Declaration, ExpandResult, Expander};
use crate::syntax::{Argument, SimpleCommand};
use crate::value::Value;

const DECLARING: [&str; 5] = ["local", "export", "readonly", "declare", "typeset"];

impl Machine {
    /// Whether the command declares by assignments that only the tree knows.
    pub(super) fn declares(&self, simple: &SimpleCommand) -> bool {
        simple.words.iter().any(|word| matches!(word, Argument::Assignment(_)))
            && literal_name(simple).is_some_and(|name| {
                DECLARING.contains(&name) && !self.session().functions.borrow().contains_key(name)
            })
    }

    pub(super) fn start_declare(&mut self, simple: &Rc<SimpleCommand>) -> Flow {
        let expander = self.expander();
        let simple = Rc::clone(simple);
        expander.port.take_ran();
        self.wait(async move {
            let result = declare(&expander, &simple).await;
            Box::new(move |machine: &mut Self| match result {
                Ok((failures, status)) => {
                    let name = literal_name(&simple).unwrap_or_default();
                    for message in &failures {
                        machine.complain(simple.span, &format!("{name}: {message}"));
                    }
                    machine.finish(status);
                    Ok(())
                }
                Err(error) => machine.expansion_failed(&error, false),
            }) as Next
        });
        Ok(())
    }
}

/// Declares name by name, so that a later value sees an earlier one; what failed and the status.
async fn declare(expander: &Expander, simple: &SimpleCommand) -> ExpandResult<(Vec<String>, u8)> {
    let exports = literal_name(simple) == Some("export");
    let mut declaration = match literal_name(simple) {
        Some("export") => Declaration { export: Some(true), ..Declaration::default() },
        Some("readonly") => Declaration { readonly: true, ..Declaration::default() },
        Some("local") => Declaration { local: true, ..Declaration::default() },
        _ => {
            let local = expander.session.scope.borrow().in_function();
            Declaration { local, ..Declaration::default() }
        }
    };
    let mut failures = Vec::new();
    for argument in simple.words.iter().skip(1) {
        match argument {
            Argument::Assignment(assignment) => {
                let value = expander.value(&assignment.value).await?;
                if assignment.path.is_empty() {
                    let value = Some((value, assignment.append));
                    let done =
                        expander.declare(declaration, &assignment.name, value, assignment.span);
                    failures.extend(done.err().map(|error| error.message));
                } else {
                    expander.assign(assignment).await?;
                }
            }
            Argument::Word(word) => {
                let mut words = Vec::new();
                expander.argument(word, false, &mut words).await?;
                for word in words {
                    let text = word.to_text_lossy();
                    if text.len() > 1 && text.starts_with(['-', '+']) {
                        if let Err(message) = option(&mut declaration, &text, exports) {
                            return Ok((vec![message], 2));
                        }
                    } else if let Err(message) = plain_word(expander, declaration, &text) {
                        failures.push(message);
                    }
                }
            }
        }
    }
    let status = u8::from(!failures.is_empty());
    Ok((failures, status))
}

/// Option letters: `-x`, `-aA`, `+x`; `export -n` takes the attribute back.
fn option(declaration: &mut Declaration, word: &str, exports: bool) -> Result<(), String> {
    match word {
        "--" => Ok(()),
        "+x" => {
            declaration.export = Some(false);
            Ok(())
        }
        "-n" if exports => {
            declaration.export = Some(false);
            Ok(())
        }
        _ => match word.strip_prefix('-') {
            Some(letters) => letters.chars().try_for_each(|letter| declaration.option(letter)),
            None => Err(format!("invalid option '{word}'")),
        },
    }
}

/// A name, or `NAME=value` that an expansion gave.
fn plain_word(expander: &Expander, declaration: Declaration, text: &str) -> Result<(), String> {
    let (name, value) = match text.split_once('=') {
        Some(("", _)) => {
            return Err(format!(
                "'{text}': not a valid identifier; NAME=value has no blanks around `=`"
            ));
        }
        Some((name, value)) => (name, Some((Value::text(value), false))),
        None => (text, None),
    };
    let span = crate::syntax::Span::default();
    expander.declare(declaration, name, value, span).map_err(|error| error.message)
}
