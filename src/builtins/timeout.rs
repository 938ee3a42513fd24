//! `timeout`: runs a command and ends it when the time is over.

use std::time::Duration;

use super::common::parse_duration;
use super::signal::{self, Effect};
use crate::jobs::Signal;
use crate::tool::{
    Args, Binding, Builtin, Completes, Example, ExecContext, Opt, Outcome, Reply, Request, Run,
    Spec, Stop, Topic,
};

/// `timeout`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Now(run) };

const SPEC: Spec = Spec {
    name: "timeout",
    about: "run a command and end it when the time is over",
    topic: Topic::Shell,
    operands: "DURATION COMMAND [ARGUMENT]...",
    completes: Completes::Commands,
    binding: Binding::Leading,
    options: &[
        Opt::value('s', "signal", "SIGNAL", "end it with this signal"),
        Opt::value(
            'k',
            "kill-after",
            "DURATION",
            "taken and not needed: nothing outlives the signal",
        ),
        Opt::flag('\0', "preserve-status", "the status of the signal instead of 124"),
        Opt::flag('\0', "foreground", "ignored"),
        Opt::flag('v', "verbose", "tell when the signal is sent"),
    ],
    notes: "DURATION is a number of seconds, or has a suffix: ms, s, m, h, d; 0 is no limit. COMMAND may\n\
            be a function, a builtin or a script. Status 124 where the time ran out, 125 for misuse.",
    examples: &[Example { script: "timeout 100ms sleep 5; echo $?", output: "124\n" }],
    ..Spec::DEFAULT
};

fn run(cx: &mut ExecContext, args: &Args) -> Outcome {
    let mut words = args.operands.iter();
    let (Some(duration), Some(_)) = (words.next(), words.as_slice().first()) else {
        return Err(cx.fail(125, "missing operand: timeout DURATION COMMAND [ARGUMENT]..."));
    };
    let limit = duration_of(cx, &duration.to_text_lossy())?;
    if let Some(text) = args.text("kill-after") {
        duration_of(cx, &text)?;
    }
    let signal = signal(cx, args)?;
    let words = words.cloned().collect();
    let timeout = Some((limit, signal)).filter(|(limit, _)| !limit.is_zero());
    Ok(Reply::Request(Request::Call { words, builtins_only: false, timeout }))
}

fn duration_of(cx: &mut ExecContext, text: &str) -> Result<Duration, Stop> {
    parse_duration(text).ok_or_else(|| cx.fail(125, format_args!("invalid time interval '{text}'")))
}

/// What the command is ended with: a plain timeout has status 124, a chosen signal its own where it
/// is KILL or the status is to be kept.
fn signal(cx: &mut ExecContext, args: &Args) -> Result<Signal, Stop> {
    let text = args.text("signal").unwrap_or_else(|| "TERM".into());
    let Some(number) = signal::number(&text) else {
        return Err(cx.fail(125, format_args!("'{text}': invalid signal")));
    };
    if number != 9 && !args.has("preserve-status") {
        return Ok(Signal::Timeout);
    }
    Ok(match signal::effect(number) {
        Effect::Ends(signal) => signal,
        Effect::Ignored | Effect::Stops => Signal::Number(number),
    })
}
