//! `kaish-output-limit`: how long the output of a command may be before it is cut.

use std::rc::Rc;

use crate::builtins::size::parse_size;
use crate::builtins::table::{count, record};
use crate::env::ShellOption;
use crate::io::Cut;
use crate::tool::{
    Args, Builtin, Completes, Example, ExecContext, OK, Outcome, Run, Spec, Stop, Topic,
};
use crate::value::{EcoString, Value};

/// `kaish-output-limit`
pub(in crate::builtins) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Now(run) };

const SPEC: Spec = Spec {
    name: "kaish-output-limit",
    about: "how long output may be before it is cut",
    topic: Topic::Shell,
    operands: "[on | off | set SIZE | head SIZE | tail SIZE]",
    arity: (0, 2),
    completes: Completes::Nothing,
    notes: "Output over the limit shows its start and its end, the command's status is 3, and the whole\n\
            is kept in /tmp/spill. Pipes, files and $(…) are not cut. Without words, prints the limit;\n\
            with --json: a record with on, bytes, head, tail. `set -o output-limit=SIZE` is the same.",
    examples: &[Example {
        script: "kaish-output-limit set 1K; kaish-output-limit",
        output: "on: 1024 bytes, the first 768 and the last 256 are shown\n",
    }],
    ..Spec::DEFAULT
};

fn run(cx: &mut ExecContext, args: &Args) -> Outcome {
    let config = &cx.session.config;
    let mut limit = config.output_limit.get();
    let word = args.operand(0).unwrap_or_default();
    let size = args.operand(1);
    match (word.as_str(), &size) {
        ("", _) => {
            show(cx, args, limit);
            return OK;
        }
        ("on", None) => turn(cx, true),
        ("off", None) => turn(cx, false),
        ("set", Some(size)) => {
            limit = Cut::of(parsed(cx, size)?);
            turn(cx, true);
        }
        ("head", Some(size)) => limit.head = parsed(cx, size)?,
        ("tail", Some(size)) => limit.tail = parsed(cx, size)?,
        _ => return Err(cx.fail(2, format_args!("{word}: the words are {}", SPEC.operands))),
    }
    cx.session.config.output_limit.set(limit);
    OK
}

fn turn(cx: &ExecContext, on: bool) {
    let mut options = cx.session.options.get();
    options.set(ShellOption::OutputLimit, on);
    cx.session.options.set(options);
}

fn parsed(cx: &mut ExecContext, text: &EcoString) -> Result<u64, Stop> {
    match parse_size(text) {
        Some(size @ 1..) => Ok(size),
        _ => Err(cx.fail(2, format_args!("'{text}' is no size, as 4096, 8K or 1M are"))),
    }
}

fn show(cx: &mut ExecContext, args: &Args, limit: Cut) {
    let on = cx.session.options.get().has(ShellOption::OutputLimit);
    let Cut { bytes, head, tail } = limit;
    if args.json {
        cx.answer(Value::Record(Rc::new(record([
            ("on", Value::Bool(on)),
            ("bytes", count(bytes)),
            ("head", count(head)),
            ("tail", count(tail)),
        ]))));
        return;
    }
    let on = if on { "on" } else { "off" };
    let shown = format!("the first {head} and the last {tail} are shown");
    cx.push_line(format!("{on}: {bytes} bytes, {shown}"));
}
