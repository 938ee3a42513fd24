//! What a kernel is made of.

use std::rc::Rc;

use crate::host::Host;
use crate::tool::{Builtin, Limits};
use crate::value::EcoString;
use crate::vfs::{ByteBudget, Filesystem, PathBuf};

/// What a kernel is made of.
pub struct KernelConfig {
    /// Clock, timers, randomness, event loop.
    pub host: Rc<dyn Host>,
    /// Mounts beyond the standard ones, and in place of them: `/home/user` for a persistent home.
    pub mounts: Vec<(PathBuf, Rc<dyn Filesystem>)>,
    /// The commands.
    pub builtins: &'static [&'static Builtin],
    /// Limits.
    pub limits: Limits,
    /// What all memory mounts together draw their content from.
    pub memory: ByteBudget,
    /// Whether changes to files stay in an overlay until `kaish-vfs commit`.
    pub overlay: bool,
    /// Exported variables beyond `HOME USER PATH PWD LANG`.
    pub env: Vec<(EcoString, EcoString)>,
    /// Columns of the terminal.
    pub columns: u16,
    /// Whether a person is at the prompt.
    pub interactive: bool,
    /// `$$`
    pub session_id: u32,
}

impl KernelConfig {
    /// The defaults on a host: all builtins, memory mounts, 256 MiB, 80 columns.
    pub fn new(host: Rc<dyn Host>) -> Self {
        Self {
            host,
            mounts: Vec::new(),
            builtins: crate::builtins::ALL,
            limits: Limits::default(),
            memory: ByteBudget::default(),
            overlay: false,
            env: Vec::new(),
            columns: 80,
            interactive: false,
            session_id: 1000,
        }
    }
}
