//! What the kinds share that make clusters, and that install what serves models on them.
//!
//! A kind is a table of [rows](toolbox::rows): [`gates`] say which of them are desired, [`tables`] has the rules that they have in
//! common, and [`answer`] makes the response. Names, credentials and Secrets are those that the kinds know each other by.

pub mod advice;
pub mod answer;
pub mod areas;
#[cfg(test)]
pub mod checks;
pub mod credentials;
pub mod gates;
pub mod judge;
pub mod names;
pub mod pools;
#[cfg(feature = "generate")]
pub mod published;
pub mod releases;
pub mod secrets;
pub mod tables;
