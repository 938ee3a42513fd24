//! A Web Lock for as long as it is kept: at most one tab writes a volume.

use futures::channel::oneshot;
use futures::future::{Either, select};
use js_sys::{Function, Object, Promise, Reflect};
use wasm_bindgen::prelude::{Closure, JsCast, JsValue, wasm_bindgen};
use wasm_bindgen_futures::JsFuture;

#[wasm_bindgen]
extern "C" {
    type LockManager;
    #[wasm_bindgen(method, catch)]
    fn request(
        this: &LockManager,
        name: &str,
        options: &Object,
        granted: &JsValue,
    ) -> Result<Promise, JsValue>;
}

/// A held lock; dropping it releases it, and so does the end of the tab.
pub struct VolumeLock {
    /// Resolves the promise that holds the lock; `None` where the browser has no locks.
    release: Option<Function>,
}

impl VolumeLock {
    /// Takes the lock of a volume if nobody has it.
    ///
    /// Where the browser has no locks it is always granted: the writer's epoch in the store then
    /// keeps two tabs apart.
    pub async fn try_take(volume: &str) -> Option<Self> {
        Self::ask(volume, true).await
    }

    /// Takes the lock of a volume as soon as whoever has it lets go.
    pub async fn take(volume: &str) -> Option<Self> {
        Self::ask(volume, false).await
    }

    async fn ask(volume: &str, if_available: bool) -> Option<Self> {
        let Some(manager) = manager() else { return Some(Self { release: None }) };
        let options = Object::new();
        // A fresh plain object takes the field.
        let _ = Reflect::set(&options, &"ifAvailable".into(), &if_available.into());
        let (sender, receiver) = oneshot::channel::<Option<Function>>();
        // The closure frees itself when it is called, which may be after the asker has gone.
        let granted = Closure::once_into_js(move |lock: JsValue| {
            if lock.is_null() {
                // The asker is gone where this fails, and nothing was taken.
                let _ = sender.send(None);
                return JsValue::UNDEFINED;
            }
            let mut release = None;
            let held = Promise::new(&mut |resolve, _| release = Some(resolve));
            match sender.send(release) {
                Ok(()) => held.into(),
                // Nobody wants the lock any more: let go at once.
                Err(_) => JsValue::UNDEFINED,
            }
        });
        let none = Self { release: None };
        let Ok(asked) = manager.request(&format!("tabsh:{volume}"), &options, &granted) else {
            return Some(none);
        };
        match select(receiver, JsFuture::from(asked)).await {
            Either::Left((granted, _)) => Some(Self { release: Some(granted.ok()??) }),
            // An origin without storage has no locks either.
            Either::Right((Err(_), _)) => Some(none),
            Either::Right((Ok(_), receiver)) => Some(Self { release: Some(receiver.await.ok()??) }),
        }
    }
}

impl Drop for VolumeLock {
    fn drop(&mut self) {
        if let Some(release) = &self.release {
            // Resolving a promise does not fail.
            let _ = release.call0(&JsValue::UNDEFINED);
        }
    }
}

fn manager() -> Option<LockManager> {
    let navigator = Reflect::get(&js_sys::global(), &"navigator".into()).ok()?;
    let locks = Reflect::get(&navigator, &"locks".into()).ok()?;
    locks.is_object().then(|| locks.unchecked_into())
}
