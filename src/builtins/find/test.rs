//! The tests of an expression on one file.

use std::rc::Rc;

use super::walk::Found;
use crate::builtins::common::DAY;
use crate::host::Timestamp;
use crate::pattern::{Glob, Regex};
use crate::tool::ExecContext;
use crate::vfs::FileKind;

/// A number to compare with: `N`, `+N`, `-N`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compare {
    Exactly(i64),
    More(i64),
    Less(i64),
}

impl Compare {
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (wrap, digits): (fn(i64) -> Self, _) = match text.as_bytes().first()? {
            b'+' => (Self::More, text.get(1..)?),
            b'-' => (Self::Less, text.get(1..)?),
            _ => (Self::Exactly, text),
        };
        digits.as_bytes().first().filter(|byte| byte.is_ascii_digit())?;
        // A fraction is allowed where times are compared; it counts as what it begins.
        let whole = digits.split_once('.').map_or(digits, |(whole, _)| whole);
        whole.parse().ok().map(wrap)
    }

    pub(super) fn holds(self, value: i64) -> bool {
        match self {
            Self::Exactly(n) => value == n,
            Self::More(n) => value > n,
            Self::Less(n) => value < n,
        }
    }
}

/// How `-perm` compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PermTest {
    Exactly,
    All,
    Any,
}

/// A test.
#[derive(Debug)]
pub(super) enum Test {
    Always(bool),
    Name(Glob),
    Path(Glob),
    /// What a link points to.
    Target(Glob),
    Regex(Rc<Regex>),
    Kind(Vec<FileKind>),
    /// The kind behind a link, or of the link itself where links are followed.
    OtherKind(Vec<FileKind>),
    /// In units of so many bytes, rounded up.
    Size(Compare, u64),
    Empty,
    Perm(PermTest, u32),
    /// Whether reading, writing or running is allowed.
    Access(u32),
    Links(Compare),
    Inode(Compare),
    Same(u64, u64),
    Devices(Vec<u64>),
    /// Whole days before a point.
    Days(Compare, i64),
    /// Minutes before a point.
    Minutes(Compare, i64),
    Newer(Timestamp),
}

impl Test {
    /// Whether a file fits.
    pub(super) async fn holds(&self, cx: &ExecContext, found: &Found) -> bool {
        let metadata = &found.metadata;
        let signed = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
        match self {
            Self::Always(value) => *value,
            Self::Name(glob) => glob.matches(found.name()),
            Self::Path(glob) => glob.matches(found.path.as_str()),
            Self::Regex(regex) => regex.is_match(found.path.as_str()),
            Self::Kind(kinds) => kinds.contains(&metadata.kind),
            Self::Size(compare, unit) => {
                let size = crate::builtins::common::shown_size(metadata);
                compare.holds(signed(size.div_ceil(*unit)))
            }
            Self::Perm(PermTest::Exactly, mode) => metadata.mode & 0o7777 == *mode,
            Self::Perm(PermTest::All, mode) => metadata.mode & mode == *mode,
            Self::Perm(PermTest::Any, mode) => *mode == 0 || metadata.mode & mode != 0,
            Self::Links(compare) => compare.holds(i64::from(metadata.links)),
            Self::Inode(compare) => compare.holds(signed(metadata.inode)),
            Self::Same(device, inode) => (metadata.device, metadata.inode) == (*device, *inode),
            Self::Devices(devices) => devices.contains(&metadata.device),
            Self::Days(compare, origin) => {
                let age = origin.saturating_sub(metadata.modified.seconds);
                compare.holds(age.div_euclid(DAY))
            }
            Self::Minutes(compare, origin) => {
                let age = origin.saturating_sub(metadata.modified.seconds);
                match compare {
                    Compare::Exactly(n) => age.div_euclid(60) + 1 == *n,
                    Compare::More(n) => age > n.saturating_mul(60),
                    Compare::Less(n) => age < n.saturating_mul(60),
                }
            }
            Self::Newer(time) => metadata.modified > *time,
            Self::Target(_) | Self::OtherKind(_) | Self::Empty | Self::Access(_) => {
                self.holds_inside(cx, found).await
            }
        }
    }

    /// Tests that look beyond the metadata.
    async fn holds_inside(&self, cx: &ExecContext, found: &Found) -> bool {
        let path = cx.resolve(&found.path);
        let fs = cx.backend();
        match self {
            Self::Target(glob) => {
                let target = fs.read_link(&path).await;
                target.is_ok_and(|target| glob.matches(target.as_str()))
            }
            Self::OtherKind(kinds) => {
                let other =
                    if found.followed { fs.lstat(&path).await } else { fs.stat(&path).await };
                let kind = other.map_or(FileKind::Symlink, |metadata| metadata.kind);
                kinds.contains(&kind)
            }
            Self::Empty => match found.metadata.kind {
                FileKind::File => found.metadata.len == 0,
                FileKind::Directory => fs.list(&path).await.is_ok_and(|list| list.is_empty()),
                _ => false,
            },
            Self::Access(bits) => fs.path_access(&path).await.is_ok_and(|access| match bits {
                0o444 => access.read,
                0o222 => access.write,
                _ => access.execute,
            }),
            _ => false,
        }
    }
}
