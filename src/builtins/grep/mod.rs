//! `grep`, `egrep`, `fgrep`: lines of files that match a pattern.

mod options;
mod print;
mod search;
mod walk;

use futures::future::FutureExt;

use self::options::{Filter, Output, Settings};
use self::print::Printer;
use crate::pattern::{Dialect, Newlines, Regex, Syntax, Whole};
use crate::tool::{
    Args, Builtin, Example, ExecContext, Issue, Opt, Outcome, Reply, Run, Spec, Stop, Topic,
};
use crate::value::Value;

/// `grep`
pub(super) const GREP: Builtin = Builtin {
    spec: SPEC,
    run: Run::Wait(|cx, args| run(cx, args, Dialect::GrepBasic).boxed_local()),
};

/// `egrep`
pub(super) const EGREP: Builtin = Builtin {
    spec: Spec {
        name: "egrep",
        about: "print lines that match an extended pattern, as grep -E does",
        check: Some(|args| check(args, Dialect::GrepExtended)),
        examples: &[],
        ..SPEC
    },
    run: Run::Wait(|cx, args| run(cx, args, Dialect::GrepExtended).boxed_local()),
};

/// `fgrep`
pub(super) const FGREP: Builtin = Builtin {
    spec: Spec {
        name: "fgrep",
        about: "print lines that hold a text, as grep -F does",
        check: Some(|args| check(args, Dialect::Fixed)),
        examples: &[],
        ..SPEC
    },
    run: Run::Wait(|cx, args| run(cx, args, Dialect::Fixed).boxed_local()),
};

const SPEC: Spec = Spec {
    name: "grep",
    about: "print lines that match a pattern",
    topic: Topic::Text,
    operands: "PATTERNS [FILE]...",
    options: &OPTIONS,
    digits: "context",
    json_field: "line",
    check: Some(|args| check(args, Dialect::GrepBasic)),
    notes: "A newline in PATTERNS separates patterns of which any may match. Without FILE, or where\n\
            FILE is -, standard input is read; with -r the working directory.\n\
            Status 0 where a line was selected, 1 where none was, 2 on trouble.\n\
            With --json a list of records with `line`, and `file`, `number`, `offset` where the\n\
            text would show them; `count` with -c, `file` alone with -l and -L.",
    examples: &[
        Example { script: "printf 'one\\ntwo\\n' | grep -n t", output: "2:two\n" },
        Example { script: "echo 'a=1 b=22' | grep -oE '[0-9]+'", output: "1\n22\n" },
        Example { script: "mkdir d; echo x > d/f; grep -r x d", output: "d/f:x\n" },
    ],
    ..Spec::DEFAULT
};

const OPTIONS: [Opt<'static>; 51] = [
    Opt::flag('E', "extended-regexp", "patterns are extended regular expressions"),
    Opt::flag('F', "fixed-strings", "patterns are plain text"),
    Opt::flag('G', "basic-regexp", "patterns are basic regular expressions, as usual"),
    Opt::flag('P', "perl-regexp", "refused: use -E"),
    Opt::value('e', "regexp", "PATTERNS", "look for these"),
    Opt::value('f', "file", "FILE", "look for the patterns in FILE, one a line"),
    Opt::flag('i', "ignore-case", "ignore case"),
    Opt::flag('y', "", "the same as -i"),
    Opt::flag('\0', "no-ignore-case", "do not ignore case"),
    Opt::flag('w', "word-regexp", "match whole words only"),
    Opt::flag('x', "line-regexp", "match whole lines only"),
    Opt::flag('z', "null-data", "lines end with NUL"),
    Opt::flag('s', "no-messages", "say nothing of files that can't be read"),
    Opt::flag('v', "invert-match", "select the lines that do not match"),
    Opt::value('m', "max-count", "N", "stop after N selected lines of a file"),
    Opt::flag('b', "byte-offset", "print where each line begins, in bytes"),
    Opt::flag('n', "line-number", "print line numbers"),
    Opt::flag('\0', "line-buffered", "ignored"),
    Opt::flag('H', "with-filename", "print file names with lines"),
    Opt::flag('h', "no-filename", "print no file names with lines"),
    Opt::value('\0', "label", "NAME", "what to call standard input"),
    Opt::flag('o', "only-matching", "print only what matches, each on its line"),
    Opt::flag('q', "quiet", "print nothing, stop at the first match"),
    Opt::flag('\0', "silent", "the same as --quiet"),
    Opt::value('\0', "binary-files", "TYPE", "treat binary files as binary, text or without-match"),
    Opt::flag('a', "text", "treat binary files as text"),
    Opt::flag('I', "", "nothing matches in binary files"),
    Opt::value('d', "directories", "ACTION", "what to do with directories: read, recurse or skip"),
    Opt::value('D', "devices", "ACTION", "what to do with devices: read or skip"),
    Opt::flag('r', "recursive", "search in directories"),
    Opt::flag('R', "dereference-recursive", "the same, following links"),
    Opt::value('\0', "include", "GLOB", "search only files of such names"),
    Opt::value('\0', "exclude", "GLOB", "skip files of such names"),
    Opt::value('\0', "exclude-from", "FILE", "skip files that a pattern in FILE fits"),
    Opt::value('\0', "exclude-dir", "GLOB", "skip directories of such names"),
    Opt::flag('L', "files-without-match", "print only the names of files without a selected line"),
    Opt::flag('l', "files-with-matches", "print only the names of files with a selected line"),
    Opt::flag('c', "count", "print only how many lines are selected"),
    Opt::flag('T', "initial-tab", "line text up behind a tab"),
    Opt::flag('Z', "null", "print NUL after file names"),
    Opt::value('A', "after-context", "N", "print N lines after selected ones too"),
    Opt::value('B', "before-context", "N", "print N lines before selected ones too"),
    Opt::value('C', "context", "N", "print N lines before and after; -N is the same"),
    Opt::value('\0', "group-separator", "TEXT", "print TEXT between groups of lines, not --"),
    Opt::flag('\0', "no-group-separator", "print nothing between groups of lines"),
    Opt::optional('\0', "color", "WHEN", "mark matches: always, auto, never"),
    Opt::optional('\0', "colour", "WHEN", "the same as --color"),
    Opt::flag('U', "binary", "ignored"),
    Opt::flag('u', "unix-byte-offsets", "ignored"),
    Opt::flag('V', "version", "print the version"),
    Opt::flag('X', "", "ignored"),
];

/// What was found so far.
#[derive(Default)]
struct Found {
    /// Whether a line was selected.
    selected: bool,
    /// Whether something could not be searched.
    trouble: bool,
}

impl Found {
    fn status(&self, output: Output) -> u8 {
        match self {
            Self { selected: true, .. } if output == Output::Nothing => 0,
            Self { trouble: true, .. } => 2,
            Self { selected, .. } => u8::from(!selected),
        }
    }
}

async fn run(cx: &mut ExecContext, args: &Args, dialect: Dialect) -> Outcome {
    if args.has("version") {
        cx.push_line(concat!("grep (tabsh) ", env!("CARGO_PKG_VERSION")));
        return Reply::status(0);
    }
    let syntax = syntax(args, dialect).map_err(|message| cx.fail(2, message))?;
    let mut operands = args.operand_texts();
    let mut patterns = Vec::new();
    for (key, value) in args.given() {
        let Some(value) = value else { continue };
        match key {
            "regexp" => patterns.push(value.to_text_lossy()),
            "file" => {
                let file = value.to_text_lossy();
                let Some(stream) = cx.open_input(&file).await? else {
                    return Err(Stop::Failed(2));
                };
                let text = cx.read_all(&stream).await?;
                let text = String::from_utf8_lossy(&text);
                if !text.is_empty() {
                    patterns.push(text.strip_suffix('\n').unwrap_or(&text).into());
                }
            }
            _ => {}
        }
    }
    if !args.given().any(|(key, _)| matches!(key, "regexp" | "file")) {
        if operands.is_empty() {
            return Err(cx.misuse(2, "a pattern is missing: grep [OPTION]... PATTERNS [FILE]..."));
        }
        patterns.push(operands.remove(0));
    }
    let lines: Vec<&str> = patterns.iter().flat_map(|text| text.split('\n')).collect();
    let regex = Regex::any(&lines, syntax).map_err(|error| cx.fail(2, error))?;
    let filter = Filter::new(cx, args).await?;
    let settings = Settings::new(args, cx.is_for_person(), operands.len(), (regex, filter));
    let settings = settings.map_err(|message| cx.fail(2, message))?;
    if operands.is_empty() {
        operands.push(if settings.recursion.is_some() { "" } else { "-" }.into());
    }
    let mut printer = Printer::new(args.json, settings.shows_names);
    let mut found = Found::default();
    if settings.most > 0 {
        for operand in &operands {
            walk::operand(cx, &settings, &mut printer, (operand, &mut found)).await?;
            if found.selected && settings.output == Output::Nothing {
                break;
            }
        }
    }
    if settings.regex.gave_up() {
        cx.complain("a line was given up: the pattern needs too long on it").await?;
        found.trouble = true;
    }
    if let Some(records) = printer.records {
        cx.answer(Value::List(records));
    }
    Reply::status(found.status(settings.output))
}

/// How patterns are read; the error is a refusal.
fn syntax(args: &Args, dialect: Dialect) -> Result<Syntax, &'static str> {
    let kinds = ["extended-regexp", "fixed-strings", "basic-regexp", "perl-regexp"];
    let dialect = match args.last_of(&kinds) {
        Some("extended-regexp") => Dialect::GrepExtended,
        Some("fixed-strings") => Dialect::Fixed,
        Some("basic-regexp") => Dialect::GrepBasic,
        Some("perl-regexp") => {
            return Err("-P is not supported here: use -E, with [0-9] for \\d; \\w \\s \\b work \
                        there, look-around and lazy repetition do not");
        }
        _ => dialect,
    };
    let case = args.last_of(&["ignore-case", "y", "no-ignore-case"]);
    let whole = match (args.has("line-regexp"), args.has("word-regexp")) {
        (true, _) => Whole::Lines,
        (false, true) => Whole::Words,
        (false, false) => Whole::Free,
    };
    let newlines = if args.has("null-data") { Newlines::Ordinary } else { Newlines::Separate };
    let ignore_case = matches!(case, Some("ignore-case" | "y"));
    Ok(Syntax { dialect, ignore_case, newlines, whole })
}

/// E005: a pattern that is refused.
fn check(args: &Args, dialect: Dialect) -> Option<Issue> {
    let syntax = syntax(args, dialect).ok()?;
    let named = args.given().any(|(key, _)| matches!(key, "regexp" | "file"));
    let first = args.operands.first().filter(|_| !named);
    let texts = args.values("regexp").chain(first).filter_map(Value::as_str);
    let refused = texts.flat_map(|text| text.split('\n')).find_map(|pattern| {
        let error = Regex::new(pattern, syntax).err()?;
        Some((format!("{error} in the pattern '{pattern}'"), pattern))
    })?;
    let (message, pattern) = refused;
    Some(Issue::new("E005", message).with_fix("use -F to look for plain text").at(pattern))
}
