//! `jq`: filters over JSON; the spec and the streams are here, the engine is a module (`modules/jq`).

mod request;
mod values;

use futures::future::{FutureExt, LocalBoxFuture};

use crate::host::{Feed, Module, Next};
use crate::io::Stream;
use crate::tool::{
    Args, Builtin, Example, ExecContext, Issue, Opt, Outcome, Reply, Run, Spec, Stop, Topic,
    help_text,
};
use crate::value::{EcoString, Value};
use values::Collector;

pub(super) const BUILTIN: Builtin = Builtin {
    spec: Spec {
        name: "jq",
        about: "filter and change JSON",
        topic: Topic::Values,
        operands: "[FILTER] [FILE]...",
        options: OPTIONS,
        answers_value: true,
        check: Some(check),
        notes: "Reads JSON documents, or the value that the command before it answers, and prints what\n\
                FILTER makes of each. $(jq ...) is the value; several outputs are a list; -r and -j are text.\n\
                --json prints that value on one line. A trap for the shell: write FILTER in single quotes.",
        examples: &[
            Example { script: "echo '{\"a\":[1,2]}' | jq -c .a", output: "[1,2]\n" },
            Example {
                script: "echo '[{\"n\":\"x\"},{\"n\":\"y\"}]' | jq -r '.[].n'",
                output: "x\ny\n",
            },
            Example {
                script: "jq -n --arg who world '\"hello \\($who)\"'",
                output: "\"hello world\"\n",
            },
            Example { script: "x=$(jq -n '{a: 1}'); echo ${x[a]}", output: "1\n" },
        ],
        ..Spec::DEFAULT
    },
    run: Run::Wait(run),
};

const OPTIONS: &[Opt] = &[
    Opt::flag('n', "null-input", "run FILTER once, on null; it may read with input and inputs"),
    Opt::flag('r', "raw-output", "strings as they are, without quotes"),
    Opt::flag('j', "join-output", "like -r, without newlines"),
    Opt::flag('\0', "raw-output0", "like -r, with NUL after each output"),
    Opt::flag('c', "compact-output", "each output on one line"),
    Opt::flag('s', "slurp", "all input documents as one array"),
    Opt::flag('R', "raw-input", "lines of text as strings, not JSON"),
    Opt::flag('S', "sort-keys", "keys of objects in order"),
    Opt::flag('a', "ascii-output", "escapes for what is not ASCII"),
    Opt::flag('e', "exit-status", "status 1 where the last output is false or null, 4 without any"),
    Opt::flag('C', "color-output", "in colour"),
    Opt::flag('M', "monochrome-output", "without colour"),
    Opt::flag('\0', "tab", "indent by tabs"),
    Opt::value('\0', "indent", "N", "indent by N blanks, 0 to 7"),
    Opt::pair("arg", "NAME TEXT", "$NAME is TEXT"),
    Opt::pair("argjson", "NAME JSON", "$NAME is a value"),
    Opt::pair("slurpfile", "NAME FILE", "$NAME is the array of the documents in FILE"),
    Opt::pair("rawfile", "NAME FILE", "$NAME is the text of FILE"),
    Opt::flag('\0', "args", "further operands are texts in $ARGS.positional, not files"),
    Opt::flag('\0', "jsonargs", "further operands are values there"),
    Opt::value('f', "from-file", "FILE", "read FILTER from FILE"),
    Opt::flag('\0', "stream", "input as events: [PATH, LEAF]"),
    Opt::flag('\0', "seq", "a record separator before each output"),
    Opt::flag('\0', "unbuffered", "no effect: output leaves as it comes"),
    Opt::value('L', "library-path", "DIR", "refused: there are no modules of filters here"),
    Opt::flag('h', "", "print this help"),
    Opt::flag('V', "version", "print the version of the language"),
];

/// E007: a filter that is none.
fn check(args: &Args) -> Option<Issue> {
    if args.has("from-file") {
        return None;
    }
    let filter = args.operands.first()?.as_str()?;
    let error = tabsh_jq::check(filter).err()?;
    let line = filter.get(..error.at).unwrap_or_default().matches('\n').count() + 1;
    let message = format!("bad filter, line {line}: {}", error.message);
    Some(Issue::new("E007", message))
}

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        if args.has("h") {
            cx.push(help_text(&BUILTIN.spec));
            return Reply::status(0);
        }
        if args.has("version") {
            cx.push_line("jq-1.7");
            return Reply::status(0);
        }
        if args.has("library-path") {
            return Err(cx.fail(
                2,
                "-L: there are no modules of filters here; define what you need in FILTER",
            ));
        }
        let request = request::build(cx, args).await?;
        cx.flush().await?;
        let starting = cx.services.host.clone().start_module("jq", request.text);
        let mut module = match cx.unless_cancelled(async { Ok(starting.await) }).await? {
            Ok(module) => module,
            Err(error) => return Err(cx.fail(1, error)),
        };
        let mut input = Input::new(request.files);
        let mut collector = Collector::new(cx, args);
        let status = drive(cx, module.as_mut(), &mut input, &mut collector).await?;
        collector.finish(cx, args);
        // A file that could not be read counts where nothing else went wrong.
        Reply::status(if status == 0 && input.failed { 2 } else { status })
    }
    .boxed_local()
}

/// Steps the engine to its end and answers its status.
async fn drive(
    cx: &mut ExecContext,
    module: &mut dyn Module,
    input: &mut Input,
    collector: &mut Collector,
) -> Result<u8, Stop> {
    let mut part = Part::Nothing;
    loop {
        let feed = match &part {
            Part::Nothing => Feed::Nothing,
            Part::Bytes(bytes) => Feed::Bytes(bytes),
            Part::File(name) => Feed::File(name),
            Part::End => Feed::End,
        };
        let stepping = cx.unless_cancelled(async { Ok(module.step(feed).await) }).await?;
        let step = stepping.map_err(|error| cx.fail(1, error))?;
        collector.take(&step.out);
        cx.write(&step.out).await?;
        if !step.err.is_empty() {
            cx.streams.err.extend_from_slice(&step.err);
            cx.flush().await?;
        }
        cx.checkpoint(u32::try_from(step.out.len() / 16).unwrap_or(0) + 50).await?;
        part = match step.next {
            Next::More => Part::Nothing,
            Next::Input => input.next(cx).await?,
            Next::Done(status) => return Ok(status),
        };
    }
}

/// What goes to the engine next.
enum Part {
    Nothing,
    Bytes(Vec<u8>),
    File(EcoString),
    End,
}

/// The files to read, one after another; without any, standard input.
struct Input {
    files: std::vec::IntoIter<EcoString>,
    stdin: bool,
    open: Option<Stream>,
    failed: bool,
}

impl Input {
    fn new(files: Vec<EcoString>) -> Self {
        Self { stdin: files.is_empty(), files: files.into_iter(), open: None, failed: false }
    }

    async fn next(&mut self, cx: &mut ExecContext) -> Result<Part, Stop> {
        loop {
            if let Some(stream) = &self.open {
                let bytes = cx.read_chunk(stream).await;
                match bytes {
                    Ok(bytes) if !bytes.is_empty() => return Ok(Part::Bytes(bytes)),
                    Ok(_) => {}
                    Err(Stop::Io(errno)) => self.report(cx, "", errno).await?,
                    Err(stop) => return Err(stop),
                }
                self.open = None;
            }
            if std::mem::take(&mut self.stdin) {
                let stdin = cx.stdin();
                if let Some(bytes) = values::typed_input(cx, &stdin).await? {
                    self.open = Some(stdin);
                    return Ok(Part::Bytes(bytes));
                }
                continue;
            }
            let Some(name) = self.files.next() else { return Ok(Part::End) };
            let path = cx.resolve(&name);
            let opened = cx.backend().clone().open_read(&path).await;
            match opened {
                Ok(stream) => {
                    self.open = Some(stream);
                    return Ok(Part::File(name));
                }
                Err(error) => self.report(cx, &name, error.errno()).await?,
            }
        }
    }

    async fn report(
        &mut self,
        cx: &mut ExecContext,
        name: &str,
        errno: crate::io::Errno,
    ) -> Result<(), Stop> {
        self.failed = true;
        cx.complain(format_args!("error: Could not open {name}: {errno}")).await
    }
}

/// The text of an operand or option value.
fn text(value: &Value) -> EcoString {
    value.to_text_lossy()
}
