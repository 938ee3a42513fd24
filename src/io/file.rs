//! Open files: positional reads and writes by the file, the shared offset by the description.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use async_trait::async_trait;

use super::{Errno, IoResult};

/// What a filesystem's `open` returns: a file by position, whatever happens to its name.
///
/// The `…_now` forms answer where no waiting is needed and return `None` otherwise; a filesystem in
/// memory implements them, and loops over small reads and writes then build no future.
#[expect(clippy::len_without_is_empty, reason = "the length is asked for, not held")]
#[async_trait(?Send)]
pub trait File {
    /// At most `len` bytes from `offset`; empty at or past the end.
    async fn read_at(&self, offset: u64, len: usize) -> IoResult<Vec<u8>>;

    /// Writes all of `bytes` at `offset`, extending the file with zeros where needed.
    async fn write_at(&self, offset: u64, bytes: &[u8]) -> IoResult<()>;

    /// Writes all of `bytes` at the end, wherever that is.
    async fn append(&self, bytes: &[u8]) -> IoResult<()>;

    /// Cuts or extends (with zeros) to `len` bytes.
    async fn set_len(&self, len: u64) -> IoResult<()>;

    /// The present length in bytes.
    async fn len(&self) -> IoResult<u64>;

    /// Ends the use of this handle: what was written is named by the file from here on.
    async fn close(&self) -> IoResult<()> {
        Ok(())
    }

    /// The handle outlives the command that opened it (`exec 3>log`): what is written is stored as
    /// it comes, and does not wait for [`File::close`].
    fn store_as_written(&self) {}

    /// [`File::read_at`] without waiting.
    fn read_now(&self, offset: u64, len: usize) -> Option<IoResult<Vec<u8>>> {
        let _ = (offset, len);
        None
    }

    /// [`File::write_at`] (or, with `None`, [`File::append`]) without waiting.
    fn write_now(&self, offset: Option<u64>, bytes: &[u8]) -> Option<IoResult<()>> {
        let _ = (offset, bytes);
        None
    }

    /// Whether offsets mean nothing (`/dev/zero`, `/dev/tty`).
    fn is_stream(&self) -> bool {
        false
    }

    /// Whether it is the terminal.
    fn is_terminal(&self) -> bool {
        false
    }
}

/// An open file description: a file, its offset, and how it was opened.
pub struct OpenFile {
    file: Rc<dyn File>,
    offset: Cell<u64>,
    append: bool,
    /// Bytes read ahead of the offset by line reads, so that a loop of `read` does not fetch each
    /// block once per line.
    ahead: RefCell<Ahead>,
}

#[derive(Default)]
struct Ahead {
    bytes: Vec<u8>,
    used: usize,
}

const BLOCK: usize = 64 * 1024;

impl OpenFile {
    /// A description at offset 0; with `append`, every write goes to the end.
    pub fn new(file: Rc<dyn File>, append: bool) -> Self {
        Self { file, offset: Cell::new(0), append, ahead: RefCell::default() }
    }

    /// The file behind it.
    pub fn file(&self) -> &Rc<dyn File> {
        &self.file
    }

    /// Where the next read or write happens.
    pub fn offset(&self) -> u64 {
        self.offset.get()
    }

    /// Reads without waiting.
    pub fn try_read(&self, max: usize) -> Option<IoResult<Vec<u8>>> {
        if let Some(bytes) = self.take_ahead(max) {
            return Some(Ok(bytes));
        }
        let result = self.file.read_now(self.offset.get(), max)?;
        Some(result.inspect(|bytes| self.advance(bytes.len())))
    }

    /// Reads at most `max` bytes; empty at the end.
    pub async fn read(&self, max: usize) -> IoResult<Vec<u8>> {
        if let Some(result) = self.try_read(max) {
            return result;
        }
        let bytes = self.file.read_at(self.offset.get(), max).await?;
        self.advance(bytes.len());
        Ok(bytes)
    }

    /// Appends to `out` up to and including `delimiter`; `Some(Ok(false))` at the end of the file,
    /// `None` where more must be fetched first.
    pub fn try_read_until(&self, delimiter: u8, out: &mut Vec<u8>) -> Option<IoResult<bool>> {
        loop {
            if self.ahead_until(delimiter, out) {
                return Some(Ok(true));
            }
            match self.file.read_now(self.offset.get(), BLOCK)? {
                Err(errno) => return Some(Err(errno)),
                Ok(bytes) if bytes.is_empty() => return Some(Ok(false)),
                Ok(bytes) => self.set_ahead(bytes),
            }
        }
    }

    /// The waiting form of [`OpenFile::try_read_until`].
    pub async fn read_until(&self, delimiter: u8, out: &mut Vec<u8>) -> IoResult<bool> {
        loop {
            if let Some(result) = self.try_read_until(delimiter, out) {
                return result;
            }
            let bytes = self.file.read_at(self.offset.get(), BLOCK).await?;
            if bytes.is_empty() {
                return Ok(false);
            }
            self.set_ahead(bytes);
        }
    }

    /// Writes without waiting.
    pub fn try_write(&self, bytes: &[u8]) -> Option<IoResult<()>> {
        let at = (!self.append).then(|| self.offset.get());
        let result = self.file.write_now(at, bytes)?;
        Some(result.inspect(|()| self.wrote(bytes.len())))
    }

    /// Writes all of `bytes` at the offset, or at the end when appending.
    pub async fn write_all(&self, bytes: &[u8]) -> IoResult<()> {
        if let Some(result) = self.try_write(bytes) {
            return result;
        }
        if self.append {
            self.file.append(bytes).await?;
        } else {
            self.file.write_at(self.offset.get(), bytes).await?;
        }
        self.wrote(bytes.len());
        Ok(())
    }

    /// Moves the offset to `offset` bytes from the start.
    pub fn seek(&self, offset: u64) -> IoResult<()> {
        if self.file.is_stream() {
            return Err(Errno::Invalid);
        }
        self.ahead.take();
        self.offset.set(offset);
        Ok(())
    }

    fn take_ahead(&self, max: usize) -> Option<Vec<u8>> {
        let mut ahead = self.ahead.borrow_mut();
        let rest = ahead.bytes.get(ahead.used..).filter(|rest| !rest.is_empty())?;
        let bytes = rest.get(..max).unwrap_or(rest).to_vec();
        ahead.used += bytes.len();
        self.advance(bytes.len());
        Some(bytes)
    }

    fn ahead_until(&self, delimiter: u8, out: &mut Vec<u8>) -> bool {
        let mut ahead = self.ahead.borrow_mut();
        let rest = ahead.bytes.get(ahead.used..).unwrap_or_default();
        let found = memchr::memchr(delimiter, rest);
        let taken = rest.get(..found.map_or(rest.len(), |at| at + 1)).unwrap_or(rest);
        out.extend_from_slice(taken);
        let count = taken.len();
        ahead.used += count;
        self.advance(count);
        found.is_some()
    }

    fn set_ahead(&self, bytes: Vec<u8>) {
        *self.ahead.borrow_mut() = Ahead { bytes, used: 0 };
    }

    fn advance(&self, count: usize) {
        self.offset.set(self.offset.get() + count as u64);
    }

    fn wrote(&self, count: usize) {
        self.ahead.take();
        self.advance(count);
    }
}
