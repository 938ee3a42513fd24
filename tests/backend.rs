//! What every backend over mounts must do: ranges, creation modes, patches, canonical paths, access.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::needless_pass_by_value,
    reason = "a test says what goes wrong by panicking, and takes its cases as closures"
)]

use std::rc::Rc;

use futures::executor::block_on;
use tabsh::backend::{LocalBackend, OverlayBackend};
use tabsh::host::FakeHost;
use tabsh::io::Errno;
use tabsh::tool::{BackendError, BackendResult, KernelBackend, PatchOp, PathAccess, ReadRange};
use tabsh::vfs::{ByteBudget, DevFs, MemoryFs, Path, ReadOnlyFs, VfsRouter, WriteMode};

fn p(path: &str) -> &Path {
    Path::new(path)
}

fn router() -> Rc<VfsRouter> {
    let host = Rc::new(FakeHost::default());
    let memory = || Rc::new(MemoryFs::new(host.clone(), &ByteBudget::default()));
    let router = VfsRouter::new();
    router.mount(p("/"), memory());
    router.mount(p("/tmp"), memory());
    router.mount(p("/dev"), Rc::new(DevFs::new(host.clone())));
    router.mount(p("/ro"), Rc::new(ReadOnlyFs::new(memory())));
    Rc::new(router)
}

/// Runs a case on each backend.
fn each<Case: AsyncFn(&dyn KernelBackend)>(case: Case) {
    block_on(async {
        case(&LocalBackend::new(router())).await;
        let host = Rc::new(FakeHost::default());
        let overlay = OverlayBackend::new(router(), host, &ByteBudget::default());
        case(&**overlay.backend()).await;
    });
}

async fn put(fs: &dyn KernelBackend, path: &str, text: &str) {
    fs.write(p(path), text.as_bytes(), WriteMode::Overwrite).await.unwrap();
}

async fn get(fs: &dyn KernelBackend, path: &str) -> String {
    String::from_utf8(fs.read(p(path), None).await.unwrap()).unwrap()
}

fn errno<T>(result: BackendResult<T>) -> Option<Errno> {
    result.err().map(|error| error.errno())
}

#[test]
fn ranges() {
    each(async |fs| {
        put(fs, "/f", "one\ntwo\nthree\n").await;
        let read =
            async |range| String::from_utf8(fs.read(p("/f"), Some(range)).await.unwrap()).unwrap();
        assert_eq!(read(ReadRange::lines(2, 2)).await, "two\n");
        assert_eq!(read(ReadRange::bytes(4, 3)).await, "two");
        assert_eq!(read(ReadRange::bytes(100, 3)).await, "");
        assert_eq!(read(ReadRange::lines(9, 10)).await, "");
        let both = ReadRange { start_line: Some(1), ..ReadRange::bytes(8, 5) };
        assert_eq!(read(both).await, "three");
        fs.write(p("/f"), b"\xff\n\xfe\n", WriteMode::Overwrite).await.unwrap();
        let whole = fs.read(p("/f"), Some(ReadRange::lines(2, 2))).await.unwrap();
        assert_eq!(whole, b"\xff\n\xfe\n");
    });
}

#[test]
fn creation_modes() {
    each(async |fs| {
        let write = async |mode| errno(fs.write(p("/f"), b"x", mode).await);
        assert_eq!(write(WriteMode::UpdateOnly).await, Some(Errno::NotFound));
        assert_eq!(write(WriteMode::CreateNew).await, None);
        assert_eq!(write(WriteMode::CreateNew).await, Some(Errno::AlreadyExists));
        assert_eq!(write(WriteMode::UpdateOnly).await, None);
        fs.set_mode(p("/f"), 0o600).await.unwrap();
        assert_eq!(write(WriteMode::Truncate).await, None);
        assert_eq!(fs.stat(p("/f")).await.unwrap().mode, 0o600);
    });
}

#[test]
fn a_patch_is_whole_or_nothing() {
    each(async |fs| {
        put(fs, "/f", "a\r\nb\r\nc\r\n").await;
        let replace = |line, content: &str, expected: &str| PatchOp::ReplaceLine {
            line,
            content: content.into(),
            expected: Some(expected.into()),
        };
        let good = [replace(2, "B", "b"), PatchOp::Append { content: "end".into() }];
        fs.patch(p("/f"), &good).await.unwrap();
        assert_eq!(get(fs, "/f").await, "a\r\nB\r\nc\r\nend");
        let bad = [replace(1, "A", "a"), replace(2, "x", "b")];
        match fs.patch(p("/f"), &bad).await {
            Err(BackendError::Conflict { path, location, expected, actual }) => {
                assert_eq!((path.as_str(), location.as_str()), ("/f", "line 2"));
                assert_eq!((expected.as_str(), actual.as_str()), ("b", "B"));
            }
            other => panic!("{other:?}"),
        }
        let past = [PatchOp::Insert { offset: 99, content: "x".into() }];
        assert_eq!(errno(fs.patch(p("/f"), &past).await), Some(Errno::Invalid));
        assert_eq!(get(fs, "/f").await, "a\r\nB\r\nc\r\nend");
        assert_eq!(errno(fs.patch(p("/none"), &[]).await), Some(Errno::NotFound));
        assert!(fs.patch(p("/tmp"), &[]).await.is_err());
    });
}

#[test]
fn canonical_paths() {
    each(async |fs| {
        for dir in ["/a", "/a/b"] {
            fs.mkdir(p(dir)).await.unwrap();
        }
        fs.symlink(p("a/b"), p("/l")).await.unwrap();
        fs.symlink(p("loop"), p("/loop")).await.unwrap();
        let canonical = async |path: &str, missing| {
            fs.canonicalize(p(path), missing).await.map(|found| found.to_string())
        };
        assert_eq!(canonical("/l/../x", true).await.as_deref(), Ok("/a/x"));
        assert_eq!(canonical("/tmp/../l/.", false).await.as_deref(), Ok("/a/b"));
        assert_eq!(canonical("/", false).await.as_deref(), Ok("/"));
        assert_eq!(errno(canonical("/l/x", false).await), Some(Errno::NotFound));
        assert_eq!(errno(canonical("/l/x/y", true).await), Some(Errno::NotFound));
        assert_eq!(errno(canonical("/loop", true).await), Some(Errno::SymlinkLoop));
    });
}

#[test]
fn access_is_mode_and_mount_together() {
    block_on(async {
        let fs = LocalBackend::new(router());
        put(&fs, "/f", "x").await;
        let access = async |path: &str| fs.path_access(p(path)).await.unwrap();
        let yes = PathAccess { read: true, write: true, execute: false };
        assert_eq!(access("/f").await, yes);
        fs.set_mode(p("/f"), 0o500).await.unwrap();
        assert_eq!(access("/f").await, PathAccess { write: false, execute: true, ..yes });
        assert_eq!(access("/dev/null").await, yes);
        let directory = PathAccess { read: true, write: false, execute: true };
        assert_eq!(access("/dev").await, directory);
        assert_eq!(access("/ro").await, directory);
        assert_eq!(errno(fs.path_access(p("/none")).await), Some(Errno::NotFound));
        let refused = fs.write(p("/ro/x"), b"", WriteMode::Overwrite).await.unwrap_err();
        assert_eq!(refused.to_string(), "/ro/x: Read-only file system");
    });
}

#[test]
fn mounts_are_told() {
    each(async |fs| {
        let mounts: Vec<String> =
            fs.mounts().iter().map(|mount| format!("{} {}", mount.path, mount.kind)).collect();
        assert_eq!(mounts, ["/ memory", "/dev dev", "/ro memory", "/tmp memory"]);
        assert!(fs.resolve_real_path(p("/f")).is_none());
    });
}
