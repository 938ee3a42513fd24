//! The options of `sort` in, what to do and by which keys out.

use super::super::input;
use super::keys::{Key, Kind, Order, parse_key};
use crate::tool::Args;
use crate::value::EcoString;

/// What is to be done.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Mode {
    Sort,
    Merge,
    Check,
    CheckSilently,
}

/// The options of a call.
pub(super) struct Options {
    pub(super) mode: Mode,
    pub(super) unique: bool,
    pub(super) stable: bool,
    /// Whether lines with equal keys are reversed too.
    pub(super) reverse: bool,
    pub(super) line_end: u8,
    pub(super) separator: Option<u8>,
    /// At least one.
    pub(super) keys: Vec<Key>,
    pub(super) output: Option<EcoString>,
    pub(super) seed: u64,
}

/// Option keys and the letters they have in a key.
const LETTERS: [(&str, u8); 11] = [
    ("ignore-leading-blanks", b'b'),
    ("dictionary-order", b'd'),
    ("ignore-case", b'f'),
    ("general-numeric-sort", b'g'),
    ("human-numeric-sort", b'h'),
    ("ignore-nonprinting", b'i'),
    ("month-sort", b'M'),
    ("numeric-sort", b'n'),
    ("random-sort", b'R'),
    ("version-sort", b'V'),
    ("reverse", b'r'),
];

impl Options {
    /// Reads the options; the error is the exit status and the message.
    pub(super) fn new(args: &Args, seed: u64) -> Result<Self, (u8, String)> {
        let mode = mode(args).map_err(|message| (1, message))?;
        let mut global = Order::default();
        for value in args.values("sort") {
            let letter = sort_word(&value.to_text_lossy()).map_err(|message| (1, message))?;
            global.set(letter).map_err(|message| (2, message))?;
        }
        Self::with_keys(args, mode, global, seed).map_err(|message| (2, message))
    }

    fn with_keys(args: &Args, mode: Mode, mut global: Order, seed: u64) -> Result<Self, String> {
        for (key, _) in args.given() {
            if let Some((_, letter)) = LETTERS.iter().find(|(long, _)| *long == key) {
                global.set(*letter)?;
            }
        }
        let mut keys = Vec::new();
        for value in args.values("key") {
            let mut key = parse_key(&value.to_text_lossy())?;
            key.inherit(global);
            key.order.check()?;
            keys.push(key);
        }
        global.check()?;
        let unique = args.has("unique");
        let by_whole_line = keys.is_empty();
        if by_whole_line {
            keys.push(Key::whole_line(global));
        }
        // Where whole lines are compared by all their bytes, equal means identical.
        let decided = by_whole_line && global.kind == Kind::Text && !global.drops_anything();
        Ok(Self {
            mode,
            unique,
            stable: args.has("stable") || unique || decided,
            reverse: global.reverse,
            line_end: input::delimiter(args),
            separator: separator(args)?,
            keys,
            output: args.text("output"),
            seed,
        })
    }
}

fn sort_word(word: &str) -> Result<u8, String> {
    let words = ["general-numeric", "human-numeric", "month", "numeric", "random", "version"];
    let letters = b"ghMnRV";
    let found =
        words.iter().zip(letters).find(|(full, _)| !word.is_empty() && full.starts_with(word));
    found
        .map(|(_, letter)| *letter)
        .ok_or_else(|| format!("invalid argument '{word}' for '--sort'"))
}

fn mode(args: &Args) -> Result<Mode, String> {
    let quiet = match args.text("check").as_deref() {
        Some("quiet" | "silent") => true,
        None | Some("diagnose-first") => false,
        Some(other) => return Err(format!("invalid argument '{other}' for '--check'")),
    };
    Ok(match args.last_of(&["c", "check", "C"]) {
        Some("c") => Mode::Check,
        Some("check") if !quiet => Mode::Check,
        Some(_) => Mode::CheckSilently,
        None if args.has("merge") => Mode::Merge,
        None => Mode::Sort,
    })
}

fn separator(args: &Args) -> Result<Option<u8>, String> {
    let Some(text) = args.text("field-separator") else { return Ok(None) };
    match text.as_bytes() {
        [] => Err("empty tab".into()),
        [byte] => Ok(Some(*byte)),
        b"\\0" => Ok(Some(0)),
        _ => Err(format!("multi-character tab '{text}'")),
    }
}
