//! The prompt: the directory, the last failure, and a dollar sign; and the notices above it.

use crate::env::Session;
use crate::jobs::{Job, JobState};
use crate::value::Value;

/// The prompt's text with its colours; a failure shows as its number, not by colour alone.
pub(super) fn text(session: &Session, status: u8) -> String {
    let cwd = session.cwd.borrow();
    let home = session.scope.borrow().get("HOME").map(Value::to_text_lossy).unwrap_or_default();
    let place = shortened(&cwd, &home);
    let failure = if status == 0 { String::new() } else { format!("\x1b[31m[{status}]\x1b[m ") };
    format!("{failure}\x1b[36m{place}\x1b[m $ ")
}

/// The notice of a background job that has ended: `[1] Done sleep 1`.
pub(super) fn notice(job: &Job) -> String {
    let state = match job.state() {
        JobState::Running => "Running".to_owned(),
        JobState::Done(0) => "Done".to_owned(),
        JobState::Done(status) => format!("Exit {status}"),
        JobState::Killed(124) => "Timed out".to_owned(),
        JobState::Killed(130) => "Interrupt".to_owned(),
        JobState::Killed(137) => "Killed".to_owned(),
        JobState::Killed(_) => "Terminated".to_owned(),
    };
    format!("[{}] {state} {}\n", job.id, job.command)
}

/// The path with the home directory as `~`, without characters that would move the cursor.
fn shortened(path: &str, home: &str) -> String {
    let below = path.strip_prefix(home).filter(|rest| rest.is_empty() || rest.starts_with('/'));
    let shown = match below {
        Some(rest) if !home.is_empty() => format!("~{rest}"),
        _ => path.to_owned(),
    };
    shown.chars().map(|ch| if ch.is_control() { '?' } else { ch }).collect()
}

#[cfg(test)]
mod tests {
    use super::shortened;

    #[test]
    fn home_is_a_tilde_and_only_home() {
        let check = |path: &str, expect: &str| assert_eq!(shortened(path, "/home/user"), expect);
        check("/home/user", "~");
        check("/home/user/a b", "~/a b");
        check("/home/username", "/home/username");
        check("/", "/");
        check("/tmp/\u{1b}[2J", "/tmp/?[2J");
    }
}
