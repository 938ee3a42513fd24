//! Arithmetic to postfix code.

use super::notation::arithmetic;
use crate::syntax::{parse_arithmetic, parse_integer};

fn check(text: &str, expect: &str) {
    assert_eq!(arithmetic(&parse_arithmetic(text)), expect, "{text:?}");
}

#[test]
fn precedence() {
    check("1+2*3", "1 2 3 Multiply Add");
    check("(1+2)*3", "1 2 Add 3 Multiply");
    check("10-3-2", "10 3 Subtract 2 Subtract");
    check("2**3**2", "2 3 2 Power Power");
    check("-2**2", "2 Negate 2 Power");
    check("2**-1", "2 1 Negate Power");
    check("a|b^c&d", "a b c d BitAnd BitXor BitOr");
    check("1<<2+3", "1 2 3 Add ShiftLeft");
    check("a<b==c>=d", "a b Less c d GreaterEqual Equal");
    check("!a+~b", "a Not b Complement Add");
    check("- - 1", "1 Negate Negate");
    check("1, 2", "1 pop 2");
    check("", "");
}

#[test]
fn jumps() {
    check("a&&b", "a jz5 b Truth j6 0");
    check("a||b", "a jnz5 b Truth j6 1");
    check("a?1:2", "a jz4 1 j5 2");
    check("a?1:b?2:3", "a jz4 1 j9 b jz8 2 j9 3");
    check("a?1,2:3", "a jz6 1 pop 2 j7 3");
}

#[test]
fn variables() {
    check("x=5", "5 =x");
    check("x=y=5", "5 =y =x");
    check("x+=2*3", "2 3 Multiply Add=x");
    check("x<<=1", "1 ShiftLeft=x");
    check("x++ + ++y", "post+1x pre+1y Add");
    check("x---y", "post-1x y Subtract");
    check("x=a?1:2", "a jz4 1 j5 2 =x");
    check("xs[i]", "xs[i | L(i)]");
    check("xs[i+1]=2", "2 =xs[i 1 Add | L(i+1)]");
    check("r[\"a b\"]", "r[D[Q(a b)] | D[Q(a b)]]");
    check("r[$k][0]", "r[${k} | ${k}][0 | L(0)]");
    check("xs[$i+1]", "xs[${i} 1 Add | ${i}L(+1)]");
    check("$x + ${#y} + $(a)", "${x} ${y Length} Add C(a) Add");
    check("10#$x + 0x$y", "D[Q(10#)${x}] D[Q(0x)${y}] Add");
    check("名+1", "名 1 Add");
}

#[test]
fn numbers() {
    check("0x1F + 0b101 + 017 + 16#ff + 2#11 + 64#_", "31 5 Add 15 Add 255 Add 3 Add 63 Add");
    check("9223372036854775807", "9223372036854775807");
    check("-9223372036854775808", "-9223372036854775808");
    for (text, n) in [("12", 12), (" -0x10 ", -16), ("010", 8), ("10#010", 10), ("+3", 3)] {
        assert_eq!(parse_integer(text), Some(n), "{text}");
    }
    for text in ["", "a", "1.5", "09", "9223372036854775808", "1 2", "65#1"] {
        assert_eq!(parse_integer(text), None, "{text}");
    }
    assert_eq!(parse_integer("-9223372036854775808"), Some(i64::MIN));
}

#[test]
fn mistakes() {
    for text in [
        "2 +* 3",
        "1 +",
        "(1",
        "1)",
        "a b",
        "1.5 + 1",
        "09",
        "5=3",
        "a+b=3",
        "1?2",
        "1:2",
        "xs[0",
        "9223372036854775808",
        "5++",
        "a ? b : c = 1",
        "@",
        "$",
    ] {
        let code = parse_arithmetic(text);
        assert!(code.error.is_some(), "{text:?}: {}", arithmetic(&code));
        assert!(code.ops.is_empty());
    }
    check("1.5 + 1", "error: `1.5` is no integer: arithmetic is on integers, use jq or bc");
    check(
        "08",
        "error: `08` begins with 0, so it is octal, where `8` is no digit: write 8 or 10#08",
    );
}

#[test]
fn long_chains() {
    for (link, last) in
        [("1+", "1"), ("2**", "1"), ("a=", "1"), ("1?2:", "3"), ("- ", "1"), ("1&&", "1")]
    {
        let code = parse_arithmetic(&format!("{}{last}", link.repeat(100_000)));
        assert_eq!(code.error, None, "{link}");
        assert!(code.ops.len() > 100_000);
    }
    let parens = format!("{}1{}", "(".repeat(100_000), ")".repeat(100_000));
    assert_eq!(parse_arithmetic(&parens).error, None);
}
