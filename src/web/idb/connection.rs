//! A connection to one volume's database: opened, watched, and opened again once where the browser closes it.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use js_sys::{Array, Object, Reflect};
use wasm_bindgen::prelude::{Closure, JsCast, JsValue, wasm_bindgen};
use web_sys::{IdbDatabase, IdbFactory, IdbOpenDbRequest, IdbTransaction};

use super::request::{error_of, result};
use crate::vfs::packed::{Area, Durability, StoreError, StoreResult};

/// The version of the database's layout: its object stores, not what is in them.
const LAYOUT: u32 = 1;

#[wasm_bindgen]
extern "C" {
    /// The database with the options argument that sets durability.
    type Database;
    #[wasm_bindgen(method, catch)]
    fn transaction(
        this: &Database,
        stores: &Array,
        mode: &str,
        options: &JsValue,
    ) -> Result<IdbTransaction, JsValue>;
}

/// The name of an area's object store.
pub(super) fn store_name(area: Area) -> &'static str {
    match area {
        Area::Meta => "meta",
        Area::Checkpoint => "checkpoint",
        Area::Log => "log",
        Area::Segment => "segment",
    }
}

/// What kind of transaction to begin.
#[derive(Clone, Copy)]
pub(super) enum Access {
    Read,
    Write(Durability),
}

/// See the file's first line.
pub(super) struct Connection {
    name: String,
    database: RefCell<Option<Open>>,
    /// Another page deletes or upgrades the database: it is not opened again.
    gone: Rc<Cell<bool>>,
}

/// An open database with its listeners.
struct Open {
    database: IdbDatabase,
    lost: Rc<Cell<bool>>,
    _close: Closure<dyn FnMut()>,
    _version_change: Closure<dyn FnMut()>,
}

impl Drop for Open {
    fn drop(&mut self) {
        self.database.set_onclose(None);
        self.database.set_onversionchange(None);
        self.database.close();
    }
}

impl Connection {
    pub(super) async fn open(name: &str) -> StoreResult<Self> {
        let gone = Rc::new(Cell::new(false));
        let open = open(name, &gone).await?;
        Ok(Self { name: name.to_owned(), database: RefCell::new(Some(open)), gone })
    }

    /// Begins a transaction over `areas`, over a new connection where the old one was lost.
    pub(super) async fn begin(
        &self,
        areas: &[Area],
        access: Access,
    ) -> StoreResult<IdbTransaction> {
        if let Some(transaction) = self.try_begin(areas, access) {
            return transaction;
        }
        if self.gone.get() {
            return Err(StoreError::Closed);
        }
        let again = open(&self.name, &self.gone).await?;
        *self.database.borrow_mut() = Some(again);
        self.try_begin(areas, access).unwrap_or(Err(StoreError::Closed))
    }

    /// `None` where there is no live connection.
    fn try_begin(&self, areas: &[Area], access: Access) -> Option<StoreResult<IdbTransaction>> {
        let mut slot = self.database.borrow_mut();
        let database = slot.as_ref().filter(|open| !open.lost.get())?.database.clone();
        let names: Array = areas.iter().map(|area| JsValue::from_str(store_name(*area))).collect();
        let options = Object::new();
        let mode = match access {
            Access::Read => "readonly",
            Access::Write(durability) => {
                let word = match durability {
                    Durability::Relaxed => "relaxed",
                    Durability::Strict => "strict",
                };
                // A fresh plain object takes the field.
                let _ = Reflect::set(&options, &"durability".into(), &word.into());
                "readwrite"
            }
        };
        match database.unchecked_into::<Database>().transaction(&names, mode, &options) {
            Ok(transaction) => Some(Ok(transaction)),
            Err(error) => match error_of(&error) {
                StoreError::Closed => {
                    slot.take();
                    None
                }
                other => Some(Err(other)),
            },
        }
    }
}

/// A request to open that may be given up: what comes of it then is closed at once, and a new
/// database is not made.
struct Opening {
    request: IdbOpenDbRequest,
    done: bool,
}

impl Drop for Opening {
    fn drop(&mut self) {
        if self.done {
            return;
        }
        let request = self.request.clone();
        let close = Closure::once_into_js(move || {
            if let Ok(database) = request.result() {
                database.unchecked_into::<IdbDatabase>().close();
            }
        });
        let request = self.request.clone();
        let abort = Closure::once_into_js(move || {
            if let Some(transaction) = request.transaction() {
                // It is over either way where it cannot be aborted.
                let _ = transaction.abort();
            }
        });
        self.request.set_onsuccess(Some(close.unchecked_ref()));
        self.request.set_onupgradeneeded(Some(abort.unchecked_ref()));
        self.request.set_onerror(None);
    }
}

fn factory() -> StoreResult<IdbFactory> {
    let found = Reflect::get(&js_sys::global(), &"indexedDB".into());
    let factory = found.map_err(|_| StoreError::Denied)?;
    if factory.is_object() { Ok(factory.unchecked_into()) } else { Err(StoreError::Denied) }
}

async fn open(name: &str, gone: &Rc<Cell<bool>>) -> StoreResult<Open> {
    let request = factory()?.open_with_u32(name, LAYOUT).map_err(|error| error_of(&error))?;
    let mut opening = Opening { request: request.clone(), done: false };
    let upgrade = upgrading(&request);
    request.set_onupgradeneeded(Some(upgrade.as_ref().unchecked_ref()));
    let opened = result(&request).await;
    opening.done = true;
    let database: IdbDatabase = match opened {
        Ok(value) => value.unchecked_into(),
        // A private window of some browsers answers with an unspecific failure to open.
        Err(StoreError::Closed) => return Err(StoreError::Denied),
        Err(error) => return Err(error),
    };
    let lost = Rc::new(Cell::new(false));
    let closed = Rc::clone(&lost);
    let close = Closure::<dyn FnMut()>::new(move || closed.set(true));
    database.set_onclose(Some(close.as_ref().unchecked_ref()));
    let (closing, leaves, gone) = (database.clone(), Rc::clone(&lost), Rc::clone(gone));
    let version_change = Closure::<dyn FnMut()>::new(move || {
        gone.set(true);
        leaves.set(true);
        closing.close();
    });
    database.set_onversionchange(Some(version_change.as_ref().unchecked_ref()));
    Ok(Open { database, lost, _close: close, _version_change: version_change })
}

/// Makes the object stores of a new database.
fn upgrading(request: &IdbOpenDbRequest) -> Closure<dyn FnMut()> {
    let request = request.clone();
    Closure::new(move || {
        let Ok(database) = request.result() else { return };
        let database: IdbDatabase = database.unchecked_into();
        for area in Area::ALL {
            // A store that is missing after this shows in the first transaction.
            let _ = database.create_object_store(store_name(area));
        }
    })
}
