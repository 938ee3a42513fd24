//! Traps: their command runs in the present scope and leaves `$?` as it was.

use super::Machine;
use super::frame::Frame;

impl Machine {
    /// Pushes the command of a trap; EXIT's is forgotten first, so that it runs once.
    pub(super) fn run_trap(&mut self, condition: &str) {
        let trap = self.session().traps.borrow().get(condition).cloned();
        let Some(trap) = trap else { return };
        if condition == "EXIT" {
            let mut traps = self.cx.session.traps.borrow_mut();
            std::rc::Rc::make_mut(&mut traps).remove(condition);
        }
        if trap.text.is_empty() {
            return;
        }
        self.frames.push(Frame::Trap(self.status()));
        let source = std::mem::replace(&mut self.source, trap.source);
        self.depth += 1;
        self.frames.push(Frame::Sourced(source, None));
        self.frames.push(Frame::Script(trap.script, 0));
    }
}
