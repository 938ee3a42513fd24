//! The browser (or Node) as the kernel's host: its clock, timers, randomness, and its event loop through a message channel.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use futures::future::LocalBoxFuture;
use js_sys::{Function, Reflect};
use wasm_bindgen::prelude::{Closure, JsCast, JsValue, wasm_bindgen};
use web_sys::{MessageChannel, MessagePort};

use crate::host::{Host, StartingModule, Timestamp};

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = performance, js_name = now)]
    fn performance_now() -> f64;
    #[wasm_bindgen(js_namespace = crypto, js_name = getRandomValues)]
    fn random_values(buffer: &mut [u8]);
    #[wasm_bindgen(js_name = setTimeout)]
    fn set_timeout(callback: &JsValue, millis: i32) -> JsValue;
    #[wasm_bindgen(js_name = clearTimeout)]
    fn clear_timeout(id: &JsValue);
}

/// The most bytes one call of `getRandomValues` fills.
const RANDOM_CHUNK: usize = 65_536;

/// The longest single timer; `setTimeout` takes a signed 32-bit count of milliseconds.
const LONGEST_TIMER: Duration = Duration::from_hours(24);

/// The environment this module was loaded into.
pub struct WebHost {
    turns: Rc<Turns>,
    /// What takes the next turn when the event loop comes by.
    listener: Closure<dyn FnMut()>,
    turnstile: Turnstile,
}

/// How the event loop is asked to come by.
enum Turnstile {
    /// Node: its message ports hand over a thousand messages before a timer fires.
    Immediate(Function),
    /// Browsers: sending end, receiving end.
    Channel(MessagePort, MessagePort),
}

/// Yields that wait for their message, first in, first out.
#[derive(Default)]
struct Turns(RefCell<VecDeque<Rc<Turn>>>);

#[derive(Default)]
struct Turn {
    done: Cell<bool>,
    waker: RefCell<Option<Waker>>,
}

impl Turn {
    fn finish(&self) {
        self.done.set(true);
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }

    fn poll(&self, cx: &Context<'_>) -> Poll<()> {
        if self.done.get() {
            return Poll::Ready(());
        }
        *self.waker.borrow_mut() = Some(cx.waker().clone());
        Poll::Pending
    }
}

impl WebHost {
    /// A host with a message channel of its own, or Node's `setImmediate`; an error where the
    /// environment has neither.
    pub fn new() -> Result<Self, JsValue> {
        let turns = Rc::new(Turns::default());
        let waiting = Rc::clone(&turns);
        let listener = Closure::<dyn FnMut()>::new(move || {
            let turn = waiting.0.borrow_mut().pop_front();
            if let Some(turn) = turn {
                turn.finish();
            }
        });
        let immediate = Reflect::get(&js_sys::global(), &"setImmediate".into())?;
        let turnstile = if let Some(immediate) = immediate.dyn_ref::<Function>() {
            Turnstile::Immediate(immediate.clone())
        } else {
            let channel = MessageChannel::new()?;
            let receiving = channel.port1();
            receiving.set_onmessage(Some(listener.as_ref().unchecked_ref()));
            Turnstile::Channel(channel.port2(), receiving)
        };
        Ok(Self { turns, listener, turnstile })
    }
}

impl Drop for WebHost {
    fn drop(&mut self) {
        if let Turnstile::Channel(_, receiving) = &self.turnstile {
            receiving.set_onmessage(None);
            receiving.close();
        }
    }
}

impl Host for WebHost {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(js_sys::Date::now())
    }

    fn monotonic(&self) -> Duration {
        Duration::try_from_secs_f64(performance_now() / 1000.0).unwrap_or_default()
    }

    fn sleep(&self, duration: Duration) -> LocalBoxFuture<'static, ()> {
        Box::pin(async move {
            let mut left = duration;
            while left > LONGEST_TIMER {
                Timer::new(LONGEST_TIMER).await;
                left -= LONGEST_TIMER;
            }
            Timer::new(left).await;
        })
    }

    fn yield_now(&self) -> LocalBoxFuture<'static, ()> {
        let turn = Rc::new(Turn::default());
        self.turns.0.borrow_mut().push_back(Rc::clone(&turn));
        let asked = match &self.turnstile {
            Turnstile::Immediate(immediate) => {
                immediate.call1(&JsValue::UNDEFINED, self.listener.as_ref()).map(drop)
            }
            Turnstile::Channel(sending, _) => sending.post_message(&JsValue::NULL),
        };
        if asked.is_err() {
            turn.finish();
        }
        Box::pin(std::future::poll_fn(move |cx| turn.poll(cx)))
    }

    fn spawn(&self, task: LocalBoxFuture<'static, ()>) {
        wasm_bindgen_futures::spawn_local(task);
    }

    fn start_module(&self, name: &'static str, request: String) -> StartingModule {
        super::module::start(name, request)
    }

    fn random(&self, buffer: &mut [u8]) {
        for chunk in buffer.chunks_mut(RANDOM_CHUNK) {
            random_values(chunk);
        }
    }
}

/// One `setTimeout`; dropping it clears the timer.
struct Timer {
    turn: Rc<Turn>,
    id: JsValue,
    _callback: Closure<dyn FnMut()>,
}

impl Timer {
    fn new(duration: Duration) -> Self {
        let turn = Rc::new(Turn::default());
        let fired = Rc::clone(&turn);
        let callback = Closure::<dyn FnMut()>::new(move || fired.finish());
        // A timer never fires early: fractions of a millisecond round up.
        let millis = i32::try_from(duration.as_nanos().div_ceil(1_000_000)).unwrap_or(i32::MAX);
        let id = set_timeout(callback.as_ref(), millis);
        Self { turn, id, _callback: callback }
    }
}

impl Future for Timer {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        self.turn.poll(cx)
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        if !self.turn.done.get() {
            clear_timeout(&self.id);
        }
    }
}
