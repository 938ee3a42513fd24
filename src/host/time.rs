//! Points in time as seconds and nanoseconds since 1970, before it too.

use std::time::Duration;

/// A point in time, UTC.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp {
    /// Whole seconds since 1970-01-01T00:00:00Z, rounded down; negative before it.
    pub seconds: i64,
    /// Nanoseconds after `seconds`, below 1,000,000,000.
    pub nanos: u32,
}

impl Timestamp {
    /// The point `millis` milliseconds after 1970 (before it where negative).
    pub fn from_millis(millis: f64) -> Self {
        let whole = millis.div_euclid(1000.0);
        let rest = millis.rem_euclid(1000.0);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
        Self { seconds: whole as i64, nanos: ((rest * 1e6) as u32).min(999_999_999) }
    }

    /// Milliseconds since 1970, rounded down.
    pub fn as_millis(self) -> i64 {
        self.seconds.saturating_mul(1000).saturating_add(i64::from(self.nanos / 1_000_000))
    }

    /// This point moved later by `duration`.
    #[must_use]
    pub fn after(self, duration: Duration) -> Self {
        let nanos = self.nanos + duration.subsec_nanos();
        let carry = i64::from(nanos >= 1_000_000_000);
        let whole = i64::try_from(duration.as_secs()).unwrap_or(i64::MAX);
        Self {
            seconds: self.seconds.saturating_add(whole).saturating_add(carry),
            nanos: nanos % 1_000_000_000,
        }
    }
}
