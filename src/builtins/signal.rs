//! Signals by name and number, for `kill`, `trap` and `timeout`.

use crate::jobs::Signal;

/// Names by number, from 1.
const NAMES: [&str; 31] = [
    "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2",
    "PIPE", "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG",
    "XCPU", "XFSZ", "VTALRM", "PROF", "WINCH", "IO", "PWR", "SYS",
];

/// The name of a signal without `SIG`.
pub(super) fn name(number: u8) -> Option<&'static str> {
    NAMES.get(usize::from(number).checked_sub(1)?).copied()
}

/// The number of a signal given as `15`, `TERM`, `SIGTERM` or `term`; 0 for `0`.
pub(super) fn number(text: &str) -> Option<u8> {
    if let Ok(number) = text.parse::<u8>() {
        return (usize::from(number) <= NAMES.len()).then_some(number);
    }
    let upper = text.to_ascii_uppercase();
    let bare = upper.strip_prefix("SIG").unwrap_or(&upper);
    let at = NAMES.iter().position(|name| *name == bare)?;
    u8::try_from(at + 1).ok()
}

/// What a signal does to a job.
pub(super) enum Effect {
    /// Ends it.
    Ends(Signal),
    /// Nothing: it is ignored by default.
    Ignored,
    /// Would stop it, which jobs here cannot be.
    Stops,
}

/// What a signal does by default.
pub(super) fn effect(number: u8) -> Effect {
    match number {
        2 => Effect::Ends(Signal::Interrupt),
        9 => Effect::Ends(Signal::Kill),
        15 => Effect::Ends(Signal::Terminate),
        17 | 18 | 23 | 28 => Effect::Ignored,
        19..=22 => Effect::Stops,
        number => Effect::Ends(Signal::Number(number)),
    }
}

/// The table that `kill -l` and `trap -l` print, five a line.
pub(super) fn table() -> String {
    let mut text = String::new();
    for (index, name) in NAMES.iter().enumerate() {
        let end = if index % 5 == 4 || index + 1 == NAMES.len() { '\n' } else { '\t' };
        text.push_str(&format!("{:2}) SIG{name}{end}", index + 1));
    }
    text
}
