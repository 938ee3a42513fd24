//! `cp`: copies files and directory trees.

mod copy;
mod overwrite;
mod plan;

use futures::future::{FutureExt, LocalBoxFuture};

use self::copy::Copier;
use self::plan::Plan;
use super::common::{BACKUP, BACKUP_HOW, SUFFIX, targets};
use super::latch;
use crate::tool::{Args, Builtin, Example, ExecContext, Opt, Outcome, Reply, Run, Spec, Topic};

/// `cp`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "cp",
    about: "copy files and directories",
    topic: Topic::Files,
    operands: "SOURCE... DESTINATION",
    options: &[
        Opt::flag('r', "recursive", "directories with what is in them"),
        Opt::flag('R', "", "the same as -r"),
        Opt::flag('a', "archive", "the same as -dr --preserve=all"),
        Opt::flag('d', "", "the same as -P --preserve=links"),
        Opt::flag('p', "", "the same as --preserve=mode,timestamps"),
        Opt::optional('\0', "preserve", "WHAT", "keep mode, timestamps, links, all; ownership too"),
        Opt::value('\0', "no-preserve", "WHAT", "do not keep these"),
        Opt::flag('f', "force", "remove what can't be overwritten"),
        Opt::flag('\0', "remove-destination", "remove what is there first"),
        Opt::flag('i', "interactive", "ask before overwriting"),
        Opt::flag('n', "no-clobber", "overwrite nothing"),
        Opt::flag('u', "update", "only what is newer, or not there"),
        Opt::flag('v', "verbose", "say what is copied"),
        Opt::flag('l', "link", "make hard links"),
        Opt::flag('s', "symbolic-link", "make symbolic links"),
        Opt::flag('L', "dereference", "what links point to, not links"),
        Opt::flag('P', "no-dereference", "links themselves"),
        Opt::flag('H', "", "follow links among the operands only"),
        Opt::flag('\0', "parents", "with the directories of SOURCE"),
        Opt::flag('\0', "attributes-only", "mode and times, not the content"),
        Opt::flag('x', "one-file-system", "stay on one mount"),
        Opt::optional('\0', "reflink", "WHEN", "accepted: content is shared where it can be"),
        Opt::value('\0', "sparse", "WHEN", "accepted"),
        targets::INTO,
        targets::AS,
        targets::STRIP,
        BACKUP,
        BACKUP_HOW,
        SUFFIX,
        latch::CONFIRM,
    ],
    notes: "A file is copied whole or not at all.",
    examples: &[
        Example { script: "echo hi > a; mkdir d; cp -v a d", output: "'a' -> 'd/a'\n" },
        Example { script: "mkdir -p d/e; cp -r d f; find f", output: "f\nf/e\n" },
    ],
    ..Spec::DEFAULT
};

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let plan = Plan::read(cx, args)?;
        let pairs = targets::pairs(cx, args).await?;
        let stake = targets::overwritten(cx, &pairs.list).await;
        latch::confirm(cx, args, &stake, "latch is on, and this overwrites")?;
        let mut copier = Copier::new(plan);
        let mut ok = pairs.ok;
        for pair in pairs.list {
            ok &= copier.copy(cx, &pair).await?;
        }
        Reply::success(ok)
    }
    .boxed_local()
}
