//! What a command answers: a status, a request to run something, or why it stopped.

use std::rc::Rc;
use std::time::Duration;

use crate::env::Options;
use crate::io::Errno;
use crate::jobs::Signal;
use crate::syntax::{Script, Source};
use crate::value::{EcoString, Value};

/// The end of a command.
pub type Outcome = Result<Reply, Stop>;

/// A regular end.
#[derive(Clone, Debug)]
pub enum Reply {
    /// The exit status.
    Status(u8),
    /// The machine runs this next; its status is the command's.
    Request(Request),
}

/// Status 0.
pub const OK: Outcome = Ok(Reply::Status(0));

impl Reply {
    /// The outcome of an exit status.
    pub fn status(status: u8) -> Outcome {
        Ok(Self::Status(status))
    }

    /// Status 0 where `ok`, else 1.
    pub fn success(ok: bool) -> Outcome {
        Ok(Self::Status(u8::from(!ok)))
    }
}

/// What only the machine can do, on its own frames.
#[derive(Clone, Debug)]
pub enum Request {
    /// Run a command of these words in the present scope.
    Call {
        /// The name and its arguments.
        words: Vec<Value>,
        /// Whether functions and aliases are passed over (`command`).
        builtins_only: bool,
        /// End it after this long with this signal, whose status is then its own.
        timeout: Option<(Duration, Signal)>,
    },
    /// Run a parsed program in the present scope (`source`, `.`).
    Source {
        /// The program.
        script: Rc<Script>,
        /// Its text.
        source: Rc<Source>,
        /// Positional parameters while it runs, where given.
        arguments: Option<Vec<Value>>,
    },
    /// Run a parsed program in a shell of its own (`sh FILE`, a script by path).
    Script {
        /// The program.
        script: Rc<Script>,
        /// Its text.
        source: Rc<Source>,
        /// `$0`.
        name: EcoString,
        /// Positional parameters.
        arguments: Vec<Value>,
        /// Its options.
        options: Options,
    },
    /// Leave `n` loops.
    Break(u32),
    /// Go on with the next turn of the `n`th loop.
    Continue(u32),
    /// Leave the function or sourced file.
    Return(u8),
    /// Leave the shell or subshell.
    Exit(u8),
    /// Run the trap of a signal, or leave with this status where there is none.
    Signal(&'static str, u8),
    /// Keep the redirects of this call for the shell itself (`exec >log`).
    KeepRedirects,
}

/// Why a command ended before its time; the frame turns it into a status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Nobody reads its output any more: status 141.
    BrokenPipe,
    /// It was cancelled: the signal's status.
    Cancelled,
    /// Reading or writing one of its streams failed; the frame reports it, status 1.
    Io(Errno),
    /// It has reported its failure itself.
    Failed(u8),
}

impl From<Errno> for Stop {
    fn from(errno: Errno) -> Self {
        match errno {
            Errno::BrokenPipe => Self::BrokenPipe,
            Errno::Cancelled => Self::Cancelled,
            other => Self::Io(other),
        }
    }
}
