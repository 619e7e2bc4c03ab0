//! Tables like those of kinds, about small invented objects.

use serde_json::json;

use super::*;
use crate::data;
use crate::rule::{Table, constant, rule, secret};

/// Compares the object of a plan, and its explanations as `path = value: because (causes)`.
#[track_caller]
fn check(plan: &Plan, object: Value, explained: &[&str]) {
    assert_eq!(*plan.object(), object);
    let shown = |row: Derivation| {
        let causes = row.causes.join(", ");
        let causes = if causes.is_empty() { causes } else { format!(" ({causes})") };
        format!("{} = {}: {}{causes}", row.path, row.value, row.because)
    };
    assert_eq!(plan.derivations("key", "").into_iter().map(shown).collect::<Vec<_>>(), explained);
}

mod one_object {
    use super::*;

    const RULES: &[Rule<u64>] = &[
        rule("spec.cpu", "2 per GPU", &["spec.gpu"], |gpus| Some(json!(2 * gpus))),
        rule("spec.shards", "one per GPU, when there are several", &["spec.gpu"], |&gpus| {
            (gpus > 1).then(|| json!(gpus))
        }),
        constant("spec.dtype", "always: the model's own", data!("auto")),
    ];

    #[test]
    fn it_has_what_the_rules_give() {
        let always = "spec.dtype = \"auto\": always: the model's own";
        check(
            &Plan::of(RULES, &1),
            json!({"spec": {"cpu": 2, "dtype": "auto"}}),
            &["spec.cpu = 2: 2 per GPU (spec.gpu)", always],
        );
        check(
            &Plan::of(RULES, &2),
            json!({"spec": {"cpu": 4, "shards": 2, "dtype": "auto"}}),
            &[
                "spec.cpu = 4: 2 per GPU (spec.gpu)",
                "spec.shards = 2: one per GPU, when there are several (spec.gpu)",
                always,
            ],
        );
    }

    #[test]
    fn secrets_are_in_the_object_alone() {
        const SECRETS: &[Rule<&str>] = &[
            secret("data", "the user's", &["spec.token"], |token| Some(json!({"token": token}))),
            secret("words[..]", "the user's", &[], |token| Some(json!([token]))),
            rule("spec.length", "of the token", &[], |token| Some(json!(token.len()))),
        ];
        check(
            &Plan::of(SECRETS, &"abc"),
            json!({"data": {"token": "abc"}, "words": ["abc"], "spec": {"length": 3}}),
            &[
                "data = \"(hidden)\": the user's (spec.token)",
                "words[0] = \"(hidden)\": the user's",
                "spec.length = 3: of the token",
            ],
        );
    }

    #[test]
    fn fields_at_the_start_need_no_rule() {
        let plan = Plan::of_kind(("v1", "Namespace")).and::<u64>(&[], &1);
        check(&plan, json!({"apiVersion": "v1", "kind": "Namespace"}), &[]);
    }

    #[test]
    fn it_can_be_inside_another() {
        let inner = Plan::of_kind(("v1", "Pod")).and(RULES, &1);
        let outer = Plan::default().at("spec", &[constant("watch", "changes count at once", data!(true))], &());
        let explained = outer.embed("spec.manifest", inner).derivations("pod", "status");
        let paths: Vec<_> = explained.iter().map(|row| (row.resource.as_str(), row.path.as_str())).collect();
        let want = [
            ("pod", "status.spec.watch"),
            ("pod", "status.spec.manifest.spec.cpu"),
            ("pod", "status.spec.manifest.spec.dtype"),
        ];
        assert_eq!(paths, want);
    }
}

mod whole_manifests {
    use super::*;
    use crate::data::Data;

    const QUOTA: Data = data!({
        "apiVersion": "v1",
        "kind": "ResourceQuota",
        "metadata": {"name": "critical-pods"},
        "spec": {"hard": {"pods": "1000"}},
    });

    const RULES: &[Rule<String>] = &[
        constant("", "the driver's pods are critical, and a namespace allows none unless it says so", QUOTA),
        rule("metadata.namespace", "the driver's namespace", &["input.driver.namespace"], |it| Some(json!(it))),
    ];

    #[test]
    fn one_is_one_row() {
        let mut quota = QUOTA.to_value();
        quota["metadata"]["namespace"] = json!("gpu");
        let whole =
            format!(" = {quota}: the driver's pods are critical, and a namespace allows none unless it says so");
        let named = "metadata.namespace = \"gpu\": the driver's namespace (input.driver.namespace)";
        check(&Plan::of(RULES, &"gpu".to_owned()), quota, &[&whole, named]);
    }

    #[test]
    fn overwritten_rules_have_no_explanation() {
        const LATER: &[Rule<()>] = &[
            constant("spec.hard.pods", "never seen", data!("1")),
            constant("spec.hard", "tests need few", data!({"pods": "9"})),
            constant("spec.hard.pods", "tests need even fewer", data!("2")),
        ];
        let explained: Vec<_> =
            Plan::of(LATER, &()).derivations("quota", "").into_iter().map(|row| row.because).collect();
        assert_eq!(explained, ["tests need few", "tests need even fewer"]);
    }
}

/// A network with zones: one subnet object for each zone.
mod zones {
    use super::*;

    struct Network {
        name: &'static str,
        first_byte: u8,
    }

    struct NetworkZone<'a> {
        network: &'a Network,
        name: &'a str,
        indexes: [usize; 1],
    }

    impl Element for NetworkZone<'_> {
        const WORD: &'static str = "zone";

        fn name(&self) -> &str {
            self.name
        }

        fn indexes(&self) -> &[usize] {
            &self.indexes
        }
    }

    impl<'a> NetworkZone<'a> {
        #[rustfmt::skip]
        const SUBNET: &'a [Rule<Self>] = &[
            rule("metadata.name", "network and zone", &["metadata.name", "spec.zones[]"], |z| Some(json!(format!("{}-{}", z.network.name, z.name)))),
            rule("cidrBlock", "a /24 of the network for `{zone}`, by its place", &["spec.zones[]", "spec.firstByte"], |z| Some(json!(format!("{}.0.{}.0/24", z.network.first_byte, z.indexes[0])))),
            constant("tags", "load balancers look for it", data!({"kubernetes.io/role/elb": "1"})),
        ];
    }

    #[test]
    fn each_has_its_subnet() {
        let network = Network { name: "net", first_byte: 10 };
        // These names do not live as long as the plans.
        let plans: Vec<Plan> = ["a", "b"]
            .iter()
            .enumerate()
            .map(|(index, letter)| {
                let name = format!("us-east-1{letter}");
                let zone = NetworkZone { network: &network, name: &name, indexes: [index] };
                Plan::default().each(NetworkZone::SUBNET, &zone)
            })
            .collect();
        let tags = json!({"kubernetes.io/role/elb": "1"});
        assert_eq!(plans[0].object()["cidrBlock"], "10.0.0.0/24");
        check(
            &plans[1],
            json!({"metadata": {"name": "net-us-east-1b"}, "cidrBlock": "10.0.1.0/24", "tags": tags}),
            &[
                "metadata.name = \"net-us-east-1b\": network and zone (metadata.name, spec.zones[1])",
                "cidrBlock = \"10.0.1.0/24\": a /24 of the network for `us-east-1b`, by its place (spec.zones[1], spec.firstByte)",
                "tags = {\"kubernetes.io/role/elb\":\"1\"}: load balancers look for it",
            ],
        );
    }

    #[test]
    fn documentation_has_the_same_rows() {
        let table = Table::each("Subnet", NetworkZone::SUBNET);
        assert_eq!(table.heading(), "Subnet, for each zone");
        let rows: Vec<_> = table.rules.iter().map(|rule| (rule.path, rule.because)).collect();
        let want = [
            ("metadata.name", "network and zone"),
            ("cidrBlock", "a /24 of the network for `{zone}`, by its place"),
            ("tags", "load balancers look for it"),
        ];
        assert_eq!(rows, want);
    }
}

/// A Deployment with several containers: items of a list in one object, to which rows append arguments.
mod containers {
    use super::*;

    struct Member {
        name: &'static str,
        gpus: u64,
        args: &'static [&'static str],
        decodes: bool,
        indexes: [usize; 2],
    }

    impl Element for Member {
        const WORD: &'static str = "member";

        fn name(&self) -> &str {
            self.name
        }

        fn indexes(&self) -> &[usize] {
            &self.indexes
        }
    }

    const DEPLOYMENT: &[Rule<u64>] =
        &[rule("spec.replicas", "as many as asked for", &["spec.replicas"], |it| Some(json!(it)))];

    #[rustfmt::skip]
    const CONTAINER: &[Rule<Member>] = &[
        rule("name", "the member", &["spec.engines[].members[].name"], |m| Some(json!(m.name))),
        constant("args", "always: a list, even an empty one", data!([])),
        rule("args[..]", "one shard per GPU of `{member}`", &["spec.engines[].members[].gpu"], |m| (m.gpus > 1).then(|| json!(["--shards", m.gpus.to_string()]))),
        rule("args[..]", "what the user adds", &["spec.engines[].members[].args"], |m| Some(json!(m.args))),
        constant("env[]", "clients find the leader by it", data!({"name": "LEADER", "value": "$(LEADER)"})),
    ];

    #[rustfmt::skip]
    const DECODE: &[Rule<Member>] = &[
        rule("args[]", "the sidecar has the public port", &[], |m| m.decodes.then(|| json!("--port=8001"))),
        rule("env[]", "the sidecar asks for it", &[], |m| m.decodes.then(|| json!({"name": "HOST", "value": "localhost"}))),
    ];

    #[test]
    fn rows_append() {
        let members = [
            Member { name: "leader", gpus: 2, args: &["--a", "--b"], decodes: true, indexes: [0, 0] },
            Member { name: "worker", gpus: 1, args: &[], decodes: false, indexes: [0, 1] },
        ];
        let mut plan = Plan::of(DEPLOYMENT, &3);
        for (index, member) in members.iter().enumerate() {
            plan = plan.item("containers", CONTAINER, member);
            plan = plan.each_at(&path::index("containers", index), DECODE, member);
        }
        let leader = json!({"name": "LEADER", "value": "$(LEADER)"});
        let host = json!({"name": "HOST", "value": "localhost"});
        check(
            &plan,
            json!({"spec": {"replicas": 3}, "containers": [
                {"name": "leader", "args": ["--shards", "2", "--a", "--b", "--port=8001"], "env": [leader, host]},
                {"name": "worker", "args": [], "env": [leader]},
            ]}),
            &[
                "spec.replicas = 3: as many as asked for (spec.replicas)",
                "containers[0].name = \"leader\": the member (spec.engines[0].members[0].name)",
                "containers[0].args[0] = \"--shards\": one shard per GPU of `leader` (spec.engines[0].members[0].gpu)",
                "containers[0].args[1] = \"2\": one shard per GPU of `leader` (spec.engines[0].members[0].gpu)",
                "containers[0].args[2] = \"--a\": what the user adds (spec.engines[0].members[0].args)",
                "containers[0].args[3] = \"--b\": what the user adds (spec.engines[0].members[0].args)",
                "containers[0].env[0] = {\"name\":\"LEADER\",\"value\":\"$(LEADER)\"}: clients find the leader by it",
                "containers[0].args[4] = \"--port=8001\": the sidecar has the public port",
                "containers[0].env[1] = {\"name\":\"HOST\",\"value\":\"localhost\"}: the sidecar asks for it",
                "containers[1].name = \"worker\": the member (spec.engines[0].members[1].name)",
                "containers[1].args = []: always: a list, even an empty one",
                "containers[1].env[0] = {\"name\":\"LEADER\",\"value\":\"$(LEADER)\"}: clients find the leader by it",
            ],
        );
    }

    #[test]
    fn documentation_shows_rules_that_append() {
        let table = Table::each("Container", DECODE);
        let rows: Vec<_> = table.rules.iter().map(|rule| (rule.path, rule.because)).collect();
        let want = [("args[]", "the sidecar has the public port"), ("env[]", "the sidecar asks for it")];
        assert_eq!((table.heading().as_str(), rows.as_slice()), ("Container, for each member", want.as_slice()));
    }

    #[test]
    fn a_table_that_gives_nothing_leaves_nothing() {
        let member = Member { name: "worker", gpus: 1, args: &[], decodes: false, indexes: [0, 0] };
        check(&Plan::default().item("containers", DECODE, &member), json!({}), &[]);
    }
}

/// A status with an entry of a map for each pool.
mod pools {
    use super::*;

    struct StatusPool {
        name: &'static str,
        nodes: u64,
    }

    impl Element for StatusPool {
        const WORD: &'static str = "pool";

        fn name(&self) -> &str {
            self.name
        }
    }

    const STATUS: &[Rule<StatusPool>] = &[
        rule("nodes", "the nodes of pool `{pool}` that are there", &[], |pool| Some(json!(pool.nodes))),
        // Without indexes the cause keeps its `[]`.
        rule("spare", "all, while nothing runs", &["spec.pools[].nodes"], |pool| Some(json!(pool.nodes))),
    ];

    #[test]
    fn each_has_its_entry() {
        let pools = [StatusPool { name: "h100", nodes: 2 }, StatusPool { name: "8", nodes: 0 }];
        let plan = pools.iter().fold(Plan::default(), |plan, pool| plan.entry("pools", STATUS, pool));
        check(
            &plan,
            json!({"pools": {"h100": {"nodes": 2, "spare": 2}, "8": {"nodes": 0, "spare": 0}}}),
            &[
                "pools.h100.nodes = 2: the nodes of pool `h100` that are there",
                "pools.h100.spare = 2: all, while nothing runs (spec.pools[].nodes)",
                "pools.8.nodes = 0: the nodes of pool `8` that are there",
                "pools.8.spare = 0: all, while nothing runs (spec.pools[].nodes)",
            ],
        );
    }
}
