//! A backend whose changes stay in an overlay until they are committed.

use std::rc::Rc;

use super::LocalBackend;
use crate::host::Host;
use crate::tool::Registry;
use crate::vfs::{ByteBudget, Filesystem, OverlayFs, Path, VfsRouter};

/// A backend over mounts that are not written, and the overlay that has the changes.
pub struct OverlayBackend {
    backend: Rc<LocalBackend>,
    overlay: Rc<OverlayFs>,
}

impl OverlayBackend {
    /// A backend that shows the files of `below` and keeps changes to them in memory.
    pub fn new(
        below: Rc<VfsRouter>,
        registry: Rc<Registry>,
        host: Rc<dyn Host>,
        budget: &ByteBudget,
    ) -> Self {
        let lower: Rc<dyn Filesystem> = Rc::clone(&below) as Rc<dyn Filesystem>;
        Self::with(below, registry, Rc::new(OverlayFs::new(lower, host, budget)))
    }

    fn with(below: Rc<VfsRouter>, registry: Rc<Registry>, overlay: Rc<OverlayFs>) -> Self {
        let router = VfsRouter::new();
        router.mount(Path::new("/"), Rc::clone(&overlay) as Rc<dyn Filesystem>);
        let backend = LocalBackend::over(Rc::new(router), below, "overlay", registry);
        Self { backend: Rc::new(backend), overlay }
    }

    /// The files and mounts, for a kernel.
    pub fn backend(&self) -> &Rc<LocalBackend> {
        &self.backend
    }

    /// The changes, for `status`, `diff`, `commit` and `reset`.
    pub fn overlay(&self) -> &Rc<OverlayFs> {
        &self.overlay
    }

    /// A backend on the same mounts that starts with the same changes and goes its own way.
    #[must_use]
    pub fn fork(&self, below: &Rc<VfsRouter>) -> Self {
        let registry = Rc::clone(self.backend.registry());
        Self::with(Rc::clone(below), registry, Rc::new(self.overlay.fork()))
    }
}
