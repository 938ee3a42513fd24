//! What a command says of itself: one const gives parsing, help, completion and validation.

use super::Args;
use crate::value::EcoString;

/// The description of a command.
#[derive(Clone, Copy, Debug)]
pub struct Spec<'a> {
    /// The name it is called by.
    pub name: &'a str,
    /// One line: what it does.
    pub about: &'a str,
    /// Under which heading `help` lists it.
    pub topic: Topic,
    /// The operands in a synopsis: `[FILE]...`
    pub operands: &'a str,
    /// How many operands must and may be there.
    pub arity: (usize, usize),
    /// What an operand names, for completion.
    pub completes: Completes,
    /// The options.
    pub options: &'a [Opt<'a>],
    /// How words bind to options and operands.
    pub binding: Binding,
    /// Whether words such as `-2` and `-.5` are operands (`seq 5 -2 1`).
    pub negatives: bool,
    /// A long option or letter that `-NUM` stands for (`head -5`); empty for none.
    pub digits: &'a str,
    /// Whether unquoted literals among the operands are typed (`push xs 1`).
    pub typed: bool,
    /// Whether the answer is a value that `$(…)` binds as such.
    pub answers_value: bool,
    /// The field that holds a line of its text with `--json`; empty: lines are plain strings.
    pub json_field: &'a str,
    /// Looks at a call before anything runs; a word with an expansion is null in it.
    pub check: Option<Check>,
    /// Further help: paragraphs under the options; the shape of `--json`.
    pub notes: &'a str,
    /// Examples that help prints and a test runs.
    pub examples: &'a [Example<'a>],
}

impl Spec<'_> {
    /// A command without options that takes any operands; fill in the rest with `..Spec::DEFAULT`.
    pub const DEFAULT: Spec<'static> = Spec {
        name: "",
        about: "",
        topic: Topic::Other,
        operands: "",
        arity: (0, usize::MAX),
        completes: Completes::Files,
        options: &[],
        binding: Binding::Anywhere,
        negatives: false,
        digits: "",
        typed: false,
        answers_value: false,
        json_field: "",
        check: None,
        notes: "",
        examples: &[],
    };
}

/// What would fail for sure in the words of a call.
pub type Check = fn(&Args) -> Option<Issue>;

/// A call that cannot work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issue {
    /// A stable code (`E004`).
    pub code: &'static str,
    /// What is wrong; the name of the command goes before it.
    pub message: String,
    /// What to write instead, where known.
    pub fix: Option<String>,
    /// The word that is to blame, as it stands; else it is the whole call.
    pub culprit: Option<EcoString>,
}

impl Issue {
    /// An issue without a remedy.
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), fix: None, culprit: None }
    }

    /// Names the word that is to blame.
    #[must_use]
    pub fn at(mut self, culprit: &str) -> Self {
        self.culprit = Some(culprit.into());
        self
    }

    /// Adds what to write instead.
    #[must_use]
    pub fn with_fix(mut self, fix: impl Into<String>) -> Self {
        self.fix = Some(fix.into());
        self
    }
}

/// The headings under which `help` lists commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Topic {
    /// Files and directories.
    Files,
    /// Text and bytes.
    Text,
    /// JSON and other values.
    Values,
    /// The shell itself: variables, control, jobs.
    Shell,
    /// Time, numbers, the machine.
    System,
    /// Commands of the host page, and whatever says nothing of itself.
    Other,
}

impl Topic {
    /// Every topic, in the order of `help`.
    pub const ALL: [Self; 6] =
        [Self::Files, Self::Text, Self::Values, Self::Shell, Self::System, Self::Other];

    /// The heading.
    pub fn title(self) -> &'static str {
        match self {
            Self::Files => "Files",
            Self::Text => "Text",
            Self::Values => "Values",
            Self::Shell => "Shell",
            Self::System => "System",
            Self::Other => "Other",
        }
    }
}

/// How the words of a call bind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binding {
    /// Options may stand anywhere before `--`, as with GNU tools.
    Anywhere,
    /// Options end at the first operand, as POSIX says: `timeout`, `xargs`, `env`.
    Leading,
    /// Every word is data: `echo`, `test`, `find`. Not even `--help` is looked for.
    Raw,
    /// Every word is data, but `--help` and `--json` alone are looked for.
    Verbatim,
}

/// What operands name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completes {
    /// Files and directories.
    Files,
    /// Directories.
    Directories,
    /// Commands, then their arguments.
    Commands,
    /// Variables.
    Variables,
    /// Jobs: `%1`.
    Jobs,
    /// Nothing that is known.
    Nothing,
}

/// An option.
#[derive(Clone, Copy, Debug)]
pub struct Opt<'a> {
    /// The letter; `'\0'` for none.
    pub letter: char,
    /// The long name without dashes; empty for none.
    pub long: &'a str,
    /// Whether it takes a value, and what to call that.
    pub takes: Takes<'a>,
    /// What it does.
    pub about: &'a str,
}

/// The value of an option.
#[derive(Clone, Copy, Debug)]
pub enum Takes<'a> {
    /// None.
    Nothing,
    /// One, in the same word or the next.
    Value(&'a str),
    /// One in the same word (`-i.bak`, `--color=always`), or none.
    Optional(&'a str),
    /// Two words; the value is the list of both.
    Pair(&'a str),
}

impl<'a> Opt<'a> {
    /// An option without a value.
    pub const fn flag(letter: char, long: &'a str, about: &'a str) -> Self {
        Self { letter, long, takes: Takes::Nothing, about }
    }

    /// An option with a value called `metavar`.
    pub const fn value(letter: char, long: &'a str, metavar: &'a str, about: &'a str) -> Self {
        Self { letter, long, takes: Takes::Value(metavar), about }
    }

    /// An option whose value may be left out.
    pub const fn optional(letter: char, long: &'a str, metavar: &'a str, about: &'a str) -> Self {
        Self { letter, long, takes: Takes::Optional(metavar), about }
    }

    /// An option with two values in the next two words (`--arg NAME VALUE`).
    pub const fn pair(long: &'a str, metavar: &'a str, about: &'a str) -> Self {
        Self { letter: '\0', long, takes: Takes::Pair(metavar), about }
    }

    /// The key under which [`super::Args`] holds it: the long name, or else the letter.
    pub fn is_key(&self, key: &str) -> bool {
        if self.long.is_empty() {
            let mut chars = key.chars();
            chars.next() == Some(self.letter) && chars.next().is_none()
        } else {
            self.long == key
        }
    }
}

/// An example: a script and what it prints.
#[derive(Clone, Copy, Debug)]
pub struct Example<'a> {
    /// The script, run in an empty directory.
    pub script: &'a str,
    /// Its standard output.
    pub output: &'a str,
}
