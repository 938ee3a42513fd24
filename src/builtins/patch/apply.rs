//! A file's patch applied: each hunk finds its place, the rest is rejected.

use super::hunk::{Hunk, Mark};
use super::parse::FilePatch;
use super::place::Progress;
use super::target::Target;
use super::{Options, Verbosity};
use crate::tool::{ExecContext, Stop};

/// What became of a file.
#[derive(Default)]
pub(super) struct Applied {
    /// The new content.
    pub(super) content: Vec<u8>,
    /// Which hunks found no place, and how far lines had moved by then.
    pub(super) rejected: Vec<(usize, isize)>,
    /// Whether hunks were passed over without trying.
    pub(super) skipped: bool,
    /// Whether some hunk fitted only elsewhere or with less around it.
    pub(super) inexact: bool,
    /// Whether the hunks were turned round on the way.
    pub(super) reversed: bool,
}

impl Applied {
    /// Nothing was tried.
    pub(super) fn skipped(hunks: usize, reversed: bool) -> Self {
        let rejected = (0..hunks).map(|index| (index, 0)).collect();
        Self { rejected, skipped: true, reversed, ..Self::default() }
    }
}

/// What to do with a patch that seems to be applied already.
pub(super) enum Answer {
    Reverse,
    Skip,
    Anyway,
}

/// Applies all hunks.
pub(super) async fn apply(
    cx: &mut ExecContext,
    options: &Options,
    patch: &mut FilePatch,
    (target, turned): (&Target, bool),
) -> Result<Applied, Stop> {
    let mut applied = Applied { reversed: options.reverse, ..Applied::default() };
    if turned {
        turn(patch, &mut applied);
    }
    let content = target.content.as_deref().unwrap_or_default();
    let mut progress = Progress {
        lines: content.split_inclusive(|byte| *byte == b'\n').collect(),
        frozen: 0,
        offset: 0,
        growth: 0,
        ignores_blanks: options.ignores_blanks,
    };
    for index in 0..patch.hunks.len() {
        let mut place = find(cx, options, patch, &mut progress, index).await?;
        if place.is_none() && index == 0 && !options.force {
            match try_reversed(cx, options, patch, &mut progress, &applied).await? {
                Some((Answer::Reverse, found)) => {
                    turn(patch, &mut applied);
                    applied.inexact = true;
                    place = found;
                }
                Some((Answer::Skip, _)) => {
                    return Ok(Applied::skipped(patch.hunks.len(), options.reverse));
                }
                _ => {}
            }
        }
        let Some(hunk) = patch.hunks.get(index) else { break };
        report(cx, options, (index, hunk), &progress, place);
        match place {
            None => applied.rejected.push((index, progress.growth)),
            Some((at, fuzz)) => {
                applied.inexact |= fuzz > 0 || progress.offset != 0;
                splice(&mut applied.content, &mut progress, hunk, at);
            }
        }
    }
    for line in progress.lines.iter().skip(progress.frozen) {
        applied.content.extend_from_slice(line);
    }
    applied.inexact |= !applied.rejected.is_empty();
    Ok(applied)
}

/// Turns all hunks round.
fn turn(patch: &mut FilePatch, applied: &mut Applied) {
    patch.hunks.iter_mut().for_each(Hunk::reverse);
    applied.reversed = !applied.reversed;
}

/// The place of a hunk and how many lines around it were ignored.
async fn find(
    cx: &mut ExecContext,
    options: &Options,
    patch: &FilePatch,
    progress: &mut Progress<'_>,
    index: usize,
) -> Result<Option<(isize, usize)>, Stop> {
    let Some(hunk) = patch.hunks.get(index) else { return Ok(None) };
    let (front, back) = hunk.around();
    for fuzz in 0..=options.fuzz.min(front.max(back)) {
        if let Some(at) = progress.locate(cx, hunk, fuzz).await? {
            return Ok(Some((at, fuzz)));
        }
    }
    Ok(None)
}

/// Whether the first hunk fits the other way round, and what is then to be done.
async fn try_reversed(
    cx: &mut ExecContext,
    options: &Options,
    patch: &FilePatch,
    progress: &mut Progress<'_>,
    applied: &Applied,
) -> Result<Option<(Answer, Option<(isize, usize)>)>, Stop> {
    let Some(mut hunk) = patch.hunks.first().cloned() else { return Ok(None) };
    if applied.reversed != options.reverse || hunk.new_count() == 0 {
        return Ok(None);
    }
    hunk.reverse();
    let Some(at) = progress.locate(cx, &hunk, 0).await? else { return Ok(None) };
    let what = if options.reverse { "Unreversed" } else { "Reversed (or previously applied)" };
    let answer = answer(cx, options, &format!("{what} patch detected!"));
    if !matches!(answer, Answer::Reverse) {
        progress.offset = 0;
    }
    Ok(Some((answer, Some((at, 0)))))
}

/// A file that is there but should not be, or the other way round.
pub(super) fn existence_problem(
    options: &Options,
    patch: &FilePatch,
    target: &Target,
) -> Option<String> {
    let (old, new) =
        if options.reverse { (&patch.new, &patch.old) } else { (&patch.old, &patch.new) };
    let nowhere =
        |name: &Option<super::names::Name>| name.as_ref().is_some_and(|name| name.is_nowhere);
    let when = if options.reverse { ", when reversed," } else { "" };
    let name = &target.name;
    match &target.content {
        Some(content) if nowhere(old) && !content.is_empty() => Some(format!(
            "The next patch{when} would create the file {name},\nwhich already exists!"
        )),
        None if nowhere(new) => Some(format!(
            "The next patch{when} would delete the file {name},\nwhich does not exist!"
        )),
        _ => None,
    }
}

/// Asks, as far as the options do not answer: nobody is there to.
pub(super) fn answer(cx: &mut ExecContext, options: &Options, problem: &str) -> Answer {
    let (text, answer) = if options.batch {
        let how = if options.reverse { "Ignoring" } else { "Assuming" };
        (format!("{problem}  {how} -R.\n"), Answer::Reverse)
    } else if options.force {
        (format!("{problem}  Applying it anyway.\n"), Answer::Anyway)
    } else if options.forward {
        (format!("{problem}  Skipping patch.\n"), Answer::Skip)
    } else {
        let how = if options.reverse { "Ignore" } else { "Assume" };
        let mut text = format!("{problem}  {how} -R? [n] \nApply anyway? [n] \n");
        if options.verbosity != Verbosity::Silent {
            text.push_str("Skipping patch.\n");
        }
        (text, Answer::Skip)
    };
    cx.push(text);
    answer
}

fn report(
    cx: &mut ExecContext,
    options: &Options,
    (index, hunk): (usize, &Hunk),
    progress: &Progress<'_>,
    place: Option<(isize, usize)>,
) {
    let number = index + 1;
    let Some((at, fuzz)) = place else {
        if options.verbosity != Verbosity::Silent {
            let at = Progress::wanted(hunk) + progress.growth;
            cx.push(format!("Hunk #{number} FAILED at {at}.\n"));
        }
        return;
    };
    let is_told = options.verbosity == Verbosity::Verbose
        || (options.verbosity == Verbosity::Normal && (fuzz > 0 || progress.offset != 0));
    if !is_told {
        return;
    }
    let at = at + progress.growth;
    let mut text = format!("Hunk #{number} succeeded at {at}");
    if fuzz > 0 {
        text.push_str(&format!(" with fuzz {fuzz}"));
    }
    if progress.offset != 0 {
        let plural = if progress.offset == 1 { "" } else { "s" };
        text.push_str(&format!(" (offset {} line{plural})", progress.offset));
    }
    cx.push(text);
    cx.push(".\n");
}

/// Copies the lines before a hunk, then what it leaves and adds.
fn splice(out: &mut Vec<u8>, progress: &mut Progress<'_>, hunk: &Hunk, at: isize) {
    let start = usize::try_from(at - 1).unwrap_or(0);
    for line in progress.lines.get(progress.frozen..start).unwrap_or_default() {
        out.extend_from_slice(line);
    }
    let mut index = start;
    for (mark, line) in &hunk.lines {
        match mark {
            Mark::New => {
                // Lines after one without a newline begin on their own all the same.
                if out.last().is_some_and(|last| *last != b'\n') {
                    out.push(b'\n');
                }
                out.extend_from_slice(line);
                progress.growth += 1;
            }
            Mark::Old => {
                index += 1;
                progress.growth -= 1;
            }
            Mark::Same => {
                // What stands in the file is kept, not what the patch shows around its change.
                out.extend_from_slice(progress.lines.get(index).copied().unwrap_or_default());
                index += 1;
            }
        }
    }
    progress.frozen = index.max(progress.frozen);
}
