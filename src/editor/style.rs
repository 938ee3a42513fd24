//! What a piece of the line is, and the colour it is shown in.

/// What the language says a piece of text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Style {
    /// A command that exists.
    Command,
    /// A command that does not.
    Unknown,
    /// A reserved word.
    Keyword,
    /// An option of a command.
    Flag,
    /// Quoted text.
    Quoted,
    /// An expansion.
    Expansion,
    /// An operator or a redirect.
    Operator,
    /// A comment.
    Comment,
    /// An argument that names an existing file.
    Path,
    /// What the parser objects to.
    Error,
}

/// The sequence of suggestions and descriptions.
pub(super) const HINT: &str = "\x1b[90m";
/// The sequence of the selected item of a menu.
pub(super) const SELECTED: &str = "\x1b[7m";
/// The sequence of questions.
pub(super) const QUESTION: &str = "\x1b[1m";

impl Style {
    /// The SGR sequence; themes give the sixteen colours their contrast, and errors are underlined
    /// too, so that nothing is told by colour alone.
    #[must_use]
    pub fn sgr(self) -> &'static str {
        match self {
            Self::Command => "\x1b[32m",
            Self::Unknown => "\x1b[31m",
            Self::Keyword => "\x1b[35m",
            Self::Flag => "\x1b[36m",
            Self::Quoted => "\x1b[33m",
            Self::Expansion => "\x1b[34m",
            Self::Operator => "\x1b[1m",
            Self::Comment => HINT,
            Self::Path => "\x1b[4m",
            Self::Error => "\x1b[4;31m",
        }
    }
}
