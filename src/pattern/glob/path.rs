//! Patterns for paths: split at `/`, matched component by component, `**` over any number of them.

use super::{Glob, GlobBuilder, Unit};

/// A pattern for paths.
#[derive(Clone, Debug, PartialEq)]
pub struct PathGlob {
    absolute: bool,
    directory: bool,
    components: Vec<Component>,
}

/// A component of a path pattern.
#[derive(Clone, Debug, PartialEq)]
pub enum Component {
    /// Plain text, `.` and `..` too: no directory need be read.
    Literal(String),
    /// Matched against each entry, see [`Glob::matches_name`].
    Pattern(Glob),
    /// `**`: this directory and every one below it that is not hidden.
    Deep,
}

impl Component {
    /// Whether an entry called `name` fits; [`Component::Deep`] fits every name that is not hidden.
    #[must_use]
    pub fn matches_name(&self, name: impl AsRef<[u8]>) -> bool {
        let name = name.as_ref();
        match self {
            Self::Literal(text) => text.as_bytes() == name,
            Self::Pattern(glob) => glob.matches_name(name),
            Self::Deep => !name.starts_with(b"."),
        }
    }

    fn takes(&self, name: &[u8], hidden: Hidden) -> bool {
        match (self, hidden) {
            (_, Hidden::Named) | (Self::Literal(_), _) => self.matches_name(name),
            (Self::Pattern(glob), Hidden::Matched) => glob.matches(name),
            (Self::Deep, Hidden::Matched) => true,
        }
    }
}

impl PathGlob {
    /// The pattern written as `text`, where a backslash quotes the next character.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let mut builder = GlobBuilder::new();
        builder.push_pattern(text);
        builder.build_path()
    }

    pub(super) fn from_units(units: &[Unit], ignore_case: bool) -> Self {
        let absolute = units.first().is_some_and(|unit| unit.c == '/');
        let directory = units.last().is_some_and(|unit| unit.c == '/');
        let mut components = Vec::new();
        for part in units.split(|unit| unit.c == '/').filter(|part| !part.is_empty()) {
            if part.len() == 2 && part.iter().all(|unit| unit.is('*')) {
                if components.last() != Some(&Component::Deep) {
                    components.push(Component::Deep);
                }
                continue;
            }
            let glob = Glob::from_units(part, ignore_case);
            components.push(match glob.literal() {
                Some(text) => Component::Literal(text.to_owned()),
                None => Component::Pattern(glob),
            });
        }
        Self { absolute, directory, components }
    }

    /// Whether the pattern begins at the root.
    #[must_use]
    pub fn is_absolute(&self) -> bool {
        self.absolute
    }

    /// Whether the pattern ends in `/`, so that it matches directories only.
    #[must_use]
    pub fn is_directory(&self) -> bool {
        self.directory
    }

    /// The components from left to right; empty for `/` and for the empty pattern.
    #[must_use]
    pub fn components(&self) -> &[Component] {
        &self.components
    }

    /// Whether the pattern has no wildcard, so that it names one path.
    #[must_use]
    pub fn is_literal(&self) -> bool {
        self.components.iter().all(|part| matches!(part, Component::Literal(_)))
    }

    /// Whether `path` fits: both absolute or both relative, and all components.
    #[must_use]
    pub fn matches(&self, path: impl AsRef<[u8]>) -> bool {
        let path = path.as_ref();
        path.starts_with(b"/") == self.absolute
            && fits(&self.components, &split(path), Hidden::Named)
    }
}

/// The components of a path, without empty ones.
pub(in crate::pattern) fn split(path: &[u8]) -> Vec<&[u8]> {
    path.split(|&byte| byte == b'/').filter(|name| !name.is_empty()).collect()
}

/// What matches a name with a leading dot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::pattern) enum Hidden {
    /// Only a literal dot, as in the shell.
    Named,
    /// Wildcards too, as in ignore rules.
    Matched,
}

/// Matches components like characters: on a mismatch only the last `**` gives way.
pub(in crate::pattern) fn fits(pattern: &[Component], names: &[&[u8]], hidden: Hidden) -> bool {
    let (mut at, mut part) = (0, 0);
    let mut deep: Option<(usize, usize)> = None;
    loop {
        match (pattern.get(part), names.get(at)) {
            (Some(Component::Deep), _) => {
                part += 1;
                deep = Some((part, at));
                continue;
            }
            (None, None) => return true,
            (Some(own), Some(name)) if own.takes(name, hidden) => {
                part += 1;
                at += 1;
                continue;
            }
            _ => {}
        }
        let Some((after, from)) = deep else { return false };
        // The shell crosses no hidden component.
        if !names.get(from).is_some_and(|name| Component::Deep.takes(name, hidden)) {
            return false;
        }
        deep = Some((after, from + 1));
        (part, at) = (after, from + 1);
    }
}
