//! `mkdir`: creates directories.

use std::rc::Rc;

use futures::future::{FutureExt, LocalBoxFuture};

use super::common::{Mode, quoted};
use crate::io::Errno;
use crate::tool::{
    Args, Builtin, Completes, Example, ExecContext, Opt, Outcome, Reply, Run, Spec, Stop, Topic,
};

/// `mkdir`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "mkdir",
    about: "create directories",
    topic: Topic::Files,
    operands: "DIRECTORY...",
    arity: (1, usize::MAX),
    completes: Completes::Directories,
    options: &[
        Opt::flag('p', "parents", "create parents too; no error where it exists"),
        Opt::flag('v', "verbose", "say what is created"),
        Opt::value('m', "mode", "MODE", "permission bits, as for chmod"),
    ],
    examples: &[Example {
        script: "mkdir -p a/b c; find . -type d",
        output: ".\n./a\n./a/b\n./c\n",
    }],
    ..Spec::DEFAULT
};

/// What the options ask for.
struct Plan {
    parents: bool,
    verbose: bool,
    mode: Option<u32>,
}

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let mode = match args.text("mode") {
            None => None,
            Some(text) => match Mode::parse(&text) {
                Some(mode) => Some(mode.apply(0o777, true)),
                None => return Err(cx.fail(1, format_args!("invalid mode {}", quoted(&text)))),
            },
        };
        let plan = Plan { parents: args.has("parents"), verbose: args.has("verbose"), mode };
        let mut ok = true;
        for name in args.operand_texts() {
            ok &= make(cx, &plan, &name).await?;
        }
        Reply::success(ok)
    }
    .boxed_local()
}

/// Which part of an operand a directory is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Parent,
    Last,
}

/// Creates one directory, with its parents where asked; `false` where that was reported to fail.
async fn make(cx: &mut ExecContext, plan: &Plan, name: &str) -> Result<bool, Stop> {
    if plan.parents {
        let ends = name.match_indices('/').map(|(at, _)| at).filter(|at| *at > 0);
        for end in ends {
            let parent = name.get(..end).unwrap_or(name);
            if name.get(end..).is_some_and(|rest| rest.trim_matches('/').is_empty()) {
                break;
            }
            if !parent.ends_with('/') && !make_one(cx, plan, parent, Part::Parent).await? {
                return Ok(false);
            }
        }
    }
    make_one(cx, plan, name, Part::Last).await
}

async fn make_one(cx: &mut ExecContext, plan: &Plan, name: &str, part: Part) -> Result<bool, Stop> {
    cx.checkpoint(20).await?;
    let path = cx.resolve(name);
    let fs = Rc::clone(cx.backend());
    if plan.parents {
        match fs.stat(&path).await {
            Ok(metadata) if metadata.is_dir() => return Ok(true),
            Ok(_) if part == Part::Parent => return failed(cx, name, Errno::NotDirectory).await,
            Ok(_) => return failed(cx, name, Errno::AlreadyExists).await,
            Err(_) => {}
        }
    }
    let mut result = fs.mkdir(&path).await;
    if let (Ok(()), Some(mode), Part::Last) = (&result, plan.mode, part) {
        result = fs.set_mode(&path, mode).await;
    }
    match result {
        Ok(()) => {
            if plan.verbose {
                cx.write_line(format!("mkdir: created directory {}", quoted(name)).as_bytes())
                    .await?;
            }
            Ok(true)
        }
        Err(error) => failed(cx, name, error.errno()).await,
    }
}

async fn failed(cx: &mut ExecContext, name: &str, errno: Errno) -> Result<bool, Stop> {
    cx.complain(format_args!("cannot create directory {}: {errno}", quoted(name))).await?;
    Ok(false)
}
