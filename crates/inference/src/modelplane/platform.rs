//! What the kinds share that make clusters, and that install what serves models on them.
//!
//! A kind is a table of [rows](toolbox::rows): [`gates`] say which of them are desired, [`tables`] has the rules that they have in
//! common, and [`answer`] makes the response. Names, credentials and Secrets are those that the kinds know each other by.

pub mod answer;
pub mod credentials;
pub mod gates;
pub mod names;
#[cfg(feature = "generate")]
pub mod published;
pub mod secrets;
pub mod tables;
