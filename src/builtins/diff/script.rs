//! Which lines change in; the list of changes, moved to where a reader expects them, out.

use super::myers::Changed;
use super::text::Classes;

/// Lines of the old file that give way to lines of the new one, counted from 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Change {
    pub(super) old: usize,
    pub(super) old_count: usize,
    pub(super) new: usize,
    pub(super) new_count: usize,
    /// Whether it is one that the options say to ignore.
    pub(super) ignored: bool,
}

impl Change {
    /// The line after the last one that goes.
    pub(super) fn old_end(&self) -> usize {
        self.old + self.old_count
    }

    /// The line after the last one that comes.
    pub(super) fn new_end(&self) -> usize {
        self.new + self.new_count
    }
}

/// Marks by line, `false` outside of the file.
struct Marks<'m>(&'m mut [bool]);

impl Marks<'_> {
    fn at(&self, index: isize) -> bool {
        usize::try_from(index).ok().and_then(|index| self.0.get(index)).copied().unwrap_or(false)
    }

    fn set(&mut self, index: isize, value: bool) {
        let slot = usize::try_from(index).ok().and_then(|index| self.0.get_mut(index));
        if let Some(slot) = slot {
            *slot = value;
        }
    }
}

/// Moves runs of changed lines in both files to where they join their neighbours, match a change
/// of the other file, or else as far down as they go.
pub(super) fn settle(changed: &mut Changed, classes: &Classes) {
    slide(&mut Marks(&mut changed.old), &Marks(&mut changed.new), &classes.old);
    slide(&mut Marks(&mut changed.new), &Marks(&mut changed.old), &classes.new);
}

fn slide(marks: &mut Marks<'_>, other: &Marks<'_>, ids: &[u32]) {
    let end = ids.len().cast_signed();
    let id = |index: isize| usize::try_from(index).ok().and_then(|index| ids.get(index));
    let (mut at, mut twin) = (0isize, 0isize);
    loop {
        // The next run, and the line of the other file that stands beside it.
        while at < end && !marks.at(at) {
            while other.at(twin) {
                twin += 1;
            }
            twin += 1;
            at += 1;
        }
        if at == end {
            return;
        }
        let mut start = at;
        while marks.at(at) {
            at += 1;
        }
        while other.at(twin) {
            twin += 1;
        }
        let mut matching;
        loop {
            let length = at - start;
            while start > 0 && id(start - 1) == id(at - 1) {
                start -= 1;
                at -= 1;
                marks.set(start, true);
                marks.set(at, false);
                while marks.at(start - 1) {
                    start -= 1;
                }
                twin -= 1;
                while other.at(twin) {
                    twin -= 1;
                }
            }
            matching = if other.at(twin - 1) { at } else { end };
            while at < end && id(start) == id(at) {
                marks.set(start, false);
                marks.set(at, true);
                start += 1;
                at += 1;
                while marks.at(at) {
                    at += 1;
                }
                twin += 1;
                while other.at(twin) {
                    matching = at;
                    twin += 1;
                }
            }
            if length == at - start {
                break;
            }
        }
        while matching < at {
            start -= 1;
            at -= 1;
            marks.set(start, true);
            marks.set(at, false);
            twin -= 1;
            while other.at(twin) {
                twin -= 1;
            }
        }
    }
}

/// The changes, in order; `skipped` equal lines came before the first.
pub(super) fn changes(changed: &Changed, skipped: usize) -> Vec<Change> {
    let run = |marks: &[bool], from: usize| {
        marks.get(from..).unwrap_or_default().iter().take_while(|mark| **mark).count()
    };
    let mut changes = Vec::new();
    let (mut old, mut new) = (0, 0);
    while old < changed.old.len() || new < changed.new.len() {
        let (old_count, new_count) = (run(&changed.old, old), run(&changed.new, new));
        if old_count + new_count == 0 {
            old += 1;
            new += 1;
            continue;
        }
        let (first, other) = (old + skipped, new + skipped);
        changes.push(Change { old: first, old_count, new: other, new_count, ignored: false });
        old += old_count;
        new += new_count;
    }
    changes
}
