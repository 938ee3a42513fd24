//! POSIX regular expressions as the GNU tools read them: text in, a tree out.
//!
//! The grammar is that of POSIX; where it is undefined, each dialect does what its tool does.

use rustc_hash::FxHashMap;

use super::ast::{Ast, Bounds, Look};
use super::bracket::{BracketParser, awk_escape};
use super::error::RegexError;
use super::{Dialect, Newlines, Syntax};
use crate::pattern::chars::CharClass;
use crate::pattern::set::{CharSet, Item};

/// How deep a tree may be: every pass over it recurses.
const MAX_DEPTH: u32 = 200;
/// The greatest number in `{m,n}`.
const MAX_REPEAT: u32 = 0x7fff;

/// A parsed expression.
#[derive(Debug)]
pub(super) struct Parsed {
    pub(super) ast: Ast,
    pub(super) sets: Vec<CharSet>,
    /// How many groups there are.
    pub(super) groups: u32,
    /// The groups that back-references name.
    pub(super) references: Vec<u32>,
}

/// Parses several patterns of which any may match.
pub(super) fn parse(patterns: &[&str], syntax: Syntax) -> Result<Parsed, RegexError> {
    let mut shared = Shared::default();
    let mut branches = Vec::with_capacity(patterns.len());
    for pattern in patterns {
        let chars: Vec<char> = pattern.chars().collect();
        let mut parser = Parser::new(&chars, syntax, &mut shared);
        branches.push(match syntax.dialect {
            Dialect::Fixed => parser.fixed(),
            _ => parser.whole()?,
        });
    }
    let ast = if branches.len() == 1 { branches.swap_remove(0) } else { Ast::Alternate(branches) };
    Ok(Parsed { ast, sets: shared.sets, groups: shared.groups, references: shared.references })
}

/// What the patterns of one expression have in common.
#[derive(Default)]
struct Shared {
    sets: Vec<CharSet>,
    numbers: FxHashMap<CharSet, u32>,
    groups: u32,
    references: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Token {
    End,
    Char(char),
    Any,
    Bracket,
    Open,
    Close,
    Bar,
    Star,
    Plus,
    Question,
    Brace,
    Look(Look),
    /// `\w`, `\s`; negated where the flag is set.
    Class(char),
    Reference(u32),
}

impl Token {
    fn repeats(self) -> bool {
        matches!(self, Self::Star | Self::Plus | Self::Question | Self::Brace)
    }
}

struct Parser<'a> {
    chars: &'a [char],
    at: usize,
    syntax: Syntax,
    shared: &'a mut Shared,
    /// Groups of the patterns before this one: a back-reference counts from here.
    base: u32,
    /// Groups whose end has been read.
    closed: Vec<u32>,
    open: u32,
    /// Whether a `^` here is an anchor in a basic expression.
    caret_anchors: bool,
}

impl<'a> Parser<'a> {
    fn new(chars: &'a [char], syntax: Syntax, shared: &'a mut Shared) -> Self {
        let base = shared.groups;
        Self {
            chars,
            at: 0,
            syntax,
            shared,
            base,
            closed: Vec::new(),
            open: 0,
            caret_anchors: true,
        }
    }

    fn fixed(&mut self) -> Ast {
        let nodes = self.chars.iter().map(|&c| self.character(c)).collect();
        Ast::concat(nodes)
    }

    fn whole(&mut self) -> Result<Ast, RegexError> {
        let ast = self.alternation(0)?;
        match self.token()? {
            (Token::End, _) => Ok(ast),
            _ => Err(RegexError::UnmatchedClose),
        }
    }

    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    /// The token here and its length.
    fn token(&self) -> Result<(Token, usize), RegexError> {
        let Some(c) = self.peek(0) else { return Ok((Token::End, 0)) };
        let extended = self.syntax.dialect.is_extended();
        let token = match c {
            '\\' => return self.escaped(extended),
            '.' => Token::Any,
            '[' => Token::Bracket,
            '*' => Token::Star,
            '(' if extended => Token::Open,
            ')' if extended => Token::Close,
            '|' if extended => Token::Bar,
            '+' if extended => Token::Plus,
            '?' if extended => Token::Question,
            '{' if extended => Token::Brace,
            '^' if extended || self.caret_anchors => Token::Look(self.line_start()),
            '$' if extended || self.dollar_anchors() => Token::Look(self.line_end()),
            c => Token::Char(c),
        };
        Ok((token, 1))
    }

    fn escaped(&self, extended: bool) -> Result<(Token, usize), RegexError> {
        let awk = self.syntax.dialect == Dialect::Awk;
        let Some(c) = self.peek(1) else {
            // awk takes a lone backslash as itself.
            return if awk {
                Ok((Token::Char('\\'), 1))
            } else {
                Err(RegexError::TrailingBackslash)
            };
        };
        let token = match c {
            '(' if !extended => Token::Open,
            ')' if !extended => Token::Close,
            '|' if !extended => Token::Bar,
            '+' if !extended => Token::Plus,
            '?' if !extended => Token::Question,
            '{' if !extended => Token::Brace,
            '1'..='9' if !awk => Token::Reference(c.to_digit(10).unwrap_or(0)),
            'w' | 'W' | 's' | 'S' => Token::Class(c),
            'b' if !awk => Token::Look(Look::Boundary),
            'y' if awk => Token::Look(Look::Boundary),
            'B' => Token::Look(Look::NoBoundary),
            '<' => Token::Look(Look::WordStart),
            '>' => Token::Look(Look::WordEnd),
            '`' => Token::Look(self.text_edge(Look::TextStart, Look::LineStart)),
            '\'' => Token::Look(self.text_edge(Look::TextEnd, Look::LineEnd)),
            _ if awk => {
                let rest = self.chars.get(self.at + 1..).unwrap_or_default();
                let (c, len) = awk_escape(rest).ok_or(RegexError::TrailingBackslash)?;
                return Ok((Token::Char(c), len + 1));
            }
            c => Token::Char(c),
        };
        Ok((token, 2))
    }

    /// Where every line is a text of its own, the edges of the text are those of the line.
    fn text_edge(&self, text: Look, line: Look) -> Look {
        if self.syntax.newlines == Newlines::Separate { line } else { text }
    }

    fn line_start(&self) -> Look {
        match self.syntax.newlines {
            Newlines::Ordinary => Look::TextStart,
            Newlines::Anchors | Newlines::Separate => Look::LineStart,
        }
    }

    fn line_end(&self) -> Look {
        match self.syntax.newlines {
            Newlines::Ordinary => Look::TextEnd,
            Newlines::Anchors | Newlines::Separate => Look::LineEnd,
        }
    }

    /// In a basic expression `$` is an anchor at the end and before `\)` and `\|`.
    fn dollar_anchors(&self) -> bool {
        match (self.peek(1), self.peek(2)) {
            (None, _) => true,
            (Some('\\'), Some(c)) => c == ')' || c == '|',
            _ => false,
        }
    }

    fn skip(&mut self, len: usize) {
        self.at += len;
        self.caret_anchors = false;
    }

    fn skip_to_branch(&mut self, len: usize) {
        self.at += len;
        self.caret_anchors = true;
    }

    fn alternation(&mut self, depth: u32) -> Result<Ast, RegexError> {
        if depth > MAX_DEPTH {
            return Err(RegexError::TooBig);
        }
        let known = self.closed.len();
        let mut branches = vec![self.branch(depth)?];
        while let (Token::Bar, len) = self.token()? {
            self.skip_to_branch(len);
            // A branch cannot refer to a group of the branches before it.
            let hidden = self.closed.split_off(known);
            branches.push(self.branch(depth)?);
            self.closed.extend(hidden);
        }
        Ok(if branches.len() == 1 { branches.swap_remove(0) } else { Ast::Alternate(branches) })
    }

    fn branch(&mut self, depth: u32) -> Result<Ast, RegexError> {
        let mut nodes = Vec::new();
        loop {
            match self.token()? {
                (Token::End | Token::Bar, _) => break,
                (Token::Close, _) if self.open > 0 => break,
                (Token::Close, len) => {
                    if !self.syntax.dialect.closes_freely() {
                        return Err(RegexError::UnmatchedClose);
                    }
                    self.skip(len);
                    let node = self.character(')');
                    nodes.push(self.repeated(node, depth)?);
                }
                (token, len) => nodes.extend(self.expression(token, len, depth)?),
            }
        }
        Ok(Ast::concat(nodes))
    }

    /// One item with what repeats it; `None` for an operator that is skipped.
    fn expression(
        &mut self,
        token: Token,
        len: usize,
        depth: u32,
    ) -> Result<Option<Ast>, RegexError> {
        let node = match token {
            Token::Look(look) => {
                // Nothing repeats a position, and a `^` after it is another one.
                self.skip_to_branch(len);
                return Ok(Some(Ast::Look(look)));
            }
            _ if token.repeats() => match self.stray_operator(token)? {
                Some(c) => {
                    self.skip(len);
                    self.character(c)
                }
                None => {
                    let interval = match token {
                        Token::Brace => self.interval(len)?,
                        _ => None,
                    };
                    self.at += interval.map_or(len, |(_, len)| len);
                    return Ok(None);
                }
            },
            Token::Open => self.group(len, depth)?,
            Token::Bracket => self.bracket()?,
            Token::Reference(number) => {
                self.skip(len);
                let group = self.base + number;
                if !self.closed.contains(&group) {
                    return Err(RegexError::BadBackReference);
                }
                self.shared.references.push(group);
                Ast::BackReference(group)
            }
            Token::Any => {
                self.skip(len);
                self.set(CharSet { negated: true, ..CharSet::default() })
            }
            Token::Class(name) => {
                self.skip(len);
                self.class(name)
            }
            Token::Char(c) => {
                self.skip(len);
                self.character(c)
            }
            _ => return Ok(None),
        };
        self.repeated(node, depth).map(Some)
    }

    /// A repetition operator without anything before it: the character it stands for, or `None`
    /// where the dialect skips it.
    fn stray_operator(&self, token: Token) -> Result<Option<char>, RegexError> {
        match (self.syntax.dialect, token) {
            (Dialect::Extended, _) | (Dialect::Basic, Token::Brace) => {
                Err(RegexError::NothingToRepeat)
            }
            (Dialect::GrepExtended, Token::Brace) if self.interval(1)?.is_none() => Ok(Some('{')),
            (Dialect::GrepExtended, _) => Ok(None),
            (_, Token::Star) => Ok(Some('*')),
            (_, Token::Plus) => Ok(Some('+')),
            (_, Token::Question) => Ok(Some('?')),
            _ => Ok(Some('{')),
        }
    }

    fn group(&mut self, len: usize, depth: u32) -> Result<Ast, RegexError> {
        self.skip_to_branch(len);
        self.shared.groups += 1;
        let number = self.shared.groups;
        self.open += 1;
        let inner = self.alternation(depth + 1)?;
        let (Token::Close, len) = self.token()? else { return Err(RegexError::UnmatchedOpen) };
        self.skip(len);
        self.open -= 1;
        self.closed.push(number);
        Ok(Ast::Group(number, Box::new(inner)))
    }

    /// Applies the repetition operators that follow.
    fn repeated(&mut self, mut node: Ast, depth: u32) -> Result<Ast, RegexError> {
        let mut levels = depth;
        loop {
            let (token, len) = self.token()?;
            let (bounds, len) = match token {
                Token::Star => (Bounds { min: 0, max: None }, len),
                Token::Plus => (Bounds { min: 1, max: None }, len),
                Token::Question => (Bounds { min: 0, max: Some(1) }, len),
                Token::Brace => match self.interval(len)? {
                    Some(found) => found,
                    None => return Ok(node),
                },
                _ => return Ok(node),
            };
            self.skip(len);
            node = match node {
                // `a**` is `a*`.
                Ast::Repeat(inner, old) if old == bounds && old.max.is_none() => {
                    Ast::Repeat(inner, old)
                }
                other => {
                    levels += 1;
                    Ast::Repeat(Box::new(other), bounds)
                }
            };
            if levels > MAX_DEPTH {
                return Err(RegexError::TooBig);
            }
            if self.syntax.dialect == Dialect::Basic
                && matches!(self.token()?.0, Token::Star | Token::Brace)
            {
                return Err(RegexError::NothingToRepeat);
            }
        }
    }

    /// `{m}`, `{m,}`, `{,n}`, `{m,n}` with an opening of `open` characters; `None` where the dialect
    /// takes a wrong one as text.
    fn interval(&self, open: usize) -> Result<Option<(Bounds, usize)>, RegexError> {
        let rest = self.chars.get(self.at + open..).unwrap_or_default();
        let (low, mut len) = number(rest);
        let mut max = low;
        if rest.get(len) == Some(&',') {
            let (high, digits) = number(rest.get(len + 1..).unwrap_or_default());
            max = high;
            len += 1 + digits;
        }
        let close: &[char] = if self.syntax.dialect.is_extended() { &['}'] } else { &['\\', '}'] };
        let closed = rest.get(len..).is_some_and(|tail| tail.starts_with(close));
        let (min, end) = (low.unwrap_or(0), open + len + close.len());
        if closed && len > 0 && max.is_none_or(|max| min <= max) {
            if max.unwrap_or(min) > MAX_REPEAT {
                return Err(RegexError::TooBig);
            }
            return Ok(Some((Bounds { min, max }, end)));
        }
        if self.syntax.dialect.forgives_intervals() && !(closed && len > 0) {
            return Ok(None);
        }
        let has_end = rest.windows(close.len()).any(|window| window == close);
        Err(if has_end { RegexError::BadInterval } else { RegexError::UnmatchedBrace })
    }

    fn bracket(&mut self) -> Result<Ast, RegexError> {
        let inner = self.chars.get(self.at + 1..).unwrap_or_default();
        let escapes = self.syntax.dialect == Dialect::Awk;
        let (mut set, len) = BracketParser::new(inner, escapes).parse()?;
        self.skip(len + 1);
        set.ignore_case = self.syntax.ignore_case;
        if let [Item::Range(low, high)] = set.items[..]
            && low == high
            && !set.negated
        {
            return Ok(self.character(low));
        }
        Ok(self.set(set))
    }

    fn class(&mut self, name: char) -> Ast {
        let items = match name {
            'w' | 'W' => vec![Item::Class(CharClass::Alnum), Item::Range('_', '_')],
            _ => vec![Item::Class(CharClass::Space)],
        };
        self.set(CharSet { negated: name.is_uppercase(), ignore_case: false, items })
    }

    fn character(&mut self, c: char) -> Ast {
        let set = CharSet::single(c, self.syntax.ignore_case);
        self.intern(set)
    }

    fn set(&mut self, mut set: CharSet) -> Ast {
        if set.negated && self.syntax.newlines == Newlines::Anchors {
            set.items.push(Item::Range('\n', '\n'));
        }
        self.intern(set)
    }

    fn intern(&mut self, set: CharSet) -> Ast {
        let Shared { sets, numbers, .. } = &mut *self.shared;
        let number = *numbers.entry(set).or_insert_with_key(|set| {
            sets.push(set.clone());
            u32::try_from(sets.len() - 1).unwrap_or(u32::MAX)
        });
        Ast::Set(number)
    }
}

/// A decimal number at the start of `rest` and its length.
fn number(rest: &[char]) -> (Option<u32>, usize) {
    let digits = rest.iter().map_while(|c| c.to_digit(10));
    let (mut value, mut len) = (0u32, 0);
    for digit in digits {
        value = value.saturating_mul(10).saturating_add(digit).min(MAX_REPEAT + 1);
        len += 1;
    }
    ((len > 0).then_some(value), len)
}
