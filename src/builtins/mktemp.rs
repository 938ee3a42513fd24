//! `mktemp`: new files and directories of names nobody has.

use std::rc::Rc;

use futures::future::{FutureExt, LocalBoxFuture};

use super::common::quoted;
use super::common::targets::below_directory;
use crate::io::Errno;
use crate::tool::{
    Args, Builtin, Completes, Example, ExecContext, OK, Opt, Outcome, Run, Spec, Stop, Topic,
};
use crate::value::EcoString;
use crate::vfs::WriteMode;

/// `mktemp`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "mktemp",
    about: "create a file of a new name, and print it",
    topic: Topic::Files,
    operands: "[TEMPLATE]",
    completes: Completes::Nothing,
    options: &[
        Opt::flag('d', "directory", "a directory"),
        Opt::flag('u', "dry-run", "only the name"),
        Opt::flag('q', "quiet", "no message where it fails"),
        Opt::value('\0', "suffix", "SUFFIX", "behind the template"),
        Opt::value('p', "", "DIR", "in DIR; TEMPLATE is a name in it"),
        Opt::optional('\0', "tmpdir", "DIR", "the same; $TMPDIR or /tmp where left out"),
        Opt::flag('t', "", "TEMPLATE is a name in $TMPDIR, DIR or /tmp"),
    ],
    notes: "The last X's of TEMPLATE, three at least, become letters and digits. Without TEMPLATE \
        it is tmp.XXXXXXXXXX in $TMPDIR or /tmp.",
    examples: &[Example { script: "f=$(mktemp); [[ -f $f ]] && echo made", output: "made\n" }],
    ..Spec::DEFAULT
};

const LETTERS: &[u8; 62] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        if args.operands.len() > 1 {
            return Err(cx.misuse(1, "too many templates"));
        }
        let template = template(cx, args)?;
        for _ in 0..1000 {
            cx.checkpoint(20).await?;
            let name = template.fill(cx);
            match create(cx, args, &name).await {
                Ok(()) => {
                    cx.write_line(name.as_bytes()).await?;
                    return OK;
                }
                Err(Errno::AlreadyExists) => {}
                Err(errno) => return Err(failed(cx, args, &template, errno)),
            }
        }
        Err(failed(cx, args, &template, Errno::AlreadyExists))
    }
    .boxed_local()
}

fn failed(cx: &mut ExecContext, args: &Args, template: &Template, errno: Errno) -> Stop {
    if args.has("quiet") {
        return Stop::Failed(1);
    }
    let kind = if args.has("directory") { "directory" } else { "file" };
    let whole = format!("{}{}{}", template.before, "X".repeat(template.count), template.suffix);
    cx.fail(1, format_args!("failed to create {kind} via template {}: {errno}", quoted(&whole)))
}

async fn create(cx: &ExecContext, args: &Args, name: &str) -> Result<(), Errno> {
    let path = cx.resolve(name);
    let fs = Rc::clone(cx.backend());
    let errno = |error: crate::tool::BackendError| error.errno();
    if args.has("dry-run") {
        return if fs.lstat(&path).await.is_ok() { Err(Errno::AlreadyExists) } else { Ok(()) };
    }
    let mode = if args.has("directory") {
        fs.mkdir(&path).await.map_err(errno)?;
        0o700
    } else {
        fs.write(&path, b"", WriteMode::CreateNew).await.map_err(errno)?;
        0o600
    };
    match fs.set_mode(&path, mode).await {
        // A mount that keeps no modes has nobody to hide it from.
        Err(error) if error.errno() != Errno::NotSupported => Err(error.errno()),
        _ => Ok(()),
    }
}

/// A name with a gap for random letters.
struct Template {
    before: String,
    count: usize,
    suffix: EcoString,
}

impl Template {
    fn fill(&self, cx: &ExecContext) -> String {
        let mut random = vec![0; self.count];
        cx.services.host.random(&mut random);
        let letter = |byte: &u8| LETTERS.get(usize::from(*byte) % LETTERS.len()).copied();
        let letters: String = random.iter().filter_map(letter).map(char::from).collect();
        format!("{}{letters}{}", self.before, self.suffix)
    }
}

fn template(cx: &mut ExecContext, args: &Args) -> Result<Template, Stop> {
    let variable = cx.session.scope.borrow().get("TMPDIR").map(|value| value.to_text_lossy());
    let variable = variable.filter(|dir| !dir.is_empty());
    let given = args.operand(0);
    let name = given.clone().unwrap_or_else(|| "tmp.XXXXXXXXXX".into());
    let option = args.text("tmpdir").filter(|dir| !dir.is_empty()).or_else(|| args.text("p"));
    let option = option.filter(|dir| !dir.is_empty());
    let in_directory = args.has("p") || args.has("tmpdir") || args.has("t") || given.is_none();
    let directory = if args.has("t") { variable.or(option) } else { option.or(variable) };
    if in_directory && args.has("t") && name.contains('/') {
        let name = quoted(&name);
        let reason = "contains directory separator";
        return Err(cx.fail(1, format_args!("invalid template, {name}, {reason}")));
    }
    if in_directory && given.is_some() && name.starts_with('/') {
        let message = "invalid template";
        let reason = "with --tmpdir, it may not be absolute";
        return Err(cx.fail(1, format_args!("{message}, {}; {reason}", quoted(&name))));
    }
    let (stem, suffix) = match args.text("suffix") {
        Some(suffix) => {
            if !name.ends_with('X') {
                let name = quoted(&name);
                return Err(
                    cx.fail(1, format_args!("with --suffix, template {name} must end in X"))
                );
            }
            (name.as_str(), suffix)
        }
        // What stands behind the last X is a suffix.
        None => match name.rfind('X') {
            Some(at) => {
                let (stem, suffix) = name.split_at_checked(at + 1).unwrap_or((&name, ""));
                (stem, suffix.into())
            }
            None => (name.as_str(), EcoString::new()),
        },
    };
    let before = stem.trim_end_matches('X');
    let count = stem.len() - before.len();
    if count < 3 {
        return Err(cx.fail(1, format_args!("too few X's in template {}", quoted(&name))));
    }
    if suffix.contains('/') {
        let suffix = quoted(&suffix);
        return Err(
            cx.fail(1, format_args!("invalid suffix {suffix}, contains directory separator"))
        );
    }
    let before = if in_directory {
        below_directory(&directory.unwrap_or_else(|| "/tmp".into()), before).to_string()
    } else {
        before.to_owned()
    };
    Ok(Template { before, count, suffix })
}
