//! `kill`: ends jobs with a signal.

use super::job::{self, find};
use super::signal::{self, Effect};
use crate::tool::{
    Args, Binding, Builtin, Completes, Example, ExecContext, OK, Outcome, Reply, Request, Run,
    Spec, Stop, Topic,
};
use crate::value::EcoString;

/// `kill`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Now(run) };

const SPEC: Spec = Spec {
    name: "kill",
    about: "end jobs",
    topic: Topic::Shell,
    operands: "[-SIGNAL | -s SIGNAL | -n NUMBER] JOB...",
    completes: Completes::Jobs,
    binding: Binding::Verbatim,
    notes: "A JOB is a number or %number, as $! and `jobs` give it. SIGNAL is a name or number, TERM\n\
            by default; 0 only asks whether the job runs. -l lists signals, -l N names one.",
    examples: &[Example { script: "sleep 9 & kill %1; wait %1; echo $?", output: "143\n" }],
    ..Spec::DEFAULT
};

fn run(cx: &mut ExecContext, args: &Args) -> Outcome {
    let words = args.operand_texts();
    let mut words = words.iter().peekable();
    let mut number = 15;
    while let Some(word) = words.next_if(|word| word.len() > 1 && word.starts_with('-')) {
        let spec = match word.as_str() {
            "--" => break,
            "-l" | "-L" => return list(cx, words.map(EcoString::as_str)),
            "-s" | "-n" => words.next().map(EcoString::as_str),
            word => word.strip_prefix("-s").or_else(|| word.get(1..)),
        };
        let Some(spec) = spec else {
            return Err(cx.fail(2, format_args!("option requires an argument -- '{word}'")));
        };
        let Some(known) = signal::number(spec) else {
            return Err(cx.fail(2, format_args!("{spec}: invalid signal specification")));
        };
        number = known;
    }
    if words.peek().is_none() {
        return Err(cx.fail(2, "which job? kill [-SIGNAL] %N..., or kill -l"));
    }
    let mut status = 0;
    for word in words {
        if is_shell(cx, word) {
            match (number, signal::effect(number), signal::name(number)) {
                (0, ..) | (_, Effect::Ignored, _) => continue,
                (_, Effect::Ends(signal), Some(name)) => {
                    return Ok(Reply::Request(Request::Signal(name, signal.status())));
                }
                _ => {}
            }
        }
        if let Err(message) = send(cx, word, number) {
            cx.warn(message);
            status = 1;
        }
    }
    Reply::status(status)
}

/// Whether a word is `$$`, and no job has that number.
fn is_shell(cx: &ExecContext, word: &str) -> bool {
    word.parse() == Ok(cx.services.session_id) && find(cx, word).is_none()
}

fn send(cx: &ExecContext, word: &str, number: u8) -> Result<(), String> {
    if !word.starts_with('%') && word.parse::<i64>().is_err() {
        return Err(format!("{word}: a job is %N or N"));
    }
    let job = find(cx, word).filter(|job| job.state().status().is_none());
    let Some(job) = job else { return Err(job::missing(word)) };
    if number == 0 {
        return Ok(());
    }
    match signal::effect(number) {
        Effect::Ends(signal) => job.cancel.cancel(signal),
        Effect::Ignored => {}
        Effect::Stops => {
            let name = signal::name(number).unwrap_or_default();
            return Err(format!("{word}: {name}: jobs cannot be stopped, only ended"));
        }
    }
    Ok(())
}

/// `kill -l`: all signals, or the name of a number (or exit status) and the number of a name.
fn list<'w>(cx: &mut ExecContext, words: impl Iterator<Item = &'w str>) -> Outcome {
    let mut any = false;
    for word in words {
        any = true;
        let known = match word.parse::<u8>() {
            Ok(number) => {
                signal::name(if number > 128 { number - 128 } else { number }).map(EcoString::from)
            }
            Err(_) => signal::number(word).map(|number| EcoString::from(number.to_string())),
        };
        match known {
            Some(known) => cx.push_line(known.as_str()),
            None => {
                let message = format!("{word}: invalid signal specification");
                return Err::<Reply, Stop>(cx.fail(1, message));
            }
        }
    }
    if !any {
        cx.push(signal::table());
    }
    OK
}
