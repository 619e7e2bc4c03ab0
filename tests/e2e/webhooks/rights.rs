//! The webhooks have the right to read what they look up, and no other right.

use anyhow::Result;
use inference::KINDS;
use tests::real::access::{named, until_allowed};
use tests::real::processes::progress;

use crate::lookups::SOON;
use crate::site::Site;

/// The verb, `PLURAL.GROUP`, and whether it is allowed. More rows are made from the kinds.
#[rustfmt::skip]
const ROWS: &[(&str, &str, bool)] = &[
    ("get", "secrets", false),
    ("list", "objects.kubernetes.m.crossplane.io", false),
    ("get", "namespaces", false),
    ("patch", "validatingwebhookconfigurations.admissionregistration.k8s.io", false),
];

pub(crate) fn rights(site: &Site) -> Result<()> {
    let mut rows: Vec<_> = ROWS.iter().map(|(verb, what, may)| (*verb, (*what).to_owned(), *may)).collect();
    for resource in KINDS.rows.iter().flat_map(|kind| kind.admission.reads) {
        rows.extend(["get", "list", "watch"].map(|verb| (verb, named(resource), true)));
        rows.extend(["create", "update", "patch", "delete"].map(|verb| (verb, named(resource), false)));
    }
    for (verb, what, may) in &rows {
        until_allowed(&site.admission, verb, what, *may, SOON)?;
    }
    progress(&format!("{} rights are as they are meant", rows.len()));
    Ok(())
}
