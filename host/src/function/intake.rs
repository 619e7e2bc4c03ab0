//! Takes a request in before it is decoded.
//!
//! The gRPC library makes room for a message when its length is announced, before its bytes come. So it gets the message only
//! when all of it is here. Until then, bytes are read within the budget of all requests. And what is decoded must not be
//! much larger than its bytes: see [elements](super::elements).

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::HeaderMap;
use axum::http::header::HeaderName;
use axum::middleware::Next;
use axum::response::Response;
use futures_util::stream;
use http_body_util::{BodyExt as _, StreamBody};
use hyper::body::Frame;
use tokio::time::timeout;
use tonic::{Status, TimeoutExpired};

use super::elements;
use crate::serving::{Budget, Held, Reading, Unread};

/// The length of what is before a message: whether it is compressed, and its length.
const PREFIX: usize = 5;

/// How requests are taken in.
#[derive(Clone)]
pub(super) struct Intake {
    /// The largest message, in bytes.
    pub(super) most: usize,
    /// The longest time for a message to come.
    pub(super) patience: Duration,
    /// The bytes of all messages together.
    pub(super) budget: Budget,
}

/// The room that a request takes, in the extensions of the request. It is there until the last clone is dropped.
#[derive(Clone)]
pub(super) struct Room {
    _held: Arc<Held>,
}

/// Takes a request in, and passes it on. Nobody waits longer for the answer than the client does.
pub(super) async fn take_in(State(intake): State<Intake>, request: Request, next: Next) -> Response {
    let time = client_timeout(request.headers());
    let answer = async {
        match intake.whole(request).await {
            Ok((request, room)) => {
                let response = next.run(request).await;
                // An answer is held as long as the client does not read it.
                response.map(|body| Body::new(body.map_frame(move |frame| of(&room, frame))))
            }
            Err(status) => status.into_http(),
        }
    };
    match time {
        None => answer.await,
        Some(time) => timeout(time, answer)
            .await
            .unwrap_or_else(|_| Status::deadline_exceeded(TimeoutExpired(()).to_string()).into_http()),
    }
}

/// The frame. Until it is there, `_room` is taken.
fn of(_room: &Room, frame: Frame<Bytes>) -> Frame<Bytes> {
    frame
}

impl Intake {
    /// The request, with its message in memory.
    async fn whole(&self, request: Request) -> Result<(Request, Room), Status> {
        let (mut parts, body) = request.into_parts();
        let reading = Reading::new(body, None, &self.budget, Instant::now() + self.patience);
        let (pieces, held) = self.read(reading).await.map_err(|unread| self.refused(unread))?;
        if !elements::are_few(&pieces, PREFIX) {
            let what = format!("the request has more than {} resources and entries", elements::MOST);
            return Err(Status::out_of_range(what));
        }
        let room = Room { _held: Arc::new(held) };
        parts.extensions.insert(room.clone());
        let frames = pieces.into_iter().map(|piece| Ok::<_, Status>(Frame::data(piece)));
        Ok((Request::from_parts(parts, Body::new(StreamBody::new(stream::iter(frames)))), room))
    }

    /// Reads a message, and no more than that. One that is too large is not read: the gRPC library refuses it.
    async fn read(&self, mut reading: Reading) -> Result<(Vec<Bytes>, Held), Unread> {
        let mut length = None;
        loop {
            if let (None, Some([_, announced @ ..])) = (length, reading.first::<PREFIX>()) {
                let announced = usize::try_from(u32::from_be_bytes(announced)).unwrap_or(usize::MAX);
                if announced > self.most {
                    break;
                }
                reading.announce(announced);
                length = Some(PREFIX + announced);
            }
            if length.is_some_and(|length| reading.length() >= length) || !reading.more().await? {
                break;
            }
        }
        Ok(reading.into_parts())
    }

    fn refused(&self, unread: Unread) -> Status {
        match unread {
            Unread::Full => Status::resource_exhausted("too many large requests at once; try again"),
            Unread::Late => {
                Status::deadline_exceeded(format!("the request did not arrive within {} s", self.patience.as_secs()))
            }
            Unread::Broken => Status::cancelled("the request broke off"),
        }
    }
}

/// How long the client waits for the answer: a number of at most eight digits, and a unit.
fn client_timeout(headers: &HeaderMap) -> Option<Duration> {
    let text = headers.get(HeaderName::from_static("grpc-timeout"))?.to_str().ok()?;
    let (digits, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    let number = (digits.len() <= 8).then(|| digits.parse::<u64>().ok())??;
    match unit {
        "H" => Some(Duration::from_secs(number * 3600)),
        "M" => Some(Duration::from_secs(number * 60)),
        "S" => Some(Duration::from_secs(number)),
        "m" => Some(Duration::from_millis(number)),
        "u" => Some(Duration::from_micros(number)),
        "n" => Some(Duration::from_nanos(number)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timeouts() {
        for (text, milliseconds) in [
            ("2H", Some(7_200_000)),
            ("3M", Some(180_000)),
            ("10S", Some(10_000)),
            ("99999999m", Some(99_999_999)),
            ("5000u", Some(5)),
            ("7000000n", Some(7)),
            ("100000000S", None),
            ("S", None),
            ("1", None),
            ("-1S", None),
            ("1s", None),
            ("", None),
        ] {
            let headers = [(HeaderName::from_static("grpc-timeout"), text.parse().unwrap())].into_iter().collect();
            assert_eq!(client_timeout(&headers).map(|time| time.as_millis()), milliseconds, "{text}");
        }
        assert_eq!(client_timeout(&HeaderMap::new()), None);
    }
}
