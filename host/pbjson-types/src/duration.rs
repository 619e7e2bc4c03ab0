//! Spans of time.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A span of time. Both parts have the same sign.
#[derive(Clone, Copy, PartialEq, Eq, Hash, prost::Message)]
pub struct Duration {
    /// Whole seconds.
    #[prost(int64, tag = "1")]
    pub seconds: i64,
    /// The rest in nanoseconds.
    #[prost(int32, tag = "2")]
    pub nanos: i32,
}

/// As protobuf's JSON has it: `1.5s`.
impl Serialize for Duration {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let sign = if self.seconds < 0 || self.nanos < 0 { "-" } else { "" };
        let (seconds, nanos) = (self.seconds.unsigned_abs(), self.nanos.unsigned_abs());
        let fraction = match nanos {
            0 => String::new(),
            _ if nanos.is_multiple_of(1_000_000) => format!(".{:03}", nanos / 1_000_000),
            _ if nanos.is_multiple_of(1_000) => format!(".{:06}", nanos / 1_000),
            _ => format!(".{nanos:09}"),
        };
        serializer.collect_str(&format_args!("{sign}{seconds}{fraction}s"))
    }
}

impl<'de> Deserialize<'de> for Duration {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        read(&text).ok_or_else(|| D::Error::custom(format_args!("`{text}` is no duration such as `1.5s`")))
    }
}

fn read(text: &str) -> Option<Duration> {
    let text = text.strip_suffix('s')?;
    let (sign, text) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
    let (seconds, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if seconds.is_empty() || !digits(seconds) || fraction.len() > 9 || !digits(fraction) {
        return None;
    }
    let nanos: i32 = format!("{fraction:0<9}").parse().ok()?;
    Some(Duration { seconds: sign * seconds.parse::<i64>().ok()?, nanos: i32::try_from(sign).ok()? * nanos })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(seconds: i64, nanos: i32, text: &str) {
        let duration = Duration { seconds, nanos };
        assert_eq!(serde_json::to_value(duration).unwrap(), text);
        assert_eq!(read(text), Some(duration), "{text}");
    }

    #[test]
    fn durations() {
        check(0, 0, "0s");
        check(60, 0, "60s");
        check(1, 500_000_000, "1.500s");
        check(-1, -500_000, "-1.000500s");
        check(0, -1, "-0.000000001s");
        for refused in ["", "s", "1", "-s", "1.0000000001s", "+1s", "1.-5s", "1e3s"] {
            assert_eq!(read(refused), None, "{refused}");
        }
    }
}
