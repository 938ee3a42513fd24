//! `df`: the mounts and how full they are.

use std::rc::Rc;

use futures::future::{FutureExt, LocalBoxFuture};

use super::common::{human_size, quoted};
use crate::tool::{
    Args, Builtin, Example, ExecContext, MountInfo, Opt, Outcome, Reply, Run, Spec, Topic,
};
use crate::value::{EcoVec, Record, Value, text_width};

/// `df`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "df",
    about: "print how full mounts are",
    topic: Topic::Files,
    operands: "[FILE]...",
    options: &[
        Opt::flag('h', "human-readable", "sizes like 1.5M"),
        Opt::flag('H', "si", "the same with powers of 1000"),
        Opt::flag('k', "", "in units of 1024 bytes, which is the default"),
        Opt::flag('m', "", "in units of 1048576 bytes"),
        Opt::flag('a', "all", "mounts without a size too"),
        Opt::flag('T', "print-type", "with the kind"),
        Opt::flag('P', "portability", "accepted"),
        Opt::flag('\0', "total", "a total at the end"),
    ],
    notes: "With FILE: the mount it is on. --json: a list of records with name, kind, used, \
        available in bytes.",
    examples: &[Example {
        script: "df /tmp | tail -n 1 | tr -s ' ' | cut -d' ' -f6",
        output: "/tmp\n",
    }],
    ..Spec::DEFAULT
};

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let fs = Rc::clone(cx.backend());
        let mounts = fs.mounts();
        let mut shown = Vec::new();
        let mut ok = true;
        for name in args.operand_texts() {
            match fs.canonicalize(&cx.resolve(&name), false).await {
                Ok(path) => {
                    let owners = mounts.iter().filter(|mount| path.starts_with(&mount.path));
                    shown.extend(owners.max_by_key(|mount| mount.path.as_str().len()).cloned());
                }
                Err(error) => {
                    cx.complain(format_args!("{}: {}", quoted(&name), error.errno())).await?;
                    ok = false;
                }
            }
        }
        if args.operands.is_empty() {
            let all = args.has("all");
            shown = mounts.into_iter().filter(|mount| all || mount.usage.is_some()).collect();
        }
        if args.json {
            cx.answer(Value::List(shown.iter().map(json).collect::<EcoVec<Value>>()));
        } else if !shown.is_empty() {
            cx.write(table(args, &shown).as_bytes()).await?;
        }
        Reply::success(ok)
    }
    .boxed_local()
}

fn json(mount: &MountInfo) -> Value {
    let number = |n: u64| Value::int(i64::try_from(n).unwrap_or(i64::MAX));
    let mut record = Record::default();
    record.insert("name".into(), Value::from(mount.path.as_str()));
    record.insert("kind".into(), Value::Text(mount.kind.clone()));
    let usage = mount.usage;
    record.insert("used".into(), usage.map_or(Value::Null, |(used, _)| number(used)));
    record.insert("available".into(), usage.map_or(Value::Null, |(_, free)| number(free)));
    Value::Record(Rc::new(record))
}

fn table(args: &Args, mounts: &[MountInfo]) -> String {
    let (heading, write): (&str, Box<dyn Fn(u64) -> String>) =
        match args.last_of(&["human-readable", "si", "k", "m"]) {
            Some("human-readable") => ("Size", Box::new(|bytes| human_size(bytes, 1024))),
            Some("si") => ("Size", Box::new(|bytes| human_size(bytes, 1000))),
            Some("m") => ("1M-blocks", Box::new(|bytes| bytes.div_ceil(1 << 20).to_string())),
            _ => ("1K-blocks", Box::new(|bytes| bytes.div_ceil(1024).to_string())),
        };
    let available = if heading == "Size" { "Avail" } else { "Available" };
    let with_kind = args.has("print-type");
    let mut rows =
        vec![row("Filesystem", "Type", [heading, "Used", available, "Use%"], "Mounted on")];
    let (mut all_used, mut all_free) = (0u64, 0u64);
    for mount in mounts {
        let (used, free) = mount.usage.unwrap_or_default();
        all_used = all_used.saturating_add(used);
        all_free = all_free.saturating_add(free);
        let sizes = sizes(used, free, mount.usage.is_some(), &write);
        let sizes = [&*sizes[0], &*sizes[1], &*sizes[2], &*sizes[3]];
        rows.push(row(&mount.kind, &mount.kind, sizes, mount.path.as_str()));
    }
    if args.has("total") {
        let sizes = sizes(all_used, all_free, true, &write);
        let sizes = [&*sizes[0], &*sizes[1], &*sizes[2], &*sizes[3]];
        rows.push(row("total", "-", sizes, "-"));
    }
    align(&rows, with_kind)
}

fn row(name: &str, kind: &str, sizes: [&str; 4], path: &str) -> [String; 7] {
    let [size, used, available, share] = sizes;
    [name, kind, size, used, available, share, path].map(str::to_owned)
}

fn sizes(used: u64, free: u64, known: bool, write: &dyn Fn(u64) -> String) -> [String; 4] {
    let total = used.saturating_add(free);
    let share = if !known || total == 0 {
        "-".to_owned()
    } else {
        let percent = (u128::from(used) * 100).div_ceil(u128::from(total));
        format!("{percent}%")
    };
    if known {
        [write(total), write(used), write(free), share]
    } else {
        ["-".into(), "-".into(), "-".into(), share]
    }
}

/// The first columns to the left, sizes to the right.
fn align(rows: &[[String; 7]], with_kind: bool) -> String {
    let width = |column: usize| {
        rows.iter()
            .filter_map(|row| row.get(column))
            .map(|text| text_width(text))
            .max()
            .unwrap_or(0)
    };
    let mut text = String::new();
    for [name, kind, size, used, available, share, path] in rows {
        text.push_str(&format!("{name:<0$}", width(0).max(14)));
        if with_kind {
            text.push_str(&format!(" {kind:<0$}", width(1)));
        }
        text.push_str(&format!(" {size:>0$}", width(2)));
        text.push_str(&format!(" {used:>0$}", width(3)));
        text.push_str(&format!(" {available:>0$}", width(4)));
        text.push_str(&format!(" {share:>0$} {path}\n", width(5)));
    }
    text
}
