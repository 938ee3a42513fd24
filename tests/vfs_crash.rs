//! The packed filesystem over a store that is torn open at every commit, fails at every commit, and
//! runs full: each operation is there whole or not at all, and what was acknowledged stays.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test says what goes wrong by panicking"
)]

mod vfs_store;
#[allow(dead_code, reason = "the whole suite runs elsewhere")]
mod vfs_suite;

use std::rc::Rc;
use std::time::Duration;

use futures::executor::block_on;
use tabsh::host::{FakeHost, Host, Timestamp};
use tabsh::io::Errno;
use tabsh::vfs::packed::{Access, Area, Care, PackedFs, Status, StoreError};
use tabsh::vfs::{ByteBudget, Filesystem, FsResult, OpenOptions, Path, WriteMode};
use vfs_store::{Commit, MemoryStore};

fn p(path: &str) -> &Path {
    Path::new(path)
}

fn host() -> Rc<FakeHost> {
    Rc::new(FakeHost::new(Timestamp { seconds: 1_700_000_000, nanos: 5 }, 1))
}

async fn open(store: &Rc<MemoryStore>, access: Access) -> PackedFs {
    PackedFs::open(store.clone(), host(), &ByteBudget::default(), access).await.unwrap()
}

async fn put(fs: &dyn Filesystem, path: &str, content: &[u8]) -> FsResult<()> {
    fs.write(p(path), content, WriteMode::Overwrite).await
}

async fn dump(fs: &dyn Filesystem) -> Vec<String> {
    vfs_suite::dump(fs, p("/")).await.unwrap()
}

/// Bytes that no two files share, repeating after a while.
fn noise(seed: u64, len: usize) -> Vec<u8> {
    let mut x = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let block: Vec<u8> = (0..len.min(1031))
        .map(|_| {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            (x >> 32) as u8
        })
        .collect();
    let mut bytes = block.repeat(len / 1031 + 1);
    bytes.truncate(len);
    bytes
}

const STEPS: usize = 22;

/// One operation of a recorded run.
async fn step(fs: &PackedFs, number: usize) -> FsResult<()> {
    match number {
        0 => {
            fs.mkdir(p("/d")).await?;
            for n in 0..20 {
                put(fs, &format!("/d/{n}"), &noise(n, 300)).await?;
            }
            Ok(())
        }
        1 => put(fs, "/big", &noise(100, 1_300_000)).await,
        2 => put(fs, "/big", &noise(101, 1_200_000)).await,
        3 => fs.rename(p("/d"), p("/e")).await,
        4 => fs.append(p("/e/3"), b"appended").await,
        5 => fs.symlink(p("e/3"), p("/link")).await,
        6 => fs.hard_link(p("/e/3"), p("/hard")).await,
        7 => fs.set_mode(p("/e/4"), 0o600).await,
        8 => fs.set_mtime(p("/e"), Timestamp { seconds: 7, nanos: 1 }).await,
        9 => {
            put(fs, "/new", b"atomic").await?;
            fs.rename(p("/new"), p("/e/5")).await
        }
        10 => write_through(fs, "/huge", 110, 5).await,
        11 => fs.copy(p("/huge"), p("/copy")).await,
        12 => write_through(fs, "/huge", 120, 5).await,
        13 => fs.remove(p("/copy"), false).await,
        14 => fs.remove(p("/e"), true).await,
        15 => patch_in_the_middle(fs).await,
        16 => fs.tidy().await.map_err(|error| failed(&error)),
        17 => {
            for n in 0..24 {
                put(fs, "/counter", n.to_string().as_bytes()).await?;
                put(fs, &format!("/small-{n}"), &noise(n, 900)).await?;
                fs.flush(false).await?;
            }
            Ok(())
        }
        18 | 19 | 21 => fs.tidy().await.map_err(|error| failed(&error)),
        20 => fs.rename(p("/huge"), p("/hard")).await,
        _ => Ok(()),
    }
}

fn failed(error: &StoreError) -> tabsh::vfs::FsError {
    tabsh::vfs::FsError::new(error.errno(), tabsh::vfs::FsOp::Flush, p("/"))
}

/// A redirect: opened, written in pieces, closed.
async fn write_through(fs: &PackedFs, path: &str, seed: u64, megabytes: u64) -> FsResult<()> {
    let file = fs.open(p(path), OpenOptions::WRITE).await?;
    let wrong = |errno| tabsh::vfs::FsError::new(errno, tabsh::vfs::FsOp::Write, p(path));
    for n in 0..megabytes * 4 {
        let piece = noise(seed + n, 256 * 1024);
        match file.write_now(Some(n * 256 * 1024), &piece) {
            Some(result) => result.map_err(wrong)?,
            None => file.write_at(n * 256 * 1024, &piece).await.map_err(wrong)?,
        }
    }
    file.close().await.map_err(wrong)
}

async fn patch_in_the_middle(fs: &PackedFs) -> FsResult<()> {
    let options = OpenOptions { truncate: false, ..OpenOptions::WRITE };
    let file = fs.open(p("/huge"), options).await?;
    let wrong = |errno| tabsh::vfs::FsError::new(errno, tabsh::vfs::FsOp::Write, p("/huge"));
    file.write_at(1_000_000, b"patched").await.map_err(wrong)?;
    file.set_len(4_500_000).await.map_err(wrong)?;
    file.close().await.map_err(wrong)
}

/// The recorded run: every commit, and the states before and after the step that made it.
struct Recording {
    history: Vec<Commit>,
    states: Vec<Vec<String>>,
    step_of: Vec<usize>,
}

async fn record() -> Recording {
    let store = MemoryStore::new();
    let fs = open(&store, Access::Write).await;
    let mut states = vec![dump(&fs).await];
    let mut step_of = vec![0; store.history.borrow().len()];
    for number in 0..STEPS {
        step(&fs, number).await.unwrap();
        fs.flush(false).await.unwrap();
        states.push(dump(&fs).await);
        step_of.resize(store.history.borrow().len(), number);
    }
    let history = store.history.borrow().clone();
    Recording { history, states, step_of }
}

/// Step 17 is many operations, each flushed; any prefix of them is right.
fn is_prefix_of_many(lines: &[String]) -> bool {
    let smalls = lines.iter().filter(|line| line.starts_with("/small-")).count();
    let counter = lines.iter().any(|line| line.starts_with("/counter "));
    smalls <= 24 && (counter || smalls == 0)
}

#[test]
fn a_crash_in_any_commit_leaves_a_whole_operation_or_none() {
    block_on(async {
        let recording = record().await;
        assert!(recording.history.len() > 45, "{}", recording.history.len());
        for (at, batch) in recording.history.iter().enumerate() {
            let parts = batch.puts.len() + batch.drops.len();
            let number = recording.step_of[at];
            let (before, after) = (&recording.states[number], &recording.states[number + 1]);
            for variant in 0..8_u64 {
                let pick = noise(variant + 8 * at as u64, parts);
                let whole = variant == 7;
                let take = |part: usize| match variant {
                    0 => false,
                    1 | 7 => true,
                    2 => part + 1 < parts,
                    3 => part > 0,
                    _ => pick[part] & 1 == 0,
                };
                let torn = variant == 1;
                let store = MemoryStore::crashed(&recording.history, at, take, torn);
                let fs = open(&store, Access::Write).await;
                let context = format!("commit {at} of step {number}, variant {variant}");
                assert_eq!(fs.status(), Status::Writable, "{context}");
                let found = dump(&fs).await;
                if number == 17 {
                    assert!(is_prefix_of_many(&found), "{context}");
                } else if at + 1 == recording.history.len() && whole {
                    assert_eq!(&found, after, "{context}");
                } else {
                    assert!(&found == before || &found == after, "{context}");
                }
                put(&fs, "/after", b"the crash").await.unwrap();
                fs.flush(true).await.unwrap();
                fs.tidy().await.unwrap();
                let report = fs.check(Care::Verify).await.unwrap();
                assert_eq!(report.problems, [], "{context}");
                let expected = dump(&fs).await;
                let again = open(&store, Access::Read).await;
                assert_eq!(dump(&again).await, expected, "{context}");
            }
        }
    });
}

#[test]
fn a_failing_commit_loses_nothing() {
    block_on(async {
        let recording = record().await;
        let last = recording.states.last().unwrap();
        for at in 1..recording.history.len() + 1 {
            let store = MemoryStore::new();
            let fs = open(&store, Access::Write).await;
            *store.fails.borrow_mut() = Some((at, StoreError::Failed("disk trouble".into())));
            for number in 0..STEPS {
                // A failed commit is told; the operation itself is done, and stored with the next.
                let done = step(&fs, number).await.and(fs.flush(false).await);
                if let Err(error) = done {
                    assert_eq!(error.errno, Errno::Io, "commit {at}");
                    if matches!(number, 10 | 12 | 17) {
                        step(&fs, number).await.unwrap();
                    }
                    fs.flush(false).await.unwrap();
                }
            }
            assert_eq!(&dump(&fs).await, last, "commit {at}");
            let again = open(&store, Access::Read).await;
            assert_eq!(&dump(&again).await, last, "commit {at}");
        }
    });
}

#[test]
fn a_refused_commit_leaves_memory_and_store_the_same() {
    block_on(async {
        let commits = record().await.history.len();
        for at in 1..commits {
            let store = MemoryStore::new();
            let fs = open(&store, Access::Write).await;
            *store.fails.borrow_mut() = Some((at, StoreError::NoSpace));
            for number in 0..STEPS {
                let before = dump(&fs).await;
                let done = step(&fs, number).await.and(fs.flush(false).await);
                if done.is_err_and(|error| error.errno == Errno::NoSpace) && number != 17 {
                    let after = dump(&fs).await;
                    let kept = before.iter().filter(|line| !line.starts_with("/huge"));
                    for line in
                        kept.filter(|line| !matches!(number, 13 | 14) || !line.starts_with("/e"))
                    {
                        let path = line.split(' ').next().unwrap();
                        let there = after.iter().any(|line| line.split(' ').next() == Some(path));
                        assert!(there, "commit {at}, step {number}: {path} is lost");
                    }
                }
            }
            fs.flush(false).await.unwrap();
            let report = fs.check(Care::Verify).await.unwrap();
            assert_eq!(report.problems, [], "commit {at}");
            let again = open(&store, Access::Read).await;
            assert_eq!(dump(&again).await, dump(&fs).await, "commit {at}");
        }
    });
}

#[test]
fn a_full_store_refuses_and_goes_on() {
    block_on(async {
        let store = MemoryStore::new();
        let fs = open(&store, Access::Write).await;
        store.quota.set(store.size() + 2_000_000);
        put(&fs, "/kept", &noise(1, 1_500_000)).await.unwrap();
        put(&fs, "/old", b"old").await.unwrap();
        fs.flush(false).await.unwrap();
        let before = dump(&fs).await;

        // A file that does not fit is undone, what fits beside it is kept.
        fs.mkdir(p("/dir")).await.unwrap();
        put(&fs, "/old", &noise(2, 900_000)).await.unwrap();
        put(&fs, "/new", &noise(3, 900_000)).await.unwrap();
        assert_eq!(fs.flush(false).await.unwrap_err().errno, Errno::NoSpace);
        let after = dump(&fs).await;
        assert!(before.iter().all(|line| after.contains(line)));
        assert_eq!(fs.read(p("/old")).await.unwrap(), b"old");
        assert_eq!(fs.stat(p("/new")).await.unwrap_err().errno, Errno::NotFound);
        assert!(fs.stat(p("/dir")).await.unwrap().is_dir());

        // From then on the writer itself is told.
        let refused = put(&fs, "/new", &noise(4, 900_000)).await;
        assert_eq!(refused.unwrap_err().errno, Errno::NoSpace);
        assert_eq!(fs.stat(p("/new")).await.unwrap_err().errno, Errno::NotFound);
        put(&fs, "/small", b"fits").await.unwrap();
        fs.flush(false).await.unwrap();

        // A redirect gets the error at the write, and the old content stays.
        let file = fs.open(p("/old"), OpenOptions::WRITE).await.unwrap();
        assert!(file.write_now(Some(0), b"x").is_some());
        let big = noise(5, 5_000_000);
        assert!(file.write_now(Some(1), &big).is_none());
        assert_eq!(file.write_at(1, &big).await, Err(Errno::NoSpace));
        file.close().await.unwrap();
        fs.flush(false).await.unwrap();

        // Not a byte left: removing still works, and gives room.
        store.quota.set(store.size());
        fs.remove(p("/kept"), false).await.unwrap();
        fs.flush(false).await.unwrap();
        fs.tidy().await.unwrap();
        assert!(store.size() < 600_000, "{}", store.size());
        put(&fs, "/new", &noise(6, 500_000)).await.unwrap();
        fs.flush(false).await.unwrap();
        assert_eq!(dump(&open(&store, Access::Read).await).await, dump(&fs).await);
    });
}

#[test]
fn an_atomic_replacement_that_does_not_fit_keeps_the_old_file() {
    block_on(async {
        let store = MemoryStore::new();
        let fs = open(&store, Access::Write).await;
        put(&fs, "/f", b"precious").await.unwrap();
        fs.flush(false).await.unwrap();
        store.quota.set(store.size() + 100_000);
        put(&fs, "/tmp", &noise(1, 500_000)).await.unwrap();
        fs.rename(p("/tmp"), p("/f")).await.unwrap();
        assert_eq!(fs.flush(false).await.unwrap_err().errno, Errno::NoSpace);
        assert_eq!(fs.read(p("/f")).await.unwrap(), b"precious");
        assert_eq!(dump(&open(&store, Access::Read).await).await, dump(&fs).await);
    });
}

#[test]
fn changes_are_stored_within_200_ms_and_not_put_off() {
    let host = host();
    let store = MemoryStore::new();
    let run = host.run(async {
        let budget = ByteBudget::default();
        let fs = PackedFs::open(store.clone(), host.clone(), &budget, Access::Write).await.unwrap();
        for n in 0..30 {
            put(&fs, &format!("/{n}"), b"x").await.unwrap();
            host.sleep(Duration::from_millis(50)).await;
        }
        let stored = open(&store, Access::Read).await;
        let names = stored.list(p("/")).await.unwrap().len();
        assert!(names >= 25, "steady work has kept {names} of 30 files only");
        host.sleep(Duration::from_millis(250)).await;
        assert_eq!(dump(&open(&store, Access::Read).await).await, dump(&fs).await);
        let commits = store.commits.get();
        host.sleep(Duration::from_secs(60)).await;
        assert!(store.commits.get() <= commits + 2, "an idle volume is left alone");
    });
    assert_eq!(run, Some(()));
}

#[test]
fn a_redirect_is_one_operation() {
    let host = host();
    let store = MemoryStore::new();
    let run = host.run(async {
        let budget = ByteBudget::default();
        let fs = PackedFs::open(store.clone(), host.clone(), &budget, Access::Write).await.unwrap();
        put(&fs, "/old", b"old content").await.unwrap();
        let old = fs.open(p("/old"), OpenOptions::WRITE).await.unwrap();
        let new = fs.open(p("/new"), OpenOptions::WRITE).await.unwrap();
        let log = fs.open(p("/log"), OpenOptions::APPEND).await.unwrap();
        for file in [&old, &new, &log] {
            file.append(b"half").await.unwrap();
        }
        assert_eq!(fs.read(p("/old")).await.unwrap(), b"half");
        fs.mkdir(p("/beside")).await.unwrap();
        host.sleep(Duration::from_millis(300)).await;
        fs.flush(false).await.unwrap();
        let stored = open(&store, Access::Read).await;
        assert_eq!(stored.read(p("/old")).await.unwrap(), b"old content");
        assert_eq!(stored.stat(p("/new")).await.unwrap_err().errno, Errno::NotFound);
        assert_eq!(stored.read(p("/log")).await.unwrap(), b"half");
        assert!(stored.stat(p("/beside")).await.is_ok());

        // `sync` keeps what is there, the end the whole.
        fs.flush(true).await.unwrap();
        let stored = open(&store, Access::Read).await;
        assert_eq!(stored.read(p("/old")).await.unwrap(), b"half");
        assert_eq!(stored.read(p("/new")).await.unwrap(), b"half");
        for file in [&old, &new, &log] {
            file.append(b" whole").await.unwrap();
        }
        drop(log);
        fs.rename(p("/new"), p("/beside/new")).await.unwrap();
        fs.flush(false).await.unwrap();
        let stored = open(&store, Access::Read).await;
        assert_eq!(stored.read(p("/old")).await.unwrap(), b"half");
        assert_eq!(stored.read(p("/beside/new")).await.unwrap(), b"half");
        old.close().await.unwrap();
        drop(new);
        host.sleep(Duration::from_millis(300)).await;
        let stored = open(&store, Access::Read).await;
        for path in ["/old", "/beside/new", "/log"] {
            assert_eq!(stored.read(p(path)).await.unwrap(), b"half whole", "{path}");
        }
        assert_eq!(dump(&stored).await, dump(&fs).await);
    });
    assert_eq!(run, Some(()));
}

#[test]
fn a_handle_that_outlives_its_command_is_stored_as_it_is_written() {
    block_on(async {
        let store = MemoryStore::new();
        let fs = open(&store, Access::Write).await;
        let log = fs.open(p("/log"), OpenOptions::WRITE).await.unwrap();
        log.append(b"one").await.unwrap();
        log.store_as_written();
        fs.flush(false).await.unwrap();
        log.append(b" two").await.unwrap();
        fs.flush(false).await.unwrap();
        let stored = open(&store, Access::Read).await;
        assert_eq!(stored.read(p("/log")).await.unwrap(), b"one two");
        assert_eq!(log.close().await, Ok(()));
    });
}

#[test]
fn a_new_file_that_is_moved_or_removed_while_written() {
    block_on(async {
        let store = MemoryStore::new();
        let fs = open(&store, Access::Write).await;
        put(&fs, "/target", b"old").await.unwrap();
        let moved = fs.open(p("/a"), OpenOptions::WRITE).await.unwrap();
        let gone = fs.open(p("/b"), OpenOptions::WRITE).await.unwrap();
        moved.append(b"moved").await.unwrap();
        gone.append(b"gone").await.unwrap();
        fs.rename(p("/a"), p("/target")).await.unwrap();
        fs.remove(p("/b"), false).await.unwrap();
        fs.flush(false).await.unwrap();
        let stored = open(&store, Access::Read).await;
        assert_eq!(stored.read(p("/target")).await.unwrap(), b"moved");
        assert_eq!(dump(&stored).await, dump(&fs).await);
        gone.append(b"!").await.unwrap();
        assert_eq!(gone.close().await, Ok(()));
        drop((gone, moved));
        fs.flush(false).await.unwrap();
        fs.tidy().await.unwrap();
        assert_eq!(fs.check(Care::Verify).await.unwrap().problems, []);
        assert_eq!(dump(&open(&store, Access::Read).await).await, dump(&fs).await);
    });
}

#[test]
fn sync_alone_is_strict() {
    use tabsh::vfs::packed::Durability::{Relaxed, Strict};
    block_on(async {
        let store = MemoryStore::new();
        let fs = open(&store, Access::Write).await;
        store.durabilities.borrow_mut().clear();
        put(&fs, "/f", b"x").await.unwrap();
        fs.flush(false).await.unwrap();
        fs.flush(true).await.unwrap();
        fs.flush(true).await.unwrap();
        fs.flush(false).await.unwrap();
        assert_eq!(*store.durabilities.borrow(), [Relaxed, Strict]);
    });
}

#[test]
fn one_writer_at_a_time() {
    block_on(async {
        let store = MemoryStore::new();
        let first = open(&store, Access::Write).await;
        put(&first, "/f", b"first").await.unwrap();
        first.flush(false).await.unwrap();
        let second = open(&store, Access::Read).await;
        assert!(matches!(second.status(), Status::ReadOnly(_)));
        assert_eq!(put(&second, "/f", b"second").await.unwrap_err().errno, Errno::ReadOnly);
        put(&first, "/g", b"more").await.unwrap();
        first.flush(false).await.unwrap();
        second.reload().await.unwrap();
        assert_eq!(second.read(p("/g")).await.unwrap(), b"more");
        second.take_over().await.unwrap();
        put(&second, "/f", b"second").await.unwrap();
        second.flush(false).await.unwrap();
        put(&first, "/f", b"too late").await.unwrap();
        assert_eq!(first.flush(false).await.unwrap_err().errno, Errno::ReadOnly);
        assert_eq!(put(&first, "/f", b"no").await.unwrap_err().errno, Errno::ReadOnly);
        assert!(matches!(first.status(), Status::ReadOnly(why) if why.contains("another tab")));
        assert_eq!(open(&store, Access::Read).await.read(p("/f")).await.unwrap(), b"second");
    });
}

#[test]
fn a_volume_that_is_closed_for_good_goes_on_in_memory() {
    block_on(async {
        let store = MemoryStore::new();
        let fs = open(&store, Access::Write).await;
        put(&fs, "/f", b"stored").await.unwrap();
        fs.flush(false).await.unwrap();
        *store.fails.borrow_mut() = Some((store.commits.get(), StoreError::Closed));
        put(&fs, "/g", b"kept for now").await.unwrap();
        assert!(fs.flush(false).await.is_err());
        assert!(matches!(fs.status(), Status::Volatile(_)));
        put(&fs, "/h", b"too").await.unwrap();
        fs.flush(false).await.unwrap();
        assert_eq!(fs.read(p("/g")).await.unwrap(), b"kept for now");
        assert_eq!(open(&store, Access::Read).await.list(p("/")).await.unwrap().len(), 1);
    });
}

#[test]
fn a_newer_format_is_only_read() {
    block_on(async {
        let store = MemoryStore::new();
        let fs = open(&store, Access::Write).await;
        put(&fs, "/f", b"x").await.unwrap();
        fs.flush(false).await.unwrap();
        {
            let mut values = store.values.borrow_mut();
            let block = values.get_mut(&(Area::Meta, 0)).unwrap();
            let text = String::from_utf8(block.to_vec()).unwrap().replace("schema 1", "schema 2");
            *block = Rc::new(text.into_bytes());
        }
        let fs = open(&store, Access::Write).await;
        assert!(matches!(fs.status(), Status::ReadOnly(why) if why.contains("newer")));
        assert_eq!(fs.read(p("/f")).await.unwrap(), b"x");
        assert_eq!(put(&fs, "/g", b"").await.unwrap_err().errno, Errno::ReadOnly);
        assert!(!fs.check(Care::Repair).await.unwrap().repaired);
    });
}

/// A volume with some files, and its store.
async fn filled() -> (PackedFs, Rc<MemoryStore>) {
    let store = MemoryStore::new();
    let fs = open(&store, Access::Write).await;
    fs.mkdir(p("/d")).await.unwrap();
    for n in 0..5 {
        put(&fs, &format!("/d/{n}"), &noise(n, 100_000)).await.unwrap();
        fs.flush(false).await.unwrap();
    }
    (fs, store)
}

#[test]
fn a_damaged_checkpoint_falls_back_to_the_one_before() {
    block_on(async {
        let (fs, store) = filled().await;
        let before = dump(&fs).await;
        for _ in 0..2 {
            fs.check(Care::Verify).await.unwrap();
        }
        let newest = {
            let values = store.values.borrow();
            values.keys().filter(|(area, _)| *area == Area::Checkpoint).max().copied().unwrap()
        };
        store
            .values
            .borrow_mut()
            .insert((Area::Checkpoint, newest.1 + 1), Rc::new(b"rubbish".to_vec()));
        let fs = open(&store, Access::Write).await;
        assert_eq!(dump(&fs).await, before);
        assert!(matches!(fs.status(), Status::ReadOnly(why) if why.contains("damaged")));
        assert!(fs.check(Care::Repair).await.unwrap().repaired);
        assert_eq!(fs.status(), Status::Writable);
        let fs = open(&store, Access::Write).await;
        assert_eq!((dump(&fs).await, fs.status()), (before, Status::Writable));
    });
}

#[test]
fn damage_is_found_and_mended() {
    block_on(async {
        // A flipped byte of content, a segment that is gone.
        let (_, store) = filled().await;
        let segments: Vec<_> =
            store.list_segments().into_iter().map(|number| (Area::Segment, number)).collect();
        store
            .values
            .borrow_mut()
            .entry(segments[0])
            .and_modify(|bytes| Rc::make_mut(bytes)[70_000] ^= 1);
        let fs = open(&store, Access::Write).await;
        assert_eq!(fs.read(p("/d/0")).await.unwrap_err().errno, Errno::Io);
        assert_eq!(fs.read_range(p("/d/0"), 0, 100).await.unwrap(), noise(0, 100));
        store.values.borrow_mut().remove(&segments[2]);
        let fs = open(&store, Access::Write).await;
        assert!(matches!(fs.status(), Status::ReadOnly(why) if why.contains("missing")));
        let report = fs.check(Care::Verify).await.unwrap();
        assert_eq!(report.problems.len(), 4, "{:?}", report.problems);
        assert!(fs.check(Care::Repair).await.unwrap().repaired);
        assert_eq!(fs.check(Care::Verify).await.unwrap().problems, []);
        assert_eq!(fs.read(p("/d/1")).await.unwrap(), noise(1, 100_000));
        assert_eq!(fs.read(p("/d/2")).await.unwrap(), vec![0; 100_000]);
        put(&fs, "/d/2", b"again").await.unwrap();
        fs.flush(true).await.unwrap();
        assert_eq!(dump(&open(&store, Access::Read).await).await, dump(&fs).await);
    });
}

#[test]
fn a_lost_record_is_salvaged() {
    block_on(async {
        // The record of the directory is lost; the files that later records put into it are found.
        let (_, store) = filled().await;
        store.values.borrow_mut().insert((Area::Log, 1), Rc::new(b"torn".to_vec()));
        let fs = open(&store, Access::Write).await;
        assert!(matches!(fs.status(), Status::ReadOnly(why) if why.contains("record 1")));
        assert!(fs.list(p("/")).await.unwrap().is_empty());
        let report = fs.check(Care::Repair).await.unwrap();
        assert!(report.repaired);
        let found = fs.list(p("/lost+found")).await.unwrap();
        assert!(!found.is_empty(), "{:?}", report.problems);
        assert_eq!(fs.check(Care::Verify).await.unwrap().problems, []);
        assert_eq!(fs.status(), Status::Writable);
        assert_eq!(dump(&open(&store, Access::Write).await).await, dump(&fs).await);
    });
}

#[test]
fn rubbish_never_panics() {
    block_on(async {
        let (_, store) = filled().await;
        let values = store.values.borrow().clone();
        for (at, (key, bytes)) in values.iter().enumerate() {
            if key.0 == Area::Segment {
                continue;
            }
            for variant in 0..20 {
                let mut bad = bytes.to_vec();
                let pick = noise(variant * 1000 + at as u64, 8);
                let place = u32::from_le_bytes([pick[0], pick[1], pick[2], 0]) as usize % bad.len();
                match variant % 4 {
                    0 => bad.truncate(place),
                    1 => bad[place] ^= pick[3] | 1,
                    2 => bad = noise(variant, place),
                    _ => bad.extend_from_slice(&pick),
                }
                let store = MemoryStore::new();
                *store.values.borrow_mut() = values.clone();
                store.values.borrow_mut().insert(*key, Rc::new(bad));
                let fs = open(&store, Access::Write).await;
                let _ = vfs_suite::dump(&fs, p("/")).await;
                fs.check(Care::Repair).await.unwrap();
                assert_eq!(fs.check(Care::Verify).await.unwrap().problems, []);
            }
        }
    });
}

#[test]
fn small_segments_are_merged_and_dead_ones_dropped() {
    block_on(async {
        let store = MemoryStore::new();
        let fs = open(&store, Access::Write).await;
        for n in 0..300 {
            put(&fs, &format!("/{n}"), &noise(n, 500)).await.unwrap();
            fs.flush(false).await.unwrap();
        }
        assert_eq!(store.count(Area::Segment), 300);
        for _ in 0..40 {
            fs.tidy().await.unwrap();
        }
        assert!(store.count(Area::Segment) < 40, "{}", store.count(Area::Segment));
        let expected = dump(&fs).await;
        let again = open(&store, Access::Write).await;
        assert_eq!(dump(&again).await, expected);
        again.remove(p("/7"), false).await.unwrap();
        for n in 0..300 {
            let _ = again.remove(p(&format!("/{n}")), false).await;
        }
        again.flush(false).await.unwrap();
        again.tidy().await.unwrap();
        assert_eq!(store.count(Area::Segment), 0);
    });
}

#[test]
fn the_log_does_not_grow_forever() {
    block_on(async {
        let store = MemoryStore::new();
        let fs = open(&store, Access::Write).await;
        for n in 0..150 {
            for m in 0..500 {
                put(&fs, &format!("/{m}"), n.to_string().as_bytes()).await.unwrap();
            }
            fs.flush(false).await.unwrap();
            fs.tidy().await.unwrap();
        }
        assert!(store.count(Area::Log) < 120, "{}", store.count(Area::Log));
        assert_eq!(store.count(Area::Checkpoint), 2);
        assert_eq!(dump(&open(&store, Access::Read).await).await, dump(&fs).await);
    });
}

#[test]
fn a_large_file_is_read_in_few_requests_and_little_memory() {
    block_on(async {
        let store = MemoryStore::new();
        let fs = open(&store, Access::Write).await;
        let content = noise(1, 40 << 20);
        put(&fs, "/large", &content).await.unwrap();
        fs.flush(false).await.unwrap();
        let fs = open(&store, Access::Read).await;
        assert_eq!(fs.resident_bytes(), 0);
        store.reads.set(0);
        assert!(fs.read(p("/large")).await.unwrap() == content);
        assert!(store.reads.get() <= 8, "{}", store.reads.get());
        assert!(fs.resident_bytes() <= 25 << 20);
        let head = fs.read_range(p("/large"), 0, 10).await.unwrap();
        assert_eq!(head, content[..10]);
    });
}
