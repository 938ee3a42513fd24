//! `fsck`: whether everything in a store fits together, and mending it where it does not.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::cache::part;
use super::commit::Scope;
use super::load::{self, Reading, SUPERBLOCK, extents};
use super::record;
use super::state::{Inner, Status};
use super::store::{Area, Batch, Durability, StoreError, StoreResult};
use crate::vfs::content::{CHUNK, Extent};
use crate::vfs::tree::{Body, Node, ROOT, Tree};

/// Whether a check mends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Care {
    /// Only looks.
    Verify,
    /// Mends what it can; what it cannot is gone afterwards.
    Repair,
}

/// One thing that does not fit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// The log or a checkpoint is damaged, in words.
    #[error("{0}")]
    Store(String),
    /// An entry names nothing.
    #[error("{path} names inode {inode}, which is not there")]
    Dangling {
        /// Its path.
        path: String,
        /// The missing inode.
        inode: u64,
    },
    /// A directory has two names.
    #[error("{0} is a second name of a directory")]
    SecondName(String),
    /// Nothing names an inode; repair puts it into `/lost+found`.
    #[error("inode {0} has no name")]
    Nameless(u64),
    /// An inode counts its names wrongly.
    #[error("inode {inode} counts {found} links, has {expected}")]
    Links {
        /// Which.
        inode: u64,
        /// What it says.
        found: u32,
        /// What there are.
        expected: u32,
    },
    /// A directory does not know what it is in.
    #[error("directory {0} does not know what it is in")]
    Parent(u64),
    /// Content is missing or damaged; repair fills its place with zeros.
    #[error("inode {inode}: {len} bytes at {offset} are lost")]
    Content {
        /// Which file.
        inode: u64,
        /// Where.
        offset: u64,
        /// How much.
        len: u32,
    },
}

/// What a check found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// What does not fit, in the order it was found.
    pub problems: Vec<Problem>,
    /// Whether it has been mended.
    pub repaired: bool,
    /// Files, directories and links looked at.
    pub inodes: usize,
    /// Bytes of content looked at.
    pub bytes: u64,
}

impl Inner {
    /// See `PackedFs::check`.
    pub(super) async fn check(self: &Rc<Self>, care: Care) -> StoreResult<Report> {
        self.commit(Scope::All, Durability::Relaxed).await?;
        let _gate = self.gate.lock().await;
        let mut loaded = load::load(&*self.store, Reading::Exact).await?;
        if !loaded.damage.is_empty() {
            let damage = std::mem::take(&mut loaded.damage);
            loaded = load::load(&*self.store, Reading::Salvage).await?;
            loaded.damage = damage;
        }
        let damage = std::mem::take(&mut loaded.damage);
        let mut report = Report::default();
        report.problems.extend(damage.into_iter().map(Problem::Store));
        let Some(tree) = &mut loaded.tree else { return Ok(report) };
        report.inodes = tree.len();
        check_names(tree, &mut report.problems);
        self.check_content(tree, &mut report).await?;
        let newer = loaded.schema > load::SCHEMA_VERSION;
        if care == Care::Verify || report.problems.is_empty() || newer {
            return Ok(report);
        }
        let epoch = self.state.borrow().epoch;
        if epoch == 0 {
            return Err(StoreError::Failed("only the volume's writer can repair it".into()));
        }
        let numbers = [self.store.list(Area::Log).await?, self.store.list(Area::Checkpoint).await?];
        let last = numbers.iter().flatten().copied().max().unwrap_or(0);
        loaded.counters.sequence = last.max(loaded.counters.sequence) + 1;
        let number = loaded.counters.sequence;
        let value = record::encode_all(loaded.counters, tree);
        loaded.log = load::fresh_log(number, value.len());
        let puts =
            vec![(Area::Meta, SUPERBLOCK, load::superblock()), (Area::Checkpoint, number, value)];
        let drops = vec![(Area::Checkpoint, 0..number), (Area::Log, 0..number + 1)];
        self.store.commit(Batch { epoch, puts, drops }, Durability::Strict).await?;
        self.begin_with(loaded, epoch);
        self.set_status(Status::Writable);
        report.repaired = true;
        Ok(report)
    }

    /// Reads every segment in use and compares every extent with its checksum.
    async fn check_content(&self, tree: &mut Tree, report: &mut Report) -> StoreResult<()> {
        let mut by_segment: BTreeMap<u64, Vec<(u64, u64, Extent)>> = BTreeMap::new();
        for (inode, index, extent) in extents(tree) {
            by_segment.entry(extent.segment).or_default().push((inode, index, extent));
        }
        let numbers: Vec<u64> = by_segment.keys().copied().collect();
        for some in numbers.chunks(8) {
            let found = self.store.read(some).await?;
            for (number, bytes) in some.iter().zip(found) {
                let bytes = bytes.unwrap_or_default();
                for (inode, index, extent) in by_segment.remove(number).unwrap_or_default() {
                    report.bytes += u64::from(extent.len);
                    let good = part(&bytes, extent)
                        .is_some_and(|bytes| crc32fast::hash(bytes) == extent.checksum);
                    if good {
                        continue;
                    }
                    let offset = index.saturating_mul(CHUNK);
                    report.problems.push(Problem::Content { inode, offset, len: extent.len });
                    if let Some(Node { body: Body::File(content), .. }) = tree.adjust(inode) {
                        content.take_chunk(index);
                    }
                }
            }
        }
        Ok(())
    }
}

/// Checks and mends names, link counts and parents.
fn check_names(tree: &mut Tree, problems: &mut Vec<Problem>) {
    let mut found = walk(tree, problems);
    let nameless: Vec<u64> =
        tree.iter().map(|(inode, _)| inode).filter(|inode| !found.contains_key(inode)).collect();
    if !nameless.is_empty() {
        problems.extend(nameless.iter().map(|inode| Problem::Nameless(*inode)));
        rescue(tree, &nameless, &found);
        found = walk(tree, &mut Vec::new());
    }
    let inodes: Vec<u64> = tree.iter().map(|(inode, _)| inode).collect();
    for inode in inodes {
        let Some(Place { parent, links }) = found.get(&inode) else { continue };
        let Some(node) = tree.adjust(inode) else { continue };
        if node.links != *links {
            if !nameless.contains(&inode) {
                let (found, expected) = (node.links, *links);
                problems.push(Problem::Links { inode, found, expected });
            }
            node.links = *links;
        }
        if let Body::Directory { parent: known, .. } = &mut node.body
            && known != parent
        {
            if !nameless.contains(&inode) {
                problems.push(Problem::Parent(inode));
            }
            *known = *parent;
        }
    }
}

/// How an inode is reached.
struct Place {
    parent: u64,
    links: u32,
}

/// Goes through all names from the root, taking away those that cannot be.
fn walk(tree: &mut Tree, problems: &mut Vec<Problem>) -> BTreeMap<u64, Place> {
    let mut found = BTreeMap::from([(ROOT, Place { parent: ROOT, links: 2 })]);
    let mut pending = vec![(ROOT, String::new())];
    while let Some((dir, path)) = pending.pop() {
        let Ok(names) = tree.names(dir) else { continue };
        for (name, inode) in names.clone().iter() {
            let whole = format!("{path}/{name}");
            let is_dir = tree.names(inode).is_ok();
            if tree.get(inode).is_none() {
                problems.push(Problem::Dangling { path: whole, inode });
                tree.set_name(dir, name, None);
            } else if is_dir && found.contains_key(&inode) {
                problems.push(Problem::SecondName(whole));
                tree.set_name(dir, name, None);
            } else if is_dir {
                found.insert(inode, Place { parent: dir, links: 2 });
                if let Some(above) = found.get_mut(&dir) {
                    above.links += 1;
                }
                pending.push((inode, whole));
            } else {
                found.entry(inode).or_insert(Place { parent: dir, links: 0 }).links += 1;
            }
        }
    }
    found
}

/// Puts nameless inodes into `/lost+found`: first those that no nameless directory has, then what is
/// left of directories that contain each other.
fn rescue(tree: &mut Tree, nameless: &[u64], found: &BTreeMap<u64, Place>) {
    let dir = lost_and_found(tree, found);
    let mut held = BTreeSet::new();
    for inode in nameless {
        if let Ok(names) = tree.names(*inode) {
            held.extend(names.iter().map(|(_, inode)| inode));
        }
    }
    for inode in nameless.iter().filter(|inode| !held.contains(inode)) {
        tree.set_name(dir, &format!("#{inode}"), Some(*inode));
    }
    loop {
        let reached = walk(tree, &mut Vec::new());
        let Some(inode) = nameless.iter().find(|inode| !reached.contains_key(inode)) else { break };
        if !tree.set_name(dir, &format!("#{inode}"), Some(*inode)) {
            break;
        }
    }
}

fn lost_and_found(tree: &mut Tree, found: &BTreeMap<u64, Place>) -> u64 {
    let mut name = String::from("lost+found");
    while let Some(inode) = tree.names(ROOT).ok().and_then(|names| names.get(&name)) {
        if tree.names(inode).is_ok() && found.contains_key(&inode) {
            return inode;
        }
        // A file has the name.
        name.push('+');
    }
    let modified = tree.get(ROOT).map(|root| root.modified).unwrap_or_default();
    let inode = tree.next_inode();
    let body = Body::Directory { names: Rc::default(), parent: ROOT };
    tree.install(inode, Node { body, mode: 0o700, links: 2, modified });
    tree.set_name(ROOT, &name, Some(inode));
    inode
}
