//! The copying: whole and partial blocks read, converted, written and counted.

use std::rc::Rc;
use std::time::Duration;

use super::operands::{Plan, Report};
use crate::builtins::common::{human_size, quoted};
use crate::io::{Errno, File, OpenFile, Stream};
use crate::tool::{ExecContext, Outcome, Reply, Stop};
use crate::vfs::OpenOptions;

/// Bytes read at once.
const PIECE: usize = 1 << 20;

/// Whole and partial blocks.
#[derive(Default)]
struct Counts {
    read: (u64, u64),
    written: (u64, u64),
    bytes: u64,
}

/// Where blocks go.
struct Output {
    stream: Stream,
    file: Option<Rc<dyn File>>,
    /// What is not a whole output block yet.
    pending: Vec<u8>,
}

pub(super) async fn run(cx: &mut ExecContext, plan: Plan) -> Outcome {
    let start = cx.services.host.monotonic();
    let input = open_input(cx, &plan).await?;
    let mut output = open_output(cx, &plan).await?;
    let mut counts = Counts::default();
    let result = copy(cx, &plan, &input, &mut output, &mut counts).await;
    let mut ok = result.is_ok();
    if let Some(file) = &output.file {
        let mut closed = file.close().await;
        if plan.open.flush && closed.is_ok() {
            let flushed = Rc::clone(cx.backend()).flush(true).await;
            closed = flushed.map_err(|error| error.errno());
        }
        if let Err(errno) = closed {
            let name = quoted(plan.output.as_deref().unwrap_or_default());
            cx.warn(format_args!("closing output file {name}: {errno}"));
            ok = false;
        }
    }
    if !matches!(result, Err(Stop::BrokenPipe | Stop::Cancelled)) {
        report(cx, &plan, &counts, cx.services.host.monotonic().saturating_sub(start));
    }
    result?;
    cx.flush().await?;
    Reply::success(ok)
}

async fn open_input(cx: &mut ExecContext, plan: &Plan) -> Result<Stream, Stop> {
    let Some(name) = &plan.input else { return Ok(cx.stdin()) };
    let path = cx.resolve(name);
    match Rc::clone(cx.backend()).open_read(&path).await {
        Ok(stream) => Ok(stream),
        Err(error) => {
            Err(cx.fail(1, format_args!("failed to open {}: {}", quoted(name), error.errno())))
        }
    }
}

async fn open_output(cx: &mut ExecContext, plan: &Plan) -> Result<Output, Stop> {
    let seek = in_bytes(plan.sizes.seek, plan.sizes.output_block);
    let Some(name) = &plan.output else {
        let stream = cx.streams.fds.stdout().clone();
        if let (Stream::File(file), true) = (&stream, seek > 0) {
            let moved = file.seek(file.offset().saturating_add(seek));
            moved.map_err(|errno| {
                cx.fail(1, format_args!("'standard output': cannot seek: {errno}"))
            })?;
        }
        return Ok(Output { stream, file: None, pending: Vec::new() });
    };
    let options = OpenOptions {
        write: true,
        create: !plan.open.must_exist,
        create_new: plan.open.must_be_new,
        truncate: !plan.open.keep_rest && seek == 0 && !plan.open.append,
        append: plan.open.append,
        ..OpenOptions::default()
    };
    let path = cx.resolve(name);
    let opened = Rc::clone(cx.backend()).open(&path, options).await;
    let fail = |cx: &mut ExecContext, errno: Errno| {
        cx.fail(1, format_args!("failed to open {}: {errno}", quoted(name)))
    };
    let file = opened.map_err(|error| fail(cx, error.errno()))?;
    let stream = OpenFile::new(Rc::clone(&file), plan.open.append);
    if seek > 0 && !plan.open.append {
        if !plan.open.keep_rest && !file.is_stream() {
            file.set_len(seek).await.map_err(|errno| fail(cx, errno))?;
        }
        // A device without positions takes what comes.
        let _ = stream.seek(seek);
    }
    Ok(Output { stream: Stream::File(Rc::new(stream)), file: Some(file), pending: Vec::new() })
}

fn in_bytes((count, bytes): (u64, bool), block: usize) -> u64 {
    if bytes { count } else { count.saturating_mul(block as u64) }
}

async fn copy(
    cx: &mut ExecContext,
    plan: &Plan,
    input: &Stream,
    output: &mut Output,
    counts: &mut Counts,
) -> Result<(), Stop> {
    let block = plan.sizes.input_block;
    skip(cx, plan, input).await?;
    let mut left = plan.sizes.count.map_or(u64::MAX, |count| in_bytes(count, block));
    let by_blocks = plan.sizes.count.is_some_and(|(_, bytes)| !bytes);
    let mut blocks_left = plan.sizes.count.map_or(u64::MAX, |(count, _)| count);
    while left > 0 && (!by_blocks || blocks_left > 0) {
        let want = usize::try_from(left).unwrap_or(block).min(block);
        let mut bytes = read_block(cx, plan, input, want).await?;
        if bytes.is_empty() {
            break;
        }
        blocks_left = blocks_left.saturating_sub(1);
        left = if by_blocks { left } else { left.saturating_sub(bytes.len() as u64) };
        if bytes.len() == block {
            counts.read.0 += 1;
        } else {
            counts.read.1 += 1;
        }
        convert(plan, &mut bytes);
        if plan.sizes.as_read {
            write(cx, plan, output, &bytes, counts).await?;
        } else {
            output.pending.extend_from_slice(&bytes);
            while output.pending.len() >= plan.sizes.output_block {
                let rest = output.pending.split_off(plan.sizes.output_block);
                let full = std::mem::replace(&mut output.pending, rest);
                write(cx, plan, output, &full, counts).await?;
            }
        }
    }
    let rest = std::mem::take(&mut output.pending);
    if rest.is_empty() { Ok(()) } else { write(cx, plan, output, &rest, counts).await }
}

/// Leaves out the beginning of the input: by position where it has one, else by reading.
async fn skip(cx: &mut ExecContext, plan: &Plan, input: &Stream) -> Result<(), Stop> {
    let mut left = in_bytes(plan.sizes.skip, plan.sizes.input_block);
    if left == 0 {
        return Ok(());
    }
    if let Stream::File(file) = input
        && !file.file().is_stream()
        && file.seek(file.offset().saturating_add(left)).is_ok()
    {
        return Ok(());
    }
    while left > 0 {
        let most = usize::try_from(left).unwrap_or(usize::MAX).min(64 * 1024);
        let chunk = cx.read_some(input, most).await?;
        if chunk.is_empty() {
            return Ok(());
        }
        left = left.saturating_sub(chunk.len() as u64);
    }
    Ok(())
}

async fn read_block(
    cx: &mut ExecContext,
    plan: &Plan,
    input: &Stream,
    want: usize,
) -> Result<Vec<u8>, Stop> {
    // Room is made as bytes come, not for what may never be there.
    let read = cx.read_some(input, want.min(PIECE)).await;
    let mut bytes = match read {
        Err(Stop::Io(errno)) => {
            let name = quoted(plan.input.as_deref().unwrap_or("standard input"));
            return Err(cx.fail(1, format_args!("error reading {name}: {errno}")));
        }
        other => other?,
    };
    // A pipe hands out what is there; only asked for, or a file, it makes whole blocks.
    let fills = plan.open.full_blocks || matches!(input, Stream::File(_));
    while fills && bytes.len() < want {
        let more = cx.read_some(input, (want - bytes.len()).min(PIECE)).await?;
        if more.is_empty() {
            break;
        }
        bytes.extend_from_slice(&more);
    }
    Ok(bytes)
}

fn convert(plan: &Plan, bytes: &mut Vec<u8>) {
    if plan.convert.pad && bytes.len() < plan.sizes.input_block {
        bytes.resize(plan.sizes.input_block, 0);
    }
    if plan.convert.swap {
        for pair in bytes.chunks_exact_mut(2) {
            pair.reverse();
        }
    }
    if plan.convert.upper {
        bytes.make_ascii_uppercase();
    }
    if plan.convert.lower {
        bytes.make_ascii_lowercase();
    }
}

async fn write(
    cx: &mut ExecContext,
    plan: &Plan,
    output: &Output,
    bytes: &[u8],
    counts: &mut Counts,
) -> Result<(), Stop> {
    let written = if output.file.is_none() && !matches!(output.stream, Stream::File(_)) {
        cx.write(bytes).await
    } else {
        cx.checkpoint(u32::try_from(bytes.len() / 16).unwrap_or(u32::MAX)).await?;
        output.stream.write_all(bytes).await.map_err(Stop::from)
    };
    match written {
        Ok(()) => {
            if bytes.len() == plan.sizes.output_block {
                counts.written.0 += 1;
            } else {
                counts.written.1 += 1;
            }
            counts.bytes += bytes.len() as u64;
            Ok(())
        }
        Err(Stop::Io(errno)) => {
            let name = quoted(plan.output.as_deref().unwrap_or("standard output"));
            Err(cx.fail(1, format_args!("error writing {name}: {errno}")))
        }
        Err(stop) => Err(stop),
    }
}

fn report(cx: &mut ExecContext, plan: &Plan, counts: &Counts, time: Duration) {
    if plan.report == Report::None {
        return;
    }
    let ((full_in, part_in), (full_out, part_out)) = (counts.read, counts.written);
    let mut text = format!("{full_in}+{part_in} records in\n{full_out}+{part_out} records out\n");
    if plan.report == Report::All {
        text.push_str(&transferred(counts.bytes, time));
    }
    cx.streams.err.extend_from_slice(text.as_bytes());
}

/// `1048576 bytes (1.0 MB, 1.0 MiB) copied, 0.5 s, 2.1 MB/s`
fn transferred(bytes: u64, time: Duration) -> String {
    let seconds = time.as_secs_f64();
    let spaced = |base: u64, tail: &str| {
        let text = human_size(bytes, base);
        let (number, letter) = text.split_at_checked(text.len() - 1).unwrap_or((&text, ""));
        format!("{number} {letter}{tail}")
    };
    let sizes = match bytes {
        0..1000 => String::new(),
        1000..1024 => format!(" ({})", spaced(1000, "B")),
        _ => format!(" ({}, {})", spaced(1000, "B"), spaced(1024, "iB")),
    };
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a rate for people"
    )]
    let rate = if seconds > 0.0 { (bytes as f64 / seconds) as u64 } else { 0 };
    let rate = match rate {
        0 => "Infinity B".to_owned(),
        rate => {
            let text = human_size(rate, 1000);
            match text.char_indices().next_back() {
                Some((at, letter)) if letter.is_alphabetic() => {
                    format!("{} {letter}B", text.get(..at).unwrap_or_default())
                }
                _ => format!("{text} B"),
            }
        }
    };
    let noun = if bytes == 1 { "byte" } else { "bytes" };
    format!("{bytes} {noun}{sizes} copied, {} s, {rate}/s\n", significant(seconds))
}

/// A time with six significant digits, as C's `%g` prints it.
fn significant(seconds: f64) -> String {
    let mut text = Vec::new();
    crate::value::Conversion::plain(b'g').float(&mut text, seconds);
    String::from_utf8_lossy(&text).into_owned()
}
