//! Everything a subshell copies, behind cells so that a running command and the machine share it.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::{Options, Recording, Scope};
use crate::io::{Cut, Limiter};
use crate::pattern::Regex;
use crate::syntax::{FunctionDefinition, Script, Source};
use crate::value::EcoString;

/// A function with the source its spans refer to.
#[derive(Debug)]
pub struct Function {
    /// The definition.
    pub definition: Rc<FunctionDefinition>,
    /// Where it stands.
    pub source: Rc<Source>,
}

/// What a trap runs.
#[derive(Clone, Debug)]
pub struct Trap {
    /// The command as written; empty to ignore the condition.
    pub text: EcoString,
    /// The parsed command.
    pub script: Rc<Script>,
    /// The source of the script's spans.
    pub source: Rc<Source>,
}

/// The state of one shell or subshell.
#[derive(Default)]
pub struct Session {
    /// Variables and positional parameters.
    pub scope: RefCell<Scope>,
    /// The working directory, logical and absolute.
    pub cwd: RefCell<EcoString>,
    /// The one before (`cd -`).
    pub previous_cwd: RefCell<Option<EcoString>>,
    /// Directories that `pushd` remembers, the last one first.
    pub directories: RefCell<Vec<EcoString>>,
    /// Functions by name.
    pub functions: RefCell<Rc<FxHashMap<EcoString, Rc<Function>>>>,
    /// Aliases by name.
    pub aliases: RefCell<Rc<BTreeMap<EcoString, EcoString>>>,
    /// Options of `set`.
    pub options: Cell<Options>,
    /// Traps by condition: `EXIT`, `ERR`, `INT`.
    pub traps: RefCell<Rc<BTreeMap<EcoString, Trap>>>,
    /// What the last command left.
    pub last: Last,
    /// Ignore files and output limit.
    pub config: SessionConfig,
}

/// What the last command left behind.
#[derive(Default)]
pub struct Last {
    /// `$?`
    pub status: Cell<u8>,
    /// The statuses of the last pipeline's stages.
    pub pipe_status: RefCell<Vec<u8>>,
    /// `$!`: the last job's number.
    pub job: Cell<Option<u32>>,
    /// Jobs that this shell started, and no shell around it.
    pub jobs: RefCell<Vec<u32>>,
    /// Where `getopts` stands: the word, and the place of the letter in it.
    pub getopts: Cell<(usize, usize)>,
    /// What the last command left on standard output, for `kaish-last`.
    pub output: Rc<Recording>,
    /// Cuts output that is too long, where the shell's own output goes through it.
    pub limiter: Rc<Limiter>,
    /// `$LINENO`
    pub line: Cell<u32>,
    /// The pattern that `=~` compiled last.
    pub regex: RefCell<Option<(EcoString, Rc<Regex>)>>,
    /// The files that are being sourced, the innermost last.
    pub sourced: RefCell<Vec<EcoString>>,
}

/// Settings of a session that commands of our own change.
#[derive(Default)]
pub struct SessionConfig {
    /// The variables a shell of this kernel starts with, for `kaish-clear`.
    pub start: RefCell<Scope>,
    /// What walkers skip.
    pub ignore: RefCell<Rc<IgnoreConfig>>,
    /// How output is cut while the option `output-limit` is on.
    pub output_limit: Cell<Cut>,
}

/// What walkers skip.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IgnoreConfig {
    /// Names of files whose rules hold below the directory they are in.
    pub files: Vec<EcoString>,
    /// Whether the built-in rules hold.
    pub defaults: bool,
    /// Whether `.gitignore` is such a name without being listed.
    pub auto: bool,
    /// Whether every walker obeys, `find` too, and not just those made for looking around.
    pub enforced: bool,
}

impl Session {
    /// A copy for a subshell: shares all content, changes stay apart.
    pub fn snapshot(&self) -> Self {
        Self {
            scope: RefCell::new(self.scope.borrow().snapshot()),
            cwd: self.cwd.clone(),
            previous_cwd: self.previous_cwd.clone(),
            directories: self.directories.clone(),
            functions: self.functions.clone(),
            aliases: self.aliases.clone(),
            options: self.options.clone(),
            traps: self.subshell_traps(),
            last: Last {
                status: self.last.status.clone(),
                pipe_status: RefCell::default(),
                job: self.last.job.clone(),
                jobs: RefCell::default(),
                getopts: self.last.getopts.clone(),
                output: Rc::new(self.last.output.snapshot()),
                limiter: Rc::default(),
                line: self.last.line.clone(),
                regex: RefCell::default(),
                sourced: self.last.sourced.clone(),
            },
            config: SessionConfig {
                start: self.config.start.clone(),
                ignore: self.config.ignore.clone(),
                output_limit: self.config.output_limit.clone(),
            },
        }
    }

    /// A subshell keeps ignored conditions and forgets the commands of the others.
    fn subshell_traps(&self) -> RefCell<Rc<BTreeMap<EcoString, Trap>>> {
        let traps = self.traps.borrow();
        if traps.values().all(|trap| trap.text.is_empty()) {
            return RefCell::new(Rc::clone(&traps));
        }
        let kept = traps.iter().filter(|(_, trap)| trap.text.is_empty());
        RefCell::new(Rc::new(kept.map(|(name, trap)| (name.clone(), trap.clone())).collect()))
    }
}
