//! tabsh: a shell that lives in a browser tab.

pub mod backend;
pub mod builtins;
pub mod editor;
pub mod env;
pub mod exec;
pub mod expand;
pub mod host;
pub mod io;
pub mod jobs;
pub mod kernel;
pub mod pattern;
pub mod syntax;
pub mod tool;
pub mod validate;
pub mod value;
pub mod vfs;
#[cfg(target_arch = "wasm32")]
pub mod web;
