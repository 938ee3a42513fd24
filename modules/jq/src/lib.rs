//! jq's engine: filters over JSON in steps, bytes in and bytes out.
//!
//! What happens to a call: [`Run::new`] reads its options (`options`), parses its filter with the
//! jaq crate, rewrites what that reads differently (`rewrite`), and compiles it together with the
//! definitions in `defs.jq` and the natives in `natives/` (`filter`). [`Run::step`] takes input
//! (`inputs`, `read`), asks the compiled filter for outputs, and writes them (`write`).
//!
//! A filter cannot be interrupted inside of a step. In a browser the engine is a module in a worker
//! of its own that can be ended; natively `meter` counts its steps. Values are ours (`value`), so that
//! order, numbers and messages are jq's, and no depth or size of them can overflow anything.

mod access;
mod fault;
mod filter;
mod inputs;
mod meter;
mod natives;
mod number;
mod operators;
mod options;
mod read;
mod regex;
mod rewrite;
mod run;
mod shared;
mod value;
mod write;

pub use filter::{FilterError, check};
pub use run::{Feed, Next, Run, Step};
