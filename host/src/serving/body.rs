//! Reads the body of a request, within its time and the budget.

use axum::body::{Body, Bytes};
use futures_util::TryStreamExt as _;
use tokio::time::{Instant, timeout_at};

use super::budget::{Budget, Full, Held};

/// A piece of a body that is smaller is copied to the piece before. Pieces of a byte each would take many times as much
/// memory as the bytes.
const PIECE: usize = 8 << 10;
/// The largest piece that smaller ones are gathered in.
const GATHERED: usize = 64 << 10;

/// Why a body was not read to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unread {
    /// There was no room for it.
    Full,
    /// It did not come in time.
    Late,
    /// It broke off.
    Broken,
}

/// A body that is being read.
pub(crate) struct Reading {
    body: axum::body::BodyDataStream,
    deadline: Instant,
    held: Held,
    pieces: Vec<Bytes>,
    /// The last bytes, which are not in a piece yet.
    last: Vec<u8>,
    length: usize,
}

impl Reading {
    /// Begins to read a body, whose length is perhaps announced, until `deadline`.
    pub(crate) fn new(body: Body, announced: Option<usize>, budget: &Budget, deadline: std::time::Instant) -> Self {
        Self {
            body: body.into_data_stream(),
            deadline: deadline.into(),
            held: budget.share(announced),
            pieces: Vec::new(),
            last: Vec::new(),
            length: 0,
        }
    }

    /// The length of the message in the body is known now.
    pub(crate) fn announce(&mut self, length: usize) {
        self.held.announce(Some(length));
    }

    /// How many bytes were read.
    pub(crate) fn length(&self) -> usize {
        self.length
    }

    /// The first `N` bytes, as soon as they were read.
    pub(crate) fn first<const N: usize>(&self) -> Option<[u8; N]> {
        let mut bytes = self.pieces.iter().flatten().chain(&self.last).copied();
        let mut first = [0; N];
        for byte in &mut first {
            *byte = bytes.next()?;
        }
        Some(first)
    }

    /// Reads more bytes. False at the end.
    ///
    /// # Errors
    /// When they do not come, or there is no room.
    pub(crate) async fn more(&mut self) -> Result<bool, Unread> {
        let read = timeout_at(self.deadline, self.body.try_next()).await.map_err(|_| Unread::Late)?;
        let Some(bytes) = read.map_err(|_| Unread::Broken)? else { return Ok(false) };
        self.held.grow(bytes.len(), self.deadline).await.map_err(|Full| Unread::Full)?;
        self.length += bytes.len();
        if bytes.len() < PIECE {
            self.last.extend_from_slice(&bytes);
        } else {
            self.cut();
            self.pieces.push(bytes);
        }
        if self.last.len() >= GATHERED {
            self.cut();
        }
        Ok(true)
    }

    /// The bytes that were read, in pieces, and the room that they take.
    pub(crate) fn into_parts(mut self) -> (Vec<Bytes>, Held) {
        self.cut();
        (self.pieces, self.held)
    }

    fn cut(&mut self) {
        if !self.last.is_empty() {
            self.pieces.push(std::mem::take(&mut self.last).into());
        }
    }
}
