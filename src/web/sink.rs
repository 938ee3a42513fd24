//! Output on its way to the page: gathered, sent in pieces, and held back while the page has not used what it got.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use js_sys::{Function, Uint8Array};
use wasm_bindgen::prelude::JsValue;

use crate::host::Host;
use crate::io::{IoResult, Sink};

/// Bytes gathered before they are sent without waiting for a turn of the event loop.
const PIECE: usize = 16 * 1024;

/// The outputs of one run: standard output and error in the order they were written.
pub(super) struct Outlet {
    host: Rc<dyn Host>,
    /// `(stream: 1 | 2, bytes: Uint8Array) => void`
    send: Function,
    held: RefCell<Held>,
    /// Whether a task will send what is held.
    scheduled: Cell<bool>,
    /// Bytes the page may be behind before writers wait.
    window: usize,
    /// Sent and not yet used by the page.
    behind: Cell<usize>,
    waiting: RefCell<Vec<Waker>>,
    closed: Cell<bool>,
}

#[derive(Default)]
struct Held {
    stream: u8,
    bytes: Vec<u8>,
}

impl Outlet {
    /// An outlet that calls `send`.
    pub(super) fn new(host: Rc<dyn Host>, send: Function, window: usize) -> Rc<Self> {
        Rc::new(Self {
            host,
            send,
            window,
            held: RefCell::default(),
            scheduled: Cell::new(false),
            behind: Cell::new(0),
            waiting: RefCell::default(),
            closed: Cell::new(false),
        })
    }

    /// Sends what is held.
    pub(super) fn flush(&self) {
        let held = self.held.take();
        if held.bytes.is_empty() {
            return;
        }
        self.behind.set(self.behind.get() + held.bytes.len());
        let bytes = Uint8Array::from(held.bytes.as_slice());
        // A page that throws while it takes output has no better place to hear of it.
        let _ = self.send.call2(&JsValue::NULL, &JsValue::from(held.stream), &bytes);
    }

    /// The page has used `count` bytes.
    pub(super) fn taken(&self, count: usize) {
        self.behind.set(self.behind.get().saturating_sub(count));
        if self.behind.get() < self.window {
            for waker in self.waiting.take() {
                waker.wake();
            }
        }
    }

    /// Nobody takes output any more: writers no longer wait, and what they write is dropped.
    pub(super) fn close(&self) {
        self.closed.set(true);
        self.taken(usize::MAX);
    }

    /// Writes to standard output (1) or standard error (2).
    pub(super) fn write(self: &Rc<Self>, stream: u8, bytes: &[u8]) {
        if self.closed.get() || bytes.is_empty() {
            return;
        }
        if self.held.borrow().stream != stream {
            self.flush();
        }
        let full = {
            let mut held = self.held.borrow_mut();
            held.stream = stream;
            held.bytes.extend_from_slice(bytes);
            held.bytes.len() >= PIECE
        };
        if full {
            self.flush();
        } else if !self.scheduled.replace(true) {
            let outlet = Rc::clone(self);
            let turn = self.host.yield_now();
            self.host.spawn(Box::pin(async move {
                turn.await;
                outlet.scheduled.set(false);
                outlet.flush();
            }));
        }
    }

    fn poll_ready(&self, cx: &Context<'_>) -> Poll<()> {
        if self.closed.get() || self.behind.get() < self.window {
            return Poll::Ready(());
        }
        self.waiting.borrow_mut().push(cx.waker().clone());
        Poll::Pending
    }
}

/// One of an outlet's streams.
pub(super) struct OutletSink {
    outlet: Rc<Outlet>,
    stream: u8,
    terminal: bool,
}

impl OutletSink {
    /// Standard output (1) or standard error (2) of a run without a terminal.
    pub(super) fn new(outlet: &Rc<Outlet>, stream: u8) -> Rc<Self> {
        Rc::new(Self { outlet: Rc::clone(outlet), stream, terminal: false })
    }

    /// The output side of a terminal.
    pub(super) fn terminal(outlet: &Rc<Outlet>) -> Rc<Self> {
        Rc::new(Self { outlet: Rc::clone(outlet), stream: 1, terminal: true })
    }
}

impl Sink for OutletSink {
    fn write(&self, bytes: &[u8]) -> IoResult<()> {
        self.outlet.write(self.stream, bytes);
        Ok(())
    }

    fn poll_ready(&self, cx: &mut Context<'_>) -> Poll<IoResult<()>> {
        self.outlet.poll_ready(cx).map(Ok)
    }

    fn is_terminal(&self) -> bool {
        self.terminal
    }
}
