//! `du`: how much room files take.

use std::collections::BTreeSet;
use std::rc::Rc;

use futures::future::{FutureExt, LocalBoxFuture};

use super::common::targets::below_directory;
use super::common::{disk_size, human_size, quoted, shown_size};
use super::size::parse_size;
use crate::pattern::Glob;
use crate::tool::{
    Args, Builtin, Example, ExecContext, Opt, Outcome, Reply, Run, Spec, Stop, Topic,
};
use crate::value::{EcoString, EcoVec, Record, Value};
use crate::vfs::Metadata;

/// `du`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "du",
    about: "print how much room directories take",
    topic: Topic::Files,
    operands: "[FILE]...",
    options: &[
        Opt::flag('a', "all", "files too, not only directories"),
        Opt::flag('s', "summarize", "only one line for each FILE"),
        Opt::flag('h', "human-readable", "sizes like 1.5K"),
        Opt::flag('\0', "si", "like -h, with powers of 1000"),
        Opt::flag('b', "bytes", "bytes of content"),
        Opt::flag('\0', "apparent-size", "content, not blocks"),
        Opt::flag('k', "", "in units of 1024 bytes, which is the default"),
        Opt::flag('m', "", "in units of 1048576 bytes"),
        Opt::value('B', "block-size", "SIZE", "in units of SIZE bytes"),
        Opt::flag('c', "total", "a total at the end"),
        Opt::value('d', "max-depth", "N", "directories at most N deep"),
        Opt::flag('S', "separate-dirs", "without the size of directories below"),
        Opt::flag('l', "count-links", "a file of several names each time"),
        Opt::flag('L', "dereference", "follow links"),
        Opt::flag('D', "dereference-args", "follow links among the operands"),
        Opt::flag('x', "one-file-system", "stay on one mount"),
        Opt::flag('0', "null", "end each line with NUL, not newline"),
        Opt::value('\0', "exclude", "PATTERN", "not what matches"),
        Opt::value('t', "threshold", "SIZE", "only what is at least this large"),
    ],
    notes: "Content counts in blocks of 4096 bytes, as on a disk; so does a directory.\n\
        --json: a list of records with name and size.",
    examples: &[Example { script: "mkdir d; printf abc > d/f; du -b d/f", output: "3\td/f\n" }],
    ..Spec::DEFAULT
};

/// What the options ask for.
#[expect(clippy::struct_excessive_bools, reason = "independent options")]
struct Plan {
    all: bool,
    apparent: bool,
    separate: bool,
    count_links: bool,
    follow: bool,
    follow_operands: bool,
    one_mount: bool,
    depth: usize,
    unit: Unit,
    end: u8,
    exclude: Vec<Glob>,
    threshold: u64,
}

/// How sizes are written.
enum Unit {
    Human(u64),
    Blocks(u64),
}

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let plan = plan(cx, args)?;
        let mut names = args.operand_texts();
        if names.is_empty() {
            names.push(".".into());
        }
        let several = names.len() > 1;
        let mut counter =
            Counter { plan, several, seen: BTreeSet::new(), device: 0, ok: true, json: None };
        counter.json = args.json.then(EcoVec::new);
        let mut total = 0u64;
        for name in names {
            total = total.saturating_add(counter.tree(cx, name).await?);
        }
        if args.has("total") {
            counter.print(cx, total, "total").await?;
        }
        if let Some(list) = counter.json {
            cx.answer(Value::List(list));
        }
        Reply::success(counter.ok)
    }
    .boxed_local()
}

fn plan(cx: &mut ExecContext, args: &Args) -> Result<Plan, Stop> {
    let mut unit = Unit::Blocks(1024);
    for (key, value) in args.given() {
        unit = match key {
            "human-readable" => Unit::Human(1024),
            "si" => Unit::Human(1000),
            "bytes" => Unit::Blocks(1),
            "k" => Unit::Blocks(1024),
            "m" => Unit::Blocks(1 << 20),
            "block-size" => {
                let text = value.map(|value| value.to_text_lossy()).unwrap_or_default();
                match parse_size(&text).filter(|size| *size > 0) {
                    Some(size) => Unit::Blocks(size),
                    None => {
                        let text = quoted(&text);
                        return Err(cx.fail(1, format_args!("invalid -B argument {text}")));
                    }
                }
            }
            _ => unit,
        };
    }
    let mut depth = if args.has("summarize") { 0 } else { usize::MAX };
    if let Some(text) = args.text("max-depth") {
        match text.parse() {
            Ok(number) if !args.has("summarize") || number == 0 => depth = number,
            Ok(_) => {
                let message = format!("warning: summarizing conflicts with --max-depth={text}");
                return Err(cx.misuse(1, message));
            }
            Err(_) => {
                return Err(cx.misuse(1, format_args!("invalid maximum depth {}", quoted(&text))));
            }
        }
    }
    if args.has("all") && args.has("summarize") {
        return Err(cx.misuse(1, "cannot both summarize and show all entries"));
    }
    let threshold = args.text("threshold").and_then(|text| parse_size(&text)).unwrap_or(0);
    let patterns = args.values("exclude").map(|value| Glob::parse(&value.to_text_lossy()));
    Ok(Plan {
        all: args.has("all"),
        apparent: args.has("apparent-size") || args.has("bytes"),
        separate: args.has("separate-dirs"),
        count_links: args.has("count-links"),
        follow: args.has("dereference"),
        follow_operands: args.has("dereference-args"),
        one_mount: args.has("one-file-system"),
        end: if args.has("null") { 0 } else { b'\n' },
        exclude: patterns.collect(),
        depth,
        unit,
        threshold,
    })
}

struct Counter {
    plan: Plan,
    /// Whether operands may overlap, so that every file is remembered.
    several: bool,
    /// Files of several names that were counted.
    seen: BTreeSet<(u64, u64)>,
    /// The device of the operand that is counted.
    device: u64,
    ok: bool,
    json: Option<EcoVec<Value>>,
}

/// What is left to do, last first.
enum Pending {
    Visit(EcoString, Metadata, usize),
    /// A directory whose entries are counted: the last sum of the stack is its own.
    Leave(EcoString, usize),
}

impl Counter {
    /// Counts an operand and what is below it, printing on the way; answers the sum in bytes.
    async fn tree(&mut self, cx: &mut ExecContext, name: EcoString) -> Result<u64, Stop> {
        let fs = Rc::clone(cx.backend());
        let path = cx.resolve(&name);
        let follow = self.plan.follow || self.plan.follow_operands;
        let found = if follow { fs.stat(&path).await } else { fs.lstat(&path).await };
        let metadata = match found {
            Ok(metadata) => metadata,
            Err(error) => {
                let (name, errno) = (quoted(&name), error.errno());
                cx.complain(format_args!("cannot access {name}: {errno}")).await?;
                self.ok = false;
                return Ok(0);
            }
        };
        if self.is_again(&metadata) {
            return Ok(0);
        }
        self.device = metadata.device;
        // The size of each directory that is being counted, and of those counted below it.
        let mut sums: Vec<(u64, u64)> = vec![(0, 0)];
        let mut pending = vec![Pending::Visit(name, metadata, 0)];
        while let Some(next) = pending.pop() {
            cx.checkpoint(10).await?;
            let (name, metadata, depth) = match next {
                Pending::Visit(name, metadata, depth) => (name, metadata, depth),
                Pending::Leave(name, depth) => {
                    let (own, below) = sums.pop().unwrap_or_default();
                    let size = if self.plan.separate { own } else { own.saturating_add(below) };
                    if depth <= self.plan.depth {
                        self.print(cx, size, &name).await?;
                    }
                    if let Some((_, sum)) = sums.last_mut() {
                        *sum = sum.saturating_add(own).saturating_add(below);
                    }
                    continue;
                }
            };
            let size = self.size(&metadata);
            if !metadata.is_dir() {
                if let Some((own, _)) = sums.last_mut() {
                    *own = own.saturating_add(size);
                }
                if depth <= self.plan.depth && (self.plan.all || depth == 0) {
                    self.print(cx, size, &name).await?;
                }
                continue;
            }
            sums.push((size, 0));
            pending.push(Pending::Leave(name.clone(), depth));
            self.push_entries(cx, &mut pending, &name, depth).await?;
        }
        let (own, below) = sums.pop().unwrap_or_default();
        Ok(own.saturating_add(below))
    }

    async fn push_entries(
        &mut self,
        cx: &mut ExecContext,
        pending: &mut Vec<Pending>,
        name: &EcoString,
        depth: usize,
    ) -> Result<(), Stop> {
        let fs = Rc::clone(cx.backend());
        let entries = match fs.list(&cx.resolve(name)).await {
            Ok(entries) => entries,
            Err(error) => {
                let (name, errno) = (quoted(name), error.errno());
                cx.complain(format_args!("cannot read directory {name}: {errno}")).await?;
                self.ok = false;
                return Ok(());
            }
        };
        for entry in entries.into_iter().rev() {
            let path = below_directory(name, &entry.name);
            let matches =
                |glob: &Glob| glob.matches(entry.name.as_str()) || glob.matches(path.as_str());
            if self.plan.exclude.iter().any(matches) {
                continue;
            }
            let mut metadata = entry.metadata;
            if self.plan.follow && metadata.is_symlink() {
                metadata = fs.stat(&cx.resolve(&path)).await.unwrap_or(metadata);
                // Followed links may lead back up: each directory is counted once.
                let file = (metadata.device, metadata.inode);
                if metadata.is_dir() && !self.several && !self.seen.insert(file) {
                    continue;
                }
            }
            if !self.is_again(&metadata) && (!self.plan.one_mount || metadata.device == self.device)
            {
                pending.push(Pending::Visit(path, metadata, depth + 1));
            }
        }
        Ok(())
    }

    /// Whether a file was counted already, by another name or operand.
    fn is_again(&mut self, metadata: &Metadata) -> bool {
        let matters = self.several || (metadata.links > 1 && !metadata.is_dir());
        matters && !self.plan.count_links && !self.seen.insert((metadata.device, metadata.inode))
    }

    fn size(&self, metadata: &Metadata) -> u64 {
        if self.plan.apparent { shown_size(metadata) } else { disk_size(metadata) }
    }

    async fn print(&mut self, cx: &mut ExecContext, size: u64, name: &str) -> Result<(), Stop> {
        if size < self.plan.threshold {
            return Ok(());
        }
        if let Some(list) = &mut self.json {
            let mut record = Record::default();
            record.insert("name".into(), Value::from(name));
            record.insert("size".into(), Value::int(i64::try_from(size).unwrap_or(i64::MAX)));
            list.push(Value::Record(Rc::new(record)));
            return Ok(());
        }
        let size = match self.plan.unit {
            Unit::Human(base) => human_size(size, base),
            Unit::Blocks(unit) => size.div_ceil(unit).to_string(),
        };
        cx.write(format!("{size}\t{name}").as_bytes()).await?;
        cx.write(&[self.plan.end]).await
    }
}
