//! Names of models: what vLLM makes of a name, and which repository of Hugging Face was meant.
//!
//! A model is named by a repository, `organisation/name`. vLLM takes some other texts too, but not in the way that people
//! expect, and what would make them work (volumes, credentials, arguments) is not composed.

/// Whether two names are those of one repository. The hub does not distinguish upper and lower case.
pub fn same(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other)
}

/// Whether a name starts with `start`, compared as in [`same`].
pub fn starts_with(name: &str, start: &str) -> bool {
    name.get(..start.len()).is_some_and(|head| same(head, start))
}

/// What a text is that does not name a repository with its organisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mistake {
    /// A URL.
    Url,
    /// A place in object storage.
    ObjectStorage,
    /// A path of a file or folder.
    Path,
    /// The name of a repository without its organisation.
    NoOrganisation,
    /// A text that the hub refuses as a name.
    NotARepository,
}

/// The repository that was meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meant {
    /// The text says it.
    Certainly(String),
    /// It follows from the name without organisation.
    Perhaps(String),
}

/// The schemes of object storage that vLLM reads.
const OBJECT_STORAGE: &[&str] = &["s3://", "gs://", "az://"];

/// How addresses at the hub start, after a scheme.
const HUB: &[&str] = &["huggingface.co/", "www.huggingface.co/", "hf.co/"];

/// The scheme that some tools have for names at the hub.
const HUB_SCHEME: &str = "hf://";

/// How the hub's client names the folder of a repository in its cache: `models--organisation--name`.
const CACHED: &str = "models--";

/// The organisation that publishes models whose names start so.
const PUBLISHERS: &[(&str, &str)] = &[
    ("bge-", "BAAI"),
    ("deepseek-", "deepseek-ai"),
    ("embeddinggemma-", "google"),
    ("gemma-", "google"),
    ("gpt-oss-", "openai"),
    ("gpt2", "openai-community"),
    ("kimi-", "moonshotai"),
    ("llama-", "meta-llama"),
    ("meta-llama-", "meta-llama"),
    ("mistral-", "mistralai"),
    ("mixtral-", "mistralai"),
    ("phi-", "microsoft"),
    ("qwen", "Qwen"),
];

/// The longest name of a repository.
const LONGEST: usize = 96;

/// What is wrong with the name of a model. `None` when it names a repository with its organisation.
pub fn mistake(model: &str) -> Option<Mistake> {
    let is_url = model.contains("://") || HUB.iter().any(|host| starts_with(model, host));
    Some(match model {
        _ if OBJECT_STORAGE.iter().any(|scheme| starts_with(model, scheme)) => Mistake::ObjectStorage,
        _ if starts_with(model, "file:") => Mistake::Path,
        _ if is_url => Mistake::Url,
        _ if model.starts_with(['/', '.', '~', '\\']) || model.matches('/').count() > 1 => Mistake::Path,
        _ if !is_repository(model) => Mistake::NotARepository,
        _ if !model.contains('/') => Mistake::NoOrganisation,
        _ => return None,
    })
}

/// The repository that was meant, if something tells.
pub fn meant(model: &str) -> Option<Meant> {
    let steps: Vec<&str> = address(model).unwrap_or_default().split(['/', '?', '#']).collect();
    if let [organisation, name, ..] = steps.as_slice() {
        return repository(organisation, name).map(Meant::Certainly);
    }
    let mut folders = model.split(['/', '\\']).filter(|step| !step.is_empty());
    if let Some((organisation, name)) =
        folders.clone().find_map(|folder| folder.strip_prefix(CACHED)).and_then(|cached| cached.split_once("--"))
    {
        return repository(organisation, name).map(Meant::Certainly);
    }
    let name = folders.next_back()?;
    let publisher = PUBLISHERS.iter().find(|row| starts_with(name, row.0))?.1;
    repository(publisher, name).map(Meant::Perhaps)
}

/// What follows the hub's name in an address there.
fn address(model: &str) -> Option<&str> {
    let rest = |start: &str| starts_with(model, start).then(|| &model[start.len()..]);
    if let Some(rest) = rest(HUB_SCHEME) {
        return Some(rest);
    }
    let place = rest("https://").or_else(|| rest("http://")).unwrap_or(model);
    HUB.iter().find(|host| starts_with(place, host)).map(|host| &place[host.len()..])
}

fn repository(organisation: &str, name: &str) -> Option<String> {
    let name = name.strip_suffix(".git").unwrap_or(name);
    Some(format!("{organisation}/{name}")).filter(|repository| mistake(repository).is_none())
}

/// Whether the hub accepts the text as the name of a repository, with or without an organisation. After a `:` vLLM takes
/// the quantisation of GGUF files.
fn is_repository(model: &str) -> bool {
    let repository = model.split_once(':').map_or(model, |(repository, _)| repository);
    let sound = |part: &str| {
        !part.is_empty()
            && part.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
            && !part.starts_with(['-', '.'])
            && !part.ends_with(['-', '.'])
    };
    repository.len() <= LONGEST
        && repository.split('/').all(sound)
        && !["--", ".."].iter().any(|twice| repository.contains(twice))
        && !repository.ends_with(".git")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes() {
        #[track_caller]
        fn check(model: &str, want: Option<Mistake>, meant: &str) {
            assert_eq!(mistake(model), want, "{model}");
            let shown = match super::meant(model) {
                Some(Meant::Certainly(repository)) => repository,
                Some(Meant::Perhaps(repository)) => format!("{repository}?"),
                None => String::new(),
            };
            if want.is_some() {
                assert_eq!(shown, meant, "{model}");
            }
        }
        use Mistake::*;
        for repository in [
            "Qwen/Qwen2.5-1.5B-Instruct",
            "moonshotai/kimi-k2.5",
            "acme/a_b.c",
            "unsloth/Qwen3-0.6B-GGUF:Q4_K_M",
            "a/b",
        ] {
            check(repository, None, "");
        }
        check("https://huggingface.co/Qwen/Qwen2.5-7B", Some(Url), "Qwen/Qwen2.5-7B");
        check("https://HuggingFace.co/Qwen/Qwen2.5-7B/tree/main", Some(Url), "Qwen/Qwen2.5-7B");
        check("https://huggingface.co/Qwen/Qwen2.5-7B?library=vllm", Some(Url), "Qwen/Qwen2.5-7B");
        check("https://huggingface.co/Qwen/Qwen2.5-7B.git", Some(Url), "Qwen/Qwen2.5-7B");
        check("huggingface.co/Qwen/Qwen2.5-7B", Some(Url), "Qwen/Qwen2.5-7B");
        check("hf.co/Qwen/Qwen2.5-7B", Some(Url), "Qwen/Qwen2.5-7B");
        check("hf://Qwen/Qwen2.5-7B", Some(Url), "Qwen/Qwen2.5-7B");
        check("https://huggingface.co/", Some(Url), "");
        check("https://huggingface.co/gpt2", Some(Url), "openai-community/gpt2?");
        check("https://models.example.org/acme/assistant", Some(Url), "");
        check("oci://registry.example.org/qwen2.5", Some(Url), "Qwen/qwen2.5?");
        check("s3://models/assistant", Some(ObjectStorage), "");
        check("S3://models/Meta-Llama-3-8B/", Some(ObjectStorage), "meta-llama/Meta-Llama-3-8B?");
        check("gs://models/assistant", Some(ObjectStorage), "");
        check("/models/assistant", Some(Path), "");
        check("/models/Qwen/Qwen2.5-7B", Some(Path), "Qwen/Qwen2.5-7B?");
        check("./assistant", Some(Path), "");
        check("~/assistant", Some(Path), "");
        check("models/acme/assistant", Some(Path), "");
        check("file:///models/assistant", Some(Path), "");
        check("/var/cache/huggingface/hub/models--acme--assistant/snapshots/0a1b", Some(Path), "acme/assistant");
        check("gpt2", Some(NoOrganisation), "openai-community/gpt2?");
        check("Kimi-K2.5", Some(NoOrganisation), "moonshotai/Kimi-K2.5?");
        check("assistant", Some(NoOrganisation), "");
        check("llama3:8b", Some(NoOrganisation), "");
        check("acme/", Some(NotARepository), "");
        check("/", Some(Path), "");
        check("acme/my model", Some(NotARepository), "");
        check("acme/assistant@main", Some(NotARepository), "");
        check("acme/a--b", Some(NotARepository), "");
        check("acme/assistant.git", Some(NotARepository), "");
        check("ACME/Wörter", Some(NotARepository), "");
        check(&format!("acme/{}", "a".repeat(92)), Some(NotARepository), "");
        check(&format!("acme/{}", "a".repeat(91)), None, "");
    }
}
