//! Inodes by number, in pages shared copy-on-write, so that a snapshot shares all of them.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::Node;

const PAGE: u64 = 64;

#[derive(Clone, Default)]
struct Page {
    nodes: Vec<Option<Node>>,
    live: usize,
}

/// A map from inode numbers to nodes; cloning costs one reference per 64 inodes.
#[derive(Clone, Default)]
pub(in crate::vfs) struct Table {
    pages: FxHashMap<u64, Rc<Page>>,
    live: usize,
}

fn slot(inode: u64) -> usize {
    usize::try_from(inode % PAGE).unwrap_or_default()
}

impl Table {
    /// How many inodes there are.
    pub(in crate::vfs) fn len(&self) -> usize {
        self.live
    }

    /// The node of an inode.
    pub(in crate::vfs) fn get(&self, inode: u64) -> Option<&Node> {
        self.pages.get(&(inode / PAGE))?.nodes.get(slot(inode))?.as_ref()
    }

    /// The node of an inode for writing.
    pub(in crate::vfs) fn get_mut(&mut self, inode: u64) -> Option<&mut Node> {
        let page = Rc::make_mut(self.pages.get_mut(&(inode / PAGE))?);
        page.nodes.get_mut(slot(inode))?.as_mut()
    }

    /// Puts a node in place of whatever was there.
    pub(in crate::vfs) fn insert(&mut self, inode: u64, node: Node) {
        let page = Rc::make_mut(self.pages.entry(inode / PAGE).or_default());
        let at = slot(inode);
        if page.nodes.len() <= at {
            page.nodes.resize_with(at + 1, || None);
        }
        if let Some(place) = page.nodes.get_mut(at)
            && place.replace(node).is_none()
        {
            page.live += 1;
            self.live += 1;
        }
    }

    /// Takes a node away.
    pub(in crate::vfs) fn remove(&mut self, inode: u64) -> Option<Node> {
        let number = inode / PAGE;
        let page = Rc::make_mut(self.pages.get_mut(&number)?);
        let node = page.nodes.get_mut(slot(inode))?.take()?;
        page.live -= 1;
        self.live -= 1;
        if page.live == 0 {
            self.pages.remove(&number);
        }
        Some(node)
    }

    /// All inodes, ascending.
    pub(in crate::vfs) fn iter(&self) -> impl Iterator<Item = (u64, &Node)> {
        let mut numbers: Vec<u64> = self.pages.keys().copied().collect();
        numbers.sort_unstable();
        numbers.into_iter().flat_map(|number| {
            let nodes = self.pages.get(&number).into_iter().flat_map(|page| page.nodes.iter());
            (number * PAGE..).zip(nodes).filter_map(|(inode, node)| Some((inode, node.as_ref()?)))
        })
    }
}
