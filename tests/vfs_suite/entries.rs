//! Directories and their entries: names, removal, renaming, attributes.

use tabsh::host::Timestamp;
use tabsh::io::Errno;
use tabsh::vfs::FileKind;

use super::{Subject, Verdict, cases, same};

cases!(|able| able.writing;
    listing_is_sorted_by_bytes, odd_names, long_names, dots_and_slashes, new_entries_metadata,
    remove_files_and_directories, rename_files, rename_directories, rename_onto_itself,
    rename_into_itself, rename_keeps_attributes, link_counts_of_directories, attributes
);

async fn listing_is_sorted_by_bytes(t: &Subject) -> Verdict {
    for name in ["b", "a", "B", "ä", "a0", "a.b", "~", "10", "9"] {
        t.put(name, b"").await?;
    }
    t.mkdir("dir").await?;
    same!(t.names("").await?, ["10", "9", "B", "a", "a.b", "a0", "b", "dir", "~", "ä"]);
    Ok(())
}

async fn odd_names(t: &Subject) -> Verdict {
    let names = [
        "__proto__",
        "constructor",
        "-n",
        "--",
        " ",
        "a b",
        "a\nb",
        "a\\b",
        "*",
        "?",
        "[x]",
        "...",
        "$HOME",
        "'q'",
        "\"",
        "\u{1f600}",
        "\u{e9}",
        "e\u{301}",
        "\u{fffd}",
        "\u{7f}",
        "\u{202e}rtl",
        "\u{1}",
        "CON",
        "a:b",
        "#",
        "%2f",
        "~user",
        "\u{10ffff}",
    ];
    for name in names {
        t.put(name, name.as_bytes()).await?;
    }
    let mut sorted = names.map(str::to_owned);
    sorted.sort_unstable();
    same!(t.names("").await?, sorted);
    for name in names {
        same!(t.text(name).await?, name);
    }
    for name in names {
        t.remove(name, false).await?;
    }
    same!(t.names("").await?, [""; 0]);
    Ok(())
}

async fn long_names(t: &Subject) -> Verdict {
    let (fits, too_long) = ("n".repeat(255), "n".repeat(256));
    t.put(&fits, b"x").await?;
    same!(t.names("").await?, std::slice::from_ref(&fits));
    let new = t.path(&too_long);
    same!(t.fails(t.fs.mkdir(&new)).await?, Errno::NameTooLong);
    same!(t.fails(t.fs.stat(&new)).await?, Errno::NameTooLong);
    same!(t.fails(t.fs.rename(&t.path(&fits), &new)).await?, Errno::NameTooLong);
    let path = t.path(&"d/".repeat(2100));
    same!(t.fails(t.fs.stat(&path)).await?, Errno::NameTooLong);
    same!(t.fails(t.fs.mkdir(&t.path("a\0b"))).await?, Errno::Invalid);
    let umlauts = "\u{e4}".repeat(127);
    t.mkdir(&umlauts).await?;
    same!(t.fails(t.fs.mkdir(&t.path(&"\u{e4}".repeat(128)))).await?, Errno::NameTooLong);
    Ok(())
}

async fn dots_and_slashes(t: &Subject) -> Verdict {
    t.mkdir("d").await?;
    t.mkdir("d/e").await?;
    t.put("d/f", b"x").await?;
    for path in ["d/./f", "d//f", "d/e/../f", "./d/e/.././../d/f"] {
        same!(t.text(path).await?, "x");
    }
    t.mkdir("d/g/").await?;
    same!(t.names("d/").await?, ["e", "f", "g"]);
    same!(t.fails(t.fs.stat(&t.path("d/f/"))).await?, Errno::NotDirectory);
    same!(t.fails(t.fs.stat(&t.path("d/f/."))).await?, Errno::NotDirectory);
    same!(t.fails(t.fs.stat(&t.path("d/no/../f"))).await?, Errno::NotFound);
    same!(t.fails(t.fs.stat(&t.path("d/f/../f"))).await?, Errno::NotDirectory);
    Ok(())
}

async fn new_entries_metadata(t: &Subject) -> Verdict {
    t.put("f", b"four").await?;
    t.mkdir("d").await?;
    let f = t.fs.stat(&t.path("f")).await.map_err(|error| error.to_string())?;
    same!((f.kind, f.len, f.links), (FileKind::File, 4, 1));
    let d = t.fs.stat(&t.path("d")).await.map_err(|error| error.to_string())?;
    same!((d.kind, d.links), (FileKind::Directory, 2));
    same!(f.inode != d.inode, true);
    if t.fs.capabilities().modes {
        same!((f.mode, d.mode), (0o644, 0o755));
    }
    let listed = t.fs.list(&t.path("")).await.map_err(|error| error.to_string())?;
    same!(listed.iter().map(|entry| entry.metadata.clone()).collect::<Vec<_>>(), [d, f]);
    Ok(())
}

async fn remove_files_and_directories(t: &Subject) -> Verdict {
    t.mkdir("d").await?;
    t.mkdir("d/e").await?;
    t.put("d/e/f", b"x").await?;
    same!(t.fails(t.fs.remove(&t.path("d"), false)).await?, Errno::DirectoryNotEmpty);
    t.remove("d/e/f", false).await?;
    t.remove("d/e", false).await?;
    same!(t.names("d").await?, [""; 0]);
    t.put("d/a", b"").await?;
    t.mkdir("d/b").await?;
    t.put("d/b/c", b"").await?;
    t.remove("d", true).await?;
    same!(t.fails(t.fs.stat(&t.path("d"))).await?, Errno::NotFound);
    same!(t.fails(t.fs.remove(&t.path("d"), true)).await?, Errno::NotFound);
    t.put("f", b"").await?;
    t.remove("f", true).await?;
    same!(t.names("").await?, [""; 0]);
    Ok(())
}

async fn rename_files(t: &Subject) -> Verdict {
    t.put("a", b"a").await?;
    t.put("b", b"b").await?;
    t.mkdir("d").await?;
    t.rename("a", "c").await?;
    same!(t.names("").await?, ["b", "c", "d"]);
    t.rename("c", "b").await?;
    same!(t.text("b").await?, "a");
    t.rename("b", "d/b").await?;
    same!((t.names("").await?, t.names("d").await?), (vec!["d".into()], vec!["b".into()]));
    same!(t.fails(t.fs.rename(&t.path("d/b"), &t.path("d"))).await?, Errno::IsDirectory);
    same!(t.fails(t.fs.rename(&t.path("no"), &t.path("x"))).await?, Errno::NotFound);
    same!(t.fails(t.fs.rename(&t.path("d/b"), &t.path("no/x"))).await?, Errno::NotFound);
    same!(t.fails(t.fs.rename(&t.path("d/b"), &t.path("d/b/x"))).await?, Errno::NotDirectory);
    same!(t.text("d/b").await?, "a");
    Ok(())
}

async fn rename_directories(t: &Subject) -> Verdict {
    for dir in ["a", "a/b", "e", "full", "full/x"] {
        t.mkdir(dir).await?;
    }
    t.put("a/b/f", b"deep").await?;
    t.put("file", b"").await?;
    let to = async |to: &str| t.fails(t.fs.rename(&t.path("a"), &t.path(to))).await;
    same!(to("file").await?, Errno::NotDirectory);
    same!(to("full").await?, Errno::DirectoryNotEmpty);
    t.rename("a", "e").await?;
    same!(t.text("e/b/f").await?, "deep");
    t.rename("e/b", "full/b").await?;
    same!(t.text("full/b/../b/f").await?, "deep");
    same!(t.names("full/b/..").await?, ["b", "x"]);
    t.rename("full/b", "new/").await?;
    same!(t.names("").await?, ["e", "file", "full", "new"]);
    Ok(())
}

async fn rename_onto_itself(t: &Subject) -> Verdict {
    t.put("f", b"kept").await?;
    t.mkdir("d").await?;
    t.rename("f", "f").await?;
    t.rename("d", "d").await?;
    t.rename("f", "d/../f").await?;
    same!(t.text("f").await?, "kept");
    same!(t.names("").await?, ["d", "f"]);
    Ok(())
}

async fn rename_into_itself(t: &Subject) -> Verdict {
    t.mkdir("d").await?;
    t.mkdir("d/e").await?;
    same!(t.fails(t.fs.rename(&t.path("d"), &t.path("d/x"))).await?, Errno::Invalid);
    same!(t.fails(t.fs.rename(&t.path("d"), &t.path("d/e/x"))).await?, Errno::Invalid);
    same!(t.names("d").await?, ["e"]);
    Ok(())
}

async fn rename_keeps_attributes(t: &Subject) -> Verdict {
    t.put("f", b"x").await?;
    let before = t.fs.stat(&t.path("f")).await.map_err(|error| error.to_string())?;
    t.rename("f", "g").await?;
    let mut after = t.fs.stat(&t.path("g")).await.map_err(|error| error.to_string())?;
    if !t.fs.capabilities().hard_links {
        after.inode = before.inode;
    }
    same!(after, before);
    Ok(())
}

async fn link_counts_of_directories(t: &Subject) -> Verdict {
    if !t.fs.capabilities().hard_links {
        return Ok(());
    }
    let links = async |path: &str| t.fs.stat(&t.path(path)).await.map(|found| found.links);
    for dir in ["a", "a/1", "a/2", "b", "b/3"] {
        t.mkdir(dir).await?;
    }
    same!((links("a").await, links("b").await), (Ok(4), Ok(3)));
    t.rename("a/1", "b/1").await?;
    same!((links("a").await, links("b").await), (Ok(3), Ok(4)));
    t.rename("a/2", "b/3").await?;
    same!((links("a").await, links("b").await), (Ok(2), Ok(4)));
    t.remove("b/1", true).await?;
    same!(links("b").await, Ok(3));
    Ok(())
}

async fn attributes(t: &Subject) -> Verdict {
    let able = t.fs.capabilities();
    t.put("f", b"x").await?;
    t.mkdir("d").await?;
    if able.times {
        for (path, time) in [("f", 1_000_000_000), ("d", -5)] {
            let time = Timestamp { seconds: time, nanos: 123_456_789 };
            same!(t.fs.set_mtime(&t.path(path), time).await.is_ok(), true);
            same!(t.fs.stat(&t.path(path)).await.map(|found| found.modified), Ok(time));
        }
        same!(t.fails(t.fs.set_mtime(&t.path("no"), Timestamp::default())).await?, Errno::NotFound);
    }
    if able.modes {
        for (path, mode) in [("f", 0o4751), ("d", 0o700)] {
            same!(t.fs.set_mode(&t.path(path), mode).await.is_ok(), true);
            same!(t.fs.stat(&t.path(path)).await.map(|found| found.mode), Ok(mode));
        }
        same!(t.fails(t.fs.set_mode(&t.path("no"), 0o600)).await?, Errno::NotFound);
    }
    Ok(())
}
