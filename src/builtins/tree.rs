//! `tree`: directories as a drawing.

use std::rc::Rc;

use futures::future::{FutureExt, LocalBoxFuture};

use super::common::targets::below_directory;
use super::common::{human_size, mode_letters, quoted, shown_size};
use crate::pattern::Glob;
use crate::tool::{
    Args, Builtin, Completes, Example, ExecContext, Opt, Outcome, Reply, Run, Spec, Stop, Topic,
};
use crate::value::{EcoString, EcoVec, InOrder, Record, Value};
use crate::vfs::{DirEntry, Metadata};

/// `tree`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "tree",
    about: "draw directory trees",
    topic: Topic::Files,
    operands: "[DIRECTORY]...",
    completes: Completes::Directories,
    options: &[
        Opt::flag('a', "", "names that begin with a dot too"),
        Opt::flag('d', "", "directories only"),
        Opt::value('L', "", "N", "at most N levels"),
        Opt::flag('f', "", "whole paths"),
        Opt::flag('i', "", "without the lines"),
        Opt::flag('F', "", "mark directories /, programs *"),
        Opt::flag('p', "", "with the mode"),
        Opt::flag('s', "", "with the size"),
        Opt::flag('h', "", "with the size, like 1.5K"),
        Opt::flag('r', "", "the other way round"),
        Opt::flag('t', "", "by time of change"),
        Opt::value('P', "", "PATTERN", "only files that match"),
        Opt::value('I', "", "PATTERN", "not what matches"),
        Opt::flag('\0', "dirsfirst", "directories before files"),
        Opt::flag('\0', "prune", "without empty directories"),
        Opt::flag('\0', "noreport", "without the count at the end"),
        Opt::flag('C', "", "in colour"),
        Opt::flag('n', "", "without colour"),
        Opt::flag('J', "", "the same as --json"),
    ],
    notes: "--json: a list of records with name, kind, and contents for a directory.",
    examples: &[Example {
        script: "mkdir -p a/b; touch a/x; tree --noreport a",
        output: "a\n├── b\n└── x\n",
    }],
    ..Spec::DEFAULT
};

/// What the options ask for.
#[expect(clippy::struct_excessive_bools, reason = "independent options")]
struct Plan {
    all: bool,
    directories_only: bool,
    directories_first: bool,
    prune: bool,
    reverse: bool,
    by_time: bool,
    levels: usize,
    only: Vec<Glob>,
    not: Vec<Glob>,
    look: Look,
}

/// How entries look.
#[expect(clippy::struct_excessive_bools, reason = "independent options")]
struct Look {
    whole_paths: bool,
    lines: bool,
    marks: bool,
    mode: bool,
    /// 0 for none, 1 for bytes, else the base of letters.
    size: u64,
    color: bool,
}

/// A directory that is being drawn.
struct Level {
    entries: std::vec::IntoIter<DirEntry>,
    path: EcoString,
    /// Whether more entries follow in this one.
    prefix: String,
    /// The records gathered for `--json`.
    contents: EcoVec<Value>,
    /// The record of the directory itself, to be completed.
    record: Option<Record>,
}

#[derive(Default)]
struct Counts {
    directories: u64,
    files: u64,
}

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let plan = plan(cx, args)?;
        let json = args.json || args.has("J");
        let mut names = args.operand_texts();
        if names.is_empty() {
            names.push(".".into());
        }
        let (mut ok, mut counts, mut list) = (true, Counts::default(), EcoVec::new());
        for name in names {
            let metadata = Rc::clone(cx.backend()).stat(&cx.resolve(&name)).await;
            match metadata {
                Ok(metadata) if metadata.is_dir() => {
                    let record = draw(cx, &plan, &name, json, &mut counts).await?;
                    list.extend(record);
                }
                Ok(_) => {
                    cx.complain(format_args!("{}: Not a directory", quoted(&name))).await?;
                    ok = false;
                }
                Err(error) => {
                    cx.complain(format_args!("{}: {}", quoted(&name), error.errno())).await?;
                    ok = false;
                }
            }
        }
        if json {
            cx.answer(Value::List(list));
        } else if !args.has("noreport") && (ok || counts.directories > 0) {
            let directories = if counts.directories == 1 { "directory" } else { "directories" };
            let mut report = format!("\n{} {directories}", counts.directories);
            if !plan.directories_only {
                let files = if counts.files == 1 { "file" } else { "files" };
                report.push_str(&format!(", {} {files}", counts.files));
            }
            cx.write_line(report.as_bytes()).await?;
        }
        Reply::success(ok)
    }
    .boxed_local()
}

fn plan(cx: &mut ExecContext, args: &Args) -> Result<Plan, Stop> {
    let levels = match args.text("L") {
        None => usize::MAX,
        Some(text) => match text.parse::<usize>() {
            Ok(levels) if levels > 0 => levels,
            _ => return Err(cx.fail(1, "Invalid level, must be greater than 0.")),
        },
    };
    let patterns = |key: &str| -> Vec<Glob> {
        let texts = args.values(key).map(Value::to_text_lossy);
        texts.flat_map(|text| text.split('|').map(Glob::parse).collect::<Vec<_>>()).collect()
    };
    let size = match args.last_of(&["s", "h"]) {
        Some("s") => 1,
        Some(_) => 1024,
        None => 0,
    };
    let color = match args.last_of(&["C", "n"]) {
        Some(key) => key == "C",
        None => cx.is_for_person(),
    };
    Ok(Plan {
        all: args.has("a"),
        directories_only: args.has("d"),
        directories_first: args.has("dirsfirst"),
        prune: args.has("prune"),
        reverse: args.has("r"),
        by_time: args.has("t"),
        levels,
        only: patterns("P"),
        not: patterns("I"),
        look: Look {
            whole_paths: args.has("f"),
            lines: !args.has("i"),
            marks: args.has("F"),
            mode: args.has("p"),
            size,
            color,
        },
    })
}

/// Draws one tree; answers its record where that is asked for.
async fn draw(
    cx: &mut ExecContext,
    plan: &Plan,
    name: &EcoString,
    json: bool,
    counts: &mut Counts,
) -> Result<Option<Value>, Stop> {
    if !json {
        cx.write_line(name.as_bytes()).await?;
    }
    counts.directories += 1;
    let record = json.then(|| start_record(name, "directory"));
    let first = entries(cx, plan, name).await?.into_iter();
    let (path, prefix) = (name.clone(), String::new());
    let mut levels = vec![Level { entries: first, path, prefix, contents: EcoVec::new(), record }];
    while let Some(level) = levels.last_mut() {
        let Some(entry) = level.entries.next() else {
            let done = levels.pop().and_then(|level| Some((level.record?, level.contents)));
            if let Some((mut record, contents)) = done {
                record.insert("contents".into(), Value::List(contents));
                let record = Value::Record(Rc::new(record));
                match levels.last_mut() {
                    Some(parent) => parent.contents.push(record),
                    None => return Ok(Some(record)),
                }
            }
            continue;
        };
        cx.checkpoint(10).await?;
        let is_last = level.entries.len() == 0;
        let path = below_directory(&level.path, &entry.name);
        let prefix = level.prefix.clone();
        if entry.metadata.is_dir() {
            counts.directories += 1;
        } else {
            counts.files += 1;
        }
        let target = if entry.metadata.is_symlink() {
            let link = Rc::clone(cx.backend()).read_link(&cx.resolve(&path)).await;
            link.ok().map(|target| target.as_str().to_owned())
        } else {
            None
        };
        if json && !entry.metadata.is_dir() {
            let kind = if entry.metadata.is_symlink() { "link" } else { "file" };
            let mut record = start_record(&entry.name, kind);
            if let Some(target) = target {
                record.insert("target".into(), Value::from(target));
            }
            if let Some(level) = levels.last_mut() {
                level.contents.push(Value::Record(Rc::new(record)));
            }
            continue;
        }
        if !json {
            let branch = if is_last { "└── " } else { "├── " };
            let label = label(plan, &entry, &path, target.as_deref());
            let lines = if plan.look.lines { format!("{prefix}{branch}") } else { String::new() };
            cx.write_line(format!("{lines}{label}").as_bytes()).await?;
        }
        if !entry.metadata.is_dir() {
            continue;
        }
        let below =
            if levels.len() < plan.levels { entries(cx, plan, &path).await? } else { Vec::new() };
        // The gap behind a line does not break, as the tool draws it.
        let prefix = format!("{prefix}{}", if is_last { "    " } else { "│\u{a0}\u{a0} " });
        let record = json.then(|| start_record(&entry.name, "directory"));
        let below = below.into_iter();
        levels.push(Level { entries: below, path, prefix, contents: EcoVec::new(), record });
    }
    Ok(None)
}

fn start_record(name: &str, kind: &str) -> Record {
    let mut record = Record::default();
    record.insert("name".into(), Value::from(name));
    record.insert("kind".into(), Value::from(kind));
    record
}

/// The entries of a directory that are drawn, in order.
async fn entries(
    cx: &mut ExecContext,
    plan: &Plan,
    path: &EcoString,
) -> Result<Vec<DirEntry>, Stop> {
    let fs = Rc::clone(cx.backend());
    let mut entries = match fs.list(&cx.resolve(path)).await {
        Ok(entries) => entries,
        Err(error) => {
            cx.complain(format_args!("{}: {}", quoted(path), error.errno())).await?;
            return Ok(Vec::new());
        }
    };
    entries.retain(|entry| {
        let name = entry.name.as_str();
        let is_dir = entry.metadata.is_dir();
        (plan.all || !name.starts_with('.'))
            && (is_dir || !plan.directories_only)
            && !plan.not.iter().any(|glob| glob.matches(name))
            && (is_dir || plan.only.is_empty() || plan.only.iter().any(|glob| glob.matches(name)))
    });
    if plan.prune {
        let mut kept = Vec::with_capacity(entries.len());
        for entry in entries {
            let path = below_directory(path, &entry.name);
            if !entry.metadata.is_dir()
                || !fs.list(&cx.resolve(&path)).await.is_ok_and(|l| l.is_empty())
            {
                kept.push(entry);
            }
        }
        entries = kept;
    }
    if plan.by_time {
        entries.order_by_key(|entry| entry.metadata.modified);
    }
    if plan.reverse {
        entries.reverse();
    }
    if plan.directories_first {
        entries.order_by_key(|entry| !entry.metadata.is_dir());
    }
    Ok(entries)
}

/// What stands behind the lines of an entry.
fn label(plan: &Plan, entry: &DirEntry, path: &str, target: Option<&str>) -> String {
    let Metadata { kind, mode, .. } = entry.metadata;
    let mut facts = Vec::new();
    if plan.look.mode {
        facts.push(mode_letters(kind, mode));
    }
    match plan.look.size {
        0 => {}
        1 => facts.push(format!("{:11}", shown_size(&entry.metadata))),
        base => facts.push(format!("{:>4}", human_size(shown_size(&entry.metadata), base))),
    }
    let name = if plan.look.whole_paths { path } else { entry.name.as_str() };
    let code = match () {
        () if !plan.look.color => None,
        () if entry.metadata.is_dir() => Some("01;34"),
        () if entry.metadata.is_symlink() => Some("01;36"),
        () if mode & 0o111 != 0 => Some("01;32"),
        () => None,
    };
    let mut text =
        if facts.is_empty() { String::new() } else { format!("[{}]  ", facts.join(" ")) };
    match code {
        Some(code) => text.push_str(&format!("\x1b[{code}m{name}\x1b[0m")),
        None => text.push_str(name),
    }
    if let Some(target) = target {
        text.push_str(" -> ");
        text.push_str(target);
    } else if plan.look.marks {
        text.push_str(match () {
            () if entry.metadata.is_dir() => "/",
            () if entry.metadata.is_file() && mode & 0o111 != 0 => "*",
            () => "",
        });
    }
    text
}
