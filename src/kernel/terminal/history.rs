//! The history of accepted lines in a file of the home directory, added to line by line.

use std::rc::Rc;

use crate::editor::History;
use crate::kernel::Kernel;
use crate::tool::KernelBackend;
use crate::value::Value;
use crate::vfs::{Path, PathBuf, WriteMode};

/// Lines kept.
const LIMIT: usize = 10_000;

/// The file below the home directory.
const NAME: &str = ".tabsh_history";

/// The history's file.
pub(super) struct HistoryFile {
    backend: Rc<dyn KernelBackend>,
    path: PathBuf,
}

impl HistoryFile {
    pub(super) fn of(kernel: &Kernel) -> Self {
        let scope = kernel.session().scope.borrow();
        let home = scope.get("HOME").map_or_else(|| "/".into(), Value::to_text_lossy);
        let backend = Rc::clone(&kernel.services().backend);
        Self { backend, path: Path::new(&home).join(Path::new(NAME)) }
    }

    /// The text of the file, without older copies of a line; empty where there is none.
    pub(super) async fn load(&self) -> String {
        let Ok(bytes) = self.backend.read(&self.path, None).await else { return String::new() };
        let text = String::from_utf8_lossy(&bytes);
        let mut history = History::new(LIMIT);
        history.load(&text);
        let kept = history.save();
        if kept.len() < text.len() / 2 {
            // A history that cannot be made shorter is as good as it was.
            let _ = self.backend.write(&self.path, kept.as_bytes(), WriteMode::Overwrite).await;
        }
        kept
    }

    /// Adds a line, unless it starts with a space.
    pub(super) async fn add(&self, line: &str) {
        let mut one = History::new(1);
        one.push(line);
        // A full or read-only volume must not keep the line from running.
        let _ = self.backend.append(&self.path, one.save().as_bytes()).await;
    }
}
