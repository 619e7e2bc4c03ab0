//! Each row has the answer of `time.Parse` with `time.RFC3339Nano`, and of `Time.Format`, in Go 1.26.

use crate::{Date, Duration, Moment, Time, TimeError, is_date_time};

fn time(text: &str) -> Time {
    text.parse().expect("a time")
}

#[test]
fn reading() {
    let check = |text: &str, seconds: i64, nanosecond: u32, printed: &str| {
        let time = time(text);
        assert_eq!((time.seconds(), time.nanosecond()), (seconds, nanosecond), "{text}");
        assert_eq!(time.to_string(), printed, "{text}");
    };
    let same = |text: &str, seconds, nanosecond| check(text, seconds, nanosecond, text);
    same("1970-01-01T00:00:00Z", 0, 0);
    same("2026-01-31T12:34:56Z", 1_769_862_896, 0);
    same("2026-01-31T12:34:56.5Z", 1_769_862_896, 500_000_000);
    same("2026-01-31T12:34:56.123456789Z", 1_769_862_896, 123_456_789);
    same("1969-12-31T23:59:59.25Z", -1, 250_000_000);
    same("2026-01-31T12:34:56+02:00", 1_769_855_696, 0);
    same("2026-01-31T00:30:00-09:30", 1_769_853_600, 0);
    same("2026-01-01T00:00:00.5+02:00", 1_767_218_400, 500_000_000);
    same("2024-02-29T00:00:00Z", 1_709_164_800, 0);
    same("2000-02-29T00:00:00Z", 951_782_400, 0);
    same("0000-02-29T00:00:00Z", -62_162_121_600, 0);
    same("0000-01-01T00:00:00+01:00", -62_167_222_800, 0);
    same("0001-01-01T00:00:00Z", -62_135_596_800, 0);
    same("9999-12-31T23:59:59.999999999Z", 253_402_300_799, 999_999_999);
    same("9999-12-31T23:59:59-23:59", 253_402_387_139, 0);
    same("2026-01-01T00:00:00+24:00", 1_767_139_200, 0);
    check("2026-01-31T12:34:56,5Z", 1_769_862_896, 500_000_000, "2026-01-31T12:34:56.5Z");
    check("2026-01-31T12:34:56.1234567899Z", 1_769_862_896, 123_456_789, "2026-01-31T12:34:56.123456789Z");
    check("2026-01-31T12:34:56.000Z", 1_769_862_896, 0, "2026-01-31T12:34:56Z");
    check("2026-01-31T12:34:56-00:00", 1_769_862_896, 0, "2026-01-31T12:34:56Z");
    check("2026-01-31T1:34:56Z", 1_769_823_296, 0, "2026-01-31T01:34:56Z");
    check("2026-01-01T00:00:00+24:60", 1_767_135_600, 0, "2026-01-01T00:00:00+25:00");
    check("2026-01-01T00:00:00-24:60", 1_767_315_600, 0, "2026-01-01T00:00:00-25:00");
}

#[test]
fn not_times() {
    for text in [
        "",
        "2026-01-01",
        "2026-01-01T00:00Z",
        "2026-01-01T00:00:00",
        "2026-01-01T00:00:00ZZ",
        "2026-01-01T00:00:00Z ",
        " 2026-01-01T00:00:00Z",
        "2026-01-01 00:00:00Z",
        "2026-01-01t00:00:00Z",
        "2026-01-01T00:00:00z",
        "2026-1-31T01:04:06Z",
        "2026-01-31T01:4:56Z",
        "2026-01-31T01:04:6Z",
        "2026-01-31T12:34:56.Z",
        "2023-02-29T00:00:00Z",
        "1900-02-29T00:00:00Z",
        "2026-00-01T00:00:00Z",
        "2026-13-01T00:00:00Z",
        "2026-01-00T00:00:00Z",
        "2026-01-32T00:00:00Z",
        "2026-04-31T00:00:00Z",
        "2026-01-01T24:00:00Z",
        "2026-01-01T23:60:00Z",
        "2016-12-31T23:59:60Z", // a leap second
        "10000-01-01T00:00:00Z",
        "-001-01-01T00:00:00Z",
        "+2026-01-01T00:00:00Z",
        "2026-01-01T::00:00Z",
        "2026-01-01T:00:00Z",
        "2026-01-01T-1:00:00Z",
        "2026-01-01T00:00:00+25:00",
        "2026-01-01T00:00:00+00:61",
        "2026-01-01T00:00:00+0100",
        "2026-01-01T00:00:00+01",
        "2026-01-01T00:00:00+1:00",
        "2026-01-01T00:00:00\u{e9}01:00",
        "\u{ff12}026-01-01T00:00:00Z",
    ] {
        assert_eq!(text.parse::<Time>(), Err(TimeError::Time), "{text:?}");
    }
}

#[test]
fn days() {
    let check = |days, text: &str, day_of_week, day_of_year| {
        let date = Date::from_days(days);
        assert_eq!((date.to_string().as_str(), date.days()), (text, days));
        assert_eq!((date.day_of_week(), date.day_of_year()), (day_of_week, day_of_year), "{text}");
        let written = (0..=9999).contains(&date.year());
        assert_eq!(text.parse::<Date>(), if written { Ok(date) } else { Err(TimeError::Date) });
    };
    check(0, "1970-01-01", 4, 0);
    check(-1, "1969-12-31", 3, 364);
    check(59, "1970-03-01", 0, 59);
    check(365, "1971-01-01", 5, 0);
    check(11_016, "2000-02-29", 2, 59);
    check(11_017, "2000-03-01", 3, 60);
    check(19_782, "2024-02-29", 4, 59);
    check(20_483, "2026-01-30", 5, 29);
    check(-141_428, "1582-10-14", 4, 286);
    check(-719_468, "0000-03-01", 3, 60);
    check(-719_469, "0000-02-29", 2, 59);
    check(-719_528, "0000-01-01", 6, 0);
    check(-719_529, "-0001-12-31", 5, 364);
    check(2_932_896, "9999-12-31", 5, 364);
    check(2_932_897, "10000-01-01", 6, 0);
    check(1_000_000_000, "2739877-01-03", 3, 2);
    for text in ["2023-02-29", "2026-1-31", "2026-01-31 ", "2026-02-00", "20260131", "2026/01/31", "+026-01-31", ""] {
        assert_eq!(text.parse::<Date>(), Err(TimeError::Date), "{text:?}");
    }
}

#[test]
fn clocks() {
    let check = |text: &str, offset, date: &str, clock| {
        let Moment { date: day, hour, minute, second, nanosecond } = time(text).at(offset);
        assert_eq!((day.to_string().as_str(), (hour, minute, second, nanosecond)), (date, clock), "{text}");
    };
    check("2026-01-31T23:30:15.5Z", 0, "2026-01-31", (23, 30, 15, 500_000_000));
    check("2026-01-31T23:30:15.5Z", 3600, "2026-02-01", (0, 30, 15, 500_000_000));
    check("2026-01-31T23:30:15.5-09:30", 0, "2026-02-01", (9, 0, 15, 500_000_000));
    check("0000-01-01T00:00:00Z", -1, "-0001-12-31", (23, 59, 59, 0));
}

#[test]
fn distances() {
    let check = |from: &str, to: &str, want: &str| {
        let span = time(to).since(time(from)).expect("no more than 292 years");
        assert_eq!(span.to_string(), want, "{from} {to}");
        assert_eq!(time(from).checked_add(span.nanos().into()), Some(time(to)), "{from} {to}");
    };
    check("2026-01-31T12:00:00Z", "2026-01-31T12:00:00.5Z", "500ms");
    check("2026-01-31T12:00:00Z", "2026-01-31T12:00:00+01:00", "-1h0m0s");
    check("1969-12-31T23:59:59.75Z", "1970-01-01T00:00:00.25Z", "500ms");
    check("1970-01-01T00:00:00Z", "2262-04-11T23:47:16.854775807Z", "2562047h47m16.854775807s");
    assert_eq!(time("2262-04-11T23:47:16.854775808Z").since(time("1970-01-01T00:00:00Z")), None);
    assert_eq!(Time::from_seconds(i64::MAX).checked_add(1_000_000_000), None);
    assert_eq!(Time::from_seconds(i64::MAX).since(Time::from_seconds(i64::MIN)), None);
    assert_eq!(time("2026-01-31T12:00:00Z"), time("2026-01-31T13:00:00+01:00"));
    assert_eq!(Duration::default().to_string(), "0s");
}

/// What `IsDateTime` of `k8s.io/kube-openapi/pkg/validation/strfmt` accepts.
#[test]
fn strfmt() {
    let check = |text: &str, want| assert_eq!(is_date_time(text), want, "{text:?}");
    check("2014-12-15T19:30:20Z", true);
    check("2014-12-15t19:30:20z", true);
    check("2014-12-15T19:30:20.000Z", true);
    check("2014-12-15T19:30:20\u{e9}5Z", true);
    check("2014-12-15T19:30:20\u{130}5Z", true);
    check("2014-12-15T19:30:20512Z", true);
    check("2014-12-15T19:30:20+99:99", true);
    check("2014-12-15T19:30:20.5-01:00", true);
    check("2014-12-15T19:30:20Ztrailing", true);
    check("0000-02-29T00:00:00Z", true);
    check("2014-12-15T19:30:20\n5Z", false);
    check("2014-12-15T19:30:20.Z", false);
    check("2014-12-15T19:30:20.5Z ", false);
    check("2014-12-15T19:30:20", false);
    check("2014-12-15T19:30:20+1:00", false);
    check("2014-12-15T24:30:20Z", false);
    check("2014-12-15T9:30:20Z", false);
    check("2014-12-15", false);
    check("2014-02-29T00:00:00Z", false);
    check("T", false);
    check("", false);
}
