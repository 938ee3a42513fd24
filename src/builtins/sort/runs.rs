//! Entries in, sorted entries out, in bounded runs and merges between which others get their turn.

use super::compare::Comparer;
use crate::tool::{ExecContext, Stop};

/// A line: where it is, where its first key is, and what decides most comparisons of that key.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    /// Orders as the first key does; equal values leave it open.
    pub(super) rank: u64,
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) key_start: u32,
    pub(super) key_end: u32,
}

/// Entries sorted without a break.
const RUN: usize = 8192;

/// Entries merged without a break.
const SLICE: usize = 8192;

/// Sorts, keeping the order of equal entries.
pub(super) async fn sort(
    cx: &mut ExecContext,
    comparer: &Comparer<'_>,
    entries: &mut Vec<Entry>,
) -> Result<(), Stop> {
    for run in entries.chunks_mut(RUN) {
        run.sort_by(|a, b| comparer.compare(a, b));
        cx.checkpoint(100_000).await?;
    }
    let starts = (0..entries.len()).step_by(RUN).collect();
    merge_all(cx, comparer, entries, starts).await
}

/// Merges runs that start at `starts`, each sorted, until one is left.
pub(super) async fn merge_all(
    cx: &mut ExecContext,
    comparer: &Comparer<'_>,
    entries: &mut Vec<Entry>,
    mut starts: Vec<usize>,
) -> Result<(), Stop> {
    let mut merged = Vec::with_capacity(entries.len());
    while starts.len() > 1 {
        merged.clear();
        let mut next = Vec::with_capacity(starts.len().div_ceil(2));
        for pair in starts.chunks(2) {
            let first = pair.first().copied().unwrap_or(0);
            let second = pair.get(1).copied().unwrap_or(entries.len());
            next.push(first);
            let end = starts.iter().copied().find(|start| *start > second);
            let end = if pair.len() == 2 { end.unwrap_or(entries.len()) } else { entries.len() };
            let mut merge = Merge {
                left: entries.get(first..second).unwrap_or_default(),
                right: entries.get(second..end).unwrap_or_default(),
            };
            while merge.step(comparer, &mut merged) {
                cx.checkpoint(40_000).await?;
            }
        }
        std::mem::swap(entries, &mut merged);
        starts = next;
    }
    Ok(())
}

/// What is left of two runs.
struct Merge<'a> {
    left: &'a [Entry],
    right: &'a [Entry],
}

impl Merge<'_> {
    /// Moves the next entries; `true` where some are left.
    fn step(&mut self, comparer: &Comparer<'_>, out: &mut Vec<Entry>) -> bool {
        for _ in 0..SLICE {
            match (self.left, self.right) {
                ([first, left @ ..], [second, right @ ..]) => {
                    if comparer.compare(first, second).is_le() {
                        out.push(*first);
                        self.left = left;
                    } else {
                        out.push(*second);
                        self.right = right;
                    }
                }
                _ => {
                    out.extend_from_slice(self.left);
                    out.extend_from_slice(self.right);
                    return false;
                }
            }
        }
        true
    }
}
