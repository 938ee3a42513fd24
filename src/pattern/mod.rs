//! Patterns on text: shell globs, POSIX regular expressions, ignore rules; pure.
//!
//! - [`Glob`] matches one text (`case`, `[[ == ]]`, `${x#p}`); [`PathGlob`] is a pattern for paths,
//!   split into components so that a caller can walk directories.
//! - A word mixes quoted and pattern text; [`GlobBuilder`] keeps them apart.
//!
//! Everything works on characters of UTF-8 text. A byte that is no UTF-8 counts as one character,
//! which wildcards match and classes do not.
//!
//! Not here: reading directories (`expand`, `backend`), brace expansion of words (`expand`).

mod braces;
mod chars;
mod glob;

pub use braces::{MAX_ALTERNATIVES, alternatives};
pub use chars::CharClass;
pub use glob::{Component, Glob, GlobBuilder, PathGlob};
