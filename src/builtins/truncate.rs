//! `truncate`: cuts or extends files.

use std::rc::Rc;

use futures::future::{FutureExt, LocalBoxFuture};

use super::common::quoted;
use super::size::parse_size;
use crate::io::Errno;
use crate::tool::{
    Args, Builtin, Example, ExecContext, Opt, Outcome, Reply, Run, Spec, Stop, Topic,
};
use crate::vfs::OpenOptions;

/// `truncate`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "truncate",
    about: "cut or extend files to a size",
    topic: Topic::Files,
    operands: "FILE...",
    options: &[
        Opt::value(
            's',
            "size",
            "SIZE",
            "to SIZE; +SIZE more, -SIZE less, <SIZE at most, >SIZE at least, /SIZE down to and %SIZE up to a multiple",
        ),
        Opt::value('r', "reference", "FILE", "to the size of FILE"),
        Opt::flag('c', "no-create", "do not create files"),
        Opt::flag('o', "io-blocks", "SIZE counts blocks of 4096 bytes"),
    ],
    notes: "SIZE is a number with K, M, G (1024) or KB, MB, GB (1000) behind it.",
    examples: &[Example { script: "truncate -s 1K f; wc -c < f", output: "1024\n" }],
    ..Spec::DEFAULT
};

/// How a size relates to the present one.
#[derive(Clone, Copy)]
struct Target {
    how: Option<char>,
    size: u64,
}

impl Target {
    fn parse(text: &str) -> Option<Self> {
        let text = text.trim_start();
        let how = text.chars().next().filter(|c| "+-<>/%".contains(*c));
        let digits = if how.is_some() { text.get(1..)?.trim_start() } else { text };
        digits.as_bytes().first().filter(|byte| byte.is_ascii_digit())?;
        let size = parse_size(digits)?;
        Some(Self { how, size })
    }

    fn apply(self, old: u64) -> u64 {
        match self.how {
            Some('+') => old.saturating_add(self.size),
            Some('-') => old.saturating_sub(self.size),
            Some('<') => old.min(self.size),
            Some('>') => old.max(self.size),
            Some('/') => old - old % self.size.max(1),
            Some('%') => old.div_ceil(self.size.max(1)).saturating_mul(self.size),
            _ => self.size,
        }
    }
}

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let target = target(cx, args).await?;
        if args.operands.is_empty() {
            return Err(cx.misuse(1, "missing file operand"));
        }
        let mut ok = true;
        for name in args.operand_texts() {
            cx.checkpoint(20).await?;
            if let Err((what, errno)) = resize(cx, args, &name, target).await {
                cx.complain(format_args!("{what} {}{errno}", quoted(&name))).await?;
                ok = false;
            }
        }
        Reply::success(ok)
    }
    .boxed_local()
}

async fn target(cx: &mut ExecContext, args: &Args) -> Result<Target, Stop> {
    let mut target = None;
    if let Some(text) = args.text("size") {
        target = Target::parse(&text);
        if target.is_none() {
            return Err(cx.fail(1, format_args!("Invalid number: {}", quoted(&text))));
        }
        if matches!(target, Some(Target { how: Some('/' | '%'), size: 0 })) {
            return Err(cx.fail(1, "division by zero"));
        }
    }
    if let Some(reference) = args.text("reference") {
        let found = Rc::clone(cx.backend()).stat(&cx.resolve(&reference)).await;
        let size = match found {
            Ok(metadata) => metadata.len,
            Err(error) => {
                let (name, errno) = (quoted(&reference), error.errno());
                return Err(cx.fail(1, format_args!("cannot stat {name}: {errno}")));
            }
        };
        target = match target {
            None => Some(Target { how: None, size }),
            Some(relative) if relative.how.is_some() => {
                Some(Target { how: None, size: relative.apply(size) })
            }
            Some(_) => {
                return Err(cx.misuse(1, "you must specify a relative '--size' with '--reference'"));
            }
        };
    }
    let Some(mut target) = target else {
        return Err(cx.misuse(1, "you must specify either '--size' or '--reference'"));
    };
    if args.has("io-blocks") {
        target.size = target.size.saturating_mul(super::common::BLOCK);
    }
    Ok(target)
}

async fn resize(
    cx: &ExecContext,
    args: &Args,
    name: &str,
    target: Target,
) -> Result<(), (&'static str, String)> {
    let fs = Rc::clone(cx.backend());
    let path = cx.resolve(name);
    let create = !args.has("no-create");
    let options = OpenOptions { create, truncate: false, ..OpenOptions::WRITE };
    let file = match fs.open(&path, options).await {
        Ok(file) => file,
        Err(error) if !create && error.errno() == Errno::NotFound => return Ok(()),
        Err(error) => {
            return Err(("cannot open", format!(" for writing: {}", error.errno())));
        }
    };
    let resized = async {
        let size = target.apply(file.len().await?);
        file.set_len(size).await.map(|()| size)
    };
    let resized = resized.await;
    let closed = file.close().await;
    match (resized, closed) {
        (Ok(_), Ok(())) => Ok(()),
        (Err(errno), _) | (Ok(_), Err(errno)) => {
            Err(("failed to truncate", format!(" at {} bytes: {errno}", target.size)))
        }
    }
}
