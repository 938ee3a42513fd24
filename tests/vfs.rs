//! The suite of filesystem behaviours over the filesystems that run natively.

mod vfs_suite;

use std::rc::Rc;

use futures::executor::block_on;
use tabsh::host::FakeHost;
use tabsh::vfs::{ByteBudget, Filesystem, MemoryFs, Path, PathBuf, VfsRouter};
use vfs_suite::Subject;

/// Runs every case on a new filesystem each and reports all that fail.
fn run(make: impl Fn() -> (Rc<dyn Filesystem>, &'static str)) {
    let mut failures = Vec::new();
    for case in vfs_suite::all() {
        let (fs, dir) = make();
        if !(case.needs)(fs.capabilities()) {
            continue;
        }
        block_on(fs.mkdir(Path::new(dir))).expect("a directory to test in");
        let subject = Subject { fs, dir: PathBuf::from(dir) };
        if let Err(why) = block_on((case.run)(&subject)) {
            failures.push(format!("{}: {why}", case.name));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn memory() -> Rc<MemoryFs> {
    let host = FakeHost::new(tabsh::host::Timestamp { seconds: 1_700_000_000, nanos: 5 }, 1);
    Rc::new(MemoryFs::new(Rc::new(host), &ByteBudget::default()))
}

#[test]
fn memory_filesystem() {
    run(|| (memory(), "/t"));
}

#[test]
fn router_on_its_root() {
    run(|| {
        let router = VfsRouter::new();
        router.mount(Path::new("/"), memory());
        router.mount(Path::new("/home/user"), memory());
        (Rc::new(router), "/t")
    });
}

#[test]
fn router_on_a_mount() {
    run(|| {
        let router = VfsRouter::new();
        router.mount(Path::new("/"), memory());
        router.mount(Path::new("/home/user"), memory());
        (Rc::new(router), "/home/user/t")
    });
}
