//! `keys`, `values` and `typeof`: what a collection holds, and the type of a value.

use std::rc::Rc;

use futures::future::{FutureExt, LocalBoxFuture};

use crate::tool::{
    Args, Builtin, Completes, Example, ExecContext, OK, Outcome, Run, Spec, Stop, Topic,
};
use crate::value::{EcoVec, Value};

/// `keys`
pub(super) const KEYS: Builtin = Builtin {
    spec: Spec {
        name: "keys",
        about: "the keys of a record, the indices of a list",
        notes: "Without VALUE, takes the value of standard input.",
        answers_value: true,
        examples: &[Example { script: "r={a: 1, b: 2}; keys $r", output: "[\"a\",\"b\"]\n" }],
        ..SPEC
    },
    run: Run::Wait(keys),
};

/// `values`
pub(super) const VALUES: Builtin = Builtin {
    spec: Spec {
        name: "values",
        about: "the values of a record, the elements of a list",
        notes: "Without VALUE, takes the value of standard input.",
        answers_value: true,
        examples: &[Example {
            script: "xs=[1 'b c']; for x in $(values $xs); do echo $x; done",
            output: "1\nb c\n",
        }],
        ..SPEC
    },
    run: Run::Wait(values),
};

/// `typeof`
pub(super) const TYPEOF: Builtin = Builtin {
    spec: Spec {
        name: "typeof",
        about: "the type of a value",
        notes: "One of null bool number string bytes list record.",
        examples: &[Example {
            script: "typeof 5; typeof '5'; xs=[1]; typeof $xs",
            output: "number\nstring\nlist\n",
        }],
        ..SPEC
    },
    run: Run::Wait(type_of),
};

const SPEC: Spec = Spec {
    topic: Topic::Values,
    operands: "[VALUE]",
    completes: Completes::Nothing,
    arity: (0, 1),
    typed: true,
    negatives: true,
    ..Spec::DEFAULT
};

/// The operand, or the value or text of standard input.
pub(super) async fn one(cx: &mut ExecContext, args: &Args) -> Result<Value, Stop> {
    if let Some(value) = args.operands.first() {
        return Ok(value.clone());
    }
    Ok(match cx.read_value_or_bytes().await? {
        Ok(value) => value,
        Err(mut bytes) => {
            if bytes.last() == Some(&b'\n') {
                bytes.pop();
            }
            Value::from_bytes(bytes)
        }
    })
}

fn keys<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let list: EcoVec<Value> = match one(cx, args).await? {
            Value::Record(record) => record.keys().cloned().map(Value::Text).collect(),
            Value::List(list) => (0..list.len())
                .map(|index| Value::int(i64::try_from(index).unwrap_or(i64::MAX)))
                .collect(),
            other => return Err(no_collection(cx, &other)),
        };
        cx.answer(Value::List(list));
        OK
    }
    .boxed_local()
}

fn values<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let list = match one(cx, args).await? {
            Value::Record(record) => {
                Rc::unwrap_or_clone(record).into_values().collect::<EcoVec<Value>>()
            }
            Value::List(list) => list,
            other => return Err(no_collection(cx, &other)),
        };
        cx.answer(Value::List(list));
        OK
    }
    .boxed_local()
}

fn type_of<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let value = one(cx, args).await?;
        cx.push_line(value.type_name());
        OK
    }
    .boxed_local()
}

fn no_collection(cx: &mut ExecContext, value: &Value) -> Stop {
    let kind = value.type_name();
    let way = match value {
        Value::Text(_) => "; $(fromjson \"$x\") reads JSON text, $(split \"$x\") splits words",
        _ => "",
    };
    cx.fail(1, format_args!("a {kind} is no list and no record{way}"))
}
