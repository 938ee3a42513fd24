//! `sleep`: waits.

use std::time::Duration;

use futures::future::{FutureExt, LocalBoxFuture};

use super::common::{parse_duration, quoted};
use crate::tool::{Args, Builtin, Completes, Example, ExecContext, OK, Outcome, Run, Spec, Topic};

/// `sleep`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "sleep",
    about: "wait for a time",
    topic: Topic::System,
    operands: "NUMBER[ms|s|m|h|d]...",
    arity: (1, usize::MAX),
    completes: Completes::Nothing,
    notes: "NUMBER may have decimals. Several durations add up; 'infinity' waits until interrupted.",
    examples: &[Example { script: "sleep 0.01; echo later", output: "later\n" }],
    ..Spec::DEFAULT
};

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let mut total = Duration::ZERO;
        for word in args.operand_texts() {
            match parse_duration(&word) {
                Some(duration) => total = total.saturating_add(duration),
                None => {
                    let message = format!("invalid time interval {}", quoted(&word));
                    return Err(cx.misuse(1, message));
                }
            }
        }
        cx.sleep(total).await?;
        OK
    }
    .boxed_local()
}
