//! Statements, compounds, redirects and here-documents, by what they print as.

use super::notation::first;
use crate::syntax::{Command, Redirect, RedirectKind, parse, print};

fn check(text: &str, expect: &str) {
    let parsed = parse(text);
    assert!(!parsed.has_errors(), "{text:?}: {:?}", parsed.diagnostics);
    assert_eq!(print(&parsed.script), expect, "{text:?}");
}

#[test]
fn lists() {
    check("a; b & c && d || e", "a\nb &\nc && d || e\n");
    check("a |b|& c", "a | b |& c\n");
    check("! a | b; ! ! c; time ! d", "! a | b\nc\n! time d\n");
    check("a &&\n\n# c\nb |\nc", "a && b | c\n");
    check("", "");
    check("\u{feff}# c\r\na b\r\nc\\\r\nd\r\n", "a b\ncd\n");
    check("a\\\n  b", "a b\n");
    check("time", "time \n");
}

#[test]
fn compounds() {
    check(
        "if a; then b; elif c; then d; else e; fi",
        "if\n  a\nthen\n  b\nelif\n  c\nthen\n  d\nelse\n  e\nfi\n",
    );
    check("for x in a $b; do c; done >f", "for x in a ${b}\ndo\n  c\ndone > f\n");
    check("for x; do c; done", "for x\ndo\n  c\ndone\n");
    check("for x in; do c; done", "for x in\ndo\n  c\ndone\n");
    check("for x\nin a\ndo c; done", "for x in a\ndo\n  c\ndone\n");
    check("for ((i=0; i<3; i++)); do a; done", "for ((i=0; i<3; i++))\ndo\n  a\ndone\n");
    check("for ((;;)) do a; done", "for ((;;))\ndo\n  a\ndone\n");
    check(
        "while a; do b; done; until a; do b; done",
        "while\n  a\ndo\n  b\ndone\nuntil\n  a\ndo\n  b\ndone\n",
    );
    check(
        "case $x in a|b) c;; (d) e;& *) ;;& esac",
        "case ${x} in\n(a|b)\n  c\n;;\n(d)\n  e\n;&\n(*)\n;;&\nesac\n",
    );
    check("case x in esac", "case x in\nesac\n");
    check("case x in a) b\nesac", "case x in\n(a)\n  b\n;;\nesac\n");
    check("{ a; } | ( b )", "{\n  a\n} | (\n  b\n)\n");
    check("((x++)); [[ a ]]", "((x++))\n[[ a ]]\n");
    check(
        "f() { a; }; function g { b; }; function h() ( c )",
        "function f {\n  a\n}\nfunction g {\n  b\n}\nfunction h (\n  c\n)\n",
    );
}

#[test]
fn redirects() {
    check(
        "a <b >c >>d 2>e 2>>f &>g &>>h 2>&1 >&2 3<>i >|j",
        "a < b > c >> d 2> e 2>> f &> g &>> h 2>&1 >&2 3<> i >| j\n",
    );
    check("a 3<&- >&- {fd}>x >&log <<<\"s\"", "a 3<&- >&- {fd}> x &> log <<< \"s\"\n");
    check(">f a 2 >g b2>h", "a 2 b2 > f > g > h\n");
    check("> f", "> f\n");
    check(">f if", "> f if\n");
}

#[test]
fn here_documents() {
    check("cat <<A; cat <<B\n1\nA\n2\nB\n", "cat <<A\n1\nA\ncat <<B\n2\nB\n");
    check("cat <<'A' | wc\n$x\\n\nA", "cat <<'A' | wc\n$x\\n\nA\n");
    check("cat <<-A\n\t\tx\n\tA\n", "cat <<-A\nx\nA\n");
    check("x=$(cat <<A\n$y\nA\n)", "x=$(cat <<A\n${y}\nA\n)\n");
    check("cat <<A\n$(cat <<B\nin\nB\n)\nA\n", "cat <<A\n$(cat <<B\nin\nB\n)\nA\n");
    check("if a; then cat <<A; fi\nx\nA\nb", "if\n  a\nthen\n  cat <<A\nx\nA\nfi\nb\n");
    check("cat <<A && b\nA\nc", "cat <<A && b\nA\nc\n");
    check("cat <<A\r\nx\r\nA\r\nb", "cat <<A\nx\nA\nb\n");
    let body = |text: &str| {
        let parsed = parse(text);
        let Command::Simple(simple) = first(&parsed.script) else { panic!() };
        let [Redirect { kind: RedirectKind::HereDocument(document), .. }] =
            simple.redirects.as_slice()
        else {
            panic!()
        };
        super::notation::word(&document.body)
    };
    assert_eq!(
        body("cat <<A\n\\$ \\\\ \\` \\n \\\" \"'\\\nx $y[0]\nA\n"),
        "Q($ \\ ` \\n \\\" \"'x )${y}Q([0]\n)"
    );
    assert_eq!(body("cat <<\\A\n$x\nA\n"), "Q($x\n)");
    assert_eq!(body("cat <<A\nA\n"), "");
    assert_eq!(body("cat <<A\nx\\\nA\nA\n"), "Q(xA\n)");
}
