//! The arguments of `grep` to its settings.

use std::rc::Rc;

use crate::pattern::{Glob, Regex};
use crate::tool::{Args, ExecContext, Stop};
use crate::value::EcoString;

/// What is printed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Output {
    /// Selected lines.
    Lines,
    /// The parts of them that match.
    Parts,
    /// How many there are.
    Count,
    /// The names of files that have one, or of those that have none.
    Names { selected: bool },
    /// Nothing.
    Nothing,
}

/// What is made of input that is no text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Binary {
    /// One message where something matches.
    Report,
    /// It is text all the same.
    Text,
    /// Nothing in it matches.
    Skip,
}

/// What stands before each line.
#[derive(Clone, Copy)]
pub(super) struct Prefix {
    pub(super) numbers: bool,
    pub(super) offsets: bool,
    pub(super) tab: bool,
}

/// The lines around a selected one.
#[derive(Clone)]
pub(super) struct Around {
    pub(super) before: usize,
    pub(super) after: usize,
    /// What stands between groups, where any are kept apart.
    pub(super) separator: Option<EcoString>,
}

/// How directories are searched.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Recursion {
    /// Links found in them are passed by.
    Plain,
    /// Links are followed.
    Following,
}

/// Everything but the operands.
pub(super) struct Settings {
    pub(super) regex: Regex,
    pub(super) select: Select,
    pub(super) output: Output,
    /// How many lines of a file may be selected.
    pub(super) most: u64,
    pub(super) around: Around,
    pub(super) prefix: Prefix,
    pub(super) shows_names: Option<bool>,
    pub(super) recursion: Option<Recursion>,
    pub(super) names: Names,
    pub(super) filter: Filter,
    pub(super) binary: Binary,
    pub(super) color: bool,
}

/// Which lines are selected.
#[derive(Clone, Copy)]
pub(super) struct Select {
    pub(super) invert: bool,
    /// The byte that ends lines.
    pub(super) line_end: u8,
}

/// How files are named and errors about them told.
pub(super) struct Names {
    /// What standard input is called.
    pub(super) label: EcoString,
    /// Whether NUL stands behind a name.
    pub(super) null: bool,
    /// Whether nothing is said of files that can't be read.
    pub(super) silent: bool,
    /// Whether directories are passed by.
    pub(super) skip_directories: bool,
}

impl Settings {
    /// The settings; the error is a message for status 2.
    pub(super) fn new(
        args: &Args,
        for_person: bool,
        operands: usize,
        (regex, filter): (Regex, Filter),
    ) -> Result<Self, String> {
        let directories = args.last_of(&["recursive", "dereference-recursive", "directories"]);
        let action = args.text("directories").unwrap_or_default();
        let recursion = match directories {
            Some("recursive") => Some(Recursion::Plain),
            Some("dereference-recursive") => Some(Recursion::Following),
            Some(_) if action == "recurse" => Some(Recursion::Plain),
            Some(_) if !matches!(action.as_str(), "read" | "skip") => {
                return Err(format!("invalid argument '{action}' for '--directories'"));
            }
            _ => None,
        };
        let shows_names = match args.last_of(&["with-filename", "no-filename"]) {
            Some("with-filename") => Some(true),
            Some(_) => Some(false),
            None if operands > 1 => Some(true),
            // Files of directories will show theirs.
            None if recursion.is_some() => None,
            None => Some(false),
        };
        let line_end = if args.has("null-data") { 0 } else { b'\n' };
        Ok(Self {
            regex,
            select: Select { invert: args.has("invert-match"), line_end },
            output: output(args),
            most: most(args)?,
            around: around(args)?,
            prefix: Prefix {
                numbers: args.has("line-number"),
                offsets: args.has("byte-offset"),
                tab: args.has("initial-tab"),
            },
            shows_names,
            recursion,
            names: Names {
                label: args.text("label").unwrap_or_else(|| "(standard input)".into()),
                null: args.has("null"),
                silent: args.has("no-messages"),
                skip_directories: directories == Some("directories") && action == "skip",
            },
            filter,
            binary: binary(args)?,
            color: color(args, for_person)?,
        })
    }
}

fn output(args: &Args) -> Output {
    let names = args.last_of(&["files-with-matches", "files-without-match"]);
    if args.last_of(&["quiet", "silent"]).is_some() {
        Output::Nothing
    } else if let Some(names) = names {
        Output::Names { selected: names == "files-with-matches" }
    } else if args.has("count") {
        Output::Count
    } else if args.has("only-matching") {
        Output::Parts
    } else {
        Output::Lines
    }
}

fn most(args: &Args) -> Result<u64, String> {
    let Some(text) = args.text("max-count") else { return Ok(u64::MAX) };
    if text.strip_prefix('-').is_some_and(is_number) {
        return Ok(u64::MAX);
    }
    if is_number(&text) {
        Ok(text.parse().unwrap_or(u64::MAX))
    } else {
        Err("invalid max count".into())
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn around(args: &Args) -> Result<Around, String> {
    let count = |key: &str| match args.text(key) {
        None => Ok(None),
        Some(text) if is_number(&text) => Ok(Some(text.parse().unwrap_or(usize::MAX))),
        Some(text) => Err(format!("{text}: invalid context length argument")),
    };
    let both = count("context")?;
    let before = count("before-context")?.or(both);
    let after = count("after-context")?.or(both);
    let separator = match args.last_of(&["group-separator", "no-group-separator"]) {
        _ if before.is_none() && after.is_none() => None,
        None => Some("--".into()),
        Some("group-separator") => args.text("group-separator"),
        Some(_) => None,
    };
    Ok(Around { before: before.unwrap_or(0), after: after.unwrap_or(0), separator })
}

fn binary(args: &Args) -> Result<Binary, String> {
    match args.last_of(&["binary-files", "text", "I"]) {
        None => Ok(Binary::Report),
        Some("text") => Ok(Binary::Text),
        Some("I") => Ok(Binary::Skip),
        Some(_) => match args.text("binary-files").as_deref() {
            Some("binary") => Ok(Binary::Report),
            Some("text") => Ok(Binary::Text),
            Some("without-match") => Ok(Binary::Skip),
            _ => Err("unknown binary-files type".into()),
        },
    }
}

fn color(args: &Args, for_person: bool) -> Result<bool, String> {
    let Some(key) = args.last_of(&["color", "colour"]) else { return Ok(false) };
    match args.text(key).as_deref() {
        None | Some("auto" | "tty" | "if-tty") => Ok(for_person),
        Some("always" | "yes" | "force") => Ok(true),
        Some("never" | "no" | "none") => Ok(false),
        Some(other) => Err(format!("invalid argument '{other}' for '--{key}'")),
    }
}

/// Which files and directories are searched, by name.
pub(super) struct Filter {
    /// Patterns for files, and whether they take in; the last that fits decides.
    files: Vec<(Glob, bool)>,
    directories: Vec<Glob>,
}

impl Filter {
    pub(super) async fn new(cx: &mut ExecContext, args: &Args) -> Result<Self, Stop> {
        let (mut files, mut directories) = (Vec::new(), Vec::new());
        for (key, value) in args.given() {
            let Some(text) = value.map(crate::value::Value::to_text_lossy) else { continue };
            match key {
                "include" => files.push((Glob::parse(&text), true)),
                "exclude" => files.push((Glob::parse(&text), false)),
                "exclude-dir" => {
                    let plain = text.trim_end_matches('/');
                    directories.push(Glob::parse(if plain.is_empty() { &text } else { plain }));
                }
                "exclude-from" => {
                    let path = cx.resolve(&text);
                    let fs = Rc::clone(cx.backend());
                    let read = fs.read(&path, None).await;
                    let read = read
                        .map_err(|error| cx.fail(2, format_args!("{text}: {}", error.errno())))?;
                    let lines = String::from_utf8_lossy(&read);
                    let lines = lines.lines().filter(|line| !line.is_empty());
                    files.extend(lines.map(|line| (Glob::parse(line), false)));
                }
                _ => {}
            }
        }
        Ok(Self { files, directories })
    }

    /// Whether a file found in a directory is searched.
    pub(super) fn takes(&self, name: &str) -> bool {
        let fits = self.files.iter().rev().find(|(glob, _)| glob.matches(name));
        let unless = !self.files.first().is_some_and(|(_, takes_in)| *takes_in);
        fits.map_or(unless, |(_, takes_in)| *takes_in)
    }

    /// Whether a file that is an operand is searched: a pattern may fit what follows a slash.
    pub(super) fn takes_operand(&self, path: &str) -> bool {
        let fits =
            self.files.iter().rev().find(|(glob, _)| suffixes(path).any(|s| glob.matches(s)));
        let unless = !self.files.first().is_some_and(|(_, takes_in)| *takes_in);
        fits.map_or(unless, |(_, takes_in)| *takes_in)
    }

    /// Whether a directory found in another is searched.
    pub(super) fn enters(&self, name: &str) -> bool {
        !self.directories.iter().any(|glob| glob.matches(name))
    }

    /// Whether a directory that is an operand is searched.
    pub(super) fn enters_operand(&self, path: &str) -> bool {
        let path = path.trim_end_matches('/');
        !self.directories.iter().any(|glob| suffixes(path).any(|suffix| glob.matches(suffix)))
    }
}

/// A path and what follows each of its slashes.
fn suffixes(path: &str) -> impl Iterator<Item = &str> {
    let slashes = path.match_indices('/').filter_map(|(at, _)| path.get(at + 1..));
    std::iter::once(path).chain(slashes.filter(|suffix| !suffix.starts_with('/')))
}
