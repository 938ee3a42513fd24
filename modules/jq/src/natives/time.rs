//! Dates: broken-down times, `strftime`, `strptime`; all of them UTC.

use std::fmt::Write as _;

use super::{Entry, plain, unary};
use crate::fault::{Error, Valued, error, fail, refuse};
use crate::operators::whole;
use crate::value::Json;

pub(super) const FILTERS: &[Entry] = &[
    plain!("gmtime", gmtime),
    plain!("localtime", gmtime),
    plain!("mktime", |value: Json| {
        let time = Broken::of(&value, "mktime")?;
        Ok(Json::num(seconds_number(time.seconds())))
    }),
    plain!("todate", |value: Json| match &value {
        Json::Num(..) => format_time(&value, "%Y-%m-%dT%H:%M:%SZ", "strftime/1"),
        other => refuse(other, "cannot be formatted as a date"),
    }),
    plain!("fromdateiso8601", |value: Json| {
        let time = parse_time(&value, "%Y-%m-%dT%H:%M:%SZ")?;
        Ok(Json::num(seconds_number(time.seconds())))
    }),
    unary!("strftime", |value: Json, format: Json| strftime(&value, &format, "strftime/1")),
    unary!("strflocaltime", |value: Json, format: Json| {
        strftime(&value, &format, "strflocaltime/1")
    }),
    unary!("strptime", |value: Json, format: Json| {
        let Json::Str(format) = &format else {
            return fail("strptime/1 requires a string format");
        };
        Ok(parse_time(&value, format)?.to_json())
    }),
];

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const DAYS: [&str; 7] =
    ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/// A time taken apart; months and days of the year from zero, as in C.
#[derive(Clone, Copy, Default)]
struct Broken {
    year: i64,
    month: i64,
    day: i64,
    hour: i64,
    minute: i64,
    second: f64,
}

#[expect(clippy::cast_precision_loss, reason = "numbers are doubles")]
fn seconds_number(seconds: i64) -> f64 {
    seconds as f64
}

/// Days from 1970-01-01 to a day of the proleptic Gregorian calendar; the month may be any.
fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = year + month.div_euclid(12);
    let month = month.rem_euclid(12) + 1;
    // Years that begin in March end with the day that leap years add.
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

impl Broken {
    fn from_seconds(seconds: f64) -> Self {
        let whole_seconds = whole(seconds.floor()).clamp(-1 << 46, 1 << 46);
        let days = whole_seconds.div_euclid(86_400);
        let rest = whole_seconds.rem_euclid(86_400);
        let shifted = days + 719_468;
        let era = shifted.div_euclid(146_097);
        let of_era = shifted.rem_euclid(146_097);
        let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month = (5 * of_year + 2) / 153;
        let day = of_year - (153 * month + 2) / 5 + 1;
        let month = if month < 10 { month + 2 } else { month - 10 };
        let year = year_of_era + era * 400 + i64::from(month < 2);
        let fraction = seconds - seconds.floor();
        let second = seconds_number(rest % 60) + if fraction.is_finite() { fraction } else { 0.0 };
        Self { year, month, day, hour: rest / 3600, minute: rest / 60 % 60, second }
    }

    /// The time an array `[year, month, day, hour, minute, second, …]` says.
    fn of(value: &Json, name: &str) -> Result<Self, Error> {
        let numbers = || error(format!("{name} requires parsed datetime inputs"));
        let Json::Arr(list) = value else {
            return fail(format!("{name} requires array of 6 numbers"));
        };
        if list.len() < 6 {
            return fail(format!("{name} requires array of 6 numbers"));
        }
        let number = |index: usize| {
            list.get(index).and_then(Json::as_num).filter(|n| n.is_finite()).ok_or_else(numbers)
        };
        let integer = |index: usize| number(index).map(|n| whole(n).clamp(-1 << 32, 1 << 32));
        Ok(Self {
            year: integer(0)?,
            month: integer(1)?,
            day: integer(2)?,
            hour: integer(3)?,
            minute: integer(4)?,
            second: number(5)?,
        })
    }

    fn days(&self) -> i64 {
        days_from_civil(self.year, self.month, self.day)
    }

    fn seconds(&self) -> i64 {
        let seconds = whole(self.second.floor()).clamp(-1 << 40, 1 << 40);
        self.days() * 86_400 + self.hour * 3600 + self.minute * 60 + seconds
    }

    fn weekday(&self) -> i64 {
        (self.days() + 4).rem_euclid(7)
    }

    fn year_day(&self) -> i64 {
        self.days() - days_from_civil(self.year, 0, 1)
    }

    /// Year and number of the ISO week.
    fn iso_week(&self) -> (i64, i64) {
        let thursday = self.days() - (self.weekday() + 6) % 7 + 3;
        let year = Self::from_seconds(seconds_number(thursday * 86_400)).year;
        (year, (thursday - days_from_civil(year, 0, 1)) / 7 + 1)
    }

    fn to_json(self) -> Json {
        let numbers = [self.year, self.month, self.day, self.hour, self.minute].map(seconds_number);
        let tail = [self.second, seconds_number(self.weekday()), seconds_number(self.year_day())];
        numbers.into_iter().chain(tail).map(Json::num).collect()
    }
}

fn gmtime(value: Json) -> Valued {
    match value {
        Json::Num(seconds, _) => Ok(Broken::from_seconds(seconds).to_json()),
        _ => fail("gmtime() requires a number"),
    }
}

fn strftime(value: &Json, format: &Json, name: &str) -> Valued {
    match format {
        Json::Str(format) => format_time(value, format, name),
        _ => fail(format!("{name} requires a string format")),
    }
}

fn format_time(value: &Json, format: &str, name: &str) -> Valued {
    let time = match value {
        Json::Num(seconds, _) => Broken::from_seconds(*seconds),
        Json::Arr(_) => Broken::of(value, name)?,
        _ => return fail(format!("{name} requires parsed datetime inputs")),
    };
    let mut out = String::new();
    write_time(&mut out, &time, format, 0);
    Ok(Json::text(out))
}

/// The name of a day or month, shortened to three letters where asked.
fn name(names: &[&'static str], index: i64, short: bool) -> &'static str {
    let name = usize::try_from(index).ok().and_then(|index| names.get(index)).copied();
    let name = name.unwrap_or("?");
    if short { name.get(..3).unwrap_or(name) } else { name }
}

fn write_time(out: &mut String, time: &Broken, format: &str, depth: usize) {
    let mut chars = format.chars();
    while let Some(c) = chars.next() {
        if c != '%' {
            out.push(c);
            continue;
        }
        let Some(mut letter) = chars.next() else {
            out.push('%');
            return;
        };
        let mut unpadded = false;
        if letter == '-' {
            unpadded = true;
            letter = chars.next().unwrap_or('-');
        }
        let longer = match letter {
            'F' => "%Y-%m-%d",
            'T' | 'X' => "%H:%M:%S",
            'D' | 'x' => "%m/%d/%y",
            'R' => "%H:%M",
            'r' => "%I:%M:%S %p",
            'c' => "%a %b %e %H:%M:%S %Y",
            _ => "",
        };
        if !longer.is_empty() && depth == 0 {
            write_time(out, time, longer, 1);
            continue;
        }
        write_field(out, time, letter, unpadded);
    }
}

fn write_field(out: &mut String, time: &Broken, letter: char, unpadded: bool) {
    let hour12 = (time.hour + 11) % 12 + 1;
    let (yearday, weekday) = (time.year_day(), time.weekday());
    let (value, width, blank) = match letter {
        'Y' => (time.year, 1, false),
        'C' => (time.year.div_euclid(100), 2, false),
        'y' => (time.year.rem_euclid(100), 2, false),
        'm' => (time.month + 1, 2, false),
        'd' => (time.day, 2, false),
        'e' => (time.day, 2, true),
        'H' => (time.hour, 2, false),
        'k' => (time.hour, 2, true),
        'I' => (hour12, 2, false),
        'l' => (hour12, 2, true),
        'M' => (time.minute, 2, false),
        'S' => (whole(time.second.floor()), 2, false),
        'j' => (yearday + 1, 3, false),
        'u' => ((weekday + 6) % 7 + 1, 1, false),
        'w' => (weekday, 1, false),
        's' => (time.seconds(), 1, false),
        'G' => (time.iso_week().0, 1, false),
        'g' => (time.iso_week().0.rem_euclid(100), 2, false),
        'V' => (time.iso_week().1, 2, false),
        'U' => ((yearday + 7 - weekday) / 7, 2, false),
        'W' => ((yearday + 7 - (weekday + 6) % 7) / 7, 2, false),
        _ => {
            out.push_str(match letter {
                'A' => name(&DAYS, weekday, false),
                'a' => name(&DAYS, weekday, true),
                'B' => name(&MONTHS, time.month, false),
                'b' | 'h' => name(&MONTHS, time.month, true),
                'p' if time.hour < 12 => "AM",
                'p' => "PM",
                'P' if time.hour < 12 => "am",
                'P' => "pm",
                'Z' => "UTC",
                'z' => "+0000",
                'n' => "\n",
                't' => "\t",
                _ => "%",
            });
            if !"AaBbhpPZznt%".contains(letter) {
                out.push(letter);
            }
            return;
        }
    };
    let _ = match (unpadded, blank) {
        (true, _) => write!(out, "{value}"),
        (_, true) => write!(out, "{value:width$}"),
        _ => write!(out, "{value:0width$}"),
    };
}

/// Text read by a format.
struct Scanner<'t> {
    rest: &'t str,
    time: Broken,
    afternoon: Option<bool>,
    year_day: Option<i64>,
}

fn parse_time(value: &Json, format: &str) -> Result<Broken, Error> {
    let Json::Str(text) = value else {
        return refuse(value, "cannot be parsed as a date, only strings can be");
    };
    let time = Broken { year: 1900, day: 1, ..Broken::default() };
    let mut scanner = Scanner { rest: text, time, afternoon: None, year_day: None };
    if scanner.read(format, 0).is_none() || !scanner.rest.is_empty() {
        return fail(format!("date \"{text}\" does not match format \"{format}\""));
    }
    Ok(scanner.finish())
}

impl Scanner<'_> {
    fn read(&mut self, format: &str, depth: usize) -> Option<()> {
        let mut chars = format.chars();
        while let Some(c) = chars.next() {
            if c.is_whitespace() {
                self.rest = self.rest.trim_start();
            } else if c == '%' {
                let letter = chars.next()?;
                let longer = match letter {
                    'F' => "%Y-%m-%d",
                    'T' | 'X' => "%H:%M:%S",
                    'D' | 'x' => "%m/%d/%y",
                    'R' => "%H:%M",
                    'r' => "%I:%M:%S %p",
                    'c' => "%a %b %e %H:%M:%S %Y",
                    _ => "",
                };
                if longer.is_empty() || depth > 0 {
                    self.field(letter)?;
                } else {
                    self.read(longer, 1)?;
                }
            } else {
                self.rest = self.rest.strip_prefix(c)?;
            }
        }
        Some(())
    }

    /// A number of at most so many digits, after blanks, within bounds.
    fn number(&mut self, digits: usize, bounds: std::ops::RangeInclusive<i64>) -> Option<i64> {
        let text = self.rest.trim_start();
        let sign = usize::from(digits > 3 && text.starts_with('-'));
        let length = text.bytes().skip(sign).take(digits).take_while(u8::is_ascii_digit).count();
        let (number, rest) = text.split_at_checked(sign + length).filter(|_| length > 0)?;
        self.rest = rest;
        number.parse().ok().filter(|number| bounds.contains(number))
    }

    /// One of these names, or the first three letters of one.
    fn name(&mut self, names: &[&str]) -> Option<i64> {
        for (index, name) in names.iter().enumerate() {
            for name in [*name, name.get(..3)?] {
                let head = self.rest.get(..name.len());
                if head.is_some_and(|head| head.eq_ignore_ascii_case(name)) {
                    self.rest = self.rest.get(name.len()..)?;
                    return i64::try_from(index).ok();
                }
            }
        }
        None
    }

    fn field(&mut self, letter: char) -> Option<()> {
        match letter {
            'Y' => self.time.year = self.number(4, -9999..=9999)?,
            'y' => {
                let year = self.number(2, 0..=99)?;
                self.time.year = if year < 69 { 2000 + year } else { 1900 + year };
            }
            'm' => self.time.month = self.number(2, 1..=12)? - 1,
            'd' | 'e' => self.time.day = self.number(2, 1..=31)?,
            'H' | 'k' => self.time.hour = self.number(2, 0..=23)?,
            'I' | 'l' => self.time.hour = self.number(2, 1..=12)?,
            'M' => self.time.minute = self.number(2, 0..=59)?,
            'S' => self.time.second = seconds_number(self.number(2, 0..=61)?),
            'j' => self.year_day = Some(self.number(3, 1..=366)? - 1),
            's' => {
                let seconds = self.number(18, i64::MIN..=i64::MAX)?;
                self.time = Broken::from_seconds(seconds_number(seconds));
            }
            'a' | 'A' => {
                self.name(&DAYS)?;
            }
            'b' | 'B' | 'h' => self.time.month = self.name(&MONTHS)?,
            'u' | 'w' => {
                self.number(1, 0..=7)?;
            }
            'p' | 'P' => {
                let head = self.rest.get(..2)?;
                self.afternoon = Some(match head.to_ascii_lowercase().as_str() {
                    "am" => false,
                    "pm" => true,
                    _ => return None,
                });
                self.rest = self.rest.get(2..)?;
            }
            'z' => self.zone()?,
            'Z' => {
                let end = self.rest.find(|c: char| !c.is_ascii_alphabetic());
                let end = end.unwrap_or(self.rest.len());
                self.rest = self.rest.get(end..).filter(|_| end > 0)?;
            }
            'n' | 't' => self.rest = self.rest.trim_start(),
            '%' => self.rest = self.rest.strip_prefix('%')?,
            _ => return None,
        }
        Some(())
    }

    /// `Z`, `+hh:mm` or `+hhmm`; read and, as in C, not applied.
    fn zone(&mut self) -> Option<()> {
        if let Some(rest) = self.rest.strip_prefix('Z') {
            self.rest = rest;
            return Some(());
        }
        self.rest = self.rest.strip_prefix(['+', '-'])?;
        self.number(2, 0..=24)?;
        self.rest = self.rest.strip_prefix(':').unwrap_or(self.rest);
        self.number(2, 0..=59).map(drop)
    }

    /// The time that the fields make.
    fn finish(self) -> Broken {
        let mut time = self.time;
        if let Some(afternoon) = self.afternoon {
            time.hour = time.hour % 12 + if afternoon { 12 } else { 0 };
        }
        if let Some(day) = self.year_day.filter(|_| time.month == 0 && time.day == 1) {
            let days = days_from_civil(time.year, 0, 1) + day;
            let date = Broken::from_seconds(seconds_number(days * 86_400));
            (time.month, time.day) = (date.month, date.day);
        }
        time
    }
}
