//! What is done with a file that fits.

use std::cell::RefCell;
use std::rc::Rc;

use super::compile::Step;
use super::printf::Format;
use super::walk::Found;
use crate::builtins::basename::base_of;
use crate::builtins::common::{
    OWNER, ask_on, disk_size, mode_letters, quoted, shown_size, strftime,
};
use crate::builtins::dirname::parent_of;
use crate::io::{File, OpenFile, Stream};
use crate::tool::{ExecContext, Stop};
use crate::value::{EcoString, EcoVec, Value};
use crate::vfs::OpenOptions;

/// Bytes of arguments that one command of `-exec … +` gets at most.
const BATCH: usize = 128 * 1024;

/// An action.
#[derive(Debug)]
pub(super) enum Action {
    Print,
    Print0,
    Printf(Rc<Format>, Option<Output>),
    FilePrint(Output, u8),
    Ls(Option<Output>),
    Run(Command),
    Delete,
    Prune,
    Quit,
}

/// A file that an action writes to.
pub(super) struct Output {
    name: EcoString,
    file: Rc<dyn File>,
    stream: Stream,
}

impl std::fmt::Debug for Output {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Output").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Output {
    pub(super) async fn open(cx: &mut ExecContext, name: &str) -> Result<Self, Stop> {
        let path = cx.resolve(name);
        let file = match Rc::clone(cx.backend()).open(&path, OpenOptions::WRITE).await {
            Ok(file) => file,
            Err(error) => {
                return Err(cx.fail(1, format_args!("{}: {}", quoted(name), error.errno())));
            }
        };
        let stream = Stream::File(Rc::new(OpenFile::new(Rc::clone(&file), false)));
        Ok(Self { name: name.into(), file, stream })
    }

    async fn write(&self, cx: &mut ExecContext, bytes: &[u8]) -> Result<(), Stop> {
        match self.stream.write_all(bytes).await {
            Ok(()) => Ok(()),
            Err(errno) => Err(cx.fail(1, format_args!("{}: {errno}", quoted(&self.name)))),
        }
    }
}

/// A command to run.
#[derive(Debug)]
pub(super) struct Command {
    words: Vec<Value>,
    /// Whether it runs in the directory of the file.
    in_directory: bool,
    /// Whether it is asked about first.
    asks: bool,
    /// Paths gathered for one run, where it takes many: by directory, with their bytes.
    batch: Option<RefCell<Batch>>,
}

#[derive(Debug, Default)]
struct Batch {
    directory: EcoString,
    paths: Vec<Value>,
    bytes: usize,
}

impl Command {
    pub(super) fn new(words: Vec<Value>, name: &str, batches: bool) -> Self {
        Self {
            words,
            in_directory: name.ends_with("dir"),
            asks: name.starts_with("-ok"),
            batch: batches.then(RefCell::default),
        }
    }

    /// Where it runs, and what it is told of the file.
    fn place(&self, found: &Found) -> (EcoString, EcoString) {
        if !self.in_directory {
            return (EcoString::new(), found.path.clone());
        }
        let name = base_of(&found.path);
        let name = if name == "/" { name.into() } else { EcoString::from(format!("./{name}")) };
        (parent_of(&found.path).into(), name)
    }
}

/// Does what actions say.
pub(super) struct Runner {
    /// Printed paths, where `--json` gathers them; `None` once something else was written.
    paths: Option<EcoVec<Value>>,
    pub(super) status: u8,
}

impl Runner {
    pub(super) fn new(paths: Option<EcoVec<Value>>) -> Self {
        Self { paths, status: 0 }
    }

    pub(super) fn take_paths(&mut self) -> Option<EcoVec<Value>> {
        self.paths.take()
    }

    /// Does it and answers its truth value.
    pub(super) async fn act(
        &mut self,
        cx: &mut ExecContext,
        action: &Action,
        found: &Found,
    ) -> Result<bool, Stop> {
        match action {
            Action::Print => match &mut self.paths {
                Some(paths) => paths.push(Value::Text(found.path.clone())),
                None => cx.write_line(found.path.as_bytes()).await?,
            },
            Action::Print0 => {
                cx.write(found.path.as_bytes()).await?;
                cx.write(b"\0").await?;
            }
            Action::Printf(format, output) => {
                let text = format.show(cx, found).await;
                match output {
                    Some(output) => output.write(cx, text.as_bytes()).await?,
                    None => {
                        self.paths = None;
                        cx.write(text.as_bytes()).await?;
                    }
                }
            }
            Action::FilePrint(output, end) => {
                let mut line = found.path.as_bytes().to_vec();
                line.push(*end);
                output.write(cx, &line).await?;
            }
            Action::Ls(output) => {
                let line = long_line(cx, found).await;
                match output {
                    Some(output) => output.write(cx, line.as_bytes()).await?,
                    None => {
                        self.paths = None;
                        cx.write(line.as_bytes()).await?;
                    }
                }
            }
            Action::Run(command) => return self.run(cx, command, found).await,
            Action::Delete => return self.delete(cx, found).await,
            Action::Prune | Action::Quit => {}
        }
        Ok(true)
    }

    async fn delete(&mut self, cx: &mut ExecContext, found: &Found) -> Result<bool, Stop> {
        // Neither where it stands nor the root can go.
        if matches!(found.path.as_str(), "." | "/") {
            return Ok(true);
        }
        let removed = Rc::clone(cx.backend()).remove(&cx.resolve(&found.path), false).await;
        if let Err(error) = removed {
            let path = quoted(&found.path);
            cx.complain(format_args!("cannot delete {path}: {}", error.errno())).await?;
            self.status = 1;
            return Ok(false);
        }
        Ok(true)
    }

    async fn run(
        &mut self,
        cx: &mut ExecContext,
        command: &Command,
        found: &Found,
    ) -> Result<bool, Stop> {
        let (directory, name) = command.place(found);
        if let Some(batch) = &command.batch {
            let is_full = {
                let batch = batch.borrow();
                batch.directory != directory || batch.bytes + name.len() > BATCH
            };
            if is_full {
                self.run_batch(cx, command, batch).await?;
            }
            let mut batch = batch.borrow_mut();
            batch.directory = directory;
            batch.bytes += name.len() + 1;
            batch.paths.push(Value::Text(name));
            return Ok(true);
        }
        let words: Vec<Value> = command
            .words
            .iter()
            .map(|word| match word.as_str() {
                Some(text) if text.contains("{}") => Value::from(text.replace("{}", &name)),
                _ => word.clone(),
            })
            .collect();
        if command.asks {
            let name = words.first().map(Value::to_text_lossy).unwrap_or_default();
            let question = format!("< {name} ... {} > ? ", found.path);
            if !ask_on(cx, &question).await? {
                return Ok(false);
            }
        }
        Ok(call(cx, &directory, words, command.asks).await? == 0)
    }

    async fn run_batch(
        &mut self,
        cx: &mut ExecContext,
        command: &Command,
        batch: &RefCell<Batch>,
    ) -> Result<(), Stop> {
        let batch = batch.take();
        if batch.paths.is_empty() {
            return Ok(());
        }
        let mut words = command.words.clone();
        words.extend(batch.paths);
        if call(cx, &batch.directory, words, false).await? != 0 {
            self.status = 1;
        }
        Ok(())
    }

    /// Runs what was gathered.
    pub(super) async fn finish(
        &mut self,
        cx: &mut ExecContext,
        program: &[Step],
    ) -> Result<(), Stop> {
        for step in program {
            if let Step::Action(Action::Run(command)) = step
                && let Some(batch) = &command.batch
            {
                self.run_batch(cx, command, batch).await?;
            }
        }
        Ok(())
    }

    /// Closes the files written to.
    pub(super) async fn close(&mut self, program: &[Step]) {
        for step in program {
            let output = match step {
                Step::Action(Action::FilePrint(output, _)) => output,
                Step::Action(Action::Printf(_, Some(output)) | Action::Ls(Some(output))) => output,
                _ => continue,
            };
            if output.file.close().await.is_err() {
                self.status = 1;
            }
        }
    }
}

/// Runs a command in a copy of the shell, in a directory where one is given.
async fn call(
    cx: &mut ExecContext,
    directory: &str,
    words: Vec<Value>,
    without_input: bool,
) -> Result<u8, Stop> {
    let mut fds = cx.streams.fds.clone();
    if without_input {
        fds.set(0, Stream::Null);
    }
    if directory.is_empty() {
        return cx.call_on(words, fds).await;
    }
    let full = cx.resolve(directory);
    let path = Rc::clone(cx.backend()).canonicalize(&full, false).await.unwrap_or(full);
    let session = cx.session.snapshot();
    session.cwd.replace(path.as_str().into());
    cx.call_in(Rc::new(session), words, fds).await
}

/// A line of `-ls`.
async fn long_line(cx: &ExecContext, found: &Found) -> String {
    let metadata = &found.metadata;
    let age = cx.services.host.now().seconds.saturating_sub(metadata.modified.seconds);
    let is_recent = (0..31_556_952 / 2).contains(&age);
    let format = if is_recent { "%b %e %H:%M" } else { "%b %e  %Y" };
    let mut line = format!(
        "{:9} {:6} {} {:3} {OWNER:8} {OWNER:8} {:8} {} {}",
        metadata.inode,
        disk_size(metadata) / 1024,
        mode_letters(metadata.kind, metadata.mode),
        metadata.links,
        shown_size(metadata),
        strftime(format, metadata.modified),
        found.path,
    );
    if metadata.is_symlink()
        && let Ok(target) = cx.backend().read_link(&cx.resolve(&found.path)).await
    {
        line.push_str(" -> ");
        line.push_str(target.as_str());
    }
    line.push('\n');
    line
}
