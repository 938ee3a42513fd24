//! `getopts`: the next option among the words of a call.

use super::variables::{assign, check_name};
use crate::tool::{
    Args, Binding, Builtin, Completes, Example, ExecContext, Outcome, Reply, Run, Spec, Stop, Topic,
};
use crate::value::{EcoString, Value};

/// `getopts`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Now(run) };

const SPEC: Spec = Spec {
    name: "getopts",
    about: "get the next option of a call",
    topic: Topic::Shell,
    operands: "LETTERS NAME [WORD]...",
    completes: Completes::Nothing,
    binding: Binding::Leading,
    notes: "Sets NAME to the letter, OPTARG to the value of a letter with a colon after it, OPTIND to the\n\
            next word. Without WORD, takes $1, $2, …  A colon before LETTERS leaves errors to the script.",
    examples: &[Example {
        script: "set -- -a -b v x; while getopts ab: o; do echo $o${OPTARG:-}; done; echo $OPTIND",
        output: "a\nbv\n4\n",
    }],
    ..Spec::DEFAULT
};

/// Where the search stands: the word, from 1, and the letter in it.
struct Place {
    word: usize,
    letter: usize,
}

fn run(cx: &mut ExecContext, args: &Args) -> Outcome {
    let mut operands = args.operand_texts().into_iter();
    let (Some(letters), Some(name)) = (operands.next(), operands.next()) else {
        return Err(cx.fail(2, "usage: getopts LETTERS NAME [WORD]..."));
    };
    check_name(cx, &name)?;
    let mut words: Vec<EcoString> = operands.collect();
    if args.operands.len() <= 2 {
        let scope = cx.session.scope.borrow();
        words = scope.positional().iter().map(Value::to_text_lossy).collect();
    }
    let mut place = place(cx);
    let Some(letter) = next_letter(&words, &mut place) else {
        store(cx, &place)?;
        unset_value(cx);
        assign(cx, &name, Value::text("?"))?;
        return Reply::status(1);
    };
    let quiet = letters.starts_with(':');
    let (letter, value) = match find(&letters, letter) {
        None => complaint(cx, quiet, '?', letter, "illegal option"),
        Some(false) => (letter, None),
        Some(true) => match take_value(&words, &mut place) {
            Some(value) => (letter, Some(value)),
            None => complaint(cx, quiet, ':', letter, "option requires an argument"),
        },
    };
    store(cx, &place)?;
    match value {
        Some(value) => assign(cx, "OPTARG", Value::Text(value))?,
        None => unset_value(cx),
    }
    assign(cx, &name, Value::text(letter))?;
    Reply::status(0)
}

/// Where the last call left off; a script that sets OPTIND starts a word anew.
fn place(cx: &ExecContext) -> Place {
    let index = cx.session.scope.borrow().get("OPTIND").map(Value::to_text_lossy);
    let word = index.and_then(|text| text.parse().ok()).unwrap_or(1).max(1);
    let (known, letter) = cx.session.last.getopts.get();
    Place { word, letter: if known == word { letter } else { 0 } }
}

fn store(cx: &mut ExecContext, place: &Place) -> Result<(), Stop> {
    cx.session.last.getopts.set((place.word, place.letter));
    let index = i64::try_from(place.word).unwrap_or(i64::MAX);
    assign(cx, "OPTIND", Value::int(index))
}

fn unset_value(cx: &ExecContext) {
    // A readonly OPTARG keeps what it has.
    let _ = cx.session.scope.borrow_mut().unset("OPTARG");
}

/// The letter at the place, which moves past it; `None` where options end.
fn next_letter(words: &[EcoString], place: &mut Place) -> Option<char> {
    let word = words.get(place.word - 1)?;
    if place.letter == 0 {
        if word == "--" {
            place.word += 1;
            return None;
        }
        if word.len() < 2 || !word.starts_with('-') {
            return None;
        }
        place.letter = 1;
    }
    let rest = word.get(place.letter..)?;
    let letter = rest.chars().next()?;
    place.letter += letter.len_utf8();
    if place.letter >= word.len() {
        *place = Place { word: place.word + 1, letter: 0 };
    }
    Some(letter)
}

/// What follows in the same word, or the next word.
fn take_value(words: &[EcoString], place: &mut Place) -> Option<EcoString> {
    let word = words.get(place.word - 1)?;
    let value = word.get(place.letter..).unwrap_or_default().into();
    *place = Place { word: place.word + 1, letter: 0 };
    Some(value)
}

/// Whether the letter is one of `letters`, and whether it takes a value.
fn find(letters: &str, letter: char) -> Option<bool> {
    if letter == ':' {
        return None;
    }
    let at = letters.char_indices().skip_while(|(at, c)| *at == 0 && *c == ':');
    let (at, _) = at.into_iter().find(|(_, c)| *c == letter)?;
    Some(letters.get(at + letter.len_utf8()..).is_some_and(|rest| rest.starts_with(':')))
}

/// An error: told to the person, or with a leading colon to the script.
fn complaint(
    cx: &mut ExecContext,
    quiet: bool,
    kind: char,
    letter: char,
    what: &str,
) -> (char, Option<EcoString>) {
    if quiet {
        return (kind, Some(letter.into()));
    }
    let name = cx.session.scope.borrow().script_name().clone();
    let name = if name.is_empty() { EcoString::from("tabsh") } else { name };
    cx.streams.err.extend_from_slice(format!("{name}: {what} -- {letter}\n").as_bytes());
    ('?', None)
}
