//! The words of a call to what the engine is asked: one JSON object.

use std::rc::Rc;

use super::text;
use crate::tool::{Args, ExecContext, Stop};
use crate::value::{EcoString, InOrder, Record, Value, to_json};

/// A call as the engine takes it, and the files it reads.
pub(super) struct Request {
    pub(super) text: String,
    pub(super) files: Vec<EcoString>,
}

const FLAGS: [&str; 14] = [
    "null-input",
    "raw-output",
    "join-output",
    "raw-output0",
    "slurp",
    "raw-input",
    "sort-keys",
    "ascii-output",
    "exit-status",
    "tab",
    "jsonargs",
    "stream",
    "seq",
    "color-output",
];

/// Reads the files that options name, and puts the object together.
pub(super) async fn build(cx: &mut ExecContext, args: &Args) -> Result<Request, Stop> {
    let mut request = Record::default();
    let mut put = |name: &str, value: Value| {
        request.insert(name.into(), value);
    };
    for flag in FLAGS.iter().filter(|flag| args.has(flag)) {
        put(flag, Value::Bool(true));
    }
    let is_plain = args.last_of(&["color-output", "monochrome-output"]) != Some("color-output");
    put("color-output", Value::Bool(!is_plain));
    put("indent", Value::int(indent(cx, args)?));
    let mut operands = args.operand_texts().into_iter();
    let filter = match args.text("from-file") {
        Some(file) => EcoString::from(file_text(cx, &file).await?),
        None => match operands.next() {
            Some(filter) => filter,
            None if cx.stdin().is_terminal() => return Err(cx.misuse(2, "a filter is missing")),
            None => ".".into(),
        },
    };
    put("filter", Value::Text(filter));
    put("variables", variables(cx, args).await?);
    let takes_arguments = args.has("args") || args.has("jsonargs");
    let (arguments, files) = if takes_arguments {
        (operands.collect(), Vec::new())
    } else {
        (Vec::new(), operands.collect())
    };
    put("arguments", Value::List(arguments.into_iter().map(Value::Text).collect()));
    put("env", environment(cx));
    let now = cx.services.host.now();
    let seconds = format!("{}.{:09}", now.seconds, now.nanos);
    put("now", Value::from_literal(&seconds));
    Ok(Request { text: to_json(&Value::Record(Rc::new(request))), files })
}

fn indent(cx: &mut ExecContext, args: &Args) -> Result<i64, Stop> {
    let wanted = match args.last_of(&["compact-output", "indent", "tab"]) {
        Some("compact-output") => return Ok(0),
        Some("tab") => return Ok(1),
        Some(_) => args.text("indent").unwrap_or_default(),
        None if args.json => return Ok(0),
        None => return Ok(2),
    };
    match wanted.parse::<i64>() {
        Ok(indent @ 0..=7) => Ok(indent),
        Ok(indent) if indent < 0 => Err(cx.misuse(2, "Cannot indent less than zero")),
        Ok(_) => Err(cx.misuse(2, "Cannot indent more than 7 characters")),
        Err(_) => Err(cx.misuse(2, "--indent takes a number")),
    }
}

/// The variables that options define: lists of name, value, and how the engine reads that.
async fn variables(cx: &mut ExecContext, args: &Args) -> Result<Value, Stop> {
    let mut variables: Vec<Value> = Vec::new();
    for (option, pair) in args.given() {
        let Some(Value::List(pair)) = pair else { continue };
        let [name, value] = pair.as_slice() else { continue };
        let name = text(name);
        let (value, kind) = match option {
            "arg" => (Value::Text(text(value)), None),
            "argjson" => (Value::Text(value_text(value)), Some(option)),
            "rawfile" => (Value::text(file_text(cx, &text(value)).await?), None),
            _ => (Value::text(file_text(cx, &text(value)).await?), Some(option)),
        };
        // The first of equal names counts.
        let known = |variable: &Value| match variable {
            Value::List(variable) => variable.first() == Some(&Value::Text(name.clone())),
            _ => false,
        };
        if !variables.iter().any(known) {
            let parts = [Value::Text(name), value].into_iter().chain(kind.map(Value::from));
            variables.push(Value::List(parts.collect()));
        }
    }
    Ok(Value::List(variables.into_iter().collect()))
}

/// The JSON of a typed value; text is JSON already.
fn value_text(value: &Value) -> EcoString {
    match value {
        Value::Text(text) => text.clone(),
        typed => to_json(typed).into(),
    }
}

async fn file_text(cx: &mut ExecContext, name: &str) -> Result<String, Stop> {
    let path = cx.resolve(name);
    let opened = Rc::clone(cx.backend()).open_read(&path).await;
    let bytes = match opened {
        Ok(stream) => cx.read_all(&stream).await,
        Err(error) => Err(Stop::Io(error.errno())),
    };
    match bytes {
        Ok(bytes) => String::from_utf8(bytes).map_err(|_| {
            cx.fail(2, format_args!("{name} is not UTF-8 text: use base64, xxd or iconv"))
        }),
        Err(Stop::Io(errno)) => {
            Err(cx.fail(2, format_args!("error: Could not open {name}: {errno}")))
        }
        Err(stop) => Err(stop),
    }
}

/// The exported variables, as text.
fn environment(cx: &ExecContext) -> Value {
    let scope = cx.session.scope.borrow();
    let mut fields: Vec<(EcoString, Value)> = scope
        .variables()
        .filter(|(_, variable)| variable.exported)
        .filter_map(|(name, variable)| {
            Some((name.clone(), Value::Text(variable.value.as_ref()?.to_text()?)))
        })
        .collect();
    fields.order_by(|a, b| a.0.cmp(&b.0));
    Value::Record(Rc::new(fields.into_iter().collect()))
}
