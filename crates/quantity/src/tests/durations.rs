//! Each row has the answer of `time.ParseDuration` and `Duration.String` in Go 1.26.

use crate::{Duration, DurationError, Part};

#[test]
fn reading() {
    let check = |text: &str, nanos: i64, printed: &str| {
        assert_eq!(text.parse(), Ok(Duration::from_nanos(nanos)), "{text:?}");
        assert_eq!(Duration::from_nanos(nanos).to_string(), printed, "{text:?}");
    };
    check("0", 0, "0s");
    check("+0", 0, "0s");
    check("-0", 0, "0s");
    check("1h30m", 5_400_000_000_000, "1h30m0s");
    check("-1.5h", -5_400_000_000_000, "-1h30m0s");
    check("+5s", 5_000_000_000, "5s");
    check(".5s", 500_000_000, "500ms");
    check("5.s", 5_000_000_000, "5s");
    check("1ns", 1, "1ns");
    check("1us", 1_000, "1µs");
    check("1\u{b5}s", 1_000, "1µs");
    check("1\u{3bc}s", 1_000, "1µs");
    check("1ms", 1_000_000, "1ms");
    check("1m", 60_000_000_000, "1m0s");
    check("1m1h", 3_660_000_000_000, "1h1m0s");
    check("1s1s", 2_000_000_000, "2s");
    check("39h9m14.425s", 140_954_425_000_000, "39h9m14.425s");
    check("1m0.000000001s", 60_000_000_001, "1m0.000000001s");
    check("000000000000000000000000005s", 5_000_000_000, "5s");
    check("0.9ns", 0, "0s"); // fractions of a nanosecond are cut off
    check("1.9ns", 1, "1ns");
    check("2.0000000009s", 2_000_000_000, "2s");
    check("1.0000000000000000001h", 3_600_000_000_000, "1h0m0s");
    check("0.9999999999999999999h", 3_600_000_000_000, "1h0m0s"); // but a double is rounded
    check("0.3333333333333333333h", 1_200_000_000_000, "20m0s");
    check("0.830103483285477580700h", 2_988_372_539_827, "49m48.372539827s");
    check("0.9223372036854775807h", 3_320_413_933_267, "55m20.413933267s"); // the last digit does not fit 63 bits
    check("0.92233720368547758079h", 3_320_413_933_267, "55m20.413933267s");
}

#[test]
fn the_longest() {
    let check = |text: &str, nanos: Option<i64>| {
        assert_eq!(text.parse().ok().map(Duration::nanos), nanos, "{text:?}");
    };
    check("2562047h47m16.854775807s", Some(i64::MAX));
    check("2562047h47m16.854775808s", None);
    check("-2562047h47m16.854775808s", Some(i64::MIN));
    check("-2562047h47m16.854775809s", None);
    check("9223372036854775807ns", Some(i64::MAX));
    check("9223372036854775808ns", None);
    check("-9223372036854775808ns", Some(i64::MIN));
    check("9223372036854775809ns", None);
    check("9223372036854775.8079us", Some(i64::MAX));
    check("3000000h", None);
    check("99999999999999999999s", None);
    // Go does not notice that its sum overflows.
    check("9223372036854775808ns9223372036854775808ns", Some(0));
    check("-9223372036854775808ns9223372036854775808ns9223372036854775808ns", Some(i64::MIN));
}

#[test]
fn not_durations() {
    for text in [
        "",
        "+",
        "-",
        ".",
        "00",
        "0.0",
        "1",
        "s",
        "-s",
        ".s",
        "-.s",
        "1.5.5s",
        "1d",
        "1S",
        "1 s",
        " 1s",
        "1s ",
        "1h-1m",
        "--1s",
        "+-1s",
        "1e3s",
        "0x1s",
        "1_0s",
        "1hms",
        "1\u{663}s",
        "\u{ff14}s",
    ] {
        assert_eq!(text.parse::<Duration>(), Err(DurationError), "{text:?}");
    }
}

#[test]
fn printing() {
    let check = |nanos, want: &str| assert_eq!(Duration::from_nanos(nanos).to_string(), want);
    check(0, "0s");
    check(-1, "-1ns");
    check(999, "999ns");
    check(1_001, "1.001µs");
    check(1_100, "1.1µs");
    check(999_999, "999.999µs");
    check(1_500_000, "1.5ms");
    check(2_000_001, "2.000001ms");
    check(999_999_999, "999.999999ms");
    check(1_500_000_000, "1.5s");
    check(59_999_999_999, "59.999999999s");
    check(60_000_000_000, "1m0s");
    check(3_600_000_000_001, "1h0m0.000000001s");
    check(5_400_250_000_000, "1h30m0.25s");
    check(360_000_000_000_000, "100h0m0s");
    check(i64::MAX, "2562047h47m16.854775807s");
    check(i64::MIN, "-2562047h47m16.854775808s");
}

#[test]
fn parts() {
    let check = |text: &str, want: &[Option<(&str, &str, u64)>]| {
        let want: Vec<_> =
            want.iter().map(|part| part.map(|(whole, fraction, unit)| Part { whole, fraction, unit })).collect();
        assert_eq!(Duration::parts(text).collect::<Vec<_>>(), want, "{text:?}");
    };
    check("", &[]);
    check("0", &[None]);
    check("-1s", &[None]);
    check("1.50ms", &[Some(("1", "50", 1_000_000))]);
    check("1h.5s", &[Some(("1", "", 3_600_000_000_000)), Some(("", "5", 1_000_000_000))]);
    check("1h5", &[Some(("1", "", 3_600_000_000_000)), None]);
    check("1x1s", &[None]); // this is the last item
    // Longer than any duration.
    check("99999999999999999999s", &[Some(("99999999999999999999", "", 1_000_000_000))]);
}
