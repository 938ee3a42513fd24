//! Changes that lie close together in; one unified or context hunk with the lines around out.

use super::options::{Settings, Style};
use super::print::{Printer, Role};
use super::script::Change;
use super::text::{Side, is_space};

/// The longest text shown of the line that a hunk belongs to.
const FUNCTION_WIDTH: usize = 40;

/// How many of the changes at the front go into one hunk.
pub(super) fn hunk_length(changes: &[Change], context: usize) -> usize {
    let mut count = 1;
    while let (Some(before), Some(next)) = (changes.get(count - 1), changes.get(count)) {
        let gap = next.old - before.old_end();
        let is_far = if before.ignored || next.ignored {
            gap >= context
        } else {
            gap > context.saturating_mul(2)
        };
        if is_far {
            break;
        }
        count += 1;
    }
    count.min(changes.len())
}

/// The lines a hunk covers, those around included.
struct Reach {
    old: std::ops::Range<usize>,
    new: std::ops::Range<usize>,
}

impl Reach {
    fn new(hunk: &[Change], context: usize, old: &Side, new: &Side) -> Option<Self> {
        let (first, last) = (hunk.first()?, hunk.last()?);
        let lead = first.old.min(context);
        let trail = (old.len() - last.old_end()).min(context);
        let trail_new = (new.len() - last.new_end()).min(trail);
        Some(Self {
            old: first.old - lead..last.old_end() + trail,
            new: first.new.saturating_sub(lead)..last.new_end() + trail_new,
        })
    }
}

/// Prints one hunk.
pub(super) fn print(
    printer: &mut Printer<'_>,
    settings: &Settings,
    hunk: &[Change],
    sides: (&Side, &Side),
) {
    let Some(reach) = Reach::new(hunk, settings.context, sides.0, sides.1) else { return };
    let function = function_line(settings, sides.0, reach.old.start);
    if settings.style == Style::Context {
        context(printer, hunk, &reach, (sides, &function));
    } else {
        unified(printer, hunk, &reach, (sides, &function));
    }
}

/// The last line before a hunk that names what it belongs to, with a blank before it.
fn function_line(settings: &Settings, old: &Side, before: usize) -> Vec<u8> {
    let Some(regex) = &settings.function else { return Vec::new() };
    let is_function = |index: &usize| {
        let line = old.line(*index);
        regex.is_match(line.strip_suffix(b"\n").unwrap_or(line))
    };
    let Some(found) = (0..before).rev().find(is_function) else { return Vec::new() };
    let line = old.line(found);
    let start = line.iter().take_while(|byte| is_space(**byte)).count();
    let rest = line.get(start..).unwrap_or_default();
    let text = rest.get(..FUNCTION_WIDTH).unwrap_or(rest).trim_ascii_end();
    [b" ", text].concat()
}

/// `3`, or the first line and the number of lines.
fn counted(range: &std::ops::Range<usize>) -> String {
    match range.len() {
        0 => format!("{},0", range.start),
        1 => (range.start + 1).to_string(),
        count => format!("{},{count}", range.start + 1),
    }
}

fn unified(
    printer: &mut Printer<'_>,
    hunk: &[Change],
    reach: &Reach,
    ((old, new), function): ((&Side, &Side), &[u8]),
) {
    printer.begin(Role::Hunk);
    printer.push(&format!("@@ -{} +{} @@", counted(&reach.old), counted(&reach.new)));
    printer.end(Role::Hunk);
    printer.out.extend_from_slice(function);
    printer.push("\n");
    let mut at = reach.old.start;
    for change in hunk {
        for index in at..change.old {
            printer.glued(Role::Same, " ", old.line(index));
        }
        for index in change.old..change.old_end() {
            printer.glued(Role::Old, "-", old.line(index));
        }
        for index in change.new..change.new_end() {
            printer.glued(Role::New, "+", new.line(index));
        }
        at = change.old_end();
    }
    for index in at..reach.old.end {
        printer.glued(Role::Same, " ", old.line(index));
    }
}

/// `3,5`, or `3` where there is but one line; of nothing, the line before.
fn bounds(range: &std::ops::Range<usize>) -> String {
    if range.len() <= 1 {
        range.end.to_string()
    } else {
        format!("{},{}", range.start + 1, range.end)
    }
}

fn context(
    printer: &mut Printer<'_>,
    hunk: &[Change],
    reach: &Reach,
    ((old, new), function): ((&Side, &Side), &[u8]),
) {
    printer.push("***************");
    printer.out.extend_from_slice(function);
    printer.push("\n");
    printer.say(Role::Hunk, &format!("*** {} ****", bounds(&reach.old)));
    if hunk.iter().any(|change| change.old_count > 0) {
        let changes = hunk.iter().map(|change| (change.old..change.old_end(), change.new_count));
        half(printer, (old, &reach.old), changes, (Role::Old, "-"));
    }
    printer.say(Role::Hunk, &format!("--- {} ----", bounds(&reach.new)));
    if hunk.iter().any(|change| change.new_count > 0) {
        let changes = hunk.iter().map(|change| (change.new..change.new_end(), change.old_count));
        half(printer, (new, &reach.new), changes, (Role::New, "+"));
    }
}

/// One file's lines of a context hunk; each change comes with what the other file has there.
fn half(
    printer: &mut Printer<'_>,
    (side, reach): (&Side, &std::ops::Range<usize>),
    changes: impl Iterator<Item = (std::ops::Range<usize>, usize)>,
    (role, only_here): (Role, &str),
) {
    let mut at = reach.start;
    for (lines, others) in changes {
        for index in at..lines.start {
            printer.spaced(role, " ", side.line(index));
        }
        let mark = if others > 0 { "!" } else { only_here };
        at = lines.end;
        for index in lines {
            printer.spaced(role, mark, side.line(index));
        }
    }
    for index in at..reach.end {
        printer.spaced(role, " ", side.line(index));
    }
}
