//! `ls`: what is in directories.

mod collect;
mod color;
mod layout;
mod long;
mod options;
mod quoting;

use futures::future::{FutureExt, LocalBoxFuture};

use self::collect::{Entry, Listing};
use self::options::{Format, Settings};
use crate::tool::{Args, Builtin, Example, ExecContext, Outcome, Reply, Run, Spec, Stop, Topic};
use crate::value::{EcoVec, Value};

/// `ls`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "ls",
    about: "list files and what is in directories",
    topic: Topic::Files,
    operands: "[FILE]...",
    options: options::OPTIONS,
    notes: "One name a line, or columns and colours at a terminal.\n\
        --json: a list of names; with -l of records with name, kind, size, mode, modified, inode, \
        links, and target for a link. With -R names are paths.",
    examples: &[
        Example { script: "mkdir d; touch b a; ls -F", output: "a\nb\nd/\n" },
        Example { script: "mkdir d; touch d/x; ls -R d", output: "d:\nx\n" },
        Example { script: "touch b a; ls --json", output: "[\"a\",\"b\"]\n" },
    ],
    ..Spec::DEFAULT
};

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let settings = Settings::read(cx, args)?;
        let mut names = args.operand_texts();
        if names.is_empty() {
            names.push(".".into());
        }
        let mut lister = Lister { settings, json: args.json.then(EcoVec::new), first: true };
        let listing = collect::operands(cx, &lister.settings, &names).await?;
        let mut status = listing.status;
        let headings = names.len() > 1 || lister.settings.recursive;
        if !listing.files.is_empty() {
            lister.print(cx, None, &listing.files).await?;
        }
        status = status.max(directories(cx, &mut lister, listing, headings).await?);
        if let Some(list) = lister.json {
            cx.answer(Value::List(list));
        }
        Reply::status(status)
    }
    .boxed_local()
}

/// Lists directories in order, those below them after each where asked.
async fn directories(
    cx: &mut ExecContext,
    lister: &mut Lister,
    listing: Listing,
    headings: bool,
) -> Result<u8, Stop> {
    let mut status = 0;
    let mut pending = listing.directories;
    pending.reverse();
    while let Some(directory) = pending.pop() {
        if directory.is_loop {
            let path = directory.path;
            cx.complain(format_args!("{path}: not listing already-listed directory")).await?;
            status = 2;
            continue;
        }
        let Some(entries) = collect::directory(cx, &lister.settings, &directory).await? else {
            status = status.max(if directory.is_operand { 2 } else { 1 });
            continue;
        };
        let heading = headings.then_some(directory.path.as_str());
        lister.print(cx, heading, &entries).await?;
        if lister.settings.recursive {
            let below = entries.into_iter().filter(Entry::is_walked).rev();
            pending.extend(below.map(|entry| directory.child(entry)));
        }
    }
    Ok(status)
}

/// Prints groups of entries, or gathers them for `--json`.
struct Lister {
    settings: Settings,
    json: Option<EcoVec<Value>>,
    first: bool,
}

impl Lister {
    async fn print(
        &mut self,
        cx: &mut ExecContext,
        heading: Option<&str>,
        entries: &[Entry],
    ) -> Result<(), Stop> {
        if let Some(list) = &mut self.json {
            for entry in entries {
                cx.checkpoint(10).await?;
                list.push(long::json(&self.settings, entry));
            }
            return Ok(());
        }
        let mut out = String::new();
        if !std::mem::replace(&mut self.first, false) {
            out.push('\n');
        }
        if let Some(path) = heading {
            out.push_str(&self.settings.quoting.heading(path));
            out.push_str(":\n");
        }
        let is_directory = heading.is_some() || entries.first().is_none_or(|e| !e.is_operand);
        if is_directory && (self.settings.format == Format::Long || self.settings.blocks) {
            out.push_str(&long::total(&self.settings, entries));
        }
        if self.settings.format == Format::Long {
            long::push(&mut out, &self.settings, entries, cx.services.host.now());
        } else {
            layout::push(&mut out, &self.settings, entries);
        }
        cx.checkpoint(u32::try_from(out.len()).unwrap_or(u32::MAX)).await?;
        cx.write(out.as_bytes()).await
    }
}
