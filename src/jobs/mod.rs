//! Background jobs, cancellation, and the work budget that makes long loops yield.
//!
//! A [`Cancel`] is the one way to end running work: it carries the signal, wakes whoever waits, and
//! passes down to children made from it. A [`WorkBudget`] is shared by all work of a kernel.
//!
//! Deliberately not here: starting and running anything (`exec`).

mod budget;
mod cancel;
mod table;

pub use budget::WorkBudget;
pub use cancel::{Cancel, Signal};
pub use table::{Job, JobState, JobTable, Record};
