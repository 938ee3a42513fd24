//! Expressions, most with what GNU sed and grep answered for them.

use super::*;

/// A pattern, a text, and the text with each match and its groups in `<match|group|…>`.
type Case = (&'static str, &'static str, &'static str);

/// Marks every match as `sed 's/…/<&|\1|\2|\3>/g'` does.
fn marked(regex: &Regex, text: &str) -> String {
    let mut out = String::new();
    let (mut at, mut groups, mut last) = (0, Vec::new(), None);
    while regex.captures_at(text, at, &mut groups) {
        let (start, end) = groups[0].unwrap();
        if !(start == end && last == Some(start)) {
            out.push_str(&text[at..start]);
            let parts: Vec<&str> =
                groups.iter().take(4).map(|span| span.map_or("", |(a, b)| &text[a..b])).collect();
            out.push_str(&format!("<{}>", parts.join("|")));
            (at, last) = (end, Some(end));
            if start < end {
                continue;
            }
        }
        let Some(c) = text[end..].chars().next() else { break };
        out.push(c);
        at = end + c.len_utf8();
    }
    out + text.get(at..).unwrap_or_default()
}

fn check_all(cases: &[Case], dialect: Dialect) {
    for (pattern, text, expect) in cases {
        let regex = Regex::new(pattern, Syntax::new(dialect)).expect(pattern);
        assert_eq!(marked(&regex, text), *expect, "{pattern} on {text}");
    }
}

const BASIC: &[Case] = &[
    ("a*", "12-34 abc12", "<>1<>2<>-<>3<>4<> <a>b<>c<>1<>2<>"),
    ("a*", "a^b$c *a", "<a>^<>b<>$<>c<> <>*<a>"),
    (r"a\+b\?", "ab ab abab", "<ab> <ab> <ab><ab>"),
    (r"a\+b\?", "abba", "<ab>b<a>"),
    (r"\(a*\)*", "12-34 abc12", "<|>1<|>2<|>-<|>3<|>4<|> <a|a>b<|>c<|>1<|>2<|>"),
    (r"\(a*\)*", "[x] a-b", "<|>[<|>x<|>]<|> <a|a>-<|>b<|>"),
    (r"\(a\|ab\)\(c\|bcd\)\(d*\)", "abcd aabb", "<abcd|a|bcd|> aabb"),
    ("^a", "aaabab", "<a>aabab"),
    ("^a", "a^b$c *a", "<a>^b$c *a"),
    ("a$", "a^b$c *a", "a^b$c *<a>"),
    (r"\(^b\|c$\)", "aaabab", "aaabab"),
    (r"\(^b\|c$\)", "12-34 abc12", "12-34 abc12"),
    ("*a", "a^b$c *a", "a^b$c <*a>"),
    (r"\(*b\)", "aaabab", "aaabab"),
    (r"\(*b\)", "12-34 abc12", "12-34 abc12"),
    ("a^b$c", "a^b$c *a", "<a^b$c> *a"),
    ("[^ ]*", "A.b, this is é!", "<A.b,> <this> <is> <é!>"),
    ("[^ ]*", "12-34 abc12", "<12-34> <abc12>"),
    (r"\([a-z]*\) \([a-z]*\)", "A.b, this is é!", "A.b,< this||this>< is||is>< ||>é!"),
    (r"\([a-z]*\) \([a-z]*\)", "foo foobar", "<foo foobar|foo|foobar>"),
    (r"\(.\)\1", "abcd aabb", "abcd <aa|a><bb|b>"),
    (r"\(.\)\1", "xxxxx-x,x", "<xx|x><xx|x>x-x,x"),
    (r"\(a*\)b\1", "ab ab abab", "a<b|> a<b|> <aba|a><b|>"),
    (r"\(a*\)b\1", "foo foobar", "foo foo<b|>ar"),
    (r"\(ab\)*\1", "aaabab", "aa<abab|ab>"),
    (r"x\{2\}", "xxxxx-x,x", "<xx><xx>x-x,x"),
    (r"x\{2,\}", "xxxxx-x,x", "<xxxxx>-x,x"),
    (r"x\{1,2\}", "xxxxx-x,x", "<xx><xx><x>-<x>,<x>"),
    (r"\bfoo\b", "foo foobar", "<foo> foobar"),
    (r"\<\w", "A.b, this is é!", "<A>.<b>, <t>his <i>s <é>!"),
    (r"\<\w", "ab ab abab", "<a>b <a>b <a>bab"),
    (r"\w\>", "A.b, this is é!", "<A>.<b>, thi<s> i<s> <é>!"),
    (r"\w\>", "ab ab abab", "a<b> a<b> aba<b>"),
    (r"\B.", "foo foobar", "f<o><o> f<o><o><b><a><r>"),
    (r"\B.", "ab ab abab", "a<b> a<b> a<b><a><b>"),
    (r"\W\+", "A.b, this is é!", "A<.>b<, >this< >is< >é<!>"),
    (r"\W\+", "12-34 abc12", "12<->34< >abc12"),
    (r"\s\S", "A.b, this is é!", "A.b,< t>his< i>s< é>!"),
    (r"\s\S", "foo foobar", "foo< f>oobar"),
    ("[]x]", "xxxxx-x,x", "<x><x><x><x><x>-<x>,<x>"),
    ("[^]x]", "A.b, this is é!", "<A><.><b><,>< ><t><h><i><s>< ><i><s>< ><é><!>"),
    ("[^]x]", "a^b$c *a", "<a><^><b><$><c>< ><*><a>"),
    ("[a-]", "aaabab", "<a><a><a>b<a>b"),
    ("[a-]", "12-34 abc12", "12<->34 <a>bc12"),
    (r"[[:digit:]]\+", "12-34 abc12", "<12>-<34> abc<12>"),
    ("[[:upper:][:punct:]]", "A.b, this is é!", "<A><.>b<,> this is é<!>"),
    ("[[:upper:][:punct:]]", "[x] a-b", "<[>x<]> a<->b"),
    (".*o", "foo foobar", "<foo foo>bar"),
    ("[.]", "A.b, this is é!", "A<.>b, this is é!"),
    (r"\.", "A.b, this is é!", "A<.>b, this is é!"),
    (r"\(foo\|foobar\)\(bar\)*", "foo foobar", "<foo|foo|> <foobar|foo|bar>"),
    (r"\`a\|c\'", "aaabab", "<a>aabab"),
    (r"\`a\|c\'", "a^b$c *a", "<a>^b$c *a"),
    (r"\(\(a\)\|b\)*", "xxxxx-x,x", "<||>x<||>x<||>x<||>x<||>x<||>-<||>x<||>,<||>x<||>"),
    (r"\(\(a\)\|b\)*", "abcd aabb", "<ab|b|a>c<||>d<||> <aabb|b|a>"),
    (r"^\(.*\)\n*\1$", "", "<|>"),
    (r"a\{0\}b", "ab ab abab", "a<b> a<b> a<b>a<b>"),
    (r"a\{0\}b", "foo foobar", "foo foo<b>ar"),
    ("[[.-.]x]", "xxxxx-x,x", "<x><x><x><x><x><-><x>,<x>"),
    ("[[.-.]x]", "[x] a-b", "[<x>] a<->b"),
    ("[[=a=]]b", "ab ab abab", "<ab> <ab> <ab><ab>"),
    ("[[=a=]]b", "abcd aabb", "<ab>cd a<ab>b"),
];
const EXTENDED: &[Case] = &[
    ("(a|ab)(c|bcd)(d*)", "abcd aabb", "<abcd|a|bcd|> aabb"),
    ("(x|xy)(z|yz)?", "xxxxx-x,x", "<x|x|><x|x|><x|x|><x|x|><x|x|>-<x|x|>,<x|x|>"),
    (
        "(a*)(ab)*(b*)",
        "foo foobar",
        "<|||>f<|||>o<|||>o<|||> <|||>f<|||>o<|||>o<b|||b><a|a||>r<|||>",
    ),
    ("(a*)(ab)*(b*)", "abcd aabb", "<ab|a||b>c<|||>d<|||> <aabb|aa||bb>"),
    ("(a*)+", "12-34 abc12", "<|>1<|>2<|>-<|>3<|>4<|> <a|a>b<|>c<|>1<|>2<|>"),
    ("(a*)+", "[x] a-b", "<|>[<|>x<|>]<|> <a|a>-<|>b<|>"),
    ("(|a)+", "12-34 abc12", "<|>1<|>2<|>-<|>3<|>4<|> <a|a>b<|>c<|>1<|>2<|>"),
    ("(|a)+", "[x] a-b", "<|>[<|>x<|>]<|> <a|a>-<|>b<|>"),
    ("a||b", "12-34 abc12", "<>1<>2<>-<>3<>4<> <a><b>c<>1<>2<>"),
    ("a||b", "ab ab abab", "<a><b> <a><b> <a><b><a><b>"),
    ("()", "12-34 abc12", "<|>1<|>2<|>-<|>3<|>4<|> <|>a<|>b<|>c<|>1<|>2<|>"),
    ("()", "a^b$c *a", "<|>a<|>^<|>b<|>$<|>c<|> <|>*<|>a<|>"),
    ("(a|b)*c|x", "xxxxx-x,x", "<x|><x|><x|><x|><x|>-<x|>,<x|>"),
    ("(a|b)*c|x", "a^b$c *a", "a^b$<c|> *a"),
    ("([0-9]+)-([0-9]+)", "12-34 abc12", "<12-34|12|34> abc12"),
    ("([a-z]+)([0-9]*)", "a^b$c *a", "<a|a|>^<b|b|>$<c|c|> *<a|a|>"),
    ("([a-z]+)([0-9]*)", "abcd aabb", "<abcd|abcd|> <aabb|aabb|>"),
    ("a{,2}", "12-34 abc12", "<>1<>2<>-<>3<>4<> <a>b<>c<>1<>2<>"),
    ("a{,2}", "a^b$c *a", "<a>^<>b<>$<>c<> <>*<a>"),
    ("a{2}{2}", "aaabab", "aaabab"),
    ("a{2}{2}", "12-34 abc12", "12-34 abc12"),
    ("(a{1,2}){2}", "aaabab", "<aaa|a>bab"),
    ("a**", "12-34 abc12", "<>1<>2<>-<>3<>4<> <a>b<>c<>1<>2<>"),
    ("a**", "a^b$c *a", "<a>^<>b<>$<>c<> <>*<a>"),
    ("a+?", "12-34 abc12", "<>1<>2<>-<>3<>4<> <a>b<>c<>1<>2<>"),
    ("a+?", "a^b$c *a", "<a>^<>b<>$<>c<> <>*<a>"),
    (r"\(a\)", "aaabab", "aaabab"),
    (r"\(a\)", "12-34 abc12", "12-34 abc12"),
    ("(^|,)x", "xxxxx-x,x", "<x|>xxxx-x<,x|,>"),
    ("x($|,)", "xxxxx-x,x", "xxxxx-<x,|,><x|>"),
    ("(.*)(o)(.*)", "foo foobar", "<foo foobar|foo fo|o|bar>"),
    ("(fo|foo)(o|bar)", "foo foobar", "<foo|fo|o> <foobar|foo|bar>"),
    ("((a)|(b))+", "a^b$c *a", "<a|a|a|>^<b|b||b>$c *<a|a|a|>"),
    ("((a)|(b))+", "aaabab", "<aaabab|b|a|b>"),
    (r"(.)(.)\2\1", "xxxxx-x,x", "<xxxx|x|x>x-x,x"),
    ("(aa|aaa)*", "12-34 abc12", "<|>1<|>2<|>-<|>3<|>4<|> <|>a<|>b<|>c<|>1<|>2<|>"),
    ("(aa|aaa)*", "abcd aabb", "<|>a<|>b<|>c<|>d<|> <aa|aa>b<|>b<|>"),
    (r"\bis\b|(th)", "A.b, this is é!", "A.b, <th|th>is <is|> é!"),
    ("a.c", "abcd aabb", "<abc>d aabb"),
    ("(a|ab|abc)d?", "aaabab", "<a|a><a|a><ab|ab><ab|ab>"),
    ("(a|ab|abc)d?", "abba", "<ab|ab>b<a|a>"),
    ("[^a-c ]+", "A.b, this is é!", "<A.>b<,> <this> <is> <é!>"),
    ("[^a-c ]+", "12-34 abc12", "<12-34> abc<12>"),
    ("x?", "12-34 abc12", "<>1<>2<>-<>3<>4<> <>a<>b<>c<>1<>2<>"),
    ("x?", "a^b$c *a", "<>a<>^<>b<>$<>c<> <>*<>a<>"),
    ("(a?)(ab)?", "foo foobar", "<||>f<||>o<||>o<||> <||>f<||>o<||>o<||>b<a|a|>r<||>"),
    ("(a?)(ab)?", "abcd aabb", "<ab||ab>c<||>d<||> <aab|a|ab>b<||>"),
];

#[test]
fn basic() {
    check_all(BASIC, Dialect::Basic);
}

#[test]
fn extended() {
    check_all(EXTENDED, Dialect::Extended);
}

#[test]
fn awk() {
    check_all(
        &[
            (r"a\/b", "a/b", "<a/b>"),
            (r"[\]x]", "]", "<]>"),
            (r"a\tb", "a\tb", "<a\tb>"),
            (r"\52+", "a**", "a<**>"),
            (r"\yfoo\y", "foo foot", "<foo> foot"),
            ("{1}", "a{1}", "a<{1}>"),
            ("*a", "b*a", "b<*a>"),
            ("a{2}", "aaa", "<aa>a"),
        ],
        Dialect::Awk,
    );
}

#[test]
fn errors_in_gnu_words() {
    for (dialect, pattern, message) in [
        (Dialect::Basic, "[a", "Unmatched [, [^, [:, [., or [="),
        (Dialect::Basic, r"\(a", r"Unmatched ( or \("),
        (Dialect::Basic, r"a\)", r"Unmatched ) or \)"),
        (Dialect::Basic, r"a\{1", r"Unmatched \{"),
        (Dialect::Basic, r"a\{x\}", r"Invalid content of \{\}"),
        (Dialect::Basic, r"a\{2,1\}", r"Invalid content of \{\}"),
        (Dialect::Basic, "a**", "Invalid preceding regular expression"),
        (Dialect::Basic, r"\(a\)\2", "Invalid back reference"),
        (Dialect::Basic, r"\(a\1\)", "Invalid back reference"),
        (Dialect::Basic, r"\(a\)\|\1", "Invalid back reference"),
        (Dialect::Basic, "a\\", "Trailing backslash"),
        (Dialect::Basic, "[b-a]", "Invalid range end"),
        (Dialect::Basic, "[a-c-e]", "Invalid range end"),
        (Dialect::Basic, "[[:x:]]", "Invalid character class name"),
        (Dialect::Basic, "[[.ab.]]", "Invalid collation character"),
        (Dialect::Basic, "[:space:]", "character class syntax is [[:space:]], not [:space:]"),
        (Dialect::Extended, "*a", "Invalid preceding regular expression"),
        (Dialect::Extended, "^*", "Invalid preceding regular expression"),
        (Dialect::Extended, "a)", r"Unmatched ) or \)"),
        (Dialect::Extended, "a{1", r"Unmatched \{"),
        (Dialect::GrepExtended, "a{99999}", "Regular expression too big"),
        (Dialect::GrepExtended, "x{2000}{2000}", "Regular expression too big"),
        (Dialect::GrepExtended, "a{2,1}", r"Invalid content of \{\}"),
    ] {
        let error = Regex::new(pattern, Syntax::new(dialect)).expect_err(pattern);
        assert_eq!(error.to_string(), message, "{pattern}");
    }
    let deep = "(".repeat(10_000) + &")".repeat(10_000);
    let error = Regex::new(&deep, Syntax::new(Dialect::Extended)).unwrap_err();
    assert_eq!(error, RegexError::TooBig);
    let error = Regex::new(&("a".to_owned() + &"?{2}".repeat(500)), Syntax::new(Dialect::Extended));
    assert_eq!(error.unwrap_err(), RegexError::TooBig);
}

/// The lines of `text` that match, searched one by one and all at once.
fn lines(patterns: &[&str], syntax: Syntax, text: &str) -> Vec<usize> {
    let single = Regex::any(patterns, syntax).unwrap();
    let each: Vec<usize> = text
        .lines()
        .enumerate()
        .filter(|(_, line)| single.is_match(line))
        .map(|(at, _)| at)
        .collect();
    let many = Regex::any(patterns, Syntax { newlines: Newlines::Separate, ..syntax }).unwrap();
    let (mut at, mut all) = (0, Vec::new());
    while at < text.len()
        && let Some((start, end)) = many.find_at(text, at)
        && start < text.len()
    {
        assert!(!text[start..end].contains('\n'), "{patterns:?}");
        all.push(text[..start].matches('\n').count());
        at = text[start..].find('\n').map_or(text.len(), |len| start + len + 1);
    }
    assert_eq!(each, all, "{patterns:?}");
    each
}

#[test]
fn line_by_line_and_all_at_once() {
    let text = "foo\nfood\n\nbar foo\nFoo_é\n*x\nfofoo\n";
    let grep = Syntax::new(Dialect::GrepBasic);
    let words = Syntax { whole: Whole::Words, ..grep };
    let whole = Syntax { whole: Whole::Lines, ..grep };
    let folded = Syntax { ignore_case: true, ..grep };
    assert_eq!(lines(&["foo"], grep, text), [0, 1, 3, 6]);
    assert_eq!(lines(&["foo"], words, text), [0, 3]);
    assert_eq!(lines(&["foo"], whole, text), [0]);
    assert_eq!(lines(&["foo"], folded, text), [0, 1, 3, 4, 6]);
    assert_eq!(lines(&["FOO_É"], folded, text), [4]);
    assert_eq!(lines(&["^foo"], grep, text), [0, 1]);
    assert_eq!(lines(&["foo$"], grep, text), [0, 3, 6]);
    assert_eq!(lines(&["^$"], grep, text), [2]);
    assert_eq!(lines(&["[^f]oo"], grep, text), [4]);
    assert_eq!(lines(&["d", "bar"], grep, text), [1, 3]);
    assert_eq!(lines(&[r"\(fo\)\1"], grep, text), [6]);
    assert_eq!(lines(&[r"\(o\)\1$", r"\(f\)o\1"], grep, text), [0, 3, 6]);
    assert_eq!(lines(&["x*"], grep, text), [0, 1, 2, 3, 4, 5, 6]);
    assert_eq!(lines(&[], grep, text), [0; 0]);
    assert_eq!(lines(&["*x"], Syntax { dialect: Dialect::Fixed, ..grep }, text), [5]);
    assert_eq!(lines(&["fo", "x"], Syntax { dialect: Dialect::Fixed, ..words }, text), [5]);
    assert_eq!(lines(&[r"\W"], grep, text), [3, 5]);
    assert_eq!(lines(&[r"o\s*$"], grep, text), [0, 3, 6]);
}

#[test]
fn newlines_in_the_text() {
    let find = |pattern: &str, newlines| {
        let syntax = Syntax { newlines, ..Syntax::new(Dialect::Basic) };
        Regex::new(pattern, syntax).unwrap().find_at("a\nb", 0)
    };
    assert_eq!(find("a.b", Newlines::Ordinary), Some((0, 3)));
    assert_eq!(find("a.b", Newlines::Anchors), None);
    assert_eq!(find("a[^x]b", Newlines::Anchors), None);
    assert_eq!(find("a\nb", Newlines::Anchors), Some((0, 3)));
    assert_eq!(find("^b", Newlines::Anchors), Some((2, 3)));
    assert_eq!(find("^b", Newlines::Ordinary), None);
    assert_eq!(find(r"\`b", Newlines::Anchors), None);
    assert_eq!(find("a$", Newlines::Anchors), Some((0, 1)));
    assert_eq!(find("a$", Newlines::Ordinary), None);
}

#[test]
fn the_text_before_is_seen() {
    let regex = Regex::new(r"^a\|\bb", Syntax::new(Dialect::Basic)).unwrap();
    assert_eq!(regex.find_at("aab b", 1), Some((4, 5)));
    assert_eq!(regex.find_at("aab b", 9), None);
}

#[test]
fn foreign_bytes() {
    let find = |pattern: &str, text: &[u8]| {
        Regex::new(pattern, Syntax::new(Dialect::Basic)).unwrap().find_at(text, 0)
    };
    assert_eq!(find("a.b", b"a\xffb"), None);
    assert_eq!(find("[^x]", b"\xff\xfey"), Some((2, 3)));
    assert_eq!(find("b", b"\xff\xc3b"), Some((2, 3)));
    assert_eq!(find("^.*$", b"\xff"), None);
    assert_eq!(find(".*", "é\u{10ffff}".as_bytes()), Some((0, 6)));
}

#[test]
fn searches_are_bounded() {
    let text = "a".repeat(2_000);
    let regex = Regex::new(r"\(a*\)*\(a*\)*\1\2b", Syntax::new(Dialect::Basic)).unwrap();
    assert_eq!(regex.find_at(&text, 0), None);
    let regex = Regex::new(r"\(a*\)*\(a*\)*\1\2c*$", Syntax::new(Dialect::Basic)).unwrap();
    assert!(regex.is_match(&text) || regex.gave_up());
    let regex = Regex::new("(a|aa)*(a*a*)*b", Syntax::new(Dialect::Extended)).unwrap();
    assert_eq!(regex.find_at(text.repeat(20), 0), None);
    assert!(!regex.gave_up());
    let regex = Regex::new("[a-q][^u-z]{13}x", Syntax::new(Dialect::Extended)).unwrap();
    let noise: String = (0..50_000u32).map(|n| char::from(b'a' + (n * n % 23) as u8)).collect();
    assert!(!regex.is_match(&noise) && !regex.gave_up());
}
