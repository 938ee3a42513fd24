//! The file tests of `test`, `[` and `[[ ]]`.

use super::KernelBackend;
use crate::vfs::{FileKind, Path};

/// Whether a file test holds: the operator without its dash (`e f d L h r w x s …`).
///
/// `None` where there is no such operator.
pub async fn file_test(backend: &dyn KernelBackend, op: &str, path: &Path) -> Option<bool> {
    Some(match op {
        "e" | "a" => backend.stat(path).await.is_ok(),
        "f" => backend.stat(path).await.is_ok_and(|found| found.is_file()),
        "d" => backend.stat(path).await.is_ok_and(|found| found.is_dir()),
        "L" | "h" => backend.lstat(path).await.is_ok_and(|found| found.is_symlink()),
        "c" => backend.stat(path).await.is_ok_and(|found| found.kind == FileKind::Device),
        "s" => backend.stat(path).await.is_ok_and(|found| found.len > 0),
        "r" => backend.path_access(path).await.is_ok_and(|access| access.read),
        "w" => backend.path_access(path).await.is_ok_and(|access| access.write),
        "x" => backend.path_access(path).await.is_ok_and(|access| access.execute),
        "O" | "G" | "N" => backend.stat(path).await.is_ok(),
        "b" | "p" | "S" | "u" | "g" | "k" => false,
        _ => return None,
    })
}

/// Whether a comparison of two files holds: `nt`, `ot`, `ef`. A missing file is older than any.
pub async fn file_compare(
    backend: &dyn KernelBackend,
    op: &str,
    left: &Path,
    right: &Path,
) -> Option<bool> {
    let left = backend.stat(left).await.ok();
    let right = backend.stat(right).await.ok();
    Some(match op {
        "nt" => match (left, right) {
            (Some(left), Some(right)) => left.modified > right.modified,
            (left, _) => left.is_some(),
        },
        "ot" => match (left, right) {
            (Some(left), Some(right)) => left.modified < right.modified,
            (_, right) => right.is_some(),
        },
        "ef" => match (left, right) {
            (Some(left), Some(right)) => (left.device, left.inode) == (right.device, right.inode),
            _ => false,
        },
        _ => return None,
    })
}
