//! What the machine waits for: files, commands, input, output, and the turn of others.

use std::future::poll_fn;
use std::rc::Rc;
use std::task::{Context, Poll};

use super::code::{Program, SPECIALS, Slot, Target};
use super::files::{Child, Kind, Output, Reader};
use super::lex::unescape;
use super::record::Input;
use super::value::{Str, Value};
use super::vm::{Fatal, MOST_BYTES, Pause, Phase, Vm};
use crate::builtins::{input, output};
use crate::io::{Descriptors, Stream, pipe};
use crate::tool::{Args, ExecContext, Outcome, Reply, Stop};
use crate::value::Value as Word;
use crate::vfs::OpenOptions;

/// Loops and records between two looks at the work budget.
const SLICE: u32 = 1000;

/// A program under way.
struct Driver {
    vm: Vm,
    /// The next operand to read.
    operand: usize,
    /// Whether an operand named a file.
    read_any: bool,
}

/// How a part of a program ended.
#[derive(PartialEq)]
enum Ended {
    Regularly,
    ByExit,
}

/// Runs a program over operands.
pub(super) async fn run(
    cx: &mut ExecContext,
    args: &Args,
    program: Program,
    operands: &[Word],
) -> Outcome {
    let vm = Vm::new(program, Rc::clone(&cx.services.host));
    let mut driver = Driver { vm, operand: 1, read_any: false };
    if let Err(Fatal(message)) = driver.prepare(cx, args, operands) {
        return Err(cx.fail(2, message));
    }
    let (has_rules, has_end) = (driver.vm.program.has_rules, driver.vm.program.has_end);
    let begun = driver.phase(cx, Phase::Begin).await?;
    if begun == Ended::Regularly && (has_rules || has_end) {
        driver.phase(cx, Phase::Rules).await?;
    }
    if has_end {
        driver.phase(cx, Phase::End).await?;
    }
    driver.close_all(cx).await?;
    Reply::status(driver.vm.status)
}

impl Driver {
    fn prepare(&mut self, cx: &ExecContext, args: &Args, operands: &[Word]) -> Result<(), Fatal> {
        if let Some(separator) = args.value("field-separator") {
            let separator = separator.to_bytes();
            let separator = Value::text(&unescape(&separator));
            self.vm.set_special(super::code::Special::Fs, separator)?;
        }
        for assignment in args.values("assign") {
            let assignment = assignment.to_bytes();
            if !self.assign(&assignment)? {
                let text = String::from_utf8_lossy(&assignment).into_owned();
                return Err(Fatal(format!("'{text}' is not of the form NAME=VALUE")));
            }
        }
        let argv = self.vm.array(Slot::Global(1))?;
        argv.borrow_mut().insert(Rc::from(*b"0"), Value::text(b"awk"));
        for (index, operand) in operands.iter().enumerate() {
            let key = (index + 1).to_string();
            let value = Value::Input(operand.to_bytes().into());
            argv.borrow_mut().insert(key.as_bytes().into(), value);
        }
        #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
        let argc = (operands.len() + 1) as f64;
        self.vm.store(Target::Variable(Slot::Global(0)), Value::Number(argc))?;
        let environ = self.vm.array(Slot::Global(2))?;
        let scope = cx.session.scope.borrow();
        for (name, variable) in scope.variables() {
            if let Some(value) = variable.value.as_ref().filter(|_| variable.exported) {
                let value = Value::Input(value.to_bytes().into());
                environ.borrow_mut().insert(name.as_bytes().into(), value);
            }
        }
        self.vm.array(Slot::Global(3))?;
        Ok(())
    }

    /// Carries out `NAME=VALUE`; `false` where it is none.
    fn assign(&mut self, text: &[u8]) -> Result<bool, Fatal> {
        let Some(at) = memchr::memchr(b'=', text) else { return Ok(false) };
        let name = text.get(..at).and_then(|name| std::str::from_utf8(name).ok());
        let is_name = |name: &&str| {
            !name.starts_with(|c: char| c.is_ascii_digit())
                && !name.is_empty()
                && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        };
        let Some(name) = name.filter(is_name) else { return Ok(false) };
        let value = unescape(text.get(at + 1..).unwrap_or_default());
        let value = Value::Input(value.into());
        if let Some((_, special)) = SPECIALS.iter().find(|(special, _)| *special == name) {
            self.vm.set_special(*special, value)?;
        } else if let Some(global) = self.vm.program.globals.iter().position(|g| g == name) {
            let slot = Slot::Global(u32::try_from(global).unwrap_or(u32::MAX));
            self.vm.store(Target::Variable(slot), value)?;
        }
        Ok(true)
    }

    async fn phase(&mut self, cx: &mut ExecContext, phase: Phase) -> Result<Ended, Stop> {
        self.vm.enter(phase);
        loop {
            let result = self.vm.run(SLICE);
            let line = self.vm.line();
            cx.streams.out.append(&mut self.vm.out);
            let result = match result {
                Ok(Pause::Done) => return Ok(Ended::Regularly),
                Ok(Pause::Exit) => return Ok(Ended::ByExit),
                Ok(Pause::Budget) => {
                    cx.write(b"").await?;
                    cx.checkpoint(SLICE * 20).await?;
                    Ok(())
                }
                Ok(pause) => self.serve(cx, pause).await?,
                Err(error) => Err(error),
            };
            if let Err(Fatal(message)) = result {
                self.close_all(cx).await?;
                return Err(cx.fail(2, format_args!("line {line}: {message}")));
            }
        }
    }

    async fn serve(
        &mut self,
        cx: &mut ExecContext,
        pause: Pause,
    ) -> Result<Result<(), Fatal>, Stop> {
        match pause {
            Pause::MainInput => return self.main_input(cx).await,
            Pause::Open(name, kind) => return self.open(cx, name, kind).await,
            Pause::Fill(name, kind) => return self.fill(cx, &name, kind).await,
            Pause::Flush(None) => cx.write(b"").await?,
            Pause::Flush(Some(name)) => {
                self.flush_outputs(cx, Some(&name)).await?;
            }
            Pause::FlushAll(name) => {
                cx.flush().await?;
                let found = self.flush_outputs(cx, name.as_ref()).await?;
                self.vm.push_number(if found || name.is_none() { 0.0 } else { -1.0 });
            }
            Pause::System(command) => {
                self.flush_outputs(cx, None).await?;
                let fds = cx.streams.fds.clone();
                let status = cx.call_on(shell_words(&command), fds).await?;
                self.vm.push_number(f64::from(status));
            }
            Pause::Close(name) => {
                let status = self.close(cx, &name).await?;
                self.vm.push_number(status);
            }
            Pause::Budget | Pause::Done | Pause::Exit => {}
        }
        Ok(Ok(()))
    }

    /// Reads more of the present file, or opens the next one.
    async fn main_input(&mut self, cx: &mut ExecContext) -> Result<Result<(), Fatal>, Stop> {
        if let Some(input) = &mut self.vm.files.main {
            if input.len() > MOST_BYTES {
                return Ok(too_long());
            }
            let stream = input.stream.clone();
            let chunk = cx.read_chunk(&stream).await?;
            input.feed(chunk);
            return Ok(Ok(()));
        }
        loop {
            let operand = match self.next_operand() {
                Ok(operand) => operand,
                Err(error) => return Ok(Err(error)),
            };
            let Some(operand) = operand else {
                if self.read_any {
                    self.vm.files.main_done = true;
                    return Ok(Ok(()));
                }
                self.read_any = true;
                self.vm.files.main = Some(Input::new(cx.stdin()));
                return Ok(Ok(()));
            };
            match self.assign(&operand) {
                Ok(true) => continue,
                Ok(false) => {}
                Err(error) => return Ok(Err(error)),
            }
            self.read_any = true;
            let name = String::from_utf8_lossy(&operand).into_owned();
            match input::open(cx, &name).await {
                Ok(stream) => {
                    self.vm.files.main = Some(Input::new(stream));
                    self.vm.plain.filename = Value::Input(Rc::clone(&operand));
                    self.vm.fnr = 0.0;
                    return Ok(Ok(()));
                }
                Err(errno) => {
                    return Ok(Err(Fatal(format!(
                        "cannot open file '{name}' for reading: {errno}"
                    ))));
                }
            }
        }
    }

    /// The next element of `ARGV` that is not empty.
    fn next_operand(&mut self) -> Result<Option<Str>, Fatal> {
        let argv = self.vm.array(Slot::Global(1))?;
        let argc = self.vm.place_of(Slot::Global(0)).number();
        loop {
            #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
            if self.operand as f64 >= argc {
                return Ok(None);
            }
            let key = self.operand.to_string();
            self.operand += 1;
            let operand = argv.borrow().get(key.as_bytes()).map(|value| value.to_str(b"%.6g"));
            if let Some(operand) = operand.filter(|operand| !operand.is_empty()) {
                return Ok(Some(operand));
            }
        }
    }

    async fn open(
        &mut self,
        cx: &mut ExecContext,
        name: Str,
        kind: Kind,
    ) -> Result<Result<(), Fatal>, Stop> {
        let text = String::from_utf8_lossy(&name).into_owned();
        match kind {
            Kind::Write | Kind::Append => {
                let at_once = text == "/dev/stderr";
                let options =
                    if kind == Kind::Append { OpenOptions::APPEND } else { OpenOptions::WRITE };
                let stream = if at_once {
                    Ok(cx.streams.fds.stderr().clone())
                } else {
                    output::create(cx, &text, options).await
                };
                let stream = match stream {
                    Ok(stream) => stream,
                    Err(errno) => {
                        return Ok(Err(Fatal(format!("cannot redirect to '{text}': {errno}"))));
                    }
                };
                self.add_output(Output {
                    name,
                    kind,
                    stream,
                    buffer: Vec::new(),
                    child: None,
                    at_once,
                });
            }
            Kind::Pipe => {
                cx.flush().await?;
                let (reader, writer) = pipe();
                let mut fds = cx.streams.fds.clone();
                fds.set(0, Stream::PipeReader(reader));
                let child = Some(start(cx, &name, fds));
                let stream = Stream::PipeWriter(writer);
                self.add_output(Output {
                    name,
                    kind,
                    stream,
                    buffer: Vec::new(),
                    child,
                    at_once: false,
                });
            }
            Kind::Read => {
                match input::open(cx, if text == "/dev/stdin" { "-" } else { &text }).await {
                    Ok(stream) => {
                        let input = Input::new(stream);
                        self.vm.files.inputs.push(Reader { name, kind, input, child: None });
                    }
                    Err(_) => self.vm.files.denied = Some(name),
                }
            }
            Kind::Command => {
                cx.flush().await?;
                self.flush_outputs(cx, None).await?;
                let (reader, writer) = pipe();
                let mut fds = cx.streams.fds.clone();
                fds.set(1, Stream::PipeWriter(writer));
                let child = Some(start(cx, &name, fds));
                let input = Input::new(Stream::PipeReader(reader));
                self.vm.files.inputs.push(Reader { name, kind, input, child });
            }
        }
        Ok(Ok(()))
    }

    fn add_output(&mut self, output: Output) {
        self.vm.files.outputs.push(output);
    }

    async fn fill(
        &mut self,
        cx: &mut ExecContext,
        name: &Str,
        kind: Kind,
    ) -> Result<Result<(), Fatal>, Stop> {
        let mut inputs = self.vm.files.inputs.iter_mut();
        let Some(reader) = inputs.find(|i| i.name == *name && i.kind == kind) else {
            return Ok(Ok(()));
        };
        if reader.input.len() > MOST_BYTES {
            return Ok(too_long());
        }
        let stream = reader.input.stream.clone();
        let chunk = loop {
            if let Some(chunk) = stream.try_read(64 * 1024) {
                break chunk?;
            }
            let Stream::PipeReader(pipe) = &stream else { break cx.read_chunk(&stream).await? };
            cx.flush().await?;
            let child = &mut reader.child;
            let wait = poll_fn(|task| {
                let _ = poll_child(child, task);
                pipe.poll_ready(task).map(Ok)
            });
            cx.unless_cancelled(wait).await?;
        };
        cx.checkpoint(u32::try_from(chunk.len() / 16).unwrap_or(0)).await?;
        reader.input.feed(chunk);
        Ok(Ok(()))
    }

    /// Writes what outputs hold, or that of one; whether there was one.
    async fn flush_outputs(
        &mut self,
        cx: &mut ExecContext,
        name: Option<&Str>,
    ) -> Result<bool, Stop> {
        let mut found = false;
        for output in &mut self.vm.files.outputs {
            if name.is_none_or(|name| output.name == *name) {
                found = true;
                if output.at_once {
                    cx.flush().await?;
                }
                write_out(cx, output).await?;
            }
        }
        Ok(found)
    }

    /// Closes what has this name: the status of its command, 0, or -1 where there is none.
    async fn close(&mut self, cx: &mut ExecContext, name: &Str) -> Result<f64, Stop> {
        if let Some(at) = self.vm.files.outputs.iter().position(|o| o.name == *name) {
            let output = self.vm.files.outputs.remove(at);
            return close_output(cx, output).await;
        }
        let Some(at) = self.vm.files.inputs.iter().position(|i| i.name == *name) else {
            return Ok(-1.0);
        };
        let Reader { input, mut child, .. } = self.vm.files.inputs.remove(at);
        drop(input);
        wait(cx, &mut child).await.map(f64::from)
    }

    async fn close_all(&mut self, cx: &mut ExecContext) -> Result<(), Stop> {
        // Commands print before what waits for standard output, unless somebody watches.
        if cx.streams.fds.stdout().is_terminal() {
            cx.flush().await?;
        }
        for output in std::mem::take(&mut self.vm.files.outputs) {
            close_output(cx, output).await?;
        }
        self.vm.files.inputs.clear();
        Ok(())
    }
}

fn too_long() -> Result<(), Fatal> {
    Err(Fatal(format!("a record is over the limit of {MOST_BYTES} bytes")))
}

fn shell_words(command: &[u8]) -> Vec<Word> {
    vec![Word::from("sh"), Word::from("-c"), Word::from_bytes(command.to_vec())]
}

fn start(cx: &ExecContext, command: &[u8], fds: Descriptors) -> Child {
    let inner = cx.with_streams(fds);
    let future = cx.services.dispatcher.call(&inner, shell_words(command));
    Child { future, status: None }
}

fn poll_child(child: &mut Option<Child>, task: &mut Context<'_>) -> Poll<u8> {
    let Some(child) = child else { return Poll::Ready(0) };
    if let Some(status) = child.status {
        return Poll::Ready(status);
    }
    let result = child.future.as_mut().poll(task);
    if let Poll::Ready(status) = result {
        child.status = Some(status);
        child.future = Box::pin(std::future::ready(status));
    }
    result
}

async fn wait(cx: &ExecContext, child: &mut Option<Child>) -> Result<u8, Stop> {
    cx.unless_cancelled(poll_fn(|task| poll_child(child, task).map(Ok))).await
}

/// Writes what an output holds. A command that reads no more takes the rest unseen.
async fn write_out(cx: &mut ExecContext, output: &mut Output) -> Result<(), Stop> {
    let buffer = std::mem::take(&mut output.buffer);
    let Stream::PipeWriter(pipe) = &output.stream else {
        let stream = output.stream.clone();
        return cx.unless_cancelled(stream.write_all(&buffer)).await;
    };
    let mut rest = buffer.as_slice();
    while !rest.is_empty() {
        match pipe.try_write(rest) {
            Some(Ok(count)) => rest = rest.get(count..).unwrap_or_default(),
            Some(Err(_)) => return Ok(()),
            None => {
                let child = &mut output.child;
                let wait = poll_fn(|task| {
                    let _ = poll_child(child, task);
                    pipe.poll_ready(task).map(Ok)
                });
                cx.unless_cancelled(wait).await?;
            }
        }
    }
    Ok(())
}

async fn close_output(cx: &mut ExecContext, mut output: Output) -> Result<f64, Stop> {
    write_out(cx, &mut output).await?;
    if output.child.is_none() {
        if !output.at_once {
            output::close(&output.stream).await?;
        }
        return Ok(0.0);
    }
    output.stream = Stream::Closed;
    Ok(f64::from(wait(cx, &mut output.child).await?))
}
