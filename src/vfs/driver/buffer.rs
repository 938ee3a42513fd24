//! Open files: read by position, or gathered in memory and handed over whole when writing ends.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use async_trait::async_trait;

use super::{DriverChange, Inner};
use crate::host::Timestamp;
use crate::io::{Errno, File, IoResult};
use crate::vfs::content::{Backing, Content, Fault, NoSource};
use crate::vfs::{Metadata, OpenOptions};

/// The content of a file open for writing, shared by all who have it open.
pub(super) struct Buffer {
    owner: Rc<Inner>,
    /// Where it is; `None` once it has been removed.
    path: RefCell<Option<String>>,
    content: RefCell<Content>,
    modified: Cell<Option<Timestamp>>,
    dirty: Cell<bool>,
    /// Whether a handle outlives its command, so that nothing waits for a close.
    at_once: Cell<bool>,
}

fn errno(fault: Fault) -> Errno {
    match fault {
        Fault::Errno(errno) => errno,
        Fault::Load { .. } => Errno::Io,
    }
}

impl Buffer {
    pub(super) fn read(&self, offset: u64, len: usize) -> IoResult<Vec<u8>> {
        self.content.borrow().read(offset, len, &NoSource).map_err(errno)
    }

    pub(super) fn whole(&self) -> IoResult<Vec<u8>> {
        self.read(0, usize::MAX)
    }

    /// Writes at an offset, or at the end.
    fn write(&self, offset: Option<u64>, bytes: &[u8]) -> IoResult<()> {
        let content = &mut *self.content.borrow_mut();
        let backing = Backing { budget: &self.owner.budget, source: &NoSource };
        let offset = offset.unwrap_or(content.len());
        content.write(offset, bytes, backing).map_err(errno)?;
        self.touch();
        Ok(())
    }

    fn set_len(&self, len: u64) -> IoResult<()> {
        let backing = Backing { budget: &self.owner.budget, source: &NoSource };
        self.content.borrow_mut().set_len(len, backing).map_err(errno)?;
        self.touch();
        Ok(())
    }

    fn touch(&self) {
        self.dirty.set(true);
        self.modified.set(Some(self.owner.host.now()));
    }

    /// Replaces the content with what the driver has taken already.
    pub(super) fn replace(&self, bytes: &[u8]) -> IoResult<()> {
        self.set_len(0)?;
        self.write(None, bytes)?;
        self.dirty.set(false);
        Ok(())
    }

    /// Follows the file to another path, or lets go of a removed one.
    pub(super) fn move_to(&self, path: Option<String>) {
        *self.path.borrow_mut() = path;
    }

    /// What writers have changed of a file's metadata.
    pub(super) fn describe(&self, metadata: &mut Metadata) {
        metadata.len = self.content.borrow().len();
        if let Some(modified) = self.modified.get() {
            metadata.modified = modified;
        }
    }

    /// Hands the content over where it has changed since.
    async fn store(&self) -> IoResult<()> {
        let path = self.path.borrow().clone();
        let Some(path) = path.filter(|_| self.dirty.replace(false)) else { return Ok(()) };
        let stored = match self.whole() {
            Ok(bytes) => self.owner.change(DriverChange::Write(&path, &bytes)).await,
            Err(errno) => Err(errno),
        };
        match stored {
            Ok(()) if !self.dirty.get() => self.modified.set(None),
            Ok(()) => {}
            Err(_) => self.dirty.set(true),
        }
        stored
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        let Some(path) = self.path.take() else { return };
        let mut open = self.owner.open.borrow_mut();
        if open.get(&path).is_some_and(|other| other.strong_count() == 0) {
            open.remove(&path);
        }
        // A handle that was dropped without its close still saves what was written.
        if self.dirty.get()
            && let Ok(bytes) = self.whole()
        {
            let owner = Rc::clone(&self.owner);
            self.owner.host.spawn(Box::pin(async move {
                // Nobody is left to tell of a failure.
                let _ = owner.change(DriverChange::Write(&path, &bytes)).await;
            }));
        }
    }
}

/// An open file.
pub(super) struct Handle {
    owner: Rc<Inner>,
    file: Held,
    options: OpenOptions,
}

enum Held {
    /// Read where it lies.
    Path(String),
    Buffer(Rc<Buffer>),
}

impl Inner {
    /// A handle for reading a file where it lies.
    pub(super) fn reader(self: &Rc<Self>, path: String, options: OpenOptions) -> Rc<dyn File> {
        let file = match self.buffer(&path) {
            Some(buffer) => Held::Buffer(buffer),
            None => Held::Path(path),
        };
        Rc::new(Handle { owner: Rc::clone(self), file, options })
    }

    /// A handle for writing a file; its present content is fetched unless it is to go.
    pub(super) async fn writer(
        self: &Rc<Self>,
        path: String,
        len: u64,
        options: OpenOptions,
    ) -> IoResult<Rc<dyn File>> {
        let buffer = match self.buffer(&path) {
            Some(buffer) => buffer,
            None => {
                let before =
                    if options.truncate { Vec::new() } else { self.whole(&path, len).await? };
                let buffer = Buffer {
                    owner: Rc::clone(self),
                    path: RefCell::new(Some(path.clone())),
                    content: RefCell::default(),
                    modified: Cell::default(),
                    dirty: Cell::default(),
                    at_once: Cell::default(),
                };
                buffer.write(None, &before)?;
                buffer.dirty.set(false);
                buffer.modified.set(None);
                // Another may have opened it meanwhile.
                match self.buffer(&path) {
                    Some(other) => other,
                    None => {
                        let buffer = Rc::new(buffer);
                        self.open.borrow_mut().insert(path, Rc::downgrade(&buffer));
                        buffer
                    }
                }
            }
        };
        if options.truncate && buffer.content.borrow().len() + len > 0 {
            buffer.set_len(0)?;
        }
        Ok(Rc::new(Handle { owner: Rc::clone(self), file: Held::Buffer(buffer), options }))
    }

    /// Moves the buffers at and below a path along with it, or lets go of them.
    pub(super) fn move_buffers(&self, from: &str, to: Option<&str>) {
        let mut open = self.open.borrow_mut();
        let moved: Vec<(String, Weak<Buffer>)> = open
            .extract_if(|path, _| {
                path.strip_prefix(from).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            })
            .collect();
        for (path, buffer) in moved {
            let rest = path.get(from.len()..).unwrap_or_default();
            let new = to.map(|to| format!("{to}{rest}"));
            if let Some(buffer) = buffer.upgrade() {
                buffer.move_to(new.clone());
            }
            if let Some(new) = new {
                open.insert(new, buffer);
            }
        }
    }
}

impl Handle {
    fn writable(&self) -> IoResult<&Rc<Buffer>> {
        match &self.file {
            Held::Buffer(buffer) if self.options.write => Ok(buffer),
            _ => Err(Errno::BadDescriptor),
        }
    }

    async fn written(&self, buffer: &Buffer) -> IoResult<()> {
        if buffer.at_once.get() { buffer.store().await } else { Ok(()) }
    }
}

#[async_trait(?Send)]
impl File for Handle {
    async fn read_at(&self, offset: u64, len: usize) -> IoResult<Vec<u8>> {
        if !self.options.read {
            return Err(Errno::BadDescriptor);
        }
        match &self.file {
            Held::Buffer(buffer) => buffer.read(offset, len),
            Held::Path(path) => match self.owner.buffer(path) {
                Some(buffer) => buffer.read(offset, len),
                None => self.owner.read(path, offset, len).await,
            },
        }
    }

    async fn write_at(&self, offset: u64, bytes: &[u8]) -> IoResult<()> {
        let buffer = self.writable()?;
        buffer.write((!self.options.append).then_some(offset), bytes)?;
        self.written(buffer).await
    }

    async fn append(&self, bytes: &[u8]) -> IoResult<()> {
        let buffer = self.writable()?;
        buffer.write(None, bytes)?;
        self.written(buffer).await
    }

    async fn set_len(&self, len: u64) -> IoResult<()> {
        let buffer = self.writable()?;
        buffer.set_len(len)?;
        self.written(buffer).await
    }

    async fn len(&self) -> IoResult<u64> {
        match &self.file {
            Held::Buffer(buffer) => Ok(buffer.content.borrow().len()),
            Held::Path(path) => Ok(self.owner.stat(path).await?.len),
        }
    }

    async fn close(&self) -> IoResult<()> {
        match &self.file {
            Held::Buffer(buffer) if self.options.write => buffer.store().await,
            _ => Ok(()),
        }
    }

    fn store_as_written(&self) {
        if let Ok(buffer) = self.writable() {
            buffer.at_once.set(true);
        }
    }

    fn write_now(&self, offset: Option<u64>, bytes: &[u8]) -> Option<IoResult<()>> {
        let buffer = self.writable().ok().filter(|buffer| !buffer.at_once.get())?;
        Some(buffer.write(offset.filter(|_| !self.options.append), bytes))
    }
}
