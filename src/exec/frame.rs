//! The frames of the machine: what is under way, and what leaving it must put back.

use std::rc::Rc;
use std::time::Duration;
use std::vec;

use futures::future::{AbortHandle, LocalBoxFuture};

use super::Machine;
use super::flow::Flow;
use super::pipeline::Child;
use crate::env::{Positional, Session, Variable};
use crate::io::{Capture, Descriptors, OpenFile};
use crate::jobs::Cancel;
use crate::syntax::{CompoundCommand, Script, Source};
use crate::value::{EcoString, Value};

/// What runs on the machine when a future is done.
pub(super) type Next = Box<dyn FnOnce(&mut Machine) -> Flow>;

/// One thing under way.
pub(super) enum Frame {
    /// Statements in order; the index is the next one.
    Script(Rc<Script>, usize),
    /// A future; its result goes on.
    Work(LocalBoxFuture<'static, Next>),
    /// The pipelines after the first of a statement; the index is the next one.
    AndOr(Rc<Script>, usize, usize),
    /// Errors are tested: `set -e` does not apply.
    Tested,
    /// `!`
    Negate,
    /// `time`, with the clock at its start.
    Timed(Duration),
    /// `while` and `until`.
    While {
        /// The loop.
        node: Rc<CompoundCommand>,
        /// Whether the condition is running.
        testing: bool,
        /// The status of the last turn.
        status: u8,
    },
    /// `for` over words.
    For {
        /// The loop.
        node: Rc<CompoundCommand>,
        /// What is left.
        items: vec::IntoIter<Value>,
    },
    /// `for ((…))`; whether a turn has been taken.
    ForArith(Rc<CompoundCommand>, bool),
    /// `if`: the arm whose condition runs.
    If(Rc<CompoundCommand>, usize),
    /// `case`: the subject, the arm whose body runs.
    Case(Rc<CompoundCommand>, EcoString, usize),
    /// A compound command that is no subshell: its failure was tested inside.
    Compound,
    /// Redirects; the descriptors before them and the files they opened.
    Redirect(Box<(Descriptors, Vec<Rc<OpenFile>>)>),
    /// `NAME=v cmd`: the variables before it.
    Prefix(Vec<(EcoString, Option<Variable>)>),
    /// A function call; the source of its caller.
    Function(Rc<Source>),
    /// A sourced file; its caller's source and positional parameters, where they were replaced.
    Sourced(Rc<Source>, Option<Positional>),
    /// A shell within the shell.
    Shell(Box<ShellFrame>),
    /// A time limit.
    Timeout(Box<TimeoutFrame>),
    /// A pipeline whose last stage runs here.
    Pipeline(Box<PipelineFrame>),
    /// A trap's command; the status to put back.
    Trap(u8),
}

/// What a shell within the shell replaced.
pub(super) struct ShellFrame {
    pub(super) session: Rc<Session>,
    pub(super) fds: Descriptors,
    pub(super) source: Rc<Source>,
    pub(super) purpose: Purpose,
}

/// Why there is a shell within the shell.
pub(super) enum Purpose {
    /// `( … )`, or a script run by name.
    Subshell,
    /// `$(…)`: its output, and whether a typed result counts.
    Substitution(Rc<Capture>, bool),
}

/// A time limit at work.
pub(super) struct TimeoutFrame {
    /// The token before.
    pub(super) outer: Cancel,
    /// Stops the timer.
    pub(super) timer: AbortHandle,
}

/// A pipeline at work.
pub(super) struct PipelineFrame {
    /// The stages before the last.
    pub(super) children: Vec<Rc<Child>>,
    /// The descriptors before.
    pub(super) fds: Descriptors,
}
