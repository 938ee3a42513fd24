//! `ln`: makes links.

use std::rc::Rc;

use futures::future::{FutureExt, LocalBoxFuture};

use super::basename::base_of;
use super::common::targets::{self, Pair, Pairs, is_same_file, is_same_name};
use super::common::{BACKUP, BACKUP_HOW, Backup, SUFFIX, ask, quoted};
use super::dirname::parent_of;
use crate::io::Errno;
use crate::tool::{
    Args, Builtin, Example, ExecContext, Opt, Outcome, Reply, Run, Spec, Stop, Topic,
};
use crate::value::EcoString;
use crate::vfs::{Metadata, Path, PathBuf};

/// `ln`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "ln",
    about: "make links to files",
    topic: Topic::Files,
    operands: "TARGET... LINK | TARGET... DIRECTORY",
    options: &[
        Opt::flag('s', "symbolic", "symbolic links, which hold a path"),
        Opt::flag('f', "force", "remove what is there"),
        Opt::flag('i', "interactive", "ask before removing what is there"),
        Opt::flag('n', "no-dereference", "a link to a directory is a file to be replaced"),
        Opt::flag('r', "relative", "with -s: the path from where the link is"),
        Opt::flag('v', "verbose", "say what is linked"),
        Opt::flag('L', "logical", "link what a TARGET that is a link points to"),
        Opt::flag('P', "physical", "link a TARGET that is a link itself"),
        targets::INTO,
        targets::AS,
        BACKUP,
        BACKUP_HOW,
        SUFFIX,
    ],
    notes: "With one TARGET the link is made in the current directory, under the same name.",
    examples: &[Example { script: "echo hi > a; ln -s a b; readlink b; cat b", output: "a\nhi\n" }],
    ..Spec::DEFAULT
};

/// What the options ask for.
#[expect(clippy::struct_excessive_bools, reason = "independent options")]
struct Plan {
    symbolic: bool,
    relative: bool,
    logical: bool,
    force: bool,
    ask: bool,
    verbose: bool,
    backup: Backup,
}

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let last = args.last_of(&["force", "interactive"]);
        let plan = Plan {
            symbolic: args.has("symbolic"),
            relative: args.has("relative"),
            logical: args.last_of(&["logical", "physical"]) == Some("logical"),
            force: last == Some("force"),
            ask: last == Some("interactive"),
            verbose: args.has("verbose"),
            backup: Backup::read(cx, args)?,
        };
        if plan.relative && !plan.symbolic {
            return Err(cx.fail(1, "cannot do --relative without --symbolic"));
        }
        let pairs = pairs(cx, args).await?;
        let mut ok = pairs.ok;
        for pair in pairs.list {
            cx.checkpoint(40).await?;
            ok &= link(cx, &plan, &pair).await?;
        }
        Reply::success(ok)
    }
    .boxed_local()
}

async fn pairs(cx: &mut ExecContext, args: &Args) -> Result<Pairs, Stop> {
    let one = |from: &EcoString, to: EcoString| {
        Ok(Pairs { list: vec![Pair { from: from.clone(), to }], ok: true })
    };
    let names = args.operand_texts();
    let elsewhere = args.has("target-directory") || args.has("no-target-directory");
    if let (Some(from), 1, false) = (names.first(), names.len(), elsewhere) {
        return one(from, EcoString::from(format!("./{}", base_of(from))));
    }
    if let ([from, to], true) = (names.as_slice(), args.has("no-dereference")) {
        let is_link = cx.backend().lstat(&cx.resolve(to)).await.is_ok_and(|m| m.is_symlink());
        if is_link && !elsewhere {
            return one(from, to.clone());
        }
    }
    targets::pairs(cx, args).await
}

/// Makes one link; `false` where that was reported to fail.
async fn link(cx: &mut ExecContext, plan: &Plan, pair: &Pair) -> Result<bool, Stop> {
    let fs = Rc::clone(cx.backend());
    let (mut source, target) = (cx.resolve(&pair.from), cx.resolve(&pair.to));
    let mut found = None;
    if !plan.symbolic {
        let looked = if plan.logical { fs.stat(&source).await } else { fs.lstat(&source).await };
        match looked {
            Ok(metadata) if metadata.is_dir() => {
                cx.complain(format_args!("{}: hard link not allowed for directory", pair.from))
                    .await?;
                return Ok(false);
            }
            Ok(metadata) => found = Some(metadata),
            Err(error) => {
                let (name, errno) = (quoted(&pair.from), error.errno());
                cx.complain(format_args!("failed to access {name}: {errno}")).await?;
                return Ok(false);
            }
        }
        if plan.logical {
            source = fs.canonicalize(&source, false).await.unwrap_or(source);
        }
    }
    let kept = match clear(cx, plan, pair, found.as_ref()).await? {
        Ok(kept) => kept,
        Err(Some(message)) => {
            cx.complain(message).await?;
            return Ok(false);
        }
        Err(None) => return Ok(true),
    };
    let mut text = pair.from.clone();
    if plan.relative {
        text = relative(cx, &source, &pair.to).await;
    }
    let what = if plan.symbolic { Path::new(&text) } else { source.as_path() };
    let mut linked = make(cx, plan, what, &target).await;
    if linked == Err(Errno::AlreadyExists) && (plan.force || plan.ask) {
        linked = replace(cx, plan, what, &target).await;
    }
    if let Err(errno) = linked {
        let message = failure(plan, pair, errno);
        cx.complain(message).await?;
        return Ok(false);
    }
    if plan.verbose {
        let arrow = if plan.symbolic { "->" } else { "=>" };
        let backup = kept.map(|kept| format!("{} ~ ", quoted(&kept))).unwrap_or_default();
        let line = format!("{backup}{} {arrow} {}", quoted(&pair.to), quoted(&text));
        cx.write_line(line.as_bytes()).await?;
    }
    Ok(true)
}

async fn make(cx: &ExecContext, plan: &Plan, from: &Path, to: &Path) -> Result<(), Errno> {
    let fs = cx.backend();
    let made =
        if plan.symbolic { fs.symlink(from, to).await } else { fs.hard_link(from, to).await };
    made.map_err(|error| error.errno())
}

/// Puts a link in the place of what is there, in one step: where that fails, nothing is lost.
async fn replace(cx: &ExecContext, plan: &Plan, from: &Path, to: &Path) -> Result<(), Errno> {
    let mut number = 0;
    let aside = loop {
        let aside = PathBuf::from(format!("{to}.ln{number}~"));
        match make(cx, plan, from, &aside).await {
            Ok(()) => break aside,
            Err(Errno::AlreadyExists) => number += 1,
            Err(errno) => return Err(errno),
        }
    };
    let fs = cx.backend();
    let renamed = fs.rename(&aside, to).await.map_err(|error| error.errno());
    // Nothing is moved where both are names of one file, or where it failed.
    if fs.lstat(&aside).await.is_ok() {
        let removed = fs.remove(&aside, false).await;
        return renamed.and(removed.map_err(|error| error.errno()));
    }
    renamed
}

fn failure(plan: &Plan, pair: &Pair, errno: Errno) -> String {
    let to = quoted(&pair.to);
    if plan.symbolic && errno == Errno::AlreadyExists {
        return format!("failed to create symbolic link {to}: {errno}");
    }
    let from = quoted(&pair.from);
    match (plan.symbolic, errno) {
        (true, _) if pair.from.is_empty() => {
            format!("failed to create symbolic link {to} -> {from}: {errno}")
        }
        (true, _) => format!("failed to create symbolic link {to}: {errno}"),
        (false, Errno::AlreadyExists) => format!("failed to create hard link {to}: {errno}"),
        (false, _) => format!("failed to create hard link {to} => {from}: {errno}"),
    }
}

/// Asks about what is there, and keeps it, where that is wanted. The error is a complaint, or `None` where the answer to
/// a question was no.
async fn clear(
    cx: &mut ExecContext,
    plan: &Plan,
    pair: &Pair,
    source: Option<&Metadata>,
) -> Result<Result<Option<EcoString>, Option<String>>, Stop> {
    if !plan.force && !plan.ask && !plan.backup.is_on() {
        return Ok(Ok(None));
    }
    let target = cx.resolve(&pair.to);
    let Ok(there) = Rc::clone(cx.backend()).lstat(&target).await else { return Ok(Ok(None)) };
    let to = quoted(&pair.to);
    if there.is_dir() {
        return Ok(Err(Some(format!("{}: cannot overwrite directory", pair.to))));
    }
    let is_same = source.is_some_and(|source| is_same_file(source, &there));
    if is_same && !plan.backup.is_on() && is_same_name(cx, &pair.from, &pair.to).await {
        let from = quoted(&pair.from);
        return Ok(Err(Some(format!("{from} and {to} are the same file"))));
    }
    if plan.ask && !ask(cx, format_args!("replace {to}?")).await? {
        return Ok(Err(None));
    }
    if plan.backup.is_on() {
        let kept = plan.backup.keep(cx, &pair.to).await;
        return Ok(kept.map_err(|errno| Some(format!("cannot backup {to}: {errno}"))));
    }
    Ok(Ok(None))
}

/// The path from the directory of a link to what it is to point to.
async fn relative(cx: &ExecContext, source: &Path, to: &str) -> EcoString {
    let fs = cx.backend();
    let directory = cx.resolve(parent_of(to));
    let from = fs.canonicalize(&directory, true).await.unwrap_or(directory);
    let source = fs.canonicalize(source, true).await.unwrap_or_else(|_| source.to_path_buf());
    targets::relative_path(&from, &source).as_str().into()
}
