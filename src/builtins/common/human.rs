//! Sizes for people: `1023`, `1.0K`, `13M`, rounded up as GNU's `-h` does.

/// Writes a size with a letter; `base` is 1024, or 1000 for `--si`.
pub(in crate::builtins) fn human_size(bytes: u64, base: u64) -> String {
    let letters =
        if base == 1000 { ["k", "M", "G", "T", "P", "E"] } else { ["K", "M", "G", "T", "P", "E"] };
    if bytes < base {
        return bytes.to_string();
    }
    let mut unit = u128::from(base);
    let bytes = u128::from(bytes);
    for (index, letter) in letters.iter().enumerate() {
        let tenths = (bytes * 10).div_ceil(unit);
        if tenths < 100 {
            return format!("{}.{}{letter}", tenths / 10, tenths % 10);
        }
        let whole = bytes.div_ceil(unit);
        if whole < u128::from(base) || index + 1 == letters.len() {
            return format!("{whole}{letter}");
        }
        unit *= u128::from(base);
    }
    bytes.to_string()
}

/// Bytes that a file of `len` bytes takes on a disk of 4 KiB blocks; what `du` and `ls -s` count.
pub(in crate::builtins) fn disk_size(metadata: &crate::vfs::Metadata) -> u64 {
    match metadata.kind {
        crate::vfs::FileKind::File => metadata.len.div_ceil(BLOCK).saturating_mul(BLOCK),
        crate::vfs::FileKind::Directory => BLOCK,
        _ => 0,
    }
}

/// What `ls -l` and `stat` call the size: a directory is one block.
pub(in crate::builtins) fn shown_size(metadata: &crate::vfs::Metadata) -> u64 {
    if metadata.is_dir() { BLOCK } else { metadata.len }
}

/// Bytes of a block.
pub(in crate::builtins) const BLOCK: u64 = 4096;

#[cfg(test)]
mod tests {
    use super::human_size;

    #[test]
    fn sizes() {
        for (bytes, expect) in [
            (0, "0"),
            (1023, "1023"),
            (1024, "1.0K"),
            (1025, "1.1K"),
            (10_188, "10K"),
            (10_240, "10K"),
            (1_047_553, "1.0M"),
            (1_047_552, "1023K"),
            (5_000_000, "4.8M"),
            (u64::MAX, "16E"),
        ] {
            assert_eq!(human_size(bytes, 1024), expect);
        }
        assert_eq!(human_size(1500, 1000), "1.5k");
    }
}
