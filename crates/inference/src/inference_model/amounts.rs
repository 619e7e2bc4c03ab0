//! What the container of a model gets, and what no pod can have of it.

use quantity::Quantity;

use super::spec::{ModelAmounts, ModelResources};

/// Where a model states it.
pub const RESOURCES: &str = "spec.resources";

/// What a container gets. What cannot be read is left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Amounts {
    /// What it gets in any case.
    pub requests: Amount,
    /// What it gets at most.
    pub limits: Amount,
    /// Whether it wants GPUs.
    pub has_gpus: bool,
}

/// Amounts for a container.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Amount {
    /// Processors.
    pub cpu: Option<String>,
    /// Memory.
    pub memory: Option<String>,
    /// GPUs.
    pub gpu: Option<String>,
}

impl Amounts {
    /// The amounts of a container. Memory that is not stated is that of the model; of GPUs, one of request and limit is enough.
    pub fn of(resources: Option<&ModelResources>, memory: &str) -> Self {
        let [requests, limits] = stated(resources);
        let read = |text: &Option<String>| text.clone().filter(|text| text.parse::<Quantity>().is_ok());
        let memory_of = |amounts: &ModelAmounts| read(&amounts.memory).or_else(|| Some(memory.to_owned()));
        let (requested, limited) = (read(&requests.gpu), read(&limits.gpu));
        Self {
            requests: Amount {
                cpu: read(&requests.cpu),
                memory: memory_of(&requests),
                gpu: requested.clone().or_else(|| limited.clone()),
            },
            limits: Amount { cpu: read(&limits.cpu), memory: memory_of(&limits), gpu: limited.or(requested) },
            has_gpus: [&requests.gpu, &limits.gpu].into_iter().flatten().any(|text| !text.is_empty()),
        }
    }
}

/// What is wrong with the resources of a model's container, by path: what an API server would refuse in a pod, and what cannot be
/// read.
pub fn wrong(resources: Option<&ModelResources>, memory: &str) -> Vec<(String, String)> {
    let mut wrong = Vec::new();
    for (list, amounts) in ["requests", "limits"].into_iter().zip(stated(resources)) {
        for (resource, text) in [("cpu", &amounts.cpu), ("memory", &amounts.memory), ("gpu", &amounts.gpu)] {
            let Some(text) = text.as_deref().filter(|text| !text.is_empty()) else { continue };
            let message = match text.parse::<Quantity>() {
                Err(_) => format!("`{text}` is no quantity; give one like `1` or `80Gi`"),
                Ok(amount) if amount.sign() < 0 => "the amount is negative; give 0 or more".to_owned(),
                Ok(amount) if resource == "gpu" && !amount.rounded_up(0).1 => {
                    "there are only whole GPUs; give an integer".to_owned()
                }
                Ok(_) => continue,
            };
            wrong.push((format!("{RESOURCES}.{list}.{resource}"), message));
        }
    }
    let Amounts { requests, limits, .. } = Amounts::of(resources, memory);
    for (resource, request, limit) in [
        ("cpu", requests.cpu, limits.cpu),
        ("memory", requests.memory, limits.memory),
        ("gpu", requests.gpu, limits.gpu),
    ] {
        let (Some(request), Some(limit)) = (request, limit) else { continue };
        let (Ok(asked), Ok(most)) = (request.parse::<Quantity>(), limit.parse::<Quantity>()) else { continue };
        let message = if resource == "gpu" && asked != most {
            format!(
                "the request of {request} GPUs and their limit of {limit} differ, and pods cannot share GPUs; give the same number"
            )
        } else if asked > most {
            format!(
                "the request of {request} is over the limit of {limit}, and no pod can have it; raise the limit or ask for less"
            )
        } else {
            continue;
        };
        wrong.push((format!("{RESOURCES}.requests.{resource}"), message));
    }
    wrong
}

/// The requests and limits that a model states.
fn stated(resources: Option<&ModelResources>) -> [ModelAmounts; 2] {
    let ModelResources { requests, limits } = resources.cloned().unwrap_or_default();
    [requests.unwrap_or_default(), limits.unwrap_or_default()]
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// Requests and limits, each of processors, memory and GPUs, and what is wrong with them.
    #[track_caller]
    fn check(resources: Value, requests: [&str; 3], limits: [&str; 3], wrong: &[&str]) {
        let resources: ModelResources = serde_json::from_value(resources).expect("resources");
        let amounts = Amounts::of(Some(&resources), "60Gi");
        let texts = |of: &Amount| [&of.cpu, &of.memory, &of.gpu].map(|text| text.clone().unwrap_or_default());
        assert_eq!(
            (texts(&amounts.requests), texts(&amounts.limits)),
            (requests.map(str::to_owned), limits.map(str::to_owned))
        );
        let found = super::wrong(Some(&resources), "60Gi");
        let said: Vec<_> = found.iter().map(|(path, message)| format!("{path}: {message}")).collect();
        assert_eq!(said.len(), wrong.len(), "{said:#?}");
        for (said, wrong) in said.iter().zip(wrong) {
            assert!(
                said.strip_prefix("spec.resources.").is_some_and(|said| said.starts_with(wrong)),
                "{said}: {wrong}"
            );
        }
    }

    #[test]
    fn amounts_of_a_container() {
        let (none, memory) = (["", "60Gi", ""], |gpu| ["", "60Gi", gpu]);
        check(json!({}), none, none, &[]);
        check(json!({"requests": {"cpu": "", "memory": "", "gpu": ""}}), none, none, &[]);
        check(json!({"requests": {"cpu": "2", "memory": "40Gi"}}), ["2", "40Gi", ""], none, &[]);
        check(json!({"requests": {"gpu": "2"}}), memory("2"), memory("2"), &[]);
        check(json!({"limits": {"gpu": "2"}}), memory("2"), memory("2"), &[]);
        check(json!({"requests": {"gpu": "2"}, "limits": {"gpu": "2000m"}}), memory("2"), memory("2000m"), &[]);
    }

    #[test]
    fn what_no_pod_can_have() {
        let none = ["", "60Gi", ""];
        check(json!({"requests": {"cpu": "many"}}), none, none, &["requests.cpu: `many` is no quantity"]);
        check(json!({"limits": {"cpu": "-1"}}), none, ["-1", "60Gi", ""], &["limits.cpu: the amount is negative"]);
        check(
            json!({"limits": {"gpu": "500m"}}),
            ["", "60Gi", "500m"],
            ["", "60Gi", "500m"],
            &["limits.gpu: there are only whole GPUs"],
        );
        check(
            json!({"requests": {"gpu": "1"}, "limits": {"gpu": "2"}}),
            ["", "60Gi", "1"],
            ["", "60Gi", "2"],
            &["requests.gpu: the request of 1 GPUs and their limit of 2 differ"],
        );
        // The memory of the model is the limit where none is stated, and the request.
        check(
            json!({"requests": {"memory": "61Gi"}}),
            ["", "61Gi", ""],
            none,
            &["requests.memory: the request of 61Gi is over the limit of 60Gi"],
        );
        check(
            json!({"limits": {"memory": "59Gi"}}),
            none,
            ["", "59Gi", ""],
            &["requests.memory: the request of 60Gi is over the limit of 59Gi"],
        );
        check(
            json!({"requests": {"memory": "much"}, "limits": {"memory": "59Gi"}}),
            none,
            ["", "59Gi", ""],
            &[
                "requests.memory: `much` is no quantity",
                "requests.memory: the request of 60Gi is over the limit of 59Gi",
            ],
        );
    }
}
