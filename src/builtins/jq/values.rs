//! Values beside the bytes: what the command before answered, and what this one answers.

use crate::io::Stream;
use crate::tool::{Args, ExecContext, Stop};
use crate::value::{Value, from_json_stream, to_json, to_json_pretty};

/// The first of standard input; in place of the text of a value, that value as JSON. `None` at the end.
pub(super) async fn typed_input(
    cx: &mut ExecContext,
    stdin: &Stream,
) -> Result<Option<Vec<u8>>, Stop> {
    let first = cx.read_chunk(stdin).await?;
    // A command that answers a value leaves it before its text.
    let Some(value) = stdin.take_value() else {
        return Ok(Some(first).filter(|bytes| !bytes.is_empty()));
    };
    let mut bytes = first;
    bytes.extend(cx.read_all(stdin).await?);
    let value = stdin.take_value().unwrap_or(value);
    if holds_bytes(&value) {
        return Err(cx.fail(2, "bytes that are not UTF-8 text have no JSON: use base64 or xxd"));
    }
    if is_text_of(&bytes, &value) {
        bytes = to_json(&value).into_bytes();
        bytes.push(b'\n');
    }
    Ok(Some(bytes))
}

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

/// Whether bytes are what one command printed for a value. Those of several commands, the last of which
/// left the value, are not; then the bytes count, as long as they can be JSON at all.
fn is_text_of(bytes: &[u8], value: &Value) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let text = text.strip_suffix('\n').unwrap_or(&text);
    if text == value.to_text_lossy() || text == to_json(value) || text == to_json_pretty(value) {
        return true;
    }
    let is_lines = match value {
        Value::List(list) => {
            let mut lines = text.lines();
            list.iter().all(|item| lines.next() == Some(&*item.to_text_lossy()))
                && lines.next().is_none()
        }
        _ => false,
    };
    let start = text.trim_start().chars().next();
    is_lines || start.is_some_and(|c| !"{[\"-0123456789tfn".contains(c))
}

/// Keeps the output, where somebody wants it as a value.
pub(super) struct Collector {
    text: Option<Vec<u8>>,
    /// How much is kept at most; what is longer has no value.
    limit: usize,
    /// Whether several outputs are a list; the next stage of a pipeline takes them one by one.
    is_whole: bool,
}

/// How much is kept for what can do without a value: a pipe, `kaish-last`.
const SOME: usize = 1 << 20;

/// Options whose output is not JSON.
const TEXTUAL: [&str; 5] = ["raw-output", "join-output", "raw-output0", "seq", "color-output"];

impl Collector {
    /// Keeps the output of this call, or nothing where it is not JSON or no value is wanted.
    pub(super) fn new(cx: &ExecContext, args: &Args) -> Self {
        let stdout = cx.streams.fds.stdout();
        let is_captured = args.json || matches!(stdout, Stream::Capture(_));
        let is_recorded = matches!(stdout, Stream::Observed(_)) && !stdout.carries_values();
        let is_text = TEXTUAL.iter().any(|flag| args.has(flag));
        let wanted = (is_captured || is_recorded || stdout.carries_values()) && !is_text;
        Self {
            text: wanted.then(Vec::new),
            limit: if is_captured { usize::MAX } else { SOME },
            is_whole: is_captured || is_recorded,
        }
    }

    /// Adds to the output.
    pub(super) fn take(&mut self, bytes: &[u8]) {
        let Some(text) = &mut self.text else { return };
        text.extend_from_slice(bytes);
        if text.len() > self.limit {
            self.text = None;
        }
    }

    /// Leaves the value: the one output, or for a substitution the list of several.
    pub(super) fn finish(self, cx: &mut ExecContext, args: &Args) {
        let Some(text) = self.text else { return };
        let Ok(values) = from_json_stream(&String::from_utf8_lossy(&text)) else { return };
        let value = match values.as_slice() {
            [] => return,
            [value] => value.clone(),
            _ if self.is_whole => Value::List(values),
            _ => return,
        };
        if args.json {
            cx.answer(value);
        } else {
            cx.streams.fds.stdout().set_value(&value);
        }
    }
}
