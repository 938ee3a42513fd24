//! Pathname expansion: walks directories component by component, sorted, within a limit.

use super::{ExpandError, ExpandResult, Expander};
use crate::pattern::{Component, PathGlob};
use crate::syntax::Span;
use crate::value::{EcoString, InOrder};
use crate::vfs::PathBuf;

/// A directory still to be matched against the rest of the pattern.
struct Pending {
    /// The text in front of what follows: empty, `/`, or ending in `/`.
    prefix: EcoString,
    /// Index of the next component.
    at: usize,
}

/// A walk under way: what is left to match, and what matched.
struct Walk {
    pending: Vec<Pending>,
    found: Vec<EcoString>,
}

impl Expander {
    /// The paths a pattern matches, sorted; none is an error.
    pub(super) async fn paths(
        &self,
        pattern: &PathGlob,
        text: &str,
        span: Span,
    ) -> ExpandResult<Vec<EcoString>> {
        let mut found = self.walk(pattern, span).await?;
        found.order_by(Ord::cmp);
        found.dedup();
        if found.is_empty() {
            return Err(ExpandError::new(
                span,
                format!("no match: {text} (quote it to pass it on, or `set +o glob`)"),
            ));
        }
        Ok(found)
    }

    async fn walk(&self, pattern: &PathGlob, span: Span) -> ExpandResult<Vec<EcoString>> {
        let root = if pattern.is_absolute() { "/" } else { "" };
        let first = Pending { prefix: root.into(), at: 0 };
        let mut walk = Walk { pending: vec![first], found: Vec::new() };
        while let Some(Pending { prefix, at }) = walk.pending.pop() {
            let Some(component) = pattern.components().get(at) else { continue };
            let last = at + 1 == pattern.components().len();
            if let Component::Literal(name) = component {
                let mut path = prefix;
                path.push_str(name);
                self.enter(path, at, pattern, &mut walk).await;
                continue;
            }
            let deep = matches!(component, Component::Deep);
            if deep && !last {
                walk.pending.push(Pending { prefix: prefix.clone(), at: at + 1 });
            }
            let Ok(entries) = self.services.backend.list(&self.directory(&prefix)).await else {
                continue;
            };
            for entry in entries {
                if !component.matches_name(entry.name.as_str()) {
                    continue;
                }
                let mut path = prefix.clone();
                path.push_str(&entry.name);
                let is_dir = entry.metadata.is_dir();
                if deep && is_dir {
                    let mut prefix = path.clone();
                    prefix.push('/');
                    walk.pending.push(Pending { prefix, at });
                }
                if !deep || last {
                    self.enter(path, at, pattern, &mut walk).await;
                }
            }
            let limit = self.services.limits.glob_matches;
            if walk.found.len() + walk.pending.len() > limit {
                let message = format!("the pattern matches more than {limit} paths (glob limit)");
                return Err(ExpandError::new(span, message));
            }
            if self.services.budget.charge(100) {
                self.services.budget.rest().await;
            }
            if self.cancel.signal().is_some() {
                return Err(ExpandError::fatal(span, "cancelled"));
            }
        }
        Ok(walk.found)
    }

    /// Takes a path that matched component `at`: a result, or a directory to go on in.
    async fn enter(&self, mut path: EcoString, at: usize, pattern: &PathGlob, walk: &mut Walk) {
        let last = at + 1 == pattern.components().len();
        let full = self.directory(&path);
        if last && !pattern.is_directory() {
            let literal = matches!(pattern.components().get(at), Some(Component::Literal(_)));
            if !literal || self.services.backend.lstat(&full).await.is_ok() {
                walk.found.push(path);
            }
            return;
        }
        let is_dir = self.services.backend.stat(&full).await.is_ok_and(|found| found.is_dir());
        if !is_dir {
            return;
        }
        path.push('/');
        if last {
            walk.found.push(path);
        } else {
            walk.pending.push(Pending { prefix: path, at: at + 1 });
        }
    }

    fn directory(&self, prefix: &str) -> PathBuf {
        let mut path = PathBuf::from(self.session.cwd.borrow().as_str());
        if !prefix.is_empty() {
            path.push(prefix);
        }
        path
    }
}
