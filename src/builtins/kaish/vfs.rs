//! `kaish-vfs`: the overlay that holds changes back, looked at, committed and reset.

use std::rc::Rc;

use futures::future::{FutureExt, LocalBoxFuture};

use crate::builtins::table::{count, record};
use crate::io::Errno;
use crate::tool::{
    Args, Builtin, Completes, Example, ExecContext, OK, Outcome, Reply, Run, Spec, Stop, Topic,
};
use crate::value::{EcoString, EcoVec, Value};
use crate::vfs::{Change, ChangeKind, FsError, OverlayFs};

/// `kaish-vfs`
pub(in crate::builtins) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "kaish-vfs",
    about: "the overlay that holds changes back",
    topic: Topic::Files,
    operands: "status | diff | commit | reset [PATH]...",
    completes: Completes::Files,
    notes: "status lists what has changed: A added, M modified, D removed, ! where the files below have\n\
            changed since. diff tells sizes before and after, and is 1 with changes or without an overlay.\n\
            commit makes the changes below, all or none; reset forgets them. With --json: a record with\n\
            overlay and changes.",
    examples: &[Example {
        script: "kaish-vfs status",
        output: "no overlay: changes are made at once\n",
    }],
    ..Spec::DEFAULT
};

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let words = args.operand_texts();
        let words: Vec<&str> = words.iter().map(EcoString::as_str).collect();
        let overlay = cx.services.overlay.clone();
        match (words.as_slice(), overlay) {
            ([] | ["status"], overlay) => status(cx, args, overlay.as_deref()).await,
            (["diff"], Some(overlay)) => diff(cx, args, &overlay).await,
            (["commit"], Some(overlay)) => commit(cx, &overlay).await,
            (["reset", paths @ ..], Some(overlay)) => reset(cx, &overlay, paths).await,
            (["diff" | "commit"] | ["reset", ..], None) => {
                Err(cx.fail(1, "there is no overlay: changes are made at once"))
            }
            ([word, ..], _) => {
                Err(cx.fail(2, format_args!("{word}: the words are {}", SPEC.operands)))
            }
        }
    }
    .boxed_local()
}

fn letter(kind: ChangeKind) -> &'static str {
    match kind {
        ChangeKind::Added => "A",
        ChangeKind::Modified => "M",
        ChangeKind::Removed => "D",
    }
}

fn row(change: &Change) -> Value {
    let kind = match change.kind {
        ChangeKind::Added => "added",
        ChangeKind::Modified => "modified",
        ChangeKind::Removed => "removed",
    };
    Value::Record(Rc::new(record([
        ("path", change.path.as_str().into()),
        ("change", kind.into()),
        ("stale", Value::Bool(change.stale)),
    ])))
}

async fn status(cx: &mut ExecContext, args: &Args, overlay: Option<&OverlayFs>) -> Outcome {
    let changes = match overlay {
        Some(overlay) => overlay.status().await.map_err(|error| failed(cx, &error))?,
        None => Vec::new(),
    };
    if args.json {
        let rows: EcoVec<Value> = changes.iter().map(row).collect();
        cx.answer(Value::Record(Rc::new(record([
            ("overlay", Value::Bool(overlay.is_some())),
            ("changes", Value::List(rows)),
        ]))));
        return OK;
    }
    if overlay.is_none() {
        cx.push_line("no overlay: changes are made at once");
    }
    for change in changes {
        let mark = if change.stale { "!" } else { " " };
        cx.write_line(format!("{}{mark} {}", letter(change.kind), change.path).as_bytes()).await?;
    }
    OK
}

async fn diff(cx: &mut ExecContext, args: &Args, overlay: &OverlayFs) -> Outcome {
    let differences = overlay.diff().await.map_err(|error| failed(cx, &error))?;
    let any = !differences.is_empty();
    if args.json {
        let content =
            |bytes: Option<Vec<u8>>| bytes.map_or(Value::Null, |bytes| count(bytes.len()));
        let row = |difference: crate::vfs::Difference| {
            Value::Record(Rc::new(record([
                ("path", difference.path.as_str().into()),
                ("before", content(difference.before)),
                ("after", content(difference.after)),
            ])))
        };
        cx.answer(Value::List(differences.into_iter().map(row).collect()));
        return Reply::success(!any);
    }
    let size = |bytes: &Option<Vec<u8>>| match bytes {
        Some(bytes) => format!("{} bytes", bytes.len()),
        None => "nothing".into(),
    };
    for difference in &differences {
        let (before, after) = (size(&difference.before), size(&difference.after));
        cx.write_line(format!("{}: {before} -> {after}", difference.path).as_bytes()).await?;
    }
    Reply::success(!any)
}

async fn commit(cx: &mut ExecContext, overlay: &OverlayFs) -> Outcome {
    match overlay.commit().await {
        Ok(()) => OK,
        Err(error) if error.errno == Errno::Busy => {
            let way = format!("`kaish-vfs reset {}` takes what is below", error.path);
            let message =
                format!("{}: has changed below since; nothing is committed; {way}", error.path);
            Err(cx.fail(1, message))
        }
        Err(error) => Err(failed(cx, &error)),
    }
}

async fn reset(cx: &mut ExecContext, overlay: &OverlayFs, paths: &[&str]) -> Outcome {
    if paths.is_empty() {
        overlay.reset();
    }
    for path in paths {
        let full = cx.resolve(path);
        overlay.reset_at(&full).await.map_err(|error| failed(cx, &error))?;
    }
    OK
}

fn failed(cx: &mut ExecContext, error: &FsError) -> Stop {
    cx.fail(1, error)
}
