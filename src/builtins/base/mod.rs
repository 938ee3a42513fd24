//! `base64` and `base32`: bytes as text of few letters, and back.

mod code;

use futures::future::{FutureExt, LocalBoxFuture};

use self::code::{Code, Decoder};
use super::common::quoted;
use crate::io::Stream;
use crate::tool::{Args, Builtin, Example, ExecContext, OK, Opt, Outcome, Run, Spec, Stop, Topic};

const OPTIONS: &[Opt<'static>] = &[
    Opt::flag('d', "decode", "back to bytes"),
    Opt::flag('D', "", "the same"),
    Opt::flag('i', "ignore-garbage", "with -d: leave out what is no letter of the code"),
    Opt::value('w', "wrap", "COLS", "letters of a line, 76 where left out; 0 for one line"),
];

/// `base64`
pub(super) const BASE64: Builtin = Builtin {
    spec: Spec {
        name: "base64",
        about: "encode bytes as base64, or decode",
        topic: Topic::Text,
        operands: "[FILE]",
        arity: (0, 1),
        options: OPTIONS,
        examples: &[
            Example { script: "printf hello | base64", output: "aGVsbG8=\n" },
            Example { script: "echo aGVsbG8= | base64 -d", output: "hello" },
        ],
        ..Spec::DEFAULT
    },
    run: Run::Wait(base64),
};

/// `base32`
pub(super) const BASE32: Builtin = Builtin {
    spec: Spec {
        name: "base32",
        about: "encode bytes as base32, or decode",
        topic: Topic::Text,
        operands: "[FILE]",
        arity: (0, 1),
        options: OPTIONS,
        examples: &[Example { script: "printf hello | base32", output: "NBSWY3DP\n" }],
        ..Spec::DEFAULT
    },
    run: Run::Wait(base32),
};

fn base64<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    run(cx, args, Code::BASE64).boxed_local()
}

fn base32<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    run(cx, args, Code::BASE32).boxed_local()
}

async fn run(cx: &mut ExecContext, args: &Args, code: Code) -> Outcome {
    let width = match args.text("wrap") {
        None => 76,
        Some(text) => match text.parse::<usize>() {
            Ok(width) => width,
            Err(_) => {
                return Err(cx.fail(1, format_args!("invalid wrap size: {}", quoted(&text))));
            }
        },
    };
    let name = args.operand(0).unwrap_or_else(|| "-".into());
    let Some(stream) = cx.open_input(&name).await? else { return Err(Stop::Failed(1)) };
    if args.has("decode") || args.has("D") {
        decode(cx, &stream, code, args.has("ignore-garbage")).await
    } else {
        encode(cx, &stream, code, width).await
    }
}

async fn encode(cx: &mut ExecContext, stream: &Stream, code: Code, width: usize) -> Outcome {
    let mut pending = Vec::new();
    let mut column = 0;
    loop {
        let chunk = cx.read_chunk(stream).await?;
        let is_last = chunk.is_empty();
        pending.extend_from_slice(&chunk);
        let whole =
            if is_last { pending.len() } else { pending.len() - pending.len() % code.bytes() };
        let mut letters = Vec::with_capacity(whole * 2);
        code.encode(pending.get(..whole).unwrap_or_default(), &mut letters);
        pending.drain(..whole);
        let mut rest = letters.as_slice();
        while width > 0 && column + rest.len() > width {
            let (line, tail) = rest.split_at_checked(width - column).unwrap_or((rest, &[]));
            cx.write(line).await?;
            cx.write(b"\n").await?;
            rest = tail;
            column = 0;
        }
        cx.write(rest).await?;
        column += rest.len();
        if is_last {
            break;
        }
    }
    if column > 0 && width > 0 {
        cx.write(b"\n").await?;
    }
    OK
}

async fn decode(cx: &mut ExecContext, stream: &Stream, code: Code, skips: bool) -> Outcome {
    let mut decoder = Decoder::new(code, skips);
    let mut bytes = Vec::new();
    loop {
        let chunk = cx.read_chunk(stream).await?;
        let good = if chunk.is_empty() {
            decoder.finish(&mut bytes)
        } else {
            decoder.feed(&chunk, &mut bytes)
        };
        cx.write(&bytes).await?;
        bytes.clear();
        if !good {
            cx.flush().await?;
            return Err(cx.fail(1, "invalid input"));
        }
        if chunk.is_empty() {
            return OK;
        }
    }
}
