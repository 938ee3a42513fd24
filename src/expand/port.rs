//! Where a suspended expansion leaves its request and finds the answer.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use super::{ExpandError, ExpandResult};
use crate::syntax::{Span, Substitution};
use crate::value::Value;

/// What a program asked for came to.
#[derive(Clone, Debug)]
pub enum Answer {
    /// Its output: text without trailing newlines, bytes, or the typed value.
    Output {
        /// The value.
        value: Value,
        /// Whether it is a typed result rather than text.
        typed: bool,
    },
    /// It could not be run.
    Failed(String),
}

/// The meeting place of an expansion and the machine that polls it.
#[derive(Default)]
pub struct Port {
    request: RefCell<Option<Rc<Substitution>>>,
    answer: RefCell<Option<Answer>>,
    /// Whether a substitution ran since the flag was taken: an assignment's status is then `$?`.
    ran: Cell<bool>,
}

impl Port {
    /// The program asked for, once.
    pub fn take_request(&self) -> Option<Rc<Substitution>> {
        self.request.borrow_mut().take()
    }

    /// Gives the answer to the last request.
    pub fn answer(&self, answer: Answer) {
        self.ran.set(true);
        *self.answer.borrow_mut() = Some(answer);
    }

    /// Whether a program ran since the last call.
    pub fn take_ran(&self) -> bool {
        self.ran.replace(false)
    }

    /// Forgets what is open: the expansion was dropped.
    pub fn clear(&self) {
        self.request.take();
        self.answer.take();
    }

    /// Asks for a program to be run and waits for its output, and whether that is typed.
    pub(super) async fn run(&self, program: &Rc<Substitution>) -> ExpandResult<(Value, bool)> {
        *self.request.borrow_mut() = Some(Rc::clone(program));
        let answer = poll_fn(|_| match self.answer.borrow_mut().take() {
            Some(answer) => Poll::Ready(answer),
            None => Poll::Pending,
        })
        .await;
        match answer {
            Answer::Output { value, typed } => Ok((value, typed)),
            Answer::Failed(message) => Err(ExpandError::new(program.span, message)),
        }
    }
}

/// Drives a coroutine that cannot suspend.
///
/// The error is an inconsistency of the tree's traits, which would otherwise hang.
pub fn now<T>(future: impl Future<Output = ExpandResult<T>>) -> ExpandResult<T> {
    let mut future = std::pin::pin!(future);
    match future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(result) => result,
        Poll::Pending => Err(ExpandError::new(Span::default(), "this word cannot run a command")),
    }
}
