//! Two lists of line numbers in, which of them change out: Myers' algorithm in linear space.
//!
//! The comparison goes from both ends at once and splits where they meet. Lines that the other file
//! lacks are set aside first, and where the cost gets out of hand the furthest point reached will do.

use super::text::Classes;
use crate::tool::{ExecContext, Stop};

/// The cost from which on a split need not be the best.
const EXPENSIVE: isize = 4096;

/// Which lines change, in both files.
pub(super) struct Changed {
    pub(super) old: Vec<bool>,
    pub(super) new: Vec<bool>,
}

/// Lines `x0..x1` of the old file against lines `y0..y1` of the new one.
#[derive(Clone, Copy)]
struct Area {
    x0: isize,
    x1: isize,
    y0: isize,
    y1: isize,
    /// Whether only the best split will do.
    minimal: bool,
}

/// Where an area is split, and whether its parts must be split at their best.
struct Split {
    x: isize,
    y: isize,
    minimal: (bool, bool),
}

/// One file as it is compared: the lines that are not set aside.
struct Sequence {
    ids: Vec<u32>,
    /// Where each stands in the file.
    places: Vec<usize>,
}

impl Sequence {
    fn at(&self, index: isize) -> Option<u32> {
        self.ids.get(usize::try_from(index).ok()?).copied()
    }
}

/// How far each diagonal was reached.
struct Reach {
    cells: Vec<isize>,
    /// What is added to a diagonal's number.
    offset: isize,
}

impl Reach {
    fn new(old: usize, new: usize) -> Self {
        Self { cells: vec![0; old + new + 3], offset: new.cast_signed() + 1 }
    }

    fn get(&self, diagonal: isize) -> isize {
        let cell = usize::try_from(diagonal + self.offset).ok();
        cell.and_then(|cell| self.cells.get(cell)).copied().unwrap_or(0)
    }

    fn set(&mut self, diagonal: isize, x: isize) {
        let cell = usize::try_from(diagonal + self.offset).ok();
        if let Some(cell) = cell.and_then(|cell| self.cells.get_mut(cell)) {
            *cell = x;
        }
    }
}

/// The diagonals a search has reached.
struct Front {
    least: isize,
    most: isize,
}

impl Front {
    /// One diagonal more on each side, or one less where the edge is reached.
    fn widen(&mut self, reach: &mut Reach, edges: (isize, isize), beyond: isize) {
        if self.least > edges.0 {
            self.least -= 1;
            reach.set(self.least - 1, beyond);
        } else {
            self.least += 1;
        }
        if self.most < edges.1 {
            self.most += 1;
            reach.set(self.most + 1, beyond);
        } else {
            self.most -= 1;
        }
    }

    fn holds(&self, diagonal: isize) -> bool {
        self.least <= diagonal && diagonal <= self.most
    }
}

/// Compares two files.
pub(super) async fn compare(
    cx: &mut ExecContext,
    classes: &Classes,
    minimal: bool,
) -> Result<Changed, Stop> {
    let mut changed =
        Changed { old: vec![false; classes.old.len()], new: vec![false; classes.new.len()] };
    let old = keep(&classes.old, &counts(&classes.new, classes.count), minimal, &mut changed.old);
    let new = keep(&classes.new, &counts(&classes.old, classes.count), minimal, &mut changed.new);
    let mut search = Search {
        expensive: EXPENSIVE.max(root(old.ids.len() + new.ids.len())),
        forward: Reach::new(old.ids.len(), new.ids.len()),
        backward: Reach::new(old.ids.len(), new.ids.len()),
        old,
        new,
    };
    search.run(cx, minimal, &mut changed).await?;
    Ok(changed)
}

/// Roughly the square root.
fn root(mut number: usize) -> isize {
    let mut root = 1;
    while number > 0 {
        number >>= 2;
        root <<= 1;
    }
    root
}

fn counts(ids: &[u32], classes: usize) -> Vec<u32> {
    let mut counts = vec![0; classes];
    for id in ids {
        if let Some(count) = counts.get_mut(*id as usize) {
            *count += 1;
        }
    }
    counts
}

/// Sets lines aside as changed, and answers the others.
fn keep(ids: &[u32], counts: &[u32], minimal: bool, changed: &mut [bool]) -> Sequence {
    let aside = if minimal { Vec::new() } else { super::aside::set_aside(ids, counts) };
    let mut sequence = Sequence { ids: Vec::new(), places: Vec::new() };
    for (place, id) in ids.iter().enumerate() {
        if aside.get(place).copied().unwrap_or(false) {
            if let Some(mark) = changed.get_mut(place) {
                *mark = true;
            }
        } else {
            sequence.ids.push(*id);
            sequence.places.push(place);
        }
    }
    sequence
}

struct Search {
    old: Sequence,
    new: Sequence,
    forward: Reach,
    backward: Reach,
    expensive: isize,
}

impl Search {
    async fn run(
        &mut self,
        cx: &mut ExecContext,
        minimal: bool,
        changed: &mut Changed,
    ) -> Result<(), Stop> {
        let (x1, y1) = (self.old.ids.len().cast_signed(), self.new.ids.len().cast_signed());
        let mut areas = vec![Area { x0: 0, x1, y0: 0, y1, minimal }];
        while let Some(area) = areas.pop() {
            let area = self.trim(area);
            cx.checkpoint(u32::try_from(area.x1 - area.x0 + 1).unwrap_or(u32::MAX)).await?;
            if area.x0 == area.x1 || area.y0 == area.y1 {
                mark(&self.old, area.x0..area.x1, &mut changed.old);
                mark(&self.new, area.y0..area.y1, &mut changed.new);
                continue;
            }
            let Split { x, y, minimal } = self.split(cx, area).await?;
            areas.push(Area { x0: x, y0: y, minimal: minimal.1, ..area });
            areas.push(Area { x1: x, y1: y, minimal: minimal.0, ..area });
        }
        Ok(())
    }

    fn same(&self, x: isize, y: isize) -> bool {
        self.old.at(x).is_some_and(|id| self.new.at(y) == Some(id))
    }

    /// An area without the lines that are equal at its ends.
    fn trim(&self, mut area: Area) -> Area {
        while area.x0 < area.x1 && area.y0 < area.y1 && self.same(area.x0, area.y0) {
            area.x0 += 1;
            area.y0 += 1;
        }
        while area.x0 < area.x1 && area.y0 < area.y1 && self.same(area.x1 - 1, area.y1 - 1) {
            area.x1 -= 1;
            area.y1 -= 1;
        }
        area
    }

    /// Finds where the best paths from both ends meet.
    async fn split(&mut self, cx: &mut ExecContext, area: Area) -> Result<Split, Stop> {
        let edges = (area.x0 - area.y1, area.x1 - area.y0);
        let (start, end) = (area.x0 - area.y0, area.x1 - area.y1);
        let is_odd = (start - end) & 1 != 0;
        let mut forward = Front { least: start, most: start };
        let mut backward = Front { least: end, most: end };
        self.forward.set(start, area.x0);
        self.backward.set(end, area.x1);
        for cost in 1.. {
            cx.checkpoint(u32::try_from(cost * 2).unwrap_or(u32::MAX)).await?;
            forward.widen(&mut self.forward, edges, -1);
            let mut diagonal = forward.most;
            while diagonal >= forward.least {
                let x = self.step_forward(area, diagonal);
                if is_odd && backward.holds(diagonal) && self.backward.get(diagonal) <= x {
                    return Ok(Split { x, y: x - diagonal, minimal: (true, true) });
                }
                diagonal -= 2;
            }
            backward.widen(&mut self.backward, edges, isize::MAX);
            let mut diagonal = backward.most;
            while diagonal >= backward.least {
                let x = self.step_backward(area, diagonal);
                if !is_odd && forward.holds(diagonal) && x <= self.forward.get(diagonal) {
                    return Ok(Split { x, y: x - diagonal, minimal: (true, true) });
                }
                diagonal -= 2;
            }
            if !area.minimal && cost >= self.expensive {
                break;
            }
        }
        Ok(self.furthest(area, &forward, &backward))
    }

    fn step_forward(&mut self, area: Area, diagonal: isize) -> isize {
        let (below, above) = (self.forward.get(diagonal - 1), self.forward.get(diagonal + 1));
        let mut x = if below < above { above } else { below + 1 };
        while x < area.x1 && x - diagonal < area.y1 && self.same(x, x - diagonal) {
            x += 1;
        }
        self.forward.set(diagonal, x);
        x
    }

    fn step_backward(&mut self, area: Area, diagonal: isize) -> isize {
        let (below, above) = (self.backward.get(diagonal - 1), self.backward.get(diagonal + 1));
        let mut x = if below < above { below } else { above - 1 };
        while area.x0 < x && area.y0 < x - diagonal && self.same(x - 1, x - diagonal - 1) {
            x -= 1;
        }
        self.backward.set(diagonal, x);
        x
    }

    /// The point furthest along from either end.
    fn furthest(&self, area: Area, forward: &Front, backward: &Front) -> Split {
        let mut ahead = (-1, area.x0);
        for diagonal in (forward.least..=forward.most).rev().step_by(2) {
            let x = self.forward.get(diagonal).min(area.x1).min(area.y1 + diagonal);
            ahead = ahead.max((2 * x - diagonal, x));
        }
        let mut behind = (isize::MAX, -area.x1);
        for diagonal in (backward.least..=backward.most).rev().step_by(2) {
            let x = self.backward.get(diagonal).max(area.x0).max(area.y0 + diagonal);
            behind = behind.min((2 * x - diagonal, -x));
        }
        if area.x1 + area.y1 - behind.0 < ahead.0 - (area.x0 + area.y0) {
            Split { x: ahead.1, y: ahead.0 - ahead.1, minimal: (true, false) }
        } else {
            Split { x: -behind.1, y: behind.0 + behind.1, minimal: (false, true) }
        }
    }
}

fn mark(sequence: &Sequence, range: std::ops::Range<isize>, changed: &mut [bool]) {
    for index in range {
        let place = usize::try_from(index).ok().and_then(|index| sequence.places.get(index));
        if let Some(mark) = place.and_then(|place| changed.get_mut(*place)) {
            *mark = true;
        }
    }
}
