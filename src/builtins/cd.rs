//! `cd`: changes the working directory.

use std::rc::Rc;

use futures::future::{FutureExt, LocalBoxFuture};

use super::variables;
use crate::io::Errno;
use crate::tool::{
    Args, Binding, Builtin, Completes, Example, ExecContext, OK, Opt, Outcome, Run, Spec, Stop,
    Topic,
};
use crate::value::{EcoString, Value};
use crate::vfs::Path;

/// `cd`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "cd",
    about: "change the working directory",
    topic: Topic::Shell,
    operands: "[DIRECTORY]",
    completes: Completes::Directories,
    binding: Binding::Leading,
    options: &[
        Opt::flag('L', "", "take .. off the name as written (the default)"),
        Opt::flag('P', "", "follow links to the directory's own name"),
        Opt::flag('e', "", "ignored"),
    ],
    notes: "Without DIRECTORY, goes to $HOME; - is the directory before. A relative one is also\n\
            looked for in the directories of $CDPATH. Sets PWD and OLDPWD.",
    examples: &[Example { script: "mkdir d; cd d; cd ..; cd d && basename $PWD", output: "d\n" }],
    ..Spec::DEFAULT
};

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        if args.operands.len() > 1 {
            return Err(cx.fail(1, "too many arguments"));
        }
        let physical = args.last_of(&["L", "P"]) == Some("P");
        let (target, announce) = match args.operand(0) {
            None => (home(cx)?, false),
            Some(word) if word.is_empty() => (cx.session.cwd.borrow().clone(), false),
            Some(word) if word == "-" => (previous(cx)?, true),
            Some(word) => match from_cdpath(cx, &word, physical).await {
                Some(found) => {
                    enter(cx, &found)?;
                    cx.push_line(found.as_str());
                    return OK;
                }
                None => (word, false),
            },
        };
        let directory = directory_of(cx, &target, physical).await;
        let directory = directory.map_err(|errno| cx.fail(1, format_args!("{target}: {errno}")))?;
        if announce {
            cx.push_line(directory.as_str());
        }
        enter(cx, &directory)?;
        OK
    }
    .boxed_local()
}

fn home(cx: &mut ExecContext) -> Result<EcoString, Stop> {
    let home = cx.session.scope.borrow().get("HOME").map(Value::to_text_lossy);
    home.ok_or_else(|| cx.fail(1, "HOME not set"))
}

fn previous(cx: &mut ExecContext) -> Result<EcoString, Stop> {
    let assigned = cx.session.scope.borrow().get("OLDPWD").map(Value::to_text_lossy);
    let previous = assigned.or_else(|| cx.session.previous_cwd.borrow().clone());
    previous.ok_or_else(|| cx.fail(1, "OLDPWD not set"))
}

/// The directory below one of `$CDPATH`, where that is not simply the working directory.
async fn from_cdpath(cx: &ExecContext, word: &str, physical: bool) -> Option<EcoString> {
    let relative = !word.starts_with('/') && !word.split('/').next().is_some_and(is_dots);
    let roots = cx.session.scope.borrow().get("CDPATH").map(Value::to_text_lossy);
    for root in roots.filter(|_| relative && !word.is_empty())?.split(':') {
        let here = root.is_empty() || root == ".";
        let target = if here { word.into() } else { format!("{root}/{word}") };
        if let Ok(found) = directory_of(cx, &target, physical).await {
            return (!here).then_some(found);
        }
    }
    None
}

fn is_dots(component: &str) -> bool {
    component == "." || component == ".."
}

/// The absolute name of a directory that can be entered.
pub(super) async fn directory_of(
    cx: &ExecContext,
    target: &str,
    physical: bool,
) -> Result<EcoString, Errno> {
    let backend = Rc::clone(cx.backend());
    let errno = |error: crate::tool::BackendError| error.errno();
    let name = if physical {
        let path = cx.resolve(target);
        backend.canonicalize(&path, false).await.map_err(errno)?.as_str().into()
    } else {
        logical(cx, target).await?
    };
    let path = Path::new(&name);
    if !backend.stat(path).await.map_err(errno)?.is_dir() {
        return Err(Errno::NotDirectory);
    }
    if !backend.path_access(path).await.map_err(errno)?.execute {
        return Err(Errno::PermissionDenied);
    }
    Ok(name)
}

/// Takes `.` and `..` off the name as written; what `..` leaves must be a directory.
async fn logical(cx: &ExecContext, target: &str) -> Result<EcoString, Errno> {
    let backend = Rc::clone(cx.backend());
    let full = cx.resolve(target);
    let mut name = String::new();
    for component in full.as_str().split('/') {
        match component {
            "" | "." => {}
            ".." => {
                let left = if name.is_empty() { "/" } else { name.as_str() };
                match backend.stat(Path::new(left)).await {
                    Ok(found) if found.is_dir() => {}
                    Ok(_) => return Err(Errno::NotDirectory),
                    Err(error) => return Err(error.errno()),
                }
                name.truncate(name.rfind('/').unwrap_or(0));
            }
            _ => {
                name.push('/');
                name.push_str(component);
            }
        }
    }
    Ok(if name.is_empty() { "/".into() } else { name.into() })
}

/// Makes a directory the working directory.
pub(super) fn enter(cx: &mut ExecContext, directory: &EcoString) -> Result<(), Stop> {
    let former = cx.session.cwd.replace(directory.clone());
    *cx.session.previous_cwd.borrow_mut() = Some(former.clone());
    variables::assign(cx, "OLDPWD", Value::Text(former))?;
    variables::assign(cx, "PWD", Value::Text(directory.clone()))
}
