//! A pattern to its tree: recursive over groups, bounded in depth.

use std::rc::Rc;

use super::{Anchor, Class, Flags, Look, Set, Step};

/// How deeply groups nest.
const MAX_DEPTH: usize = 100;
/// A part of a pattern.
#[derive(Clone)]
pub(super) enum Node {
    Empty,
    Step(Step),
    /// One after the other.
    Join(Vec<Node>),
    /// The first that matches.
    Either(Vec<Node>),
    Group(usize, Box<Node>),
    Look(Look, Box<Node>),
    Repeat {
        node: Box<Node>,
        least: u32,
        most: Option<u32>,
        greedy: bool,
    },
}

pub(super) type Parsed<T> = Result<T, &'static str>;

/// The tree of a pattern, and the names of its groups.
pub(super) fn parse(pattern: &str, flags: Flags) -> Parsed<(Node, Vec<Option<String>>)> {
    let mut parser = Parser {
        chars: pattern.chars().collect(),
        at: 0,
        flags,
        names: Vec::new(),
        highest_reference: 0,
    };
    let node = parser.alternatives(0)?;
    if parser.at < parser.chars.len() {
        return Err("unmatched close parenthesis");
    }
    if parser.highest_reference > parser.names.len() {
        return Err("invalid backref number/name");
    }
    Ok((node, parser.names))
}

struct Parser {
    chars: Vec<char>,
    at: usize,
    flags: Flags,
    names: Vec<Option<String>>,
    highest_reference: usize,
}

impl Parser {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += 1;
        Some(c)
    }

    fn take(&mut self, text: &str) -> bool {
        let rest = self.chars.get(self.at..).unwrap_or_default();
        let found = text.chars().eq(rest.iter().copied().take(text.chars().count()));
        if found {
            self.at += text.chars().count();
        }
        found
    }

    fn alternatives(&mut self, depth: usize) -> Parsed<Node> {
        if depth > MAX_DEPTH {
            return Err("nested too deeply");
        }
        let mut branches = vec![self.sequence(depth)?];
        while self.take("|") {
            branches.push(self.sequence(depth)?);
        }
        Ok(if branches.len() == 1 {
            branches.pop().unwrap_or(Node::Empty)
        } else {
            Node::Either(branches)
        })
    }

    fn sequence(&mut self, depth: usize) -> Parsed<Node> {
        let mut nodes = Vec::new();
        loop {
            if self.flags.extended {
                self.skip_blanks();
            }
            match self.peek() {
                None | Some('|' | ')') => return Ok(Node::Join(nodes)),
                Some(_) => {}
            }
            let before = self.at;
            let node = self.atom(depth)?;
            // `(?i)` alone changes the flags of what follows and is nothing itself.
            let quantifiable = !matches!(node, Node::Empty) || self.at > before + 3;
            nodes.push(self.quantified(node, quantifiable)?);
        }
    }

    fn skip_blanks(&mut self) {
        while let Some(c) = self.peek() {
            if c == '#' {
                while self.next().is_some_and(|c| c != '\n') {}
            } else if c.is_whitespace() {
                self.at += 1;
            } else {
                return;
            }
        }
    }

    fn quantified(&mut self, mut node: Node, allowed: bool) -> Parsed<Node> {
        loop {
            if self.flags.extended {
                self.skip_blanks();
            }
            let (least, most) = match self.peek() {
                Some('*') => (0, None),
                Some('+') => (1, None),
                Some('?') => (0, Some(1)),
                Some('{') => match self.braces()? {
                    Some(counts) => counts,
                    None => return Ok(node),
                },
                _ => return Ok(node),
            };
            if !allowed {
                return Err("target of repeat operator is invalid");
            }
            let braced = self.peek() == Some('{');
            if braced {
                while self.next().is_some_and(|c| c != '}') {}
            } else {
                self.at += 1;
            }
            let lazy = self.take("?");
            let repeat = Node::Repeat { node: Box::new(node), least, most, greedy: !lazy };
            node = if !lazy && !braced && self.take("+") {
                Node::Look(Look::Atomic, Box::new(repeat))
            } else {
                repeat
            };
        }
    }

    /// The counts of `{n}`, `{n,}`, `{,m}`, `{n,m}` from here; `None` where the brace is itself.
    fn braces(&self) -> Parsed<Option<(u32, Option<u32>)>> {
        let rest = self.chars.get(self.at + 1..).unwrap_or_default();
        let Some(end) = rest.iter().position(|c| *c == '}') else { return Ok(None) };
        let inner: String = rest.iter().take(end).collect();
        let (least, most) = match inner.split_once(',') {
            Some((least, most)) => (least, Some(most)),
            None => (inner.as_str(), None),
        };
        let is_number = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
        if inner.is_empty() || inner == "," || !is_number(least) || !most.is_none_or(is_number) {
            return Ok(None);
        }
        let number = |text: &str| match text {
            "" => Ok(0),
            _ => text.parse().ok().filter(|n| *n <= 100_000).ok_or("too big number"),
        };
        let least = number(least)?;
        let most = match most {
            None => Some(least),
            Some("") => None,
            Some(most) => Some(number(most)?),
        };
        if most.is_some_and(|most| most < least) {
            return Err("upper bound is smaller than the lower one");
        }
        Ok(Some((least, most)))
    }

    fn atom(&mut self, depth: usize) -> Parsed<Node> {
        Ok(match self.next() {
            None => Node::Empty,
            Some('(') => return self.group(depth),
            Some('[') => {
                let mut set = self.set(depth + 1)?;
                set.ignore_case = self.flags.ignore_case;
                Node::Step(Step::Set(Rc::new(set)))
            }
            Some('.') => Node::Step(Step::Any(self.flags.dot_all)),
            Some('^') => Node::Step(Step::At(Anchor::TextStart)),
            Some('$') => Node::Step(Step::At(Anchor::LastEnd)),
            Some('*' | '+' | '?') => return Err("target of repeat operator is not specified"),
            Some('\\') => return self.escape(),
            Some(c) => Node::Step(Step::Char(c, self.flags.ignore_case)),
        })
    }

    fn group(&mut self, depth: usize) -> Parsed<Node> {
        if !self.take("?") {
            return self.capture(None, depth);
        }
        let looks = [
            ("=", Look::Ahead),
            ("!", Look::NotAhead),
            ("<=", Look::Behind),
            ("<!", Look::NotBehind),
            (">", Look::Atomic),
        ];
        for (mark, kind) in looks {
            if self.take(mark) {
                let node = self.closed(depth)?;
                return Ok(Node::Look(kind, Box::new(node)));
            }
        }
        if self.take(":") {
            return self.closed(depth);
        }
        if self.take("#") {
            while self.next().ok_or("end pattern in group")? != ')' {}
            return Ok(Node::Empty);
        }
        if self.take("<") || self.take("P<") {
            let mut name = String::new();
            loop {
                match self.next().ok_or("end pattern in group")? {
                    '>' if !name.is_empty() => break,
                    c if c.is_alphanumeric() || c == '_' => name.push(c),
                    _ => return Err("invalid group name"),
                }
            }
            return self.capture(Some(name), depth);
        }
        self.flag_group(depth)
    }

    fn capture(&mut self, name: Option<String>, depth: usize) -> Parsed<Node> {
        self.names.push(name);
        let number = self.names.len();
        Ok(Node::Group(number, Box::new(self.closed(depth)?)))
    }

    /// The rest of a group with its parenthesis; flags set in it end with it.
    fn closed(&mut self, depth: usize) -> Parsed<Node> {
        let flags = self.flags;
        let node = self.alternatives(depth + 1)?;
        self.flags = flags;
        if self.take(")") { Ok(node) } else { Err("end pattern with unmatched parenthesis") }
    }

    /// `(?i-x)` for the rest of the group around it, `(?i:…)` for its own.
    fn flag_group(&mut self, depth: usize) -> Parsed<Node> {
        let outer = self.flags;
        let mut on = true;
        loop {
            match self.next().ok_or("end pattern in group")? {
                '-' => on = false,
                'i' => self.flags.ignore_case = on,
                'x' => self.flags.extended = on,
                's' | 'm' => self.flags.dot_all = on,
                ')' => return Ok(Node::Empty),
                ':' => {
                    let node = self.closed(depth)?;
                    self.flags = outer;
                    return Ok(node);
                }
                _ => return Err("undefined group option"),
            }
        }
    }

    fn escape(&mut self) -> Parsed<Node> {
        let c = self.next().ok_or("end pattern at escape")?;
        if let Some((class, negated)) = class_escape(c) {
            let set = Set { classes: vec![(class, negated)], ..Set::default() };
            return Ok(Node::Step(Step::Set(Rc::new(set))));
        }
        Ok(Node::Step(match c {
            'A' => Step::At(Anchor::TextStart),
            'z' => Step::At(Anchor::TextEnd),
            'Z' => Step::At(Anchor::LastEnd),
            'b' => Step::At(Anchor::Word),
            'B' => Step::At(Anchor::NotWord),
            'R' | 'X' | 'K' | 'G' => return Err("unsupported escape"),
            'k' if self.take("<") => {
                let mut name = String::new();
                while let Some(c) = self.next().filter(|c| *c != '>') {
                    name.push(c);
                }
                let named = |group: &Option<String>| group.as_deref() == Some(name.as_str());
                let number = match name.parse() {
                    Ok(number) => number,
                    Err(_) => {
                        let index = self.names.iter().position(named);
                        index.ok_or("undefined name reference")? + 1
                    }
                };
                self.reference(number)
            }
            '1'..='9' => {
                let mut number = c.to_digit(10).unwrap_or(0) as usize;
                while let Some(digit) = self.peek().and_then(|c| c.to_digit(10)) {
                    if number > 100 {
                        break;
                    }
                    number = number * 10 + digit as usize;
                    self.at += 1;
                }
                self.reference(number)
            }
            'p' | 'P' => Step::Set(Rc::new(self.property(c == 'P')?)),
            _ => Step::Char(self.character_escape(c)?, self.flags.ignore_case),
        }))
    }

    fn reference(&mut self, number: usize) -> Step {
        self.highest_reference = self.highest_reference.max(number);
        Step::Back(number, self.flags.ignore_case)
    }

    /// `\p{Name}` and `\p{^Name}`.
    fn property(&mut self, negated: bool) -> Parsed<Set> {
        if !self.take("{") {
            return Err("invalid character property name");
        }
        let negated = negated != self.take("^");
        let mut name = String::new();
        while let Some(c) = self.next().filter(|c| *c != '}') {
            name.extend(c.to_lowercase());
        }
        let class = class_named(&name).ok_or("invalid character property name")?;
        Ok(Set { classes: vec![(class, negated)], ..Set::default() })
    }

    /// The character that an escape stands for.
    fn character_escape(&mut self, c: char) -> Parsed<char> {
        Ok(match c {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'f' => '\u{c}',
            'v' => '\u{b}',
            'a' => '\u{7}',
            'e' => '\u{1b}',
            '0' => '\0',
            'x' if self.take("{") => {
                let mut digits = String::new();
                while let Some(c) = self.next().filter(|c| *c != '}') {
                    digits.push(c);
                }
                code_point(&digits)?
            }
            'x' => self.hex(2)?,
            'u' => self.hex(4)?,
            other => other,
        })
    }

    fn hex(&mut self, most: usize) -> Parsed<char> {
        let rest = self.chars.get(self.at..).unwrap_or_default();
        let digits: String = rest.iter().take(most).take_while(|c| c.is_ascii_hexdigit()).collect();
        self.at += digits.len();
        code_point(&digits)
    }

    /// The rest of a bracket expression.
    fn set(&mut self, depth: usize) -> Parsed<Set> {
        if depth > MAX_DEPTH {
            return Err("nested too deeply");
        }
        let mut set = Set { negated: self.take("^"), ..Set::default() };
        let mut first = true;
        loop {
            let c = self.next().ok_or("premature end of char-class")?;
            match c {
                ']' if !first => return Ok(set),
                '[' if self.peek() == Some(':') => match self.posix_class() {
                    Some(class) => set.classes.push(class),
                    None => set.ranges.push(('[', '[')),
                },
                '[' => set.inner.push(self.set(depth + 1)?),
                '&' if self.take("&") => {
                    // What follows is a set of its own that ends with this bracket.
                    set.also.push(self.set_after_and(depth)?);
                    return Ok(set);
                }
                _ => self.set_item(c, &mut set)?,
            }
            first = false;
        }
    }

    fn set_after_and(&mut self, depth: usize) -> Parsed<Set> {
        let mut set = self.set(depth + 1)?;
        set.ignore_case = self.flags.ignore_case;
        Ok(set)
    }

    /// A character, a range or an escape of a bracket expression.
    fn set_item(&mut self, c: char, set: &mut Set) -> Parsed<()> {
        let first = match c {
            '\\' => {
                let escape = self.next().ok_or("end pattern at escape")?;
                if let Some(class) = class_escape(escape) {
                    set.classes.push(class);
                    return Ok(());
                }
                match escape {
                    'p' | 'P' => {
                        let inner = self.property(escape == 'P')?;
                        set.inner.push(inner);
                        return Ok(());
                    }
                    'b' => '\u{8}',
                    _ => self.character_escape(escape)?,
                }
            }
            c => c,
        };
        let is_range = self.peek() == Some('-')
            && self.chars.get(self.at + 1).is_some_and(|c| *c != ']' && *c != '[');
        if !is_range {
            set.ranges.push((first, first));
            return Ok(());
        }
        self.at += 1;
        let last = match self.next() {
            Some('\\') => {
                let escape = self.next().ok_or("end pattern at escape")?;
                if let Some(class) = class_escape(escape) {
                    set.ranges.extend([(first, first), ('-', '-')]);
                    set.classes.push(class);
                    return Ok(());
                }
                self.character_escape(escape)?
            }
            Some(c) => c,
            None => return Err("premature end of char-class"),
        };
        if last < first {
            return Err("empty range in char class");
        }
        set.ranges.push((first, last));
        Ok(())
    }

    /// `[:name:]`, from its colon.
    fn posix_class(&mut self) -> Option<(Class, bool)> {
        let rest: String = self.chars.get(self.at + 1..)?.iter().take(12).collect();
        let (name, _) = rest.split_once(":]")?;
        let negated = name.starts_with('^');
        let class = class_named(name.trim_start_matches('^'))?;
        self.at += name.chars().count() + 3;
        Some((class, negated))
    }
}

fn code_point(digits: &str) -> Parsed<char> {
    let code = u32::from_str_radix(digits, 16).ok();
    code.and_then(char::from_u32).ok_or("invalid code point value")
}

fn class_escape(c: char) -> Option<(Class, bool)> {
    Some(match c {
        'd' => (Class::Digit, false),
        'D' => (Class::Digit, true),
        'w' => (Class::Word, false),
        'W' => (Class::Word, true),
        's' => (Class::Space, false),
        'S' => (Class::Space, true),
        'h' => (Class::Hex, false),
        'H' => (Class::Hex, true),
        _ => return None,
    })
}

fn class_named(name: &str) -> Option<Class> {
    Some(match name {
        "digit" | "nd" | "n" => Class::Digit,
        "word" => Class::Word,
        "space" => Class::Space,
        "xdigit" => Class::Hex,
        "alpha" | "l" | "letter" => Class::Alpha,
        "alnum" => Class::Alnum,
        "upper" | "lu" => Class::Upper,
        "lower" | "ll" => Class::Lower,
        "punct" | "p" => Class::Punct,
        "cntrl" => Class::Control,
        "graph" => Class::Graph,
        "print" => Class::Print,
        "blank" => Class::Blank,
        "ascii" => Class::Ascii,
        _ => return None,
    })
}
