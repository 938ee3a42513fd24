//! Hunks that found no place in; the text of a `.rej` file out.

use super::hunk::{Hunk, Mark};
use super::parse::{FilePatch, Format};

/// The text of rejected hunks, each with how far lines have moved by then.
pub(super) fn text(patch: &FilePatch, hunks: &[(&Hunk, isize)], reversed: bool) -> Vec<u8> {
    let mut out = Vec::new();
    let (old, new) = if reversed { (&patch.new, &patch.old) } else { (&patch.old, &patch.new) };
    let is_unified = patch.format == Format::Unified;
    let marks = if is_unified { ["--- ", "+++ "] } else { ["*** ", "--- "] };
    for (mark, name) in marks.iter().zip([old, new]) {
        out.extend_from_slice(mark.as_bytes());
        let header = name.as_ref().map_or(b"/dev/null".as_slice(), |name| &name.header);
        out.extend_from_slice(header);
        out.push(b'\n');
    }
    for (hunk, growth) in hunks {
        if is_unified {
            unified(&mut out, hunk, *growth);
        } else {
            context(&mut out, hunk, *growth, patch.format == Format::Normal);
        }
    }
    out
}

fn shifted(line: usize, growth: isize) -> usize {
    line.saturating_add_signed(growth)
}

fn put(out: &mut Vec<u8>, mark: &str, line: &[u8]) {
    out.extend_from_slice(mark.as_bytes());
    out.extend_from_slice(line);
    if !line.ends_with(b"\n") {
        out.extend_from_slice(b"\n\\ No newline at end of file\n");
    }
}

fn unified(out: &mut Vec<u8>, hunk: &Hunk, growth: isize) {
    let range = |start, count| match count {
        1 => format!("{}", shifted(start, growth)),
        _ => format!("{},{count}", shifted(start, growth)),
    };
    let old = range(hunk.old_start, hunk.old_count());
    let new = range(hunk.new_start, hunk.new_count());
    out.extend_from_slice(format!("@@ -{old} +{new} @@").as_bytes());
    out.extend_from_slice(&hunk.function);
    out.push(b'\n');
    for (mark, line) in &hunk.lines {
        let mark = match mark {
            Mark::Same => " ",
            Mark::Old => "-",
            Mark::New => "+",
        };
        put(out, mark, line);
    }
}

fn context(out: &mut Vec<u8>, hunk: &Hunk, growth: isize, is_normal: bool) {
    out.extend_from_slice(b"***************");
    out.extend_from_slice(&hunk.function);
    out.push(b'\n');
    let halves = [
        (hunk.old_start, hunk.old_count(), Mark::Old, ["*** ", " ****\n"], "- "),
        (hunk.new_start, hunk.new_count(), Mark::New, ["--- ", " ----\n"], "+ "),
    ];
    for (start, count, own, [before, after], only) in halves {
        let start = shifted(start, growth);
        let range = match count {
            0 | 1 => format!("{before}{start}"),
            _ => format!("{before}{start},{}", start + count - 1),
        };
        out.extend_from_slice(range.as_bytes());
        let after = if is_normal && own == Mark::Old { "\n" } else { after };
        let after = if is_normal && own == Mark::New { " -----\n" } else { after };
        out.extend_from_slice(after.as_bytes());
        if !hunk.lines.iter().any(|(mark, _)| *mark == own) {
            continue;
        }
        let is_same = |mark: Mark| mark == Mark::Same;
        for run in hunk.lines.chunk_by(|a, b| is_same(a.0) == is_same(b.0)) {
            // What changes on both sides is marked so, except in a normal diff.
            let has = |mark| run.iter().any(|line| line.0 == mark);
            let both = has(Mark::Old) && has(Mark::New) && !is_normal;
            for (mark, line) in run {
                match mark {
                    Mark::Same => put(out, "  ", line),
                    mark if *mark == own => put(out, if both { "! " } else { only }, line),
                    _ => {}
                }
            }
        }
    }
}
