//! The frame around every command: arguments, help, misuse, typed results, the final status.

use std::fmt::Write as _;
use std::rc::Rc;

use super::registry::RunWaiting;
use super::{
    Args, Builtin, ExecContext, Outcome, Reply, Run, Spec, Stop, Takes, Topic, UsageError,
    parse_args,
};
use crate::io::{Capture, Errno, Stream};
use crate::value::{EcoVec, Record, Value, to_json};

/// What became of a call's words.
pub enum Prepared {
    /// The command is to run with these.
    Run(Args),
    /// It is over already: help was printed, or the misuse reported.
    Done(u8),
}

/// Parses the words of a call; prints help or reports misuse into the context.
pub fn prepare(cx: &mut ExecContext, spec: &Spec<'_>, words: &[Value]) -> Prepared {
    match parse_args(spec, words) {
        Ok(args) if args.help => {
            cx.push(help_text(spec));
            Prepared::Done(0)
        }
        Ok(args) => match check_arity(spec, &args) {
            None => Prepared::Run(args),
            Some(message) => {
                cx.warn(message);
                hint(cx, spec);
                Prepared::Done(if spec.answers_value || spec.typed { 2 } else { 1 })
            }
        },
        Err(error) => {
            report(cx, spec, &error);
            Prepared::Done(2)
        }
    }
}

/// Runs a builtin that need not wait, or starts one that may.
pub async fn invoke(builtin: &Builtin, args: &Args, cx: &mut ExecContext) -> Outcome {
    let outcome = match builtin.run {
        Run::Now(run) => run(cx, args),
        Run::Wait(run) | Run::Mixed(_, run) if args.json => {
            return invoke_for_json(&builtin.spec, run, args, cx).await;
        }
        Run::Wait(run) | Run::Mixed(_, run) => run(cx, args).await,
    };
    if outcome.is_ok() {
        render(cx, args.json);
        cx.flush().await?;
    }
    outcome
}

/// Runs a builtin with its text held back, so that all of it becomes one JSON value.
async fn invoke_for_json(
    spec: &Spec<'_>,
    run: RunWaiting,
    args: &Args,
    cx: &mut ExecContext,
) -> Outcome {
    let held = Rc::new(Capture::with_limit(cx.services.limits.value_bytes));
    let stdout = cx.streams.fds.stdout().clone();
    cx.streams.fds.set(1, Stream::Capture(Rc::clone(&held)));
    let outcome = run(cx, args).await;
    let flushed = cx.flush().await;
    cx.streams.fds.set(1, stdout);
    flushed?;
    if !matches!(outcome, Ok(_) | Err(Stop::Failed(_))) {
        return outcome;
    }
    let Ok(text) = String::from_utf8(held.take_bytes()) else {
        let ways = "use base64, xxd or iconv";
        return Err(cx.fail(1, format_args!("output that is not UTF-8 has no JSON: {ways}")));
    };
    if cx.streams.value.is_none() && (!text.is_empty() || spec.topic == Topic::Text) {
        cx.streams.value = Some(Value::List(text.lines().map(|line| row(spec, line)).collect()));
    }
    render(cx, true);
    cx.flush().await?;
    outcome
}

fn row(spec: &Spec<'_>, line: &str) -> Value {
    if spec.json_field.is_empty() {
        return Value::from(line);
    }
    let mut row = Record::default();
    row.insert(spec.json_field.into(), Value::from(line));
    Value::Record(Rc::new(row))
}

/// The reply an outcome comes to: a stop becomes its status, reported where nobody has.
pub fn finish(cx: &mut ExecContext, outcome: Outcome) -> Reply {
    match outcome {
        Ok(reply) => reply,
        Err(Stop::BrokenPipe) => Reply::Status(141),
        Err(Stop::Cancelled) => Reply::Status(cx.cancel_status()),
        Err(Stop::Failed(status)) => Reply::Status(status),
        Err(Stop::Io(errno)) => {
            match errno {
                Errno::BadDescriptor | Errno::NoSpace => {
                    cx.warn(format_args!("write error: {errno}"));
                }
                _ => cx.warn(errno),
            }
            Reply::Status(1)
        }
    }
}

/// Turns the typed result, or with `--json` the text, into the bytes of standard output.
pub fn render(cx: &mut ExecContext, json: bool) {
    if let Some(value) = cx.streams.value.take() {
        cx.streams.fds.stdout().set_value(&value);
        if cx.streams.out.is_empty() {
            let text = if json { to_json(&value) } else { value.to_text_lossy().into() };
            cx.push_line(text);
        }
    } else if json && !cx.streams.out.is_empty() {
        let text = String::from_utf8_lossy(&cx.streams.out).into_owned();
        let lines: EcoVec<Value> = text.lines().map(Value::from).collect();
        let value = Value::List(lines);
        cx.streams.out.clear();
        cx.push_line(to_json(&value));
        cx.streams.fds.stdout().set_value(&value);
    }
}

fn check_arity(spec: &Spec<'_>, args: &Args) -> Option<String> {
    let (least, most) = spec.arity;
    let count = args.operands.len();
    if count < least {
        return Some(match args.operands.last() {
            Some(last) if count > 0 => {
                format!("missing operand after '{}'", last.to_text_lossy())
            }
            _ => "missing operand".into(),
        });
    }
    let extra = args.operands.get(most)?;
    Some(format!("extra operand '{}'", extra.to_text_lossy()))
}

fn report(cx: &mut ExecContext, spec: &Spec<'_>, error: &UsageError) {
    cx.warn(error);
    hint(cx, spec);
}

fn hint(cx: &mut ExecContext, spec: &Spec<'_>) {
    let line = format!("Try '{} --help' for more information.\n", spec.name);
    cx.streams.err.extend_from_slice(line.as_bytes());
}

/// The help of a command.
pub fn help_text(spec: &Spec<'_>) -> String {
    let mut text = format!("{} - {}\n\nUsage: {}", spec.name, spec.about, spec.name);
    if !spec.options.is_empty() {
        text.push_str(" [OPTION]...");
    }
    if !spec.operands.is_empty() {
        text.push(' ');
        text.push_str(spec.operands);
    }
    text.push('\n');
    if !spec.options.is_empty() {
        text.push_str("\nOptions:\n");
        for option in spec.options {
            let _ = writeln!(text, "  {:<26} {}", option_head(option), option.about);
        }
    }
    if !spec.notes.is_empty() {
        let _ = write!(text, "\n{}\n", spec.notes);
    }
    for (index, example) in spec.examples.iter().enumerate() {
        let title = if index == 0 { "\nExamples:\n" } else { "" };
        let script = example.script.replace('\n', "\n    ");
        let _ = writeln!(text, "{title}  $ {script}");
        for line in example.output.lines() {
            let _ = writeln!(text, "  {line}");
        }
    }
    text
}

fn option_head(option: &super::Opt<'_>) -> String {
    let letter = match option.letter {
        '\0' => String::from("    "),
        letter if option.long.is_empty() => format!("-{letter}"),
        letter => format!("-{letter}, "),
    };
    let long = if option.long.is_empty() { String::new() } else { format!("--{}", option.long) };
    let value = match option.takes {
        Takes::Nothing => String::new(),
        Takes::Value(name) if option.long.is_empty() => format!(" {name}"),
        Takes::Value(name) => format!("={name}"),
        Takes::Pair(names) => format!(" {names}"),
        Takes::Optional(name) if option.long.is_empty() => format!("[{name}]"),
        Takes::Optional(name) => format!("[={name}]"),
    };
    format!("{letter}{long}{value}")
}
