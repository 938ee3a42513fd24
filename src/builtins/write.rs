//! `write`: a value or standard input to a file.

use std::rc::Rc;

use futures::future::{FutureExt, LocalBoxFuture};

use super::common::quoted;
use super::dirname::parent_of;
use crate::io::Errno;
use crate::tool::{Args, Builtin, Example, ExecContext, Outcome, Reply, Run, Spec, Topic};
use crate::value::{Record, Value};
use crate::vfs::WriteMode;

/// `write`
pub(super) const BUILTIN: Builtin = Builtin {
    spec: Spec {
        name: "write",
        about: "write a value or standard input to a file",
        topic: Topic::Values,
        operands: "FILE [VALUE]",
        arity: (1, 2),
        typed: true,
        notes: "The text or bytes of VALUE, with no newline added; parent directories are made. \
            The file gets all of it or stays as it was.\n--json: a record with path and bytes.",
        examples: &[Example {
            script: "write a/b hi; cat a/b",
            output: "wrote 2 bytes to a/b\nhi",
        }],
        ..Spec::DEFAULT
    },
    run: Run::Wait(run),
};

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let name = args.operand(0).unwrap_or_default();
        let bytes = match args.operands.get(1) {
            Some(value) => value.to_bytes(),
            None => match cx.read_value_or_bytes().await? {
                Ok(value) => value.to_bytes(),
                Err(bytes) => bytes,
            },
        };
        if let Err(errno) = write(cx, &name, &bytes).await {
            return Err(cx.fail(1, format_args!("cannot write {}: {errno}", quoted(&name))));
        }
        if args.json {
            let mut record = Record::default();
            let count = i64::try_from(bytes.len()).unwrap_or(i64::MAX);
            record.insert("path".into(), Value::Text(name));
            record.insert("bytes".into(), Value::int(count));
            cx.answer(Value::Record(Rc::new(record)));
        } else {
            let noun = if bytes.len() == 1 { "byte" } else { "bytes" };
            let line = format!("wrote {} {noun} to {name}", bytes.len());
            cx.write_line(line.as_bytes()).await?;
        }
        Reply::status(0)
    }
    .boxed_local()
}

async fn write(cx: &ExecContext, name: &str, bytes: &[u8]) -> Result<(), Errno> {
    let fs = Rc::clone(cx.backend());
    let path = cx.resolve(name);
    let mut written = fs.write(&path, bytes, WriteMode::Truncate).await;
    if written.as_ref().is_err_and(|error| error.errno() == Errno::NotFound) && !name.is_empty() {
        make_parents(cx, name).await?;
        written = fs.write(&path, bytes, WriteMode::Truncate).await;
    }
    written.map_err(|error| error.errno())
}

async fn make_parents(cx: &ExecContext, name: &str) -> Result<(), Errno> {
    let parent = parent_of(name);
    let ends = parent.match_indices('/').map(|(at, _)| at).chain([parent.len()]);
    for end in ends.filter(|end| *end > 0) {
        let path = cx.resolve(parent.get(..end).unwrap_or_default());
        match cx.backend().mkdir(&path).await {
            Ok(()) => {}
            Err(error) => {
                let is_there = cx.backend().stat(&path).await.is_ok_and(|there| there.is_dir());
                if !is_there {
                    return Err(error.errno());
                }
            }
        }
    }
    Ok(())
}
