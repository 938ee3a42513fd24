//! The parts found in a date in; the point in time they mean out.

use super::super::calendar::Civil;
use crate::host::Timestamp;

/// What has been found so far.
#[derive(Default)]
pub(super) struct Found {
    pub(super) date: Option<(i64, i64, i64)>,
    /// Whether the date was written with its year.
    pub(super) with_year: bool,
    pub(super) time: Option<(i64, i64, i64, u32)>,
    /// Seconds east of UTC.
    pub(super) zone: Option<i64>,
    /// Which one (0 for a bare name), and the day of the week.
    pub(super) weekday: Option<(i64, i64)>,
    pub(super) relative: Option<Relative>,
}

/// Sums of relative parts.
#[derive(Clone, Copy, Default)]
pub(super) struct Relative {
    pub(super) months: i64,
    pub(super) days: i64,
    pub(super) seconds: i64,
    pub(super) nanos: i64,
}

impl Found {
    pub(super) fn resolve(&self, now: Timestamp) -> Option<Timestamp> {
        let zone = self.zone.unwrap_or(0);
        let mut civil = Civil::at(now.seconds, zone);
        let mut nanos = now.nanos;
        if let Some((year, month, day)) = self.date {
            let year = if year == i64::MIN { civil.year } else { year };
            civil = Civil { year, month, day, ..civil };
        }
        if let Some((hour, minute, second, fraction)) = self.time {
            civil = Civil { hour, minute, second, ..civil };
            nanos = fraction;
        } else if self.relative.is_none() || self.date.is_some() || self.weekday.is_some() {
            civil = Civil { hour: 0, minute: 0, second: 0, ..civil };
            nanos = 0;
        }
        if !civil.is_valid() || civil.year.abs() > 1_000_000_000 {
            return None;
        }
        if let (Some((ordinal, weekday)), None) = (self.weekday, self.date) {
            let today = civil.weekday();
            let weeks = ordinal - i64::from(ordinal > 0 && today != weekday);
            let days = weeks.checked_mul(7)?.checked_add((weekday - today).rem_euclid(7))?;
            civil.day = civil.day.checked_add(days)?;
        }
        let relative = self.relative.unwrap_or_default();
        civil.month = civil.month.checked_add(relative.months)?;
        civil.day = civil.day.checked_add(relative.days)?;
        let total = i64::from(nanos) + relative.nanos;
        let seconds = civil
            .seconds()
            .checked_sub(zone)?
            .checked_add(relative.seconds)?
            .checked_add(total.div_euclid(1_000_000_000))?;
        let nanos = u32::try_from(total.rem_euclid(1_000_000_000)).ok()?;
        // Fields that carried over beyond what a calendar holds saturate; refuse those.
        (seconds.abs() < i64::MAX / 4).then_some(Timestamp { seconds, nanos })
    }
}
