//! Simple commands: aliases, prefix assignments, words, redirects, then the call.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::Machine;
use super::flow::Flow;
use super::frame::{Frame, Next};
use super::redirect::{Opened, open_all, open_fast};
use crate::env::{ShellOption, Variable};
use crate::expand::{ExpandError, ExpandResult, Expander};
use crate::io::Descriptors;
use crate::syntax::{Argument, Assignment, Command, Part, SimpleCommand, parse};
use crate::value::{EcoString, Value};

/// A command whose words and redirects are expanded.
struct Ready {
    words: Vec<Value>,
    opened: Option<Opened>,
}

impl Machine {
    pub(super) fn simple(&mut self, simple: &Rc<SimpleCommand>) -> Flow {
        self.at_line(simple.line);
        let aliased = match self.expand_alias(simple) {
            Some(Ok(aliased)) => Some(aliased),
            Some(Err(message)) => {
                self.complain(simple.span, &message);
                self.finish(2);
                return Ok(());
            }
            None => None,
        };
        let simple = aliased.as_ref().unwrap_or(simple);
        if simple.words.is_empty() {
            return self.assign_only(simple);
        }
        if self.declares(simple) {
            return self.start_declare(simple);
        }
        let typed = self.takes_values(simple);
        if simple.assignments.is_empty() {
            let ready = match self.fast_words(simple, typed) {
                Ok(Some(words)) => {
                    self.fast_redirects(simple).map(|fds| fds.map(|fds| (words, fds)))
                }
                Ok(None) => Ok(None),
                Err(error) => Err(error),
            };
            match ready {
                Ok(Some((words, fds))) => {
                    if let Some(fds) = fds {
                        self.redirect(Opened { fds, files: Vec::new() });
                    }
                    return self.call(words);
                }
                Ok(None) => {}
                Err(error) => return self.expansion_failed(&error, false),
            }
        }
        self.prepare(simple, typed);
        Ok(())
    }

    /// The words, where all are direct.
    fn fast_words(&self, simple: &SimpleCommand, typed: bool) -> ExpandResult<Option<Vec<Value>>> {
        let expander = &self.fast_expander;
        let mut values = Vec::with_capacity(simple.words.len());
        for word in &simple.words {
            let Argument::Word(word) = word else { return Ok(None) };
            if typed && let [Part::Literal(text)] = word.parts.as_slice() {
                values.push(Value::from_literal(text));
                continue;
            }
            match expander.fast(word)? {
                Some(value) => values.push(value),
                None => return Ok(None),
            }
        }
        Ok(Some(values))
    }

    /// The descriptors, where all redirects are direct; the inner option is `None` without any.
    fn fast_redirects(&self, simple: &SimpleCommand) -> ExpandResult<Option<Option<Descriptors>>> {
        if simple.redirects.is_empty() {
            return Ok(Some(None));
        }
        let fds = open_fast(&self.fast_expander, &simple.redirects, &self.cx.streams.fds)?;
        Ok(fds.map(Some))
    }

    /// The general path: everything in one coroutine, in order.
    fn prepare(&mut self, simple: &Rc<SimpleCommand>, typed: bool) {
        if !simple.assignments.is_empty() {
            let scope = self.cx.session.scope.borrow();
            let saved = simple
                .assignments
                .iter()
                .map(|assignment| {
                    (assignment.name.clone(), scope.variable(&assignment.name).cloned())
                })
                .collect::<Vec<(EcoString, Option<Variable>)>>();
            drop(scope);
            self.frames.push(Frame::Prefix(saved));
        }
        let expander = self.expander();
        let fds = self.cx.streams.fds.clone();
        let simple = Rc::clone(simple);
        self.wait(async move {
            let ready = prepare(&expander, &simple, typed, fds).await;
            Box::new(move |machine: &mut Self| match ready {
                Ok(ready) => machine.prepared(ready),
                Err(error) => machine.expansion_failed(&error, false),
            }) as Next
        });
    }

    fn prepared(&mut self, ready: Ready) -> Flow {
        if let Some(opened) = ready.opened {
            self.redirect(opened);
        }
        if ready.words.is_empty() {
            // Every word vanished: what is left are ordinary assignments.
            if let Some(Frame::Prefix(_)) = self.frames.last() {
                self.frames.pop();
            }
            self.finish(0);
            return Ok(());
        }
        self.call(ready.words)
    }

    /// `NAME=value…` with no command.
    fn assign_only(&mut self, simple: &Rc<SimpleCommand>) -> Flow {
        if simple.redirects.is_empty() && simple.assignments.iter().all(is_direct) {
            for assignment in &simple.assignments {
                match self.fast_expander.assign_fast(assignment) {
                    Ok(true) => {}
                    Ok(false) => return self.assign_slowly(simple),
                    Err(error) => return self.expansion_failed(&error, true),
                }
            }
            self.trace_assignments(simple);
            self.finish(0);
            return Ok(());
        }
        self.assign_slowly(simple)
    }

    fn assign_slowly(&mut self, simple: &Rc<SimpleCommand>) -> Flow {
        let expander = self.expander();
        let fds = self.cx.streams.fds.clone();
        let simple = Rc::clone(simple);
        expander.port.take_ran();
        self.wait(async move {
            let done = assign_all(&expander, &simple, fds).await;
            Box::new(move |machine: &mut Self| match done {
                Ok(opened) => {
                    machine.trace_assignments(&simple);
                    // The status is that of the last substitution, where there was one.
                    let status = if machine.port.take_ran() { machine.status() } else { 0 };
                    machine.finish(status);
                    machine.close(opened.files);
                    Ok(())
                }
                Err(error) => machine.expansion_failed(&error, simple.redirects.is_empty()),
            }) as Next
        });
        Ok(())
    }

    fn trace_assignments(&mut self, simple: &SimpleCommand) {
        if self.option(ShellOption::XTrace) {
            for assignment in &simple.assignments {
                let text = assignment.span.text(&self.source.text).to_string();
                self.write_error(&format!("+ {text}\n"));
            }
        }
    }

    /// Whether the command, as written, is a builtin that takes typed words.
    fn takes_values(&self, simple: &SimpleCommand) -> bool {
        let Some(name) = literal_name(simple) else { return false };
        let registry = &self.cx.services.registry;
        registry.builtin(name).is_some_and(|builtin| builtin.spec.typed)
            && !self.session().functions.borrow().contains_key(name)
    }

    /// The command with its alias put in place of its first word.
    fn expand_alias(
        &self,
        simple: &Rc<SimpleCommand>,
    ) -> Option<Result<Rc<SimpleCommand>, String>> {
        let aliases = self.session().aliases.borrow();
        if aliases.is_empty() {
            return None;
        }
        let mut current = Rc::clone(simple);
        let mut seen = BTreeSet::new();
        while let Some(name) = literal_name(&current).map(EcoString::from) {
            let Some(text) = aliases.get(&name).filter(|_| seen.insert(name.clone())) else {
                break;
            };
            match splice(&current, text) {
                Some(spliced) => current = Rc::new(spliced),
                None => return Some(Err(format!("alias {name} is not a simple command: {text}"))),
            }
        }
        (!seen.is_empty()).then_some(Ok(current))
    }
}

/// Puts the words, assignments and redirects of an alias's text before the rest of a command.
fn splice(simple: &SimpleCommand, text: &str) -> Option<SimpleCommand> {
    let parsed = parse(text);
    if parsed.has_errors() {
        return None;
    }
    let mut spliced = match parsed.script.statements.as_slice() {
        [] => SimpleCommand::default(),
        [statement] if statement.rest.is_empty() && !statement.background => {
            match statement.first.stages.as_slice() {
                [stage] => match &stage.command {
                    Command::Simple(alias) => SimpleCommand::clone(alias),
                    _ => return None,
                },
                _ => return None,
            }
        }
        _ => return None,
    };
    let mut assignments = simple.assignments.clone();
    assignments.append(&mut spliced.assignments);
    spliced.assignments = assignments;
    spliced.words.extend(simple.words.iter().skip(1).cloned());
    spliced.redirects.extend(simple.redirects.iter().cloned());
    spliced.span = simple.span;
    spliced.line = simple.line;
    Some(spliced)
}

/// The first word, where it is plain unquoted text.
pub(super) fn literal_name(simple: &SimpleCommand) -> Option<&str> {
    match simple.words.first() {
        Some(Argument::Word(word)) => match word.parts.as_slice() {
            [Part::Literal(text)] => Some(text),
            _ => None,
        },
        _ => None,
    }
}

fn is_direct(assignment: &Assignment) -> bool {
    use crate::syntax::ValueExpr;
    match &assignment.value {
        ValueExpr::Literal(..) => assignment.path.is_empty(),
        ValueExpr::Word(word) => assignment.path.is_empty() && !word.traits.runs,
        _ => false,
    }
}

async fn prepare(
    expander: &Expander,
    simple: &SimpleCommand,
    typed: bool,
    fds: Descriptors,
) -> ExpandResult<Ready> {
    for assignment in &simple.assignments {
        expander.assign(assignment).await?;
        export(expander, assignment)?;
    }
    let words = expander.arguments(&simple.words, typed).await?;
    let opened = if simple.redirects.is_empty() {
        None
    } else {
        Some(open_all(expander, &simple.redirects, Opened { fds, files: Vec::new() }).await?)
    };
    Ok(Ready { words, opened })
}

fn export(expander: &Expander, assignment: &Assignment) -> ExpandResult<()> {
    let mut scope = expander.session.scope.borrow_mut();
    if scope.get(&assignment.name).is_some_and(Value::is_collection) {
        let name = &assignment.name;
        let message =
            format!("{name} would export a collection to the command; write {name}=$(tojson …)");
        return Err(ExpandError::new(assignment.span, message));
    }
    scope.declare(&assignment.name, |variable| variable.exported = true);
    Ok(())
}

async fn assign_all(
    expander: &Expander,
    simple: &SimpleCommand,
    fds: Descriptors,
) -> ExpandResult<Opened> {
    let opened = open_all(expander, &simple.redirects, Opened { fds, files: Vec::new() }).await?;
    for assignment in &simple.assignments {
        expander.assign(assignment).await?;
    }
    Ok(opened)
}
