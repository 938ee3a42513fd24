//! The walk: every file below the paths, in order, through the program.

use std::rc::Rc;

use super::actions::{Action, Runner};
use super::compile::{Follow, Query, Step};
use crate::builtins::basename::base_of;
use crate::builtins::common::quoted;
use crate::builtins::common::targets::below_directory;
use crate::tool::{ExecContext, Outcome, Reply, Stop};
use crate::value::{EcoString, EcoVec, Value};
use crate::vfs::Metadata;

/// A file on the way.
pub(super) struct Found {
    /// As it is printed: the operand and what follows.
    pub(super) path: EcoString,
    /// Bytes of `path` that are the operand.
    pub(super) base: usize,
    pub(super) metadata: Metadata,
    /// Whether the metadata is that of a link's target.
    pub(super) followed: bool,
    pub(super) depth: usize,
    /// The directories it was reached through, where links are followed.
    lineage: Option<Rc<Lineage>>,
}

struct Lineage {
    file: (u64, u64),
    path: EcoString,
    above: Option<Rc<Lineage>>,
}

impl Found {
    /// The last component.
    pub(super) fn name(&self) -> &str {
        base_of(&self.path)
    }
}

/// What is left to do, last first.
enum Pending {
    Visit(Found),
    /// The entries have been visited: now the directory.
    Leave(Found),
}

/// What a file's program came to.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Verdict {
    pub(super) prune: bool,
    pub(super) quit: bool,
}

/// Walks all paths.
pub(super) async fn run(cx: &mut ExecContext, query: Query, json: bool) -> Outcome {
    let mut walker = Walker { runner: Runner::new(json.then(EcoVec::new)), query, status: 0 };
    let paths = std::mem::take(&mut walker.query.paths);
    let mut result = Ok(());
    for path in paths {
        match walker.tree(cx, path).await {
            Ok(true) => {}
            Ok(false) => break,
            Err(stop) => {
                result = Err(stop);
                break;
            }
        }
    }
    if result.is_ok() {
        result = walker.runner.finish(cx, &walker.query.program).await;
    }
    walker.runner.close(&walker.query.program).await;
    result?;
    if let Some(list) = walker.runner.take_paths() {
        cx.answer(Value::List(list));
    }
    Reply::status(walker.status.max(walker.runner.status))
}

struct Walker {
    query: Query,
    runner: Runner,
    status: u8,
}

impl Walker {
    /// Walks one tree; `false` where `-quit` ended it all.
    async fn tree(&mut self, cx: &mut ExecContext, path: EcoString) -> Result<bool, Stop> {
        let Some(root) = self.root(cx, path).await? else { return Ok(true) };
        let device = root.metadata.device;
        let mut pending = vec![Pending::Visit(root)];
        while let Some(next) = pending.pop() {
            cx.checkpoint(10).await?;
            let found = match next {
                Pending::Leave(found) => {
                    if self.visit(cx, &found).await?.quit {
                        return Ok(false);
                    }
                    continue;
                }
                Pending::Visit(found) => found,
            };
            if self.is_loop(cx, &found).await? {
                continue;
            }
            let enters = found.metadata.is_dir()
                && self.query.settings.max_depth.is_none_or(|most| found.depth < most)
                && (!self.query.settings.one_mount || found.metadata.device == device);
            if self.query.settings.depth_first {
                if enters {
                    let entries = self.entries(cx, &found).await?;
                    pending.push(Pending::Leave(found));
                    pending.extend(entries);
                } else if self.visit(cx, &found).await?.quit {
                    return Ok(false);
                }
                continue;
            }
            let verdict = self.visit(cx, &found).await?;
            if verdict.quit {
                return Ok(false);
            }
            if enters && !verdict.prune {
                pending.extend(self.entries(cx, &found).await?);
            }
        }
        Ok(true)
    }

    async fn root(&mut self, cx: &mut ExecContext, path: EcoString) -> Result<Option<Found>, Stop> {
        let full = cx.resolve(&path);
        let fs = Rc::clone(cx.backend());
        let follow = self.query.settings.follow != Follow::Never;
        let entry = fs.lstat(&full).await;
        let mut followed = false;
        let metadata = match entry {
            Ok(entry) if entry.is_symlink() && follow => match fs.stat(&full).await {
                Ok(target) => {
                    followed = true;
                    Ok(target)
                }
                Err(_) => Ok(entry),
            },
            other => other,
        };
        match metadata {
            Ok(metadata) => {
                let base = path.len();
                Ok(Some(Found { path, base, metadata, followed, depth: 0, lineage: None }))
            }
            Err(error) => {
                cx.complain(format_args!("{}: {}", quoted(&path), error.errno())).await?;
                self.status = 1;
                Ok(None)
            }
        }
    }

    /// The entries of a directory, last first.
    async fn entries(&mut self, cx: &mut ExecContext, found: &Found) -> Result<Vec<Pending>, Stop> {
        let fs = Rc::clone(cx.backend());
        let listed = match fs.list(&cx.resolve(&found.path)).await {
            Ok(listed) => listed,
            Err(error) => {
                let path = quoted(&found.path);
                cx.complain(format_args!("{path}: {}", error.errno())).await?;
                self.status = 1;
                return Ok(Vec::new());
            }
        };
        let follow = self.query.settings.follow == Follow::Always;
        let lineage = follow.then(|| {
            let file = (found.metadata.device, found.metadata.inode);
            let above = found.lineage.clone();
            Rc::new(Lineage { file, path: found.path.clone(), above })
        });
        let mut pending = Vec::with_capacity(listed.len());
        for entry in listed.into_iter().rev() {
            let path = below_directory(&found.path, &entry.name);
            let (mut metadata, mut followed) = (entry.metadata, false);
            if follow
                && metadata.is_symlink()
                && let Ok(target) = fs.stat(&cx.resolve(&path)).await
            {
                (metadata, followed) = (target, true);
            }
            let (base, depth, lineage) = (found.base, found.depth + 1, lineage.clone());
            pending.push(Pending::Visit(Found { path, base, metadata, followed, depth, lineage }));
        }
        Ok(pending)
    }

    /// Whether a directory is one of those it was reached through, which is reported.
    async fn is_loop(&mut self, cx: &mut ExecContext, found: &Found) -> Result<bool, Stop> {
        let file = (found.metadata.device, found.metadata.inode);
        let mut at = found.lineage.as_ref().filter(|_| found.metadata.is_dir());
        while let Some(lineage) = at {
            if lineage.file == file {
                let (path, above) = (quoted(&found.path), quoted(&lineage.path));
                let message = format!(
                    "File system loop detected; {path} is part of the same file system loop as \
                     {above}."
                );
                cx.complain(message).await?;
                self.status = 1;
                return Ok(true);
            }
            at = lineage.above.as_ref();
        }
        Ok(false)
    }

    /// Runs the program for one file.
    async fn visit(&mut self, cx: &mut ExecContext, found: &Found) -> Result<Verdict, Stop> {
        let mut verdict = Verdict::default();
        if found.depth < self.query.settings.min_depth {
            return Ok(verdict);
        }
        let (mut at, mut value) = (0, true);
        while let Some(step) = self.query.program.get(at) {
            at += 1;
            match step {
                Step::Test(test) => value = test.holds(cx, found).await,
                Step::Action(Action::Prune) => {
                    verdict.prune = true;
                    value = true;
                }
                Step::Action(Action::Quit) => {
                    verdict.quit = true;
                    return Ok(verdict);
                }
                Step::Action(action) => value = self.runner.act(cx, action, found).await?,
                Step::Not => value = !value,
                Step::JumpIf(to) if value => at = *to,
                Step::JumpUnless(to) if !value => at = *to,
                Step::JumpIf(_) | Step::JumpUnless(_) => {}
            }
        }
        Ok(verdict)
    }
}
