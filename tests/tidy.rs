//! The shape of the source: rooms import only from rooms above, files are short and say what they are.
#![expect(clippy::unwrap_used, reason = "a test stops where it cannot go on")]
#![expect(clippy::disallowed_types, reason = "a test reads the machine's own files")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The rooms from top to bottom: a room may use itself and what stands before it.
const ROOMS: [&str; 17] = [
    "value", "syntax", "pattern", "host", "io", "vfs", "env", "jobs", "tool", "backend", "expand",
    "validate", "exec", "builtins", "editor", "kernel", "web",
];

/// Rooms that must not see each other although the order would allow it.
const STRANGERS: [(&str, &str); 2] = [("builtins", "exec"), ("editor", "exec")];

/// The longest a file may be without its inline tests.
const MAX_LINES: usize = 600;

fn sources() -> Vec<(PathBuf, String)> {
    let mut files = Vec::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut pending = vec![root.join("src"), root.join("modules")];
    while let Some(directory) = pending.pop() {
        for entry in std::fs::read_dir(directory).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                pending.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push((path.clone(), std::fs::read_to_string(path).unwrap()));
            }
        }
    }
    files.sort();
    files
}

fn room_of(path: &Path) -> Option<String> {
    let mut parts = path.components().map(|part| part.as_os_str().to_string_lossy().into_owned());
    parts.find(|part| part == "src")?;
    let room = parts.next()?;
    ROOMS.contains(&room.as_str()).then_some(room)
}

/// The text without comments' lines and inline tests.
fn code(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .take_while(|line| *line != "#[cfg(test)]")
        .filter(|line| !line.trim_start().starts_with("//"))
}

/// Every room that a line names as `crate::room`, alone or in braces.
fn rooms_named(line: &str) -> Vec<&str> {
    let after = line.split("crate::").skip(1);
    after
        .filter_map(|rest| {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            rest.get(..end.unwrap_or(rest.len()))
        })
        .filter(|name| ROOMS.contains(name))
        .collect()
}

#[test]
fn rooms_import_only_from_above() {
    let rank = |room: &str| ROOMS.iter().position(|name| *name == room);
    let mut wrong = String::new();
    for (path, text) in sources() {
        let Some(room) = room_of(&path) else { continue };
        for line in code(&text) {
            for named in rooms_named(line) {
                let strange = STRANGERS.contains(&(room.as_str(), named));
                if strange || rank(named) > rank(&room) {
                    let _ = writeln!(wrong, "{}: {room} uses {named}: {line}", path.display());
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn only_web_knows_the_browser() {
    let mut wrong = String::new();
    for (path, text) in sources() {
        let is_boundary = path.ends_with("wasm/src/lib.rs");
        if room_of(&path).as_deref() == Some("web") || is_boundary {
            continue;
        }
        for line in code(&text) {
            if ["wasm_bindgen", "js_sys", "web_sys"].iter().any(|name| line.contains(name)) {
                let _ = writeln!(wrong, "{}: {line}", path.display());
            }
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn files_are_short_and_introduce_themselves() {
    let mut wrong = String::new();
    for (path, text) in sources() {
        let lines = text.lines().take_while(|line| *line != "#[cfg(test)]").count();
        let is_tests = path.file_stem().is_some_and(|stem| stem == "tests")
            || path.components().any(|part| part.as_os_str() == "tests");
        if lines > MAX_LINES && !is_tests {
            let _ = writeln!(wrong, "{}: {lines} lines", path.display());
        }
        if !text.starts_with("//! ") {
            let _ = writeln!(wrong, "{}: no first //! line", path.display());
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}
