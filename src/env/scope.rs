//! Variables by name, positional parameters, and what `local` saved.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::Positional;
use crate::value::{EcoString, Value};

/// A variable with its attributes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Variable {
    /// The value; `None` after `local x`, `export x` or `readonly x` without one.
    pub value: Option<Value>,
    /// Visible to scripts called by name and to `env`.
    pub exported: bool,
    /// Assignment and `unset` fail.
    pub readonly: bool,
}

/// The name is readonly.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}: readonly variable")]
pub struct ReadonlyError(pub EcoString);

/// Variables, positional parameters and local frames; cloning shares the storage.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    variables: Rc<FxHashMap<EcoString, Variable>>,
    positional: Positional,
    /// `$0`.
    script_name: EcoString,
    frames: Vec<Frame>,
}

/// What a function call must restore: positional parameters and shielded bindings.
#[derive(Clone, Debug, Default)]
struct Frame {
    positional: Option<Positional>,
    saved: Vec<(EcoString, Option<Variable>)>,
}

impl Scope {
    /// A copy for a subshell: bindings are shared, the calls around it are not its to end.
    pub fn snapshot(&self) -> Self {
        let frames = if self.frames.is_empty() { Vec::new() } else { vec![Frame::default()] };
        Self {
            variables: Rc::clone(&self.variables),
            positional: self.positional.clone(),
            script_name: self.script_name.clone(),
            frames,
        }
    }

    /// Gives the variables of another scope in place of all there are; calls and their positional
    /// parameters stay, and what they shielded is forgotten.
    pub fn reset(&mut self, start: &Self) {
        self.variables = Rc::clone(&start.variables);
        for frame in &mut self.frames {
            frame.saved.clear();
        }
    }

    /// A scope for a script called by name: the exported variables only.
    pub fn exported(&self) -> Self {
        let variables = self
            .variables
            .iter()
            .filter(|(_, variable)| variable.exported && variable.value.is_some())
            .map(|(name, variable)| {
                let variable = Variable { readonly: false, ..variable.clone() };
                (name.clone(), variable)
            })
            .collect();
        Self { variables: Rc::new(variables), ..Self::default() }
    }

    /// The value of a variable; `None` where unset.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.variables.get(name)?.value.as_ref()
    }

    /// The variable with its attributes.
    pub fn variable(&self, name: &str) -> Option<&Variable> {
        self.variables.get(name)
    }

    /// Assigns, keeping the attributes.
    pub fn set(&mut self, name: &str, value: Value) -> Result<(), ReadonlyError> {
        self.modify(name)?.value = Some(value);
        Ok(())
    }

    /// The variable for writing in place, created unset where missing.
    pub fn modify(&mut self, name: &str) -> Result<&mut Variable, ReadonlyError> {
        let variables = Rc::make_mut(&mut self.variables);
        if !variables.contains_key(name) {
            variables.insert(name.into(), Variable::default());
        }
        match variables.get_mut(name) {
            Some(variable) if !variable.readonly => Ok(variable),
            _ => Err(ReadonlyError(name.into())),
        }
    }

    /// Changes attributes, creating the name without a value where missing.
    pub fn declare(&mut self, name: &str, change: impl FnOnce(&mut Variable)) {
        change(Rc::make_mut(&mut self.variables).entry(name.into()).or_default());
    }

    /// Removes a variable.
    pub fn unset(&mut self, name: &str) -> Result<(), ReadonlyError> {
        match self.variables.get(name) {
            None if name == "IFS" => {
                // It has a value without being set, so its absence is noted.
                self.declare(name, |_| {});
                Ok(())
            }
            None => Ok(()),
            Some(variable) if variable.readonly => Err(ReadonlyError(name.into())),
            Some(_) => {
                Rc::make_mut(&mut self.variables).remove(name);
                if name == "IFS" {
                    self.declare(name, |_| {});
                }
                Ok(())
            }
        }
    }

    /// Puts back what [`Scope::variable`] gave: the end of `NAME=v cmd`.
    pub fn restore(&mut self, name: &str, saved: Option<Variable>) {
        let variables = Rc::make_mut(&mut self.variables);
        match saved {
            Some(variable) => {
                variables.insert(name.into(), variable);
            }
            None => {
                variables.remove(name);
            }
        }
    }

    /// Every variable, unsorted.
    pub fn variables(&self) -> impl Iterator<Item = (&EcoString, &Variable)> {
        self.variables.iter()
    }

    /// `$0`
    pub fn script_name(&self) -> &EcoString {
        &self.script_name
    }

    /// Sets `$0`.
    pub fn set_script_name(&mut self, name: impl Into<EcoString>) {
        self.script_name = name.into();
    }

    /// `$1…`
    pub fn positional(&self) -> &Positional {
        &self.positional
    }

    /// Replaces `$1…`, as `set --` and `shift` do.
    pub fn set_positional(&mut self, values: Positional) {
        self.positional = values;
    }

    /// Enters a function call with its arguments.
    pub fn enter(&mut self, arguments: Vec<Value>) {
        let former = std::mem::replace(&mut self.positional, Positional::new(arguments));
        self.frames.push(Frame { positional: Some(former), saved: Vec::new() });
    }

    /// Leaves a function call: positional parameters and shielded bindings come back.
    pub fn leave(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        if let Some(positional) = frame.positional {
            self.positional = positional;
        }
        for (name, saved) in frame.saved.into_iter().rev() {
            self.restore(&name, saved);
        }
    }

    /// Whether a function call is under way.
    pub fn in_function(&self) -> bool {
        !self.frames.is_empty()
    }

    /// Shields `name` until the call ends and leaves it unset; `false` outside functions.
    pub fn shield(&mut self, name: &str) -> bool {
        let Some(frame) = self.frames.last_mut() else { return false };
        if !frame.saved.iter().any(|(saved, _)| saved == name) {
            let former = Rc::make_mut(&mut self.variables).remove(name);
            frame.saved.push((name.into(), former));
        }
        true
    }
}
