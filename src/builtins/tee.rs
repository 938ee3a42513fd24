//! `tee`: standard input to standard output and to files.

use std::rc::Rc;

use futures::future::{FutureExt, LocalBoxFuture};

use crate::io::{File, OpenFile, Stream};
use crate::tool::{
    Args, Builtin, Example, ExecContext, Opt, Outcome, Reply, Run, Spec, Stop, Topic,
};
use crate::value::EcoString;
use crate::vfs::OpenOptions;

/// `tee`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Wait(run) };

const SPEC: Spec = Spec {
    name: "tee",
    about: "copy standard input to standard output and to files",
    topic: Topic::Text,
    operands: "[FILE]...",
    options: &[
        Opt::flag('a', "append", "add to the files, do not overwrite"),
        Opt::flag('i', "ignore-interrupts", "accepted; an interrupt ends the pipeline"),
        Opt::flag('p', "", "go on where standard output is closed"),
    ],
    examples: &[Example { script: "echo x | tee a b; cat a b", output: "x\nx\nx\n" }],
    ..Spec::DEFAULT
};

/// A file being written; `failed` once a write did.
struct Output {
    name: EcoString,
    /// None for a stream of the shell.
    file: Option<Rc<dyn File>>,
    stream: Stream,
    failed: bool,
}

fn run<'a>(cx: &'a mut ExecContext, args: &'a Args) -> LocalBoxFuture<'a, Outcome> {
    async move {
        let mut status = 0;
        let mut outputs = Vec::new();
        for name in args.operand_texts() {
            match open(cx, &name, args.has("append")).await? {
                Some(output) => outputs.push(output),
                None => status = 1,
            }
        }
        let result = copy(cx, &mut outputs, args.has("p")).await;
        for output in outputs {
            let closed = match &output.file {
                Some(file) => file.close().await,
                None => Ok(()),
            };
            if output.failed {
                status = 1;
            } else if let Err(errno) = closed {
                cx.complain(format_args!("{}: {errno}", output.name)).await?;
                status = 1;
            }
        }
        result?;
        Reply::status(status)
    }
    .boxed_local()
}

async fn open(
    cx: &mut ExecContext,
    name: &EcoString,
    append: bool,
) -> Result<Option<Output>, Stop> {
    let own = match name.as_str() {
        "/dev/stdout" | "/dev/fd/1" => Some(cx.streams.fds.stdout().clone()),
        "/dev/stderr" | "/dev/fd/2" => Some(cx.streams.fds.stderr().clone()),
        _ => None,
    };
    if let Some(stream) = own {
        return Ok(Some(Output { name: name.clone(), file: None, stream, failed: false }));
    }
    let path = cx.resolve(name);
    let options = if append { OpenOptions::APPEND } else { OpenOptions::WRITE };
    let backend = Rc::clone(cx.backend());
    match backend.open(&path, options).await {
        Ok(file) => {
            let stream = Stream::File(Rc::new(OpenFile::new(Rc::clone(&file), append)));
            Ok(Some(Output { name: name.clone(), file: Some(file), stream, failed: false }))
        }
        Err(error) => {
            cx.complain(format_args!("{name}: {}", error.errno())).await?;
            Ok(None)
        }
    }
}

async fn copy(cx: &mut ExecContext, outputs: &mut [Output], go_on: bool) -> Result<(), Stop> {
    let stdin = cx.stdin();
    let mut reader_left = false;
    loop {
        let chunk = cx.read_chunk(&stdin).await?;
        if chunk.is_empty() {
            return Ok(());
        }
        if !reader_left {
            match cx.write(&chunk).await {
                Err(Stop::BrokenPipe) if go_on => reader_left = true,
                result => result?,
            }
        }
        for output in outputs.iter_mut().filter(|output| !output.failed) {
            if let Err(errno) = output.stream.write_all(&chunk).await {
                output.failed = true;
                let name = output.name.clone();
                cx.complain(format_args!("{name}: {errno}")).await?;
            }
        }
    }
}
