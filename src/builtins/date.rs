//! `date`: points in time, in UTC, in any format.

use std::rc::Rc;

use futures::future::{FutureExt, LocalBoxFuture};

use super::common::{Civil, DAYS, bad_choice, parse_date, quoted, strftime};
use crate::host::Timestamp;
use crate::io::Errno;
use crate::tool::{
    Args, Builtin, Completes, Example, ExecContext, Opt, Outcome, Reply, Run, Spec, Stop, Topic,
};
use crate::value::{EcoVec, Record, Value};

/// `date`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "date",
    about: "print the time and date",
    topic: Topic::System,
    operands: "[+FORMAT]",
    completes: Completes::Nothing,
    options: &[
        Opt::value(
            'd',
            "date",
            "TEXT",
            "this time, not now: '2024-02-29 10:00', '@0', '3 days ago'",
        ),
        Opt::value('f', "file", "FILE", "like -d, once for each line of FILE"),
        Opt::value('r', "reference", "FILE", "when FILE was last changed"),
        Opt::optional(
            'I',
            "iso-8601",
            "PART",
            "2024-02-29; PART: date, hours, minutes, seconds, ns",
        ),
        Opt::flag('R', "rfc-email", "Thu, 29 Feb 2024 10:00:00 +0000"),
        Opt::value('\0', "rfc-3339", "PART", "like -I with a blank: date, seconds, ns"),
        Opt::flag('u', "utc", "accepted: all times are UTC"),
        Opt::flag('\0', "universal", "accepted: all times are UTC"),
        Opt::value('s', "set", "TEXT", "refused: the clock is the browser's"),
    ],
    notes: "FORMAT is text with %Y %m %d %H %M %S %N %s %j %a %A %b %B %F %T %Z and the others of \
        strftime.\n--json: a record with epoch, nanos, iso, year, month, day, hour, minute, second, \
        weekday, yearday.",
    examples: &[
        Example { script: "date -d '2024-02-29 +1 day' +%F", output: "2024-03-01\n" },
        Example { script: "date -d @0", output: "Thu Jan  1 00:00:00 UTC 1970\n" },
    ],
    ..Spec::DEFAULT
};

const ISO: &[&str] = &["hours", "minutes", "date", "seconds", "ns"];
const RFC: &[&str] = &["date", "seconds", "ns"];

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let format = format(cx, args)?;
        let now = cx.services.host.now();
        let sources = ["date", "file", "reference"].iter().filter(|key| args.has(key)).count();
        if sources > 1 {
            let message = "the options to specify dates for printing are mutually exclusive";
            return Err(cx.misuse(1, message));
        }
        if let Some(text) = args.text("set") {
            return match parse_date(&text, now) {
                Some(_) => {
                    let errno = Errno::NotPermitted;
                    Err(cx.fail(1, format_args!("cannot set date: {errno}")))
                }
                None => Err(cx.fail(1, format_args!("invalid date {}", quoted(&text)))),
            };
        }
        if let Some(file) = args.text("file") {
            return each_line(cx, args, &file, &format).await;
        }
        let time = match (args.text("date"), args.text("reference")) {
            (Some(text), _) => match parse_date(&text, now) {
                Some(time) => time,
                None => return Err(cx.fail(1, format_args!("invalid date {}", quoted(&text)))),
            },
            (None, Some(file)) => {
                let found = Rc::clone(cx.backend()).stat(&cx.resolve(&file)).await;
                match found {
                    Ok(metadata) => metadata.modified,
                    Err(error) => {
                        return Err(cx.fail(1, format_args!("{file}: {}", error.errno())));
                    }
                }
            }
            (None, None) => now,
        };
        if args.json {
            cx.answer(json(time, args, &format));
        } else {
            cx.write_line(strftime(&format, time).as_bytes()).await?;
        }
        Reply::status(0)
    }
    .boxed_local()
}

async fn each_line(cx: &mut ExecContext, args: &Args, file: &str, format: &str) -> Outcome {
    let Some(stream) = cx.open_input(file).await? else { return Reply::status(1) };
    let (mut ok, mut line) = (true, Vec::new());
    let mut list = EcoVec::new();
    while cx.read_line(&stream, &mut line).await? {
        let text = String::from_utf8_lossy(&line).trim_end_matches('\n').to_owned();
        line.clear();
        match parse_date(&text, cx.services.host.now()) {
            Some(time) if args.json => list.push(json(time, args, format)),
            Some(time) => cx.write_line(strftime(format, time).as_bytes()).await?,
            None => {
                cx.complain(format_args!("invalid date {}", quoted(&text))).await?;
                ok = false;
            }
        }
    }
    if args.json {
        cx.answer(Value::List(list));
    }
    Reply::success(ok)
}

/// The format that options or the operand ask for.
fn format(cx: &mut ExecContext, args: &Args) -> Result<String, Stop> {
    let mut given = None;
    for operand in args.operand_texts() {
        let Some(format) = operand.strip_prefix('+') else {
            // The old form that sets the clock.
            let message = format!("invalid date {}", quoted(&operand));
            return Err(cx.fail(1, message));
        };
        if given.is_some() {
            return Err(cx.misuse(1, format_args!("extra operand {}", quoted(&operand))));
        }
        given = Some(format.to_owned());
    }
    let mut formats: Vec<String> = given.into_iter().collect();
    for (key, value) in args.given() {
        let part = value.map_or_else(|| "date".into(), crate::value::Value::to_text_lossy);
        let format = match (key, part.as_str()) {
            ("rfc-email", _) => "%a, %d %b %Y %H:%M:%S %z",
            ("iso-8601" | "rfc-3339", "date") => "%F",
            ("iso-8601", "hours") => "%FT%H%:z",
            ("iso-8601", "minutes") => "%FT%H:%M%:z",
            ("iso-8601", "seconds") => "%FT%T%:z",
            ("iso-8601", "ns") => "%FT%T,%N%:z",
            ("rfc-3339", "seconds") => "%F %T%:z",
            ("rfc-3339", "ns") => "%F %T.%N%:z",
            ("iso-8601", _) => return Err(cx.misuse(1, bad_choice("--iso-8601", &part, ISO))),
            ("rfc-3339", _) => return Err(cx.misuse(1, bad_choice("--rfc-3339", &part, RFC))),
            _ => continue,
        };
        formats.push(format.to_owned());
    }
    if formats.len() > 1 {
        return Err(cx.fail(1, "multiple output formats specified"));
    }
    Ok(formats.pop().unwrap_or_else(|| "%a %b %e %H:%M:%S %Z %Y".into()))
}

fn json(time: Timestamp, args: &Args, format: &str) -> Value {
    let civil = Civil::at(time.seconds, 0);
    let weekday = usize::try_from(civil.weekday()).ok().and_then(|day| DAYS.get(day));
    let mut record = Record::default();
    record.insert("epoch".into(), Value::int(time.seconds));
    record.insert("nanos".into(), Value::int(i64::from(time.nanos)));
    record.insert("iso".into(), Value::from(strftime("%FT%TZ", time)));
    for (key, number) in [
        ("year", civil.year),
        ("month", civil.month),
        ("day", civil.day),
        ("hour", civil.hour),
        ("minute", civil.minute),
        ("second", civil.second),
    ] {
        record.insert(key.into(), Value::int(number));
    }
    record.insert("weekday".into(), Value::from(weekday.copied().unwrap_or_default()));
    record.insert("yearday".into(), Value::int(civil.year_day() + 1));
    if !args.operands.is_empty() {
        record.insert("text".into(), Value::from(strftime(format, time)));
    }
    Value::Record(Rc::new(record))
}
