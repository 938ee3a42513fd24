//! The options of a call in; what is compared, how, and how it is shown, out.

use crate::builtins::common::as_word;
use crate::pattern::{Dialect, Glob, Regex, Syntax};
use crate::tool::{Args, ExecContext, Stop};
use crate::value::{EcoString, Value};

/// How differences are shown.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Style {
    Normal,
    Unified,
    Context,
    /// A script for `ed`.
    Ed,
    /// The same from the front, which no `ed` takes.
    ForwardEd,
    /// Counts of lines, as RCS keeps them.
    Rcs,
    SideBySide,
    /// Only whether there are any.
    Brief,
}

/// Which blanks make lines differ.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Blanks {
    /// All.
    Count,
    /// A tab equals the blanks it stands for; those at the end may not count.
    TabsExpand { trailing: bool },
    /// Those at the end do not.
    NotTrailing,
    /// One or several are the same, none at the end.
    AnyAmount,
    /// None.
    Ignored,
}

/// Side by side: the width, and what is left out.
#[derive(Clone, Copy)]
pub(super) struct Columns {
    pub(super) width: usize,
    pub(super) left_only: bool,
    pub(super) skips_common: bool,
}

/// How lines are printed.
#[derive(Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "independent options")]
pub(super) struct Look {
    pub(super) color: bool,
    pub(super) expands_tabs: bool,
    pub(super) initial_tab: bool,
    pub(super) no_empty_blank: bool,
}

/// What directories are compared as.
pub(super) struct Tree {
    pub(super) recursive: bool,
    /// Whether missing files on either side count as empty.
    pub(super) new_file: (bool, bool),
    pub(super) follows: bool,
    pub(super) excluded: Vec<Glob>,
    pub(super) starts_at: Option<EcoString>,
}

/// The options of a call.
#[expect(clippy::struct_excessive_bools, reason = "independent options")]
pub(super) struct Settings {
    pub(super) style: Style,
    /// Lines around hunks.
    pub(super) context: usize,
    pub(super) blanks: Blanks,
    pub(super) tab_size: usize,
    pub(super) ignore_case: bool,
    pub(super) ignore_blank_lines: bool,
    pub(super) ignored_lines: Vec<Regex>,
    /// What lines are shown beside the line numbers of hunks.
    pub(super) function: Option<Regex>,
    pub(super) binary: BinaryFiles,
    pub(super) minimal: bool,
    pub(super) reports_identical: bool,
    pub(super) labels: [Option<EcoString>; 2],
    pub(super) columns: Columns,
    pub(super) look: Look,
    pub(super) tree: Tree,
    /// The options as they are repeated above each file of a directory.
    pub(super) switches: String,
}

/// What becomes of bytes that are no text.
#[derive(Clone, Copy)]
pub(super) struct BinaryFiles {
    pub(super) as_text: bool,
    pub(super) strip_carriage_return: bool,
}

impl Settings {
    pub(super) fn new(cx: &mut ExecContext, args: &Args) -> Result<Self, Stop> {
        let (style, context) = style(cx, args)?;
        let mut labels = args.values("label").map(Value::to_text_lossy);
        let labels = [labels.next(), labels.next()];
        let ignored_lines = regexes(cx, args, "ignore-matching-lines")?;
        let number = |key: &str, fallback: usize| {
            args.text(key).map_or(Some(fallback), |text| text.parse().ok().filter(|n| *n > 0))
        };
        let Some(width) = number("width", 130) else {
            let text = args.text("width").unwrap_or_default();
            return Err(cx.misuse(2, format_args!("invalid width '{text}'")));
        };
        let Some(tab_size) = number("tabsize", 8).filter(|size| *size <= 1000) else {
            let text = args.text("tabsize").unwrap_or_default();
            return Err(cx.misuse(2, format_args!("invalid tabsize '{text}'")));
        };
        Ok(Self {
            style,
            context,
            blanks: blanks(args),
            tab_size,
            ignore_case: args.has("ignore-case"),
            ignore_blank_lines: args.has("ignore-blank-lines"),
            ignored_lines,
            function: function(cx, args)?,
            binary: BinaryFiles {
                as_text: args.has("text"),
                strip_carriage_return: args.has("strip-trailing-cr"),
            },
            minimal: args.has("minimal"),
            reports_identical: args.has("report-identical-files"),
            labels,
            columns: Columns {
                width,
                left_only: args.has("left-column"),
                skips_common: args.has("suppress-common-lines"),
            },
            look: Look {
                color: color(cx, args)?,
                expands_tabs: args.has("expand-tabs"),
                initial_tab: args.has("initial-tab"),
                no_empty_blank: args.has("suppress-blank-empty"),
            },
            tree: tree(args),
            switches: switches(args),
        })
    }

    /// Whether some changes may have to be ignored.
    pub(super) fn ignores_lines(&self) -> bool {
        self.ignore_blank_lines || !self.ignored_lines.is_empty()
    }
}

fn style(cx: &mut ExecContext, args: &Args) -> Result<(Style, usize), Stop> {
    let mut style = None;
    let mut context = None;
    for (key, value) in args.given() {
        let wanted = match key {
            "normal" => Style::Normal,
            "u" | "U" | "unified" => Style::Unified,
            "c" | "C" | "context" => Style::Context,
            "ed" => Style::Ed,
            "forward-ed" => Style::ForwardEd,
            "rcs" => Style::Rcs,
            "side-by-side" => Style::SideBySide,
            "digits" => {
                context = value.and_then(|value| value.to_text_lossy().parse().ok());
                continue;
            }
            _ => continue,
        };
        if style.is_some_and(|style| style != wanted) {
            return Err(cx.misuse(2, "conflicting output style options"));
        }
        style = Some(wanted);
        if let Some(text) = value.map(Value::to_text_lossy) {
            let Ok(count) = text.parse::<usize>() else {
                return Err(cx.misuse(2, format_args!("invalid context length '{text}'")));
            };
            context = Some(context.map_or(count, |before: usize| before.max(count)));
        }
    }
    let style = if args.has("brief") { Style::Brief } else { style.unwrap_or(Style::Normal) };
    let context = match style {
        Style::Unified | Style::Context => context.unwrap_or(3),
        _ => 0,
    };
    Ok((style, context))
}

fn blanks(args: &Args) -> Blanks {
    let (tabs, trailing) = (args.has("ignore-tab-expansion"), args.has("ignore-trailing-space"));
    if args.has("ignore-all-space") {
        Blanks::Ignored
    } else if args.has("ignore-space-change") {
        Blanks::AnyAmount
    } else if tabs {
        Blanks::TabsExpand { trailing }
    } else if trailing {
        Blanks::NotTrailing
    } else {
        Blanks::Count
    }
}

fn regex(cx: &mut ExecContext, text: &str) -> Result<Regex, Stop> {
    Regex::new(text, Syntax::new(Dialect::Basic))
        .map_err(|error| cx.fail(2, format_args!("{text}: {error}")))
}

fn regexes(cx: &mut ExecContext, args: &Args, key: &str) -> Result<Vec<Regex>, Stop> {
    args.values(key).map(|value| regex(cx, &value.to_text_lossy())).collect()
}

fn function(cx: &mut ExecContext, args: &Args) -> Result<Option<Regex>, Stop> {
    match args.text("show-function-line") {
        Some(text) => regex(cx, &text).map(Some),
        None if args.has("show-c-function") => regex(cx, "^[[:alpha:]$_]").map(Some),
        None => Ok(None),
    }
}

fn color(cx: &mut ExecContext, args: &Args) -> Result<bool, Stop> {
    match (args.has("color"), args.text("color").as_deref()) {
        (false, _) | (_, Some("never")) => Ok(false),
        (_, Some("always")) => Ok(true),
        (_, None | Some("auto")) => Ok(cx.streams.fds.stdout().is_terminal()),
        (_, Some(other)) => Err(cx.misuse(2, format_args!("invalid color '{other}'"))),
    }
}

fn tree(args: &Args) -> Tree {
    let new_file = args.has("new-file");
    Tree {
        recursive: args.has("recursive"),
        new_file: (new_file || args.has("unidirectional-new-file"), new_file),
        follows: !args.has("no-dereference"),
        excluded: args.values("exclude").map(|text| Glob::parse(&text.to_text_lossy())).collect(),
        starts_at: args.text("starting-file"),
    }
}

/// The options as words; letters that follow each other share one.
fn switches(args: &Args) -> String {
    let mut text = String::new();
    let mut in_cluster = false;
    for (key, value) in args.given() {
        let option = super::SPEC.options.iter().find(|option| option.is_key(key));
        let letter = option.map(|option| option.letter).filter(|letter| *letter != '\0');
        match (letter, value.map(Value::to_text_lossy)) {
            (Some(letter), None) if in_cluster => text.push(letter),
            (Some(letter), None) => {
                text.push_str(&format!(" -{letter}"));
            }
            (Some(letter), Some(value)) if value.bytes().all(|byte| byte.is_ascii_digit()) => {
                text.push_str(&format!(" -{letter}{value}"));
            }
            (Some(letter), Some(value)) => {
                text.push_str(&format!(" -{letter} {}", as_word(&value)));
            }
            (None, Some(value)) => text.push_str(&format!(" --{key}={}", as_word(&value))),
            (None, None) => text.push_str(&format!(" --{key}")),
        }
        in_cluster = letter.is_some() && value.is_none();
    }
    text
}
