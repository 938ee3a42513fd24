//! `chmod`: sets permission bits.

use std::rc::Rc;

use futures::future::{FutureExt, LocalBoxFuture};

use super::common::targets::below_directory;
use super::common::{Mode, mode_letters, quoted};
use crate::io::Errno;
use crate::tool::{
    Args, Binding, Builtin, Example, ExecContext, Opt, Outcome, Reply, Run, Spec, Stop, Topic,
};
use crate::value::EcoString;
use crate::vfs::Metadata;

/// `chmod`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "chmod",
    about: "set permission bits",
    topic: Topic::Files,
    operands: "MODE FILE...",
    // A mode may begin with a dash: options are told apart here.
    binding: Binding::Verbatim,
    options: &[
        Opt::flag('R', "recursive", "directories with what is in them"),
        Opt::flag('c', "changes", "say what changes"),
        Opt::flag('v', "verbose", "say what is done for each file"),
        Opt::flag('f', "silent", "no messages"),
        Opt::value('\0', "reference", "FILE", "the mode of FILE instead of MODE"),
    ],
    notes: "MODE is octal (755), or [ugoa][+-=][rwxXst], several with commas between.",
    examples: &[Example { script: "touch a; chmod u+x,go= a; stat -c %a a", output: "700\n" }],
    ..Spec::DEFAULT
};

/// What is said of the files that are no trouble.
#[derive(Default, PartialEq)]
enum Says {
    #[default]
    Nothing,
    Changes,
    Everything,
}

/// What the words ask for.
#[derive(Default)]
struct Plan {
    recursive: bool,
    says: Says,
    silent: bool,
    reference: Option<EcoString>,
    mode: Option<EcoString>,
    files: Vec<EcoString>,
}

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let plan = plan(cx, args)?;
        let mode = match (&plan.reference, &plan.mode) {
            (Some(reference), _) => {
                match Rc::clone(cx.backend()).stat(&cx.resolve(reference)).await {
                    Ok(metadata) => Mode::Bits { bits: metadata.mode, all: true },
                    Err(error) => {
                        let (name, errno) = (quoted(reference), error.errno());
                        let message = format!("failed to get attributes of {name}: {errno}");
                        return Err(cx.fail(1, message));
                    }
                }
            }
            (None, Some(text)) => match Mode::parse(text) {
                Some(mode) => mode,
                None => {
                    return Err(cx.misuse(1, format_args!("invalid mode: {}", quoted(text))));
                }
            },
            (None, None) => return Err(cx.misuse(1, "missing operand")),
        };
        let mut ok = true;
        for file in &plan.files {
            ok &= change(cx, &plan, &mode, file).await?;
        }
        Reply::success(ok)
    }
    .boxed_local()
}

fn plan(cx: &mut ExecContext, args: &Args) -> Result<Plan, Stop> {
    let mut plan = Plan::default();
    let mut operands = Vec::new();
    let words = args.operand_texts();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--" => {
                operands.extend(words.by_ref().cloned());
            }
            "--recursive" => plan.recursive = true,
            "--changes" => plan.says = Says::Changes,
            "--verbose" => plan.says = Says::Everything,
            "--silent" | "--quiet" => plan.silent = true,
            "--preserve-root" | "--no-preserve-root" => {}
            "--reference" => match words.next() {
                Some(file) => plan.reference = Some(file.clone()),
                None => return Err(cx.misuse(2, "option '--reference' requires an argument")),
            },
            _ => {
                if let Some(file) = word.strip_prefix("--reference=") {
                    plan.reference = Some(file.into());
                } else if word.starts_with("--") {
                    return Err(cx.misuse(2, format_args!("unrecognized option '{word}'")));
                } else if is_mode_with_dash(word) {
                    plan.mode = Some(word.clone());
                } else if let Some(letters) = word.strip_prefix('-').filter(|l| !l.is_empty()) {
                    letter_options(cx, &mut plan, letters)?;
                } else {
                    operands.push(word.clone());
                }
            }
        }
    }
    let mut operands = operands.into_iter();
    if plan.mode.is_none() && plan.reference.is_none() {
        plan.mode = operands.next();
    }
    plan.files = operands.collect();
    if plan.files.is_empty() {
        return Err(match &plan.mode {
            Some(mode) => cx.misuse(1, format_args!("missing operand after {}", quoted(mode))),
            None => cx.misuse(1, "missing operand"),
        });
    }
    Ok(plan)
}

/// Whether a word is a mode such as `-w` or `-rwx,o+x`, not options.
fn is_mode_with_dash(word: &str) -> bool {
    word.strip_prefix('-').is_some_and(|rest| {
        !rest.is_empty() && rest.chars().all(|c| "rwxXstugoa,+-=01234567".contains(c))
    })
}

fn letter_options(cx: &mut ExecContext, plan: &mut Plan, letters: &str) -> Result<(), Stop> {
    for letter in letters.chars() {
        match letter {
            'R' => plan.recursive = true,
            'c' => plan.says = Says::Changes,
            'v' => plan.says = Says::Everything,
            'f' => plan.silent = true,
            _ => return Err(cx.misuse(2, format_args!("invalid option '-{letter}'"))),
        }
    }
    Ok(())
}

/// Changes a file, with `-R` what is below it too; `false` where that was reported to fail.
async fn change(
    cx: &mut ExecContext,
    plan: &Plan,
    mode: &Mode,
    name: &EcoString,
) -> Result<bool, Stop> {
    let fs = Rc::clone(cx.backend());
    let metadata = match fs.stat(&cx.resolve(name)).await {
        Ok(metadata) => metadata,
        Err(error) => {
            if !plan.silent {
                let what = match fs.lstat(&cx.resolve(name)).await {
                    Ok(entry) if entry.is_symlink() => "cannot operate on dangling symlink",
                    _ => "cannot access",
                };
                let message = match what {
                    "cannot access" => format!("{what} {}: {}", quoted(name), error.errno()),
                    _ => format!("{what} {}", quoted(name)),
                };
                cx.complain(message).await?;
            }
            return Ok(false);
        }
    };
    let mut ok = true;
    let mut pending = vec![(name.clone(), metadata)];
    while let Some((name, metadata)) = pending.pop() {
        cx.checkpoint(20).await?;
        ok &= change_one(cx, plan, mode, &name, &metadata).await?;
        if !plan.recursive || !metadata.is_dir() {
            continue;
        }
        match fs.list(&cx.resolve(&name)).await {
            Ok(entries) => {
                let below = entries.into_iter().rev().filter(|entry| !entry.metadata.is_symlink());
                pending.extend(
                    below.map(|entry| (below_directory(&name, &entry.name), entry.metadata)),
                );
            }
            Err(error) => {
                ok = false;
                if !plan.silent {
                    let (name, errno) = (quoted(&name), error.errno());
                    cx.complain(format_args!("cannot read directory {name}: {errno}")).await?;
                }
            }
        }
    }
    Ok(ok)
}

async fn change_one(
    cx: &mut ExecContext,
    plan: &Plan,
    mode: &Mode,
    name: &str,
    metadata: &Metadata,
) -> Result<bool, Stop> {
    let old = metadata.mode & 0o7777;
    let new = mode.apply(old, metadata.is_dir());
    let result = if new == old {
        Ok(())
    } else {
        let set = Rc::clone(cx.backend()).set_mode(&cx.resolve(name), new).await;
        set.map_err(|error| error.errno())
    };
    if let Err(errno) = result {
        if !plan.silent {
            cx.complain(format_args!("changing permissions of {}: {errno}", quoted(name))).await?;
        }
        return Ok(errno == Errno::NotSupported && plan.silent);
    }
    let show = |mode| {
        let letters = mode_letters(metadata.kind, mode);
        format!("{mode:04o} ({})", letters.get(1..).unwrap_or_default())
    };
    let line = if new != old && plan.says != Says::Nothing {
        format!("mode of {} changed from {} to {}\n", quoted(name), show(old), show(new))
    } else if plan.says == Says::Everything {
        format!("mode of {} retained as {}\n", quoted(name), show(old))
    } else {
        return Ok(true);
    };
    cx.write(line.as_bytes()).await?;
    Ok(true)
}
