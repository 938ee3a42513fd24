//! Regular expressions as jq takes them (Perl's dialect): a pattern to a program, a search to groups.
//!
//! A backtracking machine with a stack of its own and a bound on its steps: greedy, lazy and
//! possessive repetition, named groups, back-references, look-around, inline flags.

mod compile;
mod parse;
mod run;

use std::rc::Rc;

/// The letters after a pattern.
#[expect(clippy::struct_excessive_bools, reason = "one per letter")]
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Flags {
    /// `g`: all matches.
    pub(crate) global: bool,
    /// `n`: no empty matches.
    pub(crate) skip_empty: bool,
    ignore_case: bool,
    dot_all: bool,
    extended: bool,
    longest: bool,
}

impl Flags {
    /// The flags of these letters; `None` for an unknown one.
    pub(crate) fn new(letters: &str) -> Option<Self> {
        let mut flags = Self::default();
        for letter in letters.chars() {
            match letter {
                'g' => flags.global = true,
                'n' => flags.skip_empty = true,
                'i' => flags.ignore_case = true,
                'x' => flags.extended = true,
                'l' => flags.longest = true,
                'p' => flags.dot_all = true,
                // `^` and `$` are those of the whole text anyway.
                's' => {}
                _ => return None,
            }
        }
        Some(flags)
    }
}

/// Start and end of each group, in characters; the first is the whole match.
pub(crate) type Groups = Vec<Option<(usize, usize)>>;

/// A compiled pattern.
pub(crate) struct Regex {
    program: Vec<Step>,
    names: Vec<Option<String>>,
    longest: bool,
}

/// One step of a program.
#[derive(Clone, Debug)]
enum Step {
    /// A character; `true`: in either case.
    Char(char, bool),
    /// Any character; `false`: but a newline.
    Any(bool),
    /// A character of a set.
    Set(Rc<Set>),
    /// A place.
    At(Anchor),
    /// What a group holds; `true`: in either case.
    Back(usize, bool),
    /// Goes on at the first, and if that fails at the second.
    Fork(usize, usize),
    Jump(usize),
    /// Notes the place in a slot: two per group, then one per loop.
    Save(usize),
    /// Leaves a loop whose turn began here (its slot) and took nothing.
    Progress(usize),
    /// A program of its own from here.
    Look {
        program: Rc<Vec<Step>>,
        kind: Look,
    },
    /// The end.
    Match,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Look {
    Ahead,
    NotAhead,
    Behind,
    NotBehind,
    /// `(?>…)`: matched once, never again.
    Atomic,
}

#[derive(Clone, Copy, Debug)]
enum Anchor {
    TextStart,
    TextEnd,
    /// The end, or before a newline there.
    LastEnd,
    Word,
    NotWord,
}

/// A set of characters.
#[derive(Clone, Debug, Default)]
struct Set {
    negated: bool,
    ignore_case: bool,
    ranges: Vec<(char, char)>,
    classes: Vec<(Class, bool)>,
    inner: Vec<Set>,
    /// Sets that must hold too (`&&`).
    also: Vec<Set>,
}

#[derive(Clone, Copy, Debug)]
enum Class {
    Digit,
    Word,
    Space,
    Hex,
    Alpha,
    Alnum,
    Upper,
    Lower,
    Punct,
    Control,
    Graph,
    Print,
    Blank,
    Ascii,
}

impl Class {
    fn holds(self, c: char) -> bool {
        match self {
            Self::Digit => c.is_ascii_digit(),
            Self::Word => c.is_alphanumeric() || c == '_',
            Self::Space => c.is_whitespace(),
            Self::Hex => c.is_ascii_hexdigit(),
            Self::Alpha => c.is_alphabetic(),
            Self::Alnum => c.is_alphanumeric(),
            Self::Upper => c.is_uppercase(),
            Self::Lower => c.is_lowercase(),
            Self::Punct => c.is_ascii_punctuation(),
            Self::Control => c.is_control(),
            Self::Graph => !c.is_control() && !c.is_whitespace(),
            Self::Print => !c.is_control(),
            Self::Blank => c == ' ' || c == '\t',
            Self::Ascii => c.is_ascii(),
        }
    }
}

/// The character that those of other case compare as.
fn fold(c: char) -> char {
    if c.is_ascii() { c.to_ascii_lowercase() } else { c.to_lowercase().next().unwrap_or(c) }
}

impl Set {
    fn holds(&self, c: char) -> bool {
        let mut found = self.holds_as(c);
        if self.ignore_case && !found {
            let upper = c.to_uppercase().next().unwrap_or(c);
            found = self.holds_as(fold(c)) || self.holds_as(upper);
        }
        (found && self.also.iter().all(|set| set.holds(c))) != self.negated
    }

    fn holds_as(&self, c: char) -> bool {
        self.ranges.iter().any(|(first, last)| (*first..=*last).contains(&c))
            || self.classes.iter().any(|(class, negated)| class.holds(c) != *negated)
            || self.inner.iter().any(|set| set.holds(c))
    }
}

impl Regex {
    /// Compiles a pattern; the error says what is wrong with it.
    pub(crate) fn new(pattern: &str, flags: Flags) -> Result<Self, &'static str> {
        let (tree, names) = parse::parse(pattern, flags)?;
        let program = compile::compile(&tree, names.len())?;
        Ok(Self { program, names, longest: flags.longest })
    }

    /// The names of the groups, from the first one in parentheses.
    pub(crate) fn names(&self) -> &[Option<String>] {
        &self.names
    }

    /// The first match at or after `from`; an error where the search takes too many steps.
    pub(crate) fn find(&self, text: &[char], from: usize) -> Result<Option<Groups>, &'static str> {
        let mut machine = run::Machine::new(text, self.names.len() + 1, self.longest);
        for start in from..=text.len() {
            if let Some(groups) = machine.match_at(&self.program, start)? {
                return Ok(Some(groups));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pattern: &str, flags: &str, text: &str, expect: Option<&str>) {
        let regex = Regex::new(pattern, Flags::new(flags).unwrap()).unwrap();
        let chars: Vec<char> = text.chars().collect();
        let found = regex.find(&chars, 0).unwrap().map(|groups| {
            let texts = groups.iter().map(|group| match group {
                Some((start, end)) => chars[*start..*end].iter().collect::<String>(),
                None => "-".into(),
            });
            texts.collect::<Vec<_>>().join("|")
        });
        assert_eq!(found.as_deref(), expect, "{pattern}");
    }

    #[test]
    fn perls_dialect() {
        check("a.c", "", "xabc", Some("abc"));
        check("(a+)(b*?)b", "", "aabb", Some("aab|aa|"));
        check("(?<y>\\d{4})-(?<m>\\d\\d)", "", "on 2015-03", Some("2015-03|2015|03"));
        check("^(a|ab)(c|bcd)$", "", "abcd", Some("abcd|a|bcd"));
        check("(a)|(b)", "", "b", Some("b|-|b"));
        check("(\\w)\\1", "", "abccd", Some("cc|c"));
        check("foo(?=bar)", "", "foobaz foobar", Some("foo"));
        check("(?<!x)y", "", "xyy", Some("y"));
        check("(?<=x)y+", "", "yxyy", Some("yy"));
        check("[^\\s,;]+", "", " ,ab c", Some("ab"));
        check("[[:alpha:]_-]+", "", "1a_-b2", Some("a_-b"));
        check("ÄB", "i", "xäb", Some("äb"));
        check("(?i)abc", "", "xABC", Some("ABC"));
        check("a{2,3}", "", "aaaa", Some("aaa"));
        check("a{,2}b", "", "aab", Some("aab"));
        check("(a*)*b", "", "aaac", None);
        check("(?>a+)ab", "", "aaab", None);
        check("a++b", "", "aab", Some("aab"));
        check("\\bfoo\\b", "", "a foo b", Some("foo"));
        check("a b # comment", "x", "ab", Some("ab"));
        check("x{", "", "x{", Some("x{"));
        check(".", "", "\n", None);
        check(".", "p", "\n", Some("\n"));
        check("$", "", "a\n", Some(""));
        check("", "", "a", Some(""));
        check("\\x41\\u0042\\.", "", "AB.", Some("AB."));
    }

    #[test]
    fn bounded() {
        let regex = Regex::new("(a*)*(a*)*(a*)*b", Flags::default()).unwrap();
        let text = vec!['a'; 200];
        assert!(regex.find(&text, 0).is_err());
        for wrong in ["(", "[a", "a**b(", "*a", "(?<n", "\\1", "a{3,1}", "(?=a"] {
            assert!(Regex::new(wrong, Flags::default()).is_err(), "{wrong}");
        }
        assert!(Regex::new(&"(".repeat(10_000), Flags::default()).is_err());
        assert!(Regex::new("((((a{99}){99}){99}){99})", Flags::default()).is_err());
    }
}
