//! Why a regular expression is refused, in the words of the GNU tools.

/// Why a regular expression is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "each message says it")]
pub enum RegexError {
    #[error("Unmatched [, [^, [:, [., or [=")]
    UnmatchedBracket,
    #[error("Unmatched ( or \\(")]
    UnmatchedOpen,
    #[error("Unmatched ) or \\)")]
    UnmatchedClose,
    #[error("Unmatched \\{{")]
    UnmatchedBrace,
    #[error("Invalid content of \\{{\\}}")]
    BadInterval,
    #[error("Invalid range end")]
    BadRange,
    #[error("Invalid preceding regular expression")]
    NothingToRepeat,
    #[error("Invalid back reference")]
    BadBackReference,
    #[error("Invalid character class name")]
    UnknownClass,
    #[error("character class syntax is [[:space:]], not [:space:]")]
    ClassOutsideBracket,
    #[error("Invalid collation character")]
    BadCollation,
    #[error("Trailing backslash")]
    TrailingBackslash,
    #[error("Regular expression too big")]
    TooBig,
}
