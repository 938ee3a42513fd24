//! The standard mounts: `/`, `/home/user`, `/tmp`, `/dev`, `/v`.

use std::rc::Rc;

use crate::host::Host;
use crate::jobs::{Job, JobTable};
use crate::tool::Registry;
use crate::value::EcoString;
use crate::vfs::{ByteBudget, DevFs, MemoryFs, Path, VfsRouter, ViewFs, ViewNode};

/// Mounts the standard filesystems; further mounts of the same paths replace them.
pub(super) fn mount_standard(
    router: &VfsRouter,
    host: &Rc<dyn Host>,
    budget: &ByteBudget,
    views: (&Rc<Registry>, &Rc<JobTable>),
) {
    let memory = || Rc::new(MemoryFs::new(Rc::clone(host), budget));
    for path in ["/", "/home/user", "/tmp", "/v"] {
        router.mount(Path::new(path), memory());
    }
    router.mount(Path::new("/dev"), Rc::new(DevFs::new(Rc::clone(host))));
    let (registry, jobs) = (Rc::clone(views.0), Rc::clone(views.1));
    let made = host.now();
    router.mount(
        Path::new("/v/bin"),
        Rc::new(ViewFs::new(made, move |names: &[&str]| command_view(&registry, names))),
    );
    router.mount(
        Path::new("/v/jobs"),
        Rc::new(ViewFs::new(made, move |names: &[&str]| job_view(&jobs, names))),
    );
}

fn command_view(registry: &Registry, names: &[&str]) -> Option<ViewNode> {
    match names {
        [] => {
            // `.` is a command, and no name a directory can hold.
            let names = registry.names().into_iter().filter(|name| name != ".");
            Some(ViewNode::Directory(names.collect()))
        }
        [name] => {
            let about = match registry.builtin(name) {
                Some(builtin) => format!("{}\n", builtin.spec.about),
                None => format!("{}\n", registry.tool(name)?.spec().about),
            };
            Some(ViewNode::Executable(about.into_bytes()))
        }
        _ => None,
    }
}

fn job_view(jobs: &JobTable, names: &[&str]) -> Option<ViewNode> {
    let job = |id: &str| jobs.get(id.parse().ok()?);
    match names {
        [] => {
            let ids = jobs.all().iter().map(|job| EcoString::from(job.id.to_string())).collect();
            Some(ViewNode::Directory(ids))
        }
        [id] => {
            job(id)?;
            let names = ["command", "status", "stderr", "stdout"];
            Some(ViewNode::Directory(names.iter().map(|name| (*name).into()).collect()))
        }
        [id, file] => job_file(&*job(id)?, file).map(ViewNode::Text),
        _ => None,
    }
}

fn job_file(job: &Job, file: &str) -> Option<Vec<u8>> {
    Some(match file {
        "command" => format!("{}\n", job.command).into_bytes(),
        "status" => format!("{}\n", job.state().text()).into_bytes(),
        "stdout" => job.stdout.bytes(),
        "stderr" => job.stderr.bytes(),
        _ => return None,
    })
}
