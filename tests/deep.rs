//! Deep and large programs on a small stack, a stand-in for that of wasm: they end, with a message.

#![expect(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

mod support;

use std::fmt::Write as _;

/// Frames of a build without optimisation take several times the room.
const STACK: usize = if cfg!(debug_assertions) { 8 << 20 } else { 512 << 10 };

/// Runs a program on the small stack; its status, output and errors.
fn run(name: &str, recursion: usize, script: String) -> (u8, String, String) {
    let thread = std::thread::Builder::new().stack_size(STACK).name(name.into());
    let run = move || {
        let result = support::run_limited(&script, &[], Vec::new(), |limits| {
            limits.recursion = recursion;
        });
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (result.code, text(&result.stdout), text(&result.stderr))
    };
    thread.spawn(run).unwrap().join().unwrap()
}

#[track_caller]
fn check(name: &str, script: String, expect: &str) {
    let (code, out, err) = run(name, 20_000, script);
    let tail: String = err.chars().take(600).collect();
    let start: String = out.chars().take(200).collect();
    assert!(code == 0 && out == expect, "{name}: status {code}: {start:?} {tail}");
}

#[track_caller]
fn refuse(name: &str, script: String, message: &str) {
    let (code, _, err) = run(name, 20_000, script);
    let tail: String = err.chars().take(600).collect();
    assert!(code != 0 && err.contains(message), "{name}: status {code}: {tail}");
}

/// `open` and `close` around `inner`, so many times.
fn nest(levels: usize, open: &str, inner: &str, close: &str) -> String {
    format!("{}{inner}{}", open.repeat(levels), close.repeat(levels))
}

#[test]
fn calls() {
    let count = "f() { if (( $1 > 0 )); then f $(( $1 - 1 )); else echo end; fi; }; f 10000";
    check("functions", count.into(), "end\n");
    let ways = "f() { case $1 in 0) echo end;; *) for i in 1; do { while f $(( $1 - 1 )); do break; done; }; done;; esac; }; f 5000";
    check("functions in compounds", ways.into(), "end\n");
    check(
        "subshells",
        "f() { if (( $1 > 0 )); then ( f $(( $1 - 1 )) ); else echo end; fi; }; f 5000".into(),
        "end\n",
    );
    let fib =
        "f() { if (( $1 > 0 )); then echo $(f $(( $1 - 1 )))x; fi; }; x=$(f 3000); echo ${#x}";
    check("substitutions", fib.into(), "3000\n");
    let source = "echo '(( n++ < 3000 )) && . ./again' > again; n=0; . ./again; echo $n";
    check("sourced files", source.into(), "3001\n");
    let ended = "f() { f; }; f; echo $?";
    let (code, out, err) = run("the limit", 1000, ended.into());
    assert!(err.contains("maximum recursion depth"), "{code} {out} {err}");
    let (_, _, err) = run("the limit of sh", 1000, "echo 'sh ./again' > again; sh ./again".into());
    assert!(err.contains("maximum recursion depth"), "{err}");
    let (_, _, err) = run("pipes", 1000, "f() { f | cat; }; f".into());
    assert!(err.contains("maximum recursion depth"), "{err}");
    let (_, _, err) = run("jobs", 1000, "f() { f & wait; }; f".into());
    assert!(err.contains("limit") || err.contains("maximum"), "{err}");
}

/// Every kind of nesting: at 180 levels it runs, at 250 and at 100,000 it is refused.
#[test]
fn nesting() {
    let kinds: [(&str, &str, &str, &str, &str); 20] = [
        ("groups", "{ ", "echo ok", "; }", "ok\n"),
        ("subshells", "( ", "echo ok", " )", "ok\n"),
        ("substitutions", "echo $(", "echo ok", ")", "ok\n"),
        ("quoted substitutions", "echo \"$(", "echo ok", ")\"", "ok\n"),
        ("if", "if true; then ", "echo ok", "; fi", "ok\n"),
        ("elif", "if false; then :; elif true; then ", "echo ok", "; fi", "ok\n"),
        ("if in conditions", "if ", "echo ok", "; then :; fi", "ok\n"),
        ("for", "for i in 1; do ", "echo ok", "; done", "ok\n"),
        ("until", "until ", "echo ok", "; do :; done", "ok\n"),
        ("case", "case x in x) ", "echo ok", ";; esac", "ok\n"),
        ("functions", "f() { ", "echo ok", "; }; f", "ok\n"),
        ("negation and groups", "! { ! ", "echo ok", "; }", "ok\n"),
        ("defaults", "echo ${x:-", "ok", "}", ""),
        ("quoted defaults", "echo \"${x:-", "ok", "}\"", ""),
        ("conditions", "[[ ", "ok", " ]]", ""),
        ("arithmetic", "echo $((", "7", "))", ""),
        ("lists", "x=", "1", "", ""),
        ("records", "x=", "1", "", ""),
        ("braces", "echo ", "a", "", ""),
        ("subscripts", "echo ", "a", "", ""),
    ];
    for (name, open, inner, close, expect) in kinds {
        let build = |levels: usize| match name {
            "defaults" => format!("echo {}", nest(levels, "${x:-", "ok", "}")),
            "quoted defaults" => format!("echo \"{}\"", nest(levels, "${x:-", "ok", "}")),
            "conditions" => format!("[[ {} ]] && echo ok", nest(levels, "( ", "ok", " )")),
            "arithmetic" => format!("echo $(({}))", nest(levels, "(", "7", ")")),
            "lists" => format!("x={}; echo ok", nest(levels, "[", "1", "]")),
            "records" => format!("x={}; echo ok", nest(levels, "{k: ", "1", "}")),
            "braces" => format!("echo {} | wc -w", nest(levels, "{", "a", ",b}")),
            "subscripts" => {
                format!("a=[0]; echo $(({}))", nest(levels, "a[", "0", "]"))
            }
            _ => nest(levels, open, inner, close),
        };
        let expect = match name {
            "arithmetic" => "7\n".to_owned(),
            "braces" => "181\n".to_owned(),
            "subscripts" => "0\n".to_owned(),
            _ if expect.is_empty() => "ok\n".to_owned(),
            _ => expect.to_owned(),
        };
        // A text in quotes is a level of its own.
        let levels = if name.starts_with("quoted") { 95 } else { 180 };
        check(name, build(levels), &expect);
        if name == "arithmetic" {
            // Read and run without recursion.
            check(name, build(100_000), &expect);
            continue;
        }
        refuse(name, build(250), "nest");
        refuse(name, build(100_000), "nest");
    }
}

#[test]
fn programs_of_tools() {
    let deep = |levels, open: &str, inner: &str, close: &str| nest(levels, open, inner, close);
    check(
        "a regular expression",
        format!("echo aaa | grep -cE '{}'", deep(150, "(", "a", ")")),
        "1\n",
    );
    check("sed groups", format!("echo a | sed '{}'", deep(150, "{", "s/a/b/", "}")), "b\n");
    check("awk parentheses", format!("awk 'BEGIN {{ print {} }}'", deep(50, "(", "7", ")")), "7\n");
    check("awk blocks", format!("awk 'BEGIN {}'", deep(50, "{", "print 7", "}")), "7\n");
    check("JSON", format!("x=$(fromjson '{}'); echo ${{#x}}", deep(900, "[", "1", "]")), "1\n");
    let tests: [(&str, &str, &str, &str, &str); 4] = [
        ("a regular expression", "grep -E '", "(", "a", ")"),
        ("a basic regular expression", "grep '", "\\(", "a", "\\)"),
        ("awk parentheses", "awk 'BEGIN {print ", "(", "1", ")"),
        ("JSON", "fromjson '", "[", "1", "]"),
    ];
    for (name, before, open, inner, close) in tests {
        let after = if name == "awk parentheses" { "}" } else { "" };
        let script = format!("{before}{}{after}'", deep(100_000, open, inner, close));
        refuse(name, script, "");
    }
    let functions = "function f(n) { return n == 0 ? 0 : 1 + f(n - 1) }";
    let (code, out, err) =
        run("awk calls", 1000, format!("awk '{functions} BEGIN {{ print f(100000) }}'"));
    assert!(code != 0 || out == "100000\n", "{code} {out} {err}");
    let names = format!("[[ x =~ {} ]]; echo $?", deep(100_000, "(", "x", ")"));
    refuse("a regular expression in a condition", names, "");
    check("let", format!("let 'x={}'; echo $x", deep(100_000, "(", "1", ")")), "1\n");
    refuse("find", format!("find . {}; exit $?", deep(100_000, "'(' ", "-true", " ')'")), "");
    refuse("expr", format!("expr {}; exit $?", deep(100_000, "'(' ", "1", " ')'")), "");
}

/// Values nest up to a limit however they are made.
#[test]
fn values() {
    let message = "nests deeper than 1000 levels";
    refuse("a list in itself", "x=1; for i in {1..2000}; do x=[$x]; done".into(), message);
    refuse("a record in itself", "x=1; for i in {1..2000}; do x={k: $x}; done".into(), message);
    refuse("an element", "x=[1]; for i in {1..2000}; do x[0]=$x; done".into(), message);
    refuse("a key", "x={}; for i in {1..2000}; do x[k]=$x; done".into(), message);
    refuse(
        "push",
        "x=[]; for i in {1..2000}; do y=[]; push y $x || exit; x=$y; done".into(),
        message,
    );
    let twice = "x=[a]; for i in {1..100}; do x=[$x $x]; done";
    refuse("doubling", twice.into(), "holds too many");
    let uses = "x=1; y=1; for i in {1..990}; do x=[$x]; y=[$y]; done; [[ $x == $y ]] && echo same; echo \"${#x} $(tojson $x | wc -c)\"; z=\"$x\"; w=$(fromjson \"$z\"); [[ $w == $x ]] && echo read";
    check("deep values are compared and printed", uses.into(), "same\n1 1982\nread\n");
}

#[test]
fn large() {
    let mut script = String::with_capacity(11 << 20);
    while script.len() < 10 << 20 {
        script.push_str("x=$((x + 1)); [[ $x -gt 0 ]] || echo never # a comment\n");
    }
    script.push_str("echo $x\n");
    let lines = script.lines().count() - 1;
    check("a script of 10 MB", script, &format!("{lines}\n"));
    let word = "a".repeat(5 << 20);
    check(
        "a word of 5 MB",
        format!("x={word}; echo ${{#x}}; echo \"$x\" | wc -c"),
        "5242880\n5242881\n",
    );
    check("a quoted word of 5 MB", format!("x='{word}'; echo ${{#x}}"), "5242880\n");
    check("a here-document of 5 MB", format!("wc -c <<EOF\n{word}\nEOF\n"), "5242881\n");
    let mut stages = String::from("echo ok");
    for _ in 0..200 {
        stages.push_str(" | cat");
    }
    check("a pipeline of 200 stages", stages, "ok\n");
    let mut list = String::from("true");
    for _ in 0..50_000 {
        list.push_str(" && true");
    }
    check("an and-or list of 50,000", format!("{list} && echo ok"), "ok\n");
    let sum = vec!["1"; 50_000].join(" + ");
    check("a sum of 50,000", format!("echo $(({sum}))"), "50000\n");
    let unary = "- ".repeat(100_000);
    check("100,000 signs", format!("echo $(({unary} 1))"), "1\n");
    let mut arms = String::from("if false; then :");
    for i in 0..20_000 {
        let _ = write!(arms, "; elif [[ {i} == 19999 ]]; then echo ok");
    }
    check("20,000 arms", format!("{arms}; fi"), "ok\n");
    let words = "a ".repeat(200_000);
    check("200,000 words", format!("set -- {words}; echo $#"), "200000\n");
}
