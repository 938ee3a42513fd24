//! What a walk skips: the rules of `kaish-ignore`, read as it goes down.
//!
//! A walker makes one with [`Skips::below`] for the directory it begins at, calls [`Skips::enter`]
//! for each directory it goes into, and asks [`Skips::skip`] of each entry.

use std::rc::Rc;

use crate::env::IgnoreConfig;
use crate::pattern::{DEFAULT_IGNORES, Ignore};
use crate::tool::ExecContext;
use crate::vfs::Path;

/// The rules in force, and the names of the files that hold more.
pub(super) struct Skips {
    rules: Ignore,
    config: Rc<IgnoreConfig>,
}

impl Skips {
    /// The rules for a walk that begins at an absolute directory, those of the directories above it
    /// included; `None` where nothing is to be skipped.
    pub(super) async fn below(cx: &ExecContext, root: &Path) -> Option<Self> {
        let config = Rc::clone(&cx.session.config.ignore.borrow());
        if config.files.is_empty() && !config.defaults && !config.auto {
            return None;
        }
        let mut rules = Ignore::new();
        if config.defaults {
            rules.add("/", DEFAULT_IGNORES);
        }
        let mut skips = Self { rules, config };
        let mut above: Vec<&Path> = root.ancestors().skip(1).collect();
        above.reverse();
        for directory in above {
            skips.enter(cx, directory).await;
        }
        Some(skips)
    }

    /// Reads the rule files of a directory that the walk goes into.
    pub(super) async fn enter(&mut self, cx: &ExecContext, directory: &Path) {
        let config = Rc::clone(&self.config);
        let names = config.files.iter().map(|name| name.as_str());
        let auto = Some(".gitignore")
            .filter(|auto| config.auto && !config.files.iter().any(|name| name == auto));
        let backend = Rc::clone(cx.backend());
        for name in names.chain(auto) {
            // Without the file there are no rules; one that is no text has none either.
            let Ok(content) = backend.read(&directory.join(name), None).await else { continue };
            if let Ok(text) = String::from_utf8(content) {
                self.rules.add(directory.as_str(), &text);
            }
        }
    }

    /// Whether the walk passes over an entry of a directory it has gone into.
    pub(super) fn skip(&self, path: &Path, is_directory: bool) -> bool {
        self.rules.skips(path.as_str(), is_directory)
    }
}
