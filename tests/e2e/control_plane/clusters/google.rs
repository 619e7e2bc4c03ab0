//! Who exchanges the keys of Google's service accounts for tokens. The API servers of these tests take every token that it
//! gives.

use std::net::{Ipv4Addr, TcpListener};

use anyhow::Result;
use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::routing::post;
use rcgen::{KeyPair, PKCS_RSA_SHA256, RsaKeySize};
use serde_json::json;
use tests::real::cluster::TOKEN;
use tokio::runtime::Runtime;

/// Serves on loopback until the runtime ends. Returns a key of a service account, which says where to exchange it.
pub(crate) fn serve(runtime: &Runtime) -> Result<String> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    listener.set_nonblocking(true)?;
    let port = listener.local_addr()?.port();
    let token = json!({"access_token": TOKEN, "token_type": "Bearer", "expires_in": 3600}).to_string();
    let answer = move || {
        let token = token.clone();
        async move { ([(CONTENT_TYPE, "application/json")], token) }
    };
    let routes = Router::new().route("/token", post(answer));
    runtime.spawn(async move {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        axum::serve(listener, routes).await
    });
    let key = KeyPair::generate_rsa_for(&PKCS_RSA_SHA256, RsaKeySize::_2048)?;
    let account = json!({
        "type": "service_account",
        "project_id": "tests",
        "private_key_id": "1",
        "private_key": key.serialize_pem(),
        "client_email": "tests@example.org",
        "client_id": "1",
        "token_uri": format!("http://127.0.0.1:{port}/token"),
    });
    Ok(account.to_string())
}
