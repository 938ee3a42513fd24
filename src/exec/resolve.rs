//! What a name that is no function and no builtin means: scripts, refusals, near names.

use std::rc::Rc;

use super::Machine;
use crate::expand::Expander;
use crate::io::Errno;
use crate::syntax::{Script, Source, render};
use crate::validate::{self, Facts, meant, nearest, refusal};
use crate::value::{EcoString, Value};
use crate::vfs::PathBuf;

/// What was found for a name.
pub(super) enum Found {
    /// A script, parsed.
    Script {
        /// The program.
        script: Rc<Script>,
        /// Its text.
        source: Rc<Source>,
    },
    /// A script with errors, rendered.
    Rejected(String),
    /// Something that cannot run: status and message.
    Refused(u8, String),
    /// Nothing here; a registered tool may have the name.
    Nothing,
}

/// Looks for a script: by path where the name has a slash, else `NAME.kai` along `$PATH`.
pub(super) async fn look_up(expander: &Expander, name: &str) -> Found {
    if name.contains('/') {
        return script_at(expander, name).await;
    }
    let path = expander.variable("PATH").map(|path| path.to_text_lossy()).unwrap_or_default();
    for directory in path.split(':') {
        let directory = if directory.is_empty() { "." } else { directory };
        let file = format!("{directory}/{name}.kai");
        let full = absolute(expander, &file);
        if expander.services.backend.stat(&full).await.is_ok_and(|found| found.is_file()) {
            return script_at(expander, &file).await;
        }
    }
    Found::Nothing
}

fn absolute(expander: &Expander, path: &str) -> PathBuf {
    let mut full = PathBuf::from(expander.session.cwd.borrow().as_str());
    full.push(path);
    full
}

async fn script_at(expander: &Expander, path: &str) -> Found {
    let full = absolute(expander, path);
    let bytes = match expander.services.backend.read(&full, None).await {
        Ok(bytes) => bytes,
        Err(error) => {
            let status = if error.errno() == Errno::NotFound { 127 } else { 126 };
            return Found::Refused(status, error.errno().to_string());
        }
    };
    let Ok(text) = String::from_utf8(bytes) else {
        return Found::Refused(126, "cannot run: the file is not UTF-8 text".into());
    };
    // What the script's shell will not have of this one only makes the check more lenient.
    let registry = &expander.services.registry;
    let facts = Facts { session: &expander.session, registry, sourced: false };
    let checked = validate::check(&text, &facts);
    let source = Rc::new(Source::new(path, text));
    if checked.is_rejected() {
        return Found::Rejected(checked.shown().map(|issue| render(&source, issue)).collect());
    }
    Found::Script { script: checked.script, source }
}

/// The message for a name that means nothing, with what to do instead.
pub(super) fn not_found(machine: &Machine, name: &str, words: &[Value]) -> String {
    if let Some(advice) = refusal(name) {
        return format!("tabsh: {name}: {advice}\n");
    }
    let mut names = machine.cx.services.registry.names();
    names.extend(machine.session().functions.borrow().keys().cloned());
    names.extend(machine.session().aliases.borrow().keys().cloned());
    let words: Vec<EcoString> = words.iter().map(Value::to_text_lossy).collect();
    if let Some(meant) = meant(name, &words, &names) {
        return format!("tabsh: {name}: command not found; {meant}\n");
    }
    let near = nearest(name, &names);
    if near.is_empty() {
        return format!("tabsh: {name}: command not found (`help` lists the commands)\n");
    }
    format!("tabsh: {name}: command not found; did you mean {}?\n", near.join(" or "))
}
