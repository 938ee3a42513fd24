//! The language as the line editor asks for it: is a text complete, and what is each part of it.

use std::ops::Range;
use std::rc::Rc;

use crate::editor::{Language, Style};
use crate::env::Session;
use crate::kernel::Kernel;
use crate::syntax::{Kind, highlight, parse};
use crate::tool::Registry;

/// The language with the commands that exist in a shell.
pub(super) struct ShellLanguage {
    session: Rc<Session>,
    registry: Rc<Registry>,
}

impl ShellLanguage {
    pub(super) fn new(kernel: &Kernel) -> Self {
        Self {
            session: Rc::clone(kernel.session()),
            registry: Rc::clone(&kernel.services().registry),
        }
    }

    fn command(&self, name: &str) -> Style {
        let known = name.contains(['/', '$'])
            || self.registry.builtin(name).is_some()
            || self.registry.tool(name).is_some()
            || self.session.functions.borrow().contains_key(name)
            || self.session.aliases.borrow().contains_key(name);
        if known { Style::Command } else { Style::Unknown }
    }
}

impl Language for ShellLanguage {
    fn is_complete(&self, text: &str) -> bool {
        !parse(text).is_incomplete()
    }

    fn highlight(&self, text: &str) -> Vec<(Range<usize>, Style)> {
        let styled = |(span, kind): (crate::syntax::Span, Kind)| {
            let range = span.start as usize..span.end as usize;
            let style = match kind {
                Kind::Command => self.command(span.text(text)),
                Kind::Keyword => Style::Keyword,
                Kind::Operator => Style::Operator,
                Kind::String => Style::Quoted,
                Kind::Variable | Kind::Arithmetic | Kind::Pattern => Style::Expansion,
                Kind::Comment => Style::Comment,
                Kind::Function => Style::Command,
                Kind::Error => Style::Error,
                Kind::Number | Kind::Key | Kind::Plain => return None,
            };
            Some((range, style))
        };
        highlight(text).into_iter().filter_map(styled).collect()
    }
}
