//! The driver of `sed`: it gives the machine lines and files, and takes its output away.

use std::rc::Rc;

use super::input::{Input, Source};
use super::machine::{Append, Machine, Manner, Out, Step, WriteTo};
use super::program::Program;
use crate::builtins::input::{self, Lines};
use crate::builtins::output;
use crate::io::Stream;
use crate::tool::{ExecContext, Stop};
use crate::value::EcoString;
use crate::vfs::{OpenOptions, WriteMode};

/// Bytes for a file that are held back.
const HELD: usize = 32 * 1024;

/// How files are replaced.
pub(super) struct InPlace {
    /// What is added to the name of a copy of the old content; a `*` stands for the name.
    pub(super) suffix: Option<EcoString>,
}

/// A running `sed`.
pub(super) struct Sed<'p> {
    program: &'p Program,
    machine: Machine<'p>,
    manner: Manner,
    input: Input,
    in_place: Option<InPlace>,
    /// The file being edited in place.
    edited: Option<EcoString>,
    /// Where the outputs of `w` go: the standard ones have none.
    targets: Vec<Target>,
    /// The files of `R`, as far as opened.
    reads: Vec<Option<Lines>>,
}

enum Target {
    Stdout,
    Stderr,
    File(EcoString, Stream),
}

/// What a cycle came to.
enum Cycle {
    /// The next begins with a new line.
    Ended,
    /// The next begins with what is left.
    Restarts,
    Quit(u8),
}

impl<'p> Sed<'p> {
    /// Opens what `w` writes to.
    pub(super) async fn new(
        cx: &mut ExecContext,
        program: &'p Program,
        manner: Manner,
        (input, in_place): (Input, Option<InPlace>),
    ) -> Result<Self, Stop> {
        let mut targets = Vec::new();
        let mut writes = Vec::new();
        for name in &program.writes {
            let target = match name.as_str() {
                "/dev/stdout" => Target::Stdout,
                "/dev/stderr" => Target::Stderr,
                _ => match output::create(cx, name, OpenOptions::WRITE).await {
                    Ok(stream) => Target::File(name.clone(), stream),
                    Err(errno) => {
                        return Err(cx.fail(4, format_args!("couldn't open file {name}: {errno}")));
                    }
                },
            };
            let to_main = matches!(target, Target::Stdout) && in_place.is_none();
            writes.push(if to_main { WriteTo::Main } else { WriteTo::Out(Out::default()) });
            targets.push(target);
        }
        let machine = Machine::new(program, manner, writes);
        let reads = program.reads.iter().map(|_| None).collect();
        Ok(Self { program, machine, manner, input, in_place, edited: None, targets, reads })
    }

    /// Runs the program over all lines and answers the status.
    pub(super) async fn run(&mut self, cx: &mut ExecContext) -> Result<u8, Stop> {
        let status = self.cycles(cx).await;
        if status.is_ok() {
            self.finish_file(cx).await?;
        }
        self.emit(cx, true).await?;
        for target in &self.targets {
            if let Target::File(_, stream) = target {
                output::close(stream).await?;
            }
        }
        Ok(match status? {
            0 => self.input.status,
            status => status,
        })
    }

    async fn cycles(&mut self, cx: &mut ExecContext) -> Result<u8, Stop> {
        let mut restarts = false;
        loop {
            if !restarts && !self.read_line(cx, false).await? {
                return Ok(0);
            }
            self.machine.begin();
            let cycle = self.cycle(cx).await?;
            self.append_all(cx).await?;
            self.emit(cx, false).await?;
            match cycle {
                Cycle::Ended => restarts = false,
                Cycle::Restarts => restarts = true,
                Cycle::Quit(status) => {
                    self.input.give_back();
                    return Ok(status);
                }
            }
        }
    }

    /// Runs the program once.
    async fn cycle(&mut self, cx: &mut ExecContext) -> Result<Cycle, Stop> {
        loop {
            let step = match self.machine.run() {
                Ok(step) => step,
                Err(message) => return Err(cx.fail(1, message)),
            };
            match step {
                Step::End { print } => {
                    self.print_unless_quiet(print);
                    return Ok(Cycle::Ended);
                }
                Step::Restart => return Ok(Cycle::Restarts),
                Step::Quit { print, status } => {
                    self.print_unless_quiet(print);
                    if !print {
                        self.machine.appends.clear();
                    }
                    return Ok(Cycle::Quit(status));
                }
                Step::IsLast => self.machine.is_last = Some(self.input.is_last(cx).await?),
                Step::Next | Step::NextMore => {
                    let more = matches!(step, Step::NextMore);
                    let is_last = self.input.is_last(cx).await?;
                    self.print_unless_quiet(is_last || !more);
                    if is_last {
                        return Ok(Cycle::Ended);
                    }
                    self.append_all(cx).await?;
                    self.emit(cx, false).await?;
                    self.read_line(cx, more).await?;
                }
                Step::ReadLine(index) => {
                    if let Some(line) = self.read_from(cx, index).await? {
                        self.machine.appends.push(Append::Line(line));
                    }
                }
                Step::Rest => {
                    self.emit(cx, false).await?;
                    let work = self.machine.take_work();
                    cx.checkpoint(work).await?;
                }
            }
        }
    }

    fn print_unless_quiet(&mut self, print: bool) {
        if print && !self.manner.quiet {
            self.machine.print();
        }
    }

    /// Gives the machine the next line; `false` at the end of all input.
    async fn read_line(&mut self, cx: &mut ExecContext, more: bool) -> Result<bool, Stop> {
        loop {
            if let Some(source) = self.input.fill(cx).await? {
                let Some(line) = source.lines.next() else { return Ok(false) };
                self.machine.take_line(line, more);
                self.machine.is_last = self.input.is_ready().then_some(false);
                return Ok(true);
            }
            self.finish_file(cx).await?;
            let separate = self.input.reading.separate;
            let Some(Source { name, .. }) = self.input.advance(cx).await? else { return Ok(false) };
            if self.in_place.is_some() {
                self.edited = Some(name.clone());
            }
            self.machine.file = name.clone();
            if separate {
                self.machine.reset();
                self.reads.iter_mut().for_each(|lines| *lines = None);
            }
        }
    }

    /// Replaces the file that is edited in place by what was printed.
    async fn finish_file(&mut self, cx: &mut ExecContext) -> Result<(), Stop> {
        let Some(name) = self.edited.take() else { return Ok(()) };
        let content = std::mem::take(&mut self.machine.out).bytes;
        let path = cx.resolve(&name);
        let fs = Rc::clone(cx.backend());
        if let Some(suffix) = self.in_place.as_ref().and_then(|way| way.suffix.as_ref()) {
            let backup = backup_name(&name, suffix);
            let copied = fs.copy(&path, &cx.resolve(&backup)).await;
            if let Err(error) = copied {
                let errno = error.errno();
                return Err(cx.fail(4, format_args!("cannot rename {name}: {errno}")));
            }
        }
        if let Err(error) = fs.write(&path, &content, WriteMode::Truncate).await {
            let errno = error.errno();
            return Err(cx.fail(4, format_args!("couldn't write to {name}: {errno}")));
        }
        cx.checkpoint(u32::try_from(content.len() / 16).unwrap_or(u32::MAX)).await
    }

    /// Prints what `a`, `r` and `R` left for the end of the cycle.
    async fn append_all(&mut self, cx: &mut ExecContext) -> Result<(), Stop> {
        if self.machine.appends.is_empty() {
            return Ok(());
        }
        let line_end = self.manner.line_end;
        for append in std::mem::take(&mut self.machine.appends) {
            match append {
                Append::Text(text) => self.machine.out.text(&text, line_end),
                Append::Line(line) => {
                    let body = line.strip_suffix(&[line_end]);
                    let ended = body.is_some();
                    self.machine.out.line(body.unwrap_or(&line), ended, line_end);
                }
                Append::File(name) => self.append_file(cx, &name).await?,
            }
        }
        Ok(())
    }

    /// A file that can't be read adds nothing.
    async fn append_file(&mut self, cx: &mut ExecContext, name: &str) -> Result<(), Stop> {
        let name = if name == "/dev/stdin" { "-" } else { name };
        let Ok(stream) = input::open(cx, name).await else { return Ok(()) };
        loop {
            self.emit(cx, false).await?;
            let chunk = cx.read_chunk(&stream).await?;
            if chunk.is_empty() {
                return Ok(());
            }
            self.machine.out.text(&chunk, self.manner.line_end);
        }
    }

    /// The next line of a file of `R`.
    async fn read_from(
        &mut self,
        cx: &mut ExecContext,
        index: usize,
    ) -> Result<Option<Vec<u8>>, Stop> {
        let Some(name) = self.program.reads.get(index) else { return Ok(None) };
        let Some(slot) = self.reads.get_mut(index) else { return Ok(None) };
        if slot.is_none() {
            let name = if name == "/dev/stdin" { "-" } else { name.as_str() };
            let stream = input::open(cx, name).await.unwrap_or(Stream::Null);
            *slot = Some(Lines::new(stream, self.manner.line_end));
        }
        let Some(lines) = slot else { return Ok(None) };
        if !lines.fill(cx).await? {
            return Ok(None);
        }
        Ok(lines.next().map(<[u8]>::to_vec))
    }

    /// Takes the output of the machine to where it goes; `all` also what is held back.
    async fn emit(&mut self, cx: &mut ExecContext, all: bool) -> Result<(), Stop> {
        if self.in_place.is_none() {
            cx.streams.out.append(&mut self.machine.out.bytes);
            cx.write(b"").await?;
            if self.input.reading.unbuffered {
                cx.flush().await?;
            }
        } else if self.machine.out.bytes.len() > self.manner.limit {
            let limit = self.manner.limit;
            return Err(
                cx.fail(4, format_args!("the new content is over the limit of {limit} bytes"))
            );
        }
        let all = all || self.program.reads_files || self.input.reading.unbuffered;
        for (to, target) in self.machine.writes.iter_mut().zip(&self.targets) {
            let WriteTo::Out(out) = to else { continue };
            if out.bytes.is_empty() || (!all && out.bytes.len() < HELD) {
                continue;
            }
            match target {
                Target::Stdout => cx.write(&out.bytes).await?,
                Target::Stderr => cx.streams.err.extend_from_slice(&out.bytes),
                Target::File(name, stream) => {
                    let written = cx.unless_cancelled(stream.write_all(&out.bytes)).await;
                    match written {
                        Err(Stop::Io(errno)) => {
                            let message = format_args!("couldn't write to {name}: {errno}");
                            return Err(cx.fail(4, message));
                        }
                        written => written?,
                    }
                }
            }
            out.bytes.clear();
        }
        Ok(())
    }
}

/// Where the old content goes: the suffix behind the name, or in place of `*`s, perhaps elsewhere.
fn backup_name(name: &str, suffix: &str) -> String {
    let (directory, base) = name.rsplit_once('/').map_or(("", name), |(_, base)| {
        (name.get(..name.len() - base.len()).unwrap_or_default(), base)
    });
    if !suffix.contains('*') {
        return format!("{name}{suffix}");
    }
    let backup = suffix.replace('*', base);
    if backup.contains('/') { backup } else { format!("{directory}{backup}") }
}
