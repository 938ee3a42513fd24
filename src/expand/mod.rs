//! Words to values: parameters, arithmetic, braces, globs, collections, conditions, assignments.
//!
//! An [`Expander`] works for one shell. What it does is written as coroutines that ask through a
//! [`Port`] for a program to be run and never wait for the machine themselves: whoever polls one sees
//! the request, serves it on its own frames, and polls again. A word without `$(…)` and globs never
//! suspends, so [`now`] drives it on the spot without a heap allocation; the commonest words have a
//! direct path ([`Expander::fast`]).
//!
//! Invariants: nothing is ever split; an unset name is empty text; errors carry the span of what
//! failed and say whether the command or the script ends.

mod access;
mod arith;
mod assign;
mod condition;
mod declare;
mod error;
mod fast;
mod glob;
mod numbers;
mod parameter;
mod port;
mod render;
mod special;
mod word;

use std::rc::Rc;

use crate::env::Session;
use crate::jobs::Cancel;
use crate::syntax::Source;
use crate::tool::Services;

pub use access::{Accessed, resolve};
pub use arith::integer_of;
pub use declare::{Container, Declaration, is_name};
pub use error::{Ends, ExpandError, ExpandResult};
pub use port::{Answer, Port, now};
pub use render::text_of;

/// Expands for one shell.
#[derive(Clone)]
pub struct Expander {
    /// The shell.
    pub session: Rc<Session>,
    /// What all shells share.
    pub services: Rc<Services>,
    /// Where programs are asked for.
    pub port: Rc<Port>,
    /// Ends long walks.
    pub cancel: Cancel,
    /// The text that spans refer to.
    pub source: Rc<Source>,
}
