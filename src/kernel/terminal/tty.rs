//! The terminal as programs see it: a file that reads what was typed, and the screen behind a filter.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::future::poll_fn;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use async_trait::async_trait;

use crate::editor::{Cooked, OutputFilter};
use crate::io::{Errno, File, IoResult, Sink};

/// What programs read: typed lines, and an end of input for each Ctrl-D.
#[derive(Default)]
pub(super) struct TypedInput {
    pieces: RefCell<VecDeque<Piece>>,
    waiting: RefCell<Vec<Waker>>,
}

enum Piece {
    Bytes(Vec<u8>),
    End,
}

impl TypedInput {
    /// Gives programs bytes to read.
    pub(super) fn push(&self, bytes: Vec<u8>) {
        if !bytes.is_empty() {
            self.pieces.borrow_mut().push_back(Piece::Bytes(bytes));
            self.wake();
        }
    }

    /// Makes the next read after what is there answer the end of input, once.
    pub(super) fn push_end(&self) {
        self.pieces.borrow_mut().push_back(Piece::End);
        self.wake();
    }

    /// Takes what no program has read.
    pub(super) fn take_rest(&self) -> Vec<u8> {
        let mut rest = Vec::new();
        for piece in self.pieces.take() {
            if let Piece::Bytes(bytes) = piece {
                rest.extend(bytes);
            }
        }
        rest
    }

    fn wake(&self) {
        for waker in self.waiting.take() {
            waker.wake();
        }
    }

    fn poll_piece(&self, cx: &Context<'_>) -> Poll<()> {
        if self.pieces.borrow().is_empty() {
            self.waiting.borrow_mut().push(cx.waker().clone());
            return Poll::Pending;
        }
        Poll::Ready(())
    }
}

/// The terminal as an open file.
pub(super) struct Tty {
    pub(super) input: Rc<TypedInput>,
    pub(super) screen: Rc<Screen>,
}

#[async_trait(?Send)]
impl File for Tty {
    async fn read_at(&self, offset: u64, len: usize) -> IoResult<Vec<u8>> {
        loop {
            if let Some(result) = self.read_now(offset, len) {
                return result;
            }
            poll_fn(|cx| self.input.poll_piece(cx)).await;
        }
    }

    async fn write_at(&self, _offset: u64, bytes: &[u8]) -> IoResult<()> {
        self.append(bytes).await
    }

    async fn append(&self, bytes: &[u8]) -> IoResult<()> {
        poll_fn(|cx| self.screen.poll_ready(cx)).await?;
        self.screen.write(bytes)
    }

    async fn set_len(&self, _len: u64) -> IoResult<()> {
        Err(Errno::Invalid)
    }

    async fn len(&self) -> IoResult<u64> {
        Ok(0)
    }

    fn read_now(&self, _offset: u64, len: usize) -> Option<IoResult<Vec<u8>>> {
        let mut pieces = self.input.pieces.borrow_mut();
        let mut bytes = match pieces.pop_front()? {
            Piece::End => return Some(Ok(Vec::new())),
            Piece::Bytes(bytes) => bytes,
        };
        if bytes.len() > len {
            pieces.push_front(Piece::Bytes(bytes.split_off(len)));
        }
        Some(Ok(bytes))
    }

    fn is_stream(&self) -> bool {
        true
    }

    fn is_terminal(&self) -> bool {
        true
    }
}

/// Where programs write: what the filter lets through reaches the terminal.
pub(super) struct Screen {
    terminal: Rc<dyn Sink>,
    filter: RefCell<OutputFilter>,
    cooked: Rc<RefCell<Cooked>>,
}

impl Screen {
    pub(super) fn new(terminal: Rc<dyn Sink>, cooked: Rc<RefCell<Cooked>>, columns: usize) -> Self {
        Self { terminal, filter: RefCell::new(OutputFilter::new(columns)), cooked }
    }

    /// Writes what the line editor has drawn.
    pub(super) fn draw(&self, bytes: &[u8]) {
        // A terminal that is gone has nobody to tell.
        let _ = self.terminal.write(bytes);
    }

    /// Writes the echo of what is typed for a program.
    pub(super) fn echo(&self, bytes: &[u8]) {
        self.draw(&self.filter.borrow_mut().write(bytes));
    }

    /// Ends the output of a program: the cursor is in the first column, no mode is left set.
    pub(super) fn finish(&self) {
        self.draw(&self.filter.borrow_mut().finish());
    }

    pub(super) fn resize(&self, columns: usize) {
        self.filter.borrow_mut().resize(columns);
    }
}

impl Sink for Screen {
    fn write(&self, bytes: &[u8]) -> IoResult<()> {
        let mut filter = self.filter.borrow_mut();
        let shown = filter.write(bytes);
        if let Some(column) = filter.column() {
            self.cooked.borrow_mut().output_at(column);
        }
        self.terminal.write(&shown)
    }

    fn poll_ready(&self, cx: &mut Context<'_>) -> Poll<IoResult<()>> {
        self.terminal.poll_ready(cx)
    }

    fn is_terminal(&self) -> bool {
        true
    }
}
