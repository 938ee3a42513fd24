//! Words of dates in; the units, weekdays, months and zones they stand for out.

use super::super::calendar::DAYS;

/// A unit of relative time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    Months(i64),
    Days(i64),
    Seconds(i64),
}

pub(super) fn unit_of(word: &str) -> Option<Unit> {
    Some(match word.strip_suffix('s').unwrap_or(word) {
        "year" => Unit::Months(12),
        "month" => Unit::Months(1),
        "fortnight" => Unit::Days(14),
        "week" => Unit::Days(7),
        "day" => Unit::Days(1),
        "hour" => Unit::Seconds(3600),
        "minute" | "min" => Unit::Seconds(60),
        "second" | "sec" => Unit::Seconds(1),
        _ => return None,
    })
}

pub(super) fn day_shift(word: &str) -> Option<i64> {
    Some(match word {
        "tomorrow" => 1,
        "yesterday" => -1,
        "today" | "now" => 0,
        _ => return None,
    })
}

pub(super) fn ordinal_of(word: &str) -> Option<i64> {
    const ORDINALS: [&str; 10] = [
        "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
        "twelfth",
    ];
    match word {
        "last" => Some(-1),
        "this" => Some(0),
        "next" | "first" => Some(1),
        _ => {
            let index = ORDINALS.iter().position(|name| *name == word)?;
            i64::try_from(index + 3).ok()
        }
    }
}

pub(super) fn weekday_of(word: &str) -> Option<i64> {
    match word {
        "tues" => Some(2),
        "wednes" => Some(3),
        "thur" | "thurs" => Some(4),
        _ => index_of(&DAYS, word),
    }
}

/// Which of the names a word is, in full or by its first three letters.
pub(super) fn index_of(names: &[&str], word: &str) -> Option<i64> {
    let matches = |name: &&str| {
        name.eq_ignore_ascii_case(word)
            || name.get(..3).is_some_and(|short| short.eq_ignore_ascii_case(word))
            || (word == "sept" && *name == "September")
    };
    i64::try_from(names.iter().position(matches)?).ok()
}

pub(super) fn meridian(word: &str) -> Option<bool> {
    match word {
        "am" => Some(false),
        "pm" => Some(true),
        _ => None,
    }
}

pub(super) fn twelve_hours(hour: i64, afternoon: bool) -> Option<i64> {
    (1..=12).contains(&hour).then_some(hour % 12 + if afternoon { 12 } else { 0 })
}

/// Half hours east of UTC.
pub(super) fn zone_of(word: &str) -> Option<i64> {
    Some(match word {
        "z" | "gmt" | "ut" | "utc" | "wet" => 0,
        "west" | "bst" | "cet" | "wat" | "met" => 2,
        "cest" | "mest" | "eet" | "sast" => 4,
        "eest" | "msk" | "eat" => 6,
        "ist" => 11,
        "sgt" => 16,
        "jst" => 18,
        "nzst" => 24,
        "nzdt" => 26,
        "brt" | "art" | "adt" => -6,
        "ast" | "edt" => -8,
        "est" | "cdt" => -10,
        "cst" | "mdt" => -12,
        "mst" | "pdt" => -14,
        "pst" | "akdt" => -16,
        "akst" => -18,
        "hst" => -20,
        _ => return military_zone(word),
    })
}

/// The letters of military zones, `j` left out: east from A to M, west from N to Y.
pub(super) fn military_zone(word: &str) -> Option<i64> {
    let [letter] = word.as_bytes() else { return None };
    let hours = match letter {
        b'a'..=b'i' => i64::from(letter - b'a') + 1,
        b'k'..=b'm' => i64::from(letter - b'k') + 10,
        b'n'..=b'y' => -i64::from(letter - b'n') - 1,
        _ => return None,
    };
    Some(hours * 2)
}

pub(super) fn year_of(value: i64, digits: usize) -> i64 {
    match (digits, value) {
        (..=2, 0..=68) => value + 2000,
        (..=2, 69..) => value + 1900,
        _ => value,
    }
}
