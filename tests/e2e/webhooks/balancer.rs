//! A TCP proxy on loopback, in place of a Service: each connection goes to the next endpoint.

use std::io;
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use anyhow::Result;

/// The proxy. It lives as long as the test.
#[derive(Clone)]
pub(crate) struct Balancer {
    pub(crate) port: u16,
    endpoints: Arc<Mutex<Vec<u16>>>,
}

impl Balancer {
    /// A proxy without endpoints. It closes every connection.
    pub(crate) fn start() -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let balancer = Self { port: listener.local_addr()?.port(), endpoints: Arc::default() };
        let proxy = balancer.clone();
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let proxy = proxy.clone();
                thread::spawn(move || proxy.carry(&client));
            }
        });
        Ok(balancer)
    }

    /// Sends new connections to these ports. Existing connections stay.
    pub(crate) fn set(&self, ports: &[u16]) {
        *self.endpoints.lock().unwrap_or_else(PoisonError::into_inner) = ports.to_vec();
    }

    fn next(&self) -> Option<u16> {
        let mut endpoints = self.endpoints.lock().unwrap_or_else(PoisonError::into_inner);
        if !endpoints.is_empty() {
            endpoints.rotate_left(1);
        }
        endpoints.first().copied()
    }

    fn carry(&self, client: &TcpStream) {
        let Some(server) = self.next().and_then(|port| TcpStream::connect(("127.0.0.1", port)).ok()) else { return };
        thread::scope(|scope| {
            scope.spawn(|| copy(client, &server));
            copy(&server, client);
        });
    }
}

fn copy(mut from: &TcpStream, mut to: &TcpStream) {
    let _ = from.set_nodelay(true);
    let _ = io::copy(&mut from, &mut to);
    let _ = to.shutdown(Shutdown::Write);
}
