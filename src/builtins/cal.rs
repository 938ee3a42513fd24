//! `cal`: months as calendars.

use crate::tool::{Args, Builtin, Example, ExecContext, OK, Opt, Outcome, Run, Spec, Stop, Topic};

use super::common::{Civil, DAYS, MONTHS};

/// `cal`
pub(super) const BUILTIN: Builtin = Builtin { spec: SPEC, run: Run::Now(run) };

const SPEC: Spec = Spec {
    name: "cal",
    about: "print a calendar",
    topic: Topic::System,
    operands: "[[[DAY] MONTH] YEAR]",
    arity: (0, 3),
    options: &[
        Opt::flag('1', "one", "one month, which is the default"),
        Opt::flag('3', "three", "the months before and after too"),
        Opt::value('n', "months", "N", "so many months"),
        Opt::flag('y', "year", "the whole year"),
        Opt::flag('m', "monday", "weeks begin on Monday"),
        Opt::flag('s', "sunday", "weeks begin on Sunday, which is the default"),
        Opt::flag('j', "julian", "days of the year"),
    ],
    notes: "MONTH is a number or a name; a lone operand is a year, unless it is a name. All\n\
            days are those of the Gregorian calendar, before it was introduced too.",
    examples: &[Example {
        script: "cal 2 2024 | head -n 3",
        output: "   February 2024\nSu Mo Tu We Th Fr Sa\n             1  2  3\n",
    }],
    ..Spec::DEFAULT
};

/// Weeks a month may reach into.
const WEEKS: i64 = 6;

/// How months are laid out.
struct Layout {
    monday: bool,
    julian: bool,
    with_year: bool,
}

impl Layout {
    /// The width of one day.
    fn day(&self) -> usize {
        if self.julian { 3 } else { 2 }
    }

    fn width(&self) -> usize {
        7 * (self.day() + 1) - 1
    }

    /// The lines of a month, all of the same width.
    fn month(&self, year: i64, month: i64) -> Vec<String> {
        let name = usize::try_from(month - 1).ok().and_then(|index| MONTHS.get(index).copied());
        let name = name.unwrap_or_default();
        let title = if self.with_year { format!("{name} {year}") } else { name.to_owned() };
        let day = self.day();
        let first = usize::from(self.monday);
        let days = (0..7).filter_map(|index| DAYS.get((index + first) % 7)?.get(..2));
        let heading: Vec<String> = days.map(|name| format!("{name:>day$}")).collect();
        let mut lines = vec![format!("{title:^width$}", width = self.width()), heading.join(" ")];
        let start = Civil { year, month, day: 1, hour: 0, minute: 0, second: 0 };
        let lead = (start.weekday() - i64::from(self.monday)).rem_euclid(7);
        let length = month_length(year, month);
        for week in 0..WEEKS {
            let cells = (0..7).map(|column| {
                let number = week * 7 + column - lead + 1;
                if !(1..=length).contains(&number) {
                    return " ".repeat(day);
                }
                let shown = if self.julian { start.year_day() + number } else { number };
                format!("{shown:>day$}")
            });
            lines.push(cells.collect::<Vec<_>>().join(" "));
        }
        lines
    }
}

fn month_length(year: i64, month: i64) -> i64 {
    let first = |month| Civil { year, month, day: 1, hour: 0, minute: 0, second: 0 }.seconds();
    (first(month + 1) - first(month)) / 86_400
}

fn run(cx: &mut ExecContext, args: &Args) -> Outcome {
    let now = Civil::at(cx.services.host.now().seconds, 0);
    let (month, year, whole_year) = date(cx, args, &now)?;
    let mut layout = Layout {
        monday: args.last_of(&["monday", "sunday"]) == Some("monday"),
        julian: args.has("julian"),
        with_year: true,
    };
    let count = match args.text("months") {
        None => None,
        Some(text) => match text.parse::<i64>() {
            Ok(count) if (1..=1200).contains(&count) => Some(count),
            _ => return Err(cx.fail(1, format_args!("invalid month argument: '{text}'"))),
        },
    };
    let (first, count) = match count {
        Some(count) => (month, count),
        None if whole_year || args.has("year") => {
            layout.with_year = false;
            (1, 12)
        }
        None if args.has("three") => (month - 1, 3),
        None => (month, 1),
    };
    let columns = if layout.julian { 2 } else { 3 };
    if !layout.with_year {
        let width = (columns * (layout.width() + 2)) - 2;
        push_trimmed(cx, &format!("{year:^width$}"));
        cx.push("\n");
    }
    let months: Vec<Vec<String>> = (first..first + count)
        .map(|month| {
            layout.month(year + (month - 1).div_euclid(12), (month - 1).rem_euclid(12) + 1)
        })
        .collect();
    for row in months.chunks(columns) {
        let height = row.first().map_or(0, Vec::len);
        let mut lines: Vec<String> = (0..height)
            .map(|index| {
                let cells: Vec<&str> =
                    row.iter().filter_map(|month| month.get(index).map(String::as_str)).collect();
                cells.join("  ")
            })
            .collect();
        // A last week that no month reaches is left out, unless months follow below.
        if count == 1 {
            while lines.last().is_some_and(|line| line.trim().is_empty()) {
                lines.pop();
            }
        }
        for line in lines {
            push_trimmed(cx, &line);
        }
    }
    OK
}

fn push_trimmed(cx: &mut ExecContext, line: &str) {
    cx.push_line(line.trim_end());
}

/// The month and year of the operands, and whether the year alone was named.
fn date(cx: &mut ExecContext, args: &Args, now: &Civil) -> Result<(i64, i64, bool), Stop> {
    let operands = args.operand_texts();
    let (month, year) = match operands.as_slice() {
        [] => return Ok((now.month, now.year, false)),
        [only] => match month_named(only) {
            Some(month) => return Ok((month, now.year, false)),
            None => (None, only),
        },
        [month, year] | [_, month, year, ..] => (Some(month), year),
    };
    let Some(year) = year.parse::<i64>().ok().filter(|year| (1..=999_999).contains(year)) else {
        return Err(cx.fail(1, format_args!("not a valid year: '{year}'")));
    };
    let Some(text) = month else { return Ok((1, year, true)) };
    let number = text.parse::<i64>().ok().filter(|month| (1..=12).contains(month));
    match number.or_else(|| month_named(text)) {
        Some(month) => Ok((month, year, false)),
        None => Err(cx.fail(1, format_args!("unknown month name or number: '{text}'"))),
    }
}

/// A month by its name, or the first letters of it, three at least.
fn month_named(text: &str) -> Option<i64> {
    let text = text.to_ascii_lowercase();
    let matches = |name: &&str| text.len() >= 3 && name.to_ascii_lowercase().starts_with(&text);
    let index = MONTHS.iter().position(matches)?;
    i64::try_from(index + 1).ok()
}
