//! `read`: a line of input, split by `$IFS` into variables.

mod fields;
mod input;

use std::rc::Rc;
use std::time::Duration;

use futures::future::{Either, FutureExt, LocalBoxFuture, select};

use super::variables::{assign, check_name};
use crate::io::Errno;
use crate::tool::{
    Args, Binding, Builtin, Completes, Example, ExecContext, Opt, Outcome, Reply, Run, Spec, Stop,
    Topic,
};
use crate::value::{EcoString, Value};
use fields::{Separators, Splitter};
use input::{Ending, Input, Limit};

/// `read`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "read",
    about: "read a line into variables",
    topic: Topic::Shell,
    operands: "[NAME]...",
    completes: Completes::Variables,
    binding: Binding::Leading,
    options: &[
        Opt::flag('r', "", "a backslash is a character like others"),
        Opt::value('p', "", "PROMPT", "print it first, where input is the terminal"),
        Opt::value('d', "", "CHAR", "read to CHAR instead of the line's end; '' is NUL"),
        Opt::value('n', "", "COUNT", "read at most so many characters"),
        Opt::value('N', "", "COUNT", "read so many characters, whatever they are"),
        Opt::value(
            't',
            "",
            "SECONDS",
            "give up after so long, status 142; 0 asks whether input waits",
        ),
        Opt::value('a', "", "NAME", "all fields as a list"),
        Opt::value('u', "", "FD", "read from that descriptor"),
        Opt::flag('s', "", "without echo"),
        Opt::flag('e', "", "ignored"),
        Opt::value('i', "", "TEXT", "ignored"),
    ],
    notes: "Splits by the characters of $IFS; the last NAME takes the rest. Without NAME the whole line\n\
            becomes REPLY. Status 1 at the end of input; a last line without a newline counts.",
    examples: &[Example { script: "echo 'a b c' | read x y; echo \"$y\"", output: "b c\n" }],
    ..Spec::DEFAULT
};

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let names = args.operand_texts();
        for name in names.iter().chain(args.text("a").iter()) {
            check_name(cx, name)?;
        }
        let mut input = input_of(cx, args)?;
        let timeout = timeout(cx, args)?;
        if timeout.is_some_and(|timeout| timeout.is_zero()) {
            return Reply::success(input.is_ready());
        }
        if let Some(prompt) = args.text("p").filter(|_| input.stream.is_terminal()) {
            cx.streams.err.extend_from_slice(prompt.as_bytes());
            cx.flush().await?;
        }
        let ending = read(cx, &mut input, timeout).await?;
        store(cx, args, &names, &input)?;
        Reply::status(match ending {
            Ending::TimedOut => 142,
            Ending::Found => 0,
            Ending::EndOfInput => u8::from(input.is_short()),
        })
    }
    .boxed_local()
}

async fn read(
    cx: &mut ExecContext,
    input: &mut Input,
    timeout: Option<Duration>,
) -> Result<Ending, Stop> {
    let Some(timeout) = timeout else { return input.fill(cx).await };
    let timer = Rc::clone(&cx.services.host).sleep(timeout);
    match select(std::pin::pin!(input.fill(cx)), timer).await {
        Either::Left((ending, _)) => ending,
        Either::Right(_) => Ok(Ending::TimedOut),
    }
}

fn input_of(cx: &mut ExecContext, args: &Args) -> Result<Input, Stop> {
    let stream = match args.text("u") {
        None => cx.stdin(),
        Some(text) => {
            let stream = text.parse().ok().and_then(|fd| cx.streams.fds.get(fd).cloned());
            stream.ok_or_else(|| {
                let errno = Errno::BadDescriptor;
                cx.fail(1, format_args!("{text}: invalid file descriptor: {errno}"))
            })?
        }
    };
    let limit = match args.last_of(&["n", "N"]) {
        None => Limit::None,
        Some(key) => {
            let text = args.text(key).unwrap_or_default();
            let Ok(count) = text.parse::<usize>() else {
                return Err(cx.fail(1, format_args!("{text}: invalid number")));
            };
            if key == "N" { Limit::Exactly(count) } else { Limit::AtMost(count) }
        }
    };
    let delimiter = args.text("d").map_or(b'\n', |text| text.bytes().next().unwrap_or(0));
    Ok(Input::new(stream, delimiter, args.has("r"), limit))
}

fn timeout(cx: &mut ExecContext, args: &Args) -> Result<Option<Duration>, Stop> {
    let Some(text) = args.text("t") else { return Ok(None) };
    let seconds = text.parse::<f64>().ok().and_then(|n| Duration::try_from_secs_f64(n).ok());
    match seconds {
        Some(seconds) => Ok(Some(seconds)),
        None => Err(cx.fail(1, format_args!("{text}: invalid timeout specification"))),
    }
}

fn store(
    cx: &mut ExecContext,
    args: &Args,
    names: &[EcoString],
    input: &Input,
) -> Result<(), Stop> {
    let whole = matches!(input.limit, Limit::Exactly(_));
    let separators = Separators::of(cx.session.scope.borrow().get("IFS"));
    let mut splitter = Splitter::new(&input.text, &input.protected, &separators);
    if let Some(name) = args.text("a") {
        let fields = if whole { [input.text.clone()].into() } else { splitter.all() };
        let list = fields.into_iter().map(Value::from_bytes).collect();
        return assign(cx, &name, Value::List(list));
    }
    let Some((last, first)) = names.split_last() else {
        return assign(cx, "REPLY", Value::from_bytes(input.text.clone()));
    };
    if whole {
        for (index, name) in names.iter().enumerate() {
            let text = if index == 0 { input.text.clone() } else { Vec::new() };
            assign(cx, name, Value::from_bytes(text))?;
        }
        return Ok(());
    }
    for name in first {
        let field = splitter.next().unwrap_or_default();
        assign(cx, name, Value::from_bytes(field))?;
    }
    assign(cx, last, Value::from_bytes(splitter.rest()))
}
