//! `glob`: the paths that patterns match, where the pattern is data.

use std::rc::Rc;

use futures::future::{FutureExt, LocalBoxFuture};

use super::common::quoted;
use crate::pattern::{Component, PathGlob, alternatives};
use crate::tool::{
    Args, Builtin, Example, ExecContext, Opt, Outcome, Reply, Run, Spec, Stop, Topic,
};
use crate::value::{EcoString, EcoVec, InOrder, Value};
use crate::vfs::{FileKind, Metadata};

/// `glob`
pub(super) const BUILTIN: Builtin = Builtin {
    spec: Spec {
        name: "glob",
        about: "print the paths that patterns match",
        topic: Topic::Files,
        operands: "PATTERN...",
        arity: (1, usize::MAX),
        options: &[
            Opt::flag('a', "all", "wildcards match names that begin with a dot too"),
            Opt::value('t', "type", "KIND", "only f files, d directories, l links"),
            Opt::value('d', "depth", "N", "at most N components below where the pattern begins"),
            Opt::value('\0', "exclude", "PATTERN", "not what matches, by path or by name"),
            Opt::flag('\0', "no-ignore", "ignore rules do not count"),
        ],
        notes: "Paths come once each, sorted. Where nothing matches, nothing is printed and the \
            status is 0.\n--json: the list of paths.",
        examples: &[
            Example {
                script: "mkdir d; touch a.txt d/b.txt c; glob '**/*.txt'",
                output: "a.txt\nd/b.txt\n",
            },
            Example { script: "touch a.c b.h c; glob '*.{c,h}'", output: "a.c\nb.h\n" },
        ],
        ..Spec::DEFAULT
    },
    run: Run::Wait(run),
};

/// What limits the matches.
struct Filter {
    all: bool,
    kind: Option<FileKind>,
    depth: usize,
    exclude: Vec<PathGlob>,
}

/// A directory still to be matched against the rest of a pattern.
struct Pending {
    /// Empty, `/`, or ending in `/`.
    prefix: EcoString,
    /// Index of the next component.
    at: usize,
    depth: usize,
}

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let filter = filter(cx, args)?;
        let mut found = Vec::new();
        for pattern in args.operand_texts() {
            let all = alternatives(&pattern).unwrap_or_else(|| vec![pattern.to_string()]);
            for text in all {
                walk(cx, &PathGlob::parse(&text), &filter, &mut found).await?;
            }
        }
        found.order_by(Ord::cmp);
        found.dedup();
        if args.json {
            cx.answer(Value::List(found.into_iter().map(Value::Text).collect::<EcoVec<Value>>()));
            return Reply::status(0);
        }
        for path in found {
            cx.write_line(path.as_bytes()).await?;
        }
        Reply::status(0)
    }
    .boxed_local()
}

fn filter(cx: &mut ExecContext, args: &Args) -> Result<Filter, Stop> {
    let kind = match args.text("type") {
        None => None,
        Some(word) => match word.as_str() {
            "f" | "file" => Some(FileKind::File),
            "d" | "directory" => Some(FileKind::Directory),
            "l" | "link" => Some(FileKind::Symlink),
            _ => {
                let message = format!("no such kind {}: one of f, d, l", quoted(&word));
                return Err(cx.misuse(2, message));
            }
        },
    };
    let depth = match args.text("depth") {
        None => usize::MAX,
        Some(text) => match text.parse() {
            Ok(depth) => depth,
            Err(_) => {
                return Err(cx.misuse(2, format_args!("invalid depth {}", quoted(&text))));
            }
        },
    };
    let patterns = args.values("exclude").map(|value| PathGlob::parse(&value.to_text_lossy()));
    Ok(Filter { all: args.has("all"), kind, depth, exclude: patterns.collect() })
}

impl Filter {
    fn takes(&self, path: &str, metadata: &Metadata) -> bool {
        self.kind.is_none_or(|kind| kind == metadata.kind) && !self.excludes(path)
    }

    fn excludes(&self, path: &str) -> bool {
        let name = path.trim_end_matches('/').rsplit('/').next().unwrap_or(path);
        self.exclude.iter().any(|glob| glob.matches(path) || glob.matches(name))
    }
}

/// A pattern on its way through the tree.
struct Walk<'a> {
    pattern: &'a PathGlob,
    filter: &'a Filter,
    pending: Vec<Pending>,
    found: &'a mut Vec<EcoString>,
}

async fn walk(
    cx: &mut ExecContext,
    pattern: &PathGlob,
    filter: &Filter,
    found: &mut Vec<EcoString>,
) -> Result<(), Stop> {
    let fs = Rc::clone(cx.backend());
    let root = if pattern.is_absolute() { "/" } else { "" };
    let pending = vec![Pending { prefix: root.into(), at: 0, depth: 0 }];
    let mut walk = Walk { pattern, filter, pending, found };
    while let Some(Pending { prefix, at, depth }) = walk.pending.pop() {
        cx.checkpoint(10).await?;
        let Some(component) = pattern.components().get(at) else { continue };
        let is_last = at + 1 == pattern.components().len();
        if let Component::Literal(name) = component {
            let path = EcoString::from(format!("{prefix}{name}"));
            if let Ok(metadata) = fs.lstat(&cx.resolve(&path)).await {
                walk.enter(cx, (path, metadata, depth), at).await?;
            }
            continue;
        }
        let is_deep = matches!(component, Component::Deep);
        if is_deep && !is_last {
            walk.pending.push(Pending { prefix: prefix.clone(), at: at + 1, depth });
        }
        if depth >= filter.depth {
            continue;
        }
        let directory = if prefix.is_empty() { "." } else { prefix.as_str() };
        let Ok(entries) = fs.list(&cx.resolve(directory)).await else { continue };
        for entry in entries {
            let name = entry.name.as_str();
            let fits =
                component.matches_name(name) || (filter.all && matches_hidden(component, name));
            let path = EcoString::from(format!("{prefix}{name}"));
            if !fits || filter.excludes(&path) {
                continue;
            }
            let is_dir = entry.metadata.is_dir();
            if is_deep {
                if is_dir {
                    let prefix = EcoString::from(format!("{path}/"));
                    walk.pending.push(Pending { prefix, at, depth: depth + 1 });
                }
                if is_last && filter.takes(&path, &entry.metadata) {
                    walk.found.push(path);
                }
                continue;
            }
            let step = (path, entry.metadata, depth + 1);
            walk.enter(cx, step, at).await?;
        }
        check_limit(cx, walk.found)?;
    }
    Ok(())
}

/// A wildcard against a name that begins with a dot, as if it did not.
fn matches_hidden(component: &Component, name: &str) -> bool {
    let is_special = matches!(name, "." | "..") || !name.starts_with('.');
    match component {
        _ if is_special => false,
        Component::Pattern(glob) => glob.matches(name),
        Component::Deep => true,
        Component::Literal(_) => false,
    }
}

impl Walk<'_> {
    /// Goes on with a path that fits a component: deeper, or into the result.
    async fn enter(
        &mut self,
        cx: &mut ExecContext,
        (path, metadata, depth): (EcoString, Metadata, usize),
        at: usize,
    ) -> Result<(), Stop> {
        let is_last = at + 1 == self.pattern.components().len();
        if is_last && !self.pattern.is_directory() {
            if self.filter.takes(&path, &metadata) {
                self.found.push(path);
            }
            return Ok(());
        }
        let leads_to_directory = metadata.is_dir()
            || (metadata.is_symlink()
                && cx.backend().stat(&cx.resolve(&path)).await.is_ok_and(|there| there.is_dir()));
        if !leads_to_directory {
            return Ok(());
        }
        let prefix = EcoString::from(format!("{path}/"));
        if !is_last {
            self.pending.push(Pending { prefix, at: at + 1, depth });
        } else if self.filter.takes(&path, &metadata) {
            self.found.push(prefix);
        }
        Ok(())
    }
}

fn check_limit(cx: &mut ExecContext, found: &[EcoString]) -> Result<(), Stop> {
    let limit = cx.services.limits.glob_matches;
    if found.len() <= limit {
        return Ok(());
    }
    Err(cx.fail(1, format_args!("more matches than the limit of {limit}")))
}
