//! `rm`: removes files, links and directory trees.

use std::rc::Rc;

use futures::future::{FutureExt, LocalBoxFuture};

use super::common::{ask, bad_choice, quoted};
use super::{latch, trash};
use crate::io::Errno;
use crate::tool::{
    Args, Builtin, Example, ExecContext, Opt, Outcome, Reply, Run, Spec, Stop, Topic,
};
use crate::value::EcoString;
use crate::vfs::{FileKind, Metadata};

/// `rm`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "rm",
    about: "remove files and directories",
    topic: Topic::Files,
    operands: "FILE...",
    options: &[
        Opt::flag('f', "force", "no error for what is not there, never ask"),
        Opt::flag('i', "", "ask before each removal"),
        Opt::flag('I', "", "ask once, before removing more than three files or a tree"),
        Opt::optional('\0', "interactive", "WHEN", "ask: never, once, always"),
        Opt::flag('r', "recursive", "remove directories with what is in them"),
        Opt::flag('R', "", "the same as -r"),
        Opt::flag('d', "dir", "remove empty directories"),
        Opt::flag('v', "verbose", "say what is removed"),
        Opt::flag('\0', "preserve-root", "accepted; / is never removed"),
        Opt::flag('\0', "no-preserve-root", "accepted; / is never removed"),
        Opt::flag('\0', "one-file-system", "accepted; mounts are never removed"),
        latch::CONFIRM,
    ],
    notes: "/, . and .. are refused. Under `set -o trash` the trash keeps what is removed (kaish-trash).",
    examples: &[Example {
        script: "mkdir -p d/e; touch a d/f; rm -rv a d",
        output: "removed 'a'\nremoved directory 'd/e'\nremoved 'd/f'\nremoved directory 'd'\n",
    }],
    ..Spec::DEFAULT
};

/// The words of `--interactive`.
const WHEN: &[&str] = &["never, no, none", "once", "always, yes"];

/// When to ask.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asking {
    Never,
    Once,
    Always,
}

/// What the options ask for.
#[expect(clippy::struct_excessive_bools, reason = "independent options")]
struct Plan {
    force: bool,
    recursive: bool,
    empty_dirs: bool,
    verbose: bool,
    asking: Asking,
}

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let plan = plan(cx, args)?;
        let names = args.operand_texts();
        if names.is_empty() {
            return if plan.force {
                Reply::status(0)
            } else {
                Err(cx.misuse(1, "missing operand"))
            };
        }
        if plan.asking == Asking::Once && (plan.recursive || names.len() > 3) {
            let count = names.len();
            let noun = if count == 1 { "argument" } else { "arguments" };
            let how = if plan.recursive { " recursively" } else { "" };
            if !ask(cx, format_args!("remove {count} {noun}{how}?")).await? {
                return Reply::status(0);
            }
        }
        let stake = existing(cx, &names).await;
        latch::confirm(cx, args, &stake, "latch is on")?;
        let mut ok = true;
        for name in names {
            ok &= remove(cx, &plan, &name).await?;
        }
        Reply::success(ok)
    }
    .boxed_local()
}

/// The absolute paths of operands that name something.
async fn existing(cx: &ExecContext, names: &[EcoString]) -> Vec<EcoString> {
    let mut found = Vec::new();
    for name in names {
        let path = cx.resolve(name);
        if cx.backend().lstat(&path).await.is_ok() {
            found.push(path.as_str().into());
        }
    }
    found
}

fn plan(cx: &mut ExecContext, args: &Args) -> Result<Plan, Stop> {
    let (mut force, mut asking) = (false, Asking::Never);
    for (key, value) in args.given() {
        match key {
            "force" => (force, asking) = (true, Asking::Never),
            "i" => (force, asking) = (false, Asking::Always),
            "I" => (force, asking) = (false, Asking::Once),
            "interactive" => {
                let when = value.map_or_else(|| "always".into(), |value| value.to_text_lossy());
                asking = match when.as_str() {
                    "never" | "no" | "none" => Asking::Never,
                    "once" => Asking::Once,
                    "always" | "yes" => Asking::Always,
                    _ => return Err(cx.misuse(1, bad_choice("--interactive", &when, WHEN))),
                };
            }
            _ => {}
        }
    }
    Ok(Plan {
        force,
        recursive: args.has("recursive") || args.has("R"),
        empty_dirs: args.has("dir"),
        verbose: args.has("verbose"),
        asking,
    })
}

/// Removes one operand; `false` where that was reported to fail.
async fn remove(cx: &mut ExecContext, plan: &Plan, name: &str) -> Result<bool, Stop> {
    cx.checkpoint(20).await?;
    let trimmed = name.trim_end_matches('/');
    if plan.recursive && matches!(trimmed.rsplit('/').next(), Some("." | "..")) {
        let name = quoted(name);
        cx.complain(format_args!("refusing to remove '.' or '..' directory: skipping {name}"))
            .await?;
        return Ok(false);
    }
    let metadata = match Rc::clone(cx.backend()).lstat(&cx.resolve(name)).await {
        Ok(metadata) => metadata,
        Err(error) => {
            let missing = matches!(error.errno(), Errno::NotFound | Errno::NotDirectory);
            if plan.force && missing {
                return Ok(true);
            }
            return failed(cx, name, error.errno()).await;
        }
    };
    if !metadata.is_dir() || (plan.empty_dirs && !plan.recursive) {
        return remove_entry(cx, plan, name, &metadata).await;
    }
    if !plan.recursive {
        return failed(cx, name, Errno::IsDirectory).await;
    }
    if trimmed.is_empty() || is_root(cx, name).await {
        cx.complain("it is dangerous to operate recursively on '/'").await?;
        cx.complain("nothing overrides this failsafe").await?;
        return Ok(false);
    }
    if plan.verbose || plan.asking == Asking::Always {
        return remove_tree(cx, plan, name, metadata).await;
    }
    let full = cx.resolve(name);
    let removed = match trash::is_on(cx) {
        true => trash::discard(cx, &full).await,
        false => Rc::clone(cx.backend()).remove(&full, true).await,
    };
    match removed {
        Ok(()) => Ok(true),
        Err(error) => {
            let below = error.path().and_then(|path| path.as_str().strip_prefix(full.as_str()));
            let place = format!("{name}{}", below.unwrap_or_default());
            failed(cx, &place, error.errno()).await
        }
    }
}

async fn is_root(cx: &ExecContext, name: &str) -> bool {
    let canonical = cx.backend().canonicalize(&cx.resolve(name), false).await;
    canonical.is_ok_and(|path| path.as_str() == "/")
}

/// Removes one file, link or empty directory.
async fn remove_entry(
    cx: &mut ExecContext,
    plan: &Plan,
    name: &str,
    metadata: &Metadata,
) -> Result<bool, Stop> {
    if plan.asking == Asking::Always {
        let question = format!("remove {} {}?", kind_word(metadata), quoted(name));
        if !ask(cx, question).await? {
            return Ok(true);
        }
    }
    let full = cx.resolve(name);
    // An empty directory is nothing to keep.
    let removed = match trash::is_on(cx) && !metadata.is_dir() {
        true => trash::discard(cx, &full).await,
        false => Rc::clone(cx.backend()).remove(&full, false).await,
    };
    match removed {
        Ok(()) => {
            if plan.verbose {
                let kind = if metadata.is_dir() { "directory " } else { "" };
                cx.write_line(format!("removed {kind}{}", quoted(name)).as_bytes()).await?;
            }
            Ok(true)
        }
        Err(error) => failed(cx, name, error.errno()).await,
    }
}

/// What is left to do in a tree, last first.
enum Step {
    Enter(EcoString, Metadata),
    Leave(EcoString, Metadata),
}

/// Removes a tree entry by entry, children first.
async fn remove_tree(
    cx: &mut ExecContext,
    plan: &Plan,
    name: &str,
    metadata: Metadata,
) -> Result<bool, Stop> {
    let mut ok = true;
    let mut steps = vec![Step::Enter(name.into(), metadata)];
    while let Some(step) = steps.pop() {
        cx.checkpoint(20).await?;
        let (name, metadata) = match step {
            Step::Leave(name, metadata) => {
                ok &= remove_entry(cx, plan, &name, &metadata).await?;
                continue;
            }
            Step::Enter(name, metadata) => (name, metadata),
        };
        let entries = match Rc::clone(cx.backend()).list(&cx.resolve(&name)).await {
            Ok(entries) => entries,
            Err(error) => {
                ok = failed(cx, &name, error.errno()).await?;
                continue;
            }
        };
        if plan.asking == Asking::Always && !entries.is_empty() {
            let question = format!("descend into directory {}?", quoted(&name));
            if !ask(cx, question).await? {
                continue;
            }
        }
        steps.push(Step::Leave(name.clone(), metadata));
        for entry in entries.into_iter().rev() {
            let slash = if name.ends_with('/') { "" } else { "/" };
            let path = EcoString::from(format!("{name}{slash}{}", entry.name));
            steps.push(if entry.metadata.is_dir() {
                Step::Enter(path, entry.metadata)
            } else {
                Step::Leave(path, entry.metadata)
            });
        }
    }
    Ok(ok)
}

fn kind_word(metadata: &Metadata) -> &'static str {
    match metadata.kind {
        FileKind::File if metadata.len == 0 => "regular empty file",
        FileKind::File => "regular file",
        FileKind::Directory => "directory",
        FileKind::Symlink => "symbolic link",
        FileKind::Device => "character special file",
    }
}

async fn failed(cx: &mut ExecContext, name: &str, errno: Errno) -> Result<bool, Stop> {
    cx.complain(format_args!("cannot remove {}: {errno}", quoted(name))).await?;
    Ok(false)
}
