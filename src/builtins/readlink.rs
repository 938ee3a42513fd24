//! `readlink` and `realpath`: where links lead, and paths without them.

use std::rc::Rc;

use futures::future::{FutureExt, LocalBoxFuture};

use super::common::targets::relative_path;
use crate::io::Errno;
use crate::tool::{Args, Builtin, Example, ExecContext, Opt, Outcome, Reply, Run, Spec, Topic};
use crate::vfs::{Path, PathBuf};

/// `readlink`
pub(super) const READLINK: Builtin = Builtin {
    spec: Spec {
        name: "readlink",
        about: "print where links lead",
        topic: Topic::Files,
        operands: "FILE...",
        arity: (1, usize::MAX),
        options: &[
            Opt::flag('f', "canonicalize", "the path without links; the last part may be missing"),
            Opt::flag('e', "canonicalize-existing", "the same; everything must exist"),
            Opt::flag('m', "canonicalize-missing", "the same; nothing need exist"),
            Opt::flag('n', "no-newline", "no newline at the end"),
            Opt::flag('z', "zero", "end each line with NUL, not newline"),
            Opt::flag('q', "quiet", "no messages, which is the default"),
            Opt::flag('s', "silent", "no messages, which is the default"),
            Opt::flag('v', "verbose", "say why something has no answer"),
        ],
        examples: &[Example {
            script: "ln -s a b; readlink b; basename $(readlink -f b)",
            output: "a\na\n",
        }],
        ..Spec::DEFAULT
    },
    run: Run::Wait(readlink),
};

/// `realpath`
pub(super) const REALPATH: Builtin = Builtin {
    spec: Spec {
        name: "realpath",
        about: "print absolute paths without links",
        topic: Topic::Files,
        operands: "FILE...",
        arity: (1, usize::MAX),
        options: &[
            Opt::flag('e', "canonicalize-existing", "everything must exist"),
            Opt::flag('m', "canonicalize-missing", "nothing need exist"),
            Opt::flag('s', "strip", "keep links, only fold . and .."),
            Opt::flag('\0', "no-symlinks", "the same as -s"),
            Opt::flag('L', "logical", "fold .. before links are followed"),
            Opt::flag('P', "physical", "follow links first, which is the default"),
            Opt::value('\0', "relative-to", "DIR", "the path from DIR"),
            Opt::value('\0', "relative-base", "DIR", "the path from DIR for what is below it"),
            Opt::flag('q', "quiet", "no messages"),
            Opt::flag('z', "zero", "end each line with NUL, not newline"),
        ],
        examples: &[Example {
            script: "mkdir -p a/b; realpath --relative-to=a a/b/../c",
            output: "c\n",
        }],
        ..Spec::DEFAULT
    },
    run: Run::Wait(realpath),
};

/// How much of a path must exist.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Must {
    All,
    AllButLast,
    Nothing,
}

fn must(args: &Args) -> Option<Must> {
    let keys = ["canonicalize", "canonicalize-existing", "canonicalize-missing"];
    args.last_of(&keys).map(|key| match key {
        "canonicalize" => Must::AllButLast,
        "canonicalize-existing" => Must::All,
        _ => Must::Nothing,
    })
}

fn readlink<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let names = args.operand_texts();
        let one = args.has("no-newline") && names.len() == 1;
        if args.has("no-newline") && !one {
            cx.warn("ignoring --no-newline with multiple arguments");
        }
        let end: &[u8] = if args.has("zero") { b"\0" } else { b"\n" };
        let mut ok = true;
        for name in names {
            cx.checkpoint(20).await?;
            let path = cx.resolve(&name);
            let answer = match must(args) {
                Some(must) => canonical(cx, &path, must).await,
                None => {
                    let link = Rc::clone(cx.backend()).read_link(&path).await;
                    link.map_err(|error| error.errno())
                }
            };
            match answer {
                Ok(answer) => {
                    cx.write(answer.as_str().as_bytes()).await?;
                    cx.write(if one { b"" } else { end }).await?;
                }
                Err(errno) => {
                    ok = false;
                    if args.last_of(&["verbose", "quiet", "silent"]) == Some("verbose") {
                        cx.complain(format_args!("{name}: {errno}")).await?;
                    }
                }
            }
        }
        Reply::success(ok)
    }
    .boxed_local()
}

fn realpath<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let end: &[u8] = if args.has("zero") { b"\0" } else { b"\n" };
        let mut bases = Vec::new();
        for key in ["relative-to", "relative-base"] {
            bases.push(match args.text(key) {
                None => None,
                Some(name) => Some(match real(cx, args, &name).await {
                    Ok(path) => path,
                    Err(errno) => return Err(cx.fail(1, format_args!("{name}: {errno}"))),
                }),
            });
        }
        let [to, base] = <[Option<PathBuf>; 2]>::try_from(bases).unwrap_or_default();
        let mut ok = true;
        for name in args.operand_texts() {
            cx.checkpoint(20).await?;
            match real(cx, args, &name).await {
                Ok(path) => {
                    let path = relative(path, to.as_ref(), base.as_ref());
                    cx.write(path.as_str().as_bytes()).await?;
                    cx.write(end).await?;
                }
                Err(errno) => {
                    ok = false;
                    if !args.has("quiet") {
                        let shown = if name.is_empty() { "''" } else { name.as_str() };
                        cx.complain(format_args!("{shown}: {errno}")).await?;
                    }
                }
            }
        }
        Reply::success(ok)
    }
    .boxed_local()
}

async fn real(cx: &ExecContext, args: &Args, name: &str) -> Result<PathBuf, Errno> {
    if name.is_empty() {
        return Err(Errno::NotFound);
    }
    let must = must(args).unwrap_or(Must::AllButLast);
    let mut path = cx.resolve(name);
    let keeps_links = args.has("strip") || args.has("no-symlinks");
    if keeps_links || args.last_of(&["logical", "physical"]) == Some("logical") {
        path = path.normalize();
    }
    if !keeps_links {
        return canonical(cx, &path, must).await;
    }
    let checked = match must {
        Must::Nothing => return Ok(path),
        Must::All => Some(path.clone()),
        Must::AllButLast => path.parent().map(Path::to_path_buf),
    };
    if let Some(checked) = checked {
        cx.backend().stat(&checked).await.map_err(|error| error.errno())?;
    }
    Ok(path)
}

fn relative(path: PathBuf, to: Option<&PathBuf>, base: Option<&PathBuf>) -> PathBuf {
    let below = |path: &Path, base: &Path| path.starts_with(base);
    match (to, base) {
        (None, None) => path,
        (Some(to), None) => relative_path(to, &path),
        (None, Some(base)) if below(&path, base) => relative_path(base, &path),
        (Some(to), Some(base)) if below(to, base) && below(&path, base) => relative_path(to, &path),
        (_, Some(_)) => path,
    }
}

async fn canonical(cx: &ExecContext, path: &Path, must: Must) -> Result<PathBuf, Errno> {
    let fs = cx.backend();
    let found = fs.canonicalize(path, must != Must::All).await;
    match found {
        Ok(path) => Ok(path),
        Err(_) if must == Must::Nothing && !path.as_str().is_empty() => {
            // What exists is resolved, what follows is only folded.
            let mut missing = Vec::new();
            let mut at = path.to_path_buf();
            loop {
                if let Ok(mut found) = fs.canonicalize(&at, false).await {
                    found.extend(missing.iter().rev());
                    return Ok(found.normalize());
                }
                let Some(parent) = at.parent().map(Path::to_path_buf) else {
                    return Ok(path.normalize());
                };
                let name = at.as_str().trim_end_matches('/').rsplit('/').next().unwrap_or("");
                missing.push(name.to_owned());
                at = parent;
            }
        }
        Err(error) => Err(error.errno()),
    }
}
