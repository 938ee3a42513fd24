//! The suite of filesystem behaviours over the filesystems that run natively.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stderr,
    reason = "a test says what goes wrong by panicking"
)]

mod vfs_driver;
mod vfs_store;
mod vfs_suite;

use std::rc::Rc;

use futures::executor::block_on;
use tabsh::host::FakeHost;
use tabsh::vfs::packed::{Access, Care, PackedFs};
use tabsh::vfs::{ByteBudget, Filesystem, MemoryFs, OverlayFs, Path, PathBuf, VfsRouter};
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

#[test]
fn overlay_over_nothing() {
    run(|| {
        let lower = memory();
        let host = Rc::new(FakeHost::default());
        (Rc::new(OverlayFs::new(lower, host, &ByteBudget::default())), "/t")
    });
}

#[test]
fn driver_in_memory() {
    run(|| (vfs_driver::filesystem(&Rc::default()).0, "/t"));
}

/// Every case on the packed filesystem; afterwards what a fresh look at the store finds must be
/// what the session sees, and fit together.
#[test]
fn packed_filesystem_and_its_reload() {
    let mut failures = Vec::new();
    for case in vfs_suite::all() {
        let store = vfs_store::MemoryStore::new();
        let fs = Rc::new(block_on(packed(&store, Access::Write)));
        block_on(fs.mkdir(Path::new("/t"))).expect("a directory to test in");
        let subject = Subject { fs: fs.clone(), dir: PathBuf::from("/t") };
        let verdict = block_on(async {
            (case.run)(&subject).await?;
            fs.flush(false).await.map_err(|error| error.to_string())?;
            let before = vfs_suite::dump(&*fs, Path::new("/")).await?;
            let reloaded = packed(&store, Access::Read).await;
            let after = vfs_suite::dump(&reloaded, Path::new("/")).await?;
            if before != after {
                let lost = before.iter().find(|line| !after.contains(line));
                let new = after.iter().find(|line| !before.contains(line));
                return Err(format!("reload: {lost:?} became {new:?}"));
            }
            fs.tidy().await.map_err(|error| error.to_string())?;
            let report = fs.check(Care::Verify).await.map_err(|error| error.to_string())?;
            match report.problems.first() {
                None => Ok(()),
                Some(problem) => Err(format!("check: {problem}")),
            }
        });
        if let Err(why) = verdict {
            failures.push(format!("{}: {why}", case.name));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

async fn packed(store: &Rc<vfs_store::MemoryStore>, access: Access) -> PackedFs {
    let host = FakeHost::new(tabsh::host::Timestamp { seconds: 1_700_000_000, nanos: 5 }, 1);
    let budget = ByteBudget::default();
    PackedFs::open(store.clone(), Rc::new(host), &budget, access).await.unwrap()
}
