//! The colours of names, by kind and by `LS_COLORS`.

use super::collect::Entry;
use crate::vfs::FileKind;

/// Colours by kind, and by the end of a name.
pub(super) struct Colors {
    kinds: Vec<(String, String)>,
    suffixes: Vec<(String, String)>,
}

/// What is coloured without `LS_COLORS`.
const DEFAULTS: &[(&str, &str)] = &[
    ("di", "01;34"),
    ("ln", "01;36"),
    ("cd", "01;33"),
    ("su", "37;41"),
    ("sg", "30;43"),
    ("tw", "30;42"),
    ("ow", "34;42"),
    ("st", "37;44"),
    ("ex", "01;32"),
];

impl Colors {
    /// The defaults, changed by the text of `LS_COLORS`: `di=01;34:*.gz=01;31`.
    pub(super) fn new(variable: Option<&str>) -> Self {
        let mut kinds: Vec<(String, String)> =
            DEFAULTS.iter().map(|(key, code)| ((*key).into(), (*code).into())).collect();
        let mut suffixes = Vec::new();
        for part in variable.unwrap_or_default().split(':') {
            let Some((key, code)) = part.split_once('=') else { continue };
            // Only colour codes: anything else could drive the terminal.
            if !code.bytes().all(|byte| byte.is_ascii_digit() || byte == b';') && key != "ln" {
                continue;
            }
            match key.strip_prefix('*') {
                Some(suffix) => suffixes.push((suffix.to_lowercase(), code.into())),
                None => {
                    kinds.retain(|(old, _)| old != key);
                    kinds.push((key.into(), code.into()));
                }
            }
        }
        Self { kinds, suffixes }
    }

    fn kind(&self, key: &str) -> Option<&str> {
        let code = &self.kinds.iter().find(|(kind, _)| kind == key)?.1;
        (!code.is_empty() && code.bytes().any(|byte| byte != b'0')).then_some(code.as_str())
    }

    /// The code of an entry; `None` for no colour.
    pub(super) fn code(&self, entry: &Entry) -> Option<&str> {
        let mode = entry.metadata.mode;
        match entry.metadata.kind {
            FileKind::Symlink if entry.target.as_ref().is_some_and(|t| t.metadata.is_none()) => {
                self.kind("or").or_else(|| self.kind("ln"))
            }
            FileKind::Symlink => self.kind("ln").filter(|code| *code != "target"),
            FileKind::Directory => match (mode & 0o1000 != 0, mode & 0o002 != 0) {
                (true, true) => self.kind("tw"),
                (false, true) => self.kind("ow"),
                (true, false) => self.kind("st"),
                (false, false) => self.kind("di"),
            },
            FileKind::Device => self.kind("cd"),
            FileKind::File if mode & 0o4000 != 0 => self.kind("su"),
            FileKind::File if mode & 0o2000 != 0 => self.kind("sg"),
            FileKind::File if mode & 0o111 != 0 => self.kind("ex"),
            FileKind::File => {
                let name = entry.name.to_lowercase();
                let found = self.suffixes.iter().rev().find(|(suffix, _)| name.ends_with(suffix));
                found.map(|(_, code)| code.as_str()).or_else(|| self.kind("fi"))
            }
        }
    }
}
