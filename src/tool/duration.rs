//! Durations as people write them: `30`, `1.5`, `500ms`, `2m`, `1h`, `infinity`.

use std::time::Duration;

/// The longest wait: longer ones are cut to it, as timers can't count further.
const LONGEST: f64 = 4e9;

/// Reads a duration; seconds where no unit is given.
pub fn parse_duration(text: &str) -> Option<Duration> {
    if matches!(text, "inf" | "infinity") {
        return Some(Duration::from_secs_f64(LONGEST));
    }
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (digits, unit) = text.split_at_checked(end)?;
    let factor = match unit {
        "" | "s" => 1.0,
        "ms" => 0.001,
        "m" => 60.0,
        "h" => 3600.0,
        "d" => 86400.0,
        _ => return None,
    };
    let number: f64 = digits.parse().ok()?;
    Duration::try_from_secs_f64((number * factor).min(LONGEST)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expect: Option<f64>) {
        assert_eq!(parse_duration(text).map(|d| d.as_secs_f64()), expect, "{text}");
    }

    #[test]
    fn durations() {
        check("30", Some(30.0));
        check("1.5", Some(1.5));
        check(".5", Some(0.5));
        check("500ms", Some(0.5));
        check("2m", Some(120.0));
        check("1h", Some(3600.0));
        check("1e3", None);
        check("", None);
        check("-1", None);
        check("1x", None);
    }
}
