//! Real components, built by `tests/e2e/tools/Makefile` and run on loopback: an API server, and what talks to it.

pub mod api_server;
pub mod certificate;
pub mod cluster;
pub mod http;
pub mod installed;
pub mod kubectl;
pub mod processes;
pub mod replica;
pub mod tools;
