//! Random programs: no panic, every place on a character, and printing that reads back the same.

use crate::syntax::{Source, highlight, parse, print, render};

/// Programs to start from.
const SEEDS: &str = include_str!("seeds.txt");

/// Pieces that programs are made of.
const TOKENS: [&str; 96] = [
    "$",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "[[",
    "]]",
    "((",
    "))",
    "$((",
    "$(",
    "${",
    "'",
    "\"",
    "\\",
    "`",
    "\n",
    " ",
    ";",
    ";;",
    "&",
    "&&",
    "|",
    "||",
    "|&",
    "<",
    ">",
    "<<",
    "<<EOF",
    "\nEOF\n",
    "<<-'X'",
    "\nX\n",
    "<<<",
    ">&",
    "2>&1",
    "#",
    "!",
    "*",
    "?",
    "~",
    "=",
    "+=",
    ":",
    ",",
    "..",
    "...",
    "...$x",
    "a",
    "b",
    "x",
    "é",
    "😺",
    "1",
    "07",
    "-",
    "--",
    "++",
    "+",
    "/",
    "%",
    "^",
    "@",
    "if ",
    "then ",
    "else ",
    "fi ",
    "for ",
    "in ",
    "do ",
    "done ",
    "while ",
    "case ",
    "esac ",
    "function ",
    "f() ",
    "{ ",
    "; }",
    "time ",
    "! ",
    "export ",
    "let ",
    "x=",
    "x=[",
    "x={",
    "x=(",
    "$x",
    ":-",
    "\r\n",
    "$'",
    "{a,b}",
    "[a-z]",
    "=~ ",
    "\u{a0}",
    "\u{200b}",
];

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % n as u64).unwrap()
    }
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

fn check(text: &str) {
    let parsed = parse(text);
    highlight(text);
    let source = Source::new("x", text);
    for diagnostic in &parsed.diagnostics {
        let span = diagnostic.span;
        assert!(
            text.is_char_boundary(span.start as usize) && text.is_char_boundary(span.end as usize),
            "{text:?}"
        );
        render(&source, diagnostic);
    }
    if !parsed.has_errors() {
        let printed = print(&parsed.script);
        assert!(
            !parse(&printed).has_errors(),
            "{text:?} prints as {printed:?}: {:?}",
            parse(&printed).diagnostics
        );
        assert_eq!(shape(text), shape(&printed), "{text:?} prints as {printed:?}");
    }
}

fn seeds() -> Vec<&'static str> {
    SEEDS.split("\n%\n").collect()
}

#[test]
fn seeds_parse_and_print() {
    for seed in seeds() {
        assert!(!parse(seed).has_errors(), "{seed}: {:?}", parse(seed).diagnostics);
        check(seed);
    }
}

#[test]
fn cut_anywhere() {
    for seed in seeds() {
        for (at, _) in seed.char_indices() {
            check(&seed[..at]);
            check(&seed[at..]);
        }
    }
}

#[test]
fn random_tokens() {
    let mut random = Random(7);
    for _ in 0..4000 {
        let n = random.below(14) + 1;
        let text: String = (0..n).map(|_| TOKENS[random.below(TOKENS.len())]).collect();
        check(&text);
    }
}

#[test]
fn random_bytes() {
    let mut random = Random(11);
    for _ in 0..3000 {
        let n = random.below(40);
        let bytes: Vec<u8> = (0..n).map(|_| u8::try_from(random.below(256)).unwrap()).collect();
        check(&String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn mutations() {
    let mut random = Random(13);
    let seeds = seeds();
    for _ in 0..2500 {
        let mut chars: Vec<char> = seeds[random.below(seeds.len())].chars().collect();
        for _ in 0..=random.below(4) {
            let at = random.below(chars.len() + 1);
            let end = (at + random.below(8)).min(chars.len());
            match random.below(3) {
                0 => drop(chars.splice(at..at, TOKENS[random.below(TOKENS.len())].chars())),
                1 => drop(chars.drain(at..end)),
                _ => {
                    let copy = chars[at..end].to_vec();
                    let to = random.below(chars.len() + 1);
                    chars.splice(to..to, copy);
                }
            }
        }
        check(&chars.into_iter().collect::<String>());
    }
}

/// Texts of many pieces: time must stay linear, which a debug build shows in seconds.
#[test]
fn long_texts() {
    let n = 20_000;
    for piece in [
        "[",
        "{a}",
        "{",
        "*",
        "\\a",
        "$x",
        "\"a\" ",
        "a;",
        "a|",
        "a&&",
        "x[a b\n",
        "((",
        "$((",
        "${x[",
        "`",
        "\"",
        "'",
        "a=b ",
        "cat <<E\n$x\nE\n",
        "<<E ",
        "echo )\n",
        "# c\n",
        "\\\n",
        "...$x ",
        "x={a: 1}\n",
        "é",
        "\r",
    ] {
        let text = piece.repeat(n);
        parse(&text);
        parse(&format!("echo {text}"));
    }
}
