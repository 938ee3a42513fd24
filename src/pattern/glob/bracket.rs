//! `[…]` of a shell pattern: the units after `[` in, a set of characters out.

use super::Unit;
use crate::pattern::chars::CharClass;
use crate::pattern::set::{CharSet, Item};

/// Parses what follows `[`; the set and the number of units it took, or `None` where no `]` closes it
/// and the `[` stands for itself.
pub(super) fn parse(units: &[Unit], ignore_case: bool) -> Option<(CharSet, usize)> {
    let negated = units.first().is_some_and(|unit| unit.is('!') || unit.is('^'));
    let first = usize::from(negated);
    let mut items = Vec::new();
    let mut at = first;
    loop {
        let unit = *units.get(at)?;
        if unit.is(']') && at > first {
            return Some((CharSet { negated, ignore_case, items }, at + 1));
        }
        if let Some((class, len)) = named(units.get(at..)?) {
            items.extend(class.map(Item::Class));
            at += len;
            continue;
        }
        let (low, len) = member(units.get(at..)?)?;
        at += len;
        let ranged = units.get(at).is_some_and(|unit| unit.is('-'))
            && units.get(at + 1).is_some_and(|unit| !unit.is(']'));
        let mut high = low;
        if ranged {
            let (end, len) = member(units.get(at + 1..)?)?;
            high = end;
            at += 1 + len;
        }
        items.push(Item::Range(low, high));
    }
}

/// `[:name:]`; an unknown name is an empty class.
fn named(units: &[Unit]) -> Option<(Option<CharClass>, usize)> {
    let (name, len) = delimited(units, ':')?;
    Some((CharClass::named(&name), len))
}

/// One member: a character, `[.x.]` or `[=x=]`.
fn member(units: &[Unit]) -> Option<(char, usize)> {
    for mark in ['.', '='] {
        if let Some((name, len)) = delimited(units, mark)
            && let [c] = *name.chars().collect::<Vec<_>>()
        {
            return Some((c, len));
        }
    }
    units.first().map(|unit| (unit.c, 1))
}

/// The text of `[:…:]` and its like at the start of `units`, and its length with the brackets.
fn delimited(units: &[Unit], mark: char) -> Option<(String, usize)> {
    if !(units.first()?.is('[') && units.get(1)?.is(mark)) {
        return None;
    }
    let inner = units.get(2..)?;
    let len = inner.windows(2).position(|pair| {
        pair.first().is_some_and(|unit| unit.is(mark))
            && pair.get(1).is_some_and(|unit| unit.is(']'))
    })?;
    Some((inner.get(..len)?.iter().map(|unit| unit.c).collect(), len + 4))
}
