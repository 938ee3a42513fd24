//! What bounds a filter: steps, native stack and bytes; look-ups and long loops ask it whether to stop.

use std::cell::Cell;

/// Native stack a filter may use; the wasm stack has 1 MB.
const STACK: usize = 640 * 1024;

/// Bytes that one string may have.
pub(crate) const MAX_TEXT: usize = 64 << 20;

/// Elements that one array may be filled up to by an index.
pub(crate) const MAX_INDEX: f64 = 536_870_911.0;

/// Why a filter is ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// It took as many steps as it may.
    Steps,
    /// Its calls are nested too deeply.
    Depth,
    /// `halt` with a status.
    Halt,
}

thread_local! {
    // Operators on values have no context to pass this in.
    static BASE: Cell<usize> = const { Cell::new(0) };
    static LEFT: Cell<u64> = const { Cell::new(u64::MAX) };
    static STOP: Cell<Option<Stop>> = const { Cell::new(None) };
}

/// The address of a local variable: how far the stack has grown.
#[inline(never)]
fn stack_position() -> usize {
    let here = 0u8;
    std::ptr::from_ref(&here).addr()
}

/// Starts to count; `steps` may be taken until the next start. Answers what is left of them at the end.
pub(crate) fn start(steps: u64) {
    BASE.set(stack_position());
    LEFT.set(steps);
    STOP.set(None);
}

/// The steps that are left.
pub(crate) fn left() -> u64 {
    LEFT.get()
}

/// Counts a step; `true` where the filter is to be ended.
pub(crate) fn tick() -> bool {
    if STOP.get().is_some() {
        return true;
    }
    let left = LEFT.get();
    if left == 0 {
        STOP.set(Some(Stop::Steps));
        return true;
    }
    LEFT.set(left - 1);
    if BASE.get().abs_diff(stack_position()) > STACK {
        STOP.set(Some(Stop::Depth));
        return true;
    }
    false
}

/// Ends the filter at the next step.
pub(crate) fn stop(why: Stop) {
    STOP.set(Some(why));
}

/// Why the filter is to be ended.
pub(crate) fn stopped() -> Option<Stop> {
    STOP.get()
}
