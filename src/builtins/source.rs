//! `source` and `.`: run a file in the present shell.

use std::rc::Rc;

use futures::future::{FutureExt, LocalBoxFuture};

use super::program::{self, Kind};
use crate::tool::{
    Args, Binding, Builtin, Completes, Example, ExecContext, Outcome, Reply, Request, Run, Spec,
    Topic,
};
use crate::value::Value;
use crate::vfs::PathBuf;

/// `source`
pub(super) const SOURCE: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

/// `.`
pub(super) const DOT: Builtin = Builtin { spec: Spec { name: ".", ..SPEC }, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "source",
    about: "run a file in the present shell",
    topic: Topic::Shell,
    operands: "FILE [ARGUMENT]...",
    completes: Completes::Files,
    binding: Binding::Leading,
    notes: "A FILE without a slash is looked for in the directories of $PATH, then in the working\n\
            directory. Arguments are $1, $2, … while it runs. `return` leaves it.",
    examples: &[Example { script: "echo 'x=5' > lib.kai; . ./lib.kai; echo $x", output: "5\n" }],
    ..Spec::DEFAULT
};

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let Some(file) = args.operand(0) else {
            return Err(cx.fail(2, "which file? source FILE [ARGUMENT]..."));
        };
        let path = match on_path(cx, &file).await {
            Some(path) => path,
            None => cx.resolve(&file),
        };
        let text = program::read_script(cx, &file, &path).await?;
        let program = program::check(cx, Kind::Sourced, file, text)?;
        let arguments: Vec<Value> = args.operands.iter().skip(1).cloned().collect();
        Ok(Reply::Request(Request::Source {
            script: program.script,
            source: program.source,
            arguments: Some(arguments).filter(|arguments| !arguments.is_empty()),
        }))
    }
    .boxed_local()
}

/// The file of that name in a directory of `$PATH`.
async fn on_path(cx: &ExecContext, file: &str) -> Option<PathBuf> {
    if file.contains('/') {
        return None;
    }
    let directories = cx.session.scope.borrow().get("PATH").map(Value::to_text_lossy)?;
    let backend = Rc::clone(cx.backend());
    for directory in directories.split(':').filter(|directory| !directory.is_empty()) {
        let path = cx.resolve(directory).join(file);
        if backend.stat(&path).await.is_ok_and(|found| found.is_file()) {
            return Some(path);
        }
    }
    None
}
