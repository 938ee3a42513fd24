//! IndexedDB's requests and transactions as futures, and its errors as the store's.

use std::cell::RefCell;
use std::rc::Rc;

use futures::channel::oneshot;
use wasm_bindgen::prelude::{Closure, JsCast, JsValue};
use web_sys::{DomException, IdbRequest, IdbTransaction};

use crate::vfs::packed::{StoreError, StoreResult};

/// The store's error for what IndexedDB threw or reported.
pub(super) fn error_of(error: &JsValue) -> StoreError {
    let Some(error) = error.dyn_ref::<DomException>() else {
        return StoreError::Failed(format!("{error:?}"));
    };
    match error.name().as_str() {
        "QuotaExceededError" => StoreError::NoSpace,
        "SecurityError" | "NotAllowedError" => StoreError::Denied,
        "InvalidStateError" => StoreError::Closed,
        "VersionError" => StoreError::Newer,
        name => StoreError::Failed(format!("{name}: {}", error.message())),
    }
}

/// A one-time answer that several event handlers may give; the first counts.
struct Answer<T>(Rc<RefCell<Option<oneshot::Sender<T>>>>);

impl<T: 'static> Answer<T> {
    fn new() -> (Self, oneshot::Receiver<T>) {
        let (sender, receiver) = oneshot::channel();
        (Self(Rc::new(RefCell::new(Some(sender)))), receiver)
    }

    /// A handler that answers what `value` says.
    fn handler(&self, value: impl Fn() -> T + 'static) -> Closure<dyn FnMut()> {
        let sender = Rc::clone(&self.0);
        Closure::new(move || {
            if let Some(sender) = sender.take() {
                // Nobody waits any more where the receiver is gone.
                let _ = sender.send(value());
            }
        })
    }
}

/// Waits for a request's result.
pub(super) async fn result(request: &IdbRequest) -> StoreResult<JsValue> {
    let (answer, receiver) = Answer::new();
    let done = request.clone();
    let success = answer.handler(move || done.result().map_err(|error| error_of(&error)));
    let failed = request.clone();
    let failure = answer.handler(move || Err(request_error(&failed)));
    request.set_onsuccess(Some(success.as_ref().unchecked_ref()));
    request.set_onerror(Some(failure.as_ref().unchecked_ref()));
    let result = receiver.await.unwrap_or(Err(StoreError::Closed));
    request.set_onsuccess(None);
    request.set_onerror(None);
    result
}

/// The error of a failed request.
pub(super) fn request_error(request: &IdbRequest) -> StoreError {
    match request.error() {
        Ok(Some(error)) => error_of(&error),
        _ => StoreError::Closed,
    }
}

/// Waits until a transaction is complete; an abort is its cause.
pub(super) async fn complete(transaction: &IdbTransaction) -> StoreResult<()> {
    let (answer, receiver) = Answer::new();
    let done = answer.handler(|| Ok(()));
    let aborted = transaction.clone();
    let abort = answer.handler(move || {
        // Without a cause the browser or this page ended the transaction.
        Err(aborted.error().map_or(StoreError::Closed, |error| error_of(&error)))
    });
    transaction.set_oncomplete(Some(done.as_ref().unchecked_ref()));
    transaction.set_onabort(Some(abort.as_ref().unchecked_ref()));
    let result = receiver.await.unwrap_or(Err(StoreError::Closed));
    transaction.set_oncomplete(None);
    transaction.set_onabort(None);
    result
}
