//! The store of a persistent volume in IndexedDB: an object store per area, a transaction per batch.
//!
//! Every request of a transaction is issued at once and only its end is awaited, for a transaction
//! does not survive a turn of the event loop without requests.

mod connection;
mod request;

use std::cell::Cell;
use std::ops::Range;
use std::rc::Rc;

use async_trait::async_trait;
use js_sys::{Array, Reflect, Uint8Array};
use wasm_bindgen::prelude::{Closure, JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{IdbKeyRange, IdbObjectStore, IdbRequest, IdbTransaction};

use connection::{Access, Connection, store_name};
use request::{complete, error_of, result};

use crate::vfs::packed::{Area, Batch, Durability, Store, StoreError, StoreResult};

/// The key of the writer's epoch; texts sort after the numbers that areas use.
const EPOCH: &str = "epoch";

/// A volume's database.
pub struct IdbStore(Connection);

impl IdbStore {
    /// Opens (or creates) the database of a volume.
    pub async fn open(volume: &str) -> StoreResult<Self> {
        Ok(Self(Connection::open(&format!("tabsh:{volume}")).await?))
    }
}

#[expect(clippy::cast_precision_loss, reason = "numbers count up from 0 and stay below 2^53")]
fn key(number: u64) -> JsValue {
    JsValue::from_f64(number as f64)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "written by `key`")]
fn number(key: &JsValue) -> u64 {
    key.as_f64().unwrap_or_default() as u64
}

/// All keys that are numbers.
fn numbers() -> StoreResult<IdbKeyRange> {
    IdbKeyRange::bound(&JsValue::from_f64(0.0), &JsValue::from_f64(f64::INFINITY)).map_err(failed)
}

#[expect(clippy::needless_pass_by_value, reason = "for map_err")]
fn failed(error: JsValue) -> StoreError {
    error_of(&error)
}

fn area_of(transaction: &IdbTransaction, area: Area) -> StoreResult<IdbObjectStore> {
    transaction.object_store(store_name(area)).map_err(failed)
}

fn to_bytes(value: JsValue) -> Vec<u8> {
    value.dyn_into::<Uint8Array>().map(|array| array.to_vec()).unwrap_or_default()
}

/// Issues the changes of a batch.
fn issue(transaction: &IdbTransaction, batch: Batch) -> StoreResult<()> {
    for (area, number, bytes) in batch.puts {
        let value = Uint8Array::from(bytes.as_slice());
        area_of(transaction, area)?.put_with_key(&value, &key(number)).map_err(failed)?;
    }
    for (area, Range { start, end }) in batch.drops {
        if start < end {
            let range = IdbKeyRange::bound_with_lower_open_and_upper_open(
                &key(start),
                &key(end),
                false,
                true,
            );
            let range = range.map_err(failed)?;
            area_of(transaction, area)?.delete(&range).map_err(failed)?;
        }
    }
    Ok(())
}

/// Aborts the transaction where the stored epoch is another one than `epoch`.
struct Fence {
    broken: Rc<Cell<bool>>,
    request: IdbRequest,
    _compare: Closure<dyn FnMut()>,
}

impl Fence {
    fn new(transaction: &IdbTransaction, epoch: u64) -> StoreResult<Self> {
        let request = area_of(transaction, Area::Meta)?.get(&EPOCH.into()).map_err(failed)?;
        let broken = Rc::new(Cell::new(false));
        let (breaks, asked, writing) = (Rc::clone(&broken), request.clone(), transaction.clone());
        let compare = Closure::<dyn FnMut()>::new(move || {
            let stored = asked.result().ok().map(|stored| number(&stored));
            if stored != Some(epoch) {
                breaks.set(true);
                // It is over either way where it cannot be aborted.
                let _ = writing.abort();
            }
        });
        request.set_onsuccess(Some(compare.as_ref().unchecked_ref()));
        Ok(Self { broken, request, _compare: compare })
    }
}

impl Drop for Fence {
    fn drop(&mut self) {
        self.request.set_onsuccess(None);
    }
}

#[async_trait(?Send)]
impl Store for IdbStore {
    async fn load(&self, area: Area) -> StoreResult<Vec<(u64, Vec<u8>)>> {
        let transaction = self.0.begin(&[area], Access::Read).await?;
        let store = area_of(&transaction, area)?;
        let range = numbers()?;
        let keys = store.get_all_keys_with_key(&range).map_err(failed)?;
        let values = store.get_all_with_key(&range).map_err(failed)?;
        complete(&transaction).await?;
        let keys = Array::from(&keys.result().map_err(failed)?);
        let values = Array::from(&values.result().map_err(failed)?);
        Ok(keys
            .iter()
            .zip(values.iter())
            .map(|(key, value)| (number(&key), to_bytes(value)))
            .collect())
    }

    async fn list(&self, area: Area) -> StoreResult<Vec<u64>> {
        let transaction = self.0.begin(&[area], Access::Read).await?;
        let store = area_of(&transaction, area)?;
        let range = numbers()?;
        let keys = store.get_all_keys_with_key(&range).map_err(failed)?;
        let keys = Array::from(&result(&keys).await?);
        Ok(keys.iter().map(|key| number(&key)).collect())
    }

    async fn read(&self, segments: &[u64]) -> StoreResult<Vec<Option<Vec<u8>>>> {
        let transaction = self.0.begin(&[Area::Segment], Access::Read).await?;
        let store = area_of(&transaction, Area::Segment)?;
        let requests: Vec<IdbRequest> = segments
            .iter()
            .map(|segment| store.get(&key(*segment)).map_err(failed))
            .collect::<StoreResult<_>>()?;
        complete(&transaction).await?;
        let value = |request: &IdbRequest| {
            let value = request.result().map_err(failed)?;
            Ok((!value.is_undefined()).then(|| to_bytes(value)))
        };
        requests.iter().map(value).collect()
    }

    async fn claim(&self) -> StoreResult<u64> {
        let access = Access::Write(Durability::Relaxed);
        let transaction = self.0.begin(&[Area::Meta], access).await?;
        let meta = area_of(&transaction, Area::Meta)?;
        let stored = result(&meta.get(&EPOCH.into()).map_err(failed)?).await?;
        let epoch = number(&stored) + 1;
        meta.put_with_key(&key(epoch), &EPOCH.into()).map_err(failed)?;
        complete(&transaction).await?;
        Ok(epoch)
    }

    async fn commit(&self, batch: Batch, durability: Durability) -> StoreResult<()> {
        let transaction = self.0.begin(&Area::ALL, Access::Write(durability)).await?;
        let fence = Fence::new(&transaction, batch.epoch)?;
        let issued = issue(&transaction, batch);
        if issued.is_err() {
            // The first failure is the one to report.
            let _ = transaction.abort();
        }
        let completed = complete(&transaction).await;
        if fence.broken.get() { Err(StoreError::Fenced) } else { issued.and(completed) }
    }

    async fn usage(&self) -> Option<(u64, u64)> {
        let navigator = Reflect::get(&js_sys::global(), &"navigator".into()).ok()?;
        let storage = Reflect::get(&navigator, &"storage".into()).ok()?;
        let estimate = Reflect::get(&storage, &"estimate".into()).ok()?;
        let promise = estimate.dyn_into::<js_sys::Function>().ok()?.call0(&storage).ok()?;
        let answer = JsFuture::from(promise.dyn_into::<js_sys::Promise>().ok()?).await.ok()?;
        let used = number(&Reflect::get(&answer, &"usage".into()).ok()?);
        let quota = number(&Reflect::get(&answer, &"quota".into()).ok()?);
        Some((used, quota.saturating_sub(used)))
    }
}
