//! `sh` and `bash`: run a program in a shell of its own.

use futures::future::{FutureExt, LocalBoxFuture};

use super::program::{self, Kind};
use crate::env::{Options, ShellOption};
use crate::tool::{
    Args, Binding, Builtin, Completes, Example, ExecContext, Outcome, Reply, Request, Run, Spec,
    Stop, Topic, help_text,
};
use crate::value::{EcoString, Value};

/// `sh`
pub(super) const SH: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

/// `bash`
pub(super) const BASH: Builtin =
    Builtin { spec: Spec { name: "bash", ..SPEC }, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "sh",
    about: "run a program in a shell of its own",
    topic: Topic::Shell,
    operands: "[-euxfCn] [-o NAME] [FILE | -c TEXT [NAME] | -s] [ARGUMENT]...",
    completes: Completes::Files,
    binding: Binding::Raw,
    notes: "Runs FILE, the text after -c, or what standard input holds. The shell has the exported\n\
            variables and nothing else of this one; the language is the same.",
    examples: &[Example { script: "sh -c 'echo $0 $1' name arg", output: "name arg\n" }],
    ..Spec::DEFAULT
};

/// What the words ask for.
struct Call {
    options: Options,
    /// The words name a text, not a file.
    text: bool,
    /// The program comes from standard input, whatever the words.
    stdin: bool,
    words: Vec<Value>,
}

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        if let [Value::Text(word)] = args.operands.as_slice() {
            if word == "--help" {
                cx.push(help_text(&SPEC));
                return Reply::status(0);
            }
            if word == "--version" {
                cx.push_line(format!("tabsh {}", env!("CARGO_PKG_VERSION")));
                return Reply::status(0);
            }
        }
        let call = read_words(cx, &args.operands)?;
        let own_name = cx.control.name.clone();
        let mut words = call.words.into_iter();
        let (name, program) = if call.text {
            let Some(text) = words.next() else {
                return Err(cx.fail(2, "-c: option requires an argument"));
            };
            let name = words.next().map_or(own_name, |name| name.to_text_lossy());
            (name, program::check(cx, Kind::Script, "-c", text.to_text_lossy())?)
        } else if let Some(file) = words.as_slice().first().filter(|_| !call.stdin) {
            let file = file.to_text_lossy();
            words.next();
            let path = cx.resolve(&file);
            let text = program::read_script(cx, &file, &path).await.map_err(not_found)?;
            (file.clone(), program::check(cx, Kind::Script, file, text)?)
        } else {
            let stdin = cx.stdin();
            let bytes = cx.read_all(&stdin).await?;
            let text = program::text_of(cx, "standard input", bytes)?;
            (own_name.clone(), program::check(cx, Kind::Script, own_name, text)?)
        };
        Ok(Reply::Request(Request::Script {
            script: program.script,
            source: program.source,
            name,
            arguments: words.collect(),
            options: call.options,
        }))
    }
    .boxed_local()
}

/// A file that is not there is 127, as with any name that cannot be run.
fn not_found(stop: Stop) -> Stop {
    if stop == Stop::Failed(1) { Stop::Failed(127) } else { stop }
}

fn read_words(cx: &mut ExecContext, words: &[Value]) -> Result<Call, Stop> {
    let mut call =
        Call { options: Options::default(), text: false, stdin: false, words: Vec::new() };
    let mut rest = words.iter();
    while let Some(word) = rest.as_slice().first() {
        let text = word.to_text_lossy();
        let Some(letters) = text.strip_prefix('-') else { break };
        rest.next();
        if letters.is_empty() || letters == "-" {
            break;
        }
        if matches!(text.as_str(), "--norc" | "--noprofile" | "--posix" | "--login") {
            continue;
        }
        for letter in letters.chars() {
            match letter {
                'c' => call.text = true,
                's' => call.stdin = true,
                'i' | 'l' => {}
                'o' => {
                    let name = rest.next().map(Value::to_text_lossy).unwrap_or_default();
                    turn_on(cx, &mut call.options, &name)?;
                }
                _ => match ShellOption::from_letter(letter) {
                    Some((option, on)) => call.options.set(option, on),
                    None => return Err(cx.fail(2, format_args!("invalid option -- '{letter}'"))),
                },
            }
        }
    }
    call.words = rest.cloned().collect();
    Ok(call)
}

fn turn_on(cx: &mut ExecContext, options: &mut Options, name: &EcoString) -> Result<(), Stop> {
    match ShellOption::from_name(name) {
        Some(option) => options.set(option, true),
        None => return Err(cx.fail(2, format_args!("{name}: invalid option name"))),
    }
    Ok(())
}
