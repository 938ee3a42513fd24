//! `jobs`: lists background jobs.

use std::rc::Rc;

use super::job::{current, find, missing};
use super::signal;
use crate::jobs::{Job, JobState};
use crate::tool::{
    Args, Builtin, Completes, Example, ExecContext, Opt, Outcome, Reply, Run, Spec, Topic,
};
use crate::value::{EcoVec, Record, Value};

/// `jobs`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Now(run) };

const SPEC: Spec = Spec {
    name: "jobs",
    about: "list background jobs",
    topic: Topic::Shell,
    operands: "[JOB]...",
    completes: Completes::Jobs,
    options: &[
        Opt::flag('l', "", "with numbers"),
        Opt::flag('p', "", "numbers only"),
        Opt::flag('r', "", "running ones only"),
        Opt::flag('s', "", "stopped ones only: there are none"),
        Opt::flag('n', "", "only those that ended since"),
    ],
    notes: "With --json: a list of records with id, status, command.",
    examples: &[Example { script: "sleep 1 & jobs -p", output: "1\n" }],
    ..Spec::DEFAULT
};

fn run(cx: &mut ExecContext, args: &Args) -> Outcome {
    let mut jobs = Vec::new();
    let mut status = 0;
    for word in args.operand_texts() {
        if let Some(job) = find(cx, &word) {
            jobs.push(job);
        } else {
            cx.warn(missing(&word));
            status = 1;
        }
    }
    if args.operands.is_empty() {
        jobs = cx.services.jobs.all();
        jobs.retain(|job| !job.is_reported());
    }
    if args.has("s") {
        jobs.clear();
    }
    if args.has("r") {
        jobs.retain(|job| job.state() == JobState::Running);
    }
    if args.has("n") {
        jobs.retain(|job| job.state() != JobState::Running);
    }
    if args.json {
        let rows: EcoVec<Value> = jobs.iter().map(row).collect();
        cx.answer(Value::List(rows));
        return Reply::status(status);
    }
    let (newest, second) = current(cx);
    for job in &jobs {
        if args.has("p") {
            cx.push_line(job.id.to_string());
            continue;
        }
        let mark = match Some(job.id) {
            id if id == newest => '+',
            id if id == second => '-',
            _ => ' ',
        };
        cx.push_line(line(job, mark, args.has("l")));
        if job.state() != JobState::Running {
            job.report();
        }
    }
    Reply::status(status)
}

fn row(job: &Rc<Job>) -> Value {
    let mut row = Record::default();
    row.insert("id".into(), Value::int(i64::from(job.id)));
    row.insert("status".into(), Value::text(job.state().text()));
    row.insert("command".into(), Value::Text(job.command.clone()));
    Value::Record(Rc::new(row))
}

/// `[1]+  Running                 sleep 9 &`
fn line(job: &Job, mark: char, number: bool) -> String {
    let (state, end) = match job.state() {
        JobState::Running => ("Running".into(), " &"),
        JobState::Done(0) => ("Done".into(), ""),
        JobState::Done(status) => (format!("Exit {status}"), ""),
        JobState::Killed(status) => (ended_by(status), ""),
    };
    let number = if number { format!(" {}", job.id) } else { "  ".into() };
    let gap = if number.trim().is_empty() { "" } else { " " };
    format!("[{}]{mark}{number}{gap}{state:<24}{}{end}", job.id, job.command)
}

fn ended_by(status: u8) -> String {
    match status {
        124 => "Timed out".into(),
        130 => "Interrupt".into(),
        137 => "Killed".into(),
        143 => "Terminated".into(),
        _ => match signal::name(status.saturating_sub(128)) {
            Some(name) => format!("SIG{name}"),
            None => format!("Signal {}", status.saturating_sub(128)),
        },
    }
}
