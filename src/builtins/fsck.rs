//! `fsck`: whether what persistent mounts have stored fits together, and mending it.

use std::rc::Rc;

use futures::future::{FutureExt, LocalBoxFuture};

use super::table::{count, record};
use crate::tool::{
    Args, Builtin, Completes, Example, ExecContext, Opt, Outcome, Reply, Run, Spec, Topic,
};
use crate::value::{EcoVec, Value};
use crate::vfs::packed::Care;

/// `fsck`
pub(super) const BUILTIN: Builtin = Builtin {
    spec: Spec {
        name: "fsck",
        about: "check what persistent mounts have stored",
        topic: Topic::Files,
        arity: (0, 0),
        completes: Completes::Nothing,
        options: &[
            Opt::flag('n', "verify", "only look, as without an option"),
            Opt::flag('y', "repair", "mend what can be mended; what cannot is gone afterwards"),
        ],
        notes: "0: nothing is wrong, 1: it was mended, 4: something is wrong. Files without a name \
            go to lost+found.\n--json: a list of records with path, inodes, bytes, repaired, problems.",
        examples: &[Example { script: "fsck", output: "" }],
        ..Spec::DEFAULT
    },
    run: Run::Wait(run),
};

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let care = if args.has("repair") { Care::Repair } else { Care::Verify };
        let checked = Rc::clone(cx.backend()).check(care).await;
        let reports = match checked {
            Ok(reports) => reports,
            Err(error) => return Err(cx.fail(8, error)),
        };
        let mut status = 0;
        let mut rows = EcoVec::new();
        for (path, report) in reports {
            if !report.problems.is_empty() {
                status = status.max(if report.repaired { 1 } else { 4 });
            }
            if args.json {
                let problems: EcoVec<Value> =
                    report.problems.iter().map(|one| Value::text(one.to_string())).collect();
                rows.push(Value::Record(Rc::new(record([
                    ("path", path.as_str().into()),
                    ("inodes", count(report.inodes)),
                    ("bytes", count(report.bytes)),
                    ("repaired", Value::Bool(report.repaired)),
                    ("problems", Value::List(problems)),
                ]))));
                continue;
            }
            for problem in &report.problems {
                cx.write_line(format!("{path}: {problem}").as_bytes()).await?;
            }
            let (found, mended) = (report.problems.len(), report.repaired);
            let end = match (found, mended) {
                (0, _) => "clean".into(),
                (_, true) => format!("{found} problems, mended"),
                (_, false) => format!("{found} problems"),
            };
            let (inodes, bytes) = (report.inodes, report.bytes);
            let line = format!("{path}: {end}, {inodes} inodes, {bytes} bytes");
            cx.write_line(line.as_bytes()).await?;
        }
        if args.json {
            cx.answer(Value::List(rows));
        }
        Reply::status(status)
    }
    .boxed_local()
}
