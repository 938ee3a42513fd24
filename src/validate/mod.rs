//! The tree in, what is wrong with a program out, before anything runs; and its plan.
//!
//! An error is what would fail for sure and stops the run; a warning is advice, shown by `validate`
//! and the editor. A word with an expansion is never judged, and names that anything out of sight
//! could bind are not either. What needs no knowledge beyond the text is the parser's (`syntax`).
//!
//! Deliberately not here: what a particular command thinks of its words; its spec says so (`tool`).

mod commands;
mod flow;
mod literal;
mod names;
mod near;
mod plan;
mod tree;
mod visit;

use crate::value::InOrder;
use std::rc::Rc;

use crate::env::Session;
use crate::syntax::{Diagnostic, Level, Script, parse};
use crate::tool::Registry;

pub use near::{meant, nearest, refusal};
pub use plan::plan;
pub use tree::tree;

/// What is known beside the program.
pub struct Facts<'a> {
    /// The shell that would run it.
    pub session: &'a Session,
    /// The commands.
    pub registry: &'a Registry,
    /// Whether it is a sourced file, which `return` may leave.
    pub sourced: bool,
}

/// A program that was looked at before it runs.
pub struct Checked {
    /// The tree.
    pub script: Rc<Script>,
    /// Errors and warnings, by place.
    pub issues: Vec<Diagnostic>,
}

impl Checked {
    /// Whether the program must not run.
    pub fn is_rejected(&self) -> bool {
        self.issues.iter().any(|issue| issue.level == Level::Error)
    }

    /// What a run shows of the issues: errors, and of warnings only the one of a mixed-script name.
    pub fn shown(&self) -> impl Iterator<Item = &Diagnostic> {
        self.issues.iter().filter(|issue| issue.level == Level::Error || issue.code == "W007")
    }
}

/// Parses a program and, where it has no syntax errors, validates it.
pub fn check(text: &str, facts: &Facts<'_>) -> Checked {
    let parsed = parse(text);
    let mut issues = parsed.diagnostics;
    if !issues.iter().any(|issue| issue.level == Level::Error) {
        let found = validate(&parsed.script, facts);
        // `x = 1` is advice about blanks, not about a command named x.
        let advised: Vec<u32> = issues.iter().map(|issue| issue.span.start).collect();
        let repeats =
            |issue: &Diagnostic| issue.code == "E001" && advised.contains(&issue.span.start);
        issues.extend(found.into_iter().filter(|issue| !repeats(issue)));
        issues.order_by_key(|issue| (issue.span.start, issue.span.end));
    }
    Checked { script: parsed.script, issues }
}

/// Everything to be said about a program that parsed, by place.
pub fn validate(script: &Script, facts: &Facts<'_>) -> Vec<Diagnostic> {
    let mut found = flow::check(script, facts);
    found.extend(commands::check(script, facts));
    found.extend(names::check(script, facts));
    found.order_by_key(|diagnostic| (diagnostic.span.start, diagnostic.span.end));
    found
}
