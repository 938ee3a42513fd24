//! How control leaves frames: `break`, `return`, `exit`, errors that end a script.

/// Why frames are left before their end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unwind {
    /// Leave this many loops.
    Break(u32),
    /// Leave all but the last of this many loops and go on with its next turn.
    Continue(u32),
    /// Leave the function or sourced file with a status.
    Return(u8),
    /// Leave the innermost shell with a status.
    Exit(u8),
}

/// The result of a step.
pub(super) type Flow = Result<(), Unwind>;
