//! The threads on which calls are computed.
//!
//! To wake another thread takes longer than most calls, so a call is computed on the worker thread where it arrives.
//! But a module may run for seconds, and input and output must not wait for it. So one worker of the runtime never
//! computes. Further calls are computed on other threads. There is a thread for each call that may run at once, so calls
//! never wait long behind calls of another module. But where every processor has its worker, more threads would only
//! make all calls slower, and each needs an instance of its own; so there a call first waits for a worker for a moment, in
//! which most calls end.
//!
//! A worker that computes may be the one that waits for input and output, and tokio lets another one do so only when
//! there is a further task. So while computations last, there is a further task at each tick of a clock.

use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use tokio::runtime::{Builder, Handle, Runtime};
use tokio::sync::Semaphore;
use tokio::task;
use tokio::time::timeout;

use crate::allocator::collect;
use crate::engine::{Caller, Clock, Engine, processors};
use crate::traces::carried;

/// The number of threads for computations beside calls of modules.
const OTHERS: usize = 16;
/// How long they are kept when they are not needed. They give back memory when they end, and that is before the clock has
/// settled.
const KEPT_FOR: Duration = Duration::from_secs(1);
/// The longest that worker threads wait for one another.
const MEET_WITHIN: Duration = Duration::from_millis(10);

/// A runtime for an adapter that calls the modules of `engine`. Its workers give back memory when no call runs.
pub(crate) fn runtime_of(engine: &Engine) -> std::io::Result<Runtime> {
    let runtime = runtime(engine.calls())?;
    let workers = runtime.handle().clone();
    engine.clock().when_settled(move || on_each_worker(&workers, collect));
    Ok(runtime)
}

/// The most workers that compute.
const MOST_WORKERS: usize = 4;

/// How long a computation waits for a worker before it takes another thread, where each processor has its worker. The system
/// would let that thread wait about as long behind the workers.
const MOMENT: Duration = Duration::from_millis(5);

/// A runtime for an adapter that computes so many calls at once. It has a worker thread for each of a few processors, and
/// one more, so that all these processors may compute. The other threads exist only while they are needed.
pub(crate) fn runtime(calls: usize) -> std::io::Result<Runtime> {
    Builder::new_multi_thread()
        .worker_threads(processors().min(MOST_WORKERS) + 1)
        .max_blocking_threads(calls.saturating_add(OTHERS))
        .thread_keep_alive(KEPT_FOR)
        .enable_all()
        .build()
}

/// The worker threads of the runtime, as far as they may compute.
#[derive(Clone)]
pub(crate) struct Threads {
    clock: Arc<Clock>,
    /// How long a computation waits for one of them.
    patience: Duration,
    permits: Arc<OnceLock<Arc<Semaphore>>>,
}

impl Threads {
    /// The worker threads of the runtime that is the first to compute. The clock ticks while they compute.
    pub(crate) fn new(clock: &Arc<Clock>) -> Self {
        let patience = if processors() > MOST_WORKERS { Duration::ZERO } else { MOMENT };
        Self { clock: Arc::clone(clock), patience, permits: Arc::default() }
    }

    /// Runs a computation. `None` when it panics. When the result is dropped earlier, nobody waits for the answer: calls of
    /// modules in the computation end.
    pub(crate) async fn run<T: Send + 'static>(&self, compute: impl FnOnce() -> T + Send + 'static) -> Option<T> {
        let caller = Caller::default();
        let _waiting = caller.waits();
        let compute = carried(move || caller.run(compute));
        let permits = Arc::clone(self.permits.get_or_init(|| self.permits()));
        let Ok(Ok(permit)) = timeout(self.patience, permits.acquire_owned()).await else {
            return task::spawn_blocking(compute).await.ok();
        };
        let clock = Arc::clone(&self.clock);
        // A task of its own, which this thread runs next: so its connection, which other threads serve meanwhile, can say
        // that the client is gone. A task that waited to run next on this thread can run on others then.
        let task = async move {
            let ticking = clock.tick();
            let answer = compute();
            drop((ticking, permit));
            answer
        };
        task::spawn(task).await.ok()
    }

    /// Permits for the workers that may compute. From now on, another worker is woken at each tick.
    fn permits(&self) -> Arc<Semaphore> {
        let runtime = Handle::current();
        let workers = runtime.metrics().num_workers();
        self.clock.at_each_tick(move || drop(runtime.spawn(async {})));
        Arc::new(Semaphore::new(workers.saturating_sub(1)))
    }
}

/// Does something on each worker thread that has nothing else to do. A worker that is done waits a moment for the others:
/// it would take their part otherwise.
fn on_each_worker(runtime: &Handle, action: fn()) {
    let workers = runtime.metrics().num_workers();
    let done = Arc::new((Mutex::new(0), Condvar::new()));
    for _ in 0..workers {
        let done = Arc::clone(&done);
        runtime.spawn(async move {
            action();
            let (count, changed) = &*done;
            let mut count = count.lock().unwrap_or_else(PoisonError::into_inner);
            *count += 1;
            changed.notify_all();
            drop(changed.wait_timeout_while(count, MEET_WITHIN, |count| *count < workers));
        });
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::{SocketAddr, TcpStream};
    use std::sync::mpsc;
    use std::thread::{self, ThreadId};

    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpListener;

    use super::*;
    use crate::engine::Settings;

    const COMPUTE: u8 = b'c';
    const ECHO: u8 = b'e';

    /// Clients are served while a client's call computes on the worker that waited for input.
    #[test]
    fn others_are_served_meanwhile() {
        let engine = Engine::load(&Settings::default(), false, &[] as &[&str]).unwrap();
        let runtime = runtime(4).unwrap();
        let (begun, begins) = mpsc::channel();
        let (release, released) = mpsc::channel();
        let address = serve(&runtime, Threads::new(engine.clock()), begun, Arc::new(Mutex::new(released)));
        for _ in 0..5 {
            let computing = ask(address, COMPUTE);
            begins.recv().unwrap();
            answered(ask(address, ECHO));
            release.send(()).unwrap();
            answered(computing);
        }
    }

    #[test]
    fn each_worker_has_its_turn() {
        static THREADS: Mutex<Vec<ThreadId>> = Mutex::new(Vec::new());
        let note = || {
            let (mut threads, here) = (THREADS.lock().unwrap(), thread::current().id());
            if !threads.contains(&here) {
                threads.push(here);
            }
        };
        let runtime = runtime(0).unwrap();
        let workers = runtime.metrics().num_workers();
        for _ in 0..1_000 {
            on_each_worker(runtime.handle(), note);
            thread::sleep(MEET_WITHIN);
            if THREADS.lock().unwrap().len() == workers {
                return;
            }
        }
        panic!("{:?} of {workers} workers", THREADS.lock().unwrap());
    }

    /// Answers each byte. For [`COMPUTE`] it computes until it is released.
    fn serve(
        runtime: &Runtime,
        threads: Threads,
        begun: mpsc::Sender<()>,
        released: Arc<Mutex<mpsc::Receiver<()>>>,
    ) -> SocketAddr {
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = listener.local_addr().unwrap();
        runtime.spawn(async move {
            loop {
                let (mut stream, _) = listener.accept().await.unwrap();
                let (threads, begun, released) = (threads.clone(), begun.clone(), Arc::clone(&released));
                tokio::spawn(async move {
                    if stream.read_u8().await.unwrap() == COMPUTE {
                        let compute = move || {
                            begun.send(()).unwrap();
                            released.lock().unwrap().recv().unwrap();
                        };
                        threads.run(compute).await.unwrap();
                    }
                    stream.write_u8(ECHO).await.unwrap();
                });
            }
        });
        address
    }

    fn ask(address: SocketAddr, what: u8) -> TcpStream {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream.write_all(&[what]).unwrap();
        stream
    }

    #[track_caller]
    fn answered(mut stream: TcpStream) {
        stream.read_exact(&mut [0]).expect("it is answered");
    }
}
