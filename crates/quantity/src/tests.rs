//! Each row has the answer of Kubernetes 1.35 (`k8s.io/apimachinery` v0.35.3).

mod durations;
mod times;

use super::{ParseError, Quantity, Version};

fn quantity(text: &str) -> Quantity {
    text.parse().expect("a quantity")
}

/// What `resource.ParseQuantity` makes of a text, in canonical form.
#[test]
fn canonical_form() {
    let check = |text: &str, want: &str| {
        assert_eq!(text.parse::<Quantity>().map(|quantity| quantity.to_string()), Ok(want.to_owned()), "{text:?}");
    };
    check("0", "0");
    check("0Gi", "0");
    check("-0", "0");
    check("1", "1");
    check("+1", "1");
    check("1000", "1k");
    check("1500", "1500");
    check("1.5", "1500m");
    check(".5", "500m");
    check("5.", "5");
    check("1.5k", "1500");
    check("0.0000000001", "1n"); // rounded away from zero
    check("-0.0000000001", "-1n");
    check("9.9999999999", "10");
    check("100m", "100m");
    check("1000m", "1");
    check("80Gi", "80Gi");
    check("1024Mi", "1Gi");
    check("1.5Gi", "1536Mi");
    check("1023", "1023");
    check("0.5Ki", "512");
    check("1.0001Ki", "1024102400u");
    check("80G", "80G");
    check("1E", "1E");
    check("1e3", "1e3");
    check("1E3", "1e3");
    check("12e-1", "1200e-3");
    check("1000000e-3", "1e3");
    check("10E", "10E"); // with a decimal suffix there is no limit
    check("-100E", "-100E");
    check("8Ei", "9223372036854775807"); // with a binary suffix there is
    check("16Ei", "9223372036854775807");
    check("-10Ei", "-9223372036854775807");
    check("1e400", "10e399");
    check("1e100000000", "10e99999999");
    check("1e-400", "1e-9");
    check("99999999999999999999999999999999999999999", "99999999999999999999999999999999999999999");
    check("0.00000000000000000000000000000000000000000000001Gi", "1n");
    check("1000E", "1e21");
    check("1e4294967299", "1e3"); // only the lower 32 bits of the exponent count
}

#[test]
fn a_number_may_be_missing() {
    for text in [".", "+", "-", "-.", "Mi", "k", "m", "E", "e3", "-Gi", ".Ki", "0Pi", "0000"] {
        assert_eq!(text.parse::<Quantity>(), Ok(Quantity::from(0)), "{text:?}");
    }
}

#[test]
fn not_quantities() {
    for text in [
        "",
        "Pi",
        "Ei",
        "e-10",
        "1.2.3",
        "1 Gi",
        "1gi",
        "1K",
        "1e",
        "1ee3",
        "1e1.5",
        "0x10",
        "--1",
        "1Gib",
        "\u{663}",
        "1KiB",
        "1Zi",
        " 1",
        "1e3k",
        "1e9223372036854775808",
    ] {
        assert!(text.parse::<Quantity>().is_err(), "{text:?}");
    }
    for (text, error) in [
        ("1 Gi", ParseError::Form),
        ("1Zi", ParseError::Form),
        ("1ee3", ParseError::Suffix),
        ("Pi", ParseError::Number),
    ] {
        assert_eq!(text.parse::<Quantity>(), Err(error), "{text:?}");
    }
}

#[test]
fn comparison_is_by_amount() {
    assert_eq!(quantity("1Gi"), quantity("1024Mi"));
    assert!(quantity("80Gi") > quantity("80G"));
    assert!(quantity("-1") < quantity("1n"));
    assert!(quantity("10E") > quantity("8Ei"));
    assert!(quantity("1e100000001") > quantity("9e100000000"));
    assert!(quantity("-1e100000001") < quantity("-9e100000000"));
    assert_eq!(quantity("0.1n"), quantity("1n"));
}

#[test]
fn whole_units() {
    let check = |text: &str, want| assert_eq!(text.parse::<Quantity>().map(|it| it.ceil()), Ok(want), "{text}");
    check("80Gi", 85_899_345_920);
    check("1n", 1);
    check("-1500m", -1);
    check("9E", 9_000_000_000_000_000_000);
    check("100E", i64::MAX);
    check("-1e999999999", i64::MIN);
}

#[test]
fn integers() {
    let check = |text: &str, want| assert_eq!(quantity(text).to_integer(), want, "{text}");
    check("50k", Some(50_000));
    check("1e3", Some(1000));
    check("1.5k", Some(1500));
    check("99999Gi", Some(99999 << 30));
    check("4Ti", Some(4 << 40));
    check("9E", Some(9_000_000_000_000_000_000));
    check("999999999999999999", Some(999_999_999_999_999_999));
    for text in
        ["2.0", "2000m", "0m", "0Pi", "0.5Gi", "1Pi", "1Ei", "999999Gi", "1000Ti", "1000000000000000000", "10E", "1e19"]
    {
        check(text, None);
    }
}

#[test]
fn sums() {
    let check = |left: &str, right: &str, want: &str, integer: Option<i64>| {
        let sum = quantity(left).add(&quantity(right)).expect("a sum");
        assert_eq!((sum.to_string().as_str(), sum.to_integer()), (want, integer), "{left} + {right}");
    };
    check("1", "1", "2", Some(2));
    check("1500m", "500m", "2", None); // the amount is an integer, but stored in thousandths
    check("9223372036854775807", "1", "9223372036854775808", None);
    check("8Ei", "8Ei", "18446744073709551614", None);
    check("1Gi", "0m", "1Gi", Some(1 << 30));
    check("1Pi", "-1Pi", "0", None);
    check("1e30", "-1n", "999999999999999999999999999999999999999e-9", None);
    check("-1e30", "1", "-999999999999999999999999999999", None);
    assert_eq!(quantity("3").subtract(&quantity("5")).map(|it| it.to_string()), Ok("-2".to_owned()));
    assert!(quantity("1e999999999").add(&quantity("1")).is_err());
}

#[test]
fn rounding() {
    let check = |text: &str, scale, want: &str, exact| {
        let (rounded, was_exact) = quantity(text).rounded_up(scale);
        assert_eq!((rounded.to_string().as_str(), was_exact), (want, exact), "{text} to {scale}");
    };
    check("1100m", 0, "2", false);
    check("-9", 1, "-10", false);
    check("1.1e5", 5, "200e3", false);
    check("110k", 4, "110k", true);
    check("1999999999999999999999m", 0, "2E", false);
}

#[test]
fn strict_versions() {
    for text in ["0.0.0", "1.2.3", "1.2.3-rc.1+b.01", "1.2.3+a-b", "18446744073709551615.0.0", "1.0.0--", "1.0.0-0a"] {
        assert_eq!(text.parse::<Version>().map(|version| version.to_string()), Ok(text.to_owned()));
    }
    for text in [
        "",
        "1",
        "1.2",
        "1.2.3.4",
        "01.2.3",
        "v1.2.3",
        "1.2.3-",
        "1.2.3+",
        "1.2.3-01",
        "1.2.3-a..b",
        "1.2.3 ",
        "1.2.3-ä",
        "18446744073709551616.0.0",
        "1.0.0-18446744073709551616",
        "-1.2.3",
        "+1.2.3",
    ] {
        assert!(text.parse::<Version>().is_err(), "{text:?}");
    }
}

#[test]
fn tolerant_versions() {
    let check = |text: &str, want: &str| {
        assert_eq!(Version::tolerant(text).map(|version| version.to_string()), Ok(want.to_owned()), "{text:?}");
    };
    check("v1", "1.0.0");
    check("1.2", "1.2.0");
    check("01.02.03", "1.2.3");
    check("00.00.00", "0.0.0");
    check("v1.2.3-rc1", "1.2.3-rc1");
    for text in ["V1.2.3", "vv1", "v", "", "1.2-rc1", "1.2.3-rc.01", "1.2.3.4", " 1.2.3"] {
        assert!(Version::tolerant(text).is_err(), "{text:?}");
    }
}

#[test]
fn versions_in_order() {
    let rows =
        ["0.9.0", "1.0.0-1", "1.0.0-2", "1.0.0-10", "1.0.0-a", "1.0.0-a.b", "1.0.0-b", "1.0.0", "1.0.1", "2.0.0"];
    let versions: Vec<Version> = rows.iter().map(|text| text.parse().expect("a version")).collect();
    assert!(versions.is_sorted_by(|left, right| left < right));
    assert_eq!("1.0.0+a".parse::<Version>(), "1.0.0+b".parse());
}

#[test]
fn next_versions() {
    let version: Version = "1.2.3-rc.1+b".parse().expect("a version");
    let next = [version.next_major(), version.next_minor(), version.next_patch()];
    assert_eq!(next.map(|version| version.to_string()), ["2.0.0", "1.3.0", "1.2.4"]);
}
