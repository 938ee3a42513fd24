//! `fromjson` and `fromjsonl`: JSON text to values.

use futures::future::{FutureExt, LocalBoxFuture};

use crate::tool::{
    Args, Builtin, Completes, Example, ExecContext, OK, Outcome, Run, Spec, Stop, Topic,
};
use crate::value::{Value, from_json, from_json_lines};

/// `fromjson`
pub(super) const FROMJSON: Builtin = Builtin {
    spec: Spec {
        name: "fromjson",
        about: "JSON text to a value",
        operands: "[TEXT]",
        arity: (0, 1),
        notes: "Reads one document, of TEXT or of standard input; text after it is an error.",
        examples: &[Example {
            script: "x=$(fromjson '{\"a\":[1,2]}'); echo ${x[a][1]}",
            output: "2\n",
        }],
        ..SPEC
    },
    run: Run::Wait(fromjson),
};

/// `fromjsonl`
pub(super) const FROMJSONL: Builtin = Builtin {
    spec: Spec {
        name: "fromjsonl",
        about: "lines of JSON to a list",
        operands: "[TEXT]",
        arity: (0, 1),
        notes: "Reads one document a line and skips empty lines.",
        examples: &[Example { script: "printf '1\\n\\n2\\n' | fromjsonl", output: "[1,2]\n" }],
        ..SPEC
    },
    run: Run::Wait(fromjsonl),
};

const SPEC: Spec = Spec {
    topic: Topic::Values,
    completes: Completes::Nothing,
    negatives: true,
    answers_value: true,
    ..Spec::DEFAULT
};

fn fromjson<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let text = match input(cx, args).await? {
            Ok(value) => {
                cx.answer(value);
                return OK;
            }
            Err(text) => text,
        };
        let value = from_json(&text).map_err(|error| cx.fail(1, error))?;
        cx.answer(value);
        OK
    }
    .boxed_local()
}

fn fromjsonl<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let text = match input(cx, args).await? {
            Ok(value) => {
                cx.answer(value);
                return OK;
            }
            Err(text) => text,
        };
        let list = from_json_lines(&text).map_err(|error| cx.fail(1, error))?;
        cx.answer(Value::List(list));
        OK
    }
    .boxed_local()
}

/// The operand's text, or standard input: a typed collection as it is, else its text.
async fn input(cx: &mut ExecContext, args: &Args) -> Result<Result<Value, String>, Stop> {
    let bytes = match args.operands.first() {
        Some(value) if value.is_collection() => {
            let kind = value.type_name();
            return Err(cx.fail(1, format_args!("the operand is a {kind} already, not JSON text")));
        }
        Some(value) => value.to_bytes(),
        None => {
            let stdin = cx.stdin();
            let bytes = cx.read_all(&stdin).await?;
            match stdin.take_value() {
                Some(value) if value.is_collection() => return Ok(Ok(value)),
                _ => bytes,
            }
        }
    };
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Err(text)),
        Err(_) => Err(cx.fail(1, "the input is not UTF-8 text: use base64, xxd or iconv")),
    }
}
