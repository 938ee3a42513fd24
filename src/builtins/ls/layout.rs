//! Names one a line, in columns, across or between commas.

use super::collect::Entry;
use super::long::{blocks_text, inode_width, marked};
use super::options::{Format, Settings};
use crate::value::text_width;

/// Blanks between columns.
const GAP: usize = 2;

/// A name ready to print, and the columns it takes.
struct Cell {
    text: String,
    width: usize,
}

/// Appends the entries in the format of the settings.
pub(super) fn push(out: &mut String, settings: &Settings, entries: &[Entry]) {
    let mut used_color = false;
    let cells = cells(settings, entries, &mut used_color);
    match settings.format {
        Format::Columns if settings.shape.width < usize::MAX => columns(out, settings, &cells),
        Format::Across if settings.shape.width < usize::MAX => across(out, settings, &cells),
        Format::Columns | Format::Across => one_line(out, settings, &cells),
        Format::Commas => commas(out, settings, &cells),
        Format::Single | Format::Long => {
            for cell in &cells {
                out.push_str(&cell.text);
                out.push(settings.shape.end);
            }
        }
    }
}

fn cells(settings: &Settings, entries: &[Entry], used_color: &mut bool) -> Vec<Cell> {
    let inodes = if settings.inode { inode_width(entries) } else { 0 };
    let blocks: Vec<String> = if settings.blocks {
        entries.iter().map(|entry| blocks_text(settings, &entry.metadata)).collect()
    } else {
        Vec::new()
    };
    // In a list without columns the numbers need no common width.
    let aligned = settings.format != Format::Commas;
    let widest = blocks.iter().map(String::len).max().unwrap_or(0);
    let shown: Vec<String> =
        entries.iter().map(|entry| settings.quoting.show(&entry.name)).collect();
    let any_quoted = settings.format != Format::Commas
        && settings.format != Format::Single
        && settings.quoting.aligns()
        && shown.iter().any(|name| is_quoted(name));
    let mut cells = Vec::with_capacity(entries.len());
    for (index, (entry, name)) in entries.iter().zip(&shown).enumerate() {
        let mut text = String::new();
        if settings.inode {
            let width = if aligned { inodes } else { 0 };
            text.push_str(&format!("{:>width$} ", entry.metadata.inode));
        }
        if let Some(blocks) = blocks.get(index) {
            let width = if aligned { widest } else { 0 };
            text.push_str(&format!("{blocks:>width$} "));
        }
        if any_quoted && !is_quoted(name) {
            text.push(' ');
        }
        let before = text_width(&text);
        let (decorated, width) = marked(settings, entry, name, used_color);
        text.push_str(&decorated);
        cells.push(Cell { text, width: before + width });
    }
    cells
}

pub(super) fn is_quoted(name: &str) -> bool {
    name.starts_with(['\'', '"'])
}

fn one_line(out: &mut String, settings: &Settings, cells: &[Cell]) {
    for (index, cell) in cells.iter().enumerate() {
        if index > 0 {
            out.push_str("  ");
        }
        out.push_str(&cell.text);
    }
    if !cells.is_empty() {
        out.push(settings.shape.end);
    }
}

/// The widths of columns for the most columns that fit; `place` says which column a cell is in.
fn fit(settings: &Settings, cells: &[Cell], place: impl Fn(usize, usize) -> usize) -> Vec<usize> {
    let most = (settings.shape.width / (1 + GAP)).clamp(1, cells.len().max(1));
    for count in (2..=most).rev() {
        let mut widths = vec![1 + GAP; count];
        for (index, cell) in cells.iter().enumerate() {
            let column = place(index, count);
            // The last column has no gap behind it.
            let gap = if column + 1 == count { 0 } else { GAP };
            if let Some(width) = widths.get_mut(column) {
                *width = (*width).max(cell.width + gap);
            }
        }
        if widths.iter().sum::<usize>() < settings.shape.width {
            return widths;
        }
    }
    vec![0]
}

fn columns(out: &mut String, settings: &Settings, cells: &[Cell]) {
    let rows_of = |count: usize| cells.len().div_ceil(count.max(1)).max(1);
    let widths = fit(settings, cells, |index, count| index / rows_of(count));
    let rows = rows_of(widths.len());
    for row in 0..rows.min(cells.len()) {
        push_row(out, settings, &widths, cells.iter().skip(row).step_by(rows));
    }
}

fn across(out: &mut String, settings: &Settings, cells: &[Cell]) {
    let widths = fit(settings, cells, |index, count| index % count);
    for row in cells.chunks(widths.len()) {
        push_row(out, settings, &widths, row.iter());
    }
}

fn push_row<'c>(
    out: &mut String,
    settings: &Settings,
    widths: &[usize],
    row: impl Iterator<Item = &'c Cell>,
) {
    let (mut at, mut column_start) = (0, 0);
    for (cell, width) in row.zip(widths) {
        indent(out, at, column_start, settings.shape.tab);
        out.push_str(&cell.text);
        at = column_start + cell.width;
        column_start += width;
    }
    out.push(settings.shape.end);
}

/// Moves to a column with tabs and blanks, as the terminal's tab stops allow.
fn indent(out: &mut String, from: usize, to: usize, tab: usize) {
    let mut at = from;
    while at < to {
        if tab > 0 && to / tab > (at + 1) / tab {
            out.push('\t');
            at += tab - at % tab;
        } else {
            out.push(' ');
            at += 1;
        }
    }
}

fn commas(out: &mut String, settings: &Settings, cells: &[Cell]) {
    let mut at = 0;
    for (index, cell) in cells.iter().enumerate() {
        if index > 0 {
            out.push(',');
            if at + cell.width + 2 < settings.shape.width {
                out.push(' ');
                at += 2;
            } else {
                out.push(settings.shape.end);
                at = 0;
            }
        }
        out.push_str(&cell.text);
        at += cell.width;
    }
    if !cells.is_empty() {
        out.push(settings.shape.end);
    }
}
