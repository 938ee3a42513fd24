//! Traps: their command runs in the present scope and leaves `$?` as it was.

use super::Machine;
use super::flow::Flow;
use super::frame::Frame;
use crate::tool::{Reply, Request};

/// The name of the source of a trap's command.
const TRAP: &str = "trap";

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
        let session = self.session();
        let file = session.last.sourced.borrow().last().cloned();
        let file = file.unwrap_or_else(|| session.scope.borrow().script_name().clone());
        session.last.sourced.borrow_mut().push(file);
        self.depth += 1;
        self.frames.push(Frame::Sourced(source, None));
        self.frames.push(Frame::Script(trap.script, 0));
    }

    /// Notes `$LINENO`; the command of a trap stands at the line of what ran before it.
    pub(super) fn at_line(&self, line: u32) {
        if self.source.name != TRAP {
            self.session().last.line.set(line);
        }
    }

    /// A signal that the shell sends itself: its trap, or the end.
    pub(super) fn signal_self(&mut self, name: &str, status: u8) -> Flow {
        let trapped = self.session().traps.borrow().contains_key(name);
        if !trapped {
            return self.act(Reply::Request(Request::Exit(status)));
        }
        self.finish(0);
        self.run_trap(name);
        Ok(())
    }
}
