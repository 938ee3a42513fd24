//! Sources and where they go: the operands of `cp`, `mv` and `ln`.

use std::rc::Rc;

use super::quoted;
use crate::builtins::basename::base_of;
use crate::builtins::dirname::parent_of;
use crate::io::Errno;
use crate::tool::{Args, ExecContext, Opt, Stop};
use crate::value::EcoString;
use crate::vfs::{Metadata, Path, PathBuf};

/// The options that say where things go; the commands list them among their own.
pub(in crate::builtins) const INTO: Opt<'static> =
    Opt::value('t', "target-directory", "DIR", "put all into DIR");

/// See [`INTO`].
pub(in crate::builtins) const AS: Opt<'static> =
    Opt::flag('T', "no-target-directory", "the last operand is the new name, never a directory");

/// See [`INTO`].
pub(in crate::builtins) const STRIP: Opt<'static> =
    Opt::flag('\0', "strip-trailing-slashes", "without slashes at the end of operands");

/// A source and the name it gets.
pub(in crate::builtins) struct Pair {
    /// The operand.
    pub(in crate::builtins) from: EcoString,
    /// The new path.
    pub(in crate::builtins) to: EcoString,
}

/// The operands, paired.
pub(in crate::builtins) struct Pairs {
    /// Sources with their new paths.
    pub(in crate::builtins) list: Vec<Pair>,
    /// Whether none was refused.
    pub(in crate::builtins) ok: bool,
}

/// Pairs every source with its new path; complains of operands that make no sense.
pub(in crate::builtins) async fn pairs(cx: &mut ExecContext, args: &Args) -> Result<Pairs, Stop> {
    let mut names = args.operand_texts();
    if args.has("strip-trailing-slashes") {
        for name in &mut names {
            let trimmed = name.trim_end_matches('/');
            if !trimmed.is_empty() && trimmed.len() < name.len() {
                *name = trimmed.into();
            }
        }
    }
    let into = args.text("target-directory");
    if names.is_empty() {
        return Err(cx.misuse(1, "missing file operand"));
    }
    if let Some(directory) = into {
        if args.has("no-target-directory") {
            let message = "cannot combine --target-directory (-t) and --no-target-directory (-T)";
            return Err(cx.fail(1, message));
        }
        return match is_directory(cx, &directory).await {
            Ok(()) => Ok(into_directory(cx, args, names, &directory)),
            Err(errno) => {
                Err(cx.fail(1, format_args!("target directory {}: {errno}", quoted(&directory))))
            }
        };
    }
    if let (Some(name), 1) = (names.first(), names.len()) {
        let message = format!("missing destination file operand after {}", quoted(name));
        return Err(cx.misuse(1, message));
    }
    if args.has("no-target-directory") {
        if let Some(extra) = names.get(2) {
            return Err(cx.misuse(1, format_args!("extra operand {}", quoted(extra))));
        }
        let to = names.pop().unwrap_or_default();
        return Ok(all_to(names, &to));
    }
    let last = names.pop().unwrap_or_default();
    match is_directory(cx, &last).await {
        Ok(()) => Ok(into_directory(cx, args, names, &last)),
        Err(errno) if names.len() > 1 => {
            Err(cx.fail(1, format_args!("target {}: {errno}", quoted(&last))))
        }
        Err(_) if args.has("parents") => {
            Err(cx.misuse(1, "with --parents, the destination must be a directory"))
        }
        Err(_) => Ok(all_to(names, &last)),
    }
}

fn all_to(names: Vec<EcoString>, to: &EcoString) -> Pairs {
    let list = names.into_iter().map(|from| Pair { from, to: to.clone() }).collect();
    Pairs { list, ok: true }
}

fn into_directory(
    cx: &mut ExecContext,
    args: &Args,
    names: Vec<EcoString>,
    directory: &str,
) -> Pairs {
    let parents = args.has("parents");
    let mut ok = true;
    let mut pairs: Vec<Pair> = Vec::with_capacity(names.len());
    for from in names {
        let below = if parents { from.trim_matches('/') } else { base_of(&from) };
        let to = below_directory(directory, below);
        // Two sources of one name: the second would overwrite the first.
        if !parents && pairs.iter().any(|pair| pair.to == to) && cx.control.name != "ln" {
            let new = quoted(&from);
            cx.warn(format_args!("will not overwrite just-created {} with {new}", quoted(&to)));
            ok = false;
            continue;
        }
        pairs.push(Pair { from, to });
    }
    Pairs { list: pairs, ok }
}

/// The absolute paths of the destinations that are there and no directories: what is overwritten.
pub(in crate::builtins) async fn overwritten(cx: &ExecContext, pairs: &[Pair]) -> Vec<EcoString> {
    let mut found = Vec::new();
    for pair in pairs {
        let path = cx.resolve(&pair.to);
        if cx.backend().lstat(&path).await.is_ok_and(|there| !there.is_dir()) {
            found.push(path.as_str().into());
        }
    }
    found
}

/// Whether two names are one directory entry.
pub(in crate::builtins) async fn is_same_name(cx: &ExecContext, a: &str, b: &str) -> bool {
    if base_of(a) != base_of(b) {
        return false;
    }
    let fs = cx.backend();
    let a = fs.canonicalize(&cx.resolve(parent_of(a)), false).await;
    let b = fs.canonicalize(&cx.resolve(parent_of(b)), false).await;
    matches!((a, b), (Ok(a), Ok(b)) if a == b)
}

/// A name behind a directory's.
pub(in crate::builtins) fn below_directory(directory: &str, name: &str) -> EcoString {
    let slash = if directory.ends_with('/') || directory.is_empty() { "" } else { "/" };
    EcoString::from(format!("{directory}{slash}{name}"))
}

async fn is_directory(cx: &ExecContext, name: &str) -> Result<(), Errno> {
    let metadata = Rc::clone(cx.backend()).stat(&cx.resolve(name)).await;
    match metadata {
        Ok(metadata) if metadata.is_dir() => Ok(()),
        Ok(_) => Err(Errno::NotDirectory),
        Err(error) => Err(error.errno()),
    }
}

/// Whether two names lead to one file.
pub(in crate::builtins) fn is_same_file(a: &Metadata, b: &Metadata) -> bool {
    (a.device, a.inode) == (b.device, b.inode)
}

/// The path that leads from one absolute directory to another place.
pub(in crate::builtins) fn relative_path(from: &Path, to: &Path) -> PathBuf {
    let names = |path: &Path| -> Vec<EcoString> {
        path.as_str().split('/').filter(|name| !name.is_empty()).map(EcoString::from).collect()
    };
    let (from, to) = (names(from), names(to));
    let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = from.iter().skip(shared).map(|_| EcoString::from(".."));
    let path: Vec<EcoString> = up.chain(to.into_iter().skip(shared)).collect();
    if path.is_empty() { PathBuf::from(".") } else { PathBuf::from(path.join("/")) }
}
