//! A panic's message and place, handed to JavaScript before the trap that ends the module.

use js_sys::Function;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// Calls `report(message)` once where the kernel panics; every later call into the module is undefined.
#[wasm_bindgen(js_name = onPanic)]
pub fn on_panic(report: Function) {
    // The hook must be `Send`; this target has one thread, so the function lives in a thread-local.
    thread_local! {
        static REPORT: std::cell::RefCell<Option<Function>> = const { std::cell::RefCell::new(None) };
    }
    REPORT.set(Some(report));
    std::panic::set_hook(Box::new(|info| {
        let text = info.to_string();
        REPORT.with_borrow(|report| {
            if let Some(report) = report {
                // Nobody is left to tell where reporting the panic fails.
                let _ = report.call1(&JsValue::NULL, &JsValue::from_str(&text));
            }
        });
    }));
}

/// Panics, so that tests can see what the page makes of it.
#[wasm_bindgen(js_name = panicForTest)]
#[expect(clippy::panic, reason = "what a panic does to the page can only be tried by one")]
pub fn panic_for_test() {
    std::panic::panic_any("asked to by a test");
}
