//! What files cost in memory: content is shared, a write costs what is written, a refusal changes nothing, holes are free.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test says what goes wrong by panicking, and measures by the machine's clock"
)]

#[allow(dead_code, reason = "a part of it is used")]
mod support;
#[allow(dead_code, reason = "a part of it is used")]
mod vfs_suite;

use std::rc::Rc;
use std::time::{Duration, Instant};

use futures::executor::block_on;
use tabsh::host::FakeHost;
use tabsh::io::{Errno, Stream};
use tabsh::kernel::{ExecuteOptions, Kernel, KernelConfig};
use tabsh::vfs::{ByteBudget, Filesystem, MemoryFs, OpenOptions, OverlayFs, Path, WriteMode};

const MIB: u64 = 1 << 20;
/// What one write at one place may cost: a chunk.
const CHUNK: u64 = 64 << 10;
const RW: OpenOptions = OpenOptions { read: true, truncate: false, ..OpenOptions::WRITE };

fn p(path: &str) -> &Path {
    Path::new(path)
}

fn memory(budget: &ByteBudget) -> MemoryFs {
    MemoryFs::new(Rc::new(FakeHost::default()), budget)
}

fn put(fs: &dyn Filesystem, path: &str, content: &[u8]) -> Result<(), Errno> {
    block_on(fs.write(p(path), content, WriteMode::Overwrite)).map_err(|error| error.errno)
}

fn poke(fs: &dyn Filesystem, path: &str, at: u64) -> Result<(), Errno> {
    block_on(async {
        let file = fs.open(p(path), RW).await.map_err(|error| error.errno)?;
        file.write_at(at, b"x").await?;
        file.close().await
    })
}

fn median_of_five(mut work: impl FnMut()) -> Duration {
    let mut times: Vec<Duration> = (0..5)
        .map(|_| {
            let start = Instant::now();
            work();
            start.elapsed()
        })
        .collect();
    times.sort();
    times[2]
}

#[test]
fn copies_snapshots_and_forks_share_content() {
    let budget = ByteBudget::default();
    let fs = memory(&budget);
    put(&fs, "/big", &vec![7; 64 << 20]).unwrap();
    let whole = budget.used();
    assert_eq!(whole, 64 * MIB);
    block_on(fs.copy(p("/big"), p("/copy"))).unwrap();
    let (snapshot, fork) = (fs.snapshot(), fs.fork());
    assert_eq!(budget.used(), whole);
    poke(&fs, "/copy", 33 * MIB).unwrap();
    assert_eq!(budget.used(), whole + CHUNK);
    poke(&fork, "/big", 0).unwrap();
    assert_eq!(budget.used(), whole + 2 * CHUNK);
    poke(&fs, "/copy", 33 * MIB + 1).unwrap();
    assert_eq!(budget.used(), whole + 2 * CHUNK);
    let read =
        |fs: &dyn Filesystem, path: &str, at: u64| block_on(fs.read_range(p(path), at, 1)).unwrap();
    assert_eq!((read(&fs, "/big", 0), read(&fork, "/big", 0)), (vec![7], vec![b'x']));
    assert_eq!(
        (read(&fs, "/copy", 33 * MIB), read(&fork, "/copy", 33 * MIB)),
        (vec![b'x'], vec![7])
    );
    fs.restore(&snapshot);
    assert_eq!(read(&fs, "/copy", 33 * MIB), [7]);
    for path in ["/big", "/copy"] {
        block_on(fs.remove(p(path), false)).unwrap();
    }
    assert!(budget.used() >= whole, "the snapshot and the fork still hold the content");
    drop((snapshot, fork));
    assert_eq!(budget.used(), 0);
}

#[test]
fn an_overlay_copies_up_and_forks_what_changed() {
    let budget = ByteBudget::default();
    let lower = memory(&budget);
    for n in 0..1000 {
        put(&lower, &format!("/{n}"), &[1; 1000]).unwrap();
    }
    let before = budget.used();
    let host = Rc::new(FakeHost::default());
    let overlay = OverlayFs::new(Rc::new(lower), host, &budget);
    put(&overlay, "/5", &[2; 1000]).unwrap();
    let fork = overlay.fork();
    assert!(budget.used() - before <= 4000, "{}", budget.used() - before);
    put(&fork, "/5", b"3").unwrap();
    assert_eq!(block_on(overlay.read(p("/5"))).unwrap(), [2; 1000]);
}

#[test]
fn a_refusal_leaves_everything_as_it_was() {
    let budget = ByteBudget::new(4 * MIB);
    let fs = memory(&budget);
    block_on(fs.mkdir(p("/d"))).unwrap();
    put(&fs, "/d/a", &vec![1; 3 << 20]).unwrap();
    block_on(fs.copy(p("/d/a"), p("/d/b"))).unwrap();
    put(&fs, "/d/c", &vec![2; 1 << 20]).unwrap();
    let before = block_on(vfs_suite::dump(&fs, p("/"))).unwrap();
    let used = budget.used();
    assert_eq!(put(&fs, "/d/new", &vec![3; 2 << 20]), Err(Errno::NoSpace));
    assert_eq!(put(&fs, "/d/a", &vec![3; 5 << 20]), Err(Errno::NoSpace));
    // Shared content must be copied before it is written.
    assert_eq!(poke(&fs, "/d/b", 0), Err(Errno::NoSpace));
    let appended = block_on(fs.append(p("/d/c"), &[4; 100]));
    assert_eq!(appended.map_err(|error| error.errno), Err(Errno::NoSpace));
    assert_eq!(block_on(vfs_suite::dump(&fs, p("/"))).unwrap(), before);
    assert_eq!(budget.used(), used);
    block_on(fs.remove(p("/d/c"), false)).unwrap();
    assert_eq!(poke(&fs, "/d/b", 0), Ok(()));
}

#[test]
fn the_shell_goes_on_without_room() {
    let host = support::host();
    let mut config = KernelConfig::new(Rc::new(host.clone()));
    config.memory = ByteBudget::new(MIB);
    let kernel = Kernel::new(config);
    let script =
        "echo kept > f; seq 1 1000000 > big; echo rc=$?; cat f; rm big; echo more >> f; cat f";
    let options = ExecuteOptions { stdin: Some(Stream::Null), ..ExecuteOptions::default() };
    let result = host.run(kernel.execute(script, options)).unwrap().unwrap();
    let (out, err) = (String::from_utf8(result.stdout), String::from_utf8(result.stderr));
    let err = err.unwrap();
    assert_eq!(out.unwrap(), "rc=1\nkept\nkept\nmore\n", "{err}");
    assert!(err.contains("No space left on device"), "{err}");
}

#[test]
fn holes_cost_nothing_and_are_read_in_part() {
    let host = support::host();
    let config = KernelConfig::new(Rc::new(host.clone()));
    let budget = config.memory.clone();
    let kernel = Kernel::new(config);
    let start = Instant::now();
    let script = "truncate -s 1G big; head -c 10 big | od -An -tx1; tail -c 3 big | wc -c; \
        stat -c %s big; cp big copy; cmp -n 10 big copy && dd if=copy bs=1 skip=900000000 count=2 2>/dev/null | wc -c";
    let options = ExecuteOptions { stdin: Some(Stream::Null), ..ExecuteOptions::default() };
    let result = host.run(kernel.execute(script, options)).unwrap().unwrap();
    let out = String::from_utf8(result.stdout).unwrap();
    assert_eq!(out, " 00 00 00 00 00 00 00 00 00 00\n3\n1073741824\n2\n", "{:?}", result.stderr);
    assert_eq!(budget.used(), 0);
    assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
}

#[test]
fn snapshots_of_ten_thousand_files_take_no_time() {
    let fs = memory(&ByteBudget::default());
    for dir in 0..100 {
        block_on(fs.mkdir(p(&format!("/{dir}")))).unwrap();
        for file in 0..100 {
            put(&fs, &format!("/{dir}/{file}"), b"content").unwrap();
        }
    }
    let limit = Duration::from_millis(5);
    let mut kept = Vec::new();
    let snapshot = median_of_five(|| kept.push(fs.snapshot()));
    let mut forks = Vec::new();
    let fork = median_of_five(|| forks.push(fs.fork()));
    for dir in 0..100 {
        put(&fs, &format!("/{dir}/7"), b"changed").unwrap();
    }
    let restore = median_of_five(|| fs.restore(&kept[0]));
    assert!(
        snapshot < limit && fork < limit && restore < limit,
        "{snapshot:?} {fork:?} {restore:?}"
    );
    assert_eq!(block_on(fs.read(p("/5/7"))).unwrap(), b"content");
    assert_eq!(block_on(forks[0].read(p("/99/99"))).unwrap(), b"content");
}
