//! Changes in; both files side by side out.

use super::options::Settings;
use super::print::{Printer, Role};
use super::script::Change;
use super::text::Side;
use crate::value::text_width;

/// The least room between the two columns.
const GUTTER: usize = 3;

/// Where the columns stand.
struct Layout {
    /// The width of each.
    half: usize,
    /// Where the right one begins.
    right: usize,
    tab_size: usize,
    expands_tabs: bool,
}

impl Layout {
    fn new(settings: &Settings) -> Self {
        let width = settings.columns.width;
        let tab = if settings.look.expands_tabs { 1 } else { settings.tab_size };
        let offset = (width + tab + GUTTER) / (2 * tab) * tab;
        let half = offset.saturating_sub(GUTTER).min(width.saturating_sub(offset));
        let right = if half > 0 { offset } else { width };
        let tab_size = settings.tab_size;
        Self { half, right, tab_size, expands_tabs: settings.look.expands_tabs }
    }

    /// Fills up from one column to another.
    fn fill(&self, out: &mut Vec<u8>, mut from: usize, to: usize) {
        if !self.expands_tabs {
            let mut stop = from + self.tab_size - from % self.tab_size;
            while stop <= to {
                out.push(b'\t');
                from = stop;
                stop += self.tab_size;
            }
        }
        out.resize(out.len() + to.saturating_sub(from), b' ');
    }

    /// Prints as much of a line as fits, from a column on; answers the column it ends at.
    fn half(&self, out: &mut Vec<u8>, line: &[u8]) -> usize {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        // Where the text is, and up to where it was printed: it goes on unprinted beyond the edge.
        let (mut at, mut printed) = (0, 0);
        for chunk in line.utf8_chunks() {
            for c in chunk.valid().chars() {
                if c == '\t' {
                    self.tab(out, &mut at, &mut printed);
                    continue;
                }
                let mut bytes = [0; 4];
                let text = &*c.encode_utf8(&mut bytes);
                at += text_width(text);
                if at <= self.half {
                    printed = at;
                    out.extend_from_slice(text.as_bytes());
                }
            }
            out.extend_from_slice(chunk.invalid());
        }
        printed
    }

    /// A tab within a column.
    fn tab(&self, out: &mut Vec<u8>, at: &mut usize, printed: &mut usize) {
        let spaces = self.tab_size - *at % self.tab_size;
        let stop = *printed + spaces;
        if at == printed && self.expands_tabs {
            let stop = stop.min(self.half);
            out.resize(out.len() + stop.saturating_sub(*printed), b' ');
            *printed = stop.max(*printed);
        } else if at == printed && stop < self.half {
            *printed = stop;
            out.push(b'\t');
        }
        *at += spaces;
    }

    fn row(
        &self,
        printer: &mut Printer<'_>,
        left: Option<&[u8]>,
        mark: char,
        right: Option<&[u8]>,
    ) {
        let role = match mark {
            '<' => Role::Old,
            '>' => Role::New,
            _ => Role::Same,
        };
        printer.begin(role);
        let ends = |line: &[u8]| line.ends_with(b"\n");
        let mut column = 0;
        let mut has_newline = false;
        if let Some(left) = left {
            has_newline = ends(left);
            column = self.half(printer.out, left);
        }
        let mut mark = mark;
        if mark != ' ' {
            let to = (self.half + self.right).saturating_sub(1) / 2;
            self.fill(printer.out, column, to);
            column = column.max(to) + 1;
            if let Some(right) = right.filter(|_| mark == '|')
                && has_newline != ends(right)
            {
                mark = if has_newline { '/' } else { '\\' };
            }
            printer.out.push(u8::try_from(mark).unwrap_or(b'?'));
        }
        if let Some(right) = right {
            has_newline |= ends(right);
            if right != b"\n" {
                self.fill(printer.out, column, self.right);
                self.half(printer.out, right);
            }
        }
        if has_newline {
            printer.out.push(b'\n');
        }
        printer.end(role);
    }

    fn common(
        &self,
        printer: &mut Printer<'_>,
        settings: &Settings,
        (old, new): (&Side, &Side),
        lines: (std::ops::Range<usize>, usize),
    ) {
        if settings.columns.skips_common {
            return;
        }
        let (range, mut other) = lines;
        for index in range {
            if settings.columns.left_only {
                self.row(printer, Some(old.line(index)), '(', None);
            } else {
                self.row(printer, Some(old.line(index)), ' ', Some(new.line(other)));
            }
            other += 1;
        }
    }
}

/// Prints all of both files.
pub(super) fn print(
    printer: &mut Printer<'_>,
    settings: &Settings,
    changes: &[Change],
    (old, new): (&Side, &Side),
) {
    let layout = Layout::new(settings);
    let (mut at, mut at_new) = (0, 0);
    for change in changes.iter().filter(|change| !change.ignored) {
        layout.common(printer, settings, (old, new), (at..change.old, at_new));
        let pairs = change.old_count.min(change.new_count);
        for index in 0..pairs {
            let (left, right) = (old.line(change.old + index), new.line(change.new + index));
            layout.row(printer, Some(left), '|', Some(right));
        }
        for index in change.new + pairs..change.new_end() {
            layout.row(printer, None, '>', Some(new.line(index)));
        }
        for index in change.old + pairs..change.old_end() {
            layout.row(printer, Some(old.line(index)), '<', None);
        }
        (at, at_new) = (change.old_end(), change.new_end());
    }
    layout.common(printer, settings, (old, new), (at..old.len(), at_new));
}
