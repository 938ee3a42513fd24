//! `shuf`: lines, words or numbers in random order, or a few of them by chance.

use futures::future::{FutureExt, LocalBoxFuture};

use super::{input, output};
use crate::tool::{Args, Builtin, Example, ExecContext, OK, Opt, Outcome, Run, Spec, Stop, Topic};
use crate::vfs::OpenOptions;

/// `shuf`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "shuf",
    about: "shuffle lines",
    topic: Topic::Text,
    operands: "[FILE]",
    options: &[
        Opt::flag('e', "echo", "shuffle the operands"),
        Opt::value('i', "input-range", "LO-HI", "shuffle the numbers from LO to HI"),
        Opt::value('n', "head-count", "N", "print at most N"),
        Opt::flag('r', "repeat", "the same may come again"),
        Opt::value('o', "output", "FILE", "write there"),
        Opt::value('\0', "random-source", "FILE", "ignored"),
        Opt::flag('z', "zero-terminated", "lines end with NUL"),
    ],
    examples: &[Example { script: "shuf -i 1-9 | sort | tr -d '\\n'", output: "123456789" }],
    ..Spec::DEFAULT
};

/// Most numbers of a range that are shuffled at all.
const MOST_NUMBERS: u64 = 10_000_000;

/// What is shuffled.
enum Items {
    Lines(Vec<Vec<u8>>),
    /// The first number, and how many there are.
    Numbers(u64, u64),
}

impl Items {
    fn len(&self) -> u64 {
        match self {
            Self::Lines(lines) => lines.len() as u64,
            Self::Numbers(_, count) => *count,
        }
    }

    fn push(&self, out: &mut Vec<u8>, index: u64) {
        match self {
            Self::Lines(lines) => {
                let line = usize::try_from(index).ok().and_then(|index| lines.get(index));
                out.extend_from_slice(line.map(Vec::as_slice).unwrap_or_default());
            }
            Self::Numbers(first, _) => {
                out.extend_from_slice(first.saturating_add(index).to_string().as_bytes());
            }
        }
    }
}

/// A number below `bound`, each as likely as the others.
fn below(cx: &ExecContext, bound: u64) -> u64 {
    let mut bytes = [0; 16];
    cx.services.host.random(&mut bytes);
    let wide = u128::from_le_bytes(bytes) % u128::from(bound.max(1));
    u64::try_from(wide).unwrap_or(0)
}

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let mut count = u64::MAX;
        for text in args.values("head-count").map(crate::value::Value::to_text_lossy) {
            match text.parse() {
                Ok(number) => count = count.min(number),
                Err(_) => return Err(cx.fail(1, format_args!("invalid line count: '{text}'"))),
            }
        }
        let end = input::delimiter(args);
        let items = items(cx, args, end).await?;
        let target = match args.text("output") {
            Some(name) => match output::create(cx, &name, OpenOptions::WRITE).await {
                Ok(stream) => Some(stream),
                Err(errno) => return Err(cx.fail(1, format_args!("{name}: {errno}"))),
            },
            None => None,
        };
        if let Some(stream) = &target {
            cx.streams.fds.set(1, stream.clone());
        }
        if args.has("repeat") {
            repeat(cx, &items, count, end).await?;
        } else {
            permute(cx, &items, count, end).await?;
        }
        cx.flush().await?;
        if let Some(stream) = target {
            output::close(&stream).await?;
        }
        OK
    }
    .boxed_local()
}

async fn items(cx: &mut ExecContext, args: &Args, end: u8) -> Result<Items, Stop> {
    if let Some(range) = args.text("input-range") {
        if args.has("echo") {
            return Err(cx.misuse(1, "cannot combine -e and -i options"));
        }
        if let Some(extra) = args.operand(0) {
            return Err(cx.misuse(1, format_args!("extra operand '{extra}'")));
        }
        let parsed = range.split_once('-').and_then(|(low, high)| {
            let (low, high) = (low.parse::<u64>().ok()?, high.parse::<u64>().ok()?);
            Some((low, high.checked_add(1)?.checked_sub(low)?))
        });
        return match parsed {
            Some((low, count)) => Ok(Items::Numbers(low, count)),
            None => Err(cx.fail(1, format_args!("invalid input range: '{range}'"))),
        };
    }
    if args.has("echo") {
        let words = args.operand_texts();
        return Ok(Items::Lines(words.iter().map(|word| word.as_bytes().to_vec()).collect()));
    }
    if let Some(extra) = args.operand(1) {
        return Err(cx.misuse(1, format_args!("extra operand '{extra}'")));
    }
    let operand = args.operand(0).unwrap_or_else(|| "-".into());
    let Some(stream) = cx.open_input(&operand).await? else { return Err(Stop::Failed(1)) };
    let text = cx.read_all(&stream).await?;
    let mut lines: Vec<Vec<u8>> = text.split(|byte| *byte == end).map(<[u8]>::to_vec).collect();
    lines.pop_if(|last| last.is_empty());
    Ok(Items::Lines(lines))
}

async fn repeat(cx: &mut ExecContext, items: &Items, count: u64, end: u8) -> Result<(), Stop> {
    if count > 0 && items.len() == 0 {
        return Err(cx.fail(1, "no lines to repeat"));
    }
    for _ in 0..count {
        let index = below(cx, items.len());
        items.push(&mut cx.streams.out, index);
        cx.write(&[end]).await?;
        cx.checkpoint(2).await?;
    }
    Ok(())
}

/// Draws one after another of those left.
async fn permute(cx: &mut ExecContext, items: &Items, count: u64, end: u8) -> Result<(), Stop> {
    // A place that was drawn from holds what was last before; the others hold themselves.
    let mut moved = std::collections::HashMap::new();
    let total = items.len();
    let drawn = total.min(count);
    if drawn > MOST_NUMBERS {
        return Err(cx.fail(1, format_args!("more than {MOST_NUMBERS} to shuffle: use -n")));
    }
    for taken in 0..drawn {
        let place = taken + below(cx, total - taken);
        let index = moved.get(&place).copied().unwrap_or(place);
        let first = moved.remove(&taken).unwrap_or(taken);
        moved.insert(place, first);
        items.push(&mut cx.streams.out, index);
        cx.write(&[end]).await?;
        cx.checkpoint(4).await?;
    }
    Ok(())
}
