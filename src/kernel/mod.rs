//! Puts the rooms together: mounts, commands, sessions; parse, validate, run.
//!
//! A [`Kernel`] is one shell with its files. [`Kernel::execute`] parses and validates the whole
//! program and runs nothing of it where that finds errors; what a script itself comes to is an exit
//! status, never an `Err`. State (variables, functions, directory) lives on between calls.
//!
//! Deliberately not here: the browser (`web`), the line editor (`editor`).

mod complete;
mod config;
mod execute;
mod mounts;
mod terminal;

pub use config::KernelConfig;
pub use execute::{ExecResult, ExecuteOptions, Kernel, KernelError};
pub use terminal::{Finished, Terminal};
