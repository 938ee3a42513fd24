//! What the last command left on standard output: its value, or the end of its text.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use crate::io::Observer;
use crate::value::Value;

/// Bytes of text that are kept.
const LIMIT: usize = 64 * 1024;

/// What one command left.
#[derive(Clone, Debug, Default)]
pub struct LastOutput {
    /// The end of its text.
    pub text: Vec<u8>,
    /// Its typed value.
    pub value: Option<Value>,
}

impl LastOutput {
    fn is_empty(&self) -> bool {
        self.text.is_empty() && self.value.is_none()
    }

    fn clear(&mut self) {
        self.text.clear();
        self.value = None;
    }
}

/// Watches standard output; a shell tells it where a statement begins.
#[derive(Debug, Default)]
pub struct Recording {
    current: RefCell<LastOutput>,
    before: RefCell<Rc<LastOutput>>,
    /// No statement of this shell has begun: what was before it still is.
    fresh: Cell<bool>,
}

impl Recording {
    /// A statement begins: what was recorded is now that of the command before it.
    #[inline]
    pub fn advance(&self) {
        if self.fresh.replace(false) {
            return;
        }
        let mut current = self.current.borrow_mut();
        let mut before = self.before.borrow_mut();
        if current.is_empty() && before.is_empty() {
            return;
        }
        match Rc::get_mut(&mut before) {
            Some(before) => {
                std::mem::swap(&mut *current, before);
                current.clear();
            }
            None => *before = Rc::new(std::mem::take(&mut *current)),
        }
    }

    /// What the command before the present statement left; `None` where it left nothing.
    pub fn last(&self) -> Option<LastOutput> {
        let before = self.before.borrow();
        let mut last = (!before.is_empty()).then(|| LastOutput::clone(&before))?;
        let excess = last.text.len().saturating_sub(LIMIT);
        last.text.drain(..excess);
        Some(last)
    }

    /// The value that the present statement has left so far.
    pub fn value(&self) -> Option<Value> {
        self.current.borrow().value.clone()
    }

    /// A copy for a subshell, whose first statement comes after the same command.
    pub fn snapshot(&self) -> Self {
        let before = RefCell::new(Rc::clone(&self.before.borrow()));
        Self { current: RefCell::default(), before, fresh: Cell::new(true) }
    }
}

impl Observer for Recording {
    fn observe(&self, bytes: &[u8]) {
        let mut current = self.current.borrow_mut();
        let end = bytes.get(bytes.len().saturating_sub(LIMIT)..).unwrap_or(bytes);
        if end.len() < bytes.len() || current.text.len() > LIMIT * 2 {
            let kept = LIMIT.saturating_sub(end.len());
            let excess = current.text.len().saturating_sub(kept);
            current.text.drain(..excess);
        }
        current.text.extend_from_slice(end);
    }

    fn observe_value(&self, value: &Value) {
        self.current.borrow_mut().value = Some(value.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_end_of_the_command_before() {
        let recording = Recording::default();
        recording.advance();
        recording.observe(b"one\n");
        recording.advance();
        assert_eq!(recording.last().unwrap().text, b"one\n");
        let inner = recording.snapshot();
        inner.advance();
        assert_eq!(inner.last().unwrap().text, b"one\n");
        recording.advance();
        assert!(recording.last().is_none());
        for _ in 0..5 {
            recording.observe(&[b'x'; LIMIT]);
        }
        recording.observe(b"end");
        recording.advance();
        let text = recording.last().unwrap().text;
        assert_eq!(text.len(), LIMIT);
        assert!(text.ends_with(b"xend"));
    }
}
