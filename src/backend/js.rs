//! The backend of a host page that holds the files itself: a store of its own, a server, a shared document.

use std::rc::Rc;

use super::LocalBackend;
use crate::tool::Registry;
use crate::vfs::VfsRouter;

/// A backend whose root is the page's.
///
/// The page supplies the few methods of a [`crate::vfs::Driver`]; ranges, patches, creation modes,
/// links and canonical paths are worked out over them as everywhere else, so that no page can get
/// them wrong, and `/dev`, `/v` and `/tmp` stay what commands expect.
pub struct JsBackend;

impl JsBackend {
    /// The backend over mounts whose root is a [`crate::vfs::DriverFs`].
    pub fn over(router: Rc<VfsRouter>, registry: Rc<Registry>) -> LocalBackend {
        let shown = Rc::clone(&router);
        LocalBackend::over(router, shown, "js", registry)
    }
}
