//! Words to runs of the command, one after the other or several at a time.

use std::rc::Rc;

use futures::future::LocalBoxFuture;
use futures::stream::{FuturesUnordered, StreamExt};

use super::input::{Item, Items};
use crate::builtins::common::single_quoted;
use crate::io::Stream;
use crate::tool::{ExecContext, Stop};
use crate::value::{EcoString, Value};

/// What the options ask for.
#[expect(clippy::struct_excessive_bools, reason = "independent options")]
pub(super) struct Plan {
    /// The command and its first arguments.
    pub(super) words: Vec<Value>,
    pub(super) max_args: Option<usize>,
    pub(super) max_lines: Option<usize>,
    pub(super) max_bytes: usize,
    /// Runs at a time; 0 for any number.
    pub(super) at_once: usize,
    /// What a word replaces in the first arguments.
    pub(super) replace: Option<EcoString>,
    pub(super) skip_empty: bool,
    pub(super) verbose: bool,
    pub(super) asks: bool,
    pub(super) strict: bool,
}

/// Gathers words and runs the command.
pub(super) struct Runner {
    plan: Plan,
    keeps_stdin: bool,
    batch: Vec<Vec<u8>>,
    lines: usize,
    bytes: usize,
    running: FuturesUnordered<LocalBoxFuture<'static, u8>>,
    status: u8,
}

impl Runner {
    pub(super) fn new(plan: Plan, keeps_stdin: bool) -> Self {
        Self {
            plan,
            keeps_stdin,
            batch: Vec::new(),
            lines: 0,
            bytes: 0,
            running: FuturesUnordered::new(),
            status: 0,
        }
    }

    /// Runs the command for all words.
    pub(super) async fn run(
        &mut self,
        cx: &mut ExecContext,
        items: &mut Items,
    ) -> Result<(), Stop> {
        let fixed: usize = self.plan.words.iter().map(|word| word.to_bytes().len() + 1).sum();
        let mut any = false;
        loop {
            let next = match items.next(cx).await {
                Ok(next) => next,
                Err(stop @ Stop::Failed(_)) => {
                    // What was read before the bad word is run.
                    self.start(cx).await?;
                    return Err(stop);
                }
                Err(stop) => return Err(stop),
            };
            let Some(item) = next else { break };
            any = true;
            let length = item.bytes.len() + 1;
            if fixed + self.bytes + length > self.plan.max_bytes {
                let too_long = fixed + length > self.plan.max_bytes;
                if too_long || (self.plan.strict && self.plan.max_args.is_some()) {
                    self.start(cx).await?;
                    return Err(cx.fail(1, "argument line too long"));
                }
                self.start(cx).await?;
            }
            self.add(cx, item, length).await?;
        }
        if !self.batch.is_empty() || (!any && !self.plan.skip_empty && self.plan.replace.is_none())
        {
            self.launch(cx).await?;
        }
        Ok(())
    }

    async fn add(&mut self, cx: &mut ExecContext, item: Item, length: usize) -> Result<(), Stop> {
        self.batch.push(item.bytes);
        self.bytes += length;
        self.lines += usize::from(item.ends_line);
        let is_full = self.plan.max_args.is_some_and(|most| self.batch.len() >= most)
            || self.plan.max_lines.is_some_and(|most| self.lines >= most);
        if is_full { self.start(cx).await } else { Ok(()) }
    }

    /// Runs the command with what was gathered, where that is something.
    async fn start(&mut self, cx: &mut ExecContext) -> Result<(), Stop> {
        if self.batch.is_empty() { Ok(()) } else { self.launch(cx).await }
    }

    async fn launch(&mut self, cx: &mut ExecContext) -> Result<(), Stop> {
        let batch = std::mem::take(&mut self.batch);
        (self.lines, self.bytes) = (0, 0);
        let words = self.words(batch);
        if self.plan.verbose && !self.announce(cx, &words).await? {
            return Ok(());
        }
        cx.flush().await?;
        let mut fds = cx.streams.fds.clone();
        if !self.keeps_stdin {
            fds.set(0, Stream::Null);
        }
        let inner = cx.with_streams(fds);
        self.running.push(cx.services.dispatcher.call(&inner, words));
        while self.plan.at_once > 0 && self.running.len() >= self.plan.at_once {
            self.reap(cx).await?;
        }
        Ok(())
    }

    fn words(&self, batch: Vec<Vec<u8>>) -> Vec<Value> {
        let Some(pattern) = &self.plan.replace else {
            let mut words = self.plan.words.clone();
            words.extend(batch.into_iter().map(Value::from_bytes));
            return words;
        };
        let item = batch.into_iter().next().unwrap_or_default();
        let replaced = |word: &Value| match word.as_str() {
            Some(text) if !pattern.is_empty() && text.contains(pattern.as_str()) => {
                let parts: Vec<&[u8]> = text.split(pattern.as_str()).map(str::as_bytes).collect();
                Value::from_bytes(parts.join(item.as_slice()))
            }
            _ => word.clone(),
        };
        self.plan.words.iter().map(replaced).collect()
    }

    /// Prints a command; with `-p` asks at the terminal, and answers whether to run it.
    async fn announce(&self, cx: &mut ExecContext, words: &[Value]) -> Result<bool, Stop> {
        let shown: Vec<String> = words.iter().map(show).collect();
        let mut line = shown.join(" ");
        line.push_str(if self.plan.asks { " ?..." } else { "\n" });
        cx.streams.err.extend_from_slice(line.as_bytes());
        cx.flush().await?;
        if !self.plan.asks {
            return Ok(true);
        }
        let terminal = Rc::clone(cx.backend()).open_read(crate::vfs::Path::new("/dev/tty")).await;
        let terminal = match terminal {
            Ok(terminal) => terminal,
            Err(error) => {
                let errno = error.errno();
                let message = format!("failed to open /dev/tty for reading: {errno}");
                return Err(cx.fail(1, message));
            }
        };
        let mut answer = Vec::new();
        cx.read_line(&terminal, &mut answer).await?;
        Ok(matches!(answer.first(), Some(b'y' | b'Y')))
    }

    /// Waits for one run to end.
    async fn reap(&mut self, cx: &mut ExecContext) -> Result<(), Stop> {
        let running = &mut self.running;
        let ended = cx.unless_cancelled(async { Ok(running.next().await) }).await?;
        cx.checkpoint(50).await?;
        let name = self.plan.words.first().map(Value::to_text_lossy).unwrap_or_default();
        match ended {
            None | Some(0) => {}
            Some(255) => {
                let message = format!("{name}: exited with status 255; aborting");
                return Err(cx.fail(124, message));
            }
            Some(status @ (126 | 127)) => return Err(Stop::Failed(status)),
            Some(_) => self.status = 123,
        }
        Ok(())
    }

    /// Waits for all runs and answers the status.
    pub(super) async fn finish(&mut self, cx: &mut ExecContext) -> Result<u8, Stop> {
        while !self.running.is_empty() {
            self.reap(cx).await?;
        }
        Ok(self.status)
    }
}

/// A word as the shell reads it back.
fn show(word: &Value) -> String {
    let text = word.to_text_lossy();
    let plain = |c: char| c.is_alphanumeric() || "_-+=./,:@%".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_string()
    } else {
        single_quoted(&text)
    }
}
