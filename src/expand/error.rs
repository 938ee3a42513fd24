//! What an expansion fails with: a message, its place, and what it ends.

use crate::syntax::Span;

/// What an expansion error ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// The command whose words hold it, with status 1.
    Command,
    /// The script or the innermost subshell: `${x:?}`, `set -u`, readonly names.
    Script,
}

/// A failed expansion.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ExpandError {
    /// What is wrong and how to mend it.
    pub message: String,
    /// Where.
    pub span: Span,
    /// What it ends.
    pub ends: Ends,
}

impl ExpandError {
    /// An error that ends the command.
    pub fn new(span: Span, message: impl Into<String>) -> Self {
        Self { message: message.into(), span, ends: Ends::Command }
    }

    /// An error that ends the script.
    pub fn fatal(span: Span, message: impl Into<String>) -> Self {
        Self { message: message.into(), span, ends: Ends::Script }
    }
}

/// The result of an expansion.
pub type ExpandResult<T> = Result<T, ExpandError>;
