//! Permission bits: octal and symbolic modes in, bits and their letters out.

use crate::vfs::FileKind;

/// Every bit.
const ALL: u32 = 0o7777;

/// What a clause without `ugoa` leaves alone.
const MASK: u32 = 0o022;

/// A parsed mode: what `chmod`, `mkdir -m` and `find -perm` take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::builtins) enum Mode {
    /// `755`; with five digits the set-id bits of a directory too.
    Bits { bits: u32, all: bool },
    /// `u+x,go-w`
    Clauses(Vec<Clause>),
}

/// One change: for whom, and what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::builtins) struct Clause {
    /// The bits the `ugoa` letters cover.
    who: u32,
    /// Whether there were any.
    named: bool,
    operator: char,
    what: What,
}

/// The right side of a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    /// `rwxst` as bits for all, and whether `X` was among them.
    Bits { bits: u32, conditional: bool },
    /// `u`, `g` or `o`: how far right to shift the present bits.
    Copy(u32),
}

impl Mode {
    /// Reads an octal or symbolic mode.
    pub(in crate::builtins) fn parse(text: &str) -> Option<Self> {
        if text.starts_with(|c: char| c.is_ascii_digit()) {
            let bits = u32::from_str_radix(text, 8).ok()?;
            return (bits <= ALL).then_some(Self::Bits { bits, all: text.len() > 4 });
        }
        let clauses: Option<Vec<Vec<Clause>>> = text.split(',').map(parse_clause).collect();
        Some(Self::Clauses(clauses?.concat()))
    }

    /// The bits that come of `old` for a file, or for a directory.
    pub(in crate::builtins) fn apply(&self, old: u32, directory: bool) -> u32 {
        match self {
            Self::Bits { bits, all } => {
                // Fewer digits say nothing of the set-id bits of a directory.
                let kept = if directory && !all { old & 0o6000 } else { 0 };
                bits | kept
            }
            Self::Clauses(clauses) => {
                clauses.iter().fold(old, |mode, clause| clause.apply(mode, directory))
            }
        }
    }
}

/// One comma-separated part, which may hold several operators: `u+r-w`.
fn parse_clause(text: &str) -> Option<Vec<Clause>> {
    let at = text.find(['+', '-', '='])?;
    let (who_letters, mut rest) = text.split_at_checked(at)?;
    let mut who = 0;
    for letter in who_letters.chars() {
        who |= match letter {
            'u' => 0o4700,
            'g' => 0o2070,
            'o' => 0o1007,
            'a' => ALL,
            _ => return None,
        };
    }
    let named = who != 0;
    if !named {
        who = ALL & !MASK;
    }
    let mut clauses = Vec::new();
    while let Some(operator) = rest.chars().next() {
        let after = rest.get(1..)?;
        let end = after.find(['+', '-', '=']).unwrap_or(after.len());
        let (letters, next) = after.split_at_checked(end)?;
        clauses.push(Clause { who, named, operator, what: parse_what(letters)? });
        rest = next;
    }
    Some(clauses)
}

fn parse_what(letters: &str) -> Option<What> {
    match letters {
        "u" => return Some(What::Copy(6)),
        "g" => return Some(What::Copy(3)),
        "o" => return Some(What::Copy(0)),
        _ => {}
    }
    if letters.starts_with(|c: char| c.is_ascii_digit()) {
        let bits = u32::from_str_radix(letters, 8).ok().filter(|bits| *bits <= ALL)?;
        return Some(What::Bits { bits, conditional: false });
    }
    let (mut bits, mut conditional) = (0, false);
    for letter in letters.chars() {
        bits |= match letter {
            'r' => 0o444,
            'w' => 0o222,
            'x' => 0o111,
            's' => 0o6000,
            't' => 0o1000,
            'X' => {
                conditional = true;
                0
            }
            _ => return None,
        };
    }
    Some(What::Bits { bits, conditional })
}

impl Clause {
    fn apply(&self, mode: u32, directory: bool) -> u32 {
        let bits = match self.what {
            What::Copy(shift) => {
                let three = (mode >> shift) & 7;
                three << 6 | three << 3 | three
            }
            What::Bits { bits, conditional } => {
                let run = conditional && (directory || mode & 0o111 != 0);
                bits | if run { 0o111 } else { 0 }
            }
        };
        let bits = bits & self.who;
        match self.operator {
            '+' => mode | bits,
            '-' => mode & !bits,
            _ => {
                // `=` leaves the set-id bits of a directory alone.
                let kept = if directory { 0o6000 & !bits } else { 0 };
                let others = if self.named { !self.who } else { 0 };
                (mode & (others | kept)) | bits
            }
        }
    }
}

/// Ten letters as `ls -l` prints them: `drwxr-xr-x`.
pub(in crate::builtins) fn mode_letters(kind: FileKind, mode: u32) -> String {
    let mut text = String::with_capacity(10);
    text.push(match kind {
        FileKind::File => '-',
        FileKind::Directory => 'd',
        FileKind::Symlink => 'l',
        FileKind::Device => 'c',
    });
    let specials = [(0o4000, 's', 'S'), (0o2000, 's', 'S'), (0o1000, 't', 'T')];
    for (index, (special, with_run, without)) in specials.into_iter().enumerate() {
        let three = mode >> (6 - 3 * index);
        text.push(if three & 4 != 0 { 'r' } else { '-' });
        text.push(if three & 2 != 0 { 'w' } else { '-' });
        text.push(match (mode & special != 0, three & 1 != 0) {
            (true, true) => with_run,
            (true, false) => without,
            (false, true) => 'x',
            (false, false) => '-',
        });
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(old: u32, text: &str, expect: u32) {
        let mode = Mode::parse(text).unwrap();
        assert_eq!(format!("{:o}", mode.apply(old, false)), format!("{expect:o}"), "{text}");
    }

    #[test]
    fn symbolic() {
        check(0o644, "755", 0o755);
        check(0o644, "u+x", 0o744);
        check(0o644, "+x", 0o755);
        check(0o777, "go-w,u=rw", 0o655);
        check(0o640, "o=g", 0o644);
        check(0o644, "a+X", 0o644);
        check(0o744, "a+X", 0o755);
        check(0o755, "=", 0);
        check(0o700, "=rw", 0o644);
        check(0o666, "-w", 0o466);
        check(0o755, "u+s,g+s,+t", 0o7755);
        check(0o644, "u+r-w", 0o444);
        for bad in ["999", "77777", "u", "z+x", "u+q", "", "u+x,"] {
            assert_eq!(Mode::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn letters() {
        assert_eq!(mode_letters(FileKind::Directory, 0o1777), "drwxrwxrwt");
        assert_eq!(mode_letters(FileKind::File, 0o4644), "-rwSr--r--");
    }
}
