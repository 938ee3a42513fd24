//! Which error each mistake gives, in which words, and that it changes nothing.

use tabsh::io::Errno;
use tabsh::vfs::{OpenOptions, WriteMode};

use super::{Subject, Verdict, cases, dump, same};

cases!(|able| able.writing; wrong_kinds, missing, words_and_path, permissions, failures_change_nothing);

async fn wrong_kinds(t: &Subject) -> Verdict {
    t.put("f", b"x").await?;
    t.mkdir("d").await?;
    let (f, d, below) = (t.path("f"), t.path("d"), t.path("f/x"));
    same!(t.fails(t.fs.read(&d)).await?, Errno::IsDirectory);
    same!(t.fails(t.fs.write(&d, b"", WriteMode::Overwrite)).await?, Errno::IsDirectory);
    same!(t.fails(t.fs.append(&d, b"")).await?, Errno::IsDirectory);
    same!(t.fails(t.fs.open(&d, OpenOptions::READ)).await?, Errno::IsDirectory);
    same!(t.fails(t.fs.open(&d, OpenOptions::WRITE)).await?, Errno::IsDirectory);
    same!(t.fails(t.fs.list(&f)).await?, Errno::NotDirectory);
    same!(t.fails(t.fs.read(&below)).await?, Errno::NotDirectory);
    same!(t.fails(t.fs.stat(&below)).await?, Errno::NotDirectory);
    same!(t.fails(t.fs.mkdir(&below)).await?, Errno::NotDirectory);
    same!(t.fails(t.fs.write(&below, b"", WriteMode::Overwrite)).await?, Errno::NotDirectory);
    same!(t.fails(t.fs.remove(&below, true)).await?, Errno::NotDirectory);
    same!(t.fails(t.fs.mkdir(&f)).await?, Errno::AlreadyExists);
    same!(t.fails(t.fs.mkdir(&d)).await?, Errno::AlreadyExists);
    same!(t.fails(t.fs.read_link(&f)).await?, Errno::Invalid);
    same!(
        t.fails(t.fs.write(&t.path("new/"), b"", WriteMode::Overwrite)).await?,
        Errno::IsDirectory
    );
    Ok(())
}

async fn missing(t: &Subject) -> Verdict {
    for path in ["no", "no/deeper", "./no/."] {
        let path = t.path(path);
        same!(t.fails(t.fs.read(&path)).await?, Errno::NotFound);
        same!(t.fails(t.fs.list(&path)).await?, Errno::NotFound);
        same!(t.fails(t.fs.stat(&path)).await?, Errno::NotFound);
        same!(t.fails(t.fs.lstat(&path)).await?, Errno::NotFound);
        same!(t.fails(t.fs.remove(&path, true)).await?, Errno::NotFound);
        same!(t.fails(t.fs.read_link(&path)).await?, Errno::NotFound);
        same!(t.fails(t.fs.open(&path, OpenOptions::READ)).await?, Errno::NotFound);
        same!(t.fails(t.fs.copy(&path, &t.path("x"))).await?, Errno::NotFound);
    }
    let deeper = t.path("no/deeper");
    same!(t.fails(t.fs.mkdir(&deeper)).await?, Errno::NotFound);
    same!(t.fails(t.fs.append(&deeper, b"")).await?, Errno::NotFound);
    same!(t.fails(t.fs.open(&deeper, OpenOptions::WRITE)).await?, Errno::NotFound);
    same!(t.names("").await?, [""; 0]);
    Ok(())
}

async fn words_and_path(t: &Subject) -> Verdict {
    let path = t.path("no");
    let error = t.fs.read(&path).await.err().ok_or("it should have failed")?;
    same!(error.path, path);
    same!(error.errno.name(), "ENOENT");
    same!(error.to_string(), format!("{path}: No such file or directory"));
    Ok(())
}

async fn permissions(t: &Subject) -> Verdict {
    if !t.fs.capabilities().permissions {
        return Ok(());
    }
    t.put("f", b"secret").await?;
    t.mkdir("d").await?;
    t.put("d/g", b"x").await?;
    let (f, d, g) = (t.path("f"), t.path("d"), t.path("d/g"));
    let mode = async |path, mode| t.fs.set_mode(path, mode).await.is_ok();
    same!(mode(&f, 0o444).await, true);
    same!(t.text("f").await?, "secret");
    same!(t.fails(t.fs.write(&f, b"", WriteMode::Overwrite)).await?, Errno::PermissionDenied);
    same!(t.fails(t.fs.append(&f, b"x")).await?, Errno::PermissionDenied);
    same!(t.fails(t.fs.open(&f, OpenOptions::WRITE)).await?, Errno::PermissionDenied);
    same!(mode(&f, 0o200).await, true);
    same!(t.fails(t.fs.read(&f)).await?, Errno::PermissionDenied);
    same!(mode(&d, 0o500).await, true);
    same!(t.text("d/g").await?, "x");
    same!(t.fails(t.fs.remove(&g, false)).await?, Errno::PermissionDenied);
    same!(t.fails(t.fs.mkdir(&t.path("d/new"))).await?, Errno::PermissionDenied);
    same!(t.fails(t.fs.rename(&g, &t.path("g"))).await?, Errno::PermissionDenied);
    same!(t.fails(t.fs.remove(&d, true)).await?, Errno::PermissionDenied);
    same!(mode(&d, 0o600).await, true);
    same!(t.fails(t.fs.read(&g)).await?, Errno::PermissionDenied);
    same!(mode(&d, 0o300).await, true);
    same!(t.fails(t.fs.list(&d)).await?, Errno::PermissionDenied);
    same!(mode(&d, 0o755).await, true);
    Ok(())
}

async fn failures_change_nothing(t: &Subject) -> Verdict {
    t.mkdir("d").await?;
    t.mkdir("d/e").await?;
    t.put("d/f", b"x").await?;
    t.put("f", b"y").await?;
    let before = dump(&*t.fs, &t.dir).await?;
    let (d, f) = (t.path("d"), t.path("f"));
    let _ = t.fails(t.fs.remove(&d, false)).await?;
    let _ = t.fails(t.fs.rename(&f, &d)).await?;
    let _ = t.fails(t.fs.rename(&d, &f)).await?;
    let _ = t.fails(t.fs.rename(&d, &t.path("d/e/x"))).await?;
    let _ = t.fails(t.fs.write(&f, b"z", WriteMode::CreateNew)).await?;
    let _ = t.fails(t.fs.mkdir(&f)).await?;
    let _ = t.fails(t.fs.copy(&f, &d)).await?;
    same!(dump(&*t.fs, &t.dir).await?, before);
    Ok(())
}
