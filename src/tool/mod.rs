//! The seams of commands: `Tool`, its spec, its arguments, its context, and the backend it works on.
//!
//! A builtin is a const [`Spec`] and a function. The frame ([`invoke`]) does once for all what every
//! command must: parse the arguments, print help, refuse unknown options with status 2, turn a closed
//! pipe into status 141 and a cancellation into the signal's status, render typed results. A command
//! that runs other commands answers a [`Request`] that the machine serves on its own frames.
//!
//! Deliberately not here: any particular command (`builtins`), running programs (`exec`).

mod args;
mod backend;
mod context;
mod duration;
mod files;
mod frame;
mod nonce;
mod outcome;
mod registry;
mod services;
mod spec;

pub use args::{Args, UsageError, parse_args};
pub use backend::{
    BackendError, BackendResult, KernelBackend, MountInfo, PatchOp, PathAccess, ReadRange,
    ToolInfo, ToolResult,
};
pub use context::{Control, ExecContext, OutputContext, Streams, join};
pub use duration::parse_duration;
pub use files::{file_compare, file_test};
pub use frame::{Prepared, finish, help_text, invoke, prepare, render};
pub use nonce::{NONCE_TTL, NonceError, Nonces};
pub use outcome::{OK, Outcome, Reply, Request, Stop};
pub use registry::{Builtin, Registry, Run, RunWaiting, Tool, ToolCtx};
pub use services::{Dispatcher, Limits, Services};
pub use spec::{Binding, Check, Completes, Example, Issue, Opt, Spec, Takes, Topic};
