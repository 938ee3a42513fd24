//! The text of a script in, the checked program out; what is wrong with it on standard error.

use std::rc::Rc;

use crate::syntax::{Script, Source, render};
use crate::tool::{ExecContext, Stop};
use crate::validate::{self, Facts};
use crate::value::EcoString;
use crate::vfs::Path;

/// A program that may run.
pub(super) struct Program {
    /// The tree.
    pub(super) script: Rc<Script>,
    /// Its text.
    pub(super) source: Rc<Source>,
}

/// Where a program runs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// In the present shell; `return` leaves it.
    Sourced,
    /// In a shell of its own.
    Script,
}

/// Parses and validates a program. A rejected one prints its errors; its status is 2.
pub(super) fn check(
    cx: &mut ExecContext,
    kind: Kind,
    name: impl Into<EcoString>,
    text: impl Into<String>,
) -> Result<Program, Stop> {
    let source = Source::new(name, text);
    let sourced = kind == Kind::Sourced;
    let facts = Facts { session: &cx.session, registry: &cx.services.registry, sourced };
    let checked = validate::check(&source.text, &facts);
    for issue in checked.shown() {
        cx.streams.err.extend_from_slice(render(&source, issue).as_bytes());
    }
    if checked.is_rejected() {
        return Err(Stop::Failed(2));
    }
    Ok(Program { script: checked.script, source: Rc::new(source) })
}

/// The text of a script file; a failure is reported, status 1, or 126 where it is no text.
pub(super) async fn read_script(
    cx: &mut ExecContext,
    operand: &str,
    path: &Path,
) -> Result<String, Stop> {
    let backend = Rc::clone(cx.backend());
    let stream = match backend.open_read(path).await {
        Ok(stream) => stream,
        Err(error) => return Err(cx.fail(1, format_args!("{operand}: {}", error.errno()))),
    };
    let bytes = cx.read_all(&stream).await?;
    text_of(cx, operand, bytes)
}

/// Bytes as the text of a script.
pub(super) fn text_of(cx: &mut ExecContext, name: &str, bytes: Vec<u8>) -> Result<String, Stop> {
    String::from_utf8(bytes)
        .map_err(|_| cx.fail(126, format_args!("{name}: not a script: it is no UTF-8 text")))
}
