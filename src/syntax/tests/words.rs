//! Words: quotes, escapes, expansions, patterns, braces, values.

use super::notation::{command, first, word};
use crate::syntax::{Argument, Command, Compound, Condition, Span, parse};

fn check(text: &str, expect: &str) {
    assert_eq!(command(text), expect, "{text:?}");
}

#[test]
fn quotes() {
    check("echo a'b c'\"d $x\"e", "L(echo) L(a)Q(b c)D[Q(d )${x}]L(e)");
    check("'' \"\"", "Q() D[]");
    check(r#"e "\n\t\r\\\"\$\`\b\.\1""#, "L(e) D[Q(\n\t\r\\\"$`\\b\\.\\1)]");
    check(r#"e "\u00e9\u{1F600}\ud83d\ude00\u12\ud800""#, "L(e) D[Q(é😀😀\\u12\\ud800)]");
    check("e \"a\\\nb\" c\\\nd", "L(e) D[Q(ab)] L(cd)");
    check(r"e $'a\n\x41\101\u00e9\'\cA\q'", "L(e) Q(a\nAAé'\u{1}\\q)");
    check(r"e $'\xc3\xa9' $'\U1F600'", "L(e) Q(é) Q(😀)");
    check(r"e \a\ b \$x", "L(e) Q(a )L(b) Q($)L(x)");
    check("e \"$\" \"a$\" $ a$", "L(e) D[Q($)] D[Q(a$)] L($) L(a$)");
    check("e $\\\nx $\\\n-- ...$'a'", "L(e) ${x} ${-}L(-) L(...)Q(a)");
    check("e \"$x[0] '$y'\"", "L(e) D[${x}Q([0] ')${y}Q(')]");
    check("e \"$'a'\" $\"b\"", "L(e) D[Q($'a')] D[Q(b)]");
    check("e 'a\r\nb' \"c\r\nd\"\r\n", "L(e) Q(a\nb) D[Q(c\nd)]");
}

#[test]
fn parameters() {
    check("$x$1$12${12}$?$#$@$*$$$!$-", "${x}${1}${1}L(2)${12}${?}${#}${@}${*}${$}${!}${-}");
    check(
        "${x} ${#x} ${#} ${##} ${#@} ${!x} ${!x*} ${!x[@]}",
        "${x} ${x Length} ${#} ${# Length} ${@ Length} ${x Indirect} ${x NamesWithPrefix} ${x[@] Keys}",
    );
    check(
        "${x:-a b} ${x-} ${x:=$y} ${x+\"$x\"} ${x:?no}",
        "${x Use1 L(a b)} ${x Use0 } ${x Assign1 ${y}} ${x Alternative0 D[${x}]} ${x Require1 L(no)}",
    );
    check("e \"${x:-a 'b' \"c\" \\} \\n}\"", "L(e) D[${x Use1 Q(a 'b' )D[Q(c)]Q( } \n)}]");
    check(
        "${x#*/} ${x##[!a]} ${x%\"*\"} ${x%%$y}",
        "${x Prefix0 G(*)L(/)} ${x Prefix1 G([!a])} ${x Suffix0 D[Q(*)]} ${x Suffix1 ${y}}",
    );
    check(
        "${x/a/b} ${x//[/]/-} ${x/#a} ${x/%a/}",
        "${x ReplaceFirst L(a) by L(b)} ${x ReplaceAll G([/]) by L(-)} ${x ReplacePrefix L(a) by } ${x ReplaceSuffix L(a) by }",
    );
    check(
        "${x^} ${x^^} ${x,} ${x,,[a]} ${x@Q}",
        "${x Case10 } ${x Case11 } ${x Case00 } ${x Case01 G([a])} ${x Transform('Q')}",
    );
    check(
        "${x:1} ${x: -1:2} ${x:(-2)} ${x:a?1:2:3}",
        "${x Substring 1 -} ${x Substring  -1 2} ${x Substring (-2) -} ${x Substring a?1:2 3}",
    );
    check(
        "${x[k]} ${x[-1]} ${x[$k]} ${x[\"a k\"]} ${x[a][0]}",
        "${x[L(k)]} ${x[L(-1)]} ${x[${k}]} ${x[D[Q(a k)]]} ${x[L(a)][L(0)]}",
    );
    check(
        "${x[1:3]} ${x[:2]} ${x[-2:]} ${x[i+1:j]} ${x[@]} ${x[*]}",
        "${x[1:3]} ${x[:2]} ${x[-2:]} ${x[i+1:j]} ${x[@]} ${x[*]}",
    );
    check(
        "${x[k]:-w} ${#x[k]} ${1[name]} ${x[ k ]} ${x[y[0]]}",
        "${x[L(k)] Use1 L(w)} ${x[L(k)] Length} ${1[L(name)]} ${x[L(k)]} ${x[L(y[0])]}",
    );
    check("$café ${名} $😺s", "${café} ${名} ${😺}L(s)");
    check("e $cafe\u{301}", "L(e) ${café}");
    check(
        "e ...$xs ...${x[k]} ...$(a) ... ...a",
        "L(e) ...${xs} ...${x[L(k)]} ...C(a) L(...) L(...a)",
    );
}

#[test]
fn substitutions() {
    check("e $(a b) \"$(c \"d\")\"", "L(e) C(a b) D[C(c \"d\")]");
    check("e $(case x in a) b;; esac)", "L(e) C(case x in\n(a)\n  b\n;;\nesac)");
    check("e $(a # no )\n) $(cat <<E\n)\nE\n)", "L(e) C(a) C(cat <<E\n)\nE)");
    check(
        "e $((1+2)) $( (a) ) $((a) ) $((a);(b))",
        "L(e) A(1+2) C((\n  a\n)) C((\n  a\n)) C((\n  a\n)\n(\n  b\n))",
    );
    check("e $(<f) $()", "L(e) C(cat < f) C()");
}

#[test]
fn patterns_and_braces() {
    check(
        "e *.[ch] a?b ** [!a-z]* []a] [[:alpha:]x] n[12]",
        "L(e) G(*)L(.)G([ch]) L(a)G(?)L(b) G(**) G([!a-z]*) G([]a]) G([[:alpha:]x]) L(n)G([12])",
    );
    check(
        "e [ a[ ]b [a b] [$x] [\"a\"] '*'",
        "L(e) L([) L(a[) L(]b) L([a) L(b]) L([)${x}L(]) L([)D[Q(a)]L(]) Q(*)",
    );
    check(
        "e {a,b} x{a,}y {a,{b,c}d} {\"a,b\",c}",
        "L(e) B{L(a)|L(b)} L(x)B{L(a)|}L(y) B{L(a)|B{L(b)|L(c)}L(d)} B{D[Q(a,b)]|L(c)}",
    );
    check(
        "e {1..5} {01..10..3} {5..1} {-2..2} {a..e} {e..a..2}",
        "L(e) B{1..5/1w0} B{1..10/3w2} B{5..1/1w0} B{-2..2/1w0} B{a..e/1} B{e..a/2}",
    );
    check(
        "e {} {x} {a,b {1..$x} a} {{a,b} {a,b}} {a\\,b}",
        "L(e) L({}) L({x}) L({a,b) L({1..)${x}L(}) L(a}) L({)B{L(a)|L(b)} B{L(a)|L(b)}L(}) L({a)Q(,)L(b})",
    );
    check("e ~ ~/a a~ \\~ '~' ~b", "L(e) ~ ~L(/a) L(a~) Q(~) Q(~) L(~b)");
    check("unset x[0]; ", "L(unset) L(x[0])");
    check("push x[0] y[0] ", "L(push) L(x[0]) L(y)G([0])");
    check("let i=i*2 'j = 1'", "L(let) L(i=i*2) Q(j = 1)");
    check("e a#b #c", "L(e) L(a#b)");
    check("e if done { }", "L(e) L(if) L(done) L({) L(})");
}

#[test]
fn values() {
    check(
        "x=5 y=1.50 z=true a=null b=007 c=abc d=",
        "x=5 y=1.50 z=true a='null' b='007' c='abc' d=''",
    );
    check(
        "x=-0 y=+5 z=.5 a=99999999999999999999 b=1e3 c='5' d=\\5",
        "x=-0 y='+5' z='.5' a='99999999999999999999' b=1e3 c=Q(5) d=Q(5)",
    );
    check("x=*.c y={a: 1} z=a{b,c} p=~/a:~:b", "x='*.c' y={L(a): 1} z='a{b,c}' p=~L(/a:)~L(:b)");
    check(
        "x=[a \"b c\" $x ...$ys, 1,\n2 # c\n null]",
        "x=['a', D[Q(b c)], ${x}, ...${ys}, 1, 2, null]",
    );
    check(
        "x={name: amy, \"a b\": $t,\n nested: {a: [1 2]}, ...$r}",
        "x={L(name): 'amy', D[Q(a b)]: ${t}, L(nested): {L(a): [1, 2]}, ...${r}}",
    );
    check(
        "x={\"a\":1,\"u\":http://x:80,k : v}",
        "x={D[Q(a)]: 1, D[Q(u)]: 'http://x:80', L(k): 'v'}",
    );
    check(
        "x=[] y={} z=() a=(1 'b c' $d) b=([k]=v [$w]=2)",
        "x=[] y={} z=[] a=[1, Q(b c), ${d}] b={L(k): 'v', ${w}: 2}",
    );
    check("x[0]=1 x[a][$b]+=2 x+=3 x[\"a b\"]=4", "x[L(0)]=1 x[L(a)][${b}]+=2 x+=3 x[D[Q(a b)]]=4");
    check("local x=5 y z=[1] -r", "L(local) x=5 L(y) z=[1] L(-r)");
    check("declare -A m=() n=([a]=1)", "L(declare) L(-A) m={} n={L(a): 1}");
    check("export PATH=~/b:$PATH \"a=b\"", "L(export) PATH=~L(/b:)${PATH} D[Q(a=b)]");
    check("cmd x=5 [a b] {a: b}", "L(cmd) L(x=5) L([a) L(b]) L({a:) L(b})");
    check("a/b=c 1x=2 x[1", "L(a/b=c) L(1x=2) L(x[1)");
    check("名=neko 😺=cat café=1", "名='neko' 😺='cat' café=1");
}

#[test]
fn conditions() {
    let check = |text: &str, expect: &str| {
        let parsed = parse(text);
        assert!(!parsed.has_errors(), "{text}: {:?}", parsed.diagnostics);
        let Command::Compound(compound) = first(&parsed.script) else { panic!("{text}") };
        let Compound::Condition(condition) = &compound.kind else { panic!("{text}") };
        assert_eq!(dump(condition), expect, "{text}");
    };
    fn dump(c: &Condition) -> String {
        match c {
            Condition::Word(w) => word(w),
            Condition::Unary(op, w, _) => format!("-{op} {}", word(w)),
            Condition::Binary(op, a, b, _) => format!("{} {op:?} {}", word(a), word(b)),
            Condition::In { negated, left, right, .. } => {
                format!(
                    "{}{} in {}",
                    if *negated { "not " } else { "" },
                    word(left),
                    super::notation::value(right)
                )
            }
            Condition::Not(c) => format!("!({})", dump(c)),
            Condition::And(all) => {
                format!("({})", all.iter().map(dump).collect::<Vec<_>>().join(" & "))
            }
            Condition::Or(all) => {
                format!("({})", all.iter().map(dump).collect::<Vec<_>>().join(" or "))
            }
        }
    }
    check("[[ a ]]", "L(a)");
    check("[[ -f a*b && -list $x ]]", "(-f L(a*b) & -list ${x})");
    check("[[ $x == *.rs || $x != \"*\" ]]", "(${x} Equal G(*)L(.rs) or ${x} NotEqual D[Q(*)])");
    check("[[ $x == $y[a] ]]", "${x} Equal ${y}G([a])");
    check("[[ $x =~ ^v[0-9]+\\.(a|b c)$ ]]", "${x} Match L(^v[0-9]+\\.(a|b c)$)");
    check("[[ $x !~ \"a b\" && ( $x =~ (a) ) ]]", "(${x} NotMatch D[Q(a b)] & ${x} Match L((a)))");
    check("[[ ! a == b && c<d || ! ( e ) ]]", "((!(L(a) Equal L(b)) & L(c) Less L(d)) or !(L(e)))");
    check("[[ 1 -lt 2 ]]", "L(1) NumLess L(2)");
    check("[[ 4 in [1 4] && a not in $r ]]", "(L(4) in [1, 4] & not L(a) in ${r})");
    check("[[ -f ]]", "L(-f)");
    check("[[ -f == x ]]", "L(-f) Equal L(x)");
    check("[[\n a &&\n b\n]]", "(L(a) & L(b))");
    check("[[ ! ! a ]]", "L(a)");
}

#[test]
fn traits() {
    let parsed = parse("a *.{b,c} $(d) \"${x:-$(e)}\" $((1)) f");
    let Command::Simple(simple) = first(&parsed.script) else { panic!() };
    let traits: Vec<_> = simple
        .words
        .iter()
        .map(|argument| match argument {
            Argument::Word(w) => (w.traits.runs, w.traits.globs, w.traits.braces),
            Argument::Assignment(_) => panic!(),
        })
        .collect();
    let plain = (false, false, false);
    assert_eq!(
        traits,
        [plain, (false, true, true), (true, false, false), (true, false, false), plain, plain]
    );
}

#[test]
fn spans() {
    let text = "x=1 echo \"é $y\" >f";
    let parsed = parse(text);
    let Command::Simple(simple) = first(&parsed.script) else { panic!() };
    let Argument::Word(second) = &simple.words[1] else { panic!() };
    assert_eq!(second.span.text(text), "\"é $y\"");
    assert_eq!(simple.assignments[0].span.text(text), "x=1");
    assert_eq!(simple.redirects[0].span.text(text), ">f");
    assert_eq!(simple.span, Span::new(0, text.len()));
}
