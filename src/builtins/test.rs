//! `test` and `[`: one question about files, strings or numbers; the status is the answer.

use std::cmp::Ordering;
use std::rc::Rc;

use futures::future::{FutureExt, LocalBoxFuture};

use crate::tool::{
    Args, Binding, Builtin, Example, ExecContext, Issue, Outcome, Reply, Run, Spec, Stop, Topic,
};
use crate::value::{Value, parse_number};
use crate::vfs::{FileKind, Metadata};

/// `test`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Mixed(run_now, run) };

/// `[`
pub(super) const BRACKET: Builtin = Builtin {
    spec: Spec { name: "[", operands: "EXPRESSION ]", ..SPEC },
    run: Run::Mixed(run_bracket_now, run_bracket),
};

const SPEC: Spec = Spec {
    name: "test",
    about: "test files, strings and numbers",
    topic: Topic::Shell,
    operands: "EXPRESSION",
    binding: Binding::Raw,
    check: Some(check),
    notes: "Files: -e -f -d -L -h -r -w -x -s -b -c -p -S, A -nt B, A -ot B, A -ef B. Strings: -n -z\n\
            = == != < >, or one word. Numbers: -eq -ne -lt -le -gt -ge. Also -v NAME, -t FD, -list,\n\
            -record, and ! before any of these. Join tests with && and || between commands.",
    examples: &[
        Example { script: "test 3 -gt 2 && echo yes", output: "yes\n" },
        Example { script: "[ -e nofile ] || echo no", output: "no\n" },
    ],
    ..Spec::DEFAULT
};

/// E020: expressions of more than one question.
fn check(args: &Args) -> Option<Issue> {
    let mut words = args.operands.as_slice();
    if let [rest @ .., last] = words
        && is(last, "]")
    {
        words = rest;
    }
    while let [first, rest @ ..] = words
        && is(first, "!")
        && rest.len() > 2
    {
        words = rest;
    }
    let compound = |word: &&Value| matches!(word.as_str(), Some("-a" | "-o" | "(" | ")"));
    let word = match words {
        [first, middle, last] if is(first, "(") && is(last, ")") => {
            if binary(middle).is_some() {
                return None;
            }
            first
        }
        [_, middle, _] => Some(middle).filter(compound)?,
        [_, _, _, _, ..] => words.iter().find(compound)?,
        _ => return None,
    };
    let (message, way) = compound_refusal(word);
    Some(Issue::new("E020", message).with_fix(way).at(&word.to_text_lossy()))
}

/// What is said of `-a`, `-o` and parentheses, and what to write instead.
fn compound_refusal(word: &Value) -> (String, &'static str) {
    let word = word.to_text_lossy();
    let way = match word.as_str() {
        "-a" => "join two tests with &&",
        "-o" => "join two tests with ||",
        _ => "group tests with { …; }, join them with && and ||",
    };
    (format!("'{word}' is not supported"), way)
}

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move { answer(cx, &args.operands).await }.boxed_local()
}

fn run_bracket<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        match args.operands.split_last() {
            Some((Value::Text(last), words)) if last == "]" => answer(cx, words).await,
            _ => unclosed(cx, args),
        }
    }
    .boxed_local()
}

/// Answers at once where no file is asked about.
fn run_now(cx: &mut ExecContext, args: &Args) -> Option<Outcome> {
    answer_now(cx, &args.operands)
}

fn run_bracket_now(cx: &mut ExecContext, args: &Args) -> Option<Outcome> {
    match args.operands.split_last() {
        Some((Value::Text(last), words)) if last == "]" => answer_now(cx, words),
        _ => Some(unclosed(cx, args)),
    }
}

/// The last word is no `]`.
fn unclosed(cx: &mut ExecContext, args: &Args) -> Outcome {
    let last = args.operands.last().map(Value::to_text_lossy).unwrap_or_default();
    Err(match last.strip_suffix(']') {
        Some(word) => cx.fail(2, format_args!("missing ']': set a blank before it, {word} ]")),
        None => {
            cx.fail(2, "missing ']': it is the last word of a test; && and || stand between two")
        }
    })
}

fn answer_now(cx: &mut ExecContext, words: &[Value]) -> Option<Outcome> {
    let asks_files = words.iter().any(|word| {
        matches!(word.as_str(), Some("-nt" | "-ot" | "-ef"))
            || unary(word)
                .is_some_and(|name| !matches!(name, "n" | "z" | "v" | "t" | "list" | "record"))
    });
    if asks_files {
        return None;
    }
    answer(cx, words).now_or_never()
}

async fn answer(cx: &mut ExecContext, words: &[Value]) -> Outcome {
    let (mut words, mut negated) = (words, false);
    while let [first, rest @ ..] = words
        && is(first, "!")
        && !rest.is_empty()
        && !(rest.len() == 2 && rest.first().and_then(binary).is_some())
    {
        negated = !negated;
        words = rest;
    }
    let result = match words {
        [] => false,
        [word] => {
            if unary(word).is_some() || is(word, "!") {
                let operator = word.to_text_lossy();
                return Err(cx.fail(2, format_args!("{operator}: argument expected")));
            }
            !word.is_empty_text()
        }
        [operator, operand] => match unary(operator) {
            Some(letter) => ask_one(cx, letter, operand).await?,
            None => return Err(misuse(cx, words)),
        },
        [left, operator, right] => match binary(operator) {
            Some(operator) => ask_two(cx, left, operator, right).await?,
            None => return Err(misuse(cx, words)),
        },
        _ => return Err(misuse(cx, words)),
    };
    Reply::success(result != negated)
}

fn is(word: &Value, text: &str) -> bool {
    word.as_str() == Some(text)
}

/// Says what is wrong with words that make no expression.
fn misuse(cx: &mut ExecContext, words: &[Value]) -> Stop {
    let compound = words.iter().find(|word| matches!(word.as_str(), Some("-a" | "-o" | "(" | ")")));
    if let Some(word) = compound {
        let (message, way) = compound_refusal(word);
        return cx.fail(2, format_args!("E020: {message}: {way}"));
    }
    match words {
        [first, _] => {
            let first = first.to_text_lossy();
            cx.fail(2, format_args!("{first}: unary operator expected"))
        }
        [_, second, _] => {
            let second = second.to_text_lossy();
            cx.fail(2, format_args!("{second}: binary operator expected"))
        }
        _ => cx.fail(2, "too many arguments"),
    }
}

/// The name of a unary operator without its dash.
fn unary(word: &Value) -> Option<&str> {
    let name = word.as_str()?.strip_prefix('-')?;
    let known = matches!(name, "list" | "record")
        || (name.len() == 1 && "bcdefghknprstuvwxzGLNOS".contains(name));
    known.then_some(name)
}

fn binary(word: &Value) -> Option<&str> {
    let operators =
        ["=", "==", "!=", "<", ">", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef"];
    word.as_str().filter(|word| operators.contains(word))
}

async fn ask_one(cx: &mut ExecContext, operator: &str, operand: &Value) -> Result<bool, Stop> {
    let text = operand.to_text_lossy();
    Ok(match operator {
        "n" => !operand.is_empty_text(),
        "z" => operand.is_empty_text(),
        "list" => matches!(operand, Value::List(_)),
        "record" => matches!(operand, Value::Record(_)),
        "v" => cx.session.scope.borrow().get(&text).is_some(),
        "t" => match text.trim().parse::<u32>() {
            Ok(fd) => cx.streams.fds.get(fd).is_some_and(crate::io::Stream::is_terminal),
            Err(_) => return Err(cx.fail(2, format_args!("{text}: integer expected"))),
        },
        "r" | "w" | "x" => {
            let path = cx.resolve(&text);
            let access = Rc::clone(cx.backend()).path_access(&path).await;
            !text.is_empty()
                && access.is_ok_and(|access| match operator {
                    "r" => access.read,
                    "w" => access.write,
                    _ => access.execute,
                })
        }
        "L" | "h" => {
            let path = cx.resolve(&text);
            let metadata = Rc::clone(cx.backend()).lstat(&path).await;
            !text.is_empty() && metadata.is_ok_and(|metadata| metadata.is_symlink())
        }
        _ => stat(cx, &text).await.is_some_and(|metadata| match operator {
            "f" => metadata.is_file(),
            "d" => metadata.is_dir(),
            "s" => metadata.len > 0 || metadata.is_dir(),
            "c" => metadata.kind == FileKind::Device,
            "u" => metadata.mode & 0o4000 != 0,
            "g" => metadata.mode & 0o2000 != 0,
            "k" => metadata.mode & 0o1000 != 0,
            "b" | "p" | "S" => false,
            _ => true,
        }),
    })
}

async fn stat(cx: &ExecContext, operand: &str) -> Option<Metadata> {
    if operand.is_empty() {
        return None;
    }
    let path = cx.resolve(operand);
    Rc::clone(cx.backend()).stat(&path).await.ok()
}

async fn ask_two(
    cx: &mut ExecContext,
    left: &Value,
    operator: &str,
    right: &Value,
) -> Result<bool, Stop> {
    if let "-nt" | "-ot" | "-ef" = operator {
        let (left, right) = (left.to_text_lossy(), right.to_text_lossy());
        let (left, right) = (stat(cx, &left).await, stat(cx, &right).await);
        return Ok(match (operator, left, right) {
            ("-nt", Some(left), Some(right)) => left.modified > right.modified,
            ("-ot", Some(left), Some(right)) => left.modified < right.modified,
            ("-ef", Some(left), Some(right)) => {
                (left.device, left.inode) == (right.device, right.inode)
            }
            ("-nt", Some(_), None) | ("-ot", None, Some(_)) => true,
            _ => false,
        });
    }
    if let "=" | "==" | "!=" = operator {
        return equal(cx, left, right).map(|equal| equal == (operator != "!="));
    }
    let order = if operator.len() == 1 {
        match (number(left), number(right)) {
            (Some(left), Some(right)) => left.compare(&right),
            _ => Some(left.to_bytes().cmp(&right.to_bytes())),
        }
    } else {
        let mut read = |word| match number(word) {
            Some(number) => Ok(number),
            None => {
                let text = word.to_text_lossy();
                Err(cx.fail(2, format_args!("{text}: number expected")))
            }
        };
        read(left)?.compare(&read(right)?)
    };
    Ok(match operator {
        "-eq" => order == Some(Ordering::Equal),
        "-ne" => order != Some(Ordering::Equal),
        "-lt" | "<" => order == Some(Ordering::Less),
        "-le" => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        "-gt" | ">" => order == Some(Ordering::Greater),
        _ => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
    })
}

fn equal(cx: &mut ExecContext, left: &Value, right: &Value) -> Result<bool, Stop> {
    match (left.is_collection(), right.is_collection()) {
        (true, true) => Ok(left == right),
        (false, false) => Ok(left.to_bytes() == right.to_bytes()),
        _ => {
            let kinds = (left.type_name(), right.type_name());
            Err(cx.fail(2, format_args!("a {} cannot equal a {}: use tojson", kinds.0, kinds.1)))
        }
    }
}

/// A number as a test compares it.
enum Number {
    Int(i64),
    Float(f64),
}

impl Number {
    #[expect(clippy::cast_precision_loss, reason = "mixed kinds compare by the nearest float")]
    fn compare(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Int(a), Self::Int(b)) => Some(a.cmp(b)),
            (Self::Int(a), Self::Float(b)) => (*a as f64).partial_cmp(b),
            (Self::Float(a), Self::Int(b)) => a.partial_cmp(&(*b as f64)),
            (Self::Float(a), Self::Float(b)) => a.partial_cmp(b),
        }
    }
}

fn number(word: &Value) -> Option<Number> {
    let text = word.to_text()?;
    let text = text.trim();
    if let Ok(int) = text.parse() {
        return Some(Number::Int(int));
    }
    let digits = text.strip_prefix('+').unwrap_or(text);
    parse_number(digits).map(|number| Number::Float(number.as_f64()))
}
