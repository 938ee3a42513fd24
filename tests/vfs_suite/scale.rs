//! Many entries, great depth.

use super::{Subject, Verdict, cases, same};

cases!(|able| able.writing; many_entries, great_depth, many_renames);

async fn many_entries(t: &Subject) -> Verdict {
    t.mkdir("many").await?;
    for n in 0..100_000 {
        t.put(&format!("many/{n:06}"), b"").await?;
    }
    let names = t.names("many").await?;
    same!(names.len(), 100_000);
    same!(
        (names.first().cloned(), names.last().cloned()),
        (Some("000000".into()), Some("099999".into()))
    );
    t.rename("many", "moved").await?;
    t.remove("moved/050000", false).await?;
    same!(t.names("moved").await?.len(), 99_999);
    t.remove("moved", true).await?;
    same!(t.names("").await?, [""; 0]);
    Ok(())
}

async fn great_depth(t: &Subject) -> Verdict {
    let mut path = String::from("d");
    for _ in 1..1000 {
        t.mkdir(&path).await?;
        path.push_str("/d");
    }
    t.mkdir(&path).await?;
    t.put(&format!("{path}/f"), b"deep").await?;
    same!(t.text(&format!("{path}/f")).await?, "deep");
    t.rename("d", "e").await?;
    same!(t.text(&format!("e{}/f", path.strip_prefix('d').unwrap_or_default())).await?, "deep");
    t.remove("e", true).await?;
    same!(t.names("").await?, [""; 0]);
    Ok(())
}

async fn many_renames(t: &Subject) -> Verdict {
    t.mkdir("d").await?;
    for n in 0..1000 {
        t.put(&format!("d/{n}"), n.to_string().as_bytes()).await?;
    }
    for n in 0..1000 {
        t.rename(&format!("d/{n}"), &format!("{}", (n * 7) % 1000)).await?;
    }
    same!(t.names("d").await?, [""; 0]);
    same!(t.text("7").await?, "1");
    same!(t.names("").await?.len(), 1001);
    Ok(())
}
