//! Lines of hexadecimal back to bytes.

use std::rc::Rc;

use crate::io::Stream;
use crate::tool::{ExecContext, Stop};

/// Reads a dump, or plain digits, and writes the bytes; `offset` is added to the places.
pub(super) async fn run(
    cx: &mut ExecContext,
    stream: &Stream,
    plain: bool,
    offset: i64,
) -> Result<(), Stop> {
    if plain { plain_digits(cx, stream).await } else { dump(cx, stream, offset).await }
}

async fn plain_digits(cx: &mut ExecContext, stream: &Stream) -> Result<(), Stop> {
    let mut high: Option<u8> = None;
    let mut bytes = Vec::new();
    let mut skips = false;
    loop {
        let chunk = cx.read_chunk(stream).await?;
        if chunk.is_empty() {
            return Ok(());
        }
        for byte in chunk {
            if byte == b'\n' {
                skips = false;
                continue;
            }
            let digit = char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
            match (digit, high) {
                _ if skips => {}
                (Some(digit), Some(first)) => {
                    bytes.push(first << 4 | digit);
                    high = None;
                }
                (Some(digit), None) => high = Some(digit),
                (None, _) if byte.is_ascii_whitespace() => {}
                // What is no digit ends what its line says.
                (None, _) => {
                    high = None;
                    skips = true;
                }
            }
        }
        cx.write(&bytes).await?;
        bytes.clear();
    }
}

/// Lines of `PLACE: DIGITS  TEXT`; gaps between places are zeros.
async fn dump(cx: &mut ExecContext, stream: &Stream, offset: i64) -> Result<(), Stop> {
    let mut at = 0u64;
    let mut line = Vec::new();
    while cx.read_line(stream, &mut line).await? {
        let parsed = parse(&line);
        line.clear();
        let Some((place, bytes)) = parsed else { continue };
        let place = place.saturating_add_signed(offset);
        let Some(gap) = place.checked_sub(at) else {
            let stdout = cx.streams.fds.stdout().clone();
            let moved = match &stdout {
                Stream::File(file) if !file.file().is_stream() => {
                    cx.flush().await?;
                    Rc::clone(file).seek(place).is_ok()
                }
                _ => false,
            };
            if !moved {
                return Err(cx.fail(5, "sorry, cannot seek backwards."));
            }
            cx.write(&bytes).await?;
            at = place + bytes.len() as u64;
            continue;
        };
        let mut left = gap;
        while left > 0 {
            let step = left.min(4096);
            cx.write(&vec![0; usize::try_from(step).unwrap_or(0)]).await?;
            left -= step;
        }
        cx.write(&bytes).await?;
        at = place + bytes.len() as u64;
    }
    Ok(())
}

fn parse(line: &[u8]) -> Option<(u64, Vec<u8>)> {
    let line = line.trim_ascii_start();
    let colon = line.iter().position(|byte| !byte.is_ascii_hexdigit())?;
    if line.get(colon) != Some(&b':') {
        return None;
    }
    let place = std::str::from_utf8(line.get(..colon)?).ok()?;
    let place = u64::from_str_radix(place, 16).ok()?;
    let mut bytes = Vec::new();
    let mut high: Option<u8> = None;
    let mut blanks = 0;
    for byte in line.get(colon + 1..)?.iter().skip_while(|byte| **byte == b' ') {
        let digit = char::from(*byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
        match (digit, high) {
            (Some(digit), Some(first)) => {
                bytes.push(first << 4 | digit);
                high = None;
                blanks = 0;
            }
            (Some(digit), None) => {
                high = Some(digit);
                blanks = 0;
            }
            // Two blanks begin the text.
            (None, None) if *byte == b' ' && blanks == 0 => blanks = 1,
            _ => break,
        }
    }
    Some((place, bytes))
}
