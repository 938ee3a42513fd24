//! Running a pattern over a text: never more than tokens times characters steps.

use super::{Glob, Token};
use crate::pattern::chars::{decode, decode_last, lower};

impl Glob {
    /// Whether `token` matches one character, `None` being a byte that is no UTF-8.
    fn accepts(&self, token: &Token, c: Option<char>) -> bool {
        match (token, c) {
            (Token::AnyChar | Token::AnyRun, _) => true,
            (Token::Char(own), Some(c)) => {
                *own == c || (self.ignore_case && lower(*own) == lower(c))
            }
            (Token::Set(set), Some(c)) => set.contains(c),
            (Token::Set(set), None) => set.negated,
            (Token::Char(_), None) => false,
        }
    }
}

/// Whether the whole text matches. On a mismatch only the last star gives way: what an earlier one
/// could reach, the later one reaches too.
pub(super) fn matches(glob: &Glob, text: &[u8]) -> bool {
    let (mut at, mut token) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    loop {
        let next = text.get(at..).and_then(decode);
        match (glob.tokens.get(token), next) {
            (Some(Token::AnyRun), _) => {
                token += 1;
                star = Some((token, at));
                continue;
            }
            (None, None) => return true,
            (Some(own), Some((c, len))) if glob.accepts(own, c) => {
                token += 1;
                at += len;
                continue;
            }
            (Some(_), None) => return false,
            _ => {}
        }
        let Some((after, from)) = star else { return false };
        let Some((_, len)) = text.get(from..).and_then(decode) else { return false };
        star = Some((after, from + len));
        (token, at) = (after, from + len);
    }
}

/// Lengths of all matching prefixes, growing.
pub(super) fn prefixes<'a>(glob: &'a Glob, text: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
    let tokens: Vec<&Token> = glob.tokens.iter().collect();
    scan(glob, tokens, text, |rest| decode(rest).map(|(c, len)| (c, len, rest.get(len..))))
        .map(|rest| text.len() - rest)
}

/// Starts of all matching suffixes, the shortest suffix first.
pub(super) fn suffixes<'a>(glob: &'a Glob, text: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
    let tokens: Vec<&Token> = glob.tokens.iter().rev().collect();
    scan(glob, tokens, text, |rest| {
        decode_last(rest).map(|(c, len)| (c, len, rest.get(..rest.len() - len)))
    })
}

/// A character, its length and the text without it.
type Step<'a> = (Option<char>, usize, Option<&'a [u8]>);

/// Steps all positions of the pattern at once through the text; yields the length of the remaining
/// text wherever the pattern is complete.
fn scan<'a>(
    glob: &'a Glob,
    tokens: Vec<&'a Token>,
    text: &'a [u8],
    step: impl Fn(&'a [u8]) -> Option<Step<'a>> + 'a,
) -> impl Iterator<Item = usize> + 'a {
    let mut active = vec![false; tokens.len() + 1];
    if let Some(first) = active.first_mut() {
        *first = true;
    }
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        loop {
            let here = rest?;
            skip_stars(&tokens, &mut active);
            let complete = active.last().copied().unwrap_or(false);
            rest = match step(here) {
                Some((c, _, after)) if advance(glob, &tokens, &mut active, c) => after,
                _ => None,
            };
            if complete {
                return Some(here.len());
            }
        }
    })
}

/// A star matches nothing, too.
fn skip_stars(tokens: &[&Token], active: &mut [bool]) {
    for (at, token) in tokens.iter().enumerate() {
        if active.get(at) == Some(&true)
            && matches!(token, Token::AnyRun)
            && let Some(next) = active.get_mut(at + 1)
        {
            *next = true;
        }
    }
}

/// Takes one character; false where no position survives it.
fn advance(glob: &Glob, tokens: &[&Token], active: &mut [bool], c: Option<char>) -> bool {
    let mut alive = false;
    let mut carried = false;
    for (at, slot) in active.iter_mut().enumerate() {
        let was = *slot;
        let token = tokens.get(at);
        let stays = was && matches!(token, Some(Token::AnyRun));
        *slot = stays || carried;
        alive |= *slot;
        carried = was && !stays && token.is_some_and(|token| glob.accepts(token, c));
    }
    alive
}

/// Start and length of the longest leftmost match.
///
/// Only the first place where the tokens before the first star fit needs a full try: were the rest
/// of the pattern to fit further on, that star would reach it from here.
pub(super) fn find(glob: &Glob, text: &[u8]) -> Option<(usize, usize)> {
    let star = glob.tokens.iter().position(|token| matches!(token, Token::AnyRun));
    let head = glob.tokens.get(..star.unwrap_or(glob.tokens.len()))?;
    let mut start = 0;
    loop {
        let rest = text.get(start..)?;
        if let Some(len) = head_len(glob, head, rest) {
            return match star {
                None => Some((start, len)),
                Some(_) => prefixes(glob, rest).last().map(|len| (start, len)),
            };
        }
        start += decode(rest)?.1;
    }
}

fn head_len(glob: &Glob, head: &[Token], text: &[u8]) -> Option<usize> {
    let mut at = 0;
    for token in head {
        let (c, len) = decode(text.get(at..)?)?;
        if !glob.accepts(token, c) {
            return None;
        }
        at += len;
    }
    Some(at)
}
