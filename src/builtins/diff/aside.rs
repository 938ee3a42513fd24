//! Line numbers and how often the other file has each in; which lines need not be compared out.
//!
//! A line the other file lacks has changed for sure. A line it has very often tells little: among
//! lines that have changed, it counts as changed too.

/// What is to become of a line.
#[derive(Clone, Copy, PartialEq)]
enum Fate {
    Compared,
    /// The other file has it not at all.
    Aside,
    /// The other file has it often.
    Perhaps,
}

/// Which lines are set aside.
pub(super) fn set_aside(ids: &[u32], counts: &[u32]) -> Vec<bool> {
    let often = often(ids.len());
    let fate = |id: &u32| match counts.get(*id as usize).copied().unwrap_or(0) {
        0 => Fate::Aside,
        count if count > often => Fate::Perhaps,
        _ => Fate::Compared,
    };
    let mut fates: Vec<Fate> = ids.iter().map(fate).collect();
    let mut at = 0;
    while at < fates.len() {
        match fates.get(at) {
            Some(Fate::Aside) => at += settle_run(fates.get_mut(at..).unwrap_or_default()),
            Some(fate) => {
                // It stands outside of a run of lines set aside.
                if *fate == Fate::Perhaps {
                    set(&mut fates, at, Fate::Compared);
                }
                at += 1;
            }
            None => break,
        }
    }
    fates.iter().map(|fate| *fate != Fate::Compared).collect()
}

/// How often is often, in a file of so many lines.
fn often(lines: usize) -> u32 {
    let mut often = 5;
    let mut rest = lines / 64 / 4;
    while rest > 0 {
        often *= 2;
        rest /= 4;
    }
    often
}

fn set(fates: &mut [Fate], at: usize, fate: Fate) {
    if let Some(slot) = fates.get_mut(at) {
        *slot = fate;
    }
}

fn is_perhaps(fates: &[Fate], at: usize) -> bool {
    fates.get(at) == Some(&Fate::Perhaps)
}

/// Decides the doubtful lines of the run at the start; answers its length.
fn settle_run(fates: &mut [Fate]) -> usize {
    let full = fates.iter().take_while(|fate| **fate != Fate::Compared).count();
    let mut length = full;
    while length > 0 && is_perhaps(fates, length - 1) {
        length -= 1;
        set(fates, length, Fate::Compared);
    }
    let Some(run) = fates.get_mut(..length) else { return full.max(1) };
    let doubtful = run.iter().filter(|fate| **fate == Fate::Perhaps).count();
    if doubtful * 4 > length {
        for fate in run.iter_mut().filter(|fate| **fate == Fate::Perhaps) {
            *fate = Fate::Compared;
        }
    } else {
        drop_long_stretches(run);
        settle_edge(run.iter_mut());
        settle_edge(run.iter_mut().rev());
    }
    length.max(1)
}

/// Compares doubtful lines where many of them stand together.
fn drop_long_stretches(run: &mut [Fate]) {
    let mut least = 1;
    let mut rest = run.len() / 16;
    while rest > 0 {
        least *= 2;
        rest /= 4;
    }
    least += 1;
    let mut at = 0;
    while at < run.len() {
        let stretch = (at..run.len()).take_while(|at| is_perhaps(run, *at)).count();
        if stretch >= least {
            for index in at..at + stretch {
                set(run, index, Fate::Compared);
            }
        }
        at += stretch.max(1);
    }
}

/// Compares the doubtful lines from an edge of a run on, up to three sure ones in a row, or one far in.
fn settle_edge<'f>(run: impl Iterator<Item = &'f mut Fate>) {
    let mut sure = 0;
    for (index, fate) in run.enumerate() {
        match fate {
            Fate::Aside if index >= 8 => return,
            Fate::Aside => sure += 1,
            Fate::Perhaps | Fate::Compared => {
                sure = 0;
                *fate = Fate::Compared;
            }
        }
        if sure == 3 {
            return;
        }
    }
}
