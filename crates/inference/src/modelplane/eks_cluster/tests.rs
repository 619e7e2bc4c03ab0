//! What a cluster becomes, beyond the golden cases.
