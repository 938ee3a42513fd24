//! Ignore rules as in `.gitignore`: rule files in, whether a walker skips a path out.

use super::glob::{Component, PathGlob, split};

/// What `kaish-ignore defaults on` skips: what tools make, fetch or keep for themselves.
pub const DEFAULT_IGNORES: &str = "\
.git/
.hg/
.svn/
node_modules/
target/
dist/
build/
.venv/
venv/
__pycache__/
.cache/
.DS_Store
";

/// Rules from any number of sources, each for the paths below its directory.
///
/// Of all rules that match a path the last decides; a path below a skipped directory is skipped
/// whatever else matches.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ignore {
    layers: Vec<Layer>,
}

#[derive(Clone, Debug, PartialEq)]
struct Layer {
    /// The components of the directory whose paths the rules are about.
    base: Vec<String>,
    rules: Vec<Rule>,
}

#[derive(Clone, Debug, PartialEq)]
struct Rule {
    components: Vec<Component>,
    /// `!`: takes the path back in.
    includes: bool,
    /// A trailing `/`: matches directories only.
    directory: bool,
}

impl Ignore {
    /// No rules: nothing is skipped.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the rules in `text`, one a line, for paths below the directory `base`. They outrank those
    /// added before.
    pub fn add(&mut self, base: &str, text: &str) {
        let base = base.split('/').filter(|name| !name.is_empty()).map(str::to_owned).collect();
        self.layers.push(Layer { base, rules: text.lines().filter_map(Rule::parse).collect() });
    }

    /// Whether there are no rules.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.layers.iter().all(|layer| layer.rules.is_empty())
    }

    /// Whether a walker skips the entry at `path`, absolute as the bases are, when it has already
    /// gone into its directory.
    #[must_use]
    pub fn skips(&self, path: &str, is_directory: bool) -> bool {
        self.decide(&split(path.as_bytes()), is_directory)
    }

    /// Whether `path` or a directory above it is skipped.
    #[must_use]
    pub fn hides(&self, path: &str, is_directory: bool) -> bool {
        let names = split(path.as_bytes());
        (1..=names.len()).any(|len| {
            let above = names.get(..len).unwrap_or_default();
            self.decide(above, is_directory || len < names.len())
        })
    }

    fn decide(&self, names: &[&[u8]], is_directory: bool) -> bool {
        for layer in self.layers.iter().rev() {
            let Some(below) = layer.below(names) else { continue };
            let mut rules = layer.rules.iter().rev();
            if let Some(rule) = rules.find(|rule| rule.matches(below, is_directory)) {
                return !rule.includes;
            }
        }
        false
    }
}

impl Layer {
    /// The components below the base.
    fn below<'a, 'b>(&self, names: &'a [&'b [u8]]) -> Option<&'a [&'b [u8]]> {
        let (head, below) = names.split_at_checked(self.base.len())?;
        let same = head.iter().zip(&self.base).all(|(name, own)| *name == own.as_bytes());
        (same && !below.is_empty()).then_some(below)
    }
}

impl Rule {
    /// The rule in a line; `None` for blank lines and comments.
    fn parse(line: &str) -> Option<Self> {
        let mut text = line.strip_suffix('\r').unwrap_or(line);
        while let Some(shorter) = text.strip_suffix(' ')
            && !shorter.ends_with('\\')
        {
            text = shorter;
        }
        if text.is_empty() || text.starts_with('#') {
            return None;
        }
        let (includes, text) = text.strip_prefix('!').map_or((false, text), |rest| (true, rest));
        let directory = text.ends_with('/');
        // A slash before the last character ties the rule to the base.
        let tied = text.strip_suffix('/').unwrap_or(text).contains('/');
        let mut components = PathGlob::parse(text).components().to_vec();
        if !tied {
            components.insert(0, Component::Deep);
        }
        match components.last()? {
            // `a/**` is what lies below, not `a` itself.
            Component::Deep => components.push(Component::Pattern(super::Glob::parse("*"))),
            Component::Literal(_) | Component::Pattern(_) => {}
        }
        Some(Self { components, includes, directory })
    }

    fn matches(&self, names: &[&[u8]], is_directory: bool) -> bool {
        (is_directory || !self.directory)
            && super::glob::fits(&self.components, names, super::glob::Hidden::Matched)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Which of `paths` (directories end in `/`) git would ignore under `rules`.
    fn check(rules: &str, ignored: &str, kept: &str) {
        let mut ignore = Ignore::new();
        ignore.add("/w", rules);
        for (paths, expect) in [(ignored, true), (kept, false)] {
            for path in paths.split_whitespace() {
                let (name, directory) =
                    path.strip_suffix('/').map_or((path, false), |name| (name, true));
                assert_eq!(
                    ignore.hides(&format!("/w/{name}"), directory),
                    expect,
                    "{rules}: {path}"
                );
            }
        }
    }

    #[test]
    fn rules_of_one_file() {
        check("*.log", "a.log d/b.log .log", "a.txt log");
        check("node_modules/", "node_modules/ a/node_modules/ node_modules/x.js", "node_modules");
        check("/todo", "todo", "d/todo");
        check("doc/*.txt", "doc/a.txt", "doc/d/a.txt x/doc/a.txt");
        check("**/foo", "foo a/foo a/b/foo/x", "food");
        check("abc/**", "abc/x abc/d/y", "abc/ x/abc/y");
        check("a/**/b", "a/b a/x/b a/x/y/b", "b x/a/b");
        check("*.log\n!keep.log", "a.log", "keep.log d/keep.log");
        check("d/\n!d/x", "d/x", "x");
        check("d/*\n!d/x", "d/y", "d/x");
        check("# a comment\n\n\\#x\n\\!y", "#x !y", "a #");
        check("a \nb\\ ", "a", "b");
        check("[ab]?", "ax by .q/ax", "cx a");
        check("*", ".hidden a", "");
    }

    #[test]
    fn later_and_deeper_rules_win() {
        let mut ignore = Ignore::new();
        assert!(ignore.is_empty());
        ignore.add("/", "*.o\n");
        ignore.add("/src", "!keep.o\n/gen\n");
        assert!(ignore.skips("/a.o", false) && ignore.skips("/src/a.o", false));
        assert!(!ignore.skips("/src/keep.o", false) && ignore.skips("/keep.o", false));
        assert!(ignore.skips("/src/gen", true) && !ignore.skips("/gen", true));
        assert!(!ignore.skips("/src", true));
    }
}
