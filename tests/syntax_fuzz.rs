//! The scripts of the corpus and seeded mutations of them: no panic, no hang, every place on a
//! character, and what is printed reads back the same.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops where it cannot go on"
)]
#![expect(clippy::string_slice, reason = "a test stops where it cannot go on")]
#![expect(clippy::disallowed_types, clippy::disallowed_methods, reason = "files and the clock")]

#[path = "support/corpus.rs"]
mod corpus;
#[allow(dead_code, reason = "shared by test programs of which each uses a part")]
mod support;

use std::time::{Duration, Instant};

use support::decode_base64;
use tabsh::env::Session;
use tabsh::syntax::{Source, highlight, parse, print, render};
use tabsh::tool::Registry;
use tabsh::validate::{Facts, check, plan};

fn scripts() -> Vec<String> {
    let root = std::path::PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases"));
    let mut scripts = Vec::new();
    for room in std::fs::read_dir(root).unwrap().flatten().filter(|room| room.path().is_dir()) {
        for file in std::fs::read_dir(room.path()).unwrap().flatten() {
            let text = std::fs::read_to_string(file.path()).unwrap();
            scripts.extend(corpus::read(&text).into_iter().map(|case| case.script));
        }
    }
    scripts.sort();
    scripts.dedup();
    scripts
}

/// The tree without its places.
fn shape(text: &str) -> String {
    let tree = format!("{:?}", parse(text).script);
    let mut shape = String::new();
    let mut rest = tree.as_str();
    while let Some(at) = rest.find("Span { ") {
        shape.push_str(&rest[..at]);
        let end = rest[at..].find('}').unwrap();
        rest = &rest[at + end + 1..];
    }
    shape.push_str(rest);
    let lines: Vec<_> = shape.split("line: ").collect();
    lines.iter().map(|part| part.trim_start_matches(|c: char| c.is_ascii_digit())).collect()
}

fn hold(text: &str, registry: &Registry) {
    let start = Instant::now();
    let session = Session::default();
    let facts = Facts { session: &session, registry, sourced: false };
    let checked = check(text, &facts);
    highlight(text);
    let source = Source::new("x", text);
    for issue in &checked.issues {
        let span = issue.span;
        let sound =
            text.is_char_boundary(span.start as usize) && text.is_char_boundary(span.end as usize);
        assert!(sound && span.start <= span.end, "{text:?}: {issue:?}");
        render(&source, issue);
    }
    let parsed = parse(text);
    if !parsed.has_errors() {
        plan(&parsed.script, text, &facts);
        let printed = print(&parsed.script);
        let again = parse(&printed);
        assert!(!again.has_errors(), "{text:?} prints as {printed:?}: {:?}", again.diagnostics);
        assert_eq!(shape(text), shape(&printed), "{text:?} prints as {printed:?}");
    }
    assert!(start.elapsed() < Duration::from_secs(5), "slow: {text:?}");
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % n.max(1) as u64).unwrap()
    }
}

/// Pieces put into a script.
const PIECES: &[&str] = &[
    "$", "{", "}", "(", ")", "[", "]", "[[", "((", "'", "\"", "\\", "`", "\n", ";", ";;", "&", "|",
    "<", ">", "<<E", "#", "!", "*", "~", "=", "${x", "$(", "...$x", "é", "\u{a0}", "if ", "then ",
    "fi", "do ", "done", "esac", " } ", "x=[", "x={", "x=(", "{1..$n}", "[ $a=b ]", "\r\n", "\t",
];

/// A script with a few changes; the same for the same seed.
fn mutated(script: &str, other: &str, random: &mut Random) -> String {
    let mut chars: Vec<char> = script.chars().collect();
    for _ in 0..=random.below(3) {
        let at = random.below(chars.len() + 1);
        let end = (at + random.below(12)).min(chars.len());
        match random.below(5) {
            0 => drop(chars.splice(at..at, PIECES[random.below(PIECES.len())].chars())),
            1 => drop(chars.drain(at..end)),
            2 => chars.truncate(at),
            3 => {
                let copy = chars[at..end].to_vec();
                let to = random.below(chars.len() + 1);
                chars.splice(to..to, copy);
            }
            _ => {
                let piece: Vec<char> = other.chars().collect();
                let from = random.below(piece.len());
                let to = (from + random.below(40)).min(piece.len());
                chars.splice(at..at, piece[from..to].iter().copied());
            }
        }
    }
    chars.into_iter().collect()
}

#[test]
fn corpus_scripts() {
    let registry = Registry::new(tabsh::builtins::ALL);
    let scripts = scripts();
    assert!(scripts.len() > 1500, "only {} scripts", scripts.len());
    for script in scripts.iter().filter(|script| script.len() < 5000) {
        hold(script, &registry);
    }
}

#[test]
fn mutated_scripts() {
    let registry = Registry::new(tabsh::builtins::ALL);
    let scripts = scripts();
    let mut random = Random(0x5eed);
    let rounds = std::env::var("FUZZ_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(2);
    for _ in 0..rounds {
        for script in scripts.iter().filter(|script| script.len() < 3000) {
            let other = &scripts[random.below(scripts.len())];
            hold(&mutated(script, other, &mut random), &registry);
        }
    }
}
