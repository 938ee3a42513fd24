//! The confirmation latch: what destroys asks first, with a nonce that runs it the second time.

use std::rc::Rc;

use super::table::record;
use super::variables::quote;
use crate::env::ShellOption;
use crate::tool::{Args, ExecContext, NONCE_TTL, Opt, Stop};
use crate::value::{EcoString, Value};

/// The option by which a call is confirmed.
pub(super) const CONFIRM: Opt =
    Opt::value('\0', "confirm", "NONCE", "what the command asked for under `set -o latch`");

/// Under `set -o latch`: refuses with a nonce, status 2, unless the call confirms. `paths` are the
/// absolute paths at stake; without any there is nothing to confirm.
pub(super) fn confirm(
    cx: &mut ExecContext,
    args: &Args,
    paths: &[EcoString],
    reason: &str,
) -> Result<(), Stop> {
    if paths.is_empty() || !cx.session.options.get().has(ShellOption::Latch) {
        return Ok(());
    }
    let words: Vec<String> =
        args.operands.iter().map(|word| quote(&word.to_text_lossy())).collect();
    confirm_always(cx, args, paths, (reason, &words.join(" ")))
}

/// The same whatever the options say; `rest` is what follows `--confirm=` in the hint.
pub(super) fn confirm_always(
    cx: &mut ExecContext,
    args: &Args,
    paths: &[EcoString],
    (reason, rest): (&str, &str),
) -> Result<(), Stop> {
    let command = cx.control.name.clone();
    if let Some(nonce) = args.text("confirm") {
        let redeemed = cx.services.nonces.redeem(&nonce, &command, paths);
        return redeemed.map_err(|error| cx.fail(2, error));
    }
    let nonce = cx.services.nonces.issue(&command, paths);
    let flags: String = args
        .given()
        .filter(|(key, value)| *key != "confirm" && value.is_none())
        .map(|(key, _)| if key.len() == 1 { format!(" -{key}") } else { format!(" --{key}") })
        .collect();
    let hint = format!("{command}{flags} --confirm={nonce} {rest}");
    let hint = hint.trim_end();
    let list = paths.iter().cloned().map(Value::Text).collect();
    let ttl = NONCE_TTL.as_secs();
    let value = Value::Record(Rc::new(record([
        ("nonce", Value::Text(nonce)),
        ("command", Value::Text(command)),
        ("paths", Value::List(list)),
        ("hint", Value::text(hint)),
        ("ttl", Value::int(i64::try_from(ttl).unwrap_or(0))),
    ])));
    // The value rides along so that a page can show a dialog.
    cx.streams.fds.stdout().set_value(&value);
    cx.warn(format_args!("confirmation required ({reason}): {}", paths.join(", ")));
    let line = format!("To confirm, within {ttl} seconds: {hint}\n");
    cx.streams.err.extend_from_slice(line.as_bytes());
    Err(Stop::Failed(2))
}
