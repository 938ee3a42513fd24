//! What `-b` keeps of a file that is overwritten: `x~`, or `x.~1~`, `x.~2~`.

use std::rc::Rc;

use super::bad_choice;
use super::targets::is_same_file;
use crate::io::Errno;
use crate::tool::{Args, ExecContext, Opt, Stop};
use crate::value::EcoString;

/// The options; the commands list them among their own.
pub(in crate::builtins) const BACKUP: Opt<'static> =
    Opt::flag('b', "", "keep what is overwritten, as NAME~");

/// See [`BACKUP`].
pub(in crate::builtins) const BACKUP_HOW: Opt<'static> =
    Opt::optional('\0', "backup", "HOW", "the same: simple, numbered, existing, none");

/// See [`BACKUP`].
pub(in crate::builtins) const SUFFIX: Opt<'static> =
    Opt::value('S', "suffix", "SUFFIX", "keep as NAME and SUFFIX; implies -b");

/// How backups are named.
#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    Simple,
    Numbered,
    /// Numbered where a numbered one is there already.
    Existing,
}

/// Whether and how to keep what is overwritten.
pub(in crate::builtins) struct Backup {
    how: Option<How>,
    suffix: EcoString,
}

const CHOICES: &[&str] = &["none, off", "simple, never", "existing, nil", "numbered, t"];

impl Backup {
    /// Reads the options.
    pub(in crate::builtins) fn read(cx: &mut ExecContext, args: &Args) -> Result<Self, Stop> {
        let asked = args.has("b") || args.has("suffix");
        let mut how = asked.then_some(How::Existing);
        if args.has("backup") {
            let word = args.text("backup").unwrap_or_else(|| "existing".into());
            how = match word.as_str() {
                "none" | "off" => None,
                "simple" | "never" => Some(How::Simple),
                "existing" | "nil" => Some(How::Existing),
                "numbered" | "t" => Some(How::Numbered),
                _ => return Err(cx.misuse(1, bad_choice("backup type", &word, CHOICES))),
            };
        }
        Ok(Self { how, suffix: args.text("suffix").unwrap_or_else(|| "~".into()) })
    }

    /// Whether anything is kept at all.
    pub(in crate::builtins) fn is_on(&self) -> bool {
        self.how.is_some()
    }

    /// Moves a file out of the way; answers the name it has got.
    pub(in crate::builtins) async fn keep(
        &self,
        cx: &ExecContext,
        name: &str,
    ) -> Result<Option<EcoString>, Errno> {
        let Some(how) = self.how else { return Ok(None) };
        let fs = Rc::clone(cx.backend());
        let mut number = 1u32;
        if how != How::Simple {
            while fs.lstat(&cx.resolve(&format!("{name}.~{number}~"))).await.is_ok() {
                number += 1;
            }
        }
        let kept = if how == How::Numbered || number > 1 {
            EcoString::from(format!("{name}.~{number}~"))
        } else {
            EcoString::from(format!("{name}{}", self.suffix))
        };
        // Renaming one name of a file to another changes nothing: clear the other away first.
        let names = (fs.lstat(&cx.resolve(name)).await, fs.lstat(&cx.resolve(&kept)).await);
        if matches!(&names, (Ok(a), Ok(b)) if is_same_file(a, b)) {
            let removed = fs.remove(&cx.resolve(&kept), false).await;
            removed.map_err(|error| error.errno())?;
        }
        let renamed = fs.rename(&cx.resolve(name), &cx.resolve(&kept)).await;
        renamed.map(|()| Some(kept)).map_err(|error| error.errno())
    }
}
