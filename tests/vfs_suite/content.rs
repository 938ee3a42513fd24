//! What is written is read: ranges, appending, holes, handles, sharing.

use tabsh::vfs::{OpenOptions, WriteMode};

use super::{Subject, Verdict, cases, same};

cases!(|able| able.writing;
    write_and_read, creation_modes, ranges, append, empty_file, overwrite_keeps_identity,
    handle_writes_anywhere, handle_appends_only, handle_outlives_its_name, truncation,
    truncation_at_open, holes, chunk_borders, large_file, copy_is_independent, copy_onto_itself,
    visible_at_once, handles_respect_how_they_were_opened, mtime_follows_writes
);

const RW: OpenOptions = OpenOptions { read: true, truncate: false, ..OpenOptions::WRITE };

async fn write_and_read(t: &Subject) -> Verdict {
    t.put("f", b"hello\0\xff").await?;
    same!(t.get("f").await?, b"hello\0\xff");
    t.put("f", b"x").await?;
    same!(t.text("f").await?, "x");
    Ok(())
}

async fn creation_modes(t: &Subject) -> Verdict {
    use tabsh::io::Errno;
    let f = t.path("f");
    same!(t.fails(t.fs.write(&f, b"0", WriteMode::UpdateOnly)).await?, Errno::NotFound);
    same!(t.fs.write(&f, b"1", WriteMode::CreateNew).await.is_ok(), true);
    same!(t.fails(t.fs.write(&f, b"2", WriteMode::CreateNew)).await?, Errno::AlreadyExists);
    same!(t.text("f").await?, "1");
    same!(t.fs.write(&f, b"3", WriteMode::UpdateOnly).await.is_ok(), true);
    same!(t.fs.write(&f, b"4", WriteMode::Truncate).await.is_ok(), true);
    same!(t.text("f").await?, "4");
    same!(t.fs.write(&t.path("g"), b"5", WriteMode::Truncate).await.is_ok(), true);
    let new = OpenOptions { create_new: true, ..OpenOptions::WRITE };
    same!(t.fails(t.fs.open(&f, new)).await?, Errno::AlreadyExists);
    let old = OpenOptions { create: false, ..OpenOptions::WRITE };
    same!(t.fails(t.fs.open(&t.path("h"), old)).await?, Errno::NotFound);
    same!(t.names("").await?, ["f", "g"]);
    Ok(())
}

async fn ranges(t: &Subject) -> Verdict {
    t.put("f", b"0123456789").await?;
    let f = t.path("f");
    let range = async |offset, len| t.fs.read_range(&f, offset, len).await.unwrap_or_default();
    same!(range(2, 3).await, b"234");
    same!(range(8, 5).await, b"89");
    same!(range(10, 5).await, b"");
    same!(range(u64::MAX, usize::MAX).await, b"");
    same!(range(0, 0).await, b"");
    same!(range(1, usize::MAX).await, b"123456789");
    Ok(())
}

async fn append(t: &Subject) -> Verdict {
    for part in ["a", "", "bc", "\n"] {
        same!(t.fs.append(&t.path("f"), part.as_bytes()).await.is_ok(), true);
    }
    same!(t.text("f").await?, "abc\n");
    Ok(())
}

async fn empty_file(t: &Subject) -> Verdict {
    t.put("f", b"").await?;
    same!(t.get("f").await?, b"");
    same!(t.fs.stat(&t.path("f")).await.map(|metadata| metadata.len), Ok(0));
    Ok(())
}

async fn overwrite_keeps_identity(t: &Subject) -> Verdict {
    t.put("f", b"one").await?;
    let before = t.fs.stat(&t.path("f")).await.map(|metadata| metadata.inode);
    same!(t.fs.write(&t.path("f"), b"two", WriteMode::Truncate).await.is_ok(), true);
    same!(t.fs.stat(&t.path("f")).await.map(|metadata| metadata.inode), before);
    Ok(())
}

async fn handle_writes_anywhere(t: &Subject) -> Verdict {
    let file = t.open("f", RW).await?;
    same!(file.write_at(3, b"def").await, Ok(()));
    same!(file.write_at(0, b"abc").await, Ok(()));
    same!(file.write_at(2, b"CD").await, Ok(()));
    same!(file.read_at(0, 99).await, Ok(b"abCDef".to_vec()));
    same!(file.append(b"!").await, Ok(()));
    same!(file.len().await, Ok(7));
    same!(file.close().await, Ok(()));
    same!(t.text("f").await?, "abCDef!");
    Ok(())
}

async fn handle_appends_only(t: &Subject) -> Verdict {
    t.put("f", b"old").await?;
    let file = t.open("f", OpenOptions::APPEND).await?;
    same!(file.write_at(0, b"new").await, Ok(()));
    same!(t.fs.append(&t.path("f"), b"er").await.is_ok(), true);
    same!(file.append(b"est").await, Ok(()));
    same!(file.close().await, Ok(()));
    same!(t.text("f").await?, "oldnewerest");
    Ok(())
}

async fn handle_outlives_its_name(t: &Subject) -> Verdict {
    if !t.fs.capabilities().handles {
        return Ok(());
    }
    t.put("f", b"content").await?;
    let file = t.open("f", RW).await?;
    t.remove("f", false).await?;
    t.put("f", b"another").await?;
    same!(file.read_at(0, 99).await, Ok(b"content".to_vec()));
    same!(file.append(b" grows").await, Ok(()));
    same!(file.read_at(0, 99).await, Ok(b"content grows".to_vec()));
    same!(file.close().await, Ok(()));
    drop(file);
    same!(t.text("f").await?, "another");
    let moved = t.open("f", RW).await?;
    t.rename("f", "g").await?;
    same!(moved.append(b"!").await, Ok(()));
    same!(moved.close().await, Ok(()));
    same!(t.text("g").await?, "another!");
    Ok(())
}

async fn truncation(t: &Subject) -> Verdict {
    t.put("f", b"0123456789").await?;
    let file = t.open("f", RW).await?;
    same!(file.set_len(4).await, Ok(()));
    same!(file.set_len(6).await, Ok(()));
    same!(file.read_at(0, 99).await, Ok(b"0123\0\0".to_vec()));
    same!(file.set_len(0).await, Ok(()));
    same!(file.len().await, Ok(0));
    same!(file.close().await, Ok(()));
    same!(t.get("f").await?, b"");
    Ok(())
}

async fn truncation_at_open(t: &Subject) -> Verdict {
    t.put("f", b"long content").await?;
    let file = t.open("f", OpenOptions::WRITE).await?;
    same!(t.get("f").await?, b"");
    same!(file.write_at(0, b"new").await, Ok(()));
    same!(file.close().await, Ok(()));
    same!(t.text("f").await?, "new");
    Ok(())
}

async fn holes(t: &Subject) -> Verdict {
    let file = t.open("f", RW).await?;
    same!(file.write_at(200_000, b"end").await, Ok(()));
    same!(file.len().await, Ok(200_003));
    same!(file.read_at(199_998, 99).await, Ok(b"\0\0end".to_vec()));
    same!(file.read_at(65_530, 12).await, Ok(vec![0; 12]));
    same!(file.set_len(1 << 40).await, Ok(()));
    same!(file.read_at((1 << 40) - 2, 99).await, Ok(vec![0; 2]));
    same!(file.read_at(200_000, 4).await, Ok(b"end\0".to_vec()));
    same!(file.write_at(u64::MAX, b"x").await.is_err(), true);
    same!(file.set_len(200_001).await, Ok(()));
    same!(file.close().await, Ok(()));
    let content = t.get("f").await?;
    same!((content.len(), content.last()), (200_001, Some(&b'e')));
    Ok(())
}

async fn chunk_borders(t: &Subject) -> Verdict {
    let mut expected = vec![b'.'; 300_000];
    t.put("f", &expected).await?;
    let file = t.open("f", RW).await?;
    for at in [0_usize, 65_535, 65_536, 131_071, 196_600, 262_143, 299_999] {
        let with = vec![b'#'; (300_000 - at).min(20)];
        same!(file.write_at(at as u64, &with).await, Ok(()));
        expected.splice(at..at + with.len(), with);
        let found = file.read_at(at.saturating_sub(5) as u64, 70_000).await;
        let from = at.saturating_sub(5);
        same!(found.as_deref(), Ok(&expected[from..(from + 70_000).min(300_000)]));
    }
    same!(file.close().await, Ok(()));
    same!(t.get("f").await? == expected, true);
    Ok(())
}

async fn large_file(t: &Subject) -> Verdict {
    let pattern: Vec<u8> = (0..1_000_003_u32).map(|at| (at % 251) as u8).collect();
    let file = t.open("f", RW).await?;
    for round in 0..10 {
        same!(file.append(&pattern).await, Ok(()));
        same!(file.len().await, Ok((round + 1) * 1_000_003));
    }
    same!(file.read_at(5_000_015, 1000).await.as_deref(), Ok(&pattern[..1000]));
    same!(file.close().await, Ok(()));
    let content = t.get("f").await?;
    same!(content.len(), 10_000_030);
    same!(content.chunks(1_000_003).all(|chunk| chunk == pattern), true);
    Ok(())
}

async fn copy_is_independent(t: &Subject) -> Verdict {
    let content = vec![b'a'; 200_000];
    t.put("f", &content).await?;
    same!(t.fs.copy(&t.path("f"), &t.path("g")).await.is_ok(), true);
    let file = t.open("g", RW).await?;
    same!(file.write_at(100_000, b"B").await, Ok(()));
    same!(file.close().await, Ok(()));
    same!(t.get("f").await? == content, true);
    let copy = t.get("g").await?;
    same!((copy.len(), copy.get(100_000)), (200_000, Some(&b'B')));
    t.put("h", b"replaced").await?;
    same!(t.fs.copy(&t.path("f"), &t.path("h")).await.is_ok(), true);
    same!(t.get("h").await? == content, true);
    Ok(())
}

async fn copy_onto_itself(t: &Subject) -> Verdict {
    t.put("f", b"kept").await?;
    let _ = t.fs.copy(&t.path("f"), &t.path("f")).await;
    same!(t.text("f").await?, "kept");
    Ok(())
}

async fn visible_at_once(t: &Subject) -> Verdict {
    let writer = t.open("f", OpenOptions::WRITE).await?;
    same!(t.names("").await?, ["f"]);
    let reader = t.open("f", OpenOptions::READ).await?;
    same!(writer.write_at(0, b"one").await, Ok(()));
    same!(reader.read_at(0, 99).await, Ok(b"one".to_vec()));
    same!(t.text("f").await?, "one");
    same!(writer.close().await, Ok(()));
    Ok(())
}

async fn handles_respect_how_they_were_opened(t: &Subject) -> Verdict {
    use tabsh::io::Errno;
    t.put("f", b"text").await?;
    let reader = t.open("f", OpenOptions::READ).await?;
    same!(reader.write_at(0, b"x").await, Err(Errno::BadDescriptor));
    same!(reader.append(b"x").await, Err(Errno::BadDescriptor));
    same!(reader.set_len(0).await.is_err(), true);
    let writer = t.open("f", OpenOptions::APPEND).await?;
    same!(writer.read_at(0, 9).await, Err(Errno::BadDescriptor));
    same!(writer.close().await, Ok(()));
    same!(t.text("f").await?, "text");
    Ok(())
}

async fn mtime_follows_writes(t: &Subject) -> Verdict {
    use tabsh::host::Timestamp;
    t.put("f", b"text").await?;
    let long_ago = Timestamp { seconds: 1000, nanos: 0 };
    let mtime = async || t.fs.stat(&t.path("f")).await.map(|metadata| metadata.modified);
    if t.fs.capabilities().times {
        same!(t.fs.set_mtime(&t.path("f"), long_ago).await.is_ok(), true);
        same!(mtime().await, Ok(long_ago));
        same!(t.fs.append(&t.path("f"), b"more").await.is_ok(), true);
        same!(mtime().await == Ok(long_ago), false);
    }
    Ok(())
}
