//! `local export readonly declare typeset` with assignments among their words.

use std::rc::Rc;

use super::Machine;
use super::flow::Flow;
use super::frame::Next;
use super::simple::literal_name;
use crate::expand::{Container, Declaration, ExpandResult, Expander};
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
                Ok(failures) => {
                    let name = literal_name(&simple).unwrap_or_default();
                    for message in &failures {
                        machine.complain(simple.span, &format!("{name}: {message}"));
                    }
                    machine.finish(u8::from(!failures.is_empty()));
                    Ok(())
                }
                Err(error) => machine.expansion_failed(&error, false),
            }) as Next
        });
        Ok(())
    }
}

/// Declares name by name, so that a later value sees an earlier one; the messages are failures.
async fn declare(expander: &Expander, simple: &SimpleCommand) -> ExpandResult<Vec<String>> {
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
                    if let Err(message) = plain_word(expander, &mut declaration, &word) {
                        failures.push(message);
                    }
                }
            }
        }
    }
    Ok(failures)
}

/// An option, a name, or `NAME=value` that an expansion gave.
fn plain_word(
    expander: &Expander,
    declaration: &mut Declaration,
    word: &Value,
) -> Result<(), String> {
    let text = word.to_text_lossy();
    if let Some(letters) = text.strip_prefix('-').filter(|letters| !letters.is_empty()) {
        for letter in letters.chars() {
            match letter {
                'a' => declaration.container = Some(Container::List),
                'A' => declaration.container = Some(Container::Record),
                'r' => declaration.readonly = true,
                'x' => declaration.export = Some(true),
                'g' => declaration.local = false,
                'n' => declaration.export = Some(false),
                '-' => {}
                other => return Err(format!("-{other}: this attribute is not supported")),
            }
        }
        return Ok(());
    }
    let (name, value) = match text.split_once('=') {
        Some((name, value)) => (name, Some((Value::text(value), false))),
        None => (text.as_str(), None),
    };
    let span = crate::syntax::Span::default();
    expander.declare(*declaration, name, value, span).map_err(|error| error.message)
}
