//! Whether a file that is there is overwritten, and clearing it away where that is asked for.

use std::rc::Rc;

use super::plan::{Clobber, Make, Plan};
use crate::builtins::common::targets::is_same_file;
use crate::builtins::common::{ask, quoted};
use crate::builtins::trash;
use crate::io::Errno;
use crate::tool::{ExecContext, Stop};
use crate::value::EcoString;
use crate::vfs::Metadata;

/// What is to happen.
pub(super) enum Verdict {
    /// Copy; the name that what was there has got, where it is kept.
    Go(Option<EcoString>),
    /// Copy nothing, as asked.
    LeftAlone,
    /// Copy nothing; the complaint.
    Refused(String),
}

/// Decides about copying a source, whose metadata comes first, over what is there, which comes
/// second and is no directory's place.
pub(super) async fn decide(
    cx: &mut ExecContext,
    plan: &Plan,
    (from, to): (&EcoString, &EcoString),
    (metadata, there): (&Metadata, &Metadata),
) -> Result<Verdict, Stop> {
    let fs = Rc::clone(cx.backend());
    let target = cx.resolve(to);
    let followed = fs.stat(&target).await.ok();
    let end = followed.as_ref().unwrap_or(there);
    if end.is_dir() {
        let message = format!("cannot overwrite directory {} with non-directory", quoted(to));
        return Ok(Verdict::Refused(message));
    }
    let is_same_entry = is_same_file(metadata, there);
    let source = match metadata.is_symlink() && !there.is_symlink() {
        true => fs.stat(&cx.resolve(from)).await.ok(),
        false => None,
    };
    let is_same = is_same_entry || is_same_file(source.as_ref().unwrap_or(metadata), end);
    if is_same && plan.make == Make::HardLink {
        return Ok(Verdict::LeftAlone);
    }
    let clears = plan.remove_first || plan.backup.is_on() || (plan.force && !is_same_entry);
    if is_same && (from == to || !clears) {
        let (from, to) = (quoted(from), quoted(to));
        return Ok(Verdict::Refused(format!("{from} and {to} are the same file")));
    }
    if plan.update && metadata.modified <= end.modified {
        return Ok(Verdict::LeftAlone);
    }
    match plan.clobber {
        Clobber::Keep => return Ok(Verdict::LeftAlone),
        Clobber::Ask if !ask(cx, format_args!("overwrite {}?", quoted(to))).await? => {
            return Ok(Verdict::LeftAlone);
        }
        _ => {}
    }
    if followed.is_none() && !metadata.is_symlink() && plan.make == Make::Copy && !plan.remove_first
    {
        let to = quoted(to);
        return Ok(Verdict::Refused(format!("not writing through dangling symlink {to}")));
    }
    match clear(cx, plan, to, metadata).await {
        Ok(kept) => Ok(Verdict::Go(kept)),
        Err(errno) => Ok(Verdict::Refused(format!("{}: {errno}", failure(plan, from, to)))),
    }
}

/// Clears away what is there; content alone is overwritten in place.
async fn clear(
    cx: &ExecContext,
    plan: &Plan,
    to: &str,
    metadata: &Metadata,
) -> Result<Option<EcoString>, Errno> {
    if plan.backup.is_on() {
        return plan.backup.keep(cx, to).await;
    }
    trash::keep_copy(cx, &cx.resolve(to)).await.map_err(|error| error.errno())?;
    let makes_link = matches!(plan.make, Make::HardLink | Make::Symlink);
    if plan.remove_first || metadata.is_symlink() || (plan.force && makes_link) {
        let removed = cx.backend().remove(&cx.resolve(to), false).await;
        return removed.map(|()| None).map_err(|error| error.errno());
    }
    if makes_link { Err(Errno::AlreadyExists) } else { Ok(None) }
}

/// What could not be made.
pub(super) fn failure(plan: &Plan, from: &str, to: &str) -> String {
    match plan.make {
        Make::HardLink => format!("cannot create hard link {} to {}", quoted(to), quoted(from)),
        Make::Symlink => format!("cannot create symbolic link {} to {}", quoted(to), quoted(from)),
        Make::Copy | Make::Attributes => format!("cannot create regular file {}", quoted(to)),
    }
}
