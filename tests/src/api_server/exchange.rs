//! A request to the small API server, and its answer.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::{Value, json};

use super::state::{Shared, State, key};

/// A request.
struct Request {
    verb: String,
    path: String,
    query: String,
    body: Value,
}

/// The object or collection of a path.
struct Place {
    collection: String,
    namespace: String,
    name: String,
}

/// Answers one request. Every connection has only one.
pub(super) fn serve(mut stream: TcpStream, shared: &Shared) {
    let Some(request) = read(&stream) else { return };
    if shared.lock().down {
        return;
    }
    let place = Place::of(&request.path);
    if parameter(&request.query, "watch") == Some("true") && known(&shared.lock(), &place) == 200 {
        watch(&mut stream, shared, &request, &place);
        return;
    }
    let (code, body) = answer(&mut shared.lock(), request, &place);
    shared.changed.notify_all();
    let body = body.to_string();
    let head = format!(
        "HTTP/1.1 {code} Whatever\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes()));
}

fn read(stream: &TcpStream) -> Option<Request> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let mut words = line.split_whitespace();
    let (verb, target) = (words.next()?.to_owned(), words.next()?.to_owned());
    let mut length = 0;
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).ok()?;
        let Some((name, value)) = header.trim().split_once(':') else { break };
        if name.eq_ignore_ascii_case("content-length") {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let (path, query) = target.split_once('?').unwrap_or((&target, ""));
    let body = serde_json::from_slice(&body).unwrap_or_default();
    Some(Request { verb, path: path.to_owned(), query: query.to_owned(), body })
}

impl Place {
    /// `/apis/GROUP/VERSION[/namespaces/NAMESPACE]/PLURAL[/NAME]`, or `/api/v1…` for the core group.
    fn of(path: &str) -> Self {
        let parts: Vec<_> = path.trim_start_matches('/').split('/').collect();
        let prefix = if parts[0] == "api" { 2 } else { 3 };
        let (namespace, rest) = match &parts[prefix.min(parts.len())..] {
            ["namespaces", namespace, rest @ ..] if !rest.is_empty() => ((*namespace).to_owned(), rest),
            rest => (String::new(), rest),
        };
        let plural = rest.first().copied().unwrap_or_default();
        let collection = format!("/{}/{plural}", parts[..prefix.min(parts.len())].join("/"));
        Self { collection, namespace, name: rest.get(1).copied().unwrap_or_default().to_owned() }
    }
}

fn parameter<'a>(query: &'a str, name: &str) -> Option<&'a str> {
    query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))
}

/// The status code for requests to a collection.
fn known(state: &State, place: &Place) -> u16 {
    match state.refusing.get(&place.collection) {
        Some(code) => *code,
        None if state.served.contains(&place.collection) => 200,
        None => 404,
    }
}

fn status(code: u16, message: &str) -> (u16, Value) {
    let reason = match code {
        403 => "Forbidden",
        404 => "NotFound",
        409 => "Conflict",
        _ => "InternalError",
    };
    let body = json!({"apiVersion": "v1", "kind": "Status", "status": "Failure", "code": code, "reason": reason, "message": message});
    (code, body)
}

fn answer(state: &mut State, request: Request, place: &Place) -> (u16, Value) {
    let Place { collection, namespace, name } = place;
    let code = known(state, place);
    if code != 200 {
        return status(code, &format!("{collection} answers {code}"));
    }
    let stored = state.objects.get(&key(collection, namespace, name)).cloned();
    if request.verb == "GET" {
        state.read.push(format!("{}?{}", request.path, request.query));
    } else {
        state.written.push((request.verb.clone(), request.path.clone(), request.body.clone()));
    }
    match (request.verb.as_str(), stored) {
        ("GET", _) if name.is_empty() => (200, list(state, place, &request.query)),
        ("GET", Some(object)) => (200, object),
        ("POST", _) => {
            let named = request.body["metadata"]["name"].as_str().unwrap_or_default().to_owned();
            if state.objects.contains_key(&key(collection, namespace, &named)) {
                return status(409, "it exists");
            }
            let mut object = request.body;
            object["metadata"]["namespace"] = namespace.as_str().into();
            (201, state.put(collection, object))
        }
        ("PUT", Some(object)) => {
            let version = |object: &Value| object["metadata"]["resourceVersion"].clone();
            if version(&request.body) != version(&object) {
                return status(409, "it has changed");
            }
            (200, state.put(collection, request.body))
        }
        ("PATCH", Some(mut object)) => {
            merge_webhooks(&mut object, &request.body);
            (200, state.put(collection, object))
        }
        ("DELETE", Some(_)) => {
            state.remove(collection, namespace, name);
            (200, json!({"apiVersion": "v1", "kind": "Status", "status": "Success"}))
        }
        _ => status(404, &format!("no {collection} {namespace}/{name}")),
    }
}

fn list(state: &State, place: &Place, query: &str) -> Value {
    let of = state.objects.iter().filter(|((collection, namespace, _), _)| {
        *collection == place.collection && (place.namespace.is_empty() || *namespace == place.namespace)
    });
    let decoded = |name: &str| parameter(query, name).unwrap_or_default().replace("%3D", "=").replace("%2C", ",");
    let (labels, fields) = (decoded("labelSelector"), decoded("fieldSelector"));
    let wanted = |object: &Value| {
        let labelled = labels.split(',').filter(|label| !label.is_empty()).all(|label| {
            let (key, value) = label.split_once('=').expect("an equality");
            object["metadata"]["labels"][key] == value
        });
        labelled && fields.strip_prefix("metadata.name=").is_none_or(|name| object["metadata"]["name"] == name)
    };
    // In pages. As a token for the next one, the number of objects before it is enough.
    let number = |name: &str| parameter(query, name).and_then(|number| number.parse::<usize>().ok());
    let (before, most) = (number("continue").unwrap_or(0), number("limit").unwrap_or(usize::MAX));
    let mut items = of.map(|(_, object)| object).filter(|object| wanted(object)).skip(before);
    let page: Vec<_> = items.by_ref().take(most).collect();
    let mut metadata = json!({"resourceVersion": state.revision.to_string()});
    if items.next().is_some() {
        metadata["continue"] = (before + page.len()).to_string().into();
    }
    json!({"apiVersion": "v1", "kind": "List", "metadata": metadata, "items": page})
}

/// Applies a strategic merge patch of webhooks, which are merged by name.
fn merge_webhooks(object: &mut Value, patch: &Value) {
    for changed in patch["webhooks"].as_array().into_iter().flatten() {
        let webhooks = object["webhooks"].as_array_mut().expect("a list");
        let webhook = webhooks.iter_mut().find(|it| it["name"] == changed["name"]).expect("it is there");
        webhook["clientConfig"]["caBundle"] = changed["clientConfig"]["caBundle"].clone();
    }
}

/// Sends events until the server stops or the client closes the connection.
fn watch(stream: &mut TcpStream, shared: &Shared, request: &Request, place: &Place) {
    let since = parameter(&request.query, "resourceVersion").and_then(|it| it.parse().ok());
    let mut told: u64 = since.unwrap_or_default();
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
    if stream.write_all(head.as_bytes()).is_err() {
        return;
    }
    loop {
        let mut state = shared.lock();
        if state.down || known(&state, place) != 200 {
            return;
        }
        let lagging = state.lagging;
        let news =
            state.events.iter().filter(|(at, collection, _)| !lagging && *at > told && *collection == place.collection);
        // As a real one, it writes the type first.
        let event = |event: &Value| format!("{{\"type\":{},\"object\":{}}}\n", event["type"], event["object"]);
        let text: String = news.map(|(_, _, news)| event(news)).collect();
        if text.is_empty() {
            state = shared.changed.wait_timeout(state, Duration::from_millis(100)).expect("nobody panicked").0;
            drop(state);
            continue;
        }
        told = state.revision;
        drop(state);
        if write!(stream, "{:x}\r\n{text}\r\n", text.len()).is_err() {
            return;
        }
    }
}
