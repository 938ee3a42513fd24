//! The entries of one directory: names in byte order to inode numbers, cheap to share and change.
//!
//! Sorted runs of at most 128 names, shared copy-on-write: after a snapshot, a change to a
//! directory of 100,000 entries copies one run and the list of runs.

use std::rc::Rc;

use crate::value::EcoString;

const RUN: usize = 128;

type Run = Vec<(EcoString, u64)>;

/// A sorted map from names to inodes; cloning shares all runs.
#[derive(Clone, Default)]
pub(in crate::vfs) struct Names {
    runs: Vec<Rc<Run>>,
    len: usize,
}

impl Names {
    /// How many entries there are.
    pub(in crate::vfs) fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    pub(in crate::vfs) fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The entries in byte order.
    pub(in crate::vfs) fn iter(&self) -> impl Iterator<Item = (&EcoString, u64)> {
        self.runs.iter().flat_map(|run| run.iter().map(|(name, inode)| (name, *inode)))
    }

    /// The run a name is or would be in: the last that starts at or before it.
    fn run_of(&self, name: &str) -> usize {
        self.runs
            .partition_point(|run| run.first().is_some_and(|(first, _)| first.as_str() <= name))
            .saturating_sub(1)
    }

    /// The inode of a name.
    pub(in crate::vfs) fn get(&self, name: &str) -> Option<u64> {
        let run = self.runs.get(self.run_of(name))?;
        let at = find(run, name).ok()?;
        run.get(at).map(|(_, inode)| *inode)
    }

    /// Makes a name mean an inode; returns what it meant before.
    pub(in crate::vfs) fn insert(&mut self, name: EcoString, inode: u64) -> Option<u64> {
        let index = self.run_of(&name);
        let Some(run) = self.runs.get_mut(index) else {
            self.runs.push(Rc::new(vec![(name, inode)]));
            self.len = 1;
            return None;
        };
        let run = Rc::make_mut(run);
        match find(run, &name) {
            Ok(at) => run.get_mut(at).map(|entry| std::mem::replace(&mut entry.1, inode)),
            Err(at) => {
                run.insert(at, (name, inode));
                self.len += 1;
                if run.len() > RUN {
                    // Names that arrive in order leave full runs behind them.
                    let cut = if at + 1 == run.len() { RUN } else { RUN / 2 };
                    let upper = run.split_off(cut);
                    self.runs.insert(index + 1, Rc::new(upper));
                }
                None
            }
        }
    }

    /// Takes a name away; returns what it meant.
    pub(in crate::vfs) fn remove(&mut self, name: &str) -> Option<u64> {
        let index = self.run_of(name);
        let run = self.runs.get_mut(index)?;
        let at = find(run, name).ok()?;
        let run = Rc::make_mut(run);
        let (_, inode) = run.remove(at);
        if run.is_empty() {
            self.runs.remove(index);
        }
        self.len -= 1;
        Some(inode)
    }
}

fn find(run: &Run, name: &str) -> Result<usize, usize> {
    run.binary_search_by(|(entry, _)| entry.as_str().cmp(name))
}

#[cfg(test)]
mod tests {
    use super::Names;

    #[test]
    fn thousands_of_names_stay_sorted_and_found() {
        let mut names = Names::default();
        for i in 0..5000_u64 {
            let key = i * 7919 % 5000;
            assert_eq!(names.insert(format!("n{key}").into(), key), None);
        }
        assert_eq!(names.len(), 5000);
        let listed: Vec<_> = names.iter().map(|(name, _)| name.clone()).collect();
        assert!(listed.is_sorted());
        let shared = names.clone();
        for i in 0..5000_u64 {
            assert_eq!(names.get(&format!("n{i}")), Some(i));
            assert_eq!(names.remove(&format!("n{i}")), Some(i));
        }
        assert!(names.is_empty());
        assert_eq!(shared.len(), 5000);
        assert_eq!(shared.get("n17"), Some(17));
        assert_eq!(shared.get("n"), None);
    }
}
