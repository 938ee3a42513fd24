//! `gather`: collects the rows that the workers of `scatter` answer.

use std::rc::Rc;

use futures::future::{FutureExt, LocalBoxFuture};

use super::input::Lines;
use crate::tool::{
    Args, Builtin, Completes, Example, ExecContext, Opt, Outcome, Reply, Run, Spec, Stop, Topic,
};
use crate::value::{EcoVec, Record, Value, from_json};

/// `gather`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "gather",
    about: "collect what the workers of scatter answer",
    topic: Topic::Values,
    arity: (0, 0),
    completes: Completes::Nothing,
    options: &[Opt::flag('\0', "lines", "print the outputs; where a worker failed, nothing")],
    answers_value: true,
    notes: "Prints a row a worker, in the order of the items: {\"i\",\"item\",\"ok\",\"code\",\"out\",\"err\"}, and\n\
            \"data\" or \"timed_out\" where there is such. With --json: one list of them. The status is 123\n\
            where a worker failed.",
    examples: &[Example {
        script: "seq 3 | scatter | echo $((ITEM * ITEM)) | gather --lines",
        output: "1\n4\n9\n",
    }],
    ..Spec::DEFAULT
};

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let lines_only = args.has("lines");
        let stdin = cx.stdin();
        let mut rows = EcoVec::new();
        let mut failed = 0;
        let mut lines = Lines::new(stdin.clone(), b'\n');
        while lines.fill(cx).await? {
            let Some(line) = lines.next() else { continue };
            if line.trim_ascii().is_empty() {
                continue;
            }
            let line = line.strip_suffix(b"\n").unwrap_or(line).to_vec();
            let row = row(cx, &line)?;
            if row.get("ok") != Some(&Value::Bool(true)) {
                failed += 1;
            }
            if !lines_only && !args.json {
                cx.write_line(&line).await?;
            }
            rows.push(Value::Record(Rc::new(row)));
        }
        if let Some(Value::Number(status)) = stdin.take_value() {
            // Scatter could not start; it has said why.
            let status = status.as_int().and_then(|status| u8::try_from(status).ok());
            return Reply::status(status.unwrap_or(1));
        }
        if lines_only {
            print_outputs(cx, &rows, failed).await?;
        } else if args.json {
            cx.answer(Value::List(rows));
        } else {
            cx.streams.fds.stdout().set_value(&Value::List(rows));
        }
        Reply::status(if failed > 0 { 123 } else { 0 })
    }
    .boxed_local()
}

fn row(cx: &mut ExecContext, line: &[u8]) -> Result<Record, Stop> {
    let parsed = str::from_utf8(line).ok().and_then(|text| from_json(text).ok());
    match parsed {
        Some(Value::Record(row)) => Ok(Rc::unwrap_or_clone(row)),
        _ => {
            let text = String::from_utf8_lossy(line);
            Err(cx.fail(1, format_args!("no row of a worker: {text}")))
        }
    }
}

async fn print_outputs(
    cx: &mut ExecContext,
    rows: &EcoVec<Value>,
    failed: usize,
) -> Result<(), Stop> {
    if failed > 0 {
        let all = rows.len();
        let way = "gather without --lines shows their rows";
        return cx.complain(format_args!("{failed} of {all} workers failed; {way}")).await;
    }
    for row in rows {
        let Value::Record(row) = row else { continue };
        let output = row.get("out").map(Value::to_text_lossy).unwrap_or_default();
        cx.write_line(output.as_bytes()).await?;
    }
    Ok(())
}
