//! A command name in, what it means out: alias, reserved word, function, builtin, script, tool.

use std::rc::Rc;

use crate::env::Function;
use crate::tool::ExecContext;
use crate::value::{EcoString, Value};
use crate::vfs::PathBuf;

/// Words that are no commands where one could begin.
const RESERVED: [&str; 21] = [
    "!", "{", "}", "[[", "]]", "case", "do", "done", "elif", "else", "esac", "fi", "for",
    "function", "if", "in", "select", "then", "time", "until", "while",
];

/// What a name means.
pub(super) enum Meaning {
    /// Another text.
    Alias(EcoString),
    /// A word of the grammar.
    Reserved,
    /// A function.
    Function(Rc<Function>),
    /// A builtin.
    Builtin,
    /// A script file.
    Script(PathBuf),
    /// A command of the host page.
    Tool,
}

/// All that a name means, what would run first.
pub(super) async fn meanings(cx: &ExecContext, name: &str) -> Vec<Meaning> {
    let mut found = Vec::new();
    if let Some(text) = cx.session.aliases.borrow().get(name) {
        found.push(Meaning::Alias(text.clone()));
    }
    if RESERVED.contains(&name) {
        found.push(Meaning::Reserved);
    }
    if let Some(function) = cx.session.functions.borrow().get(name) {
        found.push(Meaning::Function(Rc::clone(function)));
    }
    let plain = name.strip_prefix("/v/bin/").unwrap_or(name);
    if cx.services.registry.builtin(plain).is_some() {
        found.push(Meaning::Builtin);
    }
    found.extend(scripts(cx, name).await.into_iter().map(Meaning::Script));
    if cx.services.registry.tool(name).is_some() {
        found.push(Meaning::Tool);
    }
    found
}

/// The script of a path, or `NAME.kai` in the directories of `$PATH`.
async fn scripts(cx: &ExecContext, name: &str) -> Vec<PathBuf> {
    let candidates: Vec<PathBuf> = if name.starts_with("/v/bin/") {
        Vec::new()
    } else if name.contains('/') {
        vec![cx.resolve(name)]
    } else {
        let directories = cx.session.scope.borrow().get("PATH").map(Value::to_text_lossy);
        let directories = directories.unwrap_or_default();
        directories.split(':').map(|root| cx.resolve(root).join(format!("{name}.kai"))).collect()
    };
    let backend = Rc::clone(cx.backend());
    let mut found = Vec::new();
    for path in candidates {
        if backend.stat(&path).await.is_ok_and(|found| found.is_file()) {
            found.push(path);
        }
    }
    found
}
