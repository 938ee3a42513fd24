//! `scatter … | worker… | gather`: one worker pipeline per item, rows in item order.

use std::rc::Rc;
use std::time::Duration;

use futures::stream::{FuturesOrdered, StreamExt};

use super::Machine;
use super::flow::Flow;
use super::frame::{Frame, Next};
use super::pipeline::Child;
use crate::expand::Expander;
use crate::io::{Capture, Descriptors, Stream, pipe};
use crate::jobs::Signal;
use crate::syntax::{Command, Pipeline, Script, SimpleCommand, Span, Stage, Statement};
use crate::tool::{Binding, ExecContext, Opt, Spec, parse_args};
use crate::value::{EcoString, EcoVec, Record, Value, from_json, to_json};

/// Workers that run at once where `--limit` does not say.
const DEFAULT_LIMIT: usize = 8;

/// How `scatter` was called.
struct Plan {
    variable: EcoString,
    limit: usize,
    timeout: Option<Duration>,
}

/// What every worker shares.
struct Crew {
    cx: ExecContext,
    script: Rc<Script>,
    source: Rc<crate::syntax::Source>,
    plan: Plan,
}

const SPEC: Spec = Spec {
    name: "scatter",
    options: &[
        Opt::value('\0', "as", "NAME", ""),
        Opt::value('\0', "limit", "N", ""),
        Opt::value('\0', "timeout", "DURATION", ""),
    ],
    binding: Binding::Anywhere,
    arity: (0, 0),
    ..Spec::DEFAULT
};

impl Machine {
    /// Starts a scatter pipeline; `None` where no stage is a `scatter` before a `gather`.
    pub(super) fn start_scatter(&mut self, stages: &[Stage]) -> Option<Flow> {
        let named = |stage: &Stage, name: &str| match &stage.command {
            Command::Simple(simple) => super::simple::literal_name(simple) == Some(name),
            _ => false,
        };
        let scatter = stages.iter().position(|stage| named(stage, "scatter"))?;
        let gather = stages.iter().position(|stage| named(stage, "gather"))?;
        let workers = stages.get(scatter + 1..gather).filter(|workers| !workers.is_empty())?;
        let Command::Simple(call) = &stages.get(scatter)?.command else { return None };
        let before = self.cx.streams.fds.clone();
        let (rows, writer) = pipe();
        let mut fds = before.clone();
        let input = stages.get(..scatter).unwrap_or_default();
        let mut children = Vec::new();
        if !input.is_empty() {
            let (reader, writer) = pipe();
            let mut fds = before.clone();
            fds.set(1, Stream::PipeWriter(writer));
            children.push(self.spawn_stages(input, fds));
            self.cx.streams.fds.set(0, Stream::PipeReader(reader));
        }
        fds.set(0, self.cx.streams.fds.stdin().clone());
        fds.set(1, Stream::PipeWriter(writer));
        children.push(self.spawn_scatter(call, workers, fds));
        self.cx.streams.fds.set(0, Stream::PipeReader(rows));
        let rest = stages.get(gather..).unwrap_or_default();
        Some(self.finish_pipeline(rest, children, before))
    }

    /// Runs stages as one pipeline on a machine of its own.
    fn spawn_stages(&self, stages: &[Stage], fds: Descriptors) -> Rc<Child> {
        let script = script_of(stages);
        self.spawn_machine(fds, move |machine| {
            machine.frames.push(Frame::Script(script, 0));
            Ok(())
        })
    }

    fn spawn_scatter(
        &self,
        call: &Rc<SimpleCommand>,
        workers: &[Stage],
        fds: Descriptors,
    ) -> Rc<Child> {
        let call = Rc::clone(call);
        let script = script_of(workers);
        self.spawn_machine(fds, move |machine| {
            let expander = machine.expander();
            let cx = machine.cx.clone();
            let source = Rc::clone(&machine.source);
            machine.wait(async move {
                let status = scatter(&expander, &call, cx, (script, source)).await;
                Box::new(move |machine: &mut Machine| {
                    if let Err((status, message)) = &status {
                        // Gather, which has the status of the pipeline, learns of it.
                        let status_value = Value::int(i64::from(*status));
                        machine.cx.streams.fds.stdout().set_value(&status_value);
                        machine.write_error(&format!("scatter: {message}\n"));
                        machine.finish(*status);
                    } else {
                        machine.finish(0);
                    }
                    Ok(())
                }) as Next
            });
            Ok(())
        })
    }
}

/// Stages as a program.
fn script_of(stages: &[Stage]) -> Rc<Script> {
    let first =
        Pipeline { negated: false, timed: false, stages: stages.to_vec(), span: Span::default() };
    let statement = Statement { first, rest: Vec::new(), background: false, span: Span::default() };
    Rc::new(Script { statements: vec![statement], span: Span::default() })
}

type Failure = (u8, String);

async fn scatter(
    expander: &Expander,
    call: &SimpleCommand,
    cx: ExecContext,
    (script, source): (Rc<Script>, Rc<crate::syntax::Source>),
) -> Result<(), Failure> {
    let plan = plan(expander, call).await?;
    let stdin = cx.stdin();
    let stdout = cx.streams.fds.stdout().clone();
    let items = Items::read(stdin).await?;
    let crew = Rc::new(Crew { cx, script, source, plan });
    let mut running = FuturesOrdered::new();
    let mut items = items.into_iter().enumerate();
    loop {
        while running.len() < crew.plan.limit {
            let Some((index, item)) = items.next() else { break };
            running.push_back(work(Rc::clone(&crew), index, item));
        }
        let Some(row) = running.next().await else { return Ok(()) };
        let mut line = to_json(&Value::Record(Rc::new(row))).into_bytes();
        line.push(b'\n');
        if stdout.write_all(&line).await.is_err() {
            return Ok(());
        }
    }
}

async fn plan(expander: &Expander, call: &SimpleCommand) -> Result<Plan, Failure> {
    let words = expander.arguments(&call.words, false).await.map_err(|error| (2, error.message))?;
    let args = parse_args(&SPEC, words.get(1..).unwrap_or_default())
        .map_err(|error| (2, error.to_string()))?;
    if let Some(extra) = args.operand(0) {
        return Err((2, format!("extra operand '{extra}'; items come from standard input")));
    }
    let limit = match args.text("limit") {
        None => 0,
        Some(text) => text.parse().map_err(|_| (2, format!("--limit: '{text}' is not a count")))?,
    };
    let timeout = match args.text("timeout") {
        None => None,
        Some(text) => Some(
            crate::tool::parse_duration(&text)
                .ok_or((2, format!("--timeout: '{text}' is not a duration (30, 500ms, 2m)")))?,
        ),
    };
    let variable = args.text("as").unwrap_or_else(|| "ITEM".into());
    if !crate::expand::is_name(&variable) {
        return Err((2, format!("--as: '{variable}' is not a name")));
    }
    Ok(Plan { variable, limit: if limit == 0 { DEFAULT_LIMIT } else { limit }, timeout })
}

/// The items: elements of a typed list, documents of a JSON array, or lines that are not empty.
struct Items;

impl Items {
    async fn read(stdin: Stream) -> Result<EcoVec<Value>, Failure> {
        let mut bytes = Vec::new();
        loop {
            let chunk = stdin.read(64 * 1024).await.map_err(|errno| (1, errno.to_string()))?;
            if chunk.is_empty() {
                break;
            }
            bytes.extend_from_slice(&chunk);
        }
        match stdin.take_value() {
            Some(Value::List(list)) => return Ok(list),
            Some(other) => {
                let kind = other.type_name();
                return Err((
                    1,
                    format!("needs a list, the input is a {kind}; $(values …) makes one"),
                ));
            }
            None => {}
        }
        let text = String::from_utf8(bytes).map_err(|_| {
            (1, "the input is not UTF-8 text; encode it first (base64, xxd)".to_string())
        })?;
        if text.trim_start().starts_with('[')
            && let Ok(Value::List(list)) = from_json(&text)
        {
            return Ok(list);
        }
        Ok(text.lines().filter(|line| !line.is_empty()).map(Value::from).collect())
    }
}

/// Runs one worker and makes its row.
async fn work(crew: Rc<Crew>, index: usize, item: Value) -> Record {
    let limit = crew.cx.services.limits.value_bytes;
    let (out, err) = (Rc::new(Capture::with_limit(limit)), Rc::new(Capture::with_limit(limit)));
    let fds = Descriptors::new(
        Stream::Null,
        Stream::Capture(Rc::clone(&out)),
        Stream::Capture(Rc::clone(&err)),
    );
    let mut cx = crew.cx.with_streams(fds);
    cx.session = Rc::new(crew.cx.session.snapshot());
    // A worker's variable is its own, so a readonly name is no obstacle worth a failure.
    let _ = cx.session.scope.borrow_mut().set(&crew.plan.variable, item.clone());
    let cancel = crew.cx.control.cancel.child();
    let (script, source) = (Rc::clone(&crew.script), Rc::clone(&crew.source));
    let child = Child::spawn(cx, cancel.clone(), move |machine| {
        machine.source = source;
        machine.frames.push(Frame::Script(script, 0));
        Ok(())
    });
    let mut expired = false;
    let code = match crew.plan.timeout {
        None => child.wait().await,
        Some(timeout) => {
            let sleep = crew.cx.services.host.sleep(timeout);
            let waited = futures::future::select(Box::pin(child.wait()), sleep).await;
            match waited {
                futures::future::Either::Left((code, _)) => code,
                futures::future::Either::Right(((), rest)) => {
                    cancel.cancel(Signal::Timeout);
                    expired = true;
                    rest.await
                }
            }
        }
    };
    row(index, item, code, (&out, &err), expired)
}

fn row(
    index: usize,
    item: Value,
    code: u8,
    (out, err): (&Capture, &Capture),
    expired: bool,
) -> Record {
    let text = |capture: &Capture| {
        let mut bytes = capture.take_bytes();
        while bytes.last() == Some(&b'\n') {
            bytes.pop();
        }
        Value::text(String::from_utf8_lossy(&bytes).into_owned())
    };
    let mut row = Record::default();
    row.insert("i".into(), Value::int(i64::try_from(index).unwrap_or(i64::MAX)));
    row.insert("item".into(), item);
    row.insert("ok".into(), Value::Bool(code == 0));
    row.insert("code".into(), Value::int(i64::from(code)));
    let data = out.take_value();
    row.insert("out".into(), text(out));
    row.insert("err".into(), text(err));
    if let Some(data) = data {
        row.insert("data".into(), data);
    }
    if expired {
        row.insert("timed_out".into(), Value::Bool(true));
    }
    row
}
