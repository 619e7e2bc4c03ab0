//! Real components on loopback: an API server and its clients. `tests/e2e/tools/Makefile` builds them.

pub mod access;
pub mod api_server;
pub mod certificate;
pub mod cluster;
pub mod http;
pub mod installed;
pub mod kubeconfig;
pub mod kubectl;
pub mod nebius;
pub mod others;
pub mod processes;
pub mod replica;
pub mod tools;
pub mod watching;
