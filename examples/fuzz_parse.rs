//! ad hoc
use std::io::Read;
use tabsh::syntax::{highlight, parse, print};
struct R(u64);
impl R {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
}
fn strip(s: &str) -> String {
    // remove Span { start: N, end: N } and line: N
    let mut out = String::with_capacity(s.len());
    let mut rest = s;
    while let Some(i) = rest.find("Span { ") {
        out.push_str(&rest[..i]);
        let j = rest[i..].find('}').unwrap();
        rest = &rest[i + j + 1..];
    }
    out.push_str(rest);
    let mut o2 = String::new();
    let mut rest = out.as_str();
    while let Some(i) = rest.find("line: ") {
        o2.push_str(&rest[..i]);
        let t = &rest[i + 6..];
        let n = t.bytes().take_while(u8::is_ascii_digit).count();
        rest = &t[n..];
    }
    o2.push_str(rest);
    o2
}
fn check(text: &str) -> bool {
    let p = parse(text);
    let _ = highlight(text);
    for d in &p.diagnostics {
        let s = tabsh::syntax::Source::new("x", text);
        let _ = tabsh::syntax::render(&s, d);
        assert!(
            text.is_char_boundary(d.span.start as usize)
                && text.is_char_boundary(d.span.end as usize),
            "{text:?} {d:?}"
        );
    }
    if p.has_errors() {
        return false;
    }
    let printed = print(&p.script);
    let q = parse(&printed);
    let a = strip(&format!("{:?}", p.script));
    let b = strip(&format!("{:?}", q.script));
    if a != b || q.has_errors() {
        println!("UNSTABLE\n--- {text:?}\n--- {printed:?}\n--- {a}\n--- {b}\n{:?}", q.diagnostics);
        std::process::exit(1);
    }
    true
}
fn main() {
    let mut s = String::new();
    std::io::stdin().read_to_string(&mut s).unwrap();
    let n: usize = std::env::args().nth(1).unwrap().parse().unwrap();
    let seed: u64 = std::env::args().nth(2).unwrap().parse().unwrap();
    let scripts: Vec<String> = s
        .lines()
        .map(|l| {
            let v: serde_json::Value = serde_json::from_str(l).unwrap();
            v["script"].as_str().unwrap().to_string()
        })
        .collect();
    for s in &scripts {
        check(s);
    }
    let toks = [
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
        "elif ",
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
        "declare -A ",
        "let ",
        "x=",
        "x=[",
        "x={",
        "x=(",
        "$x",
        "${x",
        ":-",
        "\r\n",
        "\t",
        "$'",
        "\\n",
        "\\u00e9",
        "{a,b}",
        "{1..3}",
        "[a-z]",
        "=~ ",
        "== ",
        "not in ",
        "-f ",
        "\u{a0}",
        "\u{200b}",
        "“",
        "\r",
        "\0",
    ];
    let mut r = R(seed * 7919 + 1);
    let mut good = 0;
    for i in 0..n {
        let mut text = String::new();
        match r.below(3) {
            0 => {
                for _ in 0..r.below(14) + 1 {
                    text.push_str(toks[r.below(toks.len())]);
                }
            }
            _ => {
                let base = &scripts[r.below(scripts.len())];
                let mut chars: Vec<char> = base.chars().collect();
                for _ in 0..r.below(4) + 1 {
                    let at = r.below(chars.len() + 1);
                    match r.below(4) {
                        0 => {
                            let t: Vec<char> = toks[r.below(toks.len())].chars().collect();
                            chars.splice(at..at, t);
                        }
                        1 => {
                            let e = (at + r.below(6)).min(chars.len());
                            chars.drain(at..e);
                        }
                        2 => {
                            let o = &scripts[r.below(scripts.len())];
                            let oc: Vec<char> = o.chars().collect();
                            let s0 = r.below(oc.len() + 1);
                            let e0 = (s0 + r.below(20)).min(oc.len());
                            chars.splice(at..at, oc[s0..e0].to_vec());
                        }
                        _ => {
                            let e = (at + r.below(12)).min(chars.len());
                            let c = chars[at..e].to_vec();
                            let to = r.below(chars.len() + 1);
                            chars.splice(to..to, c);
                        }
                    }
                }
                text = chars.into_iter().collect();
            }
        }
        if std::env::var("SHOW").is_ok() {
            println!("{i} {text:?}");
        }
        let t = std::time::Instant::now();
        if check(&text) {
            good += 1;
        }
        if t.elapsed().as_millis() > 500 {
            println!("SLOW {text:?}");
        }
    }
    println!("{good} of {n} well-formed");
}
