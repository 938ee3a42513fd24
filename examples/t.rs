#![allow(clippy::all, clippy::pedantic, missing_docs)]
#![allow(clippy::disallowed_types, clippy::disallowed_methods, clippy::unwrap_used)]
//! Local harness: runs one builtin on the real file system.
use async_trait::async_trait;
use futures::future::LocalBoxFuture;
use std::cell::Cell;
use std::io::{Read, Write};
use std::rc::Rc;
use tabsh::host::*;
use tabsh::io::*;
use tabsh::jobs::*;
use tabsh::tool::*;
use tabsh::value::Value;
use tabsh::vfs::{DirEntry, FileKind, Metadata, OpenOptions, Path, PathBuf, WriteMode};

struct Real;
struct RealFile(std::fs::File);
fn errno(e: &std::io::Error) -> Errno {
    match e.raw_os_error() {
        Some(2) => Errno::NotFound,
        Some(21) => Errno::IsDirectory,
        Some(20) => Errno::NotDirectory,
        Some(13) => Errno::PermissionDenied,
        Some(17) => Errno::AlreadyExists,
        Some(39) => Errno::DirectoryNotEmpty,
        Some(22) => Errno::Invalid,
        Some(40) => Errno::SymlinkLoop,
        Some(36) => Errno::NameTooLong,
        _ => Errno::Io,
    }
}
fn be(p: &Path, e: std::io::Error) -> BackendError {
    let p = p.to_path_buf();
    match errno(&e) {
        Errno::NotFound => BackendError::NotFound(p),
        Errno::IsDirectory => BackendError::IsDirectory(p),
        Errno::NotDirectory => BackendError::NotDirectory(p),
        Errno::DirectoryNotEmpty => BackendError::DirectoryNotEmpty(p),
        Errno::AlreadyExists => BackendError::AlreadyExists(p),
        errno => BackendError::Io { path: p, errno },
    }
}
#[async_trait(?Send)]
impl File for RealFile {
    async fn read_at(&self, offset: u64, len: usize) -> IoResult<Vec<u8>> {
        self.read_now(offset, len).unwrap()
    }
    async fn write_at(&self, offset: u64, bytes: &[u8]) -> IoResult<()> {
        use std::os::unix::fs::FileExt;
        self.0.write_all_at(bytes, offset).map_err(|e| errno(&e))
    }
    async fn append(&self, bytes: &[u8]) -> IoResult<()> {
        let l = self.0.metadata().unwrap().len();
        self.write_at(l, bytes).await
    }
    async fn set_len(&self, len: u64) -> IoResult<()> {
        self.0.set_len(len).map_err(|e| errno(&e))
    }
    async fn len(&self) -> IoResult<u64> {
        Ok(self.0.metadata().unwrap().len())
    }
    fn read_now(&self, offset: u64, len: usize) -> Option<IoResult<Vec<u8>>> {
        use std::os::unix::fs::FileExt;
        let mut v = vec![0; len];
        Some(match self.0.read_at(&mut v, offset) {
            Ok(n) => {
                v.truncate(n);
                Ok(v)
            }
            Err(e) => Err(errno(&e)),
        })
    }
}
fn meta(m: std::fs::Metadata) -> Metadata {
    use std::os::unix::fs::MetadataExt;
    let kind = if m.is_dir() {
        FileKind::Directory
    } else if m.is_symlink() {
        FileKind::Symlink
    } else if m.is_file() {
        FileKind::File
    } else {
        FileKind::Device
    };
    Metadata {
        kind,
        len: m.len(),
        mode: m.mode() & 0o7777,
        modified: Timestamp { seconds: m.mtime(), nanos: m.mtime_nsec() as u32 },
        inode: m.ino(),
        device: m.dev(),
        links: m.nlink() as u32,
    }
}
#[async_trait(?Send)]
impl KernelBackend for Real {
    async fn read(&self, path: &Path, _: Option<ReadRange>) -> BackendResult<Vec<u8>> {
        std::fs::read(path.as_str()).map_err(|e| be(path, e))
    }
    async fn write(&self, path: &Path, c: &[u8], _: WriteMode) -> BackendResult<()> {
        std::fs::write(path.as_str(), c).map_err(|e| be(path, e))
    }
    async fn append(&self, path: &Path, c: &[u8]) -> BackendResult<()> {
        let mut v = std::fs::read(path.as_str()).unwrap_or_default();
        v.extend_from_slice(c);
        std::fs::write(path.as_str(), v).map_err(|e| be(path, e))
    }
    async fn patch(&self, _: &Path, _: &[PatchOp]) -> BackendResult<()> {
        unimplemented!()
    }
    async fn open(&self, path: &Path, o: OpenOptions) -> BackendResult<Rc<dyn File>> {
        if !o.write && std::fs::metadata(path.as_str()).is_ok_and(|m| m.is_dir()) {
            return Err(BackendError::IsDirectory(path.to_path_buf()));
        }
        let f = std::fs::OpenOptions::new()
            .read(o.read)
            .write(o.write)
            .create(o.create)
            .truncate(o.truncate)
            .create_new(o.create_new)
            .open(path.as_str())
            .map_err(|e| be(path, e))?;
        Ok(Rc::new(RealFile(f)))
    }
    async fn list(&self, path: &Path) -> BackendResult<Vec<DirEntry>> {
        let mut v: Vec<DirEntry> = std::fs::read_dir(path.as_str())
            .map_err(|e| be(path, e))?
            .map(|e| {
                let e = e.unwrap();
                DirEntry {
                    name: e.file_name().to_str().unwrap().into(),
                    metadata: meta(e.metadata().unwrap()),
                }
            })
            .collect();
        v.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(v)
    }
    async fn stat(&self, path: &Path) -> BackendResult<Metadata> {
        std::fs::metadata(path.as_str()).map(meta).map_err(|e| be(path, e))
    }
    async fn lstat(&self, path: &Path) -> BackendResult<Metadata> {
        std::fs::symlink_metadata(path.as_str()).map(meta).map_err(|e| be(path, e))
    }
    async fn mkdir(&self, path: &Path) -> BackendResult<()> {
        std::fs::create_dir(path.as_str()).map_err(|e| be(path, e))
    }
    async fn set_mtime(&self, p: &Path, t: Timestamp) -> BackendResult<()> {
        let f = std::fs::File::open(p.as_str()).map_err(|e| be(p, e))?;
        let st = if t.seconds >= 0 {
            std::time::UNIX_EPOCH + std::time::Duration::new(t.seconds as u64, t.nanos)
        } else {
            std::time::UNIX_EPOCH - std::time::Duration::new(t.seconds.unsigned_abs(), 0)
                + std::time::Duration::new(0, t.nanos)
        };
        f.set_modified(st).map_err(|e| be(p, e))
    }
    async fn copy(&self, from: &Path, to: &Path) -> BackendResult<()> {
        let v = std::fs::read(from.as_str()).map_err(|e| be(from, e))?;
        std::fs::write(to.as_str(), v).map_err(|e| be(to, e))
    }
    async fn set_mode(&self, p: &Path, m: u32) -> BackendResult<()> {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(p.as_str(), std::fs::Permissions::from_mode(m))
            .map_err(|e| be(p, e))
    }
    async fn remove(&self, path: &Path, r: bool) -> BackendResult<()> {
        let m = std::fs::symlink_metadata(path.as_str()).map_err(|e| be(path, e))?;
        if m.is_dir() {
            if r {
                std::fs::remove_dir_all(path.as_str())
            } else {
                std::fs::remove_dir(path.as_str())
            }
        } else {
            std::fs::remove_file(path.as_str())
        }
        .map_err(|e| be(path, e))
    }
    async fn rename(&self, from: &Path, to: &Path) -> BackendResult<()> {
        std::fs::rename(from.as_str(), to.as_str()).map_err(|e| be(from, e))
    }
    async fn read_link(&self, path: &Path) -> BackendResult<PathBuf> {
        Ok(PathBuf::from(
            std::fs::read_link(path.as_str()).map_err(|e| be(path, e))?.to_str().unwrap(),
        ))
    }
    async fn symlink(&self, t: &Path, l: &Path) -> BackendResult<()> {
        std::os::unix::fs::symlink(t.as_str(), l.as_str()).map_err(|e| be(l, e))
    }
    async fn hard_link(&self, a: &Path, b: &Path) -> BackendResult<()> {
        std::fs::hard_link(a.as_str(), b.as_str()).map_err(|e| be(b, e))
    }
    async fn canonicalize(&self, path: &Path, missing: bool) -> BackendResult<PathBuf> {
        match std::fs::canonicalize(path.as_str()) {
            Ok(p) => Ok(PathBuf::from(p.to_str().unwrap())),
            Err(_) if missing => {
                let p = path.parent().unwrap();
                let c = std::fs::canonicalize(p.as_str()).map_err(|e| be(path, e))?;
                Ok(PathBuf::from(c.to_str().unwrap()).join(path.file_name().unwrap_or("")))
            }
            Err(e) => Err(be(path, e)),
        }
    }
    async fn path_access(&self, path: &Path) -> BackendResult<PathAccess> {
        let m = self.stat(path).await?;
        Ok(PathAccess::resolve(m.mode, false))
    }
    async fn flush(&self, _: bool) -> BackendResult<()> {
        Ok(())
    }
    fn read_only(&self) -> bool {
        false
    }
    fn backend_type(&self) -> &str {
        "real"
    }
    fn mounts(&self) -> Vec<MountInfo> {
        vec![]
    }
}
struct Disp;
impl Dispatcher for Disp {
    fn call(&self, cx: &ExecContext, words: Vec<Value>) -> LocalBoxFuture<'static, u8> {
        let mut inner = cx.with_streams(cx.streams.fds.clone());
        let name = words[0].to_text_lossy();
        if inner.services.registry.builtin(&name).is_none() {
            let mut c = std::process::Command::new(name.as_str());
            c.args(words[1..].iter().map(|w| w.to_text_lossy().to_string()))
                .current_dir(inner.session.cwd.borrow().as_str())
                .stdin(std::process::Stdio::null());
            let st = c.status();
            let r = match st {
                Ok(s) => s.code().unwrap_or(255) as u8,
                Err(_) => 127,
            };
            return Box::pin(async move { r });
        }
        Box::pin(async move { call(&mut inner, &words).await })
    }
}
async fn call(cx: &mut ExecContext, words: &[Value]) -> u8 {
    let name = words[0].to_text_lossy();
    let Some(b) = cx.services.registry.builtin(&name) else {
        eprintln!("{name}: not found");
        return 127;
    };
    cx.control.name = name.clone();
    let outcome = match prepare(cx, &b.spec, &words[1..]) {
        Prepared::Done(s) => Reply::status(s),
        Prepared::Run(args) => invoke(b, &args, cx).await,
    };
    let r = finish(cx, outcome);
    let _ = cx.flush().await;
    match r {
        Reply::Status(s) => s,
        _ => 99,
    }
}
struct Out(bool);
impl Sink for Out {
    fn write(&self, b: &[u8]) -> IoResult<()> {
        if self.0 {
            let _ = std::io::stderr().write_all(b);
        } else if std::io::stdout().write_all(b).is_err() {
            return Err(Errno::BrokenPipe);
        }
        Ok(())
    }
}
fn main() {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    let host = FakeHost::new(
        Timestamp { seconds: now.as_secs() as i64, nanos: now.subsec_nanos() },
        now.subsec_nanos() as u64,
    );
    let dynhost: Rc<dyn Host> = Rc::new(host.clone());
    let services = Rc::new(Services {
        backend: Rc::new(Real),
        registry: Rc::new(Registry::new(tabsh::builtins::ALL)),
        host: dynhost.clone(),
        jobs: JobTable::default(),
        budget: Rc::new(WorkBudget::new(dynhost)),
        dispatcher: Rc::new(Disp),
        limits: Limits::default(),
        session_id: 1,
        interactive: false,
        columns: Cell::new(80),
    });
    let stdin = if std::env::var("T_NOSTDIN").is_ok() {
        Stream::Null
    } else {
        use std::os::unix::fs::FileTypeExt;
        let m = std::fs::metadata("/dev/stdin").unwrap();
        if m.is_file() {
            Stream::File(Rc::new(OpenFile::new(
                Rc::new(RealFile(std::fs::File::open("/dev/stdin").unwrap())),
                false,
            )))
        } else if m.file_type().is_char_device() {
            Stream::Null
        } else {
            let mut v = vec![];
            std::io::stdin().read_to_end(&mut v).unwrap();
            Stream::from_bytes(v)
        }
    };
    let session = Rc::new(tabsh::env::Session::default());
    *session.cwd.borrow_mut() = std::env::current_dir().unwrap().to_str().unwrap().into();
    for (k, v) in std::env::vars() {
        let mut s = session.scope.borrow_mut();
        let _ = s.set(&k, Value::from(v));
        s.declare(&k, |v| v.exported = true);
    }
    let fds = Descriptors::new(
        stdin,
        Stream::Sink(Rc::new(Out(false))),
        Stream::Sink(Rc::new(Out(true))),
    );
    let streams = Streams { fds, ..Streams::default() };
    let mut cx = ExecContext { streams, session, services, control: Control::default() };
    let mut words: Vec<Value> = {
        use std::os::unix::ffi::OsStringExt;
        std::env::args_os().skip(1).map(|a| Value::from_bytes(a.into_vec())).collect()
    };
    let arg0 = std::env::args().next().unwrap_or_default();
    let base = arg0.rsplit('/').next().unwrap().to_owned();
    if base != "t" {
        words.insert(0, Value::from(base.as_str()));
    }
    let status = host.run(async { call(&mut cx, &words).await }).unwrap_or(250);
    if let Some(v) = cx.session.scope.borrow().get("T_OUT") {
        println!("{}", v.to_text_lossy());
    }
    std::process::exit(status as i32);
}
