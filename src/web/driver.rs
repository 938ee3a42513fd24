//! A mount whose files JavaScript holds: the page's own driver, an archive, a server, a folder.
//!
//! The other side is `ask(op, path, a, b)` of `pkg/src/mounts/driver.ts`: it answers flat arrays
//! and bytes, and rejects with the name of an error number.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use async_trait::async_trait;
use js_sys::{Array, Promise, Uint8Array};
use wasm_bindgen::prelude::{JsCast, JsValue, wasm_bindgen};
use wasm_bindgen_futures::JsFuture;

use super::Volume;
use crate::host::Timestamp;
use crate::io::{Errno, IoResult};
use crate::vfs::{
    Capabilities, DirEntry, Driver, DriverChange, FileKind, Filesystem, Metadata, PathBuf,
};

#[wasm_bindgen]
extern "C" {
    /// See `Door` in `pkg/src/mounts/driver.ts`.
    #[wasm_bindgen(typescript_type = "Door")]
    pub type Door;
    /// What `mount` calls it.
    #[wasm_bindgen(method, getter)]
    fn kind(this: &Door) -> String;
    /// A bit each for writing, links, modes and times.
    #[wasm_bindgen(method, getter)]
    fn able(this: &Door) -> u32;
    /// How long an answer may take.
    #[wasm_bindgen(method, getter)]
    fn seconds(this: &Door) -> f64;
    #[wasm_bindgen(method)]
    fn ask(this: &Door, op: &str, path: &str, a: &JsValue, b: &JsValue) -> Promise;
}

/// What a kernel mounts beside the standard mounts, or in place of them.
#[wasm_bindgen]
#[derive(Default)]
pub struct Mounts(RefCell<Vec<(PathBuf, Content)>>);

/// What is mounted.
pub(super) enum Content {
    /// A filesystem that is there already.
    Files(Rc<dyn Filesystem>),
    /// A driver, whose files share the kernel's memory.
    Driver(Rc<dyn Driver>),
    /// Memory of the kernel's.
    Memory,
}

#[wasm_bindgen]
impl Mounts {
    /// No mounts.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Mounts a volume; a volume without storage leaves the path to memory.
    pub fn volume(&self, path: &str, volume: &Volume) {
        self.add(path, volume.filesystem().map_or(Content::Memory, Content::Files));
    }

    /// Mounts an empty tree in memory.
    pub fn memory(&self, path: &str) {
        self.add(path, Content::Memory);
    }

    /// Mounts what a door leads to.
    pub fn door(&self, path: &str, door: Door) {
        let (kind, able) = (door.kind(), door.able());
        let kind = ["zip", "http", "directory"].into_iter().find(|word| *word == kind);
        let able = Capabilities {
            writing: able & 1 != 0,
            symlinks: able & 2 != 0,
            modes: able & 4 != 0,
            times: able & 8 != 0,
            ..Capabilities::NONE
        };
        let patience = Duration::try_from_secs_f64(door.seconds());
        let patience = patience.unwrap_or(Duration::from_secs(30));
        let driver = JsDriver { door, kind: kind.unwrap_or("js"), able, patience };
        self.add(path, Content::Driver(Rc::new(driver)));
    }
}

impl Mounts {
    fn add(&self, path: &str, content: Content) {
        self.0.borrow_mut().push((PathBuf::from(path), content));
    }

    pub(super) fn take(self) -> Vec<(PathBuf, Content)> {
        self.0.take()
    }
}

struct JsDriver {
    door: Door,
    kind: &'static str,
    able: Capabilities,
    patience: Duration,
}

impl JsDriver {
    async fn ask(&self, op: &str, path: &str, a: JsValue, b: JsValue) -> IoResult<JsValue> {
        let answer = JsFuture::from(self.door.ask(op, path, &a, &b)).await;
        answer.map_err(|code| {
            code.as_string().and_then(|name| Errno::of_name(&name)).unwrap_or(Errno::Io)
        })
    }
}

/// Five fields of a flat array from `at`: kind, size, mode, modified, inode.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked by the door")]
fn metadata(fields: &Array, at: u32) -> IoResult<Metadata> {
    let number = |index: u32| fields.get(at + index).as_f64().ok_or(Errno::Io);
    let kind = match number(0)? as u32 {
        0 => FileKind::File,
        1 => FileKind::Directory,
        2 => FileKind::Symlink,
        _ => return Err(Errno::Io),
    };
    Ok(Metadata {
        kind,
        len: number(1)? as u64,
        mode: number(2)? as u32,
        modified: Timestamp::from_millis(number(3)?),
        inode: number(4)? as u64,
        device: 0,
        links: if kind == FileKind::Directory { 2 } else { 1 },
    })
}

#[async_trait(?Send)]
impl Driver for JsDriver {
    fn kind(&self) -> &'static str {
        self.kind
    }

    fn capabilities(&self) -> Capabilities {
        self.able
    }

    fn patience(&self) -> Duration {
        self.patience
    }

    async fn stat(&self, path: &str) -> IoResult<Metadata> {
        let answer = self.ask("stat", path, JsValue::UNDEFINED, JsValue::UNDEFINED).await?;
        metadata(&answer.dyn_into().map_err(|_| Errno::Io)?, 0)
    }

    async fn list(&self, path: &str) -> IoResult<Vec<DirEntry>> {
        let answer = self.ask("list", path, JsValue::UNDEFINED, JsValue::UNDEFINED).await?;
        let fields: Array = answer.dyn_into().map_err(|_| Errno::Io)?;
        let entry = |at: u32| {
            let name = fields.get(at).as_string().ok_or(Errno::Io)?;
            Ok(DirEntry { name: name.into(), metadata: metadata(&fields, at + 1)? })
        };
        (0..fields.length() / 6).map(|index| entry(index * 6)).collect()
    }

    #[expect(clippy::cast_precision_loss, reason = "a file is shorter than 2^53 bytes")]
    async fn read(&self, path: &str, offset: u64, len: usize) -> IoResult<Vec<u8>> {
        let (offset, len) = (JsValue::from_f64(offset as f64), JsValue::from_f64(len as f64));
        let answer = self.ask("read", path, offset, len).await?;
        answer.dyn_into::<Uint8Array>().map(|bytes| bytes.to_vec()).map_err(|_| Errno::Io)
    }

    async fn read_link(&self, path: &str) -> IoResult<String> {
        let answer = self.ask("readLink", path, JsValue::UNDEFINED, JsValue::UNDEFINED).await?;
        answer.as_string().ok_or(Errno::Io)
    }

    #[expect(clippy::cast_precision_loss, reason = "JavaScript's times are numbers")]
    async fn change(&self, change: DriverChange<'_>) -> IoResult<()> {
        let (op, path, a) = match change {
            DriverChange::Write(path, bytes) => ("write", path, Uint8Array::from(bytes).into()),
            DriverChange::Mkdir(path) => ("mkdir", path, JsValue::UNDEFINED),
            DriverChange::Remove(path) => ("remove", path, JsValue::UNDEFINED),
            DriverChange::Rename(from, to) => ("rename", from, JsValue::from_str(to)),
            DriverChange::Symlink(target, link) => ("symlink", link, JsValue::from_str(target)),
            DriverChange::SetMode(path, mode) => ("setMode", path, JsValue::from(mode)),
            DriverChange::SetTime(path, time) => {
                ("setModified", path, JsValue::from_f64(time.as_millis() as f64))
            }
            DriverChange::Flush => ("flush", "/", JsValue::UNDEFINED),
        };
        self.ask(op, path, a, JsValue::UNDEFINED).await.map(|_| ())
    }
}
