//! `echo`: its words, joined by blanks, and a newline.

use crate::tool::{
    Args, Binding, Builtin, Completes, Example, ExecContext, OK, Outcome, Run, Spec, Topic,
};
use crate::value::Value;

/// `echo`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Now(run) };

const SPEC: Spec = Spec {
    name: "echo",
    about: "print words",
    topic: Topic::Text,
    operands: "[-neE] [WORD]...",
    binding: Binding::Raw,
    completes: Completes::Files,
    notes: "-n leaves out the newline, -e interprets backslash escapes, -E does not (the default).",
    examples: &[Example { script: "echo one 'two  three'", output: "one two  three\n" }],
    ..Spec::DEFAULT
};

fn run(cx: &mut ExecContext, args: &Args) -> Outcome {
    let (mut newline, mut escapes) = (true, false);
    let mut words = args.operands.as_slice();
    while let Some((Value::Text(word), rest)) = words.split_first() {
        let Some(letters) = word.strip_prefix('-').filter(|letters| is_options(letters)) else {
            break;
        };
        for letter in letters.chars() {
            match letter {
                'n' => newline = false,
                'e' => escapes = true,
                _ => escapes = false,
            }
        }
        words = rest;
    }
    let mut ended = false;
    for (index, word) in words.iter().enumerate() {
        if index > 0 {
            cx.push(" ");
        }
        match word {
            Value::Text(text) if escapes => ended = push_escaped(&mut cx.streams.out, text),
            Value::Text(text) => cx.push(text.as_str()),
            other => cx.push(other.to_bytes()),
        }
        if ended {
            return OK;
        }
    }
    if newline {
        cx.push("\n");
    }
    OK
}

fn is_options(letters: &str) -> bool {
    !letters.is_empty() && letters.bytes().all(|b| matches!(b, b'n' | b'e' | b'E'))
}

/// Appends text with `echo -e` escapes; `true` where `\c` ends all output.
fn push_escaped(out: &mut Vec<u8>, text: &str) -> bool {
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' {
            push_char(out, c);
            continue;
        }
        match chars.next() {
            Some('a') => out.push(7),
            Some('b') => out.push(8),
            Some('c') => return true,
            Some('e' | 'E') => out.push(27),
            Some('f') => out.push(12),
            Some('n') => out.push(b'\n'),
            Some('r') => out.push(b'\r'),
            Some('t') => out.push(b'\t'),
            Some('v') => out.push(11),
            Some('\\') => out.push(b'\\'),
            Some('0') => push_number(out, &mut chars, 8, 3, "\\0"),
            Some('x') => push_number(out, &mut chars, 16, 2, "\\x"),
            Some('u') => push_unicode(out, &mut chars, 4, "\\u"),
            Some('U') => push_unicode(out, &mut chars, 8, "\\U"),
            Some(other) => {
                out.push(b'\\');
                push_char(out, other);
            }
            None => out.push(b'\\'),
        }
    }
    false
}

type Chars<'a> = std::iter::Peekable<std::str::Chars<'a>>;

fn push_char(out: &mut Vec<u8>, c: char) {
    out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
}

fn digits(chars: &mut Chars<'_>, radix: u32, most: usize) -> Option<u32> {
    let mut value = None;
    for _ in 0..most {
        let Some(digit) = chars.peek().and_then(|c| c.to_digit(radix)) else { break };
        chars.next();
        value = Some(value.unwrap_or(0) * radix + digit);
    }
    value
}

fn push_number(out: &mut Vec<u8>, chars: &mut Chars<'_>, radix: u32, most: usize, plain: &str) {
    match digits(chars, radix, most) {
        Some(value) => out.push((value & 0xff) as u8),
        None if radix == 8 => out.push(0),
        None => out.extend_from_slice(plain.as_bytes()),
    }
}

fn push_unicode(out: &mut Vec<u8>, chars: &mut Chars<'_>, most: usize, plain: &str) {
    match digits(chars, 16, most) {
        Some(value) => push_char(out, char::from_u32(value).unwrap_or('\u{fffd}')),
        None => out.extend_from_slice(plain.as_bytes()),
    }
}
