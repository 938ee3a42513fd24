//! `sed`: a program of short commands over the lines of files.

mod escape;
mod input;
mod machine;
mod operands;
mod parse;
mod program;
mod replacement;
mod run;

use futures::future::FutureExt;

use self::input::{Input, Reading};
use self::machine::Manner;
use self::parse::{Origin, Piece};
use self::program::Program;
use self::run::{InPlace, Sed};
use crate::tool::{
    Args, Builtin, Example, ExecContext, Issue, Opt, Outcome, Reply, Run, Spec, Stop, Topic,
};
use crate::value::EcoString;

/// `sed`
pub(super) const BUILTIN: Builtin =
    Builtin { spec: SPEC, run: Run::Wait(|cx, args| run(cx, args).boxed_local()) };

const SPEC: Spec = Spec {
    name: "sed",
    about: "edit lines with a program of short commands",
    topic: Topic::Text,
    operands: "SCRIPT [FILE]...",
    options: &[
        Opt::flag('n', "quiet", "print only what the script says"),
        Opt::flag('\0', "silent", "the same as --quiet"),
        Opt::value('e', "expression", "SCRIPT", "add to the script"),
        Opt::value('f', "file", "FILE", "add the content of FILE to the script"),
        Opt::flag('E', "regexp-extended", "extended regular expressions"),
        Opt::flag('r', "", "the same as -E"),
        Opt::optional(
            'i',
            "in-place",
            "SUFFIX",
            "edit files, keeping the old content as FILE+SUFFIX",
        ),
        Opt::flag('s', "separate", "each file has its own line numbers and last line"),
        Opt::flag('z', "null-data", "lines end with NUL"),
        Opt::flag('u', "unbuffered", "read and write line by line"),
        Opt::value('l', "line-length", "N", "wrap what `l` prints at N columns (70)"),
        Opt::flag('b', "binary", "ignored"),
        Opt::flag('\0', "follow-symlinks", "ignored: links are followed"),
        Opt::flag('\0', "posix", "ignored"),
        Opt::flag('\0', "sandbox", "refuse commands that read or write other files"),
        Opt::flag('\0', "version", "print the version"),
    ],
    check: Some(check),
    notes: "Commands: {} = a b c d D F g G h H i l n N p P q Q r R s t T v w W x y z : #\n\
            Addresses: N, $, /REGEX/, \\cREGEXc, FIRST~STEP, ADDR,ADDR, ADDR,+N, ADDR,~N, 0,/REGEX/,\n\
            and ! for all other lines. Files -i edits are replaced once they are read to the end.",
    examples: &[
        Example { script: "echo 'one two' | sed 's/two/2/'", output: "one 2\n" },
        Example { script: "seq 5 | sed -n '2,3p'", output: "2\n3\n" },
        Example { script: "echo amy > f; sed -i 's/^./\\U&/' f; cat f", output: "Amy\n" },
    ],
    ..Spec::DEFAULT
};

async fn run(cx: &mut ExecContext, args: &Args) -> Outcome {
    if args.has("version") {
        cx.push_line(concat!("sed (tabsh) ", env!("CARGO_PKG_VERSION")));
        return Reply::status(0);
    }
    let mut files = args.operand_texts();
    let mut pieces = Vec::new();
    for (key, value) in args.given() {
        let Some(value) = value else { continue };
        match key {
            "expression" => add_expression(&mut pieces, value.to_bytes()),
            "file" => pieces.push(script_file(cx, value.to_text_lossy()).await?),
            _ => {}
        }
    }
    if pieces.is_empty() && !takes_script(args) {
        if files.is_empty() {
            return Err(cx.misuse(1, "a script is missing: sed [OPTION]... SCRIPT [FILE]..."));
        }
        files.remove(0);
        let script = args.operands.first().map(crate::value::Value::to_bytes);
        add_expression(&mut pieces, script.unwrap_or_default());
    }
    let program = parse::parse(&pieces, manner(args)).map_err(|error| cx.fail(1, error))?;
    let columns = match args.text("line-length") {
        None => 70,
        Some(text) => match text.parse() {
            Ok(columns) => columns,
            Err(_) => return Err(cx.misuse(1, format_args!("invalid line length: {text}"))),
        },
    };
    if files.is_empty() {
        files.push("-".into());
    }
    edit(cx, args, &program, (files, columns)).await
}

async fn edit(
    cx: &mut ExecContext,
    args: &Args,
    program: &Program,
    (files, columns): (Vec<EcoString>, usize),
) -> Outcome {
    let in_place = args.has("in-place").then(|| InPlace { suffix: args.text("in-place") });
    let manner = Manner {
        quiet: program.quiet || args.has("quiet") || args.has("silent"),
        line_end: if args.has("null-data") { 0 } else { b'\n' },
        columns,
        limit: cx.services.limits.value_bytes,
    };
    let reading = Reading {
        separate: in_place.is_some() || args.has("separate"),
        in_place: in_place.is_some(),
        unbuffered: args.has("unbuffered"),
        line_end: manner.line_end,
    };
    let input = Input::new(files, reading);
    let mut sed = Sed::new(cx, program, manner, (input, in_place)).await?;
    let status = sed.run(cx).await?;
    Reply::status(status)
}

fn takes_script(args: &Args) -> bool {
    args.given().any(|(key, _)| matches!(key, "expression" | "file"))
}

fn manner(args: &Args) -> parse::Manner {
    let extended = args.last_of(&["regexp-extended", "r"]).is_some();
    let null_data = args.has("null-data");
    parse::Manner { extended, null_data, sandbox: args.has("sandbox") }
}

fn add_expression(pieces: &mut Vec<Piece>, text: Vec<u8>) {
    let before = pieces.iter().filter(|piece| matches!(piece.origin, Origin::Expression(_)));
    let number = before.count() + 1;
    pieces.push(Piece { origin: Origin::Expression(number), text });
}

async fn script_file(cx: &mut ExecContext, name: EcoString) -> Result<Piece, Stop> {
    let stream = match super::input::open(cx, &name).await {
        Ok(stream) => stream,
        Err(errno) => {
            return Err(cx.fail(1, format_args!("couldn't open file {name}: {errno}")));
        }
    };
    let mut text = cx.read_all(&stream).await?;
    if text.ends_with(b"\n") {
        text.pop();
    }
    Ok(Piece { origin: Origin::File(name), text })
}

/// E005, an expression that is refused, or E006, a script that is; judged where all of it is known.
fn check(args: &Args) -> Option<Issue> {
    let mut pieces = Vec::new();
    let takes_none = !takes_script(args);
    if !takes_none {
        for (key, value) in args.given() {
            match (key, value) {
                ("file", _) => return None,
                ("expression", value) => {
                    add_expression(&mut pieces, value?.as_str()?.as_bytes().to_vec());
                }
                _ => {}
            }
        }
    } else {
        add_expression(&mut pieces, args.operands.first()?.as_str()?.as_bytes().to_vec());
    }
    let error = parse::parse(&pieces, manner(args)).err()?;
    let code = if error.in_pattern { "E005" } else { "E006" };
    let fix = if error.in_pattern {
        "a literal character of those is written with a backslash, or in brackets: [.]"
    } else {
        "s/PATTERN/TEXT/g, N,Mp, /PATTERN/d; `sed --help` lists the commands"
    };
    let issue = Issue::new(code, error.to_string()).with_fix(fix);
    Some(match args.operands.first().and_then(crate::value::Value::as_str) {
        Some(program) if takes_none => issue.at(program),
        _ => issue,
    })
}
