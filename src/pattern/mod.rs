//! Patterns on text: shell globs, POSIX regular expressions, ignore rules; pure.
//!
//! - [`Glob`] matches one text (`case`, `[[ == ]]`, `${x#p}`); [`PathGlob`] is a pattern for paths,
//!   split into components so that a caller can walk directories.
//! - [`Regex`] is a POSIX regular expression in the dialect of the tool that asks.
//! - [`Ignore`] holds rules as in `.gitignore`.
//! - A word mixes quoted and pattern text; [`GlobBuilder`] keeps them apart.
//!
//! Everything works on characters of UTF-8 text. A byte that is no UTF-8 counts as one character,
//! which glob wildcards match, and which no class and no regular expression does.
//!
//! Not here: reading directories (`expand`, `backend`), brace expansion of words (`expand`).

mod braces;
mod chars;
mod glob;
mod ignore;
mod regex;
mod set;

pub use braces::{MAX_ALTERNATIVES, alternatives};
pub use chars::CharClass;
pub use glob::{Component, Glob, GlobBuilder, PathGlob};
pub use ignore::{DEFAULT_IGNORES, Ignore};
pub use regex::{Dialect, Newlines, Regex, RegexError, Span, Syntax, Whole};
