//! Questions of `-i`: a prompt on standard error, a line of standard input.

use std::fmt::Display;

use crate::tool::{ExecContext, Stop};

/// Asks `name: question ` and answers whether the line read begins with `y`.
pub(in crate::builtins) async fn ask(
    cx: &mut ExecContext,
    question: impl Display,
) -> Result<bool, Stop> {
    let prompt = format!("{}: {question} ", cx.control.name);
    ask_on(cx, &prompt).await
}

/// Asks with exactly this prompt.
pub(in crate::builtins) async fn ask_on(cx: &mut ExecContext, prompt: &str) -> Result<bool, Stop> {
    cx.streams.err.extend_from_slice(prompt.as_bytes());
    cx.flush().await?;
    let stdin = cx.stdin();
    let mut line = Vec::new();
    cx.read_line(&stdin, &mut line).await?;
    Ok(matches!(line.first(), Some(b'y' | b'Y')))
}
