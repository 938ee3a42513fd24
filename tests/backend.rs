//! What every backend over mounts must do: ranges, creation modes, patches, canonical paths, access.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::needless_pass_by_value,
    reason = "a test says what goes wrong by panicking, and takes its cases as closures"
)]

mod vfs_driver;

use std::rc::Rc;

use futures::executor::block_on;
use tabsh::backend::{JsBackend, LocalBackend, NullBackend, OverlayBackend};
use tabsh::host::FakeHost;
use tabsh::io::{Capture, Descriptors, Errno, Stream};
use tabsh::kernel::{Kernel, KernelConfig};
use tabsh::tool::{
    BackendError, BackendResult, Control, ExecContext, KernelBackend, PatchOp, PathAccess,
    ReadRange, Registry, Streams,
};
use tabsh::vfs::{
    ByteBudget, DevFs, MemoryFs, OpenOptions, Path, ReadOnlyFs, VfsRouter, WriteMode,
};

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
        let tools = || Rc::new(Registry::new(tabsh::builtins::ALL));
        case(&LocalBackend::new(router(), tools())).await;
        let host = Rc::new(FakeHost::default());
        let overlay = OverlayBackend::new(router(), tools(), host, &ByteBudget::default());
        case(&**overlay.backend()).await;
        let held_by_page = router();
        held_by_page.mount(p("/"), vfs_driver::filesystem(&Rc::default()).0);
        case(&JsBackend::over(held_by_page, tools())).await;
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
        let fs = LocalBackend::new(router(), Rc::new(Registry::new(&[])));
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
        let root = if fs.backend_type() == "js" { "/ js" } else { "/ memory" };
        assert_eq!(mounts, [root, "/dev dev", "/ro memory", "/tmp memory"]);
        assert!(fs.resolve_real_path(p("/f")).is_none());
    });
}

#[test]
fn tools_are_told_and_called() {
    each(async |fs| {
        let names: Vec<_> = fs.list_tools().await.unwrap();
        assert!(names.iter().any(|tool| tool.name == "cat" && !tool.registered));
        assert_eq!(fs.get_tool("cat").await.unwrap().unwrap().name, "cat");
        assert_eq!(fs.get_tool("no-such").await, Ok(None));
    });
    let host = FakeHost::default();
    let kernel = Kernel::new(KernelConfig::new(Rc::new(host.clone())));
    let backend = Rc::clone(&kernel.services().backend);
    let out = Rc::new(Capture::with_limit(1 << 20));
    let streams = Descriptors::new(Stream::Null, Stream::Capture(Rc::clone(&out)), Stream::Null);
    let mut cx = ExecContext {
        streams: Streams { fds: streams, ..Streams::default() },
        session: Rc::clone(kernel.session()),
        services: Rc::clone(kernel.services()),
        control: Control::default(),
    };
    let answered = host.run(async {
        let called = backend.call_tool("echo", vec!["a b".into()], &mut cx).await;
        assert_eq!(called.map(|result| result.code), Ok(0));
        let failed = backend.call_tool("cat", vec!["/none".into()], &mut cx).await;
        assert_eq!(failed.map(|result| result.code), Ok(1));
        let missing = backend.call_tool("no-such", vec![], &mut cx).await;
        assert_eq!(missing, Err(BackendError::ToolNotFound("no-such".into())));
    });
    assert_eq!(answered, Some(()));
    assert_eq!(out.take_bytes(), b"a b\n");
}

#[test]
fn changes_are_watched() {
    each(async |fs| {
        fs.mkdir(p("/d")).await.unwrap();
        fs.symlink(p("d"), p("/l")).await.unwrap();
        let watch = fs.watch(p("/d")).await.unwrap();
        let seen = async || {
            let paths = watch.next().await;
            paths.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        put(fs, "/d/f", "x").await;
        put(fs, "/elsewhere", "x").await;
        fs.mkdir(p("/l/sub")).await.unwrap();
        assert_eq!(seen().await, ["/d/f", "/d/sub"]);
        let file = fs.open(p("/l/f"), OpenOptions::APPEND).await.unwrap();
        file.append(b"y").await.unwrap();
        assert_eq!(seen().await, ["/d/f"]);
        file.close().await.unwrap();
        fs.rename(p("/d/f"), p("/g")).await.unwrap();
        fs.remove(p("/d"), true).await.unwrap();
        assert_eq!(seen().await, ["/d", "/d/f"]);
        for n in 0..5000 {
            put(fs, "/back", &n.to_string()).await;
        }
        fs.mkdir(p("/d")).await.unwrap();
        for n in 0..5000 {
            put(fs, &format!("/d/{n}"), "").await;
        }
        assert!(seen().await.len() <= 4096);
    });
}

#[test]
fn the_null_backend_has_nothing() {
    block_on(async {
        let fs = NullBackend;
        assert_eq!(errno(fs.read(p("/f"), None).await), Some(Errno::NotFound));
        assert_eq!(errno(fs.mkdir(p("/d")).await), Some(Errno::ReadOnly));
        assert!(!fs.exists(p("/")).await && fs.mounts().is_empty() && fs.read_only());
        assert_eq!(fs.list_tools().await, Ok(vec![]));
    });
}
