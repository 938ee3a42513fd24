//! Drivers that answer late, with errors or with rubbish: each is an error of that operation, and the next one works.

#![allow(clippy::unwrap_used, reason = "a test says what goes wrong by panicking")]

mod vfs_driver;

use std::rc::Rc;
use std::time::Duration;

use tabsh::host::Host;
use tabsh::io::Errno;
use tabsh::vfs::{Filesystem, OpenOptions, Path, WriteMode};
use vfs_driver::{Held, Mood};

fn p(path: &str) -> &Path {
    Path::new(path)
}

#[test]
fn an_answer_that_never_comes_is_given_up() {
    let held = Rc::<Held>::default();
    let (fs, host) = vfs_driver::filesystem(&held);
    let done = host.run(async {
        fs.write(p("/f"), b"kept", WriteMode::Overwrite).await.unwrap();
        held.mood.set(Mood::Silent);
        let before = host.monotonic();
        assert_eq!(fs.read(p("/f")).await.unwrap_err().errno, Errno::TimedOut);
        assert_eq!(host.monotonic() - before, Duration::from_secs(30));
        let refused = fs.write(p("/f"), b"lost", WriteMode::Overwrite).await.unwrap_err();
        assert_eq!(refused.to_string(), "/f: Connection timed out");
        held.mood.set(Mood::Well);
        assert_eq!(fs.read(p("/f")).await.unwrap(), b"kept");
    });
    assert_eq!(done, Some(()));
}

#[test]
fn rubbish_is_refused() {
    let held = Rc::<Held>::default();
    let (fs, host) = vfs_driver::filesystem(&held);
    let done = host.run(async {
        fs.write(p("/f"), b"kept", WriteMode::Overwrite).await.unwrap();
        held.mood.set(Mood::Rubbish);
        assert_eq!(fs.list(p("/")).await.unwrap_err().errno, Errno::Io);
        assert_eq!(fs.read(p("/f")).await.unwrap_err().errno, Errno::Io);
        assert_eq!(fs.read_range(p("/f"), 1, 2).await.unwrap_err().errno, Errno::Io);
        held.mood.set(Mood::Well);
        assert_eq!(fs.list(p("/")).await.unwrap().len(), 1);
    });
    assert_eq!(done, Some(()));
}

#[test]
fn a_failure_at_the_close_is_told_and_what_was_there_stays() {
    let held = Rc::<Held>::default();
    let (fs, host) = vfs_driver::filesystem(&held);
    let done = host.run(async {
        fs.write(p("/f"), b"old", WriteMode::Overwrite).await.unwrap();
        let file = fs.open(p("/f"), OpenOptions::WRITE).await.unwrap();
        file.append(b"new").await.unwrap();
        assert_eq!(fs.read(p("/f")).await.unwrap(), b"new");
        held.mood.set(Mood::Failing);
        assert_eq!(file.close().await, Err(Errno::Busy));
        held.mood.set(Mood::Well);
        assert_eq!(file.close().await, Ok(()));
        drop(file);
        assert_eq!(fs.read(p("/f")).await.unwrap(), b"new");
        // A handle dropped without its close still saves.
        let file = fs.open(p("/f"), OpenOptions::APPEND).await.unwrap();
        file.append(b"er").await.unwrap();
        drop(file);
        host.yield_now().await;
        host.yield_now().await;
        assert_eq!(fs.read(p("/f")).await.unwrap(), b"newer");
    });
    assert_eq!(done, Some(()));
}

#[test]
fn a_driver_is_asked_little() {
    let held = Rc::<Held>::default();
    let (fs, host) = vfs_driver::filesystem(&held);
    let done = host.run(async {
        let mut path = String::new();
        for _ in 0..50 {
            path.push_str("/d");
            fs.mkdir(p(&path)).await.unwrap();
        }
        let calls = held.calls.get();
        fs.write(p(&format!("{path}/f")), b"x", WriteMode::Overwrite).await.unwrap();
        assert!(held.calls.get() - calls <= 4, "{}", held.calls.get() - calls);
        let calls = held.calls.get();
        fs.stat(p(&format!("{path}/f"))).await.unwrap();
        assert_eq!(held.calls.get() - calls, 1);
    });
    assert_eq!(done, Some(()));
}
