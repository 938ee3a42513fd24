//! `tojson` and `tojsonl`: values to JSON text.

use futures::future::{FutureExt, LocalBoxFuture};

use super::values::one;
use crate::tool::{
    Args, Builtin, Completes, Example, ExecContext, OK, Opt, Outcome, Run, Spec, Topic,
};
use crate::value::{Value, to_json, to_json_pretty};

/// `tojson`
pub(super) const TOJSON: Builtin = Builtin {
    spec: Spec {
        name: "tojson",
        about: "a value to JSON text",
        operands: "[VALUE]",
        options: &[Opt::flag('p', "pretty", "indented, a field a line")],
        notes: "Without VALUE, takes the value or the text of standard input. A word that spells a number\n\
                or a boolean is one; quotes make it text.",
        examples: &[Example { script: "tojson 5; tojson 'a b'", output: "5\n\"a b\"\n" }],
        ..SPEC
    },
    run: Run::Wait(tojson),
};

/// `tojsonl`
pub(super) const TOJSONL: Builtin = Builtin {
    spec: Spec {
        name: "tojsonl",
        about: "a list to lines of JSON",
        operands: "[LIST]",
        examples: &[Example { script: "xs=[1 {a: 2}]; tojsonl $xs", output: "1\n{\"a\":2}\n" }],
        ..SPEC
    },
    run: Run::Wait(tojsonl),
};

const SPEC: Spec = Spec {
    topic: Topic::Values,
    completes: Completes::Nothing,
    arity: (0, 1),
    typed: true,
    negatives: true,
    ..Spec::DEFAULT
};

fn tojson<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let value = one(cx, args).await?;
        if holds_bytes(&value) {
            return Err(cx.fail(1, "bytes that are not UTF-8 text have no JSON: use base64 or xxd"));
        }
        let text = if args.has("pretty") { to_json_pretty(&value) } else { to_json(&value) };
        cx.push_line(text);
        // The reader of a pipe gets the value itself.
        cx.streams.fds.stdout().set_value(&value);
        OK
    }
    .boxed_local()
}

/// Whether a value or an element of it is bytes.
fn holds_bytes(value: &Value) -> bool {
    let mut pending = vec![value];
    while let Some(value) = pending.pop() {
        match value {
            Value::Bytes(_) => return true,
            Value::List(list) => pending.extend(list.iter()),
            Value::Record(record) => pending.extend(record.values()),
            _ => {}
        }
    }
    false
}

fn tojsonl<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let Value::List(list) = one(cx, args).await? else {
            return Err(cx.fail(1, "not a list: use tojson for one document"));
        };
        for item in &list {
            cx.write_line(to_json(item).as_bytes()).await?;
            cx.checkpoint(1).await?;
        }
        OK
    }
    .boxed_local()
}
