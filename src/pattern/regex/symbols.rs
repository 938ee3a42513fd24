//! Characters as small numbers: those that no set of an expression tells apart share one.
//!
//! Numbers are given out as characters are met, so no table of Unicode is ever built.

use rustc_hash::FxHashMap;

use super::Newlines;
use super::ast::Side;
use super::nfa::{Nfa, State};
use crate::pattern::chars::{CharClass, decode, decode_last};

/// The number of what lies beyond either end of the text.
pub(super) const EDGE: u16 = 0;
/// The number of a byte that is no UTF-8; no set holds it.
const FOREIGN: u16 = 1;
/// What [`Symbols::byte`] answers where a byte is not ASCII.
pub(super) const NOT_ASCII: u8 = u8::MAX;
/// How many characters outside ASCII are remembered.
const RECENT: usize = 512;

/// The numbering of one expression's characters.
#[derive(Debug)]
pub(super) struct Symbols {
    bytes: [u8; 256],
    /// Bytes with which a match may begin.
    begins: [bool; 256],
    /// 64-bit words of membership per symbol.
    width: usize,
    members: Vec<u64>,
    sides: Vec<Side>,
    numbers: FxHashMap<Box<[u64]>, u16>,
    recent: Vec<(char, u16)>,
}

impl Symbols {
    pub(super) fn new(nfa: &Nfa) -> Self {
        let width = nfa.sets.len() / 64 + 1;
        let mut symbols = Self {
            bytes: [NOT_ASCII; 256],
            begins: [true; 256],
            width,
            members: vec![0; 2 * width],
            sides: vec![Side::Edge, Side::Other],
            numbers: FxHashMap::default(),
            recent: Vec::new(),
        };
        for byte in 0..128u8 {
            let symbol = symbols.number(nfa, char::from(byte));
            symbols.bytes[usize::from(byte)] = u8::try_from(symbol).unwrap_or(NOT_ASCII);
        }
        symbols.note_begins(nfa);
        symbols
    }

    /// Finds the sets that may take the first character, and rules out the bytes of no such set.
    fn note_begins(&mut self, nfa: &Nfa) {
        let mut visited = vec![false; nfa.states.len()];
        let mut stack = vec![nfa.start];
        let mut first = Vec::new();
        while let Some(at) = stack.pop() {
            let fresh =
                visited.get_mut(at as usize).is_some_and(|seen| !std::mem::replace(seen, true));
            match nfa.states.get(at as usize) {
                Some(State::Set { set, .. }) if fresh => first.push(*set),
                Some(State::Split { first, second }) if fresh => stack.extend([*first, *second]),
                Some(State::Save { next, .. }) if fresh => stack.push(*next),
                Some(_) if fresh => return,
                _ => {}
            }
        }
        for byte in 0..128usize {
            let symbol = u16::from(self.bytes[byte]);
            self.begins[byte] = first.iter().any(|&set| self.holds(symbol, set));
        }
    }

    /// Whether a match may begin with `byte`.
    pub(super) fn begins(&self, byte: u8) -> bool {
        self.begins[usize::from(byte)]
    }

    /// How many numbers have been given out.
    pub(super) fn len(&self) -> usize {
        self.sides.len()
    }

    /// The symbols of all bytes, [`NOT_ASCII`] for those that are not.
    pub(super) fn bytes(&self) -> &[u8; 256] {
        &self.bytes
    }

    /// Whether set number `set` holds the characters of `symbol`.
    pub(super) fn holds(&self, symbol: u16, set: u32) -> bool {
        let word = usize::from(symbol) * self.width + set as usize / 64;
        self.members.get(word).is_some_and(|bits| bits >> (set % 64) & 1 == 1)
    }

    /// What looks see where a character of `symbol` stands.
    pub(super) fn side(&self, symbol: u16) -> Side {
        self.sides.get(usize::from(symbol)).copied().unwrap_or(Side::Other)
    }

    /// The symbol at the start of `text` and its length; [`EDGE`] at the end.
    pub(super) fn first(&mut self, nfa: &Nfa, text: &[u8]) -> (u16, usize) {
        match decode(text) {
            None => (EDGE, 0),
            Some((None, len)) => (FOREIGN, len),
            Some((Some(c), len)) => (self.of(nfa, c), len),
        }
    }

    /// The symbol at the end of `text` and its length; [`EDGE`] for an empty one.
    pub(super) fn last(&mut self, nfa: &Nfa, text: &[u8]) -> (u16, usize) {
        match decode_last(text) {
            None => (EDGE, 0),
            Some((None, len)) => (FOREIGN, len),
            Some((Some(c), len)) => (self.of(nfa, c), len),
        }
    }

    fn of(&mut self, nfa: &Nfa, c: char) -> u16 {
        if c.is_ascii() {
            return u16::from(self.bytes[c as usize]);
        }
        if self.recent.is_empty() {
            self.recent = vec![('\0', EDGE); RECENT];
        }
        let slot = c as usize % RECENT;
        if let Some(&(known, symbol)) = self.recent.get(slot)
            && known == c
        {
            return symbol;
        }
        let symbol = self.number(nfa, c);
        if let Some(entry) = self.recent.get_mut(slot) {
            *entry = (c, symbol);
        }
        symbol
    }

    fn number(&mut self, nfa: &Nfa, c: char) -> u16 {
        let side = side(nfa, c);
        // The side is part of the key, above the bits of the sets.
        let mut key = vec![0u64; self.width + 1];
        key[self.width] = side as u64;
        if !(c == '\n' && nfa.newlines == Newlines::Separate) {
            for (number, set) in nfa.sets.iter().enumerate() {
                key[number / 64] |= u64::from(set.contains(c)) << (number % 64);
            }
        }
        if let Some(&symbol) = self.numbers.get(key.as_slice()) {
            return symbol;
        }
        let symbol = u16::try_from(self.sides.len()).unwrap_or(FOREIGN);
        self.members.extend(&key[..self.width]);
        self.sides.push(side);
        self.numbers.insert(key.into_boxed_slice(), symbol);
        symbol
    }
}

fn side(nfa: &Nfa, c: char) -> Side {
    if c == '\n' && nfa.newlines != Newlines::Ordinary {
        Side::Newline
    } else if nfa.features.words && is_word(c) {
        Side::Word
    } else {
        Side::Other
    }
}

fn is_word(c: char) -> bool {
    c == '_' || CharClass::Alnum.contains(c)
}

/// What looks see of the character before or after a position.
pub(super) fn side_of(nfa: &Nfa, found: Option<(Option<char>, usize)>) -> Side {
    match found {
        None => Side::Edge,
        Some((None, _)) => Side::Other,
        Some((Some(c), _)) => side(nfa, c),
    }
}
