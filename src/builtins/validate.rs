//! `validate` and `kaish-validate`: the issues of a program, which is not run.

use std::rc::Rc;

use futures::future::{FutureExt, LocalBoxFuture};

use super::program::{read_script, text_of};
use super::table::{count, record};
use crate::syntax::{Diagnostic, Level, Source, render};
use crate::tool::{
    Args, Builtin, Completes, Example, ExecContext, Opt, Outcome, Reply, Run, Spec, Stop, Topic,
};
use crate::validate::{self, Facts};
use crate::value::{EcoVec, Value};

/// `validate`
pub(super) const VALIDATE: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

/// `kaish-validate`
pub(super) const KAISH_VALIDATE: Builtin =
    Builtin { spec: Spec { name: "kaish-validate", ..SPEC }, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "validate",
    about: "tell what is wrong with a program, without running it",
    topic: Topic::Shell,
    operands: "[FILE]",
    arity: (0, 1),
    completes: Completes::Files,
    options: &[
        Opt::value('e', "expression", "TEXT", "the program is TEXT"),
        Opt::flag('q', "quiet", "print nothing, the status tells"),
    ],
    notes: "Without FILE, reads standard input. The status is 1 where there are errors, 2 where FILE can't\n\
            be read. With --json: a list of records with code, level, message, fix, line, column, start, end.",
    examples: &[Example {
        script: "validate -e 'for x in $v; do :; done' | head -n 1",
        output: "error E012: the loop would run once: $v is one value and is not split\n",
    }],
    ..Spec::DEFAULT
};

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let source = source(cx, args).await?;
        let facts = Facts { session: &cx.session, registry: &cx.services.registry, sourced: false };
        let issues = validate::check(&source.text, &facts).issues;
        let rejected = issues.iter().any(|issue| issue.level == Level::Error);
        if args.json {
            let rows: EcoVec<Value> = issues.iter().map(|issue| row(&source, issue)).collect();
            cx.answer(Value::List(rows));
        } else if !args.has("quiet") {
            for issue in &issues {
                cx.push(render(&source, issue));
            }
        }
        Reply::success(!rejected)
    }
    .boxed_local()
}

async fn source(cx: &mut ExecContext, args: &Args) -> Result<Source, Stop> {
    if let Some(text) = args.text("expression") {
        return Ok(Source::new("", text.as_str()));
    }
    let unreadable = |stop| if matches!(stop, Stop::Failed(_)) { Stop::Failed(2) } else { stop };
    if let Some(file) = args.operand(0).filter(|file| file != "-") {
        let path = cx.resolve(&file);
        let text = read_script(cx, &file, &path).await.map_err(unreadable)?;
        return Ok(Source::new(file, text));
    }
    let stdin = cx.stdin();
    let bytes = cx.read_all(&stdin).await?;
    let text = text_of(cx, "standard input", bytes).map_err(unreadable)?;
    Ok(Source::new("", text))
}

fn row(source: &Source, issue: &Diagnostic) -> Value {
    let (line, column) = source.place(issue.span.start);
    let level = if issue.level == Level::Error { "error" } else { "warning" };
    Value::Record(Rc::new(record([
        ("code", issue.code.into()),
        ("level", level.into()),
        ("message", issue.message.as_str().into()),
        ("fix", issue.fix.as_deref().map_or(Value::Null, Value::from)),
        ("line", count(line)),
        ("column", count(column)),
        ("start", count(issue.span.start)),
        ("end", count(issue.span.end)),
    ])))
}
