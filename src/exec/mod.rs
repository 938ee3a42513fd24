//! The tree to an exit status: a machine with its own frames on the heap.
//!
//! A [`Machine`] is one shell at work. Each step looks at the top frame; what must wait becomes a
//! frame that holds a future, and everything else happens without one. Subshells, `$(…)`, functions
//! and sourced files are frames of the same machine, so recursion never uses native stack; pipeline
//! stages before the last and jobs are machines of their own, spawned on the host.
//!
//! Invariants: every frame undoes on leaving what it did on entering, whether it ends or is unwound;
//! the work budget is charged at every step; a cancelled machine unwinds and runs its EXIT trap.

mod compound;
mod declare;
mod dispatch;
mod flow;
mod frame;
mod job;
mod limit;
mod machine;
mod pipeline;
mod redirect;
mod resolve;
mod scatter;
mod simple;
mod substitution;
mod trap;

pub use dispatch::ChildDispatcher;
pub use machine::Machine;
