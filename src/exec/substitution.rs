//! Shells within the shell: `$(…)`, `( … )`, and what comes out of them.

use std::rc::Rc;

use super::Machine;
use super::flow::Flow;
use super::frame::{Frame, Purpose, ShellFrame};
use crate::expand::Answer;
use crate::io::{Capture, Stream};
use crate::syntax::{Argument, Command, Part, Script, Substitution};
use crate::tool::Registry;
use crate::value::Value;

impl Machine {
    /// Enters a copy of the shell; leaving the frame comes back.
    pub(super) fn enter_shell(&mut self, purpose: Purpose) -> Flow {
        self.deepen()?;
        let session = Rc::new(self.cx.session.snapshot());
        let frame = ShellFrame {
            session: self.set_session(session),
            fds: self.cx.streams.fds.clone(),
            source: Rc::clone(&self.source),
            purpose,
        };
        self.frames.push(Frame::Shell(Box::new(frame)));
        Ok(())
    }

    /// Runs the program an expansion asked for.
    pub(super) fn start_substitution(&mut self, program: &Rc<Substitution>) -> Flow {
        let typed = is_typed(&program.script, &self.cx.services.registry);
        let capture = Rc::new(Capture::with_limit(self.cx.services.limits.value_bytes));
        if self.enter_shell(Purpose::Substitution(Rc::clone(&capture), typed)).is_err() {
            self.refuse_substitution("maximum recursion depth exceeded");
            return Err(super::flow::Unwind::Exit(1));
        }
        self.cx.streams.fds.set(1, Stream::Capture(capture));
        self.frames.push(Frame::Script(Rc::clone(&program.script), 0));
        Ok(())
    }
}

/// What a finished substitution comes to.
pub(super) fn output(capture: &Capture, typed: bool) -> Answer {
    let mut bytes = capture.take_bytes();
    if let Some(value) = capture.take_value().filter(|_| typed) {
        return Answer::Output { value, typed: true };
    }
    while bytes.last() == Some(&b'\n') {
        bytes.pop();
    }
    Answer::Output { value: Value::from_bytes(bytes), typed: false }
}

/// Whether a program is one pipeline whose last command answers a typed value.
fn is_typed(script: &Script, registry: &Registry) -> bool {
    let [statement] = script.statements.as_slice() else { return false };
    if !statement.rest.is_empty() || statement.background {
        return false;
    }
    let Some(Command::Simple(last)) = statement.first.stages.last().map(|stage| &stage.command)
    else {
        return false;
    };
    let mut words = last.words.iter().filter_map(|word| match word {
        Argument::Word(word) => match word.parts.as_slice() {
            [Part::Literal(text)] => Some(text.as_str()),
            _ => None,
        },
        Argument::Assignment(_) => None,
    });
    if last
        .redirects
        .iter()
        .any(|redirect| redirect.fd.is_none_or(|fd| fd == 1) && writes(redirect))
    {
        return false;
    }
    let named = match last.words.first() {
        Some(Argument::Word(word)) => match word.parts.as_slice() {
            [Part::Literal(name)] => registry
                .builtin(name)
                .is_some_and(|builtin| builtin.spec.answers_value || name == "gather"),
            _ => false,
        },
        _ => false,
    };
    named || words.any(|word| word == "--json")
}

fn writes(redirect: &crate::syntax::Redirect) -> bool {
    use crate::syntax::RedirectKind as Kind;
    !matches!(redirect.kind, Kind::Read(_) | Kind::HereDocument(_) | Kind::HereString(_))
}
