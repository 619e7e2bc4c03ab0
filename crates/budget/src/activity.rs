//! Time: when a model was last asked for, and when it falls asleep.

use quantity::{Duration, Time};

/// The cooldown of a model that states none.
pub const DEFAULT_COOLDOWN: Duration = Duration::from_nanos(10 * 60 * SECOND);
/// A stamp may be so far ahead of the time of the call: clocks differ.
const AHEAD: i64 = 5 * 60 * SECOND;

const SECOND: i64 = 1_000_000_000;

/// The annotation with the time of the last request.
pub const LAST_REQUEST: &str = "inference.eh-ops.io/last-request-time";

/// When somebody asked for a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stamp {
    /// At this time.
    At(Time),
    /// At a time that is too far ahead.
    Ahead,
    /// At no time that can be read.
    Unreadable,
}

impl Stamp {
    /// Reads a stamp in RFC 3339, whose letters may be lower case. Without a time of the call, none is too far ahead.
    pub fn read(text: &str, now: Option<Time>) -> Self {
        let Ok(at) = text.to_ascii_uppercase().parse::<Time>() else { return Self::Unreadable };
        match now.map(|now| at.since(now)) {
            Some(Some(ahead)) if ahead.nanos() > AHEAD => Self::Ahead,
            // More than 292 years, in one direction or the other.
            Some(None) if now < Some(at) => Self::Ahead,
            _ => Self::At(at),
        }
    }

    /// Its time.
    pub fn time(self) -> Option<Time> {
        match self {
            Self::At(at) => Some(at),
            Self::Ahead | Self::Unreadable => None,
        }
    }
}

/// The cooldown that a text states. `Err` when it falls back to 10 minutes.
pub fn cooldown(text: &str) -> Result<Duration, Duration> {
    match text.parse::<Duration>() {
        Ok(duration) if duration.nanos() > 0 => Ok(duration),
        _ => Err(DEFAULT_COOLDOWN),
    }
}

/// A time as stamps are written: in UTC, whole seconds.
pub fn written(time: Time) -> String {
    Time::from_seconds(time.seconds()).to_string()
}

/// How long nobody has asked. `None` when it is longer than 292 years.
pub fn idle(now: Time, last: Time) -> Option<Duration> {
    now.since(last)
}

/// Whether nobody has asked for longer than the cooldown.
pub fn is_expired(now: Time, last: Time, cooldown: Duration) -> bool {
    match idle(now, last) {
        Some(idle) => idle > cooldown,
        None => last < now,
    }
}

/// When the cooldown is over.
pub fn sleeps_at(last: Time, cooldown: Duration) -> Option<Time> {
    last.checked_add(cooldown.nanos().into())
}

/// The milliseconds until the cooldown is over, rounded up: at least one second, and at most `most`.
pub fn until(now: Time, sleeps_at: Time, most: u64) -> u64 {
    let far = if sleeps_at < now { 0 } else { i64::MAX };
    let left = sleeps_at.since(now).map_or(far, Duration::nanos).max(0).unsigned_abs();
    left.div_ceil(1_000_000).clamp(1_000, most.max(1_000))
}

/// A duration as people read it: whole seconds, as Go writes them.
pub fn for_people(duration: Duration) -> String {
    Duration::from_nanos(duration.nanos() / SECOND * SECOND).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(text: &str) -> Time {
        text.parse().expect("a time")
    }

    #[test]
    fn stamps() {
        let now = Some(time("2026-01-31T12:00:00Z"));
        #[track_caller]
        fn check(text: &str, now: Option<Time>, want: Stamp) {
            assert_eq!(Stamp::read(text, now), want);
        }
        let noon = |text| Stamp::At(time(text));
        check("2026-01-31T11:00:00Z", now, noon("2026-01-31T11:00:00Z"));
        check("2026-01-31t11:00:00z", now, noon("2026-01-31T11:00:00Z"));
        check("2026-01-31T13:00:00.25+02:00", now, noon("2026-01-31T11:00:00.25Z"));
        check("2026-01-31T12:05:00Z", now, noon("2026-01-31T12:05:00Z"));
        check("2026-01-31T12:05:01Z", now, Stamp::Ahead);
        check("9999-12-31T23:59:59Z", now, Stamp::Ahead);
        check("9999-12-31T23:59:59Z", None, noon("9999-12-31T23:59:59Z"));
        check("0000-01-01T00:00:00Z", now, noon("0000-01-01T00:00:00Z"));
        for text in ["", "yesterday", "2026-01-31", "2026-01-31T11:00:00", "2026-02-31T11:00:00Z", "1769860800"] {
            check(text, now, Stamp::Unreadable);
        }
        assert_eq!(written(time("2026-01-31T13:00:00.75+02:00")), "2026-01-31T11:00:00Z");
    }

    #[test]
    fn cooldowns() {
        #[track_caller]
        fn check(text: &str, want: Result<&str, &str>) {
            let read = cooldown(text).map(|it| it.to_string()).map_err(|it| it.to_string());
            assert_eq!(read, want.map(str::to_owned).map_err(str::to_owned), "{text:?}");
        }
        check("300ms", Ok("300ms"));
        check("1h30m", Ok("1h30m0s"));
        check("1ns", Ok("1ns"));
        check("1.5µs", Ok("1.5µs"));
        check("+90s", Ok("1m30s"));
        for fallen in ["0", "0s", "-1s", "", "soon", "10", "300y", "3000000h"] {
            check(fallen, Err("10m0s"));
        }
    }

    #[test]
    fn idleness() {
        let now = time("2026-01-31T12:00:00Z");
        #[track_caller]
        fn check(now: Time, last: &str, cooldown: &str, expired: bool, until_then: u64) {
            let (last, cooldown) = (time(last), cooldown.parse().expect("a duration"));
            assert_eq!(is_expired(now, last, cooldown), expired, "{last}");
            let at = sleeps_at(last, cooldown).expect("in range");
            assert_eq!(until(now, at, 60_000), until_then, "{last}");
        }
        // Strictly longer than the cooldown.
        check(now, "2026-01-31T11:50:00Z", "10m", false, 1_000);
        check(now, "2026-01-31T11:49:59.999999999Z", "10m", true, 1_000);
        check(now, "2026-01-31T11:50:30Z", "10m", false, 30_000);
        check(now, "2026-01-31T11:50:30.0000001Z", "10m", false, 30_001);
        check(now, "2026-01-31T11:59:00Z", "10m", false, 60_000);
        check(now, "2026-01-31T12:04:00Z", "10m", false, 60_000);
        check(now, "2026-01-31T12:00:00Z", "1ns", false, 1_000);
        check(now, "0000-01-01T00:00:00Z", "2562047h", true, 1_000);
        assert_eq!(for_people(Duration::from_nanos(120 * SECOND + 5)), "2m0s");
    }
}
