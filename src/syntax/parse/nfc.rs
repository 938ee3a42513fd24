//! A name to its composed form (NFC, UAX #15), over tables of a tenth of the usual size.

use super::nfc_table::{APART, CLASSES, IDEOGRAPHS, MORE_IDEOGRAPHS, PAIRS, WIDE_PAIRS};
use crate::value::{EcoString, InOrder};

/// First syllable of Hangul, first leading consonant, vowel, and the place before trailing ones.
const SYLLABLES: (u32, u32, u32, u32) = (0xac00, 0x1100, 0x1161, 0x11a7);
const LEADS: u32 = 19;
const VOWELS: u32 = 21;
const TRAILS: u32 = 28;

/// The text with its characters decomposed, marks in canonical order, and composed again.
pub(super) fn compose(text: &str) -> EcoString {
    if text.chars().all(is_settled) {
        return text.into();
    }
    let mut chars = Vec::new();
    text.chars().for_each(|c| decompose(c, &mut chars));
    for run in chars.chunk_by_mut(|a, b| a.0 != 0 && b.0 != 0) {
        run.order_by_key(|(class, _)| *class);
    }
    let mut out: Vec<(u8, char)> = Vec::with_capacity(chars.len());
    let mut starter: Option<usize> = None;
    for (class, c) in chars {
        let blocked = starter.is_some_and(|at| {
            at + 1 < out.len() && out.last().is_some_and(|(before, _)| *before >= class)
        });
        let first = starter.filter(|_| !blocked).and_then(|at| out.get_mut(at));
        if let Some(first) = first
            && let Some(composite) = pair(first.1, c)
        {
            first.1 = composite;
            continue;
        }
        if class == 0 {
            starter = Some(out.len());
        }
        out.push((class, c));
    }
    out.into_iter().map(|(_, c)| c).collect()
}

/// Characters that stay as they are before and after any other: most of what names are made of.
fn is_settled(c: char) -> bool {
    matches!(c, '\0'..='\u{2ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{1f000}'..='\u{1faff}')
}

/// Appends the full canonical decomposition with the combining classes.
fn decompose(c: char, chars: &mut Vec<(u8, char)>) {
    let mut waiting = vec![c];
    while let Some(c) = waiting.pop() {
        match parts(c) {
            Some((first, second)) => waiting.extend([second, first]),
            None => match apart(c) {
                Some(text) => chars.extend(text.chars().map(|c| (class(c), c))),
                None => chars.push((class(c), single(c))),
            },
        }
    }
}

/// The two characters that a composite is made of.
fn parts(c: char) -> Option<(char, char)> {
    let n = c as u32;
    let (syllable, lead, vowel, trail) = SYLLABLES;
    if let Some(index) = n.checked_sub(syllable).filter(|index| *index < LEADS * VOWELS * TRAILS) {
        let rest = index % TRAILS;
        return if rest > 0 {
            char::from_u32(n - rest).zip(char::from_u32(trail + rest))
        } else {
            let (first, second) = (index / (VOWELS * TRAILS), index / TRAILS % VOWELS);
            char::from_u32(lead + first).zip(char::from_u32(vowel + second))
        };
    }
    let narrow = u16::try_from(n).ok().and_then(|n| {
        let at = PAIRS.binary_search_by_key(&n, |pair| pair[0]).ok()?;
        PAIRS.get(at).map(|pair| (u32::from(pair[1]), u32::from(pair[2])))
    });
    let wide = || WIDE_PAIRS.iter().find(|pair| pair[0] == n).map(|pair| (pair[1], pair[2]));
    let (first, second) = narrow.or_else(wide)?;
    char::from_u32(first).zip(char::from_u32(second))
}

/// What falls apart for good.
fn apart(c: char) -> Option<&'static str> {
    let at = APART.binary_search_by_key(&c, |(c, _)| *c).ok()?;
    APART.get(at).map(|(_, text)| *text)
}

/// The ideograph that a compatibility ideograph stands for.
fn single(c: char) -> char {
    let nth = |table: &str, from: u32| table.chars().nth((c as u32 - from) as usize).unwrap_or(c);
    match c {
        '\u{f900}'..='\u{fad9}' => nth(IDEOGRAPHS, 0xf900),
        '\u{2f800}'..='\u{2fa1d}' => nth(MORE_IDEOGRAPHS, 0x2f800),
        _ => c,
    }
}

/// The combining class of a character; 0 for one that begins.
fn class(c: char) -> u8 {
    let n = c as u32;
    let at = CLASSES.partition_point(|range| range >> 15 <= n);
    let Some(range) = at.checked_sub(1).and_then(|at| CLASSES.get(at)) else { return 0 };
    if n - (range >> 15) <= (range >> 8 & 0x7f) { (range & 0xff).to_le_bytes()[0] } else { 0 }
}

/// The composite of two characters.
fn pair(first: char, second: char) -> Option<char> {
    let (syllable, lead, vowel, trail) = SYLLABLES;
    let (a, b) = (first as u32, second as u32);
    if (lead..lead + LEADS).contains(&a) && (vowel..vowel + VOWELS).contains(&b) {
        return char::from_u32(syllable + ((a - lead) * VOWELS + (b - vowel)) * TRAILS);
    }
    let open =
        (syllable..syllable + LEADS * VOWELS * TRAILS).contains(&a) && (a - syllable) % TRAILS == 0;
    if open && (trail + 1..trail + TRAILS).contains(&b) {
        return char::from_u32(a + b - trail);
    }
    let narrow = u16::try_from(a).ok().zip(u16::try_from(b).ok()).and_then(|(a, b)| {
        PAIRS.iter().find(|pair| pair[1] == a && pair[2] == b).map(|pair| u32::from(pair[0]))
    });
    let wide = || WIDE_PAIRS.iter().find(|pair| pair[1] == a && pair[2] == b).map(|pair| pair[0]);
    char::from_u32(narrow.or_else(wide)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use unicode_normalization::UnicodeNormalization;

    fn check(text: &str) {
        let expect: String = text.nfc().collect();
        assert_eq!(compose(text), expect, "{text:?}");
    }

    #[test]
    fn every_character_alone_and_before_a_mark() {
        for c in (0..=0x3ffff).filter_map(char::from_u32) {
            check(&format!("{c}"));
            check(&format!("a{c}\u{301}"));
        }
    }

    #[test]
    fn every_pair() {
        for pair in &PAIRS {
            let [c, a, b] = pair.map(|n| char::from_u32(u32::from(n)).unwrap());
            for mark in ['\u{301}', '\u{323}', '\u{345}', 'x'] {
                check(&format!("{a}{b}{mark}"));
                check(&format!("{a}{mark}{b}"));
                check(&format!("{c}{mark}{b}"));
            }
        }
    }

    #[test]
    fn random_runs() {
        let pool: Vec<char> = "aeAνιя가ᄀ각\u{1161}\u{11a8}\u{11a7}\u{300}\u{301}\u{308}\u{323}\u{327}\u{345}\u{334}\u{93c}के\u{3099}か\u{5bc}ש\u{212b}\u{f900}\u{958}"
            .chars()
            .collect();
        let mut random = 1u64;
        for _ in 0..20_000 {
            let mut text = String::new();
            for _ in 0..6 {
                random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                text.push(pool[usize::try_from(random >> 33).unwrap() % pool.len()]);
            }
            check(&text);
        }
    }
}
