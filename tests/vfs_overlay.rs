//! What only an overlay does: a lower layer that is never written, changes told, committed, reset.

#![allow(clippy::unwrap_used, reason = "a test says what goes wrong by panicking")]

#[allow(dead_code, reason = "the whole suite runs elsewhere")]
mod vfs_suite;

use std::rc::Rc;

use futures::executor::block_on;
use tabsh::host::{FakeHost, Timestamp};
use tabsh::io::Errno;
use tabsh::vfs::{
    ByteBudget, ChangeKind, DevFs, Filesystem, MemoryFs, OpenOptions, OverlayFs, Path, VfsRouter,
    WriteMode,
};

fn p(path: &str) -> &Path {
    Path::new(path)
}

async fn put(fs: &dyn Filesystem, path: &str, text: &str) {
    fs.write(p(path), text.as_bytes(), WriteMode::Overwrite).await.unwrap();
}

async fn get(fs: &dyn Filesystem, path: &str) -> String {
    String::from_utf8(fs.read(p(path)).await.unwrap()).unwrap()
}

async fn dump(fs: &dyn Filesystem) -> Vec<String> {
    vfs_suite::dump(fs, p("/")).await.unwrap()
}

/// `dump` without inode-like details that a copy need not keep.
async fn shape(fs: &dyn Filesystem) -> Vec<String> {
    dump(fs).await
}

fn host() -> Rc<FakeHost> {
    Rc::new(FakeHost::new(Timestamp { seconds: 1_700_000_000, nanos: 5 }, 1))
}

async fn layers() -> (Rc<MemoryFs>, OverlayFs) {
    let lower = Rc::new(MemoryFs::new(host(), &ByteBudget::default()));
    for dir in ["/d", "/d/e", "/gone"] {
        lower.mkdir(p(dir)).await.unwrap();
    }
    for file in ["/f", "/d/g", "/d/e/h", "/gone/x"] {
        put(&*lower, file, &format!("old {file}")).await;
    }
    lower.symlink(p("d/g"), p("/l")).await.unwrap();
    lower.set_mode(p("/d/g"), 0o600).await.unwrap();
    let overlay = OverlayFs::new(lower.clone(), host(), &ByteBudget::default());
    (lower, overlay)
}

async fn change_much(fs: &OverlayFs) {
    put(fs, "/f", "new f").await;
    put(fs, "/d/new", "added").await;
    put(fs, "/l", "through the link").await;
    fs.remove(p("/gone"), true).await.unwrap();
    fs.mkdir(p("/gone")).await.unwrap();
    put(fs, "/gone/y", "other").await;
    fs.rename(p("/d/e"), p("/moved")).await.unwrap();
    fs.set_mode(p("/moved/h"), 0o640).await.unwrap();
}

async fn status(fs: &OverlayFs) -> Vec<String> {
    let changes = fs.status().await.unwrap();
    let line = |change: &tabsh::vfs::Change| {
        let letter = match change.kind {
            ChangeKind::Added => 'A',
            ChangeKind::Modified => 'M',
            ChangeKind::Removed => 'D',
        };
        format!("{letter} {}{}", change.path, if change.stale { " stale" } else { "" })
    };
    changes.iter().map(line).collect()
}

#[test]
fn the_lower_layer_is_never_written() {
    block_on(async {
        let (lower, fs) = layers().await;
        let before = dump(&*lower).await;
        assert_eq!(dump(&fs).await, before);
        assert!(status(&fs).await.is_empty());
        change_much(&fs).await;
        let file = fs.open(p("/d/g"), OpenOptions::APPEND).await.unwrap();
        file.append(b"!").await.unwrap();
        assert_eq!(dump(&*lower).await, before);
        assert_eq!(get(&fs, "/d/g").await, "through the link!");
        assert_eq!(fs.stat(p("/d/g")).await.unwrap().mode, 0o600);
        assert_eq!(fs.stat(p("/gone/x")).await.unwrap_err().errno, Errno::NotFound);
        assert_eq!(get(&fs, "/moved/h").await, "old /d/e/h");
    });
}

#[test]
fn status_and_diff_tell_what_changed() {
    block_on(async {
        let (_, fs) = layers().await;
        change_much(&fs).await;
        let expected = [
            "D /d/e",
            "D /d/e/h",
            "M /d/g",
            "A /d/new",
            "M /f",
            "M /gone",
            "D /gone/x",
            "A /gone/y",
            "A /moved",
            "A /moved/h",
        ];
        assert_eq!(status(&fs).await, expected);
        let diff = fs.diff().await.unwrap();
        let f = diff.iter().find(|change| change.path == p("/f")).unwrap();
        assert_eq!(f.before.as_deref(), Some(&b"old /f"[..]));
        assert_eq!(f.after.as_deref(), Some(&b"new f"[..]));
        let x = diff.iter().find(|change| change.path == p("/gone/x")).unwrap();
        assert_eq!((x.before.as_deref(), &x.after), (Some(&b"old /gone/x"[..]), &None));
        // What is put back as it was is no change.
        fs.reset_at(p("/gone")).await.unwrap();
        assert_eq!(get(&fs, "/gone/x").await, "old /gone/x");
        fs.reset();
        assert!(status(&fs).await.is_empty());
        assert_eq!(get(&fs, "/f").await, "old /f");
    });
}

#[test]
fn a_commit_makes_the_lower_layer_the_same() {
    block_on(async {
        let (lower, fs) = layers().await;
        change_much(&fs).await;
        let expected = shape(&fs).await;
        fs.commit().await.unwrap();
        assert!(status(&fs).await.is_empty());
        let without_times = |lines: Vec<String>| -> Vec<String> {
            lines.iter().map(|line| line.split(" Timestamp").next().unwrap().to_owned()).collect()
        };
        assert_eq!(without_times(shape(&*lower).await), without_times(expected.clone()));
        assert_eq!(shape(&fs).await.len(), expected.len());
        assert_eq!(get(&*lower, "/d/g").await, "through the link");
        assert_eq!(lower.stat(p("/moved/h")).await.unwrap().mode, 0o640);
    });
}

#[test]
fn a_stale_base_refuses_the_whole_commit() {
    block_on(async {
        let (lower, fs) = layers().await;
        change_much(&fs).await;
        put(&*lower, "/f", "meanwhile").await;
        let before = dump(&*lower).await;
        assert!(status(&fs).await.contains(&"M /f stale".to_owned()));
        let error = fs.commit().await.unwrap_err();
        assert_eq!((error.errno, error.path.as_str()), (Errno::Busy, "/f"));
        assert_eq!(dump(&*lower).await, before);
        fs.reset_at(p("/f")).await.unwrap();
        put(&*lower, "/d/new", "came first").await;
        assert_eq!(fs.commit().await.unwrap_err().path.as_str(), "/d/new");
        lower.remove(p("/d/new"), false).await.unwrap();
        fs.commit().await.unwrap();
        assert_eq!(get(&*lower, "/f").await, "meanwhile");
        assert_eq!(get(&*lower, "/d/new").await, "added");
    });
}

#[test]
fn a_commit_that_fails_is_taken_back() {
    block_on(async {
        let budget = ByteBudget::new(2000);
        let lower = Rc::new(MemoryFs::new(host(), &budget));
        put(&*lower, "/a", "old a").await;
        put(&*lower, "/b", "old b").await;
        lower.mkdir(p("/dir")).await.unwrap();
        let fs = OverlayFs::new(lower.clone(), host(), &ByteBudget::default());
        put(&fs, "/a", "new a").await;
        fs.remove(p("/b"), false).await.unwrap();
        fs.remove(p("/dir"), false).await.unwrap();
        put(&fs, "/dir", "a file now").await;
        put(&fs, "/z", &"z".repeat(5000)).await;
        let before = dump(&*lower).await;
        assert_eq!(fs.commit().await.unwrap_err().errno, Errno::NoSpace);
        assert_eq!(dump(&*lower).await, before);
        fs.remove(p("/z"), false).await.unwrap();
        fs.commit().await.unwrap();
        assert_eq!(get(&*lower, "/dir").await, "a file now");
    });
}

#[test]
fn forks_and_snapshots_go_their_own_way() {
    block_on(async {
        let (_, fs) = layers().await;
        change_much(&fs).await;
        let (snapshot, fork) = (fs.snapshot(), fs.fork());
        let then = dump(&fs).await;
        put(&fs, "/f", "later").await;
        fs.remove(p("/d"), true).await.unwrap();
        assert_eq!(dump(&fork).await, then);
        put(&fork, "/f", "in the fork").await;
        fs.restore(&snapshot);
        assert_eq!(dump(&fs).await, then);
        assert_eq!(get(&fork, "/f").await, "in the fork");
    });
}

#[test]
fn devices_are_written_through_and_read_only_places_can_be_changed() {
    block_on(async {
        let router = VfsRouter::new();
        let root = Rc::new(MemoryFs::new(host(), &ByteBudget::default()));
        router.mount(p("/"), root.clone());
        router.mount(p("/dev"), Rc::new(DevFs::new(host())));
        root.mkdir(p("/locked")).await.unwrap();
        put(&*root, "/locked/f", "old").await;
        root.set_mode(p("/locked"), 0o555).await.unwrap();
        let fs = OverlayFs::new(Rc::new(router), host(), &ByteBudget::default());
        put(&fs, "/dev/null", "x").await;
        assert!(fs.open(p("/dev/null"), OpenOptions::WRITE).await.is_ok());
        assert!(status(&fs).await.is_empty());
        put(&fs, "/locked/f", "new").await;
        assert_eq!(get(&fs, "/locked/f").await, "new");
        let denied = fs.write(p("/locked/g"), b"", WriteMode::Overwrite).await;
        assert_eq!(denied.unwrap_err().errno, Errno::PermissionDenied);
        assert_eq!(status(&fs).await, ["M /locked/f"]);
    });
}

#[test]
fn running_out_of_memory_changes_nothing() {
    block_on(async {
        let (_, _) = layers().await;
        let lower = Rc::new(MemoryFs::new(host(), &ByteBudget::default()));
        put(&*lower, "/f", &"f".repeat(10_000)).await;
        let fs = OverlayFs::new(lower.clone(), host(), &ByteBudget::new(5000));
        let appended = fs.append(p("/f"), b"x").await;
        assert_eq!(appended.unwrap_err().errno, Errno::NoSpace);
        let written = fs.write(p("/g"), &[0; 6000], WriteMode::Overwrite).await;
        assert_eq!(written.unwrap_err().errno, Errno::NoSpace);
        assert!(status(&fs).await.is_empty());
        assert_eq!(dump(&fs).await, dump(&*lower).await);
    });
}
