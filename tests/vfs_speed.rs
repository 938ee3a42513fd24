//! Native timings of the memory filesystem behind the router; run with `--ignored --nocapture`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stderr,
    reason = "a test says what goes wrong by panicking"
)]

mod vfs_store;

use std::rc::Rc;
use std::time::Duration;

use futures::executor::block_on;
use tabsh::host::FakeHost;
use tabsh::vfs::packed::{Access, PackedFs};
use tabsh::vfs::{ByteBudget, Filesystem, MemoryFs, OpenOptions, Path, VfsRouter};

#[expect(clippy::disallowed_methods, reason = "a native measurement")]
fn timed<T>(name: &str, work: impl FnOnce() -> T) -> (T, Duration) {
    let start = std::time::Instant::now();
    let value = work();
    let taken = start.elapsed();
    eprintln!("{name}: {taken:?}");
    (value, taken)
}

fn router() -> (VfsRouter, Rc<MemoryFs>) {
    let host = Rc::new(FakeHost::default());
    let budget = ByteBudget::default();
    let root = Rc::new(MemoryFs::new(host.clone(), &budget));
    let router = VfsRouter::new();
    router.mount(Path::new("/"), root.clone());
    router.mount(Path::new("/tmp"), Rc::new(MemoryFs::new(host.clone(), &budget)));
    router.mount(Path::new("/home/user"), Rc::new(MemoryFs::new(host, &budget)));
    (router, root)
}

#[test]
#[ignore = "a measurement, for release builds"]
fn small_files_listings_and_snapshots() {
    let (router, root) = router();
    for dir in ["/home/user", "/data"] {
        if dir == "/data" {
            block_on(router.mkdir(Path::new(dir))).unwrap();
        }
        timed(&format!("10,000 files written by open in {dir}"), || {
            block_on(async {
                for i in 0..10_000 {
                    let path = format!("{dir}/file-{i}.txt");
                    let file = router.open(Path::new(&path), OpenOptions::WRITE).await.unwrap();
                    file.write_now(Some(0), b"some text\n").unwrap().unwrap();
                    file.close().await.unwrap();
                }
            });
        });
        timed("10,000 files read by open", || {
            block_on(async {
                for i in 0..10_000 {
                    let path = format!("{dir}/file-{i}.txt");
                    let file = router.open(Path::new(&path), OpenOptions::READ).await.unwrap();
                    assert_eq!(file.read_now(0, 4096).unwrap().unwrap().len(), 10);
                }
            });
        });
        timed("listing 10,000", || block_on(router.list(Path::new(dir))).unwrap());
    }
    let (snapshot, _) = timed("snapshot", || root.snapshot());
    let (fork, _) = timed("fork", || root.fork());
    timed("rm -r of 10,000", || block_on(router.remove(Path::new("/data"), true)).unwrap());
    timed("restore", || root.restore(&snapshot));
    assert_eq!(fork.inodes(), root.inodes());
    let content = vec![7; 64 << 20];
    timed("64 MB written", || {
        block_on(root.write(Path::new("/big"), &content, tabsh::vfs::WriteMode::CreateNew))
    })
    .0
    .unwrap();
    timed("64 MB copied", || block_on(root.copy(Path::new("/big"), Path::new("/big2")))).0.unwrap();
    timed("one byte into the copy", || {
        block_on(async {
            let options = OpenOptions { truncate: false, ..OpenOptions::WRITE };
            let file = root.open(Path::new("/big2"), options).await.unwrap();
            file.write_now(Some(33 << 20), b"x").unwrap().unwrap();
        });
    });
    timed("64 MB read", || block_on(root.read(Path::new("/big2")))).0.unwrap();
    timed("100,000 entries", || {
        block_on(async {
            root.mkdir(Path::new("/many")).await.unwrap();
            for i in 0..100_000 {
                root.write(Path::new(&format!("/many/{i}")), b"", tabsh::vfs::WriteMode::Overwrite)
                    .await
                    .unwrap();
            }
            assert_eq!(root.list(Path::new("/many")).await.unwrap().len(), 100_000);
        });
    });
}

#[test]
#[ignore = "a measurement, for release builds"]
fn the_packed_filesystem_over_a_store_in_memory() {
    use tabsh::vfs::WriteMode::Overwrite;
    let store = vfs_store::MemoryStore::new();
    let open = |access| {
        let host = Rc::new(FakeHost::default());
        block_on(PackedFs::open(store.clone(), host, &ByteBudget::default(), access)).unwrap()
    };
    let fs = open(Access::Write);
    let path = |n: usize| format!("/dir-{}/file-{n}", n % 100);
    timed("10,000 files of 1 KB in 100 directories", || {
        block_on(async {
            for n in 0..100 {
                fs.mkdir(Path::new(&format!("/dir-{n}"))).await.unwrap();
            }
            for n in 0..10_000 {
                fs.write(Path::new(&path(n)), &[n as u8; 1024], Overwrite).await.unwrap();
            }
        });
    });
    timed("flush", || block_on(fs.flush(false))).0.unwrap();
    timed("1,000 files, each flushed", || {
        block_on(async {
            for n in 0..1000 {
                let path = format!("/dir-{}/synced-{n}", n % 100);
                fs.write(Path::new(&path), &[n as u8; 1024], Overwrite).await.unwrap();
                fs.flush(false).await.unwrap();
            }
        });
    });
    timed("1,000 appends of 100 bytes, each flushed", || {
        block_on(async {
            for _ in 0..1000 {
                fs.append(Path::new("/log"), &[b'x'; 100]).await.unwrap();
                fs.flush(false).await.unwrap();
            }
        });
    });
    timed("tidy", || block_on(fs.tidy())).0.unwrap();
    let (fs, _) = timed("reopen", || open(Access::Write));
    timed("cold read of 10,000", || {
        block_on(async {
            for n in 0..10_000 {
                assert_eq!(fs.read(Path::new(&path(n))).await.unwrap().len(), 1024);
            }
        });
    });
    timed("rename of a directory, flushed", || {
        block_on(async {
            fs.rename(Path::new("/dir-0"), Path::new("/moved")).await.unwrap();
            fs.flush(false).await.unwrap();
        });
    });
    timed("rm -r of all, flushed", || {
        block_on(async {
            for entry in fs.list(Path::new("/")).await.unwrap() {
                fs.remove(Path::new(&format!("/{}", entry.name)), true).await.unwrap();
            }
            fs.flush(false).await.unwrap();
        });
    });
    timed("tidy", || block_on(fs.tidy())).0.unwrap();
    let content = vec![7; 64 << 20];
    timed("64 MB written by handle and flushed", || {
        block_on(async {
            let file = fs.open(Path::new("/big"), OpenOptions::WRITE).await.unwrap();
            for (at, piece) in content.chunks(64 << 10).enumerate() {
                let offset = (at as u64) << 16;
                match file.write_now(Some(offset), piece) {
                    Some(result) => result.unwrap(),
                    None => file.write_at(offset, piece).await.unwrap(),
                }
            }
            file.close().await.unwrap();
            fs.flush(false).await.unwrap();
        });
    });
    let fs = open(Access::Read);
    timed("64 MB read cold", || block_on(fs.read(Path::new("/big")))).0.unwrap();
}
