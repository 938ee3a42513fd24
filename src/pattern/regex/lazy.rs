//! A deterministic automaton whose states are made when a text first needs them.
//!
//! Forward, a state is a list of groups of automaton states, one group per place where a match may
//! have begun, the leftmost first: once a group matches, those after it are dropped, so that the last
//! match seen is the longest of the leftmost. Backward, it follows the edges the other way from the
//! end of a match, which finds its start, and leaves the trail that captures are read from.
//!
//! Positions are about two characters, so a state answers for a match one character later: the entry
//! of a transition says whether a match ended before the character it takes.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::ast::Side;
use super::nfa::{Nfa, State};
use super::symbols::{EDGE, NOT_ASCII, Symbols, side_of};
use crate::pattern::chars::{decode, decode_last};

/// Entry flag: a match ended before the character taken.
const ENDED: u32 = 1 << 31;
/// Entry flag: nothing can follow.
const DEAD: u32 = 1 << 30;
/// An entry that is not made yet; it looks dead, so that the fast loops stop there.
const UNKNOWN: u32 = u32::MAX;
/// The part of an entry that is the first index of a row.
const ROW: u32 = DEAD - 1;
/// Separates the groups of a state's key.
const GROUP: u32 = u32::MAX;
/// Key flags: the low two bits are the side of the character taken last.
const SEARCHING: u32 = 1 << 2;
const MATCHED: u32 = 1 << 3;
/// Tables beyond this many bytes are thrown away and begun anew.
const MAX_BYTES: usize = 1 << 20;
/// Trails keep their states; beyond this the search gives up.
const MAX_TRAIL_BYTES: usize = 16 << 20;
/// Steps of making states that one search may take, and some more per byte of text.
const MAX_WORK: usize = 20_000_000;
const WORK_PER_BYTE: usize = 100;

/// A search that would take too long or too much memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GaveUp;

/// Which way the automaton reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Forward,
    Backward,
}

/// Marks that are all removed at once.
#[derive(Debug, Default)]
pub(super) struct Marks {
    stamps: Vec<u32>,
    now: u32,
}

impl Marks {
    pub(super) fn clear(&mut self, len: usize) {
        if self.stamps.len() < len || self.now == u32::MAX {
            self.stamps = vec![0; len];
            self.now = 0;
        }
        self.now += 1;
    }

    /// Marks `at`; false where it was marked.
    pub(super) fn insert(&mut self, at: u32) -> bool {
        match self.stamps.get_mut(at as usize) {
            Some(stamp) if *stamp != self.now => {
                *stamp = self.now;
                true
            }
            _ => false,
        }
    }
}

/// The tables of one direction.
#[derive(Debug)]
pub(super) struct Lazy {
    direction: Direction,
    /// Row-major; a row is `1 << shift` entries, an entry is the first index of the next row.
    table: Vec<u32>,
    shift: u32,
    keys: Vec<Rc<[u32]>>,
    index: FxHashMap<Rc<[u32]>, u32>,
    /// The state in which nothing has begun, where no position matters.
    idle: Option<u32>,
    bytes: usize,
    /// Steps left.
    work: usize,
    closed: Marks,
    placed: Marks,
    stack: Vec<u32>,
}

impl Lazy {
    pub(super) fn new(direction: Direction) -> Self {
        Self {
            direction,
            table: Vec::new(),
            shift: 0,
            keys: Vec::new(),
            index: FxHashMap::default(),
            idle: None,
            bytes: 0,
            work: 0,
            closed: Marks::default(),
            placed: Marks::default(),
            stack: Vec::new(),
        }
    }

    fn clear(&mut self, symbols: &Symbols) {
        self.table.clear();
        self.keys.clear();
        self.index.clear();
        self.idle = None;
        self.bytes = 0;
        self.shift = symbols.len().next_power_of_two().trailing_zeros();
    }

    /// Makes room before a search.
    fn begin(&mut self, symbols: &Symbols, len: usize) {
        self.work = MAX_WORK + WORK_PER_BYTE * len;
        if self.bytes > MAX_BYTES || symbols.len() > 1 << self.shift {
            self.clear(symbols);
        }
    }

    /// The row of the state with `key`.
    fn intern(&mut self, key: &[u32]) -> u32 {
        if let Some(&row) = self.index.get(key) {
            return row;
        }
        let key: Rc<[u32]> = key.into();
        let row = u32::try_from(self.keys.len()).unwrap_or(0) << self.shift;
        self.bytes += (4 << self.shift) + 8 * key.len() + 64;
        self.table.resize(self.table.len() + (1 << self.shift), UNKNOWN);
        self.keys.push(Rc::clone(&key));
        self.index.insert(key, row);
        row
    }

    fn key(&self, row: u32) -> Rc<[u32]> {
        self.keys.get((row >> self.shift) as usize).map_or_else(|| Rc::from([]), Rc::clone)
    }

    /// Whether nothing can follow the state of `row`.
    fn is_dead(&self, row: u32) -> bool {
        let key = self.keys.get((row >> self.shift) as usize);
        key.is_none_or(|key| {
            key.len() == 1 && key.first().is_none_or(|flags| flags & SEARCHING == 0)
        })
    }

    /// The entry for `symbol` in the state of `row`, made where it is not known yet. The table may be
    /// begun anew, where `keep` allows it.
    fn entry(&mut self, cx: &mut Context, row: u32, symbol: u16) -> Result<u32, GaveUp> {
        let at = row as usize + usize::from(symbol);
        if usize::from(symbol) < 1 << self.shift
            && let Some(&entry) = self.table.get(at)
            && entry != UNKNOWN
        {
            return Ok(entry);
        }
        if self.work == 0 {
            return Err(GaveUp);
        }
        let old = self.key(row);
        let mut row = row;
        let crowded = self.bytes > if cx.keep { MAX_TRAIL_BYTES } else { MAX_BYTES };
        if cx.keep && (crowded || usize::from(symbol) >= 1 << self.shift) {
            return Err(GaveUp);
        }
        if crowded || usize::from(symbol) >= 1 << self.shift {
            self.clear(cx.symbols);
            row = self.intern(&old);
        }
        let key = self.next_key(cx, &old, symbol);
        let flags = key.first().copied().unwrap_or(0);
        let next = self.intern(&key);
        let ended = if flags & MATCHED == 0 { 0 } else { ENDED };
        let entry = next | ended | if self.is_dead(next) { DEAD } else { 0 };
        if let Some(slot) = self.table.get_mut(row as usize + usize::from(symbol)) {
            *slot = entry;
        }
        Ok(entry)
    }

    /// The key of the state after taking `symbol`.
    fn next_key(&mut self, cx: &Context, old: &[u32], symbol: u16) -> Vec<u32> {
        let len = cx.nfa.states.len();
        self.closed.clear(len);
        self.placed.clear(len);
        let flags = old.first().copied().unwrap_or(0);
        let passed = side_from(flags);
        let ahead = if cx.nfa.features.looks { cx.symbols.side(symbol) } else { Side::Other };
        let mut key = vec![0];
        let mut matched = false;
        let mut searching = flags & SEARCHING != 0;
        let start = [cx.nfa.start];
        let fresh = if searching { Some(&start[..]) } else { None };
        let groups = old.get(1..).unwrap_or_default().split(|&state| state == GROUP);
        for group in groups.filter(|group| !group.is_empty()).chain(fresh) {
            let begin = key.len();
            matched = match self.direction {
                Direction::Forward => self.forward(cx, group, (passed, ahead, symbol), &mut key),
                Direction::Backward => self.backward(cx, group, (ahead, passed, symbol), &mut key),
            };
            if let Some(group) = key.get_mut(begin..)
                && !group.is_empty()
            {
                group.sort_unstable();
                key.push(GROUP);
            }
            if matched {
                searching = false;
                break;
            }
        }
        searching &= symbol != EDGE;
        let mut flags = ahead as u32;
        if key.len() == 1 && !searching {
            flags = Side::Other as u32;
        }
        flags |= if searching { SEARCHING } else { 0 } | if matched { MATCHED } else { 0 };
        if let Some(first) = key.first_mut() {
            *first = flags;
        }
        key
    }

    /// Steps one group over a character with its sides; whether it matches before the character.
    fn forward(
        &mut self,
        cx: &Context,
        group: &[u32],
        (before, after, symbol): (Side, Side, u16),
        key: &mut Vec<u32>,
    ) -> bool {
        let mut matched = false;
        self.stack.clear();
        self.stack.extend(group);
        while let Some(at) = self.stack.pop() {
            if !self.closed.insert(at) {
                continue;
            }
            self.work = self.work.saturating_sub(1);
            let Some(&state) = cx.nfa.states.get(at as usize) else { continue };
            match state {
                State::Match => matched = true,
                State::Set { set, next } => {
                    if cx.symbols.holds(symbol, set) && self.placed.insert(next) {
                        key.push(next);
                    }
                }
                State::Split { first, second } => self.stack.extend([first, second]),
                State::Look { look, next } if look.holds(before, after) => self.stack.push(next),
                State::Look { .. } => {}
                State::Save { next, .. } => self.stack.push(next),
                State::BackReference { next, .. } => {
                    self.stack.push(next);
                    if symbol != EDGE && self.placed.insert(at) {
                        key.push(at);
                    }
                }
            }
        }
        matched
    }

    /// The same against the edges.
    fn backward(
        &mut self,
        cx: &Context,
        group: &[u32],
        (before, after, symbol): (Side, Side, u16),
        key: &mut Vec<u32>,
    ) -> bool {
        let mut matched = false;
        self.stack.clear();
        self.stack.extend(group);
        while let Some(at) = self.stack.pop() {
            if !self.closed.insert(at) {
                continue;
            }
            matched |= at == cx.nfa.start;
            for &source in cx.nfa.before(at) {
                self.work = self.work.saturating_sub(1);
                let Some(&state) = cx.nfa.states.get(source as usize) else { continue };
                match state {
                    State::Set { set, .. } => {
                        if cx.symbols.holds(symbol, set) && self.placed.insert(source) {
                            key.push(source);
                        }
                    }
                    State::Look { look, .. } if !look.holds(before, after) => {}
                    _ => self.stack.push(source),
                }
            }
        }
        matched
    }
}

fn side_from(flags: u32) -> Side {
    match flags & 3 {
        0 => Side::Edge,
        1 => Side::Newline,
        2 => Side::Word,
        _ => Side::Other,
    }
}

/// What a search reads besides its tables.
pub(super) struct Context<'a> {
    pub(super) nfa: &'a Nfa,
    pub(super) symbols: &'a mut Symbols,
    /// Whether states already made must stay, because a trail holds them.
    keep: bool,
}

impl<'a> Context<'a> {
    pub(super) fn new(nfa: &'a Nfa, symbols: &'a mut Symbols) -> Self {
        Self { nfa, symbols, keep: false }
    }
}

/// A search for the start of a match on its way back.
struct Back<'a> {
    /// The state it is in.
    row: u32,
    /// The start found last, and how long the trail was there.
    found: Option<usize>,
    kept: usize,
    /// The states passed.
    trail: Option<&'a mut Vec<u32>>,
}

impl Back<'_> {
    /// Leaves a state at `at` by `entry`.
    #[inline]
    fn pass(&mut self, entry: u32, at: usize) {
        if let Some(trail) = &mut self.trail {
            trail.push(self.row);
        }
        if entry & ENDED != 0 {
            self.found = Some(at);
            self.kept = self.trail.as_ref().map_or(0, |trail| trail.len());
        }
    }
}

/// When a forward search is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Until {
    /// As soon as it is certain that there is a match; the position means nothing.
    Certain,
    /// At the end of the longest of the leftmost matches.
    Longest,
}

impl Lazy {
    /// Where the longest of the leftmost matches at or after `from` ends.
    pub(super) fn find_end(
        &mut self,
        cx: &mut Context,
        text: &[u8],
        from: usize,
        until: Until,
    ) -> Result<Option<usize>, GaveUp> {
        self.begin(cx.symbols, text.len() - from.min(text.len()));
        let anchored = cx.nfa.features.anchored;
        if anchored && from > 0 {
            return Ok(None);
        }
        let behind = text.get(..from).and_then(decode_last);
        let mut row = if anchored {
            self.intern(&[self.first_flags(cx, behind), cx.nfa.start, GROUP])
        } else {
            let row = self.intern(&[self.first_flags(cx, behind) | SEARCHING]);
            self.idle = (!cx.nfa.features.looks).then_some(row);
            row
        };
        let mut found = None;
        let mut at = from;
        loop {
            at = self.run_forward(cx.symbols, (text, at, until), &mut row, &mut found);
            if found.is_some() && until == Until::Certain {
                return Ok(found);
            }
            let (symbol, len) = cx.symbols.first(cx.nfa, text.get(at..).unwrap_or_default());
            let entry = self.entry(cx, row, symbol)?;
            row = entry & ROW;
            if entry & ENDED != 0 {
                found = Some(at);
                if until == Until::Certain {
                    return Ok(found);
                }
            }
            if entry & DEAD != 0 || len == 0 {
                return Ok(found);
            }
            at += len;
        }
    }

    /// Follows known entries over ASCII from `at`; where it stops, with the last end of a match in
    /// `found`. Where nothing has begun, bytes that begin nothing are passed over at once.
    fn run_forward(
        &self,
        symbols: &Symbols,
        (text, mut at, until): (&[u8], usize, Until),
        row: &mut u32,
        found: &mut Option<usize>,
    ) -> usize {
        let (bytes, table) = (symbols.bytes(), self.table.as_slice());
        let idle = self.idle.unwrap_or(UNKNOWN);
        let mut state = *row;
        loop {
            if state == idle {
                let rest = text.get(at..).unwrap_or_default();
                at += rest.iter().position(|&byte| symbols.begins(byte)).unwrap_or(rest.len());
            }
            let Some(&byte) = text.get(at) else { break };
            let symbol = bytes[usize::from(byte)];
            let entry = table.get(state as usize + usize::from(symbol)).copied().unwrap_or(UNKNOWN);
            if entry & DEAD != 0 || symbol == NOT_ASCII {
                break;
            }
            if entry & ENDED != 0 {
                *found = Some(at);
                if until == Until::Certain {
                    break;
                }
            }
            state = entry & ROW;
            at += 1;
        }
        *row = state;
        at
    }

    /// Follows known entries over ASCII back from `at`, not below `from`; where it stops.
    fn run_backward(
        &self,
        symbols: &Symbols,
        text: &[u8],
        (from, mut at): (usize, usize),
        back: &mut Back<'_>,
    ) -> usize {
        let (bytes, table) = (symbols.bytes(), self.table.as_slice());
        let mut state = back.row;
        while at > from {
            let Some(&byte) = text.get(at - 1) else { break };
            let symbol = bytes[usize::from(byte)];
            let entry = table.get(state as usize + usize::from(symbol)).copied().unwrap_or(UNKNOWN);
            if entry & DEAD != 0 || symbol == NOT_ASCII {
                break;
            }
            back.row = state;
            back.pass(entry, at);
            state = entry & ROW;
            at -= 1;
        }
        back.row = state;
        at
    }

    /// Where the leftmost match that ends at `end` begins, not before `from`. `trail` receives the
    /// states passed, from the end to the start.
    pub(super) fn find_start(
        &mut self,
        cx: &mut Context,
        text: &[u8],
        span: (usize, usize),
        trail: Option<&mut Vec<u32>>,
    ) -> Result<Option<usize>, GaveUp> {
        cx.keep = trail.is_some();
        let (from, end) = span;
        // The search for the end has numbered the characters of the span, so no row grows.
        cx.symbols.last(cx.nfa, text.get(..from).unwrap_or_default());
        self.begin(cx.symbols, end - from.min(end));
        let ahead = text.get(end..).and_then(decode);
        let row = self.intern(&[self.first_flags(cx, ahead), cx.nfa.end, GROUP]);
        let mut back = Back { row, found: None, kept: 0, trail };
        let mut at = end;
        loop {
            at = self.run_backward(cx.symbols, text, (from, at), &mut back);
            let (symbol, len) = cx.symbols.last(cx.nfa, text.get(..at).unwrap_or_default());
            let entry = self.entry(cx, back.row, symbol)?;
            back.pass(entry, at);
            back.row = entry & ROW;
            if entry & DEAD != 0 || at <= from || len == 0 {
                break;
            }
            at -= len;
        }
        if let Some(trail) = back.trail {
            trail.truncate(back.kept);
        }
        Ok(back.found)
    }

    /// The automaton states of a trail's `row`: those that lead to the end of the match.
    pub(super) fn states(&self, row: u32) -> &[u32] {
        let key = self.keys.get((row >> self.shift) as usize);
        key.and_then(|key| key.get(1..key.len() - 1)).unwrap_or_default()
    }

    fn first_flags(&self, cx: &Context, beyond: Option<(Option<char>, usize)>) -> u32 {
        if cx.nfa.features.looks { side_of(cx.nfa, beyond) as u32 } else { Side::Other as u32 }
    }
}
