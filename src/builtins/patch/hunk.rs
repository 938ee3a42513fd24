//! Lines of a patch in; hunks out, whatever the format they were written in.

use crate::value::InOrder;

/// What a line of a hunk is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mark {
    Same,
    Old,
    New,
}

/// A stretch of lines that changes.
#[derive(Clone, Debug)]
pub(super) struct Hunk {
    /// The first line of the old file, counted from 1; the line before where there is none.
    pub(super) old_start: usize,
    pub(super) new_start: usize,
    /// The lines, without a newline where the file has none.
    pub(super) lines: Vec<(Mark, Vec<u8>)>,
    /// What stands behind the second `@@` or the stars.
    pub(super) function: Vec<u8>,
}

/// Why a hunk could not be read: what is wrong, in which line.
#[derive(Debug)]
pub(super) struct Broken {
    pub(super) line: usize,
    pub(super) text: Vec<u8>,
    pub(super) is_end: bool,
}

/// The lines of a patch and where reading stands.
pub(super) struct Lines {
    lines: Vec<Vec<u8>>,
    pub(super) at: usize,
}

impl Lines {
    pub(super) fn new(text: &[u8]) -> Self {
        Self {
            lines: text.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect(),
            at: 0,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// A line ahead.
    pub(super) fn peek(&self, ahead: usize) -> Option<&[u8]> {
        self.lines.get(self.at + ahead).map(Vec::as_slice)
    }

    /// The lines from `start` up to here.
    pub(super) fn since(&self, start: usize) -> Vec<Vec<u8>> {
        self.lines.get(start..self.at).unwrap_or_default().to_vec()
    }

    /// Drops the carriage return of every line to come.
    pub(super) fn strip_carriage_returns(&mut self) {
        for line in self.lines.iter_mut().skip(self.at) {
            if line.ends_with(b"\r\n") {
                line.truncate(line.len() - 2);
                line.push(b'\n');
            }
        }
    }

    fn broken(&self) -> Broken {
        let text = self.peek(0).unwrap_or_default().to_vec();
        Broken { line: self.at + 1, text, is_end: self.peek(0).is_none() }
    }

    /// The next line's text behind a prefix.
    fn take(&mut self, prefix: &[u8]) -> Option<Vec<u8>> {
        let rest = self.peek(0)?.strip_prefix(prefix)?.to_vec();
        self.at += 1;
        Some(rest)
    }

    /// Takes the newline off the line before where the next one says that it has none.
    fn take_no_newline(&mut self, lines: &mut [(Mark, Vec<u8>)]) {
        if self.take(b"\\").is_some()
            && let Some((_, last)) = lines.last_mut()
            && last.last() == Some(&b'\n')
        {
            last.pop();
        }
    }
}

/// `3,5` or `3`: two numbers, or one and a fallback for the other.
fn pair(text: &str, fallback: impl Fn(usize) -> usize) -> Option<(usize, usize)> {
    match text.split_once(',') {
        Some((first, second)) => Some((first.parse().ok()?, second.parse().ok()?)),
        None => {
            let first = text.parse().ok()?;
            Some((first, fallback(first)))
        }
    }
}

impl Hunk {
    /// How many lines of the old file it covers.
    pub(super) fn old_count(&self) -> usize {
        self.lines.iter().filter(|(mark, _)| *mark != Mark::New).count()
    }

    /// How many lines of the new file it covers.
    pub(super) fn new_count(&self) -> usize {
        self.lines.iter().filter(|(mark, _)| *mark != Mark::Old).count()
    }

    /// The lines it expects.
    pub(super) fn pattern(&self) -> Vec<&[u8]> {
        let old = self.lines.iter().filter(|(mark, _)| *mark != Mark::New);
        old.map(|(_, line)| line.as_slice()).collect()
    }

    /// Equal lines at the front and at the back.
    pub(super) fn around(&self) -> (usize, usize) {
        let same = |line: &&(Mark, Vec<u8>)| line.0 == Mark::Same;
        let front = self.lines.iter().take_while(same).count();
        (front, self.lines.iter().rev().take_while(same).count())
    }

    /// Turns it round: what comes goes, and what goes comes.
    pub(super) fn reverse(&mut self) {
        std::mem::swap(&mut self.old_start, &mut self.new_start);
        for (mark, _) in &mut self.lines {
            *mark = match mark {
                Mark::Same => Mark::Same,
                Mark::Old => Mark::New,
                Mark::New => Mark::Old,
            };
        }
        // Within a change, what goes stands first.
        for run in self.lines.chunk_by_mut(|a, b| (a.0 == Mark::Same) == (b.0 == Mark::Same)) {
            run.order_by_key(|(mark, _)| *mark == Mark::New);
        }
    }

    /// `@@ -3,5 +3,6 @@` and its lines; `None` where something else stands here.
    pub(super) fn unified(lines: &mut Lines) -> Result<Option<Self>, Broken> {
        let Some(head) = lines.peek(0).filter(|line| line.starts_with(b"@@ -")) else {
            return Ok(None);
        };
        let text = String::from_utf8_lossy(head).into_owned();
        let parsed = || {
            let (ranges, function) = text.strip_prefix("@@ -")?.split_once(" @@")?;
            let (old, new) = ranges.split_once(" +")?;
            Some((pair(old, |_| 1)?, pair(new, |_| 1)?, function.trim_end().as_bytes().to_vec()))
        };
        let Some((old, new, function)) = parsed() else { return Err(lines.broken()) };
        lines.at += 1;
        let (mut old_left, mut new_left) = (old.1, new.1);
        let mut found = Vec::new();
        while old_left > 0 || new_left > 0 {
            let Some(line) = lines.peek(0) else { return Err(lines.broken()) };
            let (mark, text) = match line.split_first() {
                Some((b' ', text)) => (Mark::Same, text.to_vec()),
                Some((b'\n', _)) => (Mark::Same, line.to_vec()),
                Some((b'-', text)) if old_left > 0 => (Mark::Old, text.to_vec()),
                Some((b'+', text)) if new_left > 0 => (Mark::New, text.to_vec()),
                Some((b'\\', _)) => {
                    lines.take_no_newline(&mut found);
                    continue;
                }
                _ => return Err(lines.broken()),
            };
            let (uses_old, uses_new) = (mark != Mark::New, mark != Mark::Old);
            if (uses_old && old_left == 0) || (uses_new && new_left == 0) {
                return Err(lines.broken());
            }
            old_left -= usize::from(uses_old);
            new_left -= usize::from(uses_new);
            found.push((mark, text));
            lines.at += 1;
        }
        lines.take_no_newline(&mut found);
        Ok(Some(Self { old_start: old.0, new_start: new.0, lines: found, function }))
    }

    /// A line of stars, both files' lines; `None` where something else stands here.
    pub(super) fn context(lines: &mut Lines) -> Result<Option<Self>, Broken> {
        let Some(function) = lines.take(b"***************") else { return Ok(None) };
        let function = function.trim_ascii_end().to_vec();
        let Some(old) = range(lines, "*** ", " ****") else { return Err(lines.broken()) };
        let old_lines = half(lines, Mark::Old, count(old))?;
        let Some(new) = range(lines, "--- ", " ----") else { return Err(lines.broken()) };
        let new_lines = half(lines, Mark::New, count(new))?;
        let is_short = |half: &[(Mark, Vec<u8>)], range| half.is_empty() && count(range) > 0;
        let found = if is_short(&old_lines, old) {
            new_lines
        } else if is_short(&new_lines, new) {
            old_lines
        } else {
            merge(old_lines, new_lines)
        };
        Ok(Some(Self { old_start: old.0, new_start: new.0, lines: found, function }))
    }

    /// `3,4c3` as the ranges and the letter.
    pub(super) fn normal_command(line: &[u8]) -> Option<(usize, usize, usize, usize)> {
        let text = std::str::from_utf8(line).ok()?.trim_end();
        let at = text.find(['a', 'c', 'd'])?;
        let (old, new) = text.split_at_checked(at)?;
        let new = new.get(1..)?;
        let (old, old_end) = pair(old, |first| first)?;
        let (new, new_end) = pair(new, |first| first)?;
        let (old_count, new_count) = match text.as_bytes().get(at) {
            Some(b'a') => (0, (new_end + 1).checked_sub(new)?),
            Some(b'd') => ((old_end + 1).checked_sub(old)?, 0),
            _ => ((old_end + 1).checked_sub(old)?, (new_end + 1).checked_sub(new)?),
        };
        Some((old, old_count, new, new_count))
    }

    /// `3,4c3` and its lines; `None` where something else stands here.
    pub(super) fn normal(lines: &mut Lines) -> Result<Option<Self>, Broken> {
        let command = lines.peek(0).and_then(Self::normal_command);
        let Some((old_start, old_count, new_start, new_count)) = command else { return Ok(None) };
        lines.at += 1;
        let mut found = Vec::new();
        for _ in 0..old_count {
            let Some(line) = lines.take(b"< ") else { return Err(lines.broken()) };
            found.push((Mark::Old, line));
        }
        lines.take_no_newline(&mut found);
        if old_count > 0 && new_count > 0 && lines.take(b"---").is_none() {
            return Err(lines.broken());
        }
        for _ in 0..new_count {
            let Some(line) = lines.take(b"> ") else { return Err(lines.broken()) };
            found.push((Mark::New, line));
        }
        lines.take_no_newline(&mut found);
        Ok(Some(Self { old_start, new_start, lines: found, function: Vec::new() }))
    }
}

/// The lines a range of a context hunk covers.
fn count((first, last): (usize, usize)) -> usize {
    if first == 0 { 0 } else { (last + 1).saturating_sub(first) }
}

fn range(lines: &mut Lines, before: &str, after: &str) -> Option<(usize, usize)> {
    let text = String::from_utf8_lossy(lines.peek(0)?).into_owned();
    let range = text.trim_end().strip_prefix(before)?.trim_end_matches(['*', '-']);
    let _ = after;
    let range = pair(range.trim(), |first| first)?;
    lines.at += 1;
    Some(range)
}

/// One file's lines of a context hunk; `own` is what a changed line of it is.
fn half(lines: &mut Lines, own: Mark, count: usize) -> Result<Vec<(Mark, Vec<u8>)>, Broken> {
    let mut found = Vec::new();
    let sign = if own == Mark::Old { b'-' } else { b'+' };
    while found.len() < count {
        let Some(line) = lines.peek(0) else { break };
        let (mark, text) = match line {
            [b' ', b' ', text @ ..] => (Mark::Same, text.to_vec()),
            [b' ' | b'\t', b'\n'] | [b'\n'] => (Mark::Same, b"\n".to_vec()),
            [b'!', b' ', text @ ..] => (own, text.to_vec()),
            [first, b' ', text @ ..] if *first == sign => (own, text.to_vec()),
            // The whole half may be left out.
            _ if found.is_empty() => return Ok(found),
            _ => return Err(lines.broken()),
        };
        found.push((mark, text));
        lines.at += 1;
    }
    lines.take_no_newline(&mut found);
    Ok(found)
}

/// Both files' lines in the order of a unified hunk.
fn merge(old: Vec<(Mark, Vec<u8>)>, new: Vec<(Mark, Vec<u8>)>) -> Vec<(Mark, Vec<u8>)> {
    let mut merged = Vec::with_capacity(old.len() + new.len());
    let mut new = new.into_iter().peekable();
    for line in old {
        if line.0 == Mark::Same {
            while let Some(other) = new.next_if(|other| other.0 == Mark::New) {
                merged.push(other);
            }
            new.next_if(|other| other.0 == Mark::Same);
        }
        merged.push(line);
    }
    merged.extend(new.filter(|other| other.0 == Mark::New));
    merged
}
