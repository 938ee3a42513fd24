//! `kaish-trash`: lists, restores and empties the trash.

use std::rc::Rc;

use futures::future::{FutureExt, LocalBoxFuture};

use super::{info, make_directories, root};
use crate::builtins::latch::{CONFIRM, confirm_always};
use crate::builtins::table::{count, record, table};
use crate::tool::{
    Args, Builtin, Completes, Example, ExecContext, OK, Outcome, Reply, Run, Spec, Topic,
};
use crate::value::{EcoString, EcoVec, InOrder, Record, Value};
use crate::vfs::{Path, PathBuf};

/// `kaish-trash`
pub(in crate::builtins) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "kaish-trash",
    about: "what was removed under `set -o trash`",
    topic: Topic::Files,
    operands: "list | restore NAME... | empty | config",
    completes: Completes::Nothing,
    options: &[CONFIRM],
    notes: "`restore` moves an entry back to where it was, under the name that `list` shows. `empty` always\n\
            asks: it answers status 2 and a nonce for --confirm=. With --json: a list of records with\n\
            name, path, deleted, size.",
    examples: &[Example {
        script: "set -o trash; echo hi > f; rm f; kaish-trash restore f; cat f",
        output: "hi\n",
    }],
    ..Spec::DEFAULT
};

/// An entry of the trash.
struct Entry {
    name: EcoString,
    path: PathBuf,
    deleted: String,
    size: u64,
}

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let words = args.operand_texts();
        let words: Vec<&str> = words.iter().map(EcoString::as_str).collect();
        match words.as_slice() {
            [] | ["list"] => list(cx, args).await,
            ["restore", names @ ..] if !names.is_empty() => restore(cx, names).await,
            ["empty"] => empty(cx, args).await,
            ["config"] => config(cx, args).await,
            ["restore"] => Err(cx.fail(2, "restore: which? `kaish-trash list` shows the names")),
            [word, ..] => Err(cx.fail(2, format_args!("{word}: the words are {}", SPEC.operands))),
        }
    }
    .boxed_local()
}

/// The entries, the youngest last.
async fn entries(cx: &ExecContext) -> Vec<Entry> {
    let backend = Rc::clone(cx.backend());
    let root = root(cx);
    let mut entries = Vec::new();
    // A trash that is not there is empty.
    for found in backend.list(&root.join("info")).await.unwrap_or_default() {
        let Some(name) = found.name.strip_suffix(".trashinfo") else { continue };
        let content = backend.read(&root.join("info").join(found.name.as_str()), None).await;
        let text = content.ok().and_then(|content| String::from_utf8(content).ok());
        let Some((path, deleted)) = text.as_deref().and_then(info::parse) else { continue };
        let held = backend.lstat(&root.join("files").join(name)).await;
        let size = held.map_or(0, |held| held.len);
        entries.push(Entry { name: name.into(), path: PathBuf::from(path), deleted, size });
    }
    entries.order_by(|a, b| (&a.deleted, &a.name).cmp(&(&b.deleted, &b.name)));
    entries
}

async fn list(cx: &mut ExecContext, args: &Args) -> Outcome {
    let rows: Vec<Record> = entries(cx)
        .await
        .into_iter()
        .map(|entry| {
            record([
                ("name", Value::Text(entry.name)),
                ("path", entry.path.as_str().into()),
                ("deleted", Value::text(entry.deleted)),
                ("size", count(entry.size)),
            ])
        })
        .collect();
    if args.json {
        let rows: EcoVec<Value> = rows.into_iter().map(|row| Value::Record(Rc::new(row))).collect();
        cx.answer(Value::List(rows));
    } else if !rows.is_empty() {
        cx.push(table(&["name", "deleted", "size", "path"], &rows));
    }
    OK
}

async fn restore(cx: &mut ExecContext, names: &[&str]) -> Outcome {
    let entries = entries(cx).await;
    let mut status = 0;
    for name in names {
        // The name in the trash, or the path it had; of several the one that went last.
        let full = cx.resolve(name);
        let entry = entries.iter().rev().find(|entry| entry.name == *name || entry.path == full);
        let result = match entry {
            Some(entry) => put_back(cx, entry).await,
            None => Err("not in the trash".into()),
        };
        if let Err(message) = result {
            cx.complain(format_args!("{name}: {message}")).await?;
            status = 1;
        }
    }
    Reply::status(status)
}

async fn put_back(cx: &mut ExecContext, entry: &Entry) -> Result<(), String> {
    let backend = Rc::clone(cx.backend());
    if backend.lstat(&entry.path).await.is_ok() {
        return Err(format!("{}: there is something in its place", entry.path));
    }
    let root = root(cx);
    let parent = entry.path.parent().unwrap_or(Path::new("/"));
    let words = |error: crate::tool::BackendError| error.to_string();
    make_directories(backend.as_ref(), parent).await.map_err(words)?;
    let held = root.join("files").join(entry.name.as_str());
    backend.rename(&held, &entry.path).await.map_err(words)?;
    let info = root.join("info").join(format!("{}.trashinfo", entry.name));
    backend.remove(&info, false).await.map_err(words)
}

async fn empty(cx: &mut ExecContext, args: &Args) -> Outcome {
    let root = root(cx);
    let entries = entries(cx).await;
    if entries.is_empty() && args.text("confirm").is_none() {
        return OK;
    }
    let paths = [EcoString::from(root.as_str())];
    let count = entries.len();
    confirm_always(cx, args, &paths, (&format!("{count} entries are lost for good"), "empty"))?;
    let backend = Rc::clone(cx.backend());
    for part in ["files", "info"] {
        let path = root.join(part);
        if !backend.exists(&path).await {
            continue;
        }
        let removed = backend.remove(&path, true).await;
        removed.map_err(|error| cx.fail(1, error))?;
    }
    OK
}

async fn config(cx: &mut ExecContext, args: &Args) -> Outcome {
    let entries = entries(cx).await;
    let bytes: u64 = entries.iter().map(|entry| entry.size).sum();
    let shown = record([
        ("on", Value::Bool(super::is_on(cx))),
        ("directory", root(cx).as_str().into()),
        ("entries", count(entries.len())),
        ("bytes", count(bytes)),
    ]);
    if args.json {
        cx.answer(Value::Record(Rc::new(shown)));
        return OK;
    }
    for (key, value) in &shown {
        cx.push_line(format!("{key:<9} {}", value.to_text_lossy()));
    }
    OK
}
