//! What is rejected, with which words, and what counts as incomplete.

use crate::syntax::{Level, Source, highlight, parse, render};

/// The first error of a text, or warning where it has no errors, as `code|place|message|fix`.
fn check(text: &str, expect: &str) {
    let parsed = parse(text);
    let errors = parsed.diagnostics.iter().filter(|d| d.level == Level::Error);
    let first = errors.chain(&parsed.diagnostics).next();
    let got = first.map_or(String::new(), |d| {
        format!(
            "{}|{}|{}|{}",
            d.code,
            d.span.text(text),
            d.message,
            d.fix.as_deref().unwrap_or_default()
        )
    });
    assert_eq!(got, expect, "{text:?}");
}

#[test]
fn teach() {
    check("echo `date`", "syntax|`date`|a backtick does not run commands here: use `$(…)`|$(date)");
    check("echo $r[a]", "syntax|$r[a]|`$r[` without braces reads no element|${r[a]}");
    check(
        "echo ${r.a.b}",
        "syntax|${r.a.b}|a field is read with brackets, not with a dot|${r[a][b]}",
    );
    check(
        "u.email=x",
        "E017|u.email|`u.email` is no target: a field is set with brackets|u[email]=…",
    );
    check("a#b=1", "E018|a#b|`a#b` is no name: `#` cannot stand in one|ab=…");
    check("a-b=1", "syntax|a-b|`a-b` is no name: `-` cannot stand in one|a_b=…");
    check(
        "export 1bad=x",
        "syntax|1bad|`1bad` is no name: a name begins with a letter or `_`|_1bad=…",
    );
    check("x\u{200b}y=1", "E019|x\u{200b}y|this name holds a zero-width space (U+200B)|xy");
    check("x\u{a0}=1", "E019|x\u{a0}|this name holds a no-break space (U+00A0)|x");
    check(
        "echo $x\u{200b}y",
        "E019|$x\u{200b}|the name is followed by a zero-width space (U+200B)|remove it, or write ${x}",
    );
    check(
        "echo ${?.ok}",
        "E015|${?.ok}|`$?` is a number, the exit code, and has no fields|the last result as a value: $(kaish-last)",
    );
    check(
        "PАTH2=1",
        "W007|PАTH2|the name `PАTH2` mixes scripts: it holds U+0410|write it in the letters of one script",
    );
    check(
        "x = 1",
        "syntax|x = 1|this runs a command named `x`; an assignment has no blanks around `=`|x=1",
    );
}

#[test]
fn teach_structure() {
    check("r={msg: a b}", "syntax|a b|a value of several words must be quoted|msg: \"a b\"");
    check("r={a 1}", "syntax|1}|expected `:` after the key `a`, found `1}`|a: 1");
    check("r={a: }", "syntax|}|expected a value after `a:`, found `}`|a: \"\"");
    check(
        "x=[ab]*",
        "syntax|[ab]*|the text goes on after a list or record: quote it to have text|'[ab]*'",
    );
    check("xs[0:2]=x", "syntax|xs[0:2]|a slice cannot be assigned to|name one element: xs[0]=…");
    check(
        "f() echo x",
        "syntax|echo|the body of the function `f` must be in braces|f() { echo x; }",
    );
    check(
        "cat <a <<<b",
        "syntax|<<<b|standard input is already redirected on this command: only one source can be read|join sources with a pipe: cat a b | …",
    );
    check(
        "for $f in a; do b; done",
        "syntax|$f|`for` needs a variable name after it, found `$f`|for f in …",
    );
    check(
        "for x in a do b; done",
        "syntax|done|expected `do` for the `for`, found `done`|for …; do …",
    );
    check(
        "{echo a; }",
        "syntax|{|`{` opens a group only as a word of its own|set a blank after `{`",
    );
    check(
        "[[ $a == b]]",
        "syntax|]]|`]]` must be a word of its own to close the `[[`|set a blank before `]]`",
    );
    check("[[ a -a b ]]", "syntax|-a|expected an operator or `]]`, found `-a`|&& joins conditions");
    check(
        "diff <(sort a) b",
        "syntax|<(sort a)|`<(…)` is not available: there are no processes to connect|sort a > /tmp/out, then read /tmp/out; or a pipe: sort a | …",
    );
    check(
        "fs=(*.txt)",
        "syntax|*.txt|`*.txt` is not expanded in a list|a list of files: $(glob '*.txt')",
    );
    check(
        "case x in x echo;; esac",
        "syntax|echo|expected `)` after the pattern `x`, found `echo`|x) …;;",
    );
    check("echo $((2 +* 3))", "syntax|2 +* 3|expected a number or a variable, found `*`|");
    check(
        "a | time b",
        "syntax|time|`time` measures a whole pipeline, so it stands before its first command|time first | second",
    );
    check("a >2>&1 f", "syntax|2>|expected a file name after `>`, found another redirect|");
    check("[ $x == y ]", "");
    check("echo “hi”", "syntax|“hi”|`“` is a character like others and quotes nothing|\"…\"");
}

#[test]
fn rejected() {
    for text in [
        "echo )",
        ")",
        "fi",
        "done",
        "then a",
        "}",
        "| a",
        "&& a",
        ";; a",
        "; a",
        "a ;; b",
        "a | | b",
        "a &&& b",
        "if; then a; fi",
        "if a; then fi",
        "while a; do done",
        "{ }",
        "( )",
        "f( x",
        "function { a; }",
        "f() x",
        "case x in a b) c;; esac",
        "for 1 in a; do b; done",
        "echo (a)",
        "echo ${x!}",
        "echo ${}",
        "x=[a}",
        "x={a,b}",
        "x=[xs[0]]",
        "x=[a)]",
        "[[ ]]",
        "[[ a b ]]",
        "[[ a == ]]",
        "[[ a ]] b",
        "{ a; } b",
        "echo >",
        "cat <<",
        "a | ! b",
        "! ",
        "echo ...$x.y",
        "x=[a]b",
        "echo @(a)",
        "((1)) x",
        "for ((;)); do a; done",
        "x=${a",
        "i\\\nf a",
    ] {
        assert!(parse(text).has_errors(), "{text:?}");
    }
}

const INCOMPLETE: &[&str] = &[
    "echo 'a",
    "echo \"a",
    "echo $'a",
    "echo \"$(a",
    "echo $(",
    "echo ${x",
    "echo ${x:-a",
    "echo ${x[",
    "echo ${",
    "echo $((1+",
    "((1",
    "((1)",
    "{ a",
    "(",
    "if",
    "if a",
    "if a; then",
    "if a; then b",
    "if a; then b; else",
    "for",
    "for x",
    "for x in a",
    "for x in a; do",
    "for ((;;",
    "for ((;;)); do",
    "while a; do",
    "case",
    "case x",
    "case x in",
    "case x in a",
    "case x in a)",
    "case x in a) b;;",
    "[[",
    "[[ a",
    "[[ a ==",
    "[[ ( a",
    "a &&",
    "a ||",
    "a |",
    "a && # c",
    "a \\",
    "cat <<E",
    "cat <<E\na\n",
    "x=[",
    "x=[a",
    "x={a",
    "x={a:",
    "x={a: b,",
    "x=(a",
    "f()",
    "f() {",
    "function f",
    "x=[a {b: ",
    "echo \"${x:-\"a",
    "x=$(cat <<E",
    "f(",
    "if a; then\ncat <<E",
    "xs[1]=[",
    "else_=(",
];

const COMPLETE: &[&str] = &[
    "",
    "a",
    "fi",
    "if; then",
    "echo `",
    "x={a 1}",
    "case x in x echo",
    "${un closed",
    "a | | b",
    "for $x in",
    "[[ a b",
    "echo hi ) (",
    "cat <",
    "{ a; } b",
    "x=[a)",
    "export 1x=[",
    "echo a\\\n",
    "cat <<E\n$(a\nE\n",
];

#[test]
fn incomplete() {
    for text in INCOMPLETE {
        assert!(parse(text).is_incomplete(), "{text:?}: {:?}", parse(text).diagnostics);
    }
    for text in COMPLETE {
        assert!(!parse(text).is_incomplete(), "{text:?}");
    }
}

#[test]
fn several_errors() {
    let parsed = parse("echo )\na-b=1\necho ok\nfor 1 in a\necho `x`\n");
    let lines: Vec<_> = parsed
        .diagnostics
        .iter()
        .map(|d| {
            Source::new("", "echo )\na-b=1\necho ok\nfor 1 in a\necho `x`\n").place(d.span.start).0
        })
        .collect();
    assert_eq!(lines, [1, 2, 4, 5]);
    assert_eq!(parsed.script.statements.len(), 3);
}

#[test]
fn advice_never_cuts_a_program_short() {
    let parsed = parse(&"x = 1\n".repeat(2000));
    assert!(!parsed.has_errors());
    assert_eq!(parsed.script.statements.len(), 2000);
    assert!(parse(&format!("{}fi", "x = 1\n".repeat(2000))).has_errors());
}

#[test]
fn depth() {
    for open in [
        "$(",
        "{ ",
        "( ",
        "if ",
        "x=[",
        "[[ ( ",
        "echo ${x:-",
        "echo \"${x:-\"",
        "while ",
        "f() { ",
        "echo $((x[",
    ] {
        let text = open.repeat(100_000);
        let parsed = parse(&text);
        assert!(parsed.has_errors() && !parsed.is_incomplete(), "{open}: {:?}", parsed.diagnostics);
    }
    let deep = |n: usize| format!("echo {}a{}", "$(echo ".repeat(n), ")".repeat(n));
    assert!(!parse(&deep(199)).has_errors());
    assert!(parse(&deep(201)).has_errors());
}

#[test]
fn rendered() {
    let source = Source::new("a.kai", "echo ok\necho $r[a]\n");
    let parsed = parse(&source.text);
    let text = render(&source, &parsed.diagnostics[0]);
    assert_eq!(
        text,
        "a.kai:2:6: syntax error: `$r[` without braces reads no element\n  echo $r[a]\n       ^^^^^\nhelp: ${r[a]}\n"
    );
}

#[test]
fn highlighted() {
    let text = "if x=1 ls $y 'a' # c";
    let got: Vec<_> = highlight(text)
        .into_iter()
        .map(|(span, kind)| format!("{}:{kind:?}", span.text(text)))
        .collect();
    assert_eq!(
        got,
        ["if:Keyword", "x:Variable", "ls:Command", "$y:Variable", "'a':String", "# c:Comment"]
    );
}
