//! The connections of a port: how many there are, and how long each may stay.
//!
//! When all seats are taken, a new connection gets the seat of one without a request in flight: of one that never sent a
//! request, if there is one, and of the one that has been quiet for longest. So clients that are silent keep nobody out.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use super::clients::Bounds;

/// How long a connection may stay without a request once it was told to end. A client may have sent a request just before.
const LAST_WORD: Duration = Duration::from_secs(1);

/// How many times the patience with one answer a client has that goes on reading something.
const SLOWLY: u32 = 10;

/// The connections of a port.
pub(super) struct Seats {
    bounds: Bounds,
    taken: Mutex<Taken>,
    /// A connection ended, or has no request in flight any more.
    freed: Notify,
}

#[derive(Default)]
struct Taken {
    next: u64,
    seats: BTreeMap<u64, Arc<Seat>>,
}

/// A connection.
pub(super) struct Seat {
    seats: Arc<Seats>,
    id: u64,
    state: Mutex<SeatState>,
    /// The connection is to end, or has no request in flight any more.
    changed: Notify,
    /// The connection is to end in good order.
    pub(super) leave: Notify,
}

struct SeatState {
    /// Whether a request came.
    served: bool,
    in_flight: usize,
    /// Since when answers are being sent, oldest first.
    answers: BTreeMap<u64, Instant>,
    next_answer: u64,
    last_write: Instant,
    /// Since when there is no request in flight.
    quiet_since: Instant,
    /// Since when the connection is told to end.
    leaving: Option<Instant>,
    /// Whether another connection gets its seat.
    evicted: bool,
}

/// Which connection ends first: the least.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    /// False when it is being cut off already.
    stays: bool,
    served: bool,
    quiet_since: Instant,
}

/// What is to happen to a connection.
#[derive(Debug, PartialEq, Eq)]
enum Due {
    /// Nothing before this time.
    Stay(Instant),
    /// It is to end in good order.
    Leave,
    /// It is to be cut off.
    Cut,
}

impl Seats {
    pub(super) fn new(bounds: Bounds) -> Arc<Self> {
        Arc::new(Self { bounds, taken: Mutex::default(), freed: Notify::new() })
    }

    /// A seat for a new connection. Waits while every connection has a request in flight.
    pub(super) async fn take(self: &Arc<Self>) -> TakenSeat {
        loop {
            if let Some(seat) = self.free() {
                return TakenSeat(seat);
            }
            self.make_room();
            self.freed.notified().await;
        }
    }

    fn free(self: &Arc<Self>) -> Option<Arc<Seat>> {
        let mut taken = lock(&self.taken);
        if taken.seats.len() >= self.bounds.connections {
            return None;
        }
        let id = taken.next;
        taken.next += 1;
        let seat = Arc::new(Seat::new(Arc::clone(self), id, Instant::now()));
        taken.seats.insert(id, Arc::clone(&seat));
        Some(seat)
    }

    /// Cuts off a connection, if there is one without a request in flight, and none is being cut off already.
    pub(super) fn make_room(&self) {
        let quiet: Vec<_> = {
            let taken = lock(&self.taken);
            let ranked = |seat: &Arc<Seat>| Some((lock(&seat.state).quiet()?, Arc::clone(seat)));
            taken.seats.values().filter_map(ranked).collect()
        };
        let first = quiet.into_iter().min_by_key(|(rank, _)| *rank);
        if let Some((Rank { stays: true, .. }, seat)) = first {
            lock(&seat.state).evicted = true;
            seat.changed.notify_one();
        }
    }

    /// Tells every connection to end.
    pub(super) fn tell_all(&self) {
        let seats: Vec<_> = lock(&self.taken).seats.values().cloned().collect();
        for seat in seats {
            seat.tell();
        }
    }
}

/// A seat, until the connection has ended.
pub(super) struct TakenSeat(pub(super) Arc<Seat>);

impl Drop for TakenSeat {
    fn drop(&mut self) {
        lock(&self.0.seats.taken).seats.remove(&self.0.id);
        self.0.seats.freed.notify_one();
    }
}

impl Seat {
    fn new(seats: Arc<Seats>, id: u64, now: Instant) -> Self {
        Self { seats, id, state: Mutex::new(SeatState::new(now)), changed: Notify::new(), leave: Notify::new() }
    }

    /// A request has come.
    pub(super) fn request(self: &Arc<Self>) -> InFlightRequest {
        let mut state = lock(&self.state);
        state.served = true;
        state.in_flight += 1;
        InFlightRequest { seat: Arc::clone(self), answer: None }
    }

    /// Bytes were sent to the client.
    pub(super) fn wrote(&self) {
        lock(&self.state).last_write = Instant::now();
    }

    fn tell(&self) {
        lock(&self.state).leaving.get_or_insert_with(Instant::now);
        self.changed.notify_one();
        self.leave.notify_one();
    }

    /// Completes when the connection is to be cut off. Before that, a connection without requests is told to end.
    pub(super) async fn time_is_up(&self) {
        loop {
            let due = lock(&self.state).due(&self.seats.bounds, Instant::now());
            match due {
                Due::Cut => return,
                Due::Leave => self.tell(),
                Due::Stay(until) => tokio::select! {
                    () = tokio::time::sleep_until(until.into()) => {}
                    () = self.changed.notified() => {}
                },
            }
        }
    }
}

impl SeatState {
    fn new(now: Instant) -> Self {
        Self {
            served: false,
            in_flight: 0,
            answers: BTreeMap::new(),
            next_answer: 0,
            last_write: now,
            quiet_since: now,
            leaving: None,
            evicted: false,
        }
    }

    /// The rank of a connection without a request in flight.
    fn quiet(&self) -> Option<Rank> {
        let rank = Rank { stays: !self.evicted, served: self.served, quiet_since: self.quiet_since };
        (self.in_flight == 0).then_some(rank)
    }

    fn due(&self, bounds: &Bounds, now: Instant) -> Due {
        if self.in_flight > 0 {
            let Some(oldest) = self.answers.values().next() else { return Due::Stay(now + bounds.patience) };
            let until = (*oldest.max(&self.last_write) + bounds.patience).min(*oldest + bounds.patience * SLOWLY);
            return if until <= now { Due::Cut } else { Due::Stay(until) };
        }
        let (until, then) = match self.leaving {
            _ if self.evicted => (now, Due::Cut),
            Some(told) if self.served => (told.max(self.quiet_since) + LAST_WORD, Due::Cut),
            Some(told) => (told, Due::Cut),
            None if self.served => (self.quiet_since + bounds.idle, Due::Leave),
            None => (self.quiet_since + bounds.patience, Due::Cut),
        };
        if until <= now { then } else { Due::Stay(until) }
    }
}

/// A request, until its answer is sent.
pub(super) struct InFlightRequest {
    seat: Arc<Seat>,
    answer: Option<u64>,
}

impl InFlightRequest {
    /// The answer is ready, and is sent from now on.
    pub(super) fn answered(&mut self) {
        let mut state = lock(&self.seat.state);
        let id = state.next_answer;
        state.next_answer += 1;
        state.answers.insert(id, Instant::now());
        self.answer = Some(id);
    }
}

impl Drop for InFlightRequest {
    fn drop(&mut self) {
        let mut state = lock(&self.seat.state);
        state.in_flight -= 1;
        if let Some(id) = self.answer {
            state.answers.remove(&id);
        }
        if state.in_flight == 0 {
            state.quiet_since = Instant::now();
            if state.leaving.is_some() || state.evicted {
                self.seat.changed.notify_one();
            }
            self.seat.seats.freed.notify_one();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: Bounds =
        Bounds { connections: 2, patience: Duration::from_secs(10), idle: Duration::from_secs(100), window: 1 << 16 };

    /// What is due for a connection that began 1,000 seconds ago: `change` gets that time.
    fn due(change: impl FnOnce(&mut SeatState, &dyn Fn(u64) -> Instant)) -> Result<u64, Due> {
        let begun = Instant::now();
        let at = |seconds: u64| begun + Duration::from_secs(seconds);
        let mut state = SeatState::new(begun);
        change(&mut state, &at);
        match state.due(&BOUNDS, at(1000)) {
            Due::Stay(until) => Ok(until.duration_since(begun).as_secs()),
            due => Err(due),
        }
    }

    #[test]
    fn what_is_due_after_a_thousand_seconds() {
        assert_eq!(due(|_, _| {}), Err(Due::Cut), "it was silent");
        assert_eq!(due(|it, at| it.quiet_since = at(995)), Ok(1005), "it began a moment ago");
        let served = |it: &mut SeatState, quiet| (it.served, it.quiet_since) = (true, quiet);
        assert_eq!(due(|it, at| served(it, at(950))), Ok(1050), "it is idle");
        assert_eq!(due(|it, at| served(it, at(850))), Err(Due::Leave), "it is idle for long");
        assert_eq!(due(|it, at| (served(it, at(950)), it.evicted = true).1), Err(Due::Cut), "its seat is needed");
        let told = |it: &mut SeatState, told| it.leaving = Some(told);
        assert_eq!(due(|it, at| told(it, at(1000))), Err(Due::Cut), "it was silent, and is told to end");
        assert_eq!(due(|it, at| (served(it, at(950)), told(it, at(1000))).1), Ok(1001), "it is idle and told to end");
        assert_eq!(due(|it, at| (served(it, at(950)), told(it, at(999))).1), Err(Due::Cut), "it has not ended");
        let busy = |it: &mut SeatState| (it.served, it.in_flight) = (true, 1);
        assert_eq!(due(|it, _| busy(it)), Ok(1010), "it has a request in flight");
        assert_eq!(due(|it, at| (busy(it), told(it, at(500))).1), Ok(1010), "that is answered first");
        let sending = |it: &mut SeatState, since, last| {
            busy(it);
            it.answers.insert(0, since);
            it.last_write = last;
        };
        assert_eq!(due(|it, at| sending(it, at(995), at(0))), Ok(1005), "an answer is sent");
        assert_eq!(due(|it, at| sending(it, at(980), at(995))), Ok(1005), "it is read slowly");
        assert_eq!(due(|it, at| sending(it, at(980), at(985))), Err(Due::Cut), "it is not read");
        assert_eq!(due(|it, at| sending(it, at(890), at(999))), Err(Due::Cut), "it is read too slowly");
    }

    #[tokio::test]
    async fn who_makes_room() {
        let seats = Seats::new(BOUNDS);
        let evicted = |seat: &TakenSeat| lock(&seat.0.state).evicted;
        let (busy, silent) = (seats.take().await, seats.take().await);
        let request = busy.0.request();
        assert!(seats.free().is_none());
        seats.make_room();
        assert_eq!((evicted(&busy), evicted(&silent)), (false, true));
        silent.0.time_is_up().await;
        drop(silent);

        let quiet = seats.take().await;
        drop(quiet.0.request());
        drop(request);
        seats.make_room();
        assert_eq!((evicted(&busy), evicted(&quiet)), (false, true), "it was quiet for longer");
        seats.make_room();
        assert!(!evicted(&busy), "one ends already");
        drop(quiet);

        let silent = seats.take().await;
        seats.make_room();
        assert_eq!((evicted(&busy), evicted(&silent)), (false, true), "it never sent a request");
    }

    #[tokio::test]
    async fn who_waits_for_a_seat_gets_one() {
        let seats = Seats::new(BOUNDS);
        let (busy, other) = (seats.take().await, seats.take().await);
        let requests = [busy.0.request(), other.0.request()];
        let waiting = tokio::spawn({
            let seats = Arc::clone(&seats);
            async move { drop(seats.take().await) }
        });
        let ends = |seat: TakenSeat| async move { seat.0.time_is_up().await };
        drop(requests);
        tokio::select! {
            () = ends(busy) => {}
            () = ends(other) => {}
        }
        waiting.await.unwrap();
    }
}
