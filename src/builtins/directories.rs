//! `pushd`, `popd`, `dirs`: a stack of working directories.

use futures::future::{FutureExt, LocalBoxFuture};

use super::cd::{directory_of, enter};
use crate::tool::{
    Args, Binding, Builtin, Completes, Example, ExecContext, OK, Opt, Outcome, Run, Spec, Stop,
    Topic,
};
use crate::value::{EcoString, Value};

/// `pushd`
pub(super) const PUSHD: Builtin = Builtin {
    spec: Spec {
        name: "pushd",
        about: "enter a directory and remember this one",
        operands: "[DIRECTORY | +N | -N]",
        arity: (0, 1),
        options: &[Opt::flag('n', "", "remember it without entering it")],
        notes: "Without a word, changes places with the directory remembered last; +N turns the stack.",
        examples: &[Example { script: "cd /; pushd tmp; popd", output: "/tmp /\n/\n" }],
        ..SPEC
    },
    run: Run::Wait(pushd),
};

/// `popd`
pub(super) const POPD: Builtin = Builtin {
    spec: Spec {
        name: "popd",
        about: "go back to the directory remembered last",
        operands: "[+N | -N]",
        arity: (0, 1),
        options: &[Opt::flag('n', "", "forget it without going there")],
        examples: &[Example { script: "cd /; pushd tmp >/dev/null; popd", output: "/\n" }],
        ..SPEC
    },
    run: Run::Wait(popd),
};

/// `dirs`
pub(super) const DIRS: Builtin = Builtin {
    spec: Spec {
        name: "dirs",
        about: "list the remembered directories",
        operands: "[+N | -N]",
        arity: (0, 1),
        options: &[
            Opt::flag('c', "", "forget them"),
            Opt::flag('l', "", "without ~"),
            Opt::flag('p', "", "one a line"),
            Opt::flag('v', "", "one a line, numbered"),
        ],
        examples: &[Example { script: "cd /; dirs", output: "/\n" }],
        ..SPEC
    },
    run: Run::Now(dirs),
};

const SPEC: Spec = Spec {
    topic: Topic::Shell,
    completes: Completes::Directories,
    binding: Binding::Leading,
    negatives: true,
    ..Spec::DEFAULT
};

/// The stack with the working directory on top.
fn stack(cx: &ExecContext) -> Vec<EcoString> {
    let mut stack = vec![cx.session.cwd.borrow().clone()];
    stack.extend(cx.session.directories.borrow().iter().cloned());
    stack
}

fn remember(cx: &ExecContext, stack: &[EcoString]) {
    *cx.session.directories.borrow_mut() = stack.get(1..).unwrap_or_default().to_vec();
}

/// The place that `+N` (from the top) or `-N` (from the bottom) means; `None` for other words.
fn position(cx: &mut ExecContext, word: &str, len: usize) -> Result<Option<usize>, Stop> {
    let (from_top, digits) = match (word.strip_prefix('+'), word.strip_prefix('-')) {
        (Some(digits), _) => (true, digits),
        (_, Some(digits)) => (false, digits),
        _ => return Ok(None),
    };
    let Ok(number) = digits.parse::<usize>() else { return Ok(None) };
    let at = if from_top { Some(number) } else { (len - 1).checked_sub(number) };
    match at.filter(|at| *at < len) {
        Some(at) => Ok(Some(at)),
        None => Err(cx.fail(1, format_args!("{word}: directory stack index out of range"))),
    }
}

fn pushd<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let mut stack = stack(cx);
        let stay = args.has("n");
        let at = match args.operand(0) {
            None if stack.len() < 2 => return Err(cx.fail(1, "no other directory")),
            None => {
                stack.swap(0, 1);
                None
            }
            Some(word) => match position(cx, &word, stack.len())? {
                Some(at) => Some(at),
                None => {
                    let found = find(cx, &word).await?;
                    stack.insert(usize::from(stay), found);
                    None
                }
            },
        };
        if let Some(at) = at {
            stack.rotate_left(at);
        }
        move_to(cx, &stack, stay).await
    }
    .boxed_local()
}

fn popd<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let mut stack = stack(cx);
        if stack.len() < 2 {
            return Err(cx.fail(1, "directory stack empty"));
        }
        let mut at = usize::from(args.has("n"));
        if let Some(word) = args.operand(0) {
            match position(cx, &word, stack.len())? {
                Some(place) => at = place,
                None => return Err(cx.fail(1, format_args!("{word}: a place is +N or -N"))),
            }
        }
        stack.remove(at);
        move_to(cx, &stack, args.has("n")).await
    }
    .boxed_local()
}

/// Enters the top of a stack, unless `stay`, and prints the stack.
async fn move_to(cx: &mut ExecContext, stack: &[EcoString], stay: bool) -> Outcome {
    let Some(top) = stack.first() else { return OK };
    if !stay && *top != *cx.session.cwd.borrow() {
        let found = find(cx, top).await?;
        enter(cx, &found)?;
    }
    remember(cx, stack);
    let line = shown(cx, stack).join(" ");
    cx.push_line(line);
    OK
}

async fn find(cx: &mut ExecContext, word: &str) -> Result<EcoString, Stop> {
    let found = directory_of(cx, word, false).await;
    found.map_err(|errno| cx.fail(1, format_args!("{word}: {errno}")))
}

fn dirs(cx: &mut ExecContext, args: &Args) -> Outcome {
    if args.has("c") {
        cx.session.directories.borrow_mut().clear();
        return OK;
    }
    let stack = stack(cx);
    let names = if args.has("l") { stack } else { shown(cx, &stack) };
    if let Some(word) = args.operand(0) {
        let Some(at) = position(cx, &word, names.len())? else {
            return Err(cx.fail(1, format_args!("{word}: a place is +N or -N")));
        };
        cx.push_line(names.get(at).map_or("", EcoString::as_str));
        return OK;
    }
    match args.last_of(&["p", "v"]) {
        None => cx.push_line(names.join(" ")),
        Some(how) => {
            for (index, name) in names.iter().enumerate() {
                if how == "v" {
                    cx.push(format!("{index:2}  "));
                }
                cx.push_line(name.as_str());
            }
        }
    }
    OK
}

/// Directories with `~` for the home.
fn shown(cx: &ExecContext, stack: &[EcoString]) -> Vec<EcoString> {
    let home = cx.session.scope.borrow().get("HOME").map(Value::to_text_lossy);
    let home = home.filter(|home| home.len() > 1);
    let short = |name: &EcoString| {
        let rest = home.as_ref().and_then(|home| name.strip_prefix(home.as_str()));
        match rest.filter(|rest| rest.is_empty() || rest.starts_with('/')) {
            Some(rest) => EcoString::from(format!("~{rest}")),
            None => name.clone(),
        }
    };
    stack.iter().map(short).collect()
}
