//! The files of a `sed` call, line after line, with a look at whether more follows.

use std::collections::VecDeque;

use crate::builtins::input::{self, Lines};
use crate::io::{Errno, Stream};
use crate::tool::{ExecContext, Stop};
use crate::value::EcoString;

/// The input.
pub(super) struct Input {
    names: VecDeque<EcoString>,
    current: Option<Source>,
    /// The file after the current one, where it had to be looked into.
    upcoming: Option<Source>,
    pub(super) reading: Reading,
    /// 2 once a file could not be read.
    pub(super) status: u8,
}

/// How files are read.
#[derive(Clone, Copy)]
pub(super) struct Reading {
    /// Whether each file has its own last line.
    pub(super) separate: bool,
    /// Whether files are edited in place.
    pub(super) in_place: bool,
    /// Whether lines are read one at a time.
    pub(super) unbuffered: bool,
    pub(super) line_end: u8,
}

/// A file being read.
pub(super) struct Source {
    pub(super) name: EcoString,
    stream: Stream,
    pub(super) lines: Lines,
}

impl Input {
    pub(super) fn new(names: Vec<EcoString>, reading: Reading) -> Self {
        Self { names: names.into(), current: None, upcoming: None, reading, status: 0 }
    }

    /// The file with the next line, where the current one has more.
    pub(super) async fn fill(&mut self, cx: &mut ExecContext) -> Result<Option<&mut Source>, Stop> {
        let Some(source) = &mut self.current else { return Ok(None) };
        let has_line = source.lines.fill(cx).await?;
        Ok(has_line.then_some(source))
    }

    /// Goes on with the next file that can be read.
    pub(super) async fn advance(
        &mut self,
        cx: &mut ExecContext,
    ) -> Result<Option<&mut Source>, Stop> {
        self.current = match self.upcoming.take() {
            Some(source) => Some(source),
            None => self.open_next(cx).await?,
        };
        Ok(self.current.as_mut())
    }

    async fn open_next(&mut self, cx: &mut ExecContext) -> Result<Option<Source>, Stop> {
        while let Some(name) = self.names.pop_front() {
            let opened = if name == "-" && !self.reading.in_place {
                Ok(cx.stdin())
            } else {
                input::open(cx, if name == "-" { "./-" } else { &name }).await
            };
            match opened {
                Ok(stream) => {
                    let lines = if self.reading.unbuffered && self.reading.line_end == b'\n' {
                        Lines::one_by_one(stream.clone())
                    } else {
                        Lines::new(stream.clone(), self.reading.line_end)
                    };
                    return Ok(Some(Source { name, stream, lines }));
                }
                Err(Errno::IsDirectory) if self.reading.in_place => {
                    let message = format_args!("couldn't edit {name}: not a regular file");
                    cx.complain(message).await?;
                    self.status = 4;
                }
                Err(errno @ Errno::IsDirectory) => {
                    cx.complain(format_args!("read error on {name}: {errno}")).await?;
                    self.status = 2;
                }
                Err(errno) => {
                    cx.complain(format_args!("can't read {name}: {errno}")).await?;
                    self.status = 2;
                }
            }
        }
        Ok(None)
    }

    /// Whether another line is there without waiting.
    pub(super) fn is_ready(&mut self) -> bool {
        self.current.as_mut().is_some_and(|source| source.lines.is_ready())
    }

    /// Whether no line follows.
    pub(super) async fn is_last(&mut self, cx: &mut ExecContext) -> Result<bool, Stop> {
        if self.fill(cx).await?.is_some() {
            return Ok(false);
        }
        if self.reading.separate {
            return Ok(true);
        }
        loop {
            if self.upcoming.is_none() {
                self.upcoming = self.open_next(cx).await?;
            }
            let Some(source) = &mut self.upcoming else { return Ok(true) };
            if source.lines.fill(cx).await? {
                return Ok(false);
            }
            self.upcoming = None;
        }
    }

    /// Leaves what was read ahead to the next reader, where that is possible.
    pub(super) fn give_back(&self) {
        if let Some(Source { stream: Stream::File(open), lines, .. }) = &self.current
            && !open.file().is_stream()
        {
            // The file was read by position, so it can be set.
            let _ = open.seek(open.offset().saturating_sub(lines.ahead() as u64));
        }
    }
}
