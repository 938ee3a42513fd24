//! A hunk and the lines of a file in; where it fits, moved or with less around it, out.

use super::hunk::Hunk;
use crate::builtins::diff::squeezed;
use crate::tool::{ExecContext, Stop};

/// The file being changed, and how far changes have come.
pub(super) struct Progress<'f> {
    pub(super) lines: Vec<&'f [u8]>,
    /// Lines up to here are settled.
    pub(super) frozen: usize,
    /// How far the last hunk was from where it said.
    pub(super) offset: isize,
    /// How many lines were added so far.
    pub(super) growth: isize,
    pub(super) ignores_blanks: bool,
}

/// The pattern of a hunk and how much of it may be ignored.
struct Pattern<'p> {
    lines: Vec<&'p [u8]>,
    /// Lines ignored at the front; below 0 it fits only at the start of the file.
    front: isize,
    /// Lines ignored at the back; below 0 it fits only at the end.
    back: isize,
}

impl Progress<'_> {
    /// Where a hunk says it begins, counted from 1.
    pub(super) fn wanted(hunk: &Hunk) -> isize {
        // Behind the line it names, where it only adds.
        hunk.old_start.cast_signed() + isize::from(hunk.old_count() == 0)
    }

    /// Where a hunk fits with `fuzz` lines around it ignored; remembers how far off it was.
    pub(super) async fn locate(
        &mut self,
        cx: &mut ExecContext,
        hunk: &Hunk,
        fuzz: usize,
    ) -> Result<Option<isize>, Stop> {
        let (front, back) = hunk.around();
        let (front, back) = (front.cast_signed(), back.cast_signed());
        let most = front.max(back);
        let fuzz = fuzz.cast_signed();
        let pattern =
            Pattern { lines: hunk.pattern(), front: fuzz + front - most, back: fuzz + back - most };
        let guess = Self::wanted(hunk) + self.offset;
        let count = pattern.lines.len().cast_signed();
        if count == 0 {
            return Ok(Some(guess));
        }
        let length = self.lines.len().cast_signed();
        let last = length - (count - pattern.back) + 1;
        let first = (self.frozen.cast_signed() + 1).max(1);
        if pattern.front < 0 {
            let is_whole = pattern.back >= 0 || count == length;
            return Ok(self.settle(
                guess,
                1,
                is_whole && first <= 1.max(front + 1) && 1 <= last && self.fits(&pattern, 1),
            ));
        }
        if pattern.back < 0 {
            let at = length - count + 1;
            return Ok(self.settle(guess, at, first <= at && self.fits(&pattern, at)));
        }
        let furthest = (last - guess).max(guess - first);
        let mut tried = 0;
        for distance in 0..=furthest {
            for at in [guess + distance, guess - distance] {
                if first <= at && at <= last && self.fits(&pattern, at) {
                    return Ok(self.settle(guess, at, true));
                }
            }
            tried += 1;
            if tried % 1024 == 0 {
                cx.checkpoint(4096).await?;
            }
        }
        Ok(None)
    }

    fn settle(&mut self, guess: isize, at: isize, fits: bool) -> Option<isize> {
        if fits {
            self.offset += at - guess;
        }
        fits.then_some(at)
    }

    fn fits(&self, pattern: &Pattern<'_>, at: isize) -> bool {
        let front = usize::try_from(pattern.front).unwrap_or(0);
        let back = usize::try_from(pattern.back).unwrap_or(0);
        let end = pattern.lines.len().saturating_sub(back);
        let Ok(start) = usize::try_from(at - 1) else { return false };
        let wanted = pattern.lines.iter().enumerate().take(end).skip(front);
        wanted.into_iter().all(|(index, line)| {
            self.lines.get(start + index).is_some_and(|found| self.same(found, line))
        })
    }

    fn same(&self, found: &[u8], wanted: &[u8]) -> bool {
        found == wanted || (self.ignores_blanks && squeezed(found) == squeezed(wanted))
    }
}
