//! `sailplane preview` over a socket: the files of the page, and the headers with its security policy.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use host::preview::CONTENT_SECURITY;
use tests::artifacts::sailplane;
use tests::command::run;
use tests::files::workspace;

/// The server. It ends with the test.
struct Server {
    process: Child,
    address: String,
}

impl Server {
    /// Serves a page of a few files, from a folder of this name.
    fn start(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("preview-server").join(name).join("page");
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(folder.join("assets")).expect("a folder");
        for (name, text) in [
            ("index.html", "<!doctype html>"),
            ("assets/a.wasm", "\0asm"),
            ("assets/a.wasm.br", "in Brotli"),
            ("assets/a.wasm.gz", "in gzip"),
            ("assets/b.js", "1"),
        ] {
            fs::write(folder.join(name), text).expect("a file");
        }
        fs::write(folder.with_file_name("secret.txt"), "secret").expect("a file");
        symlink("b.js", folder.join("assets/inside.js")).expect("a link");
        symlink("../../secret.txt", folder.join("assets/outside.txt")).expect("a link");
        symlink("..", folder.join("assets/folder")).expect("a link");
        symlink("../..", folder.join("assets/above")).expect("a link");
        let pipe = Command::new("mkfifo").arg(folder.join("assets/pipe")).status().expect("mkfifo can be run");
        assert!(pipe.success());
        let mut command = Command::new(sailplane());
        command.args(["preview", "--address", "127.0.0.1:0", "--files"]).arg(&folder).stderr(Stdio::piped());
        let mut process = command.spawn().expect("it starts");
        let mut line = String::new();
        let stderr = process.stderr.take().expect("it was piped");
        BufReader::new(stderr).read_line(&mut line).expect("it says where it serves");
        let address = line.trim().strip_prefix("the preview page is at http://").and_then(|it| it.strip_suffix('/'));
        Self { address: address.unwrap_or_else(|| panic!("{line}")).to_owned(), process }
    }

    /// Head and body of the answer.
    fn get(&self, path: &str) -> (String, String) {
        self.ask("GET", path)
    }

    fn ask(&self, method: &str, path: &str) -> (String, String) {
        self.send(&format!("{method} {path} HTTP/1.0\r\nHost: localhost\r\n\r\n"))
    }

    /// The same for a client that accepts these codings.
    fn get_coded(&self, path: &str, accepted: &str) -> (String, String) {
        self.send(&format!("GET {path} HTTP/1.0\r\nHost: localhost\r\nAccept-Encoding: {accepted}\r\n\r\n"))
    }

    fn send(&self, request: &str) -> (String, String) {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        stream.write_all(request.as_bytes()).expect("a request");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        let (head, body) = answer.split_once("\r\n\r\n").expect("it is HTTP");
        (head.to_ascii_lowercase(), body.to_owned())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn files_and_headers() {
    let server = Server::start("files");
    //   path                          status content-type              cache-control
    for (path, status, kind, cache) in [
        ("/", "200", "text/html; charset=utf-8", "no-cache"),
        ("/index.html", "200", "text/html; charset=utf-8", "no-cache"),
        ("/assets/a.wasm", "200", "application/wasm", "public, max-age=31536000, immutable"),
        ("/assets/b.js", "200", "text/javascript; charset=utf-8", "public, max-age=31536000, immutable"),
    ] {
        let (head, body) = server.get(path);
        assert!(head.contains(&format!(" {status} ")) && !body.is_empty(), "{path}: {head}");
        assert!(head.contains(&format!("content-type: {kind}")), "{path}: {head}");
        assert!(head.contains(&format!("cache-control: {cache}")), "{path}: {head}");
        assert!(head.contains(&format!("content-security-policy: {CONTENT_SECURITY}")), "{path}: {head}");
        assert!(head.contains("x-content-type-options: nosniff"), "{path}: {head}");
    }
    for path in
        ["/nothing", "/assets", "/../secret.txt", "/assets/../../secret.txt", "/%2e%2e/secret.txt", "//etc/passwd"]
    {
        let (head, body) = server.get(path);
        assert!(head.contains(" 404 ") || head.contains(" 400 "), "{path}: {head}\n{body}");
        assert!(!body.contains("secret"), "{path}: {body}");
    }
}

/// A file is sent as the smallest copy that the client accepts, with the type of the file itself.
#[test]
fn compressed_copies() {
    let server = Server::start("copies");
    for (path, accepted, coding, body) in [
        ("/assets/a.wasm", "gzip, deflate, br", Some("br"), "in Brotli"),
        ("/assets/a.wasm", "gzip", Some("gzip"), "in gzip"),
        ("/assets/a.wasm", "br;q=0", None, "\0asm"),
        ("/assets/b.js", "gzip, br", None, "1"),
    ] {
        let (head, sent) = server.get_coded(path, accepted);
        assert_eq!(sent, body, "{path} for {accepted}");
        let stated = head.lines().find_map(|line| line.strip_prefix("content-encoding: "));
        assert_eq!(stated, coding, "{path} for {accepted}: {head}");
        assert!(head.contains("vary: accept-encoding"), "{path} for {accepted}: {head}");
    }
    let (head, _) = server.get_coded("/assets/a.wasm", "br");
    assert!(head.contains("content-type: application/wasm") && head.contains("immutable"), "{head}");
}

/// What is no file of the folder is not there. A pipe without a writer keeps nobody waiting.
#[test]
fn links_and_pipes() {
    let server = Server::start("links");
    for (path, status) in [
        ("/assets/inside.js", " 200 "),
        ("/assets/folder/index.html", " 200 "),
        ("/assets/outside.txt", " 404 "),
        ("/assets/above/secret.txt", " 404 "),
        ("/assets/above", " 404 "),
        ("/assets/pipe", " 404 "),
    ] {
        let (head, body) = server.get(path);
        assert!(head.contains(status), "{path}: {head}");
        assert!(!body.contains("secret"), "{path}: {body}");
    }
}

/// An error has the policy too: a browser may show its text.
#[test]
fn errors_have_the_headers_too() {
    let server = Server::start("errors");
    for (method, path, status) in [("GET", "/nothing", " 404 "), ("POST", "/", " 405 "), ("PUT", "/nothing", " 405 ")] {
        let (head, _) = server.ask(method, path);
        assert!(head.contains(status), "{method} {path}: {head}");
        assert!(head.contains(&format!("content-security-policy: {CONTENT_SECURITY}")), "{method} {path}: {head}");
        assert!(head.contains("x-content-type-options: nosniff"), "{method} {path}: {head}");
    }
}

/// The page and its documentation have the same policy, without the part that is possible only in a header.
#[test]
fn one_policy() {
    let read = |file: &str| fs::read_to_string(workspace().join(file)).expect("a file of the project");
    let without_frames = CONTENT_SECURITY.strip_suffix("; frame-ancestors 'none'").expect("it is the last");
    assert!(read("host/web/index.html").contains(without_frames), "host/web/index.html has another policy");
    assert!(read("docs/preview.md").contains(CONTENT_SECURITY), "docs/preview.md shows another policy");
}

#[test]
fn without_a_page() {
    let done = run(&["preview", "--files", "examples"]);
    assert!(!done.ok && done.err.contains("no page in examples: it has no index.html"), "{}", done.err);
}
