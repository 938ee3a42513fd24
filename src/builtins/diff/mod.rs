//! `diff`: how two files or two directories differ.
//!
//! Lines become numbers (`text`), the numbers are compared (`aside`, `myers`), what has changed becomes a
//! list (`script`), and the list is printed in the style asked for (`hunks`, `context`, `columns`).

mod aside;
mod columns;
mod context;
mod hunks;
mod myers;
mod options;
mod print;
mod script;
mod text;
mod tree;

use futures::future::{FutureExt, LocalBoxFuture};

use self::options::{Settings, Style};
use self::print::Printer;
use self::script::Change;
use self::text::Side;
pub(super) use self::text::squeezed;
use crate::tool::{
    Args, Builtin, Example, ExecContext, Issue, Opt, Outcome, Reply, Run, Spec, Stop, Topic,
};

/// `diff`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "diff",
    about: "compare two files line by line",
    topic: Topic::Text,
    operands: "FILE1 FILE2",
    options: &[
        Opt::flag('\0', "normal", "hunks without lines around them (the default)"),
        Opt::flag('u', "", "unified hunks with 3 lines around"),
        Opt::value('U', "", "N", "unified hunks with N lines around"),
        Opt::optional('\0', "unified", "N", "the same"),
        Opt::flag('c', "", "context hunks with 3 lines around"),
        Opt::value('C', "", "N", "context hunks with N lines around"),
        Opt::optional('\0', "context", "N", "the same"),
        Opt::flag('y', "side-by-side", "both files in two columns"),
        Opt::value('W', "width", "N", "columns in all with -y (130)"),
        Opt::flag('\0', "left-column", "with -y, common lines only once"),
        Opt::flag('\0', "suppress-common-lines", "with -y, no common lines"),
        Opt::flag('e', "ed", "a script for ed"),
        Opt::flag('f', "forward-ed", "like -e, from the front"),
        Opt::flag('n', "rcs", "counts of lines, as RCS has them"),
        Opt::flag('q', "brief", "only say whether they differ"),
        Opt::flag('s', "report-identical-files", "say where they do not differ"),
        Opt::flag('r', "recursive", "compare subdirectories too"),
        Opt::flag('N', "new-file", "missing files are empty"),
        Opt::flag('P', "unidirectional-new-file", "those missing in the first directory are"),
        Opt::value('x', "exclude", "PATTERN", "pass over names that match"),
        Opt::value('S', "starting-file", "NAME", "begin with NAME in directories"),
        Opt::flag('\0', "no-dereference", "compare links, not what they lead to"),
        Opt::flag('i', "ignore-case", "ignore case"),
        Opt::flag('E', "ignore-tab-expansion", "tabs equal the blanks they stand for"),
        Opt::flag('Z', "ignore-trailing-space", "ignore blanks at line ends"),
        Opt::flag('b', "ignore-space-change", "ignore changes in the amount of blanks"),
        Opt::flag('w', "ignore-all-space", "ignore blanks"),
        Opt::flag('B', "ignore-blank-lines", "ignore changes of empty lines"),
        Opt::value('I', "ignore-matching-lines", "REGEX", "ignore changes of lines that match"),
        Opt::flag('a', "text", "take any file as text"),
        Opt::flag('\0', "strip-trailing-cr", "drop the carriage return at line ends"),
        Opt::value('L', "label", "NAME", "a name for the header, once per file"),
        Opt::flag('p', "show-c-function", "show which function a hunk is in"),
        Opt::value('F', "show-function-line", "REGEX", "show the last line that matches"),
        Opt::flag('t', "expand-tabs", "print tabs as blanks"),
        Opt::flag('T', "initial-tab", "a tab before each line"),
        Opt::value('\0', "tabsize", "N", "columns between tab stops (8)"),
        Opt::flag('\0', "suppress-blank-empty", "no blanks before empty lines"),
        Opt::flag('d', "minimal", "look hard for the fewest changes"),
        Opt::optional('\0', "color", "WHEN", "always, never or auto"),
        Opt::flag('\0', "speed-large-files", "ignored"),
        Opt::value('\0', "horizon-lines", "N", "ignored"),
    ],
    digits: "digits",
    check: Some(check),
    notes: "The status is 0 where they are the same, 1 where they differ, 2 for trouble.",
    examples: &[Example {
        script: "printf 'a\\nb\\n' > x; printf 'a\\nc\\n' > y; diff x y || true",
        output: "2c2\n< b\n---\n> c\n",
    }],
    ..Spec::DEFAULT
};

/// E011: one file alone has nothing to differ from.
fn check(args: &Args) -> Option<Issue> {
    (args.operands.len() < 2)
        .then(|| Issue::new("E011", "two files are needed").with_fix("diff FILE1 FILE2"))
}

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let operands = args.operand_texts();
        let (old, new) = match operands.as_slice() {
            [old, new] => (old, new),
            [_, _, extra, ..] => {
                return Err(cx.misuse(2, format_args!("extra operand '{extra}'")));
            }
            [one] => return Err(cx.misuse(2, format_args!("missing operand after '{one}'"))),
            [] => return Err(cx.misuse(2, "missing operand after 'diff'")),
        };
        let settings = Settings::new(cx, args)?;
        let found = tree::operands(cx, &settings, old, new).await?;
        Reply::status(found.status())
    }
    .boxed_local()
}

/// What a comparison has come to.
#[derive(Clone, Copy, Default)]
struct Found {
    differ: bool,
    trouble: bool,
}

impl Found {
    const DIFFER: Self = Self { differ: true, trouble: false };
    const TROUBLE: Self = Self { differ: false, trouble: true };

    fn status(self) -> u8 {
        if self.trouble { 2 } else { u8::from(self.differ) }
    }

    fn add(&mut self, other: Self) {
        self.differ |= other.differ;
        self.trouble |= other.trouble;
    }
}

/// Compares the content of two files; `head` goes before any output.
async fn files(
    cx: &mut ExecContext,
    settings: &Settings,
    (mut old, mut new): (Side, Side),
    head: &str,
) -> Result<Found, Stop> {
    let mut found = Found::default();
    if matches!(settings.style, Style::Ed | Style::ForwardEd) {
        for side in [&mut old, &mut new] {
            if side.finish() {
                cx.warn(format_args!("{}: No newline at end of file\n", side.name));
                found.add(Found::TROUBLE);
            }
        }
    }
    if old.bytes == new.bytes {
        identical(cx, settings, &old, &new);
        return Ok(found);
    }
    let is_binary = !settings.binary.as_text && (old.is_binary() || new.is_binary());
    if is_binary {
        let what = if settings.style == Style::Brief { "Files" } else { "Binary files" };
        cx.push(format!("{what} {} and {} differ\n", old.name, new.name));
        return Ok(Found::DIFFER);
    }
    if settings.binary.strip_carriage_return {
        old.strip_carriage_returns();
        new.strip_carriage_returns();
    }
    old.split();
    new.split();
    let mut changes = changes(cx, settings, &old, &new).await?;
    if settings.ignores_lines() {
        for change in &mut changes {
            change.ignored = is_ignored(settings, change, &old, &new);
        }
    }
    let differ = changes.iter().any(|change| !change.ignored);
    if settings.style == Style::SideBySide {
        if differ || !settings.columns.skips_common {
            cx.push(head);
        }
        let mut printer = Printer::new(&mut cx.streams.out, settings);
        columns::print(&mut printer, settings, &changes, (&old, &new));
    }
    if !differ {
        report_identical(cx, settings, &old, &new);
        return Ok(found);
    }
    match settings.style {
        Style::Brief => cx.push(format!("Files {} and {} differ\n", old.name, new.name)),
        Style::SideBySide => {}
        _ => {
            cx.push(head);
            print_hunks(cx, settings, &mut changes, (&old, &new)).await?;
        }
    }
    found.add(Found::DIFFER);
    Ok(found)
}

/// Files that are the same: side by side shows them all the same.
fn identical(cx: &mut ExecContext, settings: &Settings, old: &Side, new: &Side) {
    if settings.style == Style::SideBySide && !settings.columns.skips_common && !old.is_binary() {
        let mut side = Side::new(old.name.clone(), old.modified, old.bytes.clone());
        side.split();
        let mut printer = Printer::new(&mut cx.streams.out, settings);
        columns::print(&mut printer, settings, &[], (&side, &side));
    }
    report_identical(cx, settings, old, new);
}

fn report_identical(cx: &mut ExecContext, settings: &Settings, old: &Side, new: &Side) {
    if settings.reports_identical {
        cx.push(format!("Files {} and {} are identical\n", old.name, new.name));
    }
}

/// The changes from one file to the other.
async fn changes(
    cx: &mut ExecContext,
    settings: &Settings,
    old: &Side,
    new: &Side,
) -> Result<Vec<Change>, Stop> {
    let both = old.len().min(new.len());
    let head = (0..both).take_while(|index| old.line(*index) == new.line(*index)).count();
    let last = |side: &Side, back: usize| side.len() - 1 - back;
    let same = |back: &usize| old.line(last(old, *back)) == new.line(last(new, *back));
    let tail = (0..both - head).take_while(same).count();
    cx.checkpoint(u32::try_from(head + tail).unwrap_or(u32::MAX)).await?;
    // Lines that are printed around a change take part in the choice of where it is shown.
    let head = head.saturating_sub(settings.context);
    let tail = tail.saturating_sub(settings.context);
    let sides = [(old, head..old.len() - tail), (new, head..new.len() - tail)];
    let classes = text::classes(cx, settings, sides).await?;
    let mut changed = myers::compare(cx, &classes, settings.minimal).await?;
    script::settle(&mut changed, &classes);
    Ok(script::changes(&changed, head))
}

/// Whether the options say to ignore all the lines of a change.
fn is_ignored(settings: &Settings, change: &Change, old: &Side, new: &Side) -> bool {
    let ignored = |line: &[u8]| {
        let text = line.strip_suffix(b"\n").unwrap_or(line);
        let is_blank = match settings.blanks {
            options::Blanks::Count | options::Blanks::TabsExpand { trailing: false } => {
                text.is_empty()
            }
            _ => text.trim_ascii().is_empty(),
        };
        (settings.ignore_blank_lines && is_blank)
            || settings.ignored_lines.iter().any(|regex| regex.is_match(text))
    };
    (change.old..change.old_end()).all(|index| ignored(old.line(index)))
        && (change.new..change.new_end()).all(|index| ignored(new.line(index)))
}

async fn print_hunks(
    cx: &mut ExecContext,
    settings: &Settings,
    changes: &mut [Change],
    (old, new): (&Side, &Side),
) -> Result<(), Stop> {
    let is_context = matches!(settings.style, Style::Unified | Style::Context);
    let mut printer = Printer::new(&mut cx.streams.out, settings);
    match settings.style {
        Style::Unified => printer.header(settings, ["---", "+++"], [old, new]),
        Style::Context => printer.header(settings, ["***", "---"], [old, new]),
        Style::Ed => changes.reverse(),
        _ => {}
    }
    let mut rest = &*changes;
    while !rest.is_empty() {
        let count = if is_context { context::hunk_length(rest, settings.context) } else { 1 };
        let Some((hunk, tail)) = rest.split_at_checked(count) else { break };
        rest = tail;
        if hunk.iter().all(|change| change.ignored) {
            continue;
        }
        let mut printer = Printer::new(&mut cx.streams.out, settings);
        match hunk {
            [change] if !is_context => hunks::print(&mut printer, settings, change, (old, new)),
            _ => context::print(&mut printer, settings, hunk, (old, new)),
        }
        cx.write(b"").await?;
    }
    Ok(())
}
