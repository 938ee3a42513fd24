//! Byte streams between commands: pipes, files, captures, sinks, and the descriptor table.
//!
//! A [`Stream`] is what a file descriptor refers to; clones share it, with its position. Every
//! operation has a synchronous attempt (`try_…`, `None` where it would wait) and an asynchronous
//! form, so that a statement that need not wait never builds a future. A pipe is bounded: a full one
//! makes its writer wait, a reader that goes away ends its writers with [`Errno::BrokenPipe`].
//!
//! Deliberately not here: paths and mounts (`vfs`), line editing (`editor`).

mod descriptors;
mod errno;
mod file;
mod limiter;
mod pipe;
mod stream;

pub use descriptors::{Descriptors, FIRST_FREE};
pub use errno::{Errno, IoResult};
pub use file::{File, OpenFile};
pub use limiter::{Cut, Excess, Limiter};
pub use pipe::{PIPE_CAPACITY, PipeReader, PipeWriter, pipe};
pub use stream::{Capture, Observer, Sink, Stream};
