//! What patterns match.

use super::*;

fn check(pattern: &str, yes: &[&str], no: &[&str]) {
    let glob = Glob::parse(pattern);
    for text in yes {
        assert!(glob.matches(text), "{pattern} should match {text}");
    }
    for text in no {
        assert!(!glob.matches(text), "{pattern} should not match {text}");
    }
}

#[test]
fn wildcards_and_classes() {
    check("", &[""], &["a"]);
    check("*", &["", "a", "a/b"], &[]);
    check("a*", &["a", "ab"], &["", "ba"]);
    check("*a", &["a", "ba"], &["", "ab"]);
    check("*a*", &["a", "bab"], &["", "b"]);
    check("a*b*c", &["abc", "aXbYc", "abbcc"], &["ab", "acb", "abcd"]);
    check("?", &["a", "é", "日"], &["", "ab"]);
    check("[a-c]x", &["ax", "cx"], &["dx", "x"]);
    check("[!a-c]", &["d", "é"], &["a", ""]);
    check("[^a-c]", &["d"], &["a"]);
    check("[]a]", &["]", "a"], &["b"]);
    check("[!]a]", &["b"], &["]", "a"]);
    check("[a-]", &["a", "-"], &["b"]);
    check("[--0]", &["-", ".", "/", "0"], &["1"]);
    check("[[:digit:][:upper:]]", &["1", "A"], &["a", "٣"]);
    check("[[:alpha:]]", &["a", "é", "日"], &["1", "-"]);
    check("[[:space:]]", &[" ", "\n"], &["a"]);
    check("[[:nope:]]", &[], &["a", ":"]);
    check("[[.-.]-0]", &["-", "0"], &["1"]);
    check("[[=a=]b]", &["a", "b"], &["="]);
    check("[", &["["], &[""]);
    check("a[b", &["a[b"], &["ab"]);
    check("[!", &["[!"], &[]);
    check(r"\*", &["*"], &["a", r"\*"]);
    check(r"a\", &[r"a\"], &["a"]);
    check(r"[\]a]", &["]", "a"], &["\\"]);
    check("**a**", &["a", "xay"], &["x"]);
}

#[test]
fn quoted_text_is_literal() {
    let mut builder = GlobBuilder::new();
    builder.push_literal("*[");
    builder.push_pattern("*");
    let glob = builder.build();
    assert!(glob.matches("*[x") && !glob.matches("a[x"));
    let mut builder = GlobBuilder::new();
    builder.push_pattern("[a");
    builder.push_literal("-");
    builder.push_pattern("z]");
    let glob = builder.build();
    assert!(glob.matches("-") && glob.matches("z") && !glob.matches("b"));
    let mut builder = GlobBuilder::new();
    builder.push_pattern("[");
    builder.push_literal("!");
    builder.push_pattern("a]");
    assert!(builder.build().matches("!"));
    assert_eq!(Glob::parse(r"a\*b").literal(), Some("a*b"));
    assert_eq!(Glob::parse("a*b").literal(), None);
}

#[test]
fn case_and_foreign_bytes() {
    let mut builder = GlobBuilder::new().ignore_case(true);
    builder.push_pattern("É[a-c]*");
    let glob = builder.build();
    assert!(glob.matches("éB") && glob.matches("ÉcX") && !glob.matches("éd"));
    assert!(Glob::parse("a?b").matches(b"a\xffb"));
    assert!(Glob::parse("a*b").matches(b"a\xff\xfeb"));
    assert!(Glob::parse("[!a]").matches(b"\xff"));
    assert!(!Glob::parse("[a-z]").matches(b"\xff"));
    assert!(!Glob::parse("?").matches(b"\xc3\xc3"));
}

#[test]
fn stars_do_not_blow_up() {
    let text = "a".repeat(20_000);
    assert!(!Glob::parse(&("a*".repeat(30) + "b")).matches(&text));
    assert_eq!(Glob::parse(&("a*".repeat(30) + "[b]")).find(&text, 0), None);
    let path = "a/".repeat(2_000) + "c";
    assert!(!PathGlob::parse(&("**/a/".repeat(30) + "b")).matches(&path));
}

fn edges(pattern: &str, text: &str) -> [Option<usize>; 4] {
    let glob = Glob::parse(pattern);
    [
        glob.shortest_prefix(text),
        glob.longest_prefix(text),
        glob.shortest_suffix(text),
        glob.longest_suffix(text),
    ]
}

#[test]
fn prefixes_and_suffixes() {
    assert_eq!(edges("*/", "a/b/c"), [Some(2), Some(4), None, None]);
    assert_eq!(edges("/*", "a/b/c"), [None, None, Some(3), Some(1)]);
    assert_eq!(edges("*.tar*", "x.tar.tar.gz"), [Some(5), Some(12), Some(5), Some(0)]);
    assert_eq!(edges("*", "ab"), [Some(0), Some(2), Some(2), Some(0)]);
    assert_eq!(edges("", "ab"), [Some(0), Some(0), Some(2), Some(2)]);
    assert_eq!(edges("ab", "abab"), [Some(2), Some(2), Some(2), Some(2)]);
    assert_eq!(edges("?", "éa"), [Some(2), Some(2), Some(2), Some(2)]);
    assert_eq!(edges("*[0-9]", "a1b22"), [Some(2), Some(5), Some(4), Some(0)]);
    assert_eq!(edges(".*[a-z]", "x.a.b"), [None, None, Some(3), Some(1)]);
    assert_eq!(edges("[!/]*/", "a/b/c"), [Some(2), Some(4), None, None]);
    assert_eq!(edges("?*é", "aébé"), [Some(3), Some(6), Some(3), Some(0)]);
}

fn found(pattern: &str, text: &str, from: usize) -> Option<(usize, usize)> {
    Glob::parse(pattern).find(text, from).map(|range| (range.start, range.end))
}

#[test]
fn finding_inside() {
    assert_eq!(found("b", "abcb", 0), Some((1, 2)));
    assert_eq!(found("b", "abcb", 2), Some((3, 4)));
    assert_eq!(found("[bc]", "abc", 2), Some((2, 3)));
    assert_eq!(found("b*", "abcb", 0), Some((1, 4)));
    assert_eq!(found("*b", "abcbd", 0), Some((0, 4)));
    assert_eq!(found("a*c", "xabcac!", 0), Some((1, 6)));
    assert_eq!(found("a?c", "aacabc", 0), Some((0, 3)));
    assert_eq!(found("?", "日b", 3), Some((3, 4)));
    assert_eq!(found("x", "abc", 0), None);
    assert_eq!(found("*", "abc", 0), Some((0, 3)));
    assert_eq!(found("*", "abc", 3), Some((3, 3)));
    assert_eq!(found("a", "abc", 9), None);
}

fn check_path(pattern: &str, yes: &[&str], no: &[&str]) {
    let glob = PathGlob::parse(pattern);
    for path in yes {
        assert!(glob.matches(path), "{pattern} should match {path}");
    }
    for path in no {
        assert!(!glob.matches(path), "{pattern} should not match {path}");
    }
}

#[test]
fn paths() {
    check_path("*.rs", &["a.rs"], &["a/b.rs", ".rs", "/a.rs"]);
    check_path("src/*/x", &["src/a/x"], &["src/x", "src/a/b/x", "src/.a/x"]);
    check_path("**/*.rs", &["a.rs", "a/b/c.rs"], &[".a/b.rs", "a/.b.rs", "a/b"]);
    check_path("a/**/b", &["a/b", "a/x/b", "a/x/y/b"], &["ab", "a/.x/b"]);
    check_path("**", &["a", "a/b", ""], &[".a"]);
    check_path("/**/c", &["/c", "/a/b/c"], &["c"]);
    check_path(".*", &[".a"], &["a"]);
    check_path("**/.x/*", &["a/.x/b", ".x/b"], &["a/x/b"]);
    check_path("**/a/**/b", &["a/b", "x/a/y/b", "a/a/a/b"], &["b/a"]);
    check_path("a**b", &["axb"], &["a/b"]);
    check_path("[a/b]", &["[a/b]"], &["a"]);
}

#[test]
fn components_for_walking() {
    let glob = PathGlob::parse(r"/usr/\*/**/**/[ab]*/");
    assert!(glob.is_absolute() && glob.is_directory() && !glob.is_literal());
    let [first, second, third, fourth] = glob.components() else { panic!("four components") };
    assert_eq!(first, &Component::Literal("usr".into()));
    assert_eq!(second, &Component::Literal("*".into()));
    assert_eq!(third, &Component::Deep);
    assert!(fourth.matches_name("bin") && !fourth.matches_name("x"));
    assert!(PathGlob::parse("a/./b").is_literal());
}
