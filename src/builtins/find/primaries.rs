//! The primaries of an expression by name, with their arguments.

use std::rc::Rc;

use super::actions::{Action, Command, Output};
use super::compile::{Follow, Reader};
use super::printf::Format;
use super::test::{Compare, PermTest, Test};
use crate::builtins::common::{DAY, Mode, OWNER, OWNER_ID, parse_date, quoted};
use crate::host::Timestamp;
use crate::pattern::{Dialect, Glob, GlobBuilder, Regex, Syntax, Whole};
use crate::tool::{ExecContext, Stop};
use crate::value::Value;
use crate::vfs::{FileKind, Metadata};

/// What a word of the expression is.
pub(super) enum Primary {
    Test(Test),
    Action(Action),
}

/// How `-regex` is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum RegexType {
    #[default]
    Emacs,
    Basic,
    Extended,
}

/// Reads a primary, whose name is `word`.
pub(super) async fn read(
    cx: &mut ExecContext,
    reader: &mut Reader<'_>,
    word: &str,
) -> Result<Primary, Stop> {
    if let Some(action) = action(cx, reader, word).await? {
        return Ok(Primary::Action(action));
    }
    if let Some(test) = option(cx, reader, word)? {
        return Ok(Primary::Test(test));
    }
    if let Some(test) = name_test(cx, reader, word)? {
        return Ok(Primary::Test(test));
    }
    if let Some(test) = time_test(cx, reader, word).await? {
        return Ok(Primary::Test(test));
    }
    let test = match word {
        "-true" => Test::Always(true),
        "-false" => Test::Always(false),
        "-empty" => Test::Empty,
        "-readable" => Test::Access(0o444),
        "-writable" => Test::Access(0o222),
        "-executable" => Test::Access(0o111),
        "-nouser" | "-nogroup" => Test::Always(false),
        "-type" | "-xtype" => {
            let text = reader.argument(cx, word)?;
            let kinds = kinds(cx, word, text)?;
            if word == "-type" { Test::Kind(kinds) } else { Test::OtherKind(kinds) }
        }
        "-size" => {
            let text = reader.argument(cx, word)?;
            size(cx, text)?
        }
        "-perm" => {
            let text = reader.argument(cx, word)?;
            perm(cx, text)?
        }
        "-links" => Test::Links(number(cx, reader, word)?),
        "-inum" => Test::Inode(number(cx, reader, word)?),
        "-uid" | "-gid" => {
            let compare = number(cx, reader, word)?;
            let owner = OWNER_ID.parse().unwrap_or(0);
            Test::Always(compare.holds(owner))
        }
        "-user" | "-group" => {
            let name = reader.argument(cx, word)?;
            let user = cx.session.scope.borrow().get("USER").map(Value::to_text_lossy);
            let known = name == OWNER || name == OWNER_ID || user.is_some_and(|user| user == name);
            if !known && name.parse::<u32>().is_err() {
                let what = if word == "-user" { "user" } else { "group" };
                let name = quoted(name);
                let message = format!("{name} is not the name of a known {what}");
                return Err(cx.fail(1, message));
            }
            Test::Always(known)
        }
        "-samefile" => {
            let name = reader.argument(cx, word)?;
            let metadata = stat(cx, reader, name).await?;
            Test::Same(metadata.device, metadata.inode)
        }
        "-fstype" => {
            let kind = reader.argument(cx, word)?;
            let mounts = cx.backend().mounts();
            // Mounts are numbered in no order that is known here: their root's metadata tells.
            let mut devices = Vec::new();
            for mount in mounts.iter().filter(|mount| mount.kind == kind) {
                if let Ok(metadata) = cx.backend().stat(&mount.path).await {
                    devices.push(metadata.device);
                }
            }
            Test::Devices(devices)
        }
        _ if word.starts_with('-') => {
            return Err(cx.fail(2, format_args!("unknown predicate '{word}'")));
        }
        _ => {
            let word = quoted(word);
            return Err(cx.fail(1, format_args!("paths must precede expression: {word}")));
        }
    };
    Ok(Primary::Test(test))
}

/// Options, which are always true as tests.
fn option(cx: &mut ExecContext, reader: &mut Reader<'_>, word: &str) -> Result<Option<Test>, Stop> {
    match word {
        "-depth" | "-d" => reader.settings.depth_first = true,
        "-mount" | "-xdev" => reader.settings.one_mount = true,
        "-follow" => reader.settings.follow = Follow::Always,
        "-noleaf" | "-warn" | "-nowarn" | "-ignore_readdir_race" | "-noignore_readdir_race" => {}
        "-daystart" => {
            let seconds = reader.origin.seconds;
            let tomorrow = seconds - seconds.rem_euclid(DAY) + DAY;
            reader.origin = Timestamp { seconds: tomorrow, nanos: 0 };
        }
        "-maxdepth" | "-mindepth" => {
            let text = reader.argument(cx, word)?;
            let Some(depth) = text.parse().ok().filter(|_| !text.starts_with('+')) else {
                let text = quoted(text);
                let message = format!(
                    "Expected a positive decimal integer argument to {word}, but got {text}"
                );
                return Err(cx.fail(1, message));
            };
            if word == "-maxdepth" {
                reader.settings.max_depth = Some(depth);
            } else {
                reader.settings.min_depth = depth;
            }
        }
        "-regextype" => {
            let text = reader.argument(cx, word)?;
            reader.regex = match text {
                "findutils-default" | "emacs" => RegexType::Emacs,
                "ed" | "sed" | "grep" | "posix-basic" | "posix-minimal-basic" => RegexType::Basic,
                "awk" | "gnu-awk" | "posix-awk" | "egrep" | "posix-egrep" | "posix-extended" => {
                    RegexType::Extended
                }
                _ => {
                    let text = quoted(text);
                    let message = format!(
                        "Unknown regular expression type {text}; valid types are 'emacs', \
                         'posix-basic', 'posix-extended', 'sed', 'grep', 'egrep', 'awk'."
                    );
                    return Err(cx.fail(1, message));
                }
            };
        }
        _ => return Ok(None),
    }
    Ok(Some(Test::Always(true)))
}

fn name_test(
    cx: &mut ExecContext,
    reader: &mut Reader<'_>,
    word: &str,
) -> Result<Option<Test>, Stop> {
    let ignores_case = word.starts_with("-i");
    let test = match word {
        "-name" | "-iname" => Test::Name(glob(reader.argument(cx, word)?, ignores_case)),
        "-path" | "-ipath" | "-wholename" | "-iwholename" => {
            Test::Path(glob(reader.argument(cx, word)?, ignores_case))
        }
        "-lname" | "-ilname" => Test::Target(glob(reader.argument(cx, word)?, ignores_case)),
        "-regex" | "-iregex" => {
            let text = reader.argument(cx, word)?;
            let (pattern, dialect) = match reader.regex {
                RegexType::Emacs => (from_emacs(text), Dialect::GrepExtended),
                RegexType::Basic => (text.to_owned(), Dialect::Basic),
                RegexType::Extended => (text.to_owned(), Dialect::GrepExtended),
            };
            let syntax =
                Syntax { ignore_case: ignores_case, whole: Whole::Lines, ..Syntax::new(dialect) };
            match Regex::new(&pattern, syntax) {
                Ok(regex) => Test::Regex(Rc::new(regex)),
                Err(error) => {
                    let text = quoted(text);
                    return Err(cx.fail(1, format_args!("failed to compile {text}: {error}")));
                }
            }
        }
        _ => return Ok(None),
    };
    Ok(Some(test))
}

fn glob(text: &str, ignores_case: bool) -> Glob {
    let mut builder = GlobBuilder::new().ignore_case(ignores_case);
    builder.push_pattern(text);
    builder.build()
}

/// Emacs' dialect as an extended one: groups and alternatives need a backslash there, `{` is plain.
fn from_emacs(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    let mut in_class = false;
    while let Some(c) = chars.next() {
        match c {
            '\\' if !in_class => match chars.next() {
                Some(c @ ('(' | ')' | '|')) => out.push(c),
                Some(c) => {
                    out.push('\\');
                    out.push(c);
                }
                None => out.push('\\'),
            },
            '(' | ')' | '|' | '{' | '}' if !in_class => {
                out.push('\\');
                out.push(c);
            }
            _ => {
                in_class =
                    (in_class || c == '[') && !(in_class && c == ']' && !out.ends_with(['[', '^']));
                out.push(c);
            }
        }
    }
    out
}

async fn time_test(
    cx: &mut ExecContext,
    reader: &mut Reader<'_>,
    word: &str,
) -> Result<Option<Test>, Stop> {
    let test = match word {
        "-mtime" | "-atime" | "-ctime" => {
            Test::Days(number(cx, reader, word)?, reader.origin.seconds)
        }
        "-mmin" | "-amin" | "-cmin" => {
            Test::Minutes(number(cx, reader, word)?, reader.origin.seconds)
        }
        "-used" => {
            // Access and status change are the same time here: 0 days apart.
            Test::Always(number(cx, reader, word)?.holds(0))
        }
        "-newer" | "-anewer" | "-cnewer" => {
            let name = reader.argument(cx, word)?;
            Test::Newer(stat(cx, reader, name).await?.modified)
        }
        _ => {
            let Some([kind, reference]) = word.strip_prefix("-newer").map(str::as_bytes) else {
                return Ok(None);
            };
            if !b"aBcm".contains(kind) || !b"aBcmt".contains(reference) {
                return Ok(None);
            }
            let text = reader.argument(cx, word)?;
            if *reference != b't' {
                return Ok(Some(Test::Newer(stat(cx, reader, text).await?.modified)));
            }
            let Some(time) = parse_date(text, cx.services.host.now()) else {
                let text = quoted(text);
                let message =
                    format!("I cannot figure out how to interpret {text} as a date or time");
                return Err(cx.fail(1, message));
            };
            Test::Newer(time)
        }
    };
    Ok(Some(test))
}

async fn stat(cx: &mut ExecContext, reader: &Reader<'_>, name: &str) -> Result<Metadata, Stop> {
    let path = cx.resolve(name);
    let fs = Rc::clone(cx.backend());
    let found = match reader.settings.follow {
        Follow::Never => fs.lstat(&path).await,
        _ => fs.stat(&path).await,
    };
    found.map_err(|error| cx.fail(1, format_args!("{}: {}", quoted(name), error.errno())))
}

fn number(cx: &mut ExecContext, reader: &mut Reader<'_>, word: &str) -> Result<Compare, Stop> {
    let text = reader.argument(cx, word)?;
    Compare::parse(text)
        .ok_or_else(|| cx.fail(1, format_args!("invalid argument {} to '{word}'", quoted(text))))
}

fn kinds(cx: &mut ExecContext, word: &str, text: &str) -> Result<Vec<FileKind>, Stop> {
    let mut kinds = Vec::new();
    for part in text.split(',') {
        let mut letters = part.chars();
        match letters.next() {
            Some('f') => kinds.push(FileKind::File),
            Some('d') => kinds.push(FileKind::Directory),
            Some('l') => kinds.push(FileKind::Symlink),
            Some('c') => kinds.push(FileKind::Device),
            // Kinds of files that do not exist here.
            Some('b' | 'p' | 's' | 'D') => {}
            _ => {
                return Err(cx.fail(1, format_args!("Unknown argument to {word}: {text}")));
            }
        }
        if letters.next().is_some() {
            let message = format!("Must separate multiple arguments to {word} using: ','");
            return Err(cx.fail(1, message));
        }
    }
    Ok(kinds)
}

fn size(cx: &mut ExecContext, text: &str) -> Result<Test, Stop> {
    let digits = text.trim_start_matches(['+', '-']);
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    let suffix = digits.get(end..).unwrap_or_default();
    let unit = match suffix {
        "c" => 1,
        "w" => 2,
        "" | "b" => 512,
        "k" => 1024,
        "M" => 1 << 20,
        "G" => 1 << 30,
        _ => return Err(cx.fail(1, format_args!("invalid -size type '{suffix}'"))),
    };
    let number = text.get(..text.len() - suffix.len()).unwrap_or_default();
    match Compare::parse(number) {
        Some(compare) => Ok(Test::Size(compare, unit)),
        None => Err(cx.fail(1, format_args!("invalid argument {} to '-size'", quoted(text)))),
    }
}

fn perm(cx: &mut ExecContext, text: &str) -> Result<Test, Stop> {
    let (how, mode) = match text.chars().next() {
        Some('-') => (PermTest::All, text.get(1..)),
        Some('/') => (PermTest::Any, text.get(1..)),
        _ => (PermTest::Exactly, Some(text)),
    };
    match mode.and_then(Mode::parse) {
        Some(mode) => Ok(Test::Perm(how, mode.apply(0, false))),
        None => Err(cx.fail(1, format_args!("invalid mode {}", quoted(text)))),
    }
}

async fn action(
    cx: &mut ExecContext,
    reader: &mut Reader<'_>,
    word: &str,
) -> Result<Option<Action>, Stop> {
    let action = match word {
        "-print" => Action::Print,
        "-print0" => Action::Print0,
        "-ls" => Action::Ls(None),
        "-prune" => Action::Prune,
        "-quit" => Action::Quit,
        "-delete" => Action::Delete,
        "-printf" => {
            let text = reader.argument(cx, word)?;
            Action::Printf(Rc::new(format(cx, text)), None)
        }
        "-fprint" | "-fprint0" | "-fls" => {
            let name = reader.argument(cx, word)?;
            let output = Output::open(cx, name).await?;
            match word {
                "-fprint" => Action::FilePrint(output, b'\n'),
                "-fprint0" => Action::FilePrint(output, 0),
                _ => Action::Ls(Some(output)),
            }
        }
        "-fprintf" => {
            let name = reader.argument(cx, word)?;
            let text = reader.argument(cx, word)?;
            let format = format(cx, text);
            Action::Printf(Rc::new(format), Some(Output::open(cx, name).await?))
        }
        "-exec" | "-execdir" | "-ok" | "-okdir" => Action::Run(command(cx, reader, word)?),
        _ => return Ok(None),
    };
    Ok(Some(action))
}

fn format(cx: &mut ExecContext, text: &str) -> Format {
    let (format, unknown) = Format::parse(text);
    for directive in unknown {
        cx.warn(format_args!("warning: unrecognized format directive '%{directive}'"));
    }
    format
}

fn command(cx: &mut ExecContext, reader: &mut Reader<'_>, word: &str) -> Result<Command, Stop> {
    let mut words: Vec<Value> = Vec::new();
    let may_batch = word.starts_with("-exec");
    loop {
        let next = reader.argument(cx, word)?;
        let after_braces = words.last().and_then(Value::as_str) == Some("{}");
        if next == ";" {
            break;
        }
        if next == "+" && may_batch && after_braces {
            words.pop();
            if words.iter().any(|word| word.as_str().is_some_and(|word| word.contains("{}"))) {
                let message = format!("Only one instance of {{}} is supported with {word} ... +");
                return Err(cx.fail(1, message));
            }
            return Ok(Command::new(words, word, true));
        }
        words.push(Value::from(next));
    }
    if words.is_empty() {
        return Err(cx.fail(2, format_args!("missing argument to '{word}'")));
    }
    Ok(Command::new(words, word, false))
}
