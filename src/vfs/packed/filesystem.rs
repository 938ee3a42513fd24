//! The packed filesystem as a filesystem: its operations, its timers, its opening and closing.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

use async_trait::async_trait;

use super::cache::Cache;
use super::check::{Care, Report};
use super::commit::{RESERVE, Scope};
use super::handle::Handle;
use super::load::{self, Loaded, Reading, SCHEMA_VERSION, SUPERBLOCK};
use super::record;
use super::state::{Inner, Schedule, Space, State, Status};
use super::store::{Area, Batch, Durability, Store, StoreError, StoreResult};
use super::tidy::RESERVE_BYTES;
use crate::host::{Host, Timestamp};
use crate::io::{File, IoResult};
use crate::vfs::content::{Content, Fault};
use crate::vfs::tree::{Follow, Tree};
use crate::vfs::volume::Volume;
use crate::vfs::{
    ByteBudget, Capabilities, DirEntry, Filesystem, FsError, FsOp, FsResult, Metadata, OpenOptions,
    Path, PathBuf, WriteMode,
};

/// How long a change waits for a commit at most.
const COMMIT_AFTER: Duration = Duration::from_millis(200);

/// How long tidying up waits after a commit.
const TIDY_AFTER: Duration = Duration::from_secs(1);

/// Whether a volume is opened to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// As its one writer.
    Write,
    /// Beside another writer, or to look only.
    Read,
}

/// A filesystem that lives in a [`Store`].
pub struct PackedFs {
    inner: Rc<Inner>,
}

impl PackedFs {
    /// Opens the volume in a store, making an empty one where there is none.
    ///
    /// A volume that is damaged or of a newer format is opened for reading only; see
    /// [`PackedFs::status`].
    pub async fn open(
        store: Rc<dyn Store>,
        host: Rc<dyn Host>,
        budget: &ByteBudget,
        access: Access,
    ) -> StoreResult<Self> {
        let volume = Volume::new(Tree::new(host.now()), host, budget.clone());
        volume.tree.borrow_mut().record();
        let state = State {
            committed: Tree::blank(),
            counters: record::Counters::default(),
            epoch: 0,
            status: Status::ReadOnly("the volume is being opened".into()),
            pending: BTreeMap::new(),
            log: Default::default(),
            schedule: Schedule::default(),
            space: Space::default(),
        };
        let inner = Rc::new(Inner {
            volume: Rc::new(volume),
            store,
            cache: Cache::default(),
            state: RefCell::new(state),
            gate: Default::default(),
        });
        inner.start(access).await?;
        Ok(Self { inner })
    }

    /// Whether changes are kept, and why not.
    pub fn status(&self) -> Status {
        self.inner.state.borrow().status.clone()
    }

    /// Becomes the volume's writer, as after the death of another one; what was read is read anew.
    pub async fn take_over(&self) -> StoreResult<()> {
        self.inner.start(Access::Write).await
    }

    /// Reads anew what another writer has stored; only for a volume opened for reading.
    pub async fn reload(&self) -> StoreResult<()> {
        if self.inner.is_writable() {
            return Ok(());
        }
        self.inner.start(Access::Read).await
    }

    /// Stores what there is to store and is read-only from then on, for a reason in words.
    pub async fn close(&self, why: &str) -> StoreResult<()> {
        let committed = self.inner.commit(Scope::All, Durability::Relaxed).await;
        if self.inner.is_writable() {
            self.inner.set_status(Status::ReadOnly(why.into()));
        }
        committed
    }

    /// Writes a checkpoint, drops what is dead and merges what is small, at once.
    pub async fn tidy(&self) -> StoreResult<()> {
        self.inner.tidy().await
    }

    /// Looks at everything in the store, and mends what can be mended where asked.
    pub async fn check(&self, care: Care) -> StoreResult<Report> {
        self.inner.check(care).await
    }
}

impl Inner {
    /// Reads the store, claims it where it is to be written, and begins with what is there.
    pub(super) async fn start(self: &Rc<Self>, access: Access) -> StoreResult<()> {
        let _gate = self.gate.lock().await;
        let epoch = match access {
            Access::Write => self.store.claim().await?,
            Access::Read => 0,
        };
        let loaded = load::load(&*self.store, Reading::Exact).await?;
        let fresh = loaded.tree.is_none();
        let status = match access {
            Access::Read => Status::ReadOnly("another tab writes to this volume".into()),
            Access::Write => status_of(&loaded),
        };
        self.begin_with(loaded, epoch);
        if fresh && status == Status::Writable {
            self.format().await?;
        }
        self.set_status(status);
        // Nobody waits for it: browsers take their time to answer.
        let inner = Rc::clone(self);
        self.volume.host.spawn(Box::pin(async move {
            let usage = inner.store.usage().await;
            inner.state.borrow_mut().space.usage = usage;
        }));
        self.tidy_later();
        Ok(())
    }

    pub(super) fn begin_with(&self, loaded: Loaded, epoch: u64) {
        let tree = loaded.tree.unwrap_or_else(|| Tree::new(self.volume.now()));
        let state = &mut *self.state.borrow_mut();
        self.cache.clear();
        self.volume.tree.borrow_mut().adopt(&tree);
        state.committed = tree;
        state.counters = loaded.counters;
        state.epoch = epoch;
        state.pending.clear();
        state.log = loaded.log;
        state.schedule = Schedule::default();
        state.space =
            Space { reserve: loaded.reserve, segments: loaded.segments, ..Space::default() };
        // Content of writers that died before its record is found by a look.
        state.space.garbage = u64::MAX;
    }

    /// Makes an empty volume.
    async fn format(&self) -> StoreResult<()> {
        let mut batch = {
            let state = self.state.borrow();
            let all = record::encode_all(state.counters, &state.committed);
            Batch {
                epoch: state.epoch,
                puts: vec![
                    (Area::Meta, SUPERBLOCK, load::superblock()),
                    (Area::Checkpoint, 0, all),
                    (Area::Meta, RESERVE, vec![0; RESERVE_BYTES]),
                ],
                drops: vec![],
            }
        };
        let made = self.store.commit(batch.clone(), Durability::Relaxed).await;
        let reserve = made.is_ok();
        if let Err(StoreError::NoSpace) = made {
            batch.puts.truncate(2);
            self.store.commit(batch, Durability::Relaxed).await?;
        } else {
            made?;
        }
        self.state.borrow_mut().space.reserve = reserve;
        Ok(())
    }

    /// Something was changed: it will be stored soon.
    pub(super) fn touched(self: &Rc<Self>, bytes: usize) {
        let schedule = &mut self.state.borrow_mut().schedule;
        schedule.dirty_bytes = schedule.dirty_bytes.saturating_add(bytes as u64);
        if std::mem::replace(&mut schedule.commit_due, true) {
            return;
        }
        let (inner, host) = (Rc::downgrade(self), Rc::clone(&self.volume.host));
        let timer = host.sleep(COMMIT_AFTER);
        host.spawn(Box::pin(async move {
            timer.await;
            let Some(inner) = inner.upgrade() else { return };
            inner.state.borrow_mut().schedule.commit_due = false;
            if let Err(error) = inner.commit(Scope::Ended, Durability::Relaxed).await {
                inner.state.borrow_mut().schedule.failure = Some(error);
            }
            inner.tidy_later();
        }));
    }

    /// Tidies up a little later, where there is something to tidy.
    pub(super) fn tidy_later(self: &Rc<Self>) {
        if !self.is_writable() || !self.is_untidy() {
            return;
        }
        if std::mem::replace(&mut self.state.borrow_mut().schedule.tidy_due, true) {
            return;
        }
        let (inner, host) = (Rc::downgrade(self), Rc::clone(&self.volume.host));
        let timer = host.sleep(TIDY_AFTER);
        host.spawn(Box::pin(async move {
            timer.await;
            let Some(inner) = inner.upgrade() else { return };
            inner.state.borrow_mut().schedule.tidy_due = false;
            // Nothing is lost where it fails: the next commit comes here again.
            if inner.tidy().await.is_ok() {
                inner.tidy_later();
            }
        }));
    }

    /// What `kept` says of a path.
    fn kept_at(&self, path: &Path, bytes: usize) -> Option<Content> {
        if !self.is_pressed(bytes) {
            return None;
        }
        let place = self.volume.tree.borrow().walk(path, Follow::Final);
        let inode = place.ok().and_then(|place| place.inode);
        Some(inode.and_then(|inode| self.kept(inode, bytes)).unwrap_or_default())
    }

    /// The end of an operation that may have written much.
    async fn wrote(
        self: &Rc<Self>,
        inode: u64,
        bytes: usize,
        before: Option<Content>,
    ) -> IoResult<()> {
        self.touched(bytes);
        self.relieve(inode, before).await
    }

    async fn append(self: &Rc<Self>, path: &Path, bytes: &[u8]) -> IoResult<()> {
        let before = self.kept_at(path, bytes.len());
        loop {
            match self.volume.append(path, bytes, &self.cache) {
                Ok(inode) => return self.wrote(inode, bytes.len(), before).await,
                Err(Fault::Errno(errno)) => return Err(errno),
                Err(Fault::Load { index, .. }) => {
                    let inode = self.volume.readable(path)?;
                    let content = self.volume.tree.borrow().content(inode)?.clone();
                    self.fetch(&content, index).await?;
                }
            }
        }
    }

    /// A file that is still being written and gets another name is from then on stored as it is.
    fn publish(&self, path: &Path) {
        let tree = self.volume.tree.borrow();
        let inode = tree.walk(path, Follow::Not).ok().and_then(|place| place.inode);
        let pending = &mut self.state.borrow_mut().pending;
        if let Some(inode) = inode
            && pending.get(&inode).is_some_and(|file| file.base.is_none())
        {
            pending.remove(&inode);
        }
    }

    /// Takes note of a change to names or attributes.
    fn changed<T>(self: &Rc<Self>, result: IoResult<T>) -> IoResult<T> {
        result.inspect(|_| self.touched(0))
    }
}

fn status_of(loaded: &Loaded) -> Status {
    if loaded.schema > SCHEMA_VERSION {
        return Status::ReadOnly(format!(
            "the volume was written by a newer version (schema {}, this is {SCHEMA_VERSION})",
            loaded.schema
        ));
    }
    match loaded.damage.first() {
        None => Status::Writable,
        Some(damage) => Status::ReadOnly(format!("the volume is damaged: {damage}; see fsck")),
    }
}

#[async_trait(?Send)]
impl Filesystem for PackedFs {
    async fn read(&self, path: &Path) -> FsResult<Vec<u8>> {
        self.read_range(path, 0, usize::MAX).await
    }

    async fn read_range(&self, path: &Path, offset: u64, len: usize) -> FsResult<Vec<u8>> {
        let inode = self.inner.volume.readable(path).map_err(FsError::at(FsOp::Read, path))?;
        self.inner.read(inode, offset, len).await.map_err(FsError::at(FsOp::Read, path))
    }

    async fn write(&self, path: &Path, content: &[u8], mode: WriteMode) -> FsResult<()> {
        let before = self.inner.kept_at(path, content.len());
        let written = self.inner.volume.write(path, content, mode);
        let inode = written.map_err(FsError::at(FsOp::Write, path))?;
        let stored = self.inner.wrote(inode, content.len(), before).await;
        stored.map_err(FsError::at(FsOp::Write, path))
    }

    async fn append(&self, path: &Path, content: &[u8]) -> FsResult<()> {
        self.inner.append(path, content).await.map_err(FsError::at(FsOp::Write, path))
    }

    async fn copy(&self, from: &Path, to: &Path) -> FsResult<()> {
        let before = self.inner.kept_at(to, 0);
        let copied = self.inner.volume.copy(from, to);
        let inode = copied.map_err(FsError::at(FsOp::Write, to))?;
        self.inner.wrote(inode, 0, before).await.map_err(FsError::at(FsOp::Write, to))
    }

    async fn open(&self, path: &Path, options: OpenOptions) -> FsResult<Rc<dyn File>> {
        let opened = self.inner.volume.open(path, options);
        let opened = opened.map_err(FsError::at(FsOp::Open, path))?;
        Ok(Rc::new(Handle::new(Rc::clone(&self.inner), opened, options)))
    }

    async fn list(&self, path: &Path) -> FsResult<Vec<DirEntry>> {
        self.inner.volume.list(path).map_err(FsError::at(FsOp::List, path))
    }

    async fn stat(&self, path: &Path) -> FsResult<Metadata> {
        self.inner.volume.stat(path, Follow::Final).map_err(FsError::at(FsOp::Stat, path))
    }

    async fn lstat(&self, path: &Path) -> FsResult<Metadata> {
        self.inner.volume.stat(path, Follow::Not).map_err(FsError::at(FsOp::Stat, path))
    }

    async fn mkdir(&self, path: &Path) -> FsResult<()> {
        let made = self.inner.volume.mkdir(path);
        self.inner.changed(made).map_err(FsError::at(FsOp::Mkdir, path))
    }

    async fn remove(&self, path: &Path, recursive: bool) -> FsResult<()> {
        let removed = self.inner.volume.remove(path, recursive);
        self.inner.changed(removed).map_err(FsError::at(FsOp::Remove, path))
    }

    async fn rename(&self, from: &Path, to: &Path) -> FsResult<()> {
        let renamed = self.inner.volume.rename(from, to).inspect(|()| self.inner.publish(to));
        self.inner.changed(renamed).map_err(FsError::at(FsOp::Rename, from))
    }

    async fn set_mtime(&self, path: &Path, mtime: Timestamp) -> FsResult<()> {
        let set = self.inner.volume.set_mtime(path, mtime);
        self.inner.changed(set).map_err(FsError::at(FsOp::SetTimes, path))
    }

    async fn set_mode(&self, path: &Path, mode: u32) -> FsResult<()> {
        let set = self.inner.volume.set_mode(path, mode);
        self.inner.changed(set).map_err(FsError::at(FsOp::SetMode, path))
    }

    async fn read_link(&self, path: &Path) -> FsResult<PathBuf> {
        self.inner.volume.read_link(path).map_err(FsError::at(FsOp::ReadLink, path))
    }

    async fn symlink(&self, target: &Path, link: &Path) -> FsResult<()> {
        let made = self.inner.volume.symlink(target, link);
        self.inner.changed(made).map_err(FsError::at(FsOp::Symlink, link))
    }

    async fn hard_link(&self, from: &Path, to: &Path) -> FsResult<()> {
        let linked = self.inner.volume.hard_link(from, to).inspect(|()| self.inner.publish(to));
        self.inner.changed(linked).map_err(FsError::at(FsOp::HardLink, to))
    }

    fn is_plain(&self, path: &Path) -> bool {
        self.inner.volume.tree.borrow().is_plain(path)
    }

    async fn flush(&self, strict: bool) -> FsResult<()> {
        let (scope, durability) = if strict {
            (Scope::All, Durability::Strict)
        } else {
            (Scope::Ended, Durability::Relaxed)
        };
        let earlier = self.inner.state.borrow_mut().schedule.failure.take();
        let committed = self.inner.commit(scope, durability).await;
        self.inner.tidy_later();
        let told = committed.and(earlier.map_or(Ok(()), Err));
        told.map_err(|error| FsError::new(error.errno(), FsOp::Flush, Path::new("/")))
    }

    async fn check(&self, care: Care) -> FsResult<Option<Report>> {
        let report = self.inner.check(care).await;
        report.map(Some).map_err(|error| FsError::new(error.errno(), FsOp::Read, Path::new("/")))
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { writing: !self.inner.volume.is_read_only(), ..Capabilities::ALL }
    }

    fn resident_bytes(&self) -> u64 {
        self.inner.volume.resident_bytes() + self.inner.cache.size() as u64
    }

    fn usage(&self) -> Option<(u64, u64)> {
        self.inner.state.borrow().space.usage
    }

    fn kind(&self) -> &'static str {
        "packed"
    }
}
