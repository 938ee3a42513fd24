//! `mapfile` and `readarray`: the lines of input as a list.

use futures::future::{FutureExt, LocalBoxFuture};

use super::input::{Lines, chomp};
use super::variables::{assign, check_name};
use crate::io::Errno;
use crate::tool::{
    Args, Binding, Builtin, Completes, Example, ExecContext, OK, Opt, Outcome, Run, Spec, Stop,
    Topic,
};
use crate::value::{EcoString, EcoVec, Value};

/// `mapfile`
pub(super) const MAPFILE: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

/// `readarray`
pub(super) const READARRAY: Builtin =
    Builtin { spec: Spec { name: "readarray", ..SPEC }, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "mapfile",
    about: "read lines into a list",
    topic: Topic::Shell,
    operands: "[NAME]",
    arity: (0, 1),
    completes: Completes::Variables,
    binding: Binding::Leading,
    options: &[
        Opt::flag('t', "", "without the line ends"),
        Opt::value('n', "", "COUNT", "at most so many lines; 0 is all"),
        Opt::value('s', "", "COUNT", "skip so many lines first"),
        Opt::value('O', "", "INDEX", "keep the elements before INDEX"),
        Opt::value('d', "", "CHAR", "lines end in CHAR; '' is NUL"),
        Opt::value('u', "", "FD", "read from that descriptor"),
    ],
    notes: "Without NAME, the list is MAPFILE.",
    examples: &[Example {
        script: "printf 'a\\nb\\n' | mapfile -t xs; echo $xs",
        output: "[\"a\",\"b\"]\n",
    }],
    ..Spec::DEFAULT
};

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let name = args.operand(0).unwrap_or_else(|| EcoString::from("MAPFILE"));
        check_name(cx, &name)?;
        let count = number(cx, args, "n")?;
        let mut skip = number(cx, args, "s")?;
        let origin = number(cx, args, "O")?;
        let delimiter = args.text("d").map_or(b'\n', |text| text.bytes().next().unwrap_or(0));
        let stream = match number(cx, args, "u")? {
            0 => cx.stdin(),
            fd => {
                let stream = u32::try_from(fd).ok().and_then(|fd| cx.streams.fds.get(fd).cloned());
                stream.ok_or_else(|| {
                    cx.fail(
                        1,
                        format_args!("{fd}: invalid file descriptor: {}", Errno::BadDescriptor),
                    )
                })?
            }
        };
        let mut list = kept(cx, &name, origin)?;
        let first = list.len();
        let mut lines = Lines::new(stream, delimiter);
        while (count == 0 || list.len() - first < count) && lines.fill(cx).await? {
            let Some(line) = lines.next() else { continue };
            if skip > 0 {
                skip -= 1;
                continue;
            }
            let line = if args.has("t") { chomp(line, delimiter) } else { line };
            list.push(Value::from_bytes(line.to_vec()));
        }
        assign(cx, &name, Value::List(list))?;
        OK
    }
    .boxed_local()
}

fn number(cx: &mut ExecContext, args: &Args, key: &str) -> Result<usize, Stop> {
    let Some(text) = args.text(key) else { return Ok(0) };
    text.parse().map_err(|_| cx.fail(1, format_args!("{text}: invalid number for -{key}")))
}

/// The elements of a list before `origin`.
fn kept(cx: &mut ExecContext, name: &str, origin: usize) -> Result<EcoVec<Value>, Stop> {
    if origin == 0 {
        return Ok(EcoVec::new());
    }
    let value = cx.session.scope.borrow().get(name).cloned();
    let Some(Value::List(list)) = value else {
        return Err(cx.fail(1, format_args!("-O {origin}: {name} is no list")));
    };
    match list.get(..origin) {
        Some(kept) => Ok(kept.into()),
        None => {
            let count = list.len();
            Err(cx.fail(1, format_args!("-O {origin}: {name} has {count} elements")))
        }
    }
}
