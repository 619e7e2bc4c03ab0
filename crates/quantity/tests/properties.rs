//! What holds for every text.

use proptest::prelude::*;
use quantity::{Date, Duration, Quantity, Time, Version, is_date_time};

const QUANTITY: &str = "[+-]?[0-9]{0,25}[.]?[0-9]{0,12}([numkMGTPE]|[KMGTPE]i|[eE][+-]?[0-9]{1,3})?";

proptest! {
    /// The canonical form has the same amount, and is its own canonical form.
    #[test]
    fn canonical_form_is_stable(text in QUANTITY) {
        if let Ok(quantity) = text.parse::<Quantity>() {
            let printed = quantity.to_string();
            let again = printed.parse::<Quantity>().map_err(|_| TestCaseError::fail(printed.clone()))?;
            prop_assert_eq!(again.to_string(), printed);
            prop_assert_eq!(again, quantity);
        }
    }

    /// The order of quantities is total, and agrees with subtraction.
    #[test]
    fn comparison_is_a_total_order(texts in prop::collection::vec(QUANTITY, 3)) {
        let quantities: Vec<Quantity> = texts.iter().filter_map(|text| text.parse().ok()).collect();
        if let [a, b, c] = quantities.as_slice() {
            prop_assert_eq!(a.cmp(b), b.cmp(a).reverse());
            prop_assert!(!(a <= b && b <= c) || a <= c);
            if let Ok(difference) = a.subtract(b) {
                prop_assert_eq!(a.cmp(b), difference.sign().cmp(&0));
                prop_assert_eq!(&difference.add(b).map_err(|_| TestCaseError::fail("too long"))?, a);
            }
        }
    }

    /// Versions print as they were read, and their order is total.
    #[test]
    fn versions(texts in prop::collection::vec("v?[0-9]{1,2}([.][0-9]{1,2}){0,3}(-[a-z0-9.-]{1,4})?([+][a-z0-9.]{1,4})?", 3)) {
        let versions: Vec<Version> = texts.iter().filter_map(|text| Version::tolerant(text).ok()).collect();
        for version in &versions {
            let again = version.to_string().parse::<Version>();
            prop_assert_eq!(again.as_ref(), Ok(version));
        }
        if let [a, b, c] = versions.as_slice() {
            prop_assert_eq!(a.cmp(b), b.cmp(a).reverse());
            prop_assert!(!(a <= b && b <= c) || a <= c);
        }
    }

    /// What is printed reads as the same duration, and the sum of its parts is the duration.
    #[test]
    fn durations(nanos in any::<i64>(), shift in 0u32..64) {
        let duration = Duration::from_nanos(nanos >> shift);
        let printed = duration.to_string();
        prop_assert_eq!(printed.parse(), Ok(duration));
        let sum = Duration::parts(printed.trim_start_matches('-'))
            .try_fold(0u64, |sum, part| sum.checked_add(part?.nanos()?));
        prop_assert_eq!(sum, Some(duration.nanos().unsigned_abs()));
    }

    /// A duration that was read prints as a text with the same duration.
    #[test]
    fn texts_of_durations(text in "[+-]?([0-9]{0,12}[.]?[0-9]{0,25}(ns|us|µs|ms|s|m|h)){1,3}") {
        if let Ok(duration) = text.parse::<Duration>() {
            prop_assert_eq!(duration.to_string().parse(), Ok(duration));
        }
    }

    /// What is printed reads as the same time, and a time that was read prints the same again.
    #[test]
    fn times(
        days in -719_528..=2_932_896i64,
        clock in 0..86_400i64,
        nanosecond in 0..1_000_000_000u32,
        offset in -1_499..=1_499i32,
    ) {
        let (sign, away) = (if offset < 0 { '-' } else { '+' }, offset.abs());
        let text = format!(
            "{}T{:02}:{:02}:{:02}.{nanosecond:09}{sign}{:02}:{:02}",
            Date::from_days(days), clock / 3600, clock / 60 % 60, clock % 60, away / 60, away % 60
        );
        let time: Time = text.parse().map_err(|_| TestCaseError::fail(text.clone()))?;
        prop_assert_eq!(time.seconds(), days * 86_400 + clock - i64::from(offset) * 60);
        prop_assert_eq!(time.nanosecond(), nanosecond);
        let printed = time.to_string();
        prop_assert_eq!(printed.parse(), Ok(time));
        prop_assert_eq!(printed.parse::<Time>().map(|time| time.to_string()), Ok(printed));
        prop_assert!(is_date_time(&text));
    }

    /// Every day is followed by the next one, in any year.
    #[test]
    fn days(days in any::<i64>(), shift in 0u32..64) {
        let days = days >> shift;
        prop_assume!(days < i64::MAX - 719_468);
        let (date, next) = (Date::from_days(days), Date::from_days(days + 1));
        prop_assert_eq!((date.days(), next.days()), (days, days + 1));
        prop_assert!(date < next);
        prop_assert_eq!((date.day_of_week() + 1) % 7, next.day_of_week());
        prop_assert!(next.day_of_year() == 0 || next.day_of_year() == date.day_of_year() + 1);
        if (0..=9999).contains(&date.year()) {
            prop_assert_eq!(date.to_string().parse(), Ok(date));
            prop_assert_eq!(Date::new(date.year(), date.month(), date.day()), Some(date));
        }
    }

    /// Any time can be printed, moved and compared, with any offset.
    #[test]
    fn far_times(seconds in any::<i64>(), offset in any::<i64>(), nanos in any::<i128>(), other in any::<i64>()) {
        let time = Time::from_seconds(seconds);
        let moment = time.at(offset);
        prop_assert!((0..24).contains(&moment.hour) && (0..366).contains(&moment.date.day_of_year()));
        if let Some(moved) = time.checked_add(nanos) {
            prop_assert_eq!(moved.cmp(&time), nanos.cmp(&0));
        }
        if let Some(span) = time.since(Time::from_seconds(other)) {
            prop_assert_eq!(Time::from_seconds(other).checked_add(span.nanos().into()), Some(time));
        }
        prop_assert!(!time.to_string().is_empty());
    }

    /// Only ASCII texts are accepted, also for digits. Any other text is an error, and never a panic.
    #[test]
    fn texts_are_ascii(text in "\\PC{0,40}") {
        prop_assert!(text.parse::<Quantity>().is_err() || text.is_ascii());
        prop_assert!(text.parse::<Version>().is_err() || text.is_ascii());
        prop_assert!(text.parse::<Time>().is_err() || text.is_ascii());
        prop_assert!(text.parse::<Date>().is_err() || text.is_ascii());
        prop_assert!(text.parse::<Duration>().is_err() || text.replace(['µ', 'μ'], "u").is_ascii());
        prop_assert!(!is_date_time(&text) || text.len() >= "2026-01-31T12:00:00Z".len());
    }
}
