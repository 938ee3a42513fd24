//! A part of a command that the host loads on first use: input in, output out, in steps.

use async_trait::async_trait;

/// What a step is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feed<'f> {
    /// Nothing: go on.
    Nothing,
    /// Bytes of input.
    Bytes(&'f [u8]),
    /// The bytes that follow are of this file.
    File(&'f str),
    /// There is no more input.
    End,
}

/// What a step did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModuleStep {
    /// Bytes for standard output.
    pub out: Vec<u8>,
    /// Bytes for standard error.
    pub err: Vec<u8>,
    /// What comes next.
    pub next: Next,
}

/// What comes after a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Next {
    /// Another step.
    #[default]
    More,
    /// Another step, with input.
    Input,
    /// Nothing: the run has ended with this exit status.
    Done(u8),
}

/// Why a module cannot run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the module {name} does not run: {reason}")]
pub struct ModuleError {
    /// The module.
    pub name: &'static str,
    /// Why, and what to do about it.
    pub reason: String,
}

impl ModuleError {
    /// The failure of a module for a reason.
    pub fn new(name: &'static str, reason: impl Into<String>) -> Self {
        Self { name, reason: reason.into() }
    }
}

/// One run of a module. Dropping it ends the run, even amid a step.
#[async_trait(?Send)]
pub trait Module {
    /// Takes input and goes on for a while; the error ends the run.
    async fn step(&mut self, feed: Feed<'_>) -> Result<ModuleStep, ModuleError>;
}
