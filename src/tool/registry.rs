//! Commands by name: builtins are a const each, portable tools implement a trait.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use async_trait::async_trait;
use futures::future::LocalBoxFuture;
use rustc_hash::FxHashMap;

use super::{Args, ExecContext, KernelBackend, Outcome, Spec, ToolInfo};
use crate::io::IoResult;
use crate::value::{EcoString, InOrder, Value};
use crate::vfs::PathBuf;

/// How a builtin runs.
#[derive(Clone, Copy)]
pub enum Run {
    /// It never waits and works a bounded time: no future is built.
    Now(fn(&mut ExecContext, &Args) -> Outcome),
    /// It may wait.
    Wait(RunWaiting),
    /// It tries without waiting first; `None` asks for the second form, with nothing done yet.
    Mixed(fn(&mut ExecContext, &Args) -> Option<Outcome>, RunWaiting),
}

/// The implementation of a builtin that may wait.
pub type RunWaiting = for<'a> fn(&'a mut ExecContext, &'a Args) -> LocalBoxFuture<'a, Outcome>;

/// A builtin: what it says of itself, and how it runs.
#[derive(Clone, Copy)]
pub struct Builtin {
    /// The description.
    pub spec: Spec<'static>,
    /// The implementation.
    pub run: Run,
}

/// A command that sees only the portable context: what a host page registers.
#[async_trait(?Send)]
pub trait Tool {
    /// The description.
    fn spec(&self) -> Spec<'_>;

    /// Runs it and answers the exit status; a failure to run at all is reported as status 1.
    async fn execute(&self, args: &Args, cx: &mut dyn ToolCtx) -> Outcome;
}

/// What a portable tool may do.
#[async_trait(?Send)]
pub trait ToolCtx {
    /// The files.
    fn backend(&self) -> &Rc<dyn KernelBackend>;

    /// The working directory, absolute.
    fn cwd(&self) -> PathBuf;

    /// An operand as an absolute path; `.` and `..` stay for the filesystem to resolve.
    fn resolve_path(&self, path: &str) -> PathBuf;

    /// The value of a variable.
    fn var(&self, name: &str) -> Option<Value>;

    /// Assigns a variable; `false` where it is readonly.
    fn set_var(&mut self, name: &str, value: Value) -> bool;

    /// At most 64 KiB of standard input; empty at its end.
    async fn read_stdin(&mut self) -> IoResult<Vec<u8>>;

    /// Writes to standard output, waiting where it is full.
    async fn write_stdout(&mut self, bytes: &[u8]) -> IoResult<()>;

    /// Writes to standard error.
    async fn write_stderr(&mut self, bytes: &[u8]) -> IoResult<()>;

    /// Resolves once the command is to end.
    async fn cancelled(&self);

    /// Leaves a typed result, which `--json`, `$(…)` and a pipe's reader prefer to text.
    fn answer(&mut self, value: Value);

    /// Runs another command in a copy of the shell and answers its status.
    async fn call(&mut self, words: Vec<Value>) -> u8;
}

/// The commands a kernel knows.
#[derive(Default)]
pub struct Registry {
    builtins: FxHashMap<&'static str, &'static Builtin>,
    tools: RefCell<BTreeMap<EcoString, Rc<dyn Tool>>>,
}

impl Registry {
    /// A registry of these builtins.
    pub fn new(builtins: &[&'static Builtin]) -> Self {
        let builtins = builtins.iter().map(|builtin| (builtin.spec.name, *builtin)).collect();
        Self { builtins, tools: RefCell::default() }
    }

    /// The builtin of a name.
    pub fn builtin(&self, name: &str) -> Option<&'static Builtin> {
        self.builtins.get(name).copied()
    }

    /// The registered tool of a name.
    pub fn tool(&self, name: &str) -> Option<Rc<dyn Tool>> {
        self.tools.borrow().get(name).cloned()
    }

    /// Registers a tool, replacing one of the same name.
    pub fn register(&self, tool: Rc<dyn Tool>) {
        let name = EcoString::from(tool.spec().name);
        self.tools.borrow_mut().insert(name, tool);
    }

    /// Every builtin, sorted by name.
    pub fn builtins(&self) -> impl Iterator<Item = &'static Builtin> {
        let mut builtins: Vec<&'static Builtin> = self.builtins.values().copied().collect();
        builtins.order_by_key(|builtin| builtin.spec.name);
        builtins.into_iter()
    }

    /// What there is to know of the command of a name.
    pub fn info(&self, name: &str) -> Option<ToolInfo> {
        if let Some(builtin) = self.builtin(name) {
            let about = builtin.spec.about.into();
            return Some(ToolInfo { name: name.into(), about, registered: false });
        }
        let about = self.tool(name)?.spec().about.into();
        Some(ToolInfo { name: name.into(), about, registered: true })
    }

    /// Every name, sorted.
    pub fn names(&self) -> Vec<EcoString> {
        let mut names: Vec<EcoString> = self.builtins.keys().map(|name| (*name).into()).collect();
        names.extend(self.tools.borrow().keys().cloned());
        names.order_by(Ord::cmp);
        names.dedup();
        names
    }
}
