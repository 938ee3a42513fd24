//! The options of `set` and their letters.

/// An option of `set -o`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShellOption {
    /// `-e`
    ErrExit,
    /// `-u`
    NoUnset,
    /// `-x`
    XTrace,
    /// `-C`
    NoClobber,
    /// `-n`
    NoExec,
    /// Patterns are expanded; `-f` turns it off.
    Glob,
    /// A pipeline fails with its rightmost failure.
    PipeFail,
    /// `rm` and overwriting move to the trash.
    Trash,
    /// Destructive commands ask for a confirmation nonce.
    Latch,
    /// Output is limited; the size is in the output-limit configuration.
    OutputLimit,
    /// `-v`: lines are echoed as read.
    Verbose,
    /// `-a`: assigned names are exported.
    AllExport,
}

impl ShellOption {
    /// Every option, sorted by name.
    pub const ALL: [Self; 12] = [
        Self::AllExport,
        Self::ErrExit,
        Self::Glob,
        Self::Latch,
        Self::NoClobber,
        Self::NoExec,
        Self::NoUnset,
        Self::OutputLimit,
        Self::PipeFail,
        Self::Trash,
        Self::Verbose,
        Self::XTrace,
    ];

    /// The long name.
    pub fn name(self) -> &'static str {
        match self {
            Self::ErrExit => "errexit",
            Self::NoUnset => "nounset",
            Self::XTrace => "xtrace",
            Self::NoClobber => "noclobber",
            Self::NoExec => "noexec",
            Self::Glob => "glob",
            Self::PipeFail => "pipefail",
            Self::Trash => "trash",
            Self::Latch => "latch",
            Self::OutputLimit => "output-limit",
            Self::Verbose => "verbose",
            Self::AllExport => "allexport",
        }
    }

    /// The option of a long name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|option| option.name() == name)
    }

    /// The option of a letter, and whether the letter turns it on (`-f` turns [`Self::Glob`] off).
    pub fn from_letter(letter: char) -> Option<(Self, bool)> {
        Some(match letter {
            'e' => (Self::ErrExit, true),
            'u' => (Self::NoUnset, true),
            'x' => (Self::XTrace, true),
            'C' => (Self::NoClobber, true),
            'n' => (Self::NoExec, true),
            'f' => (Self::Glob, false),
            'v' => (Self::Verbose, true),
            'a' => (Self::AllExport, true),
            _ => return None,
        })
    }
}

/// The set of options that are on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options(u32);

impl Default for Options {
    fn default() -> Self {
        let mut options = Self(0);
        options.set(ShellOption::Glob, true);
        options
    }
}

impl Options {
    /// Whether an option is on.
    pub fn has(self, option: ShellOption) -> bool {
        self.0 & (1 << option as u32) != 0
    }

    /// Turns an option on or off.
    pub fn set(&mut self, option: ShellOption, on: bool) {
        let bit = 1 << option as u32;
        self.0 = if on { self.0 | bit } else { self.0 & !bit };
    }

    /// The letters of `$-`.
    pub fn letters(self) -> String {
        "aefnuvxC"
            .chars()
            .filter(|letter| {
                ShellOption::from_letter(*letter).is_some_and(|(option, on)| self.has(option) == on)
            })
            .collect()
    }
}
