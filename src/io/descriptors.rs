//! The descriptor table of a command: 0, 1, 2 at hand, higher ones in a shared list.

use std::rc::Rc;

use super::Stream;

/// The first descriptor that `{name}>file` hands out.
pub const FIRST_FREE: u32 = 10;

/// Descriptors by number; cloning shares the streams and costs O(1).
#[derive(Clone, Default)]
pub struct Descriptors {
    /// 0, 1 and 2.
    standard: [Stream; 3],
    /// The others, by number.
    others: Option<Rc<Vec<(u32, Stream)>>>,
}

impl Descriptors {
    /// A table with the three standard streams.
    pub fn new(stdin: Stream, stdout: Stream, stderr: Stream) -> Self {
        Self { standard: [stdin, stdout, stderr], others: None }
    }

    /// Standard input.
    pub fn stdin(&self) -> &Stream {
        &self.standard[0]
    }

    /// Standard output.
    pub fn stdout(&self) -> &Stream {
        &self.standard[1]
    }

    /// Standard error.
    pub fn stderr(&self) -> &Stream {
        &self.standard[2]
    }

    /// The stream of a descriptor; `None` where it is not open.
    pub fn get(&self, fd: u32) -> Option<&Stream> {
        let stream = match self.standard.get(fd as usize) {
            Some(stream) => stream,
            None => &self.others.as_ref()?.iter().find(|(number, _)| *number == fd)?.1,
        };
        (!stream.is_closed()).then_some(stream)
    }

    /// Makes a descriptor refer to a stream; [`Stream::Closed`] closes it.
    pub fn set(&mut self, fd: u32, stream: Stream) {
        if let Some(slot) = self.standard.get_mut(fd as usize) {
            *slot = stream;
            return;
        }
        let others = Rc::make_mut(self.others.get_or_insert_default());
        others.retain(|(number, _)| *number != fd);
        if !stream.is_closed() {
            others.push((fd, stream));
        }
    }

    /// The lowest unused descriptor from [`FIRST_FREE`] on.
    pub fn free(&self) -> u32 {
        (FIRST_FREE..).find(|fd| self.get(*fd).is_none()).unwrap_or(FIRST_FREE)
    }
}
