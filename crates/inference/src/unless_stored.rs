//! How policies tolerate what is stored.

/// The rule in CEL that no `spec` is bad, where `$bad` calls it `it`. One that is bad is tolerated when the stored one is bad too.
macro_rules! unless_stored {
    ($bad:expr) => {
        concat!(
            "![object.spec].exists(it, ",
            $bad,
            ") || request.operation == 'UPDATE' && [oldObject.spec].exists(it, ",
            $bad,
            ")"
        )
    };
}

pub(crate) use unless_stored;
