//! A host for one thread: tasks, timers, and a clock that is virtual unless a real one is given.
//!
//! On the virtual clock time moves to the next timer only when every task waits, so tests of time
//! neither sleep nor race.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

use futures::future::LocalBoxFuture;

use super::{Host, Timestamp};

/// Real time, for native programs that run a kernel.
pub trait Clock {
    /// Time since the clock was made.
    fn elapsed(&self) -> Duration;

    /// Sleeps until that time.
    fn wait_until(&self, at: Duration);
}

/// A host for tests and native runs; clones share one clock and task list.
#[derive(Clone, Default)]
pub struct FakeHost(Rc<Inner>);

#[derive(Default)]
struct Inner {
    real: Option<Box<dyn Clock>>,
    start: Cell<Timestamp>,
    clock: Cell<Duration>,
    timers: RefCell<BTreeMap<(Duration, u64), Rc<Timer>>>,
    next_timer: Cell<u64>,
    tasks: RefCell<Vec<Task>>,
    spawned: RefCell<Vec<LocalBoxFuture<'static, ()>>>,
    seed: Cell<u64>,
}

struct Task {
    future: LocalBoxFuture<'static, ()>,
    flag: Arc<Flag>,
}

#[derive(Default)]
struct Timer {
    fired: Cell<bool>,
    waker: RefCell<Option<Waker>>,
}

struct Flag(AtomicBool);

impl Wake for Flag {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl FakeHost {
    /// A host whose wall clock starts at `start` and whose randomness follows from `seed`.
    pub fn new(start: Timestamp, seed: u64) -> Self {
        let host = Self::default();
        host.0.start.set(start);
        host.0.seed.set(seed);
        host
    }

    /// A host on a real clock whose zero is at `start`.
    pub fn with_clock(start: Timestamp, seed: u64, clock: Box<dyn Clock>) -> Self {
        let inner = Inner { real: Some(clock), ..Inner::default() };
        inner.start.set(start);
        inner.seed.set(seed);
        Self(Rc::new(inner))
    }

    /// Runs `future` and the spawned tasks until it is done; virtual time passes while all wait.
    ///
    /// Returns `None` where everything waits and no timer is left: a deadlock.
    pub fn run<T>(&self, future: impl Future<Output = T>) -> Option<T> {
        let flag = Arc::new(Flag(AtomicBool::new(true)));
        let waker = Waker::from(Arc::clone(&flag));
        let mut future = std::pin::pin!(future);
        loop {
            self.fire_due();
            let mut progress = false;
            if flag.0.swap(false, Ordering::Relaxed) {
                progress = true;
                if let Poll::Ready(value) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
                    return Some(value);
                }
            }
            progress |= self.run_tasks();
            if !progress && !self.advance() {
                return None;
            }
        }
    }

    fn run_tasks(&self) -> bool {
        let mut progress = false;
        let mut tasks = std::mem::take(&mut *self.0.tasks.borrow_mut());
        tasks.extend(
            self.0
                .spawned
                .borrow_mut()
                .drain(..)
                .map(|future| Task { future, flag: Arc::new(Flag(AtomicBool::new(true))) }),
        );
        tasks.retain_mut(|task| {
            if !task.flag.0.swap(false, Ordering::Relaxed) {
                return true;
            }
            progress = true;
            let waker = Waker::from(Arc::clone(&task.flag));
            task.future.as_mut().poll(&mut Context::from_waker(&waker)).is_pending()
        });
        tasks.append(&mut self.0.tasks.borrow_mut());
        *self.0.tasks.borrow_mut() = tasks;
        progress || !self.0.spawned.borrow().is_empty()
    }

    fn elapsed(&self) -> Duration {
        self.0.real.as_ref().map_or_else(|| self.0.clock.get(), |clock| clock.elapsed())
    }

    /// Fires the timers that are due on a real clock.
    fn fire_due(&self) {
        if self.0.real.is_none() {
            return;
        }
        let now = self.elapsed();
        loop {
            let mut timers = self.0.timers.borrow_mut();
            let Some(entry) = timers.first_entry().filter(|entry| entry.key().0 <= now) else {
                return;
            };
            let timer = entry.remove();
            drop(timers);
            fire(&timer);
        }
    }

    fn advance(&self) -> bool {
        let next = self.0.timers.borrow_mut().pop_first();
        let Some(((at, _), timer)) = next else { return false };
        match &self.0.real {
            Some(clock) => clock.wait_until(at),
            None => self.0.clock.set(self.0.clock.get().max(at)),
        }
        fire(&timer);
        true
    }
}

fn fire(timer: &Timer) {
    timer.fired.set(true);
    if let Some(waker) = timer.waker.borrow_mut().take() {
        waker.wake();
    }
}

impl Host for FakeHost {
    fn now(&self) -> Timestamp {
        self.0.start.get().after(self.elapsed())
    }

    fn monotonic(&self) -> Duration {
        self.elapsed()
    }

    fn sleep(&self, duration: Duration) -> LocalBoxFuture<'static, ()> {
        let at = self.elapsed() + duration;
        let number = self.0.next_timer.get();
        self.0.next_timer.set(number + 1);
        let timer = Rc::new(Timer::default());
        self.0.timers.borrow_mut().insert((at, number), Rc::clone(&timer));
        Box::pin(Sleep { host: self.clone(), key: (at, number), timer })
    }

    fn yield_now(&self) -> LocalBoxFuture<'static, ()> {
        let mut yielded = false;
        Box::pin(std::future::poll_fn(move |cx| {
            if yielded {
                return Poll::Ready(());
            }
            yielded = true;
            cx.waker().wake_by_ref();
            Poll::Pending
        }))
    }

    fn spawn(&self, task: LocalBoxFuture<'static, ()>) {
        self.0.spawned.borrow_mut().push(task);
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn start_module(&self, name: &'static str, request: String) -> super::StartingModule {
        Box::pin(std::future::ready(super::linked::start(name, &request)))
    }

    fn random(&self, buffer: &mut [u8]) {
        for byte in buffer {
            let mut x = self.0.seed.get().wrapping_add(0x9e37_79b9_7f4a_7c15);
            self.0.seed.set(x);
            x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            *byte = x.to_be_bytes()[0];
        }
    }
}

struct Sleep {
    host: FakeHost,
    key: (Duration, u64),
    timer: Rc<Timer>,
}

impl Future for Sleep {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        if self.timer.fired.get() {
            return Poll::Ready(());
        }
        *self.timer.waker.borrow_mut() = Some(cx.waker().clone());
        Poll::Pending
    }
}

impl Drop for Sleep {
    fn drop(&mut self) {
        self.host.0.timers.borrow_mut().remove(&self.key);
    }
}
