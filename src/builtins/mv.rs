//! `mv`: moves and renames files and directories.

use std::rc::Rc;

use futures::future::{FutureExt, LocalBoxFuture};

use super::common::targets::{self, Pair, is_same_file};
use super::common::{BACKUP, BACKUP_HOW, Backup, SUFFIX, ask, quoted};
use super::{latch, trash};
use crate::io::Errno;
use crate::tool::{
    Args, Builtin, Example, ExecContext, Opt, Outcome, Reply, Run, Spec, Stop, Topic,
};
use crate::value::EcoString;
use crate::vfs::Metadata;

/// `mv`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "mv",
    about: "move and rename files and directories",
    topic: Topic::Files,
    operands: "SOURCE... DESTINATION",
    options: &[
        Opt::flag('f', "force", "overwrite without asking, which is the default"),
        Opt::flag('i', "interactive", "ask before overwriting"),
        Opt::flag('n', "no-clobber", "overwrite nothing"),
        Opt::flag('u', "update", "only what is newer, or not there"),
        Opt::flag('v', "verbose", "say what is moved"),
        targets::INTO,
        targets::AS,
        targets::STRIP,
        BACKUP,
        BACKUP_HOW,
        SUFFIX,
        latch::CONFIRM,
    ],
    notes: "Across mounts it copies, verifies and removes.",
    examples: &[Example {
        script: "touch a; mkdir d; mv -v a d",
        output: "renamed 'a' -> 'd/a'\n",
    }],
    ..Spec::DEFAULT
};

/// What to do about a file that is there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Clobber {
    Overwrite,
    Ask,
    Keep,
}

/// What the options ask for.
struct Plan {
    clobber: Clobber,
    update: bool,
    verbose: bool,
    backup: Backup,
}

/// What is to happen to one operand.
enum Verdict {
    /// Move; the name that what was there has got, where it is kept.
    Go(Option<EcoString>),
    LeftAlone,
    Refused(String),
}

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let clobber = match args.last_of(&["force", "interactive", "no-clobber"]) {
            Some("interactive") => Clobber::Ask,
            Some("no-clobber") => Clobber::Keep,
            _ => Clobber::Overwrite,
        };
        let backup = Backup::read(cx, args)?;
        if backup.is_on() && clobber == Clobber::Keep {
            let message = "options --backup and --no-clobber are mutually exclusive";
            return Err(cx.misuse(1, message));
        }
        let (update, verbose) = (args.has("update"), args.has("verbose"));
        let plan = Plan { clobber, update, verbose, backup };
        let pairs = targets::pairs(cx, args).await?;
        let stake = targets::overwritten(cx, &pairs.list).await;
        latch::confirm(cx, args, &stake, "latch is on, and this overwrites")?;
        let mut ok = pairs.ok;
        for pair in pairs.list {
            cx.checkpoint(40).await?;
            ok &= rename(cx, &plan, &pair).await?;
        }
        Reply::success(ok)
    }
    .boxed_local()
}

/// Moves one operand; `false` where that was reported to fail.
async fn rename(cx: &mut ExecContext, plan: &Plan, pair: &Pair) -> Result<bool, Stop> {
    let Pair { from, to } = pair;
    let (source, target) = (cx.resolve(from), cx.resolve(to));
    let fs = Rc::clone(cx.backend());
    let metadata = match fs.lstat(&source).await {
        Ok(metadata) => metadata,
        Err(error) => {
            cx.complain(format_args!("cannot stat {}: {}", quoted(from), error.errno())).await?;
            return Ok(false);
        }
    };
    let mut kept = None;
    if let Ok(there) = fs.lstat(&target).await {
        match decide(cx, plan, pair, (&metadata, &there)).await? {
            Verdict::Go(backup) => {
                kept = backup;
                let trashed = match kept.is_none() && there.is_file() && trash::is_on(cx) {
                    true => trash::discard(cx, &target).await,
                    false => Ok(()),
                };
                trashed.map_err(|error| cx.fail(1, error))?;
            }
            Verdict::LeftAlone => return Ok(true),
            Verdict::Refused(message) => {
                cx.complain(message).await?;
                return Ok(false);
            }
        }
    }
    let renamed = fs.rename(&source, &target).await.map_err(|error| error.errno());
    if renamed == Err(Errno::Invalid) && metadata.is_dir() {
        let (from, to) = (quoted(from), quoted(to));
        cx.complain(format_args!("cannot move {from} to a subdirectory of itself, {to}")).await?;
        return Ok(false);
    }
    report(cx, plan, pair, renamed, kept.as_deref()).await
}

async fn report(
    cx: &mut ExecContext,
    plan: &Plan,
    pair: &Pair,
    renamed: Result<(), Errno>,
    kept: Option<&str>,
) -> Result<bool, Stop> {
    let (from, to) = (quoted(&pair.from), quoted(&pair.to));
    if let Err(errno) = renamed {
        cx.complain(format_args!("cannot move {from} to {to}: {errno}")).await?;
        return Ok(false);
    }
    if plan.verbose {
        let backup = kept.map(|kept| format!(" (backup: {})", quoted(kept))).unwrap_or_default();
        cx.write_line(format!("renamed {from} -> {to}{backup}").as_bytes()).await?;
    }
    Ok(true)
}

/// Decides about what is there, and keeps it where asked.
async fn decide(
    cx: &mut ExecContext,
    plan: &Plan,
    pair: &Pair,
    (metadata, there): (&Metadata, &Metadata),
) -> Result<Verdict, Stop> {
    let (from, to) = (quoted(&pair.from), quoted(&pair.to));
    if plan.clobber == Clobber::Keep || (plan.update && metadata.modified <= there.modified) {
        return Ok(Verdict::LeftAlone);
    }
    // A link to what it would replace would end as a link to itself.
    let source = match metadata.is_symlink() && !there.is_symlink() {
        true => cx.backend().stat(&cx.resolve(&pair.from)).await.ok(),
        false => None,
    };
    if is_same_file(source.as_ref().unwrap_or(metadata), there) {
        return Ok(Verdict::Refused(format!("{from} and {to} are the same file")));
    }
    if there.is_dir() && !metadata.is_dir() {
        let message = format!("cannot overwrite directory {to} with non-directory");
        return Ok(Verdict::Refused(message));
    }
    if metadata.is_dir() && !there.is_dir() && !plan.backup.is_on() {
        let message = format!("cannot overwrite non-directory {to} with directory {from}");
        return Ok(Verdict::Refused(message));
    }
    if plan.clobber == Clobber::Ask && !ask(cx, format_args!("overwrite {to}?")).await? {
        return Ok(Verdict::LeftAlone);
    }
    match plan.backup.keep(cx, &pair.to).await {
        Ok(kept) => Ok(Verdict::Go(kept)),
        Err(errno) => Ok(Verdict::Refused(format!("cannot backup {to}: {errno}"))),
    }
}
