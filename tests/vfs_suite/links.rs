//! Symbolic and hard links: followed where they must be, never where they must not.

use tabsh::io::Errno;
use tabsh::vfs::{FileKind, OpenOptions, Path, WriteMode};

use super::{Subject, Verdict, cases, same};

cases!(|able| able.writing && able.symlinks;
    follow_and_not, dangling, chains_and_loops, through_directories, dots_after_links,
    removal_never_follows, rename_never_follows, writing_through_links, target_is_verbatim,
    trailing_slash, hard_links, hard_link_of_a_link
);

async fn follow_and_not(t: &Subject) -> Verdict {
    t.put("f", b"text").await?;
    t.symlink("f", "l").await?;
    same!(t.text("l").await?, "text");
    same!(
        t.fs.stat(&t.path("l")).await.map(|found| (found.kind, found.len)),
        Ok((FileKind::File, 4))
    );
    let link = t.fs.lstat(&t.path("l")).await.map(|found| (found.kind, found.len, found.mode));
    same!(link, Ok((FileKind::Symlink, 1, 0o777)));
    same!(t.fs.read_link(&t.path("l")).await.map(|target| target.to_string()), Ok("f".into()));
    same!(t.fails(t.fs.symlink(Path::new("x"), &t.path("l"))).await?, Errno::AlreadyExists);
    Ok(())
}

async fn dangling(t: &Subject) -> Verdict {
    t.symlink("nowhere", "l").await?;
    same!(t.fails(t.fs.read(&t.path("l"))).await?, Errno::NotFound);
    same!(t.fails(t.fs.stat(&t.path("l"))).await?, Errno::NotFound);
    same!(t.fs.lstat(&t.path("l")).await.is_ok(), true);
    same!(t.fails(t.fs.mkdir(&t.path("l"))).await?, Errno::AlreadyExists);
    same!(
        t.fails(t.fs.write(&t.path("l"), b"", WriteMode::CreateNew)).await?,
        Errno::AlreadyExists
    );
    t.put("l", b"made").await?;
    same!(t.text("nowhere").await?, "made");
    same!(t.fails(t.fs.symlink(Path::new(""), &t.path("empty"))).await?, Errno::NotFound);
    Ok(())
}

async fn chains_and_loops(t: &Subject) -> Verdict {
    t.put("l0", b"end").await?;
    for n in 1..=41 {
        t.symlink(&format!("l{}", n - 1), &format!("l{n}")).await?;
    }
    same!(t.text("l40").await?, "end");
    same!(t.fails(t.fs.read(&t.path("l41"))).await?, Errno::SymlinkLoop);
    t.symlink("b", "a").await?;
    t.symlink("a", "b").await?;
    t.symlink("self/x", "self").await?;
    same!(t.fails(t.fs.stat(&t.path("a"))).await?, Errno::SymlinkLoop);
    same!(t.fails(t.fs.read(&t.path("a/x"))).await?, Errno::SymlinkLoop);
    same!(t.fails(t.fs.stat(&t.path("self"))).await?, Errno::SymlinkLoop);
    t.remove("self", true).await?;
    Ok(())
}

async fn through_directories(t: &Subject) -> Verdict {
    t.mkdir("d").await?;
    t.put("d/f", b"in d").await?;
    t.symlink("d", "ld").await?;
    t.symlink("../d/f", "d/up").await?;
    same!(t.text("ld/f").await?, "in d");
    same!(t.text("ld/up").await?, "in d");
    same!(t.names("ld").await?, ["f", "up"]);
    t.put("ld/new", b"x").await?;
    t.mkdir("ld/sub").await?;
    same!(t.names("d").await?, ["f", "new", "sub", "up"]);
    Ok(())
}

async fn dots_after_links(t: &Subject) -> Verdict {
    for dir in ["a", "a/b", "c"] {
        t.mkdir(dir).await?;
    }
    t.put("a/f", b"in a").await?;
    t.put("f", b"top").await?;
    t.symlink("../a/b", "c/l").await?;
    same!(t.text("c/l/../f").await?, "in a");
    same!(t.text("c/l/../../f").await?, "top");
    same!(t.text("c/../f").await?, "top");
    Ok(())
}

async fn removal_never_follows(t: &Subject) -> Verdict {
    t.mkdir("keep").await?;
    t.put("keep/f", b"x").await?;
    t.mkdir("d").await?;
    t.symlink("../keep", "d/l").await?;
    t.symlink("keep", "l").await?;
    t.remove("l", true).await?;
    t.remove("d", true).await?;
    same!(t.names("").await?, ["keep"]);
    same!(t.text("keep/f").await?, "x");
    Ok(())
}

async fn rename_never_follows(t: &Subject) -> Verdict {
    t.put("f", b"f").await?;
    t.put("g", b"g").await?;
    t.symlink("f", "l").await?;
    t.rename("l", "m").await?;
    same!(t.fs.read_link(&t.path("m")).await.map(|target| target.to_string()), Ok("f".into()));
    t.rename("g", "m").await?;
    same!((t.text("m").await?.as_str(), t.text("f").await?.as_str()), ("g", "f"));
    same!(t.fs.lstat(&t.path("m")).await.map(|found| found.kind), Ok(FileKind::File));
    Ok(())
}

async fn writing_through_links(t: &Subject) -> Verdict {
    t.put("f", b"old").await?;
    t.symlink("f", "l").await?;
    t.put("l", b"new").await?;
    same!(t.fs.append(&t.path("l"), b"er").await.is_ok(), true);
    let file = t.open("l", OpenOptions::APPEND).await?;
    same!(file.append(b"!").await, Ok(()));
    same!(file.close().await, Ok(()));
    same!(t.text("f").await?, "newer!");
    same!(t.fs.lstat(&t.path("l")).await.map(|found| found.kind), Ok(FileKind::Symlink));
    Ok(())
}

async fn target_is_verbatim(t: &Subject) -> Verdict {
    for (at, target) in ["a/../b", "./x", "x/", "..//y", "\u{e9} \n", "..."].iter().enumerate() {
        let link = format!("l{at}");
        t.symlink(target, &link).await?;
        let found = t.fs.read_link(&t.path(&link)).await.map(|found| found.to_string());
        same!(found.as_deref(), Ok(*target));
    }
    Ok(())
}

async fn trailing_slash(t: &Subject) -> Verdict {
    t.mkdir("d").await?;
    t.put("f", b"").await?;
    t.symlink("d", "ld").await?;
    t.symlink("f", "lf").await?;
    same!(t.fs.lstat(&t.path("ld/")).await.map(|found| found.kind), Ok(FileKind::Directory));
    same!(t.fails(t.fs.lstat(&t.path("lf/"))).await?, Errno::NotDirectory);
    Ok(())
}

async fn hard_links(t: &Subject) -> Verdict {
    if !t.fs.capabilities().hard_links {
        return Ok(());
    }
    t.put("a", b"one").await?;
    t.mkdir("d").await?;
    same!(t.fs.hard_link(&t.path("a"), &t.path("d/b")).await.is_ok(), true);
    t.put("d/b", b"two").await?;
    same!(t.text("a").await?, "two");
    let (a, b) = (t.fs.stat(&t.path("a")).await, t.fs.stat(&t.path("d/b")).await);
    same!(a, b);
    same!(a.map(|found| found.links), Ok(2));
    t.rename("a", "d/b").await?;
    same!(t.names("").await?, ["a", "d"]);
    t.remove("d", true).await?;
    same!(t.fs.stat(&t.path("a")).await.map(|found| found.links), Ok(1));
    same!(t.text("a").await?, "two");
    t.mkdir("e").await?;
    same!(t.fails(t.fs.hard_link(&t.path("e"), &t.path("e2"))).await?, Errno::NotPermitted);
    same!(t.fails(t.fs.hard_link(&t.path("a"), &t.path("e"))).await?, Errno::AlreadyExists);
    same!(t.fails(t.fs.hard_link(&t.path("no"), &t.path("n"))).await?, Errno::NotFound);
    Ok(())
}

async fn hard_link_of_a_link(t: &Subject) -> Verdict {
    if !t.fs.capabilities().hard_links {
        return Ok(());
    }
    t.symlink("f", "l").await?;
    same!(t.fs.hard_link(&t.path("l"), &t.path("m")).await.is_ok(), true);
    same!(t.fs.lstat(&t.path("m")).await.map(|found| found.kind), Ok(FileKind::Symlink));
    Ok(())
}
