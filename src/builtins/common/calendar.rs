//! The Gregorian calendar in UTC: points in time to year, month, day and back, any year.

/// Seconds of a day.
pub(in crate::builtins) const DAY: i64 = 86_400;

/// A date and time of day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::builtins) struct Civil {
    /// The year; 0 is 1 BC.
    pub(in crate::builtins) year: i64,
    /// 1 to 12.
    pub(in crate::builtins) month: i64,
    /// 1 to 31.
    pub(in crate::builtins) day: i64,
    /// 0 to 23.
    pub(in crate::builtins) hour: i64,
    /// 0 to 59.
    pub(in crate::builtins) minute: i64,
    /// 0 to 59.
    pub(in crate::builtins) second: i64,
}

/// English names of the months.
pub(in crate::builtins) const MONTHS: [&str; 12] = [
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

/// English names of the days of the week, Sunday first.
pub(in crate::builtins) const DAYS: [&str; 7] =
    ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

impl Civil {
    /// The date and time of a point, in a zone so many seconds east of UTC.
    pub(in crate::builtins) fn at(seconds: i64, offset: i64) -> Self {
        let seconds = seconds.saturating_add(offset);
        let (days, rest) = (seconds.div_euclid(DAY), seconds.rem_euclid(DAY));
        let (year, month, day) = date_of(days);
        Self { year, month, day, hour: rest / 3600, minute: rest / 60 % 60, second: rest % 60 }
    }

    /// Seconds since 1970 of this date and time in UTC; fields out of range carry over, as a
    /// thirteenth month into the next year.
    pub(in crate::builtins) fn seconds(&self) -> i64 {
        let months = self.month - 1;
        let year = self.year.saturating_add(months.div_euclid(12));
        let days = days_of(year, months.rem_euclid(12) + 1, 1).saturating_add(self.day - 1);
        days.saturating_mul(DAY)
            .saturating_add(self.hour.saturating_mul(3600))
            .saturating_add(self.minute.saturating_mul(60))
            .saturating_add(self.second)
    }

    /// Whether every field is in range.
    pub(in crate::builtins) fn is_valid(&self) -> bool {
        Self::at(self.seconds(), 0) == *self
    }

    /// The day of the week, Sunday 0.
    pub(in crate::builtins) fn weekday(&self) -> i64 {
        (days_of(self.year, self.month, self.day) + 4).rem_euclid(7)
    }

    /// The day of the year, from 0.
    pub(in crate::builtins) fn year_day(&self) -> i64 {
        days_of(self.year, self.month, self.day) - days_of(self.year, 1, 1)
    }

    /// Year and week of ISO 8601.
    pub(in crate::builtins) fn iso_week(&self) -> (i64, i64) {
        // The week belongs to the year that its Thursday is in.
        let days = days_of(self.year, self.month, self.day);
        let thursday = days - (self.weekday() + 6) % 7 + 3;
        let year = date_of(thursday).0;
        (year, (thursday - days_of(year, 1, 1)) / 7 + 1)
    }
}

/// Days since 1970-01-01 of a date; years are counted from March, so that the leap day is last.
fn days_of(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let year_day = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + year_day;
    era.saturating_mul(146_097).saturating_add(day_of_era - 719_468)
}

fn date_of(days: i64) -> (i64, i64, i64) {
    let days = days.saturating_add(719_468);
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let year_day = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march_month = (5 * year_day + 2) / 153;
    let day = year_day - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(seconds: i64, expect: [i64; 6]) {
        let civil = Civil::at(seconds, 0);
        let [year, month, day, hour, minute, second] = expect;
        assert_eq!(civil, Civil { year, month, day, hour, minute, second });
        assert_eq!(civil.seconds(), seconds);
        assert!(civil.is_valid());
    }

    #[test]
    fn dates() {
        check(0, [1970, 1, 1, 0, 0, 0]);
        check(-1, [1969, 12, 31, 23, 59, 59]);
        check(951_782_400, [2000, 2, 29, 0, 0, 0]);
        check(4_107_542_399, [2100, 2, 28, 23, 59, 59]);
        check(-62_135_596_800, [1, 1, 1, 0, 0, 0]);
        check(-62_167_219_200, [0, 1, 1, 0, 0, 0]);
    }

    #[test]
    fn weeks() {
        let week =
            |year, month, day| Civil { year, month, day, hour: 0, minute: 0, second: 0 }.iso_week();
        assert_eq!(week(2021, 1, 3), (2020, 53));
        assert_eq!(week(2024, 12, 30), (2025, 1));
        assert_eq!(week(2026, 6, 15), (2026, 25));
    }
}
