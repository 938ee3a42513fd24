//! Modules of commands: JavaScript starts a worker with one; a run of it answers step by step.

use std::cell::RefCell;

use async_trait::async_trait;
use js_sys::{Function, Promise, Reflect, Uint8Array};
use wasm_bindgen::prelude::{JsCast, JsValue, wasm_bindgen};
use wasm_bindgen_futures::JsFuture;

use crate::host::{Feed, Module, ModuleError, ModuleStep, Next, StartingModule};

thread_local! {
    // One kernel per wasm instance and worker: what starts modules belongs to all its shells.
    static STARTER: RefCell<Option<Function>> = const { RefCell::new(None) };
}

/// Sets what starts modules: `(name, request) => Promise<ModuleRun>`; see `pkg/src/modules.ts`.
#[wasm_bindgen(js_name = useModules)]
pub fn use_modules(starter: Function) {
    STARTER.set(Some(starter));
}

#[wasm_bindgen]
extern "C" {
    /// `ModuleRun` of `pkg/src/modules.ts`.
    type JsRun;
    #[wasm_bindgen(method, catch)]
    fn step(this: &JsRun, kind: u8, bytes: Uint8Array) -> Result<Promise, JsValue>;
    #[wasm_bindgen(method)]
    fn close(this: &JsRun);
}

/// A run whose worker goes with it.
struct WebModule {
    name: &'static str,
    run: JsRun,
}

impl Drop for WebModule {
    fn drop(&mut self) {
        self.run.close();
    }
}

/// Starts a run; it fails where the module cannot be loaded.
pub(super) fn start(name: &'static str, request: String) -> StartingModule {
    let starter = STARTER.with_borrow(Clone::clone);
    Box::pin(async move {
        let fail = |error: JsValue| ModuleError::new(name, words(&error));
        let Some(starter) = starter else {
            return Err(ModuleError::new(name, "this page has no modules"));
        };
        let starting = starter.call2(&JsValue::NULL, &name.into(), &request.into());
        let starting = Promise::resolve(&starting.map_err(fail)?);
        let run = JsFuture::from(starting).await.map_err(fail)?;
        let run: Box<dyn Module> = Box::new(WebModule { name, run: run.unchecked_into() });
        Ok(run)
    })
}

/// The message of what JavaScript threw.
fn words(error: &JsValue) -> String {
    let message = Reflect::get(error, &"message".into()).ok().and_then(|text| text.as_string());
    message.or_else(|| error.as_string()).unwrap_or_else(|| "it failed without a word".into())
}

#[async_trait(?Send)]
impl Module for WebModule {
    async fn step(&mut self, feed: Feed<'_>) -> Result<ModuleStep, ModuleError> {
        let (kind, bytes): (u8, &[u8]) = match feed {
            Feed::Nothing => (0, &[]),
            Feed::Bytes(bytes) => (1, bytes),
            Feed::File(name) => (2, name.as_bytes()),
            Feed::End => (3, &[]),
        };
        let fail = |error: JsValue| ModuleError::new(self.name, words(&error));
        let stepping = self.run.step(kind, Uint8Array::from(bytes)).map_err(fail)?;
        let step = JsFuture::from(stepping).await.map_err(fail)?;
        let field = |name: &str| Reflect::get(&step, &name.into()).unwrap_or_default();
        let bytes = |name: &str| Uint8Array::new(&field(name)).to_vec();
        let next = match field("next").as_f64() {
            Some(-1.0) => Next::More,
            Some(-2.0) => Next::Input,
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "saturates"
            )]
            next => Next::Done(next.unwrap_or(1.0) as u8),
        };
        Ok(ModuleStep { out: bytes("out"), err: bytes("err"), next })
    }
}
