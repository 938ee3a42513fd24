//! Dates as people write them (`date -d`, `touch -d`) to points in time, by GNU's grammar, in UTC.

mod found;
mod lex;
mod words;

use self::found::{Found, Relative};
use self::lex::{Token, lex, parse_fraction};
use self::words::{
    Unit, day_shift, index_of, meridian, ordinal_of, twelve_hours, unit_of, weekday_of, year_of,
    zone_of,
};
use super::calendar::{Civil, MONTHS};
use crate::host::Timestamp;

/// Reads a date such as `2024-02-29 10:00 UTC`, `@86400`, `next friday`, `3 days ago`.
///
/// Parts may stand in any order; what is missing is taken from `now`, the time of day is midnight
/// where a date was given without one.
pub(in crate::builtins) fn parse_date(text: &str, now: Timestamp) -> Option<Timestamp> {
    if let Some(epoch) = text.trim().strip_prefix('@') {
        return parse_epoch(epoch);
    }
    let tokens = lex(text)?;
    let mut parser = Parser { tokens: &tokens, found: Found::default() };
    while !parser.tokens.is_empty() {
        parser.item()?;
    }
    parser.found.resolve(now)
}

fn parse_epoch(text: &str) -> Option<Timestamp> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let (whole, fraction) = digits.split_once(['.', ',']).unwrap_or((digits, "0"));
    let seconds: i64 = whole.parse().ok().filter(|_| !whole.starts_with(['-', '+']))?;
    let nanos = parse_fraction(fraction)?;
    Some(if !negative {
        Timestamp { seconds, nanos }
    } else if nanos == 0 {
        Timestamp { seconds: -seconds, nanos }
    } else {
        Timestamp { seconds: -seconds - 1, nanos: 1_000_000_000 - nanos }
    })
}

struct Parser<'t> {
    tokens: &'t [Token],
    found: Found,
}

impl Parser<'_> {
    fn word(&self, index: usize) -> Option<&str> {
        match self.tokens.get(index) {
            Some(Token::Word(word)) => Some(word),
            _ => None,
        }
    }

    fn number(&self, index: usize, want_sign: bool) -> Option<(i64, usize)> {
        match self.tokens.get(index) {
            Some(Token::Number { value, digits, signed, nanos: None }) if *signed == want_sign => {
                Some((*value, *digits))
            }
            _ => None,
        }
    }

    fn is_punct(&self, index: usize, c: char) -> bool {
        self.tokens.get(index) == Some(&Token::Punct(c))
    }

    fn skip(&mut self, count: usize) {
        self.tokens = self.tokens.get(count..).unwrap_or_default();
    }

    fn item(&mut self) -> Option<()> {
        match self.tokens.first()? {
            Token::Word(_) => self.word_item(),
            Token::Number { value, nanos: Some(nanos), .. } => {
                let (value, nanos) = (*value, i64::from(*nanos));
                unit_of(self.word(1)?).filter(|unit| *unit == Unit::Seconds(1))?;
                let nanos = if value < 0 { -nanos } else { nanos };
                self.skip(2);
                self.relate(Relative { seconds: value, nanos, ..Relative::default() })
            }
            Token::Number { value, signed: true, .. } => {
                let value = *value;
                self.unit_item(value, 1)
            }
            Token::Number { value, digits, .. } => {
                let (value, digits) = (*value, *digits);
                self.number_item(value, digits)
            }
            Token::Punct(_) => None,
        }
    }

    fn number_item(&mut self, value: i64, digits: usize) -> Option<()> {
        if self.is_punct(1, ':') {
            return self.time_item(value);
        }
        if self.is_punct(1, '/') {
            return self.slash_date(value, digits);
        }
        if let Some(month) = self.word(1).and_then(|word| index_of(&MONTHS, word)) {
            return self.day_month(value, month + 1);
        }
        if let Some(afternoon) = self.word(1).and_then(meridian) {
            self.skip(2);
            return self.set_time(twelve_hours(value, afternoon)?, 0, 0, 0);
        }
        if let Some(weekday) = self.word(1).and_then(weekday_of) {
            self.skip(2);
            return self.set_weekday(value, weekday);
        }
        if self.word(1).is_some_and(|word| unit_of(word).is_some()) {
            return self.unit_item(value, 1);
        }
        if let Some((second, _)) = self.number(1, true) {
            if let Some((third, _)) = self.number(2, true) {
                self.skip(3);
                // 2024-02-29T10:00: the T only separates.
                if self.word(0) == Some("t") {
                    self.skip(1);
                }
                return self.set_date(year_of(value, digits), -second, -third, true);
            }
            let unit_follows = self.word(2).is_some_and(|word| unit_of(word).is_some());
            if !unit_follows {
                self.skip(1);
                self.set_time(value, 0, 0, 0)?;
                return self.offset();
            }
        }
        self.skip(1);
        self.bare_number(value, digits)
    }

    /// `HH:MM[:SS[.frac]] [am|pm | +ZZ[:ZZ]]`
    fn time_item(&mut self, hour: i64) -> Option<()> {
        let (minute, _) = self.number(2, false)?;
        self.skip(3);
        let (mut second, mut nanos) = (0, 0);
        if self.is_punct(0, ':') {
            let Some(Token::Number { value, signed: false, nanos: fraction, .. }) =
                self.tokens.get(1)
            else {
                return None;
            };
            (second, nanos) = (*value, fraction.unwrap_or(0));
            self.skip(2);
        }
        if let Some(afternoon) = self.word(0).and_then(meridian) {
            self.skip(1);
            return self.set_time(twelve_hours(hour, afternoon)?, minute, second, nanos);
        }
        self.set_time(hour, minute, second, nanos)?;
        if self.number(0, true).is_some() { self.offset() } else { Some(()) }
    }

    /// A signed number as a zone: `+2`, `-0330`, `+05:30`.
    fn offset(&mut self) -> Option<()> {
        let (value, digits) = self.number(0, true)?;
        let negative = value < 0;
        self.skip(1);
        let mut minutes =
            if digits <= 2 { value.abs() * 60 } else { value.abs() / 100 * 60 + value.abs() % 100 };
        if self.is_punct(0, ':') {
            minutes = value.abs() * 60 + self.number(1, false)?.0;
            self.skip(2);
        }
        if minutes > 24 * 60 || self.found.zone.is_some() {
            return None;
        }
        self.found.zone = Some(if negative { -minutes * 60 } else { minutes * 60 });
        Some(())
    }

    fn slash_date(&mut self, first: i64, digits: usize) -> Option<()> {
        let (second, _) = self.number(2, false)?;
        if !self.is_punct(3, '/') {
            self.skip(3);
            return self.set_month_day(first, second);
        }
        let (third, third_digits) = self.number(4, false)?;
        self.skip(5);
        if digits >= 4 {
            return self.set_date(first, second, third, true);
        }
        self.set_date(year_of(third, third_digits), first, second, true)
    }

    /// `29 Feb`, `29 Feb 2024`, `29-Feb-2024`
    fn day_month(&mut self, day: i64, month: i64) -> Option<()> {
        let year = self.number(2, false).or_else(|| self.number(2, true));
        let Some((year, digits)) = year else {
            self.skip(2);
            return self.set_month_day(month, day);
        };
        self.skip(3);
        self.set_date(year_of(year.abs(), digits), month, day, true)
    }

    fn word_item(&mut self) -> Option<()> {
        let word = self.word(0)?.to_owned();
        if let Some(month) = index_of(&MONTHS, &word) {
            return self.month_item(month + 1);
        }
        if let Some(weekday) = weekday_of(&word) {
            self.skip(1);
            if self.is_punct(0, ',') {
                self.skip(1);
            }
            return self.set_weekday(0, weekday);
        }
        if let Some(days) = day_shift(&word) {
            self.skip(1);
            return self.relate(Relative { days, ..Relative::default() });
        }
        if unit_of(&word).is_some() {
            return self.unit_item(1, 0);
        }
        if let Some(ordinal) = ordinal_of(&word) {
            if let Some(weekday) = self.word(1).and_then(weekday_of) {
                self.skip(2);
                return self.set_weekday(ordinal, weekday);
            }
            return self.unit_item(ordinal, 1);
        }
        let hours = zone_of(&word)?;
        self.skip(1);
        if self.found.zone.is_some() {
            return None;
        }
        let has_offset = self.number(0, true).is_some();
        let unit_follows = self.word(1).is_some_and(|word| unit_of(word).is_some());
        if has_offset && !unit_follows {
            self.offset()?;
            self.found.zone = self.found.zone.map(|zone| zone + hours * 1800);
        } else {
            self.found.zone = Some(hours * 1800);
        }
        Some(())
    }

    /// `Feb 29`, `Feb 29, 2024`, `Feb 29 2024`, `Feb-29-2024`
    fn month_item(&mut self, month: i64) -> Option<()> {
        if let (Some((day, _)), Some((year, digits))) = (self.number(1, true), self.number(2, true))
        {
            self.skip(3);
            return self.set_date(year_of(-year, digits), month, -day, true);
        }
        let (day, _) = self.number(1, false)?;
        if self.is_punct(2, ',') {
            let (year, digits) = self.number(3, false)?;
            self.skip(4);
            return self.set_date(year_of(year, digits), month, day, true);
        }
        self.skip(2);
        self.set_month_day(month, day)
    }

    /// A count and a unit, with `ago` behind it; `at` is where the unit stands.
    fn unit_item(&mut self, count: i64, at: usize) -> Option<()> {
        let unit = unit_of(self.word(at)?)?;
        self.skip(at + 1);
        let mut part = Relative::default();
        match unit {
            Unit::Months(n) => part.months = count.checked_mul(n)?,
            Unit::Days(n) => part.days = count.checked_mul(n)?,
            Unit::Seconds(n) => part.seconds = count.checked_mul(n)?,
        }
        self.relate(part)
    }

    fn relate(&mut self, mut part: Relative) -> Option<()> {
        if self.word(0) == Some("ago") {
            self.skip(1);
            part = Relative {
                months: -part.months,
                days: -part.days,
                seconds: -part.seconds,
                nanos: -part.nanos,
            };
        }
        let sum = self.found.relative.get_or_insert_default();
        sum.months = sum.months.checked_add(part.months)?;
        sum.days = sum.days.checked_add(part.days)?;
        sum.seconds = sum.seconds.checked_add(part.seconds)?;
        sum.nanos += part.nanos;
        Some(())
    }

    /// A number alone: a year after a date, `YYYYMMDD`, or an hour.
    fn bare_number(&mut self, value: i64, digits: usize) -> Option<()> {
        let found = &mut self.found;
        if let Some((_, month, day)) = found.date
            && !found.with_year
            && found.relative.is_none()
            && (found.time.is_some() || digits > 2)
        {
            found.date = Some((year_of(value, digits), month, day));
            found.with_year = true;
            return Some(());
        }
        if digits > 4 {
            let year = year_of(value / 10_000, digits - 4);
            return self.set_date(year, value / 100 % 100, value % 100, true);
        }
        if digits <= 2 {
            return self.set_time(value, 0, 0, 0);
        }
        self.set_time(value / 100, value % 100, 0, 0)
    }

    fn set_date(&mut self, year: i64, month: i64, day: i64, with_year: bool) -> Option<()> {
        if self.found.date.is_some() {
            return None;
        }
        self.found.date = Some((year, month, day));
        self.found.with_year = with_year;
        Some(())
    }

    /// A date whose year is the present one.
    fn set_month_day(&mut self, month: i64, day: i64) -> Option<()> {
        self.set_date(i64::MIN, month, day, false)
    }

    fn set_time(&mut self, hour: i64, minute: i64, second: i64, nanos: u32) -> Option<()> {
        if self.found.time.is_some() {
            return None;
        }
        self.found.time = Some((hour, minute, second, nanos));
        Some(())
    }

    fn set_weekday(&mut self, ordinal: i64, weekday: i64) -> Option<()> {
        if self.found.weekday.is_some() {
            return None;
        }
        self.found.weekday = Some((ordinal, weekday));
        Some(())
    }
}

/// Reads `[[CC]YY]MMDDhhmm[.ss]`, the form of `touch -t`.
pub(in crate::builtins) fn parse_stamp(text: &str, now: Timestamp) -> Option<Timestamp> {
    let (digits, second) = match text.split_once('.') {
        Some((digits, second)) if second.len() == 2 => (digits, second.parse().ok()?),
        Some(_) => return None,
        None => (text, 0),
    };
    if !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let at = digits.len().checked_sub(8)?;
    let (year, rest) = digits.split_at_checked(at)?;
    let year = match year.len() {
        0 => Civil::at(now.seconds, 0).year,
        2 => year_of(year.parse().ok()?, 2),
        4 => year.parse().ok()?,
        _ => return None,
    };
    let pair = |at: usize| rest.get(at..at + 2)?.parse::<i64>().ok();
    let civil =
        Civil { year, month: pair(0)?, day: pair(2)?, hour: pair(4)?, minute: pair(6)?, second };
    civil.is_valid().then(|| Timestamp { seconds: civil.seconds(), nanos: 0 })
}

#[cfg(test)]
mod tests {
    use super::super::strftime;
    use super::*;

    fn check(text: &str, expect: &str) {
        // A Monday, 17:00:48.
        let now = Timestamp { seconds: 1_796_058_048, nanos: 0 };
        let got = parse_date(text, now).map(|time| strftime("%F %T", time));
        assert_eq!(got.as_deref().unwrap_or("invalid"), expect, "{text}");
    }

    #[test]
    fn absolute() {
        check("2024-02-29 10:00 +1 day", "2024-03-01 09:00:00");
        check("2024-02-29T10:00:00.25Z", "2024-02-29 10:00:00");
        check("20240229", "2024-02-29 00:00:00");
        check("Thu, 29 Feb 2024 10:00:00 +0200", "2024-02-29 08:00:00");
        check("Feb 29, 2024 10:11 UTC", "2024-02-29 10:11:00");
        check("29-Feb-2024", "2024-02-29 00:00:00");
        check("12/25", "2026-12-25 00:00:00");
        check("2/3/99", "1999-02-03 00:00:00");
        check("2024-01-01 10", "2024-01-01 10:00:00");
        check("@-1", "1969-12-31 23:59:59");
        check("", "2026-11-30 00:00:00");
        check("2024", "2026-11-30 20:24:00");
        check("2024-02-29 10:00:00 PST", "2024-02-29 18:00:00");
        for text in ["foo", "2024-13-01", "2023-02-29", "10:60", "Feb", "noon", "1 2 3 4"] {
            check(text, "invalid");
        }
    }

    #[test]
    fn relative() {
        check("monday", "2026-11-30 00:00:00");
        check("next monday", "2026-12-07 00:00:00");
        check("last friday", "2026-11-27 00:00:00");
        check("2 weeks ago", "2026-11-16 17:00:48");
        check("tomorrow 8am", "2026-12-01 08:00:00");
        check("2024-01-31 +1 month", "2024-03-02 00:00:00");
        check("now + 3 days", "2026-12-03 17:00:48");
        check("10 +2", "2026-11-30 08:00:00");
        check("yesterday", "2026-11-29 17:00:48");
        check("third day", "2026-12-03 17:00:48");
    }
}
