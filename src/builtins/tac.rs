//! `tac`: files with their lines in reverse order, last line first.

use futures::future::{FutureExt, LocalBoxFuture};
use memchr::memmem;

use super::input;
use crate::tool::{
    Args, Builtin, Example, ExecContext, Opt, Outcome, Reply, Run, Spec, Stop, Topic,
};
use crate::value::Value;

/// `tac`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "tac",
    about: "print files in reverse, last line first",
    topic: Topic::Text,
    operands: "[FILE]...",
    options: &[
        Opt::flag('b', "before", "the separator stands before a record, not after"),
        Opt::value('s', "separator", "TEXT", "what ends records (a newline)"),
    ],
    examples: &[Example { script: "seq 3 | tac", output: "3\n2\n1\n" }],
    ..Spec::DEFAULT
};

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let separator = args.value("separator").map_or_else(|| b"\n".to_vec(), Value::to_bytes);
        let separator = if separator.is_empty() { vec![0] } else { separator };
        let mut status = 0;
        for operand in input::operands_or_stdin(args) {
            match input::open(cx, &operand).await {
                Ok(stream) => {
                    let text = cx.read_all(&stream).await?;
                    print(cx, &text, &separator, args.has("before")).await?;
                }
                Err(errno) => {
                    let what = format_args!("failed to open '{operand}' for reading: {errno}");
                    cx.complain(what).await?;
                    status = 1;
                }
            }
        }
        Reply::status(status)
    }
    .boxed_local()
}

async fn print(
    cx: &mut ExecContext,
    text: &[u8],
    separator: &[u8],
    before: bool,
) -> Result<(), Stop> {
    let finder = memmem::FinderRev::new(separator);
    let mut end = text.len();
    // A record ends after its separator, or before the next one's with --before.
    let mut search = if before { end } else { end.saturating_sub(1) };
    while end > 0 {
        let found = finder.rfind(text.get(..search).unwrap_or_default());
        let start = match found {
            Some(at) if before => at,
            Some(at) => at + separator.len(),
            None => 0,
        };
        let record = text.get(start..end).unwrap_or_default();
        cx.write(record).await?;
        cx.checkpoint(1).await?;
        end = start;
        search = if before { start } else { start.saturating_sub(1) };
        if found.is_none() {
            break;
        }
    }
    Ok(())
}
