//! Derived values as tables of rules: the path of a value, the reason for it, and the function that computes it.
//!
//! Tables of [`Rule`]s are the only place where a kind derives values. A [`Plan`] evaluates tables for one composite, or
//! for one of its elements (a zone, a pool, a container). Objects are made from the plan, `explain` prints the plan, and
//! the documentation is generated from the tables ([`Table`]).
//!
//! ```
//! use serde_json::json;
//! use toolbox::data;
//! use toolbox::rule::{Element, Plan, Rule, constant, rule};
//!
//! struct Network {
//!     region: String,
//! }
//!
//! /// The input of the rules for one zone. It borrows, so its tables are associated constants.
//! struct Zone<'a> {
//!     network: &'a Network,
//!     name: &'a str,
//!     index: usize,
//! }
//!
//! impl Element for Zone<'_> {
//!     const WORD: &'static str = "zone";
//!
//!     fn name(&self) -> &str {
//!         self.name
//!     }
//! }
//!
//! impl<'a> Zone<'a> {
//!     const SUBNET: &'a [Rule<Self>] = &[
//!         rule("spec.forProvider.region", "the region", &["spec.region"], |z| Some(json!(z.network.region))),
//!         rule("spec.forProvider.cidrBlock", "the block of zone `{zone}`, by its place", &["spec.zones"], |z| {
//!             Some(json!(format!("10.0.{}.0/24", z.index)))
//!         }),
//!         constant("spec.forProvider.mapPublicIpOnLaunch", "always: load balancers are here", data!(true)),
//!     ];
//! }
//!
//! let network = Network { region: "eu-west-1".to_owned() };
//! let zone = Zone { network: &network, name: "eu-west-1b", index: 1 };
//! let subnet = Plan::default().each(Zone::SUBNET, &zone);
//! let want = json!({"region": "eu-west-1", "cidrBlock": "10.0.1.0/24", "mapPublicIpOnLaunch": true});
//! assert_eq!(subnet.object()["spec"]["forProvider"], want);
//! let why: Vec<_> = subnet.derivations("subnet-eu-west-1b", "").into_iter().map(|row| row.because).collect();
//! assert_eq!(why[1], "the block of zone `eu-west-1b`, by its place");
//! ```

mod plan;
mod table;

pub use plan::Plan;
pub use table::{Element, HIDDEN, Rule, Stated, Table, constant, rule, secret};
