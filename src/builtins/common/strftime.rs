//! Points in time to text by the formats of `date` and `strftime`, in the C locale.

use super::calendar::{Civil, DAYS, MONTHS};
use crate::host::Timestamp;

/// How a number is filled up.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pad {
    Zero,
    Blank,
    None,
}

/// A conversion's flags and width.
#[derive(Clone, Copy, Default)]
struct Flags {
    pad: Option<Pad>,
    upper: bool,
    swap: bool,
    plus: bool,
    width: usize,
    colons: usize,
}

/// Formats a point in time in UTC; what is no conversion stays as it is.
pub(in crate::builtins) fn strftime(format: &str, time: Timestamp) -> String {
    let civil = Civil::at(time.seconds, 0);
    let mut out = String::new();
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        let (before, spec) = rest.split_at_checked(at).unwrap_or((rest, ""));
        out.push_str(before);
        let after = spec.get(1..).unwrap_or_default();
        let (flags, tail) = parse_flags(after);
        let mut chars = tail.chars();
        match chars.next().and_then(|letter| convert(letter, flags, &civil, time)) {
            Some(text) => {
                out.push_str(&text);
                rest = chars.as_str();
            }
            None => {
                out.push('%');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

fn parse_flags(text: &str) -> (Flags, &str) {
    let mut flags = Flags::default();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        match c {
            '-' => flags.pad = Some(Pad::None),
            '_' => flags.pad = Some(Pad::Blank),
            '0' => flags.pad = Some(Pad::Zero),
            '+' => (flags.pad, flags.plus) = (Some(Pad::Zero), true),
            '^' => flags.upper = true,
            '#' => flags.swap = true,
            _ => break,
        }
        rest = rest.get(1..).unwrap_or_default();
    }
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    if let Some((width, after)) = rest.split_at_checked(digits) {
        flags.width = width.parse().unwrap_or(0).min(1024);
        rest = after;
    }
    let after = rest.trim_start_matches(':');
    flags.colons = rest.len() - after.len();
    rest = after;
    // The modifiers E and O ask for other calendars and digits, which the C locale has not.
    if matches!(rest.as_bytes(), [b'E' | b'O', letter, ..] if letter.is_ascii_alphabetic()) {
        rest = rest.get(1..).unwrap_or_default();
    }
    (flags, rest)
}

fn convert(letter: char, flags: Flags, civil: &Civil, time: Timestamp) -> Option<String> {
    if flags.colons > 0 && letter != 'z' {
        return None;
    }
    let number = |value: i64, width: usize| Some(flags.number(value, width, Pad::Zero));
    let blank = |value: i64, width: usize| Some(flags.number(value, width, Pad::Blank));
    let text = |text: &str| Some(flags.text(text));
    let composed = |format: &str| Some(flags.text(&strftime(format, time)));
    let twelve = if civil.hour % 12 == 0 { 12 } else { civil.hour % 12 };
    let weekday = civil.weekday();
    let month = name(&MONTHS, civil.month - 1);
    match letter {
        '%' => text("%"),
        'n' => text("\n"),
        't' => text("\t"),
        'a' => text(name(&DAYS, weekday).get(..3).unwrap_or_default()),
        'A' => text(name(&DAYS, weekday)),
        'b' | 'h' => text(month.get(..3).unwrap_or_default()),
        'B' => text(month),
        'c' => composed("%a %b %e %H:%M:%S %Y"),
        'C' => number(civil.year.div_euclid(100), 2),
        'd' => number(civil.day, 2),
        'D' | 'x' => composed("%m/%d/%y"),
        'e' => blank(civil.day, 2),
        'F' => Some(flags.date(civil)),
        'g' => number(civil.iso_week().0.rem_euclid(100), 2),
        'G' => number(civil.iso_week().0, 4),
        'H' => number(civil.hour, 2),
        'I' => number(twelve, 2),
        'j' => number(civil.year_day() + 1, 3),
        'k' => blank(civil.hour, 2),
        'l' => blank(twelve, 2),
        'm' => number(civil.month, 2),
        'M' => number(civil.minute, 2),
        'N' => Some(flags.nanos(time.nanos)),
        'p' if flags.swap => Some(String::from(if civil.hour < 12 { "am" } else { "pm" })),
        'p' => text(if civil.hour < 12 { "AM" } else { "PM" }),
        'P' => text(if civil.hour < 12 { "am" } else { "pm" }),
        'q' => number((civil.month + 2) / 3, 1),
        'r' => composed("%I:%M:%S %p"),
        'R' => composed("%H:%M"),
        's' => number(time.seconds, 1),
        'S' => number(civil.second, 2),
        'T' | 'X' => composed("%H:%M:%S"),
        'u' => number((weekday + 6) % 7 + 1, 1),
        'U' => number((civil.year_day() + 7 - weekday) / 7, 2),
        'V' => number(civil.iso_week().1, 2),
        'w' => number(weekday, 1),
        'W' => number((civil.year_day() + 7 - (weekday + 6) % 7) / 7, 2),
        'y' => number(civil.year.rem_euclid(100), 2),
        'Y' => number(civil.year, if civil.year < 0 { 5 } else { 4 }),
        'z' => flags.zone(),
        'Z' if flags.swap => Some("utc".into()),
        'Z' => text("UTC"),
        _ => None,
    }
}

fn name<'a>(names: &[&'a str], index: i64) -> &'a str {
    usize::try_from(index).ok().and_then(|index| names.get(index)).copied().unwrap_or("?")
}

impl Flags {
    fn number(self, value: i64, width: usize, pad: Pad) -> String {
        let pad = self.pad.unwrap_or(pad);
        let width = match pad {
            Pad::None => 0,
            _ if self.width > 0 => self.width,
            _ => width,
        };
        let sign = if value < 0 {
            "-"
        } else if self.plus && (self.width > 4 || value > 9999) {
            "+"
        } else {
            ""
        };
        let digits = value.unsigned_abs();
        if pad == Pad::Zero {
            let width = width.saturating_sub(sign.len());
            format!("{sign}{digits:0width$}")
        } else {
            let text = format!("{sign}{digits}");
            format!("{text:>width$}")
        }
    }

    fn text(self, text: &str) -> String {
        let swapped = !text.chars().any(char::is_uppercase) || text.len() > 1;
        let text = if self.upper || (self.swap && swapped) {
            text.to_uppercase()
        } else {
            text.to_owned()
        };
        let width = if self.pad == Some(Pad::None) { 0 } else { self.width };
        if self.pad == Some(Pad::Zero) {
            let missing = width.saturating_sub(text.chars().count());
            return format!("{}{text}", "0".repeat(missing));
        }
        format!("{text:>width$}")
    }

    /// `%F`, where a width widens the year.
    fn date(self, civil: &Civil) -> String {
        let plus = self.plus || civil.year > 9999;
        let year = Self { width: self.width.saturating_sub(6), plus, ..self };
        let year = year.number(civil.year, 4, Pad::Zero);
        format!("{year}-{:02}-{:02}", civil.month, civil.day)
    }

    /// `%N`, where a width is the number of digits.
    fn nanos(self, nanos: u32) -> String {
        let digits = format!("{nanos:09}");
        let width = if self.width == 0 { 9 } else { self.width };
        match digits.get(..width) {
            Some(shorter) => shorter.to_owned(),
            None => format!("{digits:0<width$}"),
        }
    }

    fn zone(self) -> Option<String> {
        let text = match self.colons {
            0 => "+0000",
            1 => "+00:00",
            2 => "+00:00:00",
            3 => "+00",
            _ => return None,
        };
        let missing = self.width.saturating_sub(text.len());
        let digits = text.get(1..)?;
        Some(format!("+{}{digits}", "0".repeat(missing)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(format: &str, expect: &str) {
        let time = Timestamp { seconds: 1_709_197_509, nanos: 5_000_000 };
        assert_eq!(strftime(format, time), expect, "{format}");
    }

    #[test]
    fn formats() {
        check("%F %T.%N", "2024-02-29 09:05:09.005000000");
        check("%a %A %b %B %d %e", "Thu Thursday Feb February 29 29");
        check("%-d %_d %3d %-H %_H %k %l %I", "29 29 029 9  9  9  9 09");
        check("%j %U %V %W %u %w %q %G %g", "060 08 09 09 4 4 1 2024 24");
        check("%s %3N %z %:z %Z %p %P", "1709197509 005 +0000 +00:00 UTC AM am");
        check("%^a %#Z %10Y %Q %", "THU utc 0000002024 %Q %");
        check("100%% %D %r %c", "100% 02/29/24 09:05:09 AM Thu Feb 29 09:05:09 2024");
    }
}
