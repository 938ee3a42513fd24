//! A named volume for `/home/user`: its database, its lock, who writes it, and what the page is told of that.

use std::cell::RefCell;
use std::rc::Rc;

use std::time::Duration;

use async_trait::async_trait;
use futures::future::{Either, select};
use js_sys::{Function, Promise};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};
use wasm_bindgen_futures::future_to_promise;

use super::records::{self, Storage};
use super::{IdbStore, VolumeLock, WebHost};
use crate::host::Host;
use crate::vfs::packed::{
    Access, Area, Batch, Durability, PackedFs, Status, Store, StoreError, StoreResult,
};
use crate::vfs::{ByteBudget, Filesystem};

/// Bytes of content that a volume keeps in memory at most.
const MEMORY: u64 = 256 << 20;

/// How long opening the database may take.
const OPENING: Duration = Duration::from_secs(5);

const SAVED: &str = "saved in this browser";

/// An open volume; the shells of a worker that name it share it.
#[wasm_bindgen]
pub struct Volume(Rc<Inner>);

struct Inner {
    /// `None` where the browser has no storage: the shells then keep everything in memory.
    fs: Option<Rc<PackedFs>>,
    lock: RefCell<Option<VolumeLock>>,
    report: Rc<Report>,
}

/// Tells the page what would survive the tab.
struct Report {
    /// `(state: StorageState) => void`
    tell: Function,
    last: RefCell<(&'static str, String)>,
}

impl Report {
    fn say(&self, state: &'static str, message: &str) {
        let next = (state, message.to_owned());
        if self.last.replace(next.clone()) != next {
            self.repeat();
        }
    }

    fn repeat(&self) {
        let (state, message) = self.last.borrow().clone();
        let storage = Storage { state, message: &message };
        // A page that throws while it listens has no better place to hear of it.
        let _ = records::write(&storage).and_then(|state| self.tell.call1(&JsValue::NULL, &state));
    }
}

#[wasm_bindgen]
impl Volume {
    /// Opens a volume; a failure to is reported, never thrown: the volume is then in memory.
    pub fn open(name: String, tell: Function) -> Promise {
        let report = Rc::new(Report { tell, last: RefCell::default() });
        future_to_promise(async move { Ok(Self(Inner::open(&name, report).await?).into()) })
    }

    /// Reports the present state again, for a shell that has just begun to listen.
    pub fn report(&self) {
        self.0.report.repeat();
    }
}

impl Volume {
    /// The filesystem to mount; `None` where there is none but memory.
    pub(super) fn filesystem(&self) -> Option<Rc<dyn Filesystem>> {
        let fs = self.0.fs.as_ref()?;
        Some(Rc::clone(fs) as Rc<dyn Filesystem>)
    }
}

impl Inner {
    async fn open(name: &str, report: Rc<Report>) -> Result<Rc<Self>, JsValue> {
        let host: Rc<dyn Host> = Rc::new(WebHost::new()?);
        let lock = VolumeLock::try_take(name).await;
        let access = if lock.is_some() { Access::Write } else { Access::Read };
        let fs = match open_files(name, &host, &report, access).await {
            Ok(fs) => Some(Rc::new(fs)),
            Err(error) => {
                report.say("memory", &format!("not saved, kept in memory only: {error}"));
                None
            }
        };
        let inner = Rc::new(Self { fs, lock: RefCell::new(lock), report });
        inner.report_status();
        if access == Access::Read && inner.fs.is_some() {
            host.spawn(Box::pin(Rc::clone(&inner).wait_to_write(name.to_owned())));
        }
        Ok(inner)
    }

    fn report_status(&self) {
        let Some(fs) = &self.fs else { return };
        match fs.status() {
            Status::Writable => self.report.say("saved", SAVED),
            Status::ReadOnly(why) => self.report.say("readonly", &format!("read-only: {why}")),
            Status::Volatile(why) => self.report.say("unsaved", &format!("not saved: {why}")),
        }
    }

    /// Becomes the writer when the tab that is it closes.
    async fn wait_to_write(self: Rc<Self>, name: String) {
        let Some(lock) = VolumeLock::take(&name).await else { return };
        self.lock.replace(Some(lock));
        let Some(fs) = &self.fs else { return };
        match fs.take_over().await {
            Ok(()) => self.report_status(),
            Err(error) => self.report.say("readonly", &format!("read-only: {error}")),
        }
    }
}

async fn open_files(
    name: &str,
    host: &Rc<dyn Host>,
    report: &Rc<Report>,
    access: Access,
) -> StoreResult<PackedFs> {
    // Where another page holds the database, the browser lets the request wait without a word.
    let opened = match select(Box::pin(IdbStore::open(name)), host.sleep(OPENING)).await {
        Either::Left((opened, _)) => opened?,
        Either::Right(_) => return Err(StoreError::Blocked),
    };
    let store = Watched { store: opened, report: Rc::clone(report) };
    let budget = ByteBudget::new(MEMORY);
    PackedFs::open(Rc::new(store), Rc::clone(host), &budget, access).await
}

/// A store that reports when it begins and ends to save.
struct Watched {
    store: IdbStore,
    report: Rc<Report>,
}

impl Watched {
    fn failed(&self, error: &StoreError) {
        match error {
            StoreError::Fenced => self.report.say("readonly", &format!("read-only: {error}")),
            _ => self.report.say("unsaved", &format!("not saved: {error}")),
        }
    }
}

#[async_trait(?Send)]
impl Store for Watched {
    async fn load(&self, area: Area) -> StoreResult<Vec<(u64, Vec<u8>)>> {
        self.store.load(area).await
    }

    async fn list(&self, area: Area) -> StoreResult<Vec<u64>> {
        self.store.list(area).await
    }

    async fn read(&self, segments: &[u64]) -> StoreResult<Vec<Option<Vec<u8>>>> {
        self.store.read(segments).await
    }

    async fn claim(&self) -> StoreResult<u64> {
        self.store.claim().await
    }

    async fn commit(&self, batch: Batch, durability: Durability) -> StoreResult<()> {
        self.report.say("saving", "saving…");
        let committed = self.store.commit(batch, durability).await;
        match &committed {
            Ok(()) => self.report.say("saved", SAVED),
            Err(error) => self.failed(error),
        }
        committed
    }

    async fn usage(&self) -> Option<(u64, u64)> {
        self.store.usage().await
    }
}
