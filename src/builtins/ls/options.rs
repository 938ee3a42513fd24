//! The options of `ls`, and what they come to.

use super::color::Colors;
use super::quoting::Quoting;
use crate::builtins::common::{bad_choice, quoted};
use crate::pattern::Glob;
use crate::tool::{Args, ExecContext, Opt, OutputContext, Stop};
use crate::value::EcoString;

pub(super) const OPTIONS: &[Opt<'static>] = &[
    Opt::flag('a', "all", "names that begin with a dot, . and .. too"),
    Opt::flag('A', "almost-all", "names that begin with a dot, but not . and .."),
    Opt::flag('B', "ignore-backups", "not names that end with ~"),
    Opt::flag('b', "escape", "control characters as C escapes"),
    Opt::flag('c', "", "the same as -t: no other time is kept"),
    Opt::flag('C', "", "in columns"),
    Opt::optional('\0', "color", "WHEN", "colours: always, auto, never"),
    Opt::flag('d', "directory", "directories themselves, not what is in them"),
    Opt::flag('f', "", "not sorted, like -aU"),
    Opt::flag('F', "", "mark directories /, programs *, links @"),
    Opt::optional('\0', "classify", "WHEN", "the same: always, auto, never"),
    Opt::flag('\0', "file-type", "like -F, without *"),
    Opt::value('\0', "format", "WORD", "across, commas, long, single-column, verbose, vertical"),
    Opt::flag('\0', "full-time", "like -l --time-style=full-iso"),
    Opt::flag('g', "", "like -l, without the owner"),
    Opt::flag('\0', "group-directories-first", "directories before files"),
    Opt::flag('G', "no-group", "with -l: without the group"),
    Opt::flag('h', "human-readable", "with -l, -s: sizes like 1.5K"),
    Opt::flag('\0', "si", "like -h, with powers of 1000"),
    Opt::flag('H', "dereference-command-line", "follow links among the operands"),
    Opt::value('\0', "hide", "PATTERN", "not names that match, unless -a or -A"),
    Opt::flag('i', "inode", "the number of each file"),
    Opt::value('I', "ignore", "PATTERN", "not names that match"),
    Opt::value('\0', "indicator-style", "WORD", "none, slash, file-type, classify"),
    Opt::flag('k', "kibibytes", "blocks of 1024 bytes, which is the default"),
    Opt::flag('l', "", "long: mode, links, owner, size, time"),
    Opt::flag('L', "dereference", "what links point to, not links"),
    Opt::flag('m', "", "separated by commas"),
    Opt::flag('n', "numeric-uid-gid", "like -l, owners as numbers"),
    Opt::flag('N', "literal", "names as they are"),
    Opt::flag('o', "", "like -l, without the group"),
    Opt::flag('p', "", "mark directories /"),
    Opt::flag('q', "hide-control-chars", "control characters as ?"),
    Opt::flag('\0', "show-control-chars", "control characters as they are"),
    Opt::flag('Q', "quote-name", "names in double quotes"),
    Opt::value(
        '\0',
        "quoting-style",
        "WORD",
        "literal, shell, shell-always, shell-escape, c, escape",
    ),
    Opt::flag('r', "reverse", "the other way round"),
    Opt::flag('R', "recursive", "directories below too"),
    Opt::flag('s', "size", "the blocks of each file"),
    Opt::flag('S', "", "largest first"),
    Opt::value('\0', "sort", "WORD", "none, size, time, version, extension, name"),
    Opt::flag('t', "", "newest first"),
    Opt::value('\0', "time", "WORD", "accepted: no other time is kept"),
    Opt::value('\0', "time-style", "STYLE", "full-iso, long-iso, iso, locale, +FORMAT"),
    Opt::value('T', "tabsize", "COLS", "columns between tab stops"),
    Opt::flag('u', "", "accepted: no other time is kept"),
    Opt::flag('U', "", "not sorted"),
    Opt::flag('v', "", "by numbers within names"),
    Opt::value('w', "width", "COLS", "columns of a line; 0 for no limit"),
    Opt::flag('x', "", "in columns, filled line by line"),
    Opt::flag('X', "", "by extension"),
    Opt::flag('\0', "zero", "end each line with NUL, not newline"),
    Opt::flag('1', "", "one name a line"),
];

/// How entries are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Single,
    Columns,
    Across,
    Commas,
    Long,
}

/// What comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Name,
    Size,
    Time,
    Extension,
    Version,
    Width,
    None,
}

/// Which kinds of files are marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
pub(super) enum Marks {
    None,
    Slash,
    FileType,
    Classify,
}

/// Which names that could be left out are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dots {
    Hidden,
    Almost,
    All,
}

/// When links are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Follow {
    /// Operands that lead to directories, unless they are listed themselves.
    Directories,
    Operands,
    Always,
    Never,
}

/// How times are written.
pub(super) struct TimeStyle {
    /// For files changed within half a year.
    pub(super) recent: EcoString,
    pub(super) older: EcoString,
}

/// Everything the options say.
#[expect(clippy::struct_excessive_bools, reason = "independent options")]
pub(super) struct Settings {
    pub(super) format: Format,
    pub(super) order: Order,
    pub(super) marks: Marks,
    pub(super) dots: Dots,
    pub(super) follow: Follow,
    pub(super) quoting: Quoting,
    pub(super) colors: Option<Colors>,
    pub(super) shape: Shape,
    pub(super) time: TimeStyle,
    pub(super) skip: Skip,
    pub(super) reverse: bool,
    pub(super) recursive: bool,
    pub(super) itself: bool,
    pub(super) directories_first: bool,
    pub(super) inode: bool,
    pub(super) blocks: bool,
}

/// Widths, ends and columns.
pub(super) struct Shape {
    pub(super) width: usize,
    pub(super) tab: usize,
    pub(super) end: char,
    /// 1024 or 1000 for sizes with letters; 0 for plain ones.
    pub(super) human: u64,
    pub(super) owner: bool,
    pub(super) group: bool,
    pub(super) numeric: bool,
}

/// Patterns of names that are left out.
pub(super) struct Skip {
    always: Vec<Glob>,
    unless_all: Vec<Glob>,
    backups: bool,
}

impl Skip {
    pub(super) fn leaves_out(&self, name: &str, dots: Dots) -> bool {
        (self.backups && name.ends_with('~'))
            || self.always.iter().any(|glob| glob.matches_name(name))
            || (dots == Dots::Hidden && self.unless_all.iter().any(|glob| glob.matches_name(name)))
    }
}

impl Settings {
    /// Reads the options; complains of words that mean nothing.
    pub(super) fn read(cx: &mut ExecContext, args: &Args) -> Result<Self, Stop> {
        let person = cx.is_for_person();
        let format = format(cx, args, person)?;
        let colors = colors(cx, args, person)?;
        let patterns = |key| args.values(key).map(|value| Glob::parse(&value.to_text_lossy()));
        let itself = args.has("directory");
        let marks = marks(cx, args, person)?;
        let follow = match args.last_of(&["dereference", "dereference-command-line"]) {
            Some("dereference") => Follow::Always,
            Some(_) => Follow::Operands,
            None if itself || format == Format::Long || marks == Marks::Classify => Follow::Never,
            None => Follow::Directories,
        };
        let dots = match args.last_of(&["all", "almost-all", "f"]) {
            Some("almost-all") => Dots::Almost,
            Some(_) => Dots::All,
            None => Dots::Hidden,
        };
        let human = match args.last_of(&["human-readable", "si", "kibibytes"]) {
            Some("human-readable") => 1024,
            Some("si") => 1000,
            _ => 0,
        };
        Ok(Self {
            order: order(cx, args, format)?,
            quoting: Quoting::read(cx, args, person)?,
            time: time_style(cx, args)?,
            shape: Shape {
                width: width(cx, args)?,
                tab: args.text("tabsize").and_then(|text| text.parse().ok()).unwrap_or(8),
                end: if args.has("zero") { '\0' } else { '\n' },
                human,
                owner: !args.has("g"),
                group: !args.has("o") && !args.has("no-group"),
                numeric: args.has("numeric-uid-gid"),
            },
            skip: Skip {
                always: patterns("ignore").collect(),
                unless_all: patterns("hide").collect(),
                backups: args.has("ignore-backups"),
            },
            reverse: args.has("reverse"),
            recursive: args.has("recursive") && !itself,
            directories_first: args.has("group-directories-first"),
            inode: args.has("inode"),
            blocks: args.has("size"),
            format,
            marks,
            dots,
            follow,
            colors,
            itself,
        })
    }
}

fn format(cx: &mut ExecContext, args: &Args, person: bool) -> Result<Format, Stop> {
    let mut format = if person && !args.has("zero") { Format::Columns } else { Format::Single };
    for (key, value) in args.given() {
        format = match key {
            "l" | "g" | "o" | "full-time" | "numeric-uid-gid" => Format::Long,
            // -1 does not undo a long format.
            "1" if format == Format::Long => Format::Long,
            "1" => Format::Single,
            "C" => Format::Columns,
            "x" => Format::Across,
            "m" => Format::Commas,
            "format" => {
                let word = value.map(|value| value.to_text_lossy()).unwrap_or_default();
                match word.as_str() {
                    "long" | "verbose" => Format::Long,
                    "single-column" => Format::Single,
                    "vertical" => Format::Columns,
                    "across" | "horizontal" => Format::Across,
                    "commas" => Format::Commas,
                    _ => {
                        let choices = [
                            "verbose, long",
                            "commas",
                            "horizontal, across",
                            "vertical",
                            "single-column",
                        ];
                        return Err(cx.misuse(2, bad_choice("--format", &word, &choices)));
                    }
                }
            }
            _ => format,
        };
    }
    Ok(format)
}

fn order(cx: &mut ExecContext, args: &Args, format: Format) -> Result<Order, Stop> {
    // A time is asked for where it would not be shown: then it is what to sort by.
    let times = args.has("c") || args.has("u") || args.has("time");
    let mut order = if times && format != Format::Long { Order::Time } else { Order::Name };
    for (key, value) in args.given() {
        order = match key {
            "S" => Order::Size,
            "t" => Order::Time,
            "U" | "f" => Order::None,
            "v" => Order::Version,
            "X" => Order::Extension,
            "sort" => {
                let word = value.map(|value| value.to_text_lossy()).unwrap_or_default();
                match word.as_str() {
                    "none" => Order::None,
                    "size" => Order::Size,
                    "time" => Order::Time,
                    "version" => Order::Version,
                    "extension" => Order::Extension,
                    "width" => Order::Width,
                    "name" => Order::Name,
                    _ => {
                        let choices = ["none", "time", "size", "extension", "version", "width"];
                        return Err(cx.misuse(2, bad_choice("--sort", &word, &choices)));
                    }
                }
            }
            _ => order,
        };
    }
    Ok(order)
}

fn marks(cx: &mut ExecContext, args: &Args, person: bool) -> Result<Marks, Stop> {
    let mut marks = Marks::None;
    for (key, value) in args.given() {
        let word = value.map(|value| value.to_text_lossy()).unwrap_or_default();
        marks = match key {
            "p" => Marks::Slash,
            "F" => Marks::Classify,
            "file-type" => Marks::FileType,
            "classify" => match is_on(&word, person) {
                Some(true) => Marks::Classify,
                Some(false) => Marks::None,
                None => return Err(cx.misuse(2, bad_choice("--classify", &word, WHEN))),
            },
            "indicator-style" => match word.as_str() {
                "none" => Marks::None,
                "slash" => Marks::Slash,
                "file-type" => Marks::FileType,
                "classify" => Marks::Classify,
                _ => {
                    let choices = ["none", "slash", "file-type", "classify"];
                    return Err(cx.misuse(2, bad_choice("--indicator-style", &word, &choices)));
                }
            },
            _ => marks,
        };
    }
    Ok(marks)
}

const WHEN: &[&str] = &["always, yes, force", "never, no, none", "auto, tty, if-tty"];

/// What a WHEN comes to; `None` where it is no such word.
fn is_on(word: &str, person: bool) -> Option<bool> {
    match word {
        "" | "always" | "yes" | "force" => Some(true),
        "never" | "no" | "none" => Some(false),
        "auto" | "tty" | "if-tty" => Some(person),
        _ => None,
    }
}

fn colors(cx: &mut ExecContext, args: &Args, person: bool) -> Result<Option<Colors>, Stop> {
    let mut on = person && cx.streams.context == OutputContext::Interactive;
    if args.has("color") {
        let word = args.text("color").unwrap_or_default();
        match is_on(&word, person) {
            Some(yes) => on = yes,
            None => return Err(cx.misuse(2, bad_choice("--color", &word, WHEN))),
        }
    }
    if !on {
        return Ok(None);
    }
    let scope = cx.session.scope.borrow();
    let variable = scope.get("LS_COLORS").map(|value| value.to_text_lossy());
    Ok(Some(Colors::new(variable.as_deref())))
}

fn width(cx: &mut ExecContext, args: &Args) -> Result<usize, Stop> {
    let Some(text) = args.text("width") else {
        return Ok(usize::from(cx.services.columns.get()));
    };
    match text.parse::<usize>() {
        Ok(0) => Ok(usize::MAX),
        Ok(width) => Ok(width),
        Err(_) => Err(cx.fail(2, format_args!("invalid line width: {}", quoted(&text)))),
    }
}

fn time_style(cx: &mut ExecContext, args: &Args) -> Result<TimeStyle, Stop> {
    let full = if args.has("full-time") { "full-iso" } else { "locale" };
    let word = args.text("time-style").unwrap_or_else(|| full.into());
    let style = match word.strip_prefix("posix-").unwrap_or(&word) {
        "full-iso" => ("%Y-%m-%d %H:%M:%S.%N %z", "%Y-%m-%d %H:%M:%S.%N %z"),
        "long-iso" => ("%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M"),
        "iso" => ("%m-%d %H:%M", "%Y-%m-%d "),
        "locale" => ("%b %e %H:%M", "%b %e  %Y"),
        other => {
            let Some(format) = other.strip_prefix('+') else {
                let choices = ["full-iso", "long-iso", "iso", "locale", "+FORMAT"];
                return Err(cx.misuse(2, bad_choice("time style", other, &choices)));
            };
            // Two lines: older files first, then recent ones.
            let (older, recent) = format.split_once('\n').unwrap_or((format, format));
            return Ok(TimeStyle { recent: recent.into(), older: older.into() });
        }
    };
    Ok(TimeStyle { recent: style.0.into(), older: style.1.into() })
}
