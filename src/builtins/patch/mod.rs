//! `patch`: applies the differences that `diff` and `git diff` print.
//!
//! The text is read into hunks (`parse`, `hunk`), each hunk finds its place (`place`, `apply`), and each
//! file is written in one step (`target`); what does not fit goes to a `.rej` file (`reject`).

mod apply;
mod hunk;
mod names;
mod parse;
mod place;
mod reject;
mod target;

use std::rc::Rc;

use futures::future::{FutureExt, LocalBoxFuture};

use self::apply::{Answer, Applied};
use self::hunk::Hunk;
use self::parse::{FilePatch, Format, Parser};
use self::target::Target;
use super::common::as_word;
use super::input;
use crate::tool::{
    Args, Builtin, Example, ExecContext, Opt, Outcome, Reply, Run, Spec, Stop, Topic,
};
use crate::value::EcoString;

/// `patch`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "patch",
    about: "apply the differences that diff prints",
    topic: Topic::Text,
    operands: "[FILE [PATCHFILE]]",
    options: &[
        Opt::value('p', "strip", "N", "drop N leading directories of names (all of them)"),
        Opt::value('i', "input", "PATCHFILE", "read the patch from there"),
        Opt::flag('R', "reverse", "the patch goes from new to old"),
        Opt::flag('N', "forward", "skip patches that are reversed or applied already"),
        Opt::value('F', "fuzz", "N", "lines around a change that may differ (2)"),
        Opt::flag('l', "ignore-whitespace", "ignore changes in the amount of blanks"),
        Opt::value('o', "output", "FILE", "write the result there"),
        Opt::value('r', "reject-file", "FILE", "write what does not fit there; - for nowhere"),
        Opt::flag('E', "remove-empty-files", "remove files that become empty"),
        Opt::flag('b', "backup", "keep what was there as FILE.orig"),
        Opt::value('z', "suffix", "SUFFIX", "instead of .orig"),
        Opt::value('B', "prefix", "PREFIX", "before the name of what is kept"),
        Opt::flag('\0', "no-backup-if-mismatch", "keep nothing where a patch does not fit exactly"),
        Opt::flag('\0', "backup-if-mismatch", "the default"),
        Opt::value('d', "directory", "DIR", "work in DIR"),
        Opt::flag('\0', "dry-run", "change nothing, only say what would happen"),
        Opt::flag('s', "quiet", "say nothing but errors"),
        Opt::flag('\0', "silent", "the same"),
        Opt::flag('\0', "verbose", "say more"),
        Opt::flag('f', "force", "apply the patch as it says"),
        Opt::flag('t', "batch", "turn a reversed patch round, skip files that are missing"),
        Opt::flag('\0', "binary", "keep carriage returns"),
        Opt::flag('u', "unified", "ignored: what a patch is, is seen"),
        Opt::flag('c', "context", "ignored"),
        Opt::flag('n', "normal", "ignored"),
    ],
    notes: "Names that lead out of the working directory are refused. The status is 0 where all was\n\
            applied, 1 where some was not, 2 for trouble.",
    examples: &[Example {
        script: "printf 'a\\nb\\n' > x; printf 'a\\nc\\n' > y; diff -u x y > p; patch x < p; cat x",
        output: "patching file x\na\nc\n",
    }],
    ..Spec::DEFAULT
};

/// How much is said.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verbosity {
    Silent,
    Normal,
    Verbose,
}

/// Where what was there is kept.
struct Keep {
    always: bool,
    where_inexact: bool,
    prefix: EcoString,
    suffix: EcoString,
}

/// The options of a call.
#[expect(clippy::struct_excessive_bools, reason = "independent options")]
struct Options {
    file: Option<EcoString>,
    strip: Option<usize>,
    reverse: bool,
    forward: bool,
    force: bool,
    batch: bool,
    fuzz: usize,
    ignores_blanks: bool,
    removes_empty: bool,
    dry_run: bool,
    verbosity: Verbosity,
    keep: Keep,
    output: Option<EcoString>,
    rejects: Option<EcoString>,
}

impl Options {
    fn new(cx: &mut ExecContext, args: &Args) -> Result<Self, Stop> {
        let mut number = |key: &str, what: &str| match args.text(key) {
            None => Ok(None),
            Some(text) => match text.parse() {
                Ok(number) => Ok(Some(number)),
                Err(_) => Err(fatal(cx, &format!("{what} {text} is not a number"))),
            },
        };
        let strip = number("strip", "strip count")?;
        let fuzz = number("fuzz", "fuzz factor")?.unwrap_or(2);
        let suffix = args.text("suffix");
        let prefix = args.text("prefix").unwrap_or_default();
        let default_suffix = if prefix.is_empty() { ".orig" } else { "" };
        Ok(Self {
            file: args.operand(0),
            strip,
            reverse: args.has("reverse"),
            forward: args.has("forward"),
            force: args.has("force"),
            batch: args.has("batch"),
            fuzz,
            ignores_blanks: args.has("ignore-whitespace"),
            removes_empty: args.has("remove-empty-files"),
            dry_run: args.has("dry-run"),
            verbosity: if args.has("quiet") || args.has("silent") {
                Verbosity::Silent
            } else if args.has("verbose") {
                Verbosity::Verbose
            } else {
                Verbosity::Normal
            },
            keep: Keep {
                always: args.has("backup"),
                where_inexact: !args.has("no-backup-if-mismatch"),
                prefix,
                suffix: suffix.unwrap_or_else(|| default_suffix.into()),
            },
            output: args.text("output"),
            rejects: args.text("reject-file"),
        })
    }

    fn say(&self, cx: &mut ExecContext, text: &str) {
        if self.verbosity != Verbosity::Silent {
            cx.push_line(text);
        }
    }
}

/// Reports what ends everything.
fn fatal(cx: &mut ExecContext, message: &str) -> Stop {
    cx.fail(2, format_args!("**** {message}"))
}

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        if let Some(extra) = args.operand(2) {
            return Err(cx.misuse(2, format_args!("{extra}: extra operand")));
        }
        let mut options = Options::new(cx, args)?;
        if let Some(directory) = args.text("directory") {
            let path = cx.resolve(&directory);
            let metadata = Rc::clone(cx.backend()).stat(&path).await;
            if !metadata.is_ok_and(|metadata| metadata.is_dir()) {
                let reason = "No such file or directory";
                let message = format!("Can't change to directory {directory} : {reason}");
                return Err(fatal(cx, &message));
            }
            // Every name is looked up from there; the shell itself stays where it is.
            let session = cx.session.snapshot();
            *session.cwd.borrow_mut() = path.as_str().into();
            cx.session = session.into();
        }
        let text = read(cx, args).await?;
        let mut parser = Parser::new(&text, args.has("binary"));
        let (mut count, mut failed) = (0, false);
        while let Some(mut patch) = parser.next() {
            if patch.is_nameless() && options.file.is_none() {
                continue;
            }
            count += 1;
            failed |= !one(cx, &mut options, &mut patch).await?;
            cx.write(b"").await?;
        }
        if count == 0 && !parser.is_empty() {
            return Err(fatal(cx, "Only garbage was found in the patch input."));
        }
        Reply::success(!failed)
    }
    .boxed_local()
}

async fn read(cx: &mut ExecContext, args: &Args) -> Result<Vec<u8>, Stop> {
    let operand = args.text("input").or_else(|| args.operand(1)).unwrap_or_else(|| "-".into());
    match input::open(cx, &operand).await {
        Ok(stream) => cx.read_all(&stream).await,
        Err(errno) => Err(fatal(cx, &format!("Can't open patch file {operand} : {errno}"))),
    }
}

/// Applies the changes of one file; whether all of them found their place.
async fn one(
    cx: &mut ExecContext,
    options: &mut Options,
    patch: &mut FilePatch,
) -> Result<bool, Stop> {
    if patch.strips_carriage_return {
        options.say(cx, "(Stripping trailing CRs from patch; use --binary to disable.)");
    }
    let target = target::find(cx, options, patch).await?;
    if options.reverse {
        patch.hunks.iter_mut().for_each(Hunk::reverse);
    }
    let total = patch.hunks.len();
    let Some(target) = target else {
        missing(cx, options, patch);
        cx.push_line(format!("{total} out of {total} hunk{} ignored", plural(total)));
        return Ok(false);
    };
    if target.is_refused {
        let text = format!("File {} is not a regular file -- refusing to patch\n", target.name);
        cx.push(text);
        let applied = Applied::skipped(total, options.reverse);
        reject(cx, options, patch, &target, &applied).await?;
        return Ok(false);
    }
    let mut turned = false;
    if let Some(problem) = apply::existence_problem(options, patch, &target) {
        match apply::answer(cx, options, &problem) {
            Answer::Skip => {
                let applied = Applied::skipped(total, options.reverse);
                reject(cx, options, patch, &target, &applied).await?;
                return Ok(false);
            }
            Answer::Reverse => turned = true,
            Answer::Anyway => {}
        }
    }
    announce(cx, options, patch, &target);
    if let Some(broken) = &patch.broken {
        let message = if broken.is_end {
            "unexpected end of file in patch".to_owned()
        } else {
            let text = String::from_utf8_lossy(&broken.text).into_owned();
            format!("malformed patch at line {}: {text}", broken.line)
        };
        return Err(fatal(cx, &message));
    }
    let applied = apply::apply(cx, options, patch, (&target, turned)).await?;
    let mut is_whole = applied.rejected.is_empty();
    if !applied.skipped && (applied.rejected.len() < total || total == 0 || applied.inexact) {
        is_whole &= store(cx, options, patch, &target, &applied).await?;
    }
    if !applied.rejected.is_empty() || applied.skipped {
        reject(cx, options, patch, &target, &applied).await?;
        is_whole = false;
    }
    Ok(is_whole)
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

/// What is said where no file is found.
fn missing(cx: &mut ExecContext, options: &Options, patch: &FilePatch) {
    let mut text = format!("can't find file to patch at input line {}\n", patch.line);
    text.push_str(if options.strip.is_some() {
        "Perhaps you used the wrong -p or --strip option?\n"
    } else {
        "Perhaps you should have used the -p or --strip option?\n"
    });
    cx.push(text);
    if !patch.lead.is_empty() {
        cx.push("The text leading up to this was:\n--------------------------\n");
        for line in &patch.lead {
            cx.push("|");
            cx.push(line);
        }
        cx.push("--------------------------\n");
    }
    cx.push(if options.batch || options.force {
        "No file to patch.  Skipping patch.\n"
    } else {
        "File to patch: \nSkip this patch? [y] \nSkipping patch.\n"
    });
}

fn announce(cx: &mut ExecContext, options: &Options, patch: &FilePatch, target: &Target) {
    let verb = if options.dry_run { "checking" } else { "patching" };
    let name = as_word(&target.name);
    let text = match (&options.output, moved_to(options, patch, target)) {
        (Some(output), _) => format!("{verb} file {} (read from {name})", as_word(output)),
        (None, Some(new)) => {
            let how =
                if patch.git.as_ref().is_some_and(|git| git.copies) { "copied" } else { "renamed" };
            format!("{verb} file {} ({how} from {name})", as_word(&new))
        }
        (None, None) => format!("{verb} file {name}"),
    };
    options.say(cx, &text);
}

/// The name a file gets by a rename or copy.
fn moved_to(options: &Options, patch: &FilePatch, target: &Target) -> Option<String> {
    let git = patch.git.as_ref().filter(|git| git.renames || git.copies)?;
    let name = if options.reverse && git.renames { &patch.old } else { &patch.new };
    name.as_ref()?.stripped(options.strip).filter(|name| *name != target.name)
}

impl FilePatch {
    /// Whether it does not say which file it is for.
    fn is_nameless(&self) -> bool {
        self.old.is_none() && self.new.is_none() && self.index.is_none()
    }

    /// Whether the hunks make a file out of nothing.
    fn creates(&self, reverse: bool) -> bool {
        let is_new = |hunk: &Hunk| {
            let (start, count) = if reverse {
                (hunk.new_start, hunk.new_count())
            } else {
                (hunk.old_start, hunk.old_count())
            };
            start == 0 && count == 0
        };
        self.git.as_ref().is_some_and(|git| git.creates)
            || (self.hunks.len() == 1 && self.hunks.first().is_some_and(is_new))
    }
}

/// Writes the result, or removes the file; `false` where it should be gone but is not empty.
async fn store(
    cx: &mut ExecContext,
    options: &Options,
    patch: &FilePatch,
    target: &Target,
    applied: &Applied,
) -> Result<bool, Stop> {
    let new = if applied.reversed { &patch.old } else { &patch.new };
    let deletes =
        new.as_ref().is_some_and(|name| name.is_nowhere) && patch.format != Format::Normal;
    let is_empty = applied.content.is_empty();
    let moved = moved_to(options, patch, target);
    let name = moved.as_deref().unwrap_or(&target.name);
    if deletes && !is_empty {
        options
            .say(cx, &format!("Not deleting file {} as content differs from patch", target.name));
    }
    if options.dry_run {
        return Ok(!deletes || is_empty);
    }
    if let Some(output) = options.output.as_deref() {
        if output == "-" {
            cx.push(&applied.content);
        } else {
            target::write(cx, output, &applied.content, None).await?;
        }
        return Ok(true);
    }
    let keeps = options.keep.always || (options.keep.where_inexact && applied.inexact);
    if let Some(content) = target.content.as_ref().filter(|_| keeps) {
        let (prefix, suffix) = (&options.keep.prefix, &options.keep.suffix);
        let kept = format!("{prefix}{}{suffix}", target.name);
        target::write(cx, &kept, content, target.mode).await?;
    }
    let git = patch.git.as_ref();
    if is_empty && (deletes || options.removes_empty) {
        target::remove(cx, &target.name).await?;
    } else {
        let mode = git.and_then(|git| if applied.reversed { git.old_mode } else { git.new_mode });
        let is_same = target.content.as_ref() == Some(&applied.content) && moved.is_none();
        if !is_same || mode.is_some() {
            target::write(cx, name, &applied.content, mode.or(target.mode)).await?;
        }
        if moved.is_some() && git.is_some_and(|git| git.renames) {
            target::remove(cx, &target.name).await?;
        }
    }
    Ok(!deletes || is_empty)
}

async fn reject(
    cx: &mut ExecContext,
    options: &Options,
    patch: &FilePatch,
    target: &Target,
    applied: &Applied,
) -> Result<(), Stop> {
    let (failed, total) = (applied.rejected.len(), patch.hunks.len());
    let what = if applied.skipped { "ignored" } else { "FAILED" };
    let mut text = format!("{failed} out of {total} hunk{} {what}", plural(total));
    let is_saved = target.content.as_ref().is_some_and(|_| !creates_over(patch, options, target))
        && options.rejects.as_deref() != Some("-");
    if is_saved {
        let of = options.output.as_deref().unwrap_or(&target.name);
        let name = options.rejects.as_deref().map_or_else(|| format!("{of}.rej"), str::to_owned);
        if !options.dry_run {
            text.push_str(&format!(" -- saving rejects to file {}", as_word(&name)));
            let hunks = applied
                .rejected
                .iter()
                .filter_map(|(index, growth)| patch.hunks.get(*index).map(|hunk| (hunk, *growth)));
            let hunks: Vec<(&Hunk, isize)> = hunks.collect();
            let rejects = reject::text(patch, &hunks, applied.reversed);
            target::write(cx, &name, &rejects, None).await?;
        }
    }
    // Failures are told even where nothing else is.
    cx.push_line(text);
    Ok(())
}

/// Whether the patch was passed over because its file is there already.
fn creates_over(patch: &FilePatch, options: &Options, target: &Target) -> bool {
    let old = if options.reverse { &patch.new } else { &patch.old };
    old.as_ref().is_some_and(|name| name.is_nowhere)
        && target.content.as_ref().is_some_and(|content| !content.is_empty())
}
