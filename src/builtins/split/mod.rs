//! `split`: a text to a list of pieces; with a GNU option, a file to several files.

mod files;
mod text;

use futures::future::{FutureExt, LocalBoxFuture};

use crate::pattern::{Dialect, Regex, Syntax};
use crate::tool::{
    Args, Builtin, Completes, Example, ExecContext, OK, Opt, Outcome, Run, Spec, Stop, Topic,
};
use crate::value::{EcoString, EcoVec, Value};
use text::Separator;

/// `split`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "split",
    about: "a text to a list; or a file to several",
    topic: Topic::Values,
    operands: "[TEXT] [SEPARATOR] | -l N [FILE [PREFIX]]",
    arity: (0, 2),
    completes: Completes::Nothing,
    options: &[
        Opt::value(
            'r',
            "regex",
            "REGEX",
            "separate where this extended regular expression matches",
        ),
        Opt::value('\0', "limit", "N", "at most N pieces, the last one the rest"),
        Opt::value('l', "lines", "N", "a file: N lines in each piece"),
        Opt::value('b', "bytes", "SIZE", "a file: SIZE bytes in each"),
        Opt::value('C', "line-bytes", "SIZE", "a file: whole lines, at most SIZE bytes in each"),
        Opt::value('n', "number", "CHUNKS", "a file: N, K/N, l/N, l/K/N, r/N or r/K/N pieces"),
        Opt::value('a', "suffix-length", "N", "letters or digits in names (2)"),
        Opt::flag('d', "", "digits, not letters"),
        Opt::optional('\0', "numeric-suffixes", "FROM", "the same, counted from FROM"),
        Opt::flag('x', "", "hexadecimal digits"),
        Opt::optional('\0', "hex-suffixes", "FROM", "the same, counted from FROM"),
        Opt::value('\0', "additional-suffix", "TEXT", "names end so"),
        Opt::flag('e', "elide-empty-files", "with -n, make no empty pieces"),
        Opt::value('t', "separator", "CHAR", "what ends lines (a newline)"),
        Opt::flag('\0', "verbose", "name each piece"),
        Opt::flag('u', "unbuffered", "ignored"),
    ],
    negatives: true,
    answers_value: true,
    notes: "With -l, -b, -C or -n, a file (- for standard input) is cut into files called PREFIXaa,\n\
            PREFIXab and so on (x), as GNU's split does. Without SEPARATOR, splits at blanks and keeps no empty piece. Without TEXT, splits what\n\
            standard input holds. Prints one piece a line; $(…) is the list.",
    examples: &[
        Example { script: "for w in $(split 'a b  c'); do echo $w; done", output: "a\nb\nc\n" },
        Example { script: "split a:b:c : --limit=2", output: "a\nb:c\n" },
    ],
    ..Spec::DEFAULT
};

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        if files::is_asked(args) {
            return files::run(cx, args).await;
        }
        let limit = limit(cx, args)?;
        let separator = separator(cx, args)?;
        let text = match args.operands.first() {
            Some(value) if value.is_collection() => {
                let kind = value.type_name();
                let way = "$(values $x) gives its elements";
                return Err(cx.fail(1, format_args!("a {kind} is no text; {way}")));
            }
            Some(value) => value.to_text_lossy(),
            None => stdin(cx).await?,
        };
        let pieces: EcoVec<Value> =
            text::split(&text, &separator, limit).into_iter().map(Value::from).collect();
        if args.json {
            cx.answer(Value::List(pieces));
            return OK;
        }
        for piece in &pieces {
            cx.write_line(piece.to_text_lossy().as_bytes()).await?;
        }
        cx.streams.fds.stdout().set_value(&Value::List(pieces));
        OK
    }
    .boxed_local()
}

fn limit(cx: &mut ExecContext, args: &Args) -> Result<usize, Stop> {
    let Some(text) = args.text("limit") else { return Ok(usize::MAX) };
    match text.parse() {
        Ok(limit @ 1..) => Ok(limit),
        _ => Err(cx.fail(1, format_args!("--limit: '{text}' is no number from 1 on"))),
    }
}

fn separator(cx: &mut ExecContext, args: &Args) -> Result<Separator, Stop> {
    if let Some(pattern) = args.text("regex") {
        let regex = Regex::new(&pattern, Syntax::new(Dialect::Extended));
        return match regex {
            Ok(regex) => Ok(Separator::Regex(Box::new(regex))),
            Err(error) => Err(cx.fail(1, format_args!("'{pattern}': {error}"))),
        };
    }
    Ok(match args.operand(1) {
        None => Separator::Blanks,
        Some(text) => Separator::Text(text),
    })
}

async fn stdin(cx: &mut ExecContext) -> Result<EcoString, Stop> {
    let stdin = cx.stdin();
    let mut bytes = cx.read_all(&stdin).await?;
    if bytes.last() == Some(&b'\n') {
        bytes.pop();
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text.into()),
        Err(_) => Err(cx.fail(1, "the input is not UTF-8 text: use base64, xxd or iconv")),
    }
}
