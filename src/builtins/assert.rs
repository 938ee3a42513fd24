//! `assert`: fails where a value is empty or an expression does not hold.

use futures::future::{FutureExt, LocalBoxFuture};

use crate::tool::{
    Args, Binding, Builtin, Completes, Example, ExecContext, OK, Outcome, Reply, Run, Spec, Topic,
    help_text,
};
use crate::value::Value;

/// `assert`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "assert",
    about: "fail unless something holds",
    topic: Topic::Values,
    operands: "VALUE | EXPRESSION",
    completes: Completes::Nothing,
    binding: Binding::Raw,
    typed: true,
    notes: "A VALUE holds unless it is empty, 0, false or null; several words are an EXPRESSION as\n\
            `test` reads it.",
    examples: &[Example {
        script: "x=5; assert $x -gt 3 && echo ok; assert '' 2>/dev/null || echo empty",
        output: "ok\nempty\n",
    }],
    ..Spec::DEFAULT
};

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let [value] = args.operands.as_slice() else {
            return expression(cx, args).await;
        };
        if value.as_str() == Some("--help") {
            cx.push(help_text(&SPEC));
            return OK;
        }
        if holds(value) {
            return OK;
        }
        let shown = crate::value::to_json(value);
        Err(cx.fail(1, format_args!("{shown} does not hold")))
    }
    .boxed_local()
}

fn holds(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => false,
        Value::Text(text) => !matches!(text.as_str(), "" | "0" | "false" | "null"),
        Value::Number(number) => number.as_f64() != 0.0,
        Value::List(list) => !list.is_empty(),
        Value::Record(record) => !record.is_empty(),
        _ => true,
    }
}

async fn expression(cx: &mut ExecContext, args: &Args) -> Outcome {
    if args.operands.is_empty() {
        return Err(cx.fail(2, "what? assert VALUE, or assert LEFT OPERATOR RIGHT"));
    }
    let mut words = vec![Value::text("test")];
    words.extend(args.operands.iter().cloned());
    let status = cx.call_on(words, cx.streams.fds.clone()).await?;
    if status == 1 {
        let text: Vec<_> = args.operands.iter().map(Value::to_text_lossy).collect();
        return Err(cx.fail(1, format_args!("{} does not hold", text.join(" "))));
    }
    Reply::status(status)
}
