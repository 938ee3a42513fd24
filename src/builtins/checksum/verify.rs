//! `-c`: lists of digests against the files they name.

use super::digest::{Algorithm, digest};
use crate::builtins::input::operands_or_stdin;
use crate::tool::{Args, ExecContext, Outcome, Reply, Stop};

/// What was counted in one list.
#[derive(Default)]
struct Counts {
    /// Lines that could be understood.
    good: u64,
    malformed: u64,
    mismatched: u64,
    unreadable: u64,
    /// Files that were there and verified.
    verified: u64,
}

/// A line of a list.
struct Line {
    digest: String,
    name: String,
    algorithm: Algorithm,
}

pub(super) async fn run(cx: &mut ExecContext, args: &Args, algorithm: Algorithm) -> Outcome {
    if args.has("tag") {
        return Err(cx.misuse(1, "the --tag option is meaningless when verifying checksums"));
    }
    let mut ok = true;
    for list in operands_or_stdin(args) {
        let Some(stream) = cx.open_input(&list).await? else {
            ok = false;
            continue;
        };
        let mut counts = Counts::default();
        let (mut text, mut number) = (Vec::new(), 0u64);
        while cx.read_line(&stream, &mut text).await? {
            number += 1;
            let line = String::from_utf8_lossy(&text).trim_end_matches(['\n', '\r']).to_owned();
            text.clear();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            match parse(&line, algorithm) {
                Some(line) => {
                    counts.good += 1;
                    check(cx, args, &line, &mut counts).await?;
                }
                None => {
                    counts.malformed += 1;
                    if args.has("warn") {
                        let tag = algorithm.tag();
                        let message =
                            format!("{list}: {number}: improperly formatted {tag} checksum line");
                        cx.complain(message).await?;
                    }
                }
            }
        }
        ok &= report(cx, args, &list, &counts).await?;
    }
    Reply::success(ok)
}

/// `DIGEST  NAME`, `DIGEST *NAME` or `TAG (NAME) = DIGEST`.
fn parse(line: &str, algorithm: Algorithm) -> Option<Line> {
    let (line, escaped) = match line.strip_prefix('\\') {
        Some(line) => (line, true),
        None => (line, false),
    };
    let (digest, name, algorithm) = match line.split_once(" (") {
        Some((tag, rest)) if Algorithm::from_name(tag).is_some() => {
            let (name, digest) = rest.rsplit_once(") = ")?;
            (digest, name, Algorithm::from_name(tag)?)
        }
        _ => {
            let (digest, name) = line.trim_start().split_once(' ')?;
            let name = name.strip_prefix([' ', '*']).unwrap_or(name);
            (digest, name, algorithm)
        }
    };
    let is_digest =
        digest.len() == algorithm.digits() && digest.bytes().all(|b| b.is_ascii_hexdigit());
    if !is_digest || name.is_empty() {
        return None;
    }
    let name = if escaped {
        name.replace("\\n", "\n").replace("\\r", "\r").replace("\\\\", "\\")
    } else {
        name.to_owned()
    };
    Some(Line { digest: digest.to_ascii_lowercase(), name, algorithm })
}

async fn check(
    cx: &mut ExecContext,
    args: &Args,
    line: &Line,
    counts: &mut Counts,
) -> Result<(), Stop> {
    let silent = args.has("status");
    let opened = crate::builtins::input::open(cx, &line.name).await;
    let found = match opened {
        Ok(stream) => match digest(cx, &stream, line.algorithm).await {
            Ok(found) => Ok(found),
            Err(Stop::Io(errno)) => Err(errno),
            Err(stop) => return Err(stop),
        },
        Err(errno) => Err(errno),
    };
    match found {
        Err(errno) if args.has("ignore-missing") && errno == crate::io::Errno::NotFound => {}
        Err(errno) => {
            counts.unreadable += 1;
            cx.complain(format_args!("{}: {errno}", line.name)).await?;
            if !silent {
                say(cx, line, "FAILED open or read").await?;
            }
        }
        Ok(found) if found == line.digest => {
            counts.verified += 1;
            if !silent && !args.has("quiet") {
                say(cx, line, "OK").await?;
            }
        }
        Ok(_) => {
            counts.verified += 1;
            counts.mismatched += 1;
            if !silent {
                say(cx, line, "FAILED").await?;
            }
        }
    }
    Ok(())
}

async fn say(cx: &mut ExecContext, line: &Line, what: &str) -> Result<(), Stop> {
    let (lead, name) = super::escaped(&line.name);
    cx.write_line(format!("{lead}{name}: {what}").as_bytes()).await
}

/// Tells what was wrong with a list; `false` where something counts as a failure.
async fn report(
    cx: &mut ExecContext,
    args: &Args,
    list: &str,
    counts: &Counts,
) -> Result<bool, Stop> {
    if counts.good == 0 {
        cx.complain(format_args!("{list}: no properly formatted checksum lines found")).await?;
        return Ok(false);
    }
    if !args.has("status") {
        let warnings = [
            (counts.malformed, "line is", "lines are", "improperly formatted"),
            (counts.unreadable, "listed file", "listed files", "could not be read"),
            (counts.mismatched, "computed checksum", "computed checksums", "did NOT match"),
        ];
        for (count, one, many, what) in warnings {
            if count > 0 {
                let noun = if count == 1 { one } else { many };
                cx.complain(format_args!("WARNING: {count} {noun} {what}")).await?;
            }
        }
    }
    let nothing_verified = args.has("ignore-missing") && counts.verified == 0;
    if nothing_verified {
        cx.complain(format_args!("{list}: no file was verified")).await?;
    }
    let malformed = args.has("strict") && counts.malformed > 0;
    Ok(counts.unreadable == 0 && counts.mismatched == 0 && !malformed && !nothing_verified)
}
