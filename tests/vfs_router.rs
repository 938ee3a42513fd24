//! What only a router does: mount points in listings, `..` across mounts, moves between them.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stderr,
    reason = "a test says what goes wrong by panicking"
)]

use std::rc::Rc;

use futures::executor::block_on;
use tabsh::host::FakeHost;
use tabsh::io::Errno;
use tabsh::vfs::{ByteBudget, Filesystem, FsResult, MemoryFs, Path, VfsRouter, WriteMode};

fn p(path: &str) -> &Path {
    Path::new(path)
}

fn router() -> VfsRouter {
    let host = Rc::new(FakeHost::default());
    let router = VfsRouter::new();
    for at in ["/", "/home/user", "/tmp", "/v/bin"] {
        router.mount(p(at), Rc::new(MemoryFs::new(host.clone(), &ByteBudget::new(1 << 20))));
    }
    router
}

fn put(fs: &dyn Filesystem, path: &str, text: &str) {
    block_on(fs.write(p(path), text.as_bytes(), WriteMode::Overwrite)).unwrap();
}

fn get(fs: &dyn Filesystem, path: &str) -> String {
    String::from_utf8(block_on(fs.read(p(path))).unwrap()).unwrap()
}

fn names(fs: &dyn Filesystem, path: &str) -> Vec<String> {
    let entries = block_on(fs.list(p(path))).unwrap();
    entries.iter().map(|entry| entry.name.to_string()).collect()
}

fn errno<T>(result: FsResult<T>) -> Errno {
    result.err().expect("an error").errno
}

#[test]
fn mount_points_are_listed_and_made_up() {
    let fs = router();
    assert_eq!(names(&fs, "/"), ["home", "tmp", "v"]);
    assert_eq!(names(&fs, "/home"), ["user"]);
    assert_eq!(names(&fs, "/v"), ["bin"]);
    assert!(block_on(fs.stat(p("/v"))).unwrap().is_dir());
    let (root, tmp) = (block_on(fs.stat(p("/"))).unwrap(), block_on(fs.stat(p("/tmp"))).unwrap());
    assert_ne!(root.device, tmp.device);
    assert_eq!(errno(block_on(fs.mkdir(p("/tmp")))), Errno::AlreadyExists);
    assert_eq!(errno(block_on(fs.remove(p("/tmp"), true))), Errno::Busy);
    assert_eq!(errno(block_on(fs.remove(p("/home"), true))), Errno::Busy);
    assert_eq!(errno(block_on(fs.rename(p("/home"), p("/house")))), Errno::Busy);
    block_on(fs.mkdir(p("/home"))).unwrap();
    put(&fs, "/home/note", "x");
    assert_eq!(names(&fs, "/home"), ["note", "user"]);
}

#[test]
fn dots_are_resolved_after_links_and_across_mounts() {
    let fs = router();
    block_on(fs.mkdir(p("/home/user/a"))).unwrap();
    block_on(fs.mkdir(p("/home/user/a/b"))).unwrap();
    put(&fs, "/home/user/a/f", "in a");
    put(&fs, "/top", "top");
    block_on(fs.symlink(p("a/b"), p("/home/user/l"))).unwrap();
    assert_eq!(get(&fs, "/home/user/l/../f"), "in a");
    assert_eq!(get(&fs, "/home/user/l/../../../../top"), "top");
    assert_eq!(get(&fs, "/tmp/../top"), "top");
    assert_eq!(get(&fs, "//tmp/./..//top"), "top");
    let canonical = block_on(fs.canonicalize(p("/tmp/../home/user/l/x"), true)).unwrap();
    assert_eq!(canonical.as_str(), "/home/user/a/b/x");
    assert_eq!(errno(block_on(fs.canonicalize(p("/home/user/l/x"), false))), Errno::NotFound);
    assert_eq!(errno(block_on(fs.canonicalize(p("/no/x"), true))), Errno::NotFound);
}

#[test]
fn a_link_above_a_mount_leads_into_it() {
    let fs = router();
    block_on(fs.symlink(p("home"), p("/alias"))).unwrap();
    put(&fs, "/home/user/f", "mine");
    assert_eq!(get(&fs, "/alias/user/f"), "mine");
}

#[test]
fn links_stay_on_their_mount() {
    let fs = router();
    block_on(fs.mkdir(p("/home/user/d"))).unwrap();
    block_on(fs.symlink(p("d"), p("/home/user/ld"))).unwrap();
    put(&fs, "/home/user/t", "target");
    block_on(fs.symlink(p("/home/user/t"), p("/home/user/ld/l"))).unwrap();
    assert_eq!(block_on(fs.read_link(p("/home/user/d/l"))).unwrap().as_str(), "../t");
    assert_eq!(get(&fs, "/home/user/ld/l"), "target");
    assert_eq!(errno(block_on(fs.symlink(p("/tmp/x"), p("/home/user/x")))), Errno::CrossDevice);
    block_on(fs.symlink(p("../../../../top"), p("/home/user/d/out"))).unwrap();
    put(&fs, "/top", "outside");
    put(&fs, "/home/user/top", "inside");
    assert_eq!(get(&fs, "/home/user/d/out"), "inside");
    assert_eq!(get(&fs, "/home/user/./d/out"), "inside");
}

#[test]
fn moves_across_mounts_keep_everything() {
    let fs = router();
    block_on(fs.mkdir(p("/tmp/d"))).unwrap();
    block_on(fs.mkdir(p("/tmp/d/e"))).unwrap();
    put(&fs, "/tmp/d/e/f", "deep");
    block_on(fs.set_mode(p("/tmp/d/e/f"), 0o600)).unwrap();
    block_on(fs.symlink(p("e/f"), p("/tmp/d/l"))).unwrap();
    put(&fs, "/tmp/d/big", &"0123456789".repeat(60_000));
    block_on(fs.mkdir(p("/tmp/d/g"))).unwrap();
    block_on(fs.set_mode(p("/tmp/d/g"), 0o500)).unwrap();
    block_on(fs.rename(p("/tmp/d"), p("/home/user/moved"))).unwrap();
    assert_eq!(names(&fs, "/tmp"), [""; 0]);
    assert_eq!(names(&fs, "/home/user"), ["moved"]);
    assert_eq!(get(&fs, "/home/user/moved/l"), "deep");
    assert_eq!(get(&fs, "/home/user/moved/big").len(), 600_000);
    assert_eq!(block_on(fs.stat(p("/home/user/moved/e/f"))).unwrap().mode, 0o600);
    assert_eq!(block_on(fs.stat(p("/home/user/moved/g"))).unwrap().mode, 0o500);
}

#[test]
fn a_move_that_does_not_fit_changes_nothing() {
    let fs = router();
    block_on(fs.mkdir(p("/tmp/d"))).unwrap();
    put(&fs, "/tmp/d/one", &"1".repeat(700_000));
    put(&fs, "/home/user/big", &"2".repeat(700_000));
    assert_eq!(errno(block_on(fs.rename(p("/tmp/d"), p("/home/user/d")))), Errno::NoSpace);
    assert_eq!(names(&fs, "/home/user"), ["big"]);
    assert_eq!(names(&fs, "/tmp/d"), ["one"]);
    block_on(fs.set_mode(p("/tmp/d"), 0o500)).unwrap();
    block_on(fs.remove(p("/home/user/big"), false)).unwrap();
    assert_eq!(errno(block_on(fs.rename(p("/tmp/d"), p("/home/user/d")))), Errno::PermissionDenied);
    assert_eq!(names(&fs, "/home/user"), [""; 0]);
    put(&fs, "/home/user/d", "a file");
    assert_eq!(errno(block_on(fs.rename(p("/tmp/d"), p("/home/user/d")))), Errno::NotDirectory);
}
