//! `rmdir`: removes empty directories.

use std::rc::Rc;

use futures::future::{FutureExt, LocalBoxFuture};

use super::common::quoted;
use super::dirname::parent_of;
use crate::io::Errno;
use crate::tool::{
    Args, Builtin, Completes, Example, ExecContext, Opt, Outcome, Reply, Run, Spec, Stop, Topic,
};

/// `rmdir`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "rmdir",
    about: "remove empty directories",
    topic: Topic::Files,
    operands: "DIRECTORY...",
    arity: (1, usize::MAX),
    completes: Completes::Directories,
    options: &[
        Opt::flag('p', "parents", "remove each parent too, as far as they are empty"),
        Opt::flag('v', "verbose", "say what is removed"),
        Opt::flag('\0', "ignore-fail-on-non-empty", "do not complain of one that is not empty"),
    ],
    examples: &[Example { script: "mkdir -p a/b; rmdir -p a/b; ls", output: "" }],
    ..Spec::DEFAULT
};

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let mut ok = true;
        for operand in args.operand_texts() {
            let mut name = operand.as_str();
            loop {
                if !remove(cx, args, name, name == operand).await? {
                    ok = false;
                    break;
                }
                let parent = parent_of(name);
                if !args.has("parents") || parent == "." || parent == "/" || parent == name {
                    break;
                }
                name = parent;
            }
        }
        Reply::success(ok)
    }
    .boxed_local()
}

async fn remove(
    cx: &mut ExecContext,
    args: &Args,
    name: &str,
    is_operand: bool,
) -> Result<bool, Stop> {
    if args.has("verbose") {
        cx.write_line(format!("rmdir: removing directory, {}", quoted(name)).as_bytes()).await?;
    }
    let errno = match try_remove(cx, name).await {
        Ok(()) => return Ok(true),
        Err(errno) => errno,
    };
    if errno == Errno::DirectoryNotEmpty && args.has("ignore-fail-on-non-empty") {
        return Ok(true);
    }
    let kind = if is_operand { "" } else { "directory " };
    cx.complain(format_args!("failed to remove {kind}{}: {errno}", quoted(name))).await?;
    Ok(false)
}

async fn try_remove(cx: &ExecContext, name: &str) -> Result<(), Errno> {
    let path = cx.resolve(name);
    let fs = Rc::clone(cx.backend());
    if !fs.lstat(&path).await.map_err(|error| error.errno())?.is_dir() {
        return Err(Errno::NotDirectory);
    }
    if name.trim_end_matches('/').rsplit('/').next() == Some(".") {
        return Err(Errno::Invalid);
    }
    fs.remove(&path, false).await.map_err(|error| error.errno())
}
