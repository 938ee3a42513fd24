//! Changes in; hunks for people, for `ed` and for RCS out, without lines around them.

use super::options::{Settings, Style};
use super::print::{Printer, Role};
use super::script::Change;
use super::text::Side;

/// Prints one change.
pub(super) fn print(
    printer: &mut Printer<'_>,
    settings: &Settings,
    change: &Change,
    (old, new): (&Side, &Side),
) {
    match settings.style {
        Style::Ed => ed(printer, change, new),
        Style::ForwardEd => forward_ed(printer, change, new),
        Style::Rcs => rcs(printer, change, new),
        _ => normal(printer, change, old, new),
    }
}

/// What a change does to lines, as a letter.
fn letter(change: &Change) -> char {
    match (change.old_count, change.new_count) {
        (0, _) => 'a',
        (_, 0) => 'd',
        _ => 'c',
    }
}

/// `3`, or the first and last of several; of nothing, the line before.
fn span(start: usize, count: usize, between: char) -> String {
    match count {
        0 => start.to_string(),
        1 => (start + 1).to_string(),
        _ => format!("{}{between}{}", start + 1, start + count),
    }
}

fn normal(printer: &mut Printer<'_>, change: &Change, old: &Side, new: &Side) {
    let letter = letter(change);
    let head = span(change.old, change.old_count, ',');
    printer.say(Role::Hunk, &format!("{head}{letter}{}", span(change.new, change.new_count, ',')));
    for index in change.old..change.old_end() {
        printer.spaced(Role::Old, "<", old.line(index));
    }
    if letter == 'c' {
        printer.push("---\n");
    }
    for index in change.new..change.new_end() {
        printer.spaced(Role::New, ">", new.line(index));
    }
}

fn ed(printer: &mut Printer<'_>, change: &Change, new: &Side) {
    let head = span(change.old, change.old_count, ',');
    printer.push(&format!("{head}{}\n", letter(change)));
    if change.new_count == 0 {
        return;
    }
    let mut is_inserting = true;
    for index in change.new..change.new_end() {
        if !is_inserting {
            printer.push("a\n");
        }
        let line = new.line(index);
        is_inserting = line != b".\n";
        if is_inserting {
            printer.text(line);
        } else {
            // A lone dot would end the input: two are put there, and one is taken away again.
            printer.push("..\n.\ns/.//\n");
        }
    }
    if is_inserting {
        printer.push(".\n");
    }
}

fn forward_ed(printer: &mut Printer<'_>, change: &Change, new: &Side) {
    let head = span(change.old, change.old_count, ' ');
    printer.push(&format!("{}{head}\n", letter(change)));
    if change.new_count > 0 {
        for index in change.new..change.new_end() {
            printer.text(new.line(index));
        }
        printer.push(".\n");
    }
}

fn rcs(printer: &mut Printer<'_>, change: &Change, new: &Side) {
    if change.old_count > 0 {
        printer.push(&format!("d{} {}\n", change.old + 1, change.old_count));
    }
    if change.new_count > 0 {
        printer.push(&format!("a{} {}\n", change.old_end(), change.new_count));
        for index in change.new..change.new_end() {
            printer.text(new.line(index));
        }
    }
}
