//! `touch`: creates files and sets their times.

use std::rc::Rc;

use futures::future::{FutureExt, LocalBoxFuture};

use super::common::{bad_choice, parse_date, parse_stamp, quoted};
use crate::host::Timestamp;
use crate::io::Errno;
use crate::tool::{
    Args, Builtin, Example, ExecContext, Opt, Outcome, Reply, Run, Spec, Stop, Topic,
};
use crate::vfs::OpenOptions;

/// `touch`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "touch",
    about: "create files, or set their times to now",
    topic: Topic::Files,
    operands: "FILE...",
    options: &[
        Opt::flag('a', "", "only the time of access, which is not kept: creates, changes nothing"),
        Opt::flag('m', "", "only the time of modification"),
        Opt::flag('c', "no-create", "do not create files"),
        Opt::value('d', "date", "TEXT", "this time instead of now, as for date -d"),
        Opt::value('t', "", "STAMP", "this time: [[CC]YY]MMDDhhmm[.ss]"),
        Opt::value('r', "reference", "FILE", "the time of FILE"),
        Opt::value('\0', "time", "WORD", "access, atime, use: like -a; modify, mtime: like -m"),
        Opt::flag('h', "no-dereference", "a link itself, not what it points to"),
        Opt::flag('f', "", "ignored"),
    ],
    examples: &[Example {
        script: "touch -d '2024-02-29 10:00' a; date -r a +%F",
        output: "2024-02-29\n",
    }],
    ..Spec::DEFAULT
};

/// The words of `--time`.
const TIMES: &[&str] = &["atime, access, use", "mtime, modify"];

/// What the options ask for.
struct Plan {
    create: bool,
    follow: bool,
    /// Whether the time of modification is set at all.
    modify: bool,
    time: Timestamp,
}

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let plan = plan(cx, args).await?;
        if args.operands.is_empty() {
            return Err(cx.misuse(1, "missing file operand"));
        }
        let mut ok = true;
        for name in args.operand_texts() {
            cx.checkpoint(20).await?;
            // `-` is standard output, whose times nobody sees.
            if name == "-" {
                continue;
            }
            if let Err((what, errno)) = touch(cx, &plan, &name).await {
                cx.complain(format_args!("{what} {}: {errno}", quoted(&name))).await?;
                ok = false;
            }
        }
        Reply::success(ok)
    }
    .boxed_local()
}

async fn plan(cx: &mut ExecContext, args: &Args) -> Result<Plan, Stop> {
    let now = cx.services.host.now();
    let mut time = now;
    if let Some(reference) = args.text("reference") {
        match Rc::clone(cx.backend()).stat(&cx.resolve(&reference)).await {
            Ok(metadata) => time = metadata.modified,
            Err(error) => {
                let name = quoted(&reference);
                let message = format!("failed to get attributes of {name}: {}", error.errno());
                return Err(cx.fail(1, message));
            }
        }
    }
    let relative_to = time;
    for (key, read) in [("date", parse_date as fn(&str, _) -> _), ("t", parse_stamp)] {
        let Some(text) = args.text(key) else { continue };
        match read(&text, relative_to) {
            Some(parsed) => time = parsed,
            None => return Err(cx.fail(1, format_args!("invalid date format {}", quoted(&text)))),
        }
    }
    let (mut access, mut modify) = (args.has("a"), args.has("m"));
    if let Some(word) = args.text("time") {
        match word.as_str() {
            "access" | "atime" | "use" => access = true,
            "modify" | "mtime" => modify = true,
            _ => return Err(cx.misuse(1, bad_choice("--time", &word, TIMES))),
        }
    }
    Ok(Plan {
        create: !args.has("no-create") && !args.has("no-dereference"),
        follow: !args.has("no-dereference"),
        modify: modify || !access,
        time,
    })
}

async fn touch(cx: &ExecContext, plan: &Plan, name: &str) -> Result<(), (&'static str, Errno)> {
    let path = cx.resolve(name);
    let fs = cx.backend();
    let known = if plan.follow { fs.stat(&path).await } else { fs.lstat(&path).await };
    match known {
        Ok(metadata) if metadata.is_symlink() => {
            return Err(("setting times of", Errno::NotSupported));
        }
        Ok(_) => {}
        Err(error) if error.errno() == Errno::NotFound && plan.create && !name.ends_with('/') => {
            let options = OpenOptions { truncate: false, ..OpenOptions::WRITE };
            let file = fs.open(&path, options).await;
            let file = file.map_err(|error| ("cannot touch", error.errno()))?;
            file.close().await.map_err(|errno| ("cannot touch", errno))?;
        }
        Err(error) if error.errno() == Errno::NotFound => {
            return if plan.follow && !plan.create {
                Ok(())
            } else {
                Err(("setting times of", Errno::NotFound))
            };
        }
        Err(error) => return Err(("cannot touch", error.errno())),
    }
    if plan.modify {
        let set = fs.set_mtime(&path, plan.time).await;
        set.map_err(|error| ("setting times of", error.errno()))?;
    }
    Ok(())
}
